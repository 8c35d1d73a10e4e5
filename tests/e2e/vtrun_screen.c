/* vtrun_screen - the virtual terminal of vtrun: cells, styles, pictures. */
#include "config.h"

#include "vtrun.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { CELL_WIDTH = 9, CELL_HEIGHT = 18, BASELINE = 14 };

/* ---- what the program tells the terminal ----------------------------------- */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct screen *s = user;

	if (property == VTERM_PROP_ALTSCREEN)
		s->altscreen = value->boolean;
	if (property == VTERM_PROP_CURSORVISIBLE)
		s->cursor = value->boolean;
	if (property == VTERM_PROP_MOUSE)
		s->mouse = value->number;
	return 1;
}

static void keep_clip(struct screen *s, const char *bytes, size_t n)
{
	if (s->clip_n + n >= sizeof s->clip)
		return;
	memcpy(s->clip + s->clip_n, bytes, n);
	s->clip_n += n;
	s->clip[s->clip_n] = '\0';
}

/* "c;BASE64": what stands before the semicolon names the clipboard. */
static void take_clip(struct screen *s, const char *bytes, size_t n, bool first, bool last)
{
	if (first) {
		const char *semicolon = memchr(bytes, ';', n);
		size_t skip = semicolon ? (size_t)(semicolon - bytes) + 1 : n;

		s->clip_n = 0;
		bytes += skip;
		n -= skip;
	}
	keep_clip(s, bytes, n);
	s->clip_open = !last;
}

#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
static int on_osc(const char *bytes, size_t n, void *user)
{
	if (n > 3 && memcmp(bytes, "52;", 3) == 0)
		take_clip(user, bytes + 3, n - 3, true, true);
	return 1;
}
#else
static int on_osc(int command, VTermStringFragment part, void *user)
{
	if (command == 52)
		take_clip(user, part.str, part.len, part.initial, part.final);
	return 1;
}
#endif

void screen_init(struct screen *s, int rows, int cols, VTermOutputCallback *keys, void *user)
{
	static const VTermScreenCallbacks events = { .settermprop = on_property };
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
	static const VTermParserCallbacks others = { .osc = on_osc };
#else
	static const VTermStateFallbacks others = { .osc = on_osc };
#endif
	memset(s, 0, sizeof *s);
	s->rows = rows;
	s->cols = cols;
	s->cursor = 1;
	s->vt = vterm_new(rows, cols);
	vterm_set_utf8(s->vt, 1);
	vterm_output_set_callback(s->vt, keys, user);
	s->cells = vterm_obtain_screen(s->vt);
	vterm_screen_set_callbacks(s->cells, &events, s);
	vterm_screen_set_unrecognised_fallbacks(s->cells, &others, s);
	vterm_screen_enable_altscreen(s->cells, 1);
	vterm_screen_reset(s->cells, 1);
}

void screen_release(struct screen *s)
{
	vterm_free(s->vt);
}

void screen_write(struct screen *s, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->beyond_ascii |= (unsigned char)bytes[i] > 0x7e;
	vterm_input_write(s->vt, bytes, n);
}

void screen_resize(struct screen *s, int rows, int cols)
{
	s->rows = rows;
	s->cols = cols;
	vterm_set_size(s->vt, rows, cols);
}

VTermPos screen_cursor(const struct screen *s)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(s->vt), &at);
	return at;
}

/* ---- text and styles -------------------------------------------------------- */

static VTermScreenCell cell_at(const struct screen *s, int row, int col)
{
	VTermScreenCell cell;
	VTermPos at = { .row = row, .col = col };

	memset(&cell, 0, sizeof cell);
	vterm_screen_get_cell(s->cells, at, &cell);
	return cell;
}

static bool is_right_half(const VTermScreenCell *cell)
{
	return cell->chars[0] == UINT32_MAX;
}

static size_t add_cell(char *out, const VTermScreenCell *cell)
{
	size_t n = 0;

	if (is_right_half(cell))
		return 0;
	if (!cell->chars[0])
		out[n++] = ' ';
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++) {
		int k = wctomb(out + n, (wchar_t)cell->chars[i]);

		if (k > 0)
			n += (size_t)k;
		else
			out[n++] = '?';
	}
	return n;
}

