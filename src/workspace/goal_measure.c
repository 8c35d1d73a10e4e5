/* goal_measure - see goal_measure.h. */
#include "config.h"

#include "workspace/goal_measure.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "curve/seeds.h"
#include "workspace/comparison.h"
#include "workspace/state.h"

enum { EVIDENCE_MAX = 32 };

/* ---- evidence ---- */

static bool is_on_record(struct workspace *ws, const struct digest *digest, struct arena *a)
{
	char hex[DIGEST_HEX + 1];
	struct event_query q = { .kind = "evidence.added", .object = hex, .limit = 1 };
	struct event **events;
	size_t n = 0;

	digest_hex(hex, digest);
	if (log_events(workspace_log(ws), &q, a, &events, &n) < 0)
		err_clear();
	return n > 0;
}

static bool has_digest(const struct digest *list, size_t n, const struct digest *digest)
{
	for (size_t i = 0; i < n; i++)
		if (digest_equal(&list[i], digest))
			return true;
	return false;
}

bool goal_evidence_of(struct digest *out, size_t *n, size_t max, struct workspace *ws,
	const struct comparison_side *side, struct arena *a)
{
	for (size_t i = 0; side->series && i < side->series->n_segments; i++) {
		int file = side->series->segments[i].file;
		struct digest digest;
		int64_t size;

		if (file < 0 || (size_t)file >= side->files->n || !side->files->files[file].file)
			continue;
		if (sha256_file(&digest, &size, side->files->files[file].file->path) < 0) {
			err_clear();
			return false;
		}
		if (has_digest(out, *n, &digest))
			continue;
		if (*n == max || !is_on_record(ws, &digest, a))
			return false;
		out[(*n)++] = digest;
	}
	return *n > 0;
}

/* ---- values ---- */

static double value_of(const struct series *s, const struct config_goal *g)
{
	double sign = g->test.direction == DIRECTION_LOWER ? -1 : 1, best = NAN;

	if (!s || !s->n)
		return NAN;
	if (g->at != AT_BEST)
		return isfinite(series_value(s, s->n - 1)) ? series_value(s, s->n - 1) * g->scale
							    : NAN;
	for (size_t i = 0; i < s->n; i++) {
		double v = series_value(s, i);

		if (isfinite(v) && !(sign * v <= sign * best))
			best = v;
	}
	return best * g->scale;
}

static double baseline_of(const struct comparison_side *s, const struct config_goal *g)
{
	const struct run_series *run = s->files->series;

	for (size_t i = 0; *g->baseline && i < run->n; i++)
		if (text_glob(g->baseline, run->series[i]->name))
			return value_of(run->series[i], g);
	return NAN;
}

/* The word for the reference's side: did it end as a run that shows what it reaches? */
static bool shows_its_end(const struct run_state *r)
{
	return r && (r->state == RUN_EXITED_0 || r->state == RUN_LOST);
}

static bool all_positive(const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(v[i] > 0))
			return false;
	return true;
}

/* Of logarithms there is an interval only where both sides have several seeds. */
static void take_log_interval(
	struct goal_evidence *e, const struct assessment_seeds *s, struct arena *a)
{
	double *reference, *attempt;
	struct welch w;

	if (s->n_reference < 2 || s->n_attempt < 2 || !all_positive(s->reference, s->n_reference) ||
		!all_positive(s->attempt, s->n_attempt))
		return;
	reference = arena_alloc(a, s->n_reference * sizeof *reference);
	attempt = arena_alloc(a, s->n_attempt * sizeof *attempt);
	for (size_t i = 0; i < s->n_reference; i++)
		reference[i] = log(s->reference[i]);
	for (size_t i = 0; i < s->n_attempt; i++)
		attempt[i] = log(s->attempt[i]);
	w = welch_compare(reference, s->n_reference, attempt, s->n_attempt,
		e->test->direction == DIRECTION_LOWER ? BETTER_LOWER : BETTER_HIGHER);
	e->interval.low = w.interval90.low;
	e->interval.high = w.interval90.high;
}

