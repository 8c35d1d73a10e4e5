/* loop - see loop.h: start, input, signals, drawing, quit. */
#include "config.h"

#include "ui/loop_private.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"

enum { FRAME_MS = 33, STAY_MS = 250, DRAIN_MS = 1000 };

/* ---- drawing -------------------------------------------------------------- */

static void on_frame(uv_timer_t *timer)
{
	(void)timer;		/* it only had to wake the loop */
}

static void draw(struct loop *l)
{
	l->dirty = l->at_once = false;
	l->drew = true;
	l->drawn_ms = uv_now(&l->uv);
	canvas_resize(&l->canvas, term_rows(l->term), term_cols(l->term));
	l->events.draw(l->user, &l->canvas);
	term_draw(l->term, &l->canvas);
}

static void on_prepare(uv_prepare_t *handle)
{
	struct loop *l = handle->data;
	uint64_t since = uv_now(&l->uv) - l->drawn_ms;

	if (!l->dirty || l->away || l->lent)
		return;
	if (l->at_once || !l->drew || since >= FRAME_MS)
		draw(l);
	else if (!uv_is_active((uv_handle_t *)&l->frame))
		uv_timer_start(&l->frame, on_frame, FRAME_MS - since, 0);
}

void loop_touch(struct loop *l)
{
	l->dirty = true;
}

/* ---- input ---------------------------------------------------------------- */

static void on_input(uv_poll_t *handle, int status, int events)
{
	struct loop *l = handle->data;
	struct term_event e;

	(void)events;
	if (status < 0) {		/* the terminal went away */
		loop_end(l, 128 + SIGHUP);
		return;
	}
	while (!l->ended && !l->away && !l->lent && term_next(l->term, &e)) {
		l->events.input(l->user, &e);
		l->dirty = l->at_once = true;
	}
}

int loop_listen(struct loop *l)
{
	return uv_poll_start(&l->input, UV_READABLE, on_input);
}

/* ---- signals -------------------------------------------------------------- */

void loop_end(struct loop *l, int code)
{
	if (!l->ended && l->events.ending)
		l->events.ending(l->user);
	l->ended = true;
	loop_stop(l, code);
}

void loop_take_terminal(struct loop *l)
{
	l->away = false;
	uv_timer_stop(&l->stay);
	term_return(l->term);
	l->dirty = l->at_once = true;
}

static void on_signal(uv_signal_t *handle, int sig);

/* With the default action in force for as long as the stop lasts. */
static void stop_by(struct loop *l, uv_signal_t *handle, pid_t whom)
{
	uv_signal_stop(handle);
	kill(whom, SIGTSTP);
	uv_signal_start(handle, on_signal, SIGTSTP);
	uv_update_time(&l->uv);
}

/* Without a job-control shell above us the kernel drops the stop. */
static void on_stay(uv_timer_t *timer)
{
	struct loop *l = timer->data;

	if (l->away)
		loop_take_terminal(l);
}

static void suspend(struct loop *l, uv_signal_t *handle)
{
	if (l->lent) {			/* the editor was told too */
		stop_by(l, handle, getpid());
		return;
	}
	if (l->away)
		return;
	term_leave(l->term);
	l->away = true;
	stop_by(l, handle, 0);
	uv_timer_start(&l->stay, on_stay, STAY_MS, 0);
}

static void interrupted(struct loop *l)
{
	if (l->lent)
		return;
	term_drop_paste(l->term);
	l->events.interrupt(l->user);
	l->dirty = l->at_once = true;
}

static void on_signal(uv_signal_t *handle, int sig)
{
	struct loop *l = handle->data;

	switch (sig) {
	case SIGWINCH:
		if (l->away || l->lent)
			break;
		/* Smaller and back before we looked: the size is the old one, and what
		 * stood there is lost all the same. */
		if (!term_measure(l->term))
			term_redraw_all(l->term);
		l->dirty = l->at_once = true;
		break;
	case SIGTSTP:
		suspend(l, handle);
		break;
	case SIGCONT:
		if (!l->lent)
			loop_take_terminal(l);
		break;
	case SIGINT:
		interrupted(l);
		break;
	default:
		loop_end(l, 128 + sig);
	}
}

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* All of them before newterm(), or ncurses would install its own. */
static void start_signals(struct loop *l)
{
	static const int numbers[LOOP_SIGNALS] = { SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM,
		SIGHUP };

	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < LOOP_SIGNALS; i++) {
		uv_signal_init(&l->uv, &l->signals[i]);
		l->signals[i].data = l;
		if (numbers[i] != SIGHUP || !is_ignored(SIGHUP))	/* nohup means it */
			uv_signal_start(&l->signals[i], on_signal, numbers[i]);
	}
}

/* ---- start ---------------------------------------------------------------- */

static void no_work(uv_work_t *work)
{
	(void)work;
}

static void no_news(uv_work_t *work, int status)
{
	(void)work;
	(void)status;
}

