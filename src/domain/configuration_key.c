/* configuration_key - the table of keys of portside.conf. */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "domain/configuration.h"

#define M(member) .offset = offsetof(struct config_migration, member)
#define G(member) .offset = offsetof(struct config_goal, member)
#define T(member) .offset = offsetof(struct config_target, member)
#define C(member) .offset = offsetof(struct config_curve, member)
#define D(member) .offset = offsetof(struct config_declared, member)
#define P(member) .offset = offsetof(struct config_pattern, member)
#define S(member) .offset = offsetof(struct config_signature, member)
#define SIGNATURE(k, t, ...)                                                                       \
	{                                                                                          \
		.section = "signature", .named = true, .key = k, .type = t, .otherwise = "",       \
		__VA_ARGS__                                                                        \
	}
#define K(member) .offset = offsetof(struct config_package, member)
#define L(member) .offset = offsetof(struct config_level, member)
#define L_LIST(member)                                                                             \
	.offset = offsetof(struct config_level, member),                                           \
	.count_offset = offsetof(struct config_level, member##_n)
#define R(member) .offset = offsetof(struct config_run, member)
#define R_LIST(member) R(member), .count_offset = offsetof(struct config_run, member ## _n)
#define MIGRATION(k, t, ...)                                                                       \
	{                                                                                          \
		.section = "migration", .key = k, .type = t, .otherwise = "", __VA_ARGS__          \
	}
#define GOAL(k, t, ...) { .section = "goal", .named = true, .key = k, .type = t, __VA_ARGS__ }
#define TARGET(k, t, ...) { .section = "target", .named = true, .key = k, .type = t, __VA_ARGS__ }
#define RUN(k, t, ...)                                                                             \
	{                                                                                          \
		.section = "run", .named = true, .key = k, .type = t, .otherwise = "", __VA_ARGS__ \
	}
#define CURVE(k, t, ...)                                                                           \
	{                                                                                          \
		.section = "curve", .named = true, .key = k, .type = t, .otherwise = "",           \
		__VA_ARGS__                                                                        \
	}
#define LEVEL(k, t, ...)                                                                           \
	{                                                                                          \
		.section = "level", .named = true, .key = k, .type = t, .otherwise = "",           \
		__VA_ARGS__                                                                        \
	}
#define RULE(k, t, ...)                                                                            \
	{                                                                                          \
		.section = "rule", .named = true, .key = k, .type = t, .otherwise = "",            \
		__VA_ARGS__                                                                        \
	}

const struct config_key config_keys[] = {
	MIGRATION("name", CONFIG_TEXT, .required = true, M(name), .help = "name of the migration"),
	{ .section = "migration",
		.key = "original",
		.type = CONFIG_TEXT,
		.otherwise = "original",
		M(original),
		.help = "tag or commit of the untouched code" },
	MIGRATION("experiment", CONFIG_TEXT, M(experiment),
		.help = "the declared experiment, in words"),
	MIGRATION("challenge", CONFIG_TEXT, M(challenge),
		.help = "the difficulty that was predicted"),
	MIGRATION("intended", CONFIG_NAME, M(intended),
		.help = "the target that L2 to L4 must be proven on"),
	MIGRATION("reference", CONFIG_NAME, M(reference),
		.help = "the target that the reference runs on"),
	MIGRATION("human-rate", CONFIG_PRICE, M(human_rate),
		.help = "cost of an hour of people's time"),

	GOAL("metric", CONFIG_TEXT, .otherwise = "", G(metric),
		.help = "shown name; the goal's name when it is missing"),
	GOAL("form", CONFIG_WORD, .otherwise = "threshold", .words = &words_goal_form, G(test.form),
		.help = "form of the claim"),
	GOAL("direction", CONFIG_WORD, .otherwise = "higher", .words = &words_direction,
		G(test.direction), .help = "which way is better"),
	GOAL("unit", CONFIG_TEXT, .otherwise = "", G(unit),
		.help = "unit of the shown value, for example pp"),
	GOAL("scale", CONFIG_NUMBER, .otherwise = "1", G(scale),
		.help = "logged value times scale is shown"),
	GOAL("series", CONFIG_TEXT, .required = true, .otherwise = "", G(series),
		.help = "name of the series; * and ? match"),
	GOAL("baseline", CONFIG_TEXT, .otherwise = "", G(baseline),
		.help = "ordering: series of the baseline method"),
	GOAL("at", CONFIG_WORD, .otherwise = "last", .words = &words_goal_at, G(at),
		.help = "which value counts"),
	GOAL("target", CONFIG_NUMBER, .otherwise = "", G(test.target),
		.help = "threshold; the reference's value when it is missing"),
	GOAL("margin", CONFIG_NUMBER, .otherwise = "0", G(test.margin),
		.help = "accepted distance, decided before the runs"),
	GOAL("low", CONFIG_NUMBER, .otherwise = "", G(test.low), .help = "band: lower end"),
	GOAL("high", CONFIG_NUMBER, .otherwise = "", G(test.high), .help = "band: upper end"),
	GOAL("tolerance", CONFIG_NUMBER, .otherwise = "", G(tolerance),
		.help = "band of the delta pane; the margin when it is missing"),
	GOAL("examples", CONFIG_COUNT, .otherwise = "0", G(examples),
		.help = "evaluated examples: gives the metric's resolution"),

	TARGET("kind", CONFIG_WORD, .required = true, .otherwise = "", .words = &words_target_kind,
		T(kind), .help = "kind of accelerator"),
	TARGET("simulates", CONFIG_WORD, .otherwise = "", .words = &words_target_kind, T(simulates),
		.help = "a stand-in: never confirms L2 to L4"),
	TARGET("chips", CONFIG_COUNT, .otherwise = "1", T(chips), .help = "chips"),
	TARGET("chip", CONFIG_NAME, .otherwise = "", T(chip),
		.help = "which chip, for its memory: v5e, v6e, l4, ..."),
	TARGET("topology", CONFIG_TEXT, .otherwise = "", T(topology),
		.help = "topology, for example 2x2"),
	TARGET("backend", CONFIG_TEXT, .otherwise = "", T(backend),
		.help = "backend, for example pytorch-xla"),
	TARGET("launcher", CONFIG_WORD, .otherwise = "local", .words = &words_launcher, T(launcher),
		.help = "how runs get there"),
	TARGET("setup", CONFIG_COMMAND, .otherwise = "", T(setup),
		.help = "command before the run's command"),
	TARGET("price", CONFIG_PRICE, .otherwise = "", T(price),
		.help = "price; without it costs are unknown"),

	RUN("command", CONFIG_COMMAND, .required = true, R(command),
		.help = "the command; PORTSIDE_* variables carry values"),
	RUN("setup", CONFIG_COMMAND, R(setup), .help = "command before it"),
	RUN("steps", CONFIG_COUNT, R(steps), .help = "declared steps"),
	RUN("done", CONFIG_TEXT, R(done), .help = "text that the log shows at the end"),
	RUN("artifact", CONFIG_PATH, R(artifact), .help = "file that exists at the end"),
	RUN("limit", CONFIG_DURATION, R(limit_ns), .help = "time limit"),
	RUN("budget", CONFIG_MONEY, R(budget_nano_usd), .help = "cost limit"),
	RUN("link", CONFIG_PATH, .repeats = true, R_LIST(links),
		.help = "path of the main work tree that a run needs"),
	RUN("pass", CONFIG_VARIABLE, .repeats = true, R_LIST(pass),
		.help = "variable handed on to the run"),
	RUN("environment", CONFIG_SETTING, .repeats = true, R_LIST(environment),
		.help = "variable set for the run"),

	CURVE("series", CONFIG_TEXT, .required = true, C(series),
		.help = "name of the series; * and ? match"),
	CURVE("direction", CONFIG_WORD, .words = &words_direction, C(direction),
		.help = "which way is better; told from the name when it is missing"),
	CURVE("tolerance", CONFIG_NUMBER, C(tolerance),
		.help = "accepted distance in logged units"),
	CURVE("relative-tolerance", CONFIG_NUMBER, C(relative),
		.help = "accepted distance as a share of the reference, 0.02 for 2 %"),
	{ .section = "pattern",
		.named = true,
		.key = "match",
		.type = CONFIG_PATTERN,
		.required = true,
		.otherwise = "",
		P(match),
		.help = "lines of logs, with the groups step or epoch, value, name" },
	SIGNATURE("pattern", CONFIG_EXPRESSION, .required = true, S(pattern),
		.help = "lines of logs that it matches"),
	SIGNATURE("cause", CONFIG_TEXT, .required = true, S(cause),
		.help = "C0 to C6, or - for noise"),
	SIGNATURE("kind", CONFIG_TEXT, S(kind),
		.help = "R raises, W warns, S silent, N noise; R when it is missing"),
	SIGNATURE("side", CONFIG_TEXT, S(side),
		.help = "tpu, gpu, any or text; any when it is missing"),
	SIGNATURE("rule", CONFIG_TEXT, S(rule),
		.help = "how a match counts; hit when it is missing"),
	SIGNATURE("note", CONFIG_TEXT, S(note), .help = "what it means"),
	{ .section = "difference",
		.named = true,
		.key = "reason",
		.type = CONFIG_TEXT,
		.required = true,
		.otherwise = "",
		D(reason),
		.help = "why this input differs on purpose" },

	{ .section = "package",
		.named = true,
		.key = "class",
		.type = CONFIG_WORD,
		.required = true,
		.otherwise = "",
		.words = &words_package_class,
		K(class),
		.help = "what a version that differs amounts to" },
	{ .section = "package",
		.named = true,
		.key = "reason",
		.type = CONFIG_TEXT,
		.required = true,
		.otherwise = "",
		K(reason),
		.help = "why" },
	{ .section = "level",
		.named = true,
		.key = "require",
		.type = CONFIG_CHECK,
		.repeats = true,
		.required = true,
		.otherwise = "",
		L_LIST(require),
		.help = "a question of L2 that is required; without: all" },
	LEVEL("strict", CONFIG_WORD, .words = &words_truth_value, L(strict),
		.help = "L3: a value that is worse fails, resolved or not"),
	LEVEL("endpoint", CONFIG_WORD, .words = &words_endpoint, L(endpoint),
		.help = "L4: what is timed"),
	LEVEL("goal", CONFIG_NAME, L(goal),
		.help = "L4: which goal is to be reached, for endpoint = quality"),
	LEVEL("preparation", CONFIG_WORD, .words = &words_preparation, L(preparation),
		.help = "L4: with compilation, or without"),
	LEVEL("repetition", CONFIG_WORD, .words = &words_repetition, L(repetition),
		.help = "L4: of the first run, or of a repeated one"),
	LEVEL("time-ratio", CONFIG_NUMBER, L(time_ratio),
		.help = "L4: at most so many times the reference's"),
	LEVEL("cost-ratio", CONFIG_NUMBER, L(cost_ratio),
		.help = "L4: at most so many times the reference's"),
	LEVEL("time", CONFIG_DURATION, L(time_ns), .help = "L4: at most"),
	LEVEL("cost", CONFIG_MONEY, L(cost_nano_usd), .help = "L4: at most"),

	RULE("when", CONFIG_RULE, .required = true, .help = "predicate over features"),
	RULE("precondition", CONFIG_RULE, .help = "comparable-inputs"),
	RULE("action", CONFIG_WORD, .required = true, .words = &words_rule_action,
		.help = "what a firing asks for"),
	RULE("class", CONFIG_WORD, .required = true, .words = &words_rule_class,
		.help = "what it is about"),
};
const size_t config_keys_n = ARRAY_LEN(config_keys);

const struct config_key *config_key_find(const char *section, const char *key)
{
	for (size_t i = 0; i < config_keys_n; i++)
		if (strcmp(config_keys[i].section, section) == 0 &&
			    strcmp(config_keys[i].key, key) == 0)
			return &config_keys[i];
	return NULL;
}

const char *config_type_help(enum config_type t)
{
	switch (t) {
	case CONFIG_TEXT: return "a text";
	case CONFIG_NAME: return "a name: letters, digits, dot, dash, underscore";
	case CONFIG_NUMBER: return "a number";
	case CONFIG_COUNT: return "a whole number, 0 or more";
	case CONFIG_WORD: return "one of the words listed";
	case CONFIG_DURATION: return "a duration: 90s, 15m, 4h";
	case CONFIG_MONEY: return "an amount: 20.00 USD";
	case CONFIG_PRICE: return "a price: 0.85 USD/hour, 1.20 USD/chip-hour";
	case CONFIG_COMMAND: return "a command in quotes";
	case CONFIG_PATH: return "a path inside the work tree";
	case CONFIG_RULE: return "an expression over features, in quotes";
	case CONFIG_VARIABLE: return "the name of a variable";
	case CONFIG_SETTING: return "NAME=VALUE";
	case CONFIG_PATTERN: return "a pattern in quotes, with named groups";
	case CONFIG_EXPRESSION: return "a Perl-compatible expression in quotes";
	case CONFIG_CHECK:
		return "a question of L2: dev, fallback, compile, config, batch, steps, lr, "
		       "opt-order, grad, params, ckpt, eval, dtype, seed-data, deps";
	}
	return "";
}
