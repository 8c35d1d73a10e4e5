/* tensor_lanes - the sums over one block of finite numbers, in four lanes. */
#include "config.h"

#include "evidence/tensor_lanes.h"

#include <math.h>
#include <string.h>

/* A product that is added may not keep more bits on one machine than on another. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined __FMA__ || !(defined __x86_64__ || defined __i386__)
#pragma GCC optimize("fp-contract=off")
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 4, STEP = 8 };

typedef double quad __attribute__((vector_size(32)));
typedef int64_t quad_mask __attribute__((vector_size(32)));
typedef float quad_float __attribute__((vector_size(16)));
typedef uint32_t quad_bits __attribute__((vector_size(16)));

/* By pointer: a vector by value has an ABI of its own. */
ALWAYS_INLINE void widen(quad *out, const quad_bits *bits)
{
	quad_float f;

	memcpy(&f, bits, sizeof f);
	*out = __builtin_convertvector(f, quad);
}

/*
 * STEP elements as doubles.  Of bf16, two of which lie in 32 bits, those at even
 * places and those at odd ones.
 */
ALWAYS_INLINE void load(quad *low, quad *high, enum tensor_type type, const unsigned char *p)
{
	quad_bits bits, half;

	if (type == TENSOR_F64) {
		memcpy(low, p, sizeof *low);
		memcpy(high, p + sizeof *low, sizeof *high);
		return;
	}
	memcpy(&bits, p, sizeof bits);
	if (type == TENSOR_F32) {
		memcpy(&half, p + sizeof bits, sizeof half);
	} else {
		half = bits & 0xffff0000;
		bits <<= 16;
	}
	widen(low, &bits);
	widen(high, &half);
}

ALWAYS_INLINE void magnitude(quad *out, const quad *v)
{
	*out = (quad)((quad_mask)*v & INT64_MAX);
}

struct lane_sums {
	quad absolute, square, reference_square, attempt_square;
	quad_mask outside, exceeds;
};

ALWAYS_INLINE void sum_four(struct lane_sums *s, const quad *reference, const quad *attempt)
{
	quad d = *attempt - *reference, size;

	magnitude(&size, &d);
	s->absolute += size;
	s->square += d * d;
	s->reference_square += *reference * *reference;
	s->attempt_square += *attempt * *attempt;
}

ALWAYS_INLINE void test_four(struct lane_sums *s, const struct tensor_lane_limits *l,
	const quad *reference, const quad *attempt)
{
	quad d = *attempt - *reference, size, scale, accepted;

	magnitude(&size, &d);
	magnitude(&scale, reference);
	accepted = scale * l->rtol + l->atol;
	s->outside -= (quad_mask)(size > accepted);
	s->exceeds |= (quad_mask)(size > l->absolute);
	s->exceeds |= (quad_mask)(size > scale * l->relative) & (quad_mask)(scale > 0.0);
	s->exceeds |= (quad_mask)(size > accepted * l->share);
	s->exceeds |= (quad_mask)(size > scale * l->least_rtol + l->atol);
}

ALWAYS_INLINE void add_four(struct lane_sums *s, const struct tensor_lane_limits *l,
	const quad *reference, const quad *attempt)
{
	sum_four(s, reference, attempt);
	test_four(s, l, reference, attempt);
}

/* Lanes are read from copies: an element that is chosen at run time would keep the
 * vector itself in memory. */
ALWAYS_INLINE double sum_of(const quad *v)
{
	double lanes[LANES], sum = 0;

	memcpy(lanes, v, sizeof *v);
	for (int i = 0; i < LANES; i++)
		sum += lanes[i];
	return sum;
}

ALWAYS_INLINE uint64_t count_of(const quad_mask *v)
{
	uint64_t lanes[LANES], count = 0;

	memcpy(lanes, v, sizeof *v);
	for (int i = 0; i < LANES; i++)
		count += lanes[i];
	return count;
}

