/* runtime_check - see runtime_check.h. */
#include "config.h"

#include "evidence/runtime_check.h"

#include <string.h>

#include "evidence/device_proof.h"
#include "evidence/run_signal.h"
#include "evidence/tpu_info.h"

static const struct evidence_facts **sets_of(
	const struct check_source *sources, size_t n, struct arena *a)
{
	const struct evidence_facts **sets = arena_alloc(a, (n + 1) * sizeof *sets);

	for (size_t i = 0; i < n; i++)
		sets[i] = sources[i].facts;
	return sets;
}

/* ---- dev ---- */

/* The looks that say what the whole says, each in its own words. */
static const char *sentence_of(const struct device_proof *proof, struct arena *a)
{
	const char *text = "";

	for (int i = 0; i < DEVICE_LOOKS; i++) {
		const struct device_answer *look = &proof->looks[i];
		bool speaks = look->result == CHECK_CONFIRMED || look->result == CHECK_REFUTED ||
			(proof->result == CHECK_UNKNOWN && look->result == CHECK_UNKNOWN);

		if (speaks && look->text)
			text = arena_printf(a, "%s%s%s", text, *text ? "; " : "", look->text);
	}
	return text;
}

static void add_looks(struct check_answer *out, const struct device_proof *proof,
	const struct check_source *sources, size_t n)
{
	for (int i = 0; i < DEVICE_LOOKS; i++) {
		const struct device_answer *look = &proof->looks[i];
		/* A hundred samples of one table are one place. */
		size_t facts_n = look->facts_n < 3 ? look->facts_n : 3;

		for (size_t k = 0; k < facts_n; k++)
			check_answer_fact(out, sources, n, look->facts[k]);
	}
}

void runtime_check_device(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct runtime_claim *claim, struct arena *a)
{
	struct device_claim device = { .chips = claim->chips > 0 ? (int)claim->chips : 1,
		.pids = claim->pids, .pids_n = claim->pids_n,
		.during_steps = claim->during_steps };
	struct device_proof proof;
	const char *sentence;

	if (strcmp(claim->device, "tpu") != 0)
		return;
	device_proof_make(&proof, a, sets_of(sources, n, a), n, &device);
	if (proof.result == CHECK_NOT_CHECKED)
		return;
	sentence = sentence_of(&proof, a);
	add_looks(out, &proof, sources, n);
	if (proof.result == CHECK_UNKNOWN)
		check_answer_set(out, a, CHECK_UNKNOWN, "%s%s%s",
			sentence, *sentence ? ": " : "", proof.text);
	else
		check_answer_set(out, a, proof.result, "%s", sentence);
}

/* ---- fallback ---- */

static void from_signal(struct check_answer *out, const struct run_signal *s,
	const struct check_source *sources, size_t n, struct arena *a)
{
	if (s->result == CHECK_NOT_CHECKED)
		return;
	check_answer_set(out, a, s->result, "%s", s->text);
	for (size_t i = 0; i < s->facts_n; i++)
		check_answer_fact(out, sources, n, s->facts[i]);
}

/* A healthy answer has no fact of its own: the reports that lack the counter are its
 * places. */
static void add_reports(
	struct check_answer *out, const struct check_source *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_answer_fact(out, sources, n,
			evidence_facts_last(sources[i].facts, FACT_XLA_REPORTS, NULL));
}

void runtime_check_fallback(struct check_answer *out, const struct check_source *sources,
	size_t n, struct arena *a)
{
	static const struct run_signal_options none = { 0 };
	struct run_signal signals[RUN_SIGNALS];

	run_signals(signals, a, sets_of(sources, n, a), n, &none);
	from_signal(out, &signals[SIGNAL_CPU_FALLBACK], sources, n, a);
	if (out->why && !out->places_n)
		add_reports(out, sources, n);
}

/* ---- compile ---- */

/* The dumps of TorchTPU's cache in one file, in its order. */
struct dumps {
	const struct evidence_fact *first, *last;	/* their misses */
	int64_t requests_first, requests_last;
	int rises, rises_max;		/* dumps in a row with more misses than before */
	size_t n;
};

static void take_dump(struct dumps *d, const struct evidence_fact *misses, int64_t requests)
{
	if (d->n && misses->integer < d->last->integer) {
		*d = (struct dumps){ .n = 0 };		/* the counters were reset */
	}
	if (d->n) {
		d->rises = misses->integer > d->last->integer ? d->rises + 1 : 0;
		d->rises_max = d->rises > d->rises_max ? d->rises : d->rises_max;
	} else {
		d->first = misses;
		d->requests_first = requests;
	}
	d->last = misses;
	d->requests_last = requests;
	d->n++;
}

