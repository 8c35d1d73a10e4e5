/* nvidia_smi - rows of device values, with and without their header; see nvidia_smi.h. */
#include "config.h"

#include "evidence/nvidia_smi.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* A column by the name that it is queried with; FACTOR turns UNIT into the fact's. */
static const struct column {
	const char *query;
	enum evidence_fact_name name;
	const char *unit;
	int64_t factor;
} known_columns[] = {
	{ "timestamp", FACT_GPU_TIME, NULL, 0 },
	{ "index", FACT_GPU_INDEX, "", 1 },
	{ "name", FACT_GPU_MODEL, NULL, 0 },
	{ "gpu_name", FACT_GPU_MODEL, NULL, 0 },
	{ "utilization.gpu", FACT_GPU_USE, "%", 1 },
	{ "utilization.memory", FACT_GPU_MEMORY_USE, "%", 1 },
	{ "memory.used", FACT_GPU_MEMORY_USED, "MiB", 1024 * 1024 },
	{ "memory.total", FACT_GPU_MEMORY_TOTAL, "MiB", 1024 * 1024 },
	{ "power.draw", FACT_GPU_POWER, "W", 1 },
	{ "temperature.gpu", FACT_GPU_TEMPERATURE, "", 1 },
	{ "fan.speed", FACT_GPU_FAN, "%", 1 },
};

/* What a capture of ours asks for; see launch/capture.h. */
static const char captured_columns[] =
	"index,name,uuid,driver_version,memory.total,memory.used,utilization.gpu,power.draw";

struct device {
	char *key;
	double use_sum, use_max;
	int64_t use_values;
	int64_t memory_max;		/* bytes; -1: not known */
	int64_t line;
};

struct smi {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	char *columns_text;
	struct span columns[GPU_COLUMNS_MAX];	/* in COLUMNS_TEXT */
	size_t columns_n;			/* 0: not known */
	int32_t row;
	struct buf time;			/* "@ TIME" of a capture; empty: none */
	int64_t first_ns, last_ns, times;	/* of time stamps that differ */
	struct device devices[GPU_DEVICES_MAX];
	size_t devices_n;
};

/* ---- cells ---- */

static size_t split(struct span *cells, struct span line)
{
	size_t n = 0;

	while (line.n && n < GPU_COLUMNS_MAX)
		cells[n++] = span_trim(span_until(line, ",", &line));
	return n;
}

/* "utilization.gpu [%]" without its unit. */
static struct span query_name(struct span header)
{
	struct span rest;

	return span_trim(span_until(header, "[", &rest));
}

static const struct column *find_column(struct span header)
{
	struct span name = query_name(header);

	for (size_t i = 0; i < ARRAY_LEN(known_columns); i++)
		if (span_equal(name, known_columns[i].query))
			return &known_columns[i];
	return NULL;
}

/* "2026/11/02 10:05:00.117" */
static bool read_time(struct span cell, int64_t *ns)
{
	char iso[CLOCK_ISO_MAX];

	if (cell.n != 23 || cell.s[4] != '/' || cell.s[7] != '/' || cell.s[10] != ' ')
		return false;
	memcpy(iso, cell.s, 23);
	iso[4] = iso[7] = '-';
	iso[10] = 'T';
	iso[23] = 'Z';
	iso[24] = '\0';
	return clock_from_iso(ns, iso);
}

/* "91 %", "18220 MiB", or the number alone. */
static bool read_cell(struct span cell, const struct column *c, double *value)
{
	struct span unit, number = span_until(cell, " ", &unit);

	return c->unit && (!unit.n || span_equal(unit, c->unit)) && span_number(number, value) &&
		isfinite(*value);
}

/* ---- recognising ---- */

static struct span first_line(const struct evidence_source *source)
{
	struct span rest, all = { source->bytes, source->n };

	return span_until(all, "\r\n", &rest);
}

/* A header names two columns or more, and a device tells of itself. */
static bool is_header(struct span line)
{
	struct span cells[GPU_COLUMNS_MAX];
	size_t n = split(cells, line), known = 0;
	bool own = false;

	for (size_t i = 0; i < n; i++) {
		const struct column *c = find_column(cells[i]);

		known += c != NULL;
		own = own || (c && memchr(cells[i].s, '.', cells[i].n));
	}
	return own && known >= 2;
}

