/* comparable - one table of facts that two runs must share before a verdict. */
#include "config.h"

#include "curve/comparable.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "curve/align.h"
#include "curve/series_role.h"

#define COVERAGE_MIN 0.8

enum fact_type { FACT_NUMBER, FACT_TEXT, FACT_LEARNING_RATE, FACT_COVERAGE };

struct fact_rule {
	const char *name;
	enum fact_type type;
	size_t offset;		/* in struct run_facts */
	bool blocks, required;
	const char *make_equal;
};

#define NUMBER(member) FACT_NUMBER, offsetof(struct run_facts, member)
#define TEXT(member) FACT_TEXT, offsetof(struct run_facts, member)

/* Precision comes last: it is looked at when all that could explain a gap
 * more simply is equal.  A device differs in every migration. */
static const struct fact_rule rules[] = {
	{ "device", TEXT(device), false, false, "" },
	{ "packages", TEXT(packages), false, false,
	  "name each package that differs and why it may" },
	{ "environment", TEXT(environment), true, false,
	  "set the same variables that change arithmetic, or declare the difference" },
	{ "data", TEXT(data), true, true, "use one data set revision in one order" },
	{ "tokenizer", TEXT(tokenizer), true, false, "use one tokenizer" },
	{ "weights", TEXT(weights), true, false, "start both runs from one checkpoint" },
	{ "parameters", NUMBER(parameters), true, false,
	  "train the same parameters; look for frozen or untied ones" },
	{ "teacher", TEXT(teacher), true, false, "use one teacher model" },
	{ "lr", FACT_LEARNING_RATE, 0, true, true, "give both runs the same schedule" },
	{ "optimizer", TEXT(optimizer), true, false, "use one optimizer with the same arguments" },
	{ "batch", NUMBER(batch), true, true,
	  "make per-device batch x devices x accumulation equal" },
	{ "steps", NUMBER(steps), true, true, "run both for the same number of optimizer steps" },
	{ "steps-per-epoch", NUMBER(steps_per_epoch), true, false,
	  "the batch or device count changed: set it back, or compare by epoch" },
	{ "warm-up", NUMBER(warmup_steps), true, false, "use the same warm-up" },
	{ "clipping", NUMBER(clipping), true, false, "clip gradients at the same norm" },
	{ "dropout", NUMBER(dropout), true, false, "use the same dropout" },
	{ "seed", TEXT(seed), true, true, "run both with one seed, or declare the difference" },
	{ "evaluation", TEXT(evaluation), true, false,
	  "evaluate both with one metric and one code" },
	{ "examples", NUMBER(eval_examples), true, true,
	  "evaluate on the same examples; a padded last batch adds some" },
	{ "checkpoint", TEXT(checkpoint), true, false,
	  "report the best, or the last, on both sides" },
	{ "coverage", FACT_COVERAGE, 0, true, false,
	  "compare where both have points, or declare an early stop" },
	{ "window", NUMBER(averaging_window), false, false,
	  "align in window mode: the rows are means over different distances" },
	{ "first-step", NUMBER(first_step), false, false,
	  "see whether a step is logged before or after its update; a shift aligns them" },
	{ "resolution", NUMBER(resolution), false, false,
	  "the coarser log decides: no difference under its grid can be seen" },
	{ "nan-filter", TEXT(nan_filter), false, false, "switch the NaN filter off on both sides" },
	{ "precision", TEXT(precision), true, false,
	  "use one precision, or declare it before the runs" },
};

static const struct {
	const char *name, *mark;
} statuses[] = {
	[COMPARABLE_EQUAL] = { "equal", "=" },
	[COMPARABLE_DIFFERS] = { "differs", "DIFFERS" },
	[COMPARABLE_UNKNOWN] = { "unknown", "?" },
	[COMPARABLE_DECLARED] = { "declared", "declared" },
	[COMPARABLE_NOT_APPLICABLE] = { "not applicable", "n/a" },
};

const char *comparable_status_name(enum comparable_status s)
{
	return statuses[s].name;
}

const char *comparable_status_mark(enum comparable_status s)
{
	return statuses[s].mark;
}

const char *comparable_overall_name(enum comparable_overall o)
{
	switch (o) {
	case COMPARABLE_YES:
		return "comparable";
	case COMPARABLE_NO:
		return "not comparable";
	case COMPARABLE_OPEN:
		break;
	}
	return "unknown";
}

static const void *fact_at(const struct run_facts *f, size_t offset)
{
	return (const char *)f + offset;
}

static const char *number_text(struct arena *a, double v)
{
	char text[TEXT_DOUBLE_MAX];

	if (isnan(v))
		return "";
	text_from_double(text, v);
	return arena_strdup(a, text);
}

static void check_number(struct comparable_item *item, struct arena *a, double r, double t)
{
	item->reference = number_text(a, r);
	item->attempt = number_text(a, t);
	if (isnan(r) || isnan(t))
		item->status = COMPARABLE_UNKNOWN;
	else
		item->status = r < t || r > t ? COMPARABLE_DIFFERS : COMPARABLE_EQUAL;
}

