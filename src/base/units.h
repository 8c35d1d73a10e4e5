/*
 * units - durations, money, prices and sizes with their unit written out.
 *
 * Money is integer nano-dollars (1e-9 USD), time integer nanoseconds.  A value
 * without its unit is an error: "20.00" is refused, "20.00 USD" is not.
 */
#ifndef PORTSIDE_BASE_UNITS_H
#define PORTSIDE_BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define NANO_USD INT64_C(1000000000)

/* "15m", "4h", "90s", "1h30m", "500ms", "2d".  ERR_PARSE says what is wrong. */
int units_duration_ns(int64_t *out, const char *s) ATTR_MUST_USE;

/* "20.00 USD" -> nano-dollars, exactly (at most 9 decimals). */
int units_money_nano_usd(int64_t *out, const char *s) ATTR_MUST_USE;

struct price {
	int64_t nano_usd_hour;	/* of one unit, for one hour */
	bool per_chip;		/* USD/chip-hour: times the chips; else per machine */
	bool known;		/* false: no price was given; cost is unknown, not 0 */
};

/* "0.8536 USD/hour", "1.20 USD/chip-hour". */
int units_price(struct price *out, const char *s) ATTR_MUST_USE;

/* Rounded half up; exact in integers.  Unknown price gives -1. */
int64_t price_cost_nano_usd(const struct price *p, int64_t elapsed_ns, int chips);

void units_add_money(struct buf *out, int64_t nano_usd);	/* "$0.31", "$0.0042", "$-1.20" */
void units_add_bytes(struct buf *out, int64_t bytes);		/* "1.2 MB" (powers of 1000) */
void units_add_count(struct buf *out, int64_t n);		/* "12,345" */

#endif
