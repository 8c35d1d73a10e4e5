/* packed - blocks of doubles as a line and small differences. */
#include "config.h"

#include "curve/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_SHIFT = 7,			/* log2 of PACKED_BLOCK */
	HOLE_WORDS = PACKED_BLOCK / 64,
	DECIMALS_MAX = 9,
	TAIL_FIRST = 8,
	BLOCKS_FIRST = 16,
	WIDTH_GOOD = 8,			/* bits of a value that are few enough to look no further */
};

static const double powers_of_ten[DECIMALS_MAX + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
	1e9 };

/* The values of a block as integers, and what describes them. */
struct draft {
	int64_t key[PACKED_BLOCK];
	int64_t base, slope;
	unsigned width, form;
};

static int64_t bits_of(double d)
{
	int64_t bits;

	memcpy(&bits, &d, sizeof bits);
	return bits;
}

static double double_of(int64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* On the line without its base; wraps like all arithmetic on keys. */
static inline int64_t on_line(int64_t slope, size_t i)
{
	return slope * (int64_t)i >> LINE_SHIFT;
}

static inline int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Through the first and the last key; level when they are too far apart. */
static int64_t slope_of(const int64_t *key)
{
	int64_t rise = minus(key[PACKED_BLOCK - 1], key[0]);

	if (rise > INT64_C(1) << 54 || rise < -(INT64_C(1) << 54))
		return 0;
	return rise * PACKED_BLOCK / (PACKED_BLOCK - 1);
}

static void fit_line(struct draft *d)
{
	int64_t least = INT64_MAX, most = INT64_MIN;
	uint64_t spread;

	d->slope = slope_of(d->key);
	for (size_t i = 0; i < PACKED_BLOCK; i++) {
		int64_t rest = minus(d->key[i], on_line(d->slope, i));

		least = rest < least ? rest : least;
		most = rest > most ? rest : most;
	}
	d->base = least;
	spread = (uint64_t)minus(most, least);
	d->width = spread ? 64 - (unsigned)__builtin_clzll(spread) : 0;
}

/* VALUE as an integer of units of 10^-DECIMALS; false when that loses a bit. */
static inline bool take_units(int64_t *out, double value, double units)
{
	double scaled = value * units;
	int64_t whole;

	if (!(fabs(scaled) < 9007199254740992.0))
		return false;
	whole = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
	*out = whole;
	return bits_of((double)whole / units) == bits_of(value);
}

static bool take_all_units(struct draft *d, const double *values, double units)
{
	for (size_t i = 0; i < PACKED_BLOCK; i++)
		if (!take_units(&d->key[i], values[i], units))
			return false;
	return true;
}

/* The fewest decimals that all values have; false when they are no decimals. */
static bool draft_decimals(struct draft *d, const double *values)
{
	for (unsigned k = 0; k <= DECIMALS_MAX; k++) {
		if (!take_units(&d->key[0], values[0], powers_of_ten[k]) ||
		    !take_all_units(d, values, powers_of_ten[k]))
			continue;
		fit_line(d);
		d->form = 1 + k;
		return true;
	}
	return false;
}

static void draft_bits(struct draft *d, const double *values)
{
	memcpy(d->key, values, sizeof d->key);
	fit_line(d);
	d->form = 0;
}

/* All values have the same bits, as the epoch of many rows has. */
static bool is_level(const double *values)
{
	return memcmp(values, values + 1, (PACKED_BLOCK - 1) * sizeof *values) == 0;
}

static void draft_level(struct draft *d, const double *values)
{
	d->base = bits_of(values[0]);
	d->slope = 0;
	d->width = d->form = 0;
}

static uint64_t *add_words(struct packed_column *p, size_t n)
{
	if (p->cap_words - p->n_words <= n) {
		size_t cap = column_capacity(p->cap_words, p->n_words + n + 1);

		p->words = column_resize(
			p->words, p->cap_words * sizeof *p->words, cap * sizeof *p->words);
		p->cap_words = cap;
	}
	p->n_words += n;
	return p->words + p->n_words - n;
}

/* WIDTH bits of each difference, one behind the other, from the lowest bit on. */
static void put_differences(uint64_t *out, const struct draft *d)
{
	uint64_t word = 0;
	unsigned filled = 0;

	for (size_t i = 0; i < PACKED_BLOCK; i++) {
		uint64_t rest = (uint64_t)minus(minus(d->key[i], on_line(d->slope, i)), d->base);

		word |= rest << filled;
		filled += d->width;
		if (filled < 64)
			continue;
		*out++ = word;
		filled -= 64;
		word = filled ? rest >> (d->width - filled) : 0;
	}
}

/* Only the usual NaN becomes a hole: the bits of any other are kept. */
static bool is_hole(double v)
{
	return bits_of(v) == bits_of((double)NAN);
}

/* Marks the holes of VALUES and puts a neighbour into them; false without any. */
static bool fill_holes(double *out, uint64_t *holes, const double *values)
{
	size_t n = 0, first = 0;

	holes[0] = holes[1] = 0;
	for (size_t i = 0; i < PACKED_BLOCK; i++) {
		if (!is_hole(values[i]))
			continue;
		holes[i >> 6] |= UINT64_C(1) << (i & 63);
		n++;
	}
	if (n == 0 || n == PACKED_BLOCK)
		return false;
	while (is_hole(values[first]))
		first++;
	for (size_t i = 0; i < PACKED_BLOCK; i++)
		out[i] = !is_hole(values[i]) ? values[i] : i ? out[i - 1] : values[first];
	return true;
}

static bool has_nan(const double *values)
{
	bool any = false;

	for (size_t i = 0; i < PACKED_BLOCK; i++)
		any |= isnan(values[i]);
	return any;
}

void packed_own(struct packed_column *p)
{
	const struct packed_block *blocks = p->blocks;
	const uint64_t *words = p->words;

	if (!p->borrowed)
		return;
	packed_forget(p);
	p->cap_blocks = p->n_blocks + BLOCKS_FIRST;
	p->blocks = xreallocarray(NULL, p->cap_blocks, sizeof *blocks);
	if (p->n_blocks)
		memcpy(p->blocks, blocks, p->n_blocks * sizeof *blocks);
	p->cap_words = column_capacity(0, p->n_words + 1);
	p->words = column_resize(NULL, 0, p->cap_words * sizeof *words);
	if (p->n_words)
		memcpy(p->words, words, p->n_words * sizeof *words);
}

void packed_forget(struct packed_column *p)
{
	if (!p->borrowed)
		return;
	p->borrowed = false;
	p->blocks = NULL;
	p->words = NULL;
	p->cap_blocks = p->cap_words = 0;
}

static void pack_block(struct packed_column *p, const double *values)
{
	struct draft bits, decimals, *best = &bits;
	double filled[PACKED_BLOCK];
	uint64_t holes[HOLE_WORDS], *words;
	bool has_holes = has_nan(values) && fill_holes(filled, holes, values);

	packed_own(p);
	if (has_holes)
		values = filled;
	/* A column stays what it is: what was good for the last block is tried first. */
	if (is_level(values)) {
		draft_level(&bits, values);
	} else if (p->n_blocks && p->blocks[p->n_blocks - 1].form &&
		draft_decimals(&decimals, values) && decimals.width <= WIDTH_GOOD) {
		best = &decimals;
	} else {
		draft_bits(&bits, values);
		if (bits.width > WIDTH_GOOD && draft_decimals(&decimals, values) &&
			decimals.width < bits.width)
			best = &decimals;
	}
	ARRAY_GROW(p->blocks, p->n_blocks, p->cap_blocks);
	p->blocks[p->n_blocks++] = (struct packed_block){
		.base = best->base, .slope = best->slope, .at = p->n_words,
		.width = best->width, .form = best->form, .has_holes = has_holes,
	};
	words = add_words(
		p, (has_holes ? HOLE_WORDS : 0) + (size_t)best->width * PACKED_BLOCK / 64);
	if (has_holes) {
		memcpy(words, holes, sizeof holes);
		words += HOLE_WORDS;
	}
	if (best->width)
		put_differences(words, best);
}

static void grow_tail(struct packed_column *p, size_t cap)
{
	p->tail = column_resize(p->tail, p->cap_tail * sizeof *p->tail, cap * sizeof *p->tail);
	p->cap_tail = cap;
}

void packed_make_room(struct packed_column *p)
{
	if (p->n_tail < p->cap_tail)
		return;
	if (!p->plain && p->n_tail == PACKED_BLOCK) {
		pack_block(p, p->tail);
		p->n_tail = 0;
		return;
	}
	grow_tail(p, p->plain ? column_capacity(p->cap_tail, p->n_tail + 1)
		: p->cap_tail ? p->cap_tail * 2
			      : TAIL_FIRST);
}

static void reserve_plain(struct packed_column *p, size_t more)
{
	if (p->cap_tail - p->n_tail < more)
		grow_tail(p, column_capacity(p->cap_tail, p->n_tail + more));
}

/* As many of the values as fit until the tail is a block. */
static size_t append_to_tail(struct packed_column *p, const double *values, size_t n)
{
	size_t left = PACKED_BLOCK - p->n_tail;

	n = n < left ? n : left;
	while (p->cap_tail - p->n_tail < n)
		grow_tail(p, p->cap_tail ? p->cap_tail * 2 : TAIL_FIRST);
	memcpy(p->tail + p->n_tail, values, n * sizeof *values);
	p->n_tail += n;
	return n;
}

static size_t words_of(const struct packed_block *block)
{
	return (block->has_holes ? HOLE_WORDS : 0) + (size_t)block->width * PACKED_BLOCK / 64;
}

/* The next block of P is to hold VALUES, which TWIN has packed at the same place. */
static bool copy_block(
	struct packed_column *p, const double *values, const struct packed_twin *twin)
{
	size_t first = p->n_blocks * PACKED_BLOCK;
	struct packed_block block;
	uint64_t *words;

	if (!twin->column || p->n_blocks >= twin->column->n_blocks || first < twin->first ||
		first - twin->first + PACKED_BLOCK > twin->n ||
		memcmp(twin->values + (first - twin->first), values,
			PACKED_BLOCK * sizeof *values) != 0)
		return false;
	packed_own(p);
	block = twin->column->blocks[p->n_blocks];
	words = add_words(p, words_of(&block));
	memcpy(words, twin->column->words + block.at, words_of(&block) * sizeof *words);
	block.at = (p->n_words - words_of(&block)) & UINT64_C(0xffffffffffff);
	ARRAY_GROW(p->blocks, p->n_blocks, p->cap_blocks);
	p->blocks[p->n_blocks++] = block;
	return true;
}

void packed_append_many(struct packed_column *p, const double *values, size_t n)
{
	packed_append_many_like(p, values, n, &(struct packed_twin){ .column = NULL });
}

void packed_append_many_like(struct packed_column *p, const double *values, size_t n,
	const struct packed_twin *twin)
{
	size_t part;

	if (!n)
		return;
	if (p->plain) {
		reserve_plain(p, n);
		memcpy(p->tail + p->n_tail, values, n * sizeof *values);
		p->n_tail += n;
		return;
	}
	while (n) {
		if (p->n_tail == PACKED_BLOCK)
			packed_make_room(p);
		/* A whole block is packed where it stands; one value stays behind. */
		if (p->n_tail == 0 && n > PACKED_BLOCK) {
			if (!copy_block(p, values, twin))
				pack_block(p, values);
			part = PACKED_BLOCK;
		} else {
			part = append_to_tail(p, values, n);
		}
		values += part;
		n -= part;
	}
}

void packed_append_nan(struct packed_column *p, size_t n)
{
	double none[PACKED_BLOCK];

	for (size_t i = 0; i < PACKED_BLOCK; i++)
		none[i] = NAN;
	for (size_t part; n; n -= part) {
		part = n < PACKED_BLOCK ? n : PACKED_BLOCK;
		packed_append_many(p, none, part);
	}
}

void packed_begin(struct packed_column *p, size_t n)
{
	p->used = true;
	packed_append_nan(p, n);
}

void packed_release(struct packed_column *p)
{
	packed_forget(p);
	column_free(p->tail, p->cap_tail * sizeof *p->tail);
	column_free(p->words, p->cap_words * sizeof *p->words);
	free(p->blocks);
	*p = (struct packed_column){ .used = false };
}

void packed_clear(struct packed_column *p)
{
	packed_forget(p);
	p->n_tail = p->n_blocks = p->n_words = 0;
}

static uint64_t difference(const uint64_t *words, unsigned width, size_t i)
{
	size_t bit = width * i;
	unsigned shift = bit & 63;
	uint64_t v;

	if (!width)
		return 0;
	words += bit >> 6;
	v = *words >> shift;
	if (shift + width > 64)
		v |= words[1] << (64 - shift);
	return width == 64 ? v : v & ((UINT64_C(1) << width) - 1);
}

static inline double value_in_block(
	const struct packed_column *p, const struct packed_block *b, size_t i)
{
	const uint64_t *words = p->words + b->at;
	int64_t key;

	if (b->has_holes) {
		if (words[i >> 6] >> (i & 63) & 1)
			return NAN;
		words += HOLE_WORDS;
	}
	key = minus((int64_t)((uint64_t)b->base + difference(words, b->width, i)),
		-on_line(b->slope, i));
	return b->form ? (double)key / powers_of_ten[b->form - 1] : double_of(key);
}

double packed_in_block(const struct packed_column *p, size_t i)
{
	return value_in_block(p, &p->blocks[i / PACKED_BLOCK], i % PACKED_BLOCK);
}

void packed_read(const struct packed_column *p, size_t first, size_t n, double *out)
{
	size_t packed = p->n_blocks * PACKED_BLOCK;

	for (; n && first < packed; n--)
		*out++ = packed_in_block(p, first++);
	if (n)
		memcpy(out, p->tail + (first - packed), n * sizeof *out);
}

void packed_truncate(struct packed_column *p, size_t n)
{
	size_t keep = n / PACKED_BLOCK;
	double rest[PACKED_BLOCK];
	size_t n_rest = n % PACKED_BLOCK;

	if (n >= packed_n(p))
		return;
	if (keep >= p->n_blocks) {
		p->n_tail = n - p->n_blocks * PACKED_BLOCK;
		return;
	}
	packed_read(p, keep * PACKED_BLOCK, n_rest, rest);
	p->n_words = p->blocks[keep].at;
	p->n_blocks = keep;
	p->n_tail = 0;
	packed_append_many(p, rest, n_rest);
}

size_t packed_bytes(const struct packed_column *p)
{
	return p->cap_tail * sizeof *p->tail + p->cap_blocks * sizeof *p->blocks +
		p->cap_words * sizeof *p->words;
}
