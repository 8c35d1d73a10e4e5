/*
 * object_pack - the objects that it takes to read changes without the clone.
 *
 * A pack in git's own format: the commits at both ends of each pair, all their
 * trees, and those files that differ between the ends.  Files that no pair
 * changes are not in it, nor are files beyond the limits.
 *
 *	struct buf pack = BUF_INIT;
 *	struct object_pack_report report;
 *
 *	if (object_pack_write(&pack, &report, repo, pairs, n, &options) < 0)
 *		return -1;
 *	...
 *	if (object_pack_open("repository.git", pack.s, pack.n, marks, n_marks) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_STORE_OBJECT_PACK_H
#define PORTSIDE_STORE_OBJECT_PACK_H

#include <stdatomic.h>

#include "base/buf.h"
#include "store/repository.h"

/* BASE "": the empty tree */
struct object_pair { char base[OID_HEX + 1], tip[OID_HEX + 1]; };

struct object_pack_options {
	int64_t file_limit_bytes;	/* a larger file is left out */
	int64_t total_limit_bytes;	/* of all files, unpacked */
	const atomic_bool *cancel;	/* or NULL */
};

struct object_pack_report {
	size_t pairs;			/* that are in it */
	size_t missing;			/* pairs with an end that is not in REPO */
	size_t files, files_left_out;
	size_t files_missing;		/* not in REPO, or not readable */
};

/* Appends the pack to OUT; nothing when no pair has both ends. */
int object_pack_write(struct buf *out, struct object_pack_report *report, struct repository *repo,
	const struct object_pair *pairs, size_t n,
	const struct object_pack_options *o) ATTR_MUST_USE;

struct object_mark { const char *name, *commit; };	/* a tag to set: "attempt/3" */

/*
 * Makes FOLDER a bare repository that holds the pack, every object checked
 * against its name.  Its commits have no parents there (a shallow clone's
 * way), so nothing asks for more.  The pack may come from anybody: ERR_DAMAGED
 * when it is none.
 */
int object_pack_open(const char *folder, const void *pack, size_t n,
	const struct object_mark *marks, size_t n_marks) ATTR_MUST_USE;

#endif