ALWAYS_INLINE size_t size_of(enum tensor_type type)
{
	return type == TENSOR_F64 ? 8 : type == TENSOR_F32 ? 4 : 2;
}

/* The last elements, with zeros behind, which add nothing. */
struct rest {
	unsigned char bytes[STEP * 8];
};

ALWAYS_INLINE void rest_of(struct rest *out, const unsigned char *p, size_t bytes)
{
	memset(out, 0, sizeof *out);
	memcpy(out->bytes, p, bytes);
}

ALWAYS_INLINE void compare(struct tensor_lane_sums *out, const struct tensor_lane_limits *limits,
	enum tensor_type type, const unsigned char *r, const unsigned char *a, size_t n)
{
	struct lane_sums sums = { .absolute = { 0 } };
	struct tensor_lane_limits l = *limits;
	struct rest rest[2];
	size_t i = 0;
	quad low[2], high[2];

	for (; i + STEP <= n; i += STEP) {
		load(&low[0], &high[0], type, r + i * size_of(type));
		load(&low[1], &high[1], type, a + i * size_of(type));
		add_four(&sums, &l, &low[0], &low[1]);
		add_four(&sums, &l, &high[0], &high[1]);
	}
	if (i < n) {
		rest_of(&rest[0], r + i * size_of(type), (n - i) * size_of(type));
		rest_of(&rest[1], a + i * size_of(type), (n - i) * size_of(type));
		load(&low[0], &high[0], type, rest[0].bytes);
		load(&low[1], &high[1], type, rest[1].bytes);
		add_four(&sums, &l, &low[0], &low[1]);
		add_four(&sums, &l, &high[0], &high[1]);
	}
	*out = (struct tensor_lane_sums){
		.absolute = sum_of(&sums.absolute),
		.square = sum_of(&sums.square),
		.reference_square = sum_of(&sums.reference_square),
		.attempt_square = sum_of(&sums.attempt_square),
		.outside = count_of(&sums.outside),
		.exceeds = count_of(&sums.exceeds) != 0,
	};
}

ALWAYS_INLINE double square(enum tensor_type type, const unsigned char *p, size_t n)
{
	quad sums = { 0 }, low, high;
	struct rest rest;
	size_t i = 0;

	for (; i + STEP <= n; i += STEP) {
		load(&low, &high, type, p + i * size_of(type));
		sums += low * low;
		sums += high * high;
	}
	if (i < n) {
		rest_of(&rest, p + i * size_of(type), (n - i) * size_of(type));
		load(&low, &high, type, rest.bytes);
		sums += low * low;
		sums += high * high;
	}
	return sum_of(&sums);
}

/* ---- looked at in float -------------------------------------------------- */

enum { EIGHT = 8, FLUSH = 4, STRIDE = 2 * EIGHT * FLUSH };

typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_mask __attribute__((vector_size(32)));
typedef uint32_t eight_bits __attribute__((vector_size(32)));

/* Squares below this may have lost bits to denormals. */
#define LEAST_FLOAT_SQUARES 1e-30

/* Room for the rounding of a threshold in float. */
#define FLOAT_SLACK 0x1p-20

struct eight_limits {
	float atol, rtol, low, absolute, relative, share, least_rtol;
};

/* LARGEST: the factor on what was the largest so far. */
ALWAYS_INLINE void limits_in_float(struct eight_limits *out, const struct tensor_lane_limits *l,
	double largest)
{
	*out = (struct eight_limits){
		.atol = (float)l->atol,
		.rtol = (float)l->rtol,
		.low = (float)(1 - FLOAT_SLACK),
		.relative = (float)(l->relative * largest),
		.share = (float)(l->share * largest),
		.least_rtol = (float)(l->least_rtol * largest),
	};
}

