/*
 * fold_run - runs: prepared, started and ended at most once per state, and
 * corrected by later evidence.
 */
#include "config.h"

#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "domain/fold_work.h"
#include "domain/measure.h"

static bool counts(const struct entry *e)
{
	return !*e->struck;
}

static int64_t whole(struct work *w, const char *field, int64_t otherwise)
{
	int64_t v = json_i64(w->event->data, field, otherwise);

	return v < 0 ? otherwise : v;
}

/* ---- what follows ---------------------------------------------------------------- */

/* The end in force: the first that counts, but one that saw the end goes before
 * one that lost it. */
static const struct run_end *end_in_force(const struct run_state *s)
{
	const struct run_end *found = NULL;

	for (size_t i = 0; i < s->ends_n; i++) {
		const struct run_end *e = &s->ends[i];

		if (!counts(&e->entry))
			continue;
		if (!found || (found->state == RUN_LOST && e->state != RUN_LOST))
			found = e;
	}
	return found;
}

static void take_end(struct run_state *s, const struct run_end *e)
{
	s->state = e->state;
	s->rc_known = e->rc_known;
	s->rc = e->rc;
	s->signal = e->signal;
	s->why = e->why;
	s->source = e->source;
	s->ended = s->noticed = e->entry.time;
	s->log_digest = e->log_digest;
	s->elapsed_ns = e->elapsed_ns;
	s->started_ns = e->started_ns;
	s->ended_ns = e->ended_ns;
}

static void take_starts(struct run_state *s)
{
	s->state = RUN_PREPARED;
	s->rc_known = s->ends_disagree = false;
	s->rc = s->elapsed_ns = s->started_ns = s->ended_ns = 0;
	s->signal = s->why = s->source = s->started = s->ended = s->noticed = s->log_digest = "";
	for (size_t i = 0; i < s->starts_n; i++) {
		const struct run_start *st = &s->starts[i];

		if (!counts(&st->entry))
			continue;
		if (st->state > s->state)
			s->state = st->state;
		if (st->state == RUN_RUNNING && !*s->started)
			s->started = st->entry.time;
		s->source = st->source;
	}
}

static void set_seen(enum seen *to, const char *text)
{
	int v = word_find(&words_seen, text);

	if (v >= 0)
		*to = (enum seen)v;
}

static void correct(struct run_state *s, struct run_end_facts *f, const struct run_correction *c)
{
	int64_t v;
	bool number = text_to_i64(c->new, strlen(c->new), &v);
	int state = word_find(&words_run_state, c->new);

	if (strcmp(c->field, "state") == 0 && state > 0) {
		s->state = (enum run_status)state;
	} else if (strcmp(c->field, "rc") == 0 && number) {
		s->rc_known = true;
		s->rc = v;
	} else if (strcmp(c->field, "elapsed_ns") == 0 && number && v >= 0) {
		s->elapsed_ns = v;
	} else if (strcmp(c->field, "started_ns") == 0 && number && v >= 0) {
		s->started_ns = v;
	} else if (strcmp(c->field, "ended_ns") == 0 && number && v >= 0) {
		s->ended_ns = v;
	} else if (strcmp(c->field, "signal") == 0) {
		s->signal = c->new;
	} else if (strcmp(c->field, "why") == 0) {
		s->why = c->new;
	} else if (strcmp(c->field, "done") == 0) {
		set_seen(&f->done, c->new);
	} else if (strcmp(c->field, "steps") == 0) {
		set_seen(&f->steps, c->new);
	} else if (strcmp(c->field, "artifact") == 0) {
		set_seen(&f->artifact, c->new);
	} else if (strcmp(c->field, "error_text") == 0) {
		set_seen(&f->error_text, c->new);
	}
}

static void measure_run(struct run_state *s, struct run_end_facts *f)
{
	struct l0_result r;

	f->state = s->state;
	f->provenance = s->provenance;
	f->rc_known = s->rc_known;
	f->rc = s->rc;
	f->steps_declared = s->steps_declared > 0;
	f->done_declared = s->done_declared;
	f->artifact_declared = *s->artifact != '\0';
	r = measure_l0(f);
	s->exit = r.exit;
	s->steps = r.steps;
	s->done = r.done;
	s->artifact_seen = r.artifact;
	s->error_text = r.error_text;
	s->l0 = r.l0;
	s->l0_why = r.why;
}

static const char *moment(struct work *w, int64_t wall_ns)
{
	char text[CLOCK_ISO_MAX];

	clock_iso(text, wall_ns);
	return arena_strdup(w->arena, text);
}

