/*
 * xla_metrics - torch_xla's metrics reports: whole, short, and one after each sync.
 *
 * A report is blocks of metrics and then of counters, each by name; one that is zero
 * is left out.  A file of XLA_METRICS_FILE holds one report a sync call, each with a
 * header and an empty line behind; its number is that of the call, no training step.
 * A report that is not ended is left out.  A text without headers is one report
 * until a name comes again.
 *
 * Counts are exact.  Durations are decoded (xla_duration.h); one that could be two is
 * resolved where samples and percentiles leave one: the sum of N samples is at most N
 * times the greatest and at least N times the least.
 *
 * Totals only grow until they are reset: a falling one begins a segment.  Of many
 * reports XLA_REPORTS_KEPT are kept, the last of each segment among them; falling is
 * looked for in all.  Facts of all but the last report of a segment are details.
 */
#ifndef PORTSIDE_EVIDENCE_XLA_METRICS_H
#define PORTSIDE_EVIDENCE_XLA_METRICS_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { XLA_METRICS_VERSION = 1, XLA_REPORTS_KEPT = 64, XLA_NAMES_MAX = 2048 };

bool xla_metrics_recognise(const struct evidence_source *source);
void xla_metrics_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
