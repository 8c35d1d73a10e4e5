/* diff - see diff.h: what is compared, and the lines of one file. */
#include "config.h"

#include "command/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/position.h"
#include "domain/object.h"
#include "store/churn.h"
#include "workspace/changes.h"
#include "workspace/state.h"

enum {
	MODE_FILE = 0100644,
	MODE_EXECUTABLE = 0100755,
	MODE_LINK = 0120000,
	MODE_SUBMODULE = 0160000
};

/* ---- what is compared ------------------------------------------------------------ */

static void set_oid(char out[OID_HEX + 1], const char *oid)
{
	snprintf(out, OID_HEX + 1, "%s", oid_is_valid(oid) ? oid : "");
}

/* "attempt 6" when the change starts from its tip, else the commit. */
static const char *name_base(struct change *c, struct workspace *ws, const struct attempt_state *s,
			     const struct position *at)
{
	struct attempt_state *before;
	char *id = arena_printf(
		&c->arena, "%s%s%lld", s->line, *s->line ? "/" : "", (long long)s->n - 1);

	if (strcmp(c->base, c->original) == 0)
		return "the original";
	if (s->n > 0 && state_attempt(ws, id, at, &c->arena, &before) == 0 &&
		strcmp(before->tip, c->base) == 0)
		return arena_printf(&c->arena, "attempt %s", before->id);
	err_clear();
	return arena_printf(&c->arena, "its base %.*s", (int)OID_SHORT, c->base);
}

static int find_attempt(struct attempt_state **out, struct change *c, struct workspace *ws,
			const struct change_question *q)
{
	const char *id = q->attempt;
	int rc;

	*out = NULL;
	if (!*id)
		id = position_attempt(ws, q->at, "", -1, &c->arena);
	if (!id) {
		c->missing =
			"no attempts yet; portside attempt refresh looks for tags, trailers and branches";
		return 0;
	}
	c->attempt = arena_strdup(&c->arena, id);
	rc = state_attempt(ws, id, q->at, &c->arena, out);
	if (rc == ERR_NOT_FOUND && q->at) {
		err_clear();
		c->missing = "this attempt is not there yet at this moment";
		return 0;
	}
	return rc;
}

static int choose_base(struct change *c, struct workspace *ws, const struct attempt_state *s,
		       const struct change_question *q)
{
	struct attempt_state *other;
	int rc;

	if (q->against == AGAINST_OTHER) {
		if ((rc = state_attempt(ws, q->other, q->at, &c->arena, &other)) < 0)
			return rc;
		set_oid(c->base, other->n < 0 ? c->original : other->tip);
		c->base_name = arena_printf(&c->arena, "attempt %s", other->id);
		if (!*c->base)
			c->missing = arena_printf(&c->arena,
				"%s has no commit to compare with; b chooses another base",
				c->base_name);
		return 0;
	}
	set_oid(c->base, q->against == AGAINST_ORIGINAL ? c->original : s->base);
	if (q->against == AGAINST_ORIGINAL)
		c->base_name = "the original";
	else if (*c->base)
		c->base_name = name_base(c, ws, s, q->at);
	if (!*c->base && q->against == AGAINST_ORIGINAL)
		c->missing =
			"the original is not known: set migration.original in portside.conf, or tag the "
			"untouched code: git tag original COMMIT";
	else if (!*c->base)
		c->missing =
			"it starts from no commit that is known; b compares it with the original";
	return 0;
}

static const char *why_no_tip(const struct attempt_state *s)
{
	if (s->n < 0)
		return "this is the reference: the original code, which nothing changed";
	if (s->environment_only)
		return "this attempt changed the environment only; it has no commit";
	return "this attempt has no commit";
}

static int list_files(
	struct change *c, struct workspace *ws, bool names_only, const atomic_bool *cancel)
{
	struct diff_options options = DIFF_OPTIONS_INIT;
	struct repository *repo = NULL;
	const char *why = "";
	int rc;

