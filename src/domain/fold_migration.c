/*
 * fold_migration - the migration itself, the files that a person accepted, and
 * the goals.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "domain/fold_work.h"

static bool counts(const struct entry *e)
{
	return !*e->struck;
}

/* ---- migration ---------------------------------------------------------------------- */

void derive_migration(struct migration_state *s)
{
	s->end = DECISION_NONE;
	for (size_t i = 0; i < s->endings_n; i++)
		if (counts(&s->endings[i].entry) && s->endings[i].choice != DECISION_ABANDON_LINE)
			s->end = s->endings[i].choice;
}

static void migration_created(struct work *w, struct migration_state *m)
{
	if (*m->created.event && counts(&m->created))
		return;
	m->created = work_entry(w);
	m->id = w->event->object;
	m->name = work_text(w, "name");
	m->original = work_text(w, "original");
	m->repository = work_text(w, "repository");
}

void fold_migration_event(struct work *w)
{
	struct migration_state *m = work_migration(w);

	if (strcmp(w->event->kind, "migration.created") == 0) {
		migration_created(w, m);
	} else {
		m->checkpoints++;
		m->checkpoint = work_entry(w);
		m->checkpoint_digest = work_text(w, "digest");
		m->checkpoint_where = work_text(w, "where");
	}
	work_changed(w, "migration", MIGRATION_ID, "", 0);
}

/* ---- accepted files ------------------------------------------------------------------- */

static bool is_contract(const char *id)
{
	return strcmp(id, "contract") == 0;
}

static bool same_list(const struct acceptance *a, const struct acceptance *b)
{
	size_t n = b ? b->required_n : 0;

	if (a->required_n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(a->required[i], b->required[i]) != 0)
			return false;
	return true;
}

/* Whoever chose the list stands beside it, not whoever accepted another line later. */
static void derive_required(struct work *w, struct migration_state *m, const struct config_state *s)
{
	const struct acceptance *before = NULL, *chosen = NULL;

	for (size_t i = 0; i < s->acceptances_n; i++) {
		const struct acceptance *a = &s->acceptances[i];

		if (!counts(&a->entry))
			continue;
		if (!same_list(a, before))
			chosen = a;
		before = a;
	}
	if (strcmp(m->required_by.event, chosen ? chosen->entry.event : "") == 0)
		return;
	m->required = chosen ? chosen->required : NULL;
	m->required_n = chosen ? chosen->required_n : 0;
	m->required_by = chosen ? chosen->entry : (struct entry){ "", "", "", 0, "", "" };
	work_checked_changed(w);
}

void derive_config(struct work *w, const char *id, struct config_state *s)
{
	struct migration_state *m = work_migration(w);
	const struct acceptance *in_force = NULL;

	for (size_t i = 0; i < s->acceptances_n; i++)
		if (counts(&s->acceptances[i].entry))
			in_force = &s->acceptances[i];
	if (!is_contract(id))
		derive_required(w, m, s);
	if (is_contract(id)) {
		m->contract_digest = in_force ? in_force->digest : "";
		return;
	}
	m->config_digest = in_force ? in_force->digest : "";
	m->config_text_digest = in_force ? in_force->text_digest : "";
}

/* A loosening is marked for ever: striking the acceptance does not take it back. */
void fold_config_event(struct work *w)
{
	const char *id = strcmp(w->event->kind, "contract.accepted") == 0 ? "contract" : "config";
	struct migration_state *m = work_migration(w);
	struct config_state *s = work_get(w, "config", id);
	struct acceptance *a = WORK_APPEND(w, s->acceptances, s->acceptances_n);

	*a = (struct acceptance){
		.entry = work_entry(w),
		.digest = work_text(w, "digest"),
		.text_digest = work_text(w, "text"),
		.summary_digest = work_text(w, "summary"),
		.after_failure = m->counts.failures > 0,
	};
	a->required = work_texts(w, "required", &a->required_n);
	a->loosened = work_texts(w, "loosened", &a->loosened_n);
	m->loosened += (int64_t)a->loosened_n;
	if (a->after_failure)
		m->loosened_after_failure += (int64_t)a->loosened_n;
	derive_config(w, id, s);
	work_changed(w, "config", id, MIGRATION_ID, 0);
	work_changed(w, "migration", MIGRATION_ID, "", 0);
}

