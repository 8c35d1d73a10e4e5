/* run_difference - see run_difference.h: the comparison, and `runs diff`.  What a run was
 * started with is read in run_inputs.c. */
#include "config.h"

#include "command/run_difference.h"

#include <stdlib.h>
#include <string.h>

#include "command/run_call.h"

static const char *const names[RUN_SECTIONS] = {
	[RUN_SECTION_RUN] = "run",
	[RUN_SECTION_CODE] = "code",
	[RUN_SECTION_COMMAND] = "command",
	[RUN_SECTION_ENVIRONMENT] = "environment",
	[RUN_SECTION_PACKAGES] = "packages",
	[RUN_SECTION_MACHINE] = "machine",
	[RUN_SECTION_FACTS] = "facts",
	[RUN_SECTION_CONFIG] = "configuration",
};

const char *run_section_name(enum run_section s)
{
	return names[s];
}

/* ---- the comparison ---------------------------- */

struct work { struct run_difference *out; bool with_equal; };

static void add(struct work *w, enum run_section section, const char *name, const char *a,
	const char *b)
{
	bool equal = a && b && strcmp(a, b) == 0;

	w->out->n_equal += equal;
	if (!equal || w->with_equal)
		w->out->rows[w->out->n++] =
			(struct run_difference_row){ section, name, a, b, equal };
}

static size_t count_of(const struct run_inputs *r, enum run_section s)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->list[i].section == s;
	return n;
}

static const char *state_of(const struct run_inputs *r, enum run_section s, struct arena *a)
{
	size_t n = count_of(r, s);

	return r->recorded[s] ? arena_printf(a, "%zu key%s", n, n == 1 ? "" : "s")
			      : "not recorded";
}

static size_t first_of(const struct run_inputs *r, enum run_section s)
{
	size_t i = 0;

	while (i < r->n && r->list[i].section < s)
		i++;
	return i;
}

static bool is_of(const struct run_inputs *r, size_t i, enum run_section s)
{
	return i < r->n && r->list[i].section == s;
}

static void compare_section(
	struct work *w, enum run_section s, const struct run_inputs *a, const struct run_inputs *b)
{
	size_t i = first_of(a, s), k = first_of(b, s);

	while (is_of(a, i, s) || is_of(b, k, s)) {
		int order = !is_of(a, i, s) ? 1
			: !is_of(b, k, s)   ? -1
					    : strcmp(a->list[i].name, b->list[k].name);

		add(w, s, order <= 0 ? a->list[i].name : b->list[k].name,
			order <= 0 ? a->list[i].value : NULL, order >= 0 ? b->list[k].value : NULL);
		i += order <= 0;
		k += order >= 0;
	}
}

void run_difference_make(struct run_difference *out, const struct run_inputs *a,
	const struct run_inputs *b, bool with_equal, struct arena *arena)
{
	struct work w = { out, with_equal };

	*out = (struct run_difference){ .rows = arena_alloc(
		arena, (a->n + b->n + RUN_SECTIONS) * sizeof *out->rows) };
	for (int s = 0; s < RUN_SECTIONS; s++) {
		enum run_section section = (enum run_section)s;

		if (a->recorded[s] != b->recorded[s])
			add(&w, section, "", state_of(a, section, arena),
				state_of(b, section, arena));
		else if (a->recorded[s])
			compare_section(&w, section, a, b);
	}
}

/* ---- runs diff ---------------------------- */

enum { HASH_LEAST = 40, HASH_SHOWN = 12, WIDE_COLUMNS = 130 };

/* On a screen that is not wide a hash of 40 or 64 digits would push the other run out of
 * sight, and its first digits tell as much; the facts of a run have all of it. */
static const char *shown(const struct call *c, const char *value)
{
	size_t n = value ? strlen(value) : 0;

	if (!c->from_screen || c->columns >= WIDE_COLUMNS || n < HASH_LEAST ||
		strspn(value, "0123456789abcdef") != n)
		return value;
	return arena_printf(c->arena, "%.*s...", HASH_SHOWN, value);
}

int run_call_difference(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "section", .title = "section", .type = REPORT_TEXT },
		{ .name = "key", .title = "key", .type = REPORT_TEXT, .min_width = 8 },
		{ .name = "a", .title = "A", .type = REPORT_TEXT, .min_width = 12 },
		{ .name = "b", .title = "B", .type = REPORT_TEXT, .min_width = 12 },
		{ .name = "equal", .title = NULL, .type = REPORT_BOOL },
	};
	struct run_inputs a, b;
	struct run_difference d;
	int rc = run_inputs_read(
		&a, c->workspace, call_text(c, "a"), c->at, c->progress.cancel, c->arena);

	if (rc == 0)
		rc = run_inputs_read(&b, c->workspace, call_text(c, "b"), c->at,
			c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	run_difference_make(&d, &a, &b, call_flag(c, "--equal"), c->arena);
	c->table = report_table_new(c->arena, "run difference", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < d.n; i++) {
		const struct run_difference_row *row = &d.rows[i];

		report_row(c->table);
		report_text(c->table, "section", run_section_name(row->section));
		report_text(c->table, "key", *row->name ? row->name : "(all)");
		report_text(c->table, "a", shown(c, row->a));
		report_text(c->table, "b", shown(c, row->b));
		report_bool(c->table, "equal", row->is_equal);
	}
	report_note(c->table, "A %s, B %s: %zu equal key%s%s", a.state->id, b.state->id,
		d.n_equal, d.n_equal == 1 ? "" : "s",
		call_flag(c, "--equal") || !d.n_equal ? ""
			: c->from_screen              ? " not shown"
						      : " not shown; --equal shows them");
	return 0;
}
