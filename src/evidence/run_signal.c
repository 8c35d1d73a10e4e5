/* run_signal - counters of a run against their limits; see run_signal.h. */
#include "config.h"

#include "evidence/run_signal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evidence/xla_metrics.h"

#define NO_LIMIT __builtin_nan("")
#define BLOCKS_SHARE 0.5	/* of blocks: what a healthy run prints once or twice */

const struct run_signal_rule run_signal_rules[RUN_SIGNALS] = {
	[SIGNAL_RECOMPILATION] = { "recompilation", "Do compilations stop after the warm-up?", "C4",
		0.02, 0.1 },
	[SIGNAL_HOST_READS] = { "host-reads", "Does the host read values only to log them?", "C4",
		0.1, 0.5 },
	[SIGNAL_DYNAMIC_SHAPE] = { "dynamic-shape", "Are all shapes static?", "C4", 0, 0.5 },
	[SIGNAL_CPU_FALLBACK] = { "cpu-fallback", "Does every operator run on the device?", "C5",
		NO_LIMIT, NO_LIMIT },
	[SIGNAL_GRAPH_GROWTH] = { "graph-growth", "Does the graph keep its size?", "C4", 1.1,
		NO_LIMIT },
	[SIGNAL_TENSOR_LEAK] = { "tensor-leak", "Are as many tensors destroyed as created?", "C4",
		NO_LIMIT, NO_LIMIT },
	[SIGNAL_EXECUTION] = { "execution", "Did anything run on the device?", "C2", NO_LIMIT,
		NO_LIMIT },
};

/* ---- reports of one file ---- */

struct report {
	const struct evidence_fact *first, *end;	/* its facts stand together */
	int64_t segment;
};

/* One stretch without a reset. */
struct stretch {
	const struct report *reports;
	size_t n;
	bool complete;		/* what the last report does not name is zero */
};

struct work {
	struct run_signal *out;
	struct arena *arena;
	const struct run_signal_options *options;
	struct report reports[XLA_REPORTS_KEPT];
};

static size_t find_reports(struct report *out, const struct evidence_facts *facts)
{
	size_t n = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct evidence_fact *f = &facts->rows[i];

		if (f->name == FACT_XLA_SEGMENT && n < XLA_REPORTS_KEPT)
			out[n++] = (struct report){ f, f + 1, f->integer };
		else if (n && f->group == (int32_t)out[n - 1].first->group)
			out[n - 1].end = f + 1;
	}
	return n;
}

static const struct evidence_fact *find(
	const struct report *r, enum evidence_fact_name name, const char *key)
{
	for (const struct evidence_fact *f = r->first; f < r->end; f++)
		if (f->name == name && f->is_number && strcmp(f->key, key) == 0)
			return f;
	return NULL;
}

static double counter(const struct report *r, const char *key, const struct evidence_fact **fact)
{
	const struct evidence_fact *f = find(r, FACT_XLA_COUNTER, key);

	if (fact)
		*fact = f;
	return f ? f->number : 0;
}

static double samples(const struct report *r, const char *key, const struct evidence_fact **fact)
{
	const struct evidence_fact *f = find(r, FACT_XLA_SAMPLES, key);

	if (fact)
		*fact = f;
	return f ? f->number : 0;
}

static const struct report *last(const struct stretch *s)
{
	return &s->reports[s->n - 1];
}

static double steps_of(const struct report *r)
{
	return counter(r, "MarkStep", NULL);
}

/* The first report behind the warm-up, if it is not the last one. */
static size_t behind_warm_up(const struct stretch *s)
{
	size_t i = 0;

	while (i + 1 < s->n && steps_of(&s->reports[i]) < SIGNAL_WARM_UP_STEPS)
		i++;
	return i;
}

typedef double value_fn(const struct report *r);

