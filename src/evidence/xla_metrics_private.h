/*
 * xla_metrics_private - reports as they were read, for what makes facts of them.
 */
#ifndef PORTSIDE_EVIDENCE_XLA_METRICS_PRIVATE_H
#define PORTSIDE_EVIDENCE_XLA_METRICS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "evidence/evidence_facts.h"
#include "evidence/evidence_lines.h"
#include "evidence/xla_metrics.h"

enum metrics_field_name {
	FIELD_SAMPLES, FIELD_SUM, FIELD_VALUE_RATE, FIELD_RATE, FIELD_PERCENTILES, FIELD_VALUE,
	METRICS_FIELDS
};

struct metrics_field {
	struct span text;
	int64_t line;		/* 0: it was not there */
};

struct metrics_item {
	int32_t name;		/* index into the names of all reports */
	bool is_counter;
	struct metrics_field fields[METRICS_FIELDS];
};

struct metrics_report {
	struct metrics_item *items;
	size_t n, cap;
	struct arena texts;
	int64_t line, call;	/* of its header */
	bool has_header;
	int64_t number;		/* among all reports of the file, from 0 */
	int32_t segment;
	bool ends_segment;
};

struct metrics_name {
	char *text;
	int64_t report[2];	/* the latest that has it as a metric, as a counter; -1: none */
};

struct metrics {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	struct metrics_name *names;
	size_t names_n, names_cap;
	struct metrics_report reports[XLA_REPORTS_KEPT];
	size_t reports_n;
	int64_t reports_seen, stride;
	int32_t segments;	/* that ended */
	struct metrics_report now;
	struct metrics_item *item;	/* of NOW; NULL: none is open */
	bool in_report;
};

/* The one of R that is the same as ITEM, which was at AT in its own report.  NULL: it is
 * not in R, which says zero. */
const struct metrics_item *metrics_item_find(
	const struct metrics_report *r, const struct metrics_item *item, size_t at);
/* Its count or number of samples; false for NULL, and where that cannot be read. */
bool metrics_item_total(const struct metrics_item *item, int64_t *out);

/* Adds what the kept reports say. */
void metrics_add_facts(struct metrics *m);

#endif
