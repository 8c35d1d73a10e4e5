/* view_curves_table - the same as a table, and the facts; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "command/compare.h"

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

void curves_add_facts(struct buf *out, const struct curve_scene *s, size_t columns)
{
	const struct run_comparison *c = s->pair;

	if (!c) {
		buf_addf(out, "%s\n", s->nothing);
		return;
	}
	if (c->has_comparison) {
		run_comparison_add_text(out, c, columns);
		buf_adds(out, "comparable? ");
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

/* What A has of the series that is compared; NULL: nothing. */
static const struct plot_source *attempt_of(const struct curve_scene *s)
{
	for (size_t i = 0; s->main && i < s->n_sides; i++)
		if (s->sides[i].letter == 'A')
			return s->main->lines[i].drawn;
	return NULL;
}

static long count_rows(void *user)
{
	struct curves_view *self = view_state(user);
	const struct run_comparison *c = self->scene ? self->scene->pair : NULL;
	const struct plot_source *attempt = c ? attempt_of(self->scene) : NULL;

	if (c && c->has_comparison)
		return (long)c->comparison.alignment.n;
	return attempt ? (long)plot_source_n(attempt) : 0;
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

/* The pair of a further run at the place of one of A; SIZE_MAX: it has none there. */
static size_t pair_at(const struct comparison *k, const struct align_pair *place)
{
	size_t low = 0, high = k->alignment.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		struct align_pair p = align_pair_at(&k->alignment, middle);

		if (k->alignment.integer ? p.key < place->key : p.x < place->x)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < k->alignment.n) {
		struct align_pair p = align_pair_at(&k->alignment, low);

		if (k->alignment.integer ? p.key == place->key : !(p.x > place->x))
			return low;
	}
	return SIZE_MAX;
}

static void add_further(
	struct buf *out, const struct curve_scene *s, size_t f, const struct align_pair *place)
{
	const struct comparison *k = &s->further_comparisons[f];
	size_t i = s->has_further[f] ? pair_at(k, place) : SIZE_MAX;

	if (i == SIZE_MAX) {
		buf_addf(out, "%12s%12s", "-", "-");
		return;
	}
	add_cell(out, s->pair, align_pair_at(&k->alignment, i).attempt);
	add_cell(out, s->pair, compare_delta(k, i, DELTA_PLAIN));
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
	for (size_t f = 0; f < s->n_further; f++)
		add_further(out, s, f, &p);
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
			const struct plot_source *attempt = attempt_of(s);

			add_x_cell(&self->row, s, plot_source_x(attempt, (size_t)i));
			add_cell(&self->row, s->pair, plot_source_y(attempt, (size_t)i));
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
	struct buf head = BUF_INIT;

	buf_addf(&head, pairs ? "%12s%12s%12s%12s%12s" : "%12s%12s%.0s%.0s%.0s",
		align_axis_name(self->scene->look.axis), pairs ? "R" : "A", "A", "d", "tolerance");
	if (pairs && self->scene->n_further)
		buf_adds(&head, "     ");
	for (size_t i = 0; pairs && i < self->scene->n_further; i++)
		buf_addf(&head, "%12c%10s %c", self->scene->further_letters[i], "d",
			self->scene->further_letters[i]);
	canvas_put_fit(c, rect_cut_top(&r, 1), 0, 0, r.cols, ALIGN_LEFT, STYLE_TITLE, head.s);
	buf_release(&head);
	text_view_draw(&self->rows, c, r);
}
