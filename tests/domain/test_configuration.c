/* test_configuration - portside.conf: values, all mistakes at once, and what was loosened. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "domain/configuration.h"

struct line { const char *section, *name, *key, *value; };

static const struct line example[] = {
	{ "migration", "", "name", "MELoRA" },
	{ "migration", "", "experiment", "RoBERTa-base on MRPC" },
	{ "migration", "", "intended", "v5e-4" },
	{ "migration", "", "reference", "gpu-l4" },
	{ "goal", "accuracy", "form", "threshold" },
	{ "goal", "accuracy", "direction", "higher" },
	{ "goal", "accuracy", "unit", "pp" },
	{ "goal", "accuracy", "scale", "100" },
	{ "goal", "accuracy", "series", "eval_accuracy" },
	{ "goal", "accuracy", "target", "90.93" },
	{ "goal", "accuracy", "margin", "1.0" },
	{ "goal", "accuracy", "examples", "408" },
	{ "target", "gpu-l4", "kind", "gpu" },
	{ "target", "gpu-l4", "launcher", "local" },
	{ "target", "gpu-l4", "price", "0.8536 USD/hour" },
	{ "target", "gpu-l4", "backend", "cuda" },
	{ "target", "v5e-4", "kind", "tpu" },
	{ "target", "v5e-4", "chips", "4" },
	{ "target", "v5e-4", "price", "1.20 USD/chip-hour" },
	{ "run", "smoke", "command", "python train.py --max_steps 50" },
	{ "run", "smoke", "steps", "50" },
	{ "run", "smoke", "done", "Training completed" },
	{ "run", "smoke", "limit", "15m" },
	{ "run", "full", "command", "python train.py" },
	{ "run", "full", "artifact", "out/trainer_state.json" },
	{ "run", "full", "limit", "4h" },
	{ "run", "full", "budget", "20.00 USD" },
	{ "run", "full", "link", "data" },
	{ "run", "full", "link", "models" },
	{ "run", "full", "pass", "HF_HOME" },
	{ "run", "full", "environment", "TOKENIZERS_PARALLELISM=false" },
	{ "rule", "R1", "when", "attempts >= 10 and best_level < L0" },
	{ "rule", "R1", "action", "stop" },
	{ "rule", "R1", "class", "budget" },
	{ "rule", "R4", "when", "smoke_gap.accuracy worse than 5.0" },
	{ "rule", "R4", "precondition", "comparable-inputs" },
	{ "rule", "R4", "action", "decision" },
	{ "rule", "R4", "class", "correctness" },
};

static int read_lines(struct config *c, const struct line *lines, size_t n)
{
	struct conf conf = CONF_INIT;
	int rc;

	conf.path = "portside.conf";
	for (size_t i = 0; i < n; i++)
		conf_add(&conf, lines[i].section, lines[i].name, lines[i].key, lines[i].value,
			(int)i + 1);
	rc = config_read(c, &conf);
	conf_release(&conf);
	return rc;
}

/* The example with one value changed; NULL leaves the line out. */
static int read_changed(
	struct config *c, const char *section, const char *name, const char *key, const char *value)
{
	struct line lines[ARRAY_LEN(example) + 1];
	size_t n = 0;
	bool found = false;

	for (size_t i = 0; i < ARRAY_LEN(example); i++) {
		bool same = strcmp(example[i].section, section) == 0 &&
			    strcmp(example[i].name, name) == 0 && strcmp(example[i].key, key) == 0;

		found = found || same;
		if (same && !value)
			continue;
		lines[n] = example[i];
		if (same)
			lines[n].value = value;
		n++;
	}
	if (!found)
		lines[n++] = (struct line){ section, name, key, value };
	return read_lines(c, lines, n);
}

