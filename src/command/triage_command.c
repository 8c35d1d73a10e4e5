/* triage_command - `triage`: the signatures in a log, and the cause that is proposed. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "command/bug_report.h"
#include "command/groups.h"
#include "command/live_run.h"
#include "command/open.h"
#include "command/triage.h"
#include "command/triage_beside.h"
#include "command/triage_subject.h"

enum { PROBLEMS_SHOWN = 5 };

static const struct report_column finding_columns[] = {
	{ .name = "line", .title = "line", .type = REPORT_ID },
	{ .name = "id", .title = "id", .type = REPORT_TEXT, .min_width = 5 },
	{ .name = "cause", .title = "cause", .type = REPORT_TEXT, .min_width = 5 },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT, .min_width = 7 },
	{ .name = "role", .title = "role", .type = REPORT_TEXT, .min_width = 9 },
	{ .name = "text", .title = "text", .type = REPORT_TEXT, .min_width = 24 },
	{ .name = "note", .title = "note", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "rank", .title = NULL, .type = REPORT_ID },
	{ .name = "step", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "batch", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "offset_bytes", .title = NULL, .type = REPORT_INTEGER },
	{ .name = "source", .title = NULL, .type = REPORT_TEXT },
	{ .name = "places", .title = NULL, .type = REPORT_TEXT },
	{ .name = "false_alarms", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "next", .title = NULL, .type = REPORT_TEXT },
};

static const struct report_column verdict_columns[] = {
	{ .name = "run", .title = "run", .type = REPORT_TEXT },
	{ .name = "attempt", .title = "attempt", .type = REPORT_TEXT },
	{ .name = "log", .title = "log", .type = REPORT_TEXT },
	{ .name = "lines", .title = "lines", .type = REPORT_INTEGER },
	{ .name = "end", .title = "end", .type = REPORT_TEXT },
	{ .name = "cause", .title = "proposed cause", .type = REPORT_TEXT },
	{ .name = "uncertain", .title = "uncertain", .type = REPORT_BOOL },
	{ .name = "inherited", .title = "inherited", .type = REPORT_BOOL },
	{ .name = "silent", .title = "silent", .type = REPORT_TEXT },
	{ .name = "side", .title = "side", .type = REPORT_TEXT },
	{ .name = "first_line", .title = "first line", .type = REPORT_ID },
	{ .name = "ids", .title = "decided by", .type = REPORT_TEXT },
	{ .name = "secondary", .title = "secondary", .type = REPORT_TEXT },
	{ .name = "basis", .title = "basis", .type = REPORT_TEXT },
	{ .name = "count", .title = "count", .type = REPORT_DOUBLE },
	{ .name = "of", .title = "of", .type = REPORT_DOUBLE },
	{ .name = "from", .title = "from", .type = REPORT_DOUBLE },
	{ .name = "to", .title = "to", .type = REPORT_DOUBLE },
	{ .name = "rules", .title = "rules", .type = REPORT_TEXT },
	{ .name = "reason", .title = "reason", .type = REPORT_TEXT },
	{ .name = "confirm", .title = "next check", .type = REPORT_TEXT },
	{ .name = "agent_label", .title = "agent's label", .type = REPORT_TEXT },
	{ .name = "person_label", .title = "person's label", .type = REPORT_TEXT },
};

/* ---- findings ------------------------------------------------------------------------ */

static void set_known(struct report_table *t, const char *name, int64_t v)
{
	if (v >= 0)
		report_integer(t, name, v);
}

static void add_finding(struct report_table *t, const struct triage_result *r, size_t i)
{
	const struct log_hit *h = &r->findings->hits[i];
	const struct signature *s = signature_at(r->catalogue, h->signature);

	report_row(t);
	report_integer(t, "line", h->line);
	report_text(t, "id", s->id);
	if (*s->cause != '-')
		report_text(t, "cause", s->cause);
	report_text(t, "kind", signature_kind_name(s->kind));
	report_text(t, "role", triage_role_name(r->verdict.roles[i]));
	report_text(t, "text", r->texts[i] + strspn(r->texts[i], " \t"));
	if (*s->note)
		report_text(t, "note", s->note);
	set_known(t, "rank", h->rank);
	set_known(t, "step", h->step);
	set_known(t, "batch", h->batch);
	report_integer(t, "offset_bytes", (int64_t)h->offset);
	report_text(t, "source", s->source);
}

