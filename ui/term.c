/*
 * term - the terminal, by way of ncurses.  No other file includes it.
 *
 * What ncurses 6.4 gets wrong and how it is kept away: its signal handlers
 * (ours are installed first), its idea of the size (TIOCGWINSZ and resizeterm),
 * get_wch losing bytes of a character that arrives in two reads (getch and a
 * kept mbstate_t), the length of a lone Esc (set_escdelay).
 */
#include "config.h"

#include "ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <ncurses.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/key.h"
#include "ui/clipboard.h"
#include "ui/crash.h"

enum {
	ESC_DELAY_MS = 25,
	PASTE_BEGIN = KEY_MAX + 1,
	PASTE_END = KEY_MAX + 2,
	PASTE_MAX = 1024 * 1024,
};

struct term {
	FILE *in;
	SCREEN *screen;
	int rows, cols;
	enum palette_depth depth;
	bool ascii, mouse, pasting, begun;
	mbstate_t partial;
	struct buf paste;
	int pushed_back;		/* a code read too far, or ERR */
};

static const struct {
	int code;
	uint32_t key;
} keys[] = {
	{ KEY_UP, K_UP },
	{ KEY_DOWN, K_DOWN },
	{ KEY_LEFT, K_LEFT },
	{ KEY_RIGHT, K_RIGHT },
	{ KEY_HOME, K_HOME },
	{ KEY_END, K_END },
	{ KEY_PPAGE, K_PAGE_UP },
	{ KEY_NPAGE, K_PAGE_DOWN },
	{ KEY_ENTER, K_ENTER },
	{ KEY_BACKSPACE, K_BACKSPACE },
	{ KEY_DC, K_DELETE },
	{ KEY_IC, K_INSERT },
	{ KEY_BTAB, K_BACKTAB },
};

/* ---- opening and closing -------------------------------------------------- */

static int refuse(const char *why)
{
	return err_set(ERR_STATE, "%s; the command line shows everything: "
		       "portside status, portside attempt list, portside help", why);
}

static int refuse_term(void)
{
	const char *term = getenv("TERM");
	char why[200];

	snprintf(why, sizeof why, "the terminal type \"%.100s\" cannot place a cursor",
		term ? term : "");
	return refuse(why);
}

