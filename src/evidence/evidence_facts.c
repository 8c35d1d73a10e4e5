/* evidence_facts - a list of facts, and how they are shown and stored; see evidence_facts.h. */
#include "config.h"

#include "evidence/evidence_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"

const char *const evidence_certainty_words[3] = {
	[EVIDENCE_EXACT] = "exact",
	[EVIDENCE_DECODED] = "decoded",
	[EVIDENCE_AMBIGUOUS] = "ambiguous",
};

void evidence_facts_release(struct evidence_facts *f)
{
	arena_release(&f->arena);
	free(f->rows);
	*f = (struct evidence_facts)EVIDENCE_FACTS_INIT;
}

/* ---- reading ---- */

static bool is_named(
	const struct evidence_fact *row, enum evidence_fact_name name, const char *key)
{
	return row->name == name && (!key || strcmp(row->key, key) == 0);
}

const struct evidence_fact *evidence_facts_last(
	const struct evidence_facts *f, enum evidence_fact_name name, const char *key)
{
	for (size_t i = f->n; i-- > 0;)
		if (is_named(&f->rows[i], name, key))
			return &f->rows[i];
	return NULL;
}

const struct evidence_fact *evidence_facts_next(const struct evidence_facts *f,
	const struct evidence_fact *after, enum evidence_fact_name name, const char *key)
{
	for (size_t i = after ? (size_t)(after - f->rows) + 1 : 0; i < f->n; i++)
		if (is_named(&f->rows[i], name, key))
			return &f->rows[i];
	return NULL;
}

/* ---- values for people ---- */

static void add_plain(struct buf *out, double v, const char *unit)
{
	char text[TEXT_DOUBLE_MAX];

	text_from_double(text, v);
	buf_addf(out, "%s%s%s", text, *unit ? " " : "", unit);
}

static void add_bytes(struct buf *out, double v)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	size_t i = 0;

	while (fabs(v) >= 1024 && i + 1 < ARRAY_LEN(units))
		v /= 1024, i++;
	buf_addf(out, i ? "%.2f %s" : "%.0f %s", v, units[i]);
}

static void add_number(struct buf *out, enum evidence_unit unit, double v)
{
	switch (unit) {
	case UNIT_NS:
		/* A short duration keeps its digits; a long one is read as people say it. */
		if (v < 60e9)
			buf_addf(out, "%.6g %s", v / (v < 1e6 ? 1e3 : v < 1e9 ? 1e6 : 1e9),
				v < 1e6         ? "us"
					: v < 1e9 ? "ms"
						  : "s");
		else
			clock_add_duration(out, (int64_t)v);
		break;
	case UNIT_BYTES:
		add_bytes(out, v);
		break;
	case UNIT_BYTES_PER_S:
		add_bytes(out, v);
		buf_adds(out, "/s");
		break;
	case UNIT_NONE:
	case UNIT_COUNT:
		add_plain(out, v, "");
		break;
	case UNIT_NS_PER_S:
	case UNIT_PER_S:
	case UNIT_PERCENT:
	case UNIT_GB:
	case UNIT_WATT:
	case UNIT_CELSIUS:
	case UNIT_EPOCH_S:
	case EVIDENCE_UNITS:
		add_plain(out, v, evidence_unit_words[unit]);
		break;
	}
}

void evidence_fact_add_value(struct buf *out, const struct evidence_fact *fact)
{
	enum evidence_unit unit = evidence_fact_names[fact->name].unit;

	if (!fact->is_number) {
		buf_adds(out, fact->text);
		return;
	}
	if (fact->is_integer && unit <= UNIT_COUNT)
		buf_addf(out, "%" PRId64, fact->integer);
	else
		add_number(out, unit, fact->number);
	if (fact->certainty == EVIDENCE_AMBIGUOUS) {
		buf_adds(out, " or ");
		add_number(out, unit, (double)fact->other);
	}
}

/* ---- the form of the log ---- */

static void put_integer(struct json_writer *w, const char *key, int64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRId64, v);
	json_put_str(w, key, text);
}

static void put_value(struct json_writer *w, const struct evidence_fact *fact)
{
	char text[TEXT_DOUBLE_MAX];

	if (!fact->is_number)
		return;
	if (fact->is_integer) {
		put_integer(w, "value", fact->integer);
	} else {
		text_from_double(text, fact->number);
		json_put_str(w, "value", text);
	}
	if (fact->certainty == EVIDENCE_AMBIGUOUS)
		put_integer(w, "other", fact->other);
}

