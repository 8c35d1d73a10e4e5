/*
 * configuration - see configuration.h.
 *
 * Entries are taken in the order of the file; each is checked by its row of the
 * table and put where that row says.  Whatever spans several keys is checked
 * afterwards.
 */
#include "config.h"

#include "domain/configuration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "domain/kind.h"

struct rule_draft { const char *name, *when, *precondition; int action, class, line; };

struct reader {
	struct config *c;
	size_t goals_cap, targets_cap, runs_cap, errors_cap;
	struct rule_draft *drafts;
	size_t drafts_n, drafts_cap;
	const struct conf *conf;
};

/* ---- mistakes ------------------------------------------------------------------- */

static void add_error(struct reader *r, int line, const char *where, const char *text)
{
	struct config *c = r->c;

	ARRAY_GROW(c->errors, c->errors_n, r->errors_cap);
	c->errors[c->errors_n++] = (struct config_error){
		line, arena_printf(&c->arena, "%s:%d: %s: %s", c->path, line, where, text),
	};
}

static const char *entry_name(struct reader *r, const struct conf_entry *e)
{
	if (*e->name)
		return arena_printf(&r->c->arena, "%s.%s.%s", e->section, e->name, e->key);
	return arena_printf(&r->c->arena, "%s.%s", e->section, e->key);
}

static void entry_error(struct reader *r, const struct conf_entry *e, const char *text)
{
	add_error(r, e->line, entry_name(r, e), text);
}

static void entry_wants(struct reader *r, const struct conf_entry *e, enum config_type t)
{
	entry_error(r, e,
		arena_printf(&r->c->arena, "\"%s\" is not %s", e->value, config_type_help(t)));
}

static void unknown_section(struct reader *r, const struct conf_entry *e)
{
	struct buf b = BUF_INIT;
	const char *last = "";

	if (strcmp(e->section, "include") == 0 || strcmp(e->section, "includeif") == 0) {
		entry_error(r, e, "includes are not read; write the keys here");
		return;
	}
	buf_adds(&b, "not a section; allowed: ");
	for (size_t i = 0; i < config_keys_n; i++) {
		if (strcmp(config_keys[i].section, last) == 0)
			continue;
		buf_addf(&b, "%s%s", *last ? ", " : "", config_keys[i].section);
		last = config_keys[i].section;
	}
	entry_error(r, e, b.s);
	buf_release(&b);
}

static bool section_exists(const char *section)
{
	for (size_t i = 0; i < config_keys_n; i++)
		if (strcmp(config_keys[i].section, section) == 0)
			return true;
	return false;
}

static void unknown_key(struct reader *r, const struct conf_entry *e)
{
	struct buf b = BUF_INIT;
	const char *between = "";

	buf_addf(&b, "not a key of [%s]; allowed: ", e->section);
	for (size_t i = 0; i < config_keys_n; i++) {
		if (strcmp(config_keys[i].section, e->section) != 0)
			continue;
		buf_addf(&b, "%s%s", between, config_keys[i].key);
		between = ", ";
	}
	entry_error(r, e, b.s);
	buf_release(&b);
}

/* ---- values ---------------------------------------------------------------------- */

static bool is_variable(const char *s, size_t n)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return n && strspn(s, letters) >= n && !(*s >= '0' && *s <= '9');
}

static bool is_setting(const char *s)
{
	const char *equals = strchr(s, '=');

	return equals && is_variable(s, (size_t)(equals - s)) && !text_starts(s, "PORTSIDE_");
}

/* Checks and stores a text; false when it is not of its type. */
static bool take_text(
	struct reader *r, const struct config_key *key, const char *value, void *section)
{
	const char *copy = arena_strdup(&r->c->arena, value);
	char *at = (char *)section + key->offset;
	const char **list;
	size_t n;

	if ((key->type == CONFIG_NAME && !name_is_plain(value)) ||
	    (key->type == CONFIG_PATH && !fs_is_inside(value)) ||
	    (key->type == CONFIG_VARIABLE && !is_variable(value, strlen(value))) ||
	    (key->type == CONFIG_SETTING && !is_setting(value)) || !*value)
		return false;
	if (!key->repeats) {
		memcpy(at, &copy, sizeof copy);
		return true;
	}
	memcpy(&n, (char *)section + key->count_offset, sizeof n);
	list = arena_alloc(&r->c->arena, (n + 1) * sizeof *list);
	if (n)
		memcpy(list, *(const char ***)(void *)at, n * sizeof *list);
	list[n++] = copy;
	memcpy(at, &list, sizeof list);
	memcpy((char *)section + key->count_offset, &n, sizeof n);
	return true;
}

static bool take_flag(const char *value, bool *out)
{
	static const char *const words[] = { "false", "no", "off", "0", "true", "yes", "on", "1",
		"" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcmp(words[i], value) == 0) {
			*out = i >= 4;
			return true;
		}
	}
	return false;
}