	if (workspace_repository(ws, &repo) < 0) {
		why = arena_strdup(&c->arena, err_text());
		c->without_lines = true;
		repo = NULL;
	}
	options.names_only = names_only;
	options.cancel = cancel;
	options.cache = changes_cache(ws, &c->arena);
	rc = diff_files(&c->files, repo, c->base, c->tip, &options);
	churn_cache_free(options.cache);
	if (rc == ERR_NOT_FOUND) {
		c->missing = *why ? why
				  : arena_printf(&c->arena, "%s; fetch it: git fetch --all --tags",
					    err_text());
		err_clear();
		return 0;
	}
	c->counted = !c->files.n || c->files.files[0].added >= 0;
	for (size_t i = 0; c->counted && i < c->files.n; i++) {
		c->added += c->files.files[i].added;
		c->removed += c->files.files[i].removed;
		c->binaries += c->files.files[i].binary;
	}
	return rc;
}

static void init(struct change *c)
{
	*c = (struct change){ .arena = ARENA_INIT,
		.attempt = "",
		.subject = "",
		.base_name = "nothing",
		.missing = "" };
	c->files = (struct diff){ .arena = ARENA_INIT, .reason = "" };
}

int change_read(struct change *out, struct workspace *ws, const struct change_question *q,
	const atomic_bool *cancel)
{
	struct migration_state *m;
	struct attempt_state *s;
	int rc;

	init(out);
	if ((rc = find_attempt(&s, out, ws, q)) < 0 || !s)
		return rc;
	if ((rc = state_migration(ws, q->at, &out->arena, &m)) < 0)
		return rc;
	out->subject = s->subject;
	set_oid(out->original, m->original);
	set_oid(out->tip, s->tip);
	if (!*out->tip || s->n < 0) {
		out->missing = why_no_tip(s);
		return 0;
	}
	if ((rc = choose_base(out, ws, s, q)) < 0 || *out->missing)
		return rc;
	return list_files(out, ws, q->names_only, cancel);
}

int change_between(struct change *out, struct workspace *ws, const char *base, const char *tip,
		   const atomic_bool *cancel)
{
	init(out);
	set_oid(out->base, base);
	set_oid(out->tip, tip);
	set_oid(out->original, changes_original(ws, &out->arena));
	return list_files(out, ws, false, cancel);
}

void change_release(struct change *c)
{
	diff_release(&c->files);
	arena_release(&c->arena);
	init(c);
}

/* ---- notes ----------------------------------------------------------------------- */

static void ATTR_PRINTF(2, 3) add_note(struct change_lines *l, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	l->notes[l->n_notes++] = arena_strndup(&l->diff.arena, b.s, b.n);
	buf_release(&b);
}

static const char *kind_of(uint32_t mode)
{
	switch (mode) {
	case MODE_FILE:
		return "a file";
	case MODE_EXECUTABLE:
		return "an executable file";
	case MODE_LINK:
		return "a symbolic link";
	case MODE_SUBMODULE:
		return "a submodule";
	default:
		return "a file of another kind";
	}
}

static void note_names(struct change_lines *l)
{
	const struct diff_file *f = l->file;

	if (f->status == 'R')
		add_note(l, "renamed from %s", f->old_path);
	else if (f->status == 'C')
		add_note(l, "copied from %s", f->old_path);
	else if (f->status == 'A')
		add_note(l, "new: %s, mode %06o", kind_of(f->new_mode), f->new_mode);
	else if (f->status == 'D')
		add_note(l, "deleted: it was %s, mode %06o", kind_of(f->old_mode), f->old_mode);
	if (f->old_mode && f->new_mode && f->old_mode != f->new_mode)
		add_note(l, "mode %06o became %06o: %s", f->old_mode, f->new_mode,
			kind_of(f->new_mode));
	if (f->link && f->status != 'T')
		add_note(l, "a symbolic link: its line is where it leads");
}

struct line_ends { size_t crlf[2], lf[2]; };	/* old, new */

static struct line_ends count_line_ends(const struct diff_file *f)
{
	struct line_ends e = { { 0, 0 }, { 0, 0 } };

	for (size_t i = 0; i < f->n_lines; i++) {
		const struct diff_line *line = &f->lines[i];
		bool crlf = line->n && line->text[line->n - 1] == '\r';

		if (line->no_newline)
			continue;
		for (int side = 0; side < 2; side++) {
			if (line->origin == (side ? '-' : '+'))
				continue;
			e.crlf[side] += crlf;
			e.lf[side] += !crlf;
		}
	}
	return e;
}

