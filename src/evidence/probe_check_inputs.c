/*
 * probe_check_inputs - what a run trains on and with: devices, processes, batches,
 * steps, rates, examples, number formats; see probe_check.h.
 */
#include "config.h"

#include "evidence/probe_check_private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static bool known(const struct probe_record *r, const char *kind)
{
	return r && probe_record_next(r, NULL, kind);
}

/* Says that the reference's side is missing; true where it did. */
static bool without_reference(struct question *q, const char *kind, const struct probe_line *place,
	const char *what)
{
	if (known(q->reference, kind))
		return false;
	question_answer(q, CHECK_UNKNOWN, place,
		"%s; the reference has no record of it to compare with", what);
	return true;
}

/* ---- dev ---- */

/* The name of a device of one of those kinds among the devices of L; NULL: none. */
static const char *device_of(const struct json *devices, const char *const *kinds)
{
	if (!devices || devices->type != JSON_OBJECT)
		return NULL;
	for (const struct json *d = devices->first; d; d = d->next)
		for (const char *const *kind = kinds; *kind; kind++)
			if (d->key && text_starts(d->key, *kind))
				return d->key;
	return NULL;
}

/* The device of the batch: "cpu", "xla:0"; "" where none was seen. */
static const char *batch_device(const struct probe_line *forward)
{
	const struct json *tensors = json_get(json_get(forward->json, "batch"), "tensors");

	return json_str(tensors ? tensors->first : NULL, "device", "");
}

/* The chip behind the device "xla", which may be the host: "TPU", "CPU"; "" unknown. */
static const char *hardware(const struct probe_record *r)
{
	const char *found = "";

	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "world")); )
		if (*json_str(l->json, "hardware", ""))
			found = json_str(l->json, "hardware", "");
	return found;
}

static void dev_of_tpu(struct question *q, const struct probe_line *forward, const char *device)
{
	const char *chip = hardware(q->attempt);

	if (text_starts(device, "tpu") || strcmp(chip, "TPU") == 0)
		question_answer(q, CHECK_CONFIRMED, forward,
			"parameters and the batch are on %.40s, and the hardware there is a TPU", device);
	else if (*chip)
		question_answer(q, CHECK_REFUTED, forward,
			"parameters are on %.40s, and the hardware there is %.40s", device, chip);
	else
		question_answer(q, CHECK_UNKNOWN, forward,
			"parameters are on %.40s, which may be the host as well: the hardware was not told",
			device);
}

void question_dev(struct question *q)
{
	static const char *const tpu[] = { "xla", "tpu", NULL }, *const gpu[] = { "cuda", NULL };
	const struct probe_line *forward = probe_record_next(q->attempt, NULL, "forward");
	const char *device, *batch;

	if (!forward) {
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no model was seen at work");
		return;
	}
	if (!*q->intent->device) {
		question_answer(q, CHECK_UNKNOWN, forward,
			"nobody said on which kind of device it is meant to train");
		return;
	}
	if (strcmp(q->intent->device, "tpu") != 0 && strcmp(q->intent->device, "gpu") != 0) {
		question_answer(q, CHECK_NOT_APPLICABLE, forward, "the intended target is no accelerator");
		return;
	}
	if (!json_get(forward->json, "devices") ||
		json_get(forward->json, "devices")->type != JSON_OBJECT) {
		question_answer(q, CHECK_UNKNOWN, forward, "the record does not tell the devices");
		return;
	}
	device = device_of(json_get(forward->json, "devices"),
		strcmp(q->intent->device, "tpu") == 0 ? tpu : gpu);
	batch = batch_device(forward);
	if (!device)
		question_answer(q, CHECK_REFUTED, forward, "no parameter of the model is on a %s",
			q->intent->device);
	else if (json_get(forward->json, "devices")->count > 1)
		question_answer(q, CHECK_UNKNOWN, forward, "parameters are on more than one device");
	else if (*batch && strcmp(batch, device) != 0)
		question_answer(q, CHECK_REFUTED, forward,
			"parameters are on %.40s, the batch on %.40s", device, batch);
	else if (!*batch)
		question_answer(q, CHECK_UNKNOWN, forward, "parameters are on %.40s; no batch was seen",
			device);
	else if (strcmp(q->intent->device, "tpu") == 0)
		dev_of_tpu(q, forward, device);
	else
		question_answer(q, CHECK_CONFIRMED, forward, "parameters and the batch are on %.40s",
			device);
}

