/*
 * keyed_file - one derived file that is right for one key, or not used at all.
 *
 * For what follows from something else that has a digest (the events of a log):
 * the digest is the key, so a file that was made from other events reads as
 * missing, as a damaged one does.  It may be deleted at any time and belongs
 * under cache/.  Replaced whole, by a rename; processes may share it.
 *
 *	if (!keyed_file_read(&bytes, path, &key)) {
 *		... make BYTES anew ...
 *		keyed_file_write(path, &key, bytes.s, bytes.n);
 *	}
 */
#ifndef PORTSIDE_STORE_KEYED_FILE_H
#define PORTSIDE_STORE_KEYED_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/hash.h"

/* Appends the contents to OUT; false when there is none for KEY that verifies. */
bool keyed_file_read(struct buf *out, const char *path, const struct digest *key);

/* Makes the folder.  What cannot be written is made again next time. */
void keyed_file_write(const char *path, const struct digest *key, const void *bytes, size_t n);

#endif
