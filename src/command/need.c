/* need - see need.h. */
#include "config.h"

#include "command/need.h"

#include <stdlib.h>

#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

struct needs { struct need *rows; size_t n, cap; };

static struct need *add_need(struct needs *needs, enum need_kind kind, const char *text)
{
	ARRAY_GROW(needs->rows, needs->n, needs->cap);
	needs->rows[needs->n] =
		(struct need){ .kind = kind, .text = text, .attempt = "", .run = "", .alarm = "",
			.rule = "" };
	return &needs->rows[needs->n++];
}

static void need_alarms(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];
		struct need *need;

		if (!s->open)
			continue;
		need = add_need(needs, NEED_ALARM,
			arena_printf(a, "%s asks for a decision%s%s (%s)", s->rule,
				*s->attempt ? ", attempt " : "", s->attempt,
				word_name(&words_rule_class, (int)s->class)));
		need->alarm = s->id;
		need->rule = s->rule;
		need->attempt = s->attempt;
	}
}

static void need_claims(struct needs *needs, void **rows, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct attempt_state *s = rows[i];

		for (size_t k = 0; k < s->measured_n; k++)
			if (s->measured[k].claim == CLAIM_OVER)
				add_need(needs, NEED_OVER_CLAIM,
					arena_printf(a, "over-claim #%s at %s", s->id,
						s->measured[k].configuration))
					->attempt = s->id;
	}
}

int needs_read(struct need **out, size_t *n, struct workspace *ws, const struct position *at,
	struct arena *a)
{
	struct state_query alarms = { .type = "alarm", .at = at },
			   attempts = { .type = "attempt", .at = at };
	struct needs needs = { 0 };
	struct accepted accepted;
	void **rows;
	size_t count;
	int rc = state_list(ws, &alarms, a, &rows, &count);

	if (rc < 0)
		return rc;
	need_alarms(&needs, rows, count, a);
	if ((rc = state_list(ws, &attempts, a, &rows, &count)) == 0)
		need_claims(&needs, rows, count, a);
	if (rc == 0 && !at && (rc = accepted_read(&accepted, ws, NULL)) == 0) {
		if (accepted.state == ACCEPTED_NEVER || accepted.state == ACCEPTED_CHANGED ||
			accepted.state == ACCEPTED_INVALID)
			add_need(&needs, NEED_CONFIG, arena_strdup(a, accepted.sentence));
		accepted_release(&accepted);
	}
	*n = needs.n;
	*out = arena_memdup(a, needs.rows, needs.n * sizeof *needs.rows);
	free(needs.rows);
	return rc;
}
