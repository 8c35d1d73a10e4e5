/*
 * bundle_stream - files into a bundle in constant memory.
 *
 * A section's heading has its size and digest before its bytes, so a file is
 * read twice: once to know them, once to write.  Only the bytes that the file
 * had at the beginning count, so that a log that grows meanwhile is cut and not
 * torn.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/redact.h"
#include "workspace/bundle_writer.h"

enum { PIECE = 1 << 20, HELD_BACK = 512 };

struct stream {
	int fd;
	const char *path;
	int64_t left;			/* bytes of the file still to read */
	struct buf held;		/* read and not handed on yet */
	const struct redact *secrets;
	bool redacts;
	bool found, binary;
	struct bundle_writer *writer;	/* NULL in the first pass */
	struct sha256 *hash;		/* of what came out in this pass */
	int64_t size;			/* that came out */
};

static int out(struct stream *s, const void *p, size_t n)
{
	s->size += (int64_t)n;
	sha256_update(s->hash, p, n);
	return s->writer ? bundle_put_piece(s->writer, p, n) : 0;
}

static int fill(struct stream *s)
{
	while (s->left > 0 && s->held.n < PIECE) {
		size_t want = PIECE - s->held.n;
		ssize_t k;

		if ((int64_t)want > s->left)
			want = (size_t)s->left;
		buf_reserve(&s->held, want);
		k = read(s->fd, s->held.s + s->held.n, want);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_errno(ERR_IO, "cannot read %s", s->path);
		if (k == 0)
			return err_set(ERR_IO, "%s became shorter while it was bundled; try again",
				s->path);
		s->held.n += (size_t)k;
		s->left -= k;
	}
	return 0;
}

static const char *last_of(const struct buf *b, const char *word)
{
	const char *at = b->s, *found = NULL;

	while ((at = memmem(at, b->n - (size_t)(at - b->s), word, strlen(word))) != NULL)
		found = at++;
	return found;
}

/*
 * How much of what is held can be judged now: whole lines, and no key that is
 * not complete yet.  A line longer than a piece is cut where a secret that lies
 * across would still be held back.
 */
static size_t judged(const struct stream *s)
{
	const struct buf *b = &s->held;
	const char *newline = memrchr(b->s, '\n', b->n), *key = last_of(b, "-----BEGIN ");
	size_t n = newline ? (size_t)(newline - b->s) + 1 : b->n > HELD_BACK ? b->n - HELD_BACK : 0;

	if (s->left == 0)
		return b->n;
	if (key && key > b->s && !memmem(key, b->n - (size_t)(key - b->s), "-----END ", 9) &&
		(size_t)(key - b->s) < n)
		n = (size_t)(key - b->s);
	return n;
}

static int hand_on(struct stream *s, size_t n)
{
	struct buf clean = BUF_INIT;
	int rc;

	s->binary = s->binary || memchr(s->held.s, '\0', n) != NULL;
	if (s->redacts && redact_text(s->secrets, &clean, s->held.s, n)) {
		s->found = true;
		rc = out(s, clean.s, clean.n);
	} else {
		rc = out(s, s->held.s, n);
	}
	buf_release(&clean);
	memmove(s->held.s, s->held.s + n, s->held.n - n);
	buf_truncate(&s->held, s->held.n - n);
	return rc;
}

static int pass(struct stream *s, int64_t size, struct digest *digest)
{
	int rc = lseek(s->fd, 0, SEEK_SET) < 0 ? err_errno(ERR_IO, "cannot read %s", s->path) : 0;

	s->left = size;
	s->size = 0;
	s->hash = sha256_new();
	buf_clear(&s->held);
	while (rc == 0 && (s->left > 0 || s->held.n)) {
		if ((rc = fill(s)) == 0)
			rc = hand_on(s, judged(s));
	}
	*digest = sha256_final(s->hash);
	return rc;
}

static int write_known(struct bundle_writer *w, struct stream *s, const char *name,
	int64_t file_size, const struct digest *digest)
{
	int64_t size = s->size;
	struct digest again;
	int rc = bundle_put_header(w, name, size, digest);

	if (rc == 0) {
		s->writer = w;
		rc = pass(s, file_size, &again);
	}
	if (rc == 0 && (s->size != size || !digest_equal(digest, &again)))
		rc = err_set(ERR_IO, "%s was changed while it was bundled; try again", s->path);
	return rc < 0 ? rc : bundle_put_footer(w);
}

static int put(struct bundle_writer *w, const char *name, const char *path, bool redacts)
{
	struct stream s = { .path = path, .redacts = redacts, .secrets = w->secrets };
	struct digest digest;
	struct stat st;
	int rc = 0;

	if (redact_finds(w->secrets, name, strlen(name), NULL)) {
		bundle_leave_out(w, "a file", "its name holds what looks like a secret");
		return 0;
	}
	if (bundle_is_cancelled(w))
		return err_set(ERR_CANCELLED, "cancelled; no bundle was written");
	s.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (s.fd < 0 || fstat(s.fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		bundle_leave_out(w, name, s.fd < 0 ? strerror(errno) : "no plain file");
		if (s.fd >= 0)
			close(s.fd);
		return 0;
	}
	buf_init(&s.held);
	rc = pass(&s, st.st_size, &digest);
	if (rc == 0 && s.found && s.binary)
		bundle_leave_out(w, name, "no text, and it holds what looks like a secret");
	else if (rc == 0)
		rc = write_known(w, &s, name, st.st_size, &digest);
	if (rc == 0 && s.found && !s.binary)
		bundle_leave_out(w, name,
			"secrets in it were taken out, so its digest differs from the evidence");
	close(s.fd);
	buf_release(&s.held);
	return rc;
}

int bundle_put_file(struct bundle_writer *w, const char *name, const char *path)
{
	return put(w, name, path, false);
}

int bundle_put_redacted(struct bundle_writer *w, const char *name, const char *path)
{
	return put(w, name, path, true);
}
