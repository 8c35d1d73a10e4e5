/*
 * configuration - portside.conf with types.
 *
 * conf.h holds the entries as text; this gives them types, defaults and units,
 * and finds every mistake at once, each as "FILE:LINE: SECTION.KEY: what is
 * wrong; what is allowed".  One table of keys drives parsing, the manual page
 * and completion.
 *
 *	struct config c = CONFIG_INIT;
 *	if (config_read(&c, &conf) < 0)
 *		for (i = 0; i < c.errors_n; i++) puts(c.errors[i].text);
 *	config_release(&c);
 *
 * (The folder's file is not named config.h, since that is the name of the
 * build's own header.)
 */
#ifndef PORTSIDE_DOMAIN_CONFIGURATION_H
#define PORTSIDE_DOMAIN_CONFIGURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/conf.h"
#include "base/mem.h"
#include "base/units.h"
#include "domain/accepted_difference.h"
#include "domain/rule.h"
#include "domain/verdict.h"
#include "domain/vocabulary.h"

/* One row per key; the words allowed are named by WORDS. */
enum config_type {
	CONFIG_TEXT, CONFIG_NAME, CONFIG_NUMBER, CONFIG_COUNT, CONFIG_WORD,
	CONFIG_DURATION, CONFIG_MONEY, CONFIG_PRICE, CONFIG_COMMAND, CONFIG_PATH, CONFIG_RULE,
	CONFIG_VARIABLE,	/* NAME of an environment variable */
	CONFIG_SETTING,		/* NAME=VALUE */
	CONFIG_PATTERN,		/* for lines of a log, see base/line_pattern.h */
	CONFIG_EXPRESSION,	/* likewise, with whatever groups */
	CONFIG_CHECK,		/* a question of L2, by its id: see domain/check.h */
};

struct config_key {
	const char *section;	/* "target" */
	bool named;		/* the section takes a name: [target "gpu-l4"] */
	const char *key;
	enum config_type type;
	bool repeats;		/* may be given several times */
	bool required;
	const char *otherwise;	/* default as text, "" for none */
	const struct words *words;
	const char *help;
	size_t offset, count_offset;	/* in the section's struct; count for lists */
};

/* Where a key's value lies in the struct of its section: config_migration,
 * config_goal, config_target, config_run, config_curve, config_pattern,
 * config_signature, config_declared, config_package, config_level; rules are read by rule.h. */
extern const struct config_key config_keys[];
extern const size_t config_keys_n;
const struct config_key *config_key_find(const char *section, const char *key);
const char *config_type_help(enum config_type t);	/* "a duration: 15m, 4h" */

struct config_goal {
	const char *name;		/* of the section, as for targets and runs */
	const char *metric;		/* shown name; the goal's name by default */
	struct goal_test test;
	const char *unit;		/* "pp", "" */
	double scale;			/* logged value times scale = shown value */
	const char *series;		/* glob of the series' name */
	const char *baseline;		/* ordering: glob of the baseline's series */
	enum goal_at at;		/* which value of the series counts */
	/* without a target the reference is the target */
	bool has_target, has_margin, has_tolerance;
	double tolerance;		/* band of the delta pane; margin by default */
	int64_t examples;		/* 0: unknown, no resolution */
	int line;
};

/* [curve "NAME"]: how curves are judged that no goal is about. */
struct config_curve {
	const char *name;
	const char *series;		/* glob of the series' name */
	enum goal_direction direction;	/* DIRECTION_NONE: told from the name */
	double tolerance, relative;	/* |d| <= tolerance + relative * |R|; NaN: not given */
	int line;
};

/* [signature "NAME"]: a text in logs that tells why a run failed; see
 * evidence/signature.h, whose columns these are. */
struct config_signature {
	const char *name, *pattern, *cause, *kind, *side, *rule, *note;
	int line;
};

/* [pattern "NAME"]: how lines of logs are read that no format of trainers has. */
struct config_pattern {
	const char *name;
	const char *match;
	int line;
};

/* [difference "batch"]: an input that differs on purpose. */
struct config_declared {
	const char *name;		/* a word of words_input */
	const char *reason;
	int line;
};

/* [package "torch"]: what a person says of the version that differs. */
struct config_package {
	const char *name;		/* in any spelling: torch_xla, torch-xla */
	int class;			/* of words_package_class; 0: not given */
	const char *reason;
	int line;
};

