/* vtrun - the script of a terminal test: reads it, acts, checks, prints TAP. */
#include "config.h"

#include "vtrun.h"

#include <err.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum verdict { HOLDS, NOT_YET, MALFORMED };

struct run {
	struct screen screen;
	struct child child;
	const char *script;
	int line, checks, failed;
	long limit_ms;
	char why[600];			/* why the last check does not hold */
};

struct command {
	const char *name, *arguments, *help;
	enum verdict (*run)(struct run *r, char *arg);
	bool is_check;
};

static enum verdict __attribute__((format(printf, 2, 3)))
not_yet(struct run *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, sizeof r->why, fmt, ap);
	va_end(ap);
	return NOT_YET;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool pump(struct run *r, int ms)
{
	return child_pump(&r->child, &r->screen, ms);
}

/* Until nothing came for a while: a half-drawn frame is not the screen. */
static void settle(struct run *r)
{
	long end = now_ms() + r->limit_ms;

	while (pump(r, QUIET_MS) && now_ms() < end)
		;
}

static void send_bytes(const char *bytes, size_t n, void *user)
{
	struct run *r = user;

	while (n && r->child.master >= 0) {
		ssize_t k = write(r->child.master, bytes, n);

		if (k < 0)
			return;		/* the program has gone; a check will tell */
		bytes += k;
		n -= (size_t)k;
	}
}

static int signal_of(const char *name)
{
	for (int sig = 1; sig < SIGRTMIN; sig++) {
		const char *word = sigabbrev_np(sig);

		if (word && strcmp(word, name) == 0)
			return sig;
	}
	return 0;
}

/* ---- checks ------------------------------------------------------------------- */

static enum verdict check_wait(struct run *r, char *text)
{
	return screen_has(&r->screen, text) ? HOLDS
					    : not_yet(r, "\"%s\" is not on the screen", text);
}

static enum verdict check_gone(struct run *r, char *text)
{
	return !screen_has(&r->screen, text) ? HOLDS : not_yet(r, "\"%s\" is on the screen", text);
}

/* ROW and COL at the start of ARG; NULL when they are not there. */
static char *place(char *arg, int *row, int *col)
{
	int n = 0;

	if (sscanf(arg, "%d %d %n", row, col, &n) != 2)
		return NULL;
	return arg + n;
}

static enum verdict check_at(struct run *r, char *arg)
{
	int row, col;
	const char *text = place(arg, &row, &col), *have;

	if (!text || !*text)
		return MALFORMED;
	have = screen_row(&r->screen, row, col);
	return strncmp(have, text, strlen(text)) == 0 ? HOLDS :
	       not_yet(r, "at %d,%d stands \"%.100s\"", row, col, have);
}

static enum verdict check_attr(struct run *r, char *arg)
{
	int row, col;
	char *wanted = place(arg, &row, &col), *save = NULL, copy[256], have[200];

	if (!wanted || !*wanted)
		return MALFORMED;
	snprintf(copy, sizeof copy, "%s", wanted);
	snprintf(have, sizeof have, " %s ", screen_style(&r->screen, row, col));
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		bool absent = *w == '!';
		char word[80];

		snprintf(word, sizeof word, " %s ", w + absent);
		if ((strstr(have, word) != NULL) == absent)
			return not_yet(r, "cell %d,%d is%s, wanted %s", row, col, have, w);
	}
	return HOLDS;
}

static enum verdict check_cursor(struct run *r, char *arg)
{
	VTermPos at = screen_cursor(&r->screen);
	int row, col;

	if (!place(arg, &row, &col))
		return MALFORMED;
	return at.row == row && at.col == col
		? HOLDS
		: not_yet(r, "the cursor is at %d,%d", at.row, at.col);
}

static enum verdict check_prop(struct run *r, char *arg)
{
	const struct {
		const char *name;
		int value;
	} props[] = {
		{ "altscreen", r->screen.altscreen },
		{ "cursor", r->screen.cursor },
		{ "mouse", r->screen.mouse },
	};
	char name[16];
	int wanted;

	if (sscanf(arg, "%15s %d", name, &wanted) != 2)
		return MALFORMED;
	for (size_t i = 0; i < sizeof props / sizeof *props; i++)
		if (strcmp(props[i].name, name) == 0)
			return props[i].value == wanted
				? HOLDS
				: not_yet(r, "%s is %d", name, props[i].value);
	return MALFORMED;
}

static enum verdict check_clip(struct run *r, char *wanted)
{
	if (!r->screen.clip_open && strcmp(r->screen.clip, wanted) == 0)
		return HOLDS;
	return not_yet(r, "the clipboard holds \"%.200s\"", r->screen.clip);
}

