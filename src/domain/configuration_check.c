/* configuration_check - what no key of portside.conf says alone; see configuration.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/line_pattern.h"
#include "base/pattern.h"
#include "domain/check.h"
#include "domain/configuration_private.h"

static bool has(
	const struct config_reader *r, const char *section, const char *name, const char *key)
{
	return conf_find(r->conf, section, name, key) != NULL;
}

static void check_required(struct config_reader *r, const char *section, const char *name, int line)
{
	struct arena *a = &r->c->arena;

	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *k = &config_keys[i];

		if (!k->required || strcmp(k->section, section) != 0 ||
			    has(r, section, name, k->key))
			continue;
		config_add_error(r, line,
			arena_printf(a, "%s%s%s.%s", section, *name ? "." : "", name, k->key),
			arena_printf(a, "is missing: %s (%s)", k->help, config_type_help(k->type)));
	}
}

static void check_goal_section(struct config_reader *r, struct config_goal *g)
{
	struct arena *a = &r->c->arena;
	const char *where = arena_printf(a, "goal.%s", g->name);

	check_required(r, "goal", g->name, g->line);
	g->has_target = has(r, "goal", g->name, "target");
	g->has_margin = has(r, "goal", g->name, "margin");
	g->has_tolerance = has(r, "goal", g->name, "tolerance");
	if (!*g->metric)
		g->metric = g->name;
	if (isnan(g->tolerance))
		g->tolerance = g->test.margin;
	if (g->test.margin < 0)
		config_add_error(r, g->line, where, "margin is below 0");
	if (g->scale == 0)
		config_add_error(r, g->line, where, "scale is 0");
	if (g->test.form == FORM_BAND &&
		    (isnan(g->test.low) || isnan(g->test.high) || g->test.low > g->test.high))
		config_add_error(r, g->line, where, "a band needs low and high, low first");
	if (g->test.form == FORM_ORDERING && !*g->baseline)
		config_add_error(r, g->line, where,
			"an ordering needs baseline, the series to compare with");
}

static void check_curve_section(struct config_reader *r, struct config_curve *c)
{
	const char *where = arena_printf(&r->c->arena, "curve.%s", c->name);

	check_required(r, "curve", c->name, c->line);
	if (c->tolerance < 0)
		config_add_error(r, c->line, where, "tolerance is below 0");
	if (c->relative < 0)
		config_add_error(r, c->line, where, "relative-tolerance is below 0");
}

/* What is wrong is said at the line of the key. */
static void check_pattern_section(struct config_reader *r, const struct config_pattern *p)
{
	const struct conf_entry *e = conf_find(r->conf, "pattern", p->name, "match");

	check_required(r, "pattern", p->name, p->line);
	if (e && *p->match && line_pattern_check(p->match) < 0)
		config_entry_error(r, e, err_text());
}

static bool is_one_of(const char *value, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(*words, value) == 0)
			return true;
	return false;
}

static void check_word(struct config_reader *r, const struct config_signature *s, const char *key,
	const char *value, const char *const *words, const char *cure)
{
	const struct conf_entry *e = conf_find(r->conf, "signature", s->name, key);

	if (e && *value && !is_one_of(value, words))
		config_entry_error(r, e, cure);
}

/* Whether it has a word to look for, and its rule, is said where logs are searched. */
static void check_signature_section(struct config_reader *r, const struct config_signature *s)
{
	static const char *const causes[] = { "C0", "C1", "C2", "C3", "C4", "C5", "C6", "-", NULL };
	static const char *const kinds[] = { "R", "W", "S", "N", NULL };
	static const char *const sides[] = { "any", "tpu", "gpu", "text", NULL };
	const struct conf_entry *e = conf_find(r->conf, "signature", s->name, "pattern");

	check_required(r, "signature", s->name, s->line);
	check_word(r, s, "cause", s->cause, causes, "must be C0 to C6, or - for noise");
	check_word(r, s, "kind", s->kind, kinds, "must be R, W, S or N");
	check_word(r, s, "side", s->side, sides, "must be any, tpu, gpu or text");
	if (e && *s->pattern && pattern_check(s->pattern, 0) < 0)
		config_entry_error(r, e, err_text());
}

/* Asked twice is asked once: it is dropped, so that two lists of one set are equal. */
static void check_level_section(struct config_reader *r, struct config_level *l)
{
	size_t kept = 0;

	if (!l->name)
		return;
	if (!l->require_n)
		check_required(r, "level", l->name, l->line);
	for (size_t i = 0; i < check_items_n; i++)
		for (size_t k = kept; k < l->require_n; k++)
			if (strcmp(check_items[i].id, l->require[k]) == 0) {
				const char *found = l->require[k];

				l->require[k] = l->require[kept];
				l->require[kept++] = found;
				break;
			}
	l->require_n = kept;
}

