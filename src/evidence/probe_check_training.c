/*
 * probe_check_training - how a run trains: the order of reduction and clipping, which
 * parameters the optimizer changes, checkpoints; see probe_check.h.
 */
#include "config.h"

#include "evidence/probe_check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- grad ---- */

/* What stands in the order of one step. */
struct order {
	int64_t clips, reduces;
	bool clip_first;	/* a clip before the last reduction */
	bool whole;		/* a reduction of all gradients by its name, not of some tensors */
};

static bool names_reduction(const char *event)
{
	return strstr(event, "reduce") != NULL;
}

/* "reduce" alone may be of a loss; these are of gradients whatever their number. */
static bool names_reduction_of_all(const char *event)
{
	return text_starts(event, "backward and reduce") || text_starts(event, "reduce gradients");
}

static bool names_clip(const char *event)
{
	/* accelerate's own clip calls that of PyTorch, which is counted. */
	return text_starts(event, "clip");
}

/* "clip x4" is four in a row. */
static int64_t times(const char *event)
{
	const char *mark = strstr(event, " x");
	int64_t n;

	return mark && text_to_i64(mark + 2, strlen(mark + 2), &n) && n > 0 ? n : 1;
}

static struct order order_of(const struct probe_line *step)
{
	const struct json *list = json_get(step->json, "order");
	struct order o = { 0 };

	if (!list || list->type != JSON_ARRAY)
		return o;
	for (const struct json *e = list->first; e; e = e->next) {
		if (e->type != JSON_STRING)
			continue;
		if (names_clip(e->text)) {
			o.clips += times(e->text);
		} else if (names_reduction(e->text)) {
			o.clip_first = o.clip_first || o.clips > 0;
			o.reduces += times(e->text);
			o.whole = o.whole || names_reduction_of_all(e->text);
		}
	}
	return o;
}

/* Fewer values went into the reductions of a step than its gradients have. */
static bool reduced_less(const struct probe_line *step, struct order o)
{
	return !o.whole && json_i64(step->json, "reduced_elements", INT64_MAX) <
		json_i64(step->json, "gradient_elements", 0);
}

/* The norm of the gradient that a line of clipping holds; NaN: it was not read, or of a
 * part that only this process has. */
static double norm_before(const struct probe_line *clip)
{
	const struct json *before = json_get(clip->json, "before");

	return json_bool(before, "local", false) ? (double)NAN : json_double(before, "norm", NAN);
}

/* The norm that a rank clipped at that step; NaN: none was read. */
static double norm_clipped(const struct probe_record *r, int64_t rank, int64_t step)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "clip")); )
		if (l->rank == rank && json_i64(l->json, "step", 0) == step)
			return norm_before(l);
	return NAN;
}

/* Processes that reduced before they clip have one gradient, up to the last bits. */
static bool norms_differ(struct question *q)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(q->attempt, l, "clip")); ) {
		double own = norm_before(l);
		int64_t step = json_i64(l->json, "step", 0);
		double first = norm_clipped(q->attempt, 0, step);

		if (l->rank == 0 || !isfinite(own) || !isfinite(first) ||
			fabs(own - first) <= 1e-5 * fmax(fabs(own), fabs(first)))
			continue;
		question_answer(q, CHECK_REFUTED, l,
			"at step %lld process 0 clips a gradient of norm %.6g and process %lld "
			"one of %.6g: they are not reduced yet",
			(long long)step, first, (long long)l->rank, own);
		return true;
	}
	return false;
}

/* Of one optimizer alone is known that it takes all that was clipped. */
static bool has_one_optimizer(const struct probe_record *r, int64_t rank)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "step")); )
		if (l->rank == rank && json_i64(l->json, "optimizer", 0) != 0)
			return false;
	return true;
}

/* What was read of the gradient after RANK clipped it at STEP; NULL: nothing. */
static const struct json *clipped_to(const struct probe_record *r, int64_t rank, int64_t step)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "clip")); )
		if (l->rank == rank && json_i64(l->json, "step", 0) == step)
			return json_get(l->json, "after");
	return NULL;
}