static enum verdict check_stopped(struct run *r, char *arg)
{
	(void)arg;
	return !r->child.running && WIFSTOPPED(r->child.status)
		? HOLDS
		: not_yet(r, "%s", child_state(&r->child));
}

static enum verdict check_exit(struct run *r, char *arg)
{
	const struct child *c = &r->child;
	int code;

	if (sscanf(arg, "%d", &code) != 1)
		return MALFORMED;
	return child_has_ended(c) && WIFEXITED(c->status) && WEXITSTATUS(c->status) == code
		? HOLDS
		: not_yet(r, "%s", child_state(c));
}

static enum verdict check_killed(struct run *r, char *arg)
{
	const struct child *c = &r->child;
	int sig = signal_of(arg);

	if (!sig)
		return MALFORMED;
	return child_has_ended(c) && WIFSIGNALED(c->status) && WTERMSIG(c->status) == sig ? HOLDS :
	       not_yet(r, "%s", child_state(c));
}

static enum verdict check_modes(struct run *r, char *arg)
{
	(void)arg;
	return child_modes_restored(&r->child)
		? HOLDS
		: not_yet(r, "the terminal's modes differ from before");
}

static enum verdict check_ascii(struct run *r, char *arg)
{
	(void)arg;
	return r->screen.beyond_ascii ? not_yet(r, "a byte above 0x7e was sent") : HOLDS;
}

/* Not a moment of a guessed length but the thing itself: so long, and no wake-up,
 * once what goes on in the background is done. */
static enum verdict check_idle(struct run *r, char *arg)
{
	long ms = atol(arg), before, end, woke;

	if (ms <= 0)
		return MALFORMED;
	settle(r);
	before = child_switches(&r->child);
	for (end = now_ms() + ms; now_ms() < end;)
		pump(r, (int)(end - now_ms()) + 1);
	woke = child_switches(&r->child) - before;
	return woke == 0 ? HOLDS : not_yet(r, "%ld context switches in %ld ms", woke, ms);
}

/* The terminal reads nothing for a while: how much CPU does the program take? */
static enum verdict check_slow(struct run *r, char *arg)
{
	struct timespec rest;
	long ms, most, used;

	if (sscanf(arg, "%ld %ld", &ms, &most) != 2 || ms <= 0)
		return MALFORMED;
	rest = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
	used = child_cpu_ms(&r->child);
	nanosleep(&rest, NULL);
	used = child_cpu_ms(&r->child) - used;
	return used <= most ? HOLDS : not_yet(r, "it took %ld ms of CPU in %ld ms", used, ms);
}

/* ---- files of expected screens -------------------------------------------------- */

static void beside_script(const struct run *r, const char *name, char *out, size_t size)
{
	const char *slash = strrchr(r->script, '/');

	if (*name == '/' || !slash)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%.*s/%s", (int)(slash - r->script), r->script, name);
}

static enum verdict compare(struct run *r, const char *path, const char *have, const char *want)
{
	for (int line = 1; *have || *want; line++) {
		size_t h = strcspn(have, "\n"), w = strcspn(want, "\n");

		if (h != w || memcmp(have, want, h) != 0)
			return not_yet(r, "%s:%d: have \"%.*s\", want \"%.*s\"", path, line, (int)h,
				have, (int)w, want);
		have += h + (have[h] == '\n');
		want += w + (want[w] == '\n');
	}
	return HOLDS;
}

static enum verdict compare_file(struct run *r, const char *path, const char *have)
{
	char *want = NULL;
	size_t size = 0;
	enum verdict v;
	FILE *f = fopen(path, "re");

	if (!f)
		return not_yet(r, "%s: %s; VTRUN_UPDATE=1 writes it", path, strerror(errno));
	v = compare(r, path, have, getdelim(&want, &size, '\0', f) < 0 ? "" : want);
	fclose(f);
	free(want);
	return v;
}

static enum verdict same_as_file(struct run *r, const char *name,
				 void (*print)(const struct screen *s, FILE *f))
{
	char *have = NULL, path[4096];
	size_t n = 0;
	enum verdict v = HOLDS;
	FILE *f;

	settle(r);
	beside_script(r, name, path, sizeof path);
	f = open_memstream(&have, &n);
	print(&r->screen, f);
	fclose(f);
	if (getenv("VTRUN_UPDATE")) {
		f = fopen(path, "we");
		if (!f || fwrite(have, 1, n, f) != n || fclose(f) != 0)
			err(2, "%s", path);
	} else {
		v = compare_file(r, path, have);
	}
	free(have);
	return v;
}

