/*
 * term_demo - the smallest program on terminal, loop, list and prompt: what the
 * scripts of tests/e2e drive to prove ^Z, resizing, paste, hostile text, crash
 * and idle without a view in the way.
 *
 *	/ search  & filter  e editor  y copy  J job  S stream  M mouse  X abort  Q quit
 */
#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "command/key.h"
#include "ui/job.h"
#include "ui/layout.h"
#include "ui/list.h"
#include "ui/loop.h"
#include "ui/prompt.h"
#include "ui/status.h"

enum { ROWS = 40, STREAM_MS = 1 };

struct demo {
	struct loop *loop;
	struct list list;
	struct prompt prompt;
	bool prompting, filtering, mono;
	struct job_slot job;
	struct loop_timer *stream;
	long streamed, jobs;
	struct arena arena;
	char message[256];
};

static const char *const hostile[] = {
	"plain text to begin with",
	"escape \033[31mred\033[0m and the rest",
	"c1 \xc2\x9b" "31m and \x9b raw, the rest",
	"bidi \xe2\x80\xae" "reversed\xe2\x80\xac the rest",
	"bad \xff\xfe utf-8, the rest",
	"wide \xe6\xbc\xa2\xe5\xad\x97 and e\xcc\x81, the rest",
	"emoji \xf0\x9f\xa7\xaa and \xe2\x9a\xa0\xef\xb8\x8f, the rest",
	"tab\there, bell \a, nul-free",
	"title \033]0;owned\a the rest",
};

static long count_rows(void *user)
{
	(void)user;
	return ROWS;
}

static void show_cell(void *user, long row, int column, struct list_cell *out)
{
	(void)user;
	if (column == 0) {
		buf_addf(out->text, "%ld", row + 1);
		out->style = STYLE_IDENTIFIER;
	} else if (column == 2) {
		buf_adds(out->text, row % 2 ? "+ confirmed" : "! REFUTED");
		out->style = row % 2 ? STYLE_GOOD : STYLE_BAD;
	} else if (row < (long)ARRAY_LEN(hostile)) {
		buf_adds(out->text, hostile[row]);
	} else {
		buf_addf(out->text, "row number %ld", row + 1);
	}
}

static const struct list_column columns[] = {
	{ "#", 4, 0, 0, true }, { "what", 20, 1, 0, false }, { "result", 11, 0, 1, false },
};

static const struct list_source source = {
	.columns = columns, .n_columns = ARRAY_LEN(columns), .count = count_rows, .cell = show_cell,
	.empty = "nothing here",
};

/* ---- work ------------------------------------------------------------------ */

static int sleep_a_little(struct job *job, void *input, void **result)
{
	struct timespec step = { 0, 5000000 };

	(void)input;
	for (int i = 0; i < 60; i++) {
		if (job_is_cancelled(job))
			return err_set(ERR_CANCELLED, "cancelled");
		job_set_progress(job, i, 60);
		nanosleep(&step, NULL);
	}
	*result = xstrdup("done");
	return 0;
}

static void on_job(void *user, int code, void *result, const char *sentence)
{
	struct demo *d = user;

	d->jobs++;
	snprintf(d->message, sizeof d->message, "job %s %ld", code < 0 ? sentence : (char *)result,
		d->jobs);
	free(result);
}

static void on_stream(void *user)
{
	struct demo *d = user;

	d->streamed++;
	loop_touch(d->loop);
}

static void on_editor(void *user, int status)
{
	struct demo *d = user;

	snprintf(d->message, sizeof d->message, "editor ended with %d", status);
}

/* ---- events ---------------------------------------------------------------- */

static void edit(struct demo *d)
{
	if (loop_lend(d->loop, loop_editor_argv(&d->arena, NULL, "notes.txt", 7), on_editor, d) < 0)
		snprintf(d->message, sizeof d->message, "%s", err_text());
}

static void toggle_stream(struct demo *d)
{
	if (d->stream) {
		loop_timer_free(d->stream);
		d->stream = NULL;
		return;
	}
	d->stream = loop_timer_new(d->loop, on_stream, d);
	loop_timer_start(d->stream, STREAM_MS, STREAM_MS);
}

static void open_prompt(struct demo *d, bool filter)
{
	d->filtering = filter;
	d->prompting = true;
	prompt_release(&d->prompt);
	prompt_init(&d->prompt, filter ? "filter: " : "/");
}

