/*
 * pyramid - minimum, maximum and non-finite counts of any range of points, fast.
 *
 * A tree of fan-out 16 over a column of values.  Level 0 nodes cover 16 points
 * each, level 1 nodes 256, and so on; about 2.7 bytes a point.  An append
 * touches one node a level; a query reads at most 30 nodes or points a level and
 * is exact, since the ends of the range are read from the points themselves.
 * It is for drawing: sums and tests are computed from the points.
 *
 *	struct pyramid p = PYRAMID_INIT;
 *	struct pyramid_values v = { .real = y };
 *
 *	pyramid_update(&p, v, n);
 *	struct pyramid_range r = pyramid_query(&p, v, 100, 5000);
 *	pyramid_release(&p);
 */
#ifndef PORTSIDE_CURVE_PYRAMID_H
#define PORTSIDE_CURVE_PYRAMID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PYRAMID_FAN_OUT = 16, PYRAMID_LEVELS_MAX = 15 };

/* The column itself, of doubles or of floats, or computed; borrowed. */
struct pyramid_values {
	const double *real;	/* NULL: use the next */
	const float *real32;	/* NULL: use AT */
	double (*at)(const void *user, size_t i);
	const void *user;
};

struct pyramid_node {
	double min, max;	/* of the finite values; +Inf and -Inf when there are none */
	double min_positive;	/* for logarithmic axes; +Inf when there is none */
	uint32_t n_nan, n_plus_inf, n_minus_inf;
	uint32_t n_not_positive;	/* finite and at or below 0 */
};

struct pyramid_level {
	struct pyramid_node *nodes;
	size_t n, cap;
};

struct pyramid {
	size_t n;		/* points covered */
	struct pyramid_level levels[PYRAMID_LEVELS_MAX];
	int n_levels;
	bool borrowed;		/* the nodes are another's: never changed, never freed */
};

#define PYRAMID_INIT { .n = 0 }

struct pyramid_range {
	size_t n;			/* points in the range */
	size_t n_finite;
	double min, max;		/* NaN when n_finite is 0 */
	double min_positive;		/* NaN when no finite value is above 0 */
	double first, last;		/* as they are, finite or not; NaN when n is 0 */
	size_t n_nan, n_plus_inf, n_minus_inf;
	size_t n_not_positive;
};

void pyramid_release(struct pyramid *p);	/* and ready for reuse */

/* P becomes a view of FROM, which must stay as it is while P is used; the next update
 * beyond it builds anew. */
void pyramid_borrow(struct pyramid *p, const struct pyramid *from);

/* Covers V[0..N): appends what is beyond p->n; a smaller N rebuilds. */
void pyramid_update(struct pyramid *p, struct pyramid_values v, size_t n);

/* Points FIRST..END-1, clipped to what is covered. V as given to the update. */
struct pyramid_range pyramid_query(
	const struct pyramid *p, struct pyramid_values v, size_t first, size_t end);

/* Adds the points of B, which lie after those of A. */
void pyramid_range_merge(struct pyramid_range *a, const struct pyramid_range *b);

size_t pyramid_bytes(const struct pyramid *p);
double pyramid_value(struct pyramid_values v, size_t i);
/* Nodes of a level over N points; 0: there is no such level. */
size_t pyramid_level_size(size_t n, int level);

#endif
