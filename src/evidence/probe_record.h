/*
 * probe_record - what the probe wrote down of one run, all its processes together.
 *
 * The files are JSON lines (data/probe/portside_probe says which); each line has a
 * kind, the rank of its process and the time.  Lines are kept as trees, with their
 * file and number, and asked by kind; steps, of which there are many, are rows.
 *
 * A process that was killed leaves at most one line that is cut: it counts as such
 * and nothing of it is used.  Lines of a later form of the probe are left out and
 * counted.  Everything in it was written by somebody else's program: texts are
 * untrusted, and a number may be any.
 *
 *	struct probe_record *record;
 *
 *	if (probe_record_read(&record, paths, n) < 0)
 *		return err_prefix("run %s: ", run);
 *	for (const struct probe_line *l = NULL; (l = probe_record_next(record, l, "clip")); )
 *		norm = json_double(json_get(l->json, "before"), "norm", NAN);
 *	probe_record_free(record);
 */
#ifndef PORTSIDE_EVIDENCE_PROBE_RECORD_H
#define PORTSIDE_EVIDENCE_PROBE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"

struct probe_line {
	const char *kind;
	const struct json *json;
	int64_t rank;
	int64_t number;		/* of the line, from 1 */
	size_t file;		/* index into the paths */
};

/* A step of an optimizer. */
struct probe_step {
	int64_t rank, optimizer, step;	/* steps from 1 */
	double rate;		/* of its first group; NaN: not known */
	int64_t groups;		/* that have a rate each; 1: all have the same */
	double mark;		/* of all rates in their order: equal where they are */
	double seconds;		/* since the step before; NaN: the first one */
	int64_t backwards;	/* backward passes since the step before; -1: not known */
	int64_t line;
};

struct probe_record {
	struct arena arena;
	const char **names;	/* of the files, without their folder */
	size_t names_n;
	struct probe_line *lines;	/* in the order of the files */
	size_t n, cap;
	struct probe_step *steps;
	size_t steps_n, steps_cap;
	int64_t cut, malformed, newer;	/* lines that say nothing here, by why */
};

enum {
	PROBE_FORMAT = 1,
	PROBE_FILE_BYTES_MAX = 48 << 20,	/* the probe stops at 32 MiB */
	PROBE_LINES_MAX = 200000,
};

/* ERR_IO for a file that cannot be read.  OUT is yours, also without any line. */
int probe_record_read(
	struct probe_record **out, const char *const *paths, size_t n) ATTR_MUST_USE;
void probe_record_free(struct probe_record *r);

/* The next line of KIND behind AFTER (NULL: the first); NULL: there is none. */
const struct probe_line *probe_record_next(
	const struct probe_record *r, const struct probe_line *after, const char *kind);
/* The last line of KIND of that rank; NULL: there is none. */
const struct probe_line *probe_record_last(
	const struct probe_record *r, const char *kind, int64_t rank);

/* The last step of OPTIMIZER that rank 0 took; 0: none is known. */
int64_t probe_record_steps(const struct probe_record *r, int64_t optimizer);

/* How many processes trained together; 0: nothing is known of any. */
int64_t probe_record_world(const struct probe_record *r);

#endif
