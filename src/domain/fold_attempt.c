/*
 * fold_attempt - attempts: what was seen, expected, claimed, labelled, checked
 * and signed off, and what follows from it.
 */
#include "config.h"

#include <string.h>

#include "domain/fold_work.h"
#include "domain/kind.h"
#include "domain/measure.h"

static bool counts(const struct entry *e)
{
	return !*e->struck;
}

/* ---- entries ------------------------------------------------------------------ */

static struct observation *observation_find(struct attempt_state *s, const char *tip)
{
	for (size_t i = s->observations_n; i-- > 0;)
		if (counts(&s->observations[i].entry) && strcmp(s->observations[i].tip, tip) == 0)
			return &s->observations[i];
	return NULL;
}

/*
 * Merged by (n, tip): another replica that reports a known tip adds nothing,
 * unless it says that the tip moved back from the one in force.
 */
static void attempt_observed(struct work *w, struct attempt_state *s)
{
	const char *tip = work_text(w, "tip"), *previous = work_text(w, "previous_tip");
	struct observation *known = observation_find(s, tip), *o;
	bool back = *previous && strcmp(previous, s->tip) == 0 && strcmp(previous, tip) != 0;

	if (known && !back) {
		known->gone = false;
		/* Another original is in force: the same tip, another range. */
		known->base = work_text(w, "base");
		return;
	}
	o = WORK_APPEND(w, s->observations, s->observations_n);
	*o = (struct observation){
		.entry = work_entry(w),
		.tip = tip,
		.base = work_text(w, "base"),
		.source = work_text(w, "source"),
		.subject = work_text(w, "subject"),
		.author = work_text(w, "author"),
		.committed = work_text(w, "committed"),
		.text_digest = "",
	};
}

static void attempt_added(struct work *w, struct attempt_state *s)
{
	struct observation *o = WORK_APPEND(w, s->observations, s->observations_n);

	*o = (struct observation){
		.entry = work_entry(w),
		.tip = "",
		.base = "",
		.source = "added",
		.subject = "",
		.author = "",
		.committed = "",
		.text_digest = work_text(w, "text"),
	};
}

static void attempt_gone(struct work *w, struct attempt_state *s)
{
	struct observation *o = observation_find(s, work_text(w, "tip"));

	if (o)
		o->gone = true;
}

static bool was_prepared(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->runs_n; i++)
		if (!*configuration || strcmp(s->runs[i].configuration, configuration) == 0)
			return true;
	return false;
}

static void attempt_expected_event(struct work *w, struct attempt_state *s)
{
	struct expectation *e = WORK_APPEND(w, s->expected, s->expected_n);

	*e = (struct expectation){
		.entry = work_entry(w), .level = (enum level)work_word(w, "level", &words_level),
		.configuration = work_text(w, "configuration"), .text_digest = work_text(w, "text"),
	};
	e->late = was_prepared(s, e->configuration);
}

static void attempt_claimed_event(struct work *w, struct attempt_state *s)
{
	struct claim *c = WORK_APPEND(w, s->claimed, s->claimed_n);

	*c = (struct claim){
		.entry = work_entry(w), .level = (enum level)work_word(w, "level", &words_level),
		.configuration = work_text(w, "configuration"), .text_digest = work_text(w, "text"),
		.source = work_text(w, "source"),
		.mapped = work_flag(w, "mapped") || actor_class(w->event->actor) == ACTOR_HUMAN,
	};
	if (c->level != LEVEL_UNSET)
		work_migration(w)->last_claim_attempt = s->id;
}

static bool has_seen(const struct attempt_state *s, const char *reviewer)
{
	for (size_t i = 0; i < s->seen_n; i++)
		if (strcmp(s->seen[i].reviewer, reviewer) == 0)
			return true;
	return false;
}

static const char *actor_name(const char *actor)
{
	const char *colon = strchr(actor, ':');

	return colon ? colon + 1 : actor;
}

static void attempt_labelled(struct work *w, struct attempt_state *s)
{
	const char *reviewer = work_text(w, "reviewer");
	struct label *l = WORK_APPEND(w, s->labels, s->labels_n);

	*l = (struct label){
		.entry = work_entry(w),
		.outcome = (enum attempt_outcome)work_word(w, "outcome", &words_outcome),
		.cause = work_text(w, "cause"),
		.silent = (enum silence)work_word(w, "silent", &words_silent),
		.reviewer = *reviewer ? reviewer : actor_name(w->event->actor),
		.blind = work_flag(w, "blind"),
	};
	l->secondary = work_texts(w, "secondary", &l->secondary_n);
	l->blind_broken = l->blind && has_seen(s, l->reviewer);
}

