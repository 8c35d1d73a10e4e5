/*
 * diff_command - the diff as text, as rows, or as a patch that git applies.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/diff.h"
#include "command/groups.h"
#include "domain/object.h"
#include "store/repository_program.h"
#include "workspace/changes.h"
#include "workspace/state.h"

enum { CONTEXT_MAX = 10000, TAB_STOP = 8 };

/* ---- which two revisions ---------------------------------------------------------- */

static bool is_attempt(struct call *c, const char *text)
{
	struct attempt_state *s;
	bool found = state_attempt(c->workspace, text, c->at, c->arena, &s) == 0 && s->n >= 0;

	err_clear();
	return found;
}

static int read_attempt(struct change *out, struct call *c, const char *text)
{
	const char *against = call_text(c, "--against");
	struct change_question q = { .attempt = "", .at = c->at };
	struct attempt_state *s;
	int rc;

	if (text && (rc = state_attempt(c->workspace, text, c->at, c->arena, &s)) < 0)
		return rc;
	if (text)
		q.attempt = s->id;
	if (against && strcmp(against, "original") == 0)
		q.against = AGAINST_ORIGINAL;
	return change_read(out, c->workspace, &q, c->progress.cancel);
}

/* A revision that is no attempt is compared with its first parent; a root with
 * nothing. */
static int read_commit(struct change *out, struct call *c, const char *text)
{
	struct repository *repo;
	char base[OID_HEX + 1] = "", tip[OID_HEX + 1];
	int rc = changes_resolve(tip, c->workspace, text, c->arena);

	if (rc < 0 || (rc = workspace_repository(c->workspace, &repo)) < 0)
		return rc;
	if (revision_resolve(base, repo, arena_printf(c->arena, "%s^", tip)) < 0) {
		base[0] = '\0';
		err_clear();
	}
	if ((rc = change_between(out, c->workspace, base, tip, c->progress.cancel)) == 0)
		out->base_name = *base ? "its parent" : "nothing";
	return rc;
}

static int read_pair(struct change *out, struct call *c, const char *from, const char *to)
{
	char base[OID_HEX + 1], tip[OID_HEX + 1];
	int rc;

	if ((rc = changes_resolve(base, c->workspace, from, c->arena)) < 0 ||
	    (rc = changes_resolve(tip, c->workspace, to, c->arena)) < 0)
		return rc;
	if ((rc = change_between(out, c->workspace, base, tip, c->progress.cancel)) == 0)
		out->base_name = arena_strdup(&out->arena, from);
	return rc;
}

static int read_change(struct change *out, const char **name, struct call *c)
{
	const char *first = call_text_at(c, "revision", 0),
		   *second = call_text_at(c, "revision", 1);
	int rc;

	*name = second ? second : first;
	if (call_text_at(c, "revision", 2))
		return err_set(ERR_USAGE, "diff takes at most two revisions");
	if (second)
		return read_pair(out, c, first, second);
	if (first && !is_attempt(c, first))
		return read_commit(out, c, first);
	if ((rc = read_attempt(out, c, first)) == 0)
		*name = arena_printf(c->arena, "attempt %s", out->attempt);
	return rc;
}

/* ---- text ------------------------------------------------------------------------- */

/* Tabs as a terminal shows them, all other controls visible. */
static void add_line(struct buf *out, char sign, const char *s, size_t n)
{
	size_t start = out->n + 1;

	buf_addc(out, sign);
	while (n) {
		const char *tab = memchr(s, '\t', n);
		size_t k = tab ? (size_t)(tab - s) : n;

		text_sanitise(out, s, k);
		if (!tab)
			break;
		buf_pad(out, ' ', TAB_STOP - (out->n - start) % TAB_STOP);
		s += k + 1;
		n -= k + 1;
	}
	buf_addc(out, '\n');
}

static void add_sanitised(struct buf *out, const char *s)
{
	text_sanitise(out, s, strlen(s));
}

static void add_file_heading(struct buf *out, const struct diff_file *f)
{
	struct buf path = BUF_INIT;

	change_add_path(&path, f, " -> ");
	buf_addf(out, "\n%c  ", f->status);
	text_sanitise(out, path.s, path.n);
	if (!f->binary)
		buf_addf(out, "  +%lld -%lld", (long long)f->added, (long long)f->removed);
	buf_addc(out, '\n');
	buf_release(&path);
}

