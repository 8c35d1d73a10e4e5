/*
 * import_private - what the files import*.c share: the sources of one import.
 */
#ifndef PORTSIDE_WORKSPACE_IMPORT_PRIVATE_H
#define PORTSIDE_WORKSPACE_IMPORT_PRIVATE_H

#include "base/hash.h"
#include "curve/reader.h"
#include "curve/store_runs.h"
#include "evidence/evidence_format.h"
#include "workspace/import.h"

enum { IMPORT_DEPTH_MAX = 8, IMPORT_FILES_MAX = 4096 };

struct import_source {
	const char *path, *name;
	const char *stored;		/* below artifacts/; NULL: the run's log */
	const struct curve_format *format;
	struct digest digest;
	int64_t size;
	size_t listed;			/* number in imported.files */
	size_t beside;			/* a log beside this database; SIZE_MAX: none is meant */
	bool is_part;			/* of a folder that is one store */
	const char *run;		/* id of the W&B run that it is of; NULL: of none */
	bool is_evidence;		/* no curve and no log: a report, a list, settings */
};

/* A store that tells runs apart. */
struct import_store {
	const char *path, *name;
	const struct curve_format *format;
	size_t listed;
};

struct import_work {
	struct workspace *ws;
	struct arena *a;
	struct imported *out;
	const struct import_request *request;
	size_t cap_files;
	struct import_source *sources;
	size_t n, cap_sources;
	struct import_store *stores;
	size_t n_stores, cap_stores;
	struct store_runs runs;		/* of all of them; the path of a run is its store's */
	bool has_wandb_runs;		/* to choose from; they have no path */
	const char *chosen;		/* id of the run that was chosen; NULL: none */
	bool full;
};

void import_work_release(struct import_work *w);

/* Lists all that the paths name, recognised, and chooses the run that is meant. */
int import_gather(struct import_work *w) ATTR_MUST_USE;

/* What the file at PATH tells as evidence goes to row LISTED; the first format that is
 * recognised in *OUT, NULL: none, or it cannot be read. */
int import_look_for_evidence(const struct evidence_format **out, struct import_work *w,
	const char *path, const char *name, size_t listed) ATTR_MUST_USE;
/* Whether a file that has both is kept as evidence, and not as a curve or the run's log. */
bool import_is_evidence(const struct import_work *w, const struct import_source *s,
	const struct evidence_format *evidence);

/* A new row of the answer, by the sanitised name; its number. */
size_t import_list(struct import_work *w, const char *name);
void import_leave(struct import_work *w, size_t listed, const char *why);
/* As above with err_text(), in which PATH need not be named again; clears it. */
void import_leave_with_error(struct import_work *w, size_t listed, const char *path);
void import_take(struct import_work *w, size_t listed);
void import_add_source(struct import_work *w, const struct import_source *s);
/* True, and listed as left, when there is no room for more. */
bool import_is_full(struct import_work *w);
/* Why a file cannot be kept and recorded under its name; NULL: it can. */
const char *import_unfit_name(const char *name);

/* Whether PATH is a store whose runs could be listed: one of them will be chosen. */
bool import_add_store(struct import_work *w, const char *path, const char *name,
	const struct curve_format *format, size_t listed);
/* A folder that is one run. */
void import_take_folder(struct import_work *w, const struct import_store *store);
/* ERR_USAGE, ERR_NOT_FOUND with the list when several runs are there and none was named. */
int import_choose_run(struct import_work *w) ATTR_MUST_USE;

/* Copies the sources into the folder of RUN; after an error a new folder is gone. */
int import_copy(struct import_work *w, const char *run) ATTR_MUST_USE;

/* Records the copies as evidence of RUN. */
int import_keep(struct import_work *w, const char *run) ATTR_MUST_USE;

/* Copies the predictions and the evidence among the sources to RUN; leaves the others. */
int import_add_to(struct import_work *w, const char *run) ATTR_MUST_USE;

/* Decides where each source is kept. */
void import_choose_names(struct import_work *w);

/* Reads what RUN holds now, for the health of each file. */
int import_read_back(struct import_work *w, const char *run) ATTR_MUST_USE;

#endif
