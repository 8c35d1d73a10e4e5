/* discover - see discover.h. */
#include "config.h"

#include "workspace/discover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "domain/kind.h"
#include "store/discovery.h"
#include "store/history.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

enum { BATCH = 2000, RETRIES = 5 };

static const char tool[] = "tool:portside";

/* Of what a repository says in one event. */
enum {
	SUBJECT_BYTES_MAX = 1000,
	NAME_BYTES_MAX = 300,
	AGENT_BYTES_MAX = 60,
	CLAIM_BYTES_MAX = 8000,
	TRAILERS_MAX = 200, /* of one commit */
};

struct work {
	struct workspace *ws;
	struct repository *repo;
	struct arena *a;
	struct discovered *out;
	struct attempt_state **known;
	size_t n_known;
	struct known_tip *tips;
	int64_t count;			/* events when the known ones were read */
	struct record *records;
	size_t n, cap;
};

static void add_record(struct work *w, const char *actor, const char *kind, const char *object,
	const struct json *data)
{
	ARRAY_GROW(w->records, w->n, w->cap);
	w->records[w->n++] =
		(struct record){ .actor = actor, .kind = kind, .object = object, .data = data };
}

/* ---- what is known -------------------------------------------------------- */

static int read_known(struct work *w)
{
	struct state_query q = { .type = "attempt" };
	void **rows;
	int rc;

	if ((rc = log_count(workspace_log(w->ws), &w->count)) < 0)
		return rc;
	if ((rc = state_list(w->ws, &q, w->a, &rows, &w->n_known)) < 0)
		return rc;
	w->known = (struct attempt_state **)rows;
	w->tips = arena_alloc(w->a, w->n_known * sizeof *w->tips);
	for (size_t i = 0; i < w->n_known; i++) {
		w->tips[i].n = w->known[i]->n;
		w->tips[i].line = w->known[i]->line;
		/* One that is gone or has no commit cannot vanish again. */
		if (!w->known[i]->gone && oid_is_valid(w->known[i]->tip))
			memcpy(w->tips[i].tip, w->known[i]->tip, OID_HEX + 1);
	}
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(
		(*(struct attempt_state *const *)a)->id, (*(struct attempt_state *const *)b)->id);
}

static struct attempt_state *find_known(const struct work *w, const char *id)
{
	struct attempt_state key = { .id = id }, *p = &key, **hit;

	hit = w->n_known ? bsearch(&p, w->known, w->n_known, sizeof *w->known, compare_ids) : NULL;
	return hit ? *hit : NULL;
}

static bool has_tip(const struct attempt_state *s, const char *tip)
{
	for (size_t i = 0; s && i < s->observations_n; i++)
		if (strcmp(s->observations[i].tip, tip) == 0)
			return true;
	return false;
}

/* ---- records -------------------------------------------------------------- */

static const char *iso(struct arena *a, int64_t ns)
{
	char text[CLOCK_ISO_MAX];

	clock_iso(text, ns);
	return arena_strdup(a, text);
}

/* What a commit says, harmless and of a bounded length, cut between characters:
 * an event holds 64 KiB, and a subject of a megabyte must not keep the attempt out. */
static char *words(struct arena *a, const char *s, size_t max)
{
	struct buf clean = BUF_INIT;
	char *copy;

	text_sanitise(&clean, s, strnlen(s, max + 1));
	if (clean.n > max) {
		buf_truncate(&clean, text_cut(clean.s, clean.n, max));
		buf_adds(&clean, "...");
	}
	copy = arena_strdup(a, clean.s);
	buf_release(&clean);
	return copy;
}

static void observe(
	struct work *w, const struct found_attempt *f, const char *id, const char *previous_tip)
{
	struct arena *a = w->a;

	add_record(w, tool, "attempt.observed", id,
		event_data(a, "n", arena_printf(a, "%lld", (long long)f->n), "line", f->line, "tip",
			arena_strdup(a, f->tip), "base", arena_strdup(a, f->base), "source",
			words(a, f->source, NAME_BYTES_MAX), "subject",
			words(a, f->subject, SUBJECT_BYTES_MAX), "author",
			words(a, f->author, NAME_BYTES_MAX), "committed", iso(a, f->committed_ns),
			"previous_tip", previous_tip, NULL));
}

/* The author of a commit as the agent who speaks in its trailers. */
static const char *agent_of(struct arena *a, const char *author)
{
	char *name = words(a, *author ? author : "unknown", AGENT_BYTES_MAX);

	for (char *p = name; *p; p++)
		if (*p == ' ' || *p == ':')
			*p = '-';
	return arena_printf(a, "agent:%s", name);
}

