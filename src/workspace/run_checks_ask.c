/* run_checks_ask - one run's answers, of all sources together; see
 * run_checks_private.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "evidence/package_version.h"
#include "evidence/probe_facts.h"
#include "evidence/runtime_check.h"
#include "launch/status.h"
#include "workspace/run_checks_private.h"

enum { PIDS_MAX = 4096, SAMPLES_MIN = 2 };

static struct check_answer *answer_of(struct check_answer *answers, const char *check)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		if (strcmp(answers[i].check, check) == 0)
			return &answers[i];
	return NULL;
}

/* ---- what is meant ---- */

/* Why one of two inputs differs on purpose; NULL: nobody declared it. */
static const char *reason_of(const struct checks_question *q, const char *one, const char *other)
{
	for (size_t i = 0; i < q->declared_n; i++)
		if (strcmp(q->declared[i].name, one) == 0 ||
			strcmp(q->declared[i].name, other) == 0)
			return q->declared[i].reason;
	return NULL;
}

static struct probe_intent intent_of(const struct checks_question *q)
{
	const struct config_target *target = q->target;
	struct probe_intent intent = { .device = "",
		.numbers_differ = reason_of(q, "precision", "environment"),
		.data_differs = reason_of(q, "data", "seed") };
	enum target_kind kind;

	if (!target)
		return intent;
	kind = target->simulates != TARGET_NONE ? target->simulates : target->kind;
	intent.device = word_name(&words_target_kind, (int)kind);
	intent.processes = target->chips;
	intent.backend = target->backend;
	intent.topology = target->topology;
	return intent;
}

/* Looks at the chips that fall into the time of the steps, by the run itself. */
static size_t looks_during(const struct checks_side *own, int64_t from_ns, int64_t until_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < own->sources_n; i++)
		for (const struct evidence_fact *f = NULL; !own->sources[i].brought &&
			(f = evidence_facts_next(own->sources[i].facts, f, FACT_TPU_TIME, NULL));) {
			int64_t at;

			n += clock_from_iso(&at, f->text) && at >= from_ns && at <= until_ns;
		}
	return n;
}

static struct runtime_claim claim_of(const struct checks_question *q, struct probe_intent intent)
{
	int64_t *pids = arena_alloc(q->arena, (PIDS_MAX + 1) * sizeof *pids), from, until;
	struct runtime_claim claim = { .device = intent.device, .chips = intent.processes,
		.pids = pids };
	struct status status;

	if (q->own->probe)
		claim.pids_n = probe_facts_pids(pids, PIDS_MAX, q->own->probe);
	if (status_read(&status, q->rundir, NULL) == STATUS_READ_OK && status.pid > 0)
		pids[claim.pids_n++] = status.pid;
	claim.during_steps = q->own->probe &&
		probe_facts_steps_time(&from, &until, q->own->probe) &&
		looks_during(q->own, from, until) >= SAMPLES_MIN;
	return claim;
}

/* ---- the probe ---- */

/* Questions whose answer rests on the reference's record as well. */
static bool is_compared(const char *check)
{
	static const char *const compared[] = { "batch", "steps", "lr", "params", "eval", "dtype",
		"seed-data" };

	for (size_t i = 0; i < ARRAY_LEN(compared); i++)
		if (strcmp(compared[i], check) == 0)
			return true;
	return false;
}

/* Questions that the probe does not answer at all, and says so. */
static bool is_left_to_others(const char *check)
{
	return strcmp(check, "fallback") == 0 || strcmp(check, "compile") == 0 ||
		strcmp(check, "deps") == 0;
}

/* "probe-0-71.jsonl:12, probe-1-72.jsonl:3" */
static void add_probe_places(
	struct check_answer *out, const struct checks_question *q, const char *places)
{
	while (*places) {
		size_t n = strcspn(places, ",");
		const char *colon = memchr(places, ':', n);
		int64_t line = 0;

		for (size_t i = 0; colon && i < q->own->probe_files_n; i++) {
			struct check_place place = q->own->probe_files[i];
			const char *base = strrchr(place.name, '/');

			base = base ? base + 1 : place.name;
			if (strlen(base) != (size_t)(colon - places) ||
				strncmp(base, places, strlen(base)) != 0)
				continue;
			if (text_to_i64(colon + 1, n - (size_t)(colon + 1 - places), &line))
				place.line = line;
			check_answer_place(out, &place);
		}
		places += n;
		places += strspn(places, ", ");
	}
}