/* Does VALUE rise in so many reports in a row? */
static bool keeps_rising(const struct stretch *s, size_t from, value_fn *value)
{
	int rises = 0;

	for (size_t i = from + 1; i < s->n && rises < SIGNAL_RISES; i++)
		rises = value(&s->reports[i]) > value(&s->reports[i - 1]) ? rises + 1 : 0;
	return rises >= SIGNAL_RISES;
}

/* ---- answers ---- */

static void use(struct run_signal *s, const struct evidence_fact *f)
{
	if (f && s->facts_n < SIGNAL_FACTS_MAX)
		s->facts[s->facts_n++] = f;
}

static int severity(enum check_result r)
{
	switch (r) {
	case CHECK_REFUTED:
		return 3;
	case CHECK_UNKNOWN:
		return 2;
	case CHECK_CONFIRMED:
		return 1;
	case CHECK_NOT_CHECKED:
	case CHECK_NOT_APPLICABLE:
		break;
	}
	return 0;
}

/* The worse of two answers stays; of equal ones the first. */
static void answer(struct work *w, enum run_signal_id id, const struct run_signal *s)
{
	if (severity(s->result) <= severity(w->out[id].result))
		return;
	w->out[id] = *s;
	w->out[id].rule = &run_signal_rules[id];
}

static void set_value(struct run_signal *s, double value)
{
	s->has_value = isfinite(value);
	s->value = s->has_value ? value : 0;
}

/* ---- recompilation ---- */

static double compiles_of(const struct report *r)
{
	const struct evidence_fact *f = find(r, FACT_XLA_COUNTER, "UncachedCompile");

	/* A short report has no such counter. */
	return f ? f->number : samples(r, "CompileTime", NULL);
}

static void use_compiles(struct run_signal *s, const struct report *r)
{
	const struct evidence_fact *f = find(r, FACT_XLA_COUNTER, "UncachedCompile");

	use(s, f ? f : find(r, FACT_XLA_SAMPLES, "CompileTime"));
	use(s, find(r, FACT_XLA_COUNTER, "MarkStep"));
}

/* By the difference of two reports behind the warm-up. */
static void recompiled_between(
	struct work *w, struct run_signal *s, const struct stretch *x, size_t from)
{
	const struct run_signal_rule *rule = &run_signal_rules[SIGNAL_RECOMPILATION];
	const struct report *a = &x->reports[from], *b = last(x);
	double compiles = compiles_of(b) - compiles_of(a), steps = steps_of(b) - steps_of(a);

	use_compiles(s, a);
	use_compiles(s, b);
	set_value(s, steps > 0 ? compiles / steps : NAN);
	s->text = arena_printf(
		w->arena, "%.0f compilations in %.0f steps behind the warm-up", compiles, steps);
	s->result = CHECK_UNKNOWN;
	if (keeps_rising(x, from, compiles_of) || (s->has_value && s->value > rule->bad))
		s->result = CHECK_REFUTED;
	else if (steps >= SIGNAL_STEPS_MIN && compiles <= 0)
		s->result = CHECK_CONFIRMED;
}

/* By one report: the warm-up has had some of the compilations, at most one a step. */
static void recompiled_by_one(struct work *w, struct run_signal *s, const struct report *r)
{
	const struct run_signal_rule *rule = &run_signal_rules[SIGNAL_RECOMPILATION];
	double compiles = compiles_of(r), steps = steps_of(r),
	       behind = steps - SIGNAL_WARM_UP_STEPS;

	use_compiles(s, r);
	set_value(s, compiles / steps);
	s->text = arena_printf(w->arena, "%.0f compilations in %.0f steps, the warm-up among them",
		compiles, steps);
	s->result = CHECK_UNKNOWN;
	if (behind < SIGNAL_STEPS_MIN)
		return;
	if ((compiles - SIGNAL_WARM_UP_STEPS) / behind > rule->bad)
		s->result = CHECK_REFUTED;
	else if (compiles / behind < rule->healthy)
		s->result = CHECK_CONFIRMED;
}

