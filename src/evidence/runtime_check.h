/*
 * runtime_check - what reports, logs and tables of devices say about five questions of
 * L2: dev, fallback, compile, config, dtype.
 *
 * dev: device_proof.h put to the question for as many chips as the target has.
 * fallback: counters of operators, lines of the profiler, TorchTPU's fallback mode.
 * compile: the increase of compilations between reports, lines of the profiler, the
 * misses of TorchTPU's cache from one dump to the next.  config: how many chips the
 * processes of the run held, against those declared.  dtype: lines that say that
 * autocast was switched off, which refute whatever the settings were.
 *
 * Pure: the caller gathers the sources.  Where no source speaks of a question the
 * answer is "not checked", never passed.
 *
 *	struct runtime_claim claim = { .device = "tpu", .chips = 4, .pids = pids,
 *		.pids_n = n };
 *	struct check_answer dev = { .check = "dev" };
 *
 *	runtime_check_device(&dev, sources, sources_n, &claim, &arena);
 */
#ifndef PORTSIDE_EVIDENCE_RUNTIME_CHECK_H
#define PORTSIDE_EVIDENCE_RUNTIME_CHECK_H

#include "evidence/check_answer.h"

struct runtime_claim {
	const char *device;	/* "tpu", "gpu", "cpu": of the target; "": not known */
	int64_t chips;		/* 0: not declared */
	const int64_t *pids;	/* of the run's processes */
	size_t pids_n;
	bool during_steps;	/* devices were looked at while steps ran */
};

/* Between two dumps of TorchTPU's cache, for any answer but unknown. */
enum { RUNTIME_CHECK_REQUESTS_MIN = 10 };

void runtime_check_device(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct runtime_claim *claim, struct arena *a);
void runtime_check_fallback(struct check_answer *out, const struct check_source *sources,
	size_t n, struct arena *a);
void runtime_check_compile(struct check_answer *out, const struct check_source *sources, size_t n,
	struct arena *a);
void runtime_check_chips(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct runtime_claim *claim, struct arena *a);
void runtime_check_autocast(struct check_answer *out, const struct check_source *sources,
	size_t n, struct arena *a);

#endif
