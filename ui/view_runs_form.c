/*
 * view_runs_form - forms of view 3: start a run, end one, watch one again; see
 * view_runs.h.  Each says first what will happen and what it may cost.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "command/open.h"
#include "command/operation.h"
#include "command/run_offer.h"
#include "command/screen_operation.h"
#include "ui/view_runs.h"

enum { TARGETS_MAX = 9 };

/* What a form needs, read on the pool, and its choices until it closes. */
struct form {
	struct arena arena;
	char *subject;
	struct run_offer offer;
	struct run_row row;			/* of the run that shall end */
	bool has_row;
	struct dialog_choice kinds[2], targets[TARGETS_MAX], ways[2];
};

struct request { char *directory, *subject, *run; bool read_only; };

static void request_free(void *p)
{
	struct request *r = p;

	free(r->directory);
	free(r->subject);
	free(r->run);
	free(r);
}

static void form_free(void *p)
{
	struct form *f = p;

	if (!f)
		return;
	arena_release(&f->arena);
	free(f->subject);
	free(f);
}

static int read_row(struct form *f, struct workspace *ws, const char *run)
{
	struct run_rows rows;
	int rc = run_rows_read(&rows, ws, NULL, &f->arena);

	for (size_t i = 0; rc == 0 && i < rows.n; i++)
		if (strcmp(rows.rows[i].state->id, run) == 0) {
			f->row = rows.rows[i];
			f->has_row = true;
		}
	if (rc == 0 && !f->has_row)
		rc = err_set(ERR_NOT_FOUND, "run %s is not in the log", run);
	return rc;
}

static int read_form(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct form *f = xcalloc(1, sizeof *f);
	struct opened opened;
	int rc = open_migration(&opened, NULL, &how);

	(void)job;
	f->subject = xstrdup(r->subject);
	if (rc == 0 && *r->run)
		rc = read_row(f, opened.workspace, r->run);
	else if (rc == 0)
		rc = run_offer_read(&f->offer, opened.workspace, r->subject, &f->arena);
	opened_release(&opened);
	*result = f;
	return rc;
}

static void read_for_form(struct app *a, const char *subject, const char *run, job_done_fn *done)
{
	static const struct job_kind kind = { "run", read_form, request_free, form_free,
		JOB_SCREEN };
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = xstrdup(a->host.directory);
	r->subject = xstrdup(subject);
	r->run = xstrdup(run);
	r->read_only = a->host.read_only;
	job_start(&a->facts, a->loop, &kind, r, done, a);
}

/* ---- start a run ----------------------------------------------------------------------- */

/* "smoke at most $0.16", "smoke: cost unknown". */
static void add_bound(struct buf *b, const char *kind, int64_t nano_usd)
{
	buf_adds(b, kind);
	if (nano_usd < 0) {
		buf_adds(b, ": cost unknown");
		return;
	}
	buf_adds(b, " at most ");
	units_add_money(b, nano_usd);
}

static void add_most(struct buf *b, int64_t nano_usd)
{
	if (nano_usd < 0)
		buf_adds(b, "unknown");
	else
		units_add_money(b, nano_usd);
}

static void add_kind(struct buf *b, const char *name, const struct run_offer_kind *k)
{
	if (!k->configured) {
		buf_addf(b, "%s: not in the accepted portside.conf\n", name);
		return;
	}
	buf_addf(b, "%s: ", name);
	if (k->limit_ns)
		clock_add_duration(b, k->limit_ns);
	buf_adds(b, k->limit_ns ? " at most" : "NO time limit");
	if (k->budget_nano_usd) {
		buf_adds(b, ", budget ");
		units_add_money(b, k->budget_nano_usd);
	}
	buf_addf(b, ": %s\n", k->command);
	if (!k->checkable)
		buf_adds(b,
			"  no steps, done or artifact is declared: exit 0 will stay unknown, "
			"never L0\n");
}

static size_t shown_targets(const struct run_offer *o)
{
	return o->n_targets < TARGETS_MAX ? o->n_targets : TARGETS_MAX;
}

