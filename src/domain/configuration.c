/*
 * configuration - see configuration.h.
 *
 * Entries are taken in the order of the file; each is checked by its row of the
 * table and put where that row says (configuration_value.c).  Whatever spans
 * several keys is checked afterwards (configuration_check.c).
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/configuration_private.h"
#include "domain/kind.h"

/* ---- mistakes ---- */

void config_add_error(struct config_reader *r, int line, const char *where, const char *text)
{
	struct config *c = r->c;

	ARRAY_GROW(c->errors, c->errors_n, r->errors_cap);
	c->errors[c->errors_n++] = (struct config_error){
		line, arena_printf(&c->arena, "%s:%d: %s: %s", c->path, line, where, text),
	};
}

static const char *entry_name(struct config_reader *r, const struct conf_entry *e)
{
	if (*e->name)
		return arena_printf(&r->c->arena, "%s.%s.%s", e->section, e->name, e->key);
	return arena_printf(&r->c->arena, "%s.%s", e->section, e->key);
}

void config_entry_error(struct config_reader *r, const struct conf_entry *e, const char *text)
{
	config_add_error(r, e->line, entry_name(r, e), text);
}

static void unknown_section(struct config_reader *r, const struct conf_entry *e)
{
	struct buf b = BUF_INIT;
	const char *last = "";

	if (strcmp(e->section, "include") == 0 || strcmp(e->section, "includeif") == 0) {
		config_entry_error(r, e, "includes are not read; write the keys here");
		return;
	}
	buf_adds(&b, "not a section; allowed: ");
	for (size_t i = 0; i < config_keys_n; i++) {
		if (strcmp(config_keys[i].section, last) == 0)
			continue;
		buf_addf(&b, "%s%s", *last ? ", " : "", config_keys[i].section);
		last = config_keys[i].section;
	}
	config_entry_error(r, e, b.s);
	buf_release(&b);
}

static bool section_exists(const char *section)
{
	for (size_t i = 0; i < config_keys_n; i++)
		if (strcmp(config_keys[i].section, section) == 0)
			return true;
	return false;
}

static void unknown_key(struct config_reader *r, const struct conf_entry *e)
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
	config_entry_error(r, e, b.s);
	buf_release(&b);
}

/* ---- sections ---- */

static void set_empty_text(void *section, const struct config_key *key)
{
	const char *empty = "";

	if (!key->repeats && key->type != CONFIG_NUMBER && key->type != CONFIG_COUNT &&
		key->type != CONFIG_WORD && key->type != CONFIG_DURATION &&
		key->type != CONFIG_MONEY && key->type != CONFIG_PRICE && key->type != CONFIG_RULE)
		memcpy((char *)section + key->offset, &empty, sizeof empty);
}

static void set_defaults(struct config_reader *r, const char *name, void *section)
{
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *key = &config_keys[i];

		if (strcmp(key->section, name) != 0)
			continue;
		set_empty_text(section, key);
		if (*key->otherwise)
			(void)config_take_value(r, key, key->otherwise, section);
	}
}

static struct config_goal *goal_section(struct config_reader *r, const struct conf_entry *e)
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

static struct config_target *target_section(struct config_reader *r, const struct conf_entry *e)
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

static struct config_run *run_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;
	int kind = word_find(&words_run_kind, e->name);

	if (kind <= 0 || kind == RUN_KIND_CONTRACT) {
		config_entry_error(r, e, "not a run; allowed: [run \"smoke\"], [run \"full\"]");
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

static struct config_curve *curve_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->curves_n; i++)
		if (strcmp(c->curves[i].name, e->name) == 0)
			return &c->curves[i];
	ARRAY_GROW(c->curves, c->curves_n, r->curves_cap);
	c->curves[c->curves_n] = (struct config_curve){
		.name = arena_strdup(&c->arena, e->name),
		.line = e->line,
		.tolerance = NAN,
		.relative = NAN,
	};
	set_defaults(r, "curve", &c->curves[c->curves_n]);
	return &c->curves[c->curves_n++];
}