static bool take_number(const char *value, double *out)
{
	double v;

	if (!text_to_double(value, strlen(value), &v) || !isfinite(v))
		return false;
	*out = v;
	return true;
}

static bool take_count(const char *value, int64_t *out)
{
	int64_t v;

	if (!text_to_i64(value, strlen(value), &v) || v < 0)
		return false;
	*out = v;
	return true;
}

static bool take_word(const struct config_key *key, const char *value, int *out)
{
	int v = word_find(key->words, value);

	if (v <= 0)
		return false;
	*out = v;
	return true;
}

/* Stores VALUE where KEY says; false when it is not of its type. */
static bool take_value(
	struct reader *r, const struct config_key *key, const char *value, void *section)
{
	void *at = (char *)section + key->offset;

	switch (key->type) {
	case CONFIG_NUMBER: return take_number(value, at);
	case CONFIG_COUNT: return take_count(value, at);
	case CONFIG_FLAG: return take_flag(value, at);
	case CONFIG_WORD: return take_word(key, value, at);
	case CONFIG_DURATION: return units_duration_ns(at, value) == 0;
	case CONFIG_MONEY: return units_money_nano_usd(at, value) == 0;
	case CONFIG_PRICE: return units_price(at, value) == 0;
	case CONFIG_TEXT:
	case CONFIG_NAME:
	case CONFIG_COMMAND:
	case CONFIG_PATH:
	case CONFIG_VARIABLE:
	case CONFIG_SETTING:
		return take_text(r, key, value, section);
	case CONFIG_RULE:
	case CONFIG_OPTION:
		break;
	}
	return true;
}

static void word_error(struct reader *r, const struct config_key *key, const struct conf_entry *e)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "\"%s\" is not a %s; allowed: ", e->value, key->words->what);
	word_add_choices(&b, key->words);
	entry_error(r, e, b.s);
	buf_release(&b);
}

static void wrong_value(struct reader *r, const struct config_key *key, const struct conf_entry *e)
{
	if (key->type == CONFIG_WORD)
		word_error(r, key, e);
	else
		entry_wants(r, e, key->type);
}

/* ---- sections --------------------------------------------------------------------- */

static void set_empty_text(void *section, const struct config_key *key)
{
	const char *empty = "";

	if (!key->repeats && key->type != CONFIG_NUMBER && key->type != CONFIG_COUNT &&
		    key->type != CONFIG_FLAG && key->type != CONFIG_WORD &&
		    key->type != CONFIG_DURATION && key->type != CONFIG_MONEY &&
		    key->type != CONFIG_PRICE && key->type != CONFIG_RULE && key->type != CONFIG_OPTION)
		memcpy((char *)section + key->offset, &empty, sizeof empty);
}

static void set_defaults(struct reader *r, const char *name, void *section)
{
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *key = &config_keys[i];

		if (strcmp(key->section, name) != 0)
			continue;
		set_empty_text(section, key);
		if (*key->otherwise)
			(void)take_value(r, key, key->otherwise, section);
	}
}

static struct config_goal *goal_section(struct reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->goals_n; i++)
		if (strcmp(c->goals[i].name, e->name) == 0)
			return &c->goals[i];
	ARRAY_GROW(c->goals, c->goals_n, r->goals_cap);
	c->goals[c->goals_n] = (struct config_goal){
		.name = arena_strdup(&c->arena, e->name), .line = e->line, .tolerance = NAN,
		.test = { .target = NAN, .low = NAN, .high = NAN },
	};
	set_defaults(r, "goal", &c->goals[c->goals_n]);
	return &c->goals[c->goals_n++];
}

static struct config_target *target_section(struct reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->targets_n; i++)
		if (strcmp(c->targets[i].name, e->name) == 0)
			return &c->targets[i];
	ARRAY_GROW(c->targets, c->targets_n, r->targets_cap);
	c->targets[c->targets_n] =
		(struct config_target){ .name = arena_strdup(&c->arena, e->name), .line = e->line };
	set_defaults(r, "target", &c->targets[c->targets_n]);
	return &c->targets[c->targets_n++];
}

static struct config_run *run_section(struct reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;
	int kind = word_find(&words_run_kind, e->name);

	if (kind <= 0) {
		entry_error(r, e, "not a run; allowed: [run \"smoke\"], [run \"full\"]");
		return NULL;
	}
	for (size_t i = 0; i < c->runs_n; i++)
		if (c->runs[i].kind == (enum run_kind)kind)
			return &c->runs[i];
	ARRAY_GROW(c->runs, c->runs_n, r->runs_cap);
	c->runs[c->runs_n] = (struct config_run){
		.name = word_name(&words_run_kind, kind),
		.kind = (enum run_kind)kind,
		.line = e->line,
	};
	set_defaults(r, "run", &c->runs[c->runs_n]);
	return &c->runs[c->runs_n++];
}

