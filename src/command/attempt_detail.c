/* attempt_detail - see attempt_detail.h. */
#include "config.h"

#include "command/attempt_detail.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "command/checks.h"
#include "workspace/state.h"

struct lines {
	struct detail_line *rows;
	size_t n, cap;
	struct workspace *ws;
	struct arena *a;
};

/* TEXT is sanitised here, whatever it is made of. */
static struct detail_line *add_line(struct lines *l, const char *head, const char *text,
	const char *source, enum detail_tone tone)
{
	ARRAY_GROW(l->rows, l->n, l->cap);
	l->rows[l->n] = (struct detail_line){ .head = head, .text = text_sanitised(l->a, text),
		.source = text_sanitised(l->a, source), .tone = tone };
	return &l->rows[l->n++];
}

static const char *taken(struct lines *l, struct buf *b)
{
	const char *s = arena_strndup(l->a, b->s, b->n);

	buf_release(b);
	return s;
}

/* "human:ana, 27 Oct 16:21". */
static const char *source_of(struct lines *l, const struct entry *e, const char *more)
{
	struct buf b = BUF_INIT;
	int64_t ns;

	buf_adds(&b, e->who);
	if (clock_from_iso(&ns, e->time)) {
		buf_adds(&b, ", ");
		clock_add_short(&b, ns, clock_wall_ns());
	}
	if (more && *more)
		buf_addf(&b, ", %s", more);
	if (*e->struck)
		buf_addf(&b, ", struck by %s", e->struck_by);
	return taken(l, &b);
}

static const char *at_configuration(const char *name)
{
	return *name ? name : "all";
}

/* ---- what it is ----------------------------------------------------------------- */

static const char *short_oid(struct lines *l, const char *oid)
{
	return *oid ? arena_strndup(l->a, oid, strlen(oid) < 10 ? strlen(oid) : 10) : "no commit";
}

static void add_change(
	struct lines *l, const struct attempt_state *s, const struct attempt_changes *c)
{
	struct buf b = BUF_INIT;

	if (s->environment_only) {
		buf_adds(&b, "the environment only, no commit");
		if (*s->text_digest)
			buf_addf(&b, ": %s", workspace_text(l->ws, l->a, s->text_digest));
	} else {
		attempt_add_changes(&b, s, &c->previous);
		buf_adds(&b, " against the previous");
		if (c->original.known) {
			buf_adds(&b, ", ");
			attempt_add_changes(&b, s, &c->original);
			buf_adds(&b, " against the original");
		}
		if (!c->previous.known)
			buf_addf(&b, " (%s)",
				*c->previous.reason ? c->previous.reason : "not counted yet");
	}
	add_line(l, "change", taken(l, &b),
		arena_printf(l->a, "%s, %s", short_oid(l, s->tip), s->source), DETAIL_PLAIN);
}

static void add_identity(struct lines *l, const struct attempt_state *s)
{
	struct buf b = BUF_INIT;
	int64_t ns;

	if (!*s->subject)
		return;
	if (*s->author)
		buf_adds(&b, s->author);
	if (clock_from_iso(&ns, s->committed)) {
		buf_adds(&b, ", ");
		clock_add_short(&b, ns, clock_wall_ns());
	}
	add_line(l, "subject", s->subject, taken(l, &b), DETAIL_PLAIN);
	if (s->gone)
		add_line(l, "", "! gone: nothing in the repository names this attempt any more", "",
			DETAIL_BAD);
}

/* ---- what was said ------------------------------------------------------------------ */

static void add_expectations(struct lines *l, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->expected_n; i++) {
		const struct expectation *e = &s->expected[i];
		const char *why = workspace_text(l->ws, l->a, e->text_digest);

		add_line(l, "expected",
			arena_printf(l->a, "%s @%s%s%s%s", level_name(e->level),
				at_configuration(e->configuration),
				e->late ? " (written after the run was prepared: does not count)"
					: "",
				*why && strcmp(why, level_name(e->level)) != 0 ? "  " : "",
				strcmp(why, level_name(e->level)) != 0 ? why : ""),
			source_of(l, &e->entry, ""),
			*e->entry.struck  ? DETAIL_STRUCK
				: e->late ? DETAIL_OPEN
					  : DETAIL_PLAIN);
	}
}

