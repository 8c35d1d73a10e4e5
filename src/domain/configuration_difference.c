/*
 * configuration_difference - what changed between two versions of
 * portside.conf, and which of the changes demand less than before.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/check.h"
#include "domain/configuration.h"

struct builder {
	struct arena *arena;
	struct accepted_difference *list;
	size_t n, cap, loosened;
	bool has_old;
};

/* Which way of a key demands less. */
enum loosens {
	LOOSENS_NOT,
	LOOSENS_UP,
	LOOSENS_DOWN,
	LOOSENS_ANY,
	LOOSENS_BY_DIRECTION,
	LOOSENS_MARGIN,
	LOOSENS_CHOSEN,		/* any way, once a word was chosen */
	LOOSENS_OFF,		/* true becomes anything else */
	LOOSENS_TOLERANCE	/* up, and from a default that nobody chose */
};

static const struct {
	const char *section, *key;
	enum loosens how;
} loosening[] = {
	{ "migration", "intended", LOOSENS_ANY },
	{ "goal", "form", LOOSENS_ANY },
	{ "goal", "direction", LOOSENS_ANY },
	{ "goal", "at", LOOSENS_ANY },
	{ "goal", "series", LOOSENS_ANY },
	{ "goal", "scale", LOOSENS_ANY },
	{ "goal", "baseline", LOOSENS_ANY },
	{ "goal", "target", LOOSENS_BY_DIRECTION },
	{ "goal", "margin", LOOSENS_MARGIN },
	{ "goal", "low", LOOSENS_DOWN },
	{ "goal", "high", LOOSENS_UP },
	{ "goal", "tolerance", LOOSENS_UP },
	{ "pattern", "match", LOOSENS_ANY },
	{ "curve", "series", LOOSENS_ANY },
	{ "curve", "direction", LOOSENS_ANY },
	{ "curve", "tolerance", LOOSENS_TOLERANCE },
	{ "curve", "relative-tolerance", LOOSENS_TOLERANCE },
	{ "target", "simulates", LOOSENS_ANY },
	{ "target", "chips", LOOSENS_DOWN },
	{ "level", "strict", LOOSENS_OFF },
	{ "level", "endpoint", LOOSENS_CHOSEN },
	{ "level", "goal", LOOSENS_ANY },
	{ "level", "preparation", LOOSENS_CHOSEN },
	{ "level", "repetition", LOOSENS_CHOSEN },
	{ "level", "time-ratio", LOOSENS_UP },
	{ "level", "cost-ratio", LOOSENS_UP },
	{ "level", "time", LOOSENS_UP },
	{ "level", "cost", LOOSENS_UP },
	{ "run", "steps", LOOSENS_DOWN },
	{ "run", "done", LOOSENS_ANY },
	{ "run", "artifact", LOOSENS_ANY },
	{ "run", "limit", LOOSENS_UP },
	{ "run", "budget", LOOSENS_UP },
};

static enum loosens loosens_how(const struct config_key *key)
{
	for (size_t i = 0; i < ARRAY_LEN(loosening); i++)
		if (strcmp(loosening[i].section, key->section) == 0 &&
			    strcmp(loosening[i].key, key->key) == 0)
			return loosening[i].how;
	return LOOSENS_NOT;
}

static void add(struct builder *b, const char *key, const char *text, bool loosened)
{
	ARRAY_GROW(b->list, b->n, b->cap);
	b->list[b->n++] = (struct accepted_difference){ key, text, loosened };
	b->loosened += loosened;
}

static const char *value_text(struct builder *b, const struct config_key *key, const void *section)
{
	struct buf text = BUF_INIT;
	const char *out;

	config_add_value(&text, key, section);
	out = arena_strndup(b->arena, text.s, text.n);
	buf_release(&text);
	return out;
}

/* As a number on which up and down make sense.  No limit is the largest one. */
static double magnitude(const struct config_key *key, const void *section)
{
	const void *at = (const char *)section + key->offset;
	int64_t whole;

	if (key->type == CONFIG_NUMBER)
		return *(const double *)at;
	whole = *(const int64_t *)at;
	if ((key->type == CONFIG_DURATION || key->type == CONFIG_MONEY) && !whole)
		return INFINITY;
	return (double)whole;
}