/* Sets bits where an element may be outside or may exceed the largest. */
ALWAYS_INLINE void test_eight(eight_mask *exceeds, const struct eight_limits *l, const eight *r,
	const eight *size)
{
	eight scale = (eight)((eight_mask)*r & INT32_MAX), accepted = scale * l->rtol + l->atol;

	*exceeds |= (eight_mask)(*size > accepted * l->low) | (eight_mask)(*size > l->absolute) |
		(eight_mask)(*size > scale * l->relative) |
		(eight_mask)(*size > accepted * l->share) |
		(eight_mask)(*size > (scale * l->least_rtol + l->atol) * l->low);
}

ALWAYS_INLINE void size_of_eight(eight *size, eight *d, const eight *r, const eight *a)
{
	*d = *a - *r;
	*size = (eight)((eight_mask)*d & INT32_MAX);
}

ALWAYS_INLINE bool any_of(const eight_mask *mask)
{
	uint32_t lanes[EIGHT], any = 0;

	memcpy(lanes, mask, sizeof lanes);
	for (int i = 0; i < EIGHT; i++)
		any |= lanes[i];
	return any != 0;
}

/* The sums are those of compare(), to the bit. */
ALWAYS_INLINE bool screen_f32(struct tensor_lane_sums *out,
	const struct tensor_lane_limits *limits, const unsigned char *r, const unsigned char *a,
	size_t n)
{
	struct lane_sums sums = { .absolute = { 0 } };
	struct eight_limits l;
	eight_mask exceeds = { 0 };
	quad low[2], high[2];

	if (n % EIGHT)
		return false;
	limits_in_float(&l, limits, 1 - FLOAT_SLACK);
	l.absolute = (float)(limits->absolute * (1 - FLOAT_SLACK));
	for (size_t i = 0; i < n; i += EIGHT) {
		eight x, y, d, size;

		memcpy(&x, r + 4 * i, sizeof x);
		memcpy(&y, a + 4 * i, sizeof y);
		size_of_eight(&size, &d, &x, &y);
		test_eight(&exceeds, &l, &x, &size);
		load(&low[0], &high[0], TENSOR_F32, r + 4 * i);
		load(&low[1], &high[1], TENSOR_F32, a + 4 * i);
		sum_four(&sums, &low[0], &low[1]);
		sum_four(&sums, &high[0], &high[1]);
	}
	*out = (struct tensor_lane_sums){
		.absolute = sum_of(&sums.absolute),
		.square = sum_of(&sums.square),
		.reference_square = sum_of(&sums.reference_square),
		.attempt_square = sum_of(&sums.attempt_square),
	};
	return !any_of(&exceeds);
}

struct eight_sums {
	eight absolute, square, reference_square, attempt_square;
	eight_mask exceeds;
};

ALWAYS_INLINE void add_eight(struct eight_sums *s, const struct eight_limits *l,
	const eight_bits *reference, const eight_bits *attempt)
{
	eight r, a, d, size;

	memcpy(&r, reference, sizeof r);
	memcpy(&a, attempt, sizeof a);
	size_of_eight(&size, &d, &r, &a);
	s->absolute += size;
	s->square += d * d;
	s->reference_square += r * r;
	s->attempt_square += a * a;
	test_eight(&s->exceeds, l, &r, &size);
}

/* V is added to SUM and begins anew. */
ALWAYS_INLINE void flush(quad *sum, eight *v)
{
	quad_float half[2];

	memcpy(half, v, sizeof half);
	*sum += __builtin_convertvector(half[0], quad);
	*sum += __builtin_convertvector(half[1], quad);
	memset(v, 0, sizeof *v);
}

/* Small enough for float, and large enough to be exact in it. */
static bool fits_float(double square)
{
	return square > LEAST_FLOAT_SQUARES && square < (double)INFINITY;
}

