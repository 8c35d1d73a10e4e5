/*
 * terminal_families - the shapes of log lines that are known, one row each.
 *
 * To add a family, write a function that recognises a frame, adds its pairs and
 * emits them, and put it into the table at the place where it must be tried.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_FAMILIES_H
#define PORTSIDE_CURVE_TERMINAL_FAMILIES_H

#include "curve/terminal.h"

/* A byte that each frame of a family holds; looked for once a frame. */
enum terminal_hint {
	HINT_NONE = 0,
	HINT_BRACE = 1,
	HINT_BAR = 2,
	HINT_COMMA = 4,
	HINT_BRACKET = 8,
	HINT_COLON = 16,
	HINT_SLASH = 32,
	HINT_TAB = 64,
};

struct terminal_family {
	const char *name;
	enum terminal_hint hint;
	/* True when the frame is one of the family: no other one is tried. */
	bool (*take)(struct terminal *t, struct curve_sink *sink, const struct frame *f);
};

/* Where a row stands, and for a refresh of a progress bar where it waits. */
struct placed_row {
	struct row_x x;
	struct held_row *held;	/* NULL: it goes to its series at once */
	int64_t epoch, count;	/* which refreshes belong together */
};

/*
 * The x of a row from its counts, the same for the family and for the shapes of
 * its rows.  False when they are no place; then nothing has changed.
 */
bool place_updates(struct row_x *x, int64_t epoch, double updates);
bool place_batch(struct row_x *x, int64_t epoch, int64_t batch, int64_t batches);
bool place_timm(struct terminal *t, struct row_x *x, int64_t epoch, int64_t batch, int64_t batches);
void place_device(struct row_x *x, struct device *device, int64_t epoch, int64_t step);
/* EPOCH below 0: none. */
bool place_bar(
	struct terminal *t, struct placed_row *out, int64_t epoch, int64_t count, int64_t total);
void place_keras(struct terminal *t, struct placed_row *out, int64_t count, int64_t total);

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
bool take_words(struct terminal *t, struct curve_sink *sink, const struct frame *f);

#endif
