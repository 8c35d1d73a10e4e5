/* app_call - runs a command on the pool and shows what it answers; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/open.h"
#include "command/operation.h"

/* What one call needs for itself on its thread. */
struct request {
	struct arena arena;
	const struct operation *operation;
	char **words;
	size_t n_words;
	const char *directory, *program;
	bool read_only;
	int columns;
};

struct answer { char *title, *text, *message; bool no, is_table; };

static void request_free(void *p)
{
	struct request *r = p;

	arena_release(&r->arena);
	free(r);
}

static void answer_free(void *p)
{
	struct answer *a = p;

	free(a->title);
	free(a->text);
	free(a->message);
	free(a);
}

static void report_progress(void *user, const char *what, int64_t done, int64_t total)
{
	(void)what;
	job_set_progress(user, done, total);
}

static struct answer *answer_of(const struct operation *o, const struct call *c)
{
	struct answer *out = xcalloc(1, sizeof *out);
	struct buf b = BUF_INIT;

	if (c->table)
		report_table_text(c->table, &b, NULL);
	else
		buf_add(&b, c->text.s, c->text.n);
	out->title = xasprintf("%s%s", o->help, c->no ? ": no" : "");
	out->text = buf_detach(&b);
	out->message = c->message ? xstrdup(c->message) : NULL;
	out->no = c->no;
	out->is_table = c->table != NULL;
	return out;
}

static int call(struct request *r, struct job *job, struct workspace *ws, struct answer **out)
{
	struct call c = { .workspace = ws, .directory = r->directory, .program = r->program,
			  .arena = &r->arena, .from_screen = true,
			  .columns = r->columns, .out_fd = -1,
			  .progress = { report_progress, job, job_cancel_flag(job) } };
	int rc;

	buf_init(&c.text);
	rc = operation_parse(&c.values, &c.n_values, &r->arena, r->operation,
			     (const char *const *)r->words, r->n_words);
	if (rc == 0)
		rc = operation_call(r->operation, &c);
	if (rc == 0)
		*out = answer_of(r->operation, &c);
	buf_release(&c.text);
	return rc < 0 ? rc : 0;
}

static int run(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct opened opened = { 0 };
	struct answer *answer = NULL;
	int rc = 0;

	if (!(r->operation->flags & OPERATION_NO_WORKSPACE))
		rc = open_migration(&opened, r->operation, &how);
	if (rc == 0)
		rc = call(r, job, opened.workspace, &answer);
	opened_release(&opened);
	*result = answer;
	return rc;
}

/* Lines of prose are wrapped, rows of a table are not. */
static void show_words(struct app *a, const struct answer *answer)
{
	if (*answer->text && strchr(answer->text, '\n') != strrchr(answer->text, '\n')) {
		app_show_text(a, answer->title, answer->text);
		a->text.wrap = !answer->is_table;
	} else if (*answer->text && !answer->message) {
		app_say(a, "%.*s", (int)strcspn(answer->text, "\n"), answer->text);
	}
}

static void on_answer(void *user, int code, void *result, const char *sentence)
{
	struct app *a = user;
	struct answer *answer = result;

	bool waits = a->dialog_waits && a->layer == APP_DIALOG;

	if (code < 0 && waits) {	/* what was written stays in the form */
		a->dialog.keys = NULL;
		a->dialog_waits = false;
		dialog_complain(&a->dialog, sentence);
		if (a->dialog_refused)
			a->dialog_refused(a->answer_user, &a->dialog, code);
		app_touch(a);
		return;
	}
	if (code < 0) {
		app_complain(a, "%s", sentence);
		return;
	}
	if (waits)
		app_close_layer(a);
	if (answer->message)
		app_say(a, "%s", answer->message);
	show_words(a, answer);
	answer_free(answer);
	app_changed(a, CHANGED_LOG | CHANGED_FILES);
}

void app_call(struct app *a, const struct operation *o, const char *const *words, size_t n)
{
	static const struct job_kind kind = { "at work", run, request_free, answer_free, JOB_CALL };
	struct request *r = xcalloc(1, sizeof *r);

	r->operation = o;
	r->words = arena_alloc(&r->arena, (n + 1) * sizeof *r->words);
	r->n_words = n;
	for (size_t i = 0; i < n; i++)
		r->words[i] = arena_strdup(&r->arena, words[i]);
	r->directory = a->host.directory;
	r->program = a->host.program;
	r->read_only = a->host.read_only;
	r->columns = a->columns;
	if (job_is_running(&a->call) && (o->flags & OPERATION_WRITES)) {
		request_free(r);
		app_complain(a, "another operation is at work; C-c cancels it");
		return;
	}
	job_start(&a->call, a->loop, &kind, r, on_answer, a);
}

void app_operate(struct app *a, const struct operation *o, const char *arguments)
{
	struct arena arena = ARENA_INIT;
	char **words;
	size_t n;

	if (o->flags & OPERATION_WRITES && !app_may_write(a))
		return;
	words = text_words(&arena, arguments, &n);
	/* With words given, a command of the table needs no form of the screen's. */
	if ((!o->run || !n) && app_perform(a, o))
		n = 0;
	else if (!app_ask_arguments(a, o, words, n))
		app_call(a, o, (const char *const *)words, n);
	arena_release(&arena);
}
