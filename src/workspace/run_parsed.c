/* run_parsed - see run_parsed.h. */
#include "config.h"

#include "workspace/run_parsed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/evidence_bytes.h"
#include "evidence/evidence_format.h"
#include "launch/run_directory.h"
#include "workspace/state.h"

/* A name and the digest that the log has for it. */
struct on_record {
	const char *name, *digest;
};

struct look {
	struct run_parsed *out;
	struct workspace *ws;
	const struct run_state *run;
	const struct run_parsed_limits *limits;
	struct arena *a;
	const char *rundir, *folder;	/* FOLDER: for copies of large files; NULL: elsewhere */
	bool kept;			/* all that the run left is on record */
	struct on_record *recorded;
	size_t recorded_n, recorded_cap;
	size_t files;
};

/* ---- what is on record ---- */

static int list_recorded(struct look *l)
{
	static const char *const members[] = { "id", "digest", "entries", NULL };
	const char *subject = arena_printf(l->a, "run:%s", l->run->id);
	struct state_query q = { .type = "evidence", .parent = subject, .members = members };
	void **rows;
	size_t n;
	int rc = state_list(l->ws, &q, l->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct evidence_state *s = rows[i];

		for (size_t k = 0; k < s->entries_n; k++) {
			const struct evidence_entry *e = &s->entries[k];

			if (*e->entry.struck || strcmp(e->subject, subject) != 0)
				continue;
			ARRAY_GROW(l->recorded, l->recorded_n, l->recorded_cap);
			l->recorded[l->recorded_n++] = (struct on_record){ e->path, s->digest };
		}
	}
	return rc;
}

/* The entry about this run among those of the file's digest; NULL: there is none.
 * A file of the run itself goes before the same that somebody brought. */
static int find_entry(
	const struct evidence_entry **out, struct look *l, const struct digest *digest)
{
	const char *subject = arena_printf(l->a, "run:%s", l->run->id);
	char hex[DIGEST_HEX + 1];
	struct evidence_state *s;
	int rc;

	*out = NULL;
	digest_hex(hex, digest);
	rc = state_get(l->ws, "evidence", hex, NULL, l->a, (void **)&s);
	for (size_t i = 0; rc > 0 && i < s->entries_n; i++) {
		const struct evidence_entry *e = &s->entries[i];

		if (!*e->entry.struck && strcmp(e->subject, subject) == 0 &&
			(!*out || actor_class(e->entry.who) == ACTOR_TOOL))
			*out = e;
	}
	return rc < 0 ? rc : 0;
}

/* A name on record is that of a file below its folder: "sub/env.txt" is
 * artifacts/sub/env.txt. */
static bool has_other_digest(const struct look *l, const char *name)
{
	const char *slash = strchr(name, '/');

	for (size_t i = 0; i < l->recorded_n; i++)
		if (strcmp(l->recorded[i].name, name) == 0 ||
			(slash && strcmp(l->recorded[i].name, slash + 1) == 0))
			return true;
	return false;
}

/* ---- one file ---- */

static void leave(struct look *l, const char *name, const struct digest *digest, bool changed,
	const char *why)
{
	struct run_parsed *p = l->out;

	ARRAY_GROW(p->left, p->left_n, p->left_cap);
	p->left[p->left_n++] = (struct run_parsed_left){
		.name = arena_strdup(l->a, name),
		.digest = digest ? *digest : (struct digest){ { 0 } },
		.changed = changed,
		.why = arena_strdup(l->a, why),
	};
}

static void add_facts(struct look *l, const char *name, const struct evidence_bytes *bytes,
	const struct evidence_entry *entry, const struct evidence_format *format,
	const struct evidence_source *source)
{
	struct run_parsed *p = l->out;
	struct evidence_facts *facts = xmalloc(sizeof *facts);

	*facts = (struct evidence_facts)EVIDENCE_FACTS_INIT;
	evidence_format_parse(facts, format, source);
	ARRAY_GROW(p->files, p->n, p->cap);
	p->files[p->n++] = (struct run_parsed_file){
		.name = arena_strdup(l->a, name),
		.digest = bytes->digest,
		.size_bytes = (int64_t)bytes->n,
		.parser = facts->parser,
		.version = facts->version,
		.facts = facts,
		.recorded = entry != NULL,
		.who = entry && actor_class(entry->entry.who) != ACTOR_TOOL ?
			arena_strdup(l->a, entry->entry.who) : "",
	};
}

/* Why a file that is evidence is not used; NULL: it is. */
static const char *unusable(const struct look *l, const char *name)
{
	if (has_other_digest(l, name))
		return "it is not what is on record of this run: it was changed later";
	if (l->kept && l->recorded_n && !text_starts(name, "capture/"))
		return "it is not on record: it came after the files of the run were kept";
	return NULL;
}

