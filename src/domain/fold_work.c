/* fold_work - see fold_work.h. */
#include "config.h"

#include "domain/fold_work.h"

#include <stdlib.h>
#include <string.h>

#include "domain/kind.h"

static struct fold_slot *slot_find(struct work *w, const char *type, const char *id)
{
	for (size_t i = 0; i < w->slots_n; i++)
		if (strcmp(w->slots[i].type, type) == 0 && strcmp(w->slots[i].id, id) == 0)
			return &w->slots[i];
	return NULL;
}

static void remember_measured(struct work *w, struct fold_slot *s)
{
	const struct attempt_state *a = s->state;

	if (strcmp(s->type, "attempt") != 0 || !a->measured_n)
		return;
	s->measured_before =
		arena_memdup(w->arena, a->measured, a->measured_n * sizeof *a->measured);
	s->measured_before_n = a->measured_n;
}

void *work_get(struct work *w, const char *type, const char *id)
{
	struct fold_slot *s = slot_find(w, type, id);
	int rc;

	if (s)
		return s->state;
	ARRAY_GROW(w->slots, w->slots_n, w->slots_cap);
	s = &w->slots[w->slots_n++];
	*s = (struct fold_slot){ .type = type, .id = arena_strdup(w->arena, id), .parent = "" };
	rc = w->load(w->user, w->arena, type, id, &s->loaded, &s->loaded_n);
	if (!rc)
		rc = object_decode(&s->state, w->arena, type, s->loaded, s->loaded_n);
	if (rc < 0 && !w->rc)
		w->rc = rc;
	if (rc < 0) {
		const struct state_shape *shape = object_type_find(type)->shape;

		s->state = arena_alloc(w->arena, shape->size);
		shape_decode(s->state, shape, w->arena, NULL);
	}
	contribution(&s->before, type, s->state);
	remember_measured(w, s);
	return s->state;
}

void work_changed(
	struct work *w, const char *type, const char *id, const char *parent, int64_t sort)
{
	struct fold_slot *s = slot_find(w, type, id);

	s->changed = true;
	s->parent = parent;
	s->sort = sort;
}

struct migration_state *work_migration(struct work *w)
{
	return work_get(w, "migration", MIGRATION_ID);
}

struct attempt_state *work_attempt(struct work *w, const char *id)
{
	struct attempt_state *s;
	const char *line = "";
	int64_t n = -1;
	bool reference = strcmp(id, REFERENCE_ID) == 0;

	if (!reference && !attempt_object_parse(&n, &line, w->arena, id))
		return NULL;
	s = work_get(w, reference ? "reference" : "attempt", id);
	if (!*s->id) {
		s->id = arena_strdup(w->arena, id);
		s->n = n;
		s->line = line;
	}
	return s;
}

void work_attempt_changed(struct work *w, struct attempt_state *s)
{
	bool reference = s->n < 0;

	derive_attempt(w, s);
	work_changed(w, reference ? "reference" : "attempt", s->id, MIGRATION_ID,
		s->n);
}

struct entry work_entry(const struct work *w)
{
	return (struct entry){
		.event = w->event_hex,
		.who = w->event->actor,
		.time = w->event->time,
		.lamport = w->event->lamport,
		.struck = "",
		.struck_by = "",
	};
}

const char *work_text(const struct work *w, const char *field)
{
	return json_str(w->event->data, field, "");
}

int work_word(const struct work *w, const char *field, const struct words *words)
{
	int v = word_find(words, work_text(w, field));

	return v < 0 ? 0 : v;
}

bool work_flag(const struct work *w, const char *field)
{
	return strcmp(work_text(w, field), "yes") == 0;
}

const char **work_texts(struct work *w, const char *field, size_t *n)
{
	const struct json *list = json_get(w->event->data, field);
	const char **out;

	*n = 0;
	if (!list || list->type != JSON_ARRAY)
		return NULL;
	out = arena_alloc(w->arena, (list->count + 1) * sizeof *out);
	for (const struct json *c = list->first; c; c = c->next)
		if (c->type == JSON_STRING)
			out[(*n)++] = c->text;
	return out;
}

