/* Streams a log and looks for its declared end. */
#include "config.h"

#include "launch/end_marker.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"

enum {
	CHUNK_BYTES = 256 * 1024,
	CONTEXT_BYTES = 64,		/* before and after "step": name, number */
	DONE_MAX_BYTES = 64 * 1024,
};

static const char *const fact_words[] = {
	[END_UNKNOWN] = "unknown", [END_NO] = "no", [END_YES] = "yes",
};

const char *end_fact_word(enum end_fact f)
{
	return fact_words[f];
}

struct scan {
	const char *done;
	size_t done_n, overlap;
	int64_t steps;			/* declared, 0 for none */
	int64_t interval;		/* between the two steps seen last */
	struct end_marker_facts *facts;
};

static void note_step(struct scan *s, int64_t step)
{
	struct end_marker_facts *f = s->facts;

	if (f->has_step && step > f->last_step)
		s->interval = step - f->last_step;
	f->last_step = step;
	if (!f->has_step || step > f->max_step)
		f->max_step = step;
	f->has_step = true;
}

/* At most 18 digits, so that the value fits. */
static const char *take_number(const char *p, const char *end, int64_t *out)
{
	const char *start = p;
	int64_t v = 0;

	while (p < end && isdigit((unsigned char)*p) && p - start < 18)
		v = v * 10 + (*p++ - '0');
	if (p == start || (p < end && isdigit((unsigned char)*p)))
		return NULL;
	*out = v;
	return p;
}

/* After the word: quotes, blanks and one of : = # [ in any order, then digits. */
static bool step_after(const char *p, const char *end, int64_t *out)
{
	const char *limit = end - p > CONTEXT_BYTES / 2 ? p + CONTEXT_BYTES / 2 : end;

	if (p < limit && (*p == 's' || *p == 'S'))
		p++;
	if (p < limit && (isalnum((unsigned char)*p) || *p == '_' || *p == '-' || *p == '/'))
		return false;
	while (p < limit && memchr("\"' \t:=#[", *p, 8))
		p++;
	p = p < end ? take_number(p, end, out) : NULL;
	/* "step 0.5" and "step 1e-4" are no counts. */
	return p && !(p < end && (isalpha((unsigned char)*p) || *p == '_' ||
		(*p == '.' && p + 1 < end && isdigit((unsigned char)p[1]))));
}

/* "50/200 [": a progress bar; SLASH points at the "/". */
static bool bar_at(
	const struct scan *s, const char *start, const char *slash, const char *end, int64_t *out)
{
	const char *p = slash, *after = slash + 1;
	int64_t total, step;

	while (p > start && slash - p < 18 && isdigit((unsigned char)p[-1]))
		p--;
	if (p == slash || !take_number(p, slash, &step))
		return false;
	after = take_number(after, end, &total);
	if (!after || end - after < 2 || after[0] != ' ' || after[1] != '[')
		return false;
	/* Bars of downloads and evaluations are not the run's. */
	if (s->steps > 0 && total != s->steps)
		return false;
	*out = step;
	return true;
}

/* What a step is found by: the rest of a word whose first letter may be a
 * capital, and the slash of a bar.  Searching for these is many times faster
 * than looking at each byte. */
static const struct anchor {
	const char *text;
	size_t back;		/* bytes of the word before it */
} anchors[] = { { "tep", 1 }, { "TEP", 1 }, { "/", 0 } };

static const char *find_anchor(const struct anchor *a, const char *from, const char *end)
{
	const char *at;

	if (end - from <= (ptrdiff_t)a->back)
		return NULL;
	from += a->back;
	at = memmem(from, (size_t)(end - from), a->text, strlen(a->text));
	return at ? at - a->back : NULL;
}

static bool step_at(
	const struct scan *s, const char *start, const char *p, const char *end, int64_t *out)
{
	if (*p == '/')
		return bar_at(s, start, p, end, out);
	return (*p == 's' || *p == 'S') && (p == start || !isalnum((unsigned char)p[-1])) &&
		step_after(p + 4, end, out);
}

/*
 * Steps that begin in FROM..TO, in their order; what stands around one may lie
 * outside, up to START and END.
 */
static void scan_steps(
	struct scan *s, const char *start, const char *from, const char *to, const char *end)
{
	const char *at[ARRAY_LEN(anchors)];
	int64_t step;

	for (size_t i = 0; i < ARRAY_LEN(anchors); i++)
		at[i] = find_anchor(&anchors[i], from, end);
	for (;;) {
		size_t first = 0;

		for (size_t i = 1; i < ARRAY_LEN(anchors); i++)
			if (at[i] && (!at[first] || at[i] < at[first]))
				first = i;
		if (!at[first] || at[first] >= to)
			return;
		if (step_at(s, start, at[first], end, &step))
			note_step(s, step);
		at[first] = find_anchor(&anchors[first], at[first] + 1, end);
	}
}

