/* tensor_type - element types of tensors: names, numbers, steps, tolerances. */
#include "config.h"

#include "evidence/tensor_type.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Tolerances of the first four are what torch.testing.assert_close takes by itself.
 * For eight-bit floats nobody publishes any: one step, and the least number. */
static const char assert_close[] = "torch.testing.assert_close";
static const char one_step[] = "one step of the type; no published default";
static const char equal[] = "equal";

static const struct tensor_type_facts facts[TENSOR_TYPES] = {
	[TENSOR_UNKNOWN] = { "unknown", NULL, NULL, NULL, 0, 0, 0, 0, 0, "", false },
	[TENSOR_F64] = { "f64", "F64", "f8", "float64", 8, 52, -1022, 1e-7, 1e-7, assert_close,
		true },
	[TENSOR_F32] = { "f32", "F32", "f4", "float32", 4, 23, -126, 1e-5, 1.3e-6, assert_close,
		true },
	[TENSOR_F16] = { "f16", "F16", "f2", "float16", 2, 10, -14, 1e-5, 1e-3, assert_close,
		true },
	[TENSOR_BF16] = { "bf16", "BF16", NULL, "bfloat16", 2, 7, -126, 1e-5, 1.6e-2,
		assert_close, true },
	[TENSOR_F8_E4M3] = { "f8-e4m3", "F8_E4M3", NULL, "float8_e4m3fn", 1, 3, -6, 0x1p-9, 0.125,
		one_step, true },
	[TENSOR_F8_E5M2] = { "f8-e5m2", "F8_E5M2", NULL, "float8_e5m2", 1, 2, -14, 0x1p-16, 0.25,
		one_step, true },
	[TENSOR_I64] = { "i64", "I64", "i8", "int64", 8, 0, 0, 0, 0, equal, true },
	[TENSOR_I32] = { "i32", "I32", "i4", "int32", 4, 0, 0, 0, 0, equal, true },
	[TENSOR_I16] = { "i16", "I16", "i2", "int16", 2, 0, 0, 0, 0, equal, true },
	[TENSOR_I8] = { "i8", "I8", "i1", "int8", 1, 0, 0, 0, 0, equal, true },
	[TENSOR_U64] = { "u64", "U64", "u8", "uint64", 8, 0, 0, 0, 0, equal, false },
	[TENSOR_U32] = { "u32", "U32", "u4", "uint32", 4, 0, 0, 0, 0, equal, false },
	[TENSOR_U16] = { "u16", "U16", "u2", "uint16", 2, 0, 0, 0, 0, equal, false },
	[TENSOR_U8] = { "u8", "U8", "u1", "uint8", 1, 0, 0, 0, 0, equal, false },
	[TENSOR_BOOL] = { "bool", "BOOL", "b1", "bool", 1, 0, 0, 0, 0, equal, false },
};

const struct tensor_type_facts *tensor_type_facts(enum tensor_type type)
{
	return &facts[type];
}

bool tensor_type_is_float(enum tensor_type type)
{
	return facts[type].mantissa_bits > 0;
}

static bool is_name(const char *have, const char *name)
{
	return have && strcmp(have, name) == 0;
}

enum tensor_type tensor_type_of_safetensors(const char *name)
{
	for (int i = TENSOR_UNKNOWN + 1; i < TENSOR_TYPES; i++)
		if (is_name(facts[i].safetensors, name))
			return (enum tensor_type)i;
	return TENSOR_UNKNOWN;
}

enum tensor_type tensor_type_of_npy(const char *kind_and_size)
{
	for (int i = TENSOR_UNKNOWN + 1; i < TENSOR_TYPES; i++)
		if (is_name(facts[i].npy, kind_and_size))
			return (enum tensor_type)i;
	return TENSOR_UNKNOWN;
}

enum tensor_type tensor_type_of_torch(const char *name)
{
	if (text_starts(name, "torch."))
		name += strlen("torch.");
	for (int i = TENSOR_UNKNOWN + 1; i < TENSOR_TYPES; i++)
		if (is_name(facts[i].torch, name))
			return (enum tensor_type)i;
	return TENSOR_UNKNOWN;
}

enum tensor_type tensor_type_coarser(enum tensor_type a, enum tensor_type b)
{
	return facts[b].mantissa_bits < facts[a].mantissa_bits ? b : a;
}

/* ---- values -------------------------------------------------------------- */

