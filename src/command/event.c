/*
 * event - the log itself: its events in order, and whether it is intact.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/kind.h"
#include "store/verify.h"
#include "workspace/workspace.h"

/* ---- events --------------------------------------------------------------- */

static const struct report_column event_columns[] = {
	{ .name = "place", .title = "place", .type = REPORT_ID },
	{ .name = "time", .title = "time", .type = REPORT_TEXT },
	{ .name = "actor", .title = "who", .type = REPORT_TEXT },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
	{ .name = "object", .title = "object", .type = REPORT_TEXT },
	{ .name = "data", .title = "data", .type = REPORT_JSON },
	{ .name = "id", .title = "id", .type = REPORT_TEXT, .min_width = 10 },
};

/* "level=L3 configuration=v5e-4": the short values of d for people. */
static void summarise(struct buf *out, const struct event *e)
{
	for (const struct json *d = e->data->first; d; d = d->next) {
		if (kind_field_is_blob(e->kind, d->key) || (d->type == JSON_STRING && !d->text_n))
			continue;
		buf_addf(out, "%s%s=", out->n ? " " : "", d->key);
		if (d->type != JSON_STRING)
			json_canonical(out, d);
		else if (d->text_n == DIGEST_HEX)
			buf_addf(out, "%.10s", d->text);
		else
			buf_add(out, d->text, d->text_n);
	}
}

static void add_event(struct report_table *t, const struct event *e, int64_t place)
{
	struct buf json = BUF_INIT, text = BUF_INIT;
	char id[DIGEST_HEX + 1];

	digest_hex(id, &e->id);
	json_canonical(&json, e->data);
	summarise(&text, e);
	report_row(t);
	report_integer(t, "place", place);
	report_text(t, "time", e->time);
	report_text(t, "actor", e->actor);
	report_text(t, "kind", e->kind);
	report_text(t, "object", e->object);
	report_json(t, "data", json.s, text.s);
	report_text(t, "id", id);
	buf_release(&json);
	buf_release(&text);
}

static int events_run(struct call *c)
{
	struct event_query q = {
		.kind = call_text(c, "--kind"), .object = call_text(c, "--object"), .until = NULL,
		.limit = (size_t)call_integer(c, "--limit", 0), .descending = true, .from = NULL,
	};
	struct log *log = workspace_log(c->workspace);
	struct position after;
	struct event **events;
	size_t n;
	int rc;

	/* From is exclusive: the event after the moment that is looked at. */
	if (c->at && (rc = log_position_next(log, c->at, &after)) < 0)
		return rc;
	else if (c->at && rc > 0)
		q.from = &after;
	if ((rc = log_events(log, &q, c->arena, &events, &n)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "events", event_columns, ARRAY_LEN(event_columns));
	for (size_t i = n; i-- > 0; ) {
		struct position p = event_position(events[i]);
		int64_t place;

		if ((rc = log_position_rank(log, &p, &place)) < 0)
			return rc;
		add_event(c->table, events[i], place);
	}
	if (!n)
		report_note(c->table, "no events yet: portside init starts a migration");
	return 0;
}

/* ---- verify --------------------------------------------------------------- */

static bool verify_progress(void *user, int64_t done, int64_t total)
{
	const struct call *c = user;

	call_report(c, "verifying the log", done, total);
	return call_cancelled(c);
}

/* "HEX:COUNT", or "HEX COUNT" with or without "Portside-Head: " as it is printed. */
static int read_anchor(struct verify_options *o, struct digest *anchor, const char *text)
{
	static const char name[] = "Portside-Head:";
	const char *count;
	char hex[DIGEST_HEX + 1];

	text += strspn(text, " ");
	if (text_starts(text, name))
		text += strlen(name);
	text += strspn(text, " ");
	count = text + strcspn(text, ": ");
	if (!*count || count - text != DIGEST_HEX ||
		!text_to_i64(count + 1, strlen(count + 1), &o->anchor_count))
		return err_set(ERR_USAGE,
			"--anchor is \"HEAD COUNT\" or HEAD:COUNT, as a report or a commit's "
			"Portside-Head line has it");
	memcpy(hex, text, DIGEST_HEX);
	hex[DIGEST_HEX] = '\0';
	if (!digest_from_hex(anchor, hex))
		return err_set(ERR_USAGE, "--anchor: the head is 64 hexadecimal digits");
	o->anchor = anchor;
	return 0;
}

static int verify_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "code", .title = "finding", .type = REPORT_TEXT },
		{ .name = "defect", .title = "defect", .type = REPORT_BOOL },
		{ .name = "replica", .title = "replica", .type = REPORT_TEXT, .min_width = 8 },
		{ .name = "seq", .title = "seq", .type = REPORT_ID },
		{ .name = "text", .title = "what", .type = REPORT_TEXT },
	};
	struct verify_options o = {
		.full = !call_flag(c, "--new"), .progress = verify_progress, .user = c
	};
	const char *anchor_text = call_text(c, "--anchor");
	struct verify_report report;
	struct digest anchor;
	int rc;

	if (anchor_text && (rc = read_anchor(&o, &anchor, anchor_text)) < 0)
		return rc;
	if ((rc = log_verify(workspace_log(c->workspace), &o, c->arena, &report)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "verify", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < report.n_findings; i++) {
		const struct verify_finding *f = &report.findings[i];

		report_row(c->table);
		report_text(c->table, "code", verify_code_name(f->code));
		report_bool(c->table, "defect", f->defect);
		report_text(c->table, "replica", *f->replica ? f->replica : NULL);
		if (f->seq)
			report_integer(c->table, "seq", f->seq);
		report_text(c->table, "text", f->text);
	}
	report_note(c->table, "%s", verify_sentence(c->arena, &report));
	if (report.limits && *report.limits)
		report_note(c->table, "%s", report.limits);
	c->no = report.n_defects > 0 || report.anchor == ANCHOR_REFUTED;
	return 0;
}

static const struct argument events_arguments[] = {
	{ "--kind", ARGUMENT_TEXT, "only this kind, or a prefix that ends in a dot", false, false,
		NULL, NULL },
	{ "--object", ARGUMENT_TEXT, "only this object", false, false, NULL, NULL },
	{ "--limit", ARGUMENT_INTEGER, "at most so many, the newest", false, false, NULL, "all" },
	{ 0 },
};
static const struct argument verify_arguments[] = {
	{ "--anchor", ARGUMENT_TEXT, "\"HEAD COUNT\" or HEAD:COUNT, as published elsewhere", false,
		false, NULL, NULL },
	{ "--new", ARGUMENT_FLAG, "only what came since the last check", false, false, NULL, NULL },
	{ 0 },
};

const struct operation event_operations[] = {
	{ "events", NULL, 0, "every event of the log, oldest first", OPERATION_CLI,
		events_arguments, events_run, 0 },
	{ "verify", NULL, 0, "check the chain, the hashes and the views of the log",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG, verify_arguments, verify_run,
		0 },
	{ 0 },
};
