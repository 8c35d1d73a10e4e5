/*
 * series_role - what a series is for, by the name that trainers give it.
 *
 * Names are "loss", "train/loss", "eval_loss": the part behind the last slash says what
 * is measured, what stands before it says when.  Only names are looked at; a series
 * under a name that nobody uses has no role.
 *
 *	if (series_is_learning_rate(s->name))
 *		...
 *	for (const char *const *name = series_token_names; *name; name++)
 *		s = s ? s : run_series_find(run, *name, AXIS_STEP);
 */
#ifndef PORTSIDE_CURVE_SERIES_ROLE_H
#define PORTSIDE_CURVE_SERIES_ROLE_H

#include <stdbool.h>

/* "loss" of "train/loss"; borrowed from NAME. */
const char *series_last_part(const char *name);

/* "lr", "train/learning_rate", and one optimizer's of several: "lr-AdamW/pg1". */
bool series_is_learning_rate(const char *name);

/* "eval_loss", "val/accuracy", "model/eval/f1": measured by evaluations, not by steps. */
bool series_is_evaluation(const char *name);

/* A count of what the run has seen so far: samples or tokens. */
bool series_is_counter(const char *name);

/* Full names of such counters, the one to be preferred first; they end with NULL. */
extern const char *const series_sample_names[];
extern const char *const series_token_names[];

#endif