static int take_bytes(struct look *l, const char *name, const struct evidence_bytes *bytes)
{
	struct evidence_source source = { bytes->s, bytes->n, fs_basename(name), NULL };
	const struct evidence_format *format = evidence_format_recognise(&source, NULL);
	const struct evidence_entry *entry;
	const char *why;
	int rc;

	if (!format)
		return 0;
	if ((rc = find_entry(&entry, l, &bytes->digest)) < 0)
		return rc;
	if (!entry && l->limits->recorded_only)
		return 0;
	why = entry ? NULL : unusable(l, name);
	if (why) {
		leave(l, name, &bytes->digest, true, why);
		return 0;
	}
	for (; format; format = evidence_format_recognise(&source, format)) {
		if (l->limits->cancel && atomic_load(l->limits->cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		add_facts(l, name, bytes, entry, format, &source);
	}
	return 0;
}

/* What foreign code left may be a link, which is not followed.  A file that cannot be
 * read does not hide the others. */
static int take_file(struct look *l, const char *name)
{
	struct evidence_bytes bytes;
	int fd = fs_open_inside(l->rundir, name), rc = 0;

	if (fd < 0) {
		leave(l, name, NULL, false, err_text());
		err_clear();
		return 0;
	}
	if (evidence_bytes_may_tell(fd, l->limits->bytes)) {
		rc = evidence_bytes_read(&bytes, fd, name, l->folder, l->limits->cancel);
		if (rc == 0) {
			rc = take_bytes(l, name, &bytes);
			evidence_bytes_release(&bytes);
		} else if (rc != ERR_CANCELLED) {
			leave(l, name, NULL, false, err_text());
			err_clear();
			rc = 0;
		}
	}
	close(fd);
	return rc;
}

/* ---- all files ---- */

/* The records of the probe are read by evidence/probe_record.h. */
static bool is_probe_record(const char *name)
{
	return text_starts(name, "probe/probe-") && text_ends(name, ".jsonl");
}

static int walk(struct look *l, const char *prefix, int depth)
{
	char **names;
	size_t n;
	int rc = 0;

	if (depth > RUN_PARSED_DEPTH_MAX)
		return 0;
	if (fs_list(&names, &n, l->a, fs_join(l->a, l->rundir, prefix)) < 0) {
		leave(l, prefix, NULL, false, err_text());
		err_clear();
		return 0;
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *name = fs_join(l->a, prefix, names[i]);
		struct stat st;

		if (lstat(fs_join(l->a, l->rundir, name), &st) < 0 || is_probe_record(name) ||
			!fs_is_inside(name))
			continue;
		if (S_ISDIR(st.st_mode))
			rc = walk(l, name, depth + 1);
		else if (S_ISREG(st.st_mode) && l->files++ < RUN_PARSED_FILES_MAX)
			rc = take_file(l, name);
	}
	return rc;
}

static int look_at_all(struct look *l)
{
	static const enum run_directory_file folders[] = {
		RUN_FILE_ARTIFACTS, RUN_FILE_CAPTURE, RUN_FILE_PROBE, RUN_FILE_EVIDENCE };
	int rc = list_recorded(l);

	if (rc == 0 && fs_exists(run_directory_path(l->a, l->rundir, RUN_FILE_LOG)))
		rc = take_file(l, run_file_name(RUN_FILE_LOG));
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(folders); i++)
		if (fs_is_dir(run_directory_path(l->a, l->rundir, folders[i])))
			rc = walk(l, run_file_name(folders[i]), 0);
	return rc;
}

int run_parsed_read_within(struct run_parsed *out, struct workspace *ws,
	const struct run_state *run, const struct run_parsed_limits *limits, struct arena *a)
{
	const char *cache = workspace_path(ws, a, "cache");
	struct look l = { .out = out, .ws = ws, .run = run, .limits = limits, .a = a,
		.rundir = fs_join(a, workspace_path(ws, a, "runs"), run->id) };
	int rc;

	*out = (struct run_parsed){ .n = 0 };
	l.folder = !workspace_read_only(ws) && fs_is_dir(cache) ? cache : NULL;
	l.kept = fs_exists(fs_join(a, l.rundir, "kept"));
	rc = fs_is_dir(l.rundir) ? look_at_all(&l) : 0;
	out->full = l.files > RUN_PARSED_FILES_MAX;
	free(l.recorded);
	out->sets = arena_alloc(a, (out->n + 1) * sizeof *out->sets);
	for (size_t i = 0; i < out->n; i++)
		out->sets[i] = out->files[i].facts;
	return rc;
}

int run_parsed_read(
	struct run_parsed *out, struct workspace *ws, const struct run_state *run, struct arena *a)
{
	return run_parsed_read_until(out, ws, run, NULL, a);
}

int run_parsed_read_until(struct run_parsed *out, struct workspace *ws,
	const struct run_state *run, const atomic_bool *cancel, struct arena *a)
{
	struct run_parsed_limits limits = { .cancel = cancel };

	return run_parsed_read_within(out, ws, run, &limits, a);
}

void run_parsed_release(struct run_parsed *p)
{
	for (size_t i = 0; i < p->n; i++) {
		evidence_facts_release(p->files[i].facts);
		free(p->files[i].facts);
	}
	free(p->files);
	free(p->left);
	*p = (struct run_parsed){ .n = 0 };
}
