/*
 * contract - reads contract.json; see contract.h.  One case is read in
 * contract_case.c; what changed between two versions is in contract_difference.c.
 */
#include "config.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "domain/contract_private.h"

enum { CONTRACT_VERSION = 1 };

static const struct word kind_words[] = {
	{ "", "" },
	{ "exact-bytes", "the same bytes" },
	{ "exact-value", "the same value" },
	{ "label", "the same label, one of those that are fixed" },
	{ "set", "the same members in any order" },
	{ "ordered-top-k", "the same members in order, each moved by some places at most" },
	{ "number", "a number within a tolerance" },
	{ "tensor", "an array within a tolerance" },
	{ "text-constraint", "a text in which patterns occur, or do not" },
	{ "human", "a person looks at it" },
};
const struct words words_contract_kind = { "kind of case", kind_words, ARRAY_LEN(kind_words) };

static const struct word role_words[] = {
	{ "", "" },
	{ "normal", "an everyday input" },
	{ "short", "the shortest that makes sense" },
	{ "long", "unusually long, within the limits" },
	{ "ambiguous", "where more than one answer could be right" },
	{ "special", "to be refused, or handled in a way of its own" },
};
const struct words words_contract_role = { "role of a case", role_words, ARRAY_LEN(role_words) };

/* ---- mistakes ---- */

void contract_mistake(struct contract_reader *r, const char *path, const char *fmt, ...)
{
	struct contract *c = r->contract;
	struct buf text = BUF_INIT;
	va_list ap;

	if (c->errors_n == CONTRACT_ERRORS_MAX) {
		c->errors_more++;
		return;
	}
	buf_addf(&text, "%s%s", path, *path ? ": " : "");
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	if (!c->errors)
		c->errors = arena_alloc(&c->arena, CONTRACT_ERRORS_MAX * sizeof *c->errors);
	c->errors[c->errors_n++] = text_sanitised(&c->arena, text.s);
	buf_release(&text);
}

const char *contract_below(struct contract_reader *r, const char *path, const char *key)
{
	return arena_printf(&r->contract->arena, "%s%s%s", path, *path ? "." : "", key);
}

const char *contract_member(struct contract_reader *r, const char *path, size_t i)
{
	return arena_printf(&r->contract->arena, "%s[%zu]", path, i);
}

/* ---- values ---- */

bool contract_object(struct contract_reader *r, const char *path, const struct json *j,
	const char *const *allowed)
{
	if (!j || j->type != JSON_OBJECT) {
		contract_mistake(r, path, j ? "is no object" : "is missing");
		return false;
	}
	for (const struct json *child = j->first; child; child = child->next) {
		size_t i = 0;

		while (allowed[i] && strcmp(allowed[i], child->key) != 0)
			i++;
		if (!allowed[i])
			contract_mistake(r, contract_below(r, path, child->key),
				"means nothing here; the keys are described in portside-contract(5)");
	}
	return true;
}

static bool is_blank(const char *s)
{
	return s[strspn(s, " \t\r\n")] == '\0';
}

const char *contract_text_value(
	struct contract_reader *r, const char *path, const struct json *j, bool required)
{
	if (!j) {
		if (required)
			contract_mistake(r, path, "is missing");
		return "";
	}
	if (j->type != JSON_STRING) {
		contract_mistake(r, path, "is no text");
		return "";
	}
	if (is_blank(j->text)) {
		contract_mistake(r, path, "is empty");
		return "";
	}
	if (j->text_n > CONTRACT_TEXT_MAX) {
		contract_mistake(r, path, "is longer than %d bytes", CONTRACT_TEXT_MAX);
		return "";
	}
	return arena_strdup(&r->contract->arena, j->text);
}

const char *contract_text(struct contract_reader *r, const char *path, const struct json *object,
	const char *key, bool required)
{
	return contract_text_value(
		r, contract_below(r, path, key), json_get(object, key), required);
}

const char **contract_list(struct contract_reader *r, const char *path, const struct json *j,
	bool (*fits)(const char *), const char *what, size_t *n)
{
	const char **list;

	*n = 0;
	if (!j)
		return NULL;
	if (j->type != JSON_ARRAY || j->count > CONTRACT_LIST_MAX) {
		contract_mistake(
			r, path, "is no list of at most %d %s", CONTRACT_LIST_MAX, what);
		return NULL;
	}
	list = arena_alloc(&r->contract->arena, (j->count + 1) * sizeof *list);
	for (const struct json *child = j->first; child; child = child->next) {
		const char *at = contract_member(r, path, *n);
		const char *text = contract_text_value(r, at, child, true);

		if (*text && fits && !fits(text))
			contract_mistake(r, at, "\"%s\" is none of: %s", text, what);
		list[(*n)++] = text;
	}
	return list;
}

