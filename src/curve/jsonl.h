/*
 * jsonl - one JSON object a line: generic, mmcv, mmengine, detectron2, MaxText
 * and LLaMA-Factory logs.
 *
 * The step is the first of a list of keys, the wall time likewise when it is an
 * ISO time or far above a duration; epoch and mode are no series.  An mmcv log
 * restarts its counter in each epoch: x is computed there and marked so.
 */
#ifndef PORTSIDE_CURVE_JSONL_H
#define PORTSIDE_CURVE_JSONL_H

#include "curve/json_scan.h"
#include "curve/reader.h"

extern const struct curve_format jsonl_format;

/* Keys of the step in order of preference; ends with NULL. */
extern const char *const step_keys[];

/* First step key of the row that holds a whole number; NULL: none. */
const struct json_field *jsonl_find_step(const struct json_row *row, int64_t *step);

#endif
