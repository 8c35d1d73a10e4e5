/* run_checks - see run_checks.h. */
#include "config.h"

#include "workspace/run_checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "domain/fold.h"
#include "evidence/evidence_format.h"
#include "launch/run_directory.h"
#include "workspace/accepted.h"
#include "workspace/check_record.h"
#include "workspace/comparison.h"
#include "workspace/known_versions.h"
#include "workspace/run_checks_private.h"
#include "workspace/state.h"

enum { RUNS_MAX = 8, ATTEMPTS_MAX = 32 };
/* Of what this folder makes of facts: one more when an answer changes. */
enum { RULES_VERSION = 4 };

int64_t run_checks_version(void)
{
	int64_t version = RULES_VERSION + PROBE_FORMAT;

	for (size_t i = 0; i < evidence_formats_n; i++)
		version += evidence_formats[i].version;
	return version;
}

/* ---- which runs ---- */

struct asking {
	struct run_checks *out;
	struct workspace *ws;
	const struct run_checks_request *r;
	const struct config *config;
	struct run_state **references;
	size_t references_n;
	bool elsewhere;		/* a run there is on record, and not on this machine */
	struct packages_known known;
	const char **notes;
	size_t notes_n, notes_cap;
	struct arena *a;
};

static bool has_folder(struct workspace *ws, const char *run, enum run_directory_file f,
	struct arena *a)
{
	const char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);

	return f == RUN_FILE_COUNT ? fs_is_dir(rundir)
				   : fs_is_dir(run_directory_path(a, rundir, f));
}

/* Those of RUNS that count and lie on this machine, in front; how many. */
static size_t keep_usable(struct run_state **runs, size_t n, struct workspace *ws, struct arena *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!*runs[i]->prepared.struck && has_folder(ws, runs[i]->id, RUN_FILE_COUNT, a))
			runs[kept++] = runs[i];
	return kept;
}

static void drop(struct run_state **runs, size_t *n, const struct run_state *run)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++)
		if (runs[i] != run)
			runs[kept++] = runs[i];
	*n = kept;
}

/* The runs of one configuration, the one that says most first; at most RUNS_MAX. */
static size_t order_runs(const struct run_state **out, struct asking *q, struct run_state **runs,
	size_t n, const char *intended)
{
	const char *configuration = q->r->configuration;
	size_t found = 0;

	while (found < RUNS_MAX) {
		const struct run_state *run =
			run_comparison_best(runs, n, RUN_KIND_NONE, configuration, intended);

		if (!run)
			break;
		configuration = run->configuration;
		out[found++] = run;
		drop(runs, &n, run);
	}
	return found;
}

static int find_runs(struct asking *q, const struct run_state **out, size_t *n)
{
	const char *intended = q->config->migration.intended;
	struct attempt_state *s;
	struct run_state **runs, *run;
	int rc;

	*n = 0;
	if (text_starts(q->r->subject, "ps-")) {
		if ((rc = state_run(q->ws, q->r->subject, q->r->at, q->a, &run)) < 0)
			return rc;
		out[(*n)++] = run;
		q->out->attempt = run->attempt;
		return 0;
	}
	if ((rc = state_attempt(q->ws, q->r->subject, q->r->at, q->a, &s)) < 0 ||
		(rc = state_runs(&runs, n, q->ws, s->id, q->r->at, q->a)) < 0)
		return rc;
	q->out->attempt = s->id;
	q->elsewhere = q->r->configuration && run_comparison_best(runs, *n, RUN_KIND_NONE,
		q->r->configuration, "");
	*n = keep_usable(runs, *n, q->ws, q->a);
	*n = order_runs(out, q, runs, *n, intended ? intended : "");
	return 0;
}

/* With records of the probe in front: what is compared needs one. */
static const struct run_state *partner_of(struct asking *q, const struct run_state *run)
{
	const char *target = q->config->migration.reference;
	struct run_state **list = arena_memdup(
		q->a, q->references, q->references_n * sizeof *q->references);
	const struct run_state *found;
	size_t n = 0;

	for (size_t i = 0; i < q->references_n; i++)
		if (has_folder(q->ws, q->references[i]->id, RUN_FILE_PROBE, q->a))
			list[n++] = q->references[i];
	found = run_comparison_partner(list, n, run, target ? target : "");
	if (!found)
		found = run_comparison_partner(
			q->references, q->references_n, run, target ? target : "");
	/* Beside itself everything is equal. */
	return found && strcmp(found->id, run->id) == 0 ? NULL : found;
}