void *work_append(struct work *w, void *list, size_t *n, size_t size)
{
	char *grown = arena_alloc(w->arena, (*n + 1) * size);

	if (*n)
		memcpy(grown, list, *n * size);
	(*n)++;
	return grown;
}

void work_checked_changed(struct work *w)
{
	const struct config_state *config = work_get(w, "config", "config");

	for (size_t i = 0; i < config->checked_n; i++) {
		struct attempt_state *s = work_attempt(w, config->checked[i]);

		if (s)
			work_attempt_changed(w, s);
	}
}

/* ---- contributions to the migration ------------------------------------------ */

static bool counts_entry(const struct entry *e)
{
	return *e->event && !*e->struck;
}

static bool attempt_exists(const struct attempt_state *s)
{
	for (size_t i = 0; i < s->observations_n; i++)
		if (counts_entry(&s->observations[i].entry))
			return true;
	for (size_t i = 0; i < s->runs_n; i++)
		if (!s->runs[i].struck)
			return true;
	return false;
}

static void attempt_counts(struct migration_counts *c, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->signoffs_n; i++)
		c->signoffs += counts_entry(&s->signoffs[i].entry);
	if (!attempt_exists(s))
		return;
	c->attempts = 1;
	c->gone = s->gone;
	c->successes = s->outcome == OUTCOME_SUCCESS;
	c->failures = s->outcome == OUTCOME_FAILURE;
	c->aborted = s->outcome == OUTCOME_ABORTED;
	c->superseded = s->outcome == OUTCOME_SUPERSEDED;
	c->silent = s->outcome == OUTCOME_FAILURE && s->silent == SILENT_YES;
	c->over_claims = s->over_claims;
}

static void run_counts(struct migration_counts *c, const struct run_state *s)
{
	bool ended = run_status_ended(s->state);

	if (!counts_entry(&s->prepared))
		return;
	c->runs = 1;
	c->runs_ended = ended;
	c->runs_live = !ended;
	if (strcmp(s->attempt, REFERENCE_ID) == 0) {
		c->reference_runs = 1;
		c->reference_full = s->kind == RUN_KIND_FULL && s->state == RUN_EXITED_0;
		c->reference_ended = ended;
	}
	if (s->cost_known)
		c->run_cost_nano_usd = s->cost_nano_usd;
	c->runs_without_cost = ended && !s->cost_known;
}

static void alarm_counts(struct migration_counts *c, const struct alarm_state *s)
{
	if (!counts_entry(&s->raised))
		return;
	c->alarms = 1;
	c->alarms_open = s->open;
	c->alarms_adjudicated = s->verdict != ALARM_VERDICT_NONE;
}

static void intervention_counts(struct migration_counts *c, const struct intervention_state *s)
{
	c->interventions_proposed = s->proposed;
	if (!s->counted)
		return;
	c->interventions = 1;
	c->intervention_minutes = s->entries[s->in_force].minutes;
	c->interventions_without_minutes = !s->entries[s->in_force].minutes_known;
}

static void session_counts(struct migration_counts *c, const struct session_state *s)
{
	if (!counts_entry(&s->entry))
		return;
	c->sessions = 1;
	c->agent_ns = s->agent_ns;
	if (s->cost_known)
		c->session_cost_nano_usd = s->cost_nano_usd;
	c->sessions_without_cost = !s->cost_known;
	for (int i = 0; i < TOKEN_CLASSES; i++)
		c->tokens[i] = s->tokens[i];
}

static void evidence_counts(struct migration_counts *c, const struct evidence_state *s)
{
	for (size_t i = 0; i < s->entries_n; i++)
		if (counts_entry(&s->entries[i].entry))
			c->evidence = 1;
}

