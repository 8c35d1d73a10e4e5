/* /proc: identity of processes, their descendants, and safe signals. */
#include "config.h"

#include "launch/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "launch/run_id.h"

enum { STAT_BYTES = 1024, FIELDS_BEFORE_TICKS = 22, ENVIRONMENT_CHUNK = 64 * 1024 };

static ssize_t read_proc(pid_t pid, const char *name, char *out, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, out, size - 1);
	close(fd);
	if (n >= 0)
		out[n] = '\0';
	return n;
}

/*
 * "PID (NAME) S PPID PGRP SESSION ... STARTTIME": the name may hold blanks and
 * parentheses, so the fields begin after the last ")".
 */
bool process_read(struct process *out, pid_t pid)
{
	char text[STAT_BYTES], *p, *save = NULL;
	int field = 3;

	if (pid <= 0)
		return errno = ESRCH, false;
	if (read_proc(pid, "stat", text, sizeof text) <= 0) {
		if (errno == ENOENT)
			errno = ESRCH;
		return false;
	}
	p = strrchr(text, ')');
	if (!p)
		return false;
	memset(out, 0, sizeof *out);
	out->pid = pid;
	for (p = strtok_r(p + 1, " ", &save); p; p = strtok_r(NULL, " ", &save), field++) {
		if (field == 3)
			out->state = *p;
		else if (field == 4)
			out->parent = (pid_t)strtol(p, NULL, 10);
		else if (field == 6)
			out->session = (pid_t)strtol(p, NULL, 10);
		else if (field == FIELDS_BEFORE_TICKS)
			out->ticks = strtoull(p, NULL, 10);
		if (field == FIELDS_BEFORE_TICKS)
			return true;
	}
	return false;
}

bool process_alive(pid_t pid, uint64_t ticks)
{
	struct process p;

	if (!process_read(&p, pid))
		return false;
	errno = ESRCH;
	return p.ticks == ticks && p.state != 'Z' && p.state != 'X';
}

int process_open(pid_t pid, uint64_t ticks)
{
	struct process p;
	int fd;

	if (pid <= 0)
		return -1;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -1;
	if (process_read(&p, pid) && p.ticks == ticks)
		return fd;
	close(fd);
	return -1;
}

bool process_signal(pid_t pid, uint64_t ticks, int sig)
{
	int fd = process_open(pid, ticks);
	bool sent;

	if (fd < 0)
		return false;
	sent = syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0) == 0;
	close(fd);
	return sent;
}

void process_list_release(struct process_list *l)
{
	free(l->items);
	*l = (struct process_list)PROCESS_LIST_INIT;
}

static void list_add(struct process_list *l, const struct process *p)
{
	ARRAY_GROW(l->items, l->n, l->cap);
	l->items[l->n++] = *p;
}

static int compare_parent(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Every process, ordered by parent, so that children lie side by side. */
static void list_all(struct process_list *out)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct process p;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    process_read(&p, (pid_t)strtol(entry->d_name, NULL, 10)))
			list_add(out, &p);
	closedir(folder);
	if (out->n > 1)
		qsort(out->items, out->n, sizeof *out->items, compare_parent);
}

static size_t first_child(const struct process_list *all, pid_t parent)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all->items[middle].parent < parent)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool list_has(const struct process_list *l, pid_t pid)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].pid == pid)
			return true;
	return false;
}

/* FROM is the first element of OUT whose children are not there yet.  A scan
 * is no snapshot, so a pid that was reused under way may seem to be its own
 * ancestor: none is added twice. */
static void add_descendants(struct process_list *out, size_t from, const struct process_list *all)
{
	for (; from < out->n; from++) {
		pid_t parent = out->items[from].pid;

		for (size_t i = first_child(all, parent);
			i < all->n && all->items[i].parent == parent; i++)
			if (!list_has(out, all->items[i].pid))
				list_add(out, &all->items[i]);
	}
}

void process_descendants(struct process_list *out, pid_t root)
{
	struct process_list all = PROCESS_LIST_INIT;
	struct process top = { .pid = root };

	out->n = 0;
	list_all(&all);
	list_add(out, &top);
	add_descendants(out, 0, &all);
	memmove(out->items, out->items + 1, (out->n - 1) * sizeof *out->items);
	out->n--;
	process_list_release(&all);
}

static bool has_mark(pid_t pid, const char *mark, size_t mark_n)
{
	char path[64], chunk[ENVIRONMENT_CHUNK];
	size_t kept = 0;
	bool found = false;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	/* A NUL stands before the first variable too, so that the mark, which
	 * begins and ends with one, is found anywhere. */
	chunk[kept++] = '\0';
	while (!found && (n = read(fd, chunk + kept, sizeof chunk - kept)) > 0) {
		size_t have = kept + (size_t)n;

		found = memmem(chunk, have, mark, mark_n) != NULL;
		kept = have < mark_n ? have : mark_n;
		memmove(chunk, chunk + have - kept, kept);
	}
	close(fd);
	return found;
}

void process_members(struct process_list *out, const char *run_id)
{
	struct process_list all = PROCESS_LIST_INIT;
	char mark[32 + RUN_ID_SIZE];
	int n = snprintf(mark, sizeof mark, "%cPORTSIDE_RUN_ID=%s", 0, run_id);

	out->n = 0;
	list_all(&all);
	for (size_t i = 0; i < all.n; i++) {
		const struct process *p = &all.items[i];

		if (p->pid != getpid() && p->state != 'Z' && p->state != 'X' &&
		    has_mark(p->pid, mark, (size_t)n + 1))
			list_add(out, p);
	}
	add_descendants(out, 0, &all);
	for (size_t i = 0; i < out->n; i++)
		if (out->items[i].pid == getpid())
			out->items[i--] = out->items[--out->n];
	process_list_release(&all);
}

void process_boot_id(char out[37])
{
	ssize_t n = -1;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, out, 36);
		close(fd);
	}
	out[n == 36 ? 36 : 0] = '\0';
}
