/* run_columns - see run_columns.h. */
#include "config.h"

#include "command/run_columns.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "workspace/run_summary.h"

static struct run_record record_of(const struct run_row *row)
{
	const struct run_state *s = row->state;
	struct run_record r = {
		.fields = {
			[RUN_FIELD_RUN] = s->id,
			[RUN_FIELD_ATTEMPT] = s->attempt,
			[RUN_FIELD_TARGET] = s->target,
			[RUN_FIELD_SEED] = s->seed,
			[RUN_FIELD_OUTCOME] = word_name(&words_run_state, (int)s->state),
			[RUN_FIELD_STARTED] = s->started,
		},
		.duration_s = row->elapsed_ns < 0
			? NAN
			: (double)row->elapsed_ns / (double)NS_PER_S,
		.is_reading = true,
	};

	return r;
}

bool run_is_to_be_read(const struct run_rows *rows, const struct run_row *row)
{
	return !rows->past || !row->live;
}

void run_records_make(struct run_record **out, const struct run_rows *rows, struct arena *a)
{
	*out = arena_alloc(a, (rows->n + 1) * sizeof **out);
	for (size_t i = 0; i < rows->n; i++) {
		(*out)[i] = record_of(&rows->rows[i]);
		(*out)[i].is_reading = run_is_to_be_read(rows, &rows->rows[i]);
	}
}

int run_record_read(struct run_record *r, const char **missing, struct workspace *ws,
	const struct run_column *columns, size_t n_columns, const atomic_bool *cancel,
	struct arena *a)
{
	struct run_summary *s = ARENA_NEW(a, struct run_summary);
	int rc = run_summary_read(
		s, ws, r->fields[RUN_FIELD_RUN], columns, n_columns, cancel, a);

	if (rc < 0)
		return rc;
	*missing = s->missing;
	r->series = s->series;
	r->n_series = s->n_series;
	r->config = &s->config;
	r->at = s->at;
	r->n_at = s->n_at;
	r->is_reading = false;
	return 0;
}

void run_cell_add(struct buf *out, const struct run_column *column, const struct run_cell *c)
{
	bool duration = column->kind == RUN_COLUMN_FIELD && column->field == RUN_FIELD_DURATION;

	switch (c->type) {
	case RUN_CELL_ABSENT:
		buf_addc(out, '-');
		break;
	case RUN_CELL_READING:
		buf_adds(out, "reading");
		break;
	case RUN_CELL_NUMBER:
		if (c->text)
			text_sanitise(out, c->text, strlen(c->text));
		else if (duration)
			clock_add_duration(out, (int64_t)(c->number * (double)NS_PER_S));
		else if (isnan(c->number))
			buf_adds(out, "NaN");
		else
			buf_addf(out, "%.6g", c->number);
		break;
	case RUN_CELL_TEXT:
		text_sanitise(out, c->text, strlen(c->text));
		break;
	}
}
