/*
 * predictions_private - the examples of one file, for its reader and for what is
 * made of them.
 */
#ifndef PORTSIDE_CURVE_PREDICTIONS_PRIVATE_H
#define PORTSIDE_CURVE_PREDICTIONS_PRIVATE_H

#include "curve/predictions.h"

enum { PREDICTIONS_MAX = 20 * 1000 * 1000, EXAMPLE_ID_MAX = 4096 };

/* One row, as its reader understood it. */
struct prediction_row {
	const char *id;
	size_t id_n;
	bool correct;
	bool has_label;
	uint64_t label;			/* a digest of its canonical text */
};

struct example {
	size_t id_at;			/* in predictions.ids */
	uint32_t id_n, hash;
	uint64_t label;
	bool has_label, correct;
	bool repeated, contradicting;
};

struct predictions {
	char *name;
	uint64_t seed;			/* of the hash: nobody can make all ids fall together */
	struct buf ids;
	struct example *list;
	size_t n, cap;
	uint32_t *table;		/* number of the example + 1; 0: free */
	size_t table_n;			/* a power of two */
	int64_t rows, unreadable;
	bool unlabelled;		/* the file does not say which answers are right */
	bool full; /* more examples than PREDICTIONS_MAX: the others are left out */
};

struct predictions *predictions_new(const char *name);
void predictions_add(struct predictions *p, const struct prediction_row *row);
const struct example *predictions_find(const struct predictions *p, const char *id, size_t n);

#endif
