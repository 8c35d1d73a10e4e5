/* run_facts - see run_facts.h. */
#include "config.h"

#include "workspace/run_facts.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"

enum { STATE_BYTES_MAX = 64 << 20 };

/* Names under which trainers log how many examples an evaluation had. */
static const char *const example_series[] = { "eval_samples", "eval_examples", "eval/samples", "num_eval_examples" };

static double last_value(const struct run_series *all, const char *name)
{
	const struct series *s = run_series_find(all, name, -1);

	return s && s->n ? series_value(s, s->n - 1) : NAN;
}

static double largest_step(const struct run_series *all)
{
	double most = NAN;

	for (size_t i = 0; i < all->n; i++) {
		const struct series *s = all->series[i];
		double x = s->n && s->axis == AXIS_STEP ? series_x(s, s->n - 1) : NAN;

		if (isfinite(x) && !(most >= x))
			most = x;
	}
	return most;
}

/* The fields that Trainer writes beside log_history. */
static void read_trainer_state(struct run_facts *out, const char *path)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	const struct json *j;

	if (fs_read(&text, path, STATE_BYTES_MAX) == 0 && json_parse(&j, &a, text.s, text.n, JSON_TOLERANT) == 0) {
		double steps = json_double(j, "max_steps", NAN), epochs = json_double(j, "num_train_epochs", NAN);

		out->steps = steps;
		out->batch = json_double(j, "train_batch_size", NAN);
		if (steps > 0 && epochs > 0)
			out->steps_per_epoch = steps / epochs;
	} else {
		err_clear();	/* its health line tells; here it only stays unknown */
	}
	buf_release(&text);
	arena_release(&a);
}

void run_facts_gather(struct run_facts *out, const struct run_state *run, const struct run_files *files, struct arena *a)
{
	*out = (struct run_facts)RUN_FACTS_INIT;
	for (size_t i = 0; i < files->n; i++)
		if (files->files[i].file && strcmp(files->files[i].file->format->name, "trainer_state") == 0)
			read_trainer_state(out, files->files[i].file->path);
	if (isnan(out->steps) && run_status_ended(run->state))
		out->steps = largest_step(files->series);
	for (size_t i = 0; i < ARRAY_LEN(example_series) && isnan(out->eval_examples); i++)
		out->eval_examples = last_value(files->series, example_series[i]);
	out->seed = *run->seed ? arena_strdup(a, run->seed) : NULL;
	out->device = arena_strdup(a, run->configuration);
}
