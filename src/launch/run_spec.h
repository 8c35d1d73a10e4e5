/*
 * run_spec - what was asked of a run: the typed form of spec.json.
 *
 * Written once, before the launch, and never changed.  A command is either
 * ARGV (executed directly, as `portside run -- CMD` does) or SCRIPT (POSIX sh
 * text that is stored as `cmd` and run as `sh RUNDIR/cmd`).  Values reach a
 * script only through variables, so nothing is ever quoted into it.
 *
 *	struct run_spec s = RUN_SPEC_INIT;
 *	run_id_new(s.run_id);
 *	s.target = "gpu-l4";
 *	s.target_kind = "gpu";
 *	s.script = "python train.py --seed $PORTSIDE_SEED";
 *	s.cwd = worktree;
 *	s.limit_ns = 15 * 60 * NS_PER_S;
 *
 * In the file, argv is for people: bytes that are no UTF-8 are replaced and
 * secrets are taken out.  What is executed passes through memory (payload.h),
 * or from the file `cmd`, which keeps every byte.
 *
 * Strings are borrowed: of the caller when a run is prepared, of the arena
 * when run_spec_parse() filled it.  Lists end with NULL; NULL is an empty list.
 */
#ifndef PORTSIDE_LAUNCH_RUN_SPEC_H
#define PORTSIDE_LAUNCH_RUN_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/units.h"
#include "launch/run_id.h"

struct run_spec {
	char run_id[RUN_ID_SIZE];
	const char *kind;		/* "smoke", "full", "wrapper" */
	const char *subject;		/* attempt or "reference"; "" when none */
	const char *target;		/* name of the [target] section */
	const char *target_kind;	/* gpu, tpu, cpu */
	const char *launcher;		/* "local"; see launcher.h */
	const char *launcher_sha256;	/* of its definition file; "" for a built-in */
	const char *const *argv;	/* exactly one of ARGV and SCRIPT */
	const char *script;
	const char *cwd;		/* absolute: the run's work tree */
	int64_t limit_ns;		/* 0: no time limit */
	int64_t grace_ns;		/* between TERM and KILL */
	int64_t log_cap_bytes;		/* 0: no cap */
	int64_t budget_nano_usd;	/* 0: no budget */
	struct price price;
	int chips;			/* at least 1 */
	bool has_seed;
	int64_t seed;
	const char *const *env;		/* NAME=VALUE additions, not secret */
	const char *const *env_allow;	/* further names or globs to record */
	const char *const *pass;	/* names of secrets, handed on in memory */
	bool inherit_env;		/* run with all of the caller's; recorded is the list */
	bool skip_capture;		/* do not run the commands of capture.h */
	const char *probe;		/* folder of the probe's code, "" for none */
	const char *revision;		/* of the code, "" when unknown */
	const char *dirty_sha256;	/* of the difference to it, "" when clean or unknown */
	const char *done;		/* end marker text, "" for none */
	int64_t steps;			/* declared steps, 0 for none */
	const char *artifact;		/* path below cwd that must exist, "" for none */
	int64_t prepared_ns;		/* wall clock; set by launch_prepare() */
};

#define RUN_SPEC_INIT { .kind = "", .subject = "", .target = "local", .target_kind = "cpu", \
	.launcher = "local", .launcher_sha256 = "", .cwd = "/", .grace_ns = INT64_C(10000000000), \
	.chips = 1, .revision = "", .dirty_sha256 = "", .done = "", .artifact = "", \
	.probe = "" }

enum { RUN_SPEC_SCHEMA = 1, RUN_SPEC_MAX_BYTES = 4 * 1024 * 1024 };

/* ERR_USAGE with the reason: no command or two, relative cwd, a budget that no
 * price can hold or that buys less than a second, an addition with a secret name. */
int run_spec_check(const struct run_spec *s) ATTR_MUST_USE;

/*
 * The seconds that the budget buys, as a limit: floor(budget * 3600 / (price *
 * chips)); a price per machine is not multiplied.  0 when there is no budget.
 * 20.00 USD at 1.20 USD/chip-hour on 4 chips is 15000 s.
 */
int64_t run_spec_budget_ns(const struct run_spec *s);

/* The JSON of spec.json.  No secret: values of `pass` are not part of it. */
void run_spec_write(struct buf *out, const struct run_spec *s);

/* ERR_PARSE, ERR_NEWER.  env and env_allow are not part of the file (`env` is). */
int run_spec_parse(struct run_spec *out, struct arena *a, const char *s, size_t n) ATTR_MUST_USE;

#endif
