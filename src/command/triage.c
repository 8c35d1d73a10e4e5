/* triage - see triage.h: a run's log, its end and its reference become a verdict. */
#include "config.h"

#include "command/triage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/redact.h"
#include "base/text.h"
#include "command/run_log.h"
#include "domain/cause.h"
#include "domain/configuration.h"
#include "workspace/signature_sources.h"
#include "workspace/state.h"

/* ---- what is known beside the log ---------------------------------------------------- */

static enum triage_target target_of(const struct run_state *run)
{
	enum target_kind kind = run->simulates ? run->simulates : run->target_kind;

	return kind == TARGET_TPU ? TRIAGE_TPU : kind == TARGET_GPU ? TRIAGE_GPU :
								      TRIAGE_TARGET_UNKNOWN;
}

/* What ended by something outside the program tells nothing by its status. */
static void set_end(struct triage_input *in, const struct run_state *run)
{
	if (!run_status_ended(run->state))
		in->end = TRIAGE_RUNNING;
	else if (run->rc_known && !run_status_cut(run->state))
		in->end = TRIAGE_ENDED;
	in->exit_status = run->rc_known ? (int)run->rc : 0;
}

static const struct log_hit *first_of_rule(const struct triage_result *r,
	const struct log_findings *f, enum signature_rule rule)
{
	for (size_t i = 0; i < f->hits_n; i++)
		if (signature_at(r->catalogue, f->hits[i].signature)->rule == rule)
			return &f->hits[i];
	return NULL;
}

/* The number behind 'epoch': in a row of a trainer, which prints no step. */
static const char *epoch_in(const char *text, size_t *n)
{
	const char *at = strstr(text, "'epoch': ");

	if (!at)
		return NULL;
	at += strlen("'epoch': ");
	*n = strcspn(at, ",} ");
	return at;
}

static bool same_place(const struct log_hit *a, const struct log_hit *b)
{
	const char *x, *y;
	size_t n = 0, m = 0;

	x = epoch_in(a->text, &n);
	y = epoch_in(b->text, &m);
	if (x && y)
		return n == m && memcmp(x, y, n) == 0;
	return a->step >= 0 && a->step == b->step;
}

/* How often somebody who waits is told; the first time early. */
enum { SCAN_BYTES = 256 * 1024, TOLD_EVERY = 16 << 20, TOLD_AT_MOST = 48 };

static void take_secrets_out(struct triage_result *r);

/* A result of its own, which goes when it was told. */
static void tell_so_far(const struct triage_result *r, const struct triage_input *in, int64_t bytes,
	int64_t size, const struct triage_options *o)
{
	struct triage_result now = *r;
	struct triage_input so_far = *in;

	now.arena = (struct arena)ARENA_INIT;
	now.findings = so_far.findings = log_scan_findings(r->scan);
	triage(&now.verdict, &so_far, &now.arena);
	take_secrets_out(&now);
	o->progress(o->user, &now, bytes, size);
	arena_release(&now.arena);
}