static bool moved(double old, double new, int way)
{
	if (isnan(old))
		return false;
	return isnan(new) || (way > 0 ? new > old : new < old);
}

static int word_at(const struct config_key *key, const void *section)
{
	return *(const int *)((const char *)section + key->offset);
}

static bool is_loosened(const struct config_key *key, const void *old, const void *new)
{
	const struct config_goal *goal = new;

	switch (loosens_how(key)) {
	case LOOSENS_NOT: return false;
	case LOOSENS_ANY: return true;
	case LOOSENS_UP: return moved(magnitude(key, old), magnitude(key, new), 1);
	case LOOSENS_TOLERANCE:
		return isnan(magnitude(key, old)) ||
			moved(magnitude(key, old), magnitude(key, new), 1);
	case LOOSENS_CHOSEN: return word_at(key, old) != 0;
	case LOOSENS_OFF: return word_at(key, old) == TRUTH_VALUE_TRUE;
	case LOOSENS_DOWN: return moved(magnitude(key, old), magnitude(key, new), -1);
	case LOOSENS_BY_DIRECTION:
		return moved(magnitude(key, old), magnitude(key, new),
			goal->test.direction == DIRECTION_LOWER ? 1 : -1);
	case LOOSENS_MARGIN:
		return moved(magnitude(key, old), magnitude(key, new),
			goal->test.form == FORM_ORDERING ? -1 : 1);
	}
	return false;
}

static void compare_keys(
	struct builder *b, const char *section, const char *name, const void *old, const void *new)
{
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *key = &config_keys[i];
		const char *before, *after, *where;

		if (strcmp(key->section, section) != 0)
			continue;
		before = value_text(b, key, old);
		after = value_text(b, key, new);
		if (strcmp(before, after) == 0)
			continue;
		where = *name ? arena_printf(b->arena, "%s.%s.%s", section, name, key->key) :
			arena_printf(b->arena, "%s.%s", section, key->key);
		add(b, where,
			arena_printf(b->arena, "%s: %s -> %s", where,
				*before ? before : "(nothing)", *after ? after : "(nothing)"),
			is_loosened(key, old, new));
	}
}

/* ---- rules ---- */

static const struct rule *rule_find(const struct config *c, const char *id)
{
	for (size_t i = 0; i < c->rules_n; i++)
		if (strcmp(c->rules[i].id, id) == 0)
			return &c->rules[i];
	return NULL;
}

/* True when NEW has the same comparisons with limits that are no further away. */
static bool provably_no_weaker(const struct rule *old, const struct rule *new)
{
	struct expr_gauge a, b;
	size_t i = 0;

	for (; expr_gauge(old->expr, i, &a); i++) {
		bool down;

		if (!expr_gauge(new->expr, i, &b) || strcmp(a.feature, b.feature) != 0 ||
			    strcmp(a.op, b.op) != 0 || a.limit.type != b.limit.type)
			return false;
		if (a.limit.type == EXPR_TEXT && strcmp(a.limit.text, b.limit.text) != 0)
			return false;
		down = *a.op == '<';
		if (a.limit.type == EXPR_NUMBER &&
		    (down ? b.limit.number < a.limit.number : b.limit.number > a.limit.number))
			return false;
	}
	return i > 0 && !expr_gauge(new->expr, i, &b);
}

static bool rule_is_weaker(const struct rule *old, const struct rule *new)
{
	if (old->action == ACTION_STOP && new->action != ACTION_STOP)
		return true;
	if (*new->precondition && strcmp(old->precondition, new->precondition) != 0)
		return true;
	return !provably_no_weaker(old, new);
}