/* Of a whole gradient; NaN: it was read in part, or only this process's own part of it. */
static double whole_norm(const struct json *norm)
{
	if (!norm || json_bool(norm, "local", false) || json_get(norm, "sampled"))
		return NAN;
	return json_double(norm, "norm", NAN);
}

/* Vectors of norm 1 that point apart have a mean of less: what is averaged after it was
 * clipped steps with less than it was clipped to, whoever reduced it. */
static bool norm_shrinks(struct question *q, int64_t world)
{
	const struct probe_record *r = q->attempt;

	for (const struct probe_line *l = NULL;
		world > 1 && (l = probe_record_next(r, l, "step"));) {
		const struct json *gradient = json_get(l->json, "gradient");
		long long step = json_i64(l->json, "step", 0);
		const struct json *after = clipped_to(r, l->rank, step);
		double clipped = whole_norm(after), taken = whole_norm(gradient);

		if (!isfinite(clipped) || !isfinite(taken) || taken >= clipped * (1 - 1e-3) ||
			json_i64(after, "tensors", 0) != json_i64(gradient, "tensors", 0) ||
			!has_one_optimizer(r, l->rank))
			continue;
		question_answer(q, CHECK_REFUTED, l,
			"at step %lld the gradient is clipped to a norm of %.6g, and the optimizer "
			"takes one of %.6g (ratio %.4f): it was averaged after it was clipped",
			step, clipped, taken, taken / clipped);
		return true;
	}
	return false;
}

static double limit_of(const struct probe_record *r)
{
	const struct probe_line *clip = probe_record_next(r, NULL, "clip");

	return clip ? json_double(clip->json, "limit", NAN) : NAN;
}

/* Does the reference clip as this run does? */
static bool limits_differ(struct question *q)
{
	double own = limit_of(q->attempt), other;

	if (!q->reference || !probe_record_next(q->reference, NULL, "step"))
		return false;
	other = limit_of(q->reference);
	if ((isnan(own) && isnan(other)) || own == other)
		return false;
	if (isnan(own))
		question_answer(q, CHECK_REFUTED, NULL,
			"the reference clips its gradient at %.6g, this run clips none", other);
	else if (isnan(other))
		question_answer(q, CHECK_REFUTED, probe_record_next(q->attempt, NULL, "clip"),
			"this run clips its gradient at %.6g, the reference clips none", own);
	else
		question_answer(q, CHECK_REFUTED, probe_record_next(q->attempt, NULL, "clip"),
			"the gradient is clipped at %.6g, that of the reference at %.6g", own,
			other);
	return true;
}

/* A step at which it is done wrongly, of all that were looked at; true where there is one. */
static bool order_is_wrong(struct question *q, int64_t world)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(q->attempt, l, "step")); ) {
		struct order o = order_of(l);
		long long step = json_i64(l->json, "step", 0);

		if (world > 1 && o.clip_first)
			question_answer(q, CHECK_REFUTED, l,
				"at step %lld the gradient is clipped before it is reduced over "
				"%lld processes",
				step, (long long)world);
		else if (o.clips > 1)
			question_answer(q, CHECK_REFUTED, l,
				"at step %lld the gradient is clipped %lld times", step,
				(long long)o.clips);
		if (question_answered(q))
			return true;
	}
	return false;
}

/* A step at which no reduction of all gradients was seen; true where there is one. */
static bool reduction_is_not_seen(struct question *q, int64_t world)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(q->attempt, l, "step")); ) {
		struct order o = order_of(l);

		if (o.reduces == 0)
			question_answer(q, CHECK_UNKNOWN, l,
				"%lld processes trained, and no reduction of gradients was seen "
				"at step %lld",
				(long long)world, (long long)json_i64(l->json, "step", 0));
		else if (reduced_less(l, o))
			question_answer(q, CHECK_UNKNOWN, l,
				"at step %lld %lld values were reduced, and its gradients have "
				"%lld: that may have been a loss",
				(long long)json_i64(l->json, "step", 0),
				(long long)json_i64(l->json, "reduced_elements", 0),
				(long long)json_i64(l->json, "gradient_elements", 0));
		if (question_answered(q))
			return true;
	}
	return false;
}