static struct config_pattern *pattern_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->patterns_n; i++)
		if (strcmp(c->patterns[i].name, e->name) == 0)
			return &c->patterns[i];
	ARRAY_GROW(c->patterns, c->patterns_n, r->patterns_cap);
	c->patterns[c->patterns_n] = (struct config_pattern){
		.name = arena_strdup(&c->arena, e->name),
		.line = e->line,
	};
	set_defaults(r, "pattern", &c->patterns[c->patterns_n]);
	return &c->patterns[c->patterns_n++];
}

/* Its name says which input it is about. */
static struct config_declared *declared_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < c->declared_n; i++)
		if (strcmp(c->declared[i].name, e->name) == 0)
			return &c->declared[i];
	if (word_find(&words_input, e->name) <= 0) {
		buf_adds(&b, "not an input of a run; allowed: ");
		word_add_choices(&b, &words_input);
		config_entry_error(r, e, b.s);
		buf_release(&b);
		return NULL;
	}
	ARRAY_GROW(c->declared, c->declared_n, r->declared_cap);
	c->declared[c->declared_n] =
		(struct config_declared){ .name = arena_strdup(&c->arena, e->name),
			.line = e->line };
	set_defaults(r, "difference", &c->declared[c->declared_n]);
	return &c->declared[c->declared_n++];
}

static struct config_package *package_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->packages_n; i++)
		if (strcmp(c->packages[i].name, e->name) == 0)
			return &c->packages[i];
	ARRAY_GROW(c->packages, c->packages_n, r->packages_cap);
	c->packages[c->packages_n] = (struct config_package){
		.name = arena_strdup(&c->arena, e->name), .line = e->line };
	set_defaults(r, "package", &c->packages[c->packages_n]);
	return &c->packages[c->packages_n++];
}

static bool key_is_of_level(const char *key, const char *level)
{
	const char *of = strcmp(key, "require") == 0 ? "L2"
		: strcmp(key, "strict") == 0         ? "L3"
						     : "L4";

	return strcmp(level, of) == 0;
}

bool config_is_strict(const struct config_level *l3)
{
	return l3->strict == TRUTH_VALUE_TRUE;
}

static struct config_level *level_section(struct config_reader *r, const struct conf_entry *e)
{
	struct config_level *levels[] = { &r->c->l2, &r->c->l3, &r->c->l4 }, *l;
	int level = (int)strlen(e->name) == 2 && *e->name == 'L' ? e->name[1] - '2' : -1;

	if (level < 0 || level >= (int)ARRAY_LEN(levels)) {
		config_entry_error(r, e,
			"not a level with a choice; allowed: [level \"L2\"], [level \"L3\"], "
			"[level \"L4\"]");
		return NULL;
	}
	if (!key_is_of_level(e->key, e->name)) {
		config_entry_error(r, e,
			"not a key of this level; L2 has require, L3 has strict, L4 has the "
			"others");
		return NULL;
	}
	l = levels[level];
	if (!l->name) {
		l->name = arena_strdup(&r->c->arena, e->name);
		l->line = e->line;
	}
	return l;
}

static struct rule_draft *rule_section(struct config_reader *r, const struct conf_entry *e)
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

static void take_rule(
	struct config_reader *r, const struct config_key *key, const struct conf_entry *e)
{
	struct rule_draft *d = rule_section(r, e);
	const char *copy = arena_strdup(&r->c->arena, e->value);

	if (strcmp(key->key, "when") == 0)
		d->when = copy;
	else if (strcmp(key->key, "precondition") == 0)
		d->precondition = copy;
	else if (!config_take_word(
			 key, e->value, strcmp(key->key, "action") == 0 ? &d->action : &d->class))
		config_value_error(r, key, e);
}

static struct config_signature *signature_section(
	struct config_reader *r, const struct conf_entry *e)
{
	struct config *c = r->c;