static void recompilation(struct work *w, const struct stretch *x)
{
	struct run_signal s = { .reports = x->n };
	size_t from = behind_warm_up(x);

	if (steps_of(last(x)) <= 0) {
		s.result = CHECK_UNKNOWN;
		s.text = "no step was counted";
	} else if (from + 1 < x->n) {
		recompiled_between(w, &s, x, from);
	} else {
		recompiled_by_one(w, &s, last(x));
	}
	answer(w, SIGNAL_RECOMPILATION, &s);
}

/* ---- host reads, dynamic shapes ---- */

static void host_reads(struct work *w, const struct stretch *x)
{
	const struct run_signal_rule *rule = &run_signal_rules[SIGNAL_HOST_READS];
	const struct evidence_fact *scalars, *transfers;
	double steps = steps_of(last(x)),
	       a = counter(last(x), "aten::_local_scalar_dense", &scalars);
	double b = samples(last(x), "TransferFromDeviceTime", &transfers);
	double logging = w->options->logging_steps;
	double healthy = logging > 0 ? 1 / logging : rule->healthy;
	struct run_signal s = { .result = CHECK_UNKNOWN, .reports = x->n };

	use(&s, scalars);
	use(&s, transfers);
	use(&s, find(last(x), FACT_XLA_COUNTER, "MarkStep"));
	s.text = arena_printf(w->arena, "%.0f reads by the host in %.0f steps", fmax(a, b), steps);
	if (steps >= SIGNAL_HOST_STEPS_MIN) {
		set_value(&s, fmax(a, b) / steps);
		if (s.value >= rule->bad)
			s.result = CHECK_REFUTED;
		else if (x->complete && s.value <= healthy)
			s.result = CHECK_CONFIRMED;
	}
	answer(w, SIGNAL_HOST_READS, &s);
}

static void dynamic_shape(struct work *w, const struct stretch *x)
{
	static const char *const masked[] = { "xla::nonzero", "xla::masked_select",
		"xla::_unique2" };
	const struct evidence_fact *f;
	double steps = steps_of(last(x)), nonzero = counter(last(x), "aten::nonzero", &f),
	       others = 0;
	struct run_signal s = { .result = CHECK_UNKNOWN, .reports = x->n };

	use(&s, f);
	for (size_t i = 0; i < ARRAY_LEN(masked); i++) {
		others += counter(last(x), masked[i], &f);
		use(&s, f);
	}
	use(&s, find(last(x), FACT_XLA_COUNTER, "MarkStep"));
	s.text = arena_printf(w->arena,
		"%.0f times nonzero on the CPU, %.0f other masked operators, in %.0f steps",
		nonzero, others, steps);
	if (steps > 0)
		set_value(&s, nonzero / steps);
	if (steps >= SIGNAL_STEPS_MIN && s.value >= run_signal_rules[SIGNAL_DYNAMIC_SHAPE].bad)
		s.result = CHECK_REFUTED;
	else if (x->complete && nonzero + others <= 0)
		s.result = CHECK_CONFIRMED;
	answer(w, SIGNAL_DYNAMIC_SHAPE, &s);
}

/* ---- fallback ---- */

bool run_signal_is_fallback(const char *op)
{
	if (text_starts(op, "aten::"))
		op += strlen("aten::");
	return strcmp(op, "_local_scalar_dense") != 0 && strcmp(op, "nonzero") != 0;
}

static void fallback(struct work *w, const struct stretch *x)
{
	struct run_signal s = { .reports = x->n };
	size_t ops = 0;

	for (const struct evidence_fact *f = last(x)->first; f < last(x)->end; f++)
		if (f->name == FACT_XLA_COUNTER && f->is_number && f->number >= 1 &&
			text_starts(f->key, "aten::") && run_signal_is_fallback(f->key)) {
			ops++;
			use(&s, f);
		}
	s.result = ops ? CHECK_REFUTED : x->complete ? CHECK_CONFIRMED : CHECK_UNKNOWN;
	s.text = ops ? arena_printf(w->arena, "%zu operators ran on the CPU, %s first", ops,
			       s.facts[0]->key)
		: x->complete ? "no operator ran on the CPU"
			      : "the report is cut off";
	answer(w, SIGNAL_CPU_FALLBACK, &s);
}

