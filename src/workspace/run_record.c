/* run_record - see run_record.h. */
#include "config.h"

#include "workspace/run_record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

static const char tool[] = "tool:portside";

static const char *whole(struct arena *a, int64_t v)
{
	return arena_printf(a, "%lld", (long long)v);
}

int run_record_prepared(struct workspace *ws, const struct run_spec *spec, const struct run_facts_of_start *f, struct arena *a)
{
	const struct config_target *t = f->target;
	char command[DIGEST_HEX + 1], spec_digest[DIGEST_HEX + 1];
	struct buf json = BUF_INIT;
	struct record r = { .actor = tool, .kind = "run.prepared", .object = spec->run_id };
	struct digest d;

	run_spec_write(&json, spec);
	d = sha256_bytes(json.s, json.n);
	buf_release(&json);
	digest_hex(spec_digest, &d);
	digest_hex(command, &f->command);
	r.data = event_data(a, "attempt", f->subject, "kind", word_name(&words_run_kind, (int)f->kind),
		"target", t ? t->name : f->target_name, "configuration", t ? t->name : f->target_name,
		"provenance", word_name(&words_provenance, (int)f->provenance),
		"seed", spec->has_seed ? whole(a, spec->seed) : NULL, "commit", *spec->revision ? spec->revision : NULL,
		"command", command, "spec", spec_digest, "by", f->by,
		"target_kind", t ? word_name(&words_target_kind, (int)t->kind) : spec->target_kind,
		"simulates", t && t->simulates ? word_name(&words_target_kind, (int)t->simulates) : NULL,
		"chips", whole(a, spec->chips),
		"price_nano_usd_hour", spec->price.known ? whole(a, spec->price.nano_usd_hour) : NULL,
		"price_per_chip", spec->price.known ? (spec->price.per_chip ? "yes" : "no") : NULL,
		"steps", spec->steps ? whole(a, spec->steps) : NULL, "done", *spec->done ? "yes" : NULL,
		"artifact", *spec->artifact ? spec->artifact : NULL,
		"limit_ns", spec->limit_ns ? whole(a, spec->limit_ns) : NULL,
		"budget_nano_usd", spec->budget_nano_usd ? whole(a, spec->budget_nano_usd) : NULL, NULL);
	return workspace_record(ws, &r, a, NULL);
}

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

int run_record_once(struct workspace *ws, const char *run, const char *kind, const char *state, const struct json *data,
		    struct arena *a)
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

int run_record_failed_start(struct workspace *ws, const char *run, const char *sentence, struct arena *a)
{
	const char *state = word_name(&words_run_state, RUN_LAUNCH_FAILED);
	int rc = run_record_once(ws, run, "run.ended", state,
		event_data(a, "state", state, "source", "status", "why", arena_strndup(a, sentence, 400), NULL), a);

	return rc < 0 ? rc : 0;
}
