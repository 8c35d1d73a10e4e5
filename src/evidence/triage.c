/* triage - the order of the rules; see triage.h. */
#include "config.h"

#include "evidence/triage.h"

#include <math.h>
#include <string.h>

#include "evidence/triage_private.h"

/* ---- texts that raise ---------------------------------------------------------------- */

static bool ended_with(const struct triage_work *w, bool success)
{
	return w->in->end == TRIAGE_ENDED && (w->in->exit_status == 0) == success;
}

/* May this text be the error that decides? */
static bool may_decide(const struct triage_work *w, const struct log_hit *h)
{
	const struct signature *s = work_signature(w, h);

	if (triage_is_killed(w, h))
		return true;
	return s->kind == SIGNATURE_RAISES && s->rule != RULE_FLAG && s->rule != RULE_DROP &&
		s->rule != RULE_INNER && s->rule != RULE_STATIC && s->rule != RULE_CHILD;
}

/* A text of a GPU run: fixed by its row, or by what it names. */
static bool is_of_a_gpu(const struct triage_work *w, const struct log_hit *h)
{
	const struct signature *s = work_signature(w, h);

	return s->side == SIDE_GPU ||
		(s->rule == RULE_DEVICE_NAMED && strstr(h->text, "cuda:") != NULL);
}

static bool is_foreign(const struct triage_work *w, const struct log_hit *h)
{
	return w->in->target == TRIAGE_TPU && is_of_a_gpu(w, h);
}

static enum triage_side side_of(const struct triage_work *w, const struct log_hit *h)
{
	const struct signature *s = work_signature(w, h);

	if (w->in->target == TRIAGE_GPU || is_of_a_gpu(w, h))
		return TRIAGE_SIDE_GPU;
	if (s->side == SIDE_TPU || w->in->target == TRIAGE_TPU || s->side == SIDE_BY_TEXT)
		return TRIAGE_SIDE_TPU;
	return TRIAGE_SIDE_UNKNOWN;
}

/* What a GPU's FP8 prints, too, tells nothing there. */
static bool tells_nothing(const struct triage_work *w, const struct log_hit *h)
{
	return work_signature(w, h)->rule == RULE_TPU_RUN && w->in->target == TRIAGE_GPU;
}

/* What healthy runs print, too: its numbers decide, not that it is there. */
static bool counts(const struct signature *s)
{
	return s->rule >= RULE_COUNTS && s->rule <= RULE_SIZE;
}

static void set_roles(struct triage_work *w)
{
	for (size_t i = 0; i < w->f->hits_n; i++) {
		const struct log_hit *h = &w->f->hits[i];
		const struct signature *s = work_signature(w, h);
		enum triage_role *role = &w->v->roles[i];

		*role = counts(s) ? TRIAGE_COUNTED : TRIAGE_NOTED;
		if (may_decide(w, h)) {
			*role = TRIAGE_SECONDARY;
		} else if (s->rule == RULE_DROP) {
			*role = TRIAGE_DROPPED;
			use_rule(w, 4);
		} else if (s->kind == SIGNATURE_NOISE) {
			*role = TRIAGE_WRAPPER;
			use_rule(w, 3);
		}
	}
}

/* The earliest error of the rank that is to blame; hits_n when there is none. */
static size_t first_error(struct triage_work *w)
{
	size_t n = w->f->hits_n, first = n;
	int rank = w->f->root_rank;

	for (size_t i = 0; i < n && rank != LOG_NO_RANK; i++)
		if (may_decide(w, &w->f->hits[i]) && w->f->hits[i].rank == rank) {
			use_rule(w, 6);
			return i;
		}
	for (size_t i = 0; i < n && first == n; i++) {
		const struct log_hit *h = &w->f->hits[i];

		if (!may_decide(w, h) || triage_went_on(w, h))
			continue;
		/* Of a chain the first that tells something. */
		if (tells_nothing(w, h) || work_signature(w, h)->rule == RULE_CRASH ||
			is_foreign(w, h))
			continue;
		first = i;
	}
	/* A crash without a cause, or another machine's error, only when there is nothing else. */
	for (size_t i = 0; i < n && first == n; i++)
		if (may_decide(w, &w->f->hits[i]) && !triage_went_on(w, &w->f->hits[i]))
			first = i;
	return first;
}