static void take_seeds(struct goal_evidence *e, const struct assessment_seeds *s, struct arena *a)
{
	bool lower = e->test->direction == DIRECTION_LOWER;

	if (s->n_attempt > 1)
		e->value = mean_of(s->attempt, s->n_attempt);
	if (s->n_reference > 1)
		e->reference = mean_of(s->reference, s->n_reference);
	if (e->perplexity) {
		take_log_interval(e, s, a);
		return;
	}
	e->interval.low = lower ? -s->interval.high : s->interval.low;
	e->interval.high = lower ? -s->interval.low : s->interval.high;
}

double goal_unpaired_error(int64_t k_reference, int64_t k_attempt, int64_t n)
{
	double p = (double)k_reference / (double)n, q = (double)k_attempt / (double)n;

	return 100 * sqrt((p * (1 - p) + q * (1 - q)) / (double)n);
}

/* ---- one goal ---- */

struct asking {
	struct workspace *ws;
	struct run_comparison *c;
	const struct config_goal *goal;
	struct goal_measure *out;
	struct goal_evidence evidence;
	struct examples_gap examples;
	double error;			/* unpaired standard error; NaN */
	struct arena *a;
};

static int say(struct asking *k, const char *format, ...) ATTR_PRINTF(2, 3);
static int say(struct asking *k, const char *format, ...)
{
	struct buf b = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_vaddf(&b, format, args);
	va_end(args);
	k->out->text = text_sanitised(k->a, b.s);
	buf_release(&b);
	return 0;
}

static void measure_values(struct asking *k)
{
	const struct config_goal *g = k->goal;
	struct run_comparison *c = k->c;
	struct goal_evidence *e = &k->evidence;

	*e = (struct goal_evidence){
		.test = &g->test,
		.reference_is_target = g->test.form == FORM_THRESHOLD && !g->has_target,
		.strict = config_is_strict(&c->accepted.in_force.l3),
		.perplexity = goal_is_perplexity(g->unit),
		.match_margin = g->test.form == FORM_THRESHOLD ? g->test.margin
			: g->has_tolerance ? g->tolerance : 0,
		.value = value_of(c->attempt.series, g),
		.reference = k->out->reference ? value_of(c->reference.series, g) : NAN,
		.baseline = baseline_of(&c->attempt, g),
		.reference_baseline = k->out->reference ? baseline_of(&c->reference, g) : NAN,
		.interval = { NAN, NAN },
		.half_width = NAN,
	};
	k->error = NAN;
	if (k->out->reference && c->has_comparison) {
		run_comparison_assess(c);
		take_seeds(e, &c->assessment.seeds, k->a);
	}
}

/* A reference that does not repeat itself shows neither what it reaches nor what is like
 * it: only what is known without it stays. */
static void drop_what_cannot_gate(struct asking *k)
{
	struct goal_evidence *e = &k->evidence;

	if (!k->c->has_assessment || !k->c->assessment.self.cannot_gate)
		return;
	e->reference = e->reference_baseline = NAN;
	e->interval.low = e->interval.high = NAN;
	e->half_width = NAN;
}

static void add_what_cannot_gate(struct buf *b, const struct asking *k)
{
	const struct assessment_self *self = &k->c->assessment.self;
	int decimals = k->c->decimals < 0 ? 2 : k->c->decimals;

	if (!k->c->has_assessment || !self->cannot_gate)
		return;
	buf_addf(b,
		"; the reference cannot gate anything: two of its runs with seed %s are up to %.*f%s apart, more than the tolerance",
		self->seed, decimals, self->apart, k->goal->unit);
}

