/*
 * The same bytes give the same points however they arrive: whole, in two reads
 * at every place, byte by byte, damaged, or replaced by another file.
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
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/reader.h"
#include "curve/run_files.h"

static const char *const sample_files[] = {
	"tfevents/03-dtypes",
	"tfevents/04-metadata",
	"tfevents/05-steps",
	"tfevents/06-duplicates",
	"tfevents/09c-tail",
	"tfevents/10-bad-data-crc",
	"tfevents/11-bad-length",
	"tfevents/12-garbage",
	"tfevents/13-cut-then-more",
	"tfevents/14-cut-long",
	"tfevents/16-oddities",
	"tfevents/18-tags",
	"wandb/01-simple",
	"wandb/02-nested",
	"wandb/04-bad-crc",
	"wandb/05-bad-length",
	"wandb/05b-length-past-end",
	"wandb/06-orphans",
	"wandb/07a-tail",
	"wandb/07c-header-only",
	"wandb/10-step-field",
	"hf/02-nonfinite",
	"hf/04-truncated",
	"hf/05-tricky",
	"lightning/01-sparse",
	"lightning/03-odd",
	"lightning/04-no-step",
	"jsonl/01-mmcv.log.json",
	"jsonl/03-metrics.json",
	"jsonl/04-maxtext.jsonl",
	"jsonl/06-generic.jsonl",
	"stdout/01-hf-dict.log",
	"stdout/02-hf-quoted.log",
	"stdout/04-tqdm.log",
	"stdout/06-megatron.log",
	"stdout/07-maxtext.log",
	"stdout/08-torch-xla.log",
	"stdout/09-timm.log",
	"stdout/10-nanogpt.log",
	"stdout/11-keras.log",
	"stdout/12-boosting.log",
};

/* A file in memory and its reader. */
struct subject {
	const struct curve_format *format;
	struct buf bytes;
};

struct reading {
	const struct curve_format *format;
	void *state;
	struct curve_options options;
	struct curve_sink sink;
	int64_t offset;
};

static void forget(struct reading *r)
{
	run_series_free(r->sink.series);
	run_series_free(r->sink.printed);
	settings_release(&r->sink.settings);
	r->sink.printed = NULL;
	r->sink.series = run_series_new();
	r->sink.health = (struct health)HEALTH_INIT;
	r->sink.first_wall_s = NAN;
	r->offset = 0;
}

static void begin(struct reading *r, const struct curve_format *format, bool ended)
{
	*r = (struct reading){ .format = format, .options = { .ended = ended } };
	r->sink.options = &r->options;
	r->sink.budget_bytes = INT64_MAX / 2;
	r->sink.name = "sample";
	forget(r);
	r->state = format->new_state(&r->sink);
}

/* What there is are the first N bytes; a document is read anew. */
static void read_to(struct reading *r, const char *p, size_t n)
{
	char *copy = xmalloc(n + 1);
	struct curve_source src;
	int64_t next;

	memcpy(copy, p, n);	/* so that the sanitizer sees its end */
	source_open_memory(&src, copy, n);
	if (r->format->shape == CURVE_DOCUMENT) {
		r->format->free_state(r->state);
		forget(r);
		r->state = r->format->new_state(&r->sink);
	}
	for (;;) {
		next = r->format->advance(r->state, &r->sink, &src, r->offset);
		if (next != CURVE_AGAIN)
			break;
		forget(r);
	}
	assert_true(next >= r->offset && next <= (int64_t)n);
	r->offset = next;
	r->sink.health.tail_bytes = (int64_t)n - next;
	source_release(&src);
	free(copy);
}

static void end(struct reading *r)
{
	r->format->free_state(r->state);
	run_series_free(r->sink.series);
	run_series_free(r->sink.printed);
	settings_release(&r->sink.settings);
	curve_notes_release(&r->sink.notes);
}

static void dump_series(struct buf *out, const struct series *s)
{
	buf_addf(out, "series ");
	buf_add(out, s->name, s->name_n);
	buf_addf(out, " %d %d %d\n", (int)s->axis, s->x_derived, s->no_metadata);
	for (size_t k = 0; k < s->n_segments; k++)
		buf_addf(out, "segment %zu %zu %" PRId64 "\n", s->segments[k].first,
			s->segments[k].n, s->segments[k].start);
	for (size_t i = 0; i < s->n; i++) {
		double v = series_value(s, i), wall_s = series_wall(s, i);

		buf_addf(out, "%" PRId64 " %.17g %.17g\n", s->x[i], isnan(v) ? NAN : v,
			isnan(wall_s) ? NAN : wall_s);
	}
}

