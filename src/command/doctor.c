/*
 * doctor - what is missing on this machine and in this repository.
 */
#include "config.h"

#include "command/groups.h"
#include "workspace/doctor.h"

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
		report_row(c->table);
		report_text(c->table, "area", f->area);
		report_text(c->table, "item", f->item);
		report_text(c->table, "state", doctor_states[f->state]);
		report_text(c->table, "value", *f->value ? f->value : NULL);
		report_text(c->table, "advice", *f->advice ? f->advice : NULL);
	}
	report_note(c->table, r.bad ? "%zu of %zu things are missing or broken" : "nothing is missing (%zu of %zu)", r.bad, r.n);
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
	  OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, doctor_arguments, doctor_run, 0 },
	{ 0 },
};
