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

/* "key: number" or "key=number" as one piece; the key may hold blanks.  PADDED: blanks
 * around the piece and its parts do not end it. */
static bool add_piece(struct terminal *t, struct text_scan piece, char separator, bool padded)
{
	const char *at = memrchr(piece.p, separator, scan_left(&piece));
	struct text_scan key, value;
	struct token token = { .padded = padded };
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
		add_piece(t, piece, separator, *between != ' ');
}

/* The row that was emitted follows from a step of digits and its pairs. */
static void tell_row(struct terminal *t, const struct frame *f, struct token step,
	bool (*fits)(const struct frame *f))
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
static bool take_megatron_validation(
	struct terminal *t, struct curve_sink *sink, const struct frame *f)
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
	const char *word, *start;
	struct token token;
	struct row_x x;
	int64_t step, total;

	if (!scan_to_text(&s, "iteration "))
		return false;
	word = s.p;
	scan_blanks(&s);
	start = s.p;
	if (!scan_integer(&s, &step))
		return take_megatron_validation(t, sink, f);
	token = token_padded(start, s.p);
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
	t->taken.literals[0] = token_between(word - strlen("iteration "), word);
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
		if (!add_piece(t, piece, '=', true))
			add_piece(t, piece, ':', true);
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
		const char *start;
		int64_t step;

		s = word;
		if (!scan_text(&s, maxtext_lines[i].words))
			continue;
		start = s.p;
		if (!scan_integer(&s, &step) || !scan_char(&s, ','))
			continue;
		token = token_between(start, s.p - 1);
		x = terminal_at_step(step);
		x.axis = maxtext_lines[i].axis;
		scan_blanks(&s);
		add_maxtext_pieces(t, s);
		drop_running(t);
		if (!t->n_pairs)
			return false;
		terminal_emit(t, sink, &x, maxtext_lines[i].prefix, "");
		tell_row(t, f, token, is_only_maxtext);
		return true;
	}
	return false;
}

/* No object and no bar, and no word of MaxText: none of the families before takes it. */
static bool is_free_of_marks(const struct frame *f)
{
	return !memchr(f->p, '{', f->n) && !memchr(f->p, '|', f->n) &&
		!memmem(f->p, f->n, "ompleted ", 9);
}

static void rename_nanogpt(struct text_scan *key)
{
	static const struct { const char *words, *name; } names[] = {
		{ "train loss", "train_loss" }, { "val loss", "val_loss" },
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (scan_is(key, names[i].words)) {
			*key = (struct text_scan){ names[i].name,
				names[i].name + strlen(names[i].name) };
			return;
		}
}

/* "train loss 2.5": words, a number, maybe a unit; the words are joined by "_".
 * An mfu of -100 is none, and then the row *DROPS it. */
static bool add_nanogpt_piece(struct terminal *t, struct text_scan piece, bool *drops)
{
	const char *blank = memrchr(piece.p, ' ', scan_left(&piece));
	struct text_scan key, value;
	bool is_mfu;
	double v;

	if (!blank)
		return false;
	key = (struct text_scan){ piece.p, blank };
	value = (struct text_scan){ blank + 1, piece.end };
	trim_scan(&key);
	if (!scan_number_with_unit(&value, &v))
		return false;
	is_mfu = scan_is(&key, "mfu");
	if (is_mfu && v == -100) {
		*drops = true;
		return true;
	}
	rename_nanogpt(&key);
	terminal_add_token(t, key.p, scan_left(&key), v, token_between(blank + 1, value.p));
	if (is_mfu && t->n_pairs)
		t->pairs[t->n_pairs - 1].condition = SHAPE_NOT_NEGATIVE;
	return true;
}

/* "iter 10: loss 2.5, time 52.5ms" and "step 0: train loss a, val loss b". */
static bool take_nanogpt(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f), piece;
	struct token token;
	struct row_x x;
	bool drops = false;
	int64_t step;

	if (!scan_text(&s, "iter ") && !scan_text(&s, "step "))
		return false;
	token.p = s.p;
	if (!scan_integer(&s, &step))
		return false;
	token = token_between(token.p, s.p);
	if (!scan_text(&s, ": ") || memchr(s.p, '=', scan_left(&s)) ||
		memchr(s.p, ':', scan_left(&s)))
		return false;
	x = terminal_at_step(step);
	while (scan_piece(&s, ", ", &piece))
		if (!add_nanogpt_piece(t, piece, &drops))
			return false;
	terminal_emit(t, sink, &x, "", "");
	tell_row(t, f, token, is_free_of_marks);
	t->taken.repeats = !drops;
	return true;
}

/* "s:0 trl:2.5" and "step:125/6200 val_loss:4.5 train_time:1000ms". */
static bool take_short_keys(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct token token;
	struct row_x x;
	int64_t step, total;

	if (!scan_text(&s, "s:") && !scan_text(&s, "step:"))
		return false;
	token.p = s.p;
	if (!scan_integer(&s, &step))
		return false;
	token = token_between(token.p, s.p);
	if (scan_char(&s, '/') && !scan_integer(&s, &total))
		return false;
	if (!scan_char(&s, ' '))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, " ", ':');
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	tell_row(t, f, token, is_free_of_marks);
	return true;
}