const char *screen_row(const struct screen *s, int row, int col)
{
	static char text[SIDE_MAX * VTERM_MAX_CHARS_PER_CELL * 6 + 1];
	size_t n = 0;

	for (; col < s->cols; col++) {
		VTermScreenCell cell = cell_at(s, row, col);

		n += add_cell(text + n, &cell);
	}
	while (n && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	return text;
}

bool screen_has(const struct screen *s, const char *text)
{
	for (int row = 0; row < s->rows; row++)
		if (strstr(screen_row(s, row, 0), text))
			return true;
	return false;
}

void screen_print(const struct screen *s, FILE *f)
{
	for (int row = 0; row < s->rows; row++)
		fprintf(f, "%s\n", screen_row(s, row, 0));
}

static void name_color(char out[16], VTermColor color, bool is_default)
{
	if (is_default)
		snprintf(out, 16, "default");
	else if (VTERM_COLOR_IS_INDEXED(&color))
		snprintf(out, 16, "%d", color.indexed.idx);
	else
		snprintf(out, 16, "#%02x%02x%02x", color.rgb.red, color.rgb.green, color.rgb.blue);
}

const char *screen_style(const struct screen *s, int row, int col)
{
	static char text[128];
	VTermScreenCell cell = cell_at(s, row, col);
	char fg[16], bg[16];

	name_color(fg, cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
	name_color(bg, cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
	snprintf(text, sizeof text, "fg=%s bg=%s%s%s%s%s", fg, bg, cell.attrs.bold ? " bold" : "",
		 cell.attrs.underline ? " underline" : "", cell.attrs.italic ? " italic" : "",
		 cell.attrs.reverse ? " reverse" : "");
	return text;
}

void screen_print_styles(const struct screen *s, FILE *f)
{
	for (int row = 0; row < s->rows; row++)
		for (int col = 0, end; col < s->cols; col = end) {
			char style[128];

			snprintf(style, sizeof style, "%s", screen_style(s, row, col));
			for (end = col + 1; end < s->cols; end++)
				if (strcmp(style, screen_style(s, row, end)) != 0)
					break;
			if (strcmp(style, "fg=default bg=default") != 0)
				fprintf(f, "%d %d-%d %s\n", row, col, end - 1, style);
		}
}

/* ---- pictures ---------------------------------------------------------------- */

struct sheet { const char *ink, *paper; };

/* xterm's colours; the library's own ramp is darker. */
static void rgb_of(const struct screen *s, VTermColor color, bool is_default, const char *otherwise,
	char out[8])
{
	static const int ramp[] = { 0, 95, 135, 175, 215, 255 };
	int i;

	if (is_default) {
		snprintf(out, 8, "%s", otherwise);
		return;
	}
	i = VTERM_COLOR_IS_INDEXED(&color) ? color.indexed.idx : -1;
	if (i >= 232) {
		i = 8 + 10 * (i - 232);
		snprintf(out, 8, "#%02x%02x%02x", i & 255, i & 255, i & 255);
	} else if (i >= 16) {
		i -= 16;
		snprintf(out, 8, "#%02x%02x%02x", ramp[i / 36], ramp[i / 6 % 6], ramp[i % 6]);
	} else {
		vterm_screen_convert_color_to_rgb(s->cells, &color);
		snprintf(out, 8, "#%02x%02x%02x", color.rgb.red, color.rgb.green, color.rgb.blue);
	}
}

static void put_rect(FILE *f, int x, int y, int w, int h, const char *fill)
{
	fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", x, y, w, h,
		fill);
}

/* Dots in the order of the code point's bits. */
static void put_braille(FILE *f, int x, int y, uint32_t bits, const char *fill)
{
	static const struct { double x, y; } at[] = {
		{ 0.25, 0.125 }, { 0.25, 0.375 }, { 0.25, 0.625 }, { 0.75, 0.125 },
		{ 0.75, 0.375 }, { 0.75, 0.625 }, { 0.25, 0.875 }, { 0.75, 0.875 },
	};

	for (int i = 0; i < 8; i++)
		if (bits & 1u << i)
			fprintf(f, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.5\" fill=\"%s\"/>\n",
				x + at[i].x * CELL_WIDTH, y + at[i].y * CELL_HEIGHT, fill);
}

/* Box drawing as lines from the middle of the cell: bits left, right, up, down. */
static int arms_of(uint32_t ch)
{
	static const struct {
		uint32_t ch;
		int arms;
	} boxes[] = {
		{ 0x2500, 3 },
		{ 0x2502, 12 },
		{ 0x250c, 10 },
		{ 0x2510, 9 },
		{ 0x2514, 6 },
		{ 0x2518, 5 },
		{ 0x251c, 14 },
		{ 0x2524, 13 },
		{ 0x252c, 11 },
		{ 0x2534, 7 },
		{ 0x253c, 15 },
	};

	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
		if (boxes[i].ch == ch)
			return boxes[i].arms;
	return 0;
}

static void put_arms(FILE *f, int x, int y, int arms, const char *fill)
{
	int half_w = CELL_WIDTH / 2, half_h = CELL_HEIGHT / 2;

	if (arms & 1)
		put_rect(f, x, y + half_h, half_w + 1, 1, fill);
	if (arms & 2)
		put_rect(f, x + half_w, y + half_h, CELL_WIDTH - half_w, 1, fill);
	if (arms & 4)
		put_rect(f, x + half_w, y, 1, half_h + 1, fill);
	if (arms & 8)
		put_rect(f, x + half_w, y + half_h, 1, CELL_HEIGHT - half_h, fill);
}

static void put_text(FILE *f, int x, int y, const VTermScreenCell *cell, const char *fill)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" fill=\"%s\"%s%s>", x, y + BASELINE, fill,
		cell->attrs.bold ? " font-weight=\"bold\"" : "",
		cell->attrs.underline ? " text-decoration=\"underline\"" : "");
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		fprintf(f, "&#%u;", cell->chars[i]);
	fprintf(f, "</text>\n");
}

