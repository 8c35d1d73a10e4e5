/* view_curves_text - the same as a table, and the sentences; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "command/compare.h"

/* ---- values --------------------------------------------------------------------------------- */

void curves_add_value(struct buf *out, const struct run_comparison *c, double v)
{
	char number[TEXT_DOUBLE_MAX];

	v *= c->scale;
	if (!isfinite(v)) {
		text_from_double(number, v);
		buf_adds(out, number);
	} else if (*c->goal) {
		buf_addf(out, "%.2f", v);
	} else {
		buf_addf(out, "%.6g", v);
	}
}

void curves_add_x(struct buf *out, const struct curve_look *look, double x)
{
	bool time = look->axis == ALIGN_TIME || look->axis == ALIGN_CLIPPED_TIME;

	if (time && isfinite(x))
		clock_add_duration(out, (int64_t)(x * (double)NS_PER_S));
	else
		buf_addf(out, look->axis == ALIGN_EPOCH ? "%.4g" : "%.15g", x);
}

static void add_signed(struct buf *out, const struct run_comparison *c, double d)
{
	if (d > 0)
		buf_addc(out, '+');
	curves_add_value(out, c, d);
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* A curve that ended earlier says where its value is from. */
static void add_reading(struct buf *out, const struct curve_scene *s, const struct plot_source *p,
	double x, char letter)
{
	const struct run_comparison *c = s->pair;
	struct plot_readout r;

	if (!p || !plot_source_n(p))
		return;
	plot_read(&r, p, x);
	if (!r.found)
		return;
	buf_addf(out, "  %c ", letter);
	curves_add_value(out, c, r.value);
	if (!isnan(r.smoothed)) {
		buf_adds(out, " ~");
		curves_add_value(out, c, r.smoothed);
	}
	if (r.x < x) {
		buf_adds(out, " (at ");
		curves_add_x(out, &s->look, r.x);
		buf_addc(out, ')');
	}
}

/* What only the attempt's own point tells: segment and time of day. */
static void add_point(struct buf *out, const struct plot_source *p, double x)
{
	struct plot_readout r;

	if (!p || !plot_source_n(p))
		return;
	plot_read(&r, p, x);
	if (!r.found)
		return;
	if (r.segment)
		buf_addf(out, "  segment %u", (unsigned)r.segment + 1);
	if (isfinite(r.wall_s) && fabs(r.wall_s) < 1e11) {
		buf_adds(out, "  ");
		clock_add_short(out, (int64_t)(r.wall_s * (double)NS_PER_S), clock_wall_ns());
	}
}

void curves_add_readout(struct buf *out, const struct curves_view *self)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *c = s->pair;
	size_t pair;

	if (!isfinite(self->cursor_x))
		return;
	buf_addf(out, "%s ", align_axis_name(s->look.axis));
	curves_add_x(out, &s->look, self->cursor_x);
	add_reading(out, s, s->reference, self->cursor_x, 'R');
	add_reading(out, s, s->attempt, self->cursor_x, 'A');
	pair = c->has_comparison ? plot_pair_at(&c->comparison, self->cursor_x) : SIZE_MAX;
	/* The nearest pair may stand elsewhere: then there is no difference here. */
	if (pair != SIZE_MAX &&
		fabs(align_pair_at(&c->comparison.alignment, pair).x - self->cursor_x) <=
			fabs(self->cursor_x) * 1e-12) {
		buf_adds(out, "  d ");
		add_signed(out, c, compare_delta(&c->comparison, pair, DELTA_PLAIN));
		buf_adds(out, c->comparison.inside[pair] ? " in" : " OUT");
	}
	for (size_t i = 0; i < s->n_further; i++)
		add_reading(out, s, s->others[i], self->cursor_x, (char)('B' + i));
	add_point(out, s->attempt, self->cursor_x);
}

void curves_add_last(struct buf *out, const struct run_comparison *c)
{
	struct buf b = BUF_INIT;
	const char *d;

	compare_add_final(&b, &c->comparison);
	/* The unit stands behind d, where the difference is read. */
	d = *c->unit ? strstr(b.s, "  d ") : NULL;
	if (d) {
		size_t end = (size_t)(d - b.s) + 4 + strcspn(d + 4, " ,;");

		buf_add(out, b.s, end);
		buf_adds(out, c->unit);
		buf_adds(out, b.s + end);
	} else {
		buf_adds(out, b.s);
	}
	buf_release(&b);
}

/* Beside the gap stands what the reference differs from itself by. */
void curves_add_seeds(struct buf *out, const struct run_comparison *c, bool brief)
{
	const struct reference_spread *s = &c->spread;

	compare_add_sides(out, &c->comparison);
	buf_adds(out, "; ");
	if (s->n < 2 || !isfinite(s->low)) {
		if (brief && s->n < 2)
			buf_adds(out, "1 seed a side: spread unknown");
		else
			compare_add_seeds(out, &c->comparison);
	} else if (brief) {
		buf_addf(out, "R itself, %zu runs: ", s->n);
		comparison_add_spread_range(out, c);
	} else {
		comparison_add_spread(out, c);
	}
}

