/*
 * repository_tree - files of a revision: listing, sizes, bounded contents.
 *
 * REVISION is the name of a commit or of a tree.  Paths are bytes as git keeps
 * them, hostile until sanitised, never joined to a folder unchecked.
 *
 *	struct buf text = BUF_INIT;
 *	bool cut;
 *
 *	if (tree_read_file(&text, &cut, repo, tip, "requirements.txt", 1 << 20) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_STORE_REPOSITORY_TREE_H
#define PORTSIDE_STORE_REPOSITORY_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "store/repository.h"

enum tree_entry_kind { TREE_FILE, TREE_EXECUTABLE, TREE_LINK, TREE_SUBMODULE };

struct tree_entry {
	const char *path;
	char oid[OID_HEX + 1];
	enum tree_entry_kind kind;
	uint32_t mode;			/* 0100644, 0100755, 0120000, 0160000 */
	int64_t size_bytes;		/* -1: not asked for, a submodule, or missing */
};

struct tree_listing {
	struct arena arena;
	struct tree_entry *rows;	/* in git's order */
	size_t n;
};

enum tree_flags { TREE_WITH_SIZES = 1 };

/* Every file at any depth.  OUT is yours: tree_listing_release(). */
int tree_list(struct tree_listing *out, struct repository *repo, const char *revision,
	int flags) ATTR_MUST_USE;
void tree_listing_release(struct tree_listing *l);

/*
 * Appends the bytes of blob OID, at most LIMIT of them; *CUT says that there
 * were more, *SIZE (may be NULL) is the full size.  Loose and packed objects
 * larger than LIMIT are streamed where the store allows it, so that memory stays
 * within LIMIT.
 */
int blob_read(struct buf *out, bool *cut, int64_t *size, struct repository *repo, const char *oid,
		int64_t limit) ATTR_MUST_USE;

/* As blob_read(), of PATH at REVISION.  ERR_NOT_FOUND, ERR_STATE for a folder
 * or a submodule. */
int tree_read_file(struct buf *out, bool *cut, struct repository *repo, const char *revision,
		const char *path, int64_t limit) ATTR_MUST_USE;

#endif
