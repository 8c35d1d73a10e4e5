/* doctor - see doctor.h.  The machine is in doctor_machine.c. */
#include "config.h"

#include "workspace/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "store/repository_program.h"
#include "store/spool.h"
#include "store/verify.h"
#include "workspace/accepted.h"
#include "workspace/doctor_list.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { DISK_LEAST = 1 << 30 };

const char *const doctor_states[] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_NOTE] = "note",
	[DOCTOR_MISSING] = "MISSING",
	[DOCTOR_BROKEN] = "BROKEN",
};

/* Copies: what is named often belongs to a handle that is closed before the
 * report is read. */
void doctor_add(struct doctor_list *l, const char *area, const char *item, enum doctor_state state,
	const char *value, const char *advice)
{
	ARRAY_GROW(l->rows, l->n, l->cap);
	l->rows[l->n++] = (struct doctor_finding){
		area, item, state, arena_strdup(l->a, value), arena_strdup(l->a, advice),
	};
}

static void add_error(
	struct doctor_list *l, const char *area, const char *item, enum doctor_state state)
{
	doctor_add(l, area, item, state, arena_strdup(l->a, err_text()), "");
	err_clear();
}

/* ---- the repository ----------------------------------------------------------------- */

/* A checkout for a run holds what these would have changed as it was committed. */
static void look_at_filters(struct doctor_list *l, struct workspace *ws)
{
	char *names;

	if (git_program_filters(&names, workspace_place(ws)->directory, l->a) < 0)
		add_error(l, "repository", "filters", DOCTOR_NOTE);
	else
		doctor_add(l, "repository", "filters", *names ? DOCTOR_NOTE : DOCTOR_OK,
			*names ? names : "none of its own",
			*names ? "its own configuration runs nothing here, so checkouts for runs have files as committed (git lfs: pointers); "
				 "declare a filter that you trust in your own: git config --global"
			       : "");
}

static void look_at_repository(struct doctor_list *l, struct workspace *ws)
{
	struct repository *repo;
	struct head head;

	if (workspace_repository(ws, &repo) < 0) {
		add_error(l, "repository", workspace_place(ws)->bundle ? "code" : "git repository",
			workspace_place(ws)->bundle ? DOCTOR_NOTE : DOCTOR_BROKEN);
		return;
	}
	if (workspace_place(ws)->bundle) {
		doctor_add(l, "repository", "code", DOCTOR_OK, "the bundle has what its diffs need",
			"");
		return;
	}
	if (repository_describe_head(&head, l->a, repo) < 0)
		add_error(l, "repository", "HEAD", DOCTOR_BROKEN);
	else
		doctor_add(l, "repository", "HEAD", DOCTOR_OK, text_sanitised(l->a, head.text), "");
	look_at_filters(l, ws);
	if (*repository_limits(repo))
		doctor_add(l, "repository", "limits", DOCTOR_NOTE,
			arena_strdup(l->a, repository_limits(repo)), "");
}

static void look_at_configuration(struct doctor_list *l, struct workspace *ws)
{
	struct accepted c;

	if (accepted_read(&c, ws, NULL) < 0) {
		add_error(l, "configuration", "portside.conf", DOCTOR_BROKEN);
		return;
	}
	doctor_add(l, "configuration", "portside.conf",
		c.state == ACCEPTED_INVALID           ? DOCTOR_BROKEN
			: c.state == ACCEPTED_CURRENT ? DOCTOR_OK
						      : DOCTOR_NOTE,
		c.has_accepted ? "an accepted version is in force"
			       : "no version is in force: nothing runs from it",
		arena_strdup(l->a, c.sentence));
	for (size_t i = 1; c.state == ACCEPTED_INVALID && i < c.file.errors_n; i++)
		doctor_add(l, "configuration", "portside.conf", DOCTOR_BROKEN, "",
			arena_strdup(l->a, c.file.errors[i].text));
	accepted_release(&c);
}

/* ---- the state folder ------------------------------------------------------------------ */

static bool cancelled(void *user, int64_t done, int64_t total)
{
	const struct doctor_options *o = user;

	(void)done;
	(void)total;
	return o->cancel && atomic_load(o->cancel);
}

static void look_at_log(struct doctor_list *l, struct workspace *ws)
{
	struct verify_options o = {
		.full = true, .progress = cancelled, .user = (void *)(uintptr_t)l->options
	};
	struct verify_report r;

	if (log_verify(workspace_log(ws), &o, l->a, &r) < 0) {
		add_error(l, "log", "chain", DOCTOR_BROKEN);
		return;
	}
	doctor_add(l, "log", "chain", r.n_defects ? DOCTOR_BROKEN : DOCTOR_OK,
		verify_sentence(l->a, &r),
		r.n_defects ? "portside verify lists what was found" : "");
	if (log_warning(workspace_log(ws)))
		doctor_add(l, "log", "file system", DOCTOR_NOTE,
			arena_strdup(l->a, log_warning(workspace_log(ws))), "");
}

