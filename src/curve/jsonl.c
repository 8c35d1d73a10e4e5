/* jsonl - rows of JSON objects, each with a step of its own. */
#include "config.h"

#include "curve/jsonl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "curve/reader_lines.h"
#include "curve/reader_slots.h"

const char *const step_keys[] = {
	"_step", "step", "global_step", "iteration", "iter", "num_updates", "current_steps", "completed_steps", NULL,
};

static const char *const time_keys[] = { "_timestamp", "timestamp", "time", "wall_time", "created_at", NULL };

/* Numbers below are durations: 1e8 s after 1970 is in 1973. */
static const double least_wall_s = 1e8;

struct jsonl {
	struct line_reader lines;
	struct json_row row;
	struct slots slots;
	struct buf name;		/* mode/key of mmcv */
	bool any_object;
	int64_t epoch_length;		/* mmcv: largest train iter of the first epoch */
};

const struct json_field *jsonl_find_step(const struct json_row *row, int64_t *step)
{
	struct number n;

	for (size_t i = 0; step_keys[i]; i++) {
		const struct json_field *f = json_row_find(row, step_keys[i]);

		if (f && json_field_number(f, &n) && n.is_integer) {
			*step = n.integer;
			return f;
		}
	}
	return NULL;
}

static bool field_is_time(const struct json_field *f, double *wall_s)
{
	struct number n;
	bool zone_unknown;

	if (f->kind == JSON_FIELD_TEXT && number_read_iso_time(wall_s, &zone_unknown, f->text, f->text_n))
		return true;
	if (!json_field_number(f, &n) || !(n.value > least_wall_s) || !isfinite(n.value))
		return false;
	*wall_s = n.value;
	return true;
}

static const struct json_field *find_time(const struct json_row *row, double *wall_s)
{
	*wall_s = NAN;
	for (size_t i = 0; time_keys[i]; i++) {
		const struct json_field *f = json_row_find(row, time_keys[i]);

		if (f && field_is_time(f, wall_s))
			return f;
	}
	return NULL;
}

static bool has_name(const struct json_field *f, const char *name)
{
	return f->name_n == strlen(name) && memcmp(f->name, name, f->name_n) == 0;
}

/* A row of mmcv has a mode and an iter, and no step of the whole run. */
static const struct json_field *find_mmcv_mode(const struct json_row *row, const struct json_field *step)
{
	const struct json_field *mode = json_row_find(row, "mode");

	return mode && mode->kind == JSON_FIELD_TEXT && step && has_name(step, "iter") ? mode : NULL;
}

/*
 * x = (epoch - 1) * (iterations of an epoch) + iter.  A validation row counts
 * its own batches: it stands at the end of its epoch.
 */
static void derive_mmcv_x(struct jsonl *j, const struct json_field *mode, struct row_x *x)
{
	bool train = mode->text_n == 5 && memcmp(mode->text, "train", 5) == 0;
	int64_t epoch = isfinite(x->epoch) && fabs(x->epoch) < 1e9 ? (int64_t)x->epoch : 1;
	int64_t length = j->epoch_length;

	x->derived = true;
	if (train && epoch <= 1 && x->step > length)
		j->epoch_length = length = x->step;
	if (length <= 0 || length > INT64_MAX / 2 / (epoch > 0 ? epoch : 1))
		return;
	if (train)
		x->step += (epoch - 1) * length;
	else
		x->step = epoch * length;
}

static void put_field(struct jsonl *j, struct curve_sink *sink, const struct json_field *f, const struct json_field *mode)
{
	const char *name = f->name;
	size_t n = f->name_n;
	struct number number;

	if (mode) {
		buf_clear(&j->name);
		buf_add(&j->name, mode->text, mode->text_n);
		buf_addc(&j->name, '/');
		buf_add(&j->name, f->name, f->name_n);
		name = j->name.s;
		n = j->name.n;
	}
	if (json_field_number(f, &number)) {
		slots_put(&j->slots, name, n, number.value);
		return;
	}
	slots_put_absent(&j->slots, name, n);
	sink->health.non_numeric += f->kind != JSON_FIELD_NULL;
}

