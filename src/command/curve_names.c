/* curve_names - the series of all runs of a scene, by group; see curve_chart.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

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

/* Before they are put by group: in the order of A, then what others have. */
struct found {
	struct curve_name *names;
	size_t n, cap;
	struct arena *a;
};

static struct curve_name *find(struct found *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->names[i].name, name) == 0)
			return &f->names[i];
	return NULL;
}

static void add(struct found *f, const char *name, const char *only)
{
	struct curve_name *k;

	if (find(f, name))
		return;
	ARRAY_GROW(f->names, f->n, f->cap);
	k = &f->names[f->n++];
	k->name = arena_strdup(f->a, name);
	k->group = arena_strndup(f->a, name, curve_group_length(name));
	k->only = only;
}

static void add_side(struct found *f, const struct curve_side *side)
{
	const struct run_series *all = side->run->files->series;

	for (size_t i = 0; i < all->n; i++)
		if (all->series[i]->n)
			add(f, all->series[i]->name, arena_printf(f->a, "only in %c", side->letter));
}

/* Groups in the order in which they were found first; inside a group as found. */
static void take_group(struct curve_scene *s, struct found *f, const char *group)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->names[i].group, group) == 0)
			s->names[s->n_names++] = f->names[i];
}

static bool is_taken(const struct curve_scene *s, const char *group)
{
	for (size_t i = 0; i < s->n_names; i++)
		if (strcmp(s->names[i].group, group) == 0)
			return true;
	return false;
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
	s->names = arena_alloc(&s->names_arena, (f.n + 1) * sizeof *s->names);
	s->n_names = 0;
	s->n_common = c->n_common;
	for (size_t i = 0; i < f.n; i++)
		if (!is_taken(s, f.names[i].group))
			take_group(s, &f, f.names[i].group);
	free(f.names);
}
