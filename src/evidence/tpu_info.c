/* tpu_info - tables of tpu-info, column by column; see tpu_info.h. */
#include "config.h"

#include "evidence/tpu_info.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { TITLES_MAX = 32 };

struct tpu {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	int32_t snapshot;		/* -1: nothing was read */
	struct buf title, columns_text;
	struct span columns[TPU_COLUMNS_MAX];	/* of the table at hand, in COLUMNS_TEXT */
	size_t columns_n;
	enum { TABLE_NONE, TABLE_HEAD, TABLE_ROWS } table;
	char *seen[TITLES_MAX];		/* titles and lines of this snapshot */
	size_t seen_n;
	int64_t warnings;
};

bool tpu_info_recognise(const struct evidence_source *source)
{
	static const char *const titles[] = { "TPU Chips ", "TPU Runtime Utilization ",
		"TensorCore Utilization ", "TPU Process Info ", "TPU Duty Cycle ",
		"TPU HBM Usage " };

	if (evidence_source_has_line(source, "No TPU chips found.") ||
		evidence_source_has_line(source, "- tpu-info version: "))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		if (evidence_source_has_line(source, titles[i]) &&
			evidence_source_has_line(source, "|--"))
			return true;
	return false;
}

int tpu_chip_number(const char *chip)
{
	size_t n = strlen(chip), digits = 0;
	int64_t number;

	while (digits < n && digits < 6 && isdigit((unsigned char)chip[n - digits - 1]))
		digits++;
	return text_to_i64(chip + n - digits, digits, &number) ? (int)number : -1;
}

static struct evidence_place here(const struct tpu *t)
{
	return (struct evidence_place){ t->lines.number, t->snapshot };
}

/* ---- snapshots ---- */

static void forget(struct tpu *t)
{
	while (t->seen_n)
		free(t->seen[--t->seen_n]);
}

static void next_snapshot(struct tpu *t)
{
	forget(t);
	t->snapshot++;
}

/* What stands once in a snapshot; standing there again it begins the next one. */
static void see(struct tpu *t, struct span what)
{
	bool again = t->snapshot < 0;

	for (size_t i = 0; i < t->seen_n; i++)
		again = again || span_equal(what, t->seen[i]);
	if (again)
		next_snapshot(t);
	if (t->seen_n < TITLES_MAX)
		t->seen[t->seen_n++] = xstrndup(what.s, what.n);
}

/* ---- cells ---- */

static void add_percent(
	struct tpu *t, enum evidence_fact_name name, struct span key, struct span cell)
{
	struct evidence_fact *row = evidence_add(t->facts, here(t), name, key, cell);
	double value;

	if (span_ends(cell, "%")) {
		cell.n--;
		if (span_number(cell, &value))
			evidence_fact_number(row, value);
	}
}

/* "11.83 GiB" as bytes: rounded, as it is printed. */
static bool read_gib(struct span text, double *bytes)
{
	text = span_trim(text);
	if (!span_ends(text, " GiB"))
		return false;
	text.n -= strlen(" GiB");
	if (!span_number(text, bytes))
		return false;
	*bytes *= 0x1p30;
	return true;
}

static void add_memory(
	struct tpu *t, enum evidence_fact_name name, struct span key, struct span cell)
{
	struct span rest, used = span_until(cell, "/", &rest);
	double bytes;

	/* "N/A" is no used of a total. */
	if (span_equal(cell, "N/A")) {
		evidence_add(t->facts, here(t), name, key, cell);
		return;
	}
	if (!read_gib(used, &bytes)) {
		evidence_malformed(t->facts, t->lines.number);
		return;
	}
	evidence_fact_number(
		evidence_add(t->facts, here(t), name, key, span_trim(used)), bytes);
	if (read_gib(rest, &bytes))
		evidence_fact_number(
			evidence_add(t->facts, here(t), FACT_TPU_HBM_TOTAL, key, span_trim(rest)),
			bytes);
}

static void add_integer(
	struct tpu *t, enum evidence_fact_name name, struct span key, struct span cell)
{
	struct evidence_fact *row = evidence_add(t->facts, here(t), name, key, cell);
	int64_t value;

	if (span_integer(cell, &value))
		evidence_fact_integer(row, value);
}

static void add_text(struct tpu *t, enum evidence_fact_name name, struct span key, struct span cell)
{
	evidence_add(t->facts, here(t), name, key, cell);
}

static const struct column {
	const char *header;
	enum evidence_fact_name name;
	void (*add)(struct tpu *, enum evidence_fact_name, struct span key, struct span cell);
} known_columns[] = {
	{ "Type", FACT_TPU_CHIP, add_text },
	{ "Devices", FACT_TPU_DEVICES, add_integer },
	{ "PID", FACT_TPU_HOLDER, add_integer },
	{ "Process Name", FACT_TPU_PROCESS, add_text },
	{ "HBM Usage (GiB)", FACT_TPU_HBM_USED, add_memory },
	{ "Duty cycle", FACT_TPU_DUTY, add_percent },
	{ "Duty Cycle (%)", FACT_TPU_DUTY, add_percent },
	{ "TensorCore Utilization", FACT_TPU_CORE_USE, add_percent },
};

