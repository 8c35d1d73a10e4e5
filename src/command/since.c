/* since - see since.h. */
#include "config.h"

#include "command/since.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "command/groups.h"
#include "command/open.h"
#include "command/position.h"
#include "command/status.h"
#include "workspace/state.h"

enum { SEEN_BYTES_MAX = 1024 };

/* ---- what was seen last --------------------------------------------------------- */

/*
 * One name for each repository, however it is reached: all of its work trees
 * and every symbolic link lead to the same git folder.  The migration's own
 * name would not do, nothing makes two projects choose different ones.
 */
static const char *seen_path(struct workspace *ws, struct arena *a)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	const struct place *p = workspace_place(ws);
	const char *origin = p->bundle ? p->bundle : p->common_dir;
	struct digest d;
	char hex[DIGEST_HEX + 1], *real;

	if (!(state && *state == '/')) {
		if (!home || *home != '/')
			return NULL;
		state = fs_join(a, home, ".local/state");
	}
	/* A path that cannot be followed still tells repositories apart. */
	real = realpath(origin, NULL);
	d = sha256_bytes(real ? real : origin, strlen(real ? real : origin));
	free(real);
	digest_hex(hex, &d);
	return arena_printf(a, "%s/portside/seen/%s", state, hex);
}

static bool parse_seen(struct position *out, int64_t *when_ns, const char *s)
{
	const char *line = strchr(s, '\n');
	char time[CLOCK_ISO_MAX];
	size_t n;

	if (!line || (size_t)(line - s) != sizeof out->bytes * 2)
		return false;
	if (!hex_decode(out->bytes, s, sizeof out->bytes * 2))
		return false;
	n = strcspn(line + 1, "\n");
	if (!when_ns)
		return true;
	if (n >= sizeof time)
		return false;
	memcpy(time, line + 1, n);
	time[n] = '\0';
	return clock_from_iso(when_ns, time);
}

int since_seen_read(struct position *out, int64_t *when_ns, struct workspace *ws)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	const char *path = seen_path(ws, &a);
	int rc = path ? fs_read(&b, path, SEEN_BYTES_MAX) : ERR_NOT_FOUND;

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		rc = 0;
	} else if (rc == 0) {
		/* Our own file; a damaged one only means that nothing is known. */
		rc = parse_seen(out, when_ns, b.s);
	}
	buf_release(&b);
	arena_release(&a);
	return rc;
}

int since_seen_write(struct workspace *ws)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	const char *path = seen_path(ws, &a);
	char time[CLOCK_ISO_MAX], hex[EVENT_POSITION_BYTES * 2 + 1];
	struct position last;
	int rc = log_position_last(workspace_log(ws), &last);

	if (rc > 0 && path) {
		hex_encode(hex, last.bytes, sizeof last.bytes);
		clock_iso(time, clock_wall_ns());
		buf_addf(&b, "%s\n%s\n", hex, time);
		rc = fs_mkdirs(fs_dirname(&a, path), 0700);
		if (rc == 0)
			rc = fs_write_durable(path, b.s, b.n, 0600);
	}
	buf_release(&b);
	arena_release(&a);
	return rc < 0 ? rc : 0;
}

/* ---- positions ------------------------------------------------------------------------ */

/* The last event at or before WHEN; times of several clocks are only roughly in
 * the log's order, so the newest such event counts. */
static int position_at_time(struct position *out, struct workspace *ws, int64_t when_ns)
{
	enum { PAGE = 500 };
	struct event_query q = { .descending = true, .limit = PAGE };
	struct position from;
	int rc = 0;

	for (;;) {
		struct arena a = ARENA_INIT;
		struct event **events;
		size_t n;
		int64_t ns;

		rc = log_events(workspace_log(ws), &q, &a, &events, &n);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			if (!clock_from_iso(&ns, events[i]->time) || ns > when_ns)
				continue;
			*out = event_position(events[i]);
			rc = 1;
		}
		if (rc == 0 && n == PAGE)
			from = event_position(events[n - 1]);
		arena_release(&a);
		if (rc || n < PAGE)
			return rc;
		q.from = &from;
	}
}