static void the_example_reads(void **state)
{
	struct config c;
	const struct config_goal *g;
	const struct config_run *full;

	(void)state;
	assert_int_equal(read_lines(&c, example, ARRAY_LEN(example)), 0);
	assert_int_equal(c.errors_n, 0);
	assert_string_equal(c.migration.original, "original");
	g = config_goal_find(&c, "accuracy");
	assert_string_equal(g->metric, "accuracy");
	assert_int_equal(g->test.form, FORM_THRESHOLD);
	assert_true(g->test.target == 90.93 && g->test.margin == 1.0 && g->tolerance == 1.0 &&
		    g->scale == 100);
	assert_int_equal(g->examples, 408);
	assert_int_equal(g->at, AT_LAST);
	assert_int_equal(config_target_find(&c, "v5e-4")->chips, 4);
	assert_int_equal(config_target_find(&c, "gpu-l4")->chips, 1);
	assert_int_equal(config_target_find(&c, "gpu-l4")->price.nano_usd_hour, 853600000);
	assert_string_equal(config_target_find(&c, "gpu-l4")->backend, "cuda");
	assert_int_equal(config_target_find(&c, "gpu-l4")->launcher, LAUNCHER_LOCAL);
	assert_int_equal(config_target_find(&c, "v5e-4")->launcher, LAUNCHER_LOCAL);
	full = config_run_find(&c, RUN_KIND_FULL);
	assert_int_equal(full->limit_ns, 4 * 3600 * NS_PER_S);
	assert_int_equal(full->budget_nano_usd, 20 * NANO_USD);
	assert_int_equal(full->links_n, 2);
	assert_string_equal(full->links[1], "models");
	assert_string_equal(full->pass[0], "HF_HOME");
	assert_int_equal(c.rules_n, 2);
	assert_false(c.default_rules);
	config_release(&c);
}

static void defaults_come_without_rules(void **state)
{
	struct config c;

	(void)state;
	assert_int_equal(read_lines(&c, example, 31), 0);
	assert_true(c.default_rules);
	assert_int_equal(c.rules_n, 4);
	assert_string_equal(c.rules[2].when, "smoke_gap.accuracy worse than 5.0");
	config_release(&c);
}