static void label_seen_event(struct work *w, struct attempt_state *s)
{
	struct label_seen *l = WORK_APPEND(w, s->seen, s->seen_n);

	*l = (struct label_seen){
		.entry = work_entry(w),
		.reviewer = work_text(w, "reviewer"),
		.position = work_text(w, "position"),
	};
}

static const struct {
	const char *kind;
	void (*apply)(struct work *w, struct attempt_state *s);
} appliers[] = {
	{ "attempt.observed", attempt_observed }, { "attempt.added", attempt_added },
	{ "attempt.gone", attempt_gone }, { "attempt.expected", attempt_expected_event },
	{ "attempt.claimed", attempt_claimed_event }, { "attempt.labelled", attempt_labelled },
	{ "label.seen", label_seen_event },
};

void fold_attempt_event(struct work *w)
{
	struct attempt_state *s = work_attempt(w, w->event->object);

	for (size_t i = 0; s && i < ARRAY_LEN(appliers); i++) {
		if (strcmp(appliers[i].kind, w->event->kind) == 0) {
			appliers[i].apply(w, s);
			work_attempt_changed(w, s);
		}
	}
}

void fold_signoff_event(struct work *w)
{
	struct check_name name;
	struct attempt_state *s;
	struct signoff *o;

	if (!assessment_object_parse(&name, w->arena, w->event->object) ||
		    !(s = work_attempt(w, name.attempt)))
		return;
	o = WORK_APPEND(w, s->signoffs, s->signoffs_n);
	*o = (struct signoff){
		.entry = work_entry(w),
		.configuration = name.configuration,
		.meaning = (enum signoff_meaning)work_word(w, "meaning", &words_signoff),
		.level = (enum level)work_word(w, "level", &words_level),
		.text_digest = work_text(w, "text"),
	};
	work_attempt_changed(w, s);
}

/* ---- checks -------------------------------------------------------------------- */

/* The list of what L2 requires may change: then this attempt's level follows. */
static void remember_checked(struct work *w, const char *attempt)
{
	struct config_state *config = work_get(w, "config", "config");

	for (size_t i = 0; i < config->checked_n; i++)
		if (strcmp(config->checked[i], attempt) == 0)
			return;
	*WORK_APPEND(w, config->checked, config->checked_n) = attempt;
	work_changed(w, "config", "config", MIGRATION_ID, 0);
}

void derive_check(struct work *w, struct check_state *s)
{
	enum check_result by[4] = { CHECK_NOT_CHECKED };
	struct check_brief *brief = NULL;
	struct attempt_state *a;
	int64_t version = 0;

	for (size_t i = 0; i < s->entries_n; i++) {
		const struct check_entry *e = &s->entries[i];
		enum actor_class class = actor_class(e->entry.who);

		/* What an older tool says beside a newer one does not count. */
		if (!counts(&e->entry) || (class == ACTOR_TOOL && e->version < version))
			continue;
		by[class] = e->result;
		version = class == ACTOR_TOOL ? e->version : version;
	}
	s->result = check_combine(by[ACTOR_HUMAN], by[ACTOR_TOOL]);
	s->claimed = by[ACTOR_AGENT];
	s->contradicted = check_truth(by[ACTOR_HUMAN]) != TRUTH_UNKNOWN &&
		check_truth(by[ACTOR_TOOL]) == truth_not(check_truth(by[ACTOR_HUMAN]));
	a = work_attempt(w, s->attempt);
	for (size_t i = 0; i < a->checks_n; i++)
		if (strcmp(a->checks[i].configuration, s->configuration) == 0 &&
		    strcmp(a->checks[i].check, s->check) == 0)
			brief = &a->checks[i];
	if (!a->checks_n)
		remember_checked(w, a->id);
	if (!brief)
		brief = WORK_APPEND(w, a->checks, a->checks_n);
	*brief = (struct check_brief){
		.configuration = s->configuration,
		.check = s->check,
		.result = s->result,
		.claimed = s->claimed,
		.contradicted = s->contradicted,
	};
	take_goal_of_check(brief, s);
	work_attempt_changed(w, a);
}

