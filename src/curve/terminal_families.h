/*
 * terminal_families - the shapes of log lines that are known, one row each.
 *
 * To add a family, write a function that recognises a frame, adds its pairs and
 * emits them, and put it into the table at the place where it must be tried.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_FAMILIES_H
#define PORTSIDE_CURVE_TERMINAL_FAMILIES_H

#include "curve/terminal.h"

struct terminal_family {
	const char *name;
	char hint;		/* one of hint_bytes, which the frame must hold; 0: none */
	/* True when the frame is one of the family: no other one is tried. */
	bool (*take)(struct terminal *t, struct curve_sink *sink, const struct frame *f);
};

/* Ends with a row whose name is NULL. */
extern const struct terminal_family terminal_families[];

/* Rows of other files. */
bool take_json(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_python_dict(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_progress_bar(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_keras(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_xla_device(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_timm(struct terminal *t, struct curve_sink *sink, const struct frame *f);
bool take_generic(struct terminal *t, struct curve_sink *sink, const struct frame *f);

#endif