static enum verdict check_golden(struct run *r, char *file)
{
	return same_as_file(r, file, screen_print);
}

static enum verdict check_styles(struct run *r, char *file)
{
	return same_as_file(r, file, screen_print_styles);
}

/* ---- actions --------------------------------------------------------------------- */

static bool press_named(struct run *r, const char *name, VTermModifier mod)
{
	static const struct {
		const char *name;
		VTermKey key;
	} keys[] = {
		{ "Enter", VTERM_KEY_ENTER },
		{ "Tab", VTERM_KEY_TAB },
		{ "BSpace", VTERM_KEY_BACKSPACE },
		{ "Esc", VTERM_KEY_ESCAPE },
		{ "Up", VTERM_KEY_UP },
		{ "Down", VTERM_KEY_DOWN },
		{ "Left", VTERM_KEY_LEFT },
		{ "Right", VTERM_KEY_RIGHT },
		{ "Home", VTERM_KEY_HOME },
		{ "End", VTERM_KEY_END },
		{ "PageUp", VTERM_KEY_PAGEUP },
		{ "PgUp", VTERM_KEY_PAGEUP },
		{ "PageDown", VTERM_KEY_PAGEDOWN },
		{ "PgDn", VTERM_KEY_PAGEDOWN },
		{ "Insert", VTERM_KEY_INS },
		{ "Delete", VTERM_KEY_DEL },
	};
	int function;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(keys[i].name, name) == 0) {
			vterm_keyboard_key(r->screen.vt, keys[i].key, mod);
			return true;
		}
	if (sscanf(name, "F%d", &function) != 1)
		return false;
	vterm_keyboard_key(r->screen.vt, (VTermKey)VTERM_KEY_FUNCTION(function), mod);
	return true;
}

static bool press(struct run *r, const char *name)
{
	int mod = VTERM_MOD_NONE;
	wchar_t wc;

	for (; name[0] && name[1] == '-' && name[2]; name += 2) {
		if (!strchr("CMS", name[0]))
			return false;
		mod |= *name == 'C'    ? VTERM_MOD_CTRL
			: *name == 'M' ? VTERM_MOD_ALT
				       : VTERM_MOD_SHIFT;
	}
	if (strcmp(name, "Space") == 0)
		name = " ";
	if (mbtowc(&wc, name, strlen(name)) != (int)strlen(name))
		return press_named(r, name, (VTermModifier)mod);
	vterm_keyboard_unichar(r->screen.vt, (uint32_t)wc, (VTermModifier)mod);
	return true;
}

/* An Esc that the next key follows too soon is the beginning of M-key.  So it is
 * read first, and what waits for more of it gives up: a timer that is over makes
 * the program run, and it sleeps again when it has seen to it. */
static void keep_escape_apart(struct run *r)
{
	long end = now_ms() + r->limit_ms;

	do {
		while (pump(r, ESCAPE_MS) && now_ms() < end)
			;
	} while (!child_waits(&r->child) && now_ms() < end);
	while ((pump(r, ESCAPE_MS) || !child_waits(&r->child)) && now_ms() < end)
		;
}

static enum verdict do_key(struct run *r, char *arg)
{
	char *save = NULL;

	for (char *w = strtok_r(arg, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		if (!press(r, w))
			return MALFORMED;
		if (strcmp(w, "Esc") == 0)
			keep_escape_apart(r);
		while (pump(r, 0))
			;
	}
	return HOLDS;
}

static enum verdict do_type(struct run *r, char *text)
{
	for (const char *s = text; *s; s++) {
		if (s[0] == '\\' && s[1] == 'n') {
			send_bytes("\r", 1, r);
			s++;
		} else {
			send_bytes(s, 1, r);
		}
	}
	return HOLDS;
}

static enum verdict do_paste(struct run *r, char *text)
{
	vterm_keyboard_start_paste(r->screen.vt);
	do_type(r, text);
	vterm_keyboard_end_paste(r->screen.vt);
	return HOLDS;
}

/* One write and a pause for each word: a slow line that cuts characters. */
static enum verdict do_bytes(struct run *r, char *arg)
{
	char *save = NULL;

	for (char *w = strtok_r(arg, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		char bytes[64];
		size_t n = 0;

		for (; *w; w += 2) {
			unsigned byte;

			if (n == sizeof bytes || !w[1] || sscanf(w, "%2x", &byte) != 1)
				return MALFORMED;
			bytes[n++] = (char)byte;
		}
		send_bytes(bytes, n, r);
		keep_escape_apart(r);
	}
	return HOLDS;
}

static enum verdict do_click(struct run *r, char *arg)
{
	int row, col;

