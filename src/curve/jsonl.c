/* jsonl - rows of JSON objects, each with a step of its own. */
#include "config.h"

#include "curve/jsonl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "curve/reader_lines.h"
#include "curve/reader_shape.h"
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

/* Rows that get a shape: few fields, far from outgrowing the room for dotted names. */
enum { FIELDS_MAX = 128, DOTTED_BYTES_MAX = 2048, HEAD_LINES = 32 };

/* Whether a row is one of mmcv, and of which of its kinds: kept with its shape. */
enum mmcv_kind { NOT_MMCV, MMCV_TRAIN, MMCV_OTHER };

/* The fields of a row that say where it stands. */
struct roles {
	const struct json_field *step, *time, *epoch;
	const struct json_field *mode;		/* of mmcv */
	bool zone_unknown;			/* of the time */
};

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

static bool has_name(const struct json_field *f, const char *name)
{
	return f->name_n == strlen(name) && memcmp(f->name, name, f->name_n) == 0;
}

/* A row of mmcv has a mode and an iter, and no step of the whole run. */
static const struct json_field *find_mmcv_mode(
	const struct json_row *row, const struct json_field *step)
{
	const struct json_field *mode = json_row_find(row, "mode");

	return mode && mode->kind == JSON_FIELD_TEXT && step && has_name(step, "iter") ? mode
										       : NULL;
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

	if (kind == NOT_MMCV)
		return;
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

/* The name of a field's series: with the mode before it in mmcv. */
static const char *name_of(
	struct jsonl *j, const struct json_field *f, const struct json_field *mode, size_t *n)
{
	*n = f->name_n;
	if (!mode)
		return f->name;
	buf_clear(&j->name);
	buf_add(&j->name, mode->text, mode->text_n);
	buf_addc(&j->name, '/');
	buf_add(&j->name, f->name, f->name_n);
	*n = j->name.n;
	return j->name.s;
}

static void put_field(struct jsonl *j, struct curve_sink *sink, const struct json_field *f,
	const struct json_field *mode)
{
	size_t n;
	const char *name = name_of(j, f, mode, &n);
	struct number number;

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

static void take_row(struct jsonl *j, struct curve_sink *sink, struct roles *roles, struct row_x *x)
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
	derive_mmcv_x(j, kind_of_mode(roles->mode), x);
	slots_begin_row(&j->slots);
	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (is_same_key(f, roles->step) || is_same_key(f, roles->time) ||
			has_name(f, "epoch") || has_name(f, "mode"))
			continue;
		put_field(j, sink, f, roles->mode);
	}
	slots_emit(&j->slots, sink, x);
	sink->health.records++;
}

/* Place of a field among keys of descending preference; their number when it is none. */
static size_t rank_of(const char *const *keys, const struct json_field *f)
{
	size_t i = 0;

	while (keys[i] && (!f || !has_name(f, keys[i])))
		i++;
	return i;
}

/* The text stands in the line P[0..N) as it is: nothing was decoded. */
static bool is_in_line(const struct json_field *f, const char *p, size_t n)
{
	return (uintptr_t)f->text >= (uintptr_t)p &&
		(uintptr_t)f->text + f->text_n <= (uintptr_t)p + n;
}

/* A number, bare or in quotes.  A mode is a word, whatever it looks like. */
static bool is_token(const struct json_field *f, const char *p, size_t n)
{
	struct number number;

	if (f->kind == JSON_FIELD_NUMBER)
		return true;
	return f->kind == JSON_FIELD_TEXT && !has_name(f, "mode") && is_in_line(f, p, n) &&
		number_read(&number, f->text, f->text_n);
}

/* What the choice of step and time rests on, but for the names. */
static enum shape_condition condition_of(const struct json_field *f, const struct roles *roles)
{
	if (f == roles->step)
		return SHAPE_WHOLE;
	if (f == roles->time)
		return SHAPE_WALL_TIME;
	if (rank_of(step_keys, f) < rank_of(step_keys, roles->step))
		return SHAPE_NOT_WHOLE;
	if (rank_of(time_keys, f) < rank_of(time_keys, roles->time))
		return SHAPE_NO_WALL_TIME;
	return SHAPE_ANY;
}

