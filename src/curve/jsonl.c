/* jsonl - rows of JSON objects, each with a step of its own. */
#include "config.h"

#include "curve/jsonl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "curve/json_shape.h"
#include "curve/reader_lines.h"
#include "curve/reader_slots.h"

const char *const step_keys[] = {
	"_step",
	"step",
	"global_step",
	"iteration",
	"iter",
	"num_updates",
	"current_steps",
	"completed_steps",
	NULL,
};

static const char *const time_keys[] = { "_timestamp", "timestamp", "time", "wall_time",
	"created_at", NULL };

static const struct json_keys keys = { .step = step_keys, .time = time_keys, .ignored = "mode" };

enum { HEAD_LINES = 32 };

/* Whether a row is one of mmcv, and of which of its kinds: kept with its shape. */
enum mmcv_kind { NOT_MMCV, MMCV_TRAIN, MMCV_OTHER };

struct jsonl {
	struct line_reader lines;
	struct json_row row;
	struct slots slots;
	struct shapes shapes;
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

static bool field_is_time(const struct json_field *f, double *wall_s, bool *zone_unknown)
{
	struct number n;

	*zone_unknown = false;
	if (f->kind == JSON_FIELD_TEXT &&
		number_read_iso_time(wall_s, zone_unknown, f->text, f->text_n))
		return true;
	if (!json_field_number(f, &n) || !number_is_wall_time(n.value))
		return false;
	*wall_s = n.value;
	return true;
}

static const struct json_field *find_time(
	const struct json_row *row, double *wall_s, bool *zone_unknown)
{
	*wall_s = NAN;
	for (size_t i = 0; time_keys[i]; i++) {
		const struct json_field *f = json_row_find(row, time_keys[i]);

		if (f && field_is_time(f, wall_s, zone_unknown))
			return f;
	}
	return NULL;
}

/* A row of mmcv has a mode and an iter, and no step of the whole run. */
static const struct json_field *find_mmcv_mode(
	const struct json_row *row, const struct json_field *step)
{
	const struct json_field *mode = json_row_find(row, "mode");

	if (!mode || mode->kind != JSON_FIELD_TEXT || !step || !json_field_is_named(step, "iter"))
		return NULL;
	return mode;
}

static enum mmcv_kind kind_of_mode(const struct json_field *mode)
{
	if (!mode)
		return NOT_MMCV;
	return mode->text_n == 5 && memcmp(mode->text, "train", 5) == 0 ? MMCV_TRAIN : MMCV_OTHER;
}

/*
 * x = (epoch - 1) * (iterations of an epoch) + iter.  A validation row counts
 * its own batches: it stands at the end of its epoch.
 */
static void derive_mmcv_x(struct jsonl *j, enum mmcv_kind kind, struct row_x *x)
{
	bool train = kind == MMCV_TRAIN;
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

static void put_field(struct jsonl *j, struct curve_sink *sink, const struct json_field *f,
	const struct json_field *mode)
{
	size_t n;
	const char *name = json_series_name(&j->name, f, mode, &n);
	struct number number;

	if (json_field_number(f, &number)) {
		slots_put(&j->slots, name, n, number.value);
		return;
	}
	slots_put_absent(&j->slots, name, n);
	sink->health.non_numeric += f->kind != JSON_FIELD_NULL;
}

static void take_row(
	struct jsonl *j, struct curve_sink *sink, struct json_roles *roles, struct row_x *x)
{
	const struct json_row *row = &j->row;
	struct number n;

	roles->time = find_time(row, &x->wall_s, &roles->zone_unknown);
	roles->epoch = json_row_find(row, "epoch");
	roles->mode = find_mmcv_mode(row, roles->step);
	if (roles->time && roles->zone_unknown)
		curve_sink_zone_unknown(sink);
	if (roles->epoch && json_field_number(roles->epoch, &n))
		x->epoch = n.value;
	if (roles->mode)
		derive_mmcv_x(j, kind_of_mode(roles->mode), x);
	slots_begin_row(&j->slots);
	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (json_field_has_name_of(f, roles->step) ||
			json_field_has_name_of(f, roles->time) ||
			json_field_is_named(f, "epoch") || json_field_is_named(f, "mode"))
			continue;
		put_field(j, sink, f, roles->mode);
	}
	slots_emit(&j->slots, sink, x);
	sink->health.records++;
}

static void take_match(struct jsonl *j, struct curve_sink *sink, struct shape *s)
{
	struct row_x x = {
		.axis = AXIS_STEP, .step = s->step, .wall_s = s->wall_s, .epoch = s->epoch
	};

	if (s->zone_unknown)
		curve_sink_zone_unknown(sink);
	if (s->kind != NOT_MMCV)
		derive_mmcv_x(j, (enum mmcv_kind)s->kind, &x);
	shape_emit(&j->shapes, s, sink, &x);
}

/* Takes lines as long as they look like earlier ones. */
static void take_alike(struct jsonl *j, struct curve_sink *sink, int64_t *offset)
{
	const char *p, *end, *behind;
	struct shape *s;

	if (!lines_at_hand(&j->lines, *offset, &p, &end))
		return;
	while ((s = shapes_take(&j->shapes, ROW_LINE, p, end, &behind))) {
		take_match(j, sink, s);
		p = line_behind(behind);
	}
	lines_took(&j->lines, p, offset);
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
	struct shape *shape = shapes_take_last(&j->shapes, line->p, line->n, line->limit);
	struct json_roles roles = { .step = NULL };
	const char *p = line->p;
	size_t n = line->n, used;
	bool first;

	if (shape) {
		take_match(j, sink, shape);
		return;
	}
	shapes_flush(&j->shapes, sink);
	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
	if (n == 0)
		return;
	if (json_scan_object(&j->row, p, n, &used) != JSON_SCAN_OK ||
		!is_blank(p + used, n - used)) {
		refuse(sink, line);
		return;
	}
	first = !j->any_object;
	j->any_object = true;
	roles.step = jsonl_find_step(&j->row, &x.step);
	if (roles.step) {
		take_row(j, sink, &roles, &x);
		if (!sink->options->no_shapes)
			json_shape_learn(&j->shapes, &j->slots, &j->row, p, n, &roles, &keys,
				(int)kind_of_mode(roles.mode));
	} else if (first) {
		sink->health.records++;
	} else {
		refuse(sink, line);
	}
}

static int64_t jsonl_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct jsonl *j = state;
	int64_t limit = offset + sink->budget_bytes;
	struct line line;

