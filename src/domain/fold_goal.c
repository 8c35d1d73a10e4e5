/*
 * fold_goal - L3: what follows from the goals on one configuration.
 *
 * A tool records what it measured of a goal (T, G and M of goal_verdict.h), never the
 * verdict: that rests on L2 too, which a later check may change, and on a sign-off.  So
 * the verdict is derived here whenever any of them changes, and cannot be older than what
 * it rests on.  What was held against a goal that has been set anew since reads unknown.
 */
#include "config.h"

#include <string.h>

#include "domain/fold_work.h"
#include "domain/goal_verdict.h"

static bool counts(const struct entry *e)
{
	return !*e->struck;
}

static enum truth truth_of(enum seen s)
{
	return s == SEEN_YES ? TRUTH_TRUE : s == SEEN_NO ? TRUTH_FALSE : TRUTH_UNKNOWN;
}

static enum seen seen_word(const struct json *goal, const char *field)
{
	int v = word_find(&words_seen, json_str(goal, field, ""));

	return v > 0 ? (enum seen)v : SEEN_UNKNOWN;
}

static bool flag(const struct json *goal, const char *field)
{
	return strcmp(json_str(goal, field, ""), "yes") == 0;
}

void take_goal_found(struct work *w, struct goal_found *out)
{
	const struct json *goal = json_get(w->event->data, "goal");

	memset(out, 0, sizeof *out);
	out->statement = "";
	if (!goal || goal->type != JSON_OBJECT)
		return;
	*out = (struct goal_found){
		.holds = seen_word(goal, "holds"),
		.reference = seen_word(goal, "reference"),
		.matches = seen_word(goal, "matches"),
		.may_be_equal = flag(goal, "may_be_equal"),
		.margin_is_zero = flag(goal, "margin_is_zero"),
		.statement = json_str(goal, "statement", ""),
	};
}

void take_goal_of_check(struct check_brief *b, const struct check_state *s)
{
	int64_t version = 0;

	for (size_t i = 0; i < s->entries_n; i++) {
		const struct check_entry *e = &s->entries[i];
		enum actor_class class = actor_class(e->entry.who);

		if (!counts(&e->entry) || class == ACTOR_AGENT)
			continue;
		if (class == ACTOR_HUMAN) {
			b->by_person = e->result != CHECK_NOT_CHECKED;
			continue;
		}
		/* What an older tool says beside a newer one does not count. */
		if (e->version < version)
			continue;
		version = e->version;
		b->failed_before = b->failed_before || b->goal.holds == SEEN_NO;
		b->goal = e->goal;
		b->recorded_at = e->entry.lamport;
	}
}

/* A goal that was weakened after the first target run, by a statement that counts. */
static bool is_loosened(const struct goal_state *g)
{
	for (size_t i = 0; i < g->statements_n; i++)
		if (counts(&g->statements[i].entry) && g->statements[i].loosened)
			return true;
	return false;
}

static bool is_of_goal_in_force(const struct goal_state *g, const struct goal_found *found)
{
	return !*found->statement || (g->in_force >= 0 &&
		strcmp(g->statements[g->in_force].entry.event, found->statement) == 0);
}

/* An approval counts for what was on record when it was given. */
static bool is_signed_off(
	const struct attempt_state *s, const char *configuration, int64_t recorded)
{
	for (size_t i = 0; i < s->signoffs_n; i++) {
		const struct signoff *o = &s->signoffs[i];

		if (counts(&o->entry) && o->meaning == SIGNOFF_APPROVED && o->level == LEVEL_L3 &&
			o->entry.lamport > recorded && strcmp(o->configuration, configuration) == 0)
			return true;
	}
	return false;
}

static struct goal_verdict verdict_of(const struct goal_state *g, const struct attempt_state *s,
	const struct check_brief *b, enum check_result integrity)
{
	struct goal_facts f = {
		.holds = truth_of(b->goal.holds),
		.reference = truth_of(b->goal.reference),
		.matches = truth_of(b->goal.matches),
		.may_be_equal = b->goal.may_be_equal,
		.margin_is_zero = b->goal.margin_is_zero,
	};

	if (!is_of_goal_in_force(g, &b->goal))
		f.holds = TRUTH_UNKNOWN;
	return goal_verdict(&f, integrity, is_signed_off(s, b->configuration, b->recorded_at));
}

/* The word of the check itself: that a value is reached is so, whatever L2 says. */
static enum check_result word_of(const struct goal_verdict *v)
{
	return v->result == GOAL_NOT_COUNTED ? CHECK_CONFIRMED : v->level;
}

static void mark(struct measured *m, const struct goal_state *g, const struct check_brief *b,
	const struct goal_verdict *v)
{
	m->inherited = m->inherited || (v->result == GOAL_INHERITED && !v->awaits_signoff);
	m->awaits_signoff = m->awaits_signoff || v->awaits_signoff;
	m->reference_misses = m->reference_misses || v->reference_misses;
	m->no_reference = m->no_reference || v->no_reference;
	if (v->level != CHECK_CONFIRMED || !is_loosened(g))
		return;
	m->loosened = true;
	m->loosened_after_failure = m->loosened_after_failure || b->failed_before;
}

/* What the goal of B makes of L3.  A person's word stands as it was given. */
static enum check_result level_of_goal(
	struct work *w, struct attempt_state *s, struct check_brief *b, struct measured *m)
{
	const struct goal_state *g;
	struct goal_verdict v;

	b->row = 0;
	if (!b->goal.holds || b->by_person)
		return b->result;
	g = work_get(w, "goal", check_goal(b->check));
	v = verdict_of(g, s, b, m->vector.l2);
	b->row = v.row;
	b->result = word_of(&v);
	mark(m, g, b, &v);
	return v.level;
}

static struct check_brief *brief_of(
	struct attempt_state *s, const char *configuration, const char *goal)
{
	for (size_t i = 0; i < s->checks_n; i++)
		if (strcmp(s->checks[i].configuration, configuration) == 0 &&
			strncmp(s->checks[i].check, "goal.", 5) == 0 &&
			strcmp(check_goal(s->checks[i].check), goal) == 0)
			return &s->checks[i];
	return NULL;
}

/* The goals that count: those set before the first target run; without any of those, the
 * late ones.  Goals that do not count keep their verdict and make nothing of L3. */
void derive_goals(struct work *w, struct attempt_state *s, struct measured *m)
{
	const struct migration_state *migration = work_migration(w);
	struct check_all all = { 0 };
	bool frozen = false, touched = false;

	for (size_t i = 0; i < migration->goals_n; i++)
		frozen = frozen || !migration->goals[i].late;
	for (size_t i = 0; i < migration->goals_n; i++) {
		const struct goal_mark *goal = &migration->goals[i];
		struct check_brief *b = brief_of(s, m->configuration, goal->goal);
		struct measured ignored = *m;
		bool counted = !frozen || !goal->late;
		enum check_result r = b
			? level_of_goal(w, s, b, counted ? m : &ignored) : CHECK_NOT_CHECKED;

		if (!counted)
			continue;
		touched = touched || r != CHECK_NOT_CHECKED;
		check_all_add(&all, r);
	}
	m->vector.l3 = touched ? check_all_result(&all) : CHECK_NOT_CHECKED;
	if (m->vector.l3 != CHECK_CONFIRMED)
		m->inherited = m->loosened = m->loosened_after_failure = false;
}
