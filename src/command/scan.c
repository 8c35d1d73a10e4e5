/* scan - see scan.h, and the command of this name. */
#include "config.h"

#include "command/scan.h"

#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "command/position.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/pins.h"

int constructs_read(struct constructs_left *out, struct workspace *ws, const char *tip,
	const char *original, const struct scan_options *o)
{
	int rc;

	*out = (struct constructs_left){ .arena = ARENA_INIT };
	if ((rc = scan_tree(&out->tip, ws, tip, o, &out->arena)) < 0)
		return rc;
	if (!*original)
		return 0;
	rc = scan_tree(&out->original, ws, original, o, &out->arena);
	/* Without it there is nothing to compare with, which is said. */
	if (rc < 0 && rc != ERR_CANCELLED) {
		err_clear();
		return 0;
	}
	out->has_original = rc == 0;
	return rc;
}

void constructs_release(struct constructs_left *c)
{
	arena_release(&c->arena);
	*c = (struct constructs_left){ .arena = ARENA_INIT };
}

static size_t cuda_in(const struct tree_scan *t, const char *path)
{
	const struct scan_file *f = scan_find(t, path);

	return f ? f->cuda + (size_t)f->more : 0;
}

void constructs_add_count(
	struct buf *out, const struct constructs_left *c, const char *path, const char *old_path)
{
	size_t now = cuda_in(&c->tip, path), before = cuda_in(&c->original, path);

	if (!before && strcmp(old_path, path) != 0)
		before = cuda_in(&c->original, old_path);
	if (now && !c->has_original)
		buf_addf(out, "%zu", now);
	else if (now || before)
		buf_addf(out, "%zu/%zu", now, before);
}

static size_t files_with_cuda(const struct tree_scan *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_files; i++)
		n += t->files[i].cuda > 0;
	return n;
}

static bool is_partial(const struct tree_scan *t)
{
	for (size_t i = 0; i < t->n_files; i++)
		if (t->files[i].cut || t->files[i].limited)
			return true;
	return false;
}

void constructs_add_summary(struct buf *out, const struct constructs_left *c)
{
	size_t files = files_with_cuda(&c->tip);

	buf_addf(out, "%zu CUDA construct%s left in %zu file%s", c->tip.cuda,
		c->tip.cuda == 1 ? "" : "s", files, files == 1 ? "" : "s");
	if (c->has_original)
		buf_addf(out, " (the original: %zu in %zu)", c->original.cuda,
			files_with_cuda(&c->original));
	buf_addf(out, ", %zu hint%s", c->tip.hints, c->tip.hints == 1 ? "" : "s");
	if (is_partial(&c->tip))
		buf_adds(out, "; very large files or lines were looked at in part");
}

/* ---- command ------------------------------------------------------------------------ */

static const struct report_column columns[] = {
	{ .name = "file", .title = "file", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "line", .title = "line", .type = REPORT_ID },
	{ .name = "id", .title = "id", .type = REPORT_TEXT },
	{ .name = "cause", .title = "cause", .type = REPORT_TEXT },
	{ .name = "hint", .title = NULL, .type = REPORT_BOOL },
	{ .name = "text", .title = "text", .type = REPORT_TEXT, .min_width = 20 },
	{ .name = "meaning", .title = "meaning", .type = REPORT_TEXT, .min_width = 12 },
};

static void add_row(struct report_table *t, const struct scan_hit *h)
{
	report_row(t);
	report_text(t, "file", h->path);
	report_integer(t, "line", h->line);
	report_text(t, "id", h->construct->id);
	report_text(t, "cause", h->construct->causes);
	report_bool(t, "hint", h->construct->hint);
	report_text(t, "text", h->text + strspn(h->text, " \t"));
	report_text(t, "meaning", h->construct->meaning);
}

/* A version is no construct: it has the id V-01 whatever the package. */
static void add_pin(struct report_table *t, const struct package_pin *pin, const char *sentence)
{
	report_row(t);
	report_text(t, "file", pin->path);
	report_integer(t, "line", pin->line);
	report_text(t, "id", "V-01");
	report_text(t, "cause", pin->known->cause);
	report_bool(t, "hint", true);
	report_text(t, "text", pin->text);
	report_text(t, "meaning", sentence);
}

static int add_pins(struct call *c, const char *revision)
{
	struct packages_known known;
	struct package_pins pins;
	struct accepted accepted;
	size_t shown = 0;
	int rc = accepted_read(&accepted, c->workspace, NULL);

	if (rc < 0)
		return rc;
	rc = pins_read(&pins, &known, c->workspace, revision, &accepted.in_force);
	for (size_t i = 0; rc == 0 && i < pins.n; i++) {
		const char *sentence = pins_sentence(
			&pins, &pins.rows[i], &accepted.in_force, NULL, c->arena);

		if (!sentence)
			continue;
		add_pin(c->table, &pins.rows[i], sentence);
		shown++;
	}
	if (rc == 0)
		report_note(c->table, "%zu version%s asked for that %s known to be bad", shown,
			shown == 1 ? " is" : "s are", shown == 1 ? "is" : "are");
	package_pins_release(&pins);
	packages_known_release(&known);
	accepted_release(&accepted);
	return rc;
}

static void show_progress(void *user, int64_t done, int64_t total)
{
	call_report(user, "files looked at", done, total);
}

static int run(struct call *c)
{
	struct scan_options o = {
		.cancel = c->progress.cancel, .progress = show_progress, .user = c
	};
	const char *revision = call_text(c, "revision");
	struct constructs_left left;
	struct buf summary = BUF_INIT;
	char tip[OID_HEX + 1];
	int rc;

	if (!revision)
		revision = position_attempt(c->workspace, c->at, "", -1, c->arena);
	if (!revision)
		revision = "HEAD";
	if ((rc = changes_resolve(tip, c->workspace, revision, c->arena)) < 0)
		return rc;
	rc = constructs_read(
		&left, c->workspace, tip, changes_original(c->workspace, c->arena), &o);
	if (rc == 0) {
		c->table = report_table_new(c->arena, "constructs", columns, ARRAY_LEN(columns));
		for (size_t i = 0; i < left.tip.n_hits; i++)
			if (!left.tip.hits[i].construct->hint || !call_flag(c, "--no-hints"))
				add_row(c->table, &left.tip.hits[i]);
		constructs_add_summary(&summary, &left);
		if (!call_flag(c, "--no-hints"))
			rc = add_pins(c, tip);
		report_note(c->table, "%s: %s", revision, summary.s);
		report_note(c->table,
			"these are places to look at: a text proves nothing of what runs, and no "
			"hit proves nothing either");
	}
	buf_release(&summary);
	constructs_release(&left);
	return rc;
}

static const struct argument arguments[] = {
	{ "revision", ARGUMENT_REVISION, "7, 3-prev, original, or git's own syntax", false, false,
		NULL, "the last attempt" },
	{ "--no-hints", ARGUMENT_FLAG, "only CUDA constructs, not the hints", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation scan_operations[] = {
	{ "scan", NULL, 0, "CUDA constructs left in a tree, orders and versions in doubt",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
