/*
 * contract_difference - what changed between two versions of contract.json, and which
 * of the changes demand less than before; see contract.h.
 *
 * A change that nobody can order, another expectation or another input, counts as
 * loosened: it may be what made a failure vanish.
 */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "domain/contract.h"

struct differences {
	struct arena *arena;
	struct accepted_difference *list;
	size_t n, loosened;
};

static void add(struct differences *d, bool loosened, const char *key, const char *text)
{
	d->list[d->n++] = (struct accepted_difference){ key, text, loosened };
	d->loosened += loosened;
}

/* ---- values ---- */

static bool numbers_equal(const struct json *a, const struct json *b)
{
	int64_t x, y;
	double v, w;

	if (a->text_n == b->text_n && memcmp(a->text, b->text, a->text_n) == 0)
		return true;
	/* Beyond 2^53 two whole numbers may be one double. */
	if (text_to_i64(a->text, a->text_n, &x) && text_to_i64(b->text, b->text_n, &y))
		return x == y;
	return text_to_double(a->text, a->text_n, &v) && text_to_double(b->text, b->text_n, &w) &&
		v == w;
}

static bool objects_equal(const struct json *a, const struct json *b)
{
	for (const struct json *x = a->first; x; x = x->next) {
		const struct json *y = json_get(b, x->key);

		if (!y || !contract_json_equal(x, y))
			return false;
	}
	return true;
}

bool contract_json_equal(const struct json *a, const struct json *b)
{
	if (!a || !b || a->type != b->type || a->count != b->count)
		return a == b;
	switch (a->type) {
	case JSON_NUMBER:
		return numbers_equal(a, b);
	case JSON_STRING:
		return a->text_n == b->text_n && memcmp(a->text, b->text, a->text_n) == 0;
	case JSON_OBJECT:
		return objects_equal(a, b);
	case JSON_ARRAY:
		for (const struct json *x = a->first, *y = b->first; x && y;
			x = x->next, y = y->next)
			if (!contract_json_equal(x, y))
				return false;
		return true;
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
		break;
	}
	return true;
}

/* ---- tolerances ---- */

static bool wider(bool had, double old, bool has, double new)
{
	return has && (!had || new > old);
}

/* Are single numbers looked at?  A cosine or a ratio alone takes their place. */
static bool judges_numbers(const struct contract_tolerance *t)
{
	return (!t->has_cosine && !t->has_rmse_ratio) || t->has_absolute || t->has_relative ||
		t->has_ulp;
}

/* Anything that lets more through than before.  A default that was replaced counts, and
 * one that came back: which of both is wider depends on the type. */
static bool tolerance_is_wider(
	const struct contract_tolerance *old, const struct contract_tolerance *new)
{
	return (judges_numbers(old) && !judges_numbers(new)) ||
		wider(old->has_absolute, old->absolute, new->has_absolute, new->absolute) ||
		wider(old->has_relative, old->relative, new->has_relative, new->relative) ||
		wider(old->has_ulp, (double)old->ulp, new->has_ulp, (double)new->ulp) ||
		wider(old->has_positions, (double)old->positions, new->has_positions,
			(double)new->positions) ||
		(old->has_cosine && (!new->has_cosine || new->cosine < old->cosine)) ||
		(old->has_rmse_ratio &&
			(!new->has_rmse_ratio || new->rmse_ratio > old->rmse_ratio)) ||
		(old->has_absolute && !new->has_absolute) ||
		(old->has_relative && !new->has_relative);
}

static const char *tolerance_text(struct arena *a, const struct contract_tolerance *t)
{
	struct buf b = BUF_INIT;
	const char *text;

	contract_tolerance_add(&b, t);
	text = arena_strdup(a, b.n ? b.s : "the default");
	buf_release(&b);
	return text;
}

static void compare_tolerance(struct differences *d, const struct contract_case *old,
	const struct contract_case *new)
{
	const char *before = tolerance_text(d->arena, &old->tolerance);
	const char *after = tolerance_text(d->arena, &new->tolerance);
	const char *key = arena_printf(d->arena, "cases.%s.tolerance", new->id);

	if (strcmp(before, after) != 0)
		add(d, tolerance_is_wider(&old->tolerance, &new->tolerance), key,
			arena_printf(d->arena, "%s: %s, was %s; reason: %s", key, after, before,
				*new->tolerance.reason ? new->tolerance.reason : "none"));
}

