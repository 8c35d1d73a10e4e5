/*
 * log_scan - bytes in, findings out; see log_scan.h.
 *
 * The words of all signatures are found in one pass over the clean bytes; a segment is
 * looked at only where a word stands, once all that it depends on is in the buffer.
 */
#include "config.h"

#include "evidence/log_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/log_scan_private.h"

enum {
	FEED_BYTES = 128 * 1024,
	READ_BYTES = 256 * 1024,
	STRIDE = LOG_WINDOW - LOG_OVERLAP,
	FIRST_SAMPLE = 1 << 20,
	RSS_BYTES = 3,			/* of the word of FACT_RSS */
};

static const char *const fact_words[FACTS_N] = {
	[FACT_IGNORED] = "exception ignored in: ",
	[FACT_TRACEBACK] = "traceback (most recent call last)",
	[FACT_NUMPY] = "compiled using numpy 1.x",
	[FACT_RSS] = "rss",
	[FACT_KILLED] = "killed process",
	[FACT_MARK_STEP] = "counter: markstep",
	[FACT_BATCH] = "[batch=",
	[FACT_ROOT_CAUSE] = "root cause (first observed failure)",
	[FACT_FENCE] = "```",
};

static const char *const batch_words[] = { "batch_size", "batch size", "batch-size" };

/* ---- life ------------------------------------------------------------------------------ */

static void add_words(struct log_scan *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct signature *sig = signature_at(s->catalogue, i);

		for (size_t k = 0; k < sig->needs.count && sig->kind != SIGNATURE_VERSION; k++)
			log_words_add(s->words, sig->needs.text[k], sig->needs.n[k], (uint32_t)i);
	}
	for (size_t f = 0; f < FACTS_N; f++)
		if (f != FACT_FENCE || s->flags & LOG_SCAN_TRANSCRIPT)
			log_words_add(s->words, fact_words[f], strlen(fact_words[f]),
				(uint32_t)(s->n + f));
	for (size_t i = 0; i < ARRAY_LEN(batch_words); i++)
		log_words_add(s->words, batch_words[i], strlen(batch_words[i]),
			(uint32_t)(s->n + FACT_BATCH));
	log_words_finish(s->words);
}

/* The state behind the word of FACT_RSS when no other word ends there; 0 when one does. */
static uint32_t memory_state(const struct log_scan *s)
{
	const char *word = fact_words[FACT_RSS];
	struct log_words_found found = { 0 };
	uint32_t state = 0;
	size_t n;

	log_words_run(s->words, &state, word, strlen(word), 0, &found);
	free(found.rows);
	(void)log_words_tags(s->words, state, &n);
	return n == 1 ? state : 0;
}

