/*
 * xla_duration - the durations in torch_xla's metrics reports, which are printed wrong.
 *
 * The printer goes through days, hours, minutes, seconds, ms and us.  Of each it
 * prints the value rounded to the nearest whole, and takes off the whole units
 * alone, so that half a unit or more is also counted in the unit below: 100 s
 * becomes "02m40s000ms000.000us".  Reading upwards from the smallest unit undoes
 * it: where what lies below is more than half a unit, the print was rounded up.
 * At exactly half a unit either neighbour may have been printed (a half goes to
 * the even one), and there are two candidates.  That happens to one unit at most:
 * half of a unit is a whole number of the next smaller ones.
 *
 * Checked against the printer of torch_xla since 2018 (commit 96dd38d355).
 */
#ifndef PORTSIDE_EVIDENCE_XLA_DURATION_H
#define PORTSIDE_EVIDENCE_XLA_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "evidence/evidence_lines.h"

struct xla_duration {
	int64_t ns;
	int64_t other_ns;	/* the greater candidate; the same where the value is known */
};

/* "02m40s000ms000.000us", also "001ms32.778us", and without us as older ones.
 * False where TEXT is no such duration, or beyond 64 bits. */
bool xla_duration_read(struct xla_duration *out, struct span text);

/* Appends NS (0 or more) as torch_xla prints it. */
void xla_duration_print(struct buf *out, int64_t ns);

/* "4m23.782230112s", "1h2m3s", "850ms", as Go and Abseil print; it is correct. */
bool go_duration_read(int64_t *out_ns, struct span text);

#endif