static void add_lines(struct buf *out, const struct change_lines *l)
{
	const struct diff_file *f = l->file;

	for (size_t i = 0; i < l->n_notes; i++) {
		buf_adds(out, "   (");
		add_sanitised(out, l->notes[i]);
		buf_adds(out, ")\n");
	}
	/* The beginning of a file that is too large is for the screen. */
	for (size_t h = 0; h < f->n_hunks && !l->preview; h++) {
		const struct diff_hunk *k = &f->hunks[h];

		buf_addf(out, "@@ -%d,%d +%d,%d @@%s", k->old_start, k->old_count, k->new_start,
			k->new_count, *k->heading ? " " : "");
		add_sanitised(out, k->heading);
		buf_addc(out, '\n');
		for (size_t i = k->first; i < k->first + k->n; i++) {
			add_line(out, f->lines[i].origin, f->lines[i].text,
				change_line_length(l, i));
			if (f->lines[i].no_newline && !f->link)
				buf_adds(out, "\\ No newline at end of file\n");
		}
	}
}

static void add_heading(struct buf *out, const struct change *change, const char *name)
{
	const struct diff *d = &change->files;

	add_sanitised(out, name);
	buf_adds(out, " against ");
	add_sanitised(out, change->base_name);
	buf_addf(out, ": %zu file%s, +%lld -%lld\n", d->n, d->n == 1 ? "" : "s",
		(long long)change->added, (long long)change->removed);
	if (*change->subject) {
		add_sanitised(out, change->subject);
		buf_addc(out, '\n');
	}
	if (*d->reason) {
		add_sanitised(out, d->reason);
		buf_addc(out, '\n');
	}
}

/* ---- rows ------------------------------------------------------------------------- */

static const struct report_column line_columns[] = {
	{ .name = "file", .title = "file", .type = REPORT_TEXT },
	{ .name = "old_file", .title = "was", .type = REPORT_TEXT },
	{ .name = "status", .title = "", .type = REPORT_TEXT },
	{ .name = "hunk", .title = "hunk", .type = REPORT_INTEGER },
	{ .name = "sign", .title = "", .type = REPORT_TEXT },
	{ .name = "old_line", .title = "old", .type = REPORT_ID },
	{ .name = "new_line", .title = "new", .type = REPORT_ID },
	{ .name = "text", .title = "text", .type = REPORT_TEXT },
	{ .name = "note", .title = "note", .type = REPORT_TEXT },
};

static void start_row(struct report_table *t, const struct diff_file *f)
{
	report_row(t);
	report_text(t, "file", f->path);
	report_text(t, "old_file", strcmp(f->old_path, f->path) != 0 ? f->old_path : NULL);
	report_textf(t, "status", "%c", f->status);
}

static void add_rows(struct report_table *t, const struct change_lines *l)
{
	const struct diff_file *f = l->file;

	for (size_t i = 0; i < l->n_notes; i++) {
		start_row(t, f);
		report_text(t, "note", l->notes[i]);
	}
	for (size_t h = 0; h < f->n_hunks && !l->preview; h++) {
		for (size_t i = f->hunks[h].first; i < f->hunks[h].first + f->hunks[h].n; i++) {
			const struct diff_line *line = &f->lines[i];

			start_row(t, f);
			report_integer(t, "hunk", (int64_t)h + 1);
			report_textf(t, "sign", "%c", line->origin);
			if (line->old_line)
				report_integer(t, "old_line", line->old_line);
			if (line->new_line)
				report_integer(t, "new_line", line->new_line);
			report_textf(t, "text", "%.*s", (int)line->n, line->text);
		}
	}
}

/* ---- command ---------------------------------------------------------------------- */

static bool is_wanted(const struct call *c, const struct diff_file *f)
{
	const char *path = call_text(c, "--file");

	return !path || strcmp(path, f->path) == 0 || strcmp(path, f->old_path) == 0;
}

static int show_file(struct call *c, const struct diff_file *f, struct diff_options *o)
{
	struct change_lines l;
	int rc = change_load(&l, c->workspace, f, o);

	if (rc == 0) {
		o->line_limit -= (int64_t)l.file->n_lines;
		if (!c->wants_json)
			add_file_heading(&c->text, f);
		if (c->wants_json)
			add_rows(c->table, &l);
		else
			add_lines(&c->text, &l);
	}
	change_lines_release(&l);
	return rc;
}

static int show(
	struct call *c, const struct change *change, const char *name, struct diff_options *o)
{
	const struct diff *d = &change->files;
	size_t shown = 0;
	int rc = 0;

