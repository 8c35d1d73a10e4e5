/* terminal_bars - progress bars, epochs and devices: families with a memory. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_digits.h"
#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

enum { DEVICES_MAX = 4096, LABEL_MAX = 128, EPOCHS_MAX = 1000000 };

static struct text_scan scan_of(const struct frame *f)
{
	return (struct text_scan){ f->p, f->p + f->n };
}

/* "loss=2.1, lr=1e-5" in the bracket of a bar, behind the rate. */
static void add_postfix(struct terminal *t, struct text_scan s)
{
	struct text_scan piece, value;
	double v;

	while (scan_piece(&s, ", ", &piece)) {
		const char *equals = memchr(piece.p, '=', scan_left(&piece));

		if (!equals || equals == piece.p)
			continue;
		value = (struct text_scan){ equals + 1, piece.end };
		if (scan_number_token(&value, &v) && !scan_left(&value))
			terminal_add_token(t, piece.p, (size_t)(equals - piece.p), v,
				token_between(equals + 1, piece.end));
	}
}

/* What a progress bar counts, and where that stands. */
struct bar_count {
	int64_t count, total, epoch;	/* epoch below 0: none */
	struct token count_token, total_token, epoch_token;
};

static bool scan_counted(struct text_scan *s, int64_t *out, struct token *token)
{
	const char *start = s->p;

	if (!scan_integer(s, out))
		return false;
	*token = token_between(start, s->p);
	return true;
}

/* "| 2/4 [00:01<00:01, 1.00it/s, loss=2.1]"; the last bar of the frame counts. */
static bool scan_bar(struct terminal *t, struct text_scan *s, struct bar_count *c)
{
	const char *bar = memrchr(s->p, '|', scan_left(s)), *close;

	if (!bar)
		return false;
	s->p = bar + 1;
	scan_blanks(s);
	if (!scan_counted(s, &c->count, &c->count_token) || !scan_char(s, '/') ||
	    !scan_counted(s, &c->total, &c->total_token) || !scan_text(s, " ["))
		return false;
	c->count_token.padded = true;
	close = memrchr(s->p, ']', scan_left(s));
	if (!close)
		return false;
	s->end = close;
	add_postfix(t, *s);
	return true;
}

/* The number behind "Epoch " before the bar. */
static void find_bar_epoch(const struct frame *f, struct bar_count *c)
{
	struct text_scan s = scan_of(f);

	c->epoch = -1;
	if (!scan_to_text(&s, "poch"))
		return;
	scan_blanks(&s);
	scan_char(&s, ':');
	scan_blanks(&s);
	if (!scan_counted(&s, &c->epoch, &c->epoch_token))
		c->epoch = -1;
}

bool place_bar(
	struct terminal *t, struct placed_row *out, int64_t epoch, int64_t count, int64_t total)
{
	out->x = terminal_at_step(count);
	out->held = &t->bar;
	out->count = count;
	out->epoch = epoch >= 0 && epoch < EPOCHS_MAX ? epoch : -1;
	if (out->epoch < 0)
		return true;
	if (total > INT64_MAX / EPOCHS_MAX / 2 || count > INT64_MAX / 2)
		return false;
	t->bar_from_zero |= epoch == 0;
	out->x.step += (epoch - (t->bar_from_zero ? 0 : 1)) * total;
	out->x.epoch = (double)epoch;
	out->x.derived = true;
	return true;
}

static bool has_no_object(const struct frame *f)
{
	return !memchr(f->p, '{', f->n);
}

/* " 12%|##   |": the digits of the share, and what fills the bar. */
static void tell_bar(struct terminal *t, const struct frame *f, const struct bar_count *c)
{
	const char *last = memrchr(f->p, '|', f->n), *first = memchr(f->p, '|', f->n), *digits;
	struct taken_row *taken = &t->taken;

	taken->repeats = true;
	taken->placing = c->epoch >= 0 ? PLACE_BAR_OF_EPOCH : PLACE_BAR;
	taken->counts[0] = c->count_token;
	taken->counts[1] = c->total_token;
	if (c->epoch >= 0)
		taken->counts[2] = c->epoch_token;
	taken->free_to = f->p + f->n;
	taken->fits = has_no_object;
	if (first < last && first + 1 + shape_fills(first + 1, (size_t)(last - first - 1)) == last)
		taken->fill = token_between(first + 1, last);
	if (first == f->p || first[-1] != '%')
		return;
	digits = first - 1;
	while (digits > f->p && is_decimal_digit(digits[-1]))
		digits--;
	if (digits < first - 1)
		taken->percent = token_padded(digits, first - 1);
}