/* ---- config ---- */

void question_config(struct question *q)
{
	const struct probe_line *told = probe_record_next(q->attempt, NULL, "world");
	int64_t world = probe_record_world(q->attempt), intended = q->intent->processes;
	const char *why;
	enum check_result backend = probe_check_backend(&why, q->attempt, q->intent, q->a);

	if (!told)
		told = probe_record_next(q->attempt, NULL, "optimizer");
	if (world == 0)
		question_answer(q, CHECK_NOT_CHECKED, NULL, "nothing was trained");
	else if (intended == 0)
		question_answer(q, CHECK_UNKNOWN, told,
			"%lld process%s trained; the intended target does not say how many chips it has",
			(long long)world, world == 1 ? "" : "es");
	else if (world != intended)
		question_answer(q, CHECK_REFUTED, told, "%lld process%s trained, and %lld are intended",
			(long long)world, world == 1 ? "" : "es", (long long)intended);
	else if (backend == CHECK_REFUTED || backend == CHECK_UNKNOWN)
		question_answer(q, backend, told, "%lld process%s trained, as intended; %s",
			(long long)world, world == 1 ? "" : "es", why);
	else
		question_answer(q, CHECK_CONFIRMED, told, "%lld process%s trained, as intended",
			(long long)world, world == 1 ? "" : "es");
}

/* ---- batch ---- */

/* Examples that the model is given at once while it trains; 0: none, or not one number. */
static int64_t examples_at_once(const struct probe_record *r)
{
	int64_t examples = 0;

	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "forward")); ) {
		int64_t n = json_i64(json_get(l->json, "batch"), "examples", 0);

		if (l->rank != 0 || n <= 0 || !json_bool(l->json, "training", true))
			continue;
		if (examples && examples != n)
			return 0;
		examples = n;
	}
	return examples;
}

int64_t probe_check_batch(const struct probe_record *r)
{
	int64_t examples = examples_at_once(r), world = probe_record_world(r), passes = 0;

	for (size_t i = 0; i < r->steps_n; i++) {
		const struct probe_step *s = &r->steps[i];

		if (s->rank != 0 || s->optimizer != 0)
			continue;
		if (passes && s->backwards != passes)
			return 0;	/* it is not one number */
		passes = s->backwards;
	}
	if (examples <= 0 || passes <= 0 || world <= 0 || examples > INT32_MAX ||
		passes > INT32_MAX / world)
		return 0;
	return examples * passes * world;
}

static bool drops_last(const struct probe_record *r)
{
	const struct probe_line *loader = probe_record_next(r, NULL, "loader");

	return loader && json_bool(loader->json, "drop_last", false);
}

void question_batch(struct question *q)
{
	const struct probe_line *forward = probe_record_next(q->attempt, NULL, "forward");
	int64_t own = probe_check_batch(q->attempt), other;

	if (!forward || q->attempt->steps_n == 0) {
		question_answer(q, CHECK_NOT_CHECKED, forward, "no step was recorded");
		return;
	}
	if (own == 0) {
		question_answer(q, CHECK_UNKNOWN, forward,
			"examples a step cannot be told: no batch was seen, or its size or the number of backward passes varies");
		return;
	}
	if (without_reference(q, "forward", forward,
		    arena_printf(q->a, "%lld examples go into a step", (long long)own)))
		return;
	other = probe_check_batch(q->reference);
	if (other == 0)
		question_answer(q, CHECK_UNKNOWN, forward,
			"%lld examples go into a step; the reference's cannot be told", (long long)own);
	else if (own != other)
		question_answer(q, CHECK_REFUTED, forward,
			"%lld examples go into a step, %lld in the reference", (long long)own,
			(long long)other);
	else if (drops_last(q->attempt) != drops_last(q->reference))
		question_answer(q, CHECK_REFUTED, probe_record_next(q->attempt, NULL, "loader"),
			"the last examples of an epoch are dropped %s", drops_last(q->attempt)
				? "here and not in the reference" : "in the reference and not here");
	else
		question_answer(q, CHECK_CONFIRMED, forward,
			"%lld examples go into a step, as in the reference", (long long)own);
}