	if (!place(arg, &row, &col))
		return MALFORMED;
	vterm_mouse_move(r->screen.vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(r->screen.vt, 1, true, VTERM_MOD_NONE);
	vterm_mouse_button(r->screen.vt, 1, false, VTERM_MOD_NONE);
	return HOLDS;
}

static bool read_size(const char *s, int *cols, int *rows)
{
	return sscanf(s, "%dx%d", cols, rows) == 2 && *cols > 0 && *rows > 0 && *cols <= SIDE_MAX &&
	       *rows <= SIDE_MAX;
}

static enum verdict do_resize(struct run *r, char *arg)
{
	int rows, cols;

	if (!read_size(arg, &cols, &rows))
		return MALFORMED;
	screen_resize(&r->screen, rows, cols);
	child_resize(&r->child, rows, cols);
	return HOLDS;
}

static enum verdict do_signal(struct run *r, char *arg)
{
	int sig = signal_of(arg);

	return sig && kill(r->child.program, sig) == 0 ? HOLDS : MALFORMED;
}

static enum verdict do_cont(struct run *r, char *arg)
{
	(void)arg;
	child_continue(&r->child, true);
	return HOLDS;
}

static enum verdict do_bg(struct run *r, char *arg)
{
	(void)arg;
	child_continue(&r->child, false);
	return HOLDS;
}

static enum verdict do_hangup(struct run *r, char *arg)
{
	(void)arg;
	child_hang_up(&r->child);
	return HOLDS;
}

static void write_svg(const struct screen *s, const char *path, bool light)
{
	FILE *f = fopen(path, "we");

	if (!f)
		err(2, "%s", path);
	screen_draw_svg(s, f, light);
	if (fclose(f) != 0)
		err(2, "%s", path);
}

static enum verdict do_svg(struct run *r, char *arg)
{
	char path[3000], mode[8] = "";

