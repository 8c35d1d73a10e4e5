/*
 * Files of each format against the facts in samples/facts.tsv, whole and cut off at
 * every byte: a file that was cut off tells less, and nothing else.
 *
 * A row of facts.tsv is: file, fact, key, group (-: any), value.  A value is a
 * number, "A|B" (ambiguous), "=TEXT", "null" (a fact without a number), "none" (no
 * such fact), or "count N" (so many facts of that name and key).
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/evidence_format.h"

enum { COLUMNS = 5 };
enum column { FILE_NAME, FACT, KEY, GROUP, VALUE };

struct sample {
	const char *file;
	struct buf text;
	struct evidence_source source;
	const struct evidence_format *format;
	struct evidence_facts facts;
};

static const struct { const char *file, *format; } formats[] = {
	{ "xla_metrics_healthy.txt", "xla-metrics" },
	{ "xla_metrics_recompiling.txt", "xla-metrics" },
	{ "xla_metrics_rounding_probe.txt", "xla-metrics" },
	{ "xla_metrics_counter_spelling.txt", "xla-metrics" },
	{ "xla_metrics_file_steps.txt", "xla-metrics" },
	{ "ptxla_debug_compile_storm.txt", "xla-debug" },
	{ "ptxla_debug_healthy.txt", "xla-debug" },
	{ "ptxla_debug_old_wording.txt", "xla-debug" },
	{ "ptxla_debug_unknown_sizes.txt", "xla-debug" },
	{ "ptxla_profiler_exit_empty.txt", "xla-profiler" },
	{ "ptxla_profiler_exit_summary.txt", "xla-profiler" },
	{ "ptxla_profiler_lines.txt", "xla-profiler" },
	{ "xla_graph_limit.txt", "xla-log" },
	{ "xla_slow_compile_alarm.txt", "xla-log" },
	{ "dynamo_recompile_limit.txt", "xla-log" },
	{ "pjrt_default_cpu.txt", "xla-log" },
	{ "pjrt_default_tpu_good.txt", "xla-log" },
	{ "torchtpu_cache_stats.txt", "torchtpu" },
	{ "torchtpu_cpu_fallback.txt", "torchtpu" },
	{ "torchtpu_env_missing.txt", "torchtpu" },
	{ "torchtpu_hbm_usage.txt", "torchtpu" },
	{ "torchtpu_missing_op.txt", "torchtpu" },
	{ "torchtpu_no_more_compiles.txt", "torchtpu" },
	{ "torchtpu_vfio_busy.txt", "torchtpu" },
	{ "tpu_info_metric.txt", "tpu-info" },
	{ "tpu_info_no_framework.txt", "tpu-info" },
	{ "tpu_info_none.txt", "tpu-info" },
	{ "tpu_info_process.txt", "tpu-info" },
	{ "tpu_info_v5e_busy.txt", "tpu-info" },
	{ "tpu_info_v6e_4chips_partly_idle.txt", "tpu-info" },
	{ "tpu_info_version.txt", "tpu-info" },
	{ "pip_freeze.txt", "packages" },
	{ "requirements.txt", "packages" },
	{ "config.json", "settings-json" },
	{ "training_args.json", "settings-json" },
	{ "accelerate.yaml", "settings-yaml" },
	{ "hparams.yaml", "settings-yaml" },
	{ "training_arguments.log", "settings-printed" },
	{ "env.txt", "environment" },
	{ "env", "environment" },
	{ "nvidia_smi_l4.csv", "nvidia-smi" },
	{ "nvidia_smi_na.csv", "nvidia-smi" },
	{ "nvidia_smi_nounits.csv", "nvidia-smi" },
};

static char *sample_path(struct arena *a, const char *file)
{
	const char *top = getenv("srcdir");

	return arena_printf(a, "%s/tests/evidence/samples/%s", top ? top : ".", file);
}

static void sample_open(struct sample *s, const char *file)
{
	struct arena a = ARENA_INIT;

	*s = (struct sample){ .file = file, .text = BUF_INIT, .facts = EVIDENCE_FACTS_INIT };
	if (fs_read(&s->text, sample_path(&a, file), 0) < 0)
		fail_msg("%s cannot be read", file);
	s->source = (struct evidence_source){ s->text.s, s->text.n, file, NULL };
	s->format = evidence_format_recognise(&s->source, NULL);
	if (s->format)
		evidence_format_parse(&s->facts, s->format, &s->source);
	arena_release(&a);
}

static void sample_close(struct sample *s)
{
	evidence_facts_release(&s->facts);
	buf_release(&s->text);
}

static void test_recognised(void **state)
{
	struct sample s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		sample_open(&s, formats[i].file);
		if (!s.format)
			fail_msg("%s is not recognised", s.file);
		assert_string_equal(s.format->name, formats[i].format);
		assert_string_equal(s.facts.parser, formats[i].format);
		assert_true(s.facts.version > 0);
		if (s.facts.health.malformed || s.facts.health.truncated)
			fail_msg("%s: line %lld", s.file,
				(long long)s.facts.health.first_malformed);
		sample_close(&s);
	}
}

/* ---- each fact ---- */

