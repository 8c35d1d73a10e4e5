/* tensor_pairs - the tensors of two sides by name, and what all of them say together. */
#include "config.h"

#include "evidence/tensor_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

/* Put before or between the parts of a name by DataParallel and its like,
 * torch.compile, and a head around a bare model. */
static const char *const wrappers[] = { "module.", "_orig_mod.", "model." };

/* A tensor under the names by which it may be found. */
struct known {
	const struct tensor *tensor;
	const char *name;		/* mapped */
	const char *bare;		/* without the words of wrappers */
	const struct known *partner;
};

struct side {
	struct known *rows;		/* in the order of the set */
	struct known **by_name;
	size_t n;
};

static const char *mapped(struct arena *a, const char *name, const struct tensor_map *maps,
	size_t n_maps)
{
	for (size_t i = 0; i < n_maps; i++)
		if (text_starts(name, maps[i].old))
			return arena_printf(
				a, "%s%s", maps[i].new, name + strlen(maps[i].old));
	return name;
}

/* Every wrapper's word at the start of a part goes, but never all of the name. */
static const char *bare(struct arena *a, const char *name)
{
	char *out = arena_strdup(a, name), *to = out;

	while (*name) {
		size_t skip = 0, part;

		for (size_t i = 0; i < ARRAY_LEN(wrappers) && !skip; i++)
			if (text_starts(name, wrappers[i]) && name[strlen(wrappers[i])])
				skip = strlen(wrappers[i]);
		name += skip;
		if (skip)
			continue;
		part = strcspn(name, ".");
		part += name[part] == '.';
		memcpy(to, name, part);
		to += part;
		name += part;
	}
	*to = '\0';
	return out;
}

static int by_name(const void *a, const void *b)
{
	const struct known *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_bare(const void *a, const void *b)
{
	const struct known *const *x = a, *const *y = b;

	return strcmp((*x)->bare, (*y)->bare);
}

static void side_init(struct side *out, struct arena *a, const struct tensor_set *s,
	const struct tensor_map *maps, size_t n_maps)
{
	*out = (struct side){ .n = s ? s->n : 0 };
	out->rows = arena_alloc(a, (out->n + 1) * sizeof *out->rows);
	out->by_name = arena_alloc(a, (out->n + 1) * sizeof *out->by_name);
	for (size_t i = 0; i < out->n; i++) {
		struct known *k = &out->rows[i];

		k->tensor = &s->rows[i];
		k->name = mapped(a, k->tensor->name, maps, n_maps);
		k->bare = bare(a, k->name);
		out->by_name[i] = k;
	}
}

/* Equal neighbours: how many from I on have the name of the first. */
static size_t equal_from(const struct side *s, size_t i,
	int (*compare)(const void *, const void *))
{
	size_t n = 1;

	while (i + n < s->n && compare(&s->by_name[i], &s->by_name[i + n]) == 0)
		n++;
	return n;
}

/* Partners by one of the names: where it is the only one on both sides. */
static void join(struct side *r, struct side *a, int (*compare)(const void *, const void *))
{
	size_t i = 0, k = 0;

	qsort(r->by_name, r->n, sizeof *r->by_name, compare);
	qsort(a->by_name, a->n, sizeof *a->by_name, compare);
	while (i < r->n && k < a->n) {
		int order = compare(&r->by_name[i], &a->by_name[k]);
		size_t in_r = equal_from(r, i, compare), in_a = equal_from(a, k, compare);

		if (order == 0 && in_r == 1 && in_a == 1) {
			r->by_name[i]->partner = a->by_name[k];
			a->by_name[k]->partner = r->by_name[i];
		}
		i += order <= 0 ? in_r : 0;
		k += order >= 0 ? in_a : 0;
	}
}

static void drop_joined(struct side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!s->by_name[i]->partner)
			s->by_name[n++] = s->by_name[i];
	s->n = n;
}