static int find_references(struct asking *q)
{
	int rc = state_runs(
		&q->references, &q->references_n, q->ws, "reference", q->r->at, q->a);

	if (rc == 0)
		q->references_n = keep_usable(q->references, q->references_n, q->ws, q->a);
	return rc;
}

/* ---- one run ---- */

/* That it was started there shows nothing of the chips; what was refuted while nothing
 * had run there is over. */
static bool add_launched(struct check_answer *config, const struct run_state *run, struct arena *a)
{
	struct check_place place = { .name = "log", .parser = "", .recorded = true };

	if (config->result != CHECK_NOT_CHECKED)
		return false;
	check_answer_set(config, a, CHECK_UNKNOWN,
		"it was started on %s; nothing shows how many chips it had", run->configuration);
	if (digest_from_hex(&place.digest, run->log_digest))
		check_answer_place(config, &place);
	return true;
}

static bool all_recorded(const struct check_answer *answer)
{
	for (size_t i = 0; i < answer->places_n; i++)
		if (!answer->places[i].recorded)
			return false;
	return true;
}

static void take(struct asking *q, struct run_check *out, const struct check_answer *answer,
	const struct checks_side *own, const struct checks_side *reference)
{
	*out = (struct run_check){
		.check = answer->check,
		.result = answer->result,
		.why = answer->why ? answer->why : "nothing tells",
		.places = arena_memdup(
			q->a, answer->places, answer->places_n * sizeof *answer->places),
		.places_n = answer->places_n,
		.run = own->run,
		.reference = reference->run,
		.recordable = !own->incomplete && !reference->incomplete &&
			answer->result != CHECK_NOT_CHECKED && all_recorded(answer) &&
			run_status_ended(own->run->state),
	};
}

static bool decides(enum check_result r)
{
	return r == CHECK_CONFIRMED || r == CHECK_REFUTED;
}

/* The first run that decides answers; until one does, whoever looked before whoever
 * did not. */
static bool is_better(const struct run_check *new, const struct run_check *old)
{
	if (!old->why)
		return true;
	if (decides(old->result))
		return false;
	return decides(new->result) ||
		(old->result == CHECK_NOT_CHECKED && new->result != CHECK_NOT_CHECKED);
}

static void take_answers(struct asking *q, struct check_answer *answers,
	const struct checks_side *own, const struct checks_side *reference)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		bool weak = strcmp(answers[i].check, "config") == 0 &&
			add_launched(&answers[i], own->run, q->a);
		struct run_check new;

		take(q, &new, &answers[i], own, reference);
		new.weak = weak;
		if (is_better(&new, &q->out->answers[i]))
			q->out->answers[i] = new;
	}
}

static void take_notes(struct asking *q, const struct checks_side *s)
{
	for (size_t i = 0; i < s->notes_n; i++) {
		ARRAY_GROW(q->notes, q->notes_n, q->notes_cap);
		q->notes[q->notes_n++] = s->notes[i];
	}
	if (s->probe)
		q->out->damaged += s->probe->cut + s->probe->malformed + s->probe->newer;
}

static int ask_run(struct asking *q, const struct run_state *run)
{
	const struct run_state *partner = partner_of(q, run);
	struct check_answer answers[PROBE_QUESTIONS];
	struct checks_side own, reference;
	struct comparable_declaration *declared;
	struct checks_question question = { .own = &own, .reference = &reference,
		.config = q->config, .target = config_target_find(q->config, run->target),
		.known = &q->known, .arena = q->a,
		.rundir = fs_join(q->a, workspace_path(q->ws, q->a, "runs"), run->id) };
	int rc = checks_side_read(&own, q->ws, run, "", q->r->parsed, q->r->cancel, q->a);
	int rc3 = comparison_declared(&declared, q->ws, q->config, run, q->a);
	int rc2 = checks_side_read(&reference, q->ws, rc == 0 ? partner : NULL,
		partner ? arena_printf(q->a, "%s/", partner->id) : "", NULL, q->r->cancel,
		q->a);

	rc = rc < 0 ? rc : rc2 < 0 ? rc2 : rc3;
	if (rc == 0) {
		question.declared = declared;
		question.declared_n = q->config->declared_n;
		checks_ask(answers, &question);
		take_answers(q, answers, &own, &reference);
		take_notes(q, &own);
		take_notes(q, &reference);
		q->out->recorded = q->out->recorded || own.probe || own.refused;
		q->out->reference_recorded = q->out->reference_recorded || reference.probe;
		if (!q->out->reference)
			q->out->reference = partner;
	}
	checks_side_release(&own);
	checks_side_release(&reference);
	return rc;
}

