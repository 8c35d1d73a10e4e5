/*
 * clock - time in integer nanoseconds.
 *
 * clock_wall_ns() is for display and records; clock_boot_ns() (CLOCK_BOOTTIME)
 * is for limits, since it cannot jump and counts suspend.  Tests fix the wall
 * clock with clock_fix(), and PORTSIDE_CLOCK (an ISO time) fixes it for one
 * process, so that golden files are stable.
 */
#ifndef PORTSIDE_BASE_CLOCK_H
#define PORTSIDE_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

int64_t clock_wall_ns(void);
int64_t clock_boot_ns(void);
void clock_fix(int64_t wall_ns);		/* 0 lets it run again */

enum { CLOCK_ISO_MAX = 32 };
/* 2026-10-25T16:21:56.123Z */
void clock_iso(char out[CLOCK_ISO_MAX], int64_t wall_ns);
/* ISO 8601 with Z or an offset, fraction optional. */
bool clock_from_iso(int64_t *out, const char *s);

/* For people: "850ms", "14s", "2m05s", "1h21m", "3d04h".  Negative is "-". */
void clock_add_duration(struct buf *out, int64_t ns);
/* Local time for a list: "27 Oct 16:21", with the year when it is not NOW's. */
void clock_add_short(struct buf *out, int64_t wall_ns, int64_t now_ns);

#endif
