/*
 * doctor_list - findings while they are gathered.  Private to doctor.
 */
#ifndef PORTSIDE_WORKSPACE_DOCTOR_LIST_H
#define PORTSIDE_WORKSPACE_DOCTOR_LIST_H

#include "workspace/doctor.h"

struct doctor_list {
	struct doctor_finding *rows;
	size_t n, cap;
	struct arena *a;
	const struct doctor_options *options;
};

/* Texts are borrowed from the arena or static. */
void doctor_add(struct doctor_list *l, const char *area, const char *item, enum doctor_state state,
	const char *value, const char *advice);

/* Programs, libraries, terminal, the user's own configuration: doctor_machine.c. */
void doctor_machine(struct doctor_list *l);

#endif
