/* facts_record - see facts_record.h. */
#include "config.h"

#include "workspace/facts_record.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json_build.h"
#include "evidence/evidence_format.h"
#include "workspace/run_parsed.h"
#include "workspace/state.h"

enum { STAMP_BYTES_MAX = 65536 };

struct once { const char *digest, *parser, *version; };

static int check_once(struct log *log, void *user)
{
	const struct once *once = user;
	struct event_query q = { .kind = "facts.parsed", .object = once->digest };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (strcmp(json_str(events[i]->data, "parser", ""), once->parser) == 0 &&
			strcmp(json_str(events[i]->data, "version", ""), once->version) == 0)
			rc = 1;
	arena_release(&a);
	return rc;
}

/* The facts as a list of objects of texts, as an event holds them. */
static int facts_of(const struct json **out, const struct evidence_facts *f, struct arena *a)
{
	struct buf text = BUF_INIT;
	const struct json *read;
	struct json *list, **tail;
	size_t n = 0;
	int rc;

	evidence_facts_write(&text, f, false);
	rc = json_parse(&read, a, text.s, text.n, JSON_STRICT);
	buf_release(&text);
	if (rc < 0)
		return err_prefix("facts of %s: ", f->parser);
	list = arena_memdup(a, read, sizeof *read);
	for (tail = &list->first; *tail && n < FACTS_RECORDED_MAX; tail = &(*tail)->next)
		n++;
	if (*tail) {
		struct json *left = ARENA_NEW(a, struct json);

		*left = *event_data(
			a, "left_out", arena_printf(a, "%zu", list->count - n), NULL);
		*tail = left;
		list->count = n + 1;
	}
	list->key = "facts";
	list->key_n = strlen(list->key);
	*out = list;
	return 0;
}

static struct json *data_of(const struct once *once, const struct json *facts, struct arena *a)
{
	struct json *data = json_copy(
		a, event_data(a, "parser", once->parser, "version", once->version, NULL));

	json_append(data, json_copy(a, facts));
	return data;
}

static int record_file(
	size_t *recorded, struct workspace *ws, const struct run_parsed_file *file, struct arena *a)
{
	char hex[DIGEST_HEX + 1];
	struct once once = { hex, file->parser, arena_printf(a, "%d", file->version) };
	struct record r = { .actor = "tool:portside", .kind = "facts.parsed", .object = hex };
	const struct json *facts = NULL;
	int rc;

	digest_hex(hex, &file->digest);
	rc = check_once(workspace_log(ws), &once);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if ((rc = facts_of(&facts, file->facts, a)) < 0)
		return rc;
	r.data = data_of(&once, facts, a);
	rc = workspace_record_if(ws, check_once, &once, &r, 1, a, NULL);
	if (rc == 0 && recorded)
		(*recorded)++;
	return rc < 0 ? rc : 0;
}

/* ---- which parsers have read ---- */

static const char *stamp_of(struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < evidence_formats_n; i++)
		buf_addf(&b, "%s %d\n", evidence_formats[i].name, evidence_formats[i].version);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static const char *stamp_path(struct workspace *ws, const char *run, struct arena *a)
{
	return fs_join(a, fs_join(a, workspace_path(ws, a, "runs"), run), "facts-read");
}

int facts_record_upkeep(
	struct workspace *ws, const char *run, const atomic_bool *cancel, struct arena *a)
{
	struct buf there = BUF_INIT;
	bool same = fs_read(&there, stamp_path(ws, run, a), STAMP_BYTES_MAX) == 0 &&
		strcmp(there.s, stamp_of(a)) == 0;

	err_clear();
	buf_release(&there);
	return same ? 0 : facts_record_run(NULL, ws, run, cancel, a);
}

int facts_record_run(size_t *recorded, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a)
{
	struct run_state *state;
	struct run_parsed parsed = { .n = 0 };
	struct run_parsed_limits limits = { .cancel = cancel, .recorded_only = true,
		.bytes = FACTS_FILE_BYTES_MAX };
	int rc = state_run(ws, run, NULL, a, &state);

	if (recorded)
		*recorded = 0;
	if (rc == 0)
		rc = run_parsed_read_within(&parsed, ws, state, &limits, a);
	for (size_t i = 0; rc == 0 && i < parsed.n; i++)
		if (parsed.files[i].facts->n)
			rc = record_file(recorded, ws, &parsed.files[i], a);
	run_parsed_release(&parsed);
	if (rc == 0 && fs_is_dir(fs_dirname(a, stamp_path(ws, run, a))))
		rc = fs_write_durable(
			stamp_path(ws, run, a), stamp_of(a), strlen(stamp_of(a)), 0600);
	return rc;
}
