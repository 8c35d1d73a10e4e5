/*
 * Every sample against what it is known to hold.  A line of samples/expected.txt:
 *
 *	case ID PATH all|some [RUN]	(some: more series may be there; RUN of a store)
 *	health COUNTER=N ...
 *	series NAME AXIS n= first=X:V last=X:V min= max= nonfinite= segments= dup= current= flags=
 *	note ID
 *	setting NAME VALUE
 *	exit CODE			(of the run, as its file says)
 *	error SENTENCE			(a note, or why the file was left)
 *
 * Names are percent-escaped, "%" alone is the empty name.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/run_files.h"
#include "curve/wandb.h"

struct sample {
	char id[64];
	bool all;
	struct run_files *run;
	size_t n_series;	/* listed so far */
};

static const char *const axis_names[] = { "step", "epoch", "time", "ordinal", "eval-step" };

static char *samples_path(const char *name)
{
	const char *srcdir = getenv("srcdir");

	return xasprintf("%s/tests/curve/samples/%s", srcdir ? srcdir : ".", name);
}

static void unescape(char *name, size_t *n)
{
	char *out = name;
	unsigned byte;

	if (strcmp(name, "%") == 0)
		*name = '\0';
	for (const char *p = name; *p; p++) {
		if (*p == '%' && sscanf(p + 1, "%2x", &byte) == 1) {
			*out++ = (char)byte;
			p += 2;
		} else {
			*out++ = *p;
		}
	}
	*n = (size_t)(out - name);
}

static struct series *find_series(
	const struct run_files *run, const char *name, size_t n, const char *axis)
{
	for (size_t i = 0; i < run->series->n; i++) {
		struct series *s = run->series->series[i];

		if (s->n && s->name_n == n && memcmp(s->name, name, n) == 0 &&
			strcmp(axis_names[s->axis], axis) == 0)
			return s;
	}
	return NULL;
}

static void assert_number(const char *what, const char *text, double v)
{
	double expected = strtod(text, NULL);

	if (isnan(expected) ? isnan(v) : v == expected)
		return;
	fail_msg("%s is %.17g, expected %s", what, v, text);
}

static void assert_x(const char *what, const char *text, const struct series *s, size_t i)
{
	if (s->axis == AXIS_EPOCH || s->axis == AXIS_TIME)
		assert_number(what, text, series_x(s, i));
	else if (s->x[i] != strtoll(text, NULL, 10))
		fail_msg("%s: x is %" PRId64 ", expected %s", what, s->x[i], text);
}

static size_t count_duplicates(const struct series *s)
{
	size_t n = 0;

	for (size_t k = 0; k < s->n_segments; k++)
		for (size_t i = 1; i < s->segments[k].n; i++)
			n += s->x[s->segments[k].first + i] == s->x[s->segments[k].first + i - 1];
	return n;
}

static void assert_limits(
	const char *what, const struct series *s, const char *min, const char *max)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		double v = series_value(s, i);

		low = isfinite(v) && v < low ? v : low;
		high = isfinite(v) && v > high ? v : high;
	}
	if (strcmp(min, "-") == 0) {
		assert_true(isinf(low));
		return;
	}
	assert_number(what, min, low);
	assert_number(what, max, high);
}

static void assert_current(const char *what, const struct series *s, size_t expected)
{
	size_t *points, n = series_current(s, SEGMENT_LATEST_WINS, &points);

	for (size_t i = 1; i < n; i++)
		assert_true(series_x(s, points[i - 1]) <= series_x(s, points[i]));
	free(points);
	if (n != expected)
		fail_msg("%s: %zu points are current, expected %zu", what, n, expected);
}

