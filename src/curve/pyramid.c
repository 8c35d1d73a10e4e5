/* pyramid - range minima and maxima over a growing column of values. */
#include "config.h"

#include "curve/pyramid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct pyramid_node EMPTY_NODE = {
	.min = INFINITY, .max = -INFINITY, .min_positive = INFINITY,
};

double pyramid_value(struct pyramid_values v, size_t i)
{
	if (v.real)
		return v.real[i];
	return v.real32 ? (double)v.real32[i] : v.at(v.user, i);
}

static void node_add_value(struct pyramid_node *node, double y)
{
	if (isfinite(y)) {
		if (y < node->min)
			node->min = y;
		if (y > node->max)
			node->max = y;
		if (!(y > 0))
			node->n_not_positive++;
		else if (y < node->min_positive)
			node->min_positive = y;
	} else if (isnan(y)) {
		node->n_nan++;
	} else if (y > 0) {
		node->n_plus_inf++;
	} else {
		node->n_minus_inf++;
	}
}

static void node_add(struct pyramid_node *into, const struct pyramid_node *node)
{
	if (node->min < into->min)
		into->min = node->min;
	if (node->max > into->max)
		into->max = node->max;
	if (node->min_positive < into->min_positive)
		into->min_positive = node->min_positive;
	into->n_not_positive += node->n_not_positive;
	into->n_nan += node->n_nan;
	into->n_plus_inf += node->n_plus_inf;
	into->n_minus_inf += node->n_minus_inf;
}

void pyramid_release(struct pyramid *p)
{
	for (int l = 0; !p->borrowed && l < p->n_levels; l++)
		free(p->levels[l].nodes);
	*p = (struct pyramid)PYRAMID_INIT;
}

void pyramid_borrow(struct pyramid *p, const struct pyramid *from)
{
	pyramid_release(p);
	*p = *from;
	p->borrowed = true;
}

/* The first level covers points, any other one more than one node below it. */
size_t pyramid_level_size(size_t n, int level)
{
	for (int l = 0; l <= level; l++) {
		if (l > 0 && n < 2)
			return 0;
		n = (n + PYRAMID_FAN_OUT - 1) / PYRAMID_FAN_OUT;
	}
	return n;
}

/* The node of LEVEL that covers point I, made when it is not there yet. */
static struct pyramid_node *level_node(struct pyramid *p, int level, size_t node)
{
	struct pyramid_level *l = &p->levels[level];

	if (level >= p->n_levels)
		p->n_levels = level + 1;
	while (l->n <= node) {
		ARRAY_GROW(l->nodes, l->n, l->cap);
		l->nodes[l->n++] = EMPTY_NODE;
	}
	return &l->nodes[node];
}

/* The first node of a level sums up the whole level below it so far. */
static void open_level(struct pyramid *p, int level)
{
	const struct pyramid_level *below = &p->levels[level - 1];
	struct pyramid_node node = EMPTY_NODE;

	for (size_t i = 0; i < below->n; i++)
		node_add(&node, &below->nodes[i]);
	*level_node(p, level, 0) = node;
}

static void append_value(struct pyramid *p, double y)
{
	size_t node = p->n / PYRAMID_FAN_OUT;

	node_add_value(level_node(p, 0, node), y);
	for (int l = 1; node > 0 && l < PYRAMID_LEVELS_MAX; l++) {
		node /= PYRAMID_FAN_OUT;
		if (l == p->n_levels)
			open_level(p, l);
		else
			node_add_value(level_node(p, l, node), y);
	}
	p->n++;
}

/* The values of the leaf that begins at point FIRST, side by side. */
static void read_leaf(double *out, struct pyramid_values v, size_t first)
{
	if (v.real)
		memcpy(out, v.real + first, PYRAMID_FAN_OUT * sizeof *out);
	else if (v.real32)
		for (size_t i = 0; i < PYRAMID_FAN_OUT; i++)
			out[i] = (double)v.real32[first + i];
	else
		for (size_t i = 0; i < PYRAMID_FAN_OUT; i++)
			out[i] = v.at(v.user, first + i);
}

/* Nearly all leaves hold finite positive numbers alone: without a branch a value. */
static bool is_usual_leaf(struct pyramid_node *leaf, const double *values)
{
	double min = values[0], max = values[0];
	bool usual = true;

	for (size_t i = 0; i < PYRAMID_FAN_OUT; i++) {
		double y = values[i];

		min = y < min ? y : min;
		max = y > max ? y : max;
		usual &= (y > 0) & (y <= DBL_MAX);
	}
	leaf->min = leaf->min_positive = min;
	leaf->max = max;
	return usual;
}