static enum shape_role role_of(const struct json_field *f, const struct roles *roles)
{
	if (f == roles->step)
		return SHAPE_STEP;
	if (f == roles->time)
		return SHAPE_WALL;
	if (f == roles->epoch)
		return SHAPE_EPOCH;
	return has_name(f, "mode") ? SHAPE_IGNORED : SHAPE_VALUE;
}

static struct series *series_of(
	struct jsonl *j, const struct json_field *f, const struct json_field *mode)
{
	size_t n;
	const char *name = name_of(j, f, mode, &n);
	size_t slot = slots_find(&j->slots, name, n);

	return slot == SIZE_MAX ? NULL : j->slots.slots[slot].series[AXIS_STEP];
}

static bool add_hole(
	struct jsonl *j, struct shape *s, const struct json_field *f, const struct roles *roles)
{
	struct shape_hole hole = {
		.token = SHAPE_NUMBER,
		.role = role_of(f, roles),
		.condition = condition_of(f, roles),
	};

	if (hole.role == SHAPE_VALUE) {
		hole.series = series_of(j, f, roles->mode);
		if (!hole.series)
			return false;
	}
	return shape_add(s, f->text, f->text_n, &hole);
}

/* What stays text in the shape.  False when the row's place is in it. */
static bool add_text(struct jsonl *j, struct shape *s, const struct json_field *f,
	const struct roles *roles, bool in_line)
{
	struct shape_hole hole = { .token = SHAPE_TIME, .role = SHAPE_WALL };
	struct series *series;
	struct number n;

	if (f == roles->time && f->kind == JSON_FIELD_TEXT && in_line && !json_field_number(f, &n))
		return shape_add(s, f->text, f->text_n, &hole);
	if (f == roles->step || f == roles->time || (f == roles->epoch && json_field_number(f, &n)))
		return false;
	if (f == roles->epoch || has_name(f, "mode"))
		return true;
	if (!json_field_number(f, &n)) {
		s->non_numeric += f->kind != JSON_FIELD_NULL;
		return true;
	}
	series = series_of(j, f, roles->mode);
	if (series)
		shape_add_constant(s, series, SIZE_MAX, n.value);
	return series;
}

static bool has_duplicates(const struct json_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		for (size_t k = 0; k < i; k++)
			if (is_same_key(&row->fields[i], &row->fields[k]))
				return true;
	return false;
}

/* The row at P was taken; one that looks like it will be taken by its numbers. */
static void learn_shape(struct jsonl *j, const char *p, size_t n, const struct roles *roles)
{
	const struct json_row *row = &j->row;
	struct shape *s;

	if (row->n > FIELDS_MAX || row->dotted_n > n + DOTTED_BYTES_MAX || has_duplicates(row))
		return;
	s = shapes_begin(&j->shapes, p, n);
	if (!s)
		return;
	s->kind = kind_of_mode(roles->mode);
	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (is_token(f, p, n) ? !add_hole(j, s, f, roles)
				      : !add_text(j, s, f, roles, is_in_line(f, p, n)))
			return;
	}
	shapes_learn(&j->shapes, p, n);
}

static void take_match(struct jsonl *j, struct curve_sink *sink, struct shape *s)
{
	struct row_x x = {
		.axis = AXIS_STEP, .step = s->step, .wall_s = s->wall_s, .epoch = s->epoch
	};

	if (s->zone_unknown)
		curve_sink_zone_unknown(sink);
	derive_mmcv_x(j, (enum mmcv_kind)s->kind, &x);
	shape_emit(s, sink, &x);
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
	struct shape *shape = shapes_match(&j->shapes, line->p, line->n, line->limit);
	struct roles roles = { .step = NULL };
	const char *p = line->p;
	size_t n = line->n, used;
	bool first;

	if (shape) {
		take_match(j, sink, shape);
		return;
	}

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
			learn_shape(j, p, n, &roles);
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
		lines_next(&j->lines, sink, src, &offset, &line))
		take_line(j, sink, &line);
	return offset;
}

static void *jsonl_new(const struct curve_sink *sink)
{
	struct jsonl *j = xcalloc(1, sizeof *j);

	(void)sink;
	j->row = (struct json_row)JSON_ROW_INIT;
	j->shapes = (struct shapes)SHAPES_INIT;
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
	.rank = RANK_LINES,
	.recognise = jsonl_recognise,
	.new_state = jsonl_new,
	.free_state = jsonl_free,
	.advance = jsonl_advance,
};