static void all_mistakes_are_found_at_once(void **state)
{
	static const struct line lines[] = {
		{ "migration", "", "name", "x" },
		{ "migration", "", "colour", "red" },
		{ "server", "", "port", "1" },
		{ "goal", "accuracy", "margin", "a lot" },
		{ "target", "t", "kind", "quantum" },
		{ "run", "smoke", "limit", "15" },
		{ "run", "smoke", "budget", "20.00" },
		{ "run", "tiny", "steps", "1" },
		{ "run", "smoke", "artifact", "../out" },
		{ "run", "smoke", "environment", "PORTSIDE_SEED=1" },
		{ "rule", "R9", "when", "attemps >= 3" },
		{ "include", "", "path", "other" },
		{ "migration", "", "intended", "nowhere" },
		{ "run", "smoke", "limit", "20m" },
		{ "difference", "colour", "reason", "blue is nicer" },
		{ "curve", "loss", "relative-tolerance", "-0.1" },
		{ "target", "t", "launcher", "slurm" },
		{ "target", "t", "zone", "us-west4-a" },
		{ "l3", "", "strict", "true" },
		{ "migration", "", "human-rate", "60 USD/chip-hour" },
	};
	static const char *const wanted[] = {
		"portside.conf:2: migration.colour: not a key of [migration]; allowed: name, "
		"original",
		"portside.conf:3: server.port: not a section; allowed: migration, goal, target, "
		"run, curve, pattern, signature, difference, package, level, rule",
		"portside.conf:4: goal.accuracy.margin: \"a lot\" is not a number",
		"portside.conf:4: goal.accuracy.series: is missing",
		"portside.conf:5: target.t.kind: \"quantum\" is not a target kind; allowed: gpu, "
		"tpu, cpu",
		"portside.conf:6: run.smoke.limit: \"15\" is not a duration: 90s, 15m, 4h",
		"portside.conf:7: run.smoke.budget: \"20.00\" is not an amount: 20.00 USD",
		"portside.conf:8: run.tiny.steps: not a run; allowed: [run \"smoke\"], [run "
		"\"full\"]",
		"portside.conf:9: run.smoke.artifact: \"../out\" is not a path inside the work "
		"tree",
		"portside.conf:10: run.smoke.environment: \"PORTSIDE_SEED=1\" is not NAME=VALUE",
		"portside.conf:11: rule.R9.when: column 1: \"attemps\" is not a feature",
		"portside.conf:12: include.path: includes are not read",
		"portside.conf:13: migration.intended: there is no [target \"nowhere\"]; "
		"targets: t",
		"portside.conf:14: run.smoke.limit: given twice",
		"portside.conf:6: run.smoke.command: is missing",
		"portside.conf:15: difference.colour.reason: not an input of a run; allowed: "
		"device, packages, environment, data",
		"portside.conf:16: curve.loss: relative-tolerance is below 0",
		"portside.conf:16: curve.loss.series: is missing",
		"portside.conf:17: target.t.launcher: \"slurm\" is not a launcher; allowed: local",
		"portside.conf:19: l3.strict: not a section; allowed: migration, goal",
		"portside.conf:1: migration.human-rate: people's time is priced in USD/hour",
		"portside.conf:18: target.t.zone: not a key of [target]; allowed: kind, "
		"simulates, chips",
	};
	struct config c;

	(void)state;
	assert_int_equal(read_lines(&c, lines, ARRAY_LEN(lines)), ERR_PARSE);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		bool found = false;

		for (size_t k = 0; k < c.errors_n; k++)
			found = found ||
				strncmp(c.errors[k].text, wanted[i], strlen(wanted[i])) == 0;
		if (!found)
			fail_msg("missing: %s", wanted[i]);
	}
	for (size_t k = 1; k < c.errors_n; k++)
		assert_true(c.errors[k - 1].line <= c.errors[k].line);
	/* Not the default in place of what is not known. */
	assert_int_equal(config_target_find(&c, "t")->launcher, LAUNCHER_NONE);
	config_release(&c);
}

static void rules_name_goals_of_the_file(void **state)
{
	struct config c;

	(void)state;
	assert_int_equal(read_changed(&c, "rule", "R4", "when", "smoke_gap.speed worse than 5.0"),
		ERR_PARSE);
	assert_non_null(strstr(err_text(), "\"smoke_gap.speed\" names no goal of this file"));
	config_release(&c);
	assert_int_equal(read_changed(&c, "rule", "R1", "when", "best_level < L9"), ERR_PARSE);
	assert_non_null(strstr(err_text(), "compared with none, L0, L2, L3 or L4"));
	config_release(&c);
}