/* ROWS keeps all; N and BY_NAME are those without a partner afterwards. */
static void pair_sides(struct side *r, struct side *a)
{
	join(r, a, by_name);
	drop_joined(r);
	drop_joined(a);
	join(r, a, by_bare);
	drop_joined(r);
	drop_joined(a);
}

static void add_pair(struct tensor_pairs *p, const struct known *reference,
	const struct known *attempt, const struct known *third)
{
	struct tensor_pair *row = &p->rows[p->n++];

	row->reference = reference->tensor;
	row->attempt = attempt->tensor;
	row->third = third && third->partner ? third->partner->tensor : NULL;
	row->renamed = strcmp(row->reference->name, row->attempt->name) != 0;
	p->renamed += row->renamed;
}

static const struct tensor **lonely(struct arena *a, const struct side *s, size_t total, size_t *n)
{
	const struct tensor **out = arena_alloc(a, (s->n + 1) * sizeof *out);

	*n = 0;
	for (size_t i = 0; i < total; i++)
		if (!s->rows[i].partner)
			out[(*n)++] = s->rows[i].tensor;
	return out;
}

int tensor_pairs_new(struct tensor_pairs **out, const struct tensor_set *reference,
	const struct tensor_set *attempt, const struct tensor_set *third,
	const struct tensor_map *maps, size_t n_maps)
{
	struct tensor_pairs *p = xcalloc(1, sizeof *p);
	struct side r, a, again, t;
	bool by_attempt = attempt->in_execution_order && !reference->in_execution_order;

	side_init(&r, &p->arena, reference, maps, n_maps);
	side_init(&a, &p->arena, attempt, NULL, 0);
	side_init(&again, &p->arena, reference, maps, n_maps);
	side_init(&t, &p->arena, third, NULL, 0);
	pair_sides(&r, &a);
	pair_sides(&again, &t);
	p->in_execution_order = reference->in_execution_order || attempt->in_execution_order;
	p->incomplete = reference->notes || attempt->notes;
	p->rows = xcalloc(reference->n + 1, sizeof *p->rows);
	for (size_t i = 0; by_attempt && i < attempt->n; i++)
		if (a.rows[i].partner)
			add_pair(p, a.rows[i].partner, &a.rows[i],
				&again.rows[a.rows[i].partner - r.rows]);
	for (size_t i = 0; !by_attempt && i < reference->n; i++)
		if (r.rows[i].partner)
			add_pair(p, &r.rows[i], r.rows[i].partner, &again.rows[i]);
	p->only_reference = lonely(&p->arena, &r, reference->n, &p->n_only_reference);
	p->only_attempt = lonely(&p->arena, &a, attempt->n, &p->n_only_attempt);
	*out = p;
	return 0;
}

void tensor_pairs_free(struct tensor_pairs *p)
{
	if (!p)
		return;
	free(p->rows);
	arena_release(&p->arena);
	free(p);
}

/* ---- what all say together ----------------------------------------------- */

static const char *operation_of(const struct tensor_pair *row)
{
	return row->reference->operation ? row->reference->operation : row->attempt->operation;
}

static enum tensor_role role_of(const struct tensor_pair *row)
{
	return row->reference->operation ? row->reference->role : row->attempt->role;
}

/* The rows of one operation follow each other. */
struct operation_rows {
	size_t begin, end;
	size_t outputs, inputs, outputs_confirmed, inputs_confirmed, inputs_refuted;
	size_t first_refuted_output, first_refuted_input;	/* END: none */
};

static void count_row(struct operation_rows *o, const struct tensor_pair *row, size_t i)
{
	enum tensor_verdict v = row->result.verdict;

	if (role_of(row) == TENSOR_OUTPUT) {
		o->outputs++;
		o->outputs_confirmed += v == TENSOR_CONFIRMED;
		if (v == TENSOR_REFUTED && o->first_refuted_output == SIZE_MAX)
			o->first_refuted_output = i;
	} else {
		o->inputs++;
		o->inputs_confirmed += v == TENSOR_CONFIRMED;
		o->inputs_refuted += v == TENSOR_REFUTED;
		if (v == TENSOR_REFUTED && o->first_refuted_input == SIZE_MAX)
			o->first_refuted_input = i;
	}
}