static bool is_same_key(const struct json_field *a, const struct json_field *b)
{
	return b && a->name_n == b->name_n && memcmp(a->name, b->name, a->name_n) == 0;
}

static void take_row(struct jsonl *j, struct curve_sink *sink, const struct json_field *step, struct row_x *x)
{
	const struct json_row *row = &j->row;
	const struct json_field *time = find_time(row, &x->wall_s);
	const struct json_field *epoch = json_row_find(row, "epoch");
	const struct json_field *mode = find_mmcv_mode(row, step);
	struct number n;

	if (epoch && json_field_number(epoch, &n))
		x->epoch = n.value;
	if (mode)
		derive_mmcv_x(j, mode, x);
	slots_begin_row(&j->slots);
	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (is_same_key(f, step) || is_same_key(f, time) || has_name(f, "epoch") || has_name(f, "mode"))
			continue;
		put_field(j, sink, f, mode);
	}
	slots_emit(&j->slots, sink, x);
	sink->health.records++;
}

static void refuse(struct curve_sink *sink, const struct line *line)
{
	sink->health.malformed++;
	curve_sink_damage(sink, line->offset);
}

static bool is_blank(const char *p, size_t n)
{
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t'))
		n--;
	return n == 0;
}

static void take_line(struct jsonl *j, struct curve_sink *sink, const struct line *line)
{
	struct row_x x = { .axis = AXIS_STEP, .wall_s = NAN, .epoch = NAN };
	const struct json_field *step;
	const char *p = line->p;
	size_t n = line->n, used;
	bool first;

	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
	if (n == 0)
		return;
	if (json_scan_object(&j->row, p, n, &used) != JSON_SCAN_OK || !is_blank(p + used, n - used)) {
		refuse(sink, line);
		return;
	}
	first = !j->any_object;
	j->any_object = true;
	step = jsonl_find_step(&j->row, &x.step);
	if (step)
		take_row(j, sink, step, &x);
	else if (first)
		sink->health.records++;
	else
		refuse(sink, line);
}

static int64_t jsonl_advance(void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct jsonl *j = state;
	int64_t limit = offset + sink->budget_bytes;
	struct line line;

	while (offset < limit && !curve_sink_cancelled(sink) && lines_next(&j->lines, sink, src, &offset, &line))
		take_line(j, sink, &line);
	return offset;
}

static void *jsonl_new(const struct curve_sink *sink)
{
	struct jsonl *j = xcalloc(1, sizeof *j);

	(void)sink;
	j->row = (struct json_row)JSON_ROW_INIT;
	buf_init(&j->name);
	return j;
}

static void jsonl_free(void *state)
{
	struct jsonl *j = state;

	slots_release(&j->slots);
	json_row_release(&j->row);
	buf_release(&j->name);
	free(j);
}

/* The first line that is not blank parses as an object, or is one that is not yet complete. */
static bool jsonl_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct json_row row = JSON_ROW_INIT;
	const char *newline;
	enum json_scan_result result;
	size_t used;

	(void)path;
	if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		head += 3, n -= 3;
	while (n && (*head == ' ' || *head == '\n' || *head == '\r' || *head == '\t'))
		head++, n--;
	if (n == 0)
		return text_ends(basename, ".jsonl");
	newline = memchr(head, '\n', n);
	result = json_scan_object(&row, head, newline ? (size_t)(newline - head) : n, &used);
	json_row_release(&row);
	if (result == JSON_SCAN_CUT)
		return !newline && n > 1 && head[1] != '\'';
	return result == JSON_SCAN_OK;
}

const struct curve_format jsonl_format = {
	.name = "jsonl",
	.title = "JSON lines",
	.delay = "each line",
	.shape = CURVE_STREAM,
	.rank = RANK_LINES,
	.recognise = jsonl_recognise,
	.new_state = jsonl_new,
	.free_state = jsonl_free,
	.advance = jsonl_advance,
};
