/* run_evidence - see run_evidence.h. */
#include "config.h"

#include "workspace/run_evidence.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"

struct once { const char *digest, *subject, *name; };

static int check_once(struct log *log, void *user)
{
	const struct once *once = user;
	struct event_query q = { .kind = "evidence.added", .object = once->digest };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (strcmp(json_str(events[i]->data, "subject", ""), once->subject) == 0 &&
		    strcmp(json_str(events[i]->data, "path", ""), once->name) == 0)
			rc = 1;
	arena_release(&a);
	return rc;
}

static int add(struct workspace *ws, const char *actor, const char *path, const char *name,
	const char *kind, const char *run, struct arena *a)
{
	char hex[DIGEST_HEX + 1];
	struct once once = {
		.digest = hex, .subject = arena_printf(a, "run:%s", run), .name = name
	};
	struct record r = { .actor = actor, .kind = "evidence.added", .object = hex };
	struct digest digest;
	int64_t size;
	int rc = sha256_file(&digest, &size, path);

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	digest_hex(hex, &digest);
	r.data = event_data(a, "digest", hex, "size", arena_printf(a, "%lld", (long long)size),
		"path", name, "kind", kind, "subject", once.subject, NULL);
	rc = workspace_record_if(ws, check_once, &once, &r, 1, a, NULL);
	return rc < 0 ? rc : 0;
}

int run_evidence_add(struct workspace *ws, const char *path, const char *name, const char *kind,
	const char *run, struct arena *a)
{
	return add(ws, "tool:portside", path, name, kind, run, a);
}

int run_evidence_bring(struct workspace *ws, const char *path, const char *name, const char *kind,
	const char *run, struct arena *a)
{
	return add(ws, NULL, path, name, kind, run, a);
}

int run_evidence_bringer(const char **who, struct workspace *ws, const struct digest *digest,
	const char *run, struct arena *a)
{
	char hex[DIGEST_HEX + 1];
	struct event_query q = { .kind = "evidence.added", .object = hex };
	const char *subject = arena_printf(a, "run:%s", run);
	struct event **events;
	size_t n;
	int rc;

	digest_hex(hex, digest);
	*who = "";
	rc = log_events(workspace_log(ws), &q, a, &events, &n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (strcmp(json_str(events[i]->data, "subject", ""), subject) != 0)
			continue;
		if (text_starts(events[i]->actor, "tool:")) {
			*who = "";
			break;
		}
		*who = events[i]->actor;
	}
	return rc;
}
