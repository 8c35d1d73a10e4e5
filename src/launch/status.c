/* The 512-byte status record: text form, retrying reader, exchanging writer. */
#include "config.h"

#include "launch/status.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"

static const char *const state_words[] = {
	[STATUS_RUNNING] = "running", [STATUS_DONE] = "done",
};

static const char *const why_words[] = {
	[WHY_NONE] = "", [WHY_EXIT] = "exit", [WHY_EXECFAIL] = "execfail",
	[WHY_CANCELLED] = "cancelled", [WHY_TIMEOUT] = "timeout", [WHY_BUDGET] = "budget",
	[WHY_LOGCAP] = "logcap", [WHY_UNKILLABLE] = "unkillable", [WHY_LOST] = "lost",
};

static const char *const file_names[2] = { "status", "status.next" };

static const char crc_mark[] = " crc=";

const char *status_state_word(enum status_state s)
{
	return state_words[s];
}

const char *status_why_word(enum status_why w)
{
	return why_words[w];
}

/* A word of a record: no blank, no control, since blanks separate fields. */
static void copy_word(char *out, size_t size, const char *s)
{
	size_t n = 0;

	for (; *s && n + 1 < size; s++)
		out[n++] = isgraph((unsigned char)*s) ? *s : '_';
	out[n] = '\0';
}

static int format_start(char *out, size_t size, const struct status *s)
{
	char host[STATUS_HOST_SIZE], stuck[STATUS_STUCK_SIZE];

	copy_word(host, sizeof host, s->host);
	copy_word(stuck, sizeof stuck, s->stuck);
	return snprintf(out, size,
		"v=1 seq=%" PRId64 " state=%s why=%s run=%s sup=%ld suptick=%" PRIu64
		" pid=%ld tick=%" PRIu64 " boot=%s host=%s start=%" PRId64 " limit=%" PRId64
		"%s%s",
		s->seq, state_words[s->state], why_words[s->why], s->run_id,
		(long)s->supervisor_pid, s->supervisor_ticks, (long)s->pid, s->ticks, s->boot,
		host, s->start_ns, s->limit_ns, stuck[0] ? " stuck=" : "", stuck);
}

static int format_end(char *out, size_t size, const struct status *s)
{
	char step[sizeof s->xstep];

	if (s->state != STATUS_DONE)
		return 0;
	copy_word(step, sizeof step, s->xstep);
	return snprintf(out, size, " rc=%d sig=%d forced=%d left=%d xerr=%d%s%s log=%" PRId64
		" elapsed=%" PRId64 " end=%" PRId64, s->rc, s->signal, s->forced, s->left, s->xerr,
		step[0] ? " xstep=" : "", step, s->log_bytes, s->elapsed_ns, s->end_ns);
}

void status_format(char out[STATUS_BYTES], const struct status *s)
{
	/* The longest record without `stuck` has 503 bytes, and a record of a
	 * run that ended has no stuck processes; the cut is a safeguard. */
	char text[2 * STATUS_BYTES];
	size_t room = STATUS_BYTES - 1 - (sizeof crc_mark - 1) - 8;
	int n = format_start(text, sizeof text, s);
	uint32_t crc;

	n += format_end(text + n, sizeof text - (size_t)n, s);
	if ((size_t)n > room)
		n = (int)room;
	crc = crc32_bytes(text, (size_t)n);
	n += snprintf(text + n, sizeof text - (size_t)n, "%s%08" PRIX32, crc_mark, crc);
	memset(out, ' ', STATUS_BYTES);
	memcpy(out, text, (size_t)n);
	out[STATUS_BYTES - 1] = '\n';
}

static bool check_crc(char *text)
{
	char *mark = NULL, *next, *end;
	unsigned long crc;

	for (next = text; (next = strstr(next, crc_mark)); next++)
		mark = next;
	if (!mark || strspn(mark + 5, "0123456789ABCDEFabcdef") != 8)
		return false;
	crc = strtoul(mark + 5, &end, 16);
	if (strspn(end, " ") != strlen(end) || crc != crc32_bytes(text, (size_t)(mark - text)))
		return false;
	*mark = '\0';
	return true;
}

