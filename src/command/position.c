/* position - see position.h. */
#include "config.h"

#include "command/position.h"

#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "command/attempt.h"
#include "workspace/workspace.h"

int position_step(
	struct position *out, struct workspace *ws, const struct position *at, int direction)
{
	struct log *log = workspace_log(ws);
	struct position last;
	int rc;

	if (at)
		return direction < 0 ? log_position_prev(log, at, out)
				     : log_position_next(log, at, out);
	if (direction > 0)
		return 0;
	/* Back from now is the event before the newest one. */
	rc = log_position_last(log, &last);
	return rc > 0 ? log_position_prev(log, &last, out) : rc;
}

const char *position_text(struct workspace *ws, const struct position *at, struct arena *a)
{
	struct event_query q = { .limit = 1 };
	struct position before;
	struct event **events;
	struct buf b = BUF_INIT;
	const char *text;
	int64_t place = 0, count = 0, ns;
	size_t n = 0;

	/* FROM is exclusive: ask for the one after the one before. */
	if (log_position_prev(workspace_log(ws), at, &before) > 0)
		q.from = &before;
	if (log_events(workspace_log(ws), &q, a, &events, &n) < 0 ||
		log_position_rank(workspace_log(ws), at, &place) < 0 ||
		log_count(workspace_log(ws), &count) < 0)
		err_clear();
	buf_addf(&b, "event %lld of %lld", (long long)place, (long long)count);
	if (n && clock_from_iso(&ns, events[0]->time)) {
		buf_adds(&b, ", ");
		clock_add_short(&b, ns, clock_wall_ns());
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

const char *position_attempt(struct workspace *ws, const struct position *at, const char *id,
	int direction, struct arena *a)
{
	struct attempt_rows rows;
	long found = -1, to;

	if (attempt_rows_read(&rows, ws, at, 0, NULL, a) < 0 || !rows.n) {
		err_clear();
		return NULL;
	}
	for (size_t i = 0; i < rows.n; i++)
		if (strcmp(rows.rows[i].state->id, id) == 0)
			found = (long)i;
	if (found < 0)
		to = direction < 0 ? (long)rows.n - 1 : 0;
	else
		to = found + direction;
	return to < 0 || to >= (long)rows.n ? NULL : rows.rows[to].state->id;
}