static void loosening_is_marked(void **state)
{
	static const struct {
		const char *section, *name, *key, *value;
		bool loosened;
	} rows[] = {
		{ "goal", "accuracy", "margin", "2.0", true },
		{ "goal", "accuracy", "margin", "0.5", false },
		{ "goal", "accuracy", "target", "88", true },
		{ "goal", "accuracy", "target", "92", false },
		{ "goal", "accuracy", "target", NULL, true },
		{ "goal", "accuracy", "direction", "lower", true },
		{ "goal", "accuracy", "examples", "500", false },
		{ "run", "full", "limit", "8h", true },
		{ "run", "full", "limit", NULL, true },
		{ "run", "full", "limit", "1h", false },
		{ "run", "full", "budget", "50.00 USD", true },
		{ "run", "smoke", "done", NULL, true },
		{ "run", "smoke", "steps", "10", true },
		{ "run", "smoke", "steps", "80", false },
		{ "rule", "R1", "when", "attempts >= 20 and best_level < L0", true },
		{ "rule", "R1", "when", "attempts >= 5 and best_level < L0", false },
		{ "rule", "R1", "when", "agent_hours >= 1", true },
		{ "rule", "R1", "action", "decision", true },
		{ "rule", "R4", "precondition", NULL, false },
		{ "migration", "", "intended", "gpu-l4", true },
		{ "target", "v5e-4", "chips", "1", true },
		{ "target", "v5e-4", "topology", "2x2", false },
		{ "target", "gpu-l4", "backend", "rocm", false },
		{ "migration", "", "human-rate", "60 USD/hour", false },
	};
	struct config old;

	(void)state;
	assert_int_equal(read_lines(&old, example, ARRAY_LEN(example)), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct arena a = ARENA_INIT;
		struct config new;
		struct accepted_differences d;

		assert_int_equal(read_changed(&new, rows[i].section, rows[i].name, rows[i].key,
					 rows[i].value),
			0);
		d = config_differences(&a, &old, &new);
		if (d.n < 1 || (d.loosened > 0) != rows[i].loosened)
			fail_msg("%s.%s = %s: %zu differences, %zu loosened", rows[i].section,
				rows[i].key, rows[i].value ? rows[i].value : "(none)", d.n,
				d.loosened);
		config_release(&new);
		arena_release(&a);
	}
	config_release(&old);
}

static void differences_are_sentences(void **state)
{
	struct arena a = ARENA_INIT;
	struct config old, new;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&old, example, ARRAY_LEN(example)), 0);
	assert_int_equal(read_changed(&new, "goal", "accuracy", "margin", "2.5"), 0);
	d = config_differences(&a, &old, &new);
	assert_int_equal(d.n, 2);
	assert_string_equal(d.list[0].text, "goal.accuracy.margin: 1 -> 2.5");
	assert_string_equal(d.list[1].text, "goal.accuracy.tolerance: 1 -> 2.5");
	d = config_differences(&a, &old, &old);
	assert_int_equal(d.n, 0);
	d = config_differences(&a, NULL, &new);
	assert_int_equal(d.n, 7);
	assert_int_equal(d.loosened, 0);
	config_release(&new);
	config_release(&old);
	arena_release(&a);
}

/* What allows more than nobody's default demands less than before; so does every
 * declared difference. */
static void curves_and_differences(void **state)
{
	static const struct line more[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "curve", "loss", "series", "*loss*" },
		{ "curve", "loss", "direction", "lower" },
		{ "curve", "loss", "tolerance", "0.01" },
		{ "difference", "batch", "reason", "4 chips x 32" },
		{ "curve", "loss", "relative-tolerance", "0.05" },
	};
	struct arena a = ARENA_INIT;
	struct config old, first, new;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&old, more, 1), 0);
	assert_int_equal(read_lines(&first, more, 5), 0);
	assert_int_equal(read_lines(&new, more, 6), 0);
	assert_null(config_curve_match(&first, "eval_accuracy"));
	assert_string_equal(config_curve_match(&first, "train_loss")->name, "loss");
	assert_int_equal(config_curve_match(&first, "train_loss")->direction, DIRECTION_LOWER);
	assert_true(config_curve_match(&first, "loss")->tolerance == 0.01);
	assert_true(isnan(config_curve_match(&first, "loss")->relative));
	assert_string_equal(config_declared_find(&first, "batch")->reason, "4 chips x 32");
	assert_null(config_declared_find(&first, "lr"));
	d = config_differences(&a, NULL, &first);
	assert_int_equal(d.loosened, 0);
	d = config_differences(&a, &old, &first);
	assert_int_equal(d.n, 2);
	assert_int_equal(d.loosened, 2);
	d = config_differences(&a, &first, &new);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.loosened, 1);
	assert_string_equal(d.list[0].text, "curve.loss.relative-tolerance: (nothing) -> 0.05");
	d = config_differences(&a, &first, &old);
	assert_int_equal(d.n, 2);
	/* the curve's band; a difference less is stricter */
	assert_int_equal(d.loosened, 1);
	config_release(&old);
	config_release(&first);
	config_release(&new);
	arena_release(&a);
}