static void record_level(struct work *w, const struct found_attempt *f, const char *id,
	const char *kind, const char *level, const char *configuration)
{
	char text[64];
	struct level_text parsed;

	snprintf(text, sizeof text, "%s", level);
	if (!level_parse(&parsed, text)) {
		/* Words that are no level are still what the agent claims. */
		if (strcmp(kind, "attempt.claimed") != 0)
			return;
		parsed.level = LEVEL_UNSET;
		parsed.mapped = false;
	}
	if (strcmp(configuration, "all") == 0)
		configuration = "";
	/* A level for a place that has no name is a level nowhere: only its words
	 * are kept.  It must not stop what the other trailers say. */
	if (*configuration && !name_is_plain(configuration)) {
		level = arena_printf(w->a, "%s @%s", level, configuration);
		configuration = "";
		parsed.level = LEVEL_UNSET;
	}
	if (parsed.level == LEVEL_UNSET && strcmp(kind, "attempt.expected") == 0)
		return;
	add_record(w, agent_of(w->a, f->author), kind, id,
		event_data(w->a, "level",
			parsed.level == LEVEL_UNSET ? NULL : level_name(parsed.level),
			"configuration",
			*configuration ? text_sanitised(w->a, configuration) : NULL, "source",
			arena_printf(w->a, "trailer of %.7s", f->tip), "mapped",
			parsed.mapped ? "yes" : NULL, "text", words(w->a, level, CLAIM_BYTES_MAX),
			NULL));
	if (strcmp(kind, "attempt.claimed") == 0)
		w->out->claims++;
	else
		w->out->expectations++;
}

/* A tip may expect and claim a level for each of several configurations. */
static void record_levels(struct work *w, const struct found_attempt *f, const char *id)
{
	static const struct { const char *trailer, *kind; } levels[] = {
		{ "Expected-Level", "attempt.expected" }, { "Claimed-Level", "attempt.claimed" },
	};
	struct commit_info commit;

	if (history_commit(&commit, w->a, w->repo, f->tip) < 0) {
		err_clear();	/* a commit that cannot be read says nothing */
		return;
	}
	for (size_t i = 0; i < commit.n_trailers && i < TRAILERS_MAX; i++) {
		const struct trailer *t = &commit.trailers[i];
		size_t n = strcspn(t->value, "@");
		char *level = text_sanitised(w->a, arena_strndup(w->a, t->value, n));
		const char *configuration =
			t->value[n] ? text_sanitised(w->a, t->value + n + 1) : "";

		while (*level && level[strlen(level) - 1] == ' ')
			level[strlen(level) - 1] = '\0';
		for (size_t k = 0; k < ARRAY_LEN(levels); k++)
			if (strcasecmp(t->key, levels[k].trailer) == 0)
				record_level(w, f, id, levels[k].kind, level, configuration);
	}
}

static void record_labels(struct work *w, const struct found_attempt *f, const char *id)
{
	const struct cause *cause = *f->cause ? cause_find(f->cause) : NULL;
	const char *silent = word_find(&words_silent, f->silent) > 0 ? f->silent : NULL;

	if (cause) {
		add_record(w, tool, "attempt.labelled", id, event_data(w->a, "outcome", "failure",
			"cause", cause->id, "silent", silent, "text",
			arena_printf(w->a, "Failure-Cause trailer of %.7s", f->tip), NULL));
		w->out->labels++;
	}
	if (*f->claimed_cause) {
		add_record(w, agent_of(w->a, f->author), "attempt.labelled", id, event_data(w->a,
			"cause", words(w->a, f->claimed_cause, NAME_BYTES_MAX), NULL));
		w->out->labels++;
	}
}

static void record_attempt(struct work *w, const struct found_attempt *f)
{
	const char *id = attempt_object_id(w->a, f->n, f->line);
	struct attempt_state *known = find_known(w, id);
	bool seen = has_tip(known, f->tip);

	if (known && !known->gone && strcmp(known->tip, f->tip) == 0 &&
		strcmp(known->base, f->base) == 0)
		return;
	observe(w, f, id, known && *known->tip ? known->tip : NULL);
	if (known)
		w->out->moved++;
	else
		w->out->added++;
	if (seen)
		return;		/* what its trailers say is on record */
	record_levels(w, f, id);
	record_labels(w, f, id);
}

static void record_gone(struct work *w, const struct discovery *found)
{
	for (size_t i = 0; i < found->n_gone; i++) {
		struct attempt_state *s = w->known[found->gone[i]];
		bool moved = false;

		if (!*w->tips[found->gone[i]].tip)
			continue;	/* gone before, or never had a commit */
		for (size_t k = 0; k < found->n && !moved; k++)
			moved = found->rows[k].n == s->n &&
				strcmp(found->rows[k].line, s->line) == 0;
		if (moved)
			continue;	/* attempt.observed tells the new tip */
		add_record(w, tool, "attempt.gone", s->id, event_data(w->a, "tip", s->tip, NULL));
		w->out->gone++;
	}
}

static int record_created(struct work *w, const struct accepted *c, const struct discovery *found)
{
	const struct place *place = workspace_place(w->ws);
	struct migration_state *m;
	int rc = state_migration(w->ws, NULL, w->a, &m);
	const char *name = c->has_accepted ? c->in_force.migration.name
		: c->has_file              ? c->file.migration.name
					   : "";

	if (rc < 0 || *m->name)
		return rc;
	if (!name || !*name)
		name = fs_basename(place->main_workdir ? place->main_workdir : place->common_dir);
	add_record(w, tool, "migration.created", "migration",
		event_data(w->a, "name", words(w->a, name, NAME_BYTES_MAX), "original",
			arena_strdup(w->a, found->original), "repository",
			words(w->a, name, NAME_BYTES_MAX), NULL));
	return 0;
}