static void note_limits(struct report_table *t, const struct triage_result *r)
{
	const char *const *problems;
	size_t n;

	for (size_t i = 0; i < signature_catalogue_n(r->catalogue); i++)
		if (r->findings->tallies[i].limited)
			report_note(t, "%s was given up on %lld texts, which were too much for it",
				signature_at(r->catalogue, i)->id,
				(long long)r->findings->tallies[i].limited);
	if (r->findings->hits_more)
		report_note(t, "%lld more matches were counted and are not listed",
			(long long)r->findings->hits_more);
	problems = signature_problems(r->catalogue, &n);
	for (size_t i = 0; i < n && i < PROBLEMS_SHOWN; i++)
		report_note(t, "signature left out: %s", problems[i]);
	if (n > PROBLEMS_SHOWN)
		report_note(t, "%zu more signatures are left out", n - PROBLEMS_SHOWN);
}

static void note_verdict(struct report_table *t, const struct triage_result *r, struct arena *a)
{
	const struct triage_verdict *v = &r->verdict;

	report_note(t, "%s: %lld lines, %s", r->run ? r->run->id : r->path,
		(long long)r->findings->lines, r->end);
	if (v->first_line)
		report_note(t, "proposed: %s, from line %lld", triage_verdict_text(v, a),
			(long long)v->first_line);
	else
		report_note(t, "proposed: %s", triage_verdict_text(v, a));
	report_note(t, "reason: %s", v->reason);
	if (*v->confirm)
		report_note(t, "next check: %s", v->confirm);
	for (size_t i = 0; i < v->notes_n; i++)
		report_note(t, "also: %s", v->notes[i]);
	if (r->attempt)
		report_note(t, "labels: the agent's %s; a person's %s",
			triage_label_text(r->agent, a), triage_label_text(r->person, a));
}

static void show_findings(struct call *c, const struct triage_result *r)
{
	bool all = call_flag(c, "--all");
	size_t hidden = 0;

	c->table = report_table_new(
		c->arena, "triage", finding_columns, ARRAY_LEN(finding_columns));
	for (size_t i = 0; i < r->findings->hits_n; i++) {
		bool counted = r->verdict.roles[i] == TRIAGE_COUNTED;

		hidden += counted && !all;
		if (all || !counted)
			add_finding(c->table, r, i);
	}
	note_verdict(c->table, r, c->arena);
	if (hidden)
		report_note(c->table,
			"%zu line%s of reports were counted and came to nothing; --all lists them",
			hidden, hidden == 1 ? "" : "s");
	note_limits(c->table, r);
}

/* ---- the verdict as one record ---------------------------------------------------------- */

static const char *joined(struct arena *a, const char *const *list, size_t n)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? " " : "", list[i]);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static const char *rules_text(struct arena *a, unsigned rules)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (int i = 1; i <= TRIAGE_RULES; i++)
		if (rules & 1U << i)
			buf_addf(&b, "%s%d", b.n ? " " : "", i);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static void set_text(struct report_table *t, const char *name, const char *s)
{
	if (*s)
		report_text(t, name, s);
}

static void set_number(struct report_table *t, const char *name, double v)
{
	if (!isnan(v))
		report_double(t, name, v);
}

static void set_same(struct report_table *t, const char *name, const struct triage_verdict *v)
{
	if (v->silent == TRIAGE_SAME_UNKNOWN && v->failed)
		report_unknown(t, name);
	else if (v->failed)
		report_text(t, name, triage_same_name(v->silent));
}

