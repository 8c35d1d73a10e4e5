/* log_scan_findings - hits, and all matches of a signature in few numbers; see log_scan.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evidence/log_scan_private.h"

enum { SUBJECT_BYTES = 96 };

static const struct log_tally empty_tally = { .last_step = -1, .first_value = NAN,
	.previous_value = NAN, .last_value = NAN, .largest_value = NAN, .last_second = NAN,
	.rise_from = NAN, .rise_to = NAN, .same_text = "", .beyond_text = "" };

struct memory_of_value {
	double value;
	int64_t mark, step, marks_seen;
};

static const struct memory_of_value none_seen = { NAN, -1, -1, 0 };

void gathered_init(struct gathered *g, size_t signatures_n)
{
	*g = (struct gathered){ .arena = ARENA_INIT, .signatures_n = signatures_n };
	g->f.mark_steps = g->f.last_step = -1;
	g->f.root_rank = LOG_NO_RANK;
	g->f.last_exception = "";
	g->tallies = xcalloc(signatures_n + 1, sizeof *g->tallies);
	g->subjects = xcalloc(signatures_n + 1, sizeof *g->subjects);
	g->subjects_n = xcalloc(signatures_n + 1, sizeof *g->subjects_n);
	g->seen = xcalloc(signatures_n + 1, sizeof *g->seen);
	for (size_t i = 0; i < signatures_n; i++) {
		g->tallies[i] = empty_tally;
		g->seen[i] = none_seen;
	}
}

void gathered_release(struct gathered *g)
{
	for (size_t i = 0; g->subjects && i < g->signatures_n; i++)
		free(g->subjects[i]);
	free(g->subjects);
	free(g->subjects_n);
	free(g->tallies);
	free(g->seen);
	free(g->hits);
	arena_release(&g->arena);
}

/* Texts of FROM are borrowed: it outlives TO. */
void gathered_copy(struct gathered *to, const struct gathered *from)
{
	size_t n = from->signatures_n;

	gathered_init(to, n);
	to->f = from->f;
	to->marks_seen = from->marks_seen;
	memcpy(to->tallies, from->tallies, n * sizeof *to->tallies);
	memcpy(to->seen, from->seen, n * sizeof *to->seen);
	memcpy(to->subjects_n, from->subjects_n, n * sizeof *to->subjects_n);
	memcpy(to->memory, from->memory, sizeof to->memory);
	for (size_t i = 0; i < n; i++)
		if (from->subjects[i]) {
			to->subjects[i] = xcalloc(LOG_SUBJECTS_MAX, sizeof **to->subjects);
			memcpy(to->subjects[i], from->subjects[i],
				LOG_SUBJECTS_MAX * sizeof **to->subjects);
		}
	to->hits_cap = from->f.hits_n;
	to->hits = xcalloc(to->hits_cap + 1, sizeof *to->hits);
	if (from->f.hits_n)
		memcpy(to->hits, from->hits, from->f.hits_n * sizeof *to->hits);
}

/* ---- values -------------------------------------------------------------------------- */

static double quantity(const struct sighting *s, size_t group)
{
	return s->groups[group] ? log_quantity(s->groups[group], s->groups_n[group]) : NAN;
}

/*
 * How many steps had been made when the value before this one was printed.  A report
 * gives metrics before counters and counters by name, so the MarkStep of its own report
 * follows a metric, and comes before UncachedCompile.
 */
static int64_t steps_before(const struct gathered *g, const struct memory_of_value *seen,
	const struct sighting *s)
{
	bool is_metric = s->text_n >= 7 && memcmp(s->text, "Metric:", 7) == 0;

	if (is_metric && g->marks_seen > seen->marks_seen)
		return g->f.mark_steps;
	return seen->mark >= 0 ? seen->mark : seen->step;
}

static void add_value(struct gathered *g, struct log_tally *t, const struct sighting *s)
{
	struct memory_of_value *seen = &g->seen[s->index];
	double v = quantity(s, 0);

	t->last_second = quantity(s, 1);
	if (isnan(v))
		return;
	if (isnan(t->first_value))
		t->first_value = v;
	if (isnan(t->largest_value) || v > t->largest_value)
		t->largest_value = v;
	/* A value that falls begins anew: another run, or counters that were cleared. */
	if (v > seen->value && steps_before(g, seen, s) >= LOG_WARM_UP) {
		t->rises++;
		t->rise_from = seen->value;
		t->rise_to = v;
		if (!t->rise_line)
			t->rise_line = s->line;
	}
	t->previous_value = t->last_value;
	t->last_value = v;
	*seen = (struct memory_of_value){ v, g->f.mark_steps, s->step, g->marks_seen };
}

