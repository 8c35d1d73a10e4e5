/*
 * doctor - what is missing on this machine and in this repository.
 */
#include "config.h"

#include "base/err.h"
#include "command/groups.h"
#include "command/keymap.h"
#include "workspace/doctor.h"

static void add_row(struct call *c, const char *area, const char *item, enum doctor_state state,
	const char *value, const char *advice)
{
	report_row(c->table);
	report_text(c->table, "area", area);
	report_text(c->table, "item", item);
	report_text(c->table, "state", doctor_states[state]);
	report_text(c->table, "value", *value ? value : NULL);
	report_text(c->table, "advice", *advice ? advice : NULL);
}

/* Keys are judged by the table of operations, which the workspace does not know.
 * Returns how many things were looked at. */
static size_t add_keys(struct call *c, bool all, size_t *bad)
{
	struct keymap m = KEYMAP_INIT;
	size_t n = 0;

	if (keymap_read(&m) < 0) {
		err_clear();		/* told already: the file as a whole cannot be read */
		return 0;
	}
	n = m.n_mistakes;
	for (size_t i = 0; i < n; i++)
		add_row(c, "user", "key", DOCTOR_BROKEN, "", arena_strdup(c->arena, m.mistakes[i]));
	if (!n && all)
		add_row(c, "user", "keys", DOCTOR_OK, "every binding holds", "");
	keymap_release(&m);
	*bad += n;
	return n ? n : 1;
}

static int doctor_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "area", .title = "area", .type = REPORT_TEXT },
		{ .name = "item", .title = "item", .type = REPORT_TEXT },
		{ .name = "state", .title = "state", .type = REPORT_TEXT, .min_width = 7 },
		{ .name = "value", .title = "what is there", .type = REPORT_TEXT, .min_width = 20 },
		{ .name = "advice", .title = "what to do", .type = REPORT_TEXT, .min_width = 20 },
	};
	struct doctor_options o = { .cancel = c->progress.cancel };
	bool all = call_flag(c, "--all") || c->wants_json;
	struct doctor_report r;

	doctor_look(&r, c->directory, &o, c->arena);
	c->table = report_table_new(c->arena, "doctor", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < r.n; i++) {
		const struct doctor_finding *f = &r.findings[i];

		if (!all && f->state == DOCTOR_OK)
			continue;
		add_row(c, f->area, f->item, f->state, f->value, f->advice);
	}
	r.n += add_keys(c, all, &r.bad);
	if (r.bad)
		report_note(c->table, "%zu of %zu things are missing or broken", r.bad, r.n);
	else
		report_note(c->table, "all %zu things that were looked at are in order", r.n);
	if (!all)
		report_note(c->table, "portside doctor --all lists what is in order too");
	c->no = r.bad > 0;
	return 0;
}

static const struct argument doctor_arguments[] = {
	{ "--all", ARGUMENT_FLAG, "also what is in order", false, false, NULL, NULL },
	{ 0 },
};

const struct operation doctor_operations[] = {
	{ "doctor", NULL, 0, "say what is missing here, and what to do",
		OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, doctor_arguments,
		doctor_run, 0 },
	{ 0 },
};