void contribution(struct migration_counts *out, const char *type, const void *state)
{
	memset(out, 0, sizeof *out);
	if (strcmp(type, "attempt") == 0) {
		attempt_counts(out, state);
	} else if (strcmp(type, "run") == 0) {
		run_counts(out, state);
	} else if (strcmp(type, "alarm") == 0) {
		alarm_counts(out, state);
	} else if (strcmp(type, "decision") == 0) {
		const struct decision_state *d = state;

		out->decisions = counts_entry(&d->entry);
		out->decision_minutes = out->decisions ? d->minutes : 0;
		out->decisions_without_minutes = out->decisions && !d->minutes_known;
	} else if (strcmp(type, "intervention") == 0) {
		intervention_counts(out, state);
	} else if (strcmp(type, "note") == 0) {
		out->notes = counts_entry(&((const struct note_state *)state)->entry);
	} else if (strcmp(type, "evidence") == 0) {
		evidence_counts(out, state);
	} else if (strcmp(type, "session") == 0) {
		session_counts(out, state);
	} else if (strcmp(type, "cost") == 0) {
		const struct cost_state *c = state;

		out->other_cost_nano_usd = counts_entry(&c->entry) ? c->amount_nano_usd : 0;
	}
}

/* Sums saturate: hostile amounts must not wrap. */
static int64_t plus_difference(int64_t a, int64_t after, int64_t before)
{
	__int128 sum = (__int128)a + after - before;

	return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static void add_difference(struct migration_counts *to, const struct migration_counts *after,
			   const struct migration_counts *before)
{
	enum { N = sizeof *to / sizeof(int64_t) };
	int64_t t[N], a[N], b[N];

	_Static_assert(sizeof *to % sizeof(int64_t) == 0, "counts are int64_t only");
	memcpy(t, to, sizeof t);
	memcpy(a, after, sizeof a);
	memcpy(b, before, sizeof b);
	for (size_t i = 0; i < N; i++)
		t[i] = plus_difference(t[i], a[i], b[i]);
	memcpy(to, t, sizeof t);
}

static void add_level(
	struct work *w, struct migration_state *m, const struct measured *measured, int64_t by)
{
	struct level_count *c = NULL;

	for (size_t i = 0; i < m->levels_n && !c; i++)
		if (strcmp(m->levels[i].configuration, measured->configuration) == 0)
			c = &m->levels[i];
	if (!c) {
		c = WORK_APPEND(w, m->levels, m->levels_n);
		c->configuration = measured->configuration;
	}
	c->at[level_index(measured->ladder.level)] += by;
	if (measured->ladder.level >= LEVEL_L3 && measured->inherited)
		c->inherited += by;
}

static enum level best_measured(const struct attempt_state *s)
{
	enum level best = LEVEL_UNSET;

	for (size_t i = 0; i < s->measured_n; i++)
		if (s->measured[i].ladder.level > best)
			best = s->measured[i].ladder.level;
	return best;
}

static void settle_attempt(struct work *w, struct migration_state *m, const struct fold_slot *slot,
			   const struct migration_counts *after)
{
	const struct attempt_state *s = slot->state;

	for (size_t i = 0; i < slot->measured_before_n; i++)
		add_level(w, m, &slot->measured_before[i], -1);
	for (size_t i = 0; i < s->measured_n; i++)
		add_level(w, m, &s->measured[i], 1);
	if (after->attempts && !*m->first_attempt)
		m->first_attempt = s->id;
	if (strcmp(m->first_attempt, s->id) == 0)
		m->level_first = best_measured(s);
	if (strcmp(m->last_claim_attempt, s->id) != 0)
		return;
	m->level_last_claimed = LEVEL_UNSET;
	for (size_t i = 0; i < s->claimed_n; i++)
		if (counts_entry(&s->claimed[i].entry) && s->claimed[i].level != LEVEL_UNSET)
			m->level_last_claimed = s->claimed[i].level;
}

void work_settle(struct work *w)
{
	size_t n = w->slots_n;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || w->slots[i].changed;
	if (!any)
		return;
	for (size_t i = 0; i < n; i++) {
		struct migration_state *m = work_migration(w);
		struct fold_slot *s = &w->slots[i];
		struct migration_counts after;

		contribution(&after, s->type, s->state);
		add_difference(&m->counts, &after, &s->before);
		if (strcmp(s->type, "attempt") == 0)
			settle_attempt(w, m, s, &after);
	}
	derive_migration(work_migration(w));
	work_changed(w, "migration", MIGRATION_ID, "", 0);
}