static bool all_decided(const struct run_checks *checks)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		if (!decides(checks->answers[i].result))
			return false;
	return true;
}

/* ---- the intended configuration, where nothing ran ---- */

static const char *chips_text(const struct config_target *t, struct arena *a)
{
	return arena_printf(a, "%lld chip%s", (long long)t->chips, t->chips == 1 ? "" : "s");
}

static bool same_hardware(const struct config_target *a, const struct config_target *b)
{
	return a->kind == b->kind && a->simulates == b->simulates && a->chips == b->chips &&
		strcmp(a->topology, b->topology) == 0 && strcmp(a->backend, b->backend) == 0;
}

static const char *guard_text(
	const struct config_target *ran, const struct config_target *intended, struct arena *a)
{
	if (ran->chips != intended->chips)
		return arena_printf(a,
			"validated on %s, intended %lld: it ran on %s, and not on %s",
			chips_text(ran, a), (long long)intended->chips, ran->name, intended->name);
	return arena_printf(a,
		"validated on %s, intended %s: they differ in kind, topology or backend", ran->name,
		intended->name);
}

/* Asked of CONFIGURATION, the intended one, where another one has a run. */
static int guard(struct asking *q, const char *configuration)
{
	const struct config_target *intended = config_target_find(q->config, configuration), *ran;
	struct run_checks_request other = *q->r;
	const struct run_state *runs[RUNS_MAX];
	struct check_place *place = ARENA_NEW(q->a, struct check_place);
	struct run_check *config = NULL;
	size_t n;
	int rc;

	other.configuration = NULL;
	q->r = &other;
	if ((rc = find_runs(q, runs, &n)) < 0 || !n || !intended)
		return rc;
	ran = config_target_find(q->config, runs[0]->target);
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		if (strcmp(q->out->answers[i].check, "config") == 0)
			config = &q->out->answers[i];
	if (!ran || same_hardware(ran, intended) || !run_status_ended(runs[0]->state))
		return 0;
	*place = (struct check_place){ .name = "log", .parser = "", .recorded = true };
	*config = (struct run_check){ .check = "config", .result = CHECK_REFUTED,
		.why = guard_text(ran, intended, q->a), .run = runs[0], .places = place,
		.places_n = digest_from_hex(&place->digest, runs[0]->log_digest),
		.recordable = true };
	return 0;
}

static void nothing_ran(struct asking *q)
{
	const char *why = q->elsewhere ? "the files of its run are not on this machine"
				       : "nothing ran on this configuration";

	for (size_t i = 0; i < check_items_n; i++) {
		size_t k = 0;

		if (strcmp(check_items[i].level, "L2") != 0)
			continue;
		while (q->out->answers[k].check)
			k++;
		q->out->answers[k] = (struct run_check){ .check = check_items[i].id, .why = why };
	}
}

/* ---- all of it ---- */

static int ask_runs(struct asking *q)
{
	const char *intended = q->config->migration.intended, *wanted = q->r->configuration;
	const struct run_state *runs[RUNS_MAX];
	const struct config_target *target;
	size_t n;
	int rc = find_runs(q, runs, &n);

	if (rc < 0)
		return rc;
	if (!n) {
		nothing_ran(q);
		q->out->configuration = wanted ? wanted : "";
		if (q->elsewhere || !wanted || !intended || strcmp(wanted, intended) != 0)
			return 0;
		return guard(q, wanted);
	}
	q->out->run = runs[0];
	q->out->configuration = runs[0]->configuration;
	target = config_target_find(q->config, runs[0]->target);
	q->out->target_known = target != NULL;
	q->out->simulated = (target && target->simulates != TARGET_NONE) ||
		runs[0]->simulates != TARGET_NONE;
	if ((rc = find_references(q)) < 0 || (rc = known_versions_read(&q->known)) < 0)
		return rc;
	for (size_t i = 0; i < n && rc == 0 && !all_decided(q->out); i++)
		rc = ask_run(q, runs[i]);
	return rc;
}

int run_checks_read(struct run_checks *out, struct workspace *ws,
	const struct run_checks_request *r, struct arena *a)
{
	struct asking q = { .out = out, .ws = ws, .r = r, .a = a };
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, r->at);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	q.config = &accepted.in_force;
	rc = ask_runs(&q);
	out->configuration = arena_strdup(a, out->configuration ? out->configuration : "");
	out->notes = arena_memdup(a, q.notes, q.notes_n * sizeof *q.notes);
	out->notes_n = q.notes_n;
	free(q.notes);
	packages_known_release(&q.known);
	accepted_release(&accepted);
	return rc;
}