void question_grad(struct question *q)
{
	const struct probe_line *step = probe_record_next(q->attempt, NULL, "step");
	int64_t world = probe_record_world(q->attempt);
	bool clips;

	if (!step) {
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no step was looked at");
		return;
	}
	if (order_is_wrong(q, world) || norms_differ(q) || norm_shrinks(q, world) ||
		limits_differ(q))
		return;
	clips = order_of(step).clips > 0;
	if (world <= 1)
		question_answer(q, CHECK_NOT_APPLICABLE, step,
			"one process trained, so nothing is reduced; %s",
			clips ? "the gradient is clipped once" : "nothing is clipped");
	else if (!reduction_is_not_seen(q, world))
		question_answer(q, CHECK_CONFIRMED, step,
			"at each step looked at the gradient is reduced over %lld processes%s",
			(long long)world, clips ? ", then clipped once" : "; nothing is clipped");
}

/* ---- opt-order ---- */

static bool on_host_only(const struct probe_line *l)
{
	const struct json *devices = json_get(l->json, "devices");

	return devices && devices->type == JSON_OBJECT && devices->count == 1 &&
		devices->first->key && strcmp(devices->first->key, "cpu") == 0;
}

/* Does any step looked at change the parameters; and is any known not to? */
static void count_changes(const struct probe_record *r, size_t *changed, size_t *unchanged)
{
	*changed = *unchanged = 0;
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "step")); ) {
		const struct json *j = json_get(l->json, "changed");

		*changed += j && j->type == JSON_TRUE;
		*unchanged += j && j->type == JSON_FALSE;
	}
}

static int64_t stale_of(const struct probe_line *l)
{
	return json_i64(l->json, "stale", 0);
}

/* Two models with an optimizer each, trained in turn (a generator and what judges it): the
 * model that was called last is the other one's.  A copy that went stale leaves no
 * optimizer beside it that has the model's own parameters. */
static bool is_of_another_model(const struct probe_record *r, const struct probe_line *step)
{
	if (stale_of(step) <= 0 || json_i64(step->json, "shared", 1) != 0)
		return false;
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "step")); )
		if (l->rank == step->rank && stale_of(l) == 0 &&
			json_i64(l->json, "shared", 0) > 0 &&
			json_i64(l->json, "optimizer", 0) !=
				json_i64(step->json, "optimizer", 0))
			return true;
	return false;
}

/* The first step whose optimizer has other parameters than the model; NULL: none.  APART:
 * those of a model of its own. */
static const struct probe_line *first_stale(const struct probe_record *r, bool apart)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "step")); )
		if (stale_of(l) > 0 && is_of_another_model(r, l) == apart)
			return l;
	return NULL;
}

/* Nothing is said of the parameters of an optimizer whose model was not the one looked at. */
static void answer_apart(struct question *q, const struct probe_line *l)
{
	question_answer(q, CHECK_UNKNOWN, l,
		"several optimizers train models of their own; at step %lld of optimizer %lld the "
		"model called last was another one's, so its parameters are not shown to be used",
		(long long)json_i64(l->json, "step", 0),
		(long long)json_i64(l->json, "optimizer", 0));
}

