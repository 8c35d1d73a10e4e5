/* checkpoint - see checkpoint.h. */
#include "config.h"

#include "workspace/checkpoint.h"

#include <string.h>

#include "base/err.h"
#include "base/json_build.h"
#include "base/text.h"
#include "domain/kind.h"

static const char kind[] = "checkpoint.published";

/* ---- reading ------------------------------------------------------------------------ */

static int64_t sum_of(const struct json *counts)
{
	int64_t sum = 0, v;

	for (const struct json *j = counts ? counts->first : NULL; j; j = j->next)
		if (j->type == JSON_STRING && text_to_i64(j->text, j->text_n, &v))
			sum += v;
	return sum;
}

static struct checkpoint of_event(const struct event *e, struct arena *a)
{
	struct checkpoint c = { .recorded = true,
		.why_not = "",
		.count = sum_of(json_get(e->data, "counts")),
		.time = arena_strdup(a, e->time),
		.where = text_sanitised(a, json_str(e->data, "where", "")) };
	const char *hex = json_str(e->data, "digest", "");

	if (strlen(hex) == DIGEST_HEX)
		memcpy(c.head, hex, sizeof c.head);
	return c;
}

int checkpoint_list(struct checkpoint **out, size_t *n, size_t *all, struct workspace *ws,
	const struct position *at, size_t limit, struct arena *a)
{
	struct event_query q = { .kind = kind, .descending = true };
	struct event **events;
	size_t n_events;
	int rc = log_events(workspace_log(ws), &q, a, &events, &n_events);

	*n = *all = 0;
	*out = NULL;
	if (rc < 0)
		return rc;
	*out = arena_alloc(a, (limit + 1) * sizeof **out);
	for (size_t i = 0; i < n_events; i++) {
		struct position p = event_position(events[i]);

		if (at && position_compare(&p, at) > 0)
			continue;
		if (*n < limit)
			(*out)[(*n)++] = of_event(events[i], a);
		(*all)++;
	}
	return 0;
}

/* 1 when the newest event is one itself: everything before it is in it. */
static int read_last(struct checkpoint *out, struct workspace *ws, struct arena *a)
{
	struct event_query q = { .descending = true, .limit = 1 };
	struct event **events;
	size_t n;
	int rc = log_events(workspace_log(ws), &q, a, &events, &n);

	if (rc < 0 || !n || strcmp(events[0]->kind, kind) != 0)
		return rc;
	*out = of_event(events[0], a);
	return 1;
}

/* ---- writing ------------------------------------------------------------------------ */

static const struct json *data_of(
	const struct checkpoint *c, const struct replica_head *heads, size_t n, struct arena *a)
{
	struct json *data = json_copy(
		a, event_data(a, "digest", c->head, "where", *c->where ? c->where : NULL, NULL));
	struct json *ids = json_append(data, json_new_object(a, "heads"));
	struct json *counts = json_append(data, json_new_object(a, "counts"));

	for (size_t i = 0; i < n; i++) {
		const char *replica = arena_strdup(a, heads[i].replica);
		char *hex = arena_alloc(a, DIGEST_HEX + 1);

		digest_hex(hex, &heads[i].id);
		json_append(ids, json_new_text(a, replica, hex));
		json_append(counts,
			json_new_text(a, replica,
				arena_printf(a, "%lld", (long long)heads[i].count)));
	}
	return data;
}

/* Somebody wrote since the heads were read: then they are not all heads. */
static int check_count(struct log *log, void *user)
{
	const struct checkpoint *c = user;
	int64_t now;
	int rc = log_count(log, &now);

	return rc < 0 ? rc : now != c->count;
}

static int record(struct checkpoint *c, struct workspace *ws, const struct replica_head *heads,
	size_t n, struct arena *a)
{
	struct record r = { .actor = "tool:portside",
		.kind = kind,
		.object = "migration",
		.data = data_of(c, heads, n, a) };

	return workspace_record_if(ws, check_count, c, &r, 1, a, NULL);
}

int checkpoint_publish(
	struct checkpoint *out, struct workspace *ws, const char *where, struct arena *a)
{
	enum { TRIES = 5 };
	struct replica_head *heads;
	struct digest digest;
	size_t n;
	int rc = read_last(out, ws, a);

	if (rc)
		return rc < 0 ? rc : 0;
	for (int i = 0; i < TRIES; i++) {
		*out = (struct checkpoint){
			.why_not = "", .time = "", .where = arena_strdup(a, where ? where : "")
		};
		if ((rc = log_heads(workspace_log(ws), a, &heads, &n, &out->count, &digest)) < 0)
			return rc;
		digest_hex(out->head, &digest);
		if (!where)
			return 0;
		if (workspace_read_only(ws)) {
			out->why_not = "the log is only read here";
			return 0;
		}
		if ((rc = record(out, ws, heads, n, a)) <= 0)
			break;
	}
	out->recorded = rc == 0;
	if (rc > 0)
		out->why_not = "other processes keep writing to the log";
	else if (rc < 0)
		out->why_not = text_sanitised(a, err_text());
	err_clear();
	return 0;
}
