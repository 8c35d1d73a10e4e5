/*
 * groups - the arrays of operations, one a noun.  The only list of them; each
 * array ends with a NULL name.
 */
#ifndef PORTSIDE_COMMAND_GROUPS_H
#define PORTSIDE_COMMAND_GROUPS_H

#include "command/operation.h"

extern const struct operation attempt_operations[];
extern const struct operation calibrate_operations[];
extern const struct operation check_operations[];
extern const struct operation contract_operations[];
extern const struct operation feasibility_operations[];
extern const struct operation churn_operations[];
extern const struct operation bundle_operations[];
extern const struct operation config_operations[];
extern const struct operation compare_operations[];
extern const struct operation curve_operations[];
extern const struct operation import_operations[];
extern const struct operation decision_operations[];
extern const struct operation demo_operations[];
extern const struct operation diff_operations[];
extern const struct operation event_operations[];
extern const struct operation evidence_operations[];
extern const struct operation init_operations[];
extern const struct operation brief_operations[];
extern const struct operation doctor_operations[];
extern const struct operation recover_operations[];
extern const struct operation withhold_operations[];
extern const struct operation report_operations[];
extern const struct operation journal_operations[];
extern const struct operation rules_operations[];
extern const struct operation people_operations[];
extern const struct operation program_operations[];
extern const struct operation run_operations[];
extern const struct operation scan_operations[];
extern const struct operation study_operations[];
extern const struct operation triage_operations[];
extern const struct operation screen_operations[];
extern const struct operation since_operations[];
extern const struct operation status_operations[];
extern const struct operation strike_operations[];
extern const struct operation tensors_operations[];

#define OPERATION_GROUPS	\
	status_operations,	\
	since_operations,	\
	init_operations,	\
	attempt_operations,	\
	diff_operations,	\
	churn_operations,	\
	scan_operations,	\
	triage_operations,	\
	evidence_operations,	\
	brief_operations,	\
	config_operations,	\
	doctor_operations,	\
	run_operations,		\
	compare_operations,	\
	curve_operations,	\
	tensors_operations,	\
	import_operations,	\
	journal_operations,	\
	rules_operations,	\
	calibrate_operations,	\
	check_operations,	\
	contract_operations,	\
	feasibility_operations,	\
	people_operations,	\
	strike_operations,	\
	decision_operations,	\
	event_operations,	\
	recover_operations,	\
	withhold_operations,	\
	report_operations,	\
	bundle_operations,	\
	demo_operations,	\
	study_operations,	\
	program_operations,	\
	screen_operations,

#endif