/* Steps per epoch are computed by division: 2 % apart are the same. */
static void check_steps_per_epoch(struct comparable_item *item, double r, double t)
{
	if (item->status == COMPARABLE_DIFFERS && fabs(r - t) <= 0.02 * fmax(fabs(r), fabs(t)))
		item->status = COMPARABLE_EQUAL;
}

static void check_text(struct comparable_item *item, struct arena *a, const char *r, const char *t)
{
	item->reference = text_sanitised(a, r);
	item->attempt = text_sanitised(a, t);
	if (!r || !t)
		item->status = COMPARABLE_UNKNOWN;
	else if (!*r && !*t)
		item->status = COMPARABLE_NOT_APPLICABLE;
	else
		item->status = strcmp(r, t) ? COMPARABLE_DIFFERS : COMPARABLE_EQUAL;
}

static const struct series *find_learning_rate(const struct run_series *run)
{
	for (size_t i = 0; run && i < run->n; i++) {
		const struct series *s = run->series[i];

		if (s->axis == AXIS_STEP && s->n && series_is_learning_rate(s->name))
			return s;
	}
	return NULL;
}

void comparable_learning_rate(struct learning_rate_check *out, const struct run_series *reference,
		const struct run_series *attempt)
{
	const struct series *r = find_learning_rate(reference), *a = find_learning_rate(attempt);
	struct align_options exact = { .mode = ALIGN_EXACT };
	struct alignment al;
	struct align_pair first;

	*out = (struct learning_rate_check){ .reference = NAN, .attempt = NAN };
	if (!r || !a || align_series(&al, r, a, &exact) < 0)
		return;
	out->known = al.n > 0;
	out->n_common = al.n;
	out->n_different = align_differing(&al, &first);
	if (out->n_different) {
		out->first_step = first.key;
		out->reference = first.reference;
		out->attempt = first.attempt;
	}
	alignment_release(&al);
}

static const char *value_at(struct arena *a, double v, int64_t step)
{
	char text[TEXT_DOUBLE_MAX];

	if (isfinite(v))
		return arena_printf(a, "%.6g at %" PRId64, v, step);
	text_from_double(text, v);
	return arena_printf(a, "%s at %" PRId64, text, step);
}

static void check_learning_rate(struct comparable_item *item, struct arena *a,
		const struct comparable_input *in)
{
	struct learning_rate_check lr;

	comparable_learning_rate(&lr, in->reference_series, in->attempt_series);
	item->status = COMPARABLE_UNKNOWN;
	item->reference = item->attempt = "";
	if (!lr.known)
		return;
	item->status = lr.n_different ? COMPARABLE_DIFFERS : COMPARABLE_EQUAL;
	if (lr.n_different) {
		item->reference = value_at(a, lr.reference, lr.first_step);
		item->attempt = value_at(a, lr.attempt, lr.first_step);
		return;
	}
	item->reference = item->attempt = arena_printf(a, "equal at %zu steps", lr.n_common);
}

static void check_coverage(struct comparable *out, struct comparable_item *item, struct arena *a,
		const struct comparable_input *in)
{
	const struct series *r, *t;
	struct align_options exact = { .mode = ALIGN_EXACT };
	struct alignment al;

	item->status = COMPARABLE_UNKNOWN;
	item->reference = item->attempt = "";
	r = run_series_find(in->reference_series, in->metric, -1);
	t = run_series_find(in->attempt_series, in->metric, -1);
	if (!r || !t || align_series(&al, r, t, in->align ? in->align : &exact) < 0) {
		err_clear();	/* the comparison says so itself */
		return;
	}
	out->common_first = al.first_x;
	out->common_last = al.last_x;
	item->reference = arena_printf(a, "%zu of %zu points", al.n, al.n_reference);
	item->attempt =
		arena_printf(a, "%zu of %zu points, span %.3g", al.n, al.n_attempt, al.span);
	item->status = COMPARABLE_EQUAL;
	if (!(al.coverage >= COVERAGE_MIN))
		item->status = COMPARABLE_DIFFERS;
	else if (!(al.span >= COVERAGE_MIN))
		item->status = in->early_stop_declared ? COMPARABLE_DECLARED : COMPARABLE_DIFFERS;
	alignment_release(&al);
}

/* Shifted by less than a row, or by too many, the steps do not meet: no run has to be made
 * again for that. */
static const char *without_shift(struct arena *a, const struct comparable_input *in)
{
	const struct series *r = run_series_find(in->reference_series, in->metric, -1);
	double row = r ? align_series_cadence(r) : NAN;

	if (!(row > 0))
		return "too few steps meet with this shift: leave --shift out";
	return arena_printf(a,
		"too few steps meet with a shift of %+" PRId64
		": leave --shift out, or shift by whole rows (R has one every %.15g)",
		in->align->shift, row);
}

/* Why NAME differs on purpose; NULL when nobody said so. */
static const char *declared_reason(const struct comparable_input *in, const char *name)
{
	for (size_t i = 0; i < in->n_declared; i++)
		if (strcmp(in->declared[i].name, name) == 0)
			return in->declared[i].reason;
	return NULL;
}

