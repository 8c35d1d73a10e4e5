/*
 * loop_private - what loop.c, loop_feed.c, loop_lend.c, loop_watch.c and job.c share; nobody
 * else includes it.
 */
#ifndef PORTSIDE_UI_LOOP_PRIVATE_H
#define PORTSIDE_UI_LOOP_PRIVATE_H

#include <uv.h>

#include "ui/canvas.h"
#include "ui/loop.h"

enum { LOOP_POOL_THREADS = 4, LOOP_SIGNALS = 6 };

struct job;
struct loop_feed;

struct loop {
	uv_loop_t uv;
	uv_poll_t input;
	uv_prepare_t prepare;
	uv_timer_t frame;		/* the rest of a frame's time, while data streams */
	uv_timer_t stay;		/* tells that a stop did not happen */
	uv_timer_t working;		/* only while jobs are at work: their time is shown */
	uv_async_t progress;		/* a job has news for the status line */
	uv_signal_t signals[LOOP_SIGNALS];
	uv_process_t lent_process;
	uv_work_t first_work;

	struct loop_events events;
	void *user;
	struct term *term;
	struct canvas canvas;

	bool dirty, at_once;		/* something to draw; without waiting */
	bool away;			/* left for a stop, not yet continued */
	bool lent;			/* another program has the terminal */
	bool drew;
	bool ended;			/* ENDING was told */
	int code;
	uint64_t drawn_ms;

	struct loop_feed *feed;		/* a program that reads a text; NULL: none */
	loop_lent_fn *lent_done;
	void *lent_user;

	struct job *jobs;		/* all that are queued or run */
	struct job *waiting;		/* background ones that hold no thread yet */
	int background;			/* background ones that do */
	int awaited;			/* those that the screen waits for */
};

/* Everything of the terminal, again: after fg and after the editor. */
void loop_take_terminal(struct loop *l);
int loop_listen(struct loop *l);
/* The loop ends with CODE after the owner was told. */
void loop_end(struct loop *l, int code);

/* Sets every flag, and forgets the slots: nothing is delivered any more. */
void jobs_cancel_all(struct loop *l);

#endif