bool take_progress_bar(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct placed_row row;
	struct bar_count c;

	if (!scan_bar(t, &s, &c) || !t->n_pairs)
		return false;
	find_bar_epoch(f, &c);
	if (!place_bar(t, &row, c.epoch, c.count, c.total))
		return false;
	terminal_hold(t, sink, row.held, &row.x, row.epoch, row.count);
	tell_bar(t, f, &c);
	return true;
}

/* "Epoch 1/2" alone on its line. */
static bool scan_epoch_line(const struct frame *f, int64_t *epoch)
{
	struct text_scan s = scan_of(f);
	int64_t total;

	if (!scan_text(&s, "Epoch ") || !scan_integer(&s, epoch) || !scan_char(&s, '/') ||
		!scan_integer(&s, &total))
		return false;
	scan_blanks(&s);
	return !scan_left(&s);
}

/* " - loss: 0.5 - val_loss: 0.75"; times have units and are left out. */
static void add_keras_pairs(struct terminal *t, struct text_scan s)
{
	struct text_scan piece, value;
	double v;

	while (scan_piece(&s, " - ", &piece)) {
		const char *colon = memchr(piece.p, ':', scan_left(&piece)), *start;

		if (!colon)
			continue;
		value = (struct text_scan){ colon + 1, piece.end };
		trim_scan(&value);
		start = value.p;
		if (scan_number_token(&value, &v) && !scan_left(&value))
			terminal_add_token(t, piece.p, (size_t)(colon - piece.p), v,
				token_padded(start, value.p));
	}
}

void place_keras(struct terminal *t, struct placed_row *out, int64_t count, int64_t total)
{
	if (count == total && !t->keras_epoch && !t->keras.held)
		t->keras.epoch++;
	out->epoch = t->keras_epoch ? t->keras_epoch : t->keras.epoch ? t->keras.epoch : 1;
	out->x = terminal_at_epoch((double)out->epoch);
	out->held = &t->keras;
	out->count = 0;
}

/* No mark or word of a family that is tried before. */
static bool is_only_keras(const struct frame *f)
{
	return !memchr(f->p, '{', f->n) && !memchr(f->p, '|', f->n) &&
		!memmem(f->p, f->n, "ompleted ", 9);
}

/* BAR is behind the counts: "[====>...] - " or a bar of other marks. */
static void tell_keras(
	struct terminal *t, const struct frame *f, const struct token counts[2], const char *bar)
{
	struct taken_row *taken = &t->taken;
	const char *end = f->p + f->n;

	taken->repeats = true;
	taken->placing = PLACE_KERAS;
	taken->counts[0] = counts[0];
	taken->counts[1] = counts[1];
	bar += bar < end && *bar == '[';
	taken->fill = token_between(bar, bar + shape_fills(bar, (size_t)(end - bar)));
	taken->free_to = end;
	taken->fits = is_only_keras;
}

/* "15/15 [====] - 0s 8ms/step - loss: 0.5"; the last frame of an epoch counts. */
bool take_keras(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	struct token counts[2];
	struct placed_row row;
	int64_t count, total, epoch;

	if (scan_epoch_line(f, &epoch)) {
		terminal_release_held(t, sink, &t->keras);
		t->keras_epoch = epoch;
		return true;
	}
	scan_blanks(&s);
	if (!scan_counted(&s, &count, &counts[0]) || !scan_char(&s, '/') ||
		!scan_counted(&s, &total, &counts[1]) || !scan_char(&s, ' '))
		return false;
	if (!memmem(s.p, scan_left(&s), "/step", 5) && !memmem(s.p, scan_left(&s), "] - ", 4))
		return false;
	add_keras_pairs(t, s);
	if (!t->n_pairs)
		return false;
	counts[0].padded = true;
	place_keras(t, &row, count, total);
	terminal_hold(t, sink, row.held, &row.x, row.epoch, row.count);
	tell_keras(t, f, counts, s.p);
	return true;
}

static struct device *find_device(struct terminal *t, const char *label)
{
	for (size_t i = 0; i < t->n_devices; i++)
		if (strcmp(t->devices[i].label, label) == 0)
			return &t->devices[i];
	if (t->n_devices == DEVICES_MAX)
		return NULL;
	ARRAY_GROW(t->devices, t->n_devices, t->cap_devices);
	t->devices[t->n_devices] = (struct device){ .label = xstrdup(label) };
	return &t->devices[t->n_devices++];
}

/* The step of the whole run: it begins anew in each epoch. */
static int64_t run_step(struct device *d, int64_t epoch, int64_t step)
{
	if (step > INT64_MAX / 4 || d->base > INT64_MAX / 4)
		return step;
	if (epoch > d->epoch && d->epoch)
		d->base += d->last_step + d->interval;
	else if (step > d->last_step)
		d->interval = step - d->last_step;
	d->epoch = epoch;
	d->last_step = step;
	return d->base + step;
}

