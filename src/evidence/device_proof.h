/*
 * device_proof - was a run really on the TPU, and on how many chips?
 *
 * No single text proves it, so several looks are put together:
 *
 *	A  the log: nothing says that the run went on without a TPU
 *	B  tpu-info: every claimed chip is held by a process of the run
 *	C  duty cycle: above zero in several samples, on every claimed chip
 *	D  counters: operators were lowered and graphs executed (also true on PJRT's CPU)
 *	E  device: the real device is a TPU, parameters and a batch are on it
 *
 * Proven (confirmed): B and C on as many chips as are claimed; for one chip also D and
 * E.  Refuted: A or E say that it is elsewhere, or nobody holds the chips while steps
 * run, or they stay idle.  Both at once contradict each other and are unknown, as all
 * else that was looked at.
 *
 *	struct device_claim claim = { .chips = 4, .pids = pids, .pids_n = n,
 *		.during_steps = true };
 *
 *	device_proof_make(&proof, &arena, sets, sets_n, &claim);
 */
#ifndef PORTSIDE_EVIDENCE_DEVICE_PROOF_H
#define PORTSIDE_EVIDENCE_DEVICE_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check_result.h"
#include "base/mem.h"
#include "evidence/evidence_facts.h"

enum device_look {
	LOOK_LOG,
	LOOK_HOLDER,
	LOOK_DUTY,
	LOOK_COUNTERS,
	LOOK_DEVICE,
	DEVICE_LOOKS
};

enum {
	PROOF_SAMPLES_MIN = 2,		/* of a chip, for "several" */
	PROOF_CHIPS_MAX = 64,
	PROOF_FACTS_MAX = 16,
};

struct device_claim {
	int chips;			/* 1 or more */
	const int64_t *pids;		/* of the run and its children */
	size_t pids_n;			/* 0: not known */
	bool during_steps;		/* the samples were taken while steps ran */
};

struct device_answer {
	enum check_result result;
	const char *text;
	const struct evidence_fact *facts[PROOF_FACTS_MAX];	/* borrowed */
	size_t facts_n;
};

struct device_chip {
	int number;
	enum check_result holder, duty, result;	/* RESULT: both */
	int samples, busy;		/* of the duty cycle; above zero */
	int holders, nobody;		/* looks in which the run held it, in which nobody did */
	int strangers;			/* in which another process did, or one not known */
};

struct device_proof {
	struct device_answer looks[DEVICE_LOOKS];
	struct device_chip chips[PROOF_CHIPS_MAX];	/* by number */
	size_t chips_n;
	int chips_proven;
	enum check_result result;
	const char *text;
};

extern const char *const device_look_words[DEVICE_LOOKS];	/* "log", "holder", ... */

/* Texts are in A. */
void device_proof_make(struct device_proof *out, struct arena *a,
	const struct evidence_facts *const *sets, size_t n, const struct device_claim *claim);

#endif