static void put_character(FILE *f, int x, int y, const VTermScreenCell *cell, const char *fill)
{
	uint32_t ch = cell->chars[0];

	if (ch <= ' ')
		return;
	if (ch >= 0x2800 && ch <= 0x28ff)
		put_braille(f, x, y, ch - 0x2800, fill);
	else if (ch >= 0x2581 && ch <= 0x2588)
		put_rect(f, x, y + CELL_HEIGHT - CELL_HEIGHT * (int)(ch - 0x2580) / 8, CELL_WIDTH,
			 CELL_HEIGHT * (int)(ch - 0x2580) / 8, fill);
	else if (arms_of(ch))
		put_arms(f, x, y, arms_of(ch), fill);
	else
		put_text(f, x, y, cell, fill);
}

static void put_cell(const struct screen *s, FILE *f, int row, int col, struct sheet sheet)
{
	VTermScreenCell cell = cell_at(s, row, col);
	int x = col * CELL_WIDTH, y = row * CELL_HEIGHT;
	char fg[8], bg[8];
	bool reverse = cell.attrs.reverse;

	if (is_right_half(&cell))
		return;
	rgb_of(s, cell.fg, VTERM_COLOR_IS_DEFAULT_FG(&cell.fg), sheet.ink, fg);
	rgb_of(s, cell.bg, VTERM_COLOR_IS_DEFAULT_BG(&cell.bg), sheet.paper, bg);
	if (strcmp(reverse ? fg : bg, sheet.paper) != 0)
		put_rect(f, x, y, cell.width * CELL_WIDTH, CELL_HEIGHT, reverse ? fg : bg);
	put_character(f, x, y, &cell, reverse ? bg : fg);
}

void screen_draw_svg(const struct screen *s, FILE *f, bool light)
{
	static const struct sheet dark_sheet = { "#d4d4d4", "#1e1e1e" },
				  light_sheet = { "#333333", "#ffffff" };
	struct sheet sheet = light ? light_sheet : dark_sheet;
	VTermPos cursor = screen_cursor(s);
	int width = s->cols * CELL_WIDTH, height = s->rows * CELL_HEIGHT;

	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n", width,
		height);
	fprintf(f,
		"<g font-family=\"DejaVu Sans Mono,Unifont,monospace\" font-size=\"15\" xml:space=\"preserve\">\n");
	put_rect(f, 0, 0, width, height, sheet.paper);
	for (int row = 0; row < s->rows; row++)
		for (int col = 0; col < s->cols; col++)
			put_cell(s, f, row, col, sheet);
	if (s->cursor)
		put_rect(f, cursor.col * CELL_WIDTH, cursor.row * CELL_HEIGHT + CELL_HEIGHT - 2,
			CELL_WIDTH, 2, "#d7af00");
	fprintf(f, "</g>\n</svg>\n");
}
