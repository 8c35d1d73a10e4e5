/*
 * rotated - the names that older parts of a log get when a new one is begun.
 *
 * "train.log.2", "train.log.1", "train.log": the higher the number, the older; or
 * with the day, "train.log-20260101", the earlier the older.  All are older than the
 * file without either.
 *
 *	struct rotated r = rotated_of("train.log.2");	// base_n 9, age 2
 */
#ifndef PORTSIDE_CURVE_ROTATED_H
#define PORTSIDE_CURVE_ROTATED_H

#include <stddef.h>
#include <stdint.h>

struct rotated {
	size_t base_n;		/* length of the name without its end */
	int64_t age;		/* 0: not rotated; more is older */
};

enum { ROTATED_MAX = 999 };

struct rotated rotated_of(const char *name);

#endif
