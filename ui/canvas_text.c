/* canvas_text - puts hostile text into cells; see canvas.h and canvas_text.h. */
#include "config.h"

#include "ui/canvas_text.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

enum { TAB_STOP = 8, ELLIPSIS = 0x2026, EMOJI_MARK = 0x25a1 };

/* Our own chrome, and what it becomes where only ASCII may be sent. */
static const struct { uint32_t cp; char ascii; } chrome[] = {
	{ 0x2500, '-' }, { 0x2502, '|' }, { 0x250c, '+' }, { 0x2510, '+' }, { 0x2514, '+' },
	{ 0x2518, '+' }, { 0x251c, '+' }, { 0x2524, '+' }, { 0x252c, '+' }, { 0x2534, '+' },
	{ 0x253c, '+' }, { 0x2550, '=' }, { 0x2591, '.' }, { 0x2592, ':' }, { 0x2588, '#' },
	{ 0x2584, '_' }, { 0x2580, '"' }, { 0x25b8, '>' }, { 0x25be, 'v' }, { 0x25cf, '*' },
	{ 0x25cb, 'o' }, { 0x00b7, '.' }, { 0x2026, '~' }, { 0x2190, '<' }, { 0x2192, '>' },
	{ 0x2191, '^' }, { 0x2193, 'v' }, { 0x2212, '-' }, { 0x00d7, 'x' }, { 0x2013, '-' },
	{ 0x2014, '-' }, { 0x2018, '\'' }, { 0x2019, '\'' }, { 0x201c, '"' }, { 0x201d, '"' },
	{ 0x2713, '+' }, { 0x2717, 'x' },
};

uint32_t canvas_glyph(const struct canvas *c, uint32_t cp)
{
	if (cp == 0 || (cp >= 0x20 && cp < 0x7f))
		return cp;
	if (text_is_control(cp) || cp > 0x10ffff)
		return '?';
	if (!c->ascii)
		return cp;
	for (size_t i = 0; i < ARRAY_LEN(chrome); i++)
		if (chrome[i].cp == cp)
			return (uint32_t)chrome[i].ascii;
	return '?';
}

/* What terminals draw as a picture, in a width that they do not agree on. */
static bool is_emoji(uint32_t cp, int width)
{
	if (cp >= 0x1f000 && cp <= 0x1faff)
		return true;
	if (width != 2)
		return false;
	return (cp >= 0x231a && cp <= 0x23ff) || (cp >= 0x25fd && cp <= 0x27bf) ||
	       (cp >= 0x2b1b && cp <= 0x2b55);
}

static void set_mark(struct glyph *g, uint32_t cp, unsigned char byte)
{
	if (cp < 0x20)
		snprintf(g->mark, sizeof g->mark, "^%c", (int)(cp + 0x40));
	else if (cp == 0x7f)
		snprintf(g->mark, sizeof g->mark, "^?");
	else if (cp == UINT32_MAX)
		snprintf(g->mark, sizeof g->mark, "<%02X>", byte);
	else
		snprintf(g->mark, sizeof g->mark, "<U+%04X>", cp);
	g->cp = 0;
	g->width = (int)strlen(g->mark);
}

static void set_character(const struct canvas *c, struct glyph *g, uint32_t cp)
{
	int width = wcwidth((wchar_t)cp);

	g->cp = cp;
	g->width = width;
	if (cp == 0xfe0f || cp == 0x200d) {		/* emoji forms: dropped, never joined */
		g->cp = 0;
		g->width = 0;
	} else if (!c->emoji && is_emoji(cp, width)) {
		g->cp = EMOJI_MARK;
		g->width = 1;
	} else if (width < 0) {
		g->cp = c->ascii ? '?' : 0xfffd;
		g->width = 1;
	}
	if (!c->ascii || !g->cp || g->cp < 0x7f)
		return;
	if (g->width == 0) {
		g->cp = 0;
		return;
	}
	g->cp = canvas_glyph(c, g->cp);
	g->width = 1;
}