static bool find_word(const char *const *words, size_t n, const char *s, int *out)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], s) == 0) {
			*out = (int)i;
			return true;
		}
	return false;
}

enum field_type { FIELD_I64, FIELD_U64, FIELD_INT, FIELD_PID, FIELD_BOOL, FIELD_TEXT };

static const struct field {
	const char *name;
	enum field_type type;
	size_t offset, size;
} fields[] = {
#define FIELD(name, type, member) \
	{ name, type, offsetof(struct status, member), sizeof((struct status *)0)->member }
	FIELD("seq", FIELD_I64, seq),
	FIELD("run", FIELD_TEXT, run_id),
	FIELD("sup", FIELD_PID, supervisor_pid),
	FIELD("suptick", FIELD_U64, supervisor_ticks),
	FIELD("pid", FIELD_PID, pid),
	FIELD("tick", FIELD_U64, ticks),
	FIELD("boot", FIELD_TEXT, boot),
	FIELD("host", FIELD_TEXT, host),
	FIELD("start", FIELD_I64, start_ns),
	FIELD("limit", FIELD_I64, limit_ns),
	FIELD("stuck", FIELD_TEXT, stuck),
	FIELD("rc", FIELD_INT, rc),
	FIELD("sig", FIELD_INT, signal),
	FIELD("forced", FIELD_BOOL, forced),
	FIELD("left", FIELD_INT, left),
	FIELD("xerr", FIELD_INT, xerr),
	FIELD("xstep", FIELD_TEXT, xstep),
	FIELD("log", FIELD_I64, log_bytes),
	FIELD("elapsed", FIELD_I64, elapsed_ns),
	FIELD("end", FIELD_I64, end_ns),
#undef FIELD
};

static bool set_field(struct status *s, const struct field *f, const char *value)
{
	char *at = (char *)s + f->offset;
	char *end;

	if (f->type == FIELD_TEXT) {
		if (strlen(value) >= f->size)
			return false;
		memcpy(at, value, strlen(value) + 1);
		return true;
	}
	errno = 0;
	if (f->type == FIELD_U64) {
		uint64_t v = strtoull(value, &end, 10);

		memcpy(at, &v, sizeof v);
	} else {
		int64_t wide = strtoll(value, &end, 10);
		int narrow = (int)wide;
		bool flag = wide != 0;

		if (f->type == FIELD_I64)
			memcpy(at, &wide, sizeof wide);
		else if (f->type == FIELD_BOOL)
			memcpy(at, &flag, sizeof flag);
		else if (wide == narrow)
			memcpy(at, &narrow, sizeof narrow);
		else
			return false;
	}
	return errno == 0 && end != value && *end == '\0';
}

/* An unknown name is skipped: a newer writer may add fields. */
static bool set_word(struct status *s, const char *name, const char *value)
{
	int word;

	if (strcmp(name, "v") == 0)
		return strcmp(value, "1") == 0;
	if (strcmp(name, "state") == 0) {
		if (!find_word(state_words, ARRAY_LEN(state_words), value, &word))
			return false;
		s->state = (enum status_state)word;
		return true;
	}
	if (strcmp(name, "why") == 0) {
		if (!find_word(why_words, ARRAY_LEN(why_words), value, &word))
			return false;
		s->why = (enum status_why)word;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (strcmp(fields[i].name, name) == 0)
			return set_field(s, &fields[i], value);
	return true;
}

bool status_parse(struct status *out, const char bytes[STATUS_BYTES])
{
	char text[STATUS_BYTES], *word, *save = NULL;

	if (bytes[STATUS_BYTES - 1] != '\n' || memchr(bytes, '\0', STATUS_BYTES))
		return false;
	memcpy(text, bytes, STATUS_BYTES);
	text[STATUS_BYTES - 1] = '\0';
	if (strncmp(text, "v=1 ", 4) != 0 || !check_crc(text))
		return false;
	memset(out, 0, sizeof *out);
	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *equal = strchr(word, '=');

		if (!equal)
			return false;
		*equal = '\0';
		if (!set_word(out, word, equal + 1))
			return false;
	}
	return run_id_valid(out->run_id);
}