static void add_claims(struct lines *l, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->claimed_n; i++) {
		const struct claim *c = &s->claimed[i];
		const char *words = workspace_text(l->ws, l->a, c->text_digest);
		const char *level = c->level == LEVEL_UNSET ? "no level" : level_name(c->level);

		add_line(l, "claimed",
			arena_printf(l->a, "%s @%s%s%s%s", level,
				at_configuration(c->configuration), c->mapped ? " (mapped)" : "",
				*words && strcmp(words, level) != 0 ? "  " : "",
				strcmp(words, level) != 0 ? words : ""),
			source_of(l, &c->entry, c->source),
			*c->entry.struck ? DETAIL_STRUCK : DETAIL_NOTE);
	}
}

/* ---- what was measured ---------------------------------------------------------------- */

static enum detail_tone tone_of(const struct measured *m)
{
	if (m->claim == CLAIM_OVER)
		return DETAIL_BAD;
	return m->vector.l0 == CHECK_CONFIRMED && m->ladder.level == m->ladder.upper ? DETAIL_GOOD
										     : DETAIL_OPEN;
}

/* What is expected may still turn out to be so: no surprise yet. */
static bool is_open(const struct expectation *expected, const struct ladder *measured)
{
	return expected && expected->level > measured->level && expected->level <= measured->upper;
}

static void add_measured(struct lines *l, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->measured_n; i++) {
		const struct measured *m = &s->measured[i];
		struct buf b = BUF_INIT, level = BUF_INIT;

		attempt_add_measured(&level, s, m->configuration);
		buf_addf(&b, "%s%s @%s: L0 %s, L2 %s, L3 %s, L4 %s",
			m->claim == CLAIM_OVER ? "! " : "", level.s, m->configuration,
			word_name(&words_check, (int)m->vector.l0),
			word_name(&words_check, (int)m->vector.l2),
			word_name(&words_check, (int)m->vector.l3),
			word_name(&words_check, (int)m->vector.l4));
		measured_add_remarks(&b, m);
		if (m->claim != CLAIM_NOTHING)
			buf_addf(&b, "; claim: %s", word_name(&words_claim_verdict, (int)m->claim));
		if (m->surprise && !is_open(attempt_expected(s, m->configuration), &m->ladder))
			buf_adds(&b, "; not as expected");
		add_line(l, "measured", taken(l, &b),
			m->simulated ? "simulated: never confirms L2 to L4" : "", tone_of(m));
		buf_release(&level);
	}
	if (!s->measured_n)
		add_line(l, "measured", "nothing yet; r starts a smoke run", "", DETAIL_OPEN);
}

/* A level of fewer questions is not taken for one of all. */
static int add_required(struct lines *l, const struct position *at)
{
	struct migration_state *m;
	int rc = state_migration(l->ws, at, l->a, &m);

	if (rc == 0 && m->required_n)
		add_line(
			l, "measured", checks_required_text(m, l->a), "portside.conf", DETAIL_NOTE);
	return rc;
}

static void add_run(struct lines *l, const struct run_brief *r)
{
	struct buf b = BUF_INIT;
	bool live = !run_status_ended(r->state);

	buf_addf(&b, "%s%s @%s seed %s: %s", live ? "> " : "",
		r->kind ? run_kind_text(r->kind) : "run of unknown kind", r->configuration,
		*r->seed ? r->seed : "unknown", word_name(&words_run_state, (int)r->state));
	if (!live)
		buf_addf(&b, ", L0 %s", word_name(&words_check, (int)r->l0));
	if (r->elapsed_ns > 0) {
		buf_adds(&b, ", ");
		clock_add_duration(&b, r->elapsed_ns);
	}
	if (r->cost_known) {
		buf_adds(&b, ", ");
		units_add_money(&b, r->cost_nano_usd);
	}
	add_line(l, "runs", taken(l, &b),
		arena_printf(l->a, "%s, %s%s", r->run,
			word_name(&words_provenance, (int)r->provenance),
			r->simulated ? ", simulated" : ""),
		r->struck ? DETAIL_STRUCK : DETAIL_PLAIN);
}