bool nvidia_smi_recognise(const struct evidence_source *source)
{
	struct span line = first_line(source), cells[GPU_COLUMNS_MAX];
	int64_t ns;

	if (evidence_source_named(source, "nvidia-smi", ".csv") ||
		evidence_source_named(source, "nvidia-smi", ".samples"))
		return evidence_source_has(source, ",") ||
			evidence_source_has(source, "No devices were found");
	if (source->command && strstr(source->command, "--query-gpu="))
		return true;
	return is_header(line) || (split(cells, line) >= 2 && read_time(cells[0], &ns));
}

/* ---- columns ---- */

static void set_columns(struct smi *s, struct span text)
{
	free(s->columns_text);
	s->columns_text = xstrndup(text.s, text.n);
	s->columns_n = split(s->columns, span_of(s->columns_text));
}

/* The list of "--query-gpu=a,b,c". */
static void columns_of_command(struct smi *s, const char *command)
{
	const char *list = command ? strstr(command, "--query-gpu=") : NULL;
	struct span rest;

	if (list)
		set_columns(s, span_until(span_of(strchr(list, '=') + 1), " '\"", &rest));
}

/* ---- totals ---- */

/* NULL: there are too many. */
static struct device *find_device(struct smi *s, struct span key)
{
	for (size_t i = 0; i < s->devices_n; i++)
		if (span_equal(key, s->devices[i].key))
			return &s->devices[i];
	if (s->devices_n == GPU_DEVICES_MAX) {
		s->facts->health.dropped++;
		return NULL;
	}
	s->devices[s->devices_n] =
		(struct device){ .key = xstrndup(key.s, key.n), .memory_max = -1 };
	return &s->devices[s->devices_n++];
}

static void add_to_totals(struct smi *s, const struct column *c, struct span key, double value)
{
	struct device *d;

	if (c->name != FACT_GPU_USE && c->name != FACT_GPU_MEMORY_USED)
		return;
	d = find_device(s, key);
	if (!d)
		return;
	d->line = s->lines.number;
	if (c->name == FACT_GPU_USE) {
		d->use_max = d->use_values++ && d->use_max > value ? d->use_max : value;
		d->use_sum += value;
	} else if (value >= 0 && value < 0x1p40 && (int64_t)value * c->factor > d->memory_max) {
		d->memory_max = (int64_t)value * c->factor;
	}
}

static void take_time(struct smi *s, struct span cell)
{
	int64_t ns;

	if (!read_time(cell, &ns) || (s->times && ns == s->last_ns))
		return;
	if (!s->times++)
		s->first_ns = ns;
	s->last_ns = ns;
}

static void add_totals(struct smi *s)
{
	evidence_add_total(s->facts, 0, FACT_GPU_ROWS, SPAN_NONE, s->row);
	if (s->times > 1 && s->last_ns > s->first_ns)
		evidence_add_total(s->facts, 0, FACT_GPU_INTERVAL, SPAN_NONE,
			(s->last_ns - s->first_ns) / (s->times - 1));
	for (size_t i = 0; i < s->devices_n; i++) {
		const struct device *d = &s->devices[i];
		struct evidence_place at = { d->line, -1 };
		struct span key = span_of(d->key);

		if (d->use_values) {
			evidence_fact_number(
				evidence_add(s->facts, at, FACT_GPU_USE_MEAN, key, SPAN_NONE),
				d->use_sum / (double)d->use_values);
			evidence_fact_number(
				evidence_add(s->facts, at, FACT_GPU_USE_MAX, key, SPAN_NONE),
				d->use_max);
		}
		evidence_add_total(s->facts, d->line, FACT_GPU_USE_VALUES, key, d->use_values);
		if (d->memory_max >= 0)
			evidence_add_total(
				s->facts, d->line, FACT_GPU_MEMORY_USED_MAX, key, d->memory_max);
	}
}

/* ---- rows ---- */