static void compare_rules(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->rules_n; i++) {
		const struct rule *before = &old->rules[i], *after = rule_find(new, before->id);
		const char *where = arena_printf(b->arena, "rule.%s", before->id);

		if (!after)
			add(b, where, arena_printf(b->arena, "%s is gone: %s", where, before->when),
				true);
		else if (strcmp(before->version, after->version) != 0)
			add(b, where,
				arena_printf(
					b->arena, "%s: %s -> %s", where, before->when, after->when),
				rule_is_weaker(before, after));
	}
	for (size_t i = 0; i < new->rules_n; i++)
		if (!rule_find(old, new->rules[i].id))
			add(b, arena_printf(b->arena, "rule.%s", new->rules[i].id),
				arena_printf(b->arena, "rule.%s is new: %s", new->rules[i].id,
					new->rules[i].when),
				false);
}

/* ---- named sections ---- */

static void gone_or_new(
	struct builder *b, const char *section, const char *name, bool gone, bool loosened)
{
	const char *where = arena_printf(b->arena, "%s.%s", section, name);

	add(b, where, arena_printf(b->arena, "%s is %s", where, gone ? "gone" : "new"), loosened);
}

static void compare_goals(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->goals_n; i++) {
		const struct config_goal *after = config_goal_find(new, old->goals[i].name);

		if (after)
			compare_keys(b, "goal", after->name, &old->goals[i], after);
		else
			gone_or_new(b, "goal", old->goals[i].name, true, true);
	}
	for (size_t i = 0; i < new->goals_n; i++)
		if (!config_goal_find(old, new->goals[i].name))
			gone_or_new(b, "goal", new->goals[i].name, false, false);
}

static void compare_targets(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->targets_n; i++) {
		const struct config_target *after = config_target_find(new, old->targets[i].name);

		if (!after) {
			gone_or_new(b, "target", old->targets[i].name, true, false);
			continue;
		}
		compare_keys(b, "target", after->name, &old->targets[i], after);
	}
	for (size_t i = 0; i < new->targets_n; i++)
		if (!config_target_find(old, new->targets[i].name))
			gone_or_new(b, "target", new->targets[i].name, false, false);
}

static void compare_runs(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->runs_n; i++) {
		const struct config_run *after = config_run_find(new, old->runs[i].kind);

		if (after)
			compare_keys(b, "run", after->name, &old->runs[i], after);
		else
			gone_or_new(b, "run", old->runs[i].name, true, false);
	}
	for (size_t i = 0; i < new->runs_n; i++)
		if (!config_run_find(old, new->runs[i].kind))
			gone_or_new(b, "run", new->runs[i].name, false, false);
}

static const struct config_curve *find_curve(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->curves_n; i++)
		if (strcmp(c->curves[i].name, name) == 0)
			return &c->curves[i];
	return NULL;
}

/* A new one may allow more than the default, and so may one that goes away. */
static void compare_curves(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->curves_n; i++) {
		const struct config_curve *before = &old->curves[i],
					  *after = find_curve(new, before->name);

		if (after)
			compare_keys(b, "curve", after->name, before, after);
		else
			gone_or_new(b, "curve", before->name, true, true);
	}
	for (size_t i = 0; i < new->curves_n; i++)
		if (!find_curve(old, new->curves[i].name))
			gone_or_new(b, "curve", new->curves[i].name, false, b->has_old);
}

static const struct config_signature *find_signature(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->signatures_n; i++)
		if (strcmp(c->signatures[i].name, name) == 0)
			return &c->signatures[i];
	return NULL;
}

/* They propose and decide nothing, so none of it is loosened. */
static void compare_signatures(
	struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->signatures_n; i++) {
		const struct config_signature *before = &old->signatures[i],
					      *after = find_signature(new, before->name);

		if (after)
			compare_keys(b, "signature", after->name, before, after);
		else
			gone_or_new(b, "signature", before->name, true, false);
	}
	for (size_t i = 0; i < new->signatures_n; i++)
		if (!find_signature(old, new->signatures[i].name))
			gone_or_new(b, "signature", new->signatures[i].name, false, false);
}

static const struct config_pattern *find_pattern(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->patterns_n; i++)
		if (strcmp(c->patterns[i].name, name) == 0)
			return &c->patterns[i];
	return NULL;
}