size_t glyph_next(const struct canvas *c, const char *s, size_t n, struct glyph *out)
{
	unsigned char byte = (unsigned char)*s;
	uint32_t cp;
	size_t k;

	out->is_tab = false;
	out->mark[0] = '\0';
	if (byte >= 0x20 && byte < 0x7f) {
		out->cp = byte;
		out->width = 1;
		return 1;
	}
	k = utf8_decode(s, n, &cp);
	if (cp == '\t') {
		out->cp = ' ';
		out->width = 1;
		out->is_tab = true;
	} else if (text_is_control(cp)) {
		set_mark(out, cp, byte);
	} else {
		set_character(c, out, cp);
	}
	return k;
}

size_t canvas_row_end(
	const struct canvas *c, const char *s, size_t n, size_t from, int width)
{
	int used = 0;
	size_t at = from;

	while (at < n) {
		struct glyph g;
		size_t k = glyph_next(c, s + at, n - at, &g);
		int more = g.is_tab ? 8 - used % 8 : g.width;

		if (used + more > width && at > from)
			break;
		used += more;
		at += k;
	}
	return at;
}

static int glyph_width(const struct glyph *g, int at)
{
	return g->is_tab ? TAB_STOP - at % TAB_STOP : g->width;
}

int canvas_width(const struct canvas *c, const char *s, size_t n)
{
	struct glyph g;
	int width = 0;

	while (n && width < INT32_MAX / 2) {
		size_t k = glyph_next(c, s, n, &g);

		width += glyph_width(&g, width);
		s += k;
		n -= k;
	}
	return width;
}

/* ---- one unit ------------------------------------------------------------ */

static void put_one(
	struct canvas *c, struct rect r, int row, int col, enum style style, uint32_t cp)
{
	struct cell *k = canvas_cell_at(c, r, row, col);

	if (!k)
		return;
	canvas_break_wide(c, k);
	k->cp[0] = cp;
	k->cp[1] = 0;
	k->style = (uint8_t)style;
}

static void put_wide(
	struct canvas *c, struct rect r, int row, int col, enum style style, uint32_t cp)
{
	struct cell *left = canvas_cell_at(c, r, row, col);
	struct cell *right = canvas_cell_at(c, r, row, col + 1);

	if (left && right) {
		put_one(c, r, row, col + 1, style, ' ');
		put_one(c, r, row, col, style, cp);
		right->cp[0] = CELL_RIGHT_HALF;
		return;
	}
	put_one(c, r, row, col, style, ' ');		/* half of it would fit */
	put_one(c, r, row, col + 1, style, ' ');
}

static void join_before(struct canvas *c, struct rect r, int row, int col, uint32_t cp)
{
	struct cell *k = canvas_cell_at(c, r, row, col - 1);

	if (k && k->cp[0] == CELL_RIGHT_HALF)
		k = canvas_cell_at(c, r, row, col - 2);
	if (k && k->cp[0] > ' ' && !k->cp[1])
		k->cp[1] = cp;
}

static int put_glyph(struct canvas *c, struct rect r, int row, int col, int start, enum style style,
		     const struct glyph *g)
{
	int width = glyph_width(g, col - start);

	if (g->mark[0]) {
		for (int i = 0; i < width; i++)
			put_one(c, r, row, col + i, STYLE_CONTROL, (unsigned char)g->mark[i]);
	} else if (g->is_tab) {
		for (int i = 0; i < width; i++)
			put_one(c, r, row, col + i, style, ' ');
	} else if (width == 2) {
		put_wide(c, r, row, col, style, g->cp);
	} else if (width == 1) {
		put_one(c, r, row, col, style, g->cp);
	} else if (g->cp) {
		join_before(c, r, row, col, g->cp);
	}
	return col + width;
}

/* ---- text ---------------------------------------------------------------- */