/* ---- writing --------------------------------------------------------------- */

/* Another process wrote since the known ones were read: look again. */
static int check_unchanged(struct log *log, void *user)
{
	struct work *w = user;
	int64_t now;
	int rc = log_count(log, &now);

	return rc < 0 ? rc : now != w->count;
}

/*
 * How many records go into one transaction.  A tip and what its trailers say
 * stay together: a crash between them would lose the claims, since a known tip
 * is not looked at again.
 */
static size_t batch_size(const struct work *w, size_t from)
{
	size_t n = w->n - from;

	if (n <= BATCH)
		return n;
	for (n = BATCH; n > 1; n--)
		if (strcmp(w->records[from + n].kind, "attempt.observed") == 0)
			return n;
	return BATCH;
}

/* 0, 1 when somebody else wrote first, or an error. */
static int write_records(struct work *w)
{
	for (size_t i = 0; i < w->n; ) {
		size_t n = batch_size(w, i);
		int rc = workspace_record_if(
			w->ws, check_unchanged, w, w->records + i, n, w->a, NULL);

		if (rc)
			return rc;
		w->count += (int64_t)n;
		i += n;
	}
	return 0;
}

/* ---- the digest of the last look ------------------------------------------- */

static char *digest_path(struct work *w)
{
	return workspace_path(w->ws, w->a, "cache/references");
}

/* "DIGEST ORIGINAL": which original is configured decides as references do. */
static bool read_digest(struct work *w, const char *original, struct digest *out)
{
	struct buf b = BUF_INIT;
	bool ok = fs_read(&b, digest_path(w), 4096) == 0 && b.n > DIGEST_HEX &&
		b.s[DIGEST_HEX] == ' ' &&
		strcmp(b.s + DIGEST_HEX + 1, original ? original : "") == 0;

	if (ok) {
		buf_truncate(&b, DIGEST_HEX);
		ok = digest_from_hex(out, b.s);
	} else {
		err_clear();
	}
	buf_release(&b);
	return ok;
}

/* A cache: when it cannot be written the next look is a full one. */
static void write_digest(struct work *w, const char *original, const struct digest *d)
{
	char hex[DIGEST_HEX + 1];
	const char *text;

	digest_hex(hex, d);
	text = arena_printf(w->a, "%s %s", hex, original ? original : "");
	if (fs_mkdirs(workspace_path(w->ws, w->a, "cache"), 0700) < 0 ||
	    fs_write_durable(digest_path(w), text, strlen(text), 0600) < 0)
		err_clear();
}

static int look(struct work *w, const struct accepted *c, const struct discover_options *o)
{
	const struct config *config = c->has_accepted ? &c->in_force
		: c->has_file                         ? &c->file
						      : NULL;
	const char *original = config && config->migration.original && *config->migration.original ?
		config->migration.original : NULL;
	struct digest last;
	bool have_last = !o->all && w->n_known && read_digest(w, original, &last);
	struct discovery_options options = {
		.original = original, .seen = have_last ? &last : NULL,
		.known = w->tips, .n_known = w->n_known, .cancel = o->cancel,
	};
	struct discovery found;
	int rc = discovery_run(&found, w->repo, &options);

	if (rc < 0)
		return rc;
	w->out->unchanged = found.unchanged;
	w->out->attempts = found.n;
	w->out->original = arena_strdup(w->a, found.original_text);
	w->out->note = arena_strdup(w->a, found.note);
	if (!found.unchanged) {
		/* The gone ones are indexes into the order of w->tips: before the sort. */
		record_gone(w, &found);
		if (w->n_known)
			qsort(w->known, w->n_known, sizeof *w->known, compare_ids);
		rc = record_created(w, c, &found);
		for (size_t i = 0; rc == 0 && i < found.n; i++)
			record_attempt(w, &found.rows[i]);
	}
	if (rc == 0)
		rc = write_records(w);
	if (rc == 0 && !found.unchanged)
		write_digest(w, original, &found.refs_digest);
	discovery_release(&found);
	return rc;
}

int discover(struct discovered *out, struct workspace *ws, const struct discover_options *o,
	struct arena *a)
{
	struct repository *repo;
	struct accepted c;
	int rc = workspace_repository(ws, &repo);

	if (rc < 0)
		return rc;
	if ((rc = accepted_read(&c, ws, NULL)) < 0)
		return rc;
	for (int i = 0; i < RETRIES; i++) {
		struct work w = { .ws = ws, .repo = repo, .a = a, .out = out };

		memset(out, 0, sizeof *out);
		out->note = out->original = "";
		rc = state_ready(ws);
		if (rc == 0)
			rc = read_known(&w);
		if (rc == 0)
			rc = look(&w, &c, o);
		free(w.records);
		if (rc <= 0)
			break;
	}
	accepted_release(&c);
	return rc > 0 ? err_set(ERR_BUSY, "other processes keep writing to the log; try again")
		      : rc;
}