/* ---- steps ---- */

static const struct probe_line *ended(const struct probe_record *r)
{
	return r ? probe_record_last(r, "optimizer_end", 0) : NULL;
}

void question_steps(struct question *q)
{
	const struct probe_line *end = ended(q->attempt), *other = ended(q->reference);
	int64_t own = probe_record_steps(q->attempt, 0);

	if (own == 0 && !end)
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no step was recorded");
	else if (!end)
		question_answer(q, CHECK_UNKNOWN, NULL,
			"the process did not come to its end; step %lld is the last that was recorded",
			(long long)own);
	else if (!other)
		question_answer(q, CHECK_UNKNOWN, end,
			"the optimizer made %lld steps; the reference has no record of its end to compare with",
			(long long)json_i64(end->json, "steps", 0));
	else if (json_i64(end->json, "steps", 0) != json_i64(other->json, "steps", 0))
		question_answer(q, CHECK_REFUTED, end, "the optimizer made %lld steps, %lld in the reference",
			(long long)json_i64(end->json, "steps", 0),
			(long long)json_i64(other->json, "steps", 0));
	else
		question_answer(q, CHECK_CONFIRMED, end,
			"the optimizer made %lld steps, as in the reference",
			(long long)json_i64(end->json, "steps", 0));
}

/* ---- lr ---- */