static void take_probe(struct check_answer *out, const struct checks_question *q,
	const struct probe_answer *said)
{
	*out = (struct check_answer){ .check = said->check, .result = said->result,
		.why = said->why };
	if (said->result == CHECK_NOT_CHECKED)
		return;
	add_probe_places(out, q, said->places);
	if (!out->places_n && q->own->probe_files_n)
		check_answer_place(out, &q->own->probe_files[0]);
	if (is_compared(said->check) && q->reference->probe)
		check_answer_place(out, &q->reference->probe_files[0]);
}

static void ask_probe(struct check_answer answers[PROBE_QUESTIONS],
	const struct checks_question *q, const struct probe_intent *intent)
{
	static const struct probe_record nothing = { .n = 0 };
	struct probe_answer said[PROBE_QUESTIONS];
	const struct checks_side *own = q->own, *reference = q->reference;

	probe_check(said, own->probe ? own->probe : &nothing, reference->probe, intent, q->arena);
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		bool refused = own->refused || (is_compared(said[i].check) && reference->refused);

		take_probe(&answers[i], q, &said[i]);
		if (is_left_to_others(said[i].check))
			continue;
		if (refused)
			answers[i] = (struct check_answer){ .check = said[i].check,
				.result = CHECK_UNKNOWN,
				.why = own->refused ? own->refused : reference->refused };
		else if (!own->probe)
			answers[i] = (struct check_answer){
				.check = said[i].check,
				.why = "no run with a record of the probe tells; portside run --probe makes one"
			};
	}
}

/* ---- the other sources ---- */

/* One process is on the chip: that says nothing of the other chips. */
static void weaken_for_chips(struct check_answer *probe, const struct check_answer *looks,
	int64_t chips, struct arena *a)
{
	if (chips > 1 && probe->result == CHECK_CONFIRMED && looks->result != CHECK_CONFIRMED)
		check_answer_set(probe, a, CHECK_UNKNOWN,
			"%s; that all %lld chips work takes looks at them while steps run (tpu-info)",
			probe->why, (long long)chips);
}

/* How many chips a run held says nothing of their backend and topology. */
static void hold_against_backend(struct check_answer *config, const struct checks_question *q,
	const struct probe_intent *intent)
{
	const char *why;
	enum check_result backend =
		probe_check_backend(&why, q->own->probe, intent, q->arena);

	if (backend == CHECK_REFUTED && config->result != CHECK_REFUTED)
		check_answer_set(config, q->arena, CHECK_REFUTED, "%s", why);
	else if (backend == CHECK_UNKNOWN && config->result == CHECK_CONFIRMED)
		check_answer_set(config, q->arena, CHECK_UNKNOWN, "%s; %s", config->why, why);
}

/* The program's settings are what it asked for; that it did not get them goes before. */
static void refute_autocast(struct check_answer *dtype, const struct checks_question *q)
{
	struct check_answer off = { .check = "dtype" };

	runtime_check_autocast(&off, q->own->sources, q->own->sources_n, q->arena);
	if (off.result == CHECK_REFUTED)
		*dtype = off;
}

static void ask_runtime(struct check_answer answers[PROBE_QUESTIONS],
	const struct checks_question *q, struct probe_intent intent)
{
	const struct check_source *sources = q->own->sources;
	size_t n = q->own->sources_n;
	struct runtime_claim claim = claim_of(q, intent);
	struct check_answer dev = { .check = "dev" }, fallback = { .check = "fallback" },
			    compile = { .check = "compile" }, chips = { .check = "config" };

	runtime_check_device(&dev, sources, n, &claim, q->arena);
	runtime_check_fallback(&fallback, sources, n, q->arena);
	runtime_check_compile(&compile, sources, n, q->arena);
	runtime_check_chips(&chips, sources, n, &claim, q->arena);
	weaken_for_chips(answer_of(answers, "dev"), &dev, intent.processes, q->arena);
	check_answer_join(answer_of(answers, "dev"), &dev, q->arena);
	check_answer_join(answer_of(answers, "fallback"), &fallback, q->arena);
	check_answer_join(answer_of(answers, "compile"), &compile, q->arena);
	check_answer_join(answer_of(answers, "config"), &chips, q->arena);
	hold_against_backend(answer_of(answers, "config"), q, &intent);
	refute_autocast(answer_of(answers, "dtype"), q);
}

/* ---- packages ---- */

