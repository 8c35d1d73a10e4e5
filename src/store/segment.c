/* Segments: events as immutable files that are named by their content. */
#include "config.h"

#include "store/segment.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/log_internal.h"

/* One event with what segments are ordered by. */
static int by_replica_and_seq(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;
	int c = strcmp(x->replica, y->replica);

	if (c)
		return c;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return memcmp(x->id.bytes, y->id.bytes, sizeof x->id.bytes);
}

static size_t find_lines(struct event_bytes *lines, size_t max, const char *s, size_t n)
{
	const char *end = s + n;
	size_t count = 0;

	while (s < end && count < max) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));

		if (!newline)
			break;
		if (lines)
			lines[count] = (struct event_bytes){ s, (size_t)(newline - s) };
		count++;
		s = newline + 1;
	}
	return count;
}

static void complete(struct event_segment *out, struct arena *a, const char *bytes, size_t n)
{
	struct digest d = sha256_bytes(bytes, n);
	struct event_bytes *lines;

	digest_hex(out->name, &d);
	out->bytes = bytes;
	out->n = n;
	out->n_lines = find_lines(NULL, SEGMENT_EVENTS_MAX, bytes, n);
	lines = arena_alloc(a, out->n_lines * sizeof *lines);
	find_lines(lines, out->n_lines, bytes, n);
	out->lines = lines;
}

static void make(struct event_segment *out, struct arena *a, struct event *const *events, size_t n)
{
	struct buf b = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		buf_add(&b, events[i]->body, events[i]->body_n);
		buf_addc(&b, '\n');
	}
	complete(out, a, arena_strndup(a, b.s, b.n), b.n);
	buf_release(&b);
}

/* How many of EVENTS go into one segment: of one replica, none twice in a fork. */
static size_t run_length(struct event *const *events, size_t n)
{
	size_t i;

	for (i = 1; i < n && i < SEGMENT_EVENTS_MAX; i++)
		if (strcmp(events[i]->replica, events[0]->replica) ||
		    events[i]->seq <= events[i - 1]->seq)
			break;
	return i;
}

int segment_export(struct log *log, int64_t after, struct arena *a, struct event_segment **out,
	size_t *n, int64_t *last)
{
	struct event_segment *segments = NULL;
	struct event **events;
	size_t n_events, i, run, cap = 0;

	*out = NULL;
	*n = 0;
	if (log_events_arrived(log, after, 0, a, &events, &n_events, last) < 0)
		return err_code();
	if (n_events)
		qsort(events, n_events, sizeof *events, by_replica_and_seq);
	for (i = 0; i < n_events; i += run) {
		run = run_length(events + i, n_events - i);
		ARRAY_GROW(segments, *n, cap);
		make(&segments[(*n)++], a, events + i, run);
	}
	if (*n)
		*out = arena_memdup(a, segments, *n * sizeof *segments);
	free(segments);
	return 0;
}

/* Every line is an event of the same replica with a higher number. */
static int check_lines(const struct event_segment *s)
{
	char replica[EVENT_REPLICA_HEX + 1] = "";
	struct arena a = ARENA_INIT;
	struct event *e;
	int64_t seq = 0;
	size_t i;
	int rc = 0;

	for (i = 0; i < s->n_lines && !rc; i++) {
		rc = event_parse(&e, &a, s->lines[i].s, s->lines[i].n);
		if (!rc && i && strcmp(e->replica, replica))
			rc = err_set(ERR_PARSE, "an event of another replica");
		if (!rc && e->seq <= seq)
			rc = err_set(ERR_PARSE, "the numbers of the events do not rise");
		if (!rc) {
			memcpy(replica, e->replica, sizeof replica);
			seq = e->seq;
		}
		arena_release(&a);
	}
	return rc < 0 ? err_prefix("segment %.12s, line %zu: ", s->name, i) : 0;
}

int segment_parse(
	struct event_segment *out, struct arena *a, const char *name, const char *bytes, size_t n)
{
	memset(out, 0, sizeof *out);
	if (n > SEGMENT_BYTES_MAX)
		return err_set(
			ERR_PARSE, "segment %.12s: %zu bytes are more than a segment has", name, n);
	if (!n || bytes[n - 1] != '\n')
		return err_set(ERR_PARSE, "segment %.12s: it is cut off", name);
	complete(out, a, arena_strndup(a, bytes, n), n);
	if (strcmp(out->name, name))
		return err_set(
			ERR_PARSE, "segment %.12s: its content is not what its name says", name);
	if (out->lines[out->n_lines - 1].s + out->lines[out->n_lines - 1].n + 1 != out->bytes + n)
		return err_set(
			ERR_PARSE, "segment %.12s: more than %d lines", name, SEGMENT_EVENTS_MAX);
	return check_lines(out);
}

char *segment_path(struct arena *a, const char *name)
{
	return arena_printf(a, "seg/%.2s/%s.jsonl", name, name);
}

int segment_import(
	struct log *log, const struct event_segment *s, size_t n, struct foreign_result *out)
{
	struct event_bytes *lines;
	size_t total = 0, at = 0, i;
	int rc;

	for (i = 0; i < n; i++)
		total += s[i].n_lines;
	lines = xcalloc(total ? total : 1, sizeof *lines);
	for (i = 0; i < n; i++) {
		memcpy(lines + at, s[i].lines, s[i].n_lines * sizeof *lines);
		at += s[i].n_lines;
	}
	rc = log_insert_foreign(log, lines, total, out);
	free(lines);
	return rc;
}
