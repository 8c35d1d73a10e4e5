/* app_run - the program with a terminal, or one picture without; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "ui/loop.h"

static void on_input(void *user, const struct term_event *e)
{
	app_input(user, e);
}

static void on_draw(void *user, struct canvas *c)
{
	app_take_due(user);
	app_draw(user, c);
}

static void on_interrupt(void *user)
{
	app_interrupt(user);
}

int app_run(const struct app_host *host, const char *view, const struct term_options *options)
{
	static const struct loop_events events = { on_input, on_draw, on_interrupt, NULL };
	struct app *a = xcalloc(1, sizeof *a);
	struct loop *l;
	int code, rc = loop_open(&l, &events, a, options);

	if (rc < 0) {
		free(a);
		return rc;
	}
	app_init(a, l, host);
	a->mono = term_depth(loop_term(l)) == DEPTH_MONO;
	if (app_show_view(a, view) < 0)
		app_complain(a, "%s", err_text());
	if (host->trouble && *host->trouble)
		app_complain(a, "%s", host->trouble);
	if (host->opened)
		host->opened(host->user, a);
	code = loop_run(l);
	if (host->closing)
		host->closing(host->user, a);
	app_release(a);
	loop_quit(l, code);
}

int app_show(const struct app_host *host, const char *view, struct canvas *c)
{
	struct app *a = xcalloc(1, sizeof *a);
	int rc;

	app_init(a, NULL, host);
	rc = app_show_view(a, view);
	if (rc == 0)
		app_draw(a, c);
	app_release(a);
	free(a);
	return rc;
}

/* ---- clipboard and editor ------------------------------------------------------------ */

static void on_copied(void *user, int status)
{
	struct app *a = user;

	if (status < 0)
		app_complain(a, "%s", err_text());
	else if (status > 0)
		app_complain(a, "nothing was copied: ui.copy-command (%s) ended with %d",
			a->host.copy_command, status);
	else
		app_say(a, "copied with %.*s", (int)strcspn(a->host.copy_command, " \t"),
			a->host.copy_command);
}

/* The person's own program reads the text from its input. */
static void copy_by_program(struct app *a, const char *s, size_t n)
{
	struct arena arena = ARENA_INIT;
	size_t words;
	char **argv = text_words(&arena, a->host.copy_command, &words);

	if (loop_feed(a->loop, argv, s, n, on_copied, a) < 0)
		app_complain(a, "%s", err_text());
	else
		app_say(a, "copying %zu bytes ...", n);
	arena_release(&arena);
}

void app_copy(struct app *a, const char *s, size_t n)
{
	if (!a->loop)
		return;
	if (a->host.copy_command)
		copy_by_program(a, s, n);
	else if (term_copy(loop_term(a->loop), s, n) < 0)
		app_complain(a, "%s", err_text());
	else
		app_say(a, "copied %zu bytes", n);
}

static void on_edited(void *user, int status)
{
	struct app *a = user;

	if (status != 0)
		app_complain(a, "the editor ended with %d", status);
	app_changed(a, CHANGED_FILES);
}

void app_edit(struct app *a, const char *path, long line)
{
	struct arena arena = ARENA_INIT;

	if (a->loop &&
		loop_lend(a->loop, loop_editor_argv(&arena, a->host.editor, path, line), on_edited,
			a) < 0)
		app_complain(a, "%s", err_text());
	arena_release(&arena);
}