/* A whole leaf at once: one node a level in place of sixteen. */
static void append_leaf(struct pyramid *p, struct pyramid_values v)
{
	struct pyramid_node leaf = EMPTY_NODE;
	size_t node = p->n / PYRAMID_FAN_OUT;
	double values[PYRAMID_FAN_OUT];

	read_leaf(values, v, p->n);
	if (!is_usual_leaf(&leaf, values)) {
		leaf = EMPTY_NODE;
		for (size_t i = 0; i < PYRAMID_FAN_OUT; i++)
			node_add_value(&leaf, values[i]);
	}
	*level_node(p, 0, node) = leaf;
	for (int l = 1; node > 0 && l < PYRAMID_LEVELS_MAX; l++) {
		node /= PYRAMID_FAN_OUT;
		if (l == p->n_levels)
			open_level(p, l);
		else
			node_add(level_node(p, l, node), &leaf);
	}
	p->n += PYRAMID_FAN_OUT;
}

void pyramid_update(struct pyramid *p, struct pyramid_values v, size_t n)
{
	if (n < p->n || (p->borrowed && n > p->n))
		pyramid_release(p);
	while (p->n < n) {
		if (p->n % PYRAMID_FAN_OUT == 0 && n - p->n >= PYRAMID_FAN_OUT)
			append_leaf(p, v);
		else
			append_value(p, pyramid_value(v, p->n));
	}
}

/*
 * Nodes FIRST..END-1 of LEVEL: the ends that fill no parent are read here, the
 * middle on the level above.
 */
static void query_nodes(const struct pyramid *p, int level, size_t first, size_t end,
		struct pyramid_node *sum)
{
	while (level < p->n_levels && first < end) {
		const struct pyramid_node *nodes = p->levels[level].nodes;

		if (level + 1 == p->n_levels) {
			for (; first < end; first++)
				node_add(sum, &nodes[first]);
			return;
		}
		for (; first < end && first % PYRAMID_FAN_OUT; first++)
			node_add(sum, &nodes[first]);
		for (; first < end && end % PYRAMID_FAN_OUT; end--)
			node_add(sum, &nodes[end - 1]);
		first /= PYRAMID_FAN_OUT;
		end /= PYRAMID_FAN_OUT;
		level++;
	}
}

static struct pyramid_range empty_range(void)
{
	return (struct pyramid_range){
		.min = NAN, .max = NAN, .min_positive = NAN, .first = NAN, .last = NAN,
	};
}

struct pyramid_range pyramid_query(const struct pyramid *p, struct pyramid_values v, size_t first,
		size_t end)
{
	struct pyramid_range r = empty_range();
	struct pyramid_node sum = EMPTY_NODE;

	if (end > p->n)
		end = p->n;
	if (first >= end)
		return r;
	r.n = end - first;
	r.first = pyramid_value(v, first);
	r.last = pyramid_value(v, end - 1);
	for (; first < end && first % PYRAMID_FAN_OUT; first++)
		node_add_value(&sum, pyramid_value(v, first));
	for (; first < end && end % PYRAMID_FAN_OUT; end--)
		node_add_value(&sum, pyramid_value(v, end - 1));
	query_nodes(p, 0, first / PYRAMID_FAN_OUT, end / PYRAMID_FAN_OUT, &sum);
	r.n_not_positive = sum.n_not_positive;
	r.n_nan = sum.n_nan;
	r.n_plus_inf = sum.n_plus_inf;
	r.n_minus_inf = sum.n_minus_inf;
	r.n_finite = r.n - r.n_nan - r.n_plus_inf - r.n_minus_inf;
	if (r.n_finite) {
		r.min = sum.min;
		r.max = sum.max;
	}
	if (r.n_finite > r.n_not_positive)
		r.min_positive = sum.min_positive;
	return r;
}

void pyramid_range_merge(struct pyramid_range *a, const struct pyramid_range *b)
{
	if (!b->n)
		return;
	if (!a->n) {
		*a = *b;
		return;
	}
	a->last = b->last;
	a->min = fmin(a->min, b->min);
	a->max = fmax(a->max, b->max);
	a->min_positive = fmin(a->min_positive, b->min_positive);
	a->n_not_positive += b->n_not_positive;
	a->n += b->n;
	a->n_finite += b->n_finite;
	a->n_nan += b->n_nan;
	a->n_plus_inf += b->n_plus_inf;
	a->n_minus_inf += b->n_minus_inf;
}

size_t pyramid_bytes(const struct pyramid *p)
{
	size_t bytes = 0;

	for (int l = 0; !p->borrowed && l < p->n_levels; l++)
		bytes += p->levels[l].cap * sizeof *p->levels[l].nodes;
	return bytes;
}
