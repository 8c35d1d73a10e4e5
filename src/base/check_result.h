/*
 * check_result - the five values that an answer to a question has.
 *
 * Confirmed is the only one that counts as pass, refuted the only one that counts
 * as fail.  Unknown was looked at, and the evidence is insufficient or contradicts
 * itself; not checked was not looked at.  Words and the AND over several of them
 * are those of domain/check.h.
 */
#ifndef PORTSIDE_BASE_CHECK_RESULT_H
#define PORTSIDE_BASE_CHECK_RESULT_H

enum check_result {
	CHECK_NOT_CHECKED, CHECK_CONFIRMED, CHECK_REFUTED, CHECK_UNKNOWN, CHECK_NOT_APPLICABLE,
};

#endif