/* "sim-tpu-4  smoke at most $0.16, full at most $0.80, not yet; a stand-in" */
static const char *target_label(struct arena *a, const struct run_offer_target *t, int name_width)
{
	struct buf b = BUF_INIT;
	const char *label;

	buf_addf(&b, "%-*s  ", name_width, t->name);
	add_bound(&b, "smoke", t->most_nano_usd[0]);
	add_bound(&b, ", full", t->most_nano_usd[1]);
	buf_addf(&b, "%s%s", t->gate ? ", not yet" : "", t->simulates ? "; a stand-in" : "");
	label = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return label;
}

/* What keeps full runs back is the same for most targets: told once. */
static void add_gate(struct buf *b, const struct run_offer *o)
{
	for (size_t i = 0; i < shown_targets(o); i++)
		if (o->targets[i].gate) {
			buf_addf(b, "full not yet: %s\n", o->targets[i].gate);
			return;
		}
}

/* Where a doubt hangs on the target, that of the one that levels are proven on, else of
 * the first that has any. */
static void add_doubts(struct buf *b, const struct run_offer *o)
{
	const char *doubts = "";

	for (size_t i = 0; i < o->n_targets; i++)
		if (*o->targets[i].doubts && (!*doubts ||
			strcmp(o->targets[i].name, o->intended) == 0))
			doubts = o->targets[i].doubts;
	if (*doubts)
		buf_addf(b, "%s\n", doubts);
}

static void describe_offer(struct buf *b, const struct run_offer *o)
{
	buf_addf(b, "A clean checkout of %.7s. Commands are the accepted ones.\n", o->commit);
	if (*o->live)
		buf_addf(b, "Under way: %s\n", o->live);
	add_kind(b, "smoke", &o->kinds[0]);
	add_kind(b, "full", &o->kinds[1]);
	buf_adds(b, "prices: ");
	for (size_t i = 0; i < shown_targets(o); i++)
		buf_addf(b, "%s%s %s", i ? "; " : "", o->targets[i].name, o->targets[i].price);
	buf_addc(b, '\n');
	add_gate(b, o);
	add_doubts(b, o);
	if (o->n_targets > TARGETS_MAX)
		buf_addf(b, "%zu more targets: portside run --target NAME\n",
			o->n_targets - TARGETS_MAX);
	buf_trim_end(b);
}

static const struct run_offer_target *target_of(const struct form *f, const char *name)
{
	for (size_t i = 0; i < f->offer.n_targets; i++)
		if (strcmp(f->offer.targets[i].name, name) == 0)
			return &f->offer.targets[i];
	return NULL;
}

/* Refused by the gate: the smoke first, or a decision on record. */
static void on_refused(void *user, struct app *a, struct dialog *d)
{
	const struct form *f = user;
	const char *subject = f->subject;
	const struct operation *o = operation_find("decide");
	struct arena arena = ARENA_INIT;
	const char *words[] = { "full-run-anyway",
		arena_printf(&arena, "--subject=attempt:%s", subject),
		arena_printf(&arena, "--reason=%s", dialog_text(d, "reason")) };

	if (strcmp(dialog_text(d, "way"), "decide") != 0)
		app_say(a, "nothing was started");
	else if (!*dialog_text(d, "reason"))
		dialog_complain(d, "a decision needs its reason");
	else if (o)
		app_call(a, o, words, ARRAY_LEN(words));
	arena_release(&arena);
}

static void open_refusal(struct app *a, const struct form *was, const struct run_offer_target *t)
{
	struct form *f = xcalloc(1, sizeof *f);
	char *title = xasprintf("no full run of %s on %s yet", was->subject, t->name);
	char *why = xasprintf(
		"%s.\n\nThe smoke run comes first, since it costs at most a few minutes. "
		"Or decide, as a person and with a "
		"reason, that the full run is made anyway; r starts it afterwards.",
		t->gate);
	struct dialog *d;

	f->subject = xstrdup(was->subject);
	f->ways[0] = (struct dialog_choice){ 'l', "later", "leave it" };
	f->ways[1] = (struct dialog_choice){ 'd', "decide", "decide: full run anyway" };
	d = app_new_dialog(a, title);	/* WAS and T are gone from here on */
	app_dialog_owns(a, f, form_free);
	dialog_add_info(d, why);
	dialog_add_choice(d, "way", f->ways, 2);
	dialog_add_text(d, "reason", "reason", "", 0);
	app_open_dialog(a, on_refused, f);
	free(title);
	free(why);
}