/* ---- what is fixed ---- */

static bool listed(const char *const *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return false;
}

static void read_labels(struct contract_reader *r, const struct json *fixed)
{
	struct contract *c = r->contract;
	const struct json *labels = json_get(fixed, "labels");
	const struct json *none = json_get(fixed, "no-labels");

	c->labels = contract_list(r, "fixed.labels", labels, NULL, "labels", &c->labels_n);
	for (size_t i = 1; i < c->labels_n; i++)
		if (*c->labels[i] && listed(c->labels, i, c->labels[i]))
			contract_mistake(r, contract_member(r, "fixed.labels", i),
				"\"%s\" is there twice, so a label has two places", c->labels[i]);
	if (none)
		c->labels_reason = contract_text(r, "fixed", fixed, "no-labels", true);
	if (labels && none)
		contract_mistake(r, "fixed.no-labels", "contradicts fixed.labels");
	if (!c->labels_n && !none)
		contract_mistake(r, "fixed.labels",
			"is missing; list what each position of an output means, in order, or say in fixed.no-labels why there are none");
}

static void read_fixed(struct contract_reader *r, const struct json *root)
{
	static const char *const keys[] = { "model", "input-processing", "labels", "no-labels",
		"settings", "configuration", NULL };
	const struct json *fixed = json_get(root, "fixed");
	struct contract *c = r->contract;

	if (!contract_object(r, "fixed", fixed, keys))
		return;
	c->model = contract_text(r, "fixed", fixed, "model", true);
	c->input_processing = contract_text(r, "fixed", fixed, "input-processing", true);
	c->settings = contract_text(r, "fixed", fixed, "settings", true);
	c->configuration = contract_text(r, "fixed", fixed, "configuration", true);
	read_labels(r, fixed);
}

/* ---- how it is run ---- */

static bool is_variable(const char *s)
{
	size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return n && !s[n] && !(s[0] >= '0' && s[0] <= '9');
}

static void read_limit(struct contract_reader *r, const struct json *run)
{
	const char *limit = contract_text(r, "run", run, "limit", true);

	if (!*limit)
		return;
	if (units_duration_ns(&r->contract->limit_ns, limit) < 0) {
		contract_mistake(r, "run.limit", "%s", err_text());
		err_clear();
	} else if (r->contract->limit_ns <= 0) {
		contract_mistake(
			r, "run.limit", "is no time; without an end a run goes on being paid");
	}
}

static void read_run(struct contract_reader *r, const struct json *root)
{
	static const char *const keys[] = { "command", "setup", "outputs", "limit", "link", "pass",
		NULL };
	const struct json *run = json_get(root, "run");
	struct contract *c = r->contract;

	if (!run || !contract_object(r, "run", run, keys))
		return;
	c->command = contract_text(r, "run", run, "command", true);
	c->setup = contract_text(r, "run", run, "setup", false);
	if (json_get(run, "outputs"))
		c->outputs = contract_text(r, "run", run, "outputs", false);
	if (*c->outputs && !fs_is_inside(c->outputs))
		contract_mistake(r, "run.outputs", "leads out of the work tree");
	read_limit(r, run);
	c->links = contract_list(r, "run.link", json_get(run, "link"), fs_is_inside,
		"paths inside of the work tree", &c->links_n);
	c->pass = contract_list(r, "run.pass", json_get(run, "pass"), is_variable,
		"names of variables", &c->pass_n);
}

/* ---- roles ---- */

static bool has_role(const struct contract *c, enum contract_role role)
{
	for (size_t i = 0; i < c->cases_n; i++)
		if (c->cases[i].role == role)
			return true;
	return false;
}

static const struct contract_without *find_without(
	const struct contract *c, enum contract_role role)
{
	for (size_t i = 0; i < c->without_n; i++)
		if (c->without[i].role == role)
			return &c->without[i];
	return NULL;
}

static void read_without(struct contract_reader *r, const struct json *root)
{
	static const char *const keys[] = { "normal", "short", "long", "ambiguous", "special",
		NULL };
	const struct json *without = json_get(root, "without");
	struct contract *c = r->contract;

	if (!without || !contract_object(r, "without", without, keys))
		return;
	c->without = arena_alloc(&c->arena, CONTRACT_ROLES * sizeof *c->without);
	for (size_t i = 0; keys[i]; i++)
		if (json_get(without, keys[i]))
			c->without[c->without_n++] = (struct contract_without){
				.role = (enum contract_role)word_find(
					&words_contract_role, keys[i]),
				.reason = contract_text(r, "without", without, keys[i], true),
			};
}