static double from_f32_bits(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

/*
 * A float of at most 16 bits: the bits go where a float32 has them, and the product
 * with a power of two puts the exponent right, for denormals too.  What the largest
 * exponent means is the type's.
 */
static double from_small(uint32_t bits, unsigned sign_at, unsigned mantissa_bits, double scale)
{
	uint32_t magnitude = (bits & ((UINT32_C(1) << sign_at) - 1)) << (23 - mantissa_bits);
	double v = from_f32_bits(magnitude) * scale;

	return bits >> sign_at & 1 ? -v : v;
}

static double special(uint32_t bits, unsigned sign_at, bool is_infinity)
{
	double v = is_infinity ? (double)INFINITY : (double)NAN;

	return bits >> sign_at & 1 ? -v : v;
}

static double from_f16(uint32_t bits)
{
	if ((bits & 0x7c00) == 0x7c00)
		return special(bits, 15, (bits & 0x3ff) == 0);
	return from_small(bits, 15, 10, 0x1p112);
}

static double from_e4m3(uint32_t bits)
{
	if ((bits & 0x7f) == 0x7f)
		return special(bits, 7, false);
	return from_small(bits, 7, 3, 0x1p120);
}

static double from_e5m2(uint32_t bits)
{
	if ((bits & 0x7c) == 0x7c)
		return special(bits, 7, (bits & 3) == 0);
	return from_small(bits, 7, 2, 0x1p112);
}

static uint32_t read16(const unsigned char *p, size_t i)
{
	uint16_t v;

	memcpy(&v, p + 2 * i, sizeof v);
	return v;
}

static uint32_t read32(const unsigned char *p, size_t i)
{
	uint32_t v;

	memcpy(&v, p + 4 * i, sizeof v);
	return v;
}

static uint64_t read64(const unsigned char *p, size_t i)
{
	uint64_t v;

	memcpy(&v, p + 8 * i, sizeof v);
	return v;
}

int64_t tensor_integer(enum tensor_type type, const void *elements, size_t i)
{
	const unsigned char *p = elements;
	unsigned size = facts[type].size_bytes;
	bool is_signed = facts[type].is_signed;

	switch (size) {
	case 8:
		return (int64_t)read64(p, i);
	case 4:
		return is_signed ? (int64_t)(int32_t)read32(p, i) : (int64_t)read32(p, i);
	case 2:
		return is_signed ? (int64_t)(int16_t)read16(p, i) : (int64_t)read16(p, i);
	default:
		return is_signed ? (int64_t)(int8_t)p[i] : (int64_t)p[i];
	}
}

static double element(enum tensor_type type, const unsigned char *p, size_t i)
{
	double v;

	switch (type) {
	case TENSOR_F64:
		memcpy(&v, p + 8 * i, sizeof v);
		return v;
	case TENSOR_F32:
		return from_f32_bits(read32(p, i));
	case TENSOR_F16:
		return from_f16(read16(p, i));
	case TENSOR_BF16:
		return from_f32_bits(read16(p, i) << 16);
	case TENSOR_F8_E4M3:
		return from_e4m3(p[i]);
	case TENSOR_F8_E5M2:
		return from_e5m2(p[i]);
	case TENSOR_U64:
		return (double)read64(p, i);
	case TENSOR_I64:
	case TENSOR_I32:
	case TENSOR_I16:
	case TENSOR_I8:
	case TENSOR_U32:
	case TENSOR_U16:
	case TENSOR_U8:
	case TENSOR_BOOL:
		return (double)tensor_integer(type, p, i);
	case TENSOR_UNKNOWN:
	case TENSOR_TYPES:
		break;
	}
	return (double)NAN;
}

void tensor_to_double(double *out, enum tensor_type type, const void *elements, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = element(type, elements, i);
}

/* ---- steps --------------------------------------------------------------- */

/*
 * The bits of a normal double, cut to the type's, with the half that is cut rounded
 * to even; below the type's normal numbers its steps are equal and are counted.
 */
int64_t tensor_ordinal(enum tensor_type type, double v)
{
	const struct tensor_type_facts *f = &facts[type];
	unsigned cut = 52 - f->mantissa_bits;
	uint64_t bits, magnitude;
	int64_t ordinal;

	memcpy(&bits, &v, sizeof bits);
	magnitude = bits & INT64_MAX;
	if (cut == 0)
		ordinal = (int64_t)magnitude;
	else if (fabs(v) < scalbn(1, f->exponent_least))
		ordinal = (int64_t)rint(scalbn(fabs(v), (int)f->mantissa_bits - f->exponent_least));
	else
		ordinal = (int64_t)((magnitude + (UINT64_C(1) << (cut - 1)) - 1 +
			(magnitude >> cut & 1)) >> cut) -
			((int64_t)(1023 + f->exponent_least - 1) << f->mantissa_bits);
	return bits >> 63 ? -ordinal : ordinal;
}

uint64_t tensor_ulp_distance(enum tensor_type type, double a, double b)
{
	uint64_t x = (uint64_t)tensor_ordinal(type, a), y = (uint64_t)tensor_ordinal(type, b);

	return (int64_t)x > (int64_t)y ? x - y : y - x;
}
