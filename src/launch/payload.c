/* argv and environment in an anonymous file: "ARGC ENVC" NUL strings... */
#include "config.h"

#include "launch/payload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"

enum { PAYLOAD_MAX_BYTES = 64 * 1024 * 1024 };

static size_t count_strings(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static void add_strings(struct buf *b, char *const *list)
{
	for (; *list; list++)
		buf_add(b, *list, strlen(*list) + 1);
}

int payload_write(int *fd, char *const *argv, char *const *env)
{
	struct buf b = BUF_INIT;
	int bad = 0;

	buf_addf(&b, "%zu %zu", count_strings(argv), count_strings(env));
	buf_addc(&b, '\0');
	add_strings(&b, argv);
	add_strings(&b, env);
	*fd = memfd_create("portside-run", MFD_CLOEXEC);
	if (*fd < 0)
		bad = err_errno(ERR_IO, "memory for the run's environment");
	else if (fs_write_all(*fd, b.s, b.n) < 0 || lseek(*fd, 0, SEEK_SET) < 0)
		bad = err_errno(ERR_IO, "memory for the run's environment");
	if (bad < 0 && *fd >= 0)
		close(*fd);
	explicit_bzero(b.s, b.n);
	buf_release(&b);
	return bad;
}

static int read_all(struct buf *b, int fd)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0 || st.st_size <= 0 || st.st_size > PAYLOAD_MAX_BYTES)
		return err_set(ERR_PARSE, "the payload of a run has no valid size");
	buf_reserve(b, (size_t)st.st_size);
	while (b->n < (size_t)st.st_size) {
		n = pread(fd, b->s + b->n, (size_t)st.st_size - b->n, (off_t)b->n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_errno(ERR_IO, "the payload of a run");
		b->n += (size_t)n;
	}
	return 0;
}

/* N strings from *P on; NULL when there are fewer. */
static char **take_strings(struct arena *a, char **p, const char *end, size_t n)
{
	char **list;

	if (n > (size_t)(end - *p))
		return NULL;
	list = arena_alloc(a, (n + 1) * sizeof *list);
	for (size_t i = 0; i < n; i++) {
		if (*p >= end)
			return NULL;
		list[i] = *p;
		*p += strlen(*p) + 1;
	}
	return list;
}

static int parse(struct payload *out, struct arena *a, char *p, size_t size)
{
	const char *end = p + size;
	size_t argc, envc;

	if (p[size - 1] != '\0' || sscanf(p, "%zu %zu", &argc, &envc) != 2 || argc == 0)
		return err_set(ERR_PARSE, "the payload of a run is damaged");
	p += strlen(p) + 1;
	out->argv = take_strings(a, &p, end, argc);
	out->env = out->argv ? take_strings(a, &p, end, envc) : NULL;
	if (!out->env || p != end)
		return err_set(ERR_PARSE, "the payload of a run is damaged");
	return 0;
}

int payload_read(struct payload *out, struct arena *a, int fd)
{
	struct buf b = BUF_INIT;
	int bad = read_all(&b, fd);

	if (bad == 0)
		bad = parse(out, a, arena_memdup(a, b.s, b.n), b.n);
	explicit_bzero(b.s, b.n);
	buf_release(&b);
	return bad;
}
