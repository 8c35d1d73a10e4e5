/*
 * run_tail - `tail RUN`: the log of a run, as a stream of constant memory.
 *
 * A terminal gets no control sequence of a log; a file or a pipe gets its bytes.
 * Secrets go to neither.
 * ^C ends the following, never the run.
 */
#include "config.h"

#include "command/run_call.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/redact.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/verdict.h"
#include "launch/watch.h"
#include "workspace/reconcile.h"
#include "workspace/state.h"

enum {
	CHUNK = 64 * 1024,
	LAST = 16 * 1024,
	LINE_MAX = 16 * 1024,
	LOOK_MS = 500,
	CAPTURED_MAX = 1 << 20
};

struct tail {
	struct call *call;
	struct redact *secrets;
	const char *rundir;
	int64_t offset;
	struct buf line;		/* begun, not yet written; terminals only */
	bool is_terminal, closed;
	char *chunk;
};

/* Without a descriptor (a screen, a server) the text is the answer, and bounded. */
static int put(struct tail *t, const char *s, size_t n)
{
	struct call *c = t->call;

	if (c->out_fd < 0) {
		if (c->text.n + n > CAPTURED_MAX)
			return err_set(ERR_STATE,
				"the log is longer than %d bytes; leave --all out, or take the command line",
				CAPTURED_MAX);
		buf_add(&c->text, s, n);
		return 0;
	}
	if (fs_write_all(c->out_fd, s, n) == 0)
		return 0;
	if (errno != EPIPE)
		return err_prefix("output: ");
	err_clear();
	t->closed = true;	/* its reader went away: head, less */
	return 0;
}

static int flush(struct tail *t, size_t n, const char *end)
{
	struct buf clean = BUF_INIT;
	int rc;

	text_sanitise(&clean, t->line.s, n);
	buf_adds(&clean, end);
	rc = put(t, clean.s, clean.n);
	memmove(t->line.s, t->line.s + n, t->line.n - n);
	buf_truncate(&t->line, t->line.n - n);
	buf_release(&clean);
	return rc;
}

/* Whole lines only, so that no character is cut in two by a chunk's end. */
static int put_sanitised(struct tail *t, const char *s, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		bool ends = s[i] == '\n';

		/* A bar that rewrites its line becomes a line each time. */
		if (s[i] == '\r' && i + 1 < n && s[i + 1] == '\n')
			continue;
		if (ends || s[i] == '\r') {
			rc = flush(t, t->line.n, "\n");
			continue;
		}
		buf_addc(&t->line, s[i]);
		if (t->line.n >= LINE_MAX)
			rc = flush(t, t->line.n - 3, "");
	}
	return rc;
}

/* Whole lines as long as more follows, so that no secret is cut in two. */
static size_t whole_lines(const char *s, size_t n)
{
	const char *newline = n == CHUNK ? memrchr(s, '\n', n) : NULL;

	return newline ? (size_t)(newline - s) + 1 : n;
}

static int put_clean(struct tail *t, const char *s, size_t n)
{
	struct buf clean = BUF_INIT;
	int rc;

	redact_text(t->secrets, &clean, s, n);
	rc = t->is_terminal ? put_sanitised(t, clean.s, clean.n) : put(t, clean.s, clean.n);
	buf_release(&clean);
	return rc;
}

/* What the log has beyond OFFSET. */
static int copy(struct tail *t)
{
	size_t got;
	int rc;

	do {
		rc = launch_log_read(t->rundir, t->offset, t->chunk, CHUNK, &got, NULL);
		if (rc == ERR_NOT_FOUND) {
			err_clear();
			return 0;	/* it has not begun to write */
		}
		if (rc < 0)
			return rc;
		got = whole_lines(t->chunk, got);
		rc = put_clean(t, t->chunk, got);
		t->offset += (int64_t)got;
	} while (rc == 0 && got && !t->closed && !call_cancelled(t->call));
	return rc;
}

static void wait_for_more(struct watch *w)
{
	struct pollfd p = { .fd = w ? watch_fd(w) : -1, .events = POLLIN };
	struct watch_event e;

	(void)poll(&p, 1, LOOK_MS);
	while (w && watch_next(w, &e))
		;
}

static int follow(struct tail *t)
{
	struct watch *w = watch_new(0);
	struct run_verdict v;
	int rc;

	if (w && watch_add(w, t->rundir) < 0) {
		watch_free(w);
		w = NULL;
	}
	err_clear();		/* without a watch it looks twice a second */
	for (;;) {
		/* The verdict first: what the log holds after it is all. */
		verdict_read(&v, t->rundir);
		if ((rc = copy(t)) < 0 || t->closed || call_cancelled(t->call) ||
			verdict_is_over(&v))
			break;
		wait_for_more(w);
	}
	watch_free(w);
	return rc;
}

static int begin(struct tail *t, bool all)
{
	int64_t size;
	size_t got;
	int rc = launch_log_read(t->rundir, 0, t->chunk, 0, &got, &size);

	if (rc == ERR_NOT_FOUND && call_flag(t->call, "--follow")) {
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	t->offset = all || size < LAST ? 0 : size - LAST;
	if (!t->offset)
		return 0;
	/* From the beginning of a line, where there is one. */
	rc = launch_log_read(t->rundir, t->offset, t->chunk, LAST, &got, NULL);
	if (rc == 0) {
		const char *line = memchr(t->chunk, '\n', got);

		t->offset += line ? line + 1 - t->chunk : 0;
	}
	return rc;
}

static int say_end(struct call *c, const char *run)
{
	struct run_state *s;
	bool ended;
	int rc = reconcile_run(&ended, c->workspace, run, c->arena);

	if (rc == 0)
		rc = state_run(c->workspace, run, NULL, c->arena, &s);
	if (rc == 0 && ended)
		c->message = arena_printf(c->arena, "run %s: %s; L0 %s (%s)", run,
			word_name(&words_run_state, (int)s->state),
			word_name(&words_check, (int)s->l0), s->l0_why);
	return rc;
}

int run_call_tail(struct call *c)
{
	struct tail t = { .call = c, .is_terminal = c->out_fd < 0 || isatty(c->out_fd) };
	bool following = call_flag(c, "--follow") && c->out_fd >= 0;
	struct run_state *r;
	int rc = state_run(c->workspace, call_text(c, "run"), c->at, c->arena, &r);

	if (rc < 0)
		return rc;
	t.rundir = fs_join(c->arena, workspace_path(c->workspace, c->arena, "runs"), r->id);
	if (!fs_is_dir(t.rundir))
		return err_set(ERR_NOT_FOUND,
			"the log of run %s is not on this machine; a bundle or an import brings it",
			r->id);
	buf_init(&t.line);
	t.chunk = arena_alloc(c->arena, CHUNK);
	t.secrets = redact_new();
	redact_add_environment(t.secrets, environ);
	rc = begin(&t, call_flag(c, "--all"));
	if (rc == 0)
		rc = following && !run_status_ended(r->state) ? follow(&t) : copy(&t);
	if (rc == 0 && t.line.n)
		rc = flush(&t, t.line.n, "\n");
	buf_release(&t.line);
	redact_free(t.secrets);
	if (rc < 0)
		return rc;
	if (call_cancelled(c)) {
		c->exit_code = 130;
		c->message = arena_printf(
			c->arena, "run %s goes on; portside cancel %s ends it", r->id, r->id);
		return 0;
	}
	return following && !workspace_read_only(c->workspace) ? say_end(c, r->id) : 0;
}
