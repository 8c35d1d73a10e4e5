/*
 * static_order - two orders in Python source that matter on several chips or on XLA.
 *
 * Per function, from top to bottom, without comments and strings: gradients that are
 * clipped before they are reduced over the chips, and an optimizer that is built from
 * parameters before the model moves to the device, so that it may keep the old ones.
 * Code is not run, and a name is followed no further than its spelling: a hit is a
 * place to look at and proves nothing, and no hit proves nothing either.
 *
 *	struct static_order_hit hits[STATIC_ORDER_MAX];
 *
 *	n = static_order_find(hits, text, size);
 */
#ifndef PORTSIDE_EVIDENCE_STATIC_ORDER_H
#define PORTSIDE_EVIDENCE_STATIC_ORDER_H

#include <stddef.h>
#include <stdint.h>

enum static_order_kind { STATIC_CLIP_FIRST, STATIC_OPTIMIZER_FIRST };

enum { STATIC_ORDER_MAX = 64 };

struct static_order_hit {
	enum static_order_kind kind;
	int32_t line;			/* of the clip, of the optimizer; from 1 */
	int32_t other_line;		/* of the reduction, of the transfer */
};

/* How many, at most STATIC_ORDER_MAX, by line of what comes second. */
size_t static_order_find(struct static_order_hit *hits, const char *text, size_t n);

#endif