/* ---- cases ---- */

static void compare_case(struct differences *d, const struct contract_case *old,
	const struct contract_case *new)
{
	const struct {
		const char *name;
		bool differs;
	} parts[] = {
		{ "kind", old->kind != new->kind },
		{ "role", old->role != new->role },
		{ "type", strcmp(old->type, new->type) != 0 },
		{ "input", !contract_json_equal(old->input, new->input) },
		{ "expected", old->rejects != new->rejects ||
			!contract_json_equal(old->expected, new->expected) },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const char *key =
			arena_printf(d->arena, "cases.%s.%s", new->id, parts[i].name);

		if (parts[i].differs)
			add(d, true, key,
				arena_printf(d->arena, "%s is another one than before", key));
	}
	if (strcmp(old->why, new->why) != 0)
		add(d, false, arena_printf(d->arena, "cases.%s.why", new->id),
			arena_printf(d->arena, "cases.%s.why: %s", new->id, new->why));
	compare_tolerance(d, old, new);
}

static void compare_cases(
	struct differences *d, const struct contract *old, const struct contract *new)
{
	for (size_t i = 0; i < old->cases_n; i++) {
		const struct contract_case *c = &old->cases[i];
		const struct contract_case *now = contract_case_find(new, c->id);
		const char *key = arena_printf(d->arena, "cases.%s", c->id);

		if (now)
			compare_case(d, c, now);
		else
			add(d, true, key, arena_printf(d->arena, "%s is gone", key));
	}
	for (size_t i = 0; i < new->cases_n; i++) {
		const char *id = new->cases[i].id;

		if (!contract_case_find(old, id))
			add(d, false, arena_printf(d->arena, "cases.%s", id),
				arena_printf(d->arena, "cases.%s is new (%s)", id,
					word_name(&words_contract_kind,
						(int)new->cases[i].kind)));
	}
}

/* ---- what is fixed ---- */

static const char *joined(struct arena *a, const char *const *list, size_t n)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", list[i]);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static void compare_texts(
	struct differences *d, const struct contract *old, const struct contract *new)
{
	struct arena *a = d->arena;
	const struct {
		const char *key, *old, *new;
		bool loosens;
	} texts[] = {
		{ "task", old->task, new->task, true },
		{ "fixed.model", old->model, new->model, true },
		{ "fixed.input-processing", old->input_processing, new->input_processing, true },
		{ "fixed.labels", joined(a, old->labels, old->labels_n),
			joined(a, new->labels, new->labels_n), true },
		{ "fixed.settings", old->settings, new->settings, true },
		{ "fixed.configuration", old->configuration, new->configuration, true },
		{ "conditions", old->conditions, new->conditions, true },
		{ "run.command", old->command, new->command, false },
		{ "run.setup", old->setup, new->setup, false },
		{ "run.outputs", old->outputs, new->outputs, false },
		{ "run.link", joined(a, old->links, old->links_n),
			joined(a, new->links, new->links_n), false },
		{ "run.pass", joined(a, old->pass, old->pass_n),
			joined(a, new->pass, new->pass_n), false },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (strcmp(texts[i].old, texts[i].new) != 0)
			add(d, texts[i].loosens, texts[i].key,
				arena_printf(a, "%s: %s, was %s", texts[i].key,
					*texts[i].new ? texts[i].new : "nothing",
					*texts[i].old ? texts[i].old : "nothing"));
	if (old->limit_ns != new->limit_ns)
		add(d, old->limit_ns && new->limit_ns > old->limit_ns, "run.limit",
			"run.limit is another time than before");
}

struct accepted_differences contract_differences(
	struct arena *a, const struct contract *old, const struct contract *new)
{
	enum { TEXTS = 16, A_CASE = 8 };
	struct differences d = { .arena = a };

	if (!old)
		return (struct accepted_differences){ 0 };
	d.list = arena_alloc(
		a, (TEXTS + A_CASE * (old->cases_n + new->cases_n)) * sizeof *d.list);
	compare_texts(&d, old, new);
	compare_cases(&d, old, new);
	return (struct accepted_differences){ d.list, d.n, d.loosened };
}
