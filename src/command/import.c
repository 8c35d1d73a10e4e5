/* import - attaches logs and curve files that were made elsewhere. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "command/groups.h"
#include "workspace/import.h"

/* All that was named, and the NULL that ends them. */
static const char *const *paths_of(const struct call *c)
{
	const char **paths;
	size_t n = 0;

	while (call_text_at(c, "file", n))
		n++;
	paths = arena_alloc(c->arena, (n + 1) * sizeof *paths);
	for (size_t i = 0; i <= n; i++)
		paths[i] = call_text_at(c, "file", i);
	return paths;
}

/* Whether the times of its points tell when it was written. */
static bool has_last(const struct imported_file *f)
{
	return f->has_health && f->has_instants && fabs(f->health.last_wall_s) < 9e9;
}

static int64_t last_ns(const struct imported_file *f)
{
	return (int64_t)(f->health.last_wall_s * 1e9);
}

/* False when nothing tells it: times of a curve are anybody's word, and may be any number. */
static bool read_age(int64_t *out, const struct imported_file *f)
{
	return has_last(f) && !__builtin_sub_overflow(clock_wall_ns(), last_ns(f), out);
}

/* "40 points of 2 series, the last 3d04h ago | 4102 records | 3 malformed". */
static const char *health_of(struct call *c, const struct imported_file *f)
{
	struct buf out = BUF_INIT, health = BUF_INIT;
	const char *text;
	int64_t age_ns;

	if (f->health.points || f->series)
		buf_addf(&out, "%lld point%s of %lld series", (long long)f->health.points,
			f->health.points == 1 ? "" : "s", (long long)f->series);
	else if (f->health.records)
		buf_addf(&out, "%lld record%s", (long long)f->health.records,
			f->health.records == 1 ? "" : "s");
	else
		buf_adds(&out, "no metric in it");
	if (read_age(&age_ns, f)) {
		buf_adds(&out, ", the last ");
		clock_add_duration(&out, age_ns > 0 ? age_ns : 0);
		buf_adds(&out, " ago");
	}
	health_add_line(&health, &f->health);
	buf_addf(&out, " | %s", health.s);
	text = arena_strdup(c->arena, out.s);
	buf_release(&out);
	buf_release(&health);
	return text;
}

static void put_counters(struct report_table *t, const struct imported_file *f)
{
	const struct health *h = &f->health;
	int64_t age_ns;

	report_integer(t, "series", f->series);
	report_integer(t, "points", h->points);
	report_integer(t, "records", h->records);
	report_integer(t, "skipped_bytes", h->skipped_bytes);
	report_integer(t, "tail_bytes", h->tail_bytes);
	report_integer(t, "bad_checksums", h->bad_header + h->bad_data);
	report_integer(t, "malformed", h->malformed);
	report_integer(t, "orphans", h->orphans);
	report_integer(t, "nonscalar", h->non_scalar);
	report_integer(t, "nonnumeric", h->non_numeric);
	report_integer(t, "nonfinite", h->non_finite);
	report_integer(t, "leftout", h->left_out);
	if (has_last(f))
		report_integer(t, "last_time", last_ns(f));
	else
		report_unknown(t, "last_time");
	if (read_age(&age_ns, f))
		report_integer(t, "last_age_ns", age_ns);
	else
		report_unknown(t, "last_age_ns");
}

static void put_file(struct call *c, const struct imported_file *f)
{
	struct report_table *t = c->table;

	report_row(t);
	report_text(t, "file", f->name);
	report_text(t, "format", *f->format ? f->format : NULL);
	report_text(t, "left", f->left);
	report_text(t, "said", f->said);
	report_text(t, "trouble", f->trouble);
	if (!f->left)
		report_integer(t, "size", f->size);
	if (f->has_health) {
		report_textf(t, "health", "%s%s%s", health_of(c, f), f->trouble ? " | " : "",
			f->trouble ? f->trouble : "");
		put_counters(t, f);
	} else if (f->trouble) {
		report_text(t, "health", f->trouble);
	}
	if (f->evidence) {
		report_integer(t, "facts", f->facts);
		if (!f->has_health && !f->trouble)
			report_text(t, "health", f->evidence);
		else
			report_note(t, "%s is evidence, too: %s", f->name, f->evidence);
	}
	if (f->said)
		report_note(t, "%s: %s", f->name, f->said);
}

