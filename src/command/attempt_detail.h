/*
 * attempt_detail - everything on record about one attempt, as lines to read.
 *
 * Each line says what, and where it comes from: an actor and a time, a trailer,
 * a run.  Struck words stay, marked as struck.
 *
 *	struct attempt_detail d;
 *
 *	if (attempt_detail_read(&d, ws, "7", NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < d.n; i++)
 *		printf("%s %s (%s)\n", d.lines[i].head, d.lines[i].text, d.lines[i].source);
 */
#ifndef PORTSIDE_COMMAND_ATTEMPT_DETAIL_H
#define PORTSIDE_COMMAND_ATTEMPT_DETAIL_H

#include "command/attempt.h"

/* What a line means; the screen has a style, a sign and a word for each. */
enum detail_tone { DETAIL_PLAIN, DETAIL_GOOD, DETAIL_BAD, DETAIL_OPEN, DETAIL_NOTE, DETAIL_STRUCK };

struct detail_line {
	const char *head;	/* "claimed"; "" continues the head above */
	const char *text;	/* sanitised, signs included */
	const char *source;	/* "agent:coder, trailer of 1a2b3c4"; "" when the head says it */
	enum detail_tone tone;
};

struct attempt_detail {
	const char *id;		/* of the attempt; "" when there is none */
	struct detail_line *lines;
	size_t n;
};

/* As of AT, NULL for now.  No line when there is no such attempt.  In A. */
int attempt_detail_read(struct attempt_detail *out, struct workspace *ws, const char *id,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