/*
 * Other lines become other values, of runs that are over too: one that changes or goes is
 * loosened.  A new one is how a trainer's own lines come to be read at all; that it reads
 * them before any other format does is told.
 */
static void compare_patterns(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->patterns_n; i++) {
		const struct config_pattern *before = &old->patterns[i],
					    *after = find_pattern(new, before->name);

		if (after)
			compare_keys(b, "pattern", after->name, before, after);
		else
			gone_or_new(b, "pattern", before->name, true, true);
	}
	for (size_t i = 0; i < new->patterns_n; i++)
		if (!find_pattern(old, new->patterns[i].name)) {
			const char *where = arena_printf(
				b->arena, "pattern.%s", new->patterns[i].name);

			add(b, where,
				arena_printf(b->arena,
					"%s is new: lines that it matches are read by it alone",
					where),
				false);
		}
}

static void compare_declared(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->declared_n; i++) {
		const struct config_declared *after =
			config_declared_find(new, old->declared[i].name);

		if (after)
			compare_keys(b, "difference", after->name, &old->declared[i], after);
		else
			gone_or_new(b, "difference", old->declared[i].name, true, false);
	}
	for (size_t i = 0; i < new->declared_n; i++)
		if (!config_declared_find(old, new->declared[i].name))
			gone_or_new(b, "difference", new->declared[i].name, false, b->has_old);
}

static const struct config_package *find_package(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->packages_n; i++)
		if (strcmp(c->packages[i].name, name) == 0)
			return &c->packages[i];
	return NULL;
}

/* A difference that a person classifies is one that a check no longer refutes. */
static void compare_packages(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < old->packages_n; i++) {
		const struct config_package *before = &old->packages[i],
					    *after = find_package(new, before->name);

		if (after)
			compare_keys(b, "package", after->name, before, after);
		else
			gone_or_new(b, "package", before->name, true, false);
	}
	for (size_t i = 0; i < new->packages_n; i++)
		if (!find_package(old, new->packages[i].name))
			gone_or_new(b, "package", new->packages[i].name, false, b->has_old);
}

static bool requires(const struct config_level *l, const char *check)
{
	for (size_t i = 0; i < l->require_n; i++)
		if (strcmp(l->require[i], check) == 0)
			return true;
	return !l->require_n;
}

/* A question that is no longer required is a weaker demand, whoever chose the first list. */
static void compare_level(struct builder *b, const struct config *old, const struct config *new)
{
	for (size_t i = 0; i < check_items_n; i++) {
		const char *check = check_items[i].id;
		bool before = requires(&old->l2, check), after = requires(&new->l2, check);
		const char *where = arena_printf(b->arena, "level.L2.%s", check);

		if (strcmp(check_items[i].level, "L2") != 0 || before == after)
			continue;
		add(b, where,
			arena_printf(b->arena, "%s: L2 %s it", where,
				after ? "requires" : "no longer requires"),
			before && b->has_old);
	}
}

struct accepted_differences config_differences(
	struct arena *a, const struct config *old, const struct config *new)
{
	struct builder b = { .arena = a, .has_old = old != NULL };
	struct config empty = CONFIG_INIT;
	struct accepted_differences out = { NULL, 0, 0 };

	if (old) {
		compare_keys(&b, "migration", "", &old->migration, &new->migration);
	} else {
		old = &empty;
	}
	compare_goals(&b, old, new);
	compare_targets(&b, old, new);
	compare_runs(&b, old, new);
	compare_curves(&b, old, new);
	compare_patterns(&b, old, new);
	compare_signatures(&b, old, new);
	compare_declared(&b, old, new);
	compare_packages(&b, old, new);
	compare_level(&b, old, new);
	compare_keys(&b, "level", "L3", &old->l3, &new->l3);
	compare_keys(&b, "level", "L4", &old->l4, &new->l4);
	compare_rules(&b, old, new);
	if (b.n)
		out.list = arena_memdup(a, b.list, b.n * sizeof *b.list);
	out.n = b.n;
	out.loosened = b.loosened;
	free(b.list);
	return out;
}
