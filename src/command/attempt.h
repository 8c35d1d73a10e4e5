/*
 * attempt - attempts as rows: what was expected, claimed, measured, changed.
 *
 * The same rows feed `attempt list`, `status`, the first view and reports.
 */
#ifndef PORTSIDE_COMMAND_ATTEMPT_H
#define PORTSIDE_COMMAND_ATTEMPT_H

#include "command/operation.h"
#include "domain/object.h"
#include "workspace/changes.h"

struct attempt_row {
	const struct attempt_state *state;
	struct attempt_changes changes;		/* unknown until asked for */
};

struct attempt_rows {
	struct attempt_row *rows;		/* by number, the reference left out */
	size_t n;
	const struct migration_state *migration;
	/* that anything was said or measured about, the intended one first */
	const char **configurations;
	size_t n_configurations;
	const char *intended;			/* "" when none */
	bool all;				/* false: ATTEMPTS_NEWEST left older ones out */
};

enum {
	ATTEMPTS_CHANGES = 1,		/* compute what is not cached */
	ATTEMPTS_CHANGES_CACHED = 2,	/* only what the cache has */
	ATTEMPTS_NEWEST = 4,		/* at most ATTEMPTS_PAGE of them: for a first frame */
};
enum { ATTEMPTS_PAGE = 100 };

/*
 * Takes in what the repository has new, as the screen does all the time: tags,
 * branches and trailers become attempts, and runs that have ended are on record.  Cheap
 * when no reference has moved and nothing lives.
 * Returns 1 when the repository cannot be read: what is on record is shown all the
 * same, and NOTE says why, as it does of a shallow clone; "" says nothing.
 */
int attempt_look(const char **note, struct workspace *ws, const struct position *at,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* Attempts as of AT.  Everything in A. */
int attempt_rows_read(struct attempt_rows *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* "L3", "L3@v5e-4", "none", "-": cells of lists.  CONFIGURATION NULL: all of them. */
void attempt_add_expected(
	struct buf *out, const struct attempt_state *s, const char *configuration);
void attempt_add_claimed(struct buf *out, const struct attempt_state *s, const char *configuration);
/* "L0, above not checked @v5e-1 @v5e-4; none @gpu"; "-" when nothing was measured there. */
void attempt_add_measured(
	struct buf *out, const struct attempt_state *s, const char *configuration);
/* The same as "L0, above ?", for cells. */
void attempt_add_measured_briefly(
	struct buf *out, const struct attempt_state *s, const char *configuration);
/* What "above ?" and "L2 refuted" mean, for the note below such cells. */
#define ATTEMPT_MEASURED_NOTE \
	"L0: it runs to its declared end; above ?: L2 to L4 were not checked, or could not be told"
/* "failure", "SILENT", "running", "-". */
const char *attempt_outcome_word(const struct attempt_state *s);
/* "C3 / device": yours beside the agent's; "?" behind a tool's. */
void attempt_add_cause(struct buf *out, const struct attempt_state *s);
/* True when something contradicts: an over-claim, labels that disagree. */
bool attempt_contradicts(const struct attempt_state *s);
/* "2f +41-6", "env only", "?". */
void attempt_add_changes(
	struct buf *out, const struct attempt_state *s, const struct change_totals *t);

/* The cost of its runs that ended as a cell of money: "$0.31", "$0.31+?" where one has
 * no known cost, "?" where none has, nothing where none ended. */
void attempt_put_cost(struct report_table *t, const char *name, const struct attempt_state *s);
/* Below a table with such cells: what the "?" of WITHOUT runs means; nothing for 0. */
void attempt_note_costs(struct report_table *t, int64_t without);

#endif
