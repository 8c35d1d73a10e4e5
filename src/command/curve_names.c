/* curve_names - the series of all runs of a scene, by group; see curve_chart.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "command/curve_chart.h"

size_t curve_group_length(const char *name)
{
	static const char *const words[] = { "eval", "train", "val", "valid", "test", "predict" };
	const char *slash = strchr(name, '/');

	if (slash)
		return (size_t)(slash - name);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(name, words[i], n) == 0 && name[n] == '_' && name[n + 1])
			return n;
	}
	return 0;
}

/* ---- names that were seen --------------------------------------------------------- */

/* Each text once, numbered in the order of its first appearance.  Runs log thousands of
 * series: looking at all of them for each would take longer than reading the files. */
struct texts {
	const char **at;
	size_t n, cap;
	size_t *slots;			/* number + 1; 0: free */
	size_t n_slots;			/* a power of two, at least twice N */
};

static size_t hash_of(const char *s)
{
	uint64_t h = fnv1a(FNV1A_BEGIN, s, strlen(s));

	return (size_t)(h ^ h >> 32);
}

/* Where TEXT stands, or the free slot for it. */
static size_t *slot_of(const struct texts *t, const char *text)
{
	size_t i = hash_of(text) & (t->n_slots - 1);

	while (t->slots[i] && strcmp(t->at[t->slots[i] - 1], text) != 0)
		i = (i + 1) & (t->n_slots - 1);
	return &t->slots[i];
}

static void grow(struct texts *t)
{
	if (2 * (t->n + 1) <= t->n_slots)
		return;
	free(t->slots);
	t->n_slots = t->n_slots ? 2 * t->n_slots : 64;
	t->slots = xcalloc(t->n_slots, sizeof *t->slots);
	for (size_t i = 0; i < t->n; i++)
		*slot_of(t, t->at[i]) = i + 1;
}

/* The number of TEXT, which is borrowed; *IS_NEW when it was not there. */
static size_t number_of(struct texts *t, const char *text, bool *is_new)
{
	size_t *slot;

	grow(t);
	slot = slot_of(t, text);
	*is_new = !*slot;
	if (*slot)
		return *slot - 1;
	ARRAY_GROW(t->at, t->n, t->cap);
	t->at[t->n++] = text;
	*slot = t->n;
	return t->n - 1;
}

static void release(struct texts *t)
{
	free(t->at);
	free(t->slots);
}

/* ---- by group ------------------------------------------------------------------------ */

/* Before they are put by group: in the order of A, then what others have. */
struct found {
	struct texts names, groups;
	struct curve_name *at;
	size_t *group;			/* number of each */
	size_t n, cap, cap_group;
	struct arena *a;
};

static void add(struct found *f, const char *name, const char *only)
{
	struct curve_name *k;
	size_t group, n = f->n;
	bool is_new;

	number_of(&f->names, name, &is_new);
	if (!is_new)
		return;
	ARRAY_GROW(f->at, f->n, f->cap);
	ARRAY_GROW(f->group, n, f->cap_group);
	k = &f->at[f->n++];
	k->name = arena_strdup(f->a, name);
	k->group = arena_strndup(f->a, name, curve_group_length(name));
	k->only = only;
	f->names.at[f->names.n - 1] = k->name;
	group = number_of(&f->groups, k->group, &is_new);
	f->group[n] = group;
}

static void add_side(struct found *f, const struct curve_side *side)
{
	const struct run_series *all = side->run->files->series;
	const char *only = arena_printf(f->a, "only in %c", side->letter);

	for (size_t i = 0; i < all->n; i++)
		if (all->series[i]->n)
			add(f, all->series[i]->name, only);
}

/* Groups in the order in which they were found first; inside a group as found. */
static void put_by_group(struct curve_scene *s, const struct found *f)
{
	size_t *next = xcalloc(f->groups.n + 1, sizeof *next);

	s->names = arena_alloc(&s->names_arena, (f->n + 1) * sizeof *s->names);
	s->n_names = f->n;
	for (size_t i = 0; i < f->n; i++)
		next[f->group[i] + 1]++;
	for (size_t i = 0; i < f->groups.n; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < f->n; i++)
		s->names[next[f->group[i]]++] = f->at[i];
	free(next);
}

void curve_names_update(struct curve_scene *s)
{
	const struct run_comparison *c = s->pair;
	struct found f = { .a = &s->names_arena };

	arena_release(&s->names_arena);
	for (size_t i = 0; i < c->n_metrics; i++)
		add(&f, c->metrics[i], i < c->n_common ? "" : "only in A");
	for (size_t i = 0; i < s->n_sides; i++)
		add_side(&f, &s->sides[i]);
	put_by_group(s, &f);
	s->n_common = c->n_common;
	release(&f.names);
	release(&f.groups);
	free(f.at);
	free(f.group);
}
