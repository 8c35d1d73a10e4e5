/* tensor_lanes - the sums over one block of finite numbers, in four lanes. */
#include "config.h"

#include "evidence/tensor_lanes.h"

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
	quad absolute, square, reference_square, attempt_square, max_absolute;
	quad_mask outside, exceeds;
};

ALWAYS_INLINE void add_four(struct lane_sums *s, const struct tensor_lane_limits *l,
	const quad *reference, const quad *attempt)
{
	quad d = *attempt - *reference, size, scale, accepted;
	quad_mask larger;

	magnitude(&size, &d);
	magnitude(&scale, reference);
	accepted = scale * l->rtol + l->atol;
	s->absolute += size;
	s->square += d * d;
	s->reference_square += *reference * *reference;
	s->attempt_square += *attempt * *attempt;
	larger = size > s->max_absolute;
	s->max_absolute =
		(quad)(((quad_mask)size & larger) | ((quad_mask)s->max_absolute & ~larger));
	s->outside -= (quad_mask)(size > accepted);
	s->exceeds |= (quad_mask)(size > scale * l->relative) & (quad_mask)(scale > 0.0);
	s->exceeds |= (quad_mask)(size > accepted * l->share);
	s->exceeds |= (quad_mask)(size > scale * l->least_rtol + l->atol);
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

ALWAYS_INLINE double largest_of(const quad *v)
{
	double lanes[LANES], most = 0;

	memcpy(lanes, v, sizeof *v);
	for (int i = 0; i < LANES; i++)
		most = lanes[i] > most ? lanes[i] : most;
	return most;
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
		.max_absolute = largest_of(&sums.max_absolute),
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

double tensor_lanes_square(enum tensor_type type, const void *elements, size_t n)
{
	return HAS_AVX2 ? square_avx2(type, elements, n) : square_plain(type, elements, n);
}

uint64_t tensor_lanes_ulp(unsigned size_bytes, const void *a, const void *b, size_t n)
{
	return HAS_AVX2 ? ulp_avx2(size_bytes, a, b, n) : ulp_plain(size_bytes, a, b, n);
}
