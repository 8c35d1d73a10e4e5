/* evidence_bytes - see evidence_bytes.h. */
#include "config.h"

#include "evidence/evidence_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"

enum { PIECE_BYTES = 1 << 20, HEAD_BYTES = 4096, ENVIRONMENT_BYTES_MAX = 4 << 20 };

struct copy {
	struct evidence_bytes *out;
	const char *path, *folder;
	const atomic_bool *cancel;
	struct sha256 *digest;
	char *piece;
	int to;			/* the file without a name; -1 while memory is enough */
};

static int open_nameless(const char *folder)
{
	const char *base = folder ? folder : getenv("TMPDIR");
	char *path;
	int fd;

	if (!base || *base != '/')
		base = "/tmp";
	fd = open(base, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not every file system has files without a name. */
	path = xasprintf("%s/portside-XXXXXX", base);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	else
		fd = err_errno(ERR_IO, "no room for a copy of a log in %s", base);
	free(path);
	return fd;
}

/* From memory to a file, once it has become too much. */
static int spill(struct copy *c)
{
	int rc;

	c->to = open_nameless(c->folder);
	if (c->to < 0)
		return c->to;
	rc = fs_write_all(c->to, c->out->memory.s, c->out->memory.n);
	buf_release(&c->out->memory);
	return rc;
}

static int keep(struct copy *c, size_t n)
{
	int rc = 0;

	sha256_update(c->digest, c->piece, n);
	c->out->n += n;
	if ((int64_t)c->out->n > EVIDENCE_BYTES_MAX)
		return err_set(ERR_IO, "larger than %lld GiB, which no parser reads",
			(long long)(EVIDENCE_BYTES_MAX >> 30));
	if (c->to < 0 && c->out->n > EVIDENCE_MEMORY_BYTES_MAX)
		rc = spill(c);
	if (rc == 0 && c->to >= 0)
		return fs_write_all(c->to, c->piece, n);
	if (rc == 0)
		buf_add(&c->out->memory, c->piece, n);
	return rc;
}

static int copy_all(struct copy *c, int fd)
{
	ssize_t k;
	int rc = 0;

	/* By place, so that whoever shares the descriptor is not disturbed. */
	while (rc == 0 && (k = pread(fd, c->piece, PIECE_BYTES, (off_t)c->out->n)) != 0) {
		if (c->cancel && atomic_load(c->cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_errno(ERR_IO, "cannot read it");
		rc = keep(c, (size_t)k);
	}
	return rc;
}

static int map_copy(struct copy *c)
{
	void *map = mmap(NULL, c->out->n, PROT_READ, MAP_PRIVATE, c->to, 0);

	if (map == MAP_FAILED)
		return err_errno(ERR_IO, "cannot map its copy");
	(void)madvise(map, c->out->n, MADV_SEQUENTIAL);
	c->out->map = map;
	c->out->s = map;
	return 0;
}

int evidence_bytes_read(struct evidence_bytes *out, int fd, const char *path, const char *folder,
	const atomic_bool *cancel)
{
	struct copy c = { out, path, folder, cancel, sha256_new(), xmalloc(PIECE_BYTES), -1 };
	int rc;

	*out = (struct evidence_bytes){ .memory = BUF_INIT };
	rc = copy_all(&c, fd);
	out->digest = sha256_final(c.digest);
	out->s = out->memory.s;
	if (rc == 0 && c.to >= 0)
		rc = map_copy(&c);
	if (c.to >= 0)
		close(c.to);
	free(c.piece);
	if (rc < 0) {
		evidence_bytes_release(out);
		return err_prefix("%s: ", path);
	}
	return 0;
}

void evidence_bytes_release(struct evidence_bytes *b)
{
	if (b->map)
		munmap(b->map, b->n);
	buf_release(&b->memory);
	*b = (struct evidence_bytes){ .memory = BUF_INIT };
}

bool evidence_bytes_may_tell(int fd, int64_t limit)
{
	int64_t most = limit > 0 ? limit : EVIDENCE_BYTES_MAX;
	char head[HEAD_BYTES];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > most)
		return false;
	n = pread(fd, head, sizeof head, 0);
	if (n <= 0)
		return false;
	return !memchr(head, '\0', (size_t)n) || st.st_size <= ENVIRONMENT_BYTES_MAX;
}