int canvas_putn(struct canvas *c, struct rect r, int row, int col, enum style style, const char *s,
	size_t n)
{
	struct glyph g;
	int start = col;

	while (n) {
		size_t k = glyph_next(c, s, n, &g);

		if (col >= r.cols && col - start > 4 * CANVAS_SIDE_MAX)
			break;			/* the rest of a line of megabytes */
		col = put_glyph(c, r, row, col, start, style, &g);
		s += k;
		n -= k;
	}
	return col;
}

int canvas_put(struct canvas *c, struct rect r, int row, int col, enum style style, const char *s)
{
	return canvas_putn(c, r, row, col, style, s, strlen(s));
}

int canvas_putf(
	struct canvas *c, struct rect r, int row, int col, enum style style, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	col = canvas_putn(c, r, row, col, style, b.s, b.n);
	buf_release(&b);
	return col;
}

/* The bytes of S that fit into WIDTH cells, and in *USED how many they take. */
static size_t fitting(const struct canvas *c, const char *s, size_t n, int width, int *used)
{
	struct glyph g;
	size_t at = 0;

	*used = 0;
	while (at < n) {
		size_t k = glyph_next(c, s + at, n - at, &g);
		int more = glyph_width(&g, *used);

		if (*used + more > width)
			break;
		*used += more;
		at += k;
	}
	return at;
}

void canvas_put_fit(struct canvas *c, struct rect r, int row, int col, int width, enum align align,
		    enum style style, const char *s)
{
	size_t n = strlen(s), fits;
	int used, room;
	struct rect field = { r.row, r.col + col, r.rows, width };

	if (width <= 0)
		return;
	if (col + width > r.cols)
		field.cols = r.cols - col;
	if (col < 0 || field.cols <= 0)
		return;
	fits = fitting(c, s, n, field.cols, &used);
	if (fits < n) {
		fits = fitting(c, s, n, field.cols - 1, &used);
		canvas_putn(c, field, row, 0, style, s, fits);
		canvas_put_cell(c, field, row, used, style, ELLIPSIS);
		return;
	}
	room = field.cols - used;
	canvas_putn(c, field, row,
		align == ALIGN_RIGHT            ? room
			: align == ALIGN_MIDDLE ? room / 2
						: 0,
		style, s, n);
}

int canvas_put_right(struct canvas *c, struct rect r, int row, enum style style, const char *s)
{
	int col = r.cols - canvas_width(c, s, strlen(s));

	canvas_put(c, r, row, col, style, s);
	return col;
}

/* ---- wrapping ------------------------------------------------------------ */

/* Bytes of the first line of S (without its newline) that go into WIDTH cells,
 * cut after a word where there is one; *NEXT is where the following line begins. */
static size_t line_length(const struct canvas *c, const char *s, int width, size_t *next)
{
	size_t n = strcspn(s, "\n"), fits, cut;
	int used;

	fits = fitting(c, s, n, width, &used);
	if (fits == n) {
		*next = n + (s[n] == '\n');
		return n;
	}
	cut = fits;
	while (cut && s[cut] != ' ')
		cut--;
	if (!cut) {				/* a word longer than the line */
		struct glyph g;

		cut = fits ? fits : glyph_next(c, s, n, &g);
		*next = cut;
		return cut;
	}
	*next = cut + strspn(s + cut, " ");
	return cut;
}

int canvas_wrap(const struct canvas *c, const char *s, int width, canvas_line_fn *line, void *user)
{
	int lines = 0;

	if (width < 1)
		width = 1;
	while (*s) {
		size_t next, n = line_length(c, s, width, &next);

		if (line)
			line(user, lines, s, n);
		lines++;
		s += next;
	}
	return lines;
}

struct wrapped {
	struct canvas *c;
	struct rect r;
	int row;
	enum style style;
};

static void put_line(void *user, int line, const char *s, size_t n)
{
	struct wrapped *w = user;

	canvas_putn(w->c, w->r, w->row + line, 0, w->style, s, n);
}

int canvas_put_wrapped(struct canvas *c, struct rect r, int row, enum style style, const char *s)
{
	struct wrapped w = { c, r, row, style };

	return row + canvas_wrap(c, s, r.cols, put_line, &w);
}
