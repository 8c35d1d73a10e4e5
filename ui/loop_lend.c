/* loop_lend - gives the terminal to an editor and takes it back; see loop.h. */
#include "config.h"

#include "ui/loop_private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

static void on_exit_of_lent(uv_process_t *process, int64_t exit_status, int term_signal)
{
	struct loop *l = process->data;

	uv_close((uv_handle_t *)process, NULL);
	l->lent = false;
	if (loop_listen(l) < 0) {
		loop_end(l, 128 + SIGHUP);
		return;
	}
	loop_take_terminal(l);
	l->lent_done(l->lent_user, term_signal ? 128 + term_signal : (int)exit_status);
}

static int spawn(struct loop *l, char *const argv[])
{
	uv_stdio_container_t fds[3];
	uv_process_options_t o = { .exit_cb = on_exit_of_lent, .stdio_count = 3, .stdio = fds };
	int rc;

	for (int i = 0; i < 3; i++) {
		fds[i].flags = UV_INHERIT_FD;
		fds[i].data.fd = i;
	}
	o.file = argv[0];
	o.args = (char **)(uintptr_t)argv;	/* libuv does not write to them */
	l->lent_process.data = l;
	rc = uv_spawn(&l->uv, &l->lent_process, &o);
	if (rc < 0)
		uv_close((uv_handle_t *)&l->lent_process, NULL);
	return rc;
}

int loop_lend(struct loop *l, char *const argv[], loop_lent_fn *done, void *user)
{
	int rc;

	if (l->lent)
		return err_set(ERR_STATE, "another program has the terminal; end it first");
	uv_poll_stop(&l->input);
	term_leave(l->term);
	l->lent = true;
	l->lent_done = done;
	l->lent_user = user;
	rc = spawn(l, argv);
	if (rc == 0)
		return 0;
	l->lent = false;
	loop_take_terminal(l);
	if (loop_listen(l) < 0)
		loop_end(l, 128 + SIGHUP);
	return err_set(ERR_IO, "%s cannot be started: %s; set ui.editor, VISUAL or EDITOR", argv[0],
		uv_strerror(rc));
}

/* ---- which editor --------------------------------------------------------- */

static bool is_blank(const char *s)
{
	return !s || !s[strspn(s, " \t")];
}

static const char *editor(const char *preferred)
{
	const char *s = preferred;

	if (is_blank(s))
		s = getenv("VISUAL");
	if (is_blank(s))
		s = getenv("EDITOR");
	return is_blank(s) ? "vi" : s;
}

char **loop_editor_argv(struct arena *a, const char *preferred, const char *file, long line)
{
	size_t n;
	char **words = text_words(a, editor(preferred), &n);
	char **argv = arena_alloc(a, (n + 3) * sizeof *argv);

	memcpy(argv, words, n * sizeof *argv);
	if (line > 0)
		argv[n++] = arena_printf(a, "+%ld", line);
	argv[n++] = *file == '-' ? arena_printf(a, "./%s", file) : arena_strdup(a, file);
	argv[n] = NULL;
	return argv;
}
