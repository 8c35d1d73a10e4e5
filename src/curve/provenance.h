/*
 * provenance - warnings about where logged numbers come from, with the figures
 * that fired them, and the resolution of a log.
 *
 *	id		fires when
 *	hf-nan-filter	Hugging Face source; a row with loss 0.0 and non-finite grad_norm
 *	hf-rounded-4	4+ finite non-zero losses, all multiples of 1e-4, one not of 1e-3
 *	hf-window-mean	Hugging Face loss with a median x distance over 1
 *	bf16-grid	16+ finite non-zero values that all lie on the bfloat16 grid
 *	f32-source	the source holds float32
 *	few-digits	a text source that prints few digits
 *	compile-step	the first step time is 5 times the median of the others, or more
 *	per-device	several device or worker labels in one text log
 *	cadence		two runs log at different distances (pair)
 *	steps-per-epoch	steps per epoch differ by over 2 % (pair)
 *	lr-differs	learning rates differ by over 1e-6 relative at equal steps (pair)
 *
 * Which source it was comes from its reader; the rest is found in the numbers.
 * Printed digits are those of the shortest decimal that reads back as the value:
 * trailing zeros are lost for one value, not for a whole series.
 *
 *	struct provenance_report p = PROVENANCE_INIT;
 *	provenance_check_series(&p, &arena, run, s, &facts);
 *	... p.warnings[i].id, .text ...
 */
#ifndef PORTSIDE_CURVE_PROVENANCE_H
#define PORTSIDE_CURVE_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "curve/series.h"

enum provenance_source {
	PROVENANCE_UNKNOWN,
	PROVENANCE_TENSORBOARD,
	PROVENANCE_HUGGING_FACE,	/* trainer_state.json and its log rows */
	PROVENANCE_TEXT,		/* terminal output: printed digits */
	PROVENANCE_OTHER,		/* CSV, JSONL, W&B, MLflow: full doubles */
};

struct provenance_facts {
	enum provenance_source source;
	/* that its reader saw; else names like Loss@xla:0/1 are counted */
	int n_device_labels;
};

struct provenance_warning {
	const char *id;
	const char *series;		/* name, sanitise; NULL for a whole run */
	const char *side;		/* "R", "A"; NULL: of both, or not said */
	const char *text;		/* one sentence with the numbers */
};

struct provenance_report {
	struct provenance_warning *warnings;
	size_t n, cap;
	struct arena *arena;
	const char *side;		/* whose warnings are added; NULL: not said */
};

#define PROVENANCE_INIT { .n = 0 }

/* Appends what fires for S of RUN.  Texts and the array live in A, the same for every call. */
void provenance_check_series(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct series *s, const struct provenance_facts *facts);
/* What concerns a run as a whole: its devices, and of its other series those that a
 * reader of any curve must know (step times, a filter of NaN).  Each is said once. */
void provenance_check_run(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct provenance_facts *facts);
/* What two series of the same metric, and their runs, have apart. */
void provenance_check_pair(struct provenance_report *out, struct arena *a,
		const struct run_series *reference_run, const struct series *reference,
		const struct run_series *attempt_run, const struct series *attempt);

/* Steps that each row of S is the mean of; NaN: it is no mean, or not known. */
double provenance_window(const struct series *s, const struct provenance_facts *facts);

/* One more, for what only the caller knows; once for an ID, series and side.  TEXT lives
 * in A. */
void provenance_add(struct provenance_report *out, struct arena *a, const char *id,
	const struct series *s, char *text);
bool provenance_has(const struct provenance_report *p, const char *id);

/* The step of the grid on which the values of S were written, at value V; 0: not known. */
enum resolution_kind {
	RESOLUTION_UNKNOWN,
	RESOLUTION_FIXED,	/* FIXED itself */
	RESOLUTION_DIGITS,	/* half a unit of significant digit number FIXED */
	RESOLUTION_BF16,	/* 2^(floor(log2 |v|) - 8) */
	RESOLUTION_F32,		/* 2^(floor(log2 |v|) - 24) */
};
struct resolution { enum resolution_kind kind; double fixed; };
struct resolution provenance_resolution(
	const struct series *s, const struct provenance_facts *facts);
double resolution_at(const struct resolution *r, double v);
/* The largest resolution over the finite values of S: what a comparison must use. */
double resolution_of(const struct series *s, const struct provenance_facts *facts);

/* Are all of these on the bfloat16 grid in the sense of the table above? */
bool provenance_is_bf16_grid(const double *v, size_t n);

#endif