	if (sscanf(arg, "%2999s %7s", path, mode) < 1 ||
		(*mode && strcmp(mode, "light") && strcmp(mode, "dark")))
		return MALFORMED;
	settle(r);
	write_svg(&r->screen, path, strcmp(mode, "light") == 0);
	return HOLDS;
}

/* ---- script ------------------------------------------------------------------------ */

static const struct command commands[] = {
	{ "wait", "TEXT", "TEXT is somewhere on the screen", check_wait, true },
	{ "gone", "TEXT", "TEXT is nowhere on the screen", check_gone, true },
	{ "at", "ROW COL TEXT", "TEXT stands exactly there", check_at, true },
	{ "attr", "ROW COL SPEC...", "fg=N bg=N bold underline italic reverse, !SPEC: not so",
		check_attr, true },
	{ "cursor", "ROW COL", "the terminal's cursor is there", check_cursor, true },
	{ "prop", "NAME N", "altscreen, cursor or mouse is N", check_prop, true },
	{ "clip", "BASE64", "the last clipboard payload", check_clip, true },
	{ "golden", "FILE", "the screen equals FILE, beside the script", check_golden, true },
	{ "styles", "FILE", "the map of attributes equals FILE", check_styles, true },
	{ "stopped", "", "the program is stopped", check_stopped, true },
	{ "exit", "CODE", "it ended with CODE", check_exit, true },
	{ "killed", "SIGNAL", "a signal ended it", check_killed, true },
	{ "modes", "", "the terminal's modes are those from before", check_modes, true },
	{ "ascii", "", "no byte above 0x7e was sent so far", check_ascii, true },
	{ "idle", "MS", "for so long not one context switch", check_idle, true },
	{ "slow", "MS MOST", "reads nothing for MS; at most MOST ms of CPU", check_slow, true },
	{ "key", "NAME...", "Enter Esc Tab Up PgDn F1 C-x M-x S-Tab or a character", do_key,
		false },
	{ "type", "TEXT", "as typed; \\n is Enter", do_type, false },
	{ "paste", "TEXT", "bracketed if the program asked for it", do_paste, false },
	{ "bytes", "HEX...", "raw bytes, a pause after each word", do_bytes, false },
	{ "click", "ROW COL", "press and release the left button", do_click, false },
	{ "resize", "COLSxROWS", "a new size", do_resize, false },
	{ "signal", "SIGNAL", "TERM, HUP, STOP, ... to the program", do_signal, false },
	{ "cont", "", "continue it in the foreground", do_cont, false },
	{ "bg", "", "continue it in the background", do_bg, false },
	{ "hangup", "", "the terminal goes away", do_hangup, false },
	{ "svg", "FILE [light]", "a picture of the screen", do_svg, false },
};

static const struct command *command_of(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* A check again and again until it holds. */
static enum verdict obey(struct run *r, const struct command *c, char *arg)
{
	long end = now_ms() + r->limit_ms;
	enum verdict v;

	while ((v = c->run(r, arg)) == NOT_YET && now_ms() < end)
		if (!pump(r, 20) && child_has_ended(&r->child) && r->child.master < 0)
			return c->run(r, arg);
	return v;
}

static void report(struct run *r, const char *name, const char *arg, bool holds)
{
	printf("%sok %d - %s %s\n", holds ? "" : "not ", ++r->checks, name, arg);
	if (holds)
		return;
	r->failed++;
	printf("# %s:%d: %s\n# --- %dx%d, %s\n", r->script, r->line, r->why, r->screen.cols,
		r->screen.rows, child_state(&r->child));
	for (int row = 0; row < r->screen.rows; row++)
		printf("# %s\n", screen_row(&r->screen, row, 0));
}

static int obey_line(struct run *r, char *line)
{
	char *name = line + strspn(line, " \t"), *arg;
	const struct command *c;
	enum verdict v;

	line[strcspn(line, "\n")] = '\0';
	if (!*name || *name == '#')
		return 0;
	arg = name + strcspn(name, " ");
	if (*arg)
		*arg++ = '\0';
	c = command_of(name);
	v = c ? obey(r, c, arg) : MALFORMED;
	if (v == MALFORMED) {
		printf("Bail out! %s:%d: bad line: %s %s\n", r->script, r->line, name, arg);
		return 2;
	}
	if (c->is_check)
		report(r, name, arg, v == HOLDS);
	return v == HOLDS ? 0 : 1;
}

/* Ends at the first check that fails: what follows would only repeat it. */
static int obey_script(struct run *r, FILE *f)
{
	char line[4096];
	int rc = 0;

	while (rc == 0 && fgets(line, sizeof line, f)) {
		r->line++;
		rc = obey_line(r, line);
	}
	if (rc < 2)
		printf("1..%d\n", r->checks);
	return rc;
}

/* ---- recordings -------------------------------------------------------------------- */

/* Files hold bare line feeds, and one at the end that would scroll. */
static void replay(struct screen *s, FILE *f)
{
	bool newline = false;
	int ch;

	while ((ch = getc(f)) != EOF) {
		char byte = (char)ch;

		if (newline)
			screen_write(s, "\r\n", 2);
		newline = byte == '\n';
		if (!newline)
			screen_write(s, &byte, 1);
	}
}

static FILE *open_input(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");

	if (!f)
		err(2, "%s", path);
	return f;
}

static int show_recording(struct run *r, const char *path, const char *picture, bool light)
{
	replay(&r->screen, open_input(path));
	if (picture)
		write_svg(&r->screen, picture, light);
	else
		screen_print(&r->screen, stdout);
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: vtrun [-s COLSxROWS] [-t TERM] [-w MS] SCRIPT PROGRAM [ARG...]\n"
		"       vtrun [-s COLSxROWS] [-l] -r FILE [-o SVG]\n"
		"       vtrun -h\n");
	return 2;
}

static int list_commands(void)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		printf("%-8s %-16s %s\n", commands[i].name, commands[i].arguments,
			commands[i].help);
	return 0;
}

int main(int argc, char **argv)
{
	static struct run r = { .limit_ms = LIMIT_MS };
	const char *term = "xterm-256color", *recording = NULL, *picture = NULL;
	int rows = 24, cols = 80, option, rc;
	bool light = false;

	setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((option = getopt(argc, argv, "+s:t:w:r:o:lh")) != -1) {
		switch (option) {
		case 's':
			if (!read_size(optarg, &cols, &rows))
				return usage();
			break;
		case 't': term = optarg; break;
		case 'w': r.limit_ms = atol(optarg); break;
		case 'r': recording = optarg; break;
		case 'o': picture = optarg; break;
		case 'l': light = true; break;
		case 'h': return list_commands();
		default: return usage();
		}
	}
	screen_init(&r.screen, rows, cols, send_bytes, &r);
	if (recording)
		return show_recording(&r, recording, picture, light);
	if (argc - optind < 2)
		return usage();
	r.script = argv[optind];
	child_start(&r.child, rows, cols, term, argv + optind + 1);
	rc = obey_script(&r, open_input(r.script));
	child_end(&r.child);
	screen_release(&r.screen);
	return rc;
}