	if (c->wants_json)
		c->table =
			report_table_new(c->arena, "diff", line_columns, ARRAY_LEN(line_columns));
	else
		add_heading(&c->text, change, name);
	for (size_t i = 0; i < d->n && rc == 0; i++) {
		if (!is_wanted(c, &d->files[i]))
			continue;
		shown++;
		if (change->without_lines || o->line_limit <= 0) {
			if (!c->wants_json)
				add_file_heading(&c->text, &d->files[i]);
			continue;
		}
		call_report(c, "files read", (int64_t)i, (int64_t)d->n);
		rc = show_file(c, &d->files[i], o);
	}
	if (rc == 0 && !shown && call_text(c, "--file"))
		return err_set(ERR_NOT_FOUND, "%s did not change", call_text(c, "--file"));
	if (change->without_lines)
		c->message = "the repository is not here: files and counts only";
	else if (o->line_limit <= 0)
		c->message = "the limit of lines is reached; --patch gives everything";
	return rc;
}

static int write_patch(void *user, const char *bytes, size_t n)
{
	const struct call *c = user;

	return fs_write_all(c->out_fd, bytes, n);
}

/* The bytes that git itself would write, so that git apply takes them. */
static int patch(struct call *c, const struct change *change, const struct diff_options *o)
{
	const char *path = call_text(c, "--file");
	const char *argv[20] = {
		"diff-tree",
		"-p",
		"-r",
		"-M",
		"--binary",
		"--full-index",
		"--no-color",
		"--no-ext-diff",
		"--no-textconv",
		"--src-prefix=a/",
		"--dst-prefix=b/",
		arena_printf(c->arena, "-U%d", o->context),
		*change->base ? change->base : OID_EMPTY_TREE,
		change->tip,
	};
	size_t n = 14;
	struct git_program run = {
		.argv = argv, .output = write_patch, .user = c, .cancel = c->progress.cancel
	};
	struct repository *repo;
	int rc;

	if (c->out_fd < 0 || isatty(c->out_fd))
		return err_set(ERR_USAGE,
			"a patch may carry control sequences and is not written to a terminal: "
			"portside diff --patch > FILE");
	if ((rc = workspace_repository(c->workspace, &repo)) < 0)
		return rc;
	if (o->ignore_space)
		argv[n++] = "-b";
	argv[n++] = "--";
	if (path)
		argv[n++] = arena_printf(c->arena, ":(literal,top)%s", path);
	run.folder = repository_git_dir(repo);
	rc = git_program_run(&run);
	/* A reader that went away (head) is no error. */
	if (rc == ERR_IO && errno == EPIPE) {
		err_clear();
		return 0;
	}
	return rc;
}

static int run(struct call *c)
{
	struct diff_options o = DIFF_OPTIONS_INIT;
	int64_t context = call_integer(c, "--context", o.context);
	struct change change;
	const char *name;
	int rc;

	if (context < 0 || context > CONTEXT_MAX)
		return err_set(
			ERR_USAGE, "--context is a number of lines from 0 to %d", CONTEXT_MAX);
	o.context = (int)context;
	o.ignore_space = call_flag(c, "--ignore-space");
	o.cancel = c->progress.cancel;
	memset(&change, 0, sizeof change);
	rc = read_change(&change, &name, c);
	if (rc == 0 && *change.missing)
		c->message = arena_printf(c->arena, "%s: %s", name, change.missing);
	else if (rc == 0 && call_flag(c, "--patch"))
		rc = patch(c, &change, &o);
	else if (rc == 0)
		rc = show(c, &change, name, &o);
	change_release(&change);
	return rc;
}

static const struct argument arguments[] = {
	{ "revision", ARGUMENT_REVISION, "one: 7, against its base; two: from, to", false, true,
		NULL, "the last attempt" },
	{ "--against", ARGUMENT_WORD, "what one attempt is compared with", false, false,
		"previous original", "previous" },
	{ "--file", ARGUMENT_PATH, "only this file, by its new or old name", false, false, NULL,
		"all" },
	{ "--context", ARGUMENT_INTEGER, "unchanged lines around a change", false, false, NULL,
		"3" },
	{ "--ignore-space", ARGUMENT_FLAG, "ignore changes in the amount of white space", false,
		false, NULL, NULL },
	{ "--patch", ARGUMENT_FLAG, "git's own bytes, for git apply; not to a terminal", false,
		false, NULL, NULL },
	{ 0 },
};

const struct operation diff_operations[] = {
	{ "diff", NULL, 0, "what an attempt changed, line by line",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
