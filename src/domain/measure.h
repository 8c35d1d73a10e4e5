/*
 * measure - what a run's own facts say about L0.
 *
 * L0 asks whether the declared experiment ran to its declared end.  The end is
 * declared by steps, a text (done) or an artifact; without any of them an exit
 * code of 0 is "unknown", never L0.  A run that something else ended (a limit,
 * a person, a lost machine) says nothing either way.
 *
 * A target that only simulates a TPU confirms L0 for its own configuration and
 * nothing above.
 */
#ifndef PORTSIDE_DOMAIN_MEASURE_H
#define PORTSIDE_DOMAIN_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "domain/check.h"
#include "domain/level.h"
#include "domain/vocabulary.h"

struct run_end_facts {
	enum run_status state;
	enum provenance provenance;
	bool rc_known;
	int64_t rc;
	bool steps_declared, done_declared, artifact_declared;
	enum seen steps, done, artifact;	/* read only where declared */
	enum seen error_text;			/* a traceback or an out-of-memory text */
};

struct l0_result {
	enum check_result exit, steps, done, artifact, error_text;	/* the items */
	enum check_result l0;
	const char *why;	/* one line, never NULL */
};

struct l0_result measure_l0(const struct run_end_facts *f);

/*
 * Which result counts for an attempt on one configuration: the latest full run
 * that says confirmed or refuted; without one, the latest smoke run that does;
 * without one, the latest run that does and whose kind nobody told; else unknown
 * when any run ended.  Feed runs in the order of their preparation.
 */
struct l0_pick {
	enum check_result full, smoke, other;
	bool ended;
};
void l0_pick_add(struct l0_pick *p, enum run_kind kind, enum check_result l0, bool ended);
enum check_result l0_pick_result(const struct l0_pick *p);

/* Takes away what a stand-in cannot prove: confirmed L2 to L4 become unknown. */
void measure_cap_simulated(struct level_vector *v);

#endif