static void set_verdict(struct report_table *t, const struct triage_verdict *v, struct arena *a)
{
	report_text(t, "cause", triage_cause_name(v->cause));
	report_bool(t, "uncertain", v->uncertain);
	report_bool(t, "inherited", v->inherited);
	set_same(t, "silent", v);
	if (v->side)
		report_text(t, "side", triage_side_name(v->side));
	else if (v->failed)
		report_unknown(t, "side");
	if (v->first_line)
		report_integer(t, "first_line", v->first_line);
	set_text(t, "ids", joined(a, v->ids, v->ids_n));
	set_text(t, "secondary", joined(a, v->secondary, v->secondary_n));
	if (v->basis)
		report_text(t, "basis", triage_basis_name(v->basis));
	set_number(t, "count", v->count);
	set_number(t, "of", v->of);
	set_number(t, "from", v->from);
	set_number(t, "to", v->to);
	set_text(t, "rules", rules_text(a, v->rules));
	report_text(t, "reason", v->reason);
	set_text(t, "confirm", v->confirm);
}

static void show_verdict(struct call *c, const struct triage_result *r)
{
	struct report_table *t = report_table_new(
		c->arena, "triage verdict", verdict_columns, ARRAY_LEN(verdict_columns));

	c->table = t;
	t->layout = REPORT_RECORD;
	report_row(t);
	if (r->run) {
		report_text(t, "run", r->run->id);
		report_text(t, "attempt", r->run->attempt);
	}
	report_text(t, "log", r->path);
	report_integer(t, "lines", r->findings->lines);
	report_text(t, "end", r->end);
	set_verdict(t, &r->verdict, c->arena);
	if (r->agent)
		report_text(t, "agent_label", triage_label_text(r->agent, c->arena));
	if (r->person)
		report_text(t, "person_label", triage_label_text(r->person, c->arena));
	for (size_t i = 0; i < r->verdict.notes_n; i++)
		report_note(t, "also: %s", r->verdict.notes[i]);
	note_limits(t, r);
}

/* ---- what is read --------------------------------------------------------------------------- */

static bool is_number(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

/* The path of a file; NULL when SUBJECT names a run or an attempt. */
static const char *file_path(struct call *c, const char *subject)
{
	char *path = fs_join(c->arena, c->directory ? c->directory : ".", subject);
	struct stat st;

	if (is_number(subject))
		return NULL;
	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode) ? path : NULL;
}

/* A new file, or standard output for "-". */
static int write_report(struct call *c, const struct triage_result *r, struct workspace *ws)
{
	const char *path = call_text(c, "--bug-report");
	struct buf b = BUF_INIT;
	int rc = bug_report_write(&b, r, ws, c->at, c->arena);

	if (rc == 0 && strcmp(path, "-") == 0) {
		buf_add(&c->text, b.s, b.n);
	} else if (rc == 0) {
		path = fs_join(c->arena, c->directory ? c->directory : ".", path);
		rc = fs_write_new(path, b.s, b.n, 0600);
		if (rc == ERR_EXISTS)
			rc = err_set(rc, "%s is there already; name another file", path);
		else if (rc == 0)
			c->message = arena_printf(c->arena,
				"%s is written; read it before it goes anywhere", path);
	}
	buf_release(&b);
	return rc;
}

/* The labels of others are shown by this: that is a fact for later labels. */
static int record_seen(struct call *c, const struct triage_result *r, struct workspace *ws)
{
	const char *reviewer = triage_reviewer(ws, c->arena);

	if (!r->attempt || c->at || !*reviewer)
		return 0;
	for (size_t i = 0; i < r->attempt->labels_n; i++) {
		const struct label *l = &r->attempt->labels[i];

		if (!*l->entry.struck && strcmp(l->reviewer, reviewer) != 0)
			return triage_subject_seen(
				ws, r->attempt->id, reviewer, "triage", c->arena);
	}
	return 0;
}

