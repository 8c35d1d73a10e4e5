/* run_facts_settings - facts from what a tracker keeps of a run's configuration; see
 * run_facts.h. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "workspace/run_facts.h"

/* Names under which trainers keep a fact, the plainest first. */
struct fact_names {
	size_t offset;		/* in struct run_facts */
	bool is_text;
	const char *names[8];
};

static const struct fact_names facts[] = {
	{ offsetof(struct run_facts, steps), false,
		{ "max_steps", "total_steps", "train_steps", "num_train_steps", "max_iters" } },
	{ offsetof(struct run_facts, warmup_steps), false,
		{ "warmup_steps", "num_warmup_steps", "warmup_iters" } },
	{ offsetof(struct run_facts, clipping), false,
		{ "max_grad_norm", "gradient_clip_val", "clip_grad", "grad_clip" } },
	{ offsetof(struct run_facts, dropout), false,
		{ "dropout", "hidden_dropout_prob", "dropout_rate" } },
	{ offsetof(struct run_facts, eval_examples), false,
		{ "eval_samples", "max_eval_samples", "num_eval_examples" } },
	{ offsetof(struct run_facts, optimizer), true, { "optim", "optimizer", "optimizer_name" } },
	{ offsetof(struct run_facts, data), true,
		{ "dataset_name", "dataset" } },
	{ offsetof(struct run_facts, tokenizer), true, { "tokenizer_name", "tokenizer" } },
	{ offsetof(struct run_facts, weights), true,
		{ "model_name_or_path", "_name_or_path", "init_from", "pretrained" } },
	{ offsetof(struct run_facts, teacher), true,
		{ "teacher_model", "teacher_name_or_path", "teacher" } },
	{ offsetof(struct run_facts, seed), true, { "seed", "random_seed" } },
};

/* None says nothing, and where a file lies on one machine is not what it holds. */
static bool says_something(const char *v)
{
	return *v && strcasecmp(v, "none") != 0 && strcasecmp(v, "null") != 0 &&
		*v != '/' && *v != '~' && !text_starts(v, "./") && !text_starts(v, "../") &&
		!strstr(v, "://");
}

/* By the whole name, else by what follows the last dot. */
static const char *find_one(const struct settings *s, const char *name)
{
	for (int nested = 0; nested < 2; nested++) {
		for (size_t i = 0; i < s->n; i++) {
			const char *full = s->list[i].name, *dot = strrchr(full, '.');
			const char *v = s->list[i].value;

			if (strcmp(nested && dot ? dot + 1 : full, name) == 0 && says_something(v))
				return v;
		}
	}
	return NULL;
}

static const char *find_first(const struct settings *s, const struct fact_names *f)
{
	const char *found = NULL;

	for (size_t k = 0; k < ARRAY_LEN(f->names) && f->names[k] && !found; k++)
		found = find_one(s, f->names[k]);
	return found;
}

static double number_of(const struct settings *s, const char *name)
{
	const char *v = find_one(s, name);
	double n;

	return v && text_to_double(v, strlen(v), &n) && n > 0 ? n : NAN;
}

static bool is_on(const struct settings *s, const char *name)
{
	const char *v = find_one(s, name);

	return v && (strcasecmp(v, "true") == 0 || strcmp(v, "1") == 0);
}

/* The names of all sorts of libraries for few formats; what one contains goes first. */
const char *run_facts_precision(const char *v)
{
	static const struct {
		const char *part, *format;
	} formats[] = {
		{ "bf16", "bf16" }, { "bfloat16", "bf16" }, { "fp16", "fp16" },
		{ "float16", "fp16" }, { "f16", "fp16" }, { "half", "fp16" },
		{ "16-mixed", "fp16" }, { "16-true", "fp16" }, { "tf32", "tf32" },
		{ "float64", "fp64" }, { "fp64", "fp64" }, { "f64", "fp64" },
		{ "double", "fp64" }, { "float32", "fp32" }, { "fp32", "fp32" },
		{ "f32", "fp32" }, { "single", "fp32" }, { "32", "fp32" },
	};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcasestr(v, formats[i].part))
			return formats[i].format;
	return strcasecmp(v, "float") == 0 || strcasecmp(v, "torch.float") == 0 ? "fp32" : v;
}

static const char *first_of(const struct settings *s, const char *const *names, size_t n)
{
	const char *found = NULL;

	for (size_t i = 0; i < n && !found; i++)
		found = find_one(s, names[i]);
	return found;
}

/* What is computed in comes before what the weights are kept in: a model of fp32
 * weights may well be trained in bf16, and a tracker keeps both. */
static const char *precision_of(const struct settings *s)
{
	static const char *const computed[] = { "mixed_precision", "precision" };
	static const char *const kept[] = { "torch_dtype", "dtype" };
	const char *mixed = first_of(s, computed, ARRAY_LEN(computed)), *weights;
	bool unmixed = mixed && (strcasecmp(mixed, "no") == 0 || strcasecmp(mixed, "false") == 0);

	if (mixed && !unmixed)
		return run_facts_precision(mixed);
	if (is_on(s, "bf16") || is_on(s, "fp16"))
		return is_on(s, "bf16") ? "bf16" : "fp16";
	weights = first_of(s, kept, ARRAY_LEN(kept));
	if (weights)
		return run_facts_precision(weights);
	return unmixed ? "fp32" : NULL;
}

/* Per device x accumulation x devices, when each is known. */
static double batch_of(const struct settings *s)
{
	static const char *const whole[] = { "global_batch_size", "effective_batch_size",
		"total_train_batch_size", "total_batch_size" };
	static const char *const processes[] = { "world_size", "num_processes", "n_gpu" };
	double each = number_of(s, "per_device_train_batch_size"), count = NAN;
	double accumulation = number_of(s, "gradient_accumulation_steps");

	for (size_t i = 0; i < ARRAY_LEN(whole); i++)
		if (!isnan(number_of(s, whole[i])))
			return number_of(s, whole[i]);
	for (size_t i = 0; i < ARRAY_LEN(processes) && isnan(count); i++)
		count = number_of(s, processes[i]);
	return each * accumulation * count;
}

void run_facts_add_settings(struct run_facts *out, const struct settings *s, struct arena *a)
{
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		void *fact = (char *)out + facts[i].offset;
		const char *found = find_first(s, &facts[i]);

		if (!found)
			continue;
		if (facts[i].is_text && !*(const char **)fact)
			*(const char **)fact = arena_strdup(a, found);
		else if (!facts[i].is_text && isnan(*(double *)fact)) {
			double v;

			/* -1 steps means "as many as the epochs take". */
			if (text_to_double(found, strlen(found), &v) && v >= 0)
				*(double *)fact = v;
		}
	}
	if (isnan(out->batch))
		out->batch = batch_of(s);
	if (out->precision)
		return;
	out->precision = precision_of(s);
	if (out->precision)
		out->precision = arena_strdup(a, out->precision);
}