/* The easy cases alone are no fixture. */
static void check_roles(struct contract_reader *r)
{
	const struct contract *c = r->contract;

	for (int role = CONTRACT_NORMAL; role <= CONTRACT_ROLES; role++) {
		const char *name = word_name(&words_contract_role, role);
		bool without = find_without(c, (enum contract_role)role) != NULL;

		if (has_role(c, (enum contract_role)role)) {
			if (without)
				contract_mistake(r, contract_below(r, "without", name),
					"there is such a case");
		} else if (!without) {
			contract_mistake(r, "cases",
				"none has the role \"%s\" (%s); add one, or say in without.%s why there can be none",
				name, word_help(&words_contract_role, role), name);
		}
	}
}

/* ---- cases ---- */

static void check_twice(struct contract_reader *r, const char *path)
{
	const struct contract *c = r->contract;

	for (size_t i = 1; i < c->cases_n; i++)
		for (size_t k = 0; k < i; k++)
			if (*c->cases[i].id && strcmp(c->cases[i].id, c->cases[k].id) == 0)
				contract_mistake(r,
					contract_below(r, contract_member(r, path, i), "id"),
					"\"%s\" is the id of cases[%zu], too", c->cases[i].id, k);
}

static void read_cases(struct contract_reader *r, const struct json *root)
{
	const struct json *cases = json_get(root, "cases");
	struct contract *c = r->contract;

	if (!cases || cases->type != JSON_ARRAY || !cases->count) {
		contract_mistake(r, "cases", "is no list of cases");
		return;
	}
	if (cases->count > CONTRACT_CASES_MAX) {
		contract_mistake(r, "cases",
			"there are %zu; a fixture of more than %d is no longer looked at by a person",
			cases->count, CONTRACT_CASES_MAX);
		return;
	}
	c->cases = arena_alloc(&c->arena, cases->count * sizeof *c->cases);
	for (const struct json *j = cases->first; j; j = j->next) {
		contract_case_read(
			&c->cases[c->cases_n], r, contract_member(r, "cases", c->cases_n), j);
		c->cases_n++;
	}
	check_twice(r, "cases");
	check_roles(r);
}

/* ---- all ---- */

static void set_empty(struct contract *c)
{
	const char **texts[] = { &c->task, &c->model, &c->input_processing, &c->settings,
		&c->configuration, &c->labels_reason, &c->command, &c->setup, &c->conditions };

	*c = (struct contract){ .arena = ARENA_INIT, .outputs = CONTRACT_OUTPUTS };
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		*texts[i] = "";
}

static void read_version(struct contract_reader *r, const struct json *root)
{
	const struct json *j = json_get(root, "contract");

	if (!j)
		contract_mistake(
			r, "contract", "is missing; write \"contract\": %d", CONTRACT_VERSION);
	else if (json_i64(root, "contract", 0) != CONTRACT_VERSION || j->type != JSON_NUMBER)
		contract_mistake(r, "contract", "is no version that is known here; %d is",
			CONTRACT_VERSION);
}

static void read_all(struct contract_reader *r, const struct json *root)
{
	static const char *const keys[] = { "contract", "task", "fixed", "run", "conditions",
		"cases", "without", "unresolved", "not-evaluated", NULL };
	struct contract *c = r->contract;

	if (!contract_object(r, "", root, keys))
		return;
	read_version(r, root);
	c->task = contract_text(r, "", root, "task", true);
	c->conditions = contract_text(r, "", root, "conditions", false);
	read_fixed(r, root);
	read_run(r, root);
	c->unresolved = contract_list(r, "unresolved", json_get(root, "unresolved"), NULL,
		"open questions", &c->unresolved_n);
	c->not_evaluated = contract_list(r, "not-evaluated", json_get(root, "not-evaluated"), NULL,
		"texts", &c->not_evaluated_n);
	read_without(r, root);
	read_cases(r, root);
}

int contract_read(
	struct contract *out, const char *text, size_t n, bool (*knows_type)(const char *name))
{
	struct contract_reader r = { .contract = out, .knows_type = knows_type };
	const struct json *root;

	set_empty(out);
	if (n > CONTRACT_BYTES_MAX)
		contract_mistake(&r, "", "is larger than %d bytes", CONTRACT_BYTES_MAX);
	else if (json_parse(&root, &out->arena, text, n, JSON_STRICT) < 0)
		contract_mistake(&r, "", "is no JSON: %s", err_text());
	else
		read_all(&r, root);
	err_clear();
	return out->errors_n ? err_set(ERR_PARSE, CONTRACT_FILE ": %s", out->errors[0]) : 0;
}

void contract_release(struct contract *c)
{
	arena_release(&c->arena);
	set_empty(c);
}

const struct contract_case *contract_case_find(const struct contract *c, const char *id)
{
	for (size_t i = 0; i < c->cases_n; i++)
		if (strcmp(c->cases[i].id, id) == 0)
			return &c->cases[i];
	return NULL;
}