static void strictness_and_performance(void **state)
{
	static const struct line more[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "level", "L3", "strict", "true" },
		{ "level", "L4", "endpoint", "full-run" },
		{ "level", "L4", "preparation", "included" },
		{ "level", "L4", "repetition", "first" },
		{ "level", "L4", "time-ratio", "0.8" },
		{ "level", "L4", "cost", "20.00 USD" },
	};
	static const struct line bad[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "level", "L3", "require", "dev" },
		{ "level", "L4", "endpoint", "full-run" },
		{ "level", "L4", "time-ratio", "0" },
	};
	struct arena a = ARENA_INIT;
	struct config old, new, other;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&old, more, 1), 0);
	assert_false(config_is_strict(&old.l3));
	assert_true(isnan(old.l4.time_ratio));
	assert_int_equal(read_lines(&new, more, ARRAY_LEN(more)), 0);
	assert_true(config_is_strict(&new.l3));
	assert_int_equal(new.l4.endpoint, ENDPOINT_RUN);
	assert_true(new.l4.time_ratio == 0.8);
	assert_true(isnan(new.l4.cost_ratio));
	assert_int_equal(new.l4.cost_nano_usd, 20000000000);
	/* More is asked for; what is taken back is a loosening. */
	d = config_differences(&a, &old, &new);
	assert_int_equal(d.n, 6);
	assert_int_equal(d.loosened, 0);
	d = config_differences(&a, &new, &old);
	assert_int_equal(d.n, 6);
	assert_int_equal(d.loosened, 6);
	assert_int_equal(config_differences(&a, NULL, &new).loosened, 0);
	assert_true(read_lines(&other, bad, ARRAY_LEN(bad)) < 0);
	assert_int_equal(other.errors_n, 3);
	assert_non_null(strstr(other.errors[0].text, "L3.require: not a key of this level"));
	assert_non_null(strstr(other.errors[1].text, "a ratio is above 0"));
	assert_non_null(strstr(other.errors[2].text, "all three are needed"));
	config_release(&old);
	config_release(&new);
	config_release(&other);
	arena_release(&a);
}

/* A time to a quality names it, and nothing else does. */
static void a_quality_is_named(void **state)
{
	static const struct line good[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "goal", "accuracy", "series", "eval_accuracy" },
		{ "level", "L4", "endpoint", "quality" },
		{ "level", "L4", "goal", "accuracy" },
		{ "level", "L4", "preparation", "included" },
		{ "level", "L4", "repetition", "first" },
		{ "level", "L4", "time", "3m" },
	};
	static const struct { size_t line; const char *key, *value, *error; } bad[] = {
		{ 3, "goal", "perplexity", "there is no [goal \"perplexity\"]" },
		{ 3, "time-ratio", "1", "says which goal is to be reached" },
		{ 2, "endpoint", "full-run", "no other endpoint does" },
	};
	struct config c;

	(void)state;
	assert_int_equal(read_lines(&c, good, ARRAY_LEN(good)), 0);
	assert_int_equal(c.l4.endpoint, ENDPOINT_QUALITY);
	assert_string_equal(c.l4.goal, "accuracy");
	config_release(&c);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct line lines[ARRAY_LEN(good)];

		memcpy(lines, good, sizeof good);
		lines[bad[i].line].key = bad[i].key;
		lines[bad[i].line].value = bad[i].value;
		assert_true(read_lines(&c, lines, ARRAY_LEN(good)) < 0);
		assert_int_equal(c.errors_n, 1);
		assert_non_null(strstr(c.errors[0].text, bad[i].error));
		config_release(&c);
	}
}