static int read_and_report(struct triage_result *r, struct triage_beside *beside, struct call *c,
	struct workspace *ws, const char *subject, const struct triage_options *o)
{
	bool alone = call_text(c, "--bug-report") || call_flag(c, "--verdict");
	int rc = alone ? 0 : triage_beside_look_at_files(beside, c, ws, subject);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = triage_read(r, ws, c->at, subject, o);
	/* A log that is not here does not hide what other files of the run tell. */
	if (rc == ERR_NOT_FOUND && r->run && !alone) {
		beside->missing = arena_strdup(c->arena, err_text());
		err_clear();
		rc = 0;
	}
	if (rc == 0 && !alone)
		rc = triage_beside_read(beside, c, ws, r->run->id);
	if (rc < 0)
		return rc;
	return call_text(c, "--bug-report") ? write_report(c, r, ws) : record_seen(c, r, ws);
}

static int read_run(struct triage_result *r, struct triage_beside *beside, struct call *c,
	const char *subject, const struct triage_options *o)
{
	struct open_options how = { .directory = c->directory,
		.read_only = c->read_only || call_text(c, "--bug-report") };
	struct opened opened = { 0 };
	int rc;

	if (triage_is_like_path(subject))
		return err_set(ERR_NOT_FOUND,
			"there is no file %s; give the path of a log, a run or an attempt",
			text_sanitised(c->arena, subject));
	if (c->workspace)
		return read_and_report(r, beside, c, c->workspace, subject, o);
	rc = open_migration(&opened, NULL, &how);
	if (rc == 0)
		rc = read_and_report(r, beside, c, opened.workspace, subject, o);
	else
		rc = err_prefix("%s is no file, and for a run or an attempt of it: ",
			text_sanitised(c->arena, subject));
	opened_release(&opened);
	return rc;
}

/* A log may lie anywhere, so a folder without a migration is no error; one whose migration
 * cannot be read is none either, but says which signatures did not count. */
static int read_file(struct triage_result *r, struct triage_beside *beside, struct call *c,
	const char *path, const struct triage_options *o)
{
	struct open_options how = { .directory = c->directory, .read_only = true };
	struct opened opened = { 0 };
	int rc = c->workspace ? 0 : open_migration(&opened, NULL, &how);

	if (rc < 0 && rc != ERR_NOT_FOUND)
		beside->closed = arena_strdup(c->arena, err_text());
	if (rc < 0) {
		err_clear();
		opened_release(&opened);
	}
	rc = triage_read_file(r, c->workspace ? c->workspace : opened.workspace, c->at, path, o);
	opened_release(&opened);
	return rc;
}

static int read_options(struct triage_options *o, struct call *c)
{
	const char *target = call_text(c, "--target");
	double gib = call_number(c, "--device-gib", 0);

	*o = (struct triage_options){ .has_exit = call_text(c, "--exit") != NULL,
		.exit_status = (int)call_integer(c, "--exit", 0),
		.transcript = call_flag(c, "--transcript"),
		.cancel = c->progress.cancel };
	if (target)
		o->target = strcmp(target, "gpu") == 0 ? TRIAGE_GPU : TRIAGE_TPU;
	if (!isfinite(gib) || gib < 0)
		return err_set(ERR_USAGE, "--device-gib takes a number of GiB, above 0");
	o->device_bytes = gib * 1073741824.0;
	return 0;
}

/* ---- agreement of two reviewers ---------------------------------------------------------- */

static const struct report_column agreement_columns[] = {
	{ .name = "first", .title = "first says", .type = REPORT_TEXT },
	{ .name = "second", .title = "second says", .type = REPORT_TEXT },
	{ .name = "attempts", .title = "attempts", .type = REPORT_INTEGER },
};

static void show_agreement(struct call *c, const struct agreement *g)
{
	struct buf b = BUF_INIT;

	c->table = report_table_new(
		c->arena, "agreement", agreement_columns, ARRAY_LEN(agreement_columns));
	for (size_t i = 0; i < AGREEMENT_CATEGORIES; i++)
		for (size_t k = 0; k < AGREEMENT_CATEGORIES; k++) {
			if (!g->counts[i][k])
				continue;
			report_row(c->table);
			report_text(c->table, "first", agreement_category_name(i));
			report_text(c->table, "second", agreement_category_name(k));
			report_integer(c->table, "attempts", g->counts[i][k]);
		}
	agreement_add_text(&b, g);
	report_note(c->table, "%s", b.s);
	if (g->without_cause)
		report_note(c->table,
			"%lld attempt%s left out: a failure was labelled without a cause",
			(long long)g->without_cause, g->without_cause == 1 ? " is" : "s are");
	report_note(c->table, "of each person the first label counts; blind: the second was given "
		"before its author was shown another");
	buf_release(&b);
}

