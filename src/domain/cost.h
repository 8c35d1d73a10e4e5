/*
 * cost - what a migration costs and when it pays off, in integer nano-USD.
 *
 * A run costs time * price, a person minutes * price per hour.  A migration pays
 * off after N* = migration / (GPU run - TPU run) runs, rounded up, and never where
 * the TPU run is not the cheaper one.  Unknown stays unknown (-1 or a flag); it is
 * never counted as 0 without saying so.
 */
#ifndef PORTSIDE_DOMAIN_COST_H
#define PORTSIDE_DOMAIN_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "domain/vocabulary.h"

#define COST_UNKNOWN INT64_C(-1)

/* Ledger classes; each has a word. */
enum cost_class { COST_NONE, COST_TOKENS, COST_RUN, COST_HUMAN, COST_MACHINE, COST_OTHER };
extern const struct words words_cost_class;

enum token_class {
	TOKENS_INPUT, TOKENS_CACHE_WRITE_5M, TOKENS_CACHE_WRITE_1H, TOKENS_CACHE_READ,
	TOKENS_OUTPUT, TOKEN_CLASSES,
};
extern const char *const token_class_names[TOKEN_CLASSES];	/* keys in session.ingested */

struct token_counts { int64_t n[TOKEN_CLASSES]; };

/* A dated price row of one model; a band is chosen by the prompt's length. */
struct token_price {
	int64_t nano_usd_million[TOKEN_CLASSES];	/* per 1e6 tokens */
	int64_t prompt_up_to;		/* tokens; 0: no band */
};

/* Input, cache writes and cache reads: what a band looks at. */
int64_t token_prompt(const struct token_counts *t);
/* Rounded half up, exact in integers. */
int64_t token_cost_nano_usd(const struct token_counts *t, const struct token_price *p);
/* The first row whose band holds the prompt of ONE request; NULL when none does. */
const struct token_price *token_price_pick(
	const struct token_price *rows, size_t n, const struct token_counts *request);

/* What going on would cost: REMAINING_NS more of a run; COST_UNKNOWN. */
int64_t cost_going_on(const struct price *p, int64_t remaining_ns, int chips);
int64_t cost_human_nano_usd(int64_t minutes, int64_t nano_usd_hour);

/*
 * Sums over TOTAL things of which WITHOUT told no figure, for people.  A sum that
 * lacks some ends in "+?", one that lacks all is "?": what is not known is no 0.
 *
 *	cost_add_sum(&b, 9100000, 2, 3);	"$0.0091+?"
 *	cost_add_minutes(&b, 6, 1, 3);		"6 min + 1 unknown"
 */
void cost_add_sum(struct buf *out, int64_t nano_usd, int64_t without, int64_t total);
/* Of nothing at all: "none on record"; "unknown" where nobody told any. */
void cost_add_minutes(struct buf *out, int64_t minutes, int64_t without, int64_t total);

/* Break-even on a cost of migration. */
enum break_even { BREAK_EVEN_UNKNOWN, BREAK_EVEN_AT, BREAK_EVEN_NEVER };
struct payback {
	enum break_even kind;
	int64_t runs;			/* N*, BREAK_EVEN_AT */
	double months;			/* runs / runs_per_month; NaN when unknown */
	bool not_equivalent;		/* the workloads differ: shown with the flag */
};
struct payback cost_payback(int64_t migration_nano_usd, int64_t gpu_run_nano_usd,
	int64_t tpu_run_nano_usd, double runs_per_month, bool equivalent);

/*
 * Can a printed cost come from a printed time?  Both are intervals of half
 * their last digit: (hours +- half) * price must overlap (cost +- half).
 */
bool cost_interval_overlaps(
	double hours, double half_hours, double usd_hour, double cost, double half_cost);

#endif
