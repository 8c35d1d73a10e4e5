/* screen - see screen.h. */
#include "config.h"

#include "ui/screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/keymap.h"
#include "command/open.h"
#include "command/position.h"
#include "command/preferences.h"
#include "command/recent.h"
#include "command/since.h"
#include "command/upkeep.h"
#include "ui/app.h"
#include "ui/upkeep.h"

struct screen {
	struct arena arena;
	struct app_host host;
	struct preferences preferences;
	struct keymap keymap;
	struct opened opened;	/* the main thread's own handle: stepping */
	struct screen_upkeep *upkeep;
};

static const struct position *position_of(const struct selection *s)
{
	return s->at_now ? NULL : &s->position;
}

static bool step(void *user, struct selection *s, int direction, bool by_attempt)
{
	struct screen *screen = user;
	struct arena a = ARENA_INIT;
	struct position to;
	bool moved = false;

	if (by_attempt) {
		const char *id = position_attempt(
			screen->opened.workspace, position_of(s), s->attempt, direction, &a);

		moved = id != NULL;
		if (id) {
			free(s->attempt);
			s->attempt = xstrdup(id);
		}
	} else if (position_step(&to, screen->opened.workspace, position_of(s), direction) > 0) {
		moved = true;
		s->at_now = false;
		s->position = to;
		free(s->position_text);
		s->position_text = xstrdup(position_text(screen->opened.workspace, &to, &a));
	}
	arena_release(&a);
	return moved;
}

/* ---- with a terminal ---------------------------------------------------------- */

static void on_opened(void *user, struct app *a)
{
	struct screen *s = user;

	if (s->opened.note)
		app_say(a, "%s", s->opened.note);
	s->upkeep = screen_upkeep_new(a);
}

static void on_refresh(void *user, struct app *a)
{
	struct screen *s = user;

	(void)a;
	screen_upkeep_ask(s->upkeep, UPKEEP_ALL);
}

static bool on_interrupt(void *user, struct app *a)
{
	struct screen *s = user;

	(void)a;
	return screen_upkeep_cancel(s->upkeep);
}

/* What was on the screen is what the person has seen. */
static void on_closing(void *user, struct app *a)
{
	struct screen *s = user;

	screen_upkeep_free(s->upkeep);
	s->upkeep = NULL;
	if (!a->host.read_only && since_seen_write(s->opened.workspace) < 0)
		fprintf(stderr, "portside: what you have seen could not be kept: %s\n", err_text());
}

static const char *history_path(struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		return fs_join(a, state, "portside/history");
	return home && *home == '/' ? fs_join(a, home, ".local/state/portside/history") : NULL;
}

/* ---- preferences --------------------------------------------------------------- */

/* The first thing that is wrong, and how many more there are. */
static const char *trouble_of(struct screen *s)
{
	const struct keymap *m = &s->keymap;

	if (*s->preferences.trouble || !m->n_mistakes)
		return s->preferences.trouble;
	return m->n_mistakes == 1 ? m->mistakes[0]
				  : arena_printf(&s->arena, "%s (and %zu more: portside doctor)",
					    m->mistakes[0], m->n_mistakes - 1);
}

static void prefer(struct screen *s)
{
	s->preferences = preferences_read(&s->arena);
	if (keymap_read(&s->keymap) < 0)
		err_clear();		/* told by the preferences, of the same file */
	s->host.keymap = &s->keymap;
	s->host.copy_command = s->preferences.copy_command;
	s->host.editor = s->preferences.editor;
	s->host.trouble = trouble_of(s);
}

/* ---- both --------------------------------------------------------------------- */

static int open_screen(struct screen *s, const struct screen_options *o, bool as_it_is)
{
	struct open_options open = { .directory = o->directory,
		.read_only = o->read_only,
		.position = o->position,
		.as_it_is = as_it_is };
	int rc = open_migration(&s->opened, NULL, &open);

	if (rc < 0)
		return rc;
	s->host = (struct app_host){
		.directory = opened_again(&s->opened),
		.program = o->program,
		.read_only = o->read_only,
		.step = step,
		.user = s,
		.title = open_title(s->opened.workspace, &s->arena),
		.refusal = opened_refusal(&s->opened),
		.opened = on_opened,
		.refresh = on_refresh,
		.interrupt = on_interrupt,
		.closing = on_closing,
	};
	prefer(s);
	if (s->opened.has_position) {
		s->host.at = &s->opened.position;
		s->host.at_text = position_text(s->opened.workspace, s->host.at, &s->arena);
	}
	return 0;
}

static int parse_size(int *cols, int *rows, const char *text)
{
	char end;

	*cols = 80;
	*rows = 24;
	if (text && (sscanf(text, "%dx%d%c", cols, rows, &end) != 2 || *cols < 1 || *rows < 1 ||
		     *cols > CANVAS_SIDE_MAX || *rows > CANVAS_SIDE_MAX))
		return err_set(ERR_USAGE, "--size: \"%s\" is not like 100x30", text);
	return 0;
}

static enum color_choice color_of(const char *text)
{
	if (text && strcmp(text, "always") == 0)
		return COLOR_ALWAYS;
	return text && strcmp(text, "never") == 0 ? COLOR_NEVER : COLOR_AUTO;
}

int screen_run(const struct screen_options *o)
{
	struct term_options options = { .color = color_of(o->color), .ascii = o->ascii };
	struct screen *s = xcalloc(1, sizeof *s);
	int rc = open_screen(s, o, true);

	options.background = s->preferences.background;
	options.emoji = s->preferences.emoji;
	options.mouse = s->preferences.mouse;
	if (rc == 0)
		s->host.history_path = history_path(&s->arena);
	/* Only a convenience: a state folder that cannot be written is no reason to stay out. */
	if (rc == 0 && !o->read_only && recent_remember(o->directory) < 0)
		err_clear();
	if (rc == 0)
		rc = app_run(&s->host, o->view ? o->view : "attempts", &options);
	opened_release(&s->opened);
	keymap_release(&s->keymap);
	arena_release(&s->arena);
	free(s);
	return rc;
}

int screen_show(const struct screen_options *o)
{
	struct screen *s = xcalloc(1, sizeof *s);
	struct canvas canvas;
	struct buf out = BUF_INIT;
	int cols, rows, rc = parse_size(&cols, &rows, o->size);

	if (rc == 0)
		rc = open_screen(s, o, false);
	if (rc == 0) {
		canvas_init(&canvas, rows, cols);
		canvas.ascii = o->ascii || !term_locale_is_utf8();
		canvas.emoji = s->preferences.emoji;
		rc = app_show(&s->host, o->view ? o->view : "attempts", &canvas);
		if (rc == 0 && (isatty(STDOUT_FILENO) || color_of(o->color) == COLOR_ALWAYS))
			canvas_dump_ansi(&canvas, &out,
				term_depth_on(term_depth_of_stream(
						      color_of(o->color), STDOUT_FILENO),
					s->preferences.background));
		else if (rc == 0)
			canvas_dump_text(&canvas, &out);
		canvas_release(&canvas);
	}
	if (rc == 0 && (rc = fs_write_all(STDOUT_FILENO, out.s, out.n)) < 0) {
		/* A reader that went away (head) is no error worth a word. */
		rc = errno == EPIPE ? 0 : err_prefix("standard output: ");
	}
	buf_release(&out);
	opened_release(&s->opened);
	keymap_release(&s->keymap);
	arena_release(&s->arena);
	free(s);
	return rc;
}
