/*
 * tfevents_tensor - the number in a TensorProto, when it is one.
 */
#ifndef PORTSIDE_CURVE_TFEVENTS_TENSOR_H
#define PORTSIDE_CURVE_TFEVENTS_TENSOR_H

#include "curve/protobuf.h"

enum tensor_kind { TENSOR_NONE, TENSOR_FLOAT, TENSOR_DOUBLE };

struct tensor_number {
	enum tensor_kind kind;	/* TENSOR_NONE: not a scalar */
	float number32;		/* TENSOR_FLOAT */
	double number;		/* TENSOR_DOUBLE: every other type */
};

/* False when the message is malformed. */
bool tensor_read(struct tensor_number *out, struct protobuf message);

/* IEEE half precision; bfloat16 is the upper half of a float. */
double half_to_double(uint16_t bits);
double bfloat16_to_double(uint16_t bits);

#endif