/* Rank 0's step of the same number and optimizer, looked for from *FROM on; NULL: none. */
static const struct probe_step *step_like(
	const struct probe_record *r, const struct probe_step *one, size_t *from)
{
	for (size_t i = *from; i < r->steps_n; i++) {
		const struct probe_step *s = &r->steps[i];

		if (s->rank != 0 || s->optimizer != one->optimizer || s->step < one->step)
			continue;
		*from = i;
		return s->step == one->step ? s : NULL;
	}
	return NULL;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* False where they differ, of which the answer speaks then. */
static bool rates_agree(struct question *q, const struct probe_step *own,
	const struct probe_step *other)
{
	if (!is_near(own->rate, other->rate))
		question_answer(q, CHECK_REFUTED, NULL,
			"at step %lld the learning rate is %.9g, %.9g in the reference",
			(long long)own->step, own->rate, other->rate);
	else if (own->groups != other->groups)
		question_answer(q, CHECK_REFUTED, NULL,
			"at step %lld %lld groups of parameters have a rate of their own, %lld in the reference",
			(long long)own->step, (long long)own->groups, (long long)other->groups);
	else if (isfinite(own->mark) && isfinite(other->mark) && !is_near(own->mark, other->mark))
		question_answer(q, CHECK_REFUTED, NULL,
			"at step %lld the learning rate of a later group of parameters is not that of the reference",
			(long long)own->step);
	return !question_answered(q);
}

/* Of one optimizer: how many steps were compared; false: they differ. */
static bool compare_rates(struct question *q, int64_t optimizer, int64_t *compared)
{
	size_t from = 0;

	for (size_t i = 0; i < q->attempt->steps_n; i++) {
		const struct probe_step *s = &q->attempt->steps[i], *other;

		if (s->rank != 0 || s->optimizer != optimizer || !isfinite(s->rate))
			continue;
		other = step_like(q->reference, s, &from);
		if (!other || !isfinite(other->rate))
			continue;
		if (!rates_agree(q, s, other))
			return false;
		++*compared;
	}
	return true;
}

/* Optimizers are numbered from 0; a number of a hostile file is no reason to count long. */
static int64_t optimizers_of(const struct probe_record *r)
{
	enum { MOST = 64 };
	int64_t n = 0;

	for (size_t i = 0; i < r->steps_n; i++)
		if (r->steps[i].rank == 0 && r->steps[i].optimizer >= n &&
			r->steps[i].optimizer < MOST)
			n = r->steps[i].optimizer + 1;
	return n;
}

void question_lr(struct question *q)
{
	int64_t compared = 0;

	if (q->attempt->steps_n == 0) {
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no step was recorded");
		return;
	}
	if (!q->reference || q->reference->steps_n == 0) {
		question_answer(q, CHECK_UNKNOWN, NULL,
			"the rate of each step is on record; the reference has none to compare with");
		return;
	}
	for (int64_t i = 0; i < optimizers_of(q->attempt); i++)
		if (!compare_rates(q, i, &compared))
			return;
	if (compared == 0)
		question_answer(q, CHECK_UNKNOWN, NULL, "no step has a rate on both sides");
	else
		question_answer(q, CHECK_CONFIRMED, NULL,
			"the learning rate is that of the reference at all %lld steps that both have",
			(long long)compared);
}

/* ---- eval ---- */

void question_eval(struct question *q)
{
	const struct probe_line *own = probe_record_last(q->attempt, "evaluated", 0), *other;
	int64_t examples = own ? json_i64(own->json, "examples", 0) : 0, others;

	if (examples <= 0) {
		question_answer(q, CHECK_NOT_CHECKED, own, "no evaluation told how many examples it had");
		return;
	}
	if (without_reference(q, "evaluated", own,
		    arena_printf(q->a, "%lld examples were evaluated", (long long)examples)))
		return;
	other = probe_record_last(q->reference, "evaluated", 0);
	others = other ? json_i64(other->json, "examples", 0) : 0;
	if (others != examples)
		question_answer(q, CHECK_REFUTED, own, "%lld examples were evaluated, %lld in the reference",
			(long long)examples, (long long)others);
	else
		/* Equal counts may be other examples, and the metric's code was not looked at. */
		question_answer(q, CHECK_UNKNOWN, own,
			"%lld examples were evaluated, as in the reference; which ones, and by which code, was not looked at",
			(long long)examples);
}

/* ---- dtype ---- */

static const char *const number_keys[] = { "default_dtype", "autocast", "autocast_cpu", "autocast_dtype",
	"matmul_precision", "tf32_matmul" };

/* A variable that changes the format of numbers, and is set; NULL: none. */
static const char *downcast(const struct probe_record *r)
{
	static const char *const names[] = { "XLA_USE_BF16", "XLA_DOWNCAST_BF16" };
	const struct probe_line *process = probe_record_next(r, NULL, "process");
	const struct json *environment = process ? json_get(process->json, "environment") : NULL;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = json_str(environment, names[i], "0");

		if (*value && strcmp(value, "0") != 0)
			return names[i];
	}
	return NULL;
}

static const char *canonical(const struct json *j, struct arena *a)
{
	struct buf text = BUF_INIT;
	const char *copy;

	if (j)
		json_canonical(&text, j);
	copy = arena_strdup(a, text.n ? text.s : "not told");
	buf_release(&text);
	return copy;
}

/* On xla the matrix products follow a setting of its own, which PyTorch's says nothing of. */
static const char *precision_of_xla(const struct probe_record *r)
{
	const char *found = "";

	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "world")); )
		if (*json_str(l->json, "matmul_precision", ""))
			found = json_str(l->json, "matmul_precision", "");
	return found;
}

static bool is_on_xla(const struct probe_line *forward)
{
	static const char *const xla[] = { "xla", "tpu", NULL };

	return device_of(json_get(forward->json, "devices"), xla) != NULL;
}

