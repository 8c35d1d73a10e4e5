/* decision_once - was this decided already?  Asked on the events, inside the write
 * transaction; see decision_private.h. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/decision_private.h"
#include "domain/authority.h"

/* 1 when somebody who may has struck E. */
static int is_struck(struct log *log, const struct event *e, struct arena *a)
{
	char hex[DIGEST_HEX + 1];
	struct event_query q = { .kind = "event.superseded", .object = hex };
	struct event **strikes;
	size_t n;
	int rc;

	digest_hex(hex, &e->id);
	rc = log_events(log, &q, a, &strikes, &n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (authority_may_supersede(strikes[i]->actor, e->actor))
			return 1;
	return rc;
}

/* 1 when the alarm ID is about ATTEMPT. */
static int is_alarm_of(struct log *log, const char *id, const char *attempt, struct arena *a)
{
	struct event_query q = { .kind = "alarm.raised", .object = id, .limit = 1 };
	struct event **raised;
	size_t n;
	int rc = log_events(log, &q, a, &raised, &n);

	return rc < 0 ? rc : n && strcmp(json_str(raised[0]->data, "attempt", ""), attempt) == 0;
}

/* 1 when a decision about THEIRS speaks of SUBJECT, or of an alarm of the attempt that
 * SUBJECT is. */
static int speaks_of(struct log *log, const char *theirs, const char *subject, struct arena *a)
{
	if (strcmp(theirs, subject) == 0)
		return 1;
	if (!text_starts(subject, "attempt:") || !text_starts(theirs, "alarm:"))
		return 0;
	return is_alarm_of(log, strchr(theirs, ':') + 1, strchr(subject, ':') + 1, a);
}

/* 1 when E, a decision, is what ONCE would say again. */
static int says_it(
	struct log *log, const struct event *e, const struct decision_once *once, struct arena *a)
{
	int rc;

	if (!text_starts(once->subject, "alarm:") &&
		strcmp(json_str(e->data, "choice", ""), once->choice) != 0)
		return 0;
	rc = speaks_of(log, json_str(e->data, "subject", ""), once->subject, a);
	if (rc <= 0)
		return rc;
	rc = is_struck(log, e, a);
	return rc < 0 ? rc : !rc;
}

static int refuse(const struct event *e, const struct decision_once *once, struct arena *a)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &e->id);
	return err_set(ERR_EXISTS, "already decided by %s: %s (event %.10s); record another?%s",
		text_sanitised(a, e->actor), text_sanitised(a, json_str(e->data, "choice", "")),
		hex, once->from_screen ? "" : "  --again does");
}

int decision_check_once(struct log *log, void *user)
{
	const struct decision_once *once = user;
	struct event_query q = { .kind = "decision.made", .descending = true };
	struct arena a = ARENA_INIT;
	struct event **decisions;
	size_t n;
	int rc = log_events(log, &q, &a, &decisions, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = says_it(log, decisions[i], once, &a);
		if (rc > 0)
			rc = refuse(decisions[i], once, &a);
	}
	arena_release(&a);
	return rc;
}
