/* wandb_record - reads a Record and appends its values. */
#include "config.h"

#include "curve/wandb_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "curve/wandb_plain.h"

enum { METRICS_MAX = 4096 };

void wandb_reader_init(struct wandb_reader *r)
{
	*r = (struct wandb_reader){
		.values = WANDB_VALUES_INIT, .name = BUF_INIT, .facts = WANDB_FACTS_INIT
	};
	wandb_console_init(&r->console);
	r->plain = wandb_plain_new();
}

void wandb_reader_release(struct wandb_reader *r)
{
	slots_release(&r->slots);
	free(r->names);
	wandb_values_release(&r->values);
	buf_release(&r->name);
	for (size_t i = 0; i < r->n_metrics; i++) {
		free(r->metrics[i].name);
		free(r->metrics[i].x);
	}
	free(r->metrics);
	wandb_facts_release(&r->facts);
	wandb_console_release(&r->console);
	wandb_plain_free(r->plain);
}

/* ---- define_metric --------------------------------------------------------------- */

static bool is_defined(const struct wandb_metric *m, const char *name)
{
	return m->is_glob ? text_glob(m->name, name) : strcmp(m->name, name) == 0;
}

/* A name of its own beats a pattern; of several the last counts. */
static void apply(struct wandb_reader *r, size_t slot, const struct wandb_metric *m)
{
	struct series *s = r->slots.slots[slot].series[AXIS_STEP];

	if (!s || !m->x || (m->is_glob && r->names[slot].has_own) || !is_defined(m, s->name))
		return;
	r->names[slot].has_own = !m->is_glob;
	/* The step itself is what every series stands on already. */
	if (strcmp(m->x, "_step") != 0 && strcmp(m->x, s->name) != 0)
		series_set_x_metric(s, m->x);
}

static void define(struct wandb_reader *r, size_t slot)
{
	r->names[slot].defined = r->slots.slots[slot].series[AXIS_STEP];
	for (size_t i = 0; i < r->n_metrics; i++)
		apply(r, slot, &r->metrics[i]);
}

static char *text_of(struct protobuf m)
{
	return xstrndup((const char *)m.p, (size_t)(m.end - m.p));
}

static void set_text(char **to, struct protobuf m)
{
	free(*to);
	*to = text_of(m);
}

static bool read_metric(struct wandb_reader *r, struct wandb_metric *out, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire == WIRE_BYTES && (f.number == 1 || f.number == 2)) {
			set_text(&out->name, f.bytes);
			out->is_glob = f.number == 2;
		} else if (f.wire == WIRE_BYTES && f.number == 4) {
			set_text(&out->x, f.bytes);
		} else if (f.wire == WIRE_VARINT && f.number == 5 && f.value &&
			f.value <= r->n_metrics) {
			free(out->x);
			out->x = xstrdup(r->metrics[f.value - 1].name);
		}
	}
	return more == 0;
}

static bool take_metric(struct wandb_reader *r, struct protobuf m)
{
	struct wandb_metric metric = { 0 };

	if (!read_metric(r, &metric, m) || r->n_metrics == METRICS_MAX) {
		free(metric.name);
		free(metric.x);
		return r->n_metrics == METRICS_MAX;
	}
	if (!metric.name)
		metric.name = xstrdup("");
	ARRAY_GROW(r->metrics, r->n_metrics, r->cap_metrics);
	r->metrics[r->n_metrics++] = metric;
	for (size_t i = 0; i < r->n_names; i++)
		apply(r, i, &r->metrics[r->n_metrics - 1]);
	return true;
}

/* ---- rows -------------------------------------------------------------------------- */

bool wandb_name_is_epoch(const char *name, size_t n)
{
	static const char word[] = "epoch";
	size_t word_n = sizeof word - 1;

	if (n < word_n || memcmp(name + n - word_n, word, word_n) != 0)
		return false;
	return n == word_n || name[n - word_n - 1] == '/' || name[n - word_n - 1] == '.';
}