/* The cursor goes to what was started, when the rows have it. */
static void expect_run(struct app *a)
{
	for (int i = 0; i < a->n_views; i++)
		if (a->views[i].type == &runs_view && a->views[i].is_open)
			((struct runs_view *)view_state(&a->views[i]))->expects_run = true;
}

static void on_start(void *user, struct app *a, struct dialog *d)
{
	const struct form *f = user;
	const char *kind = dialog_text(d, "kind"), *target = dialog_text(d, "target");
	const struct run_offer_target *t = target_of(f, target);
	struct arena arena = ARENA_INIT;
	const char *words[] = { f->subject, arena_printf(&arena, "--kind=%s", kind),
		arena_printf(&arena, "--target=%s", target),
		arena_printf(&arena, "--seed=%lld", (long long)dialog_number(d, "seed")),
		"--probe" };
	size_t n = ARRAY_LEN(words) - (dialog_checked(d, "probe") ? 0 : 1);

	if (!t)
		dialog_complain(d, "choose a target");
	else if (strcmp(kind, "full") == 0 && t->gate)
		open_refusal(a, f, t);
	else {
		expect_run(a);
		app_call(a, operation_find("run"), words, n);
	}
	arena_release(&arena);
}

static void fill_choices(struct form *f)
{
	const struct run_offer *o = &f->offer;
	int width = 1;

	f->kinds[0] = (struct dialog_choice){ 's', "smoke", "smoke" };
	f->kinds[1] = (struct dialog_choice){ 'f', "full", "full" };
	for (size_t i = 0; i < shown_targets(o); i++)
		if ((int)strlen(o->targets[i].name) > width)
			width = (int)strlen(o->targets[i].name);
	for (size_t i = 0; i < shown_targets(o); i++)
		f->targets[i] = (struct dialog_choice){ (char)('1' + i), o->targets[i].name,
			target_label(&f->arena, &o->targets[i], width) };
}

static void on_offer(void *user, int code, void *result, const char *sentence)
{
	struct app *a = user;
	struct form *f = result;
	struct buf b = BUF_INIT;
	struct dialog *d;

	if (code < 0 || f->offer.refusal) {
		app_complain(a, "%s", code < 0 ? sentence : f->offer.refusal);
		if (code == 0)
			form_free(f);
		return;
	}
	fill_choices(f);
	describe_offer(&b, &f->offer);
	d = app_new_dialog(a,
		arena_printf(&f->arena, "run %s%s",
			strcmp(f->subject, "reference") == 0 ? "the " : "attempt ", f->subject));
	app_dialog_owns(a, f, form_free);
	dialog_add_info(d, b.s);
	dialog_add_info(d, "what:");
	dialog_add_choice(d, "kind", f->kinds, f->offer.kinds[1].configured ? 2 : 1);
	dialog_add_info(d, "where:");
	dialog_add_choice(d, "target", f->targets, (int)shown_targets(&f->offer));
	dialog_add_number(d, "seed", "seed", 1, 0, INT32_MAX);
	dialog_add_check(d, "probe", "Python programs: record what training really does (--probe)",
		false);
	d->keys = "Enter starts it   Esc starts nothing";
	app_open_dialog(a, on_start, f);
	buf_release(&b);
}

/* The attempt that is selected; in a migration without attempts the reference. */
static void start(struct app *a)
{
	const struct view *v = app_view(a);
	const struct run_row *row =
		v && v->type == &runs_view ? runs_selected(view_state(v)) : NULL;
	const char *subject = a->selection.attempt;

	if (row && strcmp(row->state->attempt, "unassigned") != 0)
		subject = row->state->attempt;
	read_for_form(a, *subject ? subject : "reference", "", on_offer);
}

/* ---- end a run, adopt one ----------------------------------------------------------------- */

static const char *short_name(struct form *f)
{
	return arena_printf(&f->arena, "%.*s", RUN_SHORT, f->row.state->id);
}

static void call_for(struct app *a, const char *operation, const struct form *f, const char *reason)
{
	struct arena arena = ARENA_INIT;
	const char *words[] = { f->row.state->id, arena_printf(&arena, "--reason=%s", reason) };

	app_call(a, operation_find(operation), words, *reason ? 2 : 1);
	arena_release(&arena);
}