/* Is what nobody told the same? */
static bool numbers_are_not_told(struct question *q, const struct probe_line *own,
	const struct probe_line *other)
{
	const char *here = precision_of_xla(q->attempt), *there = precision_of_xla(q->reference);

	for (size_t i = 0; i < ARRAY_LEN(number_keys); i++) {
		if (json_get(own->json, number_keys[i]) || json_get(other->json, number_keys[i]))
			continue;
		question_answer(q, CHECK_UNKNOWN, own, "neither side tells %s", number_keys[i]);
		return true;
	}
	if ((!is_on_xla(own) && !is_on_xla(other)) ||
		(is_on_xla(own) && is_on_xla(other) && *here && strcmp(here, there) == 0))
		return false;
	if (q->intent->numbers_differ && (*here || !is_on_xla(own)) &&
		(*there || !is_on_xla(other)))
		question_answer(q, CHECK_CONFIRMED, own,
			"matrix products on xla have a precision of their own, which is %.40s here and %.40s in the reference, on purpose: %.200s",
			*here ? here : "that of PyTorch", *there ? there : "that of PyTorch",
			q->intent->numbers_differ);
	else
		question_answer(q, CHECK_UNKNOWN, own,
			"matrix products on xla have a precision of their own, which is %.40s here and %.40s in the reference%s",
			*here ? here : "not told", *there ? there : "not told",
			q->intent->numbers_differ ? ": that they differ is declared, and by how much is not on record"
						  : ": whether that is meant nobody said");
	return true;
}

/* True where that is the answer; *DECLARED: one that differs on purpose. */
static bool numbers_differ(struct question *q, const struct probe_line *own,
	const struct probe_line *other, const char **declared)
{
	for (size_t i = 0; i <= ARRAY_LEN(number_keys); i++) {
		const char *key = i < ARRAY_LEN(number_keys) ? number_keys[i] : "dtypes";
		const char *here = canonical(json_get(own->json, key), q->a),
			   *there = canonical(json_get(other->json, key), q->a);

		if (strcmp(here, there) == 0)
			continue;
		if (!q->intent->numbers_differ) {
			question_answer(q, CHECK_UNKNOWN, own,
				"%s is %.80s here and %.80s in the reference, and nobody said that this is meant",
				key, here, there);
			return true;
		}
		if (!json_get(own->json, key) || !json_get(other->json, key)) {
			question_answer(q, CHECK_UNKNOWN, own,
				"%s is %.80s here and %.80s in the reference: that they differ is declared, and by how much is not on record",
				key, here, there);
			return true;
		}
		*declared = arena_printf(q->a, "%s is %.80s here and %.80s in the reference", key,
			here, there);
	}
	return false;
}

void question_dtype(struct question *q)
{
	const struct probe_line *forward = probe_record_next(q->attempt, NULL, "forward");
	const char *variable = downcast(q->attempt), *declared = NULL;
	const struct probe_line *other;

	if (variable && q->intent->numbers_differ) {
		question_answer(q, CHECK_CONFIRMED, probe_record_next(q->attempt, NULL, "process"),
			"%s is set, so numbers are stored as bf16, on purpose: %.200s", variable,
			q->intent->numbers_differ);
		return;
	}
	if (variable) {
		question_answer(q, CHECK_REFUTED, probe_record_next(q->attempt, NULL, "process"),
			"%s is set: numbers are stored as bf16 without the program's doing", variable);
		return;
	}
	if (!forward) {
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no model was seen at work");
		return;
	}
	if (!json_get(forward->json, "dtypes")) {
		question_answer(q, CHECK_UNKNOWN, forward, "the record does not tell the number formats");
		return;
	}
	if (without_reference(q, "forward", forward, "the number formats are on record"))
		return;
	other = probe_record_next(q->reference, NULL, "forward");
	if (numbers_differ(q, forward, other, &declared) ||
		numbers_are_not_told(q, forward, other))
		return;
	if (declared) {
		question_answer(q, CHECK_CONFIRMED, forward, "%s, on purpose: %.200s", declared,
			q->intent->numbers_differ);
		return;
	}
	question_answer(q, CHECK_CONFIRMED, forward,
		"parameters are %.80s, and autocast and matrix products are set as in the reference",
		canonical(json_get(forward->json, "dtypes"), q->a));
}