/* Rule 8: VMEM goes before HBM, whichever is printed first. */
static size_t prefer_vmem(struct triage_work *w, size_t first)
{
	const struct log_hit *hits = w->f->hits;

	if (first == w->f->hits_n || work_signature(w, &hits[first])->rule != RULE_DEVICE_MEMORY)
		return first;
	for (size_t i = first; i < w->f->hits_n && hits[i].line <= hits[first].line + 2; i++) {
		const struct signature *s = work_signature(w, &hits[i]);

		if (s->rule == RULE_HIT && strcmp(s->cause, "C5") == 0 && may_decide(w, &hits[i])) {
			use_rule(w, 8);
			return i;
		}
	}
	return first;
}

static void decide_by_hit(struct triage_work *w, const struct log_hit *h)
{
	struct triage_verdict *v = w->v;
	const struct signature *s = work_signature(w, h);

	use_rule(w, 2);
	v->cause = triage_cause_find(s->cause);
	v->basis = TRIAGE_BY_HIT;
	v->side = side_of(w, h);
	triage_reason(w, "the first error that is known is %s%s%s%s", s->id, *s->note ? " (" : "",
		s->note, *s->note ? ")" : "");
	if (tells_nothing(w, h) || s->rule == RULE_CRASH) {
		v->cause = TRIAGE_C0;
		v->basis = TRIAGE_BY_ORDER;
		triage_reason(w, s->rule == RULE_CRASH ?
				"the process crashed, and no text tells why" :
				"the text tells a cause on a TPU only, and this is a run on a GPU");
	}
	if (s->rule == RULE_PARITY)
		triage_note(w, "the text is the result of a test of parity, not a crash of the run");
	if (is_foreign(w, h)) {
		use_rule(w, 7);
		v->cause = TRIAGE_C0;
		v->basis = TRIAGE_BY_ORDER;
		v->ask = true;
		triage_reason(w, "%s is printed by a run on a GPU, and this is said to be a run on a TPU: the wrong log, or a script that ran its own reference",
			s->id);
	}
}

static void decide_error(struct triage_work *w, size_t first)
{
	const struct log_hit *h = &w->f->hits[first];

	w->v->first_line = h->line;
	w->v->roles[first] = TRIAGE_DECIDES;
	if (triage_is_killed(w, h)) {
		triage_killed(w);
	} else if (work_signature(w, h)->rule == RULE_DEVICE_MEMORY) {
		triage_device_memory(w, first);
		w->v->side = side_of(w, h);
	} else {
		decide_by_hit(w, h);
	}
	if (w->in->target == TRIAGE_GPU) {
		use_rule(w, 1);
		w->v->side = w->v->side == TRIAGE_SIDE_HOST ? TRIAGE_SIDE_HOST : TRIAGE_SIDE_GPU;
	}
}

/* Further texts of the same decision: other batch sizes, other words of the same kill. */
static void join_deciding(struct triage_work *w, size_t first)
{
	const struct log_hit *hits = w->f->hits;
	enum signature_rule rule = work_signature(w, &hits[first])->rule;
	bool killed = triage_is_killed(w, &hits[first]);

	for (size_t i = 0; i < w->f->hits_n; i++)
		if ((killed && triage_is_killed(w, &hits[i])) ||
			(!killed && rule == RULE_DEVICE_MEMORY &&
				hits[i].signature == hits[first].signature))
			w->v->roles[i] = TRIAGE_DECIDES;
}

/* ---- what is silent ------------------------------------------------------------------- */

/* Less is worse: rule 12. */
static int rank_of(const struct triage_finding *f)
{
	if (f->signature->rule == RULE_WHOLE_RUN)
		return 0;
	switch (f->cause) {
	case TRIAGE_C3:
		return 1;
	case TRIAGE_C5:
		return 2;
	case TRIAGE_C1:
	case TRIAGE_C2:
		return 3;
	case TRIAGE_C4:
		return 4;
	case TRIAGE_NONE:
	case TRIAGE_C0:
	case TRIAGE_C6:
		break;
	}
	return 5;
}

static bool goes_before(const struct triage_finding *a, const struct triage_finding *b)
{
	int x = rank_of(a), y = rank_of(b);

	return x != y ? x < y : a->line < b->line;
}

static void mark_hits(struct triage_work *w, size_t index, enum triage_role role)
{
	for (size_t i = 0; i < w->f->hits_n; i++)
		if (w->f->hits[i].signature == index)
			w->v->roles[i] = role;
}