/* Ratios of bf16 that are not equal differ by more than the slack. */
ALWAYS_INLINE bool screen_bf16(struct tensor_lane_sums *out,
	const struct tensor_lane_limits *limits, const unsigned char *r, const unsigned char *a,
	size_t n)
{
	struct eight_limits l;
	struct eight_sums s = { .absolute = { 0 } };
	quad absolute = { 0 }, squares = { 0 }, reference = { 0 }, attempt = { 0 };

	if (n % STRIDE)
		return false;
	limits_in_float(&l, limits, 1 + FLOAT_SLACK);
	l.absolute = (float)limits->absolute;
	for (size_t i = 0; i < n; i += STRIDE) {
		for (size_t k = 0; k < STRIDE; k += 2 * EIGHT) {
			eight_bits x, y, even_x, even_y;

			memcpy(&x, r + 2 * (i + k), sizeof x);
			memcpy(&y, a + 2 * (i + k), sizeof y);
			even_x = x << 16;
			even_y = y << 16;
			x &= 0xffff0000;
			y &= 0xffff0000;
			add_eight(&s, &l, &even_x, &even_y);
			add_eight(&s, &l, &x, &y);
		}
		flush(&absolute, &s.absolute);
		flush(&squares, &s.square);
		flush(&reference, &s.reference_square);
		flush(&attempt, &s.attempt_square);
	}
	*out = (struct tensor_lane_sums){
		.absolute = sum_of(&absolute),
		.square = sum_of(&squares),
		.reference_square = sum_of(&reference),
		.attempt_square = sum_of(&attempt),
	};
	return !any_of(&s.exceeds) && fits_float(out->square) &&
		fits_float(out->reference_square) && fits_float(out->attempt_square);
}

/* ---- distances of bits --------------------------------------------------- */

/*
 * Bits are sign and magnitude, so the ordinal is the magnitude with the sign.  The
 * difference of two ordinals fits into as many unsigned bits as they have.
 */
