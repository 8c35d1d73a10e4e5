/*
 * tensor_type - element types of tensors: names, numbers, steps, tolerances.
 *
 * One table.  Numbers are read as double, which holds every value of every
 * floating type here exactly; 64-bit integers are compared as integers instead.
 * A type that a file does not name (bfloat16 in .npy is two bytes without a
 * name) is unknown and never guessed.
 *
 * The ordinal of a number counts the representable numbers between it and zero,
 * so the distance of two ordinals is the distance in units in the last place
 * (ULP).  -0 and 0 are one number.
 *
 *	double v[256];
 *
 *	tensor_to_double(v, TENSOR_BF16, bytes, 256);
 *	ulp = tensor_ulp_distance(TENSOR_BF16, v[0], v[1]);
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_TYPE_H
#define PORTSIDE_EVIDENCE_TENSOR_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tensor_type {
	TENSOR_UNKNOWN,
	TENSOR_F64,
	TENSOR_F32,
	TENSOR_F16,
	TENSOR_BF16,
	TENSOR_F8_E4M3,		/* no infinities, largest 448 (safetensors, OCP "FN") */
	TENSOR_F8_E5M2,
	TENSOR_I64,
	TENSOR_I32,
	TENSOR_I16,
	TENSOR_I8,
	TENSOR_U64,
	TENSOR_U32,
	TENSOR_U16,
	TENSOR_U8,
	TENSOR_BOOL,
	TENSOR_TYPES
};

struct tensor_type_facts {
	const char *name;		/* "bf16" */
	const char *safetensors;	/* "BF16" */
	const char *npy;		/* kind and size: "f4"; NULL: .npy has no name for it */
	const char *torch;		/* "bfloat16" */
	unsigned size_bytes;
	unsigned mantissa_bits;		/* stored ones; 0: no floating type */
	int exponent_least;		/* of the least normal number, as a power of two */
	double atol, rtol;		/* what is accepted without a choice; 0: equal */
	const char *source;		/* of these tolerances */
	bool is_signed;
};

const struct tensor_type_facts *tensor_type_facts(enum tensor_type type);
bool tensor_type_is_float(enum tensor_type type);
/* By the name in the column of that format; TENSOR_UNKNOWN. */
enum tensor_type tensor_type_of_safetensors(const char *name);
enum tensor_type tensor_type_of_npy(const char *kind_and_size);
enum tensor_type tensor_type_of_torch(const char *name);	/* "torch.float32" or "float32" */

/* The floating type with fewer bits behind the point; A when they are equal. */
enum tensor_type tensor_type_coarser(enum tensor_type a, enum tensor_type b);

/* N elements in the machine's order of bytes; integers of 64 bits are rounded. */
void tensor_to_double(double *out, enum tensor_type type, const void *elements, size_t n);

/* One integer element; of U64 the bits. */
int64_t tensor_integer(enum tensor_type type, const void *elements, size_t i);

/* Finite V, rounded half to even where TYPE cannot hold it. */
int64_t tensor_ordinal(enum tensor_type type, double v);
/* Of finite numbers, in a floating type. */
uint64_t tensor_ulp_distance(enum tensor_type type, double a, double b);

#endif
