/* check_record - see check_record.h. */
#include "config.h"

#include "workspace/check_record.h"

#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/json_build.h"
#include "base/redact.h"
#include "domain/check.h"
#include "store/blob.h"

static const char tool[] = "tool:portside";

struct recording {
	const struct check_finding *findings;
	const char **objects;		/* of each, as in the log */
	bool *wanted;			/* is to be written */
	size_t n;
};

/* ---- what is on record -------------------------------------------------------- */

/* The last entry of this tool; *LAST is NULL where there is none. */
static int last_entry(
	const struct event **last, struct log *log, const char *object, struct arena *a)
{
	struct event_query q = { .kind = "check.recorded", .object = object, .descending = true };
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, a, &events, &n);

	*last = NULL;
	for (size_t i = 0; rc == 0 && i < n && !*last; i++)
		if (strcmp(events[i]->actor, tool) == 0)
			*last = events[i];
	return rc;
}

static bool same_evidence(const struct event *e, const struct check_finding *f)
{
	const struct json *list = json_get(e->data, "evidence");
	const struct json *item = list ? list->first : NULL;
	char hex[DIGEST_HEX + 1];

	for (size_t i = 0; i < f->evidence_n; i++, item = item->next) {
		digest_hex(hex, &f->evidence[i]);
		if (!item || item->type != JSON_STRING || strcmp(item->text, hex) != 0)
			return false;
	}
	return item == NULL;
}

/* 1 the same; 0 another one, or one that is withheld or not here. */
static int same_text(struct log *log, const struct event *e, const struct check_finding *f)
{
	const char *hex = json_str(e->data, "text", ""), *text = f->text ? f->text : "";
	enum blob_state state = BLOB_ABSENT;
	struct buf stored = BUF_INIT;
	bool same;
	int rc = 0;

	if (!*hex)
		return !*text;
	rc = log_blob_hex(log, hex, &state, &stored);
	/* A text that was taken out on purpose does not come back with the next look. */
	same = state == BLOB_WITHHELD || (state == BLOB_PRESENT && stored.n == strlen(text) &&
		memcmp(stored.s ? stored.s : "", text, stored.n) == 0);
	buf_release(&stored);
	return rc < 0 ? rc : same;
}

static bool same_word(const struct json *goal, const char *field, enum seen v)
{
	return strcmp(json_str(goal, field, ""), word_name(&words_seen, (int)v)) == 0;
}

static bool same_flag(const struct json *goal, const char *field, bool v)
{
	return (strcmp(json_str(goal, field, ""), "yes") == 0) == v;
}

static bool same_goal(const struct event *e, const struct goal_found *g)
{
	const struct json *goal = json_get(e->data, "goal");

	if (!g || !goal)
		return !g && !goal;
	return same_word(goal, "holds", g->holds) && same_word(goal, "reference", g->reference) &&
		same_word(goal, "matches", g->matches) &&
		same_flag(goal, "may_be_equal", g->may_be_equal) &&
		same_flag(goal, "margin_is_zero", g->margin_is_zero) &&
		strcmp(json_str(goal, "statement", ""), g->statement) == 0;
}

static bool same_run(const struct event *e, const struct check_finding *f)
{
	return !f->of_run || strcmp(json_str(e->data, "run", ""), f->run ? f->run : "") == 0;
}

/* 1 when there is something to write. */
static int is_new(
	struct log *log, const char *object, const struct check_finding *f, struct arena *a)
{
	const char *result = word_name(&words_check, (int)f->result);
	const struct event *last;
	int rc = last_entry(&last, log, object, a);

	if (rc < 0 || !last)
		return rc < 0 ? rc : 1;
	if (json_i64(last->data, "version", 0) > f->version)
		return 0;
	if (strcmp(json_str(last->data, "result", ""), result) != 0 || !same_evidence(last, f) ||
		!same_goal(last, f->goal) || !same_run(last, f))
		return 1;
	rc = same_text(log, last, f);
	return rc < 0 ? rc : !rc;
}

/* ---- writing ------------------------------------------------------------------ */

static struct json *goal_data(const struct goal_found *g, struct arena *a)
{
	const struct json *words = event_data(a, "holds", word_name(&words_seen, (int)g->holds),
		"reference", word_name(&words_seen, (int)g->reference), "matches",
		word_name(&words_seen, (int)g->matches), "may_be_equal",
		g->may_be_equal ? "yes" : NULL, "margin_is_zero", g->margin_is_zero ? "yes" : NULL,
		"statement", *g->statement ? g->statement : NULL, NULL);
	struct json *data = json_copy(a, words);

