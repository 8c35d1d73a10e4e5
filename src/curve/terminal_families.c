/* terminal_families - the table, and the families that are a step and pairs. */
#include "config.h"

#include "curve/terminal_families.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "curve/terminal_scan.h"

static struct text_scan scan_of(const struct frame *f)
{
	return (struct text_scan){ f->p, f->p + f->n };
}

/* "key: number" or "key=number" as one piece; the key may hold blanks. */
static bool add_piece(struct terminal *t, struct text_scan piece, char separator)
{
	const char *at = memrchr(piece.p, separator, scan_left(&piece));
	struct text_scan key, value;
	struct token token;
	double v;

	if (!at)
		return false;
	key = (struct text_scan){ piece.p, at };
	value = (struct text_scan){ at + 1, piece.end };
	trim_scan(&key);
	trim_scan(&value);
	token.p = value.p;
	if (!scan_left(&key) || !scan_number_with_unit(&value, &v))
		return false;
	token.n = (size_t)(value.p - token.p);
	scan_blanks(&value);
	if (scan_left(&value))
		return false;
	terminal_add_token(t, key.p, scan_left(&key), v, token);
	return true;
}

static void add_pieces(struct terminal *t, struct text_scan s, const char *between, char separator)
{
	struct text_scan piece;

	while (scan_piece(&s, between, &piece))
		add_piece(t, piece, separator);
}

/* The row that was emitted follows from a step of digits and its pairs. */
static void tell_row(struct terminal *t, const struct frame *f, struct token step, bool (*fits)(const struct frame *f))
{
	t->taken.repeats = true;
	t->taken.placing = PLACE_STEP;
	t->taken.step = step;
	t->taken.step_form = SHAPE_DIGITS;
	t->taken.free_to = f->p + f->n;
	t->taken.fits = fits;
}

/* No family before this one takes a frame with the same text, whatever its numbers:
 * no object, and no count behind the last bar. */
static bool is_only_megatron(const struct frame *f)
{
	const char *bar = memrchr(f->p, '|', f->n);
	struct text_scan s = { bar ? bar + 1 : f->p, f->p + f->n };
	int64_t count;

	scan_blanks(&s);
	return bar && !memchr(f->p, '{', f->n) && !scan_integer(&s, &count);
}

/* Likewise: no object and no bar. */
static bool is_only_maxtext(const struct frame *f)
{
	return !memchr(f->p, '{', f->n) && !memchr(f->p, '|', f->n);
}

/* "| key: number | key: number |" behind an iteration. */
static bool take_megatron_validation(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct row_x x;
	int64_t step;

	if (!scan_to_text(&s, "validation loss at iteration "))
		return false;
	scan_blanks(&s);
	if (!scan_integer(&s, &step))
		return false;
	scan_blanks(&s);
	if (!scan_char(&s, '|'))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, "|", ':');
	terminal_emit(t, sink, &x, "validation/", "");
	return true;
}

static bool take_megatron(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct token token;
	struct row_x x;
	int64_t step, total;

	if (!scan_to_text(&s, "iteration "))
		return false;
	scan_blanks(&s);
	token.p = s.p;
	if (!scan_integer(&s, &step))
		return take_megatron_validation(t, sink, f);
	token.n = (size_t)(s.p - token.p);
	scan_blanks(&s);
	if (!scan_char(&s, '/'))
		return take_megatron_validation(t, sink, f);
	scan_blanks(&s);
	if (!scan_integer(&s, &total))
		return false;
	scan_blanks(&s);
	if (!scan_char(&s, '|'))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, "|", ':');
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	tell_row(t, f, token, is_only_megatron);
	return true;
}

/* "running loss=9.5" without the word, since the name says running_eval/. */
static void drop_running(struct terminal *t)
{
	for (size_t i = 0; i < t->n_pairs; i++)
		if (t->pairs[i].name_n > 8 && memcmp(t->pairs[i].name, "running ", 8) == 0) {
			t->pairs[i].name += 8;
			t->pairs[i].name_n -= 8;
		}
}

/* Pieces "key: v" and "key=v", both of which MaxText writes. */
static void add_maxtext_pieces(struct terminal *t, struct text_scan s)
{
	struct text_scan piece;

	while (scan_piece(&s, ", ", &piece))
		if (!add_piece(t, piece, '='))
			add_piece(t, piece, ':');
}

/*
 * Words before the step, prefix of the names, axis.  The evaluation step counts
 * batches of one evaluation: never on the training axis.
 */
static const struct maxtext_line {
	const char *words, *prefix;
	enum axis axis;
} maxtext_lines[] = {
	{ "completed step: ", "", AXIS_STEP },
	{ "completed profiler activation/deactivation step: ", "", AXIS_STEP },
	{ "Completed eval after train step ", "eval/", AXIS_STEP },
	{ "Completed eval step: ", "running_eval/", AXIS_EVAL_STEP },
};