void question_opt_order(struct question *q)
{
	const struct probe_line *made = probe_record_next(q->attempt, NULL, "optimizer");
	const struct probe_line *step = probe_record_next(q->attempt, NULL, "step");
	const struct probe_line *stale = first_stale(q->attempt, false);
	const struct probe_line *apart = first_stale(q->attempt, true);
	size_t changed, unchanged;

	if (!made || !step) {
		question_answer(
			q, CHECK_NOT_CHECKED, made, "no step of an optimizer was looked at");
		return;
	}
	count_changes(q->attempt, &changed, &unchanged);
	if (stale)
		question_answer(q, CHECK_REFUTED, stale,
			"%lld parameters of the optimizer are not those of the model that is "
			"called, at step %lld",
			(long long)stale_of(stale), (long long)json_i64(stale->json, "step", 0));
	else if (!changed && unchanged)
		question_answer(q, CHECK_REFUTED, step,
			"no step that was looked at changes a parameter (%zu of %zu)", unchanged,
			unchanged);
	else if (apart)
		answer_apart(q, apart);
	else if (!json_get(step->json, "shared"))
		question_answer(q, CHECK_UNKNOWN, step,
			"no model was seen that its parameters could belong to");
	else if (changed)
		question_answer(q, CHECK_CONFIRMED, step,
			"the optimizer has the parameters of the model, and %zu of %zu steps "
			"looked at change them",
			changed, changed + unchanged);
	else if (on_host_only(made) && !on_host_only(step))
		question_answer(q, CHECK_UNKNOWN, made,
			"the optimizer was made of parameters on the host that are on the device "
			"now, and their values could not be read");
	else
		question_answer(q, CHECK_CONFIRMED, step,
			"the optimizer was made of the parameters that the model has at its "
			"first step, on the same device");
}

/* ---- params ---- */

/* Groups of names that share a parameter, as one text; "" for none. */
static const char *ties(const struct probe_record *r, struct arena *a)
{
	const struct probe_line *l = probe_record_next(r, NULL, "forward");
	struct buf text = BUF_INIT;
	const char *copy;

	if (l && json_get(l->json, "tied"))
		json_canonical(&text, json_get(l->json, "tied"));
	copy = arena_strdup(a, text.n ? text.s : "");
	buf_release(&text);
	return copy;
}

static int64_t left_out_of(const struct probe_record *r)
{
	const struct probe_line *step = probe_record_next(r, NULL, "step");

	return step ? json_i64(step->json, "left_out", 0) : 0;
}

static void params_of_reference(struct question *q, const struct probe_line *step)
{
	const struct probe_line *forward = probe_record_next(q->attempt, NULL, "forward");
	const char *own = ties(q->attempt, q->a),
		   *other = q->reference ? ties(q->reference, q->a) : "";
	int64_t left_out = left_out_of(q->attempt);

	if (!q->reference || !probe_record_next(q->reference, NULL, "forward"))
		question_answer(q, CHECK_UNKNOWN, step,
			"the optimizer has the parameters of the model; whether all ties are "
			"left cannot be told without a record of the reference");
	else if (strcmp(own, other) != 0)
		question_answer(q, CHECK_REFUTED, forward,
			"other parameters are tied than in the reference: %.120s there, %.120s "
			"here",
			other, own);
	else if (left_out != left_out_of(q->reference))
		question_answer(q, CHECK_REFUTED, step,
			"the optimizer leaves out %lld trainable parameters, %lld in the reference",
			(long long)left_out, (long long)left_out_of(q->reference));
	else
		question_answer(q, CHECK_CONFIRMED, step,
			"the optimizer has the parameters of the model, and ties are those of "
			"the reference");
}

void question_params(struct question *q)
{
	const struct probe_line *last = NULL, *apart = first_stale(q->attempt, true);

	for (const struct probe_line *l = NULL; (l = probe_record_next(q->attempt, l, "step")); ) {
		last = l;
		if (stale_of(l) > 0 && !is_of_another_model(q->attempt, l)) {
			question_answer(q, CHECK_REFUTED, l,
				"at step %lld the optimizer changes %lld tensors that the model "
				"does not use",
				(long long)json_i64(l->json, "step", 0), (long long)stale_of(l));
			return;
		}
	}
	if (!last)
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no step was looked at");
	else if (apart)
		answer_apart(q, apart);
	else if (!json_get(last->json, "shared"))
		question_answer(q, CHECK_UNKNOWN, last,
			"no model was seen that its parameters could belong to");
	else
		params_of_reference(q, last);
}

