/*
 * fs - files: whole reads, durable writes, folders, paths.
 *
 * Every descriptor that is opened here is close-on-exec.  Paths are bytes.
 */
#ifndef PORTSIDE_BASE_FS_H
#define PORTSIDE_BASE_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/*
 * A descriptor for reading a plain file, or a negative error.  A pipe, a socket
 * or a device is ERR_REFUSED and is never opened: a reader would wait for ever.
 * The null device reads as an empty file.
 */
int fs_open_file(const char *path) ATTR_MUST_USE;

/*
 * The same for NAME below FOLDER, where no part of NAME may be a link: what
 * foreign code left in a folder cannot name a file outside of it.
 */
int fs_open_inside(const char *folder, const char *name) ATTR_MUST_USE;

/* Whether NAME, with every link followed, is something below FOLDER. */
bool fs_leads_inside(const char *folder, const char *name);

/* Appends the plain file; ERR_IO beyond LIMIT bytes (0: no limit), ERR_NOT_FOUND. */
int fs_read(struct buf *out, const char *path, int64_t limit) ATTR_MUST_USE;

/* Temporary name in the same folder, fsync, rename, fsync of the folder. */
int fs_write_durable(const char *path, const void *p, size_t n, mode_t mode) ATTR_MUST_USE;

/*
 * A file that replaces nothing: it has no name until it is whole, so that half of
 * it is never taken for it, nor left behind by a process that was killed.
 *
 *	struct fs_new f;
 *
 *	if ((rc = fs_new_open(&f, path)) < 0)
 *		return rc;
 *	rc = write_to(f.fd);
 *	if (rc == 0)
 *		rc = fs_new_name(&f, 0644);	// ERR_EXISTS when PATH is there
 *	fs_new_drop(&f);
 */
struct fs_new {
	int fd;
	char *path, *temporary;		/* TEMPORARY: where a file must have a name; else NULL */
};
int fs_new_open(struct fs_new *f, const char *path) ATTR_MUST_USE;
int fs_new_name(struct fs_new *f, mode_t mode) ATTR_MUST_USE;	/* durable */
void fs_new_drop(struct fs_new *f);

/* The same in one call. */
int fs_write_new(const char *path, const void *p, size_t n, mode_t mode) ATTR_MUST_USE;

/* All of P, or ERR_IO with errno kept. Retries on EINTR and short writes. */
int fs_write_all(int fd, const void *p, size_t n) ATTR_MUST_USE;

int fs_mkdirs(const char *path, mode_t mode) ATTR_MUST_USE;	/* existing is fine */
int fs_sync_folder(const char *path) ATTR_MUST_USE;
/* Removes a tree without following links.  Missing is fine. */
int fs_remove_tree(const char *path) ATTR_MUST_USE;
/* Of a plain file. */
int fs_copy(const char *from, const char *to, mode_t mode) ATTR_MUST_USE;	/* durable */

bool fs_exists(const char *path);		/* a dangling link exists */
bool fs_is_dir(const char *path);
int64_t fs_size(const char *path);		/* -1 when there is none */

/* Names in a folder without . and .., sorted by bytes, in A. */
int fs_list(char ***out, size_t *n, struct arena *a, const char *path) ATTR_MUST_USE;

/* a/b from "a" and "b"; B absolute wins.  In A. */
char *fs_join(struct arena *a, const char *dir, const char *name);
const char *fs_basename(const char *path);
char *fs_dirname(struct arena *a, const char *path);
char *fs_absolute(struct arena *a, const char *path);	/* lexical, against the cwd */

/*
 * True when NAME is relative, has no "." or ".." part, no empty part, no NUL
 * or control, and so cannot leave a folder that it is joined to.
 */
bool fs_is_inside(const char *name);

/*
 * Where NAME is that may be executed, in A; NULL: nowhere.  PATH is as the shell's:
 * folders with a colon between; relative ones, and a NAME with a slash, are below
 * FOLDER.  NULL is an unset PATH, for which the usual folders stand.
 */
char *fs_find_program(struct arena *a, const char *name, const char *path, const char *folder);

/* NFS, CIFS, FUSE, 9p...: locks and renames there are not to be trusted. */
bool fs_is_network(const char *path);

/*
 * NAME in the folder of what the program reads: $PORTSIDE_DATA; else
 * ../share/portside beside the running program, where NAME is there; else data/ of
 * the sources for a program that runs where it was built, and the folder that
 * configure chose for any other.  An installed program never looks at the sources:
 * whoever owns that place on another machine is nobody to trust.
 */
char *fs_data_path(struct arena *a, const char *name);

/* Appends that file, of at most 1 MiB; an error names where it was looked for. */
int fs_data_read(struct buf *out, const char *name) ATTR_MUST_USE;

#endif