static void command(struct demo *d, uint32_t key)
{
	static const struct job_kind kind = { "sleeping", sleep_a_little, NULL, free, JOB_SCREEN };

	switch (key) {
	case '/': case '&':
		open_prompt(d, key == '&');
		break;
	case 'n':
		list_search(&d->list, 1);
		break;
	case 'e':
		edit(d);
		break;
	case 'y':
		if (term_copy(loop_term(d->loop), "hello", 5) == 0)
			snprintf(d->message, sizeof d->message, "copied");
		break;
	case 'J':
		job_start(&d->job, d->loop, &kind, NULL, on_job, d);
		break;
	case 'S':
		toggle_stream(d);
		break;
	case 'M':
		term_set_mouse(loop_term(d->loop), !term_has_mouse(loop_term(d->loop)));
		break;
	case 'X':
		abort();
	case 'Q':
		loop_stop(d->loop, 0);
		break;
	default:
		list_key(&d->list, key);
	}
}

static void accept_prompt(struct demo *d)
{
	if (d->filtering)
		list_set_filter(&d->list, d->prompt.text.s);
	else
		list_set_search(&d->list, d->prompt.text.s);
	if (!d->filtering && !list_search(&d->list, 1))
		snprintf(d->message, sizeof d->message, "not found: %zu bytes", d->prompt.text.n);
	d->prompting = false;
}

static void on_key(struct demo *d, uint32_t key)
{
	if (!d->prompting) {
		command(d, key);
		return;
	}
	switch (prompt_key(&d->prompt, key)) {
	case OUTCOME_ACCEPT:
		accept_prompt(d);
		break;
	case OUTCOME_CANCEL:
		d->prompting = false;
		break;
	case OUTCOME_UNUSED: case OUTCOME_USED: case OUTCOME_CHANGED:
		break;
	}
}

static void on_input(void *user, const struct term_event *e)
{
	struct demo *d = user;
	long row;

	switch (e->type) {
	case TERM_KEY:
		on_key(d, e->key);
		break;
	case TERM_PASTE:
		if (!d->prompting)
			snprintf(d->message, sizeof d->message, "paste refused: %zu bytes",
				e->text_n);
		else
			prompt_paste(&d->prompt, e->text, e->text_n);
		break;
	case TERM_CLICK:
		row = list_row_at(&d->list, e->row, e->col);
		if (row >= 0)
			list_select(&d->list, row);
		break;
	case TERM_WHEEL:
		list_move(&d->list, e->notch < 0 ? MOTION_UP : MOTION_DOWN);
		break;
	}
}

static void on_interrupt(void *user)
{
	struct demo *d = user;

	d->prompting = false;
	snprintf(d->message, sizeof d->message, "interrupted");
}

static void draw(void *user, struct canvas *c)
{
	static const struct status_key keys[] = { { "Enter", "open" }, { "/", "search" },
		{ "Q", "quit" } };
	struct demo *d = user;
	struct frame_layout l = layout_frame(c->rows, c->cols);
	struct status_lines s = { .title = "demo", .subject = "terminal", .message = d->message,
			    .keys = keys, .n_keys = ARRAY_LEN(keys) };

	if (l.too_small) {
		canvas_put_fit(c, l.body, 0, 0, c->cols, ALIGN_LEFT, STYLE_TEXT, "needs 40x8");
		return;
	}
	status_draw_title(&s, c, l.title);
	list_draw(&d->list, c, l.body);
	status_draw_message(&s, c, l.message);
	canvas_putf(c, l.tabs, 0, 1, STYLE_DIM, "size %dx%d", c->cols, c->rows);
	if (d->stream)
		canvas_putf(c, l.tabs, 0, 20, STYLE_TEXT, "stream %ld", d->streamed);
	if (d->prompting)
		prompt_draw(&d->prompt, c, l.footer);
	else
		status_draw_footer(&s, c, l.footer);
}

int main(int argc, char **argv)
{
	static const struct loop_events events = { on_input, draw, on_interrupt, NULL };
	struct term_options options = { .color = COLOR_AUTO };
	struct demo d = { .message = "ready" };

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--ascii") == 0)
			options.ascii = true;
		if (strcmp(argv[i], "--color=never") == 0)
			options.color = COLOR_NEVER;
	}
	list_init(&d.list, &source, &d);
	list_reload(&d.list);
	prompt_init(&d.prompt, "");
	if (loop_open(&d.loop, &events, &d, &options) < 0) {
		fprintf(stderr, "term_demo: %s\n", err_text());
		list_release(&d.list);
		prompt_release(&d.prompt);
		return 3;
	}
	loop_quit(d.loop, loop_run(d.loop));
}
