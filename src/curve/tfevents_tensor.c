/* tfevents_tensor - a scalar of any type, in content or in a repeated field. */
#include "config.h"

#include "curve/tfevents_tensor.h"

#include <math.h>

#include "base/mem.h"

/* How the bits of one element become a number. */
enum element {
	ELEMENT_FLOAT,
	ELEMENT_DOUBLE,
	ELEMENT_SIGNED,
	ELEMENT_UNSIGNED,
	ELEMENT_HALF,
	ELEMENT_BFLOAT16
};

struct tensor_type {
	uint32_t dtype;
	uint32_t field;		/* the repeated field that holds it */
	enum element element;
	unsigned size;		/* bytes of an element in tensor_content */
};

/* tensorflow/core/framework/types.proto; others are not scalars. */
static const struct tensor_type tensor_types[] = {
	{ 1, 5, ELEMENT_FLOAT, 4 },
	{ 2, 6, ELEMENT_DOUBLE, 8 },
	{ 3, 7, ELEMENT_SIGNED, 4 },
	{ 4, 7, ELEMENT_UNSIGNED, 1 },
	{ 5, 7, ELEMENT_SIGNED, 2 },
	{ 6, 7, ELEMENT_SIGNED, 1 },
	{ 9, 10, ELEMENT_SIGNED, 8 },
	{ 10, 11, ELEMENT_UNSIGNED, 1 },
	{ 14, 13, ELEMENT_BFLOAT16, 2 },
	{ 17, 7, ELEMENT_UNSIGNED, 2 },
	{ 19, 13, ELEMENT_HALF, 2 },
	{ 22, 16, ELEMENT_UNSIGNED, 4 },
	{ 23, 17, ELEMENT_UNSIGNED, 8 },
};

enum { TENSOR_FIELDS = 18 };

struct tensor {
	uint32_t dtype;
	bool has_rank;			/* a dimension, or unknown rank */
	struct protobuf content;
	uint64_t counts[TENSOR_FIELDS];	/* elements of each repeated field */
	uint64_t first[TENSOR_FIELDS];	/* bits of the first one */
};

double half_to_double(uint16_t bits)
{
	int exponent = bits >> 10 & 31;
	double fraction = bits & 1023;
	double v;

	if (exponent == 31)
		v = fraction != 0 ? NAN : INFINITY;
	else if (exponent == 0)
		v = ldexp(fraction, -24);
	else
		v = ldexp(fraction + 1024, exponent - 25);
	return bits & 0x8000 ? -v : v;
}

double bfloat16_to_double(uint16_t bits)
{
	return (double)protobuf_float((uint64_t)bits << 16);
}

static enum protobuf_wire wire_of_field(uint32_t number)
{
	if (number == 5)
		return WIRE_FIXED32;
	return number == 6 ? WIRE_FIXED64 : WIRE_VARINT;
}

static void count_element(struct tensor *t, uint32_t number, uint64_t bits)
{
	if (t->counts[number]++ == 0)
		t->first[number] = bits;
}

static bool read_packed(struct tensor *t, uint32_t number, struct protobuf m)
{
	enum protobuf_wire wire = wire_of_field(number);
	uint64_t bits;

	while (m.p < m.end) {
		bool good = wire == WIRE_VARINT ? protobuf_varint(&m, &bits) :
			protobuf_fixed(&m, wire == WIRE_FIXED32 ? 4 : 8, &bits);

		if (!good)
			return false;
		count_element(t, number, bits);
	}
	return true;
}

static bool read_shape(struct tensor *t, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if ((f.number == 2 && f.wire == WIRE_BYTES) ||
		    (f.number == 3 && f.wire == WIRE_VARINT && f.value))
			t->has_rank = true;
	return more == 0;
}

static bool is_repeated_number(uint32_t number)
{
	for (size_t i = 0; i < ARRAY_LEN(tensor_types); i++)
		if (tensor_types[i].field == number)
			return true;
	return false;
}

static bool read_field(struct tensor *t, const struct protobuf_field *f)
{
	if (f->number == 1 && f->wire == WIRE_VARINT)
		t->dtype = (uint32_t)f->value;
	else if (f->number == 2 && f->wire == WIRE_BYTES)
		return read_shape(t, f->bytes);
	else if (f->number == 4 && f->wire == WIRE_BYTES)
		t->content = f->bytes;
	else if (!is_repeated_number(f->number))
		return true;
	else if (f->wire == WIRE_BYTES)
		return read_packed(t, f->number, f->bytes);
	else if (f->wire == wire_of_field(f->number))
		count_element(t, f->number, f->value);
	return true;
}

static uint64_t load_element(const unsigned char *p, unsigned size)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

/* The low SIZE bytes as a signed number; varints of negative numbers are 64 bits wide. */
static int64_t sign_extend(uint64_t bits, unsigned size)
{
	unsigned shift = 64 - 8 * size;

	return (int64_t)(bits << shift) >> shift;
}

static void set_number(struct tensor_number *out, const struct tensor_type *type, uint64_t bits)
{
	out->kind = TENSOR_DOUBLE;
	switch (type->element) {
	case ELEMENT_FLOAT:
		out->kind = TENSOR_FLOAT;
		out->number32 = protobuf_float(bits);
		break;
	case ELEMENT_DOUBLE:
		out->number = protobuf_double(bits);
		break;
	case ELEMENT_SIGNED:
		out->number = (double)sign_extend(bits, type->size);
		break;
	case ELEMENT_UNSIGNED:
		out->number = type->dtype == 10 ? (double)(bits != 0) : (double)bits;
		break;
	case ELEMENT_HALF:
		out->number = half_to_double((uint16_t)bits);
		break;
	case ELEMENT_BFLOAT16:
		out->number = bfloat16_to_double((uint16_t)bits);
		break;
	}
}

static void find_number(struct tensor_number *out, const struct tensor *t)
{
	size_t content_n = (size_t)(t->content.end - t->content.p);

	for (size_t i = 0; i < ARRAY_LEN(tensor_types); i++) {
		const struct tensor_type *type = &tensor_types[i];

		if (type->dtype != t->dtype)
			continue;
		if (content_n == type->size && t->counts[type->field] == 0)
			set_number(out, type, load_element(t->content.p, type->size));
		else if (content_n == 0 && t->counts[type->field] == 1)
			set_number(out, type, t->first[type->field]);
		return;
	}
}

bool tensor_read(struct tensor_number *out, struct protobuf message)
{
	struct tensor t = { .content = { NULL, NULL } };
	struct protobuf_field f;
	int more;

	*out = (struct tensor_number){ .kind = TENSOR_NONE };
	while ((more = protobuf_next(&message, &f)) > 0)
		if (!read_field(&t, &f))
			return false;
	if (more < 0)
		return false;
	if (!t.has_rank)
		find_number(out, &t);
	return true;
}