/* A question that is dropped is loosened; so is a difference that is classified. */
static void packages_and_levels(void **state)
{
	static const struct line more[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "package", "torch", "class", "modified" },
		{ "package", "torch", "reason", "the newest that torch_xla has" },
		{ "level", "L2", "require", "grad" },
		{ "level", "L2", "require", "dev" },
		{ "level", "L2", "require", "grad" },
	};
	static const struct line bad[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "level", "L2", "require", "exit" },
		{ "level", "L1", "require", "dev" },
		{ "package", "torch", "class", "fine" },
	};
	struct arena a = ARENA_INIT;
	struct config old, new, other;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&old, more, 1), 0);
	assert_int_equal(read_lines(&new, more, 6), 0);
	assert_int_equal(old.l2.require_n, 0);
	assert_int_equal(new.l2.require_n, 2);
	assert_string_equal(new.l2.require[0], "dev");	/* in the order of the table */
	assert_string_equal(new.l2.require[1], "grad");
	assert_int_equal(new.packages_n, 1);
	assert_string_equal(word_name(&words_package_class, new.packages[0].class), "modified");
	d = config_differences(&a, &old, &new);
	assert_int_equal(d.n, 14);	/* the package, 13 questions that are dropped */
	assert_int_equal(d.loosened, 14);
	assert_string_equal(d.list[1].text, "level.L2.fallback: L2 no longer requires it");
	d = config_differences(&a, &new, &old);
	assert_int_equal(d.n, 14);
	assert_int_equal(d.loosened, 0);
	d = config_differences(&a, NULL, &new);
	assert_int_equal(d.loosened, 0);
	assert_true(read_lines(&other, bad, ARRAY_LEN(bad)) < 0);
	assert_int_equal(other.errors_n, 4);
	assert_non_null(strstr(other.errors[0].text, "\"exit\" is not a question of L2"));
	assert_non_null(strstr(other.errors[1].text, "not a level with a choice"));
	assert_non_null(strstr(other.errors[2].text, "allowed: match, modified, mismatch"));
	assert_non_null(strstr(other.errors[3].text, "package.torch.reason: is missing"));
	config_release(&old);
	config_release(&new);
	config_release(&other);
	arena_release(&a);
}

static void pattern_is_refused(const char *match, const char *words)
{
	struct line lines[] = { { "migration", "", "name", "MELoRA" },
		{ "pattern", "loss", "match", match } };
	struct config c;

	assert_int_equal(read_lines(&c, lines, 2), ERR_PARSE);
	assert_int_equal(c.errors_n, 1);
	assert_int_equal(c.errors[0].line, 2);
	if (!strstr(c.errors[0].text, ":2: pattern.loss.match: ") ||
		!strstr(c.errors[0].text, words))
		fail_msg("\"%s\" does not say \"%s\"", c.errors[0].text, words);
	config_release(&c);
}

/* How logs are read: each mistake with its line, each change marked. */
static void a_new_pattern_loosens_nothing(void **state)
{
	struct line before[] = { { "migration", "", "name", "case-A" } };
	struct line one[] = { { "migration", "", "name", "case-A" },
		{ "pattern", "mine", "match", "it (?<step>\\d+) loss (?<value>\\S+)" } };
	struct line other[] = { { "migration", "", "name", "case-A" },
		{ "pattern", "mine", "match", "it (?<step>\\d+) best (?<value>\\S+)" } };
	struct arena a = ARENA_INIT;
	struct config none, first, second;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&none, before, ARRAY_LEN(before)), 0);
	assert_int_equal(read_lines(&first, one, ARRAY_LEN(one)), 0);
	assert_int_equal(read_lines(&second, other, ARRAY_LEN(other)), 0);
	d = config_differences(&a, &none, &first);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.loosened, 0);
	assert_string_equal(d.list[0].text,
		"pattern.mine is new: lines that it matches are read by it alone");
	assert_int_equal(config_differences(&a, &first, &second).loosened, 1);
	assert_int_equal(config_differences(&a, &first, &none).loosened, 1);
	arena_release(&a);
	config_release(&none);
	config_release(&first);
	config_release(&second);
}

