/*
 * attempts_filter - which attempts view 1 shows.
 *
 * What was typed is an expression of base/expr.h where it can be read as one, else a text
 * that stands in some cell of the row, or the first letters of its commit:
 *
 *	outcome = failure and measured < L3
 *	cause = C5 or subject ~ "reduce"
 *
 * Levels are those on the intended configuration, changes those since the attempt before;
 * what is not known lets no row pass.  The words are in the table of the .c file and in
 * portside(1).
 */
#ifndef PORTSIDE_UI_ATTEMPTS_FILTER_H
#define PORTSIDE_UI_ATTEMPTS_FILTER_H

#include "ui/attempts_view.h"

/* A list's passes(); USER is the view. */
bool attempts_pass(void *user, long row, const char *filter);

#endif
