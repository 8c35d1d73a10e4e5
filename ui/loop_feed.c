/* loop_feed - gives a text to a program as its input; see loop.h. */
#include "config.h"

#include "ui/loop_private.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* Lives until the process has ended and both handles are closed. */
struct loop_feed {
	struct loop *loop;
	uv_process_t process;
	uv_pipe_t input;
	uv_write_t write;
	char *bytes;
	loop_lent_fn *done;
	void *user;
	int open;			/* handles that are not closed yet */
};

static void on_closed(uv_handle_t *handle)
{
	struct loop_feed *f = handle->data;

	if (--f->open)
		return;
	free(f->bytes);
	free(f);
}

static void close_input(struct loop_feed *f)
{
	if (!uv_is_closing((uv_handle_t *)&f->input))
		uv_close((uv_handle_t *)&f->input, on_closed);
}

/* All was read, or the program does not read: either way there is no more. */
static void on_written(uv_write_t *w, int status)
{
	struct loop_feed *f = w->data;

	(void)status;
	close_input(f);
}

static void on_ended(uv_process_t *process, int64_t exit_status, int term_signal)
{
	struct loop_feed *f = process->data;
	struct loop *l = f->loop;

	l->feed = NULL;
	f->done(f->user, term_signal ? 128 + term_signal : (int)exit_status);
	close_input(f);
	uv_close((uv_handle_t *)process, on_closed);
}

static int start(struct loop_feed *f, char *const argv[])
{
	uv_stdio_container_t fds[3] = { { .flags = UV_CREATE_PIPE | UV_READABLE_PIPE },
		{ .flags = UV_IGNORE }, { .flags = UV_IGNORE } };
	uv_process_options_t o = {
		.exit_cb = on_ended, .stdio_count = 3, .stdio = fds, .flags = UV_PROCESS_DETACHED
	};

	fds[0].data.stream = (uv_stream_t *)&f->input;
	o.file = argv[0];
	o.args = (char **)(uintptr_t)argv;	/* libuv does not write to them */
	return uv_spawn(&f->loop->uv, &f->process, &o);
}

int loop_feed(
	struct loop *l, char *const argv[], const char *s, size_t n, loop_lent_fn *done, void *user)
{
	struct loop_feed *f;
	uv_buf_t all;
	int rc;

	if (!argv[0])
		return err_set(ERR_USAGE, "no program is named");
	if (l->feed)
		return err_set(ERR_STATE, "the program before has not read its text yet");
	f = xcalloc(1, sizeof *f);
	f->loop = l;
	f->done = done;
	f->user = user;
	f->open = 2;
	f->bytes = xmalloc(n + 1);
	memcpy(f->bytes, s, n);
	f->process.data = f->input.data = f->write.data = f;
	uv_pipe_init(&l->uv, &f->input, 0);
	rc = start(f, argv);
	if (rc < 0) {
		rc = err_set(ERR_IO, "%s cannot be started: %s", argv[0], uv_strerror(rc));
		close_input(f);
		uv_close((uv_handle_t *)&f->process, on_closed);
		return rc;
	}
	l->feed = f;
	all = uv_buf_init(f->bytes, (unsigned)n);
	if (uv_write(&f->write, (uv_stream_t *)&f->input, &all, 1, on_written) < 0)
		close_input(f);
	return 0;
}