/* A place, or the beginning of an id. */
static bool names_an_event(const char *text)
{
	size_t n = strlen(text);

	return n &&
		(strspn(text, "0123456789") == n ||
			(n >= 4 && strspn(text, "0123456789abcdef") == n));
}

int since_position(struct position *out, struct workspace *ws, const char *text)
{
	int64_t ns;
	int rc;

	if (clock_from_iso(&ns, text))
		return position_at_time(out, ws, ns);
	if (units_duration_ns(&ns, text) == 0)
		return position_at_time(out, ws, clock_wall_ns() - ns);
	err_clear();
	rc = names_an_event(text) ? open_position(out, ws, text) : ERR_NOT_FOUND;
	if (rc == ERR_NOT_FOUND)
		return err_set(ERR_USAGE,
			"\"%s\" is no event and no time; write 141, an id's beginning, "
			"2026-10-27T16:00:00Z, or 2h for two hours ago",
			text);
	return rc < 0 ? rc : 1;
}

/* ---- the report ------------------------------------------------------------------------- */

struct items { struct since_item *rows; size_t n, cap; struct arena *a; };

static struct since_item *add_item(struct items *items, enum since_kind kind, const char *text)
{
	ARRAY_GROW(items->rows, items->n, items->cap);
	items->rows[items->n] = (struct since_item){ .kind = kind,
		.text = text_sanitised(items->a, text),
		.time = "",
		.who = "",
		.attempt = "",
		.run = "" };
	return &items->rows[items->n++];
}

static const char *field(const struct event *e, const char *name)
{
	const struct json *v = json_get(e->data, name);

	return v && v->type == JSON_STRING ? v->text : "";
}

