/* export_assessment - an assessment as a JSON object; see assessment.h. */
#include "config.h"

#include <math.h>

#include "curve/export_private.h"

static void put_interval(struct json_writer *w, const char *key, double low, double high)
{
	if (isnan(low) || isnan(high)) {
		json_put_null(w, key);
		return;
	}
	json_begin_array(w, key);
	json_put_double(w, NULL, low);
	json_put_double(w, NULL, high);
	json_end_array(w);
}

static void put_x(struct json_writer *w, const char *key, const struct comparison *c,
	int64_t step, double x)
{
	if (c->alignment.integer)
		json_put_i64(w, key, step);
	else
		json_put_double(w, key, x);
}

static void put_step(struct json_writer *w, const char *key, bool known, int64_t step)
{
	if (known)
		json_put_i64(w, key, step);
	else
		json_put_null(w, key);
}

static void put_start(struct json_writer *w, const struct assessment *s)
{
	static const char *const states[] = {
		[FIRST_UNKNOWN] = "unknown",
		[FIRST_TOO_LATE] = "too late",
		[FIRST_NOT_JUDGED] = "not judged",
		[FIRST_AGREES] = "agrees",
		[FIRST_DIFFERS] = "differs",
	};
	const struct assessment_first *f = &s->first;

	json_begin_object(w, "start");
	json_put_str(w, "state", states[f->state]);
	if (f->state != FIRST_UNKNOWN) {
		put_x(w, "x", s->input.comparison, f->key, f->x);
		export_put_known(w, "relative", f->relative);
		export_put_known(w, "explained_up_to", f->expected);
	}
	json_end_object(w);
}