/* ---- what a group names --------------------------------------------------------------- */

static void add_subject(struct gathered *g, struct log_tally *t, const struct sighting *s)
{
	struct subject **list = &g->subjects[s->index];
	size_t *n = &g->subjects_n[s->index], i = 0;
	char name[SUBJECT_BYTES + 1];
	size_t length = s->groups_n[0] < SUBJECT_BYTES ? s->groups_n[0] : SUBJECT_BYTES;

	if (!s->groups[0])
		return;
	memcpy(name, s->groups[0], length);
	name[length] = '\0';
	if (!*list)
		*list = xcalloc(LOG_SUBJECTS_MAX, sizeof **list);
	while (i < *n && strcmp((*list)[i].text, name) != 0)
		i++;
	if (i == LOG_SUBJECTS_MAX)
		return;
	if (i == *n)
		(*list)[(*n)++].text = arena_strdup(&g->arena, name);
	if (++(*list)[i].count > t->same_most) {
		t->same_most = (*list)[i].count;
		t->same_text = (*list)[i].text;
		t->same_line = s->line;
	}
}

static bool is_harmless(const struct signature *sig, const char *word, size_t n)
{
	for (size_t i = 0; i < sig->words_n; i++)
		if (strlen(sig->words[i]) == n && memcmp(sig->words[i], word, n) == 0)
			return true;
	return false;
}

/* The words of "'classifier.dense.weight', 'lm_head.weight'" or "aten::a, aten::b, ". */
static void add_list(struct gathered *g, struct log_tally *t, const struct sighting *s)
{
	static const char between[] = " ,'\"[]";
	const char *p = s->groups[0];
	size_t n = p ? s->groups_n[0] : 0, i = 0;

	while (i < n && !t->beyond) {
		size_t from;

		while (i < n && (!p[i] || strchr(between, p[i])))
			i++;
		from = i;
		while (i < n && p[i] && !strchr(between, p[i]))
			i++;
		if (i == from || is_harmless(s->signature, p + from, i - from))
			continue;
		t->beyond = true;
		t->beyond_text = arena_strndup(
			&g->arena, p + from, text_cut(p + from, i - from, SUBJECT_BYTES));
		t->beyond_line = s->line;
	}
}

/* ---- hits ------------------------------------------------------------------------------ */

static void keep_hit(struct gathered *g, const struct sighting *s)
{
	struct log_hit *h;

	if (g->f.hits_n == LOG_HITS_MAX || g->tallies[s->index].count > LOG_HITS_EACH) {
		g->f.hits_more++;
		return;
	}
	ARRAY_GROW(g->hits, g->f.hits_n, g->hits_cap);
	h = &g->hits[g->f.hits_n++];
	*h = (struct log_hit){ .signature = s->index,
		.line = s->line,
		.offset = s->offset,
		.place = s->place,
		.rank = s->rank,
		.step = s->step,
		.batch = s->batch,
		.need = quantity(s, 0),
		.group = "" };
	h->text = arena_strndup(&g->arena, s->text, text_cut(s->text, s->text_n, LOG_TEXT_MAX));
	if (s->groups[0])
		h->group = arena_strndup(&g->arena, s->groups[0],
			text_cut(s->groups[0], s->groups_n[0], SUBJECT_BYTES));
}

void gathered_add(struct gathered *g, const struct sighting *s)
{
	struct log_tally *t = &g->tallies[s->index];

	t->count++;
	if (!t->first_line)
		t->first_line = s->line;
	t->last_line = s->line;
	if (s->step >= 0) {
		t->with_step++;
		t->late += s->step > LOG_WARM_UP;
		t->last_step = s->step;
	}
	add_value(g, t, s);
	if (s->signature->rule == RULE_REPEATS)
		add_subject(g, t, s);
	else if (s->signature->rule == RULE_BEYOND)
		add_list(g, t, s);
	keep_hit(g, s);
}

void gathered_add_memory(struct gathered *g, int rank, double value, bool has_unit, int64_t line)
{
	struct log_memory *m = NULL;

	for (size_t i = 0; i < g->f.memory_n && !m; i++)
		if (g->memory[i].rank == rank)
			m = &g->memory[i];
	if (!m) {
		if (g->f.memory_n == LOG_RANKS_MAX)
			return;
		m = &g->memory[g->f.memory_n++];
		*m = (struct log_memory){ .rank = rank, .first = value, .last = value,
			.first_line = line, .has_unit = has_unit };
	}
	if (has_unit != m->has_unit)
		return;
	m->rises += m->n > 0 && value > m->last;
	m->n++;
	m->last = value;
	m->last_line = line;
}