/* A time without its endpoint is compared with any other. */
static void check_performance_section(struct config_reader *r, const struct config_level *l)
{
	if (!l->name)
		return;
	if (!l->endpoint || !l->preparation || !l->repetition)
		config_add_error(r, l->line, "level.L4",
			"endpoint, preparation and repetition say what is timed; all three are "
			"needed");
	if (isnan(l->time_ratio) && isnan(l->cost_ratio) && !l->time_ns && !l->cost_nano_usd)
		config_add_error(r, l->line, "level.L4",
			"one of time-ratio, cost-ratio, time, cost is the target");
	if ((l->endpoint == ENDPOINT_QUALITY) != (*l->goal != '\0'))
		config_add_error(r, l->line, "level.L4.goal",
			"endpoint = quality says which goal is to be reached, and no other "
			"endpoint does");
	else if (*l->goal && !config_goal_find(r->c, l->goal))
		config_add_error(r, l->line, "level.L4.goal",
			arena_printf(&r->c->arena, "there is no [goal \"%s\"]", l->goal));
	if (l->time_ratio <= 0 || l->cost_ratio <= 0)
		config_add_error(r, l->line, "level.L4", "a ratio is above 0");
}

static void check_target_section(struct config_reader *r, struct config_target *t)
{
	check_required(r, "target", t->name, t->line);
	if (t->chips < 1 || t->chips > 1000000) {
		config_add_error(r, t->line, arena_printf(&r->c->arena, "target.%s.chips", t->name),
			"at least 1 is needed");
		t->chips = 1;
	}
}

static void check_target_name(struct config_reader *r, const char *key, const char *name)
{
	const struct conf_entry *e = conf_find(r->conf, "migration", "", key);
	struct buf b = BUF_INIT;

	if (!e || config_target_find(r->c, name))
		return;
	buf_addf(&b, "there is no [target \"%s\"]; targets: ", e->value);
	for (size_t i = 0; i < r->c->targets_n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", r->c->targets[i].name);
	config_entry_error(r, e, b.s);
	buf_release(&b);
}

static bool feature_goal_exists(
	const struct config *c, const struct rule *rule, const char **missing)
{
	size_t n;
	const char *const *names = expr_features(rule->expr, &n);

	for (size_t i = 0; i < n; i++) {
		const struct feature *f = feature_find(names[i]);

		if (!f || !f->per_goal || config_goal_find(c, names[i] + strlen(f->name) + 1))
			continue;
		*missing = names[i];
		return false;
	}
	return true;
}

static void make_rule(struct config_reader *r, const struct rule_draft *d)
{
	struct config *c = r->c;
	struct rule *rule = &c->rules[c->rules_n];
	const char *where = arena_printf(&c->arena, "rule.%s.when", d->name), *missing = "";

	check_required(r, "rule", d->name, d->line);
	if (!*d->when)
		return;
	if (rule_make(rule, d->name, d->when, d->precondition, (enum rule_action)d->action,
		      (enum rule_class)d->class) < 0) {
		config_add_error(r, d->line, where, err_text());
		return;
	}
	rule->line = d->line;
	if (!feature_goal_exists(c, rule, &missing))
		config_add_error(r, d->line, where,
			arena_printf(&c->arena, "\"%s\" names no goal of this file", missing));
	c->rules_n++;
}

/* The first goal takes the place of GOAL; without a goal the rule is left out. */
static const char *default_when(struct config *c, const char *when)
{
	const char *goal = strstr(when, "GOAL");

	if (!goal)
		return when;
	if (!c->goals_n)
		return NULL;
	return arena_printf(
		&c->arena, "%.*s%s%s", (int)(goal - when), when, c->goals[0].name, goal + 4);
}

static void make_rules(struct config_reader *r)
{
	struct config *c = r->c;

	c->default_rules = !r->drafts_n;
	c->rules = xcalloc(r->drafts_n + rule_defaults_n, sizeof *c->rules);
	for (size_t i = 0; i < r->drafts_n; i++)
		make_rule(r, &r->drafts[i]);
	for (size_t i = 0; c->default_rules && i < rule_defaults_n; i++) {
		const struct rule_default *d = &rule_defaults[i];
		const char *when = default_when(c, d->when);

		if (when && rule_make(&c->rules[c->rules_n], d->id, when, d->precondition,
				    d->action, d->class) == 0)
			c->rules_n++;
	}
}

void config_check(struct config_reader *r)
{
	struct config *c = r->c;

	check_required(r, "migration", "", c->migration.line);
	if (c->migration.human_rate.per_chip)
		config_add_error(r, c->migration.line, "migration.human-rate",
			"people's time is priced in USD/hour");
	for (size_t i = 0; i < c->goals_n; i++)
		check_goal_section(r, &c->goals[i]);
	for (size_t i = 0; i < c->targets_n; i++)
		check_target_section(r, &c->targets[i]);
	for (size_t i = 0; i < c->runs_n; i++)
		check_required(r, "run", c->runs[i].name, c->runs[i].line);
	for (size_t i = 0; i < c->curves_n; i++)
		check_curve_section(r, &c->curves[i]);
	for (size_t i = 0; i < c->patterns_n; i++)
		check_pattern_section(r, &c->patterns[i]);
	for (size_t i = 0; i < c->signatures_n; i++)
		check_signature_section(r, &c->signatures[i]);
	for (size_t i = 0; i < c->declared_n; i++)
		check_required(r, "difference", c->declared[i].name, c->declared[i].line);
	for (size_t i = 0; i < c->packages_n; i++)
		check_required(r, "package", c->packages[i].name, c->packages[i].line);
	check_level_section(r, &c->l2);
	check_performance_section(r, &c->l4);
	check_target_name(r, "intended", c->migration.intended);
	check_target_name(r, "reference", c->migration.reference);
	make_rules(r);
}