/* [level "L2"]: which of its questions this migration requires; [level "L3"]: whether a
 * point that is worse is worse; [level "L4"]: what time and cost are held against. */
struct config_level {
	const char *name;		/* "L2", "L3", "L4"; NULL: the file has no such section */
	const char **require;		/* L2: ids of domain/check.h; none: all of them */
	size_t require_n;
	int strict;			/* L3: of words_truth_value; 0: not given */
	int endpoint;			/* L4: of words_endpoint; 0: not given */
	const char *goal;		/* L4: which one is to be reached; "": not given */
	int preparation;		/* L4: of words_preparation */
	int repetition;			/* L4: of words_repetition */
	double time_ratio, cost_ratio;	/* L4: at most times the reference's; NaN: not given */
	int64_t time_ns, cost_nano_usd;	/* L4: at most; 0: not given */
	int line;
};
#define CONFIG_LEVEL_INIT                                                                          \
	{                                                                                          \
		.goal = "", .time_ratio = __builtin_nan(""), .cost_ratio = __builtin_nan("")       \
	}
bool config_is_strict(const struct config_level *l3);

struct config_target {
	const char *name;
	enum target_kind kind;
	enum target_kind simulates;	/* TARGET_TPU: a stand-in, never confirms L2 to L4 */
	int64_t chips;			/* 1 by default */
	enum launcher_kind launcher;
	const char *topology, *backend, *setup;
	const char *chip;		/* of data/chips.tsv: "v5e"; "": not told */
	struct price price;
	int line;
};

struct config_run {
	const char *name;		/* smoke or full */
	enum run_kind kind;
	const char *command, *setup, *done, *artifact;
	int64_t steps;			/* 0: not declared */
	int64_t limit_ns;		/* 0: none */
	int64_t budget_nano_usd;	/* 0: none */
	const char **links;	/* paths of the main work tree */
	size_t links_n;
	const char **pass;	/* variables handed on from the caller */
	size_t pass_n;
	const char **environment;	/* NAME=VALUE */
	size_t environment_n;
	int line;
};

struct config_error { int line; const char *text; };

struct config_migration {
	const char *name, *original, *experiment, *challenge, *intended, *reference;
	struct price human_rate;	/* of people's time, per hour */
	int line;
};

struct config {
	struct arena arena;
	const char *path;
	struct config_migration migration;
	struct config_goal *goals;
	size_t goals_n;
	struct config_target *targets;
	size_t targets_n;
	struct config_run *runs;	/* at most smoke and full */
	size_t runs_n;
	struct config_curve *curves;
	size_t curves_n;
	struct config_signature *signatures;	/* in the order of the file */
	size_t signatures_n;
	struct config_pattern *patterns;	/* in the order in which they are tried */
	size_t patterns_n;
	struct config_declared *declared;
	size_t declared_n;
	struct config_package *packages;
	size_t packages_n;
	struct config_level l2, l3, l4;
	struct rule *rules;
	size_t rules_n;
	bool default_rules;		/* the file has none: the defaults are in force */
	struct config_error *errors;	/* in order of lines */
	size_t errors_n;
};

#define CONFIG_INIT \
	{ .arena = ARENA_INIT, .l2 = CONFIG_LEVEL_INIT, .l3 = CONFIG_LEVEL_INIT, \
		.l4 = CONFIG_LEVEL_INIT }

/* Fills OUT even when there are errors (what could be read).  ERR_PARSE with the
 * first error's text when there is any.  CONF is not needed afterwards. */
int config_read(struct config *out, const struct conf *conf) ATTR_MUST_USE;
void config_release(struct config *c);

const struct config_target *config_target_find(const struct config *c, const char *name);
const struct config_goal *config_goal_find(const struct config *c, const char *name);
/* The first [curve] whose series matches; NULL when none does. */
const struct config_curve *config_curve_match(const struct config *c, const char *series);
const struct config_declared *config_declared_find(const struct config *c, const char *input);
const struct config_run *config_run_find(const struct config *c, enum run_kind kind);

/* The value of KEY in a section's struct, as a person would write it. */
void config_add_value(struct buf *out, const struct config_key *key, const void *section);

/* What changed, for a person who accepts the file. */
/* In A; OLD may be NULL for the first acceptance (then nothing is loosened). */
struct accepted_differences config_differences(
	struct arena *a, const struct config *old, const struct config *new);

#endif