static struct dumps dumps_of(const struct evidence_facts *facts)
{
	struct dumps d = { .n = 0 };
	const struct evidence_fact *requests = NULL;

	for (size_t i = 0; i < facts->n; i++) {
		const struct evidence_fact *f = &facts->rows[i];

		if (f->name == FACT_TORCHTPU_REQUESTS && f->is_integer)
			requests = f;
		else if (f->name == FACT_TORCHTPU_MISSES && f->is_integer && requests)
			take_dump(&d, f, requests->integer);
	}
	return d;
}

static void judge_dumps(struct check_answer *out, const struct dumps *d, struct arena *a)
{
	int64_t misses = d->last->integer - d->first->integer;
	int64_t requests = d->requests_last - d->requests_first;
	double limit = run_signal_rules[SIGNAL_RECOMPILATION].bad;

	if (d->n < 2)
		check_answer_set(out, a, CHECK_UNKNOWN,
			"the compilation cache missed %lld of %lld requests; one dump shows no change",
			(long long)d->last->integer, (long long)d->requests_last);
	else if (d->rises_max >= SIGNAL_RISES ||
		(requests > 0 && (double)misses / (double)requests > limit))
		check_answer_set(out, a, CHECK_REFUTED,
			"the compilation cache goes on missing: %lld more misses in %lld requests",
			(long long)misses, (long long)requests);
	else if (misses == 0 && requests >= RUNTIME_CHECK_REQUESTS_MIN)
		check_answer_set(out, a, CHECK_CONFIRMED,
			"the compilation cache missed none of the last %lld requests",
			(long long)requests);
	else
		check_answer_set(out, a, CHECK_UNKNOWN,
			"the compilation cache missed %lld of the last %lld requests",
			(long long)misses, (long long)requests);
}

void runtime_check_compile(struct check_answer *out, const struct check_source *sources, size_t n,
	struct arena *a)
{
	static const struct run_signal_options none = { 0 };
	struct run_signal signals[RUN_SIGNALS];

	run_signals(signals, a, sets_of(sources, n, a), n, &none);
	from_signal(out, &signals[SIGNAL_RECOMPILATION], sources, n, a);
	for (size_t i = 0; i < n; i++) {
		struct dumps d = dumps_of(sources[i].facts);
		struct check_answer part = { .check = out->check };

		if (!d.n)
			continue;
		judge_dumps(&part, &d, a);
		check_answer_fact(&part, sources, n, d.first);
		check_answer_fact(&part, sources, n, d.last);
		check_answer_join(out, &part, a);
	}
}

/* ---- config ---- */

enum { CHIPS_MAX = 1024 };

static bool is_own(const struct runtime_claim *claim, int64_t pid)
{
	for (size_t i = 0; i < claim->pids_n; i++)
		if (claim->pids[i] == pid)
			return true;
	return false;
}

void runtime_check_chips(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct runtime_claim *claim, struct arena *a)
{
	bool held[CHIPS_MAX] = { false };
	int64_t chips = 0;

	for (size_t i = 0; i < n; i++)
		for (const struct evidence_fact *f = NULL;
			(f = evidence_facts_next(sources[i].facts, f, FACT_TPU_HOLDER, NULL));) {
			int number = tpu_chip_number(f->key);

			if (number < 0 || number >= CHIPS_MAX || held[number] || !f->is_integer ||
				!is_own(claim, f->integer))
				continue;
			held[number] = true;
			chips++;
			check_answer_fact(out, sources, n, f);
		}
	if (!chips)
		return;
	if (!claim->chips)
		check_answer_set(out, a, CHECK_UNKNOWN,
			"the run held %lld chip%s; the target does not say how many it has",
			(long long)chips, chips == 1 ? "" : "s");
	else if (chips != claim->chips)
		check_answer_set(out, a, CHECK_REFUTED,
			"the run held %lld chip%s, and %lld are declared", (long long)chips,
			chips == 1 ? "" : "s", (long long)claim->chips);
	else
		check_answer_set(out, a, CHECK_CONFIRMED, "the run held %lld chip%s, as declared",
			(long long)chips, chips == 1 ? "" : "s");
}

/* ---- dtype ---- */

void runtime_check_autocast(struct check_answer *out, const struct check_source *sources,
	size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		const struct evidence_fact *f =
			evidence_facts_next(sources[i].facts, NULL, FACT_AUTOCAST_OFF, NULL);

		if (!f)
			continue;
		check_answer_set(out, a, CHECK_REFUTED,
			"mixed precision was asked for and is off: \"%.160s\"", f->text);
		check_answer_fact(out, sources, n, f);
		return;
	}
}
