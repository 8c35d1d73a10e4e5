/* measure - see measure.h. */
#include "config.h"

#include "domain/measure.h"

static enum check_result seen_result(bool declared, enum seen s)
{
	if (!declared)
		return CHECK_NOT_APPLICABLE;
	switch (s) {
	case SEEN_YES: return CHECK_CONFIRMED;
	case SEEN_NO: return CHECK_REFUTED;
	case SEEN_UNKNOWN: return CHECK_UNKNOWN;
	case SEEN_NOTHING: break;
	}
	return CHECK_NOT_CHECKED;
}

/* The error text is the other way round: seeing one refutes. */
static enum check_result error_result(enum seen s)
{
	switch (s) {
	case SEEN_YES: return CHECK_REFUTED;
	case SEEN_NO: return CHECK_CONFIRMED;
	case SEEN_UNKNOWN:
	case SEEN_NOTHING: break;
	}
	return CHECK_NOT_APPLICABLE;
}

static enum check_result exit_result(const struct run_end_facts *f)
{
	if (f->state == RUN_FAILED)
		return CHECK_REFUTED;
	if (f->state == RUN_EXITED_0)
		return f->rc_known && f->rc != 0 ? CHECK_UNKNOWN : CHECK_CONFIRMED;
	return CHECK_UNKNOWN;
}

static enum check_result refuse(const char **why, enum check_result r, const char *text)
{
	*why = text;
	return r;
}

static enum check_result ended_l0(const struct run_end_facts *f, struct l0_result *r)
{
	const enum check_result items[] = { r->exit, r->steps, r->done, r->artifact,
		r->error_text };
	enum check_result all = check_all(items, ARRAY_LEN(items));

	if (all == CHECK_REFUTED) {
		r->why = r->exit == CHECK_REFUTED ? "the process ended with an error" :
			r->error_text == CHECK_REFUTED ? "the log shows an error" :
			"the declared end was not reached";
		return all;
	}
	if (!f->steps_declared && !f->done_declared && !f->artifact_declared)
		return refuse(&r->why, CHECK_UNKNOWN,
			"no steps, done or artifact is declared: an exit code alone is not L0");
	if (all != CHECK_CONFIRMED)
		return refuse(&r->why, CHECK_UNKNOWN, "not every declared end was seen");
	r->why = "ended with 0 and reached its declared end";
	return all;
}

struct l0_result measure_l0(const struct run_end_facts *f)
{
	struct l0_result r = { .why = "" };

	if (!run_status_ended(f->state)) {
		r.why = "has not ended";
		return r;
	}
	r.exit = exit_result(f);
	r.steps = seen_result(f->steps_declared, f->steps);
	r.done = seen_result(f->done_declared, f->done);
	r.artifact = seen_result(f->artifact_declared, f->artifact);
	r.error_text = error_result(f->error_text);
	if (f->provenance == PROVENANCE_CLAIMED)
		r.l0 = refuse(&r.why, CHECK_UNKNOWN, "told by its author; nothing was seen");
	else if (f->state == RUN_LAUNCH_FAILED)
		r.l0 = refuse(&r.why, CHECK_UNKNOWN, "it never started");
	else if (f->state == RUN_LOST)
		r.l0 = refuse(&r.why, CHECK_UNKNOWN, "nobody saw how it ended");
	else if (run_status_cut(f->state))
		r.l0 = refuse(&r.why, CHECK_UNKNOWN, "something else ended it before its own end");
	else
		r.l0 = ended_l0(f, &r);
	return r;
}

static bool decides(enum check_result r)
{
	return r == CHECK_CONFIRMED || r == CHECK_REFUTED;
}

void l0_pick_add(struct l0_pick *p, enum run_kind kind, enum check_result l0, bool ended)
{
	if (kind == RUN_KIND_CONTRACT)
		return;
	p->ended = p->ended || ended;
	if (!ended || !decides(l0))
		return;
	switch (kind) {
	case RUN_KIND_FULL:
		p->full = l0;
		break;
	case RUN_KIND_SMOKE:
		p->smoke = l0;
		break;
	case RUN_KIND_NONE:
		p->other = l0;
		break;
	case RUN_KIND_CONTRACT:
		break;
	}
}

enum check_result l0_pick_result(const struct l0_pick *p)
{
	if (decides(p->full))
		return p->full;
	if (decides(p->smoke))
		return p->smoke;
	if (decides(p->other))
		return p->other;
	return p->ended ? CHECK_UNKNOWN : CHECK_NOT_CHECKED;
}

static enum check_result capped(enum check_result r)
{
	return r == CHECK_CONFIRMED ? CHECK_UNKNOWN : r;
}

void measure_cap_simulated(struct level_vector *v)
{
	v->l2 = capped(v->l2);
	v->l3 = capped(v->l3);
	v->l4 = capped(v->l4);
}