static void note_line_ends(struct change_lines *l)
{
	struct line_ends e = count_line_ends(l->file);
	bool mixed = (e.crlf[0] && e.lf[0]) || (e.crlf[1] && e.lf[1]);

	if (!e.crlf[0] && !e.crlf[1])
		return;
	l->hide_cr = !e.lf[0] && !e.lf[1];
	if (l->hide_cr)
		add_note(l, "lines end in CRLF");
	else if (mixed)
		add_note(l, "mixed line ends: %zu of %zu lines shown end in CRLF, marked ^M",
			e.crlf[0] + e.crlf[1], e.crlf[0] + e.crlf[1] + e.lf[0] + e.lf[1]);
	else
		add_note(l,
			e.crlf[1] ? "line ends LF became CRLF, marked ^M"
				  : "line ends CRLF, marked ^M, became LF");
}

static bool is_utf8(const struct diff_file *f)
{
	for (size_t i = 0; i < f->n_lines; i++)
		if (!utf8_valid(f->lines[i].text, f->lines[i].n))
			return false;
	return true;
}

static void note_contents(struct change_lines *l, const struct diff_options *options)
{
	const struct diff_file *f = l->file;

	if (*f->note)
		add_note(l, "%s", f->note);
	note_line_ends(l);
	if (!is_utf8(f))
		add_note(l, "not UTF-8: other bytes are shown as <E9>");
	if (f->n_lines || f->binary || *f->note)
		return;
	if (strcmp(f->old_oid, f->new_oid) == 0)
		add_note(l, "the content is the same");
	else if (options->ignore_space && f->status != 'A' && f->status != 'D')
		add_note(l, "nothing but white space changed; w shows it");
	else
		add_note(l, "empty");
}

/* ---- one file -------------------------------------------------------------------- */

enum { NOTES_MAX = 8 };

static void copy_file(struct change_lines *out, const struct diff_file *file)
{
	struct arena *a = &out->diff.arena;
	struct diff_file *f = ARENA_NEW(a, struct diff_file);

	*f = *file;
	f->path = arena_strdup(a, file->path);
	f->old_path = arena_strdup(a, file->old_path);
	f->note = "";
	f->hunks = NULL;
	f->lines = NULL;
	f->n_hunks = f->n_lines = 0;
	f->loaded = false;
	out->diff.files = f;
	out->diff.n = 1;
	out->file = f;
}

/* A file that is too large to compare is shown from its beginning. */
static int load_preview(struct change_lines *l, struct repository *repo)
{
	struct diff_file *f = &l->diff.files[0];
	int rc;

	if (f->n_lines || f->binary || f->submodule ||
		(f->old_size <= CHANGE_SIDE_MAX && f->new_size <= CHANGE_SIDE_MAX))
		return 0;
	if ((rc = diff_preview(&f->lines, &f->n_lines, &l->diff, 0, repo, CHANGE_PREVIEW_BYTES)) <
		0)
		return rc;
	f->hunks = ARENA_NEW(&l->diff.arena, struct diff_hunk);
	*f->hunks = (struct diff_hunk){ .new_start = 1,
		.new_count = (int32_t)f->n_lines,
		.n = f->n_lines,
		.heading = "its beginning; what changed in it is not shown" };
	f->n_hunks = 1;
	l->preview = true;
	return 0;
}

static int pair_lines(struct change_lines *l, const atomic_bool *cancel)
{
	const struct diff_file *f = l->file;
	struct arena *a = &l->diff.arena;

	l->rows = arena_alloc(a, (f->n_lines + 1) * sizeof *l->rows);
	l->hunk_rows = arena_alloc(a, (f->n_hunks + 1) * sizeof *l->hunk_rows);
	l->partner = arena_alloc(a, (f->n_lines + 1) * sizeof *l->partner);
	for (size_t h = 0; h < f->n_hunks; h++) {
		struct arena scratch = ARENA_INIT;
		size_t n;
		struct diff_row *rows =
			diff_pair(&n, &scratch, f->lines, f->hunks[h].first, f->hunks[h].n);

		l->hunk_rows[h] = l->n_rows;
		memcpy(l->rows + l->n_rows, rows, n * sizeof *rows);
		l->n_rows += n;
		arena_release(&scratch);
		if (cancel && atomic_load(cancel))
			return err_set(ERR_CANCELLED, "cancelled");
	}
	l->hunk_rows[f->n_hunks] = l->n_rows;
	for (size_t i = 0; i < f->n_lines; i++)
		l->partner[i] = -1;
	for (size_t i = 0; i < l->n_rows; i++) {
		if (l->rows[i].left < 0 || l->rows[i].right < 0 ||
			l->rows[i].left == l->rows[i].right)
			continue;
		l->partner[l->rows[i].left] = l->rows[i].right;
		l->partner[l->rows[i].right] = l->rows[i].left;
	}
	return 0;
}