static bool is_same_number(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static const struct evidence_fact *find(const struct sample *s, const char *const *row)
{
	enum evidence_fact_name name = evidence_fact_name_find(row[FACT]);
	const struct evidence_fact *f = NULL;

	if (name == FACT_NAMES)
		fail_msg("%s is no fact", row[FACT]);
	while ((f = evidence_facts_next(&s->facts, f, name, row[KEY])))
		if (strcmp(row[GROUP], "-") == 0 || f->group == atoi(row[GROUP]))
			return f;
	return NULL;
}

static size_t count(const struct sample *s, const char *const *row)
{
	enum evidence_fact_name name = evidence_fact_name_find(row[FACT]);
	const char *key = strcmp(row[KEY], "*") == 0 ? NULL : row[KEY];
	const struct evidence_fact *f = NULL;
	size_t n = 0;

	while ((f = evidence_facts_next(&s->facts, f, name, key)))
		n++;
	return n;
}

static bool matches(const struct evidence_fact *f, const char *value)
{
	const char *bar = strchr(value, '|');
	double number = 0, other = 0;

	if (!f)
		return strcmp(value, "none") == 0;
	if (*value == '=')
		return strcmp(f->text, value + 1) == 0;
	if (strcmp(value, "null") == 0)
		return !f->is_number;
	if (bar)
		return f->certainty == EVIDENCE_AMBIGUOUS &&
			text_to_double(value, (size_t)(bar - value), &number) &&
			text_to_double(bar + 1, strlen(bar + 1), &other) &&
			f->integer == (int64_t)number && f->other == (int64_t)other;
	return f->is_number && f->certainty != EVIDENCE_AMBIGUOUS &&
		text_to_double(value, strlen(value), &number) && is_same_number(f->number, number);
}

static void check_row(const struct sample *s, const char *const *row)
{
	const struct evidence_fact *f;

	if (text_starts(row[VALUE], "count ")) {
		if (count(s, row) != (size_t)atoi(row[VALUE] + 6))
			fail_msg("%s: %s of %s: %zu, not %s", s->file, row[FACT], row[KEY],
				count(s, row), row[VALUE]);
		return;
	}
	f = find(s, row);
	if (!matches(f, row[VALUE]))
		fail_msg("%s: %s of %s in %s is %s (%.17g), not %s", s->file, row[FACT], row[KEY],
			row[GROUP], f ? f->text : "absent", f ? f->number : 0, row[VALUE]);
}

static void test_facts(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct sample s = { .file = "" };
	size_t rows = 0;
	char *save, *line;

	(void)state;
	assert_int_equal(fs_read(&text, sample_path(&a, "facts.tsv"), 0), 0);
	for (line = strtok_r(text.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *row[COLUMNS];

		for (int i = 0; i < COLUMNS; i++)
			assert_non_null(row[i] = strsep(&line, "\t"));
		if (strcmp(s.file, row[FILE_NAME]) != 0) {
			if (*s.file)
				sample_close(&s);
			sample_open(&s, row[FILE_NAME]);
		}
		check_row(&s, (const char *const *)row);
		rows++;
	}
	sample_close(&s);
	assert_true(rows > 200);
	buf_release(&text);
	arena_release(&a);
}

/* ---- cut off ---- */

static bool says_less(const struct evidence_fact *cut, const struct evidence_fact *whole)
{
	if (strcmp(cut->key, whole->key) != 0)
		return false;
	if (evidence_fact_names[cut->name].kind == FACT_SUMMARY)
		return true;
	if (evidence_fact_names[cut->name].kind == FACT_TOTAL)
		return cut->number <= whole->number;
	if (cut->line != whole->line || cut->group != whole->group ||
		strcmp(cut->text, whole->text) != 0 || cut->is_number != whole->is_number)
		return false;
	return cut->number == whole->number || cut->certainty == EVIDENCE_AMBIGUOUS;
}

static const struct evidence_fact *more_than(
	const struct evidence_facts *whole, const struct evidence_fact *cut)
{
	const struct evidence_fact *f = NULL;

	while ((f = evidence_facts_next(whole, f, cut->name, NULL)))
		if (says_less(cut, f))
			return f;
	return NULL;
}

static void check_cut(const struct sample *s, const char *copy, size_t n)
{
	struct evidence_source source = { copy, n, s->file, NULL };
	struct evidence_facts facts = EVIDENCE_FACTS_INIT;

	evidence_format_parse(&facts, s->format, &source);
	for (size_t i = 0; i < facts.n; i++)
		if (!more_than(&s->facts, &facts.rows[i]))
			fail_msg("%s cut at %zu: %s of %s: %s", s->file, n,
				evidence_fact_names[facts.rows[i].name].text, facts.rows[i].key,
				facts.rows[i].text);
	evidence_facts_release(&facts);
}

static void test_cut(void **state)
{
	struct sample s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		sample_open(&s, formats[i].file);
		for (size_t n = 0; n < s.text.n; n++) {
			/* A copy of its own, so that reading beyond the end is seen. */
			char *copy = xmalloc(n + 1);

			memcpy(copy, s.text.s, n);
			check_cut(&s, copy, n);
			free(copy);
		}
		sample_close(&s);
	}
}

/* ---- the same with CRLF, and between other lines ---- */

static void check_same(const struct sample *s, const struct buf *other, bool same_lines)
{
	struct evidence_source source = { other->s, other->n, s->file, NULL };
	struct evidence_facts facts = EVIDENCE_FACTS_INIT;

	evidence_format_parse(&facts, s->format, &source);
	if (facts.n != s->facts.n)
		fail_msg("%s: %zu facts, not %zu", s->file, facts.n, s->facts.n);
	for (size_t i = 0; i < facts.n; i++) {
		const struct evidence_fact *a = &facts.rows[i], *b = &s->facts.rows[i];

		assert_int_equal(a->name, b->name);
		assert_string_equal(a->key, b->key);
		assert_string_equal(a->text, b->text);
		assert_true(a->number == b->number);
		if (same_lines)
			assert_int_equal(a->line, b->line);
	}
	evidence_facts_release(&facts);
}

static void test_crlf(void **state)
{
	struct buf crlf = BUF_INIT;
	struct sample s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		sample_open(&s, formats[i].file);
		buf_clear(&crlf);
		for (size_t k = 0; k < s.text.n; k++) {
			if (s.text.s[k] == '\n')
				buf_addc(&crlf, '\r');
			buf_addc(&crlf, s.text.s[k]);
		}
		check_same(&s, &crlf, true);
		sample_close(&s);
	}
	buf_release(&crlf);
}

/* Lines of a log in front, a huge one among them, and colours. */
static void test_in_log(void **state)
{
	struct buf log = BUF_INIT;
	struct sample s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		sample_open(&s, formats[i].file);
		buf_clear(&log);
		buf_adds(&log, "\x1b[32mINFO\x1b[0m epoch 1\n 50%|#####     |\r100%|##########|\n");
		buf_pad(&log, 'x', 200000);
		buf_adds(&log, "\n\n");
		buf_add(&log, s.text.s, s.text.n);
		if (s.format->in_log)
			check_same(&s, &log, false);
		sample_close(&s);
	}
	buf_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recognised),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_crlf),
		cmocka_unit_test(test_in_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