static void dump(struct buf *out, const struct curve_sink *sink)
{
	const struct health *h = &sink->health;

	buf_addf(out,
		"%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
		" %" PRId64 " %" PRId64 "\n",
		h->records, h->bad_header, h->bad_data, h->malformed, h->orphans, h->skipped_bytes,
		h->tail_bytes, h->non_scalar, h->non_numeric);
	for (size_t i = 0; i < sink->series->n; i++)
		if (sink->series->series[i]->n)
			dump_series(out, sink->series->series[i]);
	for (size_t i = 0; sink->printed && i < sink->printed->n; i++)
		dump_series(out, sink->printed->series[i]);
	for (size_t i = 0; i < sink->settings.n; i++)
		buf_addf(out, "%s = %s\n", sink->settings.list[i].name,
			sink->settings.list[i].value);
}

static char *first_file(const char *folder)
{
	struct arena a = ARENA_INIT;
	char **names, *path;
	size_t n;

	assert_int_equal(fs_list(&names, &n, &a, folder), 0);
	assert_true(n > 0);
	path = xasprintf("%s/%s", folder, names[0]);
	arena_release(&a);
	return path;
}

static void load(struct subject *subject, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/tests/curve/samples/%s", srcdir ? srcdir : ".", name);

	if (fs_is_dir(path)) {
		char *file = first_file(path);

		free(path);
		path = file;
	}
	subject->format = curve_format_recognise(path);
	assert_non_null(subject->format);
	buf_init(&subject->bytes);
	assert_int_equal(fs_read(&subject->bytes, path, 0), 0);
	free(path);
}

static void dump_prefix(struct buf *out, const struct subject *s, size_t n)
{
	struct reading r;

	begin(&r, s->format, false);
	read_to(&r, s->bytes.s, n);
	dump(out, &r.sink);
	end(&r);
}

static void two_reads_give_what_one_gives(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sample_files); i++) {
		struct buf whole = BUF_INIT;
		struct subject s;

		load(&s, sample_files[i]);
		dump_prefix(&whole, &s, s.bytes.n);
		for (size_t split = 0; split <= s.bytes.n; split++) {
			struct buf parts = BUF_INIT;
			struct reading r;

			begin(&r, s.format, false);
			read_to(&r, s.bytes.s, split);
			read_to(&r, s.bytes.s, s.bytes.n);
			dump(&parts, &r.sink);
			end(&r);
			if (strcmp(whole.s, parts.s) != 0)
				fail_msg("%s split at %zu:\n%s\nwhole:\n%s", sample_files[i], split,
					parts.s, whole.s);
			buf_release(&parts);
		}
		buf_release(&whole);
		buf_release(&s.bytes);
	}
}

/* One reading that grows byte by byte has at each length what a fresh one has. */
static void every_prefix_is_the_same_grown_or_fresh(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sample_files); i++) {
		struct reading grown;
		struct subject s;

		load(&s, sample_files[i]);
		begin(&grown, s.format, false);
		for (size_t n = 0; n <= s.bytes.n && n < 3000; n++) {
			struct buf a = BUF_INIT, b = BUF_INIT;

			read_to(&grown, s.bytes.s, n);
			dump(&a, &grown.sink);
			dump_prefix(&b, &s, n);
			if (strcmp(a.s, b.s) != 0)
				fail_msg("%s at %zu bytes:\n%s\nfresh:\n%s", sample_files[i], n,
					a.s, b.s);
			buf_release(&a);
			buf_release(&b);
		}
		end(&grown);
		buf_release(&s.bytes);
	}
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static int64_t records_of(
	const struct curve_format *format, const char *p, size_t n, int64_t *accounted)
{
	struct reading r;
	int64_t records;

	begin(&r, format, true);
	read_to(&r, p, n);
	records = r.sink.health.records;
	*accounted = r.sink.health.skipped_bytes + r.sink.health.tail_bytes;
	end(&r);
	return records;
}