/* What was watched goes before what was noticed later.  A wall clock may be set
 * while a run goes on, so it gives the duration only where nothing better does. */
static void derive_times(struct work *w, struct run_state *s)
{
	if (s->started_ns)
		s->started = moment(w, s->started_ns);
	if (s->ended_ns)
		s->ended = moment(w, s->ended_ns);
	if (!s->elapsed_ns && s->started_ns && s->ended_ns > s->started_ns)
		s->elapsed_ns = s->ended_ns - s->started_ns;
}

static void derive_cost(struct run_state *s)
{
	struct price p = {
		.nano_usd_hour = s->price_nano_usd_hour,
		.per_chip = s->price_per_chip,
		.known = s->price_known,
	};

	s->cost_known = false;
	s->cost_nano_usd = 0;
	if (!run_status_ended(s->state) || s->elapsed_ns <= 0 || !s->price_known)
		return;
	s->cost_nano_usd = price_cost_nano_usd(&p, s->elapsed_ns, (int)s->chips);
	s->cost_known = true;
}

static void update_attempt(struct work *w, const struct run_state *s)
{
	struct attempt_state *a = work_attempt(w, s->attempt);
	struct run_brief *brief = NULL;

	if (!a)
		return;
	for (size_t i = 0; i < a->runs_n; i++)
		if (strcmp(a->runs[i].run, s->id) == 0)
			brief = &a->runs[i];
	if (!brief)
		brief = WORK_APPEND(w, a->runs, a->runs_n);
	*brief = (struct run_brief){
		.run = s->id,
		.kind = s->kind,
		.target = s->target,
		.configuration = s->configuration,
		.seed = s->seed,
		.state = s->state,
		.provenance = s->provenance,
		.l0 = s->l0,
		.label = run_label_of(s->label),
		.simulated = s->simulates != TARGET_NONE,
		.struck = *s->prepared.struck != '\0',
		.elapsed_ns = s->elapsed_ns,
		.cost_known = s->cost_known,
		.cost_nano_usd = s->cost_nano_usd,
	};
	work_attempt_changed(w, a);
}

void derive_run(struct work *w, struct run_state *s)
{
	const struct run_end *end = end_in_force(s);
	struct run_end_facts facts = { .state = RUN_NONE };

	take_starts(s);
	if (end) {
		take_end(s, end);
		facts.done = end->done;
		facts.steps = end->steps;
		facts.artifact = end->artifact;
		facts.error_text = end->error_text;
	}
	for (size_t i = 0; end && i < s->ends_n; i++)
		if (counts(&s->ends[i].entry) && s->ends[i].state != end->state)
			s->ends_disagree = true;
	s->corrected = false;
	for (size_t i = 0; i < s->corrections_n; i++) {
		if (!counts(&s->corrections[i].entry))
			continue;
		correct(s, &facts, &s->corrections[i]);
		s->corrected = true;
	}
	measure_run(s, &facts);
	derive_times(w, s);
	derive_cost(s);
	if (*s->prepared.event)
		update_attempt(w, s);
}

/* ---- entries ------------------------------------------------------------------------ */

/* Goals are frozen by the first run of an attempt: every goal learns it. */
static void freeze_goals(struct work *w)
{
	struct migration_state *m = work_migration(w);
	size_t n = m->goals_n;

	if (*m->first_target_run.event)
		return;
	m->first_target_run = work_entry(w);
	for (size_t i = 0; i < n; i++) {
		struct goal_state *g = work_get(w, "goal", work_migration(w)->goals[i].goal);

		g->frozen = true;
		work_changed(w, "goal", g->name, MIGRATION_ID, 0);
	}
}

static void take_declaration(struct work *w, struct run_state *s)
{
	s->chips = whole(w, "chips", 1);
	if (s->chips < 1 || s->chips > INT32_MAX)
		s->chips = 1;
	s->price_nano_usd_hour = whole(w, "price_nano_usd_hour", -1);
	s->price_known = s->price_nano_usd_hour >= 0;
	if (!s->price_known)
		s->price_nano_usd_hour = 0;
	s->price_per_chip = work_flag(w, "price_per_chip");
	s->steps_declared = whole(w, "steps", 0);
	s->done_declared = work_flag(w, "done");
	s->artifact = work_text(w, "artifact");
	s->limit_ns = whole(w, "limit_ns", 0);
	s->budget_nano_usd = whole(w, "budget_nano_usd", 0);
}

/* Does it show anything of what a goal is about?  A command that somebody put on
 * record at home, for no attempt, does not. */