static bool is_blank(const char bytes[STATUS_BYTES])
{
	for (size_t i = 0; i < STATUS_BYTES - 1; i++)
		if (bytes[i] != ' ')
			return false;
	return bytes[STATUS_BYTES - 1] == '\n';
}

/* By the kernel's clock, which the file's time is from; never a fixed one. */
static int64_t age_of(const struct stat *st)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_sec - st->st_mtim.tv_sec) * NS_PER_S + now.tv_nsec - st->st_mtim.tv_nsec;
}

static enum status_read read_once(struct status *out, const char *path, int64_t *age_ns)
{
	char bytes[STATUS_BYTES];
	struct stat st;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? STATUS_READ_NONE :
			errno == ELOOP ? STATUS_READ_DAMAGED : STATUS_READ_FAILED;
	n = pread(fd, bytes, sizeof bytes, 0);
	if (fstat(fd, &st) < 0)
		n = -1;
	close(fd);
	if (n != STATUS_BYTES || st.st_size != STATUS_BYTES)
		return STATUS_READ_DAMAGED;
	if (age_ns)
		*age_ns = age_of(&st);
	if (is_blank(bytes))
		return STATUS_READ_BLANK;
	return status_parse(out, bytes) ? STATUS_READ_OK : STATUS_READ_DAMAGED;
}

enum status_read status_read(struct status *out, const char *rundir, int64_t *age_ns)
{
	static const struct timespec pause = { .tv_nsec = 1000 * 1000 };
	char *path = xasprintf("%s/%s", rundir, file_names[0]);
	enum status_read result = STATUS_READ_DAMAGED;

	for (int i = 0; i < STATUS_READ_TRIES; i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		result = read_once(out, path, age_ns);
		if (result != STATUS_READ_DAMAGED)
			break;
	}
	free(path);
	return result;
}

static int write_record(int fd, const char bytes[STATUS_BYTES])
{
	size_t done = 0;

	while (done < STATUS_BYTES) {
		ssize_t n = pwrite(fd, bytes + done, STATUS_BYTES - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return fdatasync(fd);
}

static int open_one(struct status_file *f, int i, bool adopt)
{
	char blank[STATUS_BYTES];
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (adopt ? 0 : O_CREAT);

	f->fd[i] = openat(f->folder_fd, file_names[i], flags, 0600);
	if (f->fd[i] < 0)
		return -1;
	if (adopt)
		return 0;
	memset(blank, ' ', sizeof blank);
	blank[STATUS_BYTES - 1] = '\n';
	if (ftruncate(f->fd[i], 0) < 0)
		return -1;
	return write_record(f->fd[i], blank);
}

int status_open(struct status_file *f, int folder_fd, bool adopt)
{
	f->folder_fd = folder_fd;
	f->fd[0] = f->fd[1] = -1;
	for (int i = 0; i < 2; i++) {
		if (open_one(f, i, adopt) < 0) {
			int saved = errno;

			status_close(f);
			errno = saved;
			return err_errno(ERR_IO, "%s", file_names[i]);
		}
	}
	if (fsync(folder_fd) < 0) {
		status_close(f);
		return err_errno(ERR_IO, "run directory");
	}
	return 0;
}

int status_write(struct status_file *f, struct status *s)
{
	char bytes[STATUS_BYTES];
	int swapped;

	s->seq++;
	status_format(bytes, s);
	if (write_record(f->fd[1], bytes) < 0)
		return err_errno(ERR_IO, "%s", file_names[1]);
	if (renameat2(f->folder_fd, file_names[1], f->folder_fd, file_names[0],
		RENAME_EXCHANGE) < 0)
		return err_errno(ERR_IO, "exchange of %s and %s", file_names[1], file_names[0]);
	swapped = f->fd[0];
	f->fd[0] = f->fd[1];
	f->fd[1] = swapped;
	if (fsync(f->folder_fd) < 0)
		return err_errno(ERR_IO, "run directory");
	return 0;
}

void status_close(struct status_file *f)
{
	for (int i = 0; i < 2; i++) {
		if (f->fd[i] >= 0)
			close(f->fd[i]);
		f->fd[i] = -1;
	}
}