static void a_flipped_bit_costs_one_record(void **state)
{
	struct subject s;
	uint32_t seed = 1;
	int64_t whole, accounted;

	(void)state;
	load(&s, "tfevents/01-simple");
	whole = records_of(s.format, s.bytes.s, s.bytes.n, &accounted);
	assert_int_equal(whole, 46);
	assert_int_equal(accounted, 0);
	for (int i = 0; i < 3000; i++) {
		size_t bit = next_random(&seed) % (s.bytes.n * 8);

		s.bytes.s[bit / 8] ^= (char)(1 << bit % 8);
		if (records_of(s.format, s.bytes.s, s.bytes.n, &accounted) < whole - 1)
			fail_msg("bit %zu costs more than one record", bit);
		s.bytes.s[bit / 8] ^= (char)(1 << bit % 8);
	}
	buf_release(&s.bytes);
}

static void a_hole_costs_two_records(void **state)
{
	struct subject s;
	uint32_t seed = 7;
	int64_t whole, accounted;

	(void)state;
	load(&s, "tfevents/01-simple");
	whole = records_of(s.format, s.bytes.s, s.bytes.n, &accounted);
	for (int i = 0; i < 1000; i++) {
		size_t n = 1 + next_random(&seed) % 30, at = next_random(&seed) % (s.bytes.n - n);
		char *cut = xmalloc(s.bytes.n);

		memcpy(cut, s.bytes.s, at);
		memcpy(cut + at, s.bytes.s + at + n, s.bytes.n - at - n);
		if (records_of(s.format, cut, s.bytes.n - n, &accounted) < whole - 2)
			fail_msg("a hole of %zu at %zu costs more than two records", n, at);
		free(cut);
	}
	buf_release(&s.bytes);
}

/* No format may crash, hang or read outside on damaged input. */
static void damage_harms_no_reader(void **state)
{
	uint32_t seed = 3;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sample_files); i++) {
		struct subject s;

		load(&s, sample_files[i]);
		for (int k = 0; k < 100; k++) {
			size_t at = next_random(&seed) % s.bytes.n;
			char before = s.bytes.s[at];
			struct reading r;

			s.bytes.s[at] = (char)next_random(&seed);
			begin(&r, s.format, k & 1);
			read_to(&r, s.bytes.s, s.bytes.n);
			assert_true(r.sink.health.points >= 0);
			end(&r);
			s.bytes.s[at] = before;
		}
		buf_release(&s.bytes);
	}
}

static char *make_folder(void)
{
	char *folder = xstrdup("/tmp/portside-growth-XXXXXX");

	assert_non_null(mkdtemp(folder));
	return folder;
}

static void put(const char *path, const char *mode, const char *text, size_t n)
{
	FILE *f = fopen(path, mode);

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void puts_file(const char *path, const char *mode, const char *text)
{
	put(path, mode, text, strlen(text));
}

static void refresh(struct run_files *run)
{
	int result;

	do
		result = run_files_refresh(run, NULL);
	while (result == CURVE_MORE);
	if (result < 0)
		fail_msg("%s", err_text());
}

static void a_growing_file_is_followed(void **state)
{
	char *folder = make_folder(), *path = xasprintf("%s/a.jsonl", folder);
	struct run_files *run = run_files_new(NULL);
	struct series *s;

	(void)state;
	puts_file(path, "w", "{\"step\": 1, \"loss\": 2.5}\n{\"step\": 2, \"lo");
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_non_null(s);
	assert_int_equal(s->n, 1);
	assert_int_equal(run->health.tail_bytes, 15);
	assert_int_equal(run_files_refresh(run, NULL), CURVE_SAME);
	puts_file(path, "a", "ss\": 2.25}\n");
	refresh(run);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->n_segments, 1);
	assert_true(series_value(s, 1) == 2.25);
	assert_int_equal(run->health.tail_bytes, 0);
	puts_file(path, "w", "{\"step\": 9, \"loss\": 1}\n");	/* truncated and written anew */
	refresh(run);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->x[0], 9);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(path);
	free(folder);
}

static void a_new_header_is_read_anew(void **state)
{
	char *folder = make_folder(), *path = xasprintf("%s/metrics.csv", folder);
	struct run_files *run = run_files_new(NULL);
	struct series *s;

	(void)state;
	puts_file(path, "w", "epoch,loss,step\n0,2.5,0\n0,2.25,1\n");
	assert_int_equal(run_files_add(run, path), 0);
	refresh(run);
	puts_file(path, "r+", "epoch,grad,loss,step\n0,,2.5,0\n0,,2.25,1\n0,0.5,2.0,2\n");
	refresh(run);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_int_equal(s->n, 3);
	assert_true(series_value(s, 2) == 2.0);
	s = run_series_find(run->series, "grad", AXIS_STEP);
	assert_int_equal(s->n, 1);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(path);
	free(folder);
}