/* ---- recording ---- */

static const char **places_of(const struct run_check *check, struct arena *a)
{
	const char **places = arena_alloc(a, (check->places_n + 1) * sizeof *places);

	for (size_t i = 0; i < check->places_n; i++) {
		const struct check_place *p = &check->places[i];
		const char *line = p->line ? arena_printf(a, ":%lld", (long long)p->line) : "";
		const char *parser = *p->parser
			? arena_printf(a, " %s@%d", p->parser, p->version) : "";
		char hex[DIGEST_HEX + 1];

		digest_hex(hex, &p->digest);
		places[i] = arena_printf(a, "%s%s%s %.12s", p->name, line, parser, hex);
	}
	return places;
}

static struct digest *evidence_of(const struct run_check *check, size_t *n, struct arena *a)
{
	struct digest *list = arena_alloc(a, (check->places_n + 1) * sizeof *list);

	*n = 0;
	for (size_t i = 0; i < check->places_n; i++) {
		bool known = false;

		for (size_t k = 0; k < *n && !known; k++)
			known = digest_equal(&list[k], &check->places[i].digest);
		if (!known)
			list[(*n)++] = check->places[i].digest;
	}
	return list;
}

/* 1 when the log has an answer of that question there. */
static int has_answer(struct workspace *ws, const struct run_checks *checks, const char *check,
	struct arena *a)
{
	void *s;

	return state_get(ws, "check",
		check_object_id(a, checks->attempt, checks->configuration, check), NULL, a, &s);
}

int run_checks_record(struct workspace *ws, const struct run_checks *checks, size_t *recorded,
	struct arena *a)
{
	struct check_finding findings[PROBE_QUESTIONS];
	size_t n = 0;
	int rc;

	if (recorded)
		*recorded = 0;
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		const struct run_check *c = &checks->answers[i];
		struct check_finding *f = &findings[n];

		/* A confirmation without a file would be a word. */
		if (!c->recordable || (c->result == CHECK_CONFIRMED && !c->places_n))
			continue;
		rc = c->weak ? has_answer(ws, checks, c->check, a) : 1;
		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		*f = (struct check_finding){ .check = c->check, .result = c->result, .text = c->why,
			.places = places_of(c, a), .places_n = c->places_n,
			.run = c->run ? c->run->id : NULL, .version = run_checks_version() };
		f->evidence = evidence_of(c, &f->evidence_n, a);
		n++;
	}
	if (!n || !*checks->configuration)
		return 0;
	return check_record(ws, checks->attempt, checks->configuration, findings, n, recorded, a);
}

static int read_and_record(
	struct workspace *ws, const struct run_checks_request *r, struct arena *a)
{
	struct run_checks checks;
	int rc = run_checks_read(&checks, ws, r, a);

	return rc < 0 ? rc : run_checks_record(ws, &checks, NULL, a);
}

/* What is compared with the reference is asked again: of the newest attempts, on each
 * configuration that they ran on. */
static int finish_all(struct workspace *ws, struct arena *a)
{
	struct state_query q = { .type = "attempt", .descending = true, .limit = ATTEMPTS_MAX };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct attempt_state *s = rows[i];

		for (size_t k = 0; rc == 0 && k < s->measured_n; k++) {
			struct run_checks_request r = { .subject = s->id,
				.configuration = s->measured[k].configuration };
			struct arena own = ARENA_INIT;

			if (*r.configuration && s->runs_ended)
				rc = read_and_record(ws, &r, &own);
			arena_release(&own);
		}
	}
	return rc;
}

int run_checks_finish(struct workspace *ws, const char *run, struct arena *a)
{
	struct run_checks_request r = { .subject = NULL };
	struct accepted accepted;
	struct run_state *s;
	int rc = state_run(ws, run, NULL, a, &s);

	if (rc < 0)
		return rc;
	if (strcmp(s->attempt, REFERENCE_ID) == 0)
		return finish_all(ws, a);
	/* What nobody's attempt did proves nothing of one. */
	if (strcmp(s->attempt, UNASSIGNED_ID) == 0)
		return 0;
	r.subject = s->attempt;
	r.configuration = s->configuration;
	if ((rc = read_and_record(ws, &r, a)) < 0 || (rc = accepted_read(&accepted, ws, NULL)) < 0)
		return rc;
	r.configuration = accepted.in_force.migration.intended;
	if (r.configuration && *r.configuration && strcmp(r.configuration, s->configuration) != 0)
		rc = read_and_record(ws, &r, a);
	accepted_release(&accepted);
	return rc;
}
