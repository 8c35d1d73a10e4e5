/* run_checks_side - the evidence of one run, held against what is on record; see
 * run_checks_private.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/probe_facts.h"
#include "launch/run_directory.h"
#include "workspace/run_checks_private.h"
#include "workspace/state.h"

enum { PROCESSES_MAX = 4096 };

static void note(struct checks_side *s, const char *text)
{
	ARRAY_GROW(s->notes, s->notes_n, s->notes_cap);
	s->notes[s->notes_n++] = text;
}

/* ---- the files of the probe's record ---- */

static bool is_record(const char *name)
{
	return text_starts(name, "probe-") && text_ends(name, ".jsonl");
}

/* Names of records that the log has of RUN, with their digests, in A. */
struct on_record { const char *name, *digest; };

static int list_on_record(struct on_record **out, size_t *n, struct workspace *ws,
	const struct run_state *run, struct arena *a)
{
	static const char *const members[] = { "id", "digest", "entries", NULL };
	const char *subject = arena_printf(a, "run:%s", run->id);
	struct state_query q = { .type = "evidence", .parent = subject, .members = members };
	void **rows;
	size_t rows_n, total = 0;
	int rc = state_list(ws, &q, a, &rows, &rows_n);

	*n = 0;
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < rows_n; i++)
		total += ((const struct evidence_state *)rows[i])->entries_n;
	*out = arena_alloc(a, (total + 1) * sizeof **out);
	for (size_t i = 0; i < rows_n; i++) {
		const struct evidence_state *s = rows[i];

		for (size_t k = 0; k < s->entries_n; k++) {
			const struct evidence_entry *e = &s->entries[k];

			if (!*e->entry.struck && strcmp(e->subject, subject) == 0 &&
				text_starts(e->path, "probe/") && is_record(e->path + 6))
				(*out)[(*n)++] = (struct on_record){ e->path, s->digest };
		}
	}
	return 0;
}

/* What is on record of NAME: its digest among those; *KNOWN: it has any. */
static bool is_as_recorded(const struct on_record *list, size_t n, const char *name,
	const struct digest *digest, bool *known)
{
	char hex[DIGEST_HEX + 1];
	bool same = false;

	digest_hex(hex, digest);
	*known = false;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(list[i].name, name) != 0)
			continue;
		*known = true;
		same = same || strcmp(list[i].digest, hex) == 0;
	}
	return same;
}

static void refuse(struct checks_side *s, struct arena *a, const char *name, const char *why)
{
	if (!s->refused)
		s->refused = arena_printf(a, "%s%s %s, so the probe's record is not used",
			s->prefix, name, why);
	s->incomplete = true;
}

/* Takes one file in, when it is what the log says. */
static int add_record(struct checks_side *s, const char **paths, const char *path,
	const char *name, const struct on_record *list, size_t n, struct arena *a)
{
	struct check_place *place = &s->probe_files[s->probe_files_n];
	struct digest digest;
	bool known;
	int rc = sha256_file(&digest, NULL, path);

	if (rc < 0)
		return rc;
	*place = (struct check_place){ .name = arena_printf(a, "%s%s", s->prefix, name),
		.parser = "probe", .version = PROBE_FORMAT, .digest = digest };
	place->recorded = is_as_recorded(list, n, name, &digest, &known);
	if (known && !place->recorded)
		refuse(s, a, name, "was changed since it was recorded");
	paths[s->probe_files_n++] = path;
	return 0;
}

/* A record that is gone would take a process's answer with it. */
static void find_missing(
	struct checks_side *s, const struct on_record *list, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		bool here = false;

		for (size_t k = 0; k < s->probe_files_n && !here; k++)
			here = text_ends(s->probe_files[k].name, list[i].name);
		if (!here)
			refuse(s, a, list[i].name, "is on record and no longer here");
	}
}

static int read_files(struct checks_side *s, struct workspace *ws, const char *folder,
	struct arena *a)
{
	struct on_record *list;
	const char **paths;
	char **names;
	size_t n, names_n = 0;
	int rc = fs_is_dir(folder) ? fs_list(&names, &names_n, a, folder) : 0;