static struct operation_rows operation_at(const struct tensor_pairs *p, size_t begin)
{
	const char *operation = operation_of(&p->rows[begin]);
	struct operation_rows o = { .begin = begin, .end = begin,
		.first_refuted_output = SIZE_MAX, .first_refuted_input = SIZE_MAX };

	for (; o.end < p->n; o.end++) {
		const char *other = operation_of(&p->rows[o.end]);

		if (!operation || !other ? o.end > begin : strcmp(operation, other) != 0)
			break;
		count_row(&o, &p->rows[o.end], o.end);
	}
	return o;
}

static void set_origin(struct tensor_pairs *p, enum tensor_origin origin, size_t row)
{
	if (p->origin != TENSOR_NOWHERE)
		return;
	p->origin = origin;
	p->origin_row = row;
}

/* The first operation that has to do with a difference tells where it is from. */
static void look_for_origin(struct tensor_pairs *p, const struct operation_rows *o)
{
	bool told = operation_of(&p->rows[o->begin]) != NULL;
	bool refuted_output = o->first_refuted_output != SIZE_MAX;

	if (!told || (refuted_output && !o->inputs_refuted &&
			     (!o->inputs || o->inputs_confirmed < o->inputs))) {
		for (size_t i = o->begin; i < o->end; i++)
			if (p->rows[i].result.verdict == TENSOR_REFUTED)
				set_origin(p, TENSOR_FIRST_ONLY, i);
		return;
	}
	if (refuted_output && !o->inputs_refuted)
		set_origin(p, TENSOR_INTRODUCED, o->first_refuted_output);
	else if (o->inputs_refuted && !p->rows[o->first_refuted_input].harmless)
		set_origin(p, TENSOR_CAME_IN, o->first_refuted_input);
}

static void look_for_harmless(struct tensor_pairs *p, const struct operation_rows *o)
{
	if (!o->outputs || o->outputs_confirmed < o->outputs || !operation_of(&p->rows[o->begin]))
		return;
	for (size_t i = o->begin; i < o->end; i++)
		p->rows[i].harmless = p->rows[i].result.verdict == TENSOR_REFUTED;
}

static void count_all(struct tensor_pairs *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct tensor_pair *row = &p->rows[i];

		p->elements += row->result.tally.count;
		p->not_finite += row->result.tally.count - row->result.tally.finite;
		if (row->harmless)
			p->harmless++;
		else if (row->result.verdict == TENSOR_CONFIRMED)
			p->confirmed++;
		else if (row->result.verdict == TENSOR_REFUTED)
			p->refuted++;
		else
			p->open++;
	}
}

void tensor_pairs_conclude(struct tensor_pairs *p)
{
	struct operation_rows o;

	for (size_t i = 0; i < p->n; i = o.end) {
		o = operation_at(p, i);
		look_for_harmless(p, &o);
		look_for_origin(p, &o);
	}
	count_all(p);
	if (p->refuted)
		p->verdict = TENSOR_REFUTED;
	else if (p->open || p->n_only_reference || p->n_only_attempt || p->incomplete)
		p->verdict = TENSOR_NOT_KNOWN;
	else if (p->confirmed)
		p->verdict = TENSOR_CONFIRMED;
	else
		p->verdict = TENSOR_NOT_CHECKED;
}

int tensor_map_parse(struct tensor_map *out, struct arena *a, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return err_set(ERR_USAGE,
			"--map: \"%s\" is not OLD=NEW, the starts of a name in the reference and in the attempt",
			text);
	out->old = arena_strndup(a, text, (size_t)(equals - text));
	out->new = arena_strdup(a, equals + 1);
	return 0;
}
