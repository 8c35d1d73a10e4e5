/* run_silent - see run_silent.h. */
#include "config.h"

#include "workspace/run_silent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "workspace/run_results.h"
#include "workspace/run_silent_private.h"
#include "workspace/state.h"

struct gathering {
	struct run_silent *out;
	struct workspace *ws;
	const struct position *at;
	const atomic_bool *cancel;
	struct arena *a;
	struct silent_input in;
	struct run_signal signals[RUN_SIGNALS];
	struct device_proof proof;
	struct probe_answer answers[PROBE_QUESTIONS];
	struct settings settings;
};

/* ---- what it was meant for ---- */

static void look_at_target(struct gathering *g)
{
	const struct run_state *run = g->out->run;
	enum target_kind kind = run->simulates ? run->simulates : run->target_kind;

	g->in.simulated = run->simulates != TARGET_NONE;
	g->in.accelerator = kind == TARGET_TPU || kind == TARGET_GPU;
}

/* ---- files ---- */

static void add_setting(struct gathering *g, const char *name, const char *value)
{
	settings_put(&g->settings, name, strlen(name), value, strlen(value));
}

static void gather_settings(struct gathering *g)
{
	const struct run_parsed *p = &g->out->parsed;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->files[i].facts->n; k++) {
			const struct evidence_fact *f = &p->files[i].facts->rows[k];

			if (f->name == FACT_SETTING)
				add_setting(g, f->key, f->text);
			else if (f->name == FACT_VARIABLE && strcmp(f->key, "WORLD_SIZE") == 0)
				add_setting(g, "world_size", f->text);
		}
}

static double setting_number(const struct gathering *g, const char *name)
{
	double v;

	for (size_t i = 0; i < g->settings.n; i++) {
		const char *full = g->settings.list[i].name, *dot = strrchr(full, '.');

		if (strcmp(dot ? dot + 1 : full, name) == 0 &&
			span_number(span_of(g->settings.list[i].value), &v))
			return v;
	}
	return 0;
}

/* Of several lists the one that was captured beside the run, else the last. */
static const struct evidence_facts *find_packages(const struct run_parsed *p)
{
	const struct evidence_facts *found = NULL;

	for (size_t i = 0; i < p->n; i++) {
		if (strcmp(p->files[i].parser, "packages") != 0)
			continue;
		found = p->files[i].facts;
		if (text_starts(p->files[i].name, "capture/"))
			break;
	}
	return found;
}

static int gather_versions(struct gathering *g)
{
	const struct evidence_facts *packages = find_packages(&g->out->parsed);
	int64_t world = g->out->run->chips > 1 ? g->out->run->chips : 0;
	int rc;

	if (!packages)
		return 0;
	rc = known_versions_ask(&g->out->versions, packages, &g->settings, world);
	g->in.packages_known = rc == 0;
	g->in.hits = g->out->versions.hits;
	g->in.hits_hold = g->out->versions.holds;
	g->in.hits_n = g->out->versions.n;
	return rc;
}

/* The busiest chip at each time that somebody looked: one that works is enough. */
static void gather_duty(struct gathering *g)
{
	const struct run_parsed *p = &g->out->parsed;
	double *v = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < p->n; i++) {
		int32_t group = -1;

		for (size_t k = 0; k < p->files[i].facts->n; k++) {
			const struct evidence_fact *f = &p->files[i].facts->rows[k];

			if ((f->name != FACT_TPU_DUTY && f->name != FACT_GPU_USE) || !f->is_number)
				continue;
			if (!n || group != f->group) {
				ARRAY_GROW(v, n, cap);
				v[n++] = f->number;
			} else if (f->number > v[n - 1]) {
				v[n - 1] = f->number;
			}
			group = f->group;
			g->in.duty_percent.place = p->files[i].name;
		}
	}
	g->in.duty_percent.v = arena_memdup(g->a, v, n * sizeof *v);
	g->in.duty_percent.n = n;
	free(v);
}

static void ask_proof(struct gathering *g)
{
	int64_t chips = g->out->run->chips;
	struct device_claim claim = { .chips = chips > 0 ? (int)chips : 1 };

	/* What was sampled beside the run was sampled while it ran. */
	for (size_t i = 0; i < g->out->parsed.n; i++)
		claim.during_steps |= text_ends(g->out->parsed.files[i].name, ".samples");
	device_proof_make(&g->proof, g->a, g->out->parsed.sets, g->out->parsed.n, &claim);
	g->in.proof = &g->proof;
}

static int gather_files(struct gathering *g)
{
	struct run_parsed *p = &g->out->parsed;
	struct run_signal_options options = { 0 };
	struct run_parsed_limits limits = { .cancel = g->cancel };
	int rc = run_parsed_read_within(p, g->ws, g->out->run, &limits, g->a);

	if (rc < 0)
		return rc;
	gather_settings(g);
	options.logging_steps = setting_number(g, "logging_steps");
	run_signals(g->signals, g->a, p->sets, p->n, &options);
	g->in.signals = g->signals;
	gather_duty(g);
	if (p->n && g->in.accelerator)
		ask_proof(g);
	return gather_versions(g);
}

/* ---- the questions of L2 ---- */

static const char *places_of(struct gathering *g, const struct run_check *check)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < check->places_n; i++) {
		buf_addf(&b, "%s%s", b.n ? ", " : "", check->places[i].name);
		if (check->places[i].line)
			buf_addf(&b, ":%lld", (long long)check->places[i].line);
	}
	text = arena_strdup(g->a, b.s);
	buf_release(&b);
	return text;
}