static void on_cancel(void *user, struct app *a, struct dialog *d)
{
	call_for(a, "cancel", user, dialog_text(d, "reason"));
}

static void on_adopt(void *user, struct app *a, struct dialog *d)
{
	(void)d;
	call_for(a, "adopt", user, "");
}

static void describe_row(struct buf *b, const struct run_row *r)
{
	const struct run_state *s = r->state;
	struct arena a = ARENA_INIT;

	buf_addf(b, "%s of %s on %s, seed %s", run_kind_phrase(s->kind),
		run_subject_text(&a, s), s->target, *s->seed ? s->seed : "none");
	if (r->elapsed_ns >= 0) {
		buf_adds(b, ". It has run for ");
		clock_add_duration(b, r->elapsed_ns);
	}
	if (r->limit_ns) {
		buf_adds(b, " of at most ");
		clock_add_duration(b, r->limit_ns);
	}
	buf_adds(b, ", and cost ");
	add_most(b, r->cost_nano_usd);
	buf_adds(b, " so far.");
	if (r->has_step)
		buf_addf(b, " Last step seen: %lld.", (long long)r->step);
	buf_addc(b, '\n');
	arena_release(&a);
}

static void on_row_to_cancel(void *user, int code, void *result, const char *sentence)
{
	struct app *a = user;
	struct form *f = result;
	struct buf b = BUF_INIT;
	struct dialog *d;

	if (code < 0 || !f->row.live) {
		app_complain(a, "%s",
			code < 0 ? sentence : "that run is over already; nothing was changed");
		if (code == 0)
			form_free(f);
		return;
	}
	describe_row(&b, &f->row);
	buf_adds(&b,
		"\nEvery process of it gets TERM now, and KILL after its grace. "
		"What it wrote is kept. It is recorded as "
		"cancelled by you, which says nothing about L0.");
	if (f->row.mark == RUN_NOW_ORPHAN)
		buf_adds(&b, "\nIts supervisor was killed; A watches it again and lets it go on.");
	d = app_new_dialog(a, arena_printf(&f->arena, "end run %s", f->row.state->id));
	app_dialog_owns(a, f, form_free);
	dialog_add_info(d, b.s);
	dialog_add_text(d, "reason", "reason", "", 0);
	dialog_add_name(
		d, arena_printf(&f->arena, "type %s to end it", short_name(f)), short_name(f));
	d->keys = "Enter ends it   Esc lets it go on";
	app_open_dialog(a, on_cancel, f);
	buf_release(&b);
}

static void on_row_to_adopt(void *user, int code, void *result, const char *sentence)
{
	struct app *a = user;
	struct form *f = result;
	struct buf b = BUF_INIT;
	struct dialog *d;

	if (code < 0 || f->row.mark != RUN_NOW_ORPHAN) {
		app_complain(
			a, "%s", code < 0 ? sentence : "that run is no orphan: nothing to adopt");
		if (code == 0)
			form_free(f);
		return;
	}
	describe_row(&b, &f->row);
	buf_adds(&b,
		"\nIts supervisor was killed, so no limit holds. A new one watches it from now "
		"on: limits and budget hold again, the log stays whole. Its exit status will "
		"stay unknown: it will end as lost, never as a guessed success.");
	d = app_new_dialog(a, arena_printf(&f->arena, "watch run %s again", f->row.state->id));
	app_dialog_owns(a, f, form_free);
	dialog_add_info(d, b.s);
	d->keys = "Enter adopts it   Esc leaves it as it is";
	app_open_dialog(a, on_adopt, f);
	buf_release(&b);
}

bool runs_perform(struct app *a, int screen)
{
	const struct view *v = app_view(a);
	const struct run_row *row =
		v && v->type == &runs_view ? runs_selected(view_state(v)) : NULL;
	const char *run = row ? row->state->id : a->selection.run;

	switch (screen) {
	case SCREEN_RUN_START:
		start(a);
		return true;
	case SCREEN_RUN_CANCEL:
	case SCREEN_RUN_ADOPT:
		if (!*run)
			app_say(a, "no run is selected");
		else
			read_for_form(a, "", run,
				screen == SCREEN_RUN_CANCEL ? on_row_to_cancel : on_row_to_adopt);
		return true;
	default:
		return false;
	}
}