static void note_finding(struct triage_work *w, const struct triage_finding *f)
{
	const struct signature *s = f->signature;

	triage_note(w, "line %lld: %s, %s %s%s%s%s%s", (long long)f->line, s->id, s->cause,
		signature_kind_name(s->kind), *s->note ? ": " : "", s->note, *f->why ? "; " : "",
		f->why);
}

/* Rule 13. */
static void decide_nan(struct triage_work *w)
{
	struct triage_verdict *v = w->v;

	use_rule(w, 13);
	if (w->in->reference_nan == TRIAGE_SAME_YES) {
		v->cause = TRIAGE_C0;
		v->inherited = true;
		v->basis = TRIAGE_BY_ORDER;
		triage_reason(w, "the reference shows the same nan at the same step: it is inherited");
	} else if (w->in->reference_nan == TRIAGE_SAME_UNKNOWN) {
		v->uncertain = true;
		triage_reason(w, "a loss or gradient is nan; whether the reference has it at the same step is not known");
	} else {
		triage_reason(w, "a loss or gradient is nan, and the reference has none at that step");
	}
}

static void decide_silent(struct triage_work *w, const struct triage_finding *f)
{
	struct triage_verdict *v = w->v;
	const struct signature *s = f->signature;

	v->cause = f->cause;
	v->first_line = f->line;
	v->basis = f->basis;
	v->count = f->count;
	v->of = f->of;
	v->from = f->from;
	v->to = f->to;
	v->side = w->in->target == TRIAGE_GPU || s->side == SIDE_GPU ? TRIAGE_SIDE_GPU :
		w->in->target == TRIAGE_TPU || s->side == SIDE_TPU ? TRIAGE_SIDE_TPU :
								     TRIAGE_SIDE_UNKNOWN;
	if (f->basis != TRIAGE_BY_HIT)
		use_rule(w, 10);
	triage_reason(w, "%s%s%s%s%s; the run raised no error of it", s->id, *s->note ? ": " : "", s->note,
		*f->why ? ": " : "", f->why);
	if (s->rule == RULE_REFERENCE)
		decide_nan(w);
	mark_hits(w, f->index, TRIAGE_DECIDES);
}

/* Silent findings decide when no error does, and are notes else. */
static void look_at_silent(struct triage_work *w, bool decides)
{
	struct triage_finding best = { .cause = TRIAGE_NONE };
	size_t n = signature_catalogue_n(w->in->catalogue), found = 0;

	for (size_t i = 0; i < n; i++) {
		struct triage_finding f;

		triage_judge(w, i, &f);
		if (f.noted && f.cause == TRIAGE_NONE) {
			note_finding(w, &f);
			mark_hits(w, i, TRIAGE_NOTED);
		}
		if (f.cause == TRIAGE_NONE)
			continue;
		found++;
		mark_hits(w, i, TRIAGE_SECONDARY);
		if (best.cause == TRIAGE_NONE || goes_before(&f, &best))
			best = f;
	}
	if (found > 1 && decides)
		use_rule(w, 12);
	if (best.cause != TRIAGE_NONE && decides)
		decide_silent(w, &best);
}

/* ---- the verdict ------------------------------------------------------------------------- */

static void count_steps(struct triage_work *w)
{
	w->steps = w->f->mark_steps > 0 ? w->f->mark_steps : w->f->last_step;
	if (w->steps <= 0)
		w->steps = -1;
}

static void add_id(const char **list, size_t *n, const char *id)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i], id) == 0)
			return;
	list[(*n)++] = id;
}

/* Each id once, in order of time; a deciding one is no secondary one. */
static void list_ids(struct triage_work *w)
{
	struct triage_verdict *v = w->v;
	size_t n = w->f->hits_n;

	v->ids = arena_alloc(w->arena, (n + 1) * sizeof *v->ids);
	v->secondary = arena_alloc(w->arena, (n + 1) * sizeof *v->secondary);
	for (size_t i = 0; i < n; i++)
		if (v->roles[i] == TRIAGE_DECIDES)
			add_id(v->ids, &v->ids_n, work_signature(w, &w->f->hits[i])->id);
	for (size_t i = 0; i < n; i++) {
		const char *id = work_signature(w, &w->f->hits[i])->id;
		bool decides = false;

		for (size_t k = 0; k < v->ids_n; k++)
			decides = decides || strcmp(v->ids[k], id) == 0;
		if (v->roles[i] != TRIAGE_NOTED && v->roles[i] != TRIAGE_COUNTED && !decides)
			add_id(v->secondary, &v->secondary_n, id);
	}
}