#define ULP_OF(bits)                                                                               \
	typedef int##bits##_t ordinals##bits __attribute__((vector_size(32)));                     \
	typedef uint##bits##_t distances##bits __attribute__((vector_size(32)));                   \
	ALWAYS_INLINE void ordinal##bits(ordinals##bits *v)                                        \
	{                                                                                          \
		ordinals##bits sign = *v >> (bits - 1);                                            \
                                                                                                   \
		*v = (*v ^ (sign & INT##bits##_MAX)) - sign;                                       \
	}                                                                                          \
	ALWAYS_INLINE void compare##bits(distances##bits *most, const unsigned char *a,              \
		const unsigned char *b)                                                            \
	{                                                                                          \
		ordinals##bits x, y, less;                                                         \
		distances##bits d;                                                                 \
                                                                                                   \
		memcpy(&x, a, sizeof x);                                                           \
		memcpy(&y, b, sizeof y);                                                           \
		ordinal##bits(&x);                                                                 \
		ordinal##bits(&y);                                                                 \
		less = x < y;                                                                      \
		d = (((distances##bits)x - (distances##bits)y) ^ (distances##bits)less) -          \
			(distances##bits)less;                                                     \
		less = (ordinals##bits)(d > *most);                                                \
		*most = (d & (distances##bits)less) | (*most & ~(distances##bits)less);            \
	}                                                                                          \
	ALWAYS_INLINE uint64_t ulp##bits(const unsigned char *a, const unsigned char *b, size_t n) \
	{                                                                                          \
		distances##bits most;                                                              \
		unsigned char rest[2][sizeof most];                                                \
		size_t i = 0, bytes = n * (bits / 8);                                              \
		uint64_t result = 0;                                                               \
                                                                                                   \
		memset(&most, 0, sizeof most);                                                     \
		for (; i + sizeof most <= bytes; i += sizeof most)                                 \
			compare##bits(&most, a + i, b + i);                                          \
		memset(rest, 0, sizeof rest);                                                      \
		memcpy(rest[0], a + i, bytes - i);                                                 \
		memcpy(rest[1], b + i, bytes - i);                                                 \
		compare##bits(&most, rest[0], rest[1]);                                              \
		for (size_t k = 0; k < sizeof most / sizeof most[0]; k++)                          \
			result = most[k] > result ? most[k] : result;                              \
		return result;                                                                     \
	}
ULP_OF(8)
ULP_OF(16)
ULP_OF(32)
ULP_OF(64)

ALWAYS_INLINE uint64_t ulp(unsigned size, const unsigned char *a, const unsigned char *b, size_t n)
{
	switch (size) {
	case 1:
		return ulp8(a, b, n);
	case 2:
		return ulp16(a, b, n);
	case 4:
		return ulp32(a, b, n);
	default:
		return ulp64(a, b, n);
	}
}

/* ---- for the machine ----------------------------------------------------- */

#define FOR_MACHINE(name, attribute)                                                               \
	attribute static void compare_##name(struct tensor_lane_sums *out,                         \
		const struct tensor_lane_limits *l, enum tensor_type type, const void *r,          \
		const void *a, size_t n)                                                           \
	{                                                                                          \
		if (type == TENSOR_F64)                                                            \
			compare(out, l, TENSOR_F64, r, a, n);                                      \
		else if (type == TENSOR_F32)                                                       \
			compare(out, l, TENSOR_F32, r, a, n);                                      \
		else                                                                               \
			compare(out, l, TENSOR_BF16, r, a, n);                                     \
	}                                                                                          \
	attribute static bool screen_##name(struct tensor_lane_sums *out,                          \
		const struct tensor_lane_limits *l, enum tensor_type type, const void *r,          \
		const void *a, size_t n)                                                           \
	{                                                                                          \
		return type == TENSOR_BF16 ? screen_bf16(out, l, r, a, n)                          \
					   : screen_f32(out, l, r, a, n);                          \
	}                                                                                          \
	attribute static double square_##name(enum tensor_type type, const void *p, size_t n)      \
	{                                                                                          \
		return type == TENSOR_F64  ? square(TENSOR_F64, p, n)                              \
			: type == TENSOR_F32 ? square(TENSOR_F32, p, n)                            \
					     : square(TENSOR_BF16, p, n);                          \
	}                                                                                          \
	attribute static uint64_t ulp_##name(                                                      \
		unsigned size, const void *a, const void *b, size_t n)                             \
	{                                                                                          \
		return ulp(size, a, b, n);                                                         \
	}

#define OPTIMIZED
FOR_MACHINE(plain, OPTIMIZED)

#if defined __x86_64__
FOR_MACHINE(avx2, __attribute__((target("avx2"))))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define HAS_AVX2 0
#define compare_avx2 compare_plain
#define square_avx2 square_plain
#define screen_avx2 screen_plain
#define ulp_avx2 ulp_plain
#endif

bool tensor_lanes_take(enum tensor_type type)
{
	return type == TENSOR_F64 || type == TENSOR_F32 || type == TENSOR_BF16;
}

void tensor_lanes_compare(struct tensor_lane_sums *out, const struct tensor_lane_limits *limits,
	enum tensor_type type, const void *reference, const void *attempt, size_t n)
{
	if (HAS_AVX2)
		compare_avx2(out, limits, type, reference, attempt, n);
	else
		compare_plain(out, limits, type, reference, attempt, n);
}

bool tensor_lanes_screen(struct tensor_lane_sums *out, const struct tensor_lane_limits *limits,
	enum tensor_type type, const void *reference, const void *attempt, size_t n)
{
	if (type != TENSOR_F32 && type != TENSOR_BF16)
		return false;
	return HAS_AVX2 ? screen_avx2(out, limits, type, reference, attempt, n)
			: screen_plain(out, limits, type, reference, attempt, n);
}

double tensor_lanes_square(enum tensor_type type, const void *elements, size_t n)
{
	return HAS_AVX2 ? square_avx2(type, elements, n) : square_plain(type, elements, n);
}

uint64_t tensor_lanes_ulp(unsigned size_bytes, const void *a, const void *b, size_t n)
{
	return HAS_AVX2 ? ulp_avx2(size_bytes, a, b, n) : ulp_plain(size_bytes, a, b, n);
}