/* The pool's threads inherit a full mask: signals come to the main thread. The
 * size is for this process alone, not for the programs that it starts. */
static void start_pool(struct loop *l)
{
	bool was_set = getenv("UV_THREADPOOL_SIZE") != NULL;
	sigset_t all, before;
	char size[16];

	snprintf(size, sizeof size, "%d", LOOP_POOL_THREADS);
	setenv("UV_THREADPOOL_SIZE", size, 1);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	uv_queue_work(&l->uv, &l->first_work, no_work, no_news);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!was_set)
		unsetenv("UV_THREADPOOL_SIZE");
}

static void on_progress(uv_async_t *handle)
{
	struct loop *l = handle->data;

	l->dirty = true;
}

static void start_handles(struct loop *l)
{
	uv_prepare_init(&l->uv, &l->prepare);
	uv_timer_init(&l->uv, &l->frame);
	uv_timer_init(&l->uv, &l->stay);
	uv_timer_init(&l->uv, &l->working);
	uv_async_init(&l->uv, &l->progress, on_progress);
	l->prepare.data = l->frame.data = l->stay.data = l->working.data = l->progress.data = l;
}

static void close_handle(uv_handle_t *handle, void *user)
{
	(void)user;
	if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

/* Of a loop that never ran: all its handles are its own. */
static void abandon(struct loop *l)
{
	uv_walk(&l->uv, close_handle, NULL);
	uv_run(&l->uv, UV_RUN_DEFAULT);
	uv_loop_close(&l->uv);
	term_close(l->term);
	canvas_release(&l->canvas);
	free(l);
}

static int watch_terminal(struct loop *l)
{
	int rc = uv_poll_init(&l->uv, &l->input, term_fd(l->term));

	if (rc == 0) {
		l->input.data = l;
		rc = loop_listen(l);
	}
	return rc == 0 ? 0
		       : err_set(ERR_IO, "the terminal cannot be waited for: %s", uv_strerror(rc));
}

int loop_open(struct loop **out, const struct loop_events *events, void *user,
	      const struct term_options *options)
{
	struct loop *l = xcalloc(1, sizeof *l);
	int rc;

	setlocale(LC_CTYPE, "");
	uv_loop_init(&l->uv);
	l->events = *events;
	l->user = user;
	start_signals(l);
	start_handles(l);
	canvas_init(&l->canvas, 1, 1);
	rc = term_open(&l->term, options);
	if (rc == 0)
		rc = watch_terminal(l);
	if (rc < 0) {
		abandon(l);
		return rc;
	}
	l->canvas.ascii = term_ascii(l->term);
	l->canvas.emoji = options->emoji;
	start_pool(l);
	uv_prepare_start(&l->prepare, on_prepare);
	l->dirty = true;
	*out = l;
	return 0;
}

struct term *loop_term(struct loop *l)
{
	return l->term;
}

int loop_run(struct loop *l)
{
	uv_run(&l->uv, UV_RUN_DEFAULT);
	return l->code;
}

void loop_stop(struct loop *l, int code)
{
	l->code = code;
	uv_stop(&l->uv);
}

/* ---- quit ----------------------------------------------------------------- */

static void on_drained(uv_timer_t *timer)
{
	*(bool *)timer->data = true;
}

static void drain(struct loop *l)
{
	bool over = false;

	l->frame.data = &over;
	uv_timer_start(&l->frame, on_drained, DRAIN_MS, 0);
	while (l->jobs && !over)
		uv_run(&l->uv, UV_RUN_ONCE);
}

void loop_quit(struct loop *l, int code)
{
	jobs_cancel_all(l);
	uv_poll_stop(&l->input);
	uv_prepare_stop(&l->prepare);
	for (int i = 0; i < LOOP_SIGNALS; i++)
		uv_signal_stop(&l->signals[i]);
	term_close(l->term);
	drain(l);
	fflush(NULL);
	_exit(code);
}

/* ---- timers --------------------------------------------------------------- */

struct loop_timer {
	uv_timer_t uv;
	loop_fn *fn;
	void *user;
};

static void on_timer(uv_timer_t *handle)
{
	struct loop_timer *t = handle->data;

	t->fn(t->user);
}

struct loop_timer *loop_timer_new(struct loop *l, loop_fn *fn, void *user)
{
	struct loop_timer *t = xcalloc(1, sizeof *t);

	uv_timer_init(&l->uv, &t->uv);
	t->uv.data = t;
	t->fn = fn;
	t->user = user;
	return t;
}

void loop_timer_start(struct loop_timer *t, uint64_t after_ms, uint64_t every_ms)
{
	uv_timer_start(&t->uv, on_timer, after_ms, every_ms);
}

void loop_timer_stop(struct loop_timer *t)
{
	uv_timer_stop(&t->uv);
}

static void free_timer(uv_handle_t *handle)
{
	free(handle->data);
}

void loop_timer_free(struct loop_timer *t)
{
	if (t)
		uv_close((uv_handle_t *)&t->uv, free_timer);
}
