/*
 * discovery - finds the attempts of a migration in its git history.
 *
 * Sources, the first that names an attempt decides its tip:
 *
 *	1. tags attempt/N, attempt-N, attempt/LINE/N
 *	2. commit trailers "Attempt: N" with "Attempt-Line: LINE"
 *	3. branches attempt/N, attempt-N, attempt/LINE/N, local and remote-tracking
 *	4. without any mark: each commit after the original on the current branch
 *
 * Trailers are looked for on local and remote-tracking branches, pull-request
 * references, HEAD and the parents of their merges.  Tip = the newest commit
 * that carries the mark; a descendant is newer than its ancestor whatever the
 * clocks say.  Range = from the nearest first-parent ancestor that is another
 * tip or the original.  Nothing is ever written.
 *
 * A struct discovery_memory kept between calls holds what was read of each
 * commit, so that a later call reads new commits only; with the digest of the
 * last call nothing is read at all when no reference moved.
 *
 *	struct discovery found;
 *	struct discovery_options options = { .original = configured };
 *
 *	if (discovery_run(&found, repo, &options) < 0)
 *		return -1;
 *	for (size_t i = 0; i < found.n; i++)
 *		use(&found.rows[i]);
 *	discovery_release(&found);
 */
#ifndef PORTSIDE_STORE_DISCOVERY_H
#define PORTSIDE_STORE_DISCOVERY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/repository.h"

enum attempt_source { SOURCE_TAG, SOURCE_TRAILER, SOURCE_BRANCH, SOURCE_COMMIT };

enum attempt_base {
	BASE_TIP,		/* another attempt's tip */
	BASE_ORIGINAL,
	BASE_MERGE_BASE,	/* left the history before the original did */
	BASE_NONE,		/* no common history: everything is new */
};

struct found_attempt {
	int64_t n;			/* from 1; from 0 where marks say so */
	const char *line;		/* "" is the default line */
	char tip[OID_HEX + 1];
	char base[OID_HEX + 1];		/* "" for BASE_NONE */
	enum attempt_base base_kind;
	int64_t previous;		/* number of the attempt before, -1: none */
	const char *previous_line;
	enum attempt_source source_kind;
	/* "tag attempt/3", "trailer of 1a2b3c4", "branch origin/attempt-3" */
	const char *source;
	const char *also;		/* other marks that lead elsewhere, "" when none */
	const char *subject;
	const char *author;
	int64_t committed_ns;
	/* Trailers of the tip, as written, "" when absent.  "L3 @v5e-4" is
	 * split at the @. */
	const char *expected, *expected_configuration;
	const char *claimed, *claimed_configuration;
	const char *cause;		/* Failure-Cause */
	const char *silent;		/* Failure-Silent */
	const char *claimed_cause;
};

/* A tip that an earlier discovery reported. */
struct known_tip {
	int64_t n;
	const char *line;
	char tip[OID_HEX + 1];
};

enum original_how {
	ORIGINAL_CONFIGURED,	/* migration.original */
	ORIGINAL_TAG,		/* tag original */
	ORIGINAL_BEFORE_FIRST,	/* the commit before the first attempt */
	ORIGINAL_ROOT,		/* the first commit of the current branch */
	ORIGINAL_NONE,		/* no commit yet */
};

struct discovery_memory;
struct discovery_memory *discovery_memory_new(void);
void discovery_memory_free(struct discovery_memory *m);
/* Commits read from the repository so far, for tests and for doctor. */
size_t discovery_memory_reads(const struct discovery_memory *m);

struct discovery_options {
	const char *original;		/* a revision, or NULL */
	const struct digest *seen;	/* refs digest of the last call, or NULL */
	struct discovery_memory *memory;	/* of this repository, or NULL */
	const struct known_tip *known;	/* to find vanished ones */
	size_t n_known;
	const atomic_bool *cancel;	/* NULL: cannot be cancelled */
};

struct discovery {
	struct arena arena;
	struct found_attempt *rows;	/* by line, then number */
	size_t n;
	/* Known tips that are gone: nothing names the attempt any more, or its
	 * tip now is a commit that does not descend from the known one (a
	 * rewritten branch).  Indexes into options->known. */
	size_t *gone;
	size_t n_gone;
	char original[OID_HEX + 1];
	enum original_how original_how;
	const char *original_text;	/* a sentence: how it was decided */
	struct digest refs_digest;
	bool unchanged;			/* equal to options->seen: rows were not looked for */
	const char *note;		/* what was cut or could not be read, "" when nothing */
};

/* OUT is yours: discovery_release().  ERR_GIT, ERR_CANCELLED. */
int discovery_run(struct discovery *out, struct repository *repo,
		const struct discovery_options *options) ATTR_MUST_USE;
void discovery_release(struct discovery *d);

/* Reads attempt/3, attempt-3, attempt/torchtpu/3.  Pure; LINE_N bytes at LINE. */
bool attempt_name_parse(int64_t *n, const char **line, size_t *line_n, const char *name);

#endif
