/* terminal_bars - progress bars, epochs and devices: families with a memory. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
			terminal_add_pair(t, piece.p, (size_t)(equals - piece.p), v);
	}
}

/* "| 2/4 [00:01<00:01, 1.00it/s, loss=2.1]"; the last bar of the frame counts. */
static bool scan_bar(struct terminal *t, struct text_scan *s, int64_t *count, int64_t *total)
{
	const char *bar = memrchr(s->p, '|', scan_left(s)), *close;

	if (!bar)
		return false;
	s->p = bar + 1;
	scan_blanks(s);
	if (!scan_integer(s, count) || !scan_char(s, '/') || !scan_integer(s, total) || !scan_text(s, " ["))
		return false;
	close = memrchr(s->p, ']', scan_left(s));
	if (!close)
		return false;
	s->end = close;
	add_postfix(t, *s);
	return true;
}

/* The number behind "Epoch " before the bar; -1: none. */
static int64_t epoch_of_bar(const struct frame *f)
{
	struct text_scan s = scan_of(f);
	int64_t epoch;

	if (!scan_to_text(&s, "poch"))
		return -1;
	scan_blanks(&s);
	scan_char(&s, ':');
	scan_blanks(&s);
	return scan_integer(&s, &epoch) && epoch < EPOCHS_MAX ? epoch : -1;
}

bool take_progress_bar(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	int64_t count, total, epoch;
	struct row_x x;

	if (!scan_bar(t, &s, &count, &total) || !t->n_pairs)
		return false;
	epoch = epoch_of_bar(f);
	t->bar_from_zero |= epoch == 0;
	x = terminal_at_step(count);
	if (epoch >= 0) {
		if (total > INT64_MAX / EPOCHS_MAX / 2 || count > INT64_MAX / 2)
			return false;
		x.step += (epoch - (t->bar_from_zero || epoch == 0 ? 0 : 1)) * total;
		x.epoch = (double)epoch;
		x.derived = true;
	}
	terminal_hold(t, sink, &t->bar, &x, epoch, count);
	return true;
}

/* "Epoch 1/2" alone on its line. */
static bool scan_epoch_line(const struct frame *f, int64_t *epoch)
{
	struct text_scan s = scan_of(f);
	int64_t total;

	if (!scan_text(&s, "Epoch ") || !scan_integer(&s, epoch) || !scan_char(&s, '/') || !scan_integer(&s, &total))
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
		const char *colon = memchr(piece.p, ':', scan_left(&piece));

		if (!colon)
			continue;
		value = (struct text_scan){ colon + 1, piece.end };
		trim_scan(&value);
		if (scan_number_token(&value, &v) && !scan_left(&value))
			terminal_add_pair(t, piece.p, (size_t)(colon - piece.p), v);
	}
}

/* "15/15 [====] - 0s 8ms/step - loss: 0.5"; the last frame of an epoch counts. */
bool take_keras(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	int64_t count, total, epoch;
	struct row_x x;

	if (scan_epoch_line(f, &epoch)) {
		terminal_release_held(t, sink, &t->keras);
		t->keras_epoch = epoch;
		return true;
	}
	scan_blanks(&s);
	if (!scan_integer(&s, &count) || !scan_char(&s, '/') || !scan_integer(&s, &total) || !scan_char(&s, ' '))
		return false;
	if (!memmem(s.p, scan_left(&s), "/step", 5) && !memmem(s.p, scan_left(&s), "] - ", 4))
		return false;
	add_keras_pairs(t, s);
	if (!t->n_pairs)
		return false;
	if (count == total && !t->keras_epoch && !t->keras.held)
		t->keras.epoch++;
	epoch = t->keras_epoch ? t->keras_epoch : t->keras.epoch ? t->keras.epoch : 1;
	x = terminal_at_epoch((double)epoch);
	terminal_hold(t, sink, &t->keras, &x, epoch, 0);
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

struct xla_line {
	struct text_scan device;
	int64_t epoch, step, worker;
	bool has_epoch, has_step;
};

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
		line->has_epoch = scan_integer(&value, &line->epoch);
	else if (scan_is(&key, "Step"))
		line->has_step = scan_integer(&value, &line->step);
	else if (scan_number_token(&value, &v) && !scan_left(&value))
		terminal_add_pair(t, key.p, scan_left(&key), v);
}

