/* job - see job.h.  Lists belong to the main thread; flags and progress are atomic. */
#include "config.h"

#include "ui/job.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "ui/loop_private.h"

enum { TELL_AFTER_MS = 200 };

enum job_state { JOB_WAITING, JOB_QUEUED };

struct job {
	uv_work_t work;
	struct loop *loop;		/* NULL: done at once */
	const struct job_kind *kind;
	void *input, *result;
	int code;
	char *sentence;			/* of the pool thread's error */
	struct job_slot *slot;		/* NULL once it was superseded */
	job_done_fn *done;
	void *user;
	enum job_state state;
	int64_t since_ns;
	atomic_bool cancel;
	_Atomic int64_t progress_done, progress_total;
	_Atomic(const char *) stage;	/* NULL: the kind's name */
	struct job *next;
};

/* ---- lists ---------------------------------------------------------------- */

static void push(struct job **list, struct job *job)
{
	while (*list)
		list = &(*list)->next;
	job->next = NULL;
	*list = job;
}

static void take_out(struct job **list, const struct job *job)
{
	while (*list && *list != job)
		list = &(*list)->next;
	if (*list)
		*list = job->next;
}

static void job_free(struct job *job)
{
	if (job->kind->free_input && job->input)
		job->kind->free_input(job->input);
	free(job->sentence);
	free(job);
}

/* ---- running -------------------------------------------------------------- */

static void run(struct job *job)
{
	err_clear();
	job->code = job->kind->run(job, job->input, &job->result);
	if (job->code < 0)
		job->sentence = xstrdup(err_text());
}

static void deliver(struct job *job)
{
	struct job_slot *slot = job->slot;

	if (!slot) {
		if (job->result)
			job->kind->free_result(job->result);
		return;
	}
	slot->current = NULL;
	if (job->code < 0 && job->result) {
		job->kind->free_result(job->result);
		job->result = NULL;
	}
	job->done(job->user, job->code, job->result, job->sentence ? job->sentence : "");
}

static void start_waiting(struct loop *l);

static void on_work(uv_work_t *work)
{
	run(work->data);
}

static void on_after(uv_work_t *work, int status)
{
	struct job *job = work->data;
	struct loop *l = job->loop;

	take_out(&l->jobs, job);
	if (job->kind->job_class == JOB_BACKGROUND)
		l->background--;
	if (job->kind->job_class == JOB_SCREEN)
		l->awaited--;
	if (status == UV_ECANCELED)
		job->slot = NULL;
	if (!l->jobs)
		uv_timer_stop(&l->working);
	deliver(job);
	job_free(job);
	loop_touch(l);
	start_waiting(l);
}

static void on_working(uv_timer_t *timer)
{
	loop_touch(timer->data);
}

static void enqueue(struct loop *l, struct job *job)
{
	if (!l->jobs)
		uv_timer_start(&l->working, on_working, TELL_AFTER_MS + 1, 1000);
	job->state = JOB_QUEUED;
	if (job->kind->job_class == JOB_BACKGROUND)
		l->background++;
	if (job->kind->job_class == JOB_SCREEN)
		l->awaited++;
	push(&l->jobs, job);
	uv_queue_work(&l->uv, &job->work, on_work, on_after);
}

/* Nothing takes processors and the disk from what the screen waits for, and one
 * thread stays free for what it will ask next. */
static void start_waiting(struct loop *l)
{
	while (l->waiting && !l->awaited && l->background < LOOP_POOL_THREADS - 1) {
		struct job *job = l->waiting;

		l->waiting = job->next;
		enqueue(l, job);
	}
}

static void run_at_once(struct job *job)
{
	run(job);
	deliver(job);
	job_free(job);
}

void job_start(struct job_slot *slot, struct loop *l, const struct job_kind *kind, void *input,
	       job_done_fn *done, void *user)
{
	struct job *job = xcalloc(1, sizeof *job);

	job_cancel(slot);
	job->loop = l;
	job->kind = kind;
	job->input = input;
	job->slot = slot;
	job->done = done;
	job->user = user;
	job->work.data = job;
	job->since_ns = clock_boot_ns();
	slot->current = job;
	if (!l) {
		run_at_once(job);
	} else if (kind->job_class == JOB_BACKGROUND) {
		push(&l->waiting, job);
		start_waiting(l);
	} else {
		enqueue(l, job);
	}
}

void job_cancel(struct job_slot *slot)
{
	struct job *job = slot->current;

	if (!job)
		return;
	slot->current = NULL;
	job->slot = NULL;
	atomic_store(&job->cancel, true);
	if (!job->loop)
		return;
	if (job->state == JOB_WAITING) {
		take_out(&job->loop->waiting, job);
		job_free(job);
		return;
	}
	uv_cancel((uv_req_t *)&job->work);	/* EBUSY once it runs: the flag tells it */
}

bool job_is_running(const struct job_slot *slot)
{
	return slot->current != NULL;
}

void jobs_cancel_all(struct loop *l)
{
	for (struct job *job = l->waiting, *next; job; job = next) {
		next = job->next;
		if (job->slot)
			job->slot->current = NULL;
		job_free(job);
	}
	l->waiting = NULL;
	for (struct job *job = l->jobs; job; job = job->next) {
		if (job->slot)
			job->slot->current = NULL;
		job->slot = NULL;
		atomic_store(&job->cancel, true);
		uv_cancel((uv_req_t *)&job->work);
	}
}

/* ---- the pool thread's side ------------------------------------------------ */

bool job_is_cancelled(const struct job *job)
{
	return atomic_load(&job->cancel);
}

const atomic_bool *job_cancel_flag(const struct job *job)
{
	return &job->cancel;
}

void job_set_progress(struct job *job, int64_t done, int64_t total)
{
	atomic_store(&job->progress_done, done);
	atomic_store(&job->progress_total, total);
	if (job->loop)
		uv_async_send(&job->loop->progress);
}

void job_set_stage(struct job *job, const char *name, int64_t done, int64_t total)
{
	atomic_store(&job->stage, name);
	job_set_progress(job, done, total);
}

bool job_longest(struct loop *l, struct job_progress *out)
{
	int64_t now = clock_boot_ns();
	const struct job *longest = NULL;

	for (const struct job *job = l ? l->jobs : NULL; job; job = job->next)
		if (job->slot && now - job->since_ns >= TELL_AFTER_MS * NS_PER_MS &&
		    (!longest || job->since_ns < longest->since_ns))
			longest = job;
	if (!longest)
		return false;
	out->name = atomic_load(&longest->stage);
	if (!out->name)
		out->name = longest->kind->name;
	out->done = atomic_load(&longest->progress_done);
	out->total = atomic_load(&longest->progress_total);
	out->since_ns = longest->since_ns;
	return true;
}