double wandb_row_wall(const struct wandb_reader *r, double timestamp, double runtime)
{
	if (number_is_wall_time(timestamp))
		return timestamp;
	/* The clock of a resumed run counts from its first session. */
	if (r->facts.resumed || !number_is_wall_time(r->facts.start_wall_s) || !isfinite(runtime))
		return NAN;
	return r->facts.start_wall_s + runtime;
}

static void put_number(
	struct wandb_reader *r, struct wandb_row *row, const char *name, size_t n, double value)
{
	slots_put(&r->slots, name, n, value);
	if (wandb_name_is_epoch(name, n))
		row->epoch = value;
}

static void put_fields(struct wandb_reader *r, struct wandb_row *row, struct wandb_item *item)
{
	const struct json_row *fields = &r->values.row;

	for (size_t i = 0; i < fields->n; i++) {
		const struct json_field *f = &fields->fields[i];
		struct number number;
		size_t n;
		const char *name =
			wandb_value_name(&r->values, item, f->name, f->name_n, &n);

		if (json_field_number(f, &number)) {
			put_number(r, row, name, n, number.value);
			continue;
		}
		slots_put_absent(&r->slots, name, n);
		row->non_numeric += f->kind != JSON_FIELD_NULL;
	}
}

static void put_item(struct wandb_reader *r, struct wandb_row *row, struct wandb_item *item)
{
	struct number number;

	switch (wandb_value_read(&number, &r->values, item)) {
	case WANDB_NUMBER:
		put_number(r, row, item->name, item->name_n, number.value);
		return;
	case WANDB_OBJECT:
		put_fields(r, row, item);
		return;
	case WANDB_OTHER:
		row->non_numeric++;
		break;
	case WANDB_ABSENT:
		break;
	}
	slots_put_absent(&r->slots, item->name, item->name_n);
}

static bool is_named(const struct wandb_item *item, const char *name)
{
	return item->name_n == strlen(name) && memcmp(item->name, name, item->name_n) == 0;
}

/* Names with a low line in front are W&B's own: they place the row. */
static void put_own_item(struct wandb_reader *r, struct wandb_row *row, struct wandb_item *item)
{
	struct number number;

	if (wandb_value_read(&number, &r->values, item) != WANDB_NUMBER)
		return;
	if (is_named(item, "_step") && number.is_integer) {
		row->step = number.integer;
		row->has_step = true;
	} else if (is_named(item, "_timestamp")) {
		row->timestamp = number.value;
	} else if (is_named(item, "_runtime")) {
		row->runtime = number.value;
	}
}

/* The segment of the session at hand is open in each series that the row names. */
static void open_session(struct wandb_reader *r, struct curve_sink *sink)
{
	for (size_t i = 0; i < r->slots.n_named; i++) {
		size_t slot = r->slots.named[i];

		while (r->n_names <= slot) {
			ARRAY_GROW(r->names, r->n_names, r->cap_names);
			r->names[r->n_names++] = (struct wandb_name){ 0 };
		}
		if (!r->slots.slots[slot].present || r->names[slot].session == r->session)
			continue;
		r->names[slot].session = r->session;
		series_open_segment(slots_series(&r->slots, sink, slot, AXIS_STEP),
			r->session_start, 0, false);
	}
}

static void define_named(struct wandb_reader *r)
{
	for (size_t i = 0; r->n_metrics && i < r->slots.n_named; i++)
		if (!r->names[r->slots.named[i]].defined)
			define(r, r->slots.named[i]);
}

static bool read_step(struct wandb_row *row, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	row->has_step = true;
	row->step = 0;
	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.number == 1 && f.wire == WIRE_VARINT)
			row->step = (int64_t)f.value;
	return more == 0;
}