	if (rc == 0)
		rc = list_on_record(&list, &n, ws, s->run, a);
	if (rc < 0)
		return rc;
	paths = arena_alloc(a, (names_n + 1) * sizeof *paths);
	s->probe_files = arena_alloc(a, (names_n + 1) * sizeof *s->probe_files);
	for (size_t i = 0; rc == 0 && i < names_n && s->probe_files_n < PROCESSES_MAX; i++) {
		const char *path = fs_join(a, folder, names[i]);
		struct stat st;

		if (is_record(names[i]) && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			rc = add_record(s, paths, path, fs_join(a, "probe", names[i]), list, n, a);
	}
	if (rc == 0)
		find_missing(s, list, n, a);
	if (rc < 0 || s->refused || !s->probe_files_n)
		return rc;
	return probe_record_read(&s->probe, paths, s->probe_files_n);
}

static int read_probe(struct checks_side *s, struct workspace *ws, struct arena *a)
{
	const char *rundir = fs_join(a, workspace_path(ws, a, "runs"), s->run->id);
	const char *folder = run_directory_path(a, rundir, RUN_FILE_PROBE);
	int rc = read_files(s, ws, folder, a);

	if (rc == 0 && s->refused)
		note(s, s->refused);
	if (rc < 0 || !s->probe)
		return rc;
	s->probe_facts = xcalloc(s->probe_files_n, sizeof *s->probe_facts);
	for (size_t i = 0; i < s->probe_files_n; i++) {
		s->probe_facts[i] = (struct evidence_facts)EVIDENCE_FACTS_INIT;
		probe_facts_read(&s->probe_facts[i], s->probe, i);
	}
	return 0;
}

/* ---- all sources ---- */

static void list_sources(struct checks_side *s, struct arena *a)
{
	size_t probe_n = s->probe ? s->probe_files_n : 0;

	s->sources = arena_alloc(a, (probe_n + s->parsed.n + 1) * sizeof *s->sources);
	for (size_t i = 0; i < probe_n; i++)
		s->sources[s->sources_n++] = (struct check_source){ s->probe_files[i].name,
			s->probe_files[i].digest, s->probe_files[i].recorded, false,
			&s->probe_facts[i] };
	for (size_t i = 0; i < s->parsed.n; i++) {
		const struct run_parsed_file *f = &s->parsed.files[i];

		s->sources[s->sources_n++] = (struct check_source){
			arena_printf(a, "%s%s", s->prefix, f->name), f->digest, f->recorded,
			*f->who != '\0', f->facts };
	}
	for (size_t i = 0; i < s->parsed.left_n; i++) {
		const struct run_parsed_left *left = &s->parsed.left[i];

		s->incomplete = s->incomplete || left->changed;
		note(s, arena_printf(a, "%s%s is not used: %s", s->prefix, left->name, left->why));
	}
}

int checks_side_read(struct checks_side *out, struct workspace *ws, const struct run_state *run,
	const char *prefix, const struct run_parsed *lent, const atomic_bool *cancel,
	struct arena *a)
{
	int rc;

	*out = (struct checks_side){ .run = run, .prefix = prefix };
	if (!run)
		return 0;
	rc = read_probe(out, ws, a);
	out->lent = lent != NULL;
	if (lent)
		out->parsed = *lent;
	else if (rc == 0)
		rc = run_parsed_read_until(&out->parsed, ws, run, cancel, a);
	if (rc == 0)
		list_sources(out, a);
	return rc;
}

void checks_side_release(struct checks_side *s)
{
	for (size_t i = 0; s->probe_facts && i < s->probe_files_n; i++)
		evidence_facts_release(&s->probe_facts[i]);
	free(s->probe_facts);
	probe_record_free(s->probe);
	if (!s->lent)
		run_parsed_release(&s->parsed);
	free(s->notes);
	*s = (struct checks_side){ .run = NULL };
}
