/* Puts the checks of the log together and remembers how far they came. */
#include "config.h"

#include "store/verify.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/verify_internal.h"

static const char *const code_names[] = {
	[VERIFY_FILE] = "file",
	[VERIFY_BODY] = "body",
	[VERIFY_ID] = "id",
	[VERIFY_CHAIN] = "chain",
	[VERIFY_GAP] = "gap",
	[VERIFY_FORK] = "fork",
	[VERIFY_LAMPORT] = "lamport",
	[VERIFY_CLOCK] = "clock",
	[VERIFY_BLOB] = "blob",
	[VERIFY_PROJECTION] = "projection",
	[VERIFY_ANCHOR] = "anchor",
};

const char *verify_code_name(enum verify_code code)
{
	return code_names[code];
}

void verify_find(struct verify *v, enum verify_code code, bool defect, const struct event *e,
		 const char *fmt, ...)
{
	struct verify_report *r = v->report;
	struct verify_finding f = { .code = code, .defect = defect };
	struct buf text = BUF_INIT;
	va_list ap;

	if (defect)
		r->n_defects++;
	if (r->n_findings == VERIFY_FINDINGS_MAX)
		return;
	if (e) {
		memcpy(f.replica, e->replica, sizeof f.replica);
		f.seq = e->seq;
		f.id = e->id;
		buf_addf(&text, "event %" PRId64 " of replica %.8s: ", e->seq, e->replica);
	}
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	f.text = arena_strndup(v->a, text.s, text.n);
	buf_release(&text);
	ARRAY_GROW(r->findings, r->n_findings, v->cap_findings);
	r->findings[r->n_findings++] = f;
}

/* SQLite's own check; its lines are findings. */
static int verify_file(struct verify *v)
{
	struct database *d = &v->log->db;
	sqlite3_stmt *st;
	int rc;

	if (database_statement(d, v->options->full ? "PRAGMA integrity_check(20)" :
			       "PRAGMA quick_check(20)", &st) < 0)
		rc = err_code();
	else
		while ((rc = database_step(d, st)) > 0) {
			const char *line = (const char *)sqlite3_column_text(st, 0);

			if (line && strcmp(line, "ok"))
				verify_find(v, VERIFY_FILE, true, NULL, "database file: %s", line);
		}
	if (rc == ERR_DAMAGED) {
		verify_find(v, VERIFY_FILE, true, NULL, "%s", err_text());
		rc = 0;
	}
	return rc;
}

/* A log that shrank since somebody last counted. */
static int verify_size(struct verify *v, int64_t verified)
{
	struct projection_stamp stamp;

	if (projection_read_stamp(v->log, STAMP_IN_USE, &stamp) < 0)
		return err_code();
	if (verified > v->total)
		verify_find(v, VERIFY_GAP, true, NULL,
			"%" PRId64 " events were verified before and %" PRId64
			" are left: the others were removed",
			verified, v->total);
	else if (stamp.row > v->total)
		verify_find(v, VERIFY_GAP, true, NULL,
			"the views were made of %" PRId64 " events and %" PRId64
			" are left: the others were removed",
			stamp.row, v->total);
	return 0;
}

static int remember(struct database *d, void *user)
{
	sqlite3_stmt *st;

	if (database_statement(d, "INSERT OR REPLACE INTO verified(one, row) VALUES(1, ?)", &st) <
		0)
		return err_code();
	bind_i64(st, 1, *(int64_t *)user);
	return database_run(d, st);
}

static int run_checks(struct verify *v)
{
	int64_t verified;

	if (database_i64(&v->log->db, "SELECT row FROM verified", &verified) < 0 ||
	    log_count(v->log, &v->total) < 0)
		return err_code();
	v->report->events = v->total;
	if (!v->options->skip_file && verify_file(v) < 0)
		return err_code();
	if (verify_size(v, verified) < 0 ||
	    verify_events(v, v->options->full || verified > v->total ? 0 : verified) < 0 ||
	    verify_chains(v) < 0)
		return err_code();
	if (v->options->full && (verify_blobs(v) < 0 || verify_projections(v) < 0))
		return err_code();
	if (v->options->anchor && verify_anchored(v) < 0)
		return err_code();
	if (v->report->n_defects || v->log->db.read_only || v->total == verified)
		return 0;
	/* Only saves the next check some work: a full disk does not spoil this one. */
	if (database_write(&v->log->db, remember, &v->total) < 0) {
		if (err_code() != ERR_IO && err_code() != ERR_BUSY)
			return err_code();
		err_clear();
	}
	return 0;
}

static const char *what_is_hidden(const struct verify_report *r)
{
	if (r->anchor == ANCHOR_CONFIRMED)
		return "Not detectable: events that were cut off after the anchor was published, and "
		       "false statements made before it.";
	return "Not detectable without an anchor held elsewhere: events cut off at the end, and a "
	       "history that was written anew as a whole.";
}

int log_verify(struct log *log, const struct verify_options *o, struct arena *a,
	       struct verify_report *out)
{
	struct verify v = { .log = log, .options = o, .report = out, .a = a };
	struct verify_finding *findings;
	int rc;

	memset(out, 0, sizeof *out);
	rc = run_checks(&v);
	if (rc == ERR_DAMAGED) {
		verify_find(&v, VERIFY_FILE, true, NULL, "%s", err_text());
		rc = 0;
	}
	findings = out->findings;
	out->findings = out->n_findings
		? arena_memdup(a, findings, out->n_findings * sizeof *findings)
		: NULL;
	out->limits = what_is_hidden(out);
	free(findings);
	free(v.tails);
	return rc < 0 ? rc : 0;
}

char *verify_sentence(struct arena *a, const struct verify_report *r)
{
	static const char *const anchors[] = {
		[ANCHOR_NOT_CHECKED] = "no anchor was checked",
		[ANCHOR_CONFIRMED] = "the anchor is confirmed",
		[ANCHOR_REFUTED] = "the anchor is refuted",
		[ANCHOR_UNKNOWN] = "the anchor could not be compared",
	};
	struct buf b = BUF_INIT;
	char *s;

	buf_addf(&b,
		"%" PRId64 " of %" PRId64 " events of %" PRId64 " replica%s checked: ", r->checked,
		r->events, r->replicas, r->replicas == 1 ? "" : "s");
	if (r->n_defects)
		buf_addf(&b, "%" PRId64 " defect%s", r->n_defects, r->n_defects == 1 ? "" : "s");
	else
		buf_adds(&b, "no defect found");
	if (r->forks)
		buf_addf(&b, ", %" PRId64 " fork%s", r->forks, r->forks == 1 ? "" : "s");
	buf_addf(&b, "; %s.", anchors[r->anchor]);
	s = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return s;
}