static int gather_probe(struct gathering *g)
{
	struct run_checks_request request = { .subject = g->out->run->id, .at = g->at,
		.cancel = g->cancel, .parsed = &g->out->parsed };
	struct run_checks *checks = arena_alloc(g->a, sizeof *checks);
	int rc = run_silent_probe(&g->in, g->ws, g->out->run, g->a);

	if (rc == 0)
		rc = run_checks_read(checks, g->ws, &request, g->a);
	if (rc < 0 || !checks->run)
		return rc;
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		const struct run_check *check = &checks->answers[i];

		g->answers[i] = (struct probe_answer){ check->check, check->result,
			check->why ? check->why : "", places_of(g, check) };
	}
	g->in.answers = g->answers;
	return 0;
}

/* ---- curves ---- */

static int keep_cancelled(int rc)
{
	if (rc == ERR_CANCELLED)
		return rc;
	err_clear();
	return 0;
}

/* Without a reference its own curves still tell. */
static int read_alone(struct gathering *g)
{
	int rc = run_results_open(&g->out->files, g->ws, g->out->run->id, g->a);

	if (rc == 0)
		rc = run_files_read(g->out->files, g->cancel);
	return rc < 0 ? keep_cancelled(rc) : 0;
}

static void take_comparison(struct gathering *g)
{
	struct run_comparison *c = g->out->comparison;
	struct silent_numbers theirs = run_silent_step_times(c->reference.files, g->a);

	g->out->reference = c->reference.run;
	g->in.comparable = &c->comparable;
	g->in.reference_facts = &c->reference.facts;
	g->in.facts = &c->attempt.facts;
	g->in.reference_step_s = theirs;
	if (!c->has_comparison)
		return;
	run_comparison_assess(c);
	g->in.comparison = &c->comparison;
	g->in.assessment = c->has_assessment ? &c->assessment : NULL;
}

static int gather_curves(struct gathering *g)
{
	struct comparison_request r = { .attempt_run = g->out->run->id, .at = g->at,
		.cancel = g->cancel };
	const struct run_files *own;
	struct silent_numbers steps;
	int rc = 0;

	if (strcmp(g->out->run->attempt, "reference") != 0)
		rc = run_comparison_make(&g->out->comparison, g->ws, &r);
	if (rc < 0 && (rc = keep_cancelled(rc)) < 0)
		return rc;
	if (g->out->comparison && g->out->comparison->has_reference &&
		g->out->comparison->reference.files)
		take_comparison(g);
	own = g->out->comparison ? g->out->comparison->attempt.files : NULL;
	if (!own && (rc = read_alone(g)) < 0)
		return rc;
	own = own ? own : g->out->files;
	if (!own)
		return 0;
	run_silent_loss(&g->in, own, g->a);
	run_silent_memory(&g->in, own, g->a);
	steps = run_silent_step_times(own, g->a);
	if (!g->in.step_s.n)
		g->in.step_s = steps;
	settings_merge(&g->settings, &own->settings);
	return 0;
}

/* ---- asking ---- */

/* The facts of a set stand together, so that one belongs to one file. */
static const struct run_parsed_file *file_of(
	const struct run_parsed *p, const struct evidence_fact *fact)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct evidence_facts *f = p->files[i].facts;

		if (f->n && fact >= f->rows && fact < f->rows + f->n)
			return &p->files[i];
	}
	return NULL;
}

static const char *named_places(struct gathering *g, const struct silent_place *places, size_t n)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++) {
		if (!places[i].file)
			continue;
		buf_addf(&b, "%s%s", b.n ? ", " : "", places[i].file->name);
		if (places[i].line)
			buf_addf(&b, ":%lld", (long long)places[i].line);
		if (*places[i].file->who)
			buf_addf(&b, " (brought by %s)", places[i].file->who);
	}
	text = arena_strdup(g->a, b.s);
	buf_release(&b);
	return text;
}

static void find_places(struct gathering *g)
{
	for (size_t i = 0; i < SILENT_RULES; i++) {
		struct silent_finding *f = &g->out->findings[i];

		for (size_t k = 0; k < f->facts_n; k++)
			g->out->places[i][k] = (struct silent_place){
				file_of(&g->out->parsed, f->facts[k]), f->facts[k]->line };
		if (!*f->places)
			f->places = named_places(g, g->out->places[i], f->facts_n);
	}
}

int run_silent_read(struct run_silent *out, struct workspace *ws, const struct run_state *run,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct gathering *g = arena_alloc(a, sizeof *g);
	int rc;

	*out = (struct run_silent){ .run = run, .versions = { .table = { .arena = ARENA_INIT } } };
	*g = (struct gathering){ .out = out, .ws = ws, .at = at, .cancel = cancel, .a = a };
	look_at_target(g);
	rc = gather_curves(g);
	if (rc == 0)
		rc = gather_files(g);
	if (rc == 0)
		rc = gather_probe(g);
	if (rc == 0) {
		silent_rules_ask(out->findings, &g->in, a);
		find_places(g);
	}
	settings_release(&g->settings);
	return rc;
}

void run_silent_release(struct run_silent *s)
{
	run_parsed_release(&s->parsed);
	run_comparison_free(s->comparison);
	run_files_free(s->files);
	known_versions_release(&s->versions);
	*s = (struct run_silent){ .run = NULL };
}
