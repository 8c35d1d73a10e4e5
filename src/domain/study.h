/*
 * study - the rows of the study's Table I: read, written, and added up.
 *
 * Cells are kept as the text that was printed, so that a row goes out byte for
 * byte as it came in.  An empty cell is a dash in print: not measured.
 */
#ifndef PORTSIDE_DOMAIN_STUDY_H
#define PORTSIDE_DOMAIN_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

enum study_column {
	STUDY_N,
	STUDY_PROJECT,
	STUDY_REF,
	STUDY_CHALLENGE,
	STUDY_SUB_EXPERIMENT,
	STUDY_METRIC,
	STUDY_DIRECTION,
	STUDY_PAPER,
	STUDY_GPU,
	STUDY_TPU,
	STUDY_ATTEMPTS,
	STUDY_FF,
	STUDY_HUMAN,
	STUDY_HUMAN_PAREN,
	STUDY_LEVEL_FIRST,
	STUDY_LEVEL_CLAIMED,
	STUDY_LEVEL_MEASURED,
	STUDY_SILENT,
	STUDY_CHURN_FILES,
	STUDY_CHURN_ADDED,
	STUDY_CHURN_DELETED,
	STUDY_AGENT_USD,
	STUDY_AGENT_H,
	STUDY_TIME_GPU_MIN,
	STUDY_TIME_TPU_MIN,
	STUDY_COST_GPU_USD,
	STUDY_COST_TPU_USD,
	STUDY_FOOTNOTES,
	STUDY_COLUMNS,
};

extern const char *const study_column_names[STUDY_COLUMNS];

struct study_row {
	const char *cells[STUDY_COLUMNS];	/* never NULL; "" is a dash */
};

struct study {
	struct study_row *rows;
	size_t n;
};

/* Reads CSV text with the header line into A.  ERR_PARSE names line and column. */
int study_parse(struct study *out, struct arena *a, const char *s, size_t n) ATTR_MUST_USE;

void study_add_header(struct buf *out);
void study_add_row(struct buf *out, const struct study_row *row);

/* NaN for an empty cell or one that is no number. */
double study_number(const struct study_row *row, enum study_column c);

/* "column=mark" of the footnotes; "" when the column has none.  In A. */
const char *study_footnote(struct arena *a, const struct study_row *row, const char *column);

struct study_totals {
	size_t projects;
	int64_t attempts, fail_fast, interventions, silent;
	size_t claimed_equal, claimed_lower, claimed_higher, claimed_none;
	size_t at_level[5];		/* measured: none, L0, L2, L3, L4 */
	double agent_usd, agent_hours, agent_usd_median, agent_usd_low, agent_usd_high;
	double interventions_mean;	/* of the rows that have a number of them */
	double time_ratio_low, time_ratio_high;	/* TPU / GPU over rows that have both */
	double cost_ratio_low, cost_ratio_high;
};

/* Recomputed from the rows; NaN where no row has a value. */
struct study_totals study_totals(const struct study *s);

/* A migration as a row: unknown cells stay empty. */
struct migration_state;
void study_row_from_migration(
	struct study_row *out, struct arena *a, const struct migration_state *m, int n);

#endif