/* A log and a structured file hold the same name: the structured one is taken. */
static void the_structured_source_wins(void **state)
{
	char *folder = make_folder(), *log = xasprintf("%s/train.log", folder),
		*csv = xasprintf("%s/metrics.csv", folder);
	struct run_files *run = run_files_new(NULL);
	struct series *s;

	(void)state;
	puts_file(log, "w", "step 1 loss: 2.5 speed: 10\nstep 2 loss: 2.4 speed: 11\n");
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_int_equal(s->n, 2);
	puts_file(csv, "w", "step,loss\n1,2.5123\n");
	assert_int_equal(run_files_rescan(run), 0);
	refresh(run);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_int_equal(s->n, 1);
	assert_true(series_value(s, 0) == 2.5123);
	assert_int_equal(run_series_find(run->series, "speed", AXIS_STEP)->n, 2);
	assert_true(curve_notes_has(&run->notes, "duplicate-source"));
	puts_file(log, "a", "step 3 loss: 2.3 speed: 12\n");
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 1);
	assert_int_equal(run_series_find(run->series, "speed", AXIS_STEP)->n, 3);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(log);
	free(csv);
	free(folder);
}

static void a_bad_file_leaves_the_others(void **state)
{
	char *folder = make_folder(), *good = xasprintf("%s/a.jsonl", folder),
	     *gone = xasprintf("%s/b.jsonl", folder), *packed = xasprintf("%s/c.jsonl", folder);
	struct run_files *run = run_files_new(NULL);
	struct buf lines = BUF_INIT;

	(void)state;
	puts_file(good, "w", "{\"step\": 1, \"loss\": 2.5}\n");
	puts_file(gone, "w", "{\"step\": 1, \"acc\": 0.5}\n");
	put(packed, "w", "\x1f\x8b\x08\0\0\0\0\0", 8);
	assert_int_equal(run_files_add(run, folder), 0);
	assert_int_equal(unlink(gone), 0);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 1);
	run_files_add_lines(&lines, run);
	assert_non_null(strstr(lines.s, "a.jsonl  JSON lines  ok"));
	assert_non_null(strstr(lines.s, "b.jsonl"));
	assert_non_null(strstr(lines.s, "No such file"));
	assert_non_null(strstr(lines.s, "packed with gzip"));
	buf_release(&lines);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(good);
	free(gone);
	free(packed);
	free(folder);
}

static const struct curve_format *format_of(const char *folder, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	const struct curve_format *format;

	puts_file(path, "w", text);
	format = curve_format_recognise(path);
	free(path);
	return format;
}

/* An object is a row of a curve only when something says where it stands. */
static void a_document_on_one_line_is_no_curve(void **state)
{
	static const struct { const char *name, *text; bool taken; } files[] = {
		{ "model.json", "{\"dense\": [[0.5, 0.25], [1, 2]], \"bias\": 0.5}", false },
		{ "model.json", "{\"dense\": [[0.5, 0.25], [1, 2]], \"bias\": 0.5}\n", false },
		{ "model.json", "{\"dense\": [[0.5, 0.25", false },
		{ "rows.json", "{\"title\": \"run 7\"}\n{\"step\": 1, \"loss\": 2}\n", true },
		{ "rows.json", "{\"epoch\": 1, \"loss\": 2}", true },
		{ "rows.json", "{\"time\": 1700000000, \"loss\": 2}\n", true },
		{ "rows.json", "{\"iteration\": 1, \"lo", true },
		{ "rows.json", "{\n  \"step\": 1\n}\n", false },
		{ "rows.jsonl", "{\"title\": \"run 7\"}\n", true },
		{ "rows.jsonl", "{", true },
		{ "rows.jsonl", "{'loss': 1}\n", false },
	};
	char *folder = make_folder();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		const struct curve_format *format = format_of(folder, files[i].name, files[i].text);

		if ((format == curve_format_find("jsonl")) != files[i].taken)
			fail_msg("%s with %s: %s", files[i].name, files[i].text,
				format ? format->name : "none");
	}
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

