/* view_curves_head - comparable, verdict, and the lines below the curves; see
 * view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum {
	FOOT_ROWS_MAX = 6,
	PLOT_ROWS_MIN = 7,		/* curves come before the lines below them */
	SMALL_ROWS = 5,
	NAMES_SHOWN = 3,
	LEGEND_ROWS_MAX = 3,
	ROWS_FOR_LEGEND = 24,
	ROWS_FOR_NOISE = 24,
};

/* ---- names ------------------------------------------------------------------------ */

/* One run in the first line; its age where it lives and there is room. */
static int put_side(
	struct canvas *c, struct rect r, int col, char letter, const struct comparison_side *side)
{
	struct buf age = BUF_INIT;

	col = canvas_putf(c, r, 0, col + 2, curves_style(letter), "%c ", letter);
	col = canvas_put(c, r, 0, col, STYLE_TEXT, side->name);
	if (!side->live)
		return col;
	col = canvas_put(c, r, 0, col + 1, STYLE_LIVE, "live");
	curves_add_age(&age, side);
	if (age.n && col + 2 + (int)age.n <= r.cols)
		col = canvas_put(c, r, 0, canvas_put(c, r, 0, col, STYLE_TEXT, ", "), STYLE_DIM,
			age.s);
	buf_release(&age);
	return col;
}

static void draw_names(
	const struct curve_scene *s, struct canvas *c, struct rect r, const char *metric)
{
	const struct run_comparison *p = s->pair;
	bool roomy = r.cols >= CURVES_WIDE_COLS;
	int col = 1 + r.cols / 3;

	/* The names of the runs matter more than the end of a long one of a series. */
	if (canvas_width(c, metric, strlen(metric)) < r.cols / 3)
		col = canvas_put(c, r, 0, 1, STYLE_TITLE, metric);
	else
		canvas_put_fit(c, r, 0, 1, r.cols / 3, ALIGN_LEFT, STYLE_TITLE, metric);

	if (p->has_reference) {
		col = put_side(c, r, col, 'R', &p->reference);
		col = canvas_put(c, r, 0, col, STYLE_DIM, p->against_attempt ? " (an attempt)" :
			roomy ? " (reference, not truth)" : " (not truth)");
	}
	put_side(c, r, col, 'A', &p->attempt);
}

/* ---- comparable, verdict ------------------------------------------------------------ */

/* What is in the way is named even where its values do not fit.  One that does not fit
 * at all is a mark at the end: R must leave a cell for it. */
static int put_item(
	struct canvas *c, struct rect r, int col, const struct comparable_item *item, int rank)
{
	static const enum style styles[] = { STYLE_BAD, STYLE_WARN, STYLE_DIM, STYLE_TEXT };
	struct buf b = BUF_INIT;
	size_t name_bytes;

	buf_addf(&b, "%s %s", item->name, comparable_status_mark(item->status));
	name_bytes = b.n;
	if (rank == 0)
		buf_addf(&b, " (R %s, A %s)", item->reference, item->attempt);
	if (col + 2 + (int)b.n > r.cols - 2)
		buf_truncate(&b, name_bytes);
	if (col + 2 + (int)b.n <= r.cols - 2) {
		col = canvas_put(c, r, 0, col + 2, styles[rank], b.s);
	} else {
		canvas_put_cell(c, r, 0, col + 1, STYLE_DIM, c->ascii ? '>' : 0x2026);
		col = r.cols;
	}
	buf_release(&b);
	return col;
}

/* What differs first.  Of what is cut off only the mark is left. */
static int put_items(struct canvas *c, struct rect r, int col, const struct comparable *k)
{
	for (int rank = 0; rank < COMPARABLE_RANKS; rank++)
		for (size_t i = 0; i < k->n && col < r.cols; i++)
			if (comparable_item_rank(&k->items[i]) == rank)
				col = put_item(c, r, col, &k->items[i], rank);
	return col;
}

static void draw_comparable(const struct run_comparison *p, struct canvas *c, struct rect r)
{
	const struct comparable *k = &p->comparable;
	struct rect all = r;
	struct buf warnings = BUF_INIT;
	int col;

	/* How many warnings there are must not be cut off by what is equal. */
	if (p->provenance.n)
		buf_addf(&warnings, "%zu warning%s (i)", p->provenance.n,
			p->provenance.n == 1 ? "" : "s");
	rect_cut_right(&r, warnings.n ? (int)warnings.n + 2 : 0);
	if (k->overall == COMPARABLE_NO)
		col = canvas_put(c, r, 0, 1, STYLE_ALARM, "NOT COMPARABLE");
	else if (k->overall == COMPARABLE_YES)
		col = canvas_put(c, r, 0, 1, STYLE_GOOD, "comparable");
	else
		col = canvas_put(c, r, 0, 1, STYLE_WARN, "comparable?");
	col = put_items(c, r, col, k);
	canvas_put(c, all, 0, col + 2, STYLE_WARN, warnings.s);
	buf_release(&warnings);
}

static void draw_verdict(
	const struct run_comparison *p, struct canvas *c, struct rect r, const char *metric)
{
	bool match = p->comparison.verdict == COMPARE_MATCH;
	enum style style = p->comparable.overall == COMPARABLE_NO ? STYLE_ALARM
		: match                                           ? STYLE_GOOD
								  : STYLE_BAD;
	int col;

	if (p->comparable.overall == COMPARABLE_NO) {
		col = canvas_put(c, r, 0, 1, style, "no verdict: ");
		canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, STYLE_TEXT,
			p->comparable.first_obstacle->make_equal);
		return;
	}
	col = canvas_put(c, r, 0, 1, style, match ? "+ " : "! ");
	if (metric)
		col = canvas_put(c, r, 0, canvas_put(c, r, 0, col, style, metric), style, ": ");
	canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, style, p->verdict);
}

