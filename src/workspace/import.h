/*
 * import - attaches logs and curve files that were made elsewhere.
 *
 * The files become a run with provenance "imported" of the reference or an
 * attempt: copied into runs/RUN-ID/artifacts (a log as runs/RUN-ID/log), with
 * their digests as evidence and who brought them.  Importing the same files for
 * the same subject again changes nothing.  One unreadable file never fails the
 * whole: it is listed with its reason.  What was taken is read once, from the
 * copies, so that each file has its health.
 *
 * A store of MLflow or trackio may hold several runs, and so may a folder of W&B;
 * its files are told apart by the id that each gives itself, so the sessions of a
 * run that was resumed stay together.  One of them is imported: the only one, or
 * the one that is named; else ERR_USAGE with the list, and nothing is recorded.  A
 * database is copied whole, with its log, and the run that was chosen stands in a
 * file beside the copy (curve/store_runs.h).  Of W&B only the files of that run are
 * taken, with what lies beside them.
 *
 * Evidence of a known format (evidence/evidence_format.h), recognised by its content, is
 * kept in a folder of its own (RUNDIR/evidence), apart from curves and the log, and
 * listed with what was read of it.  A log stays a log, and is evidence too.
 *
 * Predictions by example and evidence may also be added to a run that is there: many are
 * made after it, or beside it by another program.  Who brought them is on record and goes
 * with each fact, since nobody here saw where they come from.  Nothing else may be: the
 * log and the curves of a run are what was seen of it, and are not mixed with what
 * somebody says of it.  A file that is the run's own stays its own when it is brought.
 *
 * Nobody here saw how such a run ended: it reads "lost" with that reason, which
 * confirms and refutes nothing.
 */
#ifndef PORTSIDE_WORKSPACE_IMPORT_H
#define PORTSIDE_WORKSPACE_IMPORT_H

#include <stdatomic.h>
#include <stddef.h>

#include "curve/health.h"
#include "domain/vocabulary.h"
#include "workspace/workspace.h"

struct import_request {
	const char *subject;		/* attempt, "reference", or a run to add to */
	const char *const *paths;	/* files and folders, NULL ends */
	const char *run;		/* of several, by name or id; NULL: the only one */
	enum run_kind kind;		/* RUN_KIND_NONE: nobody says */
	enum run_label label;		/* NONE: nobody says, which is bring-up */
	const char *target;		/* configuration that it ran on; NULL: "elsewhere" */
	const char *seed;		/* a whole number; NULL: unknown */
	const char *commit;		/* any revision of the repository; NULL: unknown */
	const atomic_bool *cancel;	/* may be NULL */
};

struct imported_file {
	const char *name;		/* relative, sanitised */
	const char *format;		/* title, "log" */
	const char *left;		/* why it was left; NULL: taken */
	const char *said; /* a promise of its name, parts that are left; NULL: nothing */
	int64_t size;
	bool has_health;		/* it was read: */
	struct health health;
	int64_t series;
	const char *evidence;		/* "41 facts, ok": what was read as evidence; NULL: none */
	int64_t facts;
	bool has_instants;		/* its times can be compared with a clock */
	const char *trouble;		/* why it, or the rest of it, could not be read; NULL */
};

struct imported {
	const char *run;		/* NULL: nothing was taken */
	bool already;			/* the same import was there */
	bool added;			/* to a run that is there */
	struct imported_file *files;
	size_t n, taken;
	/* of portside.conf, not accepted yet: it read no line of these; NULL: none */
	const char *waiting_pattern;
	const char *unchecked;		/* why its checks were not recorded; NULL: they were */
};

int import_files(struct imported *out, struct workspace *ws, const struct import_request *r,
	struct arena *a) ATTR_MUST_USE;

#endif