static void add_unknown(struct tpu *t, struct span column, struct span key, struct span cell)
{
	struct buf name = BUF_INIT;

	buf_add(&name, t->title.s, t->title.n);
	buf_adds(&name, " / ");
	buf_add(&name, key.s, key.n);
	buf_adds(&name, " / ");
	buf_add(&name, column.s, column.n);
	evidence_add(t->facts, here(t), FACT_TPU_CELL, (struct span){ name.s, name.n }, cell);
	buf_release(&name);
}

static void add_cell(struct tpu *t, struct span column, struct span key, struct span cell)
{
	for (size_t i = 0; i < ARRAY_LEN(known_columns); i++)
		if (span_equal(column, known_columns[i].header)) {
			known_columns[i].add(t, known_columns[i].name, key, cell);
			return;
		}
	add_unknown(t, column, key, cell);
}

/* ---- tables ---- */

/* The cells of "| a | b |"; 0: it is no row. */
static size_t split_row(struct span *cells, struct span line)
{
	size_t n = 0;

	line = span_trim(line);
	if (!span_take(&line, "|") || !span_ends(line, "|"))
		return 0;
	while (line.n && n < TPU_COLUMNS_MAX)
		cells[n++] = span_trim(span_until(line, "|", &line));
	return n;
}

static void take_header(struct tpu *t, struct span line)
{
	buf_clear(&t->columns_text);
	buf_add(&t->columns_text, line.s, line.n);
	t->columns_n = split_row(
		t->columns, (struct span){ t->columns_text.s, t->columns_text.n });
	t->table = TABLE_HEAD;
	see(t, (struct span){ t->title.s, t->title.n });
}

static void take_row(struct tpu *t, struct span line)
{
	struct span cells[TPU_COLUMNS_MAX];
	size_t n = split_row(cells, line);

	if (n < 2 || n != t->columns_n || !cells[0].n) {
		evidence_malformed(t->facts, t->lines.number);
		return;
	}
	if (span_starts(cells[0], "---") || span_starts(cells[0], ":--")) {
		t->table = TABLE_ROWS;
		return;
	}
	if (t->table != TABLE_ROWS) {
		evidence_malformed(t->facts, t->lines.number);
		return;
	}
	for (size_t i = 1; i < n; i++)
		add_cell(t, t->columns[i], cells[0], cells[i]);
}

/* ---- other lines ---- */

static const struct {
	const char *start;
	enum evidence_fact_name name;
} labels[] = {
	{ "Libtpu version: ", FACT_TPU_LIBTPU },
	{ "- libtpu version: ", FACT_TPU_LIBTPU },
	{ "Accelerator type: ", FACT_TPU_ACCELERATOR },
	{ "- accelerator type: ", FACT_TPU_ACCELERATOR },
	{ "- tpu-info version: ", FACT_TPU_INFO_VERSION },
	{ "Last update: ", FACT_TPU_TIME },
};

static bool take_label(struct tpu *t, struct span line)
{
	if (span_take(&line, "@ ")) {
		next_snapshot(t);
		evidence_add(t->facts, here(t), FACT_TPU_TIME, SPAN_NONE, line);
		return true;
	}
	if (span_equal(line, "No TPU chips found.")) {
		see(t, line);
		evidence_fact_integer(
			evidence_add(t->facts, here(t), FACT_TPU_CHIPS, SPAN_NONE, line), 0);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(labels); i++)
		if (span_take(&line, labels[i].start)) {
			see(t, span_of(labels[i].start));
			evidence_add(t->facts, here(t), labels[i].name, SPAN_NONE, span_trim(line));
			return true;
		}
	return false;
}

/* Panels are boxes of U+256D, U+2502, U+2570 at the front of their lines. */
static bool take_panel(struct tpu *t, struct span line)
{
	struct span rest = line;

	if (span_take(&rest, "\xe2\x94\x82")) {
		t->warnings += span_starts(span_trim(rest), "WARNING:");
		return true;
	}
	return span_starts(line, "\xe2\x95\xad") || span_starts(line, "\xe2\x95\xb0");
}

static void take_line(struct tpu *t, struct span line)
{
	struct span text = span_trim(line);

	if (span_starts(text, "|")) {
		t->facts->health.read++;
		if (t->table == TABLE_NONE)
			take_header(t, text);
		else
			take_row(t, text);
		return;
	}
	t->table = TABLE_NONE;
	if (!text.n)
		return;
	if (take_panel(t, text) || take_label(t, text)) {
		t->facts->health.read++;
		return;
	}
	buf_clear(&t->title);
	buf_add(&t->title, text.s, text.n);
}

void tpu_info_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct tpu t = { .facts = facts, .snapshot = -1, .title = BUF_INIT,
		.columns_text = BUF_INIT };
	struct span line;

	evidence_lines_begin(&t.lines, source->bytes, source->n);
	while (evidence_lines_next(&t.lines, &line))
		take_line(&t, line);
	facts->health.lines = t.lines.number;
	facts->health.truncated = t.lines.unended;
	evidence_add_total(facts, 0, FACT_TPU_SNAPSHOTS, SPAN_NONE, t.snapshot + 1);
	evidence_add_total(facts, 0, FACT_TPU_WARNINGS, SPAN_NONE, t.warnings);
	forget(&t);
	evidence_lines_end(&t.lines);
	buf_release(&t.title);
	buf_release(&t.columns_text);
}