static bool take_maxtext(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan word = scan_of(f), s;
	struct row_x x;

	if (!scan_to_text(&word, "ompleted ") || word.p - f->p < 10)
		return false;
	word.p -= 10;
	for (size_t i = 0; i < ARRAY_LEN(maxtext_lines); i++) {
		struct token token;
		int64_t step;

		s = word;
		if (!scan_text(&s, maxtext_lines[i].words))
			continue;
		token.p = s.p;
		if (!scan_integer(&s, &step) || !scan_char(&s, ','))
			continue;
		token.n = (size_t)(s.p - token.p) - 1;
		x = terminal_at_step(step);
		x.axis = maxtext_lines[i].axis;
		scan_blanks(&s);
		add_maxtext_pieces(t, s);
		drop_running(t);
		if (!t->n_pairs)
			return false;
		terminal_emit(t, sink, &x, maxtext_lines[i].prefix, "");
		if (x.axis == AXIS_STEP)
			tell_row(t, f, token, is_only_maxtext);
		return true;
	}
	return false;
}

/* "train loss 2.5": words, a number, maybe a unit; the words are joined by "_". */
static bool add_nanogpt_piece(struct terminal *t, struct text_scan piece)
{
	static const struct { const char *words, *name; } names[] = {
		{ "train loss", "train_loss" }, { "val loss", "val_loss" },
	};
	const char *blank = memrchr(piece.p, ' ', scan_left(&piece));
	struct text_scan key, value;
	double v;

	if (!blank)
		return false;
	key = (struct text_scan){ piece.p, blank };
	value = (struct text_scan){ blank + 1, piece.end };
	trim_scan(&key);
	if (!scan_number_with_unit(&value, &v))
		return false;
	if (scan_is(&key, "mfu") && v == -100)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (scan_is(&key, names[i].words)) {
			terminal_add_pair(t, names[i].name, strlen(names[i].name), v);
			return true;
		}
	terminal_add_pair(t, key.p, scan_left(&key), v);
	return true;
}

/* "iter 10: loss 2.5, time 52.5ms" and "step 0: train loss a, val loss b". */
static bool take_nanogpt(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f), piece;
	struct row_x x;
	int64_t step;

	if (!scan_text(&s, "iter ") && !scan_text(&s, "step "))
		return false;
	if (!scan_integer(&s, &step) || !scan_text(&s, ": ") || memchr(s.p, '=', scan_left(&s)) ||
	    memchr(s.p, ':', scan_left(&s)))
		return false;
	x = terminal_at_step(step);
	while (scan_piece(&s, ", ", &piece))
		if (!add_nanogpt_piece(t, piece))
			return false;
	terminal_emit(t, sink, &x, "", "");
	return true;
}

/* "s:0 trl:2.5" and "step:125/6200 val_loss:4.5 train_time:1000ms". */
static bool take_short_keys(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct row_x x;
	int64_t step, total;

	if (!scan_text(&s, "s:") && !scan_text(&s, "step:"))
		return false;
	if (!scan_integer(&s, &step))
		return false;
	if (scan_char(&s, '/') && !scan_integer(&s, &total))
		return false;
	if (!scan_char(&s, ' '))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, " ", ':');
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	return true;
}

/* "[10]<TAB>val-logloss:0.6<TAB>valid_0's l2: 0.25". */
static bool take_boosting(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct row_x x;
	int64_t step;

	if (!scan_char(&s, '[') || !scan_integer(&s, &step) || !scan_text(&s, "]\t"))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, "\t", ':');
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	return true;
}

/* Takes a pair out of the row; false when it is not there. */
static bool pull_pair(struct terminal *t, const char *name, double *out)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < t->n_pairs; i++) {
		if (t->pairs[i].name_n != n || memcmp(t->pairs[i].name, name, n) != 0)
			continue;
		*out = t->pairs[i].value;
		memmove(&t->pairs[i], &t->pairs[i + 1], (t->n_pairs - i - 1) * sizeof *t->pairs);
		t->n_pairs--;
		return true;
	}
	return false;
}

/* "epoch 002:     10 / 500 loss=1.25, num_updates=510". */
static bool take_fairseq_simple(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	int64_t epoch, i, n;
	struct row_x x;
	double updates;

	if (!scan_to_text(&s, "epoch ") || !scan_integer(&s, &epoch) || !scan_char(&s, ':'))
		return false;
	scan_blanks(&s);
	if (!scan_integer(&s, &i) || !scan_text(&s, " / ") || !scan_integer(&s, &n) || !scan_char(&s, ' '))
		return false;
	add_pieces(t, s, ", ", '=');
	if (pull_pair(t, "num_updates", &updates) && fabs(updates) < 9e15) {
		x = terminal_at_step((int64_t)updates);
	} else {
		if (epoch < 1 || epoch > 1000000 || n > INT64_MAX / 1000000 - i)
			return false;
		x = terminal_at_step((epoch - 1) * n + i);
		x.derived = true;
	}
	if (!t->n_pairs)
		return false;
	x.epoch = (double)epoch;
	terminal_emit(t, sink, &x, "", "");
	return true;
}

const struct terminal_family terminal_families[] = {
	{ "json", '{', take_json },
	{ "python-dict", '{', take_python_dict },
	{ "tqdm", '|', take_progress_bar },
	{ "megatron", '|', take_megatron },
	{ "maxtext", ',', take_maxtext },
	{ "torch-xla", '|', take_xla_device },
	{ "timm", '[', take_timm },
	{ "nanogpt", ':', take_nanogpt },
	{ "short-keys", ':', take_short_keys },
	{ "keras", '/', take_keras },
	{ "boosting", '\t', take_boosting },
	{ "fairseq-simple", '/', take_fairseq_simple },
	{ "generic", 0, take_generic },
	{ NULL, 0, NULL },
};