static void check_series(struct sample *sample, char *line)
{
	char name[256], axis[16], first_x[32], first_v[32], last_x[32], last_v[32], min[32],
		max[32], flags[32];
	size_t n, nonfinite, segments, dup, current, name_n;
	char what[400];
	struct series *s;

	assert_int_equal(
		sscanf(line,
			"series %255s %15s n=%zu first=%31[^:]:%31s last=%31[^:]:%31s min=%31s max=%31s "
			"nonfinite=%zu segments=%zu dup=%zu current=%zu flags=%31s",
			name, axis, &n, first_x, first_v, last_x, last_v, min, max, &nonfinite,
			&segments, &dup, &current, flags),
		14);
	snprintf(what, sizeof what, "%s: %s", sample->id, name);
	unescape(name, &name_n);
	s = find_series(sample->run, name, name_n, axis);
	if (!s)
		fail_msg("%s is missing", what);
	if (s->n != n)
		fail_msg("%s has %zu points, expected %zu", what, s->n, n);
	assert_x(what, first_x, s, 0);
	assert_x(what, last_x, s, n - 1);
	assert_number(what, first_v, series_value(s, 0));
	assert_number(what, last_v, series_value(s, n - 1));
	assert_limits(what, s, min, max);
	if (s->n_nonfinite != nonfinite || s->n_segments != segments || count_duplicates(s) != dup)
		fail_msg("%s: %zu not finite, %zu segments, %zu duplicates", what, s->n_nonfinite,
			s->n_segments, count_duplicates(s));
	assert_current(what, s, current);
	if (s->x_derived != !!strstr(flags, "x-derived") ||
		s->no_metadata != !!strstr(flags, "no-metadata"))
		fail_msg("%s: derived %d, no metadata %d", what, s->x_derived, s->no_metadata);
	if (strncmp(flags, "x=", 2) == 0 ? !s->x_metric || strcmp(s->x_metric, flags + 2) != 0
					 : s->x_metric != NULL)
		fail_msg("%s: its x is %s, expected %s", what, s->x_metric ? s->x_metric : "none",
			flags);
	sample->n_series++;
}

static void check_counter(
	const struct sample *sample, const char *line, const char *name, int64_t v)
{
	char key[64];
	const char *at;

	snprintf(key, sizeof key, " %s=", name);
	at = strstr(line, key);
	assert_non_null(at);
	if (strtoll(at + strlen(key), NULL, 10) != v)
		fail_msg("%s: %s is %" PRId64 ", expected %s", sample->id, name, v,
			at + strlen(key));
}

static void check_health(const struct sample *sample, const char *line)
{
	const struct health *h = &sample->run->health;

	check_counter(sample, line, "records", h->records);
	check_counter(sample, line, "bad_header", h->bad_header);
	check_counter(sample, line, "bad_data", h->bad_data);
	check_counter(sample, line, "malformed", h->malformed);
	check_counter(sample, line, "orphans", h->orphans);
	check_counter(sample, line, "skipped_bytes", h->skipped_bytes);
	check_counter(sample, line, "tail_bytes", h->tail_bytes);
	check_counter(sample, line, "non_scalar", h->non_scalar);
	check_counter(sample, line, "non_numeric", h->non_numeric);
}

static void end_sample(struct sample *sample)
{
	size_t n = 0;

	if (!sample->run)
		return;
	for (size_t i = 0; i < sample->run->series->n; i++)
		n += sample->run->series->series[i]->n > 0;
	if (sample->all && n != sample->n_series)
		fail_msg("%s: %zu series, %zu expected", sample->id, n, sample->n_series);
	run_files_free(sample->run);
	sample->run = NULL;
}

static void begin_sample(struct sample *sample, const char *line)
{
	char path[256], all[8], run[64];
	struct curve_options options = { 0 };
	char *full;
	int n;

	end_sample(sample);
	n = sscanf(line, "case %63s %255s %7s %63s", sample->id, path, all, run);
	assert_true(n == 3 || n == 4);
	options.store_run = n == 4 ? run : NULL;
	full = samples_path(path);
	if (run_files_load(&sample->run, full, &options) < 0)
		fail_msg("%s: %s", sample->id, err_text());
	free(full);
	sample->all = strcmp(all, "all") == 0;
	sample->n_series = 0;
}

