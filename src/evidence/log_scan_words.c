/* log_scan_words - see log_scan_words.h. */
#include "config.h"

#include "evidence/log_scan_words.h"

#include <stdlib.h>
#include <string.h>

enum {
	LANES = 4,
	LANES_FROM = 4096,	/* bytes from which several places pay */
	NOWHERE = 0,
};

struct node {
	uint32_t *next;			/* by class; NOWHERE: none, the root is nobody's child */
	uint32_t back;			/* the longest end of this text that begins a word */
	uint32_t *tags;
	size_t tags_n, tags_cap;
};

struct word { char *text; size_t n; uint32_t tag; };

struct log_words {
	struct word *words;
	size_t words_n, words_cap, longest;

	/* While it is built. */
	struct node *nodes;
	size_t nodes_n, nodes_cap;

	/* Afterwards.  A state is its row times the row's length; those in which a word ends
	 * are the last, so that one comparison tells them apart. */
	uint8_t class_of[256];
	uint32_t stride, classes, first_match;
	uint32_t *table;
	struct { uint32_t from, n; } *ends;	/* by row behind first_match */
	uint32_t *tags;
};

static unsigned char fold(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c - 'A' + 'a') : c;
}

struct log_words *log_words_new(void)
{
	return xcalloc(1, sizeof(struct log_words));
}

void log_words_free(struct log_words *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->words_n; i++)
		free(w->words[i].text);
	free(w->words);
	free(w->table);
	free(w->ends);
	free(w->tags);
	free(w);
}

void log_words_add(struct log_words *w, const char *text, size_t n, uint32_t tag)
{
	if (n == 0)
		return;
	ARRAY_GROW(w->words, w->words_n, w->words_cap);
	w->words[w->words_n++] = (struct word){ xstrndup("", 0), n, tag };
	w->words[w->words_n - 1].text = xrealloc(w->words[w->words_n - 1].text, n + 1);
	memcpy(w->words[w->words_n - 1].text, text, n);
	if (n > w->longest)
		w->longest = n;
}

/* ---- building ----------------------------------------------------------------------- */

static void choose_classes(struct log_words *w)
{
	w->classes = 1;		/* 0: every byte that no word has */
	for (size_t i = 0; i < w->words_n; i++)
		for (size_t k = 0; k < w->words[i].n; k++) {
			unsigned char c = fold((unsigned char)w->words[i].text[k]);

			if (!w->class_of[c])
				w->class_of[c] = (uint8_t)w->classes++;
		}
	for (int c = 'A'; c <= 'Z'; c++)
		w->class_of[c] = w->class_of[fold((unsigned char)c)];
	w->stride = 1;
	while (w->stride < w->classes)
		w->stride *= 2;
}

static uint32_t node_new(struct log_words *w)
{
	ARRAY_GROW(w->nodes, w->nodes_n, w->nodes_cap);
	w->nodes[w->nodes_n] = (struct node){ .next = xcalloc(w->classes, sizeof(uint32_t)) };
	return (uint32_t)w->nodes_n++;
}

static void add_tag(struct node *n, uint32_t tag)
{
	for (size_t i = 0; i < n->tags_n; i++)
		if (n->tags[i] == tag)
			return;
	ARRAY_GROW(n->tags, n->tags_n, n->tags_cap);
	n->tags[n->tags_n++] = tag;
}

static void add_path(struct log_words *w, const struct word *word)
{
	uint32_t at = 0;

	for (size_t k = 0; k < word->n; k++) {
		uint8_t c = w->class_of[(unsigned char)word->text[k]];

		if (w->nodes[at].next[c] == NOWHERE) {
			uint32_t fresh = node_new(w);

			w->nodes[at].next[c] = fresh;
		}
		at = w->nodes[at].next[c];
	}
	add_tag(&w->nodes[at], word->tag);
}

/* Completes the moves of each node by those of what it falls back to, breadth first;
 * the root's missing moves lead to itself, which is 0 already. */
static void complete(struct log_words *w)
{
	uint32_t *queue = xmalloc(w->nodes_n * sizeof *queue);
	size_t head = 0, tail = 0;

	for (uint32_t c = 0; c < w->classes; c++)
		if (w->nodes[0].next[c] != NOWHERE)
			queue[tail++] = w->nodes[0].next[c];
	while (head < tail) {
		uint32_t at = queue[head++];
		struct node *n = &w->nodes[at];
		const struct node *back = &w->nodes[n->back];

		for (size_t i = 0; i < back->tags_n; i++)
			add_tag(n, back->tags[i]);
		for (uint32_t c = 0; c < w->classes; c++) {
			if (n->next[c] == NOWHERE) {
				n->next[c] = back->next[c];
				continue;
			}
			w->nodes[n->next[c]].back = back->next[c];
			queue[tail++] = n->next[c];
		}
	}
	free(queue);
}

/* Rows in which no word ends first, the root first of all. */
static uint32_t *choose_rows(struct log_words *w)
{
	uint32_t *row = xcalloc(w->nodes_n, sizeof *row), next = 0;

	for (size_t i = 0; i < w->nodes_n; i++)
		if (!w->nodes[i].tags_n)
			row[i] = next++;
	w->first_match = next * w->stride;
	for (size_t i = 0; i < w->nodes_n; i++)
		if (w->nodes[i].tags_n)
			row[i] = next++;
	return row;
}