/* Which names a side has that the other has not, some of them. */
static void add_names(struct buf *out, const struct curve_scene *s, const char *only, char letter)
{
	int n = 0;

	for (size_t i = 0; i < s->n_names; i++) {
		if (strcmp(s->names[i].only, only) != 0)
			continue;
		if (n++ < NAMES_SHOWN) {
			buf_addf(out, n == 1 ? "%c logs " : ", ", letter);
			text_sanitise(out, s->names[i].name, strlen(s->names[i].name));
		}
	}
	if (n > NAMES_SHOWN)
		buf_addf(out, " and %d more", n - NAMES_SHOWN);
}

/* Names are compared as they were logged: nothing is guessed to be the same. */
static void add_unlike(struct buf *out, const struct curve_scene *s)
{
	if (!s->pair->has_reference || s->n_common || !s->pair->reference.files->series->n ||
		!s->pair->attempt.files->series->n)
		return;
	buf_clear(out);
	buf_adds(out, "no series of the same name: ");
	add_names(out, s, "only in R", 'R');
	buf_adds(out, "; ");
	add_names(out, s, "only in A", 'A');
	buf_adds(out, ". Log both under one name, or look at each with k and j");
}

static void draw_missing(const struct curve_scene *s, struct canvas *c, struct rect *r)
{
	struct buf text = BUF_INIT;
	struct rect row;

	buf_adds(&text, s->pair->missing);
	add_unlike(&text, s);
	row = rect_cut_top(r, text.n ? 2 : 0);
	rect_cut_left(&row, 1);
	canvas_put_wrapped(c, row, 0, STYLE_WARN, text.s);
	buf_release(&text);
}

/* The runs that the first line has no room for, or in the grid all of them; where the
 * list of runs stands aside it says so already. */
static void draw_legend(struct view *v, struct canvas *c, struct rect *r)
{
	struct curves_view *self = view_state(v);
	bool all = self->overview;
	int most = r->rows < ROWS_FOR_LEGEND ? 1 : LEGEND_ROWS_MAX;
	int rows = curves_has_side(self, r->cols) && !all
		? 0
		: curves_legend_rows(v, c, r->cols, all, most);

	curves_draw_legend(v, c, rect_cut_top(r, rows), all);
}

void curves_draw_head(struct view *v, struct canvas *c, struct rect *r)
{
	struct curves_view *self = view_state(v);
	const struct run_comparison *p = self->scene->pair;

	if (!self->overview)
		draw_names(self->scene, c, rect_cut_top(r, 1), self->metric_shown);
	if (!p->has_comparison) {
		draw_missing(self->scene, c, r);
		draw_legend(v, c, r);
		return;
	}
	/* Too small for all: the verdict has its condition in it. */
	if (r->rows > SMALL_ROWS)
		draw_comparable(p, c, rect_cut_top(r, 1));
	draw_verdict(p, c, rect_cut_top(r, 1), self->overview ? self->metric_shown : NULL);
	draw_legend(v, c, r);
}

/* ---- foot ------------------------------------------------------------------------------- */

struct foot { struct buf lines[FOOT_ROWS_MAX]; enum style styles[FOOT_ROWS_MAX]; int n; };

static struct buf *foot_line(struct foot *f, enum style style)
{
	struct buf *line = &f->lines[f->n];

	buf_init(line);
	f->styles[f->n++] = style;
	return line;
}

/* The read-out first, then what holds for the whole curve. */
static void gather_foot(
	struct foot *f, const struct curves_view *self, bool ascii, int cols, int rows)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *p = s->pair;
	struct buf *last;

	if (*s->trouble)
		buf_addf(foot_line(f, STYLE_BAD), "! %s", s->trouble);
	if (isfinite(self->cursor_x))
		curves_add_readout(foot_line(f, STYLE_NOTE), self);
	if (!p->has_comparison || self->overview)
		return;
	last = foot_line(f, STYLE_STRONG);
	buf_adds(last, "last  ");
	curves_add_last(last, p);
	if (p->has_assessment)
		assessment_add_brief(foot_line(f, STYLE_TEXT), &p->assessment);
	if (!p->has_assessment || rows >= ROWS_FOR_NOISE)
		curves_add_seeds(foot_line(f, STYLE_TEXT), p, cols < CURVES_WIDE_COLS);
	if (*p->next)
		buf_addf(foot_line(f, STYLE_NOTE), "%s %s", ascii ? "->" : "\xe2\x86\x92", p->next);
}

void curves_draw_foot(struct view *v, struct canvas *c, struct rect *r)
{
	struct foot f = { .n = 0 };
	struct rect bottom;

	gather_foot(&f, view_state(v), c->ascii, r->cols, r->rows);
	bottom = rect_cut_bottom(r,
		r->rows - f.n >= PLOT_ROWS_MIN ? f.n
			: r->rows > PLOT_ROWS_MIN ? r->rows - PLOT_ROWS_MIN
						  : 0);
	for (int i = 0; i < f.n; i++) {
		canvas_put_fit(c, rect_cut_top(&bottom, 1), 0, 1, bottom.cols - 1, ALIGN_LEFT,
			f.styles[i], f.lines[i].s);
		buf_release(&f.lines[i]);
	}
}