static bool has_note_text(const struct run_files *run, const char *text)
{
	for (size_t i = 0; i < run->notes.n; i++)
		if (strstr(run->notes.notes[i].text, text))
			return true;
	for (size_t i = 0; i < run->n; i++)
		if (run->files[i].left && strstr(run->files[i].left, text))
			return true;
	return false;
}

/* Of the last file that says how the run ended. */
static void check_exit(const struct sample *sample, const char *line)
{
	int64_t code = INT64_MIN;

	for (size_t i = 0; i < sample->run->n; i++) {
		const struct curve_file *f = sample->run->files[i].file;
		const struct wandb_facts *facts =
			f && f->format == &wandb_format ? wandb_facts_of(f) : NULL;

		if (facts && facts->exited)
			code = facts->exit_code;
	}
	if (code != strtoll(line + strlen("exit "), NULL, 10))
		fail_msg("%s: exit code %" PRId64 ", expected %s", sample->id, code, line);
}

static void check_setting(const struct sample *sample, const char *line)
{
	char name[64], value[64];
	const char *found;

	assert_int_equal(sscanf(line, "setting %63s %63[^\n]", name, value), 2);
	found = settings_find(&sample->run->settings, name);
	if (!found || strcmp(found, value) != 0)
		fail_msg("%s: %s is %s, expected %s", sample->id, name, found ? found : "missing",
			value);
}

static void check_line(struct sample *sample, char *line)
{
	if (strncmp(line, "case ", 5) == 0)
		begin_sample(sample, line);
	else if (strncmp(line, "health ", 7) == 0)
		check_health(sample, line);
	else if (strncmp(line, "series ", 7) == 0)
		check_series(sample, line);
	else if (strncmp(line, "setting ", 8) == 0)
		check_setting(sample, line);
	else if (strncmp(line, "exit ", 5) == 0)
		check_exit(sample, line);
	else if (strncmp(line, "note ", 5) == 0)
		assert_true(curve_notes_has(&sample->run->notes, line + 5));
	else if (strncmp(line, "error ", 6) == 0)
		assert_true(has_note_text(sample->run, line + 6));
	else
		assert_int_equal(*line, '#');
}

/* PREFIX of the case: one test a format. */
static void check_format(const char *prefix, int n)
{
	struct buf text = BUF_INIT;
	struct sample sample = { .id = "" };
	char *path = samples_path("expected.txt"), *save = NULL;
	bool wanted = false;
	int cases = 0;

	assert_int_equal(fs_read(&text, path, 0), 0);
	for (char *line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strncmp(line, "case ", 5) == 0) {
			wanted = strncmp(line + 5, prefix, strlen(prefix)) == 0;
			cases += wanted;
		}
		if (wanted)
			check_line(&sample, line);
	}
	end_sample(&sample);
	assert_int_equal(cases, n);
	buf_release(&text);
	free(path);
}

static void event_files_give_what_was_written(void **state)
{
	(void)state;
	check_format("tf", 26);
}

static void checkpoints_give_what_was_written(void **state)
{
	(void)state;
	check_format("hf", 5);
}

static void tables_give_what_was_written(void **state)
{
	(void)state;
	check_format("csv", 5);
}

static void json_lines_give_what_was_written(void **state)
{
	(void)state;
	check_format("jl", 6);
}

static void terminal_output_gives_what_was_printed(void **state)
{
	(void)state;
	check_format("so", 13);
}

static void stores_of_trackers_give_what_was_logged(void **state)
{
	(void)state;
	check_format("ml", 2);
	check_format("tk", 3);
	check_format("dvc", 1);
}

static void wandb_files_give_what_was_logged(void **state)
{
	(void)state;
	check_format("wb", 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_files_give_what_was_written),
		cmocka_unit_test(wandb_files_give_what_was_logged),
		cmocka_unit_test(checkpoints_give_what_was_written),
		cmocka_unit_test(tables_give_what_was_written),
		cmocka_unit_test(json_lines_give_what_was_written),
		cmocka_unit_test(terminal_output_gives_what_was_printed),
		cmocka_unit_test(stores_of_trackers_give_what_was_logged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