/* "[3] |" before the words of a pod. */
static int64_t worker_of(const char *p, const char *end)
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
	return scan_integer(&s, &worker) && scan_is(&s, "]") ? worker : -1;
}

static void name_device(char *out, size_t room, const struct xla_line *line)
{
	int n = (int)(scan_left(&line->device) < 64 ? scan_left(&line->device) : 64);

	if (line->worker >= 0)
		snprintf(out, room, "@w%" PRId64 "/%.*s", line->worker, n, line->device.p);
	else
		snprintf(out, room, "@%.*s", n, line->device.p);
}

/* Devices are never merged: their label is part of the name. */
bool take_xla_device(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f), word;
	struct xla_line line = { .worker = -1 };
	struct device *device;
	char label[LABEL_MAX];
	struct row_x x;

	if (!scan_to_text(&s, "Training Device="))
		return false;
	line.worker = worker_of(f->p, s.p - strlen("Training Device="));
	s.p -= strlen("Device=");
	while (scan_piece(&s, " ", &word))
		take_xla_word(t, &line, word);
	if (!line.has_step || !scan_left(&line.device) || !t->n_pairs)
		return false;
	name_device(label, sizeof label, &line);
	device = find_device(t, label);
	if (!device)
		return false;
	x = terminal_at_step(line.has_epoch ? run_step(device, line.epoch, line.step) : line.step);
	x.derived = line.has_epoch;
	if (line.has_epoch)
		x.epoch = (double)line.epoch;
	terminal_emit(t, sink, &x, "", label);
	if (t->n_devices > 1)
		curve_notes_add(&sink->notes, "per-device",
			"%s: several devices report; each has series of its own", sink->name);
	return true;
}

/* "Loss:  2.5 (2.6)": the value and its running mean; others have units. */
static void add_timm_pairs(struct terminal *t, struct text_scan s, bool mean)
{
	const char *colon;

	while ((colon = memchr(s.p, ':', scan_left(&s)))) {
		const char *key = colon;
		double value, average;

		while (key > s.p && key[-1] != ' ' && key[-1] != '(' && key[-1] != ')')
			key--;
		s.p = colon + 1;
		scan_blanks(&s);
		if (key == colon || !scan_number_token(&s, &value))
			continue;
		scan_blanks(&s);
		if (!mean) {
			terminal_add_pair(t, key, (size_t)(colon - key), value);
			continue;
		}
		if (!scan_char(&s, '('))
			continue;
		scan_blanks(&s);
		if (scan_number_token(&s, &average))
			terminal_add_pair(t, key, (size_t)(colon - key), average);
	}
}

static bool scan_batch(struct text_scan *s, int64_t *batch, int64_t *total)
{
	if (!scan_char(s, '['))
		return false;
	scan_blanks(s);
	return scan_integer(s, batch) && scan_char(s, '/') && scan_integer(s, total);
}

/* Only the means of the last line of a test pass count, at the last training x. */
static bool take_timm_test(struct terminal *t, struct curve_sink *sink, struct text_scan s)
{
	struct row_x x = terminal_at_step(t->timm_x < 0 ? 0 : t->timm_x);
	int64_t batch, total;

	if (!scan_batch(&s, &batch, &total) || !scan_char(&s, ']'))
		return false;
	if (batch < total) {
		sink->health.records++;
		return true;
	}
	add_timm_pairs(t, s, true);
	terminal_emit(t, sink, &x, "test/", ".avg");
	return true;
}

bool take_timm(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = scan_of(f);
	int64_t epoch, batch, total;
	struct row_x x;

	if (scan_text(&s, "Test: "))
		return take_timm_test(t, sink, s);
	if (!scan_text(&s, "Train: ") || !scan_integer(&s, &epoch) || !scan_char(&s, ' ') ||
	    !scan_batch(&s, &batch, &total) || !scan_to_text(&s, ")]"))
		return false;
	if (epoch > EPOCHS_MAX || total > INT64_MAX / EPOCHS_MAX / 2 || batch > INT64_MAX / 2)
		return false;
	x = terminal_at_step(epoch * total + batch);
	x.epoch = (double)epoch;
	t->timm_x = x.step;
	add_timm_pairs(t, s, true);
	if (t->n_pairs) {
		terminal_emit(t, sink, &x, "train/", ".avg");
		sink->health.records--;
	}
	add_timm_pairs(t, s, false);
	terminal_emit(t, sink, &x, "train/", "");
	return true;
}
