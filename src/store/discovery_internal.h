/*
 * discovery_internal - what the steps of a discovery share: the memory of
 * commits, the marks that were found, and the plan that turns them into rows.
 *
 * A commit is an index into the memory; NO_COMMIT stands for none.
 */
#ifndef PORTSIDE_STORE_DISCOVERY_INTERNAL_H
#define PORTSIDE_STORE_DISCOVERY_INTERNAL_H

#include <git2.h>

#include "store/discovery.h"
#include "store/history.h"

enum { NO_COMMIT = -1 };

/* What is kept of a commit, for ever: commits do not change. */
struct known_commit {
	git_oid oid;
	int32_t parent;			/* first parent, NO_COMMIT: root, or not here */
	int32_t *merged;		/* other parents, in the memory's arena */
	int32_t n_merged;
	int32_t mark;			/* line and number of an Attempt trailer, -1: none */
	bool read;			/* false: only its name is known yet */
	bool missing;			/* not in this repository */
	int64_t committed_s;
};

/* A mark's name: attempt N of LINE. */
struct mark_name {
	int64_t n;
	const char *line;
};

struct discovery_memory {
	struct arena arena;
	struct known_commit *commits;
	size_t n, cap;
	int32_t *slots;			/* by oid; index + 1, 0 empty */
	size_t cap_slots;
	struct mark_name *names;	/* of trailers and references */
	size_t n_names, cap_names;
	int32_t *name_slots;
	size_t cap_name_slots;
	size_t reads;
};

/* The index of OID, added when new (and not yet read). */
int32_t memory_commit(struct discovery_memory *m, const git_oid *oid);
int32_t memory_name(struct discovery_memory *m, int64_t n, const char *line, size_t line_n);
/* Reads COMMIT once: parents, time, mark. */
int memory_read(struct discovery_memory *m, struct repository *repo, int32_t commit) ATTR_MUST_USE;

/* A is a first-parent descendant of B, or B itself, as far as was read. */
bool memory_descends(const struct discovery_memory *m, int32_t a, int32_t b);

/* One attempt while it is put together. */
struct attempt_candidate {
	int32_t name;			/* index into the memory's names */
	int32_t tip;
	enum attempt_source kind;
	const char *source;		/* "tag attempt/3" */
	const char *also;
	/* the candidate before this one at the same tip, -1: none */
	int32_t same_tip;
};

struct plan {
	struct discovery *out;
	struct repository *repo;
	const struct discovery_options *options;
	struct discovery_memory *memory;
	struct ref_list refs;
	struct attempt_candidate *candidates;
	size_t n, cap;
	int32_t *by_name;		/* candidate + 1 of a mark's name */
	size_t cap_by_name;
	int32_t head, original;
	unsigned char *flags;		/* a byte for each commit, see below */
	size_t cap_flags;
	size_t visited;
	struct buf note;
};

enum commit_flags { COMMIT_VISITED = 1, COMMIT_BEFORE = 2 /* the original or above it */ };

unsigned char *plan_flags(struct plan *p, int32_t commit);
bool plan_is_cancelled(const struct plan *p);
void plan_note(struct plan *p, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* discovery_marks.c: fills CANDIDATES. */
int plan_find_marks(struct plan *p) ATTR_MUST_USE;
/* discovery_original.c: the original by configuration or tag, before marks are
 * looked for; the guess after.  Both set ORIGINAL and the text. */
int plan_given_original(struct plan *p) ATTR_MUST_USE;
int plan_guessed_original(struct plan *p) ATTR_MUST_USE;
int plan_offer_commits(struct plan *p) ATTR_MUST_USE;
/* discovery_rows.c: bases, previous attempts, rows, vanished tips. */
int plan_fill_rows(struct plan *p) ATTR_MUST_USE;

#endif