static size_t count_suffix(struct doctor_list *l, const char *folder, const char *suffix)
{
	char **names;
	size_t n, count = 0;

	if (!fs_is_dir(folder) || fs_list(&names, &n, l->a, folder) < 0) {
		err_clear();
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		count += text_ends(names[i], suffix);
	return count;
}

static void look_at_spool(struct doctor_list *l, const char *folder)
{
	size_t waiting = spool_waiting(folder);
	const char *rejected = fs_join(l->a, folder, "spool/rejected");
	size_t n = count_suffix(l, rejected, ".json");

	doctor_add(l, "spool", "waiting", waiting ? DOCTOR_NOTE : DOCTOR_OK,
		arena_printf(l->a, "%zu", waiting),
		waiting ? "the next command of a person takes them in" : "");
	if (n)
		doctor_add(l, "spool", "refused", DOCTOR_NOTE, arena_printf(l->a, "%zu", n),
			arena_printf(l->a, "each has its reason beside it in %s", rejected));
}

/* A checkout outlives its run only after a crash. */
static void look_at_checkouts(struct doctor_list *l, struct workspace *ws)
{
	char **names;
	size_t n, stale = 0;
	const char *folder = workspace_path(ws, l->a, "checkouts");

	if (!fs_is_dir(folder) || fs_list(&names, &n, l->a, folder) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct run_state *run = NULL;

		if (state_run(ws, names[i], NULL, l->a, &run) < 0)
			err_clear();
		stale += !run || run->ends_n > 0;
	}
	doctor_add(l, "runs", "checkouts", stale ? DOCTOR_NOTE : DOCTOR_OK,
		arena_printf(l->a, "%zu, %zu without a live run", n, stale),
		stale ? "portside attempt refresh finishes what a crash left" : "");
}

static void look_at_disk(struct doctor_list *l, const char *folder)
{
	struct buf text = BUF_INIT;
	struct statvfs disk;
	int64_t free_bytes;

	while (!fs_exists(folder) && strcmp(folder, "/") != 0)
		folder = fs_dirname(l->a, folder);
	if (statvfs(folder, &disk) < 0)
		return;
	free_bytes = (int64_t)disk.f_bavail * (int64_t)disk.f_frsize;
	units_add_bytes(&text, free_bytes);
	doctor_add(l, "disk", "free", free_bytes < DISK_LEAST ? DOCTOR_NOTE : DOCTOR_OK,
		arena_strdup(l->a, text.s),
		free_bytes < DISK_LEAST ? "logs and curves of runs are kept here" : "");
	buf_release(&text);
	if (fs_is_network(folder))
		doctor_add(l, "disk", "file system", DOCTOR_NOTE, "a network file system",
			"locks and renames are not to be trusted there: keep the clone on a local disk");
}

static void look_at_bundle(struct doctor_list *l, struct workspace *ws)
{
	struct buf text = BUF_INIT;
	const struct json *manifest;
	const char *left;

	if (fs_read(&text, workspace_path(ws, l->a, "manifest.json"), 1 << 20) < 0 ||
	    json_parse(&manifest, l->a, text.s, text.n, JSON_STRICT) < 0) {
		add_error(l, "bundle", "manifest", DOCTOR_BROKEN);
		buf_release(&text);
		return;
	}
	doctor_add(l, "bundle", "made", DOCTOR_OK,
		text_sanitised(l->a,
			arena_printf(l->a, "%s by %s", json_str(manifest, "made", "?"),
				json_str(manifest, "by", "?"))),
		"");
	left = json_str(manifest, "left_out", "");
	doctor_add(l, "bundle", "left out", *left ? DOCTOR_NOTE : DOCTOR_OK,
		*left ? text_sanitised(l->a, left) : "nothing", "");
	buf_release(&text);
}

static void look_at_migration(struct doctor_list *l, const char *directory)
{
	struct workspace_options how = { .read_only = true };
	struct workspace *ws;

	if (workspace_open(&ws, directory, &how) < 0) {
		add_error(l, "migration", "log and repository",
			err_code() == ERR_NOT_FOUND ? DOCTOR_NOTE : DOCTOR_BROKEN);
		return;
	}
	doctor_add(l, "migration", "place", DOCTOR_OK, workspace_place(ws)->directory, "");
	if (workspace_place(ws)->bundle)
		look_at_bundle(l, ws);
	look_at_repository(l, ws);
	if (state_ready(ws) < 0)
		add_error(l, "log", "views", DOCTOR_BROKEN);
	else
		look_at_configuration(l, ws);
	look_at_log(l, ws);
	if (!workspace_place(ws)->bundle) {
		look_at_spool(l, workspace_place(ws)->folder);
		look_at_checkouts(l, ws);
		look_at_disk(l, workspace_place(ws)->folder);
	}
	workspace_close(ws);
}

void doctor_look(struct doctor_report *out, const char *directory, const struct doctor_options *o,
	struct arena *a)
{
	struct doctor_list l = { .a = a, .options = o };

	doctor_machine(&l);
	look_at_migration(&l, directory);
	out->findings = arena_memdup(a, l.rows, l.n * sizeof *l.rows);
	out->n = l.n;
	out->bad = 0;
	for (size_t i = 0; i < l.n; i++)
		out->bad += l.rows[i].state == DOCTOR_MISSING || l.rows[i].state == DOCTOR_BROKEN;
	free(l.rows);
}
