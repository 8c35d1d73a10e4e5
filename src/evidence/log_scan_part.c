/*
 * log_scan_part - the signatures whose words stand in one part: alone, and joined to its
 * neighbours; see log_scan.h.
 */
#include "config.h"

#include <string.h>

#include "evidence/log_scan_private.h"

/* The part of the stream beside one, found when the first signature asks for it. */
struct neighbour {
	struct part_text text;
	bool known, is;
};

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
	struct neighbour before, after;
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
	if (s->at.last_join[index] != LOG_NOWHERE && s->at.last_join[index] >= a->at + a->n)
		return;
	s->at.last_join[index] = a->at + a->n;
	add_hit(s, l, index, s->join.s, s->join.n, a->at, a->segment_start, m);
}

static bool neighbour_before(struct log_scan *s, struct looked_at *l)
{
	if (!l->before.known) {
		l->before.is = part_before(s, l->g, l->part, &l->before.text);
		l->before.known = true;
	}
	return l->before.is;
}

static bool neighbour_after(struct log_scan *s, struct looked_at *l)
{
	if (!l->after.known) {
		l->after.is = !l->begins_block && !log_is_file_line(l->p, l->n) &&
			part_after(s, l->g, l->part, &l->after.text);
		l->after.known = true;
	}
	return l->after.is;
}

static void try_before(struct log_scan *s, struct looked_at *l, uint32_t index, char glue)
{
	const struct part_text *a = &l->before.text, b = own_text(l, false);
	struct signature_match m;

	if (!neighbour_before(s, l) || !match_joined(s, &m, index, a, glue, &b) ||
		passes_over(s, l))
		return;
	if (s->at.has_last_ignored && s->at.last_ignored == a->segment_start)
		return;
	if (glue == ' ' && matches_alone(s, index, a))
		return;
	add_joined(s, l, index, a, &m);
}

static void try_after(struct log_scan *s, struct looked_at *l, uint32_t index, char glue)
{
	struct part_text a = own_text(l, true);
	const struct part_text *b = &l->after.text;
	struct signature_match m;

	if (!neighbour_after(s, l) || !match_joined(s, &m, index, &a, glue, b) || passes_over(s, l))
		return;
	if (glue == ' ' && matches_alone(s, index, b))
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
		if ((s->at.last_hit[index] != LOG_NOWHERE && s->at.last_hit[index] >= at &&
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

static bool wants_signature(const struct log_scan *s)
{
	for (size_t w = 0; w * 64 < s->n; w++) {
		size_t left = s->n - w * 64;
		uint64_t bits = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;

		if (s->wanted[w] & bits)
			return true;
	}
	return false;
}

static void try_signatures(struct log_scan *s, const struct log_segment *g, size_t part)
{
	uint64_t at = g->from + g->mark + g->parts[part].from;
	struct looked_at l = { .g = g, .part = part, .at = at,
		.p = scan_bytes(s, at), .n = g->parts[part].to - g->parts[part].from };

	if (part == 0 && !g->is_first)
		l.flags |= SIGNATURE_NOT_BEGIN;
	if (part + 1 == g->parts_n && !g->is_last)
		l.flags |= SIGNATURE_NOT_END;
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

void part_look(struct log_scan *s, const struct log_segment *g, size_t part)
{
	facts_take(s, g, part);
	if (wants_signature(s))
		try_signatures(s, g, part);
}