static void write_table(struct log_words *w, const uint32_t *row)
{
	uint32_t quiet = w->first_match / w->stride, tags = 0;
	size_t all = 0;

	w->table = xcalloc(w->nodes_n * w->stride, sizeof *w->table);
	w->ends = xcalloc(w->nodes_n - quiet + 1, sizeof *w->ends);
	for (size_t i = 0; i < w->nodes_n; i++)
		all += w->nodes[i].tags_n;
	w->tags = xcalloc(all + 1, sizeof *w->tags);
	for (size_t i = 0; i < w->nodes_n; i++) {
		const struct node *n = &w->nodes[i];

		for (uint32_t c = 0; c < w->classes; c++)
			w->table[row[i] * w->stride + c] = row[n->next[c]] * w->stride;
		if (!n->tags_n)
			continue;
		w->ends[row[i] - quiet].from = tags;
		w->ends[row[i] - quiet].n = (uint32_t)n->tags_n;
		memcpy(w->tags + tags, n->tags, n->tags_n * sizeof *n->tags);
		tags += (uint32_t)n->tags_n;
	}
}

void log_words_finish(struct log_words *w)
{
	uint32_t *row;

	choose_classes(w);
	(void)node_new(w);
	for (size_t i = 0; i < w->words_n; i++)
		add_path(w, &w->words[i]);
	complete(w);
	row = choose_rows(w);
	write_table(w, row);
	free(row);
	for (size_t i = 0; i < w->nodes_n; i++) {
		free(w->nodes[i].next);
		free(w->nodes[i].tags);
	}
	free(w->nodes);
	w->nodes = NULL;
}

/* ---- searching ---------------------------------------------------------------------- */

static void add_found(struct log_words_found *f, uint64_t at, uint32_t state)
{
	ARRAY_GROW(f->rows, f->n, f->cap);
	f->rows[f->n++] = (struct log_word_found){ at, state };
}

static uint32_t run_one(const struct log_words *w, uint32_t state, const unsigned char *s, size_t n,
	uint64_t offset, struct log_words_found *out)
{
	for (size_t i = 0; i < n; i++) {
		state = w->table[state + w->class_of[s[i]]];
		if (__builtin_expect(state >= w->first_match, 0) && out)
			add_found(out, offset + i + 1, state);
	}
	return state;
}

/* What is known of the places that are searched side by side. */
struct lanes {
	struct log_words_found *found[LANES];
	uint64_t offset[LANES];
};

/* Some lane is in a state in which a word ends; seldom, so it stays out of the loop. */
static void __attribute__((noinline, cold)) add_lanes(
	const struct lanes *l, size_t i, const uint64_t state[LANES], uint32_t first)
{
	for (size_t k = 0; k < LANES; k++)
		if (state[k] >= first)
			add_found(l->found[k], l->offset[k] + i + 1, (uint32_t)state[k]);
}

/* Each byte waits for the one before it in its lane alone.  A state is below 2^31, so
 * one sign tells whether any lane has reached FIRST. */
static void run_loop(const struct log_words *w, const struct lanes *l, uint64_t state[LANES],
	const unsigned char *s, size_t quarter)
{
	const uint32_t *table = w->table, first = w->first_match;
	const uint8_t *class_of = w->class_of;
	const int64_t last = (int64_t)first - 1;
	uint64_t s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3];

	for (size_t i = 0; i < quarter; i++) {
		const unsigned char *p = s + i;

		s0 = table[s0 + class_of[p[0]]];
		s1 = table[s1 + class_of[p[quarter]]];
		s2 = table[s2 + class_of[p[2 * quarter]]];
		s3 = table[s3 + class_of[p[3 * quarter]]];
		if (__builtin_expect(((last - (int64_t)s0) | (last - (int64_t)s1) |
				(last - (int64_t)s2) | (last - (int64_t)s3)) < 0, 0))
			add_lanes(l, i, (uint64_t[LANES]){ s0, s1, s2, s3 }, first);
	}
	state[LANES - 1] = s3;
}

/* Equal quarters; each begins in the state that the bytes before it lead to, for which
 * as many as the longest word has are enough. */
static uint32_t run_lanes(const struct log_words *w, uint32_t state, const unsigned char *s,
	size_t n, uint64_t offset, struct log_words_found *out)
{
	const size_t quarter = n / LANES, before = w->longest;
	struct log_words_found later[LANES - 1] = { 0 };
	struct lanes l = { .found = { out }, .offset = { offset } };
	uint64_t states[LANES] = { state };

	for (size_t k = 1; k < LANES; k++) {
		l.found[k] = &later[k - 1];
		l.offset[k] = offset + k * quarter;
		states[k] = run_one(w, 0, s + k * quarter - before, before, 0, NULL);
	}
	run_loop(w, &l, states, s, quarter);
	for (size_t k = 0; k < LANES - 1; k++) {
		for (size_t i = 0; i < later[k].n; i++)
			add_found(out, later[k].rows[i].at, later[k].rows[i].state);
		free(later[k].rows);
	}
	return run_one(w, (uint32_t)states[LANES - 1], s + LANES * quarter, n - LANES * quarter,
		offset + LANES * quarter, out);
}

void log_words_run(const struct log_words *w, uint32_t *state, const char *s, size_t n,
	uint64_t offset, struct log_words_found *out)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n >= LANES_FROM && n / LANES >= w->longest)
		*state = run_lanes(w, *state, p, n, offset, out);
	else
		*state = run_one(w, *state, p, n, offset, out);
}

const uint32_t *log_words_tags(const struct log_words *w, uint32_t state, size_t *n)
{
	uint32_t at = (state - w->first_match) / w->stride;

	*n = w->ends[at].n;
	return w->tags + w->ends[at].from;
}