static void patterns_are_checked(void **state)
{
	static const struct line lines[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "pattern", "loss", "match", "it (?<step>\\d+) loss (?<value>\\S+)" },
		{ "pattern", "all", "match", "e(?<epoch>\\d+)|(?<name>\\w+)=(?<value>\\S+)" },
	};
	static const struct line other[] = {
		{ "migration", "", "name", "MELoRA" },
		{ "pattern", "loss", "match", "it (?<step>\\d+) (?<value>\\S+)" },
	};
	struct arena a = ARENA_INIT;
	struct config none, c, changed;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&none, lines, 1), 0);
	assert_int_equal(read_lines(&c, lines, 3), 0);
	assert_int_equal(read_lines(&changed, other, 2), 0);
	assert_int_equal(c.patterns_n, 2);
	assert_string_equal(c.patterns[0].name, "loss");
	assert_string_equal(c.patterns[1].match, lines[2].value);
	d = config_differences(&a, &none, &c);
	assert_int_equal(d.loosened, 0);
	d = config_differences(&a, &c, &changed);
	assert_int_equal(d.n, 2);
	assert_int_equal(d.loosened, 2);
	pattern_is_refused("(?<step>\\d+", "missing closing parenthesis");
	pattern_is_refused("(?<step>\\d+)", "no group is named value");
	pattern_is_refused("(?<value>\\d+)", "no group is named step or epoch");
	pattern_is_refused("(?<step>\\d+) (?<value>\\d+) (?<x>.)", "the group \"x\" means nothing");
	pattern_is_refused("\\C(?<step>\\d+) (?<value>\\d+)", "at byte");
	config_release(&none);
	config_release(&c);
	config_release(&changed);
	arena_release(&a);
}

static void a_rule_that_is_gone_is_loosened(void **state)
{
	struct arena a = ARENA_INIT;
	struct config old, new;
	struct accepted_differences d;

	(void)state;
	assert_int_equal(read_lines(&old, example, ARRAY_LEN(example)), 0);
	assert_int_equal(read_lines(&new, example, ARRAY_LEN(example) - 4), 0);
	d = config_differences(&a, &old, &new);
	assert_int_equal(d.n, 1);
	assert_true(d.list[0].loosened);
	assert_string_equal(d.list[0].text, "rule.R4 is gone: smoke_gap.accuracy worse than 5.0");
	config_release(&new);
	config_release(&old);
	arena_release(&a);
}

static void every_key_has_help_and_a_readable_default(void **state)
{
	(void)state;
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *k = &config_keys[i];

		assert_true(*k->help);
		assert_ptr_equal(config_key_find(k->section, k->key), k);
		assert_true(*config_type_help(k->type));
		if (k->type == CONFIG_WORD && *k->otherwise)
			assert_true(word_find(k->words, k->otherwise) > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_reads),
		cmocka_unit_test(defaults_come_without_rules),
		cmocka_unit_test(all_mistakes_are_found_at_once),
		cmocka_unit_test(rules_name_goals_of_the_file),
		cmocka_unit_test(loosening_is_marked),
		cmocka_unit_test(differences_are_sentences),
		cmocka_unit_test(a_rule_that_is_gone_is_loosened),
		cmocka_unit_test(curves_and_differences),
		cmocka_unit_test(packages_and_levels),
		cmocka_unit_test(strictness_and_performance),
		cmocka_unit_test(a_quality_is_named),
		cmocka_unit_test(patterns_are_checked),
		cmocka_unit_test(a_new_pattern_loosens_nothing),
		cmocka_unit_test(every_key_has_help_and_a_readable_default),
	};

	return cmocka_run_group_tests_name("configuration", tests, NULL, NULL);
}