static bool read_history(struct wandb_reader *r, struct wandb_row *row, struct protobuf m)
{
	struct wandb_row by_field = { .has_step = false };
	struct wandb_item item;
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire != WIRE_BYTES)
			continue;
		if (f.number == 2 && !read_step(&by_field, f.bytes))
			return false;
		if (f.number != 1)
			continue;
		if (!wandb_item_read(&item, &r->values, f.bytes))
			return false;
		if (item.name_n && *item.name == '_')
			put_own_item(r, row, &item);
		else
			put_item(r, row, &item);
	}
	if (!row->has_step && by_field.has_step) {
		row->step = by_field.step;
		row->has_step = true;
	}
	return more == 0;
}

/* A row without a step stands nowhere. */
static bool take_history(struct wandb_reader *r, struct curve_sink *sink, struct protobuf m)
{
	struct wandb_row row = WANDB_ROW_INIT;
	struct row_x x = { .axis = AXIS_STEP };

	slots_begin_row(&r->slots);
	if (!read_history(r, &row, m) || !row.has_step)
		return false;
	sink->health.non_numeric += row.non_numeric;
	x.step = row.step;
	x.wall_s = wandb_row_wall(r, row.timestamp, row.runtime);
	x.epoch = row.epoch;
	open_session(r, sink);
	slots_emit(&r->slots, sink, &x);
	define_named(r);
	return true;
}

/* ---- statistics of the system --------------------------------------------------------- */

static bool read_stats(struct wandb_reader *r, struct wandb_row *row, struct wandb_time *time,
	bool *has_time, struct protobuf m)
{
	struct protobuf_field f;
	struct wandb_item item;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire != WIRE_BYTES)
			continue;
		if (f.number == 2) {
			*has_time = true;
			if (!wandb_time_read(time, f.bytes))
				return false;
		}
		if (f.number != 3)
			continue;
		if (!wandb_item_read(&item, &r->values, f.bytes))
			return false;
		buf_clear(&r->name);
		buf_adds(&r->name, "system/");
		buf_add(&r->name, item.name, item.name_n);
		item.name = r->name.s;
		item.name_n = r->name.n;
		put_item(r, row, &item);
	}
	return more == 0;
}

static bool seconds_between(double *out, const struct wandb_time *from, const struct wandb_time *to)
{
	int64_t seconds, nanos;

	if (__builtin_sub_overflow(to->seconds, from->seconds, &seconds) ||
		__builtin_sub_overflow(to->nanos, from->nanos, &nanos))
		return false;
	*out = (double)seconds + (double)nanos * 1e-9;
	return true;
}

static bool take_stats(struct wandb_reader *r, struct curve_sink *sink, struct protobuf m)
{
	struct wandb_row row = WANDB_ROW_INIT;
	struct row_x x = { .axis = AXIS_TIME, .epoch = NAN };
	struct wandb_time time;
	bool has_time = false;

	slots_begin_row(&r->slots);
	if (!read_stats(r, &row, &time, &has_time, m) || !has_time)
		return false;
	if (!r->has_stats) {
		r->has_stats = true;
		r->stats_start = time;
	}
	if (!seconds_between(&x.real, &r->stats_start, &time))
		return false;
	sink->health.non_numeric += row.non_numeric;
	x.wall_s = wandb_time_wall(&time);
	slots_emit(&r->slots, sink, &x);
	for (size_t i = 0; i < r->slots.n_named; i++) {
		struct series *s = r->slots.slots[r->slots.named[i]].series[AXIS_TIME];

		if (s)
			s->origin_s = wandb_time_wall(&r->stats_start);
	}
	return true;
}

/* ---- the run ----------------------------------------------------------------------------- */

/* Both ways of going on: a starting step, or the last step that is kept. */
static int64_t starting_step(const struct wandb_facts *f)
{
	if (f->starting_step > 0)
		return f->starting_step;
	if (f->branch_step >= 0 && f->branch_step < 9e15)
		return (int64_t)f->branch_step + 1;
	return 0;
}