void fold_check_event(struct work *w)
{
	struct check_name name;
	struct check_state *s;
	struct check_entry *e;

	if (!check_object_parse(&name, w->arena, w->event->object))
		return;
	s = work_get(w, "check", w->event->object);
	s->attempt = name.attempt;
	s->configuration = name.configuration;
	s->check = name.check;
	e = WORK_APPEND(w, s->entries, s->entries_n);
	*e = (struct check_entry){
		.entry = work_entry(w),
		.result = (enum check_result)work_word(w, "result", &words_check),
		.text_digest = work_text(w, "text"),
		.claim = actor_class(w->event->actor) == ACTOR_AGENT,
	};
	e->run = work_text(w, "run");
	e->version = json_i64(w->event->data, "version", 0);
	take_goal_found(w, &e->goal);
	e->evidence = work_texts(w, "evidence", &e->evidence_n);
	e->places = work_texts(w, "places", &e->places_n);
	derive_check(w, s);
	work_changed(w, "check", w->event->object, name.attempt, 0);
}

/* ---- what follows ---------------------------------------------------------------- */

static void derive_observation(struct attempt_state *s)
{
	const struct observation *in_force = NULL;

	for (size_t i = 0; i < s->observations_n; i++) {
		const struct observation *o = &s->observations[i];

		if (counts(&o->entry) && (*o->tip || !in_force || !*in_force->tip))
			in_force = o;
	}
	s->tip = in_force ? in_force->tip : "";
	s->base = in_force ? in_force->base : "";
	s->source = in_force ? in_force->source : "";
	s->subject = in_force ? in_force->subject : "";
	s->author = in_force ? in_force->author : "";
	s->committed = in_force ? in_force->committed : "";
	s->text_digest = in_force ? in_force->text_digest : "";
	s->gone = in_force && in_force->gone;
	s->environment_only = in_force && !*in_force->tip;
}

static bool labels_differ(const struct label *a, const struct label *b)
{
	return a && b && (a->outcome != b->outcome || strcmp(a->cause, b->cause) != 0);
}

static bool people_differ(const struct attempt_state *s, const struct label *human)
{
	for (size_t i = 0; i < s->labels_n; i++) {
		const struct label *l = &s->labels[i];
		bool newest = true;

		if (!counts(&l->entry) || actor_class(l->entry.who) != ACTOR_HUMAN)
			continue;
		for (size_t k = i + 1; k < s->labels_n; k++)
			if (counts(&s->labels[k].entry) &&
				    strcmp(s->labels[k].reviewer, l->reviewer) == 0)
				newest = false;
		if (newest && labels_differ(l, human))
			return true;
	}
	return false;
}

static void derive_labels(struct attempt_state *s)
{
	const struct label *human = attempt_label(s, ACTOR_HUMAN),
			   *tool = attempt_label(s, ACTOR_TOOL);
	const struct label *agent = attempt_label(s, ACTOR_AGENT);
	const struct label *in_force = human ? human : tool ? tool : agent;

	s->outcome = in_force ? in_force->outcome : OUTCOME_NONE;
	s->cause = in_force ? in_force->cause : "";
	s->silent = in_force ? in_force->silent : SILENT_NONE;
	s->agent_cause = agent ? agent->cause : "";
	s->labels_disagree = labels_differ(human, tool) || people_differ(s, human);
}

static void derive_runs(struct attempt_state *s)
{
	s->runs_live = s->runs_ended = s->run_cost_nano_usd = s->runs_without_cost = s->run_ns = 0;
	s->live_run = "";
	for (size_t i = 0; i < s->runs_n; i++) {
		const struct run_brief *r = &s->runs[i];

		if (r->struck)
			continue;
		if (run_status_ended(r->state)) {
			s->runs_ended++;
			s->runs_without_cost += !r->cost_known;
		} else {
			s->runs_live++;
			s->live_run = r->run;
		}
		if (__builtin_add_overflow(s->run_ns, r->elapsed_ns, &s->run_ns))
			s->run_ns = INT64_MAX;
		if (r->cost_known && __builtin_add_overflow(s->run_cost_nano_usd, r->cost_nano_usd,
					     &s->run_cost_nano_usd))
			s->run_cost_nano_usd = INT64_MAX;
	}
}

static enum check_result recorded(
	const struct attempt_state *s, const char *configuration, const char *check)
{
	for (size_t i = 0; i < s->checks_n; i++)
		if (strcmp(s->checks[i].configuration, configuration) == 0 &&
			    strcmp(s->checks[i].check, check) == 0)
			return s->checks[i].result;
	return CHECK_NOT_CHECKED;
}

/* AND over a level's items, those that M requires; a level that nobody touched reads
 * "not checked". */
