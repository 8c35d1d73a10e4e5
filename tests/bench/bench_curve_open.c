/*
 * bench_curve_open - how long a person waits for the first chart of two long curves.
 *
 *	bench_curve_open write FILE MILLION_POINTS SEED
 *	bench_curve_open open FOLDER RUN REFERENCE METRIC
 *
 * OPEN prints milliseconds of processor time from opening the migration to all
 * columns of a chart of 400 dots with every point of both runs, to the comparison,
 * the bytes a point that the process takes more than before, and whether the points
 * came from the cache.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "command/curve_scene.h"
#include "tests/bench/bench_events.h"

enum { COLUMNS = 400, ROWS = 160 };

static int write_events(const char *path, int64_t n, int64_t seed)
{
	FILE *f = fopen(path, "wb");
	unsigned char record[256];

	if (!f)
		return err_errno(ERR_IO, "%s", path);
	for (int64_t i = 0; i < n; i++)
		fwrite(record, 1, put_event_of(record, i, seed), f);
	return fclose(f) == 0 ? 0 : err_errno(ERR_IO, "%s", path);
}

/* Processor time, so that other load does not count; with threads, the sum of theirs. */
static double spent_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Kilobytes of our own: what lies in mapped files can be dropped at any time. */
static double own_kilobytes(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	double kilobytes = 0;

	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "RssAnon:", 8) == 0)
			kilobytes = strtod(line + 8, NULL);
	if (f)
		fclose(f);
	return kilobytes;
}

static int64_t points_of(const struct curve_scene *s)
{
	return s->pair->attempt.files->health.points + s->pair->reference.files->health.points;
}

/* The curves of both runs; their number. */
static size_t sources_of(struct plot_source **out, const struct curve_scene *s)
{
	size_t n = 0;

	for (size_t i = 0; s->main && i < s->n_sides; i++)
		if (s->main->lines[i].drawn)
			out[n++] = s->main->lines[i].drawn;
	return n;
}

static bool is_read(const struct run_files *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct curve_file *f = r->files[i].file;

		if (f && (f->size < 0 || !f->offset))
			return false;
	}
	return true;
}

static bool all_is_drawn(const struct curve_scene *s)
{
	struct plot_source *sources[SCENE_SIDES_MAX];
	size_t n = sources_of(sources, s), points = 0;

	for (size_t i = 0; i < n; i++)
		points += plot_source_n(sources[i]);
	return n == 2 && (int64_t)points == points_of(s) && is_read(s->pair->attempt.files) &&
		is_read(s->pair->reference.files);
}

static void draw(const struct curve_scene *s)
{
	static struct plot_column columns[COLUMNS];
	struct plot_source *sources[SCENE_SIDES_MAX];
	struct plot_view v = PLOT_VIEW_INIT;
	size_t n = sources_of(sources, s);

	plot_view_fit(&v, sources, n, COLUMNS, ROWS);
	for (size_t i = 0; i < n; i++)
		plot_columns(sources[i], &v, columns, NULL);
}

static bool is_restored(const struct curve_scene *s)
{
	return s->pair->attempt.files->files[0].file->restored;
}

static int open_pair(char **argv)
{
	struct curve_scene_request r = { .directory = argv[0], .attempt = "", .run = argv[1],
		.reference = argv[2], .goal = "" };
	struct curve_look look = { .metric = argv[3] };
	double start = spent_ms(), before = own_kilobytes();
	double first = NAN, compared = NAN, bytes = NAN;
	struct curve_scene *s;
	int rc = curve_scene_open(&s, &r, NULL);

	if (rc < 0)
		return rc;
	while (rc == 0 && s->more && !s->keeps) {
		rc = curve_scene_work(s, &look, NULL);
		if (rc == 0 && isnan(first) && all_is_drawn(s)) {
			draw(s);
			first = spent_ms() - start;
			bytes = (own_kilobytes() - before) * 1024 / (double)points_of(s);
		}
	}
	compared = spent_ms() - start;
	if (rc == 0 && s->pair)
		printf("first chart %.1f ms, compared %.1f ms, %.1f bytes/point, %s\n", first,
			compared, bytes,
			is_restored(s) ? "from the cache" : "read");
	while (rc == 0 && s->more)	/* into the cache */
		rc = curve_scene_work(s, &look, NULL);
	curve_scene_free(s);
	return rc;
}

int main(int argc, char **argv)
{
	int rc = err_set(ERR_USAGE,
		"usage: write FILE MILLION SEED | open FOLDER RUN REFERENCE METRIC");

	if (argc == 5 && strcmp(argv[1], "write") == 0)
		rc = write_events(argv[2], (int64_t)(strtod(argv[3], NULL) * 1e6), atoll(argv[4]));
	else if (argc == 6 && strcmp(argv[1], "open") == 0)
		rc = open_pair(argv + 2);
	if (rc < 0)
		fprintf(stderr, "%s\n", err_text());
	return rc < 0;
}
