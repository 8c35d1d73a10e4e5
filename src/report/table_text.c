/* table_text - tables as aligned lines for a terminal. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/table_private.h"
#include "report/width.h"

enum { GAP = 2, NARROWEST = 3 };

/* The text of every shown cell, formatted once. */
struct grid {
	const struct report_table *table;
	struct report_style style;
	struct arena arena;
	const struct report_column **columns;
	size_t n_columns;
	char **headings;
	char **cells;		/* n_rows * n_columns */
	size_t *widths;
};

static char *cell_text(
	struct grid *g, const struct report_column *c, const struct report_cell *cell)
{
	struct buf b = BUF_INIT;
	char *s;

	if (cell)
		report_add_cell(&b, c, cell);
	else
		report_add_title(&b, c);
	s = arena_strndup(&g->arena, b.s, b.n);
	buf_release(&b);
	return s;
}

static void note_width(struct grid *g, size_t column, const char *s)
{
	size_t width = width_of_text(s, strlen(s));

	if (width > g->widths[column])
		g->widths[column] = width;
}

static void fill_column(struct grid *g, size_t column)
{
	const struct report_table *t = g->table;
	const struct report_column *c = g->columns[column];
	size_t at = (size_t)(c - t->columns);

	g->headings[column] = cell_text(g, c, NULL);
	if (!g->style.no_heading)
		note_width(g, column, g->headings[column]);
	for (size_t r = 0; r < t->n_rows; r++) {
		char *s = cell_text(g, c, &t->rows[r][at]);

		g->cells[r * g->n_columns + column] = s;
		note_width(g, column, s);
	}
}

static void fill_grid(struct grid *g)
{
	const struct report_table *t = g->table;

	g->columns =
		arena_alloc(&g->arena, (t->n_columns + 1) * sizeof(const struct report_column *));
	for (size_t i = 0; i < t->n_columns; i++)
		if (report_is_shown(&t->columns[i]))
			g->columns[g->n_columns++] = &t->columns[i];
	g->headings = arena_alloc(&g->arena, (g->n_columns + 1) * sizeof(char *));
	g->cells = arena_alloc(&g->arena, (t->n_rows * g->n_columns + 1) * sizeof(char *));
	g->widths = arena_alloc(&g->arena, (g->n_columns + 1) * sizeof(size_t));
	for (size_t c = 0; c < g->n_columns; c++)
		fill_column(g, c);
}

static size_t total_width(const struct grid *g)
{
	size_t total = 0;

	for (size_t c = 0; c < g->n_columns; c++)
		total += g->widths[c] + (c ? GAP : 0);
	return total;
}

/* Only text gives way: a number that is cut would be another number. */
static bool may_shrink(const struct grid *g, size_t column)
{
	const struct report_column *c = g->columns[column];
	size_t least = c->min_width > 0 ? (size_t)c->min_width : NARROWEST;

	return (c->type == REPORT_TEXT || c->type == REPORT_JSON) && g->widths[column] > least;
}

static void shrink_columns(struct grid *g)
{
	while (g->style.width > 0 && total_width(g) > (size_t)g->style.width) {
		size_t widest = g->n_columns;

		for (size_t c = 0; c < g->n_columns; c++)
			if (may_shrink(g, c) &&
				(widest == g->n_columns || g->widths[c] > g->widths[widest]))
				widest = c;
		if (widest == g->n_columns)
			return;
		g->widths[widest]--;
	}
}

static void add_cut(struct buf *out, const struct grid *g, const char *s, size_t width)
{
	size_t n = strlen(s), taken, fit = width_fit(s, n, width, &taken);

	if (fit == n || !width) {
		buf_add(out, s, fit);
		return;
	}
	fit = width_fit(s, n, width - 1, &taken);
	buf_add(out, s, fit);
	buf_adds(out, g->style.ascii ? ">" : "\xe2\x80\xa6");
}

static void add_padded(struct buf *out, const struct grid *g, size_t column, const char *s)
{
	size_t width = g->widths[column], have = width_of_text(s, strlen(s));
	size_t pad = have < width ? width - have : 0;

	if (report_is_right(g->columns[column]))
		buf_pad(out, ' ', pad);
	add_cut(out, g, s, width);
	if (!report_is_right(g->columns[column]))
		buf_pad(out, ' ', pad);
}

static void add_line(struct buf *out, const struct grid *g, char *const *cells)
{
	struct buf line = BUF_INIT;

	for (size_t c = 0; c < g->n_columns; c++) {
		if (c)
			buf_pad(&line, ' ', GAP);
		add_padded(&line, g, c, cells[c]);
	}
	while (line.n && line.s[line.n - 1] == ' ')
		buf_truncate(&line, line.n - 1);
	if (g->style.width > 0)
		add_cut(out, g, line.s, (size_t)g->style.width);
	else
		buf_add(out, line.s, line.n);
	buf_addc(out, '\n');
	buf_release(&line);
}

static void add_rows(struct buf *out, struct grid *g)
{
	shrink_columns(g);
	/* Sentences say what no row says; a heading above nothing says nothing. */
	if (!g->style.no_heading && (g->table->n_rows || !g->table->notes))
		add_line(out, g, g->headings);
	for (size_t r = 0; r < g->table->n_rows; r++)
		add_line(out, g, g->cells + r * g->n_columns);
}

/* Bytes of S for one line of WIDTH columns: breaks at the last blank. */
static size_t line_fit(const char *s, size_t n, size_t width)
{
	size_t taken, fit = width_fit(s, n, width, &taken);

	if (fit == n)
		return n;
	for (size_t i = fit; i > fit / 2; i--)
		if (s[i] == ' ')
			return i;
	return fit ? fit : n;
}

static void add_wrapped(struct buf *out, const char *s, size_t indent, int width)
{
	size_t n = strlen(s), room = SIZE_MAX;

	if (width > 0)
		room = (size_t)width > indent + NARROWEST ? (size_t)width - indent : NARROWEST;
	for (;;) {
		size_t fit = line_fit(s, n, room);

		buf_add(out, s, fit);
		buf_addc(out, '\n');
		s += fit;
		n -= fit;
		while (n && *s == ' ') {
			s++;
			n--;
		}
		if (!n)
			return;
		buf_pad(out, ' ', indent);
	}
}

static void add_records(struct buf *out, struct grid *g)
{
	size_t indent = 0;

	for (size_t c = 0; c < g->n_columns; c++) {
		size_t width = width_of_text(g->headings[c], strlen(g->headings[c]));

		if (width > indent)
			indent = width;
	}
	for (size_t r = 0; r < g->table->n_rows; r++) {
		if (r)
			buf_addc(out, '\n');
		for (size_t c = 0; c < g->n_columns; c++) {
			const char *title = g->headings[c];

			buf_adds(out, title);
			buf_pad(out, ' ', indent - width_of_text(title, strlen(title)) + GAP);
			add_wrapped(
				out, g->cells[r * g->n_columns + c], indent + GAP, g->style.width);
		}
	}
}

void report_table_text(
	const struct report_table *t, struct buf *out, const struct report_style *style)
{
	struct grid g = { .table = t, .arena = ARENA_INIT };

	if (style)
		g.style = *style;
	fill_grid(&g);
	if (t->layout == REPORT_RECORD)
		add_records(out, &g);
	else
		add_rows(out, &g);
	for (const struct report_note *note = t->notes; note; note = note->next)
		add_wrapped(out, text_sanitised(&g.arena, note->text), 0, g.style.width);
	arena_release(&g.arena);
}
