/*
 * evidence_run - the files of a run that tell facts, as rows.
 *
 *	if ((rc = evidence_run_show(c, ws, "7")) < 0)
 *		return rc;
 */
#ifndef PORTSIDE_COMMAND_EVIDENCE_RUN_H
#define PORTSIDE_COMMAND_EVIDENCE_RUN_H

#include "command/operation.h"
#include "evidence/evidence_facts.h"

/* Puts the table of a run, or of an attempt's latest one, into C: a row a file and format;
 * with --facts a row a fact. */
int evidence_run_show(struct call *c, struct workspace *ws, const char *subject) ATTR_MUST_USE;

/* The columns of a fact, and one such row.  Without the first column there is one file
 * alone, and FILE is NULL. */
extern const struct report_column evidence_fact_columns[];
extern const size_t evidence_fact_columns_n;
void evidence_put_fact(struct report_table *t, const char *file,
	const struct evidence_facts *facts, const struct evidence_fact *f);

#endif
