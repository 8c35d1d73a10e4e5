/* inotify, or a timer and comparisons, behind one descriptor. */
#include "config.h"

#include "launch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"

static const uint32_t mask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE |
	IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

/* Files that are told apart; every other name is WATCH_OTHER. */
static const struct watched_file {
	const char *name;
	unsigned what;
} files[] = {
	{ "log", WATCH_LOG },
	{ "status", WATCH_STATUS },
	{ "status.next", 0 },		/* its exchange changes `status` too */
	{ "cancel", WATCH_OTHER },
	{ "rc", WATCH_OTHER },
	{ "sup.log", WATCH_OTHER },
};

struct stamp {
	int64_t size, mtime_s, mtime_ns;
	ino_t inode;
};

struct directory {
	bool used;
	int descriptor;			/* of inotify, -1 when polling */
	char *path;
	unsigned pending;
	struct stamp stamps[ARRAY_LEN(files)];	/* when polling */
	bool gone;
};

struct watch {
	int fd;
	bool polling;
	struct directory *directories;
	size_t n, cap;
};

static int open_timer(void)
{
	struct itimerspec second = { .it_interval = { .tv_sec = 1 }, .it_value = { .tv_sec = 1 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		(void)timerfd_settime(fd, 0, &second, NULL);
	return fd;
}

struct watch *watch_new(int flags)
{
	struct watch *w = xcalloc(1, sizeof *w);

	w->fd = flags & WATCH_POLLING ? -1 : inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->fd < 0) {
		w->polling = true;
		w->fd = open_timer();
	}
	if (w->fd >= 0)
		return w;
	err_errno(ERR_IO, "watching run directories");
	free(w);
	return NULL;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n; i++)
		free(w->directories[i].path);
	free(w->directories);
	close(w->fd);
	free(w);
}

int watch_fd(const struct watch *w)
{
	return w->fd;
}

static struct stamp take_stamp(const char *rundir, const char *name)
{
	char *path = xasprintf("%s/%s", rundir, name);
	struct stamp s = { .size = -1 };
	struct stat st;

	if (lstat(path, &st) == 0)
		s = (struct stamp){ st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_ino };
	free(path);
	return s;
}

static unsigned compare_stamps(struct directory *d)
{
	unsigned what = 0;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct stamp now = take_stamp(d->path, files[i].name), *old = &d->stamps[i];

		if (now.size != old->size || now.mtime_s != old->mtime_s ||
			now.mtime_ns != old->mtime_ns || now.inode != old->inode)
			what |= files[i].what;
		*old = now;
	}
	if (!d->gone && !fs_is_dir(d->path)) {
		d->gone = true;
		what |= WATCH_GONE;
	}
	return what;
}

/* From inotify to the timer: the kernel's limit is reached, or the disk is a
 * remote one.  The descriptor keeps its number, since a loop polls it. */
static int fall_back(struct watch *w)
{
	int timer = open_timer();

	if (timer < 0)
		return err_errno(ERR_IO, "watching run directories");
	if (dup3(timer, w->fd, O_CLOEXEC) < 0) {
		close(timer);
		return err_errno(ERR_IO, "watching run directories");
	}
	close(timer);
	w->polling = true;
	for (size_t i = 0; i < w->n; i++)
		if (w->directories[i].used)
			compare_stamps(&w->directories[i]);
	return 0;
}

static size_t free_slot(struct watch *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (!w->directories[i].used)
			return i;
	ARRAY_GROW(w->directories, w->n, w->cap);
	return w->n++;
}

int watch_add(struct watch *w, const char *rundir)
{
	struct directory d = { .used = true, .descriptor = -1 };
	size_t i;

	if (!fs_is_dir(rundir))
		return err_set(ERR_NOT_FOUND, "%s: there is no such run directory", rundir);
	if (!w->polling && !fs_is_network(rundir))
		d.descriptor = inotify_add_watch(w->fd, rundir, mask);
	if (!w->polling && d.descriptor < 0 && fall_back(w) < 0)
		return err_code();
	d.path = xstrdup(rundir);
	if (w->polling)
		compare_stamps(&d);
	i = free_slot(w);
	w->directories[i] = d;
	return (int)i;
}

void watch_remove(struct watch *w, int id)
{
	struct directory *d = &w->directories[id];

	if (!d->used)
		return;
	if (!w->polling && d->descriptor >= 0)
		(void)inotify_rm_watch(w->fd, d->descriptor);
	free(d->path);
	*d = (struct directory){ .descriptor = -1 };
}

static void mark(struct watch *w, int descriptor, unsigned what)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->directories[i].used &&
			(descriptor < 0 || w->directories[i].descriptor == descriptor))
			w->directories[i].pending |= what;
}

static unsigned what_of(const struct inotify_event *e)
{
	if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF))
		return WATCH_GONE;
	if (e->len == 0)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (strcmp(files[i].name, e->name) == 0)
			return files[i].what;
	return WATCH_OTHER;
}

static void read_inotify(struct watch *w)
{
	char bytes[16 * 1024] __attribute__((aligned(__alignof__(struct inotify_event))));
	ssize_t n;

	while ((n = read(w->fd, bytes, sizeof bytes)) > 0)
		for (char *p = bytes; p < bytes + n;) {
			const struct inotify_event *e = (const void *)p;

			if (e->mask & IN_Q_OVERFLOW)
				mark(w, -1, WATCH_LOG | WATCH_STATUS | WATCH_OTHER);
			else
				mark(w, e->wd, what_of(e));
			p += sizeof *e + e->len;
		}
}

static void read_timer(struct watch *w)
{
	uint64_t expirations;

	if (read(w->fd, &expirations, sizeof expirations) != (ssize_t)sizeof expirations)
		return;
	for (size_t i = 0; i < w->n; i++)
		if (w->directories[i].used)
			w->directories[i].pending |= compare_stamps(&w->directories[i]);
}

static bool take_pending(struct watch *w, struct watch_event *out)
{
	for (size_t i = 0; i < w->n; i++) {
		struct directory *d = &w->directories[i];

		if (!d->used || !d->pending)
			continue;
		*out = (struct watch_event){ (int)i, d->pending };
		d->pending = 0;
		return true;
	}
	return false;
}

bool watch_next(struct watch *w, struct watch_event *out)
{
	if (take_pending(w, out))
		return true;
	if (w->polling)
		read_timer(w);
	else
		read_inotify(w);
	return take_pending(w, out);
}