static bool take_run(struct wandb_reader *r, struct curve_sink *sink, struct protobuf m)
{
	const struct wandb_facts *f = &r->facts;
	int64_t start;

	if (!wandb_facts_take_run(&r->facts, &r->values, &sink->settings, m))
		return false;
	start = starting_step(f);
	if (start != r->session_start) {
		r->session++;
		r->session_start = start;
		wandb_plain_forget(r->plain);
	}
	if (f->branch_run && f->run_id && strcmp(f->branch_run, f->run_id) != 0 &&
		!isnan(f->branch_step))
		curve_notes_add(&sink->notes, "wandb-fork",
			"%s: goes on behind step %.0f of the run %s, whose points are not here",
			sink->name, f->branch_step, f->branch_run);
	return true;
}

static bool take_exit(struct wandb_reader *r, struct curve_sink *sink, struct protobuf m)
{
	if (!wandb_facts_take_exit(&r->facts, m))
		return false;
	if (r->facts.exit_code)
		curve_notes_add(&sink->notes, "wandb-exit",
			"%s: the run ended with exit code %" PRId64, sink->name,
			r->facts.exit_code);
	return true;
}

static bool take_output(struct wandb_reader *r, struct curve_sink *sink, struct protobuf m)
{
	struct protobuf_field f;
	struct protobuf line = { m.p, m.p };
	struct wandb_time time;
	double written_s = NAN;
	bool is_output = false;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.number == 1 && f.wire == WIRE_VARINT)
			is_output = f.value == 1;
		if (f.wire != WIRE_BYTES)
			continue;
		if (f.number == 2) {
			if (!wandb_time_read(&time, f.bytes))
				return false;
			written_s = wandb_time_wall(&time);
		}
		if (f.number == 3)
			line = f.bytes;
	}
	if (more < 0)
		return false;
	wandb_console_take(&r->console, sink, is_output, written_s, (const char *)line.p,
		(size_t)(line.end - line.p));
	return true;
}

/* ---- the record ---------------------------------------------------------------------------- */

static bool take_message(
	struct wandb_reader *r, struct curve_sink *sink, uint32_t number, struct protobuf m)
{
	switch (number) {
	case RECORD_HISTORY:
		return take_history(r, sink, m);
	case RECORD_SUMMARY:
		return wandb_take_settings(&r->facts.summary, &r->values, m);
	case RECORD_CONFIG:
		return wandb_take_settings(&sink->settings, &r->values, m);
	case RECORD_STATS:
		return take_stats(r, sink, m);
	case RECORD_METRIC:
		return take_metric(r, m);
	case RECORD_OUTPUT:
	case RECORD_OUTPUT_RAW:
		return take_output(r, sink, m);
	case RECORD_RUN:
		return take_run(r, sink, m);
	case RECORD_EXIT:
		return take_exit(r, sink, m);
	default:
		return true;
	}
}

void wandb_reader_flush(struct wandb_reader *r, struct curve_sink *sink)
{
	wandb_plain_flush(r->plain, sink);
}

/* Any record. */
static __attribute__((noinline)) bool take_in_full(
	struct wandb_reader *r, struct curve_sink *sink, const char *p, size_t n)
{
	const unsigned char *bytes = (const unsigned char *)p;
	struct protobuf m = { bytes, bytes + n }, message = { bytes, bytes };
	struct protobuf_field f;
	uint32_t number = 0;
	int more;

	/* One of the messages is there; of several the last counts. */
	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire != WIRE_BYTES || f.number < RECORD_HISTORY || f.number > RECORD_EXIT ||
			f.number == 16)
			continue;
		number = f.number;
		message = f.bytes;
	}
	if (more < 0)
		return false;
	/* These come behind the rows before them. */
	if (number == RECORD_HISTORY || number == RECORD_RUN)
		wandb_reader_flush(r, sink);
	if (!take_message(r, sink, number, message))
		return false;
	if (number == RECORD_HISTORY && !sink->options->no_shapes)
		wandb_plain_learn(r->plain, r, p, n);
	return true;
}

bool wandb_reader_take(struct wandb_reader *r, struct curve_sink *sink, const char *p, size_t n,
	const char *limit)
{
	return (!sink->options->no_shapes && wandb_plain_take(r->plain, r, sink, p, n, limit)) ||
		take_in_full(r, sink, p, n);
}
