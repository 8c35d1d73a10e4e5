/* compare_several - several runs beside the reference, and each beside the one before
 * it; see compare.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/compare.h"

static const struct report_column columns[] = {
	{ .name = "letter", .title = "", .type = REPORT_TEXT },
	{ .name = "name", .title = "run", .type = REPORT_TEXT, .min_width = 16 },
	{ .name = "run", .title = NULL, .type = REPORT_TEXT },
	{ .name = "value", .title = "last", .type = REPORT_DOUBLE },
	{ .name = "at", .title = "at step", .type = REPORT_ID },
	{ .name = "ends", .title = "run ends", .type = REPORT_ID },
	{ .name = "difference", .title = "d to R", .type = REPORT_DOUBLE },
	{ .name = "worse", .title = "worse", .type = REPORT_TEXT },
	{ .name = "matched", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "inside", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "points", .title = "inside", .type = REPORT_TEXT },
	{ .name = "leaves", .title = "leaves", .type = REPORT_TEXT },
	{ .name = "verdict", .title = "verdict", .type = REPORT_TEXT, .min_width = 16 },
	{ .name = "conclusion", .title = NULL, .type = REPORT_TEXT },
	{ .name = "before", .title = "d before", .type = REPORT_DOUBLE },
	{ .name = "verdict_before", .title = "to the one before", .type = REPORT_TEXT,
		.min_width = 12 },
	{ .name = "kind", .title = NULL, .type = REPORT_TEXT },
	{ .name = "seed", .title = NULL, .type = REPORT_TEXT },
};

static void put_number(struct report_table *t, const char *name, double v)
{
	if (isfinite(v))
		report_double(t, name, v);
	else
		report_unknown(t, name);
}

/* Where the last matched point is in its own run, and where that run ends: two that end
 * elsewhere do not look alike. */
static void put_steps(struct report_table *t, const struct series *s, size_t point)
{
	size_t *current = NULL, n;

	if (s->axis != AXIS_STEP)
		return;
	if (point < s->n)
		report_integer(t, "at", s->x[point]);
	n = series_current(s, SEGMENT_LATEST_WINS, &current);
	if (n)
		report_integer(t, "ends", s->x[current[n - 1]]);
	free(current);
}

static void put_run_words(struct report_table *t, const struct run_state *r)
{
	const char *kind = word_name(&words_run_kind, (int)r->kind);

	report_text(t, "kind", *kind ? kind : NULL);
	report_text(t, "seed", *r->seed ? r->seed : NULL);
}

static struct align_pair last_pair(const struct comparison *d)
{
	if (d->alignment.n)
		return align_pair_at(&d->alignment, d->alignment.n - 1);
	return (struct align_pair){ .reference_point = SIZE_MAX, .attempt_point = SIZE_MAX };
}

static void put_reference(struct report_table *t, const struct run_comparison *c)
{
	report_row(t);
	report_text(t, "letter", "R");
	report_text(t, "name", c->reference.name);
	report_text(t, "run", c->reference.run->id);
	put_run_words(t, c->reference.run);
	if (!c->has_comparison)
		return;
	put_number(t, "value", c->comparison.final_reference * c->scale);
	put_steps(t, c->reference.series, last_pair(&c->comparison).reference_point);
}

/* Where it goes out and stays out, as an interval. */
static void put_leaves(struct report_table *t, const struct comparison *d)
{
	struct buf b = BUF_INIT;

	if (d->onset.n && d->onset.has_agreeing) {
		compare_add_x(&b, d, d->onset.agreeing_key, d->onset.agreeing_x);
		buf_adds(&b, " to ");
	}
	if (d->onset.n)
		compare_add_x(&b, d, d->onset.disagreeing_key, d->onset.disagreeing_x);
	report_text(t, "leaves", b.n ? b.s : NULL);
	buf_release(&b);
}

/* As short as a cell is; how few points it rests on is a note. */
static void put_verdict(struct report_table *t, const char *name, const struct run_comparison *c)
{
	struct buf b = BUF_INIT;

	if (c->comparable.overall == COMPARABLE_NO) {
		report_textf(t, name, "not comparable: %s", c->comparable.first_obstacle->name);
		return;
	}
	compare_add_verdict_cell(&b, &c->comparison);
	comparable_add_conditions(&b, &c->comparable);
	report_text(t, name, b.s);
	buf_release(&b);
}