int change_load(struct change_lines *out, struct workspace *ws, const struct diff_file *file,
		const struct diff_options *options)
{
	struct diff_options how = *options;
	struct repository *repo;
	int rc;

	*out = (struct change_lines){ .diff = { .arena = ARENA_INIT, .reason = "" } };
	how.side_limit_bytes = CHANGE_SIDE_MAX;
	copy_file(out, file);
	out->notes = arena_alloc(&out->diff.arena, NOTES_MAX * sizeof *out->notes);
	if ((rc = workspace_repository(ws, &repo)) < 0 ||
		(rc = diff_load(&out->diff, 0, repo, &how)) < 0 ||
		(rc = load_preview(out, repo)) < 0 || (rc = pair_lines(out, options->cancel)) < 0)
		return rc;
	note_names(out);
	note_contents(out, options);
	return 0;
}

void change_lines_release(struct change_lines *l)
{
	diff_release(&l->diff);
	*l = (struct change_lines){ .diff = { .arena = ARENA_INIT, .reason = "" } };
}

/* ---- parts of a line --------------------------------------------------------------- */

size_t change_line_length(const struct change_lines *l, size_t line)
{
	const struct diff_line *d = &l->file->lines[line];

	return l->hide_cr && d->n && d->text[d->n - 1] == '\r' ? d->n - 1 : d->n;
}

bool change_word_marks(struct word_range **ranges, size_t *n, struct arena *a,
	const struct change_lines *l, size_t line)
{
	const struct diff_line *x = &l->file->lines[line], *y;
	bool is_new = x->origin == '+';
	struct word_marks marks;

	if (l->partner[line] < 0)
		return false;
	y = &l->file->lines[l->partner[line]];
	word_diff(&marks, a, is_new ? y->text : x->text, is_new ? y->n : x->n,
		is_new ? x->text : y->text, is_new ? x->n : y->n);
	*ranges = is_new ? marks.new_ranges : marks.old_ranges;
	*n = is_new ? marks.n_new : marks.n_old;
	/* A line that is marked from end to end says no more than its sign does. */
	return *n && !marks.whole;
}

int32_t change_line_number(const struct change_lines *l, size_t line)
{
	const struct diff_file *f = l->file;

	for (size_t i = line; i < f->n_lines; i++) {
		int32_t number = f->status == 'D' ? f->lines[i].old_line : f->lines[i].new_line;

		if (number)
			return number;
	}
	return f->n_hunks ? f->hunks[f->n_hunks - 1].new_start : 1;
}

void change_add_path(struct buf *out, const struct diff_file *f, const char *arrow)
{
	if (strcmp(f->old_path, f->path) != 0)
		buf_addf(out, "%s%s", f->old_path, arrow);
	buf_adds(out, f->path);
}

void change_add_hunk(struct buf *out, const struct change_lines *l, size_t h)
{
	const struct diff_hunk *k = &l->file->hunks[h];

	buf_addf(out, "@@ -%d,%d +%d,%d @@%s%s\n", k->old_start, k->old_count, k->new_start,
		k->new_count, *k->heading ? " " : "", k->heading);
	for (size_t i = k->first; i < k->first + k->n; i++) {
		const struct diff_line *line = &l->file->lines[i];

		buf_addc(out, line->origin);
		buf_add(out, line->text, line->n);
		buf_adds(out, line->no_newline ? "\n\\ No newline at end of file\n" : "\n");
	}
}
