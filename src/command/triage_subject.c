/* triage_subject - see triage_subject.h. */
#include "config.h"

#include "command/triage_subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/text.h"
#include "command/run_log.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

const char *triage_reviewer(struct workspace *ws, struct arena *a)
{
	const struct actor *who = workspace_actor(ws);

	if (actor_class(who->text) != ACTOR_HUMAN)
		return "";
	return arena_strdup(a, strchr(who->text, ':') + 1);
}

/* ---- runs ---------------------------------------------------------------------------- */

static const char *run_words(const struct run_state *r, struct arena *a)
{
	const char *kind = run_kind_phrase(r->kind);
	const char *state = word_name(&words_run_state, (int)r->state);

	if (r->rc_known && r->rc != 0 && !run_status_cut(r->state))
		return arena_printf(a, "%s on %s: %s, exit status %lld", kind, r->target, state,
			(long long)r->rc);
	return arena_printf(a, "%s on %s: %s", kind, r->target, state);
}

static void fill_run(struct triage_run *out, struct workspace *ws, const struct run_state *r,
	struct arena *a)
{
	char *path = run_log_path(workspace_path(ws, a, "runs"), r->id);

	*out = (struct triage_run){ .id = r->id, .words = run_words(r, a), .path = "",
		.bytes = run_log_size(path), .live = !run_status_ended(r->state) };
	if (out->bytes >= 0)
		out->path = arena_strdup(a, path);
	free(path);
}

/* Newest first. */
static int later_first(const void *left, const void *right)
{
	struct run_state *const *a = left, *const *b = right;
	int order = strcmp((*b)->prepared.time, (*a)->prepared.time);

	return order ? order : strcmp((*a)->id, (*b)->id);
}

static int read_runs(struct triage_subject *out, struct workspace *ws, const struct position *at,
	const char *run, struct arena *a)
{
	struct run_state **states = NULL;
	size_t n = 0;
	int rc = state_runs(&states, &n, ws, out->attempt, at, a);

	if (rc < 0)
		return rc;
	if (n)
		qsort(states, n, sizeof *states, later_first);
	out->runs = arena_alloc(a, (n + 1) * sizeof *out->runs);
	for (size_t i = 0; i < n; i++)
		fill_run(&out->runs[out->n++], ws, states[i], a);
	for (size_t i = n; i-- > 0;)
		if (!out->runs[i].live)
			out->chosen = (long)i;
	if (n && out->chosen < 0)
		out->chosen = 0;
	for (size_t i = 0; i < n; i++)
		if (*run && strcmp(out->runs[i].id, run) == 0)
			out->chosen = (long)i;
	return 0;
}

/* ---- labels ----------------------------------------------------------------------------- */

static void read_labels(struct triage_subject *out)
{
	const struct attempt_state *s = out->state;

	for (size_t i = 0; i < s->labels_n; i++) {
		const struct label *l = &s->labels[i];

		if (*l->entry.struck)
			continue;
		if (*out->reviewer && strcmp(l->reviewer, out->reviewer) == 0 &&
			actor_class(l->entry.who) == ACTOR_HUMAN)
			out->own = l;
		else
			out->others = true;
	}
	for (size_t i = 0; i < s->seen_n; i++)
		if (!*s->seen[i].entry.struck && strcmp(s->seen[i].reviewer, out->reviewer) == 0)
			out->seen = true;
}

static int last_attempt(struct attempt_state **out, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "attempt", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct attempt_state *s = rows[i];

		if (s->n >= 0 && (!*out || s->n >= (*out)->n))
			*out = s;
	}
	return rc;
}

int triage_last_attempt(const char **id, struct workspace *ws, const struct position *at,
	struct arena *a)
{
	struct attempt_state *s = NULL;
	int rc = last_attempt(&s, ws, at, a);

	*id = s ? s->id : "";
	return rc;
}

int triage_subject_read(struct triage_subject *out, struct workspace *ws, const char *attempt,
	const char *run, const struct position *at, struct arena *a)
{
	struct attempt_state *s = NULL;
	void *state = NULL;
	int rc;

	*out = (struct triage_subject){ .attempt = "", .subject = "", .chosen = -1,
		.reviewer = triage_reviewer(ws, a) };
	if (*attempt) {
		rc = state_get(ws, "attempt", attempt, at, a, &state);
		s = rc > 0 ? state : NULL;
		rc = rc < 0 ? rc : 0;
	} else {
		rc = last_attempt(&s, ws, at, a);
	}
	if (rc < 0 || !s)
		return rc;
	out->state = s;
	out->attempt = s->id;
	out->subject = s->subject;
	read_labels(out);
	return read_runs(out, ws, at, run, a);
}

/* ---- who saw what ------------------------------------------------------------------------- */

struct once { const char *attempt, *reviewer; };

static int check_once(struct log *log, void *user)
{
	const struct once *once = user;
	struct event_query q = { .kind = "label.seen", .object = once->attempt };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (strcmp(json_str(events[i]->data, "reviewer", ""), once->reviewer) == 0)
			rc = 1;
	arena_release(&a);
	return rc;
}

int triage_subject_seen(struct workspace *ws, const char *attempt, const char *reviewer,
	const char *position, struct arena *a)
{
	struct once once = { attempt, reviewer };
	struct record r = { .actor = "tool:portside", .kind = "label.seen", .object = attempt };
	int rc;

	if (!*reviewer || workspace_read_only(ws) || workspace_spools(ws))
		return 0;
	r.data = event_data(a, "reviewer", reviewer, "position", *position ? position : NULL, NULL);
	rc = workspace_record_if(ws, check_once, &once, &r, 1, a, NULL);
	return rc < 0 ? rc : 0;
}

int triage_agreement_read(struct agreement *out, struct workspace *ws, const struct position *at,
	struct arena *a)
{
	static const char *const members[] = { "labels", NULL };
	struct state_query q = { .type = "attempt", .at = at, .members = members };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = (struct agreement){ 0 };
	for (size_t i = 0; rc == 0 && i < n; i++)
		agreement_add(out, rows[i]);
	agreement_finish(out);
	return rc;
}
