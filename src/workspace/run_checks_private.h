/*
 * run_checks_private - what the files of run_checks.h share: the evidence of one run,
 * and one run's answers.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_CHECKS_PRIVATE_H
#define PORTSIDE_WORKSPACE_RUN_CHECKS_PRIVATE_H

#include "curve/comparable.h"
#include "domain/configuration.h"
#include "evidence/packages_check.h"
#include "evidence/probe_record.h"
#include "workspace/run_checks.h"
#include "workspace/run_parsed.h"

/* All evidence of one run.  Zeroed by its owner; checks_side_release(). */
struct checks_side {
	const struct run_state *run;	/* NULL: there is none */
	const char *prefix;		/* of names of places: "" or "ps-abc/" */
	struct probe_record *probe;	/* NULL: none, or it is refused */
	const char *refused;		/* why the probe's record is not used; NULL: it is */
	struct check_place *probe_files;	/* by the index of a file in PROBE */
	size_t probe_files_n;
	struct evidence_facts *probe_facts;	/* of each file */
	struct run_parsed parsed;
	bool lent;			/* PARSED is somebody else's */
	struct check_source *sources;	/* the probe's facts, then those of PARSED */
	size_t sources_n;
	bool incomplete;		/* something on record was not used */
	const char **notes;
	size_t notes_n, notes_cap;
};

/* LENT: what the run's files tell, read already and borrowed; NULL: they are read. */
int checks_side_read(struct checks_side *out, struct workspace *ws, const struct run_state *run,
	const char *prefix, const struct run_parsed *lent, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;
void checks_side_release(struct checks_side *s);

struct checks_question {
	const struct checks_side *own, *reference;
	const struct config *config;		/* in force */
	const struct config_target *target;	/* NULL: not in the configuration */
	const struct comparable_declaration *declared;	/* differences on purpose */
	size_t declared_n;
	const struct packages_known *known;
	const char *rundir;			/* of OWN's run */
	struct arena *arena;
};

void checks_ask(struct check_answer answers[PROBE_QUESTIONS], const struct checks_question *q);

#endif
