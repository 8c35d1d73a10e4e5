/* run_record - see run_record.h. */
#include "config.h"

#include "workspace/run_record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "domain/fold.h"

static const char tool[] = "tool:portside";

static const char *whole(struct arena *a, int64_t v)
{
	return arena_printf(a, "%lld", (long long)v);
}

/* ---- prepared ------------------------------------------------------------------ */

enum { PREPARED_BYTES_MAX = 256 * 1024, WHY_BYTES = 400 };

static char *prepared_path(struct arena *a, const char *rundir)
{
	return fs_join(a, rundir, "prepared.json");
}

static const struct json *prepared_data(
	const struct run_spec *spec, const struct run_facts_of_start *f, struct arena *a)
{
	const struct config_target *t = f->target;
	char command[DIGEST_HEX + 1], spec_digest[DIGEST_HEX + 1];
	struct buf json = BUF_INIT;
	struct digest d;

	run_spec_write(&json, spec);
	d = sha256_bytes(json.s, json.n);
	buf_release(&json);
	digest_hex(spec_digest, &d);
	digest_hex(command, &f->command);
	return event_data(a, "attempt", f->subject, "kind",
		word_name(&words_run_kind, (int)f->kind), "kind_from",
		f->kind_by_command ? "command" : NULL, "label",
		f->label ? word_name(&words_run_label, (int)f->label) : NULL, "target", t ? t->name : f->target_name,
		"configuration", t ? t->name : f->target_name, "provenance",
		word_name(&words_provenance, (int)f->provenance), "seed",
		spec->has_seed ? whole(a, spec->seed) : NULL, "commit",
		*spec->revision ? spec->revision : NULL, "command", arena_strdup(a, command),
		"spec", arena_strdup(a, spec_digest), "by", f->by, "target_kind",
		t ? word_name(&words_target_kind, (int)t->kind) : spec->target_kind, "simulates",
		t && t->simulates ? word_name(&words_target_kind, (int)t->simulates) : NULL,
		"chips", whole(a, spec->chips), "price_nano_usd_hour",
		spec->price.known ? whole(a, spec->price.nano_usd_hour) : NULL, "price_per_chip",
		spec->price.known ? (spec->price.per_chip ? "yes" : "no") : NULL, "steps",
		spec->steps ? whole(a, spec->steps) : NULL, "done", *spec->done ? "yes" : NULL,
		"artifact", *spec->artifact ? spec->artifact : NULL, "limit_ns",
		spec->limit_ns ? whole(a, spec->limit_ns) : NULL, "budget_nano_usd",
		spec->budget_nano_usd ? whole(a, spec->budget_nano_usd) : NULL, NULL);
}

static int check_unknown(struct log *log, void *user)
{
	struct event_query q = { .kind = "run.prepared", .object = user, .limit = 1 };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n = 0;
	int rc = log_events(log, &q, &a, &events, &n);

	arena_release(&a);
	return rc < 0 ? rc : n > 0;
}

static int record_prepared(
	struct workspace *ws, const struct run_spec *spec, const struct json *data, struct arena *a)
{
	char run[RUN_ID_SIZE];
	struct record r = { .actor = tool, .kind = "run.prepared", .object = run, .data = data };
	int rc;

	memcpy(run, spec->run_id, sizeof run);
	rc = workspace_record_if(ws, check_unknown, run, &r, 1, a, NULL);
	return rc < 0 ? rc : 0;
}

int run_record_write(const char *rundir, const struct run_spec *spec,
	const struct run_facts_of_start *f, struct arena *a)
{
	struct buf text = BUF_INIT;
	int rc;

	json_canonical(&text, prepared_data(spec, f, a));
	rc = fs_write_durable(prepared_path(a, rundir), text.s, text.n, 0600);
	buf_release(&text);
	return rc;
}

int run_record_prepared(struct workspace *ws, const struct run_spec *spec,
	const struct run_facts_of_start *f, struct arena *a)
{
	return record_prepared(ws, spec, prepared_data(spec, f, a), a);
}

/* Without prepared.json little is known, and nothing is made up: no attempt is
 * credited with the command's digest or the target's price. */
static const struct json *data_of_spec(const struct run_spec *spec, struct arena *a)
{
	int kind = word_find(&words_run_kind, spec->kind);
	struct run_facts_of_start facts = {
		.provenance = PROVENANCE_OBSERVED,
		.by = tool,
		.target_name = spec->target,
		.subject = *spec->subject ? spec->subject : UNASSIGNED_ID,
		.kind = kind > 0 ? (enum run_kind)kind : RUN_KIND_NONE,
		.command = sha256_bytes(
			spec->script ? spec->script : "", spec->script ? strlen(spec->script) : 0),
	};

	return prepared_data(spec, &facts, a);
}

int run_record_found(
	struct workspace *ws, const char *rundir, const struct run_spec *spec, struct arena *a)
{
	const struct json *data = NULL;
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, prepared_path(a, rundir), PREPARED_BYTES_MAX);

	if (rc == 0)
		rc = json_parse(&data, a, text.s, text.n, JSON_STRICT);
	buf_release(&text);
	if (rc < 0) {
		err_clear();
		data = data_of_spec(spec, a);
	}
	return record_prepared(ws, spec, data, a);
}

/* ---- started and ended ----------------------------------------------------------- */

struct once { const char *run, *kind, *state; };

static int check_once(struct log *log, void *user)
{
	const struct once *once = user;
	struct event_query q = { .kind = once->kind, .object = once->run };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (strcmp(json_str(events[i]->data, "state", ""), once->state) == 0)
			rc = 1;
	arena_release(&a);
	return rc;
}

int run_record_once(struct workspace *ws, const char *run, const char *kind, const char *state,
	const struct json *data, struct arena *a)
{
	struct once once = { run, kind, state };
	struct record r = { .actor = tool, .kind = kind, .object = run, .data = data };

	return workspace_record_if(ws, check_once, &once, &r, 1, a, NULL);
}

int run_record_started(struct workspace *ws, const char *run, struct arena *a)
{
	char host[65] = "";
	int rc;

	if (gethostname(host, sizeof host - 1) < 0)
		host[0] = '\0';
	rc = run_record_once(ws, run, "run.started", "running",
		event_data(a, "state", "running", "source", "status", "where", host, NULL), a);
	return rc < 0 ? rc : 0;
}

static const char *short_text(struct arena *a, const char *s)
{
	return arena_strndup(a, s, text_cut(s, strlen(s), WHY_BYTES));
}

int run_record_failed_start(
	struct workspace *ws, const char *run, const char *sentence, struct arena *a)
{
	const char *state = word_name(&words_run_state, RUN_LAUNCH_FAILED);
	int rc = run_record_once(ws, run, "run.ended", state,
		event_data(a, "state", state, "source", "status", "why", short_text(a, sentence),
			NULL),
		a);

	return rc < 0 ? rc : 0;
}