static void put_invariants(struct json_writer *w, const struct assessment *s)
{
	json_begin_array(w, "invariants");
	for (size_t i = 0; i < s->n_invariants; i++) {
		const struct assessment_invariant *v = &s->invariants[i];

		json_begin_object(w, NULL);
		json_put_str(w, "series", v->series);
		json_put_i64(w, "steps", (int64_t)v->n);
		json_put_i64(w, "different", (int64_t)v->n_different);
		if (v->n_different)
			json_put_i64(w, "first_different", v->first_step);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_onset(struct json_writer *w, const struct assessment *s)
{
	const struct comparison *c = s->input.comparison;
	const struct compare_onset *o = &c->onset;

	if (!o->n) {
		json_put_null(w, "leaves");
		return;
	}
	json_begin_object(w, "leaves");
	if (o->has_agreeing)
		put_x(w, "last_agreeing", c, o->agreeing_key, o->agreeing_x);
	else
		json_put_null(w, "last_agreeing");
	put_x(w, "first_disagreeing", c, o->disagreeing_key, o->disagreeing_x);
	json_put_i64(w, "points", (int64_t)o->n);
	json_put_bool(w, "to_the_end", o->lasts);
	json_begin_array(w, "events");
	for (size_t i = 0; i < s->n_events; i++)
		json_put_str(w, NULL, s->events[i].text);
	json_end_array(w);
	json_end_object(w);
}

static void put_end(struct json_writer *w, const struct assessment *s)
{
	const struct comparison *c = s->input.comparison;
	double scale = c->options.scale;

	json_begin_object(w, "end");
	export_put_known(w, "reference", s->gap.final_reference * scale);
	export_put_known(w, "attempt", s->gap.final_attempt * scale);
	export_put_known(w, "gap", (s->gap.final_attempt - s->gap.final_reference) * scale);
	export_put_known(w, "best_gap", (c->best_attempt - c->best_reference) * scale);
	export_put_known(w, "relative_percent", s->gap.last_relative_percent);
	export_put_known(w, "symmetric_percent", s->gap.last_symmetric_percent);
	export_put_known(w, "log_ratio", s->gap.last_log);
	export_put_known(w, "area_per_x", s->gap.area_per_x * scale);
	export_put_known(w, "signed_area_per_x", s->gap.signed_area_per_x * scale);
	json_end_object(w);
}

static void put_self(struct json_writer *w, const struct assessment *s)
{
	const struct assessment_self *e = &s->self;

	json_begin_object(w, "reference_itself");
	json_put_i64(w, "runs", (int64_t)e->n_runs);
	put_interval(w, "apart", e->low, e->high);
	export_put_known(w, "sd", e->sd);
	put_interval(w, "sd_interval95", e->sd95.low, e->sd95.high);
	json_put_i64(w, "same_seed_pairs", (int64_t)e->n_same_seed);
	json_put_bool(w, "cannot_gate", e->cannot_gate);
	json_end_object(w);
}

static void put_band(struct json_writer *w, const struct assessment *s)
{
	const struct assessment_band *b = &s->band;

	if (!b->bands.n) {
		json_put_null(w, "band");
		return;
	}
	json_begin_object(w, "band");
	json_put_i64(w, "seeds", (int64_t)b->m);
	json_put_i64(w, "points", (int64_t)b->alarm.n_compared);
	json_put_i64(w, "outside", (int64_t)b->alarm.n_outside);
	json_put_i64(w, "in_a_row", b->k);
	json_put_bool(w, "alarm", b->alarm.fired);
	put_step(w, "last_agreeing", b->alarm.has_agreeing, b->alarm.last_agreeing);
	put_step(w, "first_disagreeing", b->alarm.fired, b->alarm.first_disagreeing);
	export_put_known(w, "phi", b->phi);
	export_put_known(w, "effective_points", b->n_effective);
	export_put_known(w, "false_alarms", b->false_alarms);
	json_end_object(w);
}

static void put_values(struct json_writer *w, const char *key, const double *v, size_t n)
{
	json_begin_array(w, key);
	for (size_t i = 0; i < n; i++)
		json_put_double(w, NULL, v[i]);
	json_end_array(w);
}

static void put_seeds(struct json_writer *w, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	json_begin_object(w, "seeds");
	put_values(w, "reference", e->reference, e->n_reference);
	put_values(w, "attempt", e->attempt, e->n_attempt);
	put_interval(w, "interval", e->interval.low, e->interval.high);
	export_put_known(w, "level", e->level > 0 ? e->level : NAN);
	json_put_double(w, "rounded_away", e->resolution);
	export_put_known(w, "p_non_inferior", e->equivalence.p_non_inferior);
	export_put_known(w, "p_equivalent", e->equivalence.p_tost);
	json_put_bool(w, "suspiciously_better", e->suspiciously_better);
	if (e->needed)
		json_put_i64(w, "needed_a_side", e->needed);
	else
		json_put_null(w, "needed_a_side");
	json_end_object(w);
}

static void put_convergence(struct json_writer *w, const struct assessment *s)
{
	static const char *const states[] = {
		[CONVERGENCE_TOO_FEW] = "too few",
		[CONVERGENCE_WITHIN] = "within",
		[CONVERGENCE_TOO_FAST] = "too fast",
	};
	const struct assessment_seeds *e = &s->seeds;
	const struct convergence *c = &e->convergence;
	bool judged = c->state != CONVERGENCE_TOO_FEW && !e->n_left_out;

	if (isnan(e->quality)) {
		json_put_null(w, "convergence");
		return;
	}
	json_begin_object(w, "convergence");
	json_put_str(w, "state", judged ? states[c->state] : "not judged");
	json_put_double(w, "quality", e->quality);
	json_put_i64(w, "never_reach_it", (int64_t)e->n_left_out);
	export_put_known(w, "reference", judged ? c->reference : NAN);
	export_put_known(w, "attempt", judged ? c->attempt : NAN);
	export_put_known(w, "bound", judged ? c->bound : NAN);
	json_end_object(w);
}

static void put_lag(struct json_writer *w, const struct assessment *s)
{
	if (!s->has_lag) {
		json_put_null(w, "lag");
		return;
	}
	json_begin_object(w, "lag");
	json_put_i64(w, "rows", s->lag.lag);
	json_put_double(w, "median_abs", s->lag.median_abs);
	json_put_double(w, "median_abs_as_logged", s->lag.median_abs_at_0);
	json_put_i64(w, "searched_rows", s->lag.searched);
	put_step(w, "shift", s->lag_shift != 0, s->lag_shift);
	json_end_object(w);
}

static void put_statements(struct json_writer *w, const struct assessment *s)
{
	struct buf line = BUF_INIT;
	const char *id;

	json_begin_array(w, "statements");
	for (size_t i = 0; buf_clear(&line), assessment_statement(&line, s, i, &id); i++) {
		if (!line.n)
			continue;
		json_begin_object(w, NULL);
		json_put_str(w, "id", id);
		json_put_strn(w, "text", line.s, line.n);
		json_end_object(w);
	}
	json_end_array(w);
	buf_release(&line);
}

void export_put_assessment(struct json_writer *w, const struct assessment *s)
{
	if (!s) {
		json_put_null(w, "assessment");
		return;
	}
	json_begin_object(w, "assessment");
	json_put_str(w, "word", seed_word_name(s->word));
	json_put_str(w, "reason", s->reason);
	export_put_known(w, "margin", s->margin);
	put_start(w, s);
	put_invariants(w, s);
	put_onset(w, s);
	put_end(w, s);
	put_self(w, s);
	put_band(w, s);
	put_seeds(w, s);
	export_put_known(w, "phi", s->phi);
	export_put_known(w, "effective_points", s->n_effective);
	export_put_known(w, "assumed_sigma", s->early_sigma);
	put_convergence(w, s);
	put_lag(w, s);
	put_statements(w, s);
	json_end_object(w);
}