/* Lines that name an operator on the CPU; their absence says nothing. */
static void fallback_lines(struct work *w, const struct evidence_facts *facts)
{
	static const enum evidence_fact_name names[] = { FACT_PROFILER_NOT_LOWERED,
		FACT_PROFILER_UNLOWERED, FACT_TORCHTPU_FALLBACK };
	struct run_signal s = { .result = CHECK_REFUTED };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const struct evidence_fact *f = NULL;

		while ((f = evidence_facts_next(facts, f, names[i], NULL)))
			if (run_signal_is_fallback(f->key))
				use(&s, f);
	}
	if (!s.facts_n)
		return;
	s.text = arena_printf(w->arena, "%s ran on the CPU", s.facts[0]->key);
	answer(w, SIGNAL_CPU_FALLBACK, &s);
}

/* ---- growth ---- */

/* There is a report, and it does not speak of this. */
static void lacks(struct work *w, enum run_signal_id id, const char *text)
{
	if (w->out[id].result == CHECK_NOT_CHECKED)
		w->out[id].text = text;
}

static double graph_size(const struct report *r)
{
	const struct evidence_fact *f = find(r, FACT_XLA_VALUE_PERCENTILE, "TensorsGraphSize 50%");

	return f ? f->number : 0;
}

static void graph_growth(struct work *w, const struct stretch *x)
{
	size_t from = behind_warm_up(x);
	double a = graph_size(&x->reports[from]), b = graph_size(last(x));
	struct run_signal s = { .result = CHECK_UNKNOWN, .reports = x->n };

	if (a <= 0 || b <= 0) {
		lacks(w, SIGNAL_GRAPH_GROWTH, "the metrics reports name no TensorsGraphSize");
		return;
	}
	use(&s, find(&x->reports[from], FACT_XLA_VALUE_PERCENTILE, "TensorsGraphSize 50%"));
	if (from + 1 < x->n) {
		use(&s, find(last(x), FACT_XLA_VALUE_PERCENTILE, "TensorsGraphSize 50%"));
		set_value(&s, b / a);
		if (keeps_rising(x, from, graph_size))
			s.result = CHECK_REFUTED;
		else if (s.value <= run_signal_rules[SIGNAL_GRAPH_GROWTH].healthy)
			s.result = CHECK_CONFIRMED;
		s.text = arena_printf(w->arena, "median size of the graph %.0f, then %.0f", a, b);
	} else {
		s.text = "one report shows no growth";
	}
	answer(w, SIGNAL_GRAPH_GROWTH, &s);
}

static double live_tensors(const struct report *r)
{
	return counter(r, "CreateXlaTensor", NULL) - counter(r, "DestroyXlaTensor", NULL);
}

static void tensor_leak(struct work *w, const struct stretch *x)
{
	size_t from = behind_warm_up(x);
	double a = live_tensors(&x->reports[from]), b = live_tensors(last(x));
	struct run_signal s = { .result = CHECK_UNKNOWN, .reports = x->n };

	if (!find(last(x), FACT_XLA_COUNTER, "CreateXlaTensor")) {
		lacks(w, SIGNAL_TENSOR_LEAK, "the metrics reports name no CreateXlaTensor");
		return;
	}
	use(&s, find(last(x), FACT_XLA_COUNTER, "CreateXlaTensor"));
	use(&s, find(last(x), FACT_XLA_COUNTER, "DestroyXlaTensor"));
	if (from + 1 < x->n) {
		set_value(&s, a > 0 ? b / a : NAN);
		if (keeps_rising(x, from, live_tensors))
			s.result = CHECK_REFUTED;
		else if (b <= a)
			s.result = CHECK_CONFIRMED;
		s.text = arena_printf(w->arena, "%.0f tensors live, then %.0f", a, b);
	} else {
		s.text = "one report shows no growth";
	}
	answer(w, SIGNAL_TENSOR_LEAK, &s);
}

