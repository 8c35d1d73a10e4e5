/* probe_record - see probe_record.h. */
#include "config.h"

#include "evidence/probe_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"

struct source {
	struct probe_record *record;
	size_t file;
	int64_t number;
};

void probe_record_free(struct probe_record *r)
{
	if (!r)
		return;
	free(r->lines);
	free(r->steps);
	arena_release(&r->arena);
	free(r);
}

/* ---- steps, a line for up to 50 ---- */

/* The value of step I: one for each, or one for all. */
static const struct json *value_at(const struct json *values, const struct json **next)
{
	const struct json *one;

	if (!values || values->type != JSON_ARRAY)
		return values;
	one = *next;
	if (one)
		*next = one->next;
	return one;
}

static double as_number(const struct json *j)
{
	/* Groups of parameters with rates of their own: the first one's. */
	if (j && j->type == JSON_ARRAY)
		j = j->first;
	if (!j || j->type != JSON_NUMBER)
		return NAN;
	return strtod(j->text, NULL);
}

/* A sum in which each rate has a weight of its own, so that two that change places show. */
static void set_rates(struct probe_step *s, const struct json *rates)
{
	const struct json *one = rates && rates->type == JSON_ARRAY ? rates->first : NULL;
	double weight = 1;

	s->rate = s->mark = as_number(rates);
	s->groups = 1;
	for (one = one ? one->next : NULL; one; one = one->next) {
		s->groups++;
		weight += M_SQRT2;
		s->mark += weight * as_number(one);
	}
}

static const struct json *first_of(const struct json *j)
{
	return j && j->type == JSON_ARRAY ? j->first : NULL;
}

static void add_steps(const struct source *s, const struct json *j, int64_t rank)
{
	struct probe_record *r = s->record;
	const struct json *rates = json_get(j, "lr"), *seconds = json_get(j, "seconds"),
			  *backwards = json_get(j, "backwards");
	const struct json *rate = first_of(rates), *pass = first_of(backwards);
	int64_t step = json_i64(j, "first", 0), optimizer = json_i64(j, "optimizer", 0);

	if (step < 1 || step > INT64_MAX / 2)
		return;
	for (const struct json *one = first_of(seconds); one; one = one->next, step++) {
		double passes = as_number(value_at(backwards, &pass));

		if (r->steps_n >= PROBE_LINES_MAX * 50)
			return;
		ARRAY_GROW(r->steps, r->steps_n, r->steps_cap);
		r->steps[r->steps_n++] = (struct probe_step){
			.rank = rank,
			.optimizer = optimizer,
			.step = step,
			.seconds = as_number(one),
			.backwards = passes >= 0 && passes < 1e9 ? (int64_t)passes : -1,
			.line = s->number,
		};
		set_rates(&r->steps[r->steps_n - 1], value_at(rates, &rate));
	}
}

/* ---- lines ---- */

static void add_line(const struct source *s, const struct json *j, const char *kind)
{
	struct probe_record *r = s->record;

	if (r->n >= PROBE_LINES_MAX)
		return;
	ARRAY_GROW(r->lines, r->n, r->cap);
	r->lines[r->n++] = (struct probe_line){ kind, j, json_i64(j, "rank", 0), s->number, s->file };
}

static void read_line(const struct source *s, const char *text, size_t n)
{
	struct probe_record *r = s->record;
	struct arena scratch = ARENA_INIT;
	const struct json *j;
	const char *kind = "";

	if (json_parse(&j, &scratch, text, n, JSON_TOLERANT) < 0 || j->type != JSON_OBJECT) {
		err_clear();
		r->malformed++;
	} else if (json_i64(j, "probe", 0) > PROBE_FORMAT) {
		r->newer++;
	} else if (!*(kind = json_str(j, "kind", ""))) {
		r->malformed++;
	} else if (strcmp(kind, "steps") == 0) {
		add_steps(s, j, json_i64(j, "rank", 0));
	} else if (json_parse(&j, &r->arena, text, n, JSON_TOLERANT) == 0) {
		add_line(s, j, json_str(j, "kind", ""));
	}
	arena_release(&scratch);
}

static int read_file(struct probe_record *r, size_t file, const char *path)
{
	struct source s = { r, file, 0 };
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, PROBE_FILE_BYTES_MAX);
	size_t at = 0;

	while (rc == 0 && at < text.n) {
		const char *end = memchr(text.s + at, '\n', text.n - at);

		if (!end) {
			r->cut++;
			break;
		}
		s.number++;
		read_line(&s, text.s + at, (size_t)(end - text.s) - at);
		at = (size_t)(end - text.s) + 1;
	}
	buf_release(&text);
	return rc;
}

int probe_record_read(struct probe_record **out, const char *const *paths, size_t n)
{
	struct probe_record *r = xcalloc(1, sizeof *r);
	int rc = 0;

	r->arena = (struct arena)ARENA_INIT;
	r->names = arena_alloc(&r->arena, (n + 1) * sizeof *r->names);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		r->names[r->names_n++] = arena_strdup(&r->arena, fs_basename(paths[i]));
		rc = read_file(r, i, paths[i]);
	}
	if (rc < 0) {
		probe_record_free(r);
		return rc;
	}
	*out = r;
	return 0;
}

/* ---- asking ---- */

const struct probe_line *probe_record_next(
	const struct probe_record *r, const struct probe_line *after, const char *kind)
{
	size_t i = after ? (size_t)(after - r->lines) + 1 : 0;

	for (; i < r->n; i++)
		if (strcmp(r->lines[i].kind, kind) == 0)
			return &r->lines[i];
	return NULL;
}

const struct probe_line *probe_record_last(
	const struct probe_record *r, const char *kind, int64_t rank)
{
	for (size_t i = r->n; i-- > 0; )
		if (r->lines[i].rank == rank && strcmp(r->lines[i].kind, kind) == 0)
			return &r->lines[i];
	return NULL;
}

int64_t probe_record_steps(const struct probe_record *r, int64_t optimizer)
{
	int64_t steps = 0;

	for (size_t i = 0; i < r->steps_n; i++)
		if (r->steps[i].rank == 0 && r->steps[i].optimizer == optimizer &&
			r->steps[i].step > steps)
			steps = r->steps[i].step;
	return steps;
}

int64_t probe_record_world(const struct probe_record *r)
{
	int64_t world = 0;

	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "world")); ) {
		int64_t n = json_i64(l->json, "world", 0);

		if (json_bool(l->json, "spmd", false))
			n = json_i64(l->json, "all_devices", n);
		if (n > world && n < 1000000)
			world = n;
	}
	/* Nobody joined a group: one process trained alone. */
	return world == 0 && probe_record_next(r, NULL, "optimizer") ? 1 : world;
}