static struct rule_draft *rule_section(struct reader *r, const struct conf_entry *e)
{
	for (size_t i = 0; i < r->drafts_n; i++)
		if (strcmp(r->drafts[i].name, e->name) == 0)
			return &r->drafts[i];
	ARRAY_GROW(r->drafts, r->drafts_n, r->drafts_cap);
	r->drafts[r->drafts_n] = (struct rule_draft){
		.name = arena_strdup(&r->c->arena, e->name),
		.when = "",
		.precondition = "",
		.line = e->line,
	};
	return &r->drafts[r->drafts_n++];
}

static void take_rule(struct reader *r, const struct config_key *key, const struct conf_entry *e)
{
	struct rule_draft *d = rule_section(r, e);
	const char *copy = arena_strdup(&r->c->arena, e->value);

	if (strcmp(key->key, "when") == 0)
		d->when = copy;
	else if (strcmp(key->key, "precondition") == 0)
		d->precondition = copy;
	else if (!take_word(
			 key, e->value, strcmp(key->key, "action") == 0 ? &d->action : &d->class))
		word_error(r, key, e);
}

static void take_option(struct reader *r, struct config_target *t, const struct conf_entry *e)
{
	struct arena *a = &r->c->arena;
	struct config_option *list = arena_alloc(a, (t->options_n + 1) * sizeof *list);

	if (t->options_n)
		memcpy(list, t->options, t->options_n * sizeof *list);
	list[t->options_n++] =
		(struct config_option){ arena_strdup(a, e->key), arena_strdup(a, e->value) };
	t->options = list;
}

static void *section_of(struct reader *r, const struct conf_entry *e)
{
	if (strcmp(e->section, "goal") == 0)
		return goal_section(r, e);
	if (strcmp(e->section, "target") == 0)
		return target_section(r, e);
	if (strcmp(e->section, "run") == 0)
		return run_section(r, e);
	return &r->c->migration;
}

static bool is_repeated(const struct reader *r, const struct conf_entry *e)
{
	for (const struct conf_entry *o = r->conf->entries; o < e; o++)
		if (strcmp(o->section, e->section) == 0 && strcmp(o->name, e->name) == 0 &&
		    strcmp(o->key, e->key) == 0)
			return true;
	return false;
}

static void take_entry(struct reader *r, const struct conf_entry *e)
{
	const struct config_key *key = config_key_find(e->section, e->key);
	void *section;

	if (!section_exists(e->section)) {
		unknown_section(r, e);
		return;
	}
	if (!key) {
		unknown_key(r, e);
		return;
	}
	if (key->named != (*e->name != '\0') || (*e->name && !name_is_plain(e->name))) {
		entry_error(r, e,
			key->named ? "the section needs a plain name, as in [target \"v5e-4\"]"
				   : "this section takes no name");
		return;
	}
	if (!key->repeats && is_repeated(r, e)) {
		entry_error(r, e, "given twice; keep one");
		return;
	}
	if (strcmp(e->section, "rule") == 0) {
		take_rule(r, key, e);
		return;
	}
	section = section_of(r, e);
	if (!section)
		return;
	if (key->type == CONFIG_OPTION)
		take_option(r, section, e);
	else if (!take_value(r, key, e->value, section))
		wrong_value(r, key, e);
}

/* ---- what spans keys ----------------------------------------------------------------- */

static bool has(const struct reader *r, const char *section, const char *name, const char *key)
{
	return conf_find(r->conf, section, name, key) != NULL;
}

static void check_required(struct reader *r, const char *section, const char *name, int line)
{
	struct arena *a = &r->c->arena;

	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *k = &config_keys[i];

		if (!k->required || strcmp(k->section, section) != 0 ||
			    has(r, section, name, k->key))
			continue;
		add_error(r, line,
			arena_printf(a, "%s%s%s.%s", section, *name ? "." : "", name, k->key),
			arena_printf(a, "is missing: %s (%s)", k->help, config_type_help(k->type)));
	}
}

static void check_goal_section(struct reader *r, struct config_goal *g)
{
	struct arena *a = &r->c->arena;
	const char *where = arena_printf(a, "goal.%s", g->name);

	check_required(r, "goal", g->name, g->line);
	g->has_target = has(r, "goal", g->name, "target");
	g->has_margin = has(r, "goal", g->name, "margin");
	if (!*g->metric)
		g->metric = g->name;
	if (isnan(g->tolerance))
		g->tolerance = g->test.margin;
	if (g->test.margin < 0)
		add_error(r, g->line, where, "margin is below 0");
	if (g->scale == 0)
		add_error(r, g->line, where, "scale is 0");
	if (g->test.form == FORM_BAND &&
		    (isnan(g->test.low) || isnan(g->test.high) || g->test.low > g->test.high))
		add_error(r, g->line, where, "a band needs low and high, low first");
	if (g->test.form == FORM_ORDERING && !*g->baseline)
		add_error(r, g->line, where,
			"an ordering needs baseline, the series to compare with");
}