/* ---- ckpt ---- */

static const char *checksum_of(const struct probe_line *l)
{
	return probe_word(l, "checksum", "crc32");
}

/* Folders of checkpoints hold files of one name: where their place is told, it is asked. */
static bool is_one_file(const struct probe_line *a, const struct probe_line *b)
{
	return a->rank == b->rank &&
		strcmp(json_str(a->json, "file", ""), json_str(b->json, "file", "")) == 0 &&
		strcmp(json_str(a->json, "place", ""), json_str(b->json, "place", "")) == 0;
}

/* The last save of the file that L reads, before it; NULL: none was seen. */
static const struct probe_line *saved_before(
	const struct probe_record *r, const struct probe_line *l)
{
	const struct probe_line *found = NULL;

	for (const struct probe_line *s = NULL; (s = probe_record_next(r, s, "saved")) && s < l; )
		if (is_one_file(s, l))
			found = s;
	return found;
}

static bool keys_are_missing(struct question *q)
{
	for (const struct probe_line *l = NULL;
		(l = probe_record_next(q->attempt, l, "restored"));) {
		int64_t missing = json_i64(l->json, "missing", 0),
			extra = json_i64(l->json, "unexpected", 0);

		if (missing == 0 && extra == 0)
			continue;
		question_answer(q, CHECK_REFUTED, l,
			"%lld keys of the model were not in the weights that were loaded, and "
			"%lld there are not the model's",
			(long long)missing, (long long)extra);
		return true;
	}
	return false;
}

static bool best_is_not_restored(struct question *q)
{
	const struct probe_line *trainer = probe_record_next(q->attempt, NULL, "trainer");
	bool asked = trainer &&
		json_bool(json_get(trainer->json, "arguments"), "load_best_model_at_end", false);

	if (!asked || probe_record_next(q->attempt, NULL, "best_restored"))
		return false;
	/* A run that did not come to its end has not come to its best either. */
	if (!probe_record_last(q->attempt, "end", 0))
		return false;
	question_answer(q, CHECK_REFUTED, trainer,
		"the best checkpoint was asked for at the end, and was not loaded");
	return true;
}

static bool is_part(const struct probe_line *l)
{
	const struct json *checksum = json_get(l->json, "checksum");

	return json_i64(checksum, "sampled", 1) > 1 || json_bool(checksum, "local", false);
}

void question_ckpt(struct question *q)
{
	const struct probe_line *loaded = NULL, *saved = NULL, *equal = NULL;
	const struct probe_line *any_loaded = NULL;

	if (keys_are_missing(q) || best_is_not_restored(q))
		return;
	while ((loaded = probe_record_next(q->attempt, loaded, "loaded"))) {
		saved = saved_before(q->attempt, loaded);
		any_loaded = saved ? loaded : any_loaded;
		if (!saved || !*checksum_of(saved) || !*checksum_of(loaded))
			continue;
		if (strcmp(checksum_of(saved), checksum_of(loaded)) != 0) {
			question_answer(q, CHECK_REFUTED, loaded,
				"%.100s was read back with other values than were saved",
				json_str(loaded->json, "file", "a checkpoint"));
			question_place(q, saved);
			return;
		}
		equal = loaded;
	}
	if (equal)
		question_answer(q, CHECK_CONFIRMED, equal,
			"what was saved was read back with equal values%s, and %s",
			is_part(equal) ? " in the part that was looked at" : "",
			probe_record_next(q->attempt, NULL, "restored")
				? "every key fits"
				: "no model was seen to take it");
	else if (any_loaded)
		question_answer(q, CHECK_UNKNOWN, any_loaded,
			"a checkpoint was read, and not with values that a save could be "
			"compared with");
	else if (probe_record_next(q->attempt, NULL, "saved") ||
		probe_record_next(q->attempt, NULL, "saved_model"))
		question_answer(
			q, CHECK_UNKNOWN, NULL, "a checkpoint was saved and never read back");
	else
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no checkpoint was saved or loaded");
}