static bool is_target_run(const struct run_state *s)
{
	if (strcmp(s->attempt, UNASSIGNED_ID) == 0)
		return s->target_kind == TARGET_GPU || s->target_kind == TARGET_TPU;
	return strcmp(s->attempt, REFERENCE_ID) != 0;
}

static bool run_prepared(struct work *w, struct run_state *s)
{
	const char *configuration = work_text(w, "configuration");

	if (*s->prepared.event && counts(&s->prepared))
		return false;
	s->prepared = work_entry(w);
	s->attempt = work_text(w, "attempt");
	s->kind = (enum run_kind)work_word(w, "kind", &words_run_kind);
	s->kind_from = work_text(w, "kind_from");
	s->target = work_text(w, "target");
	s->configuration = *configuration ? configuration : s->target;
	s->seed = work_text(w, "seed");
	s->commit = work_text(w, "commit");
	s->command_digest = work_text(w, "command");
	s->spec_digest = work_text(w, "spec");
	s->by = work_text(w, "by");
	s->label = work_text(w, "label");
	s->provenance = (enum provenance)work_word(w, "provenance", &words_provenance);
	s->target_kind = (enum target_kind)work_word(w, "target_kind", &words_target_kind);
	s->simulates = (enum target_kind)work_word(w, "simulates", &words_target_kind);
	take_declaration(w, s);
	if (is_target_run(s))
		freeze_goals(w);
	return true;
}

static bool run_started(struct work *w, struct run_state *s)
{
	enum run_status state = (enum run_status)work_word(w, "state", &words_run_state);
	struct run_start *st;

	for (size_t i = 0; i < s->starts_n; i++)
		if (counts(&s->starts[i].entry) && s->starts[i].state == state)
			return false;
	st = WORK_APPEND(w, s->starts, s->starts_n);
	*st = (struct run_start){
		.entry = work_entry(w),
		.state = state,
		.source = work_text(w, "source"),
		.where = work_text(w, "where"),
	};
	return true;
}

static enum seen marker(const struct json *markers, const char *name)
{
	int v = word_find(&words_seen, json_str(markers, name, ""));

	return v < 0 ? SEEN_UNKNOWN : (enum seen)v;
}

static bool run_ended(struct work *w, struct run_state *s)
{
	enum run_status state = (enum run_status)work_word(w, "state", &words_run_state);
	const struct json *markers = json_get(w->event->data, "markers");
	struct run_end *e;

	for (size_t i = 0; i < s->ends_n; i++)
		if (counts(&s->ends[i].entry) && s->ends[i].state == state)
			return false;
	e = WORK_APPEND(w, s->ends, s->ends_n);
	*e = (struct run_end){
		.entry = work_entry(w),
		.state = state,
		.rc_known = *work_text(w, "rc") != '\0',
		.rc = json_i64(w->event->data, "rc", 0),
		.signal = work_text(w, "signal"),
		.why = work_text(w, "why"),
		.source = work_text(w, "source"),
		.log_digest = work_text(w, "log"),
		.elapsed_ns = whole(w, "elapsed_ns", 0),
		.started_ns = whole(w, "started_ns", 0),
		.ended_ns = whole(w, "ended_ns", 0),
		.done = marker(markers, "done"),
		.steps = marker(markers, "steps"),
		.artifact = marker(markers, "artifact"),
		.error_text = marker(markers, "error_text"),
		.steps_done = json_str(markers, "steps_done", ""),
		.error_line = json_str(markers, "error_line", ""),
	};
	return true;
}

static bool run_corrected(struct work *w, struct run_state *s)
{
	struct run_correction *c = WORK_APPEND(w, s->corrections, s->corrections_n);

	*c = (struct run_correction){
		.entry = work_entry(w),
		.field = work_text(w, "field"),
		.old = work_text(w, "old"),
		.new = work_text(w, "new"),
		.source = work_text(w, "source"),
		.reason_digest = work_text(w, "reason"),
	};
	return true;
}

static const struct {
	const char *kind;
	bool (*apply)(struct work *w, struct run_state *s);
} appliers[] = {
	{ "run.prepared", run_prepared },
	{ "run.started", run_started },
	{ "run.ended", run_ended },
	{ "run.corrected", run_corrected },
};

void fold_run_event(struct work *w)
{
	struct run_state *s = work_get(w, "run", w->event->object);

	s->id = w->event->object;
	for (size_t i = 0; i < ARRAY_LEN(appliers); i++) {
		if (strcmp(appliers[i].kind, w->event->kind) != 0 || !appliers[i].apply(w, s))
			continue;
		derive_run(w, s);
		work_changed(w, "run", s->id, s->attempt,
			*s->prepared.event ? s->prepared.lamport : w->event->lamport);
	}
}