	for (size_t i = 0; i < c->signatures_n; i++)
		if (strcmp(c->signatures[i].name, e->name) == 0)
			return &c->signatures[i];
	ARRAY_GROW(c->signatures, c->signatures_n, r->signatures_cap);
	c->signatures[c->signatures_n] = (struct config_signature){
		.name = arena_strdup(&c->arena, e->name),
		.line = e->line,
	};
	set_defaults(r, "signature", &c->signatures[c->signatures_n]);
	return &c->signatures[c->signatures_n++];
}

static void *section_of(struct config_reader *r, const struct conf_entry *e)
{
	if (strcmp(e->section, "goal") == 0)
		return goal_section(r, e);
	if (strcmp(e->section, "target") == 0)
		return target_section(r, e);
	if (strcmp(e->section, "run") == 0)
		return run_section(r, e);
	if (strcmp(e->section, "curve") == 0)
		return curve_section(r, e);
	if (strcmp(e->section, "pattern") == 0)
		return pattern_section(r, e);
	if (strcmp(e->section, "signature") == 0)
		return signature_section(r, e);
	if (strcmp(e->section, "difference") == 0)
		return declared_section(r, e);
	if (strcmp(e->section, "package") == 0)
		return package_section(r, e);
	if (strcmp(e->section, "level") == 0)
		return level_section(r, e);
	return &r->c->migration;
}

static bool is_repeated(const struct config_reader *r, const struct conf_entry *e)
{
	for (const struct conf_entry *o = r->conf->entries; o < e; o++)
		if (strcmp(o->section, e->section) == 0 && strcmp(o->name, e->name) == 0 &&
		    strcmp(o->key, e->key) == 0)
			return true;
	return false;
}

static void take_entry(struct config_reader *r, const struct conf_entry *e)
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
		config_entry_error(r, e,
			key->named ? "the section needs a plain name, as in [target \"v5e-4\"]"
				   : "this section takes no name");
		return;
	}
	if (!key->repeats && is_repeated(r, e)) {
		config_entry_error(r, e, "given twice; keep one");
		return;
	}
	if (strcmp(e->section, "rule") == 0) {
		take_rule(r, key, e);
		return;
	}
	section = section_of(r, e);
	if (section && !config_take_value(r, key, e->value, section))
		config_value_error(r, key, e);
}

/* ---- all of it ---- */

static int compare_errors(const void *a, const void *b)
{
	const struct config_error *x = a, *y = b;

	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : strcmp(x->text, y->text);
}

int config_read(struct config *out, const struct conf *conf)
{
	struct config_reader r = { .c = out, .conf = conf };

	*out = (struct config)CONFIG_INIT;
	out->path = arena_strdup(&out->arena, conf->path ? conf->path : "portside.conf");
	out->migration.line = 1;
	set_defaults(&r, "migration", &out->migration);
	for (size_t i = 0; i < conf->n; i++)
		take_entry(&r, &conf->entries[i]);
	config_check(&r);
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
	free(c->curves);
	free(c->patterns);
	free(c->signatures);
	free(c->declared);
	free(c->packages);
	free(c->errors);
	arena_release(&c->arena);
	*c = (struct config)CONFIG_INIT;
}

/* ---- finding ---- */

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

const struct config_curve *config_curve_match(const struct config *c, const char *series)
{
	for (size_t i = 0; i < c->curves_n; i++)
		if (text_glob(c->curves[i].series, series))
			return &c->curves[i];
	return NULL;
}

const struct config_declared *config_declared_find(const struct config *c, const char *input)
{
	for (size_t i = 0; i < c->declared_n; i++)
		if (strcmp(c->declared[i].name, input) == 0)
			return &c->declared[i];
	return NULL;
}

const struct config_run *config_run_find(const struct config *c, enum run_kind kind)
{
	for (size_t i = 0; i < c->runs_n; i++)
		if (c->runs[i].kind == kind)
			return &c->runs[i];
	return NULL;
}
