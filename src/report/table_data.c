/* table_data - tables as Markdown, CSV and JSON. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "report/markdown.h"
#include "report/table_private.h"

static void add_markdown_row(
	struct buf *out, const struct report_table *t, const struct report_cell *row)
{
	struct buf cell = BUF_INIT;

	for (size_t c = 0; c < t->n_columns; c++) {
		if (!report_is_shown(&t->columns[c]))
			continue;
		buf_clear(&cell);
		if (row)
			report_add_cell(&cell, &t->columns[c], &row[c]);
		else
			report_add_title(&cell, &t->columns[c]);
		buf_adds(out, "| ");
		markdown_add_text(out, cell.s, cell.n);
		buf_addc(out, ' ');
	}
	buf_adds(out, "|\n");
	buf_release(&cell);
}

void report_table_markdown(const struct report_table *t, struct buf *out)
{
	add_markdown_row(out, t, NULL);
	for (size_t c = 0; c < t->n_columns; c++)
		if (report_is_shown(&t->columns[c]))
			buf_adds(out, report_is_right(&t->columns[c]) ? "|---:" : "|---");
	buf_adds(out, "|\n");
	for (size_t r = 0; r < t->n_rows; r++)
		add_markdown_row(out, t, t->rows[r]);
	for (const struct report_note *note = t->notes; note; note = note->next) {
		buf_addc(out, '\n');
		markdown_add_text(out, note->text, strlen(note->text));
		buf_addc(out, '\n');
	}
}

/* A text that a spreadsheet would run as a formula gets an apostrophe. */
static void add_csv_text(struct buf *out, const char *s)
{
	bool formula = *s && strchr("=+-@\t\r", *s);
	bool quote = formula || strpbrk(s, ",\"\r\n") || *s == ' ';

	if (quote)
		buf_addc(out, '"');
	if (formula)
		buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '"')
			buf_addc(out, '"');
		buf_addc(out, *s);
	}
	if (quote)
		buf_addc(out, '"');
}

static void add_csv_value(
	struct buf *out, const struct report_column *c, const struct report_cell *cell)
{
	char number[TEXT_DOUBLE_MAX], iso[CLOCK_ISO_MAX];

	switch (c->type) {
	case REPORT_TEXT:
	case REPORT_JSON:
		add_csv_text(out, cell->text ? cell->text : "");
		break;
	case REPORT_DOUBLE:
		text_from_double(number, cell->real);
		buf_adds(out, number);
		break;
	case REPORT_TIME:
		clock_iso(iso, cell->integer);
		buf_adds(out, iso);
		break;
	case REPORT_BOOL:
		buf_adds(out, cell->integer ? "true" : "false");
		break;
	case REPORT_INTEGER:
	case REPORT_ID:
	case REPORT_MONEY:
	case REPORT_DURATION:
	case REPORT_BYTES:
		buf_addf(out, "%" PRId64, cell->integer);
		break;
	}
}

void report_table_csv(const struct report_table *t, struct buf *out)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		if (c)
			buf_addc(out, ',');
		add_csv_text(out, t->columns[c].name);
	}
	buf_addc(out, '\n');
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; c < t->n_columns; c++) {
			const struct report_cell *cell = &t->rows[r][c];

			if (c)
				buf_addc(out, ',');
			if (cell->state == REPORT_UNKNOWN)
				buf_adds(out, "unknown");
			else if (cell->state == REPORT_VALUE)
				add_csv_value(out, &t->columns[c], cell);
		}
		buf_addc(out, '\n');
	}
}

static void put_value(struct json_writer *w, const char *name, const struct report_column *c,
		      const struct report_cell *cell)
{
	char iso[CLOCK_ISO_MAX];

	switch (c->type) {
	case REPORT_TEXT:
		json_put_str(w, name, cell->text);
		break;
	case REPORT_JSON:
		json_put_raw(w, name, cell->json, strlen(cell->json));
		break;
	case REPORT_DOUBLE:
		json_put_double(w, name, cell->real);
		break;
	case REPORT_TIME:
		clock_iso(iso, cell->integer);
		json_put_str(w, name, iso);
		break;
	case REPORT_BOOL:
		json_put_bool(w, name, cell->integer != 0);
		break;
	case REPORT_INTEGER:
	case REPORT_ID:
	case REPORT_MONEY:
	case REPORT_DURATION:
	case REPORT_BYTES:
		json_put_i64(w, name, cell->integer);
		break;
	}
}

/* NAME NULL: the caller has written it. */
static void put_cell(struct json_writer *w, const char *name, const struct report_column *c,
		     const struct report_cell *cell)
{
	switch (cell->state) {
	case REPORT_NONE:
		json_put_null(w, name);
		break;
	case REPORT_UNKNOWN:
		json_put_str(w, name, "unknown");
		break;
	case REPORT_VALUE:
		put_value(w, name, c, cell);
		break;
	}
}

/* Names are quoted once a table, and commas are known: a document of ten thousand
 * rows is mostly these. */
static void add_plain_rows(struct buf *out, const struct report_table *t)
{
	struct buf *names = xcalloc(t->n_columns + 1, sizeof *names);

	for (size_t c = 0; c < t->n_columns; c++) {
		buf_init(&names[c]);
		buf_addc(&names[c], c ? ',' : '{');
		json_quote(&names[c], t->columns[c].name, strlen(t->columns[c].name));
		buf_addc(&names[c], ':');
	}
	for (size_t r = 0; r < t->n_rows; r++) {
		if (r)
			buf_addc(out, ',');
		for (size_t c = 0; c < t->n_columns; c++) {
			struct json_writer w = { .out = out };

			buf_add(out, names[c].s, names[c].n);
			put_cell(&w, NULL, &t->columns[c], &t->rows[r][c]);
		}
		buf_addc(out, '}');
	}
	for (size_t c = 0; c < t->n_columns; c++)
		buf_release(&names[c]);
	free(names);
}

static void put_rows(struct json_writer *w, const struct report_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		json_begin_object(w, NULL);
		for (size_t c = 0; c < t->n_columns; c++)
			put_cell(w, t->columns[c].name, &t->columns[c], &t->rows[r][c]);
		json_end_object(w);
	}
}

void report_table_json(const struct report_table *t, struct buf *out, bool indent)
{
	struct json_writer w = { .out = out, .indent = indent };

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", t->schema);
	json_put_str(&w, "kind", t->name);
	json_begin_array(&w, "rows");
	if (indent)
		put_rows(&w, t);
	else
		add_plain_rows(out, t);
	json_end_array(&w);
	json_begin_array(&w, "notes");
	for (const struct report_note *note = t->notes; note; note = note->next)
		json_put_str(&w, NULL, note->text);
	json_end_array(&w);
	json_end_object(&w);
	buf_addc(out, '\n');
}