/* A last line without an end may be half of one: it is not read, and never silently. */
static void note_unread_ends(struct call *c, const struct imported *imported)
{
	for (size_t i = 0; i < imported->n; i++) {
		const struct imported_file *f = &imported->files[i];

		if (f->left || !f->has_health || !f->health.tail_bytes)
			continue;
		report_note(c->table,
			"%s: its last %lld bytes end in the middle of a record and are not read; in a text that is whole, a line feed behind its last line makes that one count",
			f->name, (long long)f->health.tail_bytes);
	}
}

static int import_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "file", .title = "file", .type = REPORT_TEXT },
		{ .name = "format", .title = "read as", .type = REPORT_TEXT },
		{ .name = "size", .title = "size", .type = REPORT_BYTES },
		{ .name = "health", .title = "what it holds", .type = REPORT_TEXT },
		{ .name = "left", .title = "left because", .type = REPORT_TEXT },
		{ .name = "said", .title = NULL, .type = REPORT_TEXT },
		{ .name = "trouble", .title = NULL, .type = REPORT_TEXT },
		{ .name = "series", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "points", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "records", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "skipped_bytes", .title = NULL, .type = REPORT_BYTES },
		{ .name = "tail_bytes", .title = NULL, .type = REPORT_BYTES },
		{ .name = "bad_checksums", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "malformed", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "orphans", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "nonscalar", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "nonnumeric", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "nonfinite", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "leftout", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "facts", .title = NULL, .type = REPORT_INTEGER },
		{ .name = "last_time", .title = NULL, .type = REPORT_TIME },
		{ .name = "last_age_ns", .title = NULL, .type = REPORT_DURATION },
	};
	const char *kind = call_text(c, "--kind"), *label = call_text(c, "--label");
	struct import_request r = { .subject = call_text(c, "attempt"),
		.paths = paths_of(c),
		.run = call_text(c, "--run"),
		.target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"),
		.commit = call_text(c, "--commit"),
		.cancel = c->progress.cancel };
	struct imported imported;
	int rc;

	if (kind)
		r.kind = (enum run_kind)word_find(&words_run_kind, kind);
	if (label)
		r.label = run_label_of(label);
	if ((rc = import_files(&imported, c->workspace, &r, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "import", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < imported.n; i++)
		put_file(c, &imported.files[i]);
	if (!imported.run)
		report_note(c->table,
			"nothing was taken: none of these files reads as a curve, a log or evidence");
	else if (imported.added)
		report_note(c->table, imported.already ? "known already: run %s, by %s"
						       : "added to run %s, by %s",
			imported.run, workspace_actor(c->workspace)->text);
	else if (imported.already)
		report_note(c->table, "known already: run %s of %s", imported.run, r.subject);
	else
		report_note(c->table, "imported: run %s of %s, by %s", imported.run, r.subject,
			workspace_actor(c->workspace)->text);
	note_unread_ends(c, &imported);
	if (imported.unchecked)
		report_note(c->table, "what it says of the checks is not on record yet: %s",
			imported.unchecked);
	if (imported.waiting_pattern)
		report_note(c->table,
			"[pattern \"%s\"] of portside.conf is not accepted, and read no line of these; portside config accept puts it in force, also for runs that are here",
			imported.waiting_pattern);
	c->no = !imported.run;
	return 0;
}

static const struct argument import_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "whose they are: 7, reference, or a run to add to",
		true, false, NULL, NULL },
	{ "file", ARGUMENT_PATH, "logs, curves, evidence, folders of them", true, true, NULL, NULL },
	{ "--run", ARGUMENT_TEXT, "which run of several in a store, by its name or id",
		false, false, NULL, "its only one" },
	{ "--target", ARGUMENT_TARGET, "where they were made", false, false, NULL, "elsewhere" },
	{ "--kind", ARGUMENT_WORD, "of the run that made them", false, false, "smoke full",
		"unknown" },
	{ "--label", ARGUMENT_WORD, "what it was for", false, false, "bring-up optimized",
		"bring-up" },
	{ "--seed", ARGUMENT_INTEGER, "its seed", false, false, NULL, "unknown" },
	{ "--commit", ARGUMENT_TEXT, "its commit", false, false, NULL, "unknown" },
	{ 0 },
};

const struct operation import_operations[] = {
	{ "import", NULL, 0, "attach logs, curves and evidence made elsewhere",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_LONG, import_arguments, import_run,
		0 },
	{ 0 },
};
