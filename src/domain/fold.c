/* fold - see fold.h.  One table says which part takes which kind. */
#include "config.h"

#include "domain/fold.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "domain/authority.h"
#include "domain/fold_work.h"
#include "domain/kind.h"

/* An event adds less than this to most states. */
enum { ENCODE_ROOM = 1024 };

struct fold {
	fold_load_fn *load;
	void *user;
	struct arena arena;		/* of the last event */
};

static void fold_superseded_event(struct work *w);

/* Which part takes a kind, and where its entries live (the object id follows from
 * the event's): only an entry can be struck.  That an attempt is gone is taken
 * back by seeing it again. */
static const struct part {
	const char *kind;
	void (*apply)(struct work *w);
	const char *home;		/* an object type; NULL: it leaves no entry */
} parts[] = {
	{ "migration.created", fold_migration_event, "migration" },
	{ "checkpoint.published", fold_migration_event, NULL },
	{ "config.accepted", fold_config_event, "config" },
	{ "contract.accepted", fold_config_event, "config" },
	{ "goal.set", fold_goal_event, "goal" },
	{ "attempt.observed", fold_attempt_event, "attempt" },
	{ "attempt.added", fold_attempt_event, "attempt" },
	{ "attempt.gone", fold_attempt_event, NULL },
	{ "attempt.expected", fold_attempt_event, "attempt" },
	{ "attempt.claimed", fold_attempt_event, "attempt" },
	{ "attempt.labelled", fold_attempt_event, "attempt" },
	{ "label.seen", fold_attempt_event, "attempt" },
	{ "signoff.given", fold_signoff_event, "attempt" },
	{ "run.prepared", fold_run_event, "run" },
	{ "run.started", fold_run_event, "run" },
	{ "run.ended", fold_run_event, "run" },
	{ "run.corrected", fold_run_event, "run" },
	{ "check.recorded", fold_check_event, "check" },
	{ "alarm.raised", fold_alarm_event, "alarm" },
	{ "alarm.adjudicated", fold_alarm_event, "alarm" },
	{ "decision.made", fold_decision_event, "decision" },
	{ "intervention.recorded", fold_intervention_event, "intervention" },
	{ "note.written", fold_note_event, "note" },
	{ "evidence.added", fold_evidence_event, "evidence" },
	{ "facts.parsed", fold_evidence_event, "evidence" },
	{ "session.ingested", fold_session_event, "session" },
	{ "cost.recorded", fold_cost_event, "cost" },
	{ "drill.answered", fold_drill_event, "drill" },
	{ "event.superseded", fold_superseded_event, NULL },
};

/* ---- striking ----------------------------------------------------------------------------- */

static const struct part *part_find(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strcmp(parts[i].kind, kind) == 0)
			return &parts[i];
	return NULL;
}

static const char *home_id(struct work *w, const char *kind, const char *object)
{
	struct check_name name;

	if (strcmp(kind, "migration.created") == 0)
		return MIGRATION_ID;
	if (strcmp(kind, "config.accepted") == 0)
		return "config";
	if (strcmp(kind, "contract.accepted") == 0)
		return "contract";
	if (strcmp(kind, "note.written") == 0)
		return w->event->object;
	if (strcmp(kind, "signoff.given") == 0)
		return assessment_object_parse(&name, w->arena, object) ? name.attempt : "";
	return object;
}

static void strike_run(struct work *w, struct run_state *s)
{
	derive_run(w, s);
	work_changed(w, "run", s->id, s->attempt,
		*s->prepared.event ? s->prepared.lamport : w->event->lamport);
}

static void strike_alarm(struct work *w, struct alarm_state *s)
{
	derive_alarm(s);
	work_changed(w, "alarm", s->id, *s->attempt ? s->attempt : MIGRATION_ID,
		*s->raised.event ? s->raised.lamport : w->event->lamport);
}

/* The objects that others hang on: there is no order among them. */
static bool restate_base(struct work *w, const char *type, const char *id, void *state)
{
	const char *parent = MIGRATION_ID;

	if (strcmp(type, "config") == 0) {
		derive_config(w, id, state);
	} else if (strcmp(type, "goal") == 0) {
		derive_goal(state);
		work_checked_changed(w);
	} else if (strcmp(type, "migration") == 0) {
		derive_migration(state);
		parent = "";
	} else if (strcmp(type, "check") == 0) {
		derive_check(w, state);
		parent = ((struct check_state *)state)->attempt;
	} else {
		return false;
	}
	work_changed(w, type, id, parent, 0);
	return true;
}

/* The objects whose own part of the fold knows what a strike undoes. */
static bool restate_run(struct work *w, const char *type, void *state)
{
	if (strcmp(type, "attempt") == 0)
		work_attempt_changed(w, state);
	else if (strcmp(type, "run") == 0)
		strike_run(w, state);
	else if (strcmp(type, "alarm") == 0)
		strike_alarm(w, state);
	else
		return false;
	return true;
}