/* What a cell of a verdict has no room for. */
static void note_run(struct call *c, const struct run_comparison *pair, char letter)
{
	const struct comparison *d = &pair->comparison;

	if (pair->has_comparison && pair->comparable.overall == COMPARABLE_NO)
		report_note(c->table, "%c: %s", letter, pair->verdict);
	else if (pair->has_comparison && d->alignment.n && compare_is_few(d))
		report_note(c->table, "%c: %zu matched point%s, too few to say how the curves run",
			letter, d->alignment.n, d->alignment.n == 1 ? "" : "s");
	if (pair->has_comparison && d->n_nonfinite_equal) {
		struct buf b = BUF_INIT;

		compare_add_alike_without_number(&b, d, "", "");
		report_note(c->table, "%c: %s", letter, b.s);
		buf_release(&b);
	}
}

static void put_run(struct report_table *t, const struct run_comparison *c, char letter)
{
	const struct comparison *d = &c->comparison;

	report_row(t);
	report_textf(t, "letter", "%c", letter);
	report_text(t, "name", c->attempt.name);
	report_text(t, "run", c->attempt.run->id);
	put_run_words(t, c->attempt.run);
	if (!c->has_comparison) {
		report_text(t, "verdict", c->missing);
		return;
	}
	put_number(t, "value", d->final_attempt * c->scale);
	put_steps(t, c->attempt.series, last_pair(d).attempt_point);
	put_number(t, "difference", d->final * c->scale);
	report_text(t, "worse",
		d->worse == SIDE_ATTEMPT ? "yes" : d->worse == SIDE_REFERENCE ? "no" : NULL);
	report_integer(t, "matched", (int64_t)d->alignment.n);
	report_integer(t, "inside", (int64_t)d->n_inside);
	report_textf(t, "points", "%zu/%zu", d->n_inside, d->alignment.n);
	put_leaves(t, d);
	put_verdict(t, "verdict", c);
	report_text(t, "conclusion", seed_word_name(c->assessment.word));
}

struct several {
	struct comparison_request request;
	const char *reference;		/* of all rows; NULL until the first was opened */
	const char *before;		/* run of the row before */
	int64_t shift_before;		/* its shift, in steps */
	const char *metric;
	struct run_comparison **pairs;	/* all of them */
	size_t n, cap;
};

/* The last row again, beside the run of the row before it.  Only the attempt of a
 * pair is shifted, so it gets what it is shifted by more than that run. */
static int put_before(struct call *c, const struct several *s)
{
	struct comparison_request r = s->request;
	struct run_comparison *pair;
	int rc;

	r.reference_run = s->before;
	r.may_be_itself = true;
	if (__builtin_sub_overflow(r.align.shift, s->shift_before, &r.align.shift))
		return err_set(ERR_USAGE, "--shift: two rows are too many steps apart");
	if ((rc = run_comparison_make(&pair, c->workspace, &r)) < 0)
		return rc;
	if (pair->has_comparison) {
		put_number(c->table, "before", pair->comparison.final * pair->scale);
		put_verdict(c->table, "verdict_before", pair);
	} else {
		report_text(c->table, "verdict_before", pair->missing);
	}
	run_comparison_free(pair);
	return 0;
}

/* All rows are of one kind, which nobody may have asked for. */
static void add_kind_note(struct call *c, const struct run_comparison *first)
{
	const char *kind = word_name(&words_run_kind, (int)first->attempt.run->kind);
	const char *why = run_comparison_kind_note(first);

	if (*kind)
		report_note(c->table, "%s runs%s%s, each with the seed in its name", kind,
			why ? ", since " : "", why ? why : "");
	else
		report_note(c->table, "of what kind the run of A is, is not on record: the others may be of any");
}

/* What holds for all rows. */
static void add_notes(struct call *c, const struct run_comparison *first)
{
	struct buf b = BUF_INIT;

	report_note(c->table, "%s%s%s; R is the reference, not truth; last and d = A - R are those of the last matched point",
		text_sanitised(c->arena, first->metric), *first->unit ? " in " : "", first->unit);
	add_kind_note(c, first);
	if (!first->has_comparison)
		return;
	buf_adds(&b, "tolerance: ");
	compare_add_tolerance(&b, &first->comparison);
	report_note(c->table, "%s", b.s);
	buf_clear(&b);
	buf_adds(&b, "alignment of A: ");
	compare_add_alignment(&b, &first->comparison);
	report_note(c->table, "%s", b.s);
	buf_release(&b);
}

