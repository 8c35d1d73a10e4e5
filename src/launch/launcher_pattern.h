/*
 * launcher_pattern - a pattern of a launcher's definition, and what it finds.
 *
 * PCRE2 over bytes, with limits: neither a hostile pattern nor hostile output costs more
 * than some milliseconds a line, and what reaches a limit is no match.  Groups have the
 * names of enum launcher_group; any other name is refused when the pattern is read.
 *
 *	struct launcher_match m;
 *
 *	if (launcher_pattern_match(&m, &pattern, line, n) && m.groups[GROUP_ID].s)
 *		...
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_PATTERN_H
#define PORTSIDE_LAUNCH_LAUNCHER_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct pcre2_real_code_8;

/* What a matched line, or an item of JSON, says of a job. */
enum launcher_group {
	GROUP_ID, GROUP_CLUSTER, GROUP_STATE, GROUP_REASON, GROUP_RC, GROUP_SIGNAL,
	GROUP_SUBMITTED, GROUP_NODE, GROUP_RUN, GROUP_WORKER,
	/* of a log's first line */
	GROUP_OFFSET, GROUP_LENGTH, GROUP_SIZE,
	GROUP_COUNT
};

struct launcher_pattern {
	const char *text;
	struct pcre2_real_code_8 *code;
};

struct launcher_patterns {
	struct launcher_pattern *rows;
	size_t n, cap;
};

/* Bytes of the subject; S NULL: the group took no part. */
struct launcher_span {
	const char *s;
	size_t n;
};

struct launcher_match {
	struct launcher_span whole, groups[GROUP_COUNT];
};

const char *launcher_group_word(enum launcher_group g);		/* "id" */
bool launcher_group_find(enum launcher_group *out, const char *name);

/* WHOLE: it must match all of its subject.  TEXT is borrowed.  ERR_PARSE; what OUT holds
 * is yours: launcher_pattern_release(). */
int launcher_pattern_compile(
	struct launcher_pattern *out, const char *text, bool whole) ATTR_MUST_USE;
void launcher_pattern_release(struct launcher_pattern *p);

/* OUT may be NULL. */
bool launcher_pattern_match(
	struct launcher_match *out, const struct launcher_pattern *p, const char *s, size_t n);
/* The first of ROWS that matches; NULL when none does. */
const struct launcher_pattern *launcher_patterns_find(
	const struct launcher_patterns *rows, const char *s, size_t n);

#endif