/* ---- seed-data ---- */

/* The checksums of the ids of the first batches that the first loader gave. */
static const struct probe_line *first_batches(const struct probe_record *r)
{
	const struct probe_line *found = probe_record_next(r, NULL, "loader_first");

	return found ? found : probe_record_next(r, NULL, "loader_pass");
}

/* Equal ids of data of another size are other examples. */
static bool datasets_differ(struct question *q)
{
	const struct probe_line *own = probe_record_next(q->attempt, NULL, "loader");
	const struct probe_line *other = probe_record_next(q->reference, NULL, "loader");
	int64_t here = own ? json_i64(own->json, "examples", 0) : 0;
	int64_t there = other ? json_i64(other->json, "examples", 0) : 0;

	if (here <= 0 || there <= 0 || here == there)
		return false;
	if (q->intent->data_differs) {
		question_answer(q, CHECK_CONFIRMED, own,
			"the data has %lld examples here and %lld in the reference, on purpose: %.200s",
			(long long)here, (long long)there, q->intent->data_differs);
		return true;
	}
	question_answer(q, CHECK_REFUTED, own,
		"the first ids are those of the reference, of %lld examples here and %lld there",
		(long long)here, (long long)there);
	return true;
}

void question_seed_data(struct question *q)
{
	const struct probe_line *own = first_batches(q->attempt), *other;
	const struct json *here, *there;
	size_t n = 0;

	if (!own) {
		question_answer(q, CHECK_NOT_CHECKED, NULL, "no data loader was seen");
		return;
	}
	other = q->reference ? first_batches(q->reference) : NULL;
	if (!other) {
		question_answer(q, CHECK_UNKNOWN, own,
			"the ids of the first batches are on record; the reference has none to compare with");
		return;
	}
	if (probe_record_world(q->attempt) != probe_record_world(q->reference) &&
		q->intent->data_differs) {
		question_answer(q, CHECK_CONFIRMED, own,
			"the examples are shared out to %lld processes here and %lld in the reference; their order differs on purpose: %.200s",
			(long long)probe_record_world(q->attempt),
			(long long)probe_record_world(q->reference), q->intent->data_differs);
		return;
	}
	if (probe_record_world(q->attempt) != probe_record_world(q->reference)) {
		question_answer(q, CHECK_UNKNOWN, own,
			"the examples are shared out to %lld processes here and %lld in the reference, so batches cannot be compared one by one",
			(long long)probe_record_world(q->attempt),
			(long long)probe_record_world(q->reference));
		return;
	}
	here = json_get(own->json, "first");
	there = json_get(other->json, "first");
	here = here && here->type == JSON_ARRAY ? here->first : NULL;
	there = there && there->type == JSON_ARRAY ? there->first : NULL;
	for (; here && there; here = here->next, there = there->next, n++) {
		if (here->type != JSON_STRING || there->type != JSON_STRING)
			break;
		if (strcmp(here->text, there->text) == 0)
			continue;
		if (q->intent->data_differs)
			question_answer(q, CHECK_CONFIRMED, own,
				"batch %zu has other examples than in the reference, or the same in another order, on purpose: %.200s",
				n + 1, q->intent->data_differs);
		else
			question_answer(q, CHECK_REFUTED, own,
				"batch %zu has other examples than in the reference, or the same in another order",
				n + 1);
		return;
	}
	if (n == 0)
		question_answer(q, CHECK_UNKNOWN, own, "the loader gives a stream, whose examples have no ids");
	else if (!datasets_differ(q))
		question_answer(q, CHECK_CONFIRMED, own,
			"the first %zu batches have the ids of the reference, in its order; what stands behind an id was not compared",
			n);
}
