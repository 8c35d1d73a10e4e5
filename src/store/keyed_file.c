/*
 * keyed_file - see keyed_file.h.
 *
 * {magic, bytes, crc32, key} and the contents, numbers in little endian.  It is
 * not synchronised to the disk: what a crash leaves half does not verify.
 */
#include "config.h"
#include "store/keyed_file.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/mem.h"

enum {
	HEAD_BYTES = 12 + sizeof(struct digest),
	MAGIC = 0x314b5450 /* "PTK1" */,
	FILE_MAX = 64 << 20
};

bool keyed_file_read(struct buf *out, const char *path, const struct digest *key)
{
	struct buf file = BUF_INIT;
	bool good;

	if (fs_read(&file, path, FILE_MAX) < 0)
		err_clear();
	good = file.n >= HEAD_BYTES && bytes_u32(file.s) == MAGIC &&
		bytes_u32(file.s + 4) == file.n - HEAD_BYTES &&
		memcmp(file.s + 12, key, sizeof *key) == 0 &&
		crc32_bytes(file.s + HEAD_BYTES, file.n - HEAD_BYTES) == bytes_u32(file.s + 8);
	if (good)
		buf_add(out, file.s + HEAD_BYTES, file.n - HEAD_BYTES);
	buf_release(&file);
	return good;
}

static int write_new(const char *path, const char *head, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	int rc;

	if (fd < 0)
		return err_errno(ERR_IO, "%s", path);
	rc = fs_write_all(fd, head, HEAD_BYTES);
	if (rc == 0)
		rc = fs_write_all(fd, bytes, n);
	close(fd);
	return rc;
}

void keyed_file_write(const char *path, const struct digest *key, const void *bytes, size_t n)
{
	struct arena a = ARENA_INIT;
	char *new = arena_printf(&a, "%s.%ld", path, (long)getpid());
	char head[HEAD_BYTES];

	bytes_set_u32(head, MAGIC);
	bytes_set_u32(head + 4, (uint32_t)n);
	bytes_set_u32(head + 8, crc32_bytes(bytes, n));
	memcpy(head + 12, key, sizeof *key);
	if (n > FILE_MAX - HEAD_BYTES || fs_mkdirs(fs_dirname(&a, path), 0700) < 0 ||
	    write_new(new, head, bytes, n) < 0 || rename(new, path) < 0) {
		unlink(new);
		err_clear();
	}
	arena_release(&a);
}