static enum check_result level_of_items(const struct migration_state *m,
	const struct attempt_state *s, const char *configuration, const char *level)
{
	struct check_all all = { 0 };
	bool touched = false;

	for (size_t i = 0; i < check_items_n; i++) {
		enum check_result r;

		if (strcmp(check_items[i].level, level) != 0 ||
			!migration_requires(m, check_items[i].id))
			continue;
		r = recorded(s, configuration, check_items[i].id);
		touched = touched || r != CHECK_NOT_CHECKED;
		check_all_add(&all, r);
	}
	return touched ? check_all_result(&all) : CHECK_NOT_CHECKED;
}

/* L0 comes from runs; a recorded item can only take it away. */
static enum check_result level_of_runs(const struct attempt_state *s, const char *configuration)
{
	struct l0_pick pick = { .ended = false };

	for (size_t i = 0; i < s->runs_n; i++) {
		const struct run_brief *r = &s->runs[i];

		if (!r->struck && strcmp(r->configuration, configuration) == 0)
			l0_pick_add(&pick, r->kind, r->l0, run_status_ended(r->state));
	}
	for (size_t i = 0; i < check_items_n; i++)
		if (strcmp(check_items[i].level, "L0") == 0 &&
		    recorded(s, configuration, check_items[i].id) == CHECK_REFUTED)
			return CHECK_REFUTED;
	return l0_pick_result(&pick);
}

static struct measured *measured_add(
	struct work *w, struct attempt_state *s, const char *configuration)
{
	struct measured *m;

	if (!*configuration || attempt_measured(s, configuration))
		return NULL;
	m = WORK_APPEND(w, s->measured, s->measured_n);
	m->configuration = configuration;
	return m;
}

/* What a run took is judged only where it did the right thing, and as much of it: of
 * another workload or endpoint no time says anything, for or against. */
static enum check_result level_of_performance(
	const struct attempt_state *s, const char *configuration, const struct level_vector *v)
{
	if (check_truth(v->l4) == TRUTH_UNKNOWN)
		return v->l4;
	if (v->l3 != CHECK_CONFIRMED ||
		recorded(s, configuration, "workload") == CHECK_REFUTED ||
		recorded(s, configuration, "endpoint") == CHECK_REFUTED)
		return CHECK_UNKNOWN;
	return v->l4;
}

static void measure(struct work *w, struct attempt_state *s, struct measured *m)
{
	const struct claim *claim = attempt_claimed(s, m->configuration);
	const struct expectation *expected = attempt_expected(s, m->configuration);

	m->simulated = false;
	for (size_t i = 0; i < s->runs_n; i++)
		if (!s->runs[i].struck && s->runs[i].simulated &&
			    strcmp(s->runs[i].configuration, m->configuration) == 0)
			m->simulated = true;
	m->vector = (struct level_vector){
		.l0 = level_of_runs(s, m->configuration),
		.l2 = level_of_items(work_migration(w), s, m->configuration, "L2"),
		.l4 = level_of_items(work_migration(w), s, m->configuration, "L4"),
	};
	if (m->simulated)
		measure_cap_simulated(&m->vector);
	derive_goals(w, s, m);
	if (m->simulated)
		measure_cap_simulated(&m->vector);
	m->vector.l4 = level_of_performance(s, m->configuration, &m->vector);
	m->ladder = level_ladder(&m->vector);
	m->claim = claim_verdict(claim ? claim->level : LEVEL_UNSET, &m->ladder);
	m->surprise = m->vector.l0 != CHECK_NOT_CHECKED &&
		claim_surprise(expected ? expected->level : LEVEL_UNSET, &m->ladder);
}

static void derive_measured(struct work *w, struct attempt_state *s)
{
	s->measured = NULL;
	s->measured_n = 0;
	for (size_t i = 0; i < s->runs_n; i++)
		if (!s->runs[i].struck)
			measured_add(w, s, s->runs[i].configuration);
	for (size_t i = 0; i < s->checks_n; i++)
		measured_add(w, s, s->checks[i].configuration);
	for (size_t i = 0; i < s->claimed_n; i++)
		if (counts(&s->claimed[i].entry))
			measured_add(w, s, s->claimed[i].configuration);
	s->over_claims = 0;
	for (size_t i = 0; i < s->measured_n; i++) {
		measure(w, s, &s->measured[i]);
		s->over_claims += s->measured[i].claim == CLAIM_OVER;
	}
}

void derive_attempt(struct work *w, struct attempt_state *s)
{
	derive_observation(s);
	derive_labels(s);
	derive_runs(s);
	derive_measured(w, s);
	s->decision = "";
	for (size_t i = 0; i < s->answers_n; i++)
		if (counts(&s->answers[i].entry))
			s->decision = s->answers[i].decision;
}
