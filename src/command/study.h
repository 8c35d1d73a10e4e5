/*
 * study - many migrations side by side: the study's Table I and one's own.
 *
 * A row is text as it was printed, so that the study's own rows go out byte for
 * byte as they came in; an empty cell was not measured.  Migrations are read
 * from their logs and curves, each with its own handle, and never written to.
 *
 *	struct study_lines s;
 *
 *	if (study_lines_read(&s, &(struct study_request){ .with_study = true }, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < s.n; i++)
 *		puts(s.lines[i].row.cells[STUDY_PROJECT]);
 */
#ifndef PORTSIDE_COMMAND_STUDY_H
#define PORTSIDE_COMMAND_STUDY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "command/need.h"
#include "domain/study.h"

/* What the export adds to the columns of the study; each is "" when unknown. */
struct study_extra {
	/* at L3 or above: "yes" when a miss of the reference was inherited, else "no" */
	const char *inherited;
	const char *configuration;	/* that the level was measured on */
	/* k of the reference less k of the attempt, where each value has one k */
	const char *gap_examples;
	/* smallest step of the shown metric: one example, else the logs' last digit */
	const char *resolution;
	/* batch, steps and examples: "yes" all equal, "no" one differs */
	const char *workload_equivalent;
};

struct study_line {
	const char *directory;		/* "" for a row of the study */
	struct study_row row;
	const char *error;		/* why the migration could not be read; "" */
	struct study_extra extra;
	const char *attempt;		/* whose figures these are; "" */
	bool reference_misses;		/* the GPU run is below the paper's value */
	/* at L3 or above by what a person signed off alone; of a row of the study, when the
	 * GPU run misses the paper's value */
	bool inherited;
	bool simulated;			/* a stand-in ran, no accelerator */
	const struct need *needs;	/* what waits for a person there */
	size_t n_needs;
};

struct study_lines {
	struct study_line *lines;	/* the study's first */
	size_t n, n_study;
	struct study_totals totals;	/* of all rows that could be read */
	/* rows at L3 or L4; of them, those that inherited a miss of the reference */
	size_t at_goal, inherited;
};

struct study_request {
	const char *const *directories;
	size_t n;
	bool with_study;		/* the five rows of data/study/table1.csv */
	const atomic_bool *cancel;
};

/* A migration that cannot be read is a line with an error.  Everything in A. */
int study_lines_read(struct study_lines *out, const struct study_request *request,
	struct arena *a) ATTR_MUST_USE;

/* "L3 or above: 8 (5 + 3 inherited)", ...: the totals as sentences, one a line. */
void study_add_totals(struct buf *out, const struct study_lines *s);

/* What the short titles of the table mean, a sentence an element. */
#define STUDY_LEGEND \
	"paper, gpu, tpu: the goal's metric as published, of the reference, of the best attempt" \
	"; att: attempts; ff: fail-fast stops (alarms); hum: interventions of people", \
	"first, claim, meas: level of the first attempt, claimed last, measured best" \
	"; sil: silent failures; files, +, -: changed against the original", \
	"$, h: what the agent cost, and its hours of work; gpu min to tpu $: one full run" \
	"; -: not known or not told"

/* The marks of a row in words: "tpu, time, cost (simulated)". */
void study_add_footnotes(struct buf *out, const char *notes);

/* "*", "++", "~" for asterisk, double-dagger and simulated behind a cell; "" without a mark. */
const char *study_mark(
	const struct study_row *row, enum study_column c, bool ascii, struct arena *a);

#endif