	data->key = "goal";
	data->key_n = strlen(data->key);
	return data;
}

static const struct json *data_of(const struct check_finding *f, struct arena *a)
{
	const struct json *words = event_data(a, "result",
		word_name(&words_check, (int)f->result), "text",
		f->text && *f->text ? f->text : NULL, "run", f->run, "version",
		f->version ? arena_printf(a, "%lld", (long long)f->version) : NULL, NULL);
	struct json *data = json_copy(a, words), *evidence = json_new_list(a, "evidence"),
		    *places = json_new_list(a, "places");

	for (size_t i = 0; i < f->evidence_n; i++) {
		char *hex = arena_alloc(a, DIGEST_HEX + 1);

		digest_hex(hex, &f->evidence[i]);
		json_append(evidence, json_new_text(a, NULL, hex));
	}
	for (size_t i = 0; i < f->places_n; i++)
		json_append(places, json_new_text(a, NULL, f->places[i]));
	if (f->evidence_n)
		json_append(data, evidence);
	if (f->places_n)
		json_append(data, places);
	if (f->goal)
		json_append(data, goal_data(f->goal, a));
	return data;
}

/* Marks those that are new; how many. */
static int choose(struct recording *r, struct log *log, size_t *n, struct arena *a)
{
	int rc = 0;

	*n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct check_finding *f = &r->findings[i];

		rc = f->result == CHECK_NOT_CHECKED ? 0 : is_new(log, r->objects[i], f, a);
		if (rc < 0)
			return rc;
		r->wanted[i] = rc > 0;
		*n += rc > 0;
	}
	return 0;
}

/* Inside the write transaction: 1 when somebody has written one of them by now. */
static int check_still_new(struct log *log, void *user)
{
	const struct recording *r = user;
	struct arena a = ARENA_INIT;
	int rc = 1;

	for (size_t i = 0; i < r->n && rc > 0; i++)
		if (r->wanted[i])
			rc = is_new(log, r->objects[i], &r->findings[i], &a);
	arena_release(&a);
	return rc < 0 ? rc : !rc;
}

static int write_chosen(struct recording *r, struct workspace *ws, size_t n, struct arena *a)
{
	struct record *records = arena_alloc(a, n * sizeof *records);
	size_t k = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->wanted[i])
			records[k++] = (struct record){ .actor = tool, .kind = "check.recorded",
				.object = r->objects[i], .data = data_of(&r->findings[i], a) };
	return workspace_record_if(ws, check_still_new, r, records, n, a, NULL);
}

/* As they are stored: a secret that stands in a text would make it another one for ever. */
static const struct check_finding *without_secrets(
	const struct check_finding *findings, size_t n, struct arena *a)
{
	struct check_finding *clean = arena_memdup(a, findings, n * sizeof *findings);
	struct redact *secrets = redact_new();

	redact_add_environment(secrets, environ);
	for (size_t i = 0; i < n; i++) {
		struct buf text = BUF_INIT;

		if (!clean[i].text)
			continue;
		redact_text(secrets, &text, clean[i].text, strlen(clean[i].text));
		clean[i].text = arena_strndup(a, text.s ? text.s : "", text.n);
		buf_release(&text);
	}
	redact_free(secrets);
	return clean;
}

int check_record(struct workspace *ws, const char *attempt, const char *configuration,
	const struct check_finding *findings, size_t n, size_t *recorded, struct arena *a)
{
	struct recording r = { without_secrets(findings, n, a),
		arena_alloc(a, (n + 1) * sizeof *r.objects), arena_alloc(a, n + 1), n };
	size_t chosen = 0;
	int rc;

	for (size_t i = 0; i < n; i++)
		r.objects[i] = check_object_id(a, attempt, configuration, findings[i].check);
	/* Each further turn means that somebody else has written, so it ends. */
	do {
		rc = choose(&r, workspace_log(ws), &chosen, a);
		if (rc == 0 && chosen)
			rc = write_chosen(&r, ws, chosen, a);
	} while (rc > 0);
	if (recorded)
		*recorded = rc == 0 ? chosen : 0;
	return rc;
}