static void add_number(struct smi *s, const struct column *c, struct span key, struct span cell)
{
	bool is_kept = s->row < GPU_ROWS_KEPT;
	struct evidence_fact *row = NULL;
	double value;

	if (is_kept)
		row = evidence_add(s->facts, (struct evidence_place){ s->lines.number, s->row },
			c->name, key, cell);
	if (!read_cell(cell, c, &value))
		return;
	add_to_totals(s, c, key, value);
	if (row && fabs(value) < 0x1p30 && value == floor(value))
		evidence_fact_integer(row, (int64_t)value * c->factor);
	else if (row)
		evidence_fact_number(row, value * (double)c->factor);
}

static void add_other(struct smi *s, struct span column, struct span cell)
{
	if (s->row < GPU_ROWS_KEPT)
		evidence_add(s->facts, (struct evidence_place){ s->lines.number, s->row },
			FACT_GPU_CELL, column, cell);
}

/* Which device a row is about: the index, else the unique id, else there is one. */
static struct span device_key(const struct smi *s, const struct span *cells, size_t n)
{
	static const char *const keys[] = { "index", "uuid", "gpu_uuid", "pci.bus_id",
		"gpu_bus_id" };

	for (size_t k = 0; k < ARRAY_LEN(keys); k++)
		for (size_t i = 0; i < n && i < s->columns_n; i++)
			if (span_equal(query_name(s->columns[i]), keys[k]))
				return cells[i];
	return SPAN_NONE;
}

static void add_cell(struct smi *s, size_t at, struct span key, struct span cell)
{
	struct span column = at < s->columns_n ? query_name(s->columns[at]) : SPAN_NONE;
	const struct column *c = at < s->columns_n ? find_column(column) : NULL;
	int64_t ns;
	char number[32];

	if (c && c->unit) {
		add_number(s, c, key, cell);
	} else if (c || (!s->columns_n && at == 0 && read_time(cell, &ns))) {
		enum evidence_fact_name name = c ? c->name : FACT_GPU_TIME;

		if (name == FACT_GPU_TIME)
			take_time(s, cell);
		if (s->row < GPU_ROWS_KEPT)
			evidence_add(s->facts, (struct evidence_place){ s->lines.number, s->row },
				name, SPAN_NONE, cell);
	} else if (column.n) {
		add_other(s, column, cell);
	} else {
		snprintf(number, sizeof number, "column %zu", at + 1);
		add_other(s, span_of(number), cell);
	}
}

static void take_row(struct smi *s, struct span line)
{
	struct span cells[GPU_COLUMNS_MAX];
	size_t n = split(cells, line);

	if (!s->columns_n && n == 8 && isdigit((unsigned char)line.s[0]))
		set_columns(s, SPAN(captured_columns));
	if (s->columns_n && n != s->columns_n) {
		evidence_malformed(s->facts, s->lines.number);
		return;
	}
	s->facts->health.read++;
	if (s->time.n && s->row < GPU_ROWS_KEPT)
		evidence_add(s->facts, (struct evidence_place){ s->lines.number, s->row },
			FACT_GPU_TIME, SPAN_NONE, (struct span){ s->time.s, s->time.n });
	for (size_t i = 0; i < n; i++)
		add_cell(s, i, device_key(s, cells, n), cells[i]);
	s->row++;
}

static void take_line(struct smi *s, struct span line)
{
	struct span rest = line;

	if (!span_trim(line).n)
		return;
	if (span_take(&rest, "@ ")) {
		buf_clear(&s->time);
		buf_add(&s->time, rest.s, rest.n);
		s->facts->health.read++;
	} else if (is_header(line)) {
		set_columns(s, line);
		s->facts->health.read++;
	} else if (memchr(line.s, ',', line.n)) {
		take_row(s, line);
	} else {
		evidence_malformed(s->facts, s->lines.number);
	}
}

void nvidia_smi_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct smi s = { .facts = facts, .time = BUF_INIT };
	struct span line;

	columns_of_command(&s, source->command);
	evidence_lines_begin(&s.lines, source->bytes, source->n);
	while (evidence_lines_next(&s.lines, &line))
		take_line(&s, line);
	facts->health.lines = s.lines.number;
	facts->health.truncated = s.lines.unended;
	add_totals(&s);
	evidence_lines_end(&s.lines);
	for (size_t i = 0; i < s.devices_n; i++)
		free(s.devices[i].key);
	free(s.columns_text);
	buf_release(&s.time);
}