	lines_begin(&j->lines);
	while (offset < limit && !curve_sink_cancelled(sink) &&
		lines_next(&j->lines, sink, src, &offset, &line)) {
		take_line(j, sink, &line);
		take_alike(j, sink, &offset);
	}
	shapes_flush(&j->shapes, sink);
	return offset;
}

static void *jsonl_new(const struct curve_sink *sink)
{
	struct jsonl *j = xcalloc(1, sizeof *j);

	(void)sink;
	j->row = (struct json_row)JSON_ROW_INIT;
	j->shapes = (struct shapes)SHAPES_INIT;
	j->shapes.slots = &j->slots;
	buf_init(&j->name);
	return j;
}

static void jsonl_free(void *state)
{
	struct jsonl *j = state;

	slots_release(&j->slots);
	shapes_release(&j->shapes);
	json_row_release(&j->row);
	buf_release(&j->name);
	free(j);
}

/* A field says where the row stands: what makes an object a row of a curve. */
static bool has_place(const struct json_row *row)
{
	for (size_t i = 0; step_keys[i]; i++)
		if (json_row_find(row, step_keys[i]))
			return true;
	for (size_t i = 0; time_keys[i]; i++)
		if (json_row_find(row, time_keys[i]))
			return true;
	return json_row_find(row, "epoch");
}

/* One of the first lines is an object with a place; the very first is an object, maybe cut. */
static bool has_row(struct json_row *row, const char *p, size_t n)
{
	bool found = false;

	for (int i = 0; i < HEAD_LINES && n && !found; i++) {
		const char *newline = memchr(p, '\n', n);
		size_t length = newline ? (size_t)(newline - p) : n, used;
		enum json_scan_result result = json_scan_object(row, p, length, &used);

		if (result == JSON_SCAN_OK || (result == JSON_SCAN_CUT && !newline))
			found = has_place(row);
		else if (i == 0)
			return false;
		length += newline != NULL;
		p += length;
		n -= length;
	}
	return found;
}

/* Under a name of lines the first object may be a title, with rows to come. */
static bool is_named_lines(const char *basename)
{
	return text_ends(basename, ".jsonl") || text_ends(basename, ".ndjson");
}

/*
 * A document of one line is no curve: without a step, a time or an epoch in
 * its head an object may be anything.
 */
static bool jsonl_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct json_row row = JSON_ROW_INIT;
	bool found;

	(void)path;
	if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		head += 3, n -= 3;
	while (n && (*head == ' ' || *head == '\n' || *head == '\r' || *head == '\t'))
		head++, n--;
	if (n == 0 || (*head == '{' && is_named_lines(basename) && (n == 1 || head[1] != '\'')))
		return is_named_lines(basename);
	found = has_row(&row, head, n);
	json_row_release(&row);
	return found;
}

const struct curve_format jsonl_format = {
	.name = "jsonl",
	.title = "JSON lines",
	.delay = "each line",
	.shape = CURVE_STREAM,
	.step_bytes = CURVE_TEXT_STEP_BYTES,
	.rank = RANK_LINES,
	.recognise = jsonl_recognise,
	.new_state = jsonl_new,
	.free_state = jsonl_free,
	.advance = jsonl_advance,
};
