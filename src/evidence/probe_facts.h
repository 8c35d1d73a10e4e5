/*
 * probe_facts - what the probe's record says in the words of the other parsers.
 *
 * Devices (real, of a parameter, of the batch) and packages become facts, so that they
 * are put together with those of logs, tables and lists.  A fact has the line of its
 * file; each file is a set of its own.  Of models that are called only the first of a
 * process counts, as for the probe's own question.
 *
 *	struct evidence_facts facts = EVIDENCE_FACTS_INIT;
 *
 *	probe_facts_read(&facts, record, 0);
 *	evidence_facts_release(&facts);
 */
#ifndef PORTSIDE_EVIDENCE_PROBE_FACTS_H
#define PORTSIDE_EVIDENCE_PROBE_FACTS_H

#include "evidence/evidence_facts.h"
#include "evidence/probe_record.h"

/* OUT is empty and yours; FILE: index among the names of R. */
void probe_facts_read(struct evidence_facts *out, const struct probe_record *r, size_t file);

/* The processes that wrote, each once: at most MAX in PIDS; how many there are. */
size_t probe_facts_pids(int64_t *pids, size_t max, const struct probe_record *r);

/* When steps were made, by the clock of the program: nanoseconds since 1970; false
 * where two moments of it are not known. */
bool probe_facts_steps_time(int64_t *from_ns, int64_t *until_ns, const struct probe_record *r);

/* A setting of the trainer that is a number; NaN: it is not on record. */
double probe_facts_setting(const struct probe_record *r, const char *name);

#endif