/* IN NULL: nobody is told. */
static int read_all(struct triage_result *r, struct log_scan *s, int fd, const char *path,
	const struct triage_input *in, const struct triage_options *o)
{
	int64_t bytes = 0, size = fs_size(path), told = SCAN_BYTES;
	int64_t every = size / TOLD_AT_MOST > TOLD_EVERY ? size / TOLD_AT_MOST : TOLD_EVERY;
	char *chunk = xmalloc(SCAN_BYTES);
	ssize_t n;
	int rc = 0;

	while (rc == 0 && (n = read(fd, chunk, SCAN_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(ERR_IO, "%s", path);
		else if (o->cancel && atomic_load(o->cancel))
			rc = err_set(ERR_CANCELLED, "%s: cancelled", path);
		if (rc < 0)
			break;
		log_scan_feed(s, chunk, (size_t)n);
		bytes += n;
		if (in && o->progress && bytes >= told && bytes < size) {
			tell_so_far(r, in, bytes, size, o);
			told = bytes + every;
		}
	}
	free(chunk);
	return rc;
}

/* What foreign code left in the directory of a run may be a link; that is not followed. */
static int scan(struct triage_result *r, struct log_scan *s, const char *path,
	const struct triage_input *in, const struct triage_options *o)
{
	int fd = r->run ? fs_open_inside(fs_dirname(&r->arena, path), fs_basename(path)) :
			  fs_open_file(path);
	int rc;

	if (fd < 0)
		return fd;
	rc = read_all(r, s, fd, path, in, o);
	close(fd);
	return rc;
}

/* The latest full run of the reference that has ended and has its log here, else
 * its latest; NULL: none. */
static char *reference_log(struct triage_result *r, struct workspace *ws, const struct position *at)
{
	struct run_state **runs;
	char *best = NULL;
	bool full = false;
	size_t n = 0;

	if (state_runs(&runs, &n, ws, "reference", at, &r->arena) < 0) {
		err_clear();
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		char *path = run_log_path(
			workspace_path(ws, &r->arena, "runs"), runs[i]->id);
		bool is_full = runs[i]->kind == RUN_KIND_FULL;

		if (run_status_ended(runs[i]->state) && (is_full || !full) && fs_exists(path)) {
			best = arena_strdup(&r->arena, path);
			full = is_full;
		}
		free(path);
	}
	return best;
}

/* Rule 13: only when there is a nan, the reference's log is read for one. */
static int look_at_reference(struct triage_result *r, struct triage_input *in, struct workspace *ws,
	const struct position *at, const struct triage_options *o)
{
	const struct log_hit *mine = first_of_rule(r, r->findings, RULE_REFERENCE);
	const struct log_findings *f;
	char *path;
	int rc;

	if (!mine || !r->run || strcmp(r->run->attempt, "reference") == 0)
		return 0;
	path = reference_log(r, ws, at);
	if (!path)
		return 0;
	r->reference = log_scan_new_beside(r->scan);
	if ((rc = scan(r, r->reference, path, NULL, o)) < 0)
		return rc;
	f = log_scan_findings(r->reference);
	in->reference_nan = TRIAGE_SAME_NO;
	for (size_t i = 0; i < f->hits_n; i++)
		if (f->hits[i].signature == mine->signature && same_place(&f->hits[i], mine)) {
			in->reference_nan = TRIAGE_SAME_YES;
			return 0;
		}
	/* Without a place to compare, or with more than was kept, nobody knows. */
	if (f->tallies[mine->signature].count > LOG_HITS_EACH ||
		(mine->step < 0 && !strstr(mine->text, "'epoch': ")))
		in->reference_nan = TRIAGE_SAME_UNKNOWN;
	return 0;
}

/* ---- reading --------------------------------------------------------------------------- */

static const char *clean_text(struct triage_result *r, const struct redact *secrets, const char *s)
{
	struct buf out = BUF_INIT;
	const char *text;

	redact_text(secrets, &out, s, strlen(s));
	/* Of two lines that belong together. */
	for (char *p = out.s; *p; p++)
		if (*p == '\n')
			*p = ' ';
	text = arena_strdup(&r->arena, out.s);
	buf_release(&out);
	return text;
}

/* What the verdict says is made of the log's texts, so it loses its secrets, too. */
static void take_secrets_out(struct triage_result *r)
{
	struct redact *secrets = redact_new();
	const struct log_findings *f = r->findings;

	redact_add_environment(secrets, environ);
	r->texts = arena_alloc(&r->arena, (f->hits_n + 1) * sizeof *r->texts);
	for (size_t i = 0; i < f->hits_n; i++)
		r->texts[i] = clean_text(r, secrets, f->hits[i].text);
	r->exception = clean_text(r, secrets, f->last_exception);
	r->verdict.reason = clean_text(r, secrets, r->verdict.reason);
	for (size_t i = 0; i < r->verdict.notes_n; i++)
		r->verdict.notes[i] = clean_text(r, secrets, r->verdict.notes[i]);
	redact_free(secrets);
}

static void set_input(
	struct triage_result *r, struct triage_input *in, const struct triage_options *o)
{
	if (o->target)
		in->target = o->target;
	if (o->has_exit) {
		in->end = TRIAGE_ENDED;
		in->exit_status = o->exit_status;
	}
	in->device_bytes = o->device_bytes;
	in->catalogue = r->catalogue;
	r->end = in->end == TRIAGE_RUNNING ? "it still runs" :
		in->end == TRIAGE_ENDED	   ?
		arena_printf(&r->arena, "exit status %d", in->exit_status) :
					     "how it ended is not known";
}

static int read_log(struct triage_result *r, struct triage_input *in, struct workspace *ws,
	const struct position *at, const struct triage_options *o)
{
	int rc = signature_sources_read(&r->catalogue, ws, at, &r->arena);

	if (rc < 0)
		return rc;
	set_input(r, in, o);
	r->scan = log_scan_new(r->catalogue, o->transcript ? LOG_SCAN_TRANSCRIPT : 0);
	if ((rc = scan(r, r->scan, r->path, in, o)) < 0)
		return rc;
	r->findings = in->findings = log_scan_findings(r->scan);
	if (ws && (rc = look_at_reference(r, in, ws, at, o)) < 0)
		return rc;
	triage(&r->verdict, in, &r->arena);
	take_secrets_out(r);
	return 0;
}

int triage_read_file(struct triage_result *out, struct workspace *ws, const struct position *at,
	const char *path, const struct triage_options *o)
{
	struct triage_input in = { 0 };

	*out = (struct triage_result){ .arena = ARENA_INIT };
	out->path = arena_strdup(&out->arena, path);
	return read_log(out, &in, ws, at, o);
}

/* The latest run of an attempt that has ended, else its latest. */
static const struct run_brief *latest_run(const struct attempt_state *s)
{
	const struct run_brief *best = NULL;

	for (size_t i = 0; i < s->runs_n; i++) {
		const struct run_brief *run = &s->runs[i];

		if (!run->struck && (!best || run_status_ended(run->state) ||
					    !run_status_ended(best->state)))
			best = run;
	}
	return best;
}

int triage_find_run(struct run_state **out, struct workspace *ws, const struct position *at,
	const char *subject, struct arena *a)
{
	struct attempt_state *s;
	const struct run_brief *brief;
	const char *why;
	int rc;

	if (text_starts(subject, "ps-"))
		return state_run(ws, subject, at, a, out);
	if ((rc = state_attempt(ws, subject, at, a, &s)) < 0) {
		/* Perhaps a part of a run's name; else it was meant for an attempt. */
		why = arena_strdup(a, err_text());
		err_clear();
		return state_run(ws, subject, at, a, out) < 0 ? err_set(rc, "%s", why) : 0;
	}
	brief = latest_run(s);
	if (!brief)
		return err_set(ERR_NOT_FOUND, "attempt %s has no run, so there is no log", s->id);
	return state_run(ws, brief->run, at, a, out);
}

static int find_labels(struct triage_result *r, struct workspace *ws, const struct position *at)
{
	struct attempt_state *s;
	int rc = state_get(ws, "attempt", r->run->attempt, at, &r->arena, (void **)&s);

	if (rc <= 0)
		return rc;
	r->attempt = s;
	r->agent = attempt_label(s, ACTOR_AGENT);
	r->person = attempt_label(s, ACTOR_HUMAN);
	return 0;
}

int triage_read(struct triage_result *out, struct workspace *ws, const struct position *at,
	const char *subject, const struct triage_options *o)
{
	struct triage_input in = { 0 };
	struct run_state *run;
	char *path;
	int rc;

	*out = (struct triage_result){ .arena = ARENA_INIT };
	if ((rc = triage_find_run(&run, ws, at, subject, &out->arena)) < 0)
		return rc;
	out->run = run;
	if ((rc = find_labels(out, ws, at)) < 0)
		return rc;
	path = run_log_path(workspace_path(ws, &out->arena, "runs"), run->id);
	out->path = arena_strdup(&out->arena, path);
	free(path);
	if (!fs_exists(out->path))
		return err_set(ERR_NOT_FOUND,
			"the log of run %s is not on this machine; a bundle or an import brings it",
			run->id);
	in.target = target_of(run);
	set_end(&in, run);
	return read_log(out, &in, ws, at, o);
}

void triage_result_release(struct triage_result *r)
{
	log_scan_free(r->reference);	/* it borrows from the other */
	log_scan_free(r->scan);
	signature_catalogue_free(r->catalogue);
	arena_release(&r->arena);
	*r = (struct triage_result){ .arena = ARENA_INIT };
}

/* ---- names ---------------------------------------------------------------------------- */

bool triage_is_like_path(const char *s)
{
	static const char *const ends[] = { ".log", ".txt", ".out", ".err", ".json", ".jsonl" };

	if (strchr(s, '/') && !text_starts(s, "ps-")) {
		const char *last = strrchr(s, '/') + 1;

		/* "torchtpu/3" is an attempt of a line. */
		if (!*last || last[strspn(last, "0123456789")])
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (text_ends(s, ends[i]))
			return true;
	return false;
}

/* ---- words ------------------------------------------------------------------------------ */

const char *triage_verdict_text(const struct triage_verdict *v, struct arena *a)
{
	const struct cause *c = cause_find(triage_cause_name(v->cause));

	if (v->cause == TRIAGE_NONE)
		return "no cause";
	return arena_printf(a, "%s %s%s%s, silent: %s, side: %s%s", triage_cause_name(v->cause),
		c ? c->name : "", v->cause == TRIAGE_C0 && !v->inherited ? ": not shown" : "",
		v->inherited ? ": inherited" : "", triage_same_name(v->silent),
		triage_side_name(v->side), v->uncertain ? "; uncertain" : "");
}

const char *triage_label_text(const struct label *l, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (!l)
		return "none";
	buf_adds(&b, *l->cause ? l->cause : "no cause");
	if (l->outcome)
		buf_addf(&b, ", %s", word_name(&words_outcome, (int)l->outcome));
	if (l->silent)
		buf_addf(&b, ", silent: %s", word_name(&words_silent, (int)l->silent));
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}
