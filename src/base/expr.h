/*
 * expr - the small three-valued expression language of rules and filters.
 *
 *	attempts >= 10 and best_level < L0
 *	smoke_gap.accuracy worse than 5.0
 *	target = tpu and not (outcome ~ "fail")
 *
 * Grammar: or, and, not, ( ), comparison.  Operators = != < <= > >= ~ !~ (PCRE2,
 * whole-value search) and "worse than", which means > after the caller has
 * turned the feature so that larger is worse.  Words are features, or constants
 * where the caller says so (L0 < L2 < L3 < L4, "none").  Text constants are
 * quoted or bare words; numbers may carry no unit.
 *
 * Values are true, false or unknown: a feature without a source is unknown and
 * makes its comparison unknown (Kleene logic: false and unknown = false).  A sum of
 * which parts are not known is a number that may be larger: a comparison with it is
 * true or false where it is so for each number from there on, else unknown.
 */
#ifndef PORTSIDE_BASE_EXPR_H
#define PORTSIDE_BASE_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"

enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN };

enum expr_value_type { EXPR_UNKNOWN, EXPR_NUMBER, EXPR_TEXT };

struct expr_value {
	enum expr_value_type type;
	double number;
	bool or_more;		/* NUMBER is the least that it can be */
	const char *text;	/* borrowed from the resolver's owner */
};

/* Value of a feature, or EXPR_UNKNOWN.  Called at evaluation. */
typedef struct expr_value expr_feature_fn(void *user, const char *name);
/* Is NAME a feature at all?  Called at parse time; an unknown name that is
 * compared against is a text constant on the right side, an error on the left. */
typedef bool expr_known_fn(void *user, const char *name);

struct expr;

/* OUT is yours: expr_free().  ERR_PARSE names the column and what was expected. */
int expr_parse(struct expr **out, const char *s, expr_known_fn *known, void *user) ATTR_MUST_USE;
void expr_free(struct expr *e);

enum truth expr_eval(const struct expr *e, expr_feature_fn *feature, void *user);
enum truth truth_and(enum truth a, enum truth b);
enum truth truth_or(enum truth a, enum truth b);
enum truth truth_not(enum truth a);

/* Features that the expression reads, each once, in order. Borrowed from E. */
const char *const *expr_features(const struct expr *e, size_t *n);

/*
 * When the expression is a conjunction of comparisons, the I-th one for a
 * gauge: feature, operator, limit.  False beyond the last or for other forms.
 */
struct expr_gauge { const char *feature, *op; struct expr_value limit; };
bool expr_gauge(const struct expr *e, size_t i, struct expr_gauge *out);

/* Prints the expression so that parse(print(e)) = e. */
void expr_print(struct buf *out, const struct expr *e);

#endif