static void check_rule(struct comparable *out, struct comparable_item *item,
	const struct fact_rule *rule, struct arena *a, const struct comparable_input *in)
{
	const void *r = fact_at(in->reference, rule->offset),
		   *t = fact_at(in->attempt, rule->offset);

	*item = (struct comparable_item){
		.name = rule->name, .blocks = rule->blocks, .required = rule->required
	};
	switch (rule->type) {
	case FACT_NUMBER:
		check_number(item, a, *(const double *)r, *(const double *)t);
		if (rule->offset == offsetof(struct run_facts, steps_per_epoch))
			check_steps_per_epoch(item, *(const double *)r, *(const double *)t);
		break;
	case FACT_TEXT:
		check_text(item, a, *(const char *const *)r, *(const char *const *)t);
		break;
	case FACT_LEARNING_RATE:
		check_learning_rate(item, a, in);
		break;
	case FACT_COVERAGE:
		check_coverage(out, item, a, in);
		break;
	}
	item->reason = "";
	if (item->status == COMPARABLE_DIFFERS && declared_reason(in, rule->name)) {
		item->status = COMPARABLE_DECLARED;
		item->reason = text_sanitised(a, declared_reason(in, rule->name));
	}
	item->make_equal = "";
	if (item->status == COMPARABLE_DIFFERS && rule->type == FACT_COVERAGE && in->align &&
		in->align->shift)
		item->make_equal = without_shift(a, in);
	else if (item->status == COMPARABLE_DIFFERS)
		item->make_equal = rule->make_equal;
	else if (item->status == COMPARABLE_UNKNOWN)
		item->make_equal = "not logged: log it in both runs";
}

static void count_item(struct comparable *c, const struct comparable_item *item)
{
	switch (item->status) {
	case COMPARABLE_EQUAL:
		c->n_equal++;
		break;
	case COMPARABLE_DIFFERS:
		c->n_differs++;
		if (!item->blocks)
			break;
		if (c->overall != COMPARABLE_NO)
			c->first_obstacle = item;
		c->overall = COMPARABLE_NO;
		break;
	case COMPARABLE_UNKNOWN:
		c->n_unknown++;
		if (item->required && c->overall == COMPARABLE_YES) {
			c->overall = COMPARABLE_OPEN;
			c->first_obstacle = item;
		}
		break;
	case COMPARABLE_DECLARED:
		c->n_declared++;
		break;
	case COMPARABLE_NOT_APPLICABLE:
		break;
	}
}

void comparable_check(struct comparable *out, struct arena *a, const struct comparable_input *in)
{
	*out = (struct comparable){
		.overall = COMPARABLE_YES, .common_first = NAN, .common_last = NAN
	};
	out->items = arena_alloc(a, ARRAY_LEN(rules) * sizeof *out->items);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		struct comparable_item *item = &out->items[out->n];

		if (rules[i].type == FACT_COVERAGE &&
			!(in->metric && in->reference_series && in->attempt_series))
			continue;
		check_rule(out, item, &rules[i], a, in);
		out->n++;
	}
	for (size_t i = 0; i < out->n; i++)
		count_item(out, &out->items[i]);
}

const struct comparable_item *comparable_find(const struct comparable *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->items[i].name, name) == 0)
			return &c->items[i];
	return NULL;
}

int comparable_item_rank(const struct comparable_item *item)
{
	switch (item->status) {
	case COMPARABLE_DIFFERS:
		return item->blocks ? 0 : 2;
	case COMPARABLE_UNKNOWN:
		return item->required ? 1 : -1;
	case COMPARABLE_DECLARED:
		return 2;
	case COMPARABLE_EQUAL:
		return item->blocks || item->required ? COMPARABLE_RANKS - 1 : -1;
	case COMPARABLE_NOT_APPLICABLE:
		break;
	}
	return item->required ? COMPARABLE_RANKS - 1 : -1;
}

/* Required items always; others when they are not simply equal. */
static bool worth_a_word(const struct comparable_item *item)
{
	return item->required || item->status != COMPARABLE_EQUAL;
}

void comparable_add_line(struct buf *out, const struct comparable *c)
{
	buf_addf(out, "%s:", comparable_overall_name(c->overall));
	comparable_add_items(out, c);
}

void comparable_add_items(struct buf *out, const struct comparable *c)
{
	for (int rank = 0; rank < COMPARABLE_RANKS; rank++)
		for (size_t i = 0; i < c->n; i++)
			if (comparable_item_rank(&c->items[i]) == rank &&
				worth_a_word(&c->items[i]))
				buf_addf(out, " %s %s ", c->items[i].name,
					statuses[c->items[i].status].mark);
	buf_trim_end(out);
}

void comparable_add_conditions(struct buf *out, const struct comparable *c)
{
	if (c->overall == COMPARABLE_OPEN && c->first_obstacle)
		buf_addf(out, " (if %s is equal, which is not known)", c->first_obstacle->name);
	for (size_t i = 0; i < c->n; i++)
		if (c->items[i].status == COMPARABLE_DECLARED && *c->items[i].reason)
			buf_addf(out, " (%s differs on purpose: %s)", c->items[i].name,
				c->items[i].reason);
}