static const char *run_text(struct workspace *ws, const struct event *e, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;
	void *state;

	if (state_get(ws, "run", e->object, NULL, a, &state) > 0) {
		const struct run_state *r = state;

		buf_addf(&b, "%s %s%s @%s: ", r->kind ? run_kind_text(r->kind) : "run",
			strcmp(r->attempt, "reference") == 0 ? "" : "#", r->attempt,
			r->configuration);
		buf_adds(&b, word_name(&words_run_state, (int)r->state));
		buf_addf(&b, ", L0 %s", word_name(&words_check, (int)r->l0));
		if (r->elapsed_ns > 0) {
			buf_adds(&b, ", ");
			clock_add_duration(&b, r->elapsed_ns);
		}
		if (r->cost_known) {
			buf_adds(&b, ", ");
			units_add_money(&b, r->cost_nano_usd);
		}
	} else {
		err_clear();
		buf_addf(&b, "%s: %s", e->object, field(e, "state"));
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

static const char *text_of(struct workspace *ws, const struct event *e, struct arena *a)
{
	if (strcmp(e->kind, "run.ended") == 0)
		return run_text(ws, e, a);
	if (strcmp(e->kind, "alarm.raised") == 0)
		return arena_printf(a, "%s asks for a decision%s%s", field(e, "rule"),
			*field(e, "attempt") ? ", attempt " : "", field(e, "attempt"));
	if (strcmp(e->kind, "attempt.observed") == 0)
		return arena_printf(a, "#%s %s", e->object, field(e, "subject"));
	if (strcmp(e->kind, "attempt.claimed") == 0)
		return arena_printf(a, "#%s claims %s @%s", e->object,
			*field(e, "level") ? field(e, "level") : "no level",
			*field(e, "configuration") ? field(e, "configuration") : "all");
	if (strcmp(e->kind, "attempt.gone") == 0)
		return arena_printf(a, "#%s is gone from the repository", e->object);
	if (strcmp(e->kind, "decision.made") == 0)
		return arena_printf(a, "%s, %s", field(e, "choice"), field(e, "subject"));
	if (strcmp(e->kind, "config.accepted") == 0)
		return "portside.conf was accepted";
	return arena_printf(a, "%s %s", e->kind, e->object);
}

static const struct {
	const char *kind;
	enum since_kind as;
} told[] = {
	{ "run.ended", SINCE_ENDED },
	{ "alarm.raised", SINCE_FIRED },
	{ "attempt.observed", SINCE_NEW },
	{ "attempt.claimed", SINCE_NEW },
	{ "attempt.gone", SINCE_NEW },
	{ "decision.made", SINCE_DECIDED },
	{ "config.accepted", SINCE_DECIDED },
};

/* A run ended when its supervisor saw it, not when the log learned of it. */
static const char *time_of(const struct event *e, struct arena *a)
{
	int64_t ended_ns = json_i64(e->data, "ended_ns", 0);
	char text[CLOCK_ISO_MAX];

	if (strcmp(e->kind, "run.ended") != 0 || ended_ns <= 0)
		return e->time;
	clock_iso(text, ended_ns);
	return arena_strdup(a, text);
}

static int add_events(struct items *items, struct workspace *ws, size_t i,
	const struct position *from, const struct position *at)
{
	struct event_query q = { .kind = told[i].kind, .from = from };
	struct event **events;
	size_t n;
	int rc = log_events(workspace_log(ws), &q, items->a, &events, &n);

	for (size_t k = 0; rc == 0 && k < n; k++) {
		struct position p = event_position(events[k]);
		struct since_item *item;

		if (at && position_compare(&p, at) > 0)
			break;
		item = add_item(items, told[i].as, text_of(ws, events[k], items->a));
		item->time = time_of(events[k], items->a);
		item->who = text_sanitised(items->a, events[k]->actor);
		if (strncmp(events[k]->kind, "attempt.", 8) == 0)
			item->attempt = text_sanitised(items->a, events[k]->object);
		if (strncmp(events[k]->kind, "run.", 4) == 0)
			item->run = text_sanitised(items->a, events[k]->object);
	}
	return rc;
}

static int add_open(struct items *items, struct workspace *ws, const struct position *at)
{
	struct migration_status s;
	int rc = migration_status_read(&s, ws, at, 0, NULL, items->a);

	for (size_t i = 0; rc == 0 && i < s.n_needs; i++) {
		struct since_item *item = add_item(items, SINCE_WAITS, s.needs[i].text);

		item->attempt = s.needs[i].attempt;
		item->run = s.needs[i].run;
	}
	for (size_t i = 0; rc == 0 && i < s.n_live; i++) {
		struct buf b = BUF_INIT;
		struct since_item *item;

		live_run_add(&b, &s.live[i], clock_wall_ns());
		if (s.live[i].price.known) {
			buf_adds(&b, ", ");
			units_add_money(&b, s.live[i].nano_usd_hour);
			buf_adds(&b, "/h");
		}
		item = add_item(items, SINCE_COSTS, b.s);
		item->attempt = s.live[i].attempt;
		item->run = s.live[i].run;
		buf_release(&b);
	}
	return rc;
}

int since_read(struct since_report *out, struct workspace *ws, const struct position *from,
	const struct position *at, struct arena *a)
{
	struct items items = { .a = a };
	int64_t count = 0, seen = 0;
	int rc = 0;

	memset(out, 0, sizeof *out);
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(told); i++)
		rc = add_events(&items, ws, i, from, at);
	out->n_news = items.n;
	if (rc == 0)
		rc = add_open(&items, ws, at);
	if (rc == 0)
		rc = at ? log_position_rank(workspace_log(ws), at, &count)
			: log_count(workspace_log(ws), &count);
	if (rc == 0 && from)
		rc = log_position_rank(workspace_log(ws), from, &seen);
	out->events = count > seen ? count - seen : 0;
	out->from = from ? position_text(ws, from, a) : "the beginning";
	out->n = items.n;
	out->items = arena_memdup(a, items.rows, items.n * sizeof *items.rows);
	free(items.rows);
	return rc;
}

static const char *const heads[] = {
	[SINCE_ENDED] = "ENDED",
	[SINCE_FIRED] = "FIRED",
	[SINCE_NEW] = "NEW",
	[SINCE_DECIDED] = "DECIDED",
	[SINCE_WAITS] = "WAITS FOR YOU",
	[SINCE_COSTS] = "STILL COSTS MONEY",
};

void since_add_text(struct buf *out, const struct since_report *r)
{
	int64_t now = clock_wall_ns(), ns;

	buf_addf(out, "%lld event%s since %s\n", (long long)r->events, r->events == 1 ? "" : "s",
		r->from);
	for (size_t i = 0; i < r->n; i++) {
		const struct since_item *item = &r->items[i];

		if (!i || item->kind != r->items[i - 1].kind)
			buf_addf(out, "\n%s\n", heads[item->kind]);
		buf_adds(out, "  ");
		if (clock_from_iso(&ns, item->time)) {
			clock_add_short(out, ns, now);
			buf_adds(out, "  ");
		}
		buf_adds(out, item->text);
		if (*item->who &&
			!text_starts(item->who, "tool:")) /* ours: that goes without saying */
			buf_addf(out, "  %s", item->who);
		buf_addc(out, '\n');
	}
	if (!r->n)
		buf_adds(out, "\nnothing ended, nothing fired, nothing waits, nothing costs\n");
}

/* ---- portside since ------------------------------------------------------------------------ */

static const struct report_column since_columns[] = {
	{ .name = "what", .title = "what", .type = REPORT_TEXT },
	{ .name = "text", .title = "text", .type = REPORT_TEXT, .min_width = 20 },
	{ .name = "time", .title = "time", .type = REPORT_TEXT },
	{ .name = "who", .title = "who", .type = REPORT_TEXT },
	{ .name = "attempt", .title = NULL, .type = REPORT_TEXT },
	{ .name = "run", .title = NULL, .type = REPORT_TEXT },
};

static const char *const words_of[] = {
	[SINCE_ENDED] = "ended",
	[SINCE_FIRED] = "fired",
	[SINCE_NEW] = "new",
	[SINCE_DECIDED] = "decided",
	[SINCE_WAITS] = "waits",
	[SINCE_COSTS] = "costs",
};

static void fill_table(struct report_table *t, const struct since_report *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct since_item *item = &r->items[i];

		report_row(t);
		report_text(t, "what", words_of[item->kind]);
		report_text(t, "text", item->text);
		report_text(t, "time", *item->time ? item->time : NULL);
		report_text(t, "who", *item->who ? item->who : NULL);
		report_text(t, "attempt", *item->attempt ? item->attempt : NULL);
		report_text(t, "run", *item->run ? item->run : NULL);
	}
	report_note(t, "%lld event%s since %s", (long long)r->events, r->events == 1 ? "" : "s",
		r->from);
}

static int since_run(struct call *c)
{
	const char *text = call_text(c, "from");
	struct since_report r;
	struct position from;
	int found = text ? since_position(&from, c->workspace, text)
			 : since_seen_read(&from, NULL, c->workspace);
	int rc = found < 0 ? found
			   : since_read(&r, c->workspace, found ? &from : NULL, c->at, c->arena);

	if (rc < 0)
		return rc;
	if (!c->wants_json) {
		since_add_text(&c->text, &r);
		return 0;
	}
	c->table = report_table_new(c->arena, "since", since_columns, ARRAY_LEN(since_columns));
	fill_table(c->table, &r);
	return 0;
}

static const struct argument since_arguments[] = {
	{ "from", ARGUMENT_TEXT, "an event (141, an id) or a time (ISO 8601, or 2h)", false, false,
		NULL, "when the screen was last closed" },
	{ 0 },
};

const struct operation since_operations[] = {
	{ "since", NULL, 0, "since you left: what ended, fired, waits, costs",
	  OPERATION_CLI | OPERATION_SCREEN, since_arguments, since_run, 0 },
	{ 0 },
};