static FILE *open_again(void)
{
	const char *name = ttyname(STDIN_FILENO);
	int fd = open(name ? name : "/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	FILE *f;

	if (fd < 0 && name)
		fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

static enum palette_depth choose_depth(enum color_choice choice)
{
	if (!has_colors() || term_depth_of_stream(choice, STDOUT_FILENO) == DEPTH_MONO)
		return DEPTH_MONO;
	start_color();
	use_default_colors();
	return COLORS >= 256 ? DEPTH_256 : DEPTH_16;
}

static void send(const char *s)
{
	fputs(s, stdout);
	fflush(stdout);
}

static void paste_mode(bool on)
{
	send(on ? "\033[?2004h" : "\033[?2004l");
}

/* WANTED: the person has turned the mouse on. */
static void mouse_mode(bool wanted, bool on)
{
	/* Terminals built on old libvterm take only the first mode of a sequence. */
	if (wanted)
		send(on ? "\033[?1000h" : "\033[?1000l");
}

static void set_modes(void)
{
	cbreak();		/* not raw: ^C and ^Z keep their meaning */
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	define_key("\033[200~", PASTE_BEGIN);
	define_key("\033[201~", PASTE_END);
	mouseinterval(0);
}

static int start(struct term *t, const struct term_options *o)
{
	const char *cup;

	unsetenv("LINES");
	unsetenv("COLUMNS");
	set_escdelay(ESC_DELAY_MS);
	t->screen = newterm(NULL, stdout, t->in);
	if (!t->screen)
		return refuse_term();
	cup = tigetstr("cup");
	if (!cup || cup == (char *)-1) {
		endwin();
		return refuse_term();
	}
	set_modes();
	t->depth = term_depth_on(choose_depth(o->color), o->background);
	term_measure(t);
	paste_mode(true);
	if (o->mouse)
		term_set_mouse(t, true);
	return 0;
}

int term_open(struct term **out, const struct term_options *o)
{
	const char *name = getenv("TERM");
	struct termios modes;
	struct term *t;
	int rc;

	if (!name || !*name || strcmp(name, "dumb") == 0)
		return refuse_term();
	if (!isatty(STDOUT_FILENO))
		return refuse("the output is not a terminal");
	t = xcalloc(1, sizeof *t);
	buf_init(&t->paste);
	t->pushed_back = ERR;
	t->ascii = o->ascii || !term_locale_is_utf8();
	t->in = open_again();
	if (!t->in || tcgetattr(fileno(t->in), &modes) < 0) {
		term_close(t);
		return refuse("there is no terminal to read keys from");
	}
	crash_guard(fileno(t->in), &modes);
	rc = start(t, o);
	if (rc < 0) {
		term_close(t);
		return rc;
	}
	*out = t;
	return 0;
}

void term_close(struct term *t)
{
	if (!t)
		return;
	if (t->screen) {
		if (!isendwin())
			term_leave(t);
		delscreen(t->screen);
	}
	crash_unguard();
	if (t->in)
		fclose(t->in);
	buf_release(&t->paste);
	free(t);
}

int term_fd(const struct term *t)
{
	return fileno(t->in);
}

void term_leave(struct term *t)
{
	paste_mode(false);
	mouse_mode(t->mouse, false);
	t->pasting = false;
	def_prog_mode();
	endwin();
}

void term_return(struct term *t)
{
	reset_prog_mode();
	paste_mode(true);
	mouse_mode(t->mouse, true);
	term_measure(t);
	clearok(curscr, TRUE);
}

/* ---- size ----------------------------------------------------------------- */

bool term_measure(struct term *t)
{
	struct winsize ws = { 0 };
	int rows, cols;

	if (ioctl(fileno(t->in), TIOCGWINSZ, &ws) < 0 || !ws.ws_row || !ws.ws_col) {
		ws.ws_row = t->rows ? (unsigned short)t->rows : 24;
		ws.ws_col = t->cols ? (unsigned short)t->cols : 80;
	}
	rows = ws.ws_row;
	cols = ws.ws_col;
	if (rows == t->rows && cols == t->cols)
		return false;
	t->rows = rows;
	t->cols = cols;
	resizeterm(rows, cols);
	return true;
}

int term_rows(const struct term *t) { return t->rows; }
int term_cols(const struct term *t) { return t->cols; }
bool term_ascii(const struct term *t) { return t->ascii; }
enum palette_depth term_depth(const struct term *t) { return t->depth; }

/* ---- drawing -------------------------------------------------------------- */

static attr_t attributes_of(struct look look)
{
	static const struct { uint8_t bit; attr_t attribute; } map[] = {
		{ LOOK_BOLD, A_BOLD }, { LOOK_UNDERLINE, A_UNDERLINE }, { LOOK_REVERSE, A_REVERSE },
		{ LOOK_DIM, A_DIM }, { LOOK_ITALIC, A_ITALIC },
	};
	attr_t a = A_NORMAL;

	for (size_t i = 0; i < ARRAY_LEN(map); i++)
		if (look.attributes & map[i].bit)
			a |= map[i].attribute;
	return a;
}

static void put_cell(const struct term *t, int row, int col, const struct cell *k)
{
	struct look look = style_look(k->style, k->ground, t->depth);
	wchar_t text[3] = { (wchar_t)(k->cp[0] ? k->cp[0] : ' '), (wchar_t)k->cp[1], 0 };
	int pair = 0;
	cchar_t c;

	if (t->depth != DEPTH_MONO && (look.fg >= 0 || look.bg >= 0))
		pair = alloc_pair(look.fg, look.bg);
	if (pair < 0)
		pair = 0;
	if (setcchar(&c, text, attributes_of(look), (short)pair, NULL) == OK)
		mvadd_wch(row, col, &c);
}

void term_draw(struct term *t, const struct canvas *c)
{
	t->begun = true;
	for (int row = 0; row < c->rows && row < t->rows; row++)
		for (int col = 0; col < c->cols && col < t->cols; col++) {
			const struct cell *k = canvas_cell(c, row, col);

			if (k->cp[0] != CELL_RIGHT_HALF)
				put_cell(t, row, col, k);
		}
	move(c->cursor_row, c->cursor_col);
	refresh();
}

void term_redraw_all(struct term *t)
{
	(void)t;
	clearok(curscr, TRUE);
}

/* ---- input ---------------------------------------------------------------- */

static int read_code(struct term *t)
{
	int code = t->pushed_back;

	t->pushed_back = ERR;
	return code != ERR ? code : getch();
}

static uint32_t key_of_code(int code)
{
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return (uint32_t)(K_F1 + code - KEY_F(1));
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return K_NONE;
}

/* One byte of a character; K_NONE until it is whole. */
static uint32_t key_of_byte(struct term *t, int code)
{
	char byte = (char)code;
	wchar_t wc = 0;
	size_t n = mbrtowc(&wc, &byte, 1, &t->partial);

	if (n == (size_t)-2)
		return K_NONE;
	if (n == (size_t)-1) {
		memset(&t->partial, 0, sizeof t->partial);
		return (unsigned)code < 0x80 ? key_from_char((uint32_t)code) : K_NONE;
	}
	return key_from_char((uint32_t)wc);
}

/* Alt comes as Esc and a key at once; a lone Esc has nothing behind it. */
static uint32_t key_after_escape(struct term *t)
{
	int code = getch();

	if (code > ' ' && code < 0x7f)
		return K_ALT | (uint32_t)code;
	t->pushed_back = code;
	return K_ESC;
}

static void collect(struct term *t, int code)
{
	if (code > 255 || t->paste.n >= PASTE_MAX)
		return;
	buf_addc(&t->paste, code == '\r' ? '\n' : (char)code);
}

static bool read_mouse(struct term_event *out)
{
	MEVENT m;

	if (getmouse(&m) != OK)
		return false;
	out->type = TERM_CLICK;
	out->row = m.y;
	out->col = m.x;
	if (m.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
		out->type = TERM_WHEEL;
		out->notch = m.bstate & BUTTON4_PRESSED ? -1 : 1;
		return true;
	}
	return (m.bstate & BUTTON1_PRESSED) != 0;
}

/* True when CODE completes something to tell. */
static bool take_code(struct term *t, int code, struct term_event *out)
{
	if (code == PASTE_BEGIN) {
		t->pasting = true;
		buf_clear(&t->paste);
		return false;
	}
	if (code == PASTE_END) {
		t->pasting = false;
		out->type = TERM_PASTE;
		out->text = t->paste.s;
		out->text_n = t->paste.n;
		return true;
	}
	if (t->pasting) {
		collect(t, code);
		return false;
	}
	if (code == KEY_MOUSE)
		return read_mouse(out);
	out->type = TERM_KEY;
	out->key = code > 255 ? key_of_code(code) : key_of_byte(t, code);
	if (out->key == K_ESC)
		out->key = key_after_escape(t);
	return out->key != K_NONE;
}

bool term_next(struct term *t, struct term_event *out)
{
	int code;

	/* getch() refreshes the screen when something is due: not before the
	 * first frame, and never while another program has the terminal. */
	if (isendwin() && t->begun)
		return false;
	while ((code = read_code(t)) != ERR) {
		memset(out, 0, sizeof *out);
		if (code != KEY_RESIZE && take_code(t, code, out))
			return true;
	}
	return false;
}

void term_drop_paste(struct term *t)
{
	t->pasting = false;
}

void term_set_mouse(struct term *t, bool on)
{
	mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
	mouse_mode(true, on);
	t->mouse = on;
}

bool term_has_mouse(const struct term *t)
{
	return t->mouse;
}

/* ---- clipboard ------------------------------------------------------------ */

int term_copy(struct term *t, const char *s, size_t n)
{
	struct buf b = BUF_INIT;

	(void)t;
	if (n > CLIPBOARD_MAX)
		return err_set(ERR_STATE,
			"%zu bytes are more than terminals take for the clipboard (%d); "
			"copy less",
			n, CLIPBOARD_MAX);
	clipboard_add(&b, s, n);
	fflush(stdout);
	fwrite(b.s, 1, b.n, stdout);
	fflush(stdout);
	buf_release(&b);
	return 0;
}