/* The end of a traceback that no signature knows; 0 where there is none, or one that is
 * noise, a wrapper, or was followed by further steps. */
static int64_t unknown_exception(const struct triage_work *w)
{
	int64_t line = w->f->last_exception_line;

	for (size_t i = 0; i < w->f->hits_n; i++)
		if (w->f->hits[i].line == line)
			return 0;
	return line;
}

/* Nothing is known that speaks: rule 15, or no failure at all. */
static void decide_nothing(struct triage_work *w)
{
	struct triage_verdict *v = w->v;

	if (ended_with(w, false)) {
		use_rule(w, 15);
		v->cause = TRIAGE_C0;
		v->first_line = w->f->last_exception_line;
		v->basis = TRIAGE_BY_ORDER;
		triage_reason(w, "no known text tells why it ended with %d%s%s; if the cause is in its last exception, a signature of your own would find it next time",
			w->in->exit_status, *w->f->last_exception ? ": " : "", w->f->last_exception);
		v->side = w->in->target == TRIAGE_GPU ? TRIAGE_SIDE_GPU :
			w->in->target == TRIAGE_TPU   ? TRIAGE_SIDE_TPU :
							TRIAGE_SIDE_UNKNOWN;
		return;
	}
	if (v->error_line) {
		triage_reason(w, "no known text, but line %lld shows an exception: %s%s; if the cause is in it, a signature of your own would find it next time",
			(long long)v->error_line, w->f->last_exception,
			ended_with(w, true) ? ", although the run ended with 0" : "");
		return;
	}
	triage_reason(w, "%s; that proves nothing: about half of all failures print no error",
		w->in->end == TRIAGE_RUNNING ? "nothing in the log so far" :
		ended_with(w, true) ? "nothing in the log" :
		"nothing in the log, and how the run ended is not known");
}

/* Rule 11, and whether anything reached the outside. */
static void judge_silence(struct triage_work *w, bool by_error)
{
	struct triage_verdict *v = w->v;

	v->failed = v->cause != TRIAGE_NONE || ended_with(w, false);
	if (!v->failed)
		return;
	if (w->in->end == TRIAGE_END_UNKNOWN)
		v->silent = by_error ? TRIAGE_SAME_NO : TRIAGE_SAME_UNKNOWN;
	else
		v->silent = ended_with(w, false) ? TRIAGE_SAME_NO : TRIAGE_SAME_YES;
	if (by_error && ended_with(w, true)) {
		use_rule(w, 11);
		triage_note(w, "the run ended with 0 although its log shows this error: it was swallowed");
	}
}

static void note_retries(struct triage_work *w)
{
	for (size_t i = 0; i < w->f->hits_n; i++)
		if (triage_went_on(w, &w->f->hits[i])) {
			use_rule(w, 11);
			w->v->roles[i] = TRIAGE_NOTED;
			triage_note(w, "line %lld: the device's memory ended and the run went on: the effective batch may have changed",
				(long long)w->f->hits[i].line);
			return;
		}
}

void triage(struct triage_verdict *out, const struct triage_input *in, struct arena *a)
{
	struct triage_work w = { .in = in, .f = in->findings, .v = out, .arena = a };
	const struct signature *deciding = NULL;
	bool by_error;
	size_t first;

	*out = (struct triage_verdict){ .count = NAN, .of = NAN, .from = NAN, .to = NAN,
		.reason = "", .confirm = "" };
	out->roles = arena_alloc(a, (w.f->hits_n + 1) * sizeof *out->roles);
	count_steps(&w);
	set_roles(&w);
	first = prefer_vmem(&w, first_error(&w));
	by_error = first < w.f->hits_n;
	if (by_error) {
		decide_error(&w, first);
		join_deciding(&w, first);
		deciding = work_signature(&w, &w.f->hits[first]);
	} else if (triage_is_killed(&w, NULL)) {
		by_error = true;
		triage_killed(&w);
	}
	out->error_line = by_error ? out->first_line : unknown_exception(&w);
	look_at_silent(&w, !by_error);
	note_retries(&w);
	if (out->cause == TRIAGE_NONE && !by_error)
		decide_nothing(&w);
	judge_silence(&w, by_error);
	list_ids(&w);
	if (!deciding && out->ids_n)
		deciding = signature_at(
			in->catalogue, (size_t)signature_find(in->catalogue, out->ids[0]));
	triage_confirm(&w, deciding);
}
