/* paragraphs - see paragraphs.h. */
#include "config.h"

#include "ui/paragraphs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GUTTER_COLS = 2, INDENT_MAX = 8 };

/* ---- rows, for the text view ------------------------------------------------------- */

static long count_rows(void *user)
{
	const struct paragraphs *p = user;

	return (long)p->n_rows;
}

static void get_row(void *user, long i, struct text_line *out)
{
	const struct paragraphs *p = user;
	const struct paragraph_row *row = &p->rows[i];
	const struct paragraph *whole;

	out->s = "";
	if (!p->width)		/* others came, and are not drawn yet */
		return;
	whole = &p->list[row->paragraph];
	out->s = row->s;
	out->n = row->n;
	out->style = whole->style;
	out->gutter = row->first ? whole->sign : 0;
	out->gutter_style = whole->style;
}

struct wrapping {
	struct paragraphs *p;
	size_t paragraph, indent;
};

/* Every row stands under the first one. */
static void add_row(void *user, int line, const char *s, size_t n)
{
	const struct wrapping *w = user;
	struct paragraphs *p = w->p;
	char *text = arena_alloc(&p->rows_arena, w->indent + n + 1);

	memset(text, ' ', w->indent);
	memcpy(text + w->indent, s, n);
	text[w->indent + n] = '\0';
	ARRAY_GROW(p->rows, p->n_rows, p->cap_rows);
	p->rows[p->n_rows++] =
		(struct paragraph_row){ text, w->indent + n, w->paragraph, line == 0 };
}

static void wrap(struct paragraphs *p, const struct canvas *c, int width)
{
	if (width == p->width)
		return;
	p->width = width;
	p->n_rows = 0;
	arena_release(&p->rows_arena);
	for (size_t i = 0; i < p->n; i++) {
		const char *text = p->list[i].text;
		size_t indent = strspn(text, " ");
		struct wrapping w = { p, i, indent < INDENT_MAX ? indent : INDENT_MAX };

		canvas_wrap(c, text + w.indent, width - (int)w.indent, add_row, &w);
	}
	text_view_reload(&p->text);
}

/* ---- public ------------------------------------------------------------------------- */

void paragraphs_init(struct paragraphs *p)
{
	static const struct text_source source = { count_rows, get_row, "" };

	*p = (struct paragraphs){ .arena = ARENA_INIT, .rows_arena = ARENA_INIT };
	text_view_init(&p->text, &source, p);
	p->text.gutter = true;
}

void paragraphs_release(struct paragraphs *p)
{
	text_view_release(&p->text);
	arena_release(&p->arena);
	arena_release(&p->rows_arena);
	free(p->list);
	free(p->rows);
}

void paragraphs_clear(struct paragraphs *p)
{
	arena_release(&p->arena);
	p->n = 0;
	p->width = 0;
}

void paragraphs_put(struct paragraphs *p, char sign, enum style style, const char *text)
{
	ARRAY_GROW(p->list, p->n, p->cap);
	p->list[p->n++] = (struct paragraph){ text, style, sign };
}

void paragraphs_putf(
	struct paragraphs *p, char sign, enum style style, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	paragraphs_put(p, sign, style, arena_strndup(&p->arena, b.n ? b.s : "", b.n));
	buf_release(&b);
}

void paragraphs_draw(struct paragraphs *p, struct canvas *c, struct rect r)
{
	wrap(p, c, r.cols - GUTTER_COLS);
	text_view_draw(&p->text, c, r);
}

void paragraphs_go_first(struct paragraphs *p)
{
	p->text.at = p->text.top = 0;
}

const struct paragraph *paragraphs_current(const struct paragraphs *p)
{
	if (!p->width || p->text.at < 0 || (size_t)p->text.at >= p->n_rows)
		return NULL;
	return &p->list[p->rows[p->text.at].paragraph];
}

bool paragraphs_add_all(struct buf *out, const struct paragraphs *p)
{
	for (size_t i = 0; i < p->n; i++)
		buf_addf(out, "%s%s", i ? "\n" : "", p->list[i].text);
	return p->n > 0;
}