static void a_time_without_a_zone_is_said(void **state)
{
	static const struct {
		const char *name, *text;
		bool said;
	} files[] = {
		{ "a.jsonl", "{\"step\": 1, \"time\": \"2026-01-01T00:00:00\", \"loss\": 2}\n",
			true },
		{ "b.jsonl", "{\"step\": 1, \"time\": \"2026-01-01T00:00:00Z\", \"loss\": 2}\n",
			false },
		{ "c.csv", "step,timestamp,loss\n1,2026-01-01 00:00:00,2\n", true },
		{ "d.csv", "step,timestamp,loss\n1,2026-01-01 00:00:00+01:00,2\n", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *folder = make_folder(), *path = xasprintf("%s/%s", folder, files[i].name);
		struct run_files *run;

		puts_file(path, "w", files[i].text);
		assert_int_equal(run_files_load(&run, path, NULL), 0);
		assert_int_equal(curve_notes_has(&run->notes, "zone-unknown"), files[i].said);
		assert_false(
			isnan(series_wall(run_series_find(run->series, "loss", AXIS_STEP), 0)));
		run_files_free(run);
		assert_int_equal(fs_remove_tree(folder), 0);
		free(path);
		free(folder);
	}
}

static void a_pattern_of_the_user_is_tried_first(void **state)
{
	static const char *const patterns[] = {
		"it (?<step>\\d+).*?(?<name>\\w+)=(?<value>[\\d.]+)"
	};
	struct curve_options options = { .patterns = patterns, .n_patterns = 1 };
	char *folder = make_folder(), *path = xasprintf("%s/x.log", folder);
	struct run_files *run = run_files_new(&options);

	(void)state;
	puts_file(path, "w", "it 7 -> err=0.5\nnothing\nit 8 -> err=0.25\n");
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "err", AXIS_STEP)->n, 2);
	assert_int_equal(run_series_find(run->series, "err", AXIS_STEP)->x[1], 8);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(path);
	free(folder);
}

static struct run_files *read_by_patterns(
	const char *text, const char *const *patterns, size_t n)
{
	struct curve_options options = { .patterns = patterns, .n_patterns = n };
	char *folder = make_folder(), *path = xasprintf("%s/x.log", folder);
	struct run_files *run = run_files_new(&options);

	puts_file(path, "w", text);
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(path);
	free(folder);
	return run;
}

/* Also where earlier lines of that kind were a trainer's, and by either of two names. */
static void a_pattern_takes_what_a_trainer_would(void **state)
{
	static const char *const patterns[] = {
		"^step (?<step>\\d+) loss (?<value>9\\.\\d+)|^e(?<epoch>[\\d.]+) acc=(?<value>\\S+)"
	};
	struct run_files *run = read_by_patterns("step: 1 loss: 1.5\nstep: 2 loss: 1.25\n"
						 "step 3 loss 9.5\nstep: 4 loss: 1.0\n"
						 "e0.5 acc=0.75\n",
		patterns, 1);

	(void)state;
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 3);
	assert_int_equal(run_series_find(run->series, "value", AXIS_STEP)->n, 1);
	assert_int_equal(run_series_find(run->series, "value", AXIS_STEP)->x[0], 3);
	assert_true(series_x(run_series_find(run->series, "value", AXIS_EPOCH), 0) == 0.5);
	run_files_free(run);
}

/* One that would try for ever is given up; the line is then any line. */
static void a_pattern_has_limits(void **state)
{
	static const char *const patterns[] = {
		"^(?<name>(?:a|aa|a?a)+)+(?<step>x)(?<value>y)$"
	};
	struct buf text = BUF_INIT;
	struct run_files *run;

	(void)state;
	for (int i = 0; i < 20; i++) {
		buf_pad(&text, 'a', 8000);
		buf_addf(&text, "\nstep: %d loss: 1.5\n", i);
	}
	run = read_by_patterns(text.s, patterns, 1);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 20);
	run_files_free(run);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_reads_give_what_one_gives),
		cmocka_unit_test(every_prefix_is_the_same_grown_or_fresh),
		cmocka_unit_test(a_flipped_bit_costs_one_record),
		cmocka_unit_test(a_hole_costs_two_records),
		cmocka_unit_test(damage_harms_no_reader),
		cmocka_unit_test(a_growing_file_is_followed),
		cmocka_unit_test(a_new_header_is_read_anew),
		cmocka_unit_test(the_structured_source_wins),
		cmocka_unit_test(a_bad_file_leaves_the_others),
		cmocka_unit_test(a_document_on_one_line_is_no_curve),
		cmocka_unit_test(a_time_without_a_zone_is_said),
		cmocka_unit_test(a_pattern_of_the_user_is_tried_first),
		cmocka_unit_test(a_pattern_takes_what_a_trainer_would),
		cmocka_unit_test(a_pattern_has_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
