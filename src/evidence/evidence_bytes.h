/*
 * evidence_bytes - all bytes of a file for its parsers, and their digest, whatever its size.
 *
 * A parser wants a whole file (evidence_format.h), and a log may have gigabytes.  A small
 * file is read into memory.  A large one is copied to a file without a name, in pieces,
 * and that copy is mapped: the kernel takes its pages back when memory is short, and
 * nobody can cut it while it is read.  The digest is of the very bytes that are given.
 *
 *	struct evidence_bytes bytes;
 *
 *	if ((rc = evidence_bytes_read(&bytes, fd, path, folder, NULL)) < 0)
 *		return rc;
 *	source = (struct evidence_source){ bytes.s, bytes.n, name, NULL };
 *	...
 *	evidence_bytes_release(&bytes);
 */
#ifndef PORTSIDE_EVIDENCE_EVIDENCE_BYTES_H
#define PORTSIDE_EVIDENCE_EVIDENCE_BYTES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"

enum { EVIDENCE_MEMORY_BYTES_MAX = 8 << 20 };	/* a larger file is mapped */
#define EVIDENCE_BYTES_MAX (INT64_C(16) << 30)	/* a larger one is not read at all */

struct evidence_bytes {
	const char *s;
	size_t n;
	struct digest digest;
	struct buf memory;
	void *map;		/* NULL: in MEMORY */
};

/*
 * FD is left open, and read from its start; PATH is for sentences.  The copy of a large
 * file lies in FOLDER; NULL: where temporary files are.  ERR_IO, ERR_CANCELLED (CANCEL
 * may be NULL); nothing is to be released then.
 */
int evidence_bytes_read(struct evidence_bytes *out, int fd, const char *path, const char *folder,
	const atomic_bool *cancel) ATTR_MUST_USE;
void evidence_bytes_release(struct evidence_bytes *b);

/* Whether the file of FD can be evidence at all, by its size (LIMIT; 0: the largest) and its
 * first bytes: what is no text is none, but for the short blocks that hold an environment. */
bool evidence_bytes_may_tell(int fd, int64_t limit);

#endif