static void measure_resolution(struct asking *k)
{
	const struct goal_evidence *e = &k->evidence;
	int64_t n = k->goal->examples;

	if (n <= 0 || isnan(e->value) || isnan(e->reference) ||
		k->c->assessment.seeds.n_attempt > 1 || k->c->assessment.seeds.n_reference > 1)
		return;
	k->examples = examples_gap(e->reference, e->value, 2, n);
	if (k->examples.state != EXAMPLES_EXACT && k->examples.state != EXAMPLES_AMBIGUOUS)
		return;
	k->error = goal_unpaired_error(k->examples.k_reference, k->examples.k_attempt, n);
	k->evidence.half_width = 1.96 * k->error;
}

static void add_gap(struct buf *b, const struct asking *k)
{
	const struct goal_evidence *e = &k->evidence;
	double gap = goal_evidence_gap(e), sign = e->test->direction == DIRECTION_LOWER ? -1 : 1;
	int64_t examples = k->examples.examples;

	if (isnan(gap))
		return;
	if (e->perplexity)
		buf_addf(b, ", gap %+.5f nats a token, %+.2f %%", sign * gap,
			goal_log_percent(sign * gap));
	else
		buf_addf(b, ", gap %+.*f%s", k->c->decimals < 0 ? 2 : k->c->decimals, sign * gap,
			k->goal->unit);
	if (!isnan(k->error))
		buf_addf(b, ", %lld of %lld examples, unpaired SE %.2f pp, z %.2f",
			(long long)(examples < 0 ? -examples : examples),
			(long long)k->goal->examples, k->error, fabs(gap) / k->error);
	if (!isnan(e->interval.low) && !isnan(e->interval.high))
		buf_addf(b, ", interval of the gap %+.4g to %+.4g (below 0 is worse)",
			e->interval.low, e->interval.high);
}

static void add_side(struct buf *b, const struct asking *k, double value, size_t seeds)
{
	if (isnan(value)) {
		buf_adds(b, "no finite value");
		return;
	}
	buf_addf(b, "%.*f", k->c->decimals < 0 ? 2 : k->c->decimals, value);
	if (seeds > 1)
		buf_addf(b, " (mean of %zu seeds)", seeds);
}

static void say_figures(struct asking *k)
{
	const struct config_goal *g = k->goal;
	struct buf b = BUF_INIT;

	buf_addf(&b, "%s ", g->metric);
	add_side(&b, k, k->evidence.value, k->c->assessment.seeds.n_attempt);
	if (k->out->reference) {
		buf_adds(&b, ", reference ");
		add_side(&b, k, k->evidence.reference, k->c->assessment.seeds.n_reference);
	} else {
		buf_adds(&b, ", no full run of the reference");
	}
	add_gap(&b, k);
	if (k->evidence.strict)
		buf_adds(&b, ", judged strictly");
	if (k->c->has_comparison)
		comparable_add_conditions(&b, &k->c->comparable);
	add_what_cannot_gate(&b, k);
	(void)say(k, "%s", b.s);
	buf_release(&b);
}

/* A stand-in can miss a goal; that it reaches one proves nothing. */
static void hold_back(struct asking *k)
{
	if (k->out->run->simulates == TARGET_NONE || k->out->facts.holds != TRUTH_TRUE)
		return;
	k->out->facts.holds = TRUTH_UNKNOWN;
	(void)say(k, "%s; but the target only simulates", k->out->text);
}

static bool gather_evidence(struct asking *k)
{
	struct digest *list = arena_alloc(k->a, EVIDENCE_MAX * sizeof *list);
	bool whole;

	k->out->evidence = list;
	whole = goal_evidence_of(
		list, &k->out->evidence_n, EVIDENCE_MAX, k->ws, &k->c->attempt, k->a);
	if (whole && k->out->reference)
		whole = goal_evidence_of(list, &k->out->evidence_n, EVIDENCE_MAX, k->ws,
			&k->c->reference, k->a);
	return whole;
}

static bool is_obstacle(const struct run_comparison *c)
{
	return c->has_comparison && c->comparable.overall == COMPARABLE_NO &&
		c->comparable.first_obstacle;
}