/* ---- what people made of it --------------------------------------------------------------- */

static void add_labels(struct lines *l, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->labels_n; i++) {
		const struct label *e = &s->labels[i];
		struct buf b = BUF_INIT;

		buf_adds(&b, e->outcome ? word_name(&words_outcome, (int)e->outcome) : "");
		if (*e->cause)
			buf_addf(&b, "%s%s", b.n ? ", " : "", e->cause);
		for (size_t k = 0; k < e->secondary_n; k++)
			buf_addf(&b, " + %s", e->secondary[k]);
		if (e->silent)
			buf_addf(&b, ", silent: %s", word_name(&words_silent, (int)e->silent));
		if (e->blind)
			buf_adds(&b, e->blind_broken ? ", not blind: had seen a label" : ", blind");
		add_line(l, "label", taken(l, &b), source_of(l, &e->entry, e->reviewer),
			*e->entry.struck ? DETAIL_STRUCK : DETAIL_PLAIN);
	}
	if (s->labels_disagree)
		add_line(l, "", "! the labels disagree", "", DETAIL_BAD);
}

static const char *minutes_text(struct arena *a, const struct attempt_state *s)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (!s->intervention_minutes && !s->interventions_without_minutes)
		return "minutes counted with the decision";
	buf_adds(&b, s->intervention_minutes ? "" : "minutes ");
	cost_add_minutes(&b, s->intervention_minutes, s->interventions_without_minutes,
		s->interventions);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

static void add_people(struct lines *l, const struct attempt_state *s)
{
	for (size_t i = 0; i < s->answers_n; i++)
		add_line(l, "decided", word_name(&words_decision, (int)s->answers[i].choice),
			source_of(l, &s->answers[i].entry, ""),
			*s->answers[i].entry.struck ? DETAIL_STRUCK : DETAIL_NOTE);
	for (size_t i = 0; i < s->signoffs_n; i++)
		add_line(l, "sign-off",
			arena_printf(l->a, "%s %s @%s",
				word_name(&words_signoff, (int)s->signoffs[i].meaning),
				level_name(s->signoffs[i].level),
				at_configuration(s->signoffs[i].configuration)),
			source_of(l, &s->signoffs[i].entry, ""),
			*s->signoffs[i].entry.struck ? DETAIL_STRUCK : DETAIL_NOTE);
	if (s->interventions)
		add_line(l, "people",
			arena_printf(l->a, "%lld intervention%s, %s", (long long)s->interventions,
				s->interventions == 1 ? "" : "s", minutes_text(l->a, s)),
			"journal", DETAIL_NOTE);
}

int attempt_detail_read(struct attempt_detail *out, struct workspace *ws, const char *id,
	const struct position *at, struct arena *a)
{
	struct lines l = { .ws = ws, .a = a };
	struct attempt_changes *changes;
	struct attempt_state *s;
	void *state;
	int rc = state_get(ws, "attempt", id, at, a, &state);

	memset(out, 0, sizeof *out);
	out->id = "";
	if (rc <= 0)
		return rc;
	s = state;
	if ((rc = changes_of(&changes, ws, &s, 1, changes_original(ws, a), CHANGES_CACHED_ONLY,
		     NULL, a)) < 0)
		return rc;
	add_identity(&l, s);
	add_change(&l, s, changes);
	add_expectations(&l, s);
	add_claims(&l, s);
	add_measured(&l, s);
	if ((rc = add_required(&l, at)) < 0) {
		free(l.rows);
		return rc;
	}
	for (size_t i = s->runs_n; i-- > 0; )
		add_run(&l, &s->runs[i]);
	add_labels(&l, s);
	add_people(&l, s);
	for (size_t i = l.n; i-- > 1; )
		if (strcmp(l.rows[i].head, l.rows[i - 1].head) == 0)
			l.rows[i].head = "";
	out->id = s->id;
	out->n = l.n;
	out->lines = arena_memdup(a, l.rows, l.n * sizeof *l.rows);
	free(l.rows);
	return 0;
}
