/*
 * test_provenance_samples - each warning about where numbers come from fires on the
 * sample that was made for it, and on no other.
 */
#include "config.h"

#include "tests/curve/make_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/provenance.h"
#include "curve/run_files.h"

/* What readers note and what the numbers tell, in one list. */
static const char *const ids[] = { "concurrent-writers", "branch-at-step-30", "no-step-column",
	"hf-nan-filter", "hf-rounded-4", "hf-window-mean", "bf16-grid", "compile-step",
	"per-device" };

static const struct row {
	const char *sample, *warnings;	/* in the order of ids, each with a blank behind it */
} rows[] = {
	{ "tf08-concurrent", "concurrent-writers " },
	{ "tf21-bf16-grid", "bf16-grid " },
	{ "hf01-plain", "hf-rounded-4 hf-window-mean " },
	{ "hf02-nonfinite", "hf-nan-filter hf-window-mean " },
	{ "hf03-checkpoints", "branch-at-step-30 hf-rounded-4 hf-window-mean " },
	{ "hf04-truncated", "hf-rounded-4 hf-window-mean " },
	{ "csv04-no-step", "no-step-column " },
	{ "jl04-maxtext", "compile-step " },
	{ "so01-hf-dict", "hf-nan-filter " },
	{ "so07-maxtext", "compile-step " },
	{ "so08-torch-xla", "per-device " },
	{ "so10-nanogpt", "compile-step " },
};

static const struct { const char *prefix; enum provenance_source source; } sources[] = {
	{ "tf", PROVENANCE_TENSORBOARD }, { "hf", PROVENANCE_HUGGING_FACE },
	{ "so01", PROVENANCE_HUGGING_FACE }, { "so02", PROVENANCE_HUGGING_FACE },
	{ "so", PROVENANCE_TEXT },
};

static enum provenance_source source_of(const char *sample)
{
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (strncmp(sample, sources[i].prefix, strlen(sources[i].prefix)) == 0)
			return sources[i].source;
	return PROVENANCE_OTHER;
}

static const char *wanted_of(const char *sample)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].sample, sample) == 0)
			return rows[i].warnings;
	return "";
}

/* Returns how many differ. */
static int check(const char *sample, const struct run_files *run)
{
	struct arena a = ARENA_INIT;
	struct provenance_report p = PROVENANCE_INIT;
	struct provenance_facts facts = { .source = source_of(sample) };
	struct buf fired = BUF_INIT;
	int wrong;

	for (size_t i = 0; i < run->series->n; i++)
		if (run->series->series[i]->n)
			provenance_check_series(
				&p, &a, run->series, run->series->series[i], &facts);
	provenance_check_run(&p, &a, run->series, &facts);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (provenance_has(&p, ids[i]) || curve_notes_has(&run->notes, ids[i]))
			buf_addf(&fired, "%s ", ids[i]);
	wrong = strcmp(fired.n ? fired.s : "", wanted_of(sample)) != 0;
	if (wrong)
		print_error("%s: %s, expected %s\n", sample, fired.n ? fired.s : "none",
			wanted_of(sample));
	buf_release(&fired);
	arena_release(&a);
	return wrong;
}

static int check_sample(const char *line, const char *top)
{
	char sample[64], path[256], all[8], store[64];
	struct curve_options options = { .ended = true };
	struct run_files *run;
	char *full;
	int n = sscanf(line, "case %63s %255s %7s %63s", sample, path, all, store), wrong;

	assert_true(n == 3 || n == 4);
	options.store_run = n == 4 ? store : NULL;
	full = xasprintf("%s/%s", top, path);
	if (run_files_load(&run, full, &options) < 0)
		fail_msg("%s: %s", sample, err_text());
	wrong = check(sample, run);
	run_files_free(run);
	free(full);
	return wrong;
}

static void test_each_fires_on_its_sample(void **state)
{
	const char *srcdir = getenv("srcdir");
	char *top = xasprintf("%s/tests/curve/samples", srcdir ? srcdir : "."), *save = NULL;
	char *path = xasprintf("%s/expected.txt", top);
	struct buf text = BUF_INIT;
	int wrong = 0, n = 0;

	(void)state;
	assert_int_equal(fs_read(&text, path, 0), 0);
	for (char *line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, "case ", 5) != 0)
			continue;
		wrong += check_sample(line, top);
		n++;
	}
	assert_int_equal(wrong, 0);
	assert_true(n > 60);
	buf_release(&text);
	free(path);
	free(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_fires_on_its_sample) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