/* "[10]<TAB>val-logloss:0.6<TAB>valid_0's l2: 0.25". */
static bool take_boosting(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct token token;
	struct row_x x;
	int64_t step;

	if (!scan_char(&s, '[') || !scan_integer(&s, &step))
		return false;
	token = token_between(f->p + 1, s.p);
	if (!scan_text(&s, "]\t"))
		return false;
	x = terminal_at_step(step);
	add_pieces(t, s, "\t", ':');
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	tell_row(t, f, token, is_free_of_marks);
	return true;
}

/* Takes a pair out of the row; false when it is not there. */
static bool pull_pair(struct terminal *t, const char *name, struct pair *out)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < t->n_pairs; i++) {
		if (t->pairs[i].name_n != n || memcmp(t->pairs[i].name, name, n) != 0)
			continue;
		*out = t->pairs[i];
		memmove(&t->pairs[i], &t->pairs[i + 1], (t->n_pairs - i - 1) * sizeof *t->pairs);
		t->n_pairs--;
		return true;
	}
	return false;
}

bool place_updates(struct row_x *x, int64_t epoch, double updates)
{
	if (!(fabs(updates) < 9e15))
		return false;
	*x = terminal_at_step((int64_t)updates);
	x->epoch = (double)epoch;
	return true;
}

bool place_batch(struct row_x *x, int64_t epoch, int64_t batch, int64_t batches)
{
	if (epoch < 1 || epoch > 1000000 || batches > INT64_MAX / 1000000 - batch)
		return false;
	*x = terminal_at_step((epoch - 1) * batches + batch);
	x->derived = true;
	x->epoch = (double)epoch;
	return true;
}

/* "002:     10 / 500 " behind "epoch ". */
static bool scan_fairseq_place(struct text_scan *s, int64_t number[3], struct token token[3])
{
	const char *start = s->p;

	if (!scan_integer(s, &number[0]))
		return false;
	token[0] = token_between(start, s->p);
	if (!scan_char(s, ':'))
		return false;
	scan_blanks(s);
	start = s->p;
	if (!scan_integer(s, &number[1]))
		return false;
	token[1] = token_padded(start, s->p);
	if (!scan_text(s, " / "))
		return false;
	start = s->p;
	if (!scan_integer(s, &number[2]))
		return false;
	token[2] = token_between(start, s->p);
	return scan_char(s, ' ');
}

/* None of the families before begins like it: no object, bar, word or count of theirs. */
static bool is_only_fairseq(const struct frame *f)
{
	const char *p = f->p;
	size_t n = f->n;

	while (n && (*p == ' ' || *p == '\t' || *p == '\0'))
		p++, n--;
	return is_free_of_marks(f) && n && !memchr("0123456789iTs[", *p, 14);
}

/* "epoch 002:     10 / 500 loss=1.25, num_updates=510". */
static bool take_fairseq_simple(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct token token[3];
	struct pair updates;
	int64_t number[3];
	bool has_updates;
	struct row_x x;

	if (!scan_to_text(&s, "epoch ") || !scan_fairseq_place(&s, number, token))
		return false;
	add_pieces(t, s, ", ", '=');
	has_updates = pull_pair(t, "num_updates", &updates);
	if (!(has_updates && place_updates(&x, number[0], updates.value))) {
		if (!place_batch(&x, number[0], number[1], number[2]))
			return false;
	}
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	tell_row(t, f, has_updates ? updates.token : token_between(NULL, NULL), is_only_fairseq);
	t->taken.step_form = SHAPE_NUMBER;
	t->taken.placing = has_updates ? PLACE_UPDATES : PLACE_BATCH;
	t->taken.repeats = !(has_updates && x.derived);
	memcpy(t->taken.counts, token, (has_updates ? 1 : 3) * sizeof *token);
	return true;
}

const struct terminal_family terminal_families[] = {
	{ "json", HINT_BRACE, take_json },
	{ "python-dict", HINT_BRACE, take_python_dict },
	{ "tqdm", HINT_BAR, take_progress_bar },
	{ "megatron", HINT_BAR, take_megatron },
	{ "maxtext", HINT_COMMA, take_maxtext },
	{ "torch-xla", HINT_BAR, take_xla_device },
	{ "timm", HINT_BRACKET, take_timm },
	{ "nanogpt", HINT_COLON, take_nanogpt },
	{ "short-keys", HINT_COLON, take_short_keys },
	{ "keras", HINT_SLASH, take_keras },
	{ "boosting", HINT_TAB, take_boosting },
	{ "fairseq-simple", HINT_SLASH, take_fairseq_simple },
	{ "generic", HINT_NONE, take_generic },
	{ "words", HINT_NONE, take_words },
	{ NULL, HINT_NONE, NULL },
};
