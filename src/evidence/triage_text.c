/* triage_text - the words of a verdict; see triage.h. */
#include "config.h"

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "evidence/triage_private.h"

static const char *const causes[] = {
	[TRIAGE_NONE] = "none", [TRIAGE_C0] = "C0", [TRIAGE_C1] = "C1", [TRIAGE_C2] = "C2",
	[TRIAGE_C3] = "C3", [TRIAGE_C4] = "C4", [TRIAGE_C5] = "C5", [TRIAGE_C6] = "C6",
};

static const char *const sides[] = { "unknown", "tpu", "gpu", "host" };
static const char *const bases[] = { "none", "hit", "count", "growth", "order" };
static const char *const roles[] = { "decides", "secondary", "note", "dropped", "wrapper", "counted" };
static const char *const sames[] = { "unknown", "yes", "no" };

/* By the signature, where its own check is cheaper than that of its cause; the first
 * whose id begins so.  Read by triage_confirm(). */
static const struct { const char *id, *check; } by_signature[] = {
	{ "C1-11", "print the device of a parameter, and look for the run's process in tpu-info" },
	{ "C1-14", "list who holds the TPU (tpu-info, fuser /dev/vfio/*), end it, start again" },
	{ "C1-16", "list who holds the TPU (tpu-info, fuser /dev/vfio/*), end it, start again" },
	{ "C1-17", "list who holds the TPU (tpu-info, fuser /dev/vfio/*), end it, start again" },
	{ "C2-08", "build the optimizer after the move to the device, and compare a parameter's checksum after N steps" },
	{ "C2-09", "print the device of a parameter, and look for the run's process in tpu-info" },
	{ "C2-11", "print the device of a parameter, and look for the run's process in tpu-info" },
	{ "C3-03", "reload the checkpoint and evaluate: equal to the base model means not restored" },
	{ "C3-13", "reload the best checkpoint and evaluate it against the last one" },
	{ "C3-14", "compare the named parameters before saving and after loading" },
	{ "C3-15", "reload the best adapter and evaluate it against the last one" },
	{ "C4-02", "log less often and count TransferFromDeviceTime again" },
	{ "C4-05", "log less often, take .item() out of the loop, and count the blocks again" },
	{ "C4-22", "log less often, take .item() out of the loop, and read the counter again" },
	{ "C4-23", "pad to a fixed shape where nonzero is used, and read the counter again" },
	{ "C5-19", "look at the same step of the reference; then one batch in fp32 on both sides" },
	{ "C5-20", "change the kernel's tile, not the batch: VMEM is no matter of batch size" },
	{ "C5-21", "change the kernel's tile, not the batch: VMEM is no matter of batch size" },
};

static const char *const by_cause[] = {
	[TRIAGE_NONE] = "",
	[TRIAGE_C0] = "read the log around its last exception; run the original at the same step",
	[TRIAGE_C1] = "run the failing import or call alone in the same environment, and compare pip freeze with what is pinned",
	[TRIAGE_C2] = "scan the sources for CUDA constructs, and print the device of each parameter and of one batch",
	[TRIAGE_C3] = "compare parameters, gradient norm before clipping and a reloaded checkpoint with the reference",
	[TRIAGE_C4] = "run 30 steps of one fixed shape with the metrics report printed twice: counts of compilations must not rise",
	[TRIAGE_C5] = "one batch with equal parameters on both sides, at the highest matmul precision; list the aten:: counters",
	[TRIAGE_C6] = "halve the batch once: it fits, or needs clearly less",
};

const char *triage_cause_name(enum triage_cause c)
{
	return causes[c];
}

enum triage_cause triage_cause_find(const char *id)
{
	for (size_t i = TRIAGE_C0; i < ARRAY_LEN(causes); i++)
		if (strcmp(causes[i], id) == 0)
			return (enum triage_cause)i;
	return TRIAGE_NONE;
}

const char *triage_side_name(enum triage_side s)
{
	return sides[s];
}

const char *triage_basis_name(enum triage_basis b)
{
	return bases[b];
}

const char *triage_role_name(enum triage_role r)
{
	return roles[r];
}

const char *triage_same_name(enum triage_same s)
{
	return sames[s];
}

void triage_note(struct triage_work *w, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	if (w->v->notes_n == TRIAGE_NOTES_MAX)
		return;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	w->v->notes[w->v->notes_n++] = arena_strdup(w->arena, text.s);
	buf_release(&text);
}

void triage_reason(struct triage_work *w, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	w->v->reason = arena_strdup(w->arena, text.s);
	buf_release(&text);
}

/* Of a graph that grows and of a killed process the check is another one. */
static const char *of_memory(const struct triage_work *w)
{
	const struct triage_verdict *v = w->v;

	if (v->rules & 1U << 9)
		return v->cause == TRIAGE_C4 ?
			"record the host's memory for 100 steps with torch_xla.sync() in every step: it must stay level" :
			"record the host's memory for 100 steps: a rise from step to step is C4, a level that is too high C6";
	if (v->rules & 1U << 8 && v->cause == TRIAGE_C4)
		return "halve the batch once more: the same step fails, or the need stays";
	return NULL;
}

void triage_confirm(struct triage_work *w, const struct signature *deciding)
{
	struct triage_verdict *v = w->v;
	const char *check = of_memory(w);

	for (size_t i = 0; !check && deciding && i < ARRAY_LEN(by_signature); i++)
		if (strcmp(by_signature[i].id, deciding->id) == 0)
			check = by_signature[i].check;
	if (!check && v->ask)
		check = "look whose log it is: a run on a GPU, or a script that ran its own reference";
	v->confirm = check ? check : by_cause[v->cause];
}