static void scan_done(struct scan *s, const char *p, size_t n, int64_t offset)
{
	const char *at = p, *end = p + n;

	while (s->done_n && (at = memmem(at, (size_t)(end - at), s->done, s->done_n))) {
		if (offset + (at - p) > s->facts->done_offset)
			s->facts->done_offset = offset + (at - p);
		at++;
	}
}

/* One stretch of data, FROM to TO, without a hole. */
static int scan_data(struct scan *s, int fd, char *chunk, int64_t from, int64_t to)
{
	size_t kept = 0, seen = 0;	/* bytes at the front; of them looked at */

	while (from < to) {
		size_t want = (size_t)(to - from < CHUNK_BYTES ? to - from : CHUNK_BYTES);
		size_t n, limit, drop;
		ssize_t got = pread(fd, chunk + kept, want, from);
		bool last;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(ERR_IO, "log");
		if (got == 0)
			break;
		n = kept + (size_t)got;
		from += got;
		last = from >= to;
		limit = last ? n : n > CONTEXT_BYTES ? n - CONTEXT_BYTES : 0;
		scan_done(s, chunk, n, from - (int64_t)n);
		if (limit > seen)
			scan_steps(s, chunk, chunk + seen, chunk + limit, chunk + n);
		drop = n > s->overlap ? n - s->overlap : 0;
		memmove(chunk, chunk + drop, n - drop);
		kept = n - drop;
		seen = limit > drop ? limit - drop : 0;
	}
	return 0;
}

/* Holes hold NUL bytes only, so they are skipped. */
static int scan_log(struct scan *s, int fd, char *chunk, int64_t size)
{
	int64_t at = 0;

	while (at < size) {
		int64_t data = lseek(fd, at, SEEK_DATA), hole;

		if (data < 0 && errno == ENXIO)
			break;
		if (data < 0)
			data = at;
		hole = lseek(fd, data, SEEK_HOLE);
		if (hole <= data || hole > size)
			hole = size;
		if (scan_data(s, fd, chunk, data, hole) < 0)
			return err_code();
		at = hole;
	}
	return 0;
}

/*
 * A count from 0 ends one below the declared number.  A trainer that logs every
 * 10th step may have done more than it logged: that is unknown, not "no".
 */
static enum end_fact judge_steps(const struct scan *s)
{
	const struct end_marker_facts *f = s->facts;

	if (s->steps <= 0 || !f->has_step)
		return END_UNKNOWN;
	if (f->max_step >= s->steps - 1)
		return END_YES;
	return s->interval > 0 && f->max_step + s->interval < s->steps ? END_NO : END_UNKNOWN;
}

static void look_for_artifact(struct end_marker_facts *out, const struct end_marker *m)
{
	struct arena a = ARENA_INIT;
	const char *path;

	out->artifact_bytes = -1;
	if (!m->artifact || !m->artifact[0] || !m->cwd || !fs_is_inside(m->artifact) ||
		!fs_is_dir(m->cwd))
		return;
	path = fs_join(&a, m->cwd, m->artifact);
	if (fs_leads_inside(m->cwd, m->artifact))
		out->artifact_bytes = fs_size(path);
	out->artifact = out->artifact_bytes >= 0 ? END_YES : END_NO;
	arena_release(&a);
}

int end_marker_scan(
	struct end_marker_facts *out, const struct end_marker *m, const char *log_path)
{
	struct scan s = { .done = m->done ? m->done : "", .steps = m->steps, .facts = out };
	struct stat st;
	char *chunk;
	int fd, bad;

	*out = (struct end_marker_facts){ .done_offset = -1 };
	look_for_artifact(out, m);
	s.done_n = strlen(s.done);
	if (s.done_n > DONE_MAX_BYTES)
		return err_set(ERR_USAGE, "the end marker is longer than %d bytes", DONE_MAX_BYTES);
	s.overlap = s.done_n > 2 * CONTEXT_BYTES ? s.done_n : 2 * CONTEXT_BYTES;
	fd = open(log_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", log_path);
	chunk = xmalloc(CHUNK_BYTES + s.overlap);
	bad = fstat(fd, &st) < 0 ? err_errno(ERR_IO, "%s", log_path) : 0;
	if (bad == 0)
		bad = scan_log(&s, fd, chunk, st.st_size);
	free(chunk);
	close(fd);
	if (bad < 0)
		return bad;
	out->log_bytes = st.st_size;
	if (s.done_n)
		out->done = out->done_offset >= 0 ? END_YES : END_NO;
	out->steps = judge_steps(&s);
	return 0;
}

bool end_marker_last_step(int64_t *out, const char *s, size_t n, int64_t declared)
{
	struct end_marker_facts facts = { .done_offset = -1 };
	struct scan scan = { .steps = declared, .facts = &facts };

	scan_steps(&scan, s, s, s + n, s + n);
	*out = facts.last_step;
	return facts.has_step;
}