static uint64_t *nowhere(size_t n)
{
	uint64_t *out = xcalloc(n + 1, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = LOG_NOWHERE;
	return out;
}

static struct log_scan *scan_new(const struct signature_catalogue *c, unsigned flags)
{
	struct log_scan *s = xcalloc(1, sizeof *s);

	s->catalogue = c;
	s->n = signature_catalogue_n(c);
	s->flags = flags;
	s->matcher = signature_matcher_new();
	buf_init(&s->held);
	buf_init(&s->text);
	buf_init(&s->join);
	s->wanted_words = (s->n + FACTS_N) / 64 + 1;
	s->wanted = xcalloc(s->wanted_words, sizeof *s->wanted);
	s->at = (struct stream){ .batch = -1, .line = 1, .next_sample = FIRST_SAMPLE };
	s->at.last_join = nowhere(s->n);
	s->at.last_hit = nowhere(s->n);
	gathered_init(&s->settled, s->n);
	s->into = &s->settled;
	return s;
}

struct log_scan *log_scan_new(const struct signature_catalogue *c, unsigned flags)
{
	struct log_scan *s = scan_new(c, flags);

	s->words = log_words_new();
	add_words(s);
	s->memory_state = memory_state(s);
	return s;
}

struct log_scan *log_scan_new_beside(const struct log_scan *other)
{
	struct log_scan *s = scan_new(other->catalogue, other->flags);

	s->words = other->words;
	s->memory_state = other->memory_state;
	s->borrows_words = true;
	return s;
}

void log_scan_free(struct log_scan *s)
{
	if (!s)
		return;
	signature_matcher_free(s->matcher);
	if (!s->borrows_words)
		log_words_free(s->words);
	buf_release(&s->held);
	buf_release(&s->text);
	buf_release(&s->join);
	free(s->cuts);
	free(s->found.rows);
	free(s->at.last_join);
	free(s->at.last_hit);
	free(s->wanted);
	if (s->is_shown)
		gathered_release(&s->shown);
	gathered_release(&s->settled);
	free(s);
}

/* ---- one segment ------------------------------------------------------------------------ */

static void want(struct log_scan *s, const struct log_word_found *found)
{
	size_t n, rss = s->n + FACT_RSS;
	const uint32_t *tags = log_words_tags(s->words, found->state, &n);

	for (size_t i = 0; i < n; i++) {
		uint64_t bit = UINT64_C(1) << (tags[i] % 64);

		if (tags[i] == rss && !(s->wanted[rss / 64] & bit))
			s->first_rss = found->at - RSS_BYTES;
		s->wanted[tags[i] / 64] |= bit;
	}
}

/* The words found from NEXT on that end in [FROM, TO). */
static bool want_range(struct log_scan *s, size_t *next, uint64_t from, uint64_t to)
{
	bool any = false;

	memset(s->wanted, 0, s->wanted_words * sizeof *s->wanted);
	while (*next < s->found.n && s->found.rows[*next].at - 1 < to) {
		if (s->found.rows[*next].at - 1 >= from) {
			want(s, &s->found.rows[*next]);
			any = true;
		}
		(*next)++;
	}
	return any;
}

static void look_at_segment(struct log_scan *s, struct log_segment *g)
{
	size_t next = s->at.next;

	segment_read(s, g);
	for (size_t i = 0; i < g->parts_n; i++) {
		uint64_t at = g->from + g->mark;

		if (want_range(s, &next, at + g->parts[i].from, at + g->parts[i].to))
			part_look(s, g, i);
	}
}

/* Where the segment of the byte at WORD begins: no separator stands from OPEN_FROM, a
 * segment's beginning, to OPEN_TO. */
static void open_segment(struct log_scan *s, uint64_t word)
{
	struct stream *t = &s->at;
	uint64_t from = t->open_to > s->base ? t->open_to : s->base, start;

	if (word < t->open_to)
		return;
	start = segment_start(s, word, from);
	if (start > from)
		t->open_from = start;
	else if (t->open_to < s->base)
		t->open_from = t->has_head ? t->head.start : s->base;
	t->open_to = word + 1;
}

/* The window of its segment in which the next word stands; false: more bytes are needed. */
static bool find_segment(struct log_scan *s, struct log_segment *g)
{
	struct stream *t = &s->at;
	uint64_t word = s->found.rows[t->next].at - 1, end;
	bool ends;

	open_segment(s, word);
	g->start = t->open_from;
	end = segment_end(s, t->open_to > s->base ? t->open_to : s->base, &ends);
	g->from = g->start;
	if (word - g->start >= LOG_WINDOW)
		g->from += (word - g->start - LOG_WINDOW + STRIDE) / STRIDE * STRIDE;
	if (g->from < t->window_from)
		g->from = t->window_from;
	g->to = end - g->from > LOG_WINDOW ? g->from + LOG_WINDOW : end;
	g->is_first = g->from == g->start;
	g->is_last = g->to == end && (ends || s->final);
	if (!s->final && !(g->to < end) && !(ends && scan_end(s) - end >= LOG_CONTEXT)) {
		/* What was seen to hold no separator is not looked at again. */
		if (!ends)
			t->open_to = end;
		return false;
	}
	return true;
}

/* Behind the window: words in the overlap are seen again in the next one. */
static void pass_segment(struct log_scan *s, const struct log_segment *g)
{
	struct stream *t = &s->at;
	uint64_t to = g->is_last ? g->to : g->from + STRIDE;

	t->window_from = g->is_last ? 0 : g->from + STRIDE;
	while (t->next < s->found.n && s->found.rows[t->next].at - 1 < to)
		t->next++;
	if (g->is_last) {
		t->open_from = t->open_to = g->to + 1;
	}
}

/*
 * A log may tell memory on every line, and nothing else on nearly all of them.  Where the
 * next word is that of memory, and a line ends before the word behind it, what it tells
 * needs neither the end of its segment nor the parts: no separator and no bar stands in
 * what memory is read from.  False: this is not so, and nothing was done.
 */
static bool take_memory_alone(struct log_scan *s)
{
	struct stream *t = &s->at;
	const struct log_word_found *row = &s->found.rows[t->next];
	uint64_t word = row->at - 1;
	const char *newline;

	if (row->state != s->memory_state || t->next + 1 == s->found.n || t->window_from ||
		t->open_to < s->base || word < t->open_to)
		return false;
	newline = memchr(scan_bytes(s, word), '\n', (size_t)(row[1].at - 1 - word));
	if (!newline)
		return false;
	open_segment(s, word);
	if (t->open_from < s->base || word - t->open_from >= LOG_WINDOW ||
		!memory_take(s, t->open_from, row->at - RSS_BYTES, newline))
		return false;
	t->next++;
	t->open_from = t->open_to = s->base + (uint64_t)(newline + 1 - s->text.s);
	return true;
}

static void look_at_all(struct log_scan *s)
{
	struct log_segment g;

	while (s->at.next < s->found.n) {
		if (take_memory_alone(s))
			continue;
		if (!find_segment(s, &g))
			return;
		steps_sample(s, g.start);
		look_at_segment(s, &g);
		pass_segment(s, &g);
	}
}

static void search_new(struct log_scan *s)
{
	log_words_run(s->words, &s->words_state, scan_bytes(s, s->scanned),
		(size_t)(scan_end(s) - s->scanned), s->scanned, &s->found);
	s->scanned = scan_end(s);
}

static void feed_piece(struct log_scan *s, const char *p, size_t n)
{
	size_t taken;

	s->settled.f.bytes += (int64_t)n;
	if (s->held.n) {
		buf_add(&s->held, p, n);
		taken = buffer_add(s, s->held.s, s->held.n, false);
		memmove(s->held.s, s->held.s + taken, s->held.n - taken);
		buf_truncate(&s->held, s->held.n - taken);
	} else {
		taken = buffer_add(s, p, n, false);
		buf_add(&s->held, p + taken, n - taken);
	}
	search_new(s);
	look_at_all(s);
	buffer_drop(s);
}

void log_scan_feed(struct log_scan *s, const void *bytes, size_t n)
{
	const char *p = bytes;

	if (s->is_shown) {
		gathered_release(&s->shown);
		s->is_shown = false;
	}
	while (n) {
		size_t piece = n < FEED_BYTES ? n : FEED_BYTES;

		feed_piece(s, p, piece);
		p += piece;
		n -= piece;
	}
}

/* ---- findings ----------------------------------------------------------------------------- */

/* All that looking at an end that may not be the end changes. */
struct saved {
	struct stream at;
	uint32_t words_state;
	size_t text_n, found_n, cuts_n;
	uint64_t scanned, removed;
	struct cut last_cut;
};

static uint64_t *copy_places(const uint64_t *from, size_t n)
{
	uint64_t *to = xcalloc(n + 1, sizeof *to);

	memcpy(to, from, n * sizeof *to);
	return to;
}

static struct saved save(struct log_scan *s)
{
	struct saved out = { s->at, s->words_state, s->text.n, s->found.n, s->cuts_n, s->scanned,
		s->removed, s->cuts_n ? s->cuts[s->cuts_n - 1] : (struct cut){ 0, 0 } };

	s->at.last_join = copy_places(out.at.last_join, s->n);
	s->at.last_hit = copy_places(out.at.last_hit, s->n);
	return out;
}

static void restore(struct log_scan *s, const struct saved *from)
{
	free(s->at.last_join);
	free(s->at.last_hit);
	s->at = from->at;
	s->words_state = from->words_state;
	buf_truncate(&s->text, from->text_n);
	s->found.n = from->found_n;
	s->cuts_n = from->cuts_n;
	if (s->cuts_n)
		s->cuts[s->cuts_n - 1] = from->last_cut;
	s->scanned = from->scanned;
	s->removed = from->removed;
}

static int by_line(const void *a, const void *b)
{
	const struct log_hit *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->signature != y->signature)
		return x->signature < y->signature ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void finish(struct log_scan *s)
{
	struct gathered *g = s->into;
	uint64_t end;

	(void)buffer_add(s, s->held.s, s->held.n, true);
	search_new(s);
	look_at_all(s);
	end = scan_end(s);
	steps_sample(s, end);
	step_look(s, end - s->base > LOG_CONTEXT ? end - LOG_CONTEXT : s->base, end);
	blocks_follow(s, end);
	g->f.lines = line_at(s, end) - 1;
	if (s->text.n && s->text.s[s->text.n - 1] != '\n')
		g->f.lines++;
	if (g->f.hits_n > 1)
		qsort(g->hits, g->f.hits_n, sizeof *g->hits, by_line);
	g->f.hits = g->hits;
	g->f.tallies = g->tallies;
	g->f.memory = g->memory;
}

const struct log_findings *log_scan_findings(struct log_scan *s)
{
	struct saved before;

	if (s->is_shown)
		return &s->shown.f;
	before = save(s);
	gathered_copy(&s->shown, &s->settled);
	s->into = &s->shown;
	s->final = true;
	finish(s);
	s->final = false;
	s->into = &s->settled;
	s->is_shown = true;
	restore(s, &before);
	return &s->shown.f;
}

/* ---- files -------------------------------------------------------------------------------- */

int log_scan_descriptor(
	struct log_scan *s, int fd, const char *name, bool (*cancel)(void *), void *user)
{
	char *chunk = xmalloc(READ_BYTES);
	int rc = 0;

	for (;;) {
		ssize_t n = read(fd, chunk, READ_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(ERR_IO, "%s", name);
		else if (n > 0 && cancel && cancel(user))
			rc = err_set(ERR_CANCELLED, "%s: cancelled", name);
		if (n <= 0 || rc < 0)
			break;
		log_scan_feed(s, chunk, (size_t)n);
	}
	free(chunk);
	return rc;
}

int log_scan_file(struct log_scan *s, const char *path, bool (*cancel)(void *), void *user)
{
	int fd = fs_open_file(path), rc;

	if (fd < 0)
		return fd;
	rc = log_scan_descriptor(s, fd, path, cancel, user);
	close(fd);
	return rc;
}
