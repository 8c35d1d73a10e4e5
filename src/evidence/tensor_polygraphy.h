/*
 * tensor_polygraphy - outputs of runners as Polygraphy saves them (RunResults, JSON).
 *
 *	{"lst": [["onnxrt-runner", [{"outputs": {"y": {"values": {"array": "k05V...",
 *	  "polygraphy_class": "ndarray"}, "polygraphy_class": "LazyArray"}},
 *	  "runtime": 0.1, "runner_name": "onnxrt-runner",
 *	  "polygraphy_class": "IterationResult"}]]], "polygraphy_class": "RunResults"}
 *
 * "array" is a .npy file in base64.  Written after polygraphy/json/serde.py and
 * polygraphy/comparator/struct.py; older files say "__polygraphy_encoded_RunResults".
 * A tensor has the name of its output; of several iterations "1/y", of several
 * runners "RUNNER/y".  Outputs keep the order of the file.  All of the file is held.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_POLYGRAPHY_H
#define PORTSIDE_EVIDENCE_TENSOR_POLYGRAPHY_H

#include "evidence/tensor_set.h"

enum { TENSOR_POLYGRAPHY_MAX = 256 << 20 };	/* bytes of the file */

bool tensor_polygraphy_recognise(const char *head, size_t n);
int tensor_polygraphy_read(struct tensor_set *s, const char *path) ATTR_MUST_USE;

#endif