static void write_fact(struct json_writer *w, const struct evidence_fact *fact)
{
	const struct evidence_fact_row *row = &evidence_fact_names[fact->name];

	json_begin_object(w, NULL);
	json_put_str(w, "certainty", evidence_certainty_words[fact->certainty]);
	if (fact->group >= 0)
		put_integer(w, "group", fact->group);
	if (*fact->key)
		json_put_str(w, "key", fact->key);
	if (fact->line)
		put_integer(w, "line", fact->line);
	json_put_str(w, "name", row->text);
	if (*fact->text)
		json_put_str(w, "text", fact->text);
	if (*evidence_unit_words[row->unit])
		json_put_str(w, "unit", evidence_unit_words[row->unit]);
	put_value(w, fact);
	json_end_object(w);
}

void evidence_facts_write(struct buf *out, const struct evidence_facts *f, bool detail)
{
	struct json_writer w = { .out = out };

	json_begin_array(&w, NULL);
	for (size_t i = 0; i < f->n; i++)
		if (detail || !f->rows[i].detail)
			write_fact(&w, &f->rows[i]);
	json_end_array(&w);
}

/* ---- health ---- */

static void add_part(struct buf *out, size_t before)
{
	if (out->n > before)
		buf_adds(out, " | ");
}

void evidence_health_add_line(struct buf *out, const struct evidence_health *h)
{
	size_t before = out->n;

	if (h->malformed)
		buf_addf(out,
			"%" PRId64 " of %" PRId64 " lines not understood, the first is %" PRId64,
			h->malformed, h->lines, h->first_malformed);
	if (h->truncated) {
		add_part(out, before);
		buf_adds(out, "cut off at the end: the last piece is not read");
	}
	if (h->dropped) {
		add_part(out, before);
		buf_addf(out, "%" PRId64 " facts beyond the limit are not kept", h->dropped);
	}
	if (out->n == before)
		buf_adds(out, "ok");
}

/* ---- writing ---- */

/* At most MAX bytes without a secret; a NUL would end the text. */
static const char *kept_text(struct evidence_facts *f, struct span s, size_t max)
{
	struct buf clean = BUF_INIT;
	size_t n;
	char *kept;

	if (!s.n)
		return "";
	redact_text(NULL, &clean, s.s, s.n);
	n = text_cut(clean.s, clean.n, max);
	kept = arena_memdup(&f->arena, clean.s, n + 1);
	kept[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (kept[i] == '\0')
			kept[i] = ' ';
	buf_release(&clean);
	return kept;
}

struct evidence_fact *evidence_add(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text)
{
	struct evidence_fact *row = &f->spare;

	if (f->n == EVIDENCE_FACTS_MAX) {
		f->health.dropped++;
		*row = (struct evidence_fact){ .name = name, .key = "", .text = "" };
		return row;
	}
	ARRAY_GROW(f->rows, f->n, f->cap);
	row = &f->rows[f->n++];
	*row = (struct evidence_fact){ .name = name, .line = at.line, .group = at.group,
		.detail = evidence_fact_names[name].detail,
		.key = kept_text(f, key, EVIDENCE_KEY_MAX),
		.text = kept_text(f, text, EVIDENCE_TEXT_MAX) };
	return row;
}

void evidence_fact_integer(struct evidence_fact *row, int64_t value)
{
	row->is_number = row->is_integer = true;
	row->integer = value;
	row->number = (double)value;
}

void evidence_fact_number(struct evidence_fact *row, double value)
{
	row->is_number = isfinite(value);
	row->number = row->is_number ? value : 0;
}

struct evidence_fact *evidence_add_integer(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text)
{
	struct evidence_fact *row;
	int64_t value;

	if (!span_integer(text, &value)) {
		evidence_malformed(f, at.line);
		return NULL;
	}
	row = evidence_add(f, at, name, key, text);
	evidence_fact_integer(row, value);
	return row;
}

struct evidence_fact *evidence_add_number(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text)
{
	struct evidence_fact *row;
	double value;

	if (!span_number(text, &value)) {
		evidence_malformed(f, at.line);
		return NULL;
	}
	row = evidence_add(f, at, name, key, text);
	evidence_fact_number(row, value);
	return row;
}

struct evidence_fact *evidence_add_total(struct evidence_facts *f, int64_t line,
	enum evidence_fact_name name, struct span key, int64_t value)
{
	struct evidence_fact *row =
		evidence_add(f, (struct evidence_place){ line, -1 }, name, key, SPAN_NONE);

	evidence_fact_integer(row, value);
	return row;
}

void evidence_malformed(struct evidence_facts *f, int64_t line)
{
	f->health.malformed++;
	if (!f->health.first_malformed)
		f->health.first_malformed = line;
}