void place_device(struct row_x *x, struct device *device, int64_t epoch, int64_t step)
{
	*x = terminal_at_step(run_step(device, epoch, step));
	x->derived = true;
	x->epoch = (double)epoch;
}

struct xla_line {
	struct text_scan device;
	int64_t epoch, step, worker;
	struct token epoch_token, step_token, worker_token;
	bool has_epoch, has_step;
	bool repeats;		/* each of its words stands once, and whole */
};

static void take_xla_count(
	struct xla_line *line, bool *has, int64_t *out, struct token *token, struct text_scan value)
{
	line->repeats &= !token->p;
	*has = scan_counted(&value, out, token);
	line->repeats &= *has && !scan_left(&value);
}

static void take_xla_word(struct terminal *t, struct xla_line *line, struct text_scan word)
{
	const char *equals = memchr(word.p, '=', scan_left(&word));
	struct text_scan key, value;
	double v;

	if (!equals)
		return;
	key = (struct text_scan){ word.p, equals };
	value = (struct text_scan){ equals + 1, word.end };
	if (scan_is(&key, "Device"))
		line->device = value;
	else if (scan_is(&key, "Epoch"))
		take_xla_count(line, &line->has_epoch, &line->epoch, &line->epoch_token, value);
	else if (scan_is(&key, "Step"))
		take_xla_count(line, &line->has_step, &line->step, &line->step_token, value);
	else if (scan_number_token(&value, &v) && !scan_left(&value))
		terminal_add_token(
			t, key.p, scan_left(&key), v, token_between(equals + 1, value.p));
}

/* "[3] |" before the words of a pod. */
static int64_t worker_of(const char *p, const char *end, struct token *token)
{
	struct text_scan s = { p, end };
	int64_t worker;
	const char *open;

	trim_scan(&s);
	if (!scan_left(&s) || s.end[-1] != '|')
		return -1;
	s.end--;
	trim_scan(&s);
	open = memrchr(s.p, '[', scan_left(&s));
	if (!open)
		return -1;
	s.p = open + 1;
	return scan_counted(&s, &worker, token) && scan_is(&s, "]") ? worker : -1;
}

static void name_device(char *out, size_t room, const struct xla_line *line)
{
	int n = (int)(scan_left(&line->device) < 64 ? scan_left(&line->device) : 64);

	if (line->worker >= 0)
		snprintf(out, room, "@w%" PRId64 "/%.*s", line->worker, n, line->device.p);
	else
		snprintf(out, room, "@%.*s", n, line->device.p);
}

/* No object and no word of a family that is tried before, and no count behind the last bar. */
static bool is_only_xla(const struct frame *f)
{
	const char *bar = memrchr(f->p, '|', f->n);
	struct text_scan s = { bar + 1, f->p + f->n };
	int64_t count;

	scan_blanks(&s);
	return !memchr(f->p, '{', f->n) && !memmem(f->p, f->n, "iteration ", 10) &&
		!memmem(f->p, f->n, "ompleted ", 9) && !scan_integer(&s, &count);
}

static void tell_xla(struct terminal *t, const struct frame *f, const struct xla_line *line,
	const struct device *device)
{
	struct taken_row *taken = &t->taken;

	taken->repeats = line->repeats && memchr(f->p, '|', f->n);
	taken->placing = line->has_epoch ? PLACE_DEVICE : PLACE_STEP;
	taken->subject = (size_t)(device - t->devices);
	if (line->has_epoch) {
		taken->counts[0] = line->epoch_token;
		taken->counts[1] = line->step_token;
	} else {
		taken->step = line->step_token;
		taken->step_form = SHAPE_DIGITS;
	}
	taken->literals[0] = token_between(line->device.p, line->device.end);
	taken->literals[1] = line->worker_token;
	taken->free_to = f->p + f->n;
	taken->fits = is_only_xla;
}

/* Devices are never merged: their label is part of the name. */
bool take_xla_device(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f), word;
	struct xla_line line = { .worker = -1, .repeats = true };
	struct device *device;
	char label[LABEL_MAX];
	struct row_x x;

	if (!scan_to_text(&s, "Training Device="))
		return false;
	line.worker = worker_of(f->p, s.p - strlen("Training Device="), &line.worker_token);
	s.p -= strlen("Device=");
	while (scan_piece(&s, " ", &word))
		take_xla_word(t, &line, word);
	if (!line.has_step || !scan_left(&line.device) || !t->n_pairs)
		return false;
	name_device(label, sizeof label, &line);
	device = find_device(t, label);
	if (!device)
		return false;
	x = terminal_at_step(line.step);
	if (line.has_epoch)
		place_device(&x, device, line.epoch, line.step);
	terminal_emit(t, sink, &x, "", label);
	tell_xla(t, f, &line, device);
	if (t->n_devices > 1)
		curve_notes_add(&sink->notes, "per-device",
			"%s: several devices report; each has series of its own", sink->name);
	return true;
}