static int add_one(struct call *c, struct several *s, size_t i)
{
	struct comparison_request *q = &s->request;
	const char *shift = call_text_at(c, "--shift", i);
	struct run_comparison *pair;
	int rc;

	q->attempt_run = i ? call_text_at(c, "--with", i - 1) : call_text(c, "attempt");
	q->align.shift = 0;
	if (shift && !text_to_i64(shift, strlen(shift), &q->align.shift))
		return err_set(ERR_USAGE, "--shift: \"%s\" is no number of steps", shift);
	q->reference_run = s->reference ? s->reference : q->reference_run;
	if ((rc = run_comparison_make(&pair, c->workspace, q)) < 0)
		return rc;
	run_comparison_assess(pair);
	c->no = c->no || !run_comparison_is_yes(pair);
	if (!i) {
		add_notes(c, pair);
		q->kind = pair->attempt.run->kind;
		q->metric = s->metric = arena_strdup(c->arena, pair->metric);
		if (pair->has_reference) {
			put_reference(c->table, pair);
			s->reference = arena_strdup(c->arena, pair->reference.run->id);
		}
	}
	put_run(c->table, pair, (char)('A' + i));
	note_run(c, pair, (char)('A' + i));
	if (s->before)
		rc = put_before(c, s);
	s->shift_before = q->align.shift;
	s->before = arena_strdup(c->arena, pair->attempt.run->id);
	ARRAY_GROW(s->pairs, s->n, s->cap);
	s->pairs[s->n++] = pair;
	return rc;
}

/* The comparison of A with the other runs beside it. */
static void export_several(
	struct call *c, struct export_comparison *out, const struct several *s)
{
	struct export_further *further = arena_alloc(c->arena, s->n * sizeof *further);

	run_comparison_export(out, s->pairs[0]);
	for (size_t i = 1; i < s->n; i++) {
		const struct run_comparison *p = s->pairs[i];

		further[i - 1] = (struct export_further){ .letter = (char)('A' + i),
			.name = p->attempt.name, .run = p->attempt.run->id,
			.series = p->attempt.series,
			.comparison = p->has_comparison ? &p->comparison : NULL,
			.comparable = p->has_comparison ? &p->comparable : NULL,
			.missing = p->missing };
	}
	out->further = further;
	out->n_further = s->n - 1;
}

/* The columns or the chart in place of the table, and files of them. */
static int write_several(struct call *c, const struct several *s)
{
	const char *format = call_text(c, "--as"), *delta = call_text(c, "--delta"), *path;
	int64_t rows = call_integer(c, "--rows", 12);
	struct export_comparison e;

	if (!format && !delta && !call_text(c, "--rows") && !call_text(c, "--write"))
		return 0;
	if (!s->pairs[0]->has_comparison)
		return err_set(ERR_STATE, "A is not paired with the reference, so there are no rows: %s",
			s->pairs[0]->missing);
	export_several(c, &e, s);
	if (delta && !delta_mode_from_word(&e.delta, delta))
		return err_set(ERR_USAGE,
			"--delta: \"%s\" is none of: difference absolute relative ratio log2 sigma", delta);
	if ((format || delta || call_text(c, "--rows")) && !c->wants_json && !c->wants_csv) {
		c->table = NULL;
		run_comparison_add_as(&c->text, s->pairs[0], &e, format,
			rows < 0 ? 0 : (size_t)rows);
	}
	for (size_t i = 0; (path = call_text_at(c, "--write", i)) != NULL; i++) {
		int rc = run_comparison_write_as(s->pairs[0], &e, path);

		if (rc < 0)
			return rc;
		c->message = arena_printf(c->arena, "%s%swritten: %s", c->message ? c->message : "",
			c->message ? "; " : "", path);
	}
	return 0;
}

int compare_several(struct call *c)
{
	struct several s = { .reference = NULL };
	int rc;

	if ((rc = compare_request(&s.request, c)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "comparisons", columns, ARRAY_LEN(columns));
	for (size_t i = 0; rc == 0 && (!i || call_text_at(c, "--with", i - 1)); i++) {
		call_report(c, "comparing", (int64_t)i, 0);
		rc = i < 'Q' - 'A'
			? add_one(c, &s, i)
			: err_set(ERR_USAGE, "at most %d runs in one table", 'Q' - 'A');
	}
	if (rc == 0)
		rc = write_several(c, &s);
	for (size_t i = 0; i < s.n; i++)
		run_comparison_free(s.pairs[i]);
	free(s.pairs);
	return rc;
}