/* ---- execution ---- */

static void execution(struct work *w, const struct stretch *x)
{
	static const char *const metrics[] = { "ExecuteTime", "ExecuteReplicatedTime",
		"EagerOpExecuteTime" };
	struct run_signal s = { .result = CHECK_REFUTED, .reports = x->n };
	double n = 0;

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
		const struct evidence_fact *f;

		n += samples(last(x), metrics[i], &f);
		use(&s, f);
	}
	if (n > 0)
		s.result = CHECK_CONFIRMED;
	else if (!x->complete || samples(last(x), "CompileTime", NULL) > 0)
		s.result = CHECK_UNKNOWN;
	s.text = n > 0 ? arena_printf(w->arena, "%.0f executions", n) : "no execution was counted";
	answer(w, SIGNAL_EXECUTION, &s);
}

static void nothing_reported(struct work *w, const struct evidence_facts *facts)
{
	struct run_signal s = { .result = CHECK_REFUTED };

	if (facts->health.truncated || facts->health.malformed || facts->health.dropped) {
		s.result = CHECK_UNKNOWN;
		s.text = "no report could be read";
	} else {
		s.text = "the report is empty: nothing ran on the device";
	}
	use(&s, evidence_facts_last(facts, FACT_XLA_REPORTS, NULL));
	answer(w, SIGNAL_EXECUTION, &s);
}

/* ---- lines of the profiler ---- */

/* "N counts during M steps" is printed above 0.5 a step alone. */
static void profiler_line(struct work *w, enum run_signal_id id, const struct evidence_facts *facts,
	const char *metric, double steps_min)
{
	const struct evidence_fact *n = evidence_facts_last(facts, FACT_PROFILER_COUNTS, metric);
	const struct evidence_fact *m = evidence_facts_last(facts, FACT_PROFILER_STEPS, metric);
	struct run_signal s = { .result = CHECK_UNKNOWN };

	if (!n || !m || m->number <= 0)
		return;
	use(&s, n);
	use(&s, m);
	set_value(&s, n->number / m->number);
	if (m->number >= steps_min && s.value > 0.5)
		s.result = CHECK_REFUTED;
	s.text =
		arena_printf(w->arena, "%s %.0f times in %.0f steps", metric, n->number, m->number);
	answer(w, id, &s);
}

/* ---- analysis blocks ---- */

/* What torch_xla says of why it compiled and executed.  Blocks are a lower bound, see
 * evidence/xla_debug.h: those that are there refute, and their absence leaves it open
 * unless enough executions stand behind the last compilation. */
struct blocks {
	const struct evidence_fact *compilations, *executions, *host_reads;
	double all, unexpected;		/* UNEXPECTED: compilations that a host read caused */
};

static struct blocks blocks_of(const struct evidence_facts *facts)
{
	struct blocks b = {
		.compilations = evidence_facts_last(facts, FACT_XLA_COMPILATIONS, NULL),
		.executions = evidence_facts_last(facts, FACT_XLA_EXECUTIONS, NULL),
		.host_reads = evidence_facts_last(facts, FACT_XLA_HOST_READS, NULL) };

	if (b.compilations && b.executions)
		b.all = b.compilations->number + b.executions->number;
	for (const struct evidence_fact *f = NULL;
		(f = evidence_facts_next(facts, f, FACT_XLA_CAUSE, NULL));)
		if (text_starts(f->key, "Compilation: ") && strcmp(f->text, "unexpected") == 0)
			b.unexpected += f->number;
	return b;
}