/* Derives the object anew after one of its entries was struck. */
static void restate(
	struct work *w, const char *type, const char *id, void *state, const struct entry *struck)
{
	const char *parent = MIGRATION_ID;
	int64_t sort = struck->lamport;

	if (restate_run(w, type, state) || restate_base(w, type, id, state))
		return;
	if (strcmp(type, "decision") == 0) {
		strike_decision(w, state, struck);
		parent = ((struct decision_state *)state)->subject;
	} else if (strcmp(type, "note") == 0) {
		parent = ((struct note_state *)state)->about;
	} else if (strcmp(type, "evidence") == 0) {
		const struct evidence_state *e = state;

		derive_evidence(state);
		parent = e->entries_n ? e->entries[0].subject : "";
		sort = e->entries_n ? e->entries[0].entry.lamport : sort;
	} else if (strcmp(type, "session") == 0) {
		sort = session_sort(state);
	} else if (strcmp(type, "cost") == 0) {
		const struct cost_state *c = state;

		parent = *c->subject ? c->subject : MIGRATION_ID;
	} else if (strcmp(type, "intervention") == 0) {
		const struct intervention_state *i = state;
		const char *attempt = i->entries[i->entries_n - 1].attempt;

		parent = *attempt ? attempt : MIGRATION_ID;
		sort = i->entries[0].entry.lamport;
	} else if (strcmp(type, "drill") == 0) {
		parent = ((struct drill_state *)state)->drill_case;
	}
	work_changed(w, type, id, parent, sort);
}

/* What an object had spread to its attempt goes before the strike and comes
 * back, as far as it still counts, after it. */
static void spread(struct work *w, const char *type, void *state, int sign)
{
	if (strcmp(type, "cost") == 0)
		spread_cost(w, state, sign);
	if (strcmp(type, "intervention") != 0)
		return;
	if (sign > 0)
		derive_intervention(state);
	spread_intervention(w, state, sign);
}

static void fold_superseded_event(struct work *w)
{
	const char *kind = work_text(w, "kind");
	const struct part *part = part_find(kind);
	const char *type = part ? part->home : NULL;
	const char *id = type ? home_id(w, kind, work_text(w, "of")) : "";
	struct attempt_state *attempt;
	struct entry *e;
	void *state;

	if (!*id)
		return;
	if (strcmp(type, "attempt") == 0) {
		if (!(attempt = work_attempt(w, id)))
			return;
		state = attempt;
		type = attempt->n < 0 ? "reference" : "attempt";
	} else {
		state = work_get(w, type, id);
	}
	e = object_entry(type, state, w->event->object);
	if (!e || *e->struck || !authority_may_supersede(w->event->actor, e->who))
		return;
	spread(w, type, state, -1);
	e->struck = w->event_hex;
	e->struck_by = w->event->actor;
	spread(w, type, state, 1);
	restate(w, strcmp(type, "reference") == 0 ? "attempt" : type, id, state, e);
}

/* ---- one event ------------------------------------------------------------------------------ */

struct fold *fold_new(fold_load_fn *load, void *user)
{
	struct fold *f = xcalloc(1, sizeof *f);

	f->load = load;
	f->user = user;
	return f;
}

void fold_free(struct fold *f)
{
	if (!f)
		return;
	arena_release(&f->arena);
	free(f);
}

static bool fill_version(struct work *w, const struct fold_slot *s, struct fold_version *v)
{
	struct buf b = BUF_INIT;
	bool differs;

	buf_reserve(&b, s->loaded_n + ENCODE_ROOM);
	object_encode(&b, s->type, s->state);
	differs = !s->loaded || s->loaded_n != b.n || memcmp(s->loaded, b.s, b.n) != 0;
	if (differs) {
		*v = (struct fold_version){
			.type = s->type, .id = s->id, .parent = s->parent, .sort = s->sort,
			.state = arena_strndup(w->arena, b.s, b.n), .state_n = b.n,
		};
	}
	buf_release(&b);
	return differs;
}

static void collect(struct work *w, const struct fold_version **versions, size_t *n)
{
	struct fold_version *list = arena_alloc(w->arena, (w->slots_n + 1) * sizeof *list);

	for (size_t i = 0; i < w->slots_n; i++)
		if (w->slots[i].changed && fill_version(w, &w->slots[i], &list[*n]))
			(*n)++;
	*versions = list;
}

static void apply(struct work *w)
{
	const struct part *part = part_find(w->event->kind);

	if (part)
		part->apply(w);
	work_settle(w);
}

int fold_event(
	struct fold *f, const struct event *e, const struct fold_version **versions, size_t *n)
{
	struct work w = { .arena = &f->arena, .load = f->load, .user = f->user, .event = e };

	arena_release(&f->arena);
	*versions = NULL;
	*n = 0;
	if (!kind_folds(e)) {
		err_clear();
		return 0;
	}
	digest_hex(w.event_hex, &e->id);
	apply(&w);
	if (!w.rc)
		collect(&w, versions, n);
	free(w.slots);
	return w.rc;
}
