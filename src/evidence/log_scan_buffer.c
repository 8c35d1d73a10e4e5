/*
 * log_scan_buffer - the clean bytes that a scan holds: how they come in without control
 * sequences, and which of them are needed no more; see log_scan.h.
 */
#include "config.h"

#include <string.h>

#include "evidence/log_scan_private.h"

enum {
	CONTROL = 0x1b,
	KEPT_BEFORE = 3 * LOG_CONTEXT,	/* neighbours, and the neighbours of those */
};

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

size_t buffer_add(struct log_scan *s, const char *p, size_t n, bool last)
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

/* ---- what is kept ------------------------------------------------------------------ */

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

void buffer_drop(struct log_scan *s)
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