static void add_items(struct buf *out, const struct comparable *k)
{
	buf_addf(out, "%s\n", comparable_overall_name(k->overall));
	for (size_t i = 0; i < k->n; i++) {
		const struct comparable_item *item = &k->items[i];

		buf_addf(out, "  %-16s %-8s ", item->name, comparable_status_mark(item->status));
		if (*item->reference || *item->attempt)
			buf_addf(out, "R %s  A %s  ",
				*item->reference ? item->reference : "unknown",
				*item->attempt ? item->attempt : "unknown");
		if (*item->make_equal)
			buf_adds(out, item->make_equal);
		if (*item->reason)
			buf_addf(out, "  on purpose: %s", item->reason);
		buf_trim_end(out);
		buf_addc(out, '\n');
	}
}

static void add_files(struct buf *out, const struct comparison_side *side)
{
	if (!side->files)
		return;
	buf_addf(out, "\nfiles of %s (run %s)\n", side->name, side->run->id);
	run_files_add_lines(out, side->files);
	for (size_t i = 0; i < side->files->notes.n; i++) {
		const struct curve_note *note = &side->files->notes.notes[i];

		buf_addf(out, "%s: ", note->id);
		text_sanitise(out, note->text, strlen(note->text));
		buf_addc(out, '\n');
	}
}

static void add_statements(struct buf *out, const struct run_comparison *c)
{
	struct export_comparison e;
	struct buf line = BUF_INIT;

	run_comparison_export(&e, c);
	for (size_t i = 0; buf_clear(&line), export_statement(&line, &e, i); i++)
		buf_addf(out, "%s\n", line.s);
	for (size_t i = 0; buf_clear(&line), run_comparison_statement(&line, c, i); i++)
		if (line.n)
			buf_addf(out, "%s\n", line.s);
	buf_release(&line);
}

void curves_add_facts(struct buf *out, const struct curve_scene *s)
{
	const struct run_comparison *c = s->pair;

	if (!c) {
		buf_addf(out, "%s\n", s->nothing);
		return;
	}
	if (c->has_comparison) {
		add_statements(out, c);
		buf_adds(out, "\ncomparable? ");
		add_items(out, &c->comparable);
	} else {
		buf_addf(out, "%s\n", c->missing);
	}
	if (*c->spread.left)
		buf_addf(out, "%s\n", c->spread.left);
	add_files(out, &c->attempt);
	add_files(out, &c->reference);
	for (size_t i = 0; i < s->n_further; i++)
		add_files(out, &s->further[i]);
}

/* ---- the table ----------------------------------------------------------- */

static long count_rows(void *user)
{
	struct curves_view *self = view_state(user);
	const struct run_comparison *c = self->scene ? self->scene->pair : NULL;

	if (!c)
		return 0;
	if (c->has_comparison)
		return (long)c->comparison.alignment.n;
	return self->scene->attempt ? (long)plot_source_n(self->scene->attempt) : 0;
}

static void add_cell(struct buf *out, const struct run_comparison *c, double v)
{
	struct buf b = BUF_INIT;

	curves_add_value(&b, c, v);
	buf_addf(out, "%12s", b.s);
	buf_release(&b);
}

static void add_x_cell(struct buf *out, const struct curve_scene *s, double x)
{
	struct buf b = BUF_INIT;

	curves_add_x(&b, &s->look, x);
	buf_addf(out, "%12s", b.s);
	buf_release(&b);
}

static void add_pair(struct buf *out, const struct curve_scene *s, size_t i)
{
	const struct comparison *k = &s->pair->comparison;
	struct align_pair p = align_pair_at(&k->alignment, i);

	add_x_cell(out, s, p.x);
	add_cell(out, s->pair, p.reference);
	add_cell(out, s->pair, p.attempt);
	add_cell(out, s->pair, compare_delta(k, i, DELTA_PLAIN));
	add_cell(out, s->pair, compare_tolerance_at(k, i));
	buf_addf(out, "  %s", k->inside[i] ? "in " : "OUT");
	if (p.reference_segment || p.attempt_segment)
		buf_addf(out, "  segment %u, %u", (unsigned)p.reference_segment + 1,
			(unsigned)p.attempt_segment + 1);
}

static void put_row(void *user, long i, struct text_line *out)
{
	struct curves_view *self = view_state(user);
	const struct curve_scene *s = self->scene;

	buf_clear(&self->row);
	if (s && s->pair && i < count_rows(user)) {
		if (s->pair->has_comparison) {
			add_pair(&self->row, s, (size_t)i);
			out->style = s->pair->comparison.inside[i] ? STYLE_TEXT : STYLE_BAD;
		} else {
			add_x_cell(&self->row, s, plot_source_x(s->attempt, (size_t)i));
			add_cell(&self->row, s->pair, plot_source_y(s->attempt, (size_t)i));
		}
	}
	out->s = self->row.s;
	out->n = self->row.n;
}

void curves_table_init(struct view *v)
{
	static const struct text_source source = { count_rows, put_row,
		"no pair of points: another alignment (a) or axis (x)" };
	struct curves_view *self = view_state(v);

	text_view_init(&self->rows, &source, v);
}

void curves_table_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	bool pairs = self->scene->pair->has_comparison;

	canvas_putf(c, rect_cut_top(&r, 1), 0, 0, STYLE_TITLE,
		pairs ? "%12s%12s%12s%12s%12s" : "%12s%12s%.0s%.0s%.0s",
		align_axis_name(self->scene->look.axis), pairs ? "R" : "A", "A", "d", "tolerance");
	text_view_draw(&self->rows, c, r);
}
