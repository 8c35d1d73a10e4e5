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
	KEPT_BEFORE = 3 * LOG_CONTEXT,	/* neighbours, and the neighbours of those */
	FIRST_SAMPLE = 1 << 20,
	CONTROL = 0x1b,
};

#define NOWHERE UINT64_MAX

static const char *const fact_words[FACTS_N] = {
	[FACT_IGNORED] = "exception ignored in: ",
	[FACT_TRACEBACK] = "traceback (most recent call last)",
	[FACT_NUMPY] = "compiled using numpy 1.x",
	[FACT_RSS] = "rss",
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

static uint64_t *nowhere(size_t n)
{
	uint64_t *out = xcalloc(n + 1, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = NOWHERE;
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
	return s;
}

struct log_scan *log_scan_new_beside(const struct log_scan *other)
{
	struct log_scan *s = scan_new(other->catalogue, other->flags);

	s->words = other->words;
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

/* ---- control sequences ------------------------------------------------------------------ */

static void add_cut(struct log_scan *s, size_t length)
{
	uint64_t at = scan_end(s);

	s->removed += length;
	if (s->cuts_n && s->cuts[s->cuts_n - 1].at == at) {
		s->cuts[s->cuts_n - 1].removed = s->removed;
		return;
	}
	ARRAY_GROW(s->cuts, s->cuts_n, s->cuts_cap);
	s->cuts[s->cuts_n++] = (struct cut){ at, s->removed };
}

/* Adds what is text; the bytes that were taken, fewer than N when a sequence goes on. */
static size_t add_clean(struct log_scan *s, const char *p, size_t n, bool last)
{
	size_t at = 0;

	while (at < n) {
		const char *control = memchr(p + at, CONTROL, n - at);
		size_t text = control ? (size_t)(control - p) - at : n - at, length;

		buf_add(&s->text, p + at, text);
		at += text;
		if (!control)
			break;
		length = log_escape(control, n - at, last);
		if (length > n - at)
			return at;
		if (length)
			add_cut(s, length);
		else
			buf_addc(&s->text, CONTROL);
		at += length ? length : 1;
	}
	return at;
}

/* ---- one part --------------------------------------------------------------------------- */

struct looked_at {
	const struct log_segment *g;
	size_t part;
	const char *p;
	size_t n;
	uint64_t at;			/* of P */
	unsigned flags;			/* whether it begins and ends where a line does */
	bool quoted, quoted_known;
	bool ignored, ignored_known;
	bool begins_block;		/* what stands below is passed over */
};

static bool passes_over(struct log_scan *s, struct looked_at *l)
{
	if (!l->ignored_known) {
		l->ignored = l->g->boxed || is_ignored(s, l->g);
		l->ignored_known = true;
	}
	if (!l->quoted_known) {
		l->quoted = l->part == 0 && segment_is_quoted(s, l->g->start, l->g->rank);
		l->quoted_known = true;
	}
	return l->ignored || l->quoted;
}

/* The line of the match and where it begins; A part of the segment before may stand on
 * an earlier line. */
static void place_hit(struct log_scan *s, struct sighting *seen, const struct looked_at *l,
	uint64_t at, uint64_t segment)
{
	int64_t earlier = 0;

	seen->line = line_at(s, l->g->from);
	seen->offset = s->at.line_offset;
	seen->place = raw_offset(s, at);
	if (at < l->g->from)
		earlier = newlines(scan_bytes(s, at), (size_t)(l->g->from - at));
	if (earlier) {
		seen->line -= earlier;
		seen->offset = earlier_line_offset(s, at, segment);
	}
}

/* TEXT begins at place AT of the segment that begins at SEGMENT. */
static void add_hit(struct log_scan *s, const struct looked_at *l, uint32_t index, const char *text,
	size_t n, uint64_t at, uint64_t segment, const struct signature_match *m)
{
	size_t skip = m->whole.from > LOG_TEXT_MAX / 2 ? m->whole.from - LOG_TEXT_MAX / 8 : 0;
	struct sighting seen = { .index = index,
		.signature = signature_at(s->catalogue, index),
		.rank = l->g->rank,
		.batch = s->at.batch,
		.text = text + skip,
		.text_n = n - skip };

	place_hit(s, &seen, l, at, segment);
	seen.step = step_near(s, l->g);
	for (size_t i = 0; i < m->groups_n; i++)
		if (m->groups[i].from <= m->groups[i].to && m->groups[i].to <= n) {
			seen.groups[i] = text + m->groups[i].from;
			seen.groups_n[i] = m->groups[i].to - m->groups[i].from;
		}
	gathered_add(s->into, &seen);
}

static bool matches(struct log_scan *s, struct signature_match *m, uint32_t index, const char *text,
	size_t n, unsigned flags)
{
	const struct signature *sig = signature_at(s->catalogue, index);
	int found = signature_match(m, s->matcher, sig, text, n, flags);

	if (found < 0)
		s->into->tallies[index].limited++;
	return found > 0;
}

/* A and B with GLUE between; true when a match of it begins in A and ends in B. */
static bool match_joined(struct log_scan *s, struct signature_match *m, uint32_t index,
	const struct part_text *a, char glue, const struct part_text *b)
{
	unsigned flags = (a->cut_begin ? SIGNATURE_NOT_BEGIN : 0) |
		(b->cut_end ? SIGNATURE_NOT_END : 0);

	buf_clear(&s->join);
	buf_add(&s->join, scan_bytes(s, a->at), a->n);
	buf_addc(&s->join, glue);
	buf_add(&s->join, scan_bytes(s, b->at), b->n);
	return matches(s, m, index, s->join.s, s->join.n, flags) && m->whole.from < a->n &&
		m->whole.to > a->n + 1;
}

static bool matches_alone(struct log_scan *s, uint32_t index, const struct part_text *p)
{
	unsigned flags = (p->cut_begin ? SIGNATURE_NOT_BEGIN : 0) |
		(p->cut_end ? SIGNATURE_NOT_END : 0);
	struct signature_match m;

	return matches(s, &m, index, scan_bytes(s, p->at), p->n, flags);
}

static struct part_text own_text(const struct looked_at *l, bool end)
{
	bool cut = l->n > LOG_JOIN;

	return (struct part_text){ .at = cut && end ? l->at + l->n - LOG_JOIN : l->at,
		.segment_start = l->g->start,
		.n = cut ? LOG_JOIN : l->n,
		.cut_begin = (cut && end) || (l->flags & SIGNATURE_NOT_BEGIN),
		.cut_end = (cut && !end) || (l->flags & SIGNATURE_NOT_END) };
}

/* The pair is named by where its first part begins; it counts once, from whichever of
 * the two it is found. */
static void add_joined(struct log_scan *s, const struct looked_at *l, uint32_t index,
	const struct part_text *a, const struct signature_match *m)
{
	if (s->at.last_join[index] != NOWHERE && s->at.last_join[index] >= a->at + a->n)
		return;
	s->at.last_join[index] = a->at + a->n;
	add_hit(s, l, index, s->join.s, s->join.n, a->at, a->segment_start, m);
}

static void try_before(struct log_scan *s, struct looked_at *l, uint32_t index, char glue)
{
	struct part_text a, b = own_text(l, false);
	struct signature_match m;

	if (!part_before(s, l->g, l->part, &a) || !match_joined(s, &m, index, &a, glue, &b) ||
		passes_over(s, l))
		return;
	if (s->at.has_last_ignored && s->at.last_ignored == a.segment_start)
		return;
	if (glue == ' ' && matches_alone(s, index, &a))
		return;
	add_joined(s, l, index, &a, &m);
}

static void try_after(struct log_scan *s, struct looked_at *l, uint32_t index, char glue)
{
	struct part_text a = own_text(l, true), b;
	struct signature_match m;

	if (l->begins_block || log_is_file_line(l->p, l->n) || !part_after(s, l->g, l->part, &b) ||
		!match_joined(s, &m, index, &a, glue, &b) || passes_over(s, l))
		return;
	if (glue == ' ' && matches_alone(s, index, &b))
		return;
	add_joined(s, l, index, &a, &m);
}

static void try_signature(struct log_scan *s, struct looked_at *l, uint32_t index)
{
	const struct signature *sig = signature_at(s->catalogue, index);
	struct signature_match m;

	if (sig->two_lines) {
		try_before(s, l, index, '\n');
		try_after(s, l, index, '\n');
		return;
	}
	if (matches(s, &m, index, l->p, l->n, l->flags)) {
		uint64_t at = l->at + m.whole.from;

		/* Windows overlap: what was seen in the one before counts once. */
		if ((s->at.last_hit[index] != NOWHERE && s->at.last_hit[index] >= at &&
			    !l->g->is_first) ||
			passes_over(s, l))
			return;
		s->at.last_hit[index] = at;
		add_hit(s, l, index, l->p, l->n, l->at, l->g->start, &m);
	} else if (!sig->anchored) {
		try_before(s, l, index, ' ');
		try_after(s, l, index, ' ');
	}
}

static bool is_tool_input(const struct log_scan *s, const struct looked_at *l)
{
	return s->flags & LOG_SCAN_TRANSCRIPT &&
		(s->at.in_fence || memmem(l->p, l->n, "\"tool_use\"", 10) != NULL);
}

static void look_at_part(struct log_scan *s, const struct log_segment *g, size_t part)
{
	uint64_t at = g->from + g->mark + g->parts[part].from;
	struct looked_at l = { .g = g, .part = part, .at = at,
		.p = scan_bytes(s, at), .n = g->parts[part].to - g->parts[part].from };

	if (part == 0 && !g->is_first)
		l.flags |= SIGNATURE_NOT_BEGIN;
	if (part + 1 == g->parts_n && !g->is_last)
		l.flags |= SIGNATURE_NOT_END;
	facts_take(s, g, part);
	if (is_tool_input(s, &l))
		return;
	l.begins_block = part == 0 && l.n >= 22 && memcmp(l.p, "Exception ignored in: ", 22) == 0;
	for (size_t w = 0; w * 64 < s->n; w++)
		for (uint64_t bits = s->wanted[w]; bits; bits &= bits - 1) {
			size_t index = w * 64 + (size_t)__builtin_ctzll(bits);

			if (index < s->n)
				try_signature(s, &l, (uint32_t)index);
		}
}

/* ---- one segment ------------------------------------------------------------------------ */

static bool want(struct log_scan *s, uint32_t state)
{
	size_t n;
	const uint32_t *tags = log_words_tags(s->words, state, &n);

	for (size_t i = 0; i < n; i++)
		s->wanted[tags[i] / 64] |= UINT64_C(1) << (tags[i] % 64);
	return n > 0;
}

/* The words found from NEXT on that end in [FROM, TO). */
static bool want_range(struct log_scan *s, size_t *next, uint64_t from, uint64_t to)
{
	bool any = false;

	memset(s->wanted, 0, s->wanted_words * sizeof *s->wanted);
	while (*next < s->found.n && s->found.rows[*next].at - 1 < to) {
		if (s->found.rows[*next].at - 1 >= from)
			any = want(s, s->found.rows[*next].state) || any;
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
			look_at_part(s, g, i);
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
	*g = (struct log_segment){ .start = t->open_from };
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

static void look_at_all(struct log_scan *s)
{
	struct log_segment g;

	while (s->at.next < s->found.n) {
		if (!find_segment(s, &g))
			return;
		steps_sample(s, g.start);
		look_at_segment(s, &g);
		pass_segment(s, &g);
	}
}

/* ---- the buffer --------------------------------------------------------------------------- */

/* What is known of the segment at whose beginning, or behind it, the buffer will begin. */
static void keep_head(struct log_scan *s, uint64_t start)
{
	struct stream *t = &s->at;
	uint64_t to = start + LOG_JOIN;
	struct log_segment head = { .start = start, .from = start, .is_first = true };

	if (t->has_head && t->head.start == start)
		return;
	head.to = to < scan_end(s) ? to : scan_end(s);
	segment_read(s, &head);
	t->head_quoted = segment_is_quoted(s, start, head.rank);
	t->head = head;
	t->has_head = true;
}

/* The place up to which nothing is needed any more, and the segment that holds it. */
static uint64_t choose_kept(struct log_scan *s, uint64_t *start)
{
	uint64_t end = scan_end(s), need = end, last = segment_start(s, end, s->base), keep;

	if (last == s->base && s->at.has_head)
		last = s->at.head.start;
	if (s->at.next < s->found.n)
		need = s->at.open_from > s->base ? s->at.open_from : s->base;
	/* Of a long segment only the last windows are needed. */
	if (end - last <= 2 * LOG_WINDOW) {
		need = last < need ? last : need;
	} else if (end - 2 * LOG_WINDOW < need) {
		need = end - 2 * LOG_WINDOW;
	}
	if (s->at.next < s->found.n && s->found.rows[s->at.next].at - 1 - need > 3 * LOG_WINDOW)
		need = s->found.rows[s->at.next].at - 1 - 3 * LOG_WINDOW;
	keep = need > KEPT_BEFORE ? need - KEPT_BEFORE : 0;
	if (keep < s->base)
		keep = s->base;
	*start = segment_start(s, keep, s->base);
	if (*start == s->base && s->at.has_head)
		*start = s->at.head.start;
	if (*start < s->base)
		return keep;
	/* What stands before a segment tells whether it only quotes code: it is dropped when
	 * that was seen, and the beginning only of a long one. */
	if (*start > s->base && s->base > 0 && *start - s->base < LOG_CONTEXT)
		return s->base;
	return keep - *start <= 2 * LOG_WINDOW ? *start : keep;
}

static void drop_cuts(struct log_scan *s, uint64_t keep)
{
	size_t n = 0;

	while (n + 1 < s->cuts_n && s->cuts[n + 1].at <= keep)
		n++;
	if (n)
		memmove(s->cuts, s->cuts + n, (s->cuts_n - n) * sizeof *s->cuts);
	s->cuts_n -= n;
}

static void drop_before(struct log_scan *s)
{
	uint64_t start, keep = choose_kept(s, &start);
	size_t n = (size_t)(keep - s->base);

	steps_sample(s, keep);
	if (n == 0)
		return;
	blocks_follow(s, keep);
	keep_head(s, start);
	(void)line_at(s, keep);
	drop_cuts(s, keep);
	memmove(s->text.s, s->text.s + n, s->text.n - n);
	buf_truncate(&s->text, s->text.n - n);
	s->base = keep;
	if (s->at.next) {
		s->found.n -= s->at.next;
		memmove(s->found.rows, s->found.rows + s->at.next,
			s->found.n * sizeof *s->found.rows);
		s->at.next = 0;
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
		taken = add_clean(s, s->held.s, s->held.n, false);
		memmove(s->held.s, s->held.s + taken, s->held.n - taken);
		buf_truncate(&s->held, s->held.n - taken);
	} else {
		taken = add_clean(s, p, n, false);
		buf_add(&s->held, p + taken, n - taken);
	}
	search_new(s);
	look_at_all(s);
	drop_before(s);
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

	(void)add_clean(s, s->held.s, s->held.n, true);
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