static bool has_versions(const struct check_source *s)
{
	return evidence_facts_last(s->facts, FACT_PACKAGE_VERSION, NULL) != NULL;
}

/* What an interpreter said of itself: pip's list of the capture, the probe's; else a
 * list that is no wish ("requirements.txt"). */
static const struct check_source *list_of_packages(const struct checks_side *s)
{
	for (size_t i = 0; i < s->sources_n; i++)
		if (text_ends(s->sources[i].name, "capture/pip-freeze.txt") &&
			has_versions(&s->sources[i]))
			return &s->sources[i];
	for (size_t i = 0; i < s->sources_n; i++)
		if (strcmp(s->sources[i].facts->parser, "probe") == 0 &&
			has_versions(&s->sources[i]))
			return &s->sources[i];
	for (size_t i = 0; i < s->sources_n; i++)
		if (!strstr(s->sources[i].name, "requirements") && has_versions(&s->sources[i]))
			return &s->sources[i];
	return NULL;
}

/* "args.max_grad_norm" is max_grad_norm as well. */
static double setting_of(const struct checks_side *s, const char *name)
{
	double value = s->probe ? probe_facts_setting(s->probe, name) : NAN;

	for (size_t i = 0; i < s->sources_n && isnan(value); i++)
		for (const struct evidence_fact *f = NULL;
			(f = evidence_facts_next(s->sources[i].facts, f, FACT_SETTING, NULL));) {
			const char *dot = strrchr(f->key, '.');
			double v;

			if (strcmp(dot ? dot + 1 : f->key, name) == 0 &&
				text_to_double(f->text, strlen(f->text), &v))
				value = v;
		}
	return value;
}

static double clipping_of(const struct checks_side *s)
{
	double value = setting_of(s, "max_grad_norm");
	const struct probe_line *clip = s->probe ? probe_record_next(s->probe, NULL, "clip") : NULL;

	return isnan(value) && clip ? json_double(clip->json, "limit", NAN) : value;
}

static double world_of(const struct checks_side *s)
{
	int64_t world = s->probe ? probe_record_world(s->probe) : 0;

	if (!world)
		world = s->run->chips;
	return world > 0 ? (double)world : NAN;
}

static struct package_classified *classified_of(const struct checks_question *q)
{
	struct package_classified *list =
		arena_alloc(q->arena, (q->config->packages_n + 1) * sizeof *list);

	for (size_t i = 0; i < q->config->packages_n; i++) {
		const struct config_package *p = &q->config->packages[i];
		struct buf name = BUF_INIT;

		package_name_add(&name, span_of(p->name));
		list[i] = (struct package_classified){
			arena_strndup(q->arena, name.s ? name.s : "", name.n),
			word_name(&words_package_class, p->class), p->reason };
		buf_release(&name);
	}
	return list;
}

static void ask_packages(
	struct check_answer answers[PROBE_QUESTIONS], const struct checks_question *q)
{
	struct packages_question packages = {
		.attempt = list_of_packages(q->own),
		.reference = list_of_packages(q->reference),
		.classified = classified_of(q),
		.classified_n = q->config->packages_n,
		.known = q->known,
		.world_size = world_of(q->own),
		.max_grad_norm = clipping_of(q->own),
		.gradient_accumulation_steps = setting_of(q->own, "gradient_accumulation_steps"),
	};
	struct check_answer deps = { .check = "deps" }, grad = { .check = "grad" };

	packages_check_deps(&deps, &packages, q->arena);
	packages_check_grad(&grad, &packages, q->arena);
	/* The probe's own sentence only says that it does not judge. */
	*answer_of(answers, "deps") = deps;
	check_answer_join(answer_of(answers, "grad"), &grad, q->arena);
}

/* A stand-in can refute and never confirm. */
static void hold_back(struct check_answer answers[PROBE_QUESTIONS], struct arena *a)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		if (answers[i].result == CHECK_CONFIRMED)
			check_answer_set(&answers[i], a, CHECK_UNKNOWN,
				"%s; but the target only simulates", answers[i].why);
}

void checks_ask(struct check_answer answers[PROBE_QUESTIONS], const struct checks_question *q)
{
	struct probe_intent intent = intent_of(q);

	ask_probe(answers, q, &intent);
	ask_runtime(answers, q, intent);
	ask_packages(answers, q);
	if ((q->target && q->target->simulates != TARGET_NONE) ||
		q->own->run->simulates != TARGET_NONE)
		hold_back(answers, q->arena);
}
