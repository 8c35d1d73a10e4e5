/* silent - see silent.h. */
#include "config.h"

#include "command/silent.h"

#include "base/err.h"
#include "command/triage.h"
#include "workspace/run_silent.h"

static const enum check_result order[] = {
	CHECK_REFUTED, CHECK_UNKNOWN, CHECK_CONFIRMED, CHECK_NOT_CHECKED, CHECK_NOT_APPLICABLE };

static size_t *count_of(struct silent_report *r, enum check_result result)
{
	switch (result) {
	case CHECK_REFUTED:
		return &r->refuted;
	case CHECK_UNKNOWN:
		return &r->unknown;
	case CHECK_CONFIRMED:
		return &r->confirmed;
	case CHECK_NOT_APPLICABLE:
		return &r->not_applicable;
	case CHECK_NOT_CHECKED:
		break;
	}
	return &r->not_checked;
}

static void add_row(struct silent_report *r, const struct silent_finding *f)
{
	struct buf rate = BUF_INIT;
	bool open = f->result != CHECK_CONFIRMED && f->result != CHECK_NOT_APPLICABLE;

	silent_rule_add_rate(&rate, f->rule);
	r->rows[r->n++] = (struct silent_row){
		.rule = f->rule,
		.result = f->result,
		.text = arena_strdup(&r->arena, f->text),
		.places = arena_strdup(&r->arena, f->places),
		.rate = arena_strdup(&r->arena, rate.s),
		.next = open ? f->rule->next : "",
	};
	(*count_of(r, f->result))++;
	buf_release(&rate);
}

int silent_report_read(struct silent_report *out, struct workspace *ws, const struct position *at,
	const char *subject, const atomic_bool *cancel)
{
	struct run_silent silent;
	struct run_state *run;
	int rc;

	*out = (struct silent_report){ .arena = ARENA_INIT, .reference_name = "" };
	if ((rc = triage_find_run(&run, ws, at, subject, &out->arena)) < 0)
		return rc;
	out->run = run;
	rc = run_silent_read(&silent, ws, run, at, cancel, &out->arena);
	for (size_t k = 0; rc == 0 && k < ARRAY_LEN(order); k++)
		for (size_t i = 0; i < SILENT_RULES; i++)
			if (silent.findings[i].result == order[k])
				add_row(out, &silent.findings[i]);
	if (rc == 0 && silent.reference) {
		struct run_state *reference;

		rc = triage_find_run(&reference, ws, at, silent.reference->id, &out->arena);
		out->reference = rc == 0 ? reference : NULL;
		if (rc == 0)
			out->reference_name = run_comparison_name(&out->arena, reference);
	}
	run_silent_release(&silent);
	return rc;
}

void silent_report_release(struct silent_report *r)
{
	arena_release(&r->arena);
	*r = (struct silent_report){ .arena = ARENA_INIT, .reference_name = "" };
}

void silent_report_add_summary(struct buf *out, const struct silent_report *r)
{
	buf_addf(out, "%zu silent finding%s, %zu unknown, %zu looked at and not there, %zu not checked",
		r->refuted, r->refuted == 1 ? "" : "s", r->unknown, r->confirmed, r->not_checked);
}