static void check_target_section(struct reader *r, struct config_target *t)
{
	check_required(r, "target", t->name, t->line);
	if (t->chips < 1 || t->chips > 1000000) {
		add_error(r, t->line, arena_printf(&r->c->arena, "target.%s.chips", t->name),
			"at least 1 is needed");
		t->chips = 1;
	}
}

static void check_target_name(struct reader *r, const char *key, const char *name)
{
	const struct conf_entry *e = conf_find(r->conf, "migration", "", key);
	struct buf b = BUF_INIT;

	if (!e || config_target_find(r->c, name))
		return;
	buf_addf(&b, "there is no [target \"%s\"]; targets: ", e->value);
	for (size_t i = 0; i < r->c->targets_n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", r->c->targets[i].name);
	entry_error(r, e, b.s);
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

static void make_rule(struct reader *r, const struct rule_draft *d)
{
	struct config *c = r->c;
	struct rule *rule = &c->rules[c->rules_n];
	const char *where = arena_printf(&c->arena, "rule.%s.when", d->name), *missing = "";

	check_required(r, "rule", d->name, d->line);
	if (!*d->when)
		return;
	if (rule_make(rule, d->name, d->when, d->precondition, (enum rule_action)d->action,
		      (enum rule_class)d->class) < 0) {
		add_error(r, d->line, where, err_text());
		return;
	}
	rule->line = d->line;
	if (!feature_goal_exists(c, rule, &missing))
		add_error(r, d->line, where,
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

static void make_rules(struct reader *r)
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

static int compare_errors(const void *a, const void *b)
{
	const struct config_error *x = a, *y = b;

	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : strcmp(x->text, y->text);
}

static void check_all_sections(struct reader *r)
{
	struct config *c = r->c;

	check_required(r, "migration", "", c->migration.line);
	for (size_t i = 0; i < c->goals_n; i++)
		check_goal_section(r, &c->goals[i]);
	for (size_t i = 0; i < c->targets_n; i++)
		check_target_section(r, &c->targets[i]);
	for (size_t i = 0; i < c->runs_n; i++)
		check_required(r, "run", c->runs[i].name, c->runs[i].line);
	check_target_name(r, "intended", c->migration.intended);
	check_target_name(r, "reference", c->migration.reference);
	make_rules(r);
}

int config_read(struct config *out, const struct conf *conf)
{
	struct reader r = { .c = out, .conf = conf };

	*out = (struct config)CONFIG_INIT;
	out->path = arena_strdup(&out->arena, conf->path ? conf->path : "portside.conf");
	out->migration.line = 1;
	set_defaults(&r, "migration", &out->migration);
	set_defaults(&r, "l3", &out->migration);
	for (size_t i = 0; i < conf->n; i++)
		take_entry(&r, &conf->entries[i]);
	check_all_sections(&r);
	free(r.drafts);
	if (!out->errors_n)
		return 0;
	qsort(out->errors, out->errors_n, sizeof *out->errors, compare_errors);
	return err_set(ERR_PARSE, "%s", out->errors[0].text);
}

void config_release(struct config *c)
{
	for (size_t i = 0; i < c->rules_n; i++)
		rule_release(&c->rules[i]);
	free(c->rules);
	free(c->goals);
	free(c->targets);
	free(c->runs);
	free(c->errors);
	arena_release(&c->arena);
	*c = (struct config)CONFIG_INIT;
}

/* ---- finding ----------------------------------------------------------------------------- */

const struct config_target *config_target_find(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->targets_n; i++)
		if (strcmp(c->targets[i].name, name) == 0)
			return &c->targets[i];
	return NULL;
}

const struct config_goal *config_goal_find(const struct config *c, const char *name)
{
	for (size_t i = 0; i < c->goals_n; i++)
		if (strcmp(c->goals[i].name, name) == 0)
			return &c->goals[i];
	return NULL;
}

const struct config_run *config_run_find(const struct config *c, enum run_kind kind)
{
	for (size_t i = 0; i < c->runs_n; i++)
		if (c->runs[i].kind == kind)
			return &c->runs[i];
	return NULL;
}

const struct config_option *config_option_find(const struct config_target *t, const char *key)
{
	for (size_t i = 0; i < t->options_n; i++)
		if (strcmp(t->options[i].key, key) == 0)
			return &t->options[i];
	return NULL;
}