static int run_agreement(struct call *c)
{
	struct open_options how = { .directory = c->directory, .read_only = true };
	struct opened opened = { 0 };
	struct agreement g;
	int rc = c->workspace ? 0 : open_migration(&opened, NULL, &how);

	if (rc == 0)
		rc = triage_agreement_read(&g, c->workspace ? c->workspace : opened.workspace,
			c->at, c->arena);
	if (rc == 0)
		show_agreement(c, &g);
	opened_release(&opened);
	return rc;
}

/* ---- the call ------------------------------------------------------------------------------ */

static int read_subject(struct triage_result *r, struct triage_beside *beside, struct call *c)
{
	const char *subject = call_text(c, "subject"), *path = file_path(c, subject);
	struct triage_options o;
	const char *note;
	int rc = read_options(&o, c);

	if (rc < 0)
		return rc;
	if (path && call_text(c, "--bug-report"))
		return err_set(ERR_USAGE,
			"--bug-report is of a run, which has a target and versions; %s is a file",
			subject);
	if (!path && c->workspace &&
	    live_runs_look(&note, c->workspace, c->at, c->progress.cancel, c->arena) < 0)
		return err_code();
	return path ? read_file(r, beside, c, path, &o) : read_run(r, beside, c, subject, &o);
}

static void show(struct call *c, const struct triage_result *r, const struct triage_beside *beside)
{
	if (beside->missing || beside->has_pins)
		c->table = report_table_new(
			c->arena, "triage", finding_columns, ARRAY_LEN(finding_columns));
	else
		show_findings(c, r);
	triage_beside_show(c, beside);
}

static int run(struct call *c)
{
	struct triage_beside beside = TRIAGE_BESIDE_INIT;
	struct triage_result r = { .arena = ARENA_INIT };
	int rc;

	if (call_flag(c, "--agreement"))
		return run_agreement(c);
	if (!call_text(c, "subject"))
		return err_set(ERR_USAGE, "which run? name a run, an attempt or a log file");
	rc = read_subject(&r, &beside, c);
	if (rc == 0 && call_flag(c, "--verdict") && !call_text(c, "--bug-report"))
		show_verdict(c, &r);
	else if (rc == 0 && !call_text(c, "--bug-report"))
		show(c, &r, &beside);
	triage_beside_release(&beside);
	triage_result_release(&r);
	return rc;
}

static const struct argument arguments[] = {
	{ "subject", ARGUMENT_TEXT, "a run, an attempt (its latest run), or a log file", false,
		false, NULL, NULL },
	{ "--target", ARGUMENT_WORD, "where it ran", false, false, "gpu tpu",
		"the run's; of a file unknown" },
	{ "--exit", ARGUMENT_INTEGER, "how it ended: exit status, 128 + signal", false, false, NULL,
		"the run's; of a file unknown" },
	{ "--device-gib", ARGUMENT_NUMBER, "memory of one chip in GiB", false, false, NULL,
		"unknown" },
	{ "--transcript", ARGUMENT_FLAG, "the file is an agent's transcript, which quotes code",
		false, false, NULL, NULL },
	{ "--all", ARGUMENT_FLAG, "also lines of reports that were only counted", false, false,
		NULL, NULL },
	{ "--bug-report", ARGUMENT_PATH, "write a report without private things; - prints it",
		false, false, NULL, NULL },
	{ "--agreement", ARGUMENT_FLAG, "how far two reviewers agree, over all attempts", false,
		false, NULL, NULL },
	{ "--verdict", ARGUMENT_FLAG, "the proposal as one record, without the findings", false,
		false, NULL, NULL },
	{ 0 },
};

const struct operation triage_operations[] = {
	{ "triage", NULL, 0, "why a run failed: signatures in its log, and a cause",
		OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