static void blocks_compile(struct work *w, const struct blocks *b)
{
	const struct run_signal_rule *rule = &run_signal_rules[SIGNAL_RECOMPILATION];
	double compiles = b->compilations->number, executes = b->executions->number;
	double behind = executes - SIGNAL_WARM_UP_STEPS;
	struct run_signal s = { .result = CHECK_UNKNOWN };

	use(&s, b->compilations);
	use(&s, b->executions);
	set_value(&s, executes > 0 ? compiles / executes : NAN);
	s.text = arena_printf(w->arena,
		"%.0f compilations beside %.0f executions, %.0f for values that the host read",
		compiles, executes, b->unexpected);
	if (b->unexpected >= SIGNAL_RISES && s.has_value && s.value > BLOCKS_SHARE)
		s.result = CHECK_REFUTED;
	else if (behind >= SIGNAL_STEPS_MIN &&
		(compiles - SIGNAL_WARM_UP_STEPS) / behind > rule->bad)
		s.result = CHECK_REFUTED;
	else if (behind >= SIGNAL_STEPS_MIN && compiles / behind < rule->healthy)
		s.result = CHECK_CONFIRMED;
	answer(w, SIGNAL_RECOMPILATION, &s);
}

static void blocks_host_reads(struct work *w, const struct blocks *b)
{
	double reads = b->host_reads ? b->host_reads->number : 0;
	struct run_signal s = { .result = CHECK_UNKNOWN };

	use(&s, b->host_reads);
	set_value(&s, reads / b->all);
	s.text = arena_printf(w->arena,
		"%.0f of %.0f compilations and executions are for a value that the host read",
		reads, b->all);
	if (s.value >= BLOCKS_SHARE)
		s.result = CHECK_REFUTED;
	else if (reads <= 0 && b->executions->number >= SIGNAL_HOST_STEPS_MIN)
		s.result = CHECK_CONFIRMED;
	answer(w, SIGNAL_HOST_READS, &s);
}

static void from_blocks(struct work *w, const struct evidence_facts *facts)
{
	struct blocks b = blocks_of(facts);

	if (b.all <= 0)
		return;
	blocks_compile(w, &b);
	blocks_host_reads(w, &b);
}

static void from_metrics(struct work *w, const struct evidence_facts *facts)
{
	size_t n = find_reports(w->reports, facts);

	if (n == 0)
		nothing_reported(w, facts);
	for (size_t i = 0, end; i < n; i = end) {
		struct stretch x;

		for (end = i; end < n && w->reports[end].segment == w->reports[i].segment; end++)
			;
		x = (struct stretch){ &w->reports[i], end - i,
			end < n || (!facts->health.truncated && !facts->health.dropped) };
		recompilation(w, &x);
		host_reads(w, &x);
		dynamic_shape(w, &x);
		fallback(w, &x);
		graph_growth(w, &x);
		tensor_leak(w, &x);
		execution(w, &x);
	}
}

void run_signals(struct run_signal out[RUN_SIGNALS], struct arena *a,
	const struct evidence_facts *const *sets, size_t n,
	const struct run_signal_options *options)
{
	struct work w = { .out = out, .arena = a, .options = options };

	for (int i = 0; i < RUN_SIGNALS; i++)
		out[i] = (struct run_signal){ .rule = &run_signal_rules[i],
			.result = CHECK_NOT_CHECKED, .text = "no metrics report of this run" };
	for (size_t i = 0; i < n; i++) {
		if (evidence_facts_last(sets[i], FACT_XLA_REPORTS, NULL))
			from_metrics(&w, sets[i]);
		profiler_line(&w, SIGNAL_RECOMPILATION, sets[i], "CompileTime",
			SIGNAL_WARM_UP_STEPS + 1);
		profiler_line(&w, SIGNAL_HOST_READS, sets[i], "TransferFromDeviceTime",
			SIGNAL_HOST_STEPS_MIN);
		fallback_lines(&w, sets[i]);
		from_blocks(&w, sets[i]);
	}
}
