/*
 * tensor_msprobe - what msProbe dumped of a step: dump.json and the tensors beside it.
 *
 * Operations stand in the order in which they ran, each with its inputs and outputs:
 *
 *	{"task": "tensor", "level": "L1", "framework": "pytorch", "dump_data_dir": "...",
 *	 "data": {"Functional.linear.0.forward": {
 *	    "input_args": [{"type": "torch.Tensor", "dtype": "torch.float32",
 *	       "shape": [2, 3], "Max": 1.0, "Min": 0.0, "Mean": 0.5, "Norm": 2.0,
 *	       "data_name": "Functional.linear.0.forward.input.0.npy"}],
 *	    "input_kwargs": {}, "output": [...]}}}
 *
 * A tensor is called OPERATION.input.0, OPERATION.output.0, OPERATION.parameters.weight,
 * as msProbe calls its files.  Values are read from .npy files in the folder
 * dump_tensor_data beside dump.json (its "dump_data_dir" is a path of another machine
 * and is not followed); .pt files are pickles and are not.  With the task "statistics"
 * there are no values, and the tensor cannot be compared: that four figures agree
 * would prove nothing.  Tables that msProbe made of a comparison are not read either.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_MSPROBE_H
#define PORTSIDE_EVIDENCE_TENSOR_MSPROBE_H

#include "evidence/tensor_set.h"

enum { TENSOR_MSPROBE_MAX = 256 << 20 };	/* bytes of dump.json */

bool tensor_msprobe_recognise(const char *head, size_t n);
/* PATH is that of dump.json. */
int tensor_msprobe_read(struct tensor_set *s, const char *path) ATTR_MUST_USE;

#endif