/* ---- goals ------------------------------------------------------------------------------ */

static bool number(const char *s, double *out)
{
	return text_to_double(s, strlen(s), out) && !isnan(*out);
}

/* What an older version did not write is no change. */
static bool differs(const char *old, const char *new)
{
	return *old && *new && strcmp(old, new) != 0;
}

/* Another value is judged: nobody can say that it demands as much. */
static bool judges_another(const struct goal_statement *old, const struct goal_statement *new)
{
	return old->form != new->form || old->direction != new->direction ||
		(old->at && new->at && old->at != new->at) || differs(old->series, new->series) ||
		differs(old->baseline, new->baseline) || differs(old->scale, new->scale);
}

/* A weaker demand: wider margin, nearer target, wider band, another value. */
static bool is_looser(const struct goal_statement *old, const struct goal_statement *new)
{
	double a, b, sign = new->direction == DIRECTION_LOWER ? -1 : 1;

	if (judges_another(old, new) || (old->strict && !new->strict))
		return true;
	if (number(old->tolerance, &a) && number(new->tolerance, &b) && b > a)
		return true;
	if (number(old->margin, &a) && number(new->margin, &b) &&
	    (new->form == FORM_ORDERING ? b < a : b > a))
		return true;
	if (number(old->target, &a) && (!number(new->target, &b) || sign * (b - a) < 0))
		return true;
	if (number(old->low, &a) && (!number(new->low, &b) || b < a))
		return true;
	return number(old->high, &a) && (!number(new->high, &b) || b > a);
}

void derive_goal(struct goal_state *s)
{
	s->in_force = -1;
	for (size_t i = 0; i < s->statements_n; i++)
		if (counts(&s->statements[i].entry))
			s->in_force = (int64_t)i;
}

static void mark_goal(struct work *w, struct migration_state *m, const struct goal_state *g)
{
	struct goal_mark *mark = NULL;

	for (size_t i = 0; i < m->goals_n; i++)
		if (strcmp(m->goals[i].goal, g->name) == 0)
			mark = &m->goals[i];
	if (mark)
		return;
	mark = WORK_APPEND(w, m->goals, m->goals_n);
	*mark = (struct goal_mark){ .goal = g->name, .late = *m->first_target_run.event != '\0' };
}

void fold_goal_event(struct work *w)
{
	struct migration_state *m = work_migration(w);
	struct goal_state *g = work_get(w, "goal", w->event->object);
	const struct goal_statement *old;
	struct goal_statement *s;

	g->name = w->event->object;
	derive_goal(g);
	old = g->in_force >= 0 ? &g->statements[g->in_force] : NULL;
	s = WORK_APPEND(w, g->statements, g->statements_n);
	*s = (struct goal_statement){
		.entry = work_entry(w),
		.metric = work_text(w, "metric"),
		.unit = work_text(w, "unit"),
		.reason_digest = work_text(w, "reason"),
		.form = (enum goal_form)work_word(w, "form", &words_goal_form),
		.direction = (enum goal_direction)work_word(w, "direction", &words_direction),
		.scale = work_text(w, "scale"),
		.target = work_text(w, "target"),
		.margin = work_text(w, "margin"),
		.low = work_text(w, "low"),
		.high = work_text(w, "high"),
		.examples = work_text(w, "examples"),
		.tolerance = work_text(w, "tolerance"),
		.series = work_text(w, "series"),
		.baseline = work_text(w, "baseline"),
		.at = (enum goal_at)work_word(w, "at", &words_goal_at),
		.strict = work_flag(w, "strict"),
		.late = *m->first_target_run.event != '\0',
	};
	s->loosened = s->late && old && is_looser(old, s);
	derive_goal(g);
	mark_goal(w, m, g);
	work_checked_changed(w);
	work_changed(w, "goal", g->name, MIGRATION_ID, 0);
	work_changed(w, "migration", MIGRATION_ID, "", 0);
}
