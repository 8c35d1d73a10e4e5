/*
 * import - attaches logs and curve files that were made elsewhere.
 *
 * The files become a run with provenance "imported" of the reference or an
 * attempt: copied into runs/RUN-ID/artifacts (a log as runs/RUN-ID/log), with
 * their digests as evidence and who brought them.  Importing the same files for
 * the same subject again changes nothing.  One unreadable file never fails the
 * whole: it is listed with its reason.
 *
 * Nobody here saw how such a run ended: it reads "lost" with that reason, which
 * confirms and refutes nothing.
 */
#ifndef PORTSIDE_WORKSPACE_IMPORT_H
#define PORTSIDE_WORKSPACE_IMPORT_H

#include <stddef.h>

#include "domain/vocabulary.h"
#include "workspace/workspace.h"

struct import_request {
	const char *subject;		/* attempt or "reference" */
	const char *const *paths;	/* files and folders, NULL ends */
	enum run_kind kind;		/* RUN_KIND_NONE: nobody says */
	const char *target;		/* configuration that it ran on; NULL: "elsewhere" */
	const char *seed, *commit;	/* NULL: unknown */
};

struct imported_file {
	const char *name;		/* relative */
	const char *format;		/* title, "log" */
	const char *left;		/* why it was left; NULL: taken */
	int64_t size;
};

struct imported {
	const char *run;		/* NULL: nothing was taken */
	bool already;			/* the same import was there */
	struct imported_file *files;
	size_t n, taken;
};

int import_files(struct imported *out, struct workspace *ws, const struct import_request *r,
	struct arena *a) ATTR_MUST_USE;

#endif