/* "Loss:  2.5 (2.6)": the value, or with MEAN its running mean; others have units. */
static void add_timm_pairs(struct terminal *t, struct text_scan s, bool mean)
{
	const char *colon;

	while ((colon = memchr(s.p, ':', scan_left(&s)))) {
		const char *key = colon, *start;
		double value;

		while (key > s.p && key[-1] != ' ' && key[-1] != '(' && key[-1] != ')')
			key--;
		s.p = colon + 1;
		scan_blanks(&s);
		start = s.p;
		if (key == colon || !scan_number_token(&s, &value))
			continue;
		if (mean) {
			scan_blanks(&s);
			if (!scan_char(&s, '('))
				continue;
			scan_blanks(&s);
			start = s.p;
			if (!scan_number_token(&s, &value))
				continue;
		}
		terminal_add_token(t, key, (size_t)(colon - key), value, token_padded(start, s.p));
		if (mean && t->n_pairs)
			t->pairs[t->n_pairs - 1].suffix = ".avg";
		scan_blanks(&s);
	}
}

/* "[  50/100 " */
static bool scan_batch(struct text_scan *s, int64_t *batch, int64_t *total, struct token tokens[2])
{
	if (!scan_char(s, '['))
		return false;
	scan_blanks(s);
	if (!scan_counted(s, batch, &tokens[0]) || !scan_char(s, '/') ||
		!scan_counted(s, total, &tokens[1]))
		return false;
	tokens[0].padded = true;
	return true;
}

/* Only the means of the last line of a test pass count, at the last training x. */
static bool take_timm_test(struct terminal *t, struct curve_sink *sink, struct text_scan s)
{
	struct row_x x = terminal_at_step(t->timm_x < 0 ? 0 : t->timm_x);
	struct token tokens[2];
	int64_t batch, total;

	if (!scan_batch(&s, &batch, &total, tokens) || !scan_char(&s, ']'))
		return false;
	if (batch < total) {
		sink->health.records++;
		return true;
	}
	add_timm_pairs(t, s, true);
	terminal_emit(t, sink, &x, "test/", "");
	return true;
}

bool place_timm(struct terminal *t, struct row_x *x, int64_t epoch, int64_t batch, int64_t batches)
{
	if (epoch > EPOCHS_MAX || batches > INT64_MAX / EPOCHS_MAX / 2 || batch > INT64_MAX / 2)
		return false;
	*x = terminal_at_step(epoch * batches + batch);
	x->epoch = (double)epoch;
	t->timm_x = x->step;
	return true;
}

/* Likewise: no object and no bar, and no word of MaxText. */
static bool is_only_timm(const struct frame *f)
{
	return is_only_keras(f);
}

static void tell_timm(struct terminal *t, const struct frame *f, const struct token counts[3],
	const char *percent)
{
	struct taken_row *taken = &t->taken;
	const char *end = percent;

	taken->repeats = true;
	taken->placing = PLACE_BATCH_FROM_ZERO;
	memcpy(taken->counts, counts, sizeof taken->counts);
	while (end < f->p + f->n && is_decimal_digit(*end))
		end++;
	if (end > percent)
		taken->percent = token_padded(percent, end);
	taken->free_to = f->p + f->n;
	taken->fits = is_only_timm;
}

bool take_timm(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f), percent;
	struct token counts[3];
	int64_t epoch, batch, total;
	struct row_x x;

	if (scan_text(&s, "Test: "))
		return take_timm_test(t, sink, s);
	if (!scan_text(&s, "Train: ") || !scan_counted(&s, &epoch, &counts[0]) ||
		!scan_char(&s, ' ') || !scan_batch(&s, &batch, &total, counts + 1))
		return false;
	percent = s;
	if (!scan_to_text(&s, ")]") || !place_timm(t, &x, epoch, batch, total))
		return false;
	add_timm_pairs(t, s, true);
	add_timm_pairs(t, s, false);
	terminal_emit(t, sink, &x, "train/", "");
	if (scan_text(&percent, " (")) {
		scan_blanks(&percent);
		tell_timm(t, f, counts, percent.p);
	}
	return true;
}
