/* strike - see strike.h. */
#include "config.h"

#include "command/strike.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/people.h"
#include "command/screen_operation.h"
#include "domain/authority.h"

/* 1 when a strike of EVENT is on record, 0 when not. */
static int is_struck(struct workspace *ws, const char *hex, const char **by, struct arena *a)
{
	struct event_query q = { .kind = "event.superseded", .object = hex, .limit = 1 };
	struct event **events;
	size_t n;
	int rc = log_events(workspace_log(ws), &q, a, &events, &n);

	if (rc < 0 || !n)
		return rc;
	*by = text_sanitised(a, events[0]->actor);
	return 1;
}

static bool may_strike(const struct actor *who, const struct event *e)
{
	bool yes = strcmp(e->kind, "event.superseded") != 0 &&
		authority_may_supersede(who->text, e->actor) &&
		authority_check_kind(who, e->kind) == 0;

	err_clear();
	return yes;
}

/* The first of EVENTS that one may strike and did not; 1 and its ID, or 0. */
static int find_own(struct digest *id, struct workspace *ws, struct event *const *events, size_t n,
	struct arena *a)
{
	const struct actor *who = workspace_actor(ws);
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < n; i++) {
		char hex[DIGEST_HEX + 1];
		const char *by;

		if (strcmp(events[i]->actor, who->text) != 0 || !may_strike(who, events[i]))
			continue;
		digest_hex(hex, &events[i]->id);
		if ((rc = is_struck(ws, hex, &by, a)) == 0) {
			*id = events[i]->id;
			return 1;
		}
	}
	return rc < 0 ? rc : 0;
}

int strike_last_own(struct event **out, struct workspace *ws, struct arena *a)
{
	enum { PAGE = 500 };
	struct event_query q = { .descending = true, .limit = PAGE };
	struct log *log = workspace_log(ws);
	struct position from;
	struct digest id;
	size_t n = PAGE;
	int rc = 0;

	while (rc == 0 && n == PAGE) {
		struct arena page = ARENA_INIT;
		struct event **events;

		rc = log_events(log, &q, &page, &events, &n);
		if (rc == 0 && n)
			from = event_position(events[n - 1]);
		if (rc == 0)
			rc = find_own(&id, ws, events, n, &page);
		q.from = &from;
		arena_release(&page);
	}
	if (rc <= 0)
		return rc;
	rc = log_event(log, &id, a, out);
	return rc < 0 ? rc : 1;
}

static int find_strikable(struct event **out, struct call *c)
{
	const char *prefix = call_text(c, "event");
	int rc;

	if (prefix && *prefix)
		return log_event_by_prefix(workspace_log(c->workspace), prefix, c->arena, out);
	rc = strike_last_own(out, c->workspace, c->arena);
	return rc ? (rc < 0 ? rc : 0)
		  : err_set(ERR_NOT_FOUND, "%s has nothing on record that could be taken back",
			    workspace_actor(c->workspace)->text);
}

/* Taking a decision back is deciding: it needs the same authority. */
static int check_strike(struct call *c, const struct event *e, const char *hex)
{
	const struct actor *who = workspace_actor(c->workspace);
	const char *by = "";
	int rc;

	if (strcmp(e->kind, "event.superseded") == 0)
		return err_set(ERR_REFUSED, "a strike is not struck; write the record again");
	if (!authority_may_supersede(who->text, e->actor))
		return err_set(ERR_REFUSED, "%s may not strike what %s wrote", who->text, e->actor);
	if (actor_class(e->actor) == ACTOR_HUMAN && (rc = authority_check_kind(who, e->kind)) < 0)
		return err_prefix("strike: ");
	rc = is_struck(c->workspace, hex, &by, c->arena);
	return rc > 0 ? err_set(ERR_STATE, "event %.10s was struck by %s already", hex, by) : rc;
}

static int strike_run(struct call *c)
{
	struct record r = { .kind = "event.superseded" };
	struct event *e = NULL;
	char hex[DIGEST_HEX + 1];
	int rc = people_check_words(c, "--reason");

	if (rc < 0 || (rc = find_strikable(&e, c)) < 0)
		return rc;
	digest_hex(hex, &e->id);
	if ((rc = check_strike(c, e, hex)) < 0)
		return rc;
	r.object = arena_strdup(c->arena, hex);
	r.data = event_data(c->arena, "kind", e->kind, "of", e->object, "reason",
		call_text(c, "--reason"), NULL);
	return people_record(c, &r, 1, "struck; the old words stay visible");
}

static const struct argument strike_arguments[] = {
	{ "event", ARGUMENT_EVENT, "the event's first digits", false, false, NULL,
		"your last record" },
	{ "--reason", ARGUMENT_TEXT, "why", true, false, NULL, NULL },
	{ 0 },
};

const struct operation strike_operations[] = {
	{ "strike", "u", CONTEXT_JOURNAL, "take a record back; the old words stay visible",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_DIALOG,
		strike_arguments, strike_run, SCREEN_STRIKE },
	{ 0 },
};