/* Everything is unknown until the end of this. */
static int ask(struct asking *k)
{
	struct run_comparison *c = k->c;
	const struct run_state *run = c->attempt.run;
	const struct comparable_item *item = c->comparable.first_obstacle;

	if (run->provenance == PROVENANCE_CLAIMED)
		return say(k, "run %s was told by its author; nothing was seen", run->id);
	if (!shows_its_end(run))
		return say(k, "run %s did not end by itself: %s", run->id,
			word_name(&words_run_state, (int)run->state));
	if (!c->attempt.series || strcmp(c->goal, k->goal->name) != 0)
		return say(k, "run %s does not log %s", run->id, k->goal->series);
	if (c->has_reference && shows_its_end(c->reference.run) && c->reference.series)
		k->out->reference = c->reference.run;
	if (c->is_unaligned)
		return say(k, "not measured: %s", c->missing);
	if (is_obstacle(c))
		return say(k, "not comparable: %s: %s", item->name, item->make_equal);
	if (!gather_evidence(k))
		return say(k, "a curve file of run %s is not as it is on record", run->id);
	measure_values(k);
	measure_resolution(k);
	k->out->value = k->evidence.value;
	k->out->reference_value = k->evidence.reference;
	say_figures(k);
	drop_what_cannot_gate(k);
	k->out->facts = goal_facts_of(&k->evidence);
	hold_back(k);
	/* As long as nobody knows of L2; the fold decides with what is known then. */
	k->out->result = goal_verdict(&k->out->facts, CHECK_UNKNOWN, false).level;
	return 0;
}

/* Runs are the comparison's own: they are looked up again for who asked. */
static int keep_runs(struct goal_measure *out, struct workspace *ws, struct arena *a)
{
	struct run_state *run;
	int rc = state_run(ws, out->run->id, NULL, a, &run);

	if (rc < 0)
		return rc;
	out->run = run;
	if (!out->reference)
		return 0;
	rc = state_run(ws, out->reference->id, NULL, a, &run);
	out->reference = run;
	return rc;
}

/* What stopped the comparison is the answer of this goal, and stops no other one. */
static int keep_reason(struct asking *k, const struct goal_request *r)
{
	const char *why = arena_strdup(k->a, err_text());
	const struct run_state *run;
	struct run_state **runs;
	size_t n;
	int rc;

	err_clear();
	if ((rc = state_runs(&runs, &n, k->ws, r->attempt, NULL, k->a)) < 0)
		return rc;
	run = run_comparison_best(runs, n, RUN_KIND_NONE, r->configuration, "");
	if (!run || !run_status_ended(run->state) || run->kind == RUN_KIND_SMOKE)
		return 0;
	k->out->run = run;
	return say(k, "not measured: %s", why);
}

int goal_measure(struct goal_measure *out, struct workspace *ws, const struct goal_request *r,
	struct arena *a)
{
	struct comparison_request q = { .attempt_run = r->attempt,
		.configuration = r->configuration,
		.goal = r->goal,
		.cancel = r->cancel };
	struct asking k = { .ws = ws, .out = out, .a = a };
	int rc = run_comparison_make(&k.c, ws, &q);

	*out = (struct goal_measure){ .result = CHECK_UNKNOWN, .text = "", .value = NAN,
		.reference_value = NAN,
		.facts = { TRUTH_UNKNOWN, TRUTH_UNKNOWN, TRUTH_UNKNOWN, false, false } };
	if (rc < 0)
		return rc == ERR_CANCELLED ? rc : keep_reason(&k, r);
	k.goal = config_goal_find(&k.c->accepted.in_force, r->goal);
	if (k.goal && k.c->attempt.run && run_status_ended(k.c->attempt.run->state) &&
		k.c->attempt.run->kind != RUN_KIND_SMOKE) {
		out->run = k.c->attempt.run;
		rc = ask(&k);
	}
	if (rc == 0 && out->run)
		rc = keep_runs(out, ws, a);
	run_comparison_free(k.c);
	return rc;
}
