/* init_metric - see init_metric.h. */
#include "config.h"

#include "workspace/init_metric.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/run_files.h"

enum { CURVE_FILES_MAX = 20, CURVE_BYTES_MAX = 64 << 20 };

/* Words of results, the most telling first. */
static const struct word_of_result {
	const char *word;
	bool higher, fraction;
} results[] = {
	{ "accuracy", true, true },
	{ "acc", true, true },
	{ "f1", true, true },
	{ "matthews", true, true },
	{ "bleu", true, false },
	{ "rouge", true, false },
	{ "auc", true, true },
	{ "map", true, true },
	{ "iou", true, true },
	{ "perplexity", false, false },
	{ "ppl", false, false },
	{ "wer", false, true },
	{ "loss", false, false },
};

struct best { const struct series *series; const struct word_of_result *word; int score; };

static bool is_held_out(const char *name)
{
	return strstr(name, "eval") || strstr(name, "val") || strstr(name, "test") ||
		strstr(name, "dev");
}

static void weigh(struct best *best, const struct series *s)
{
	for (size_t i = 0; i < ARRAY_LEN(results); i++) {
		int score = (int)(ARRAY_LEN(results) - i) + (is_held_out(s->name) ? 20 : 0);

		if (!s->n || !strcasestr(s->name, results[i].word) || score <= best->score)
			continue;
		*best = (struct best){ s, &results[i], score };
	}
}

static int64_t last_step(const struct series *s)
{
	return s->axis == AXIS_STEP && s->n ? s->x[s->n - 1] : 0;
}

static void take(
	struct init_look *out, const struct run_files *r, const char *name, struct arena *a)
{
	struct best best = { NULL, NULL, 0 };
	int64_t steps = 0;
	const char *where;
	double last;

	for (size_t i = 0; i < r->series->n; i++) {
		weigh(&best, r->series->series[i]);
		if (last_step(r->series->series[i]) > steps)
			steps = last_step(r->series->series[i]);
	}
	if (!best.series)
		return;
	last = series_value(best.series, best.series->n - 1);
	where = text_sanitised(a, name);
	out->log = (struct looked){ where, "the work tree" };
	out->metric = (struct looked){ text_sanitised(a, best.series->name), where };
	out->direction =
		(struct looked){ best.word->higher ? "higher" : "lower", "the name of the series" };
	if (best.word->fraction && last >= 0 && last <= 1)
		out->scale = (struct looked){ "100",
			arena_printf(a, "its last value, %g, is a fraction", last) };
	if (steps > 0)
		out->last_step =
			(struct looked){ arena_printf(a, "%lld", (long long)steps), where };
}

void look_at_curves(struct init_look *out, const char *workdir, const char *const *names, size_t n,
		    const atomic_bool *cancel, struct arena *a)
{
	struct curve_options options = { .ended = true };

	for (size_t i = 0; i < n && i < CURVE_FILES_MAX && !out->metric.value; i++) {
		char *path = fs_join(a, workdir, names[i]);
		struct run_files *r = run_files_new(&options);

		if (fs_size(path) > CURVE_BYTES_MAX || run_files_add(r, path) < 0 ||
			run_files_read(r, cancel) < 0)
			err_clear();
		else
			take(out, r, names[i], a);
		run_files_free(r);
	}
}
