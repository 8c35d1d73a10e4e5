/*
 * export - a comparison as aligned columns: CSV, JSON, text.
 *
 * Every form states how the numbers were made: names, alignment and axis,
 * tolerance, verdict, comparability and warnings.  CSV keeps them in lines that
 * start with #; "tolerance" is that of "d", and where the rows also show d in another
 * unit, "relative" say, "relative_tolerance" is that in the same unit.  Steps are whole
 * numbers in every form, also over 2^53.  JSON has no NaN (strings).  The SVG picture of
 * the same struct is in report/svg.h.
 *
 * Further runs beside the same reference have a column, a difference and a sentence each.
 * A row is there for each x at which any of the runs is paired with the reference; the
 * cells of a run that is not paired there are empty ("-" in text).
 */
#ifndef PORTSIDE_CURVE_EXPORT_H
#define PORTSIDE_CURVE_EXPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "curve/assessment.h"
#include "curve/comparable.h"
#include "curve/compare.h"
#include "curve/provenance.h"
#include "curve/smooth.h"

enum { EXPORT_SCHEMA = 1 };

/* A further run beside the same reference. */
struct export_further {
	char letter;				/* 'B', ... */
	const char *name, *run;			/* "tpu-v5e seed 1" and its id */
	const struct series *series;
	const struct comparison *comparison;	/* NULL: it could not be paired with R */
	const struct comparable *comparable;	/* NULL: not checked, and said so */
	const char *missing;			/* then: why it was not paired; NULL: not said */
};

struct export_comparison {
	const char *title;			/* NULL: the metric */
	const char *metric;			/* name of the series */
	const char *unit;			/* "pp"; NULL: none */
	const char *reference_name, *attempt_name;	/* "gpu-l4 seed 1", "#7 v5e-4 seed 1" */
	bool against_attempt;			/* R is another attempt, no reference */
	const char *reference_run, *attempt_run;	/* ids; NULL: not said */
	/* "smoke", "full", "" for unknown, and the seed, "" likewise; NULL: not said */
	const char *reference_kind, *attempt_kind;
	const char *reference_seed, *attempt_seed;
	const char *kind_note;			/* why it is that kind; NULL: as was asked for */
	const char *reference_by, *attempt_by;	/* who brought an imported run; NULL: it was seen */
	const char *next;			/* the next useful step; NULL: none */
	/* of the reference's repeats against each other, as shown */
	double spread_low, spread_high;
	size_t spread_runs;			/* below 2: not known */
	const struct series *reference, *attempt;
	const struct comparison *comparison;
	const struct comparable *comparable;	/* NULL: not checked, and said so */
	const struct provenance_report *provenance;	/* NULL: none */
	const struct assessment *assessment;		/* NULL: not made */
	enum delta_mode delta;		/* how the rows show d, beside d itself */
	struct smooth_options smooth;		/* of the drawing, never of the numbers */
	const struct export_further *further;	/* besides A */
	size_t n_further;
};

void export_csv(struct buf *out, const struct export_comparison *e);
void export_json(struct buf *out, const struct export_comparison *e, bool indent);
/* LIMIT rows spread over all, with the first, the last and the first out; 0 for all. */
void export_text(struct buf *out, const struct export_comparison *e, size_t limit);

/* The rows alone, as export_text() has them below its sentences. */
void export_rows(struct buf *out, const struct export_comparison *e, size_t limit);

/* The sentences of the heading, one a call, until it returns false; empty where there is
 * nothing to say. */
bool export_statement(struct buf *out, const struct export_comparison *e, size_t i);
/* That of further run I alone; false beyond the last.  They are among those above. */
bool export_further_statement(struct buf *out, const struct export_comparison *e, size_t i);
/* Those beyond it: start, invariants, end, noise, seeds; empty where there is nothing
 * to say, none at all without an assessment. */
bool export_detail(struct buf *out, const struct export_comparison *e, size_t i);

#endif
