/*
 * rule - stop rules as data: read, evaluated, shown as gauges.
 *
 * A rule reads features of the prefix of the history.  Values come from the
 * caller; a feature without a source is unknown, makes its comparison unknown,
 * and shows "no source", never 0.  A rule fires only when it is true and its
 * precondition is true.
 *
 *	struct rule_report r = rule_evaluate(rule, value, workspace, &arena);
 *	if (r.fires)
 *		raise(alarm_key(&arena, rule->version, trigger), r.features);
 */
#ifndef PORTSIDE_DOMAIN_RULE_H
#define PORTSIDE_DOMAIN_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/expr.h"
#include "base/hash.h"
#include "base/mem.h"
#include "domain/vocabulary.h"

/* A feature that "when" and filters may read. */
struct feature {
	const char *name;	/* "agent_hours"; "smoke_gap" takes ".GOAL" when PER_GOAL */
	const char *unit;	/* "agent-h" in gauges */
	const char *source;	/* where the value comes from */
	bool per_goal;
	bool level;		/* its value is the text none, L0, L2, L3 or L4 */
	bool needs_noise;	/* a gap: uncalibrated until the reference was repeated */
};

extern const struct feature features[];
extern const size_t features_n;

/* By name, with or without ".GOAL" as the feature wants it; NULL when unknown. */
const struct feature *feature_find(const char *name);

/* For expr_parse().  USER is unused. */
bool feature_known(void *user, const char *name);

/* The reference runs that make a gap rule calibrated. */
enum { RULE_NOISE_REPEATS = 3 };

struct rule {
	const char *id;			/* "R2" */
	const char *when;		/* text as written */
	const char *precondition;	/* "" or "comparable-inputs" */
	enum rule_action action;
	enum rule_class class;
	char version[DIGEST_HEX + 1];	/* digest of the rule's text */
	struct expr *expr;		/* owned by the rule */
	int line;			/* of the file; 0 for a default */
};

/*
 * Completes OUT from its texts (borrowed): parses WHEN, checks features and the
 * precondition, sets the version.  ERR_PARSE says what is wrong and what is
 * allowed.  rule_release() frees what it owns.
 */
int rule_make(struct rule *out, const char *id, const char *when, const char *precondition,
	      enum rule_action action, enum rule_class class) ATTR_MUST_USE;
void rule_release(struct rule *r);

/* The rules of a migration that names none of its own: R1, R2, R4, R5; R4 once
 * for GOAL ("" leaves it out). */
struct rule_default {
	const char *id, *when, *precondition;
	enum rule_action action;
	enum rule_class class;
	const char *why;	/* one line for init */
};
extern const struct rule_default rule_defaults[];
extern const size_t rule_defaults_n;

struct rule_feature { const char *name; struct expr_value value; };

enum rule_status {
	RULE_QUIET,		/* false */
	RULE_FIRES,
	RULE_NO_SOURCE,		/* unknown: a feature has no source, or one for a part alone */
	RULE_UNCALIBRATED,	/* a gap rule without repeats of the reference */
	RULE_NOT_COMPARABLE,	/* true, but the precondition is not */
	RULE_COMPARABLE_UNKNOWN,	/* true, and nobody knows whether the precondition is */
};

struct rule_report {
	enum truth truth;		/* of WHEN alone */
	enum truth precondition;	/* TRUTH_TRUE when there is none */
	enum rule_status status;
	bool fires;			/* truth and precondition are true */
	const struct rule_feature *features;	/* what it read, each once */
	size_t features_n;
	const char *gauge;		/* "R2 1.1/3.0 agent-h" */
};

/* Everything in the report lives in A.  VALUE gives level features as text
 * (level_name()), so that "best_level < L0" orders them as levels. */
struct rule_report rule_evaluate(
	const struct rule *r, expr_feature_fn *value, void *user, struct arena *a);

/* The id of an alarm: one per (rule version, trigger event), both in hex. */
const char *alarm_key(struct arena *a, const char *rule_version, const char *trigger_event);

#endif
