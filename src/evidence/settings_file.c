/* settings_file - names and values that configured a run; see settings_file.h. */
#include "config.h"

#include "evidence/settings_file.h"

#include <ctype.h>
#include <string.h>

#include "base/redact.h"
#include "curve/json_scan.h"
#include "curve/yaml_flat.h"

/* ---- one setting ---- */

/* "NAME=VALUE" as one text tells a secret by its name too. */
static void add_setting(struct evidence_facts *facts, struct evidence_place at, struct span name,
	struct span value)
{
	struct buf both = BUF_INIT, clean = BUF_INIT;
	struct evidence_fact *row;
	struct span kept = value;
	int64_t integer;
	double number;

	buf_add(&both, name.s, name.n);
	buf_addc(&both, '=');
	buf_add(&both, value.s, value.n);
	if (redact_text(NULL, &clean, both.s, both.n) && clean.n > name.n &&
		memcmp(clean.s, both.s, name.n + 1) == 0)
		kept = (struct span){ clean.s + name.n + 1, clean.n - name.n - 1 };
	row = evidence_add(facts, at, FACT_SETTING, name, kept);
	if (span_integer(kept, &integer))
		evidence_fact_integer(row, integer);
	else if (span_number(kept, &number))
		evidence_fact_number(row, number);
	facts->health.read++;
	buf_release(&both);
	buf_release(&clean);
}

static int64_t lines_of(const char *p, const char *end)
{
	int64_t n = 0;

	for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		n++;
	return n;
}

/* ---- JSON ---- */

static struct span document(const struct evidence_source *source)
{
	struct span s = { source->bytes, source->n };

	while (s.n && isspace((unsigned char)s.s[0]))
		s = span_from(s, 1);
	return s;
}

bool settings_json_recognise(const struct evidence_source *source)
{
	static const char *const words[] = { "\"model_type\"", "\"architectures\"",
		"\"transformers_version\"", "\"per_device_train_batch_size\"",
		"\"num_train_epochs\"", "\"gradient_accumulation_steps\"" };
	struct span s = document(source);

	if (!span_starts(s, "{") || s.n > SETTINGS_FILE_MAX)
		return false;
	/* Events of a run, one object a line, are no settings. */
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (evidence_source_has(source, words[i])) {
			struct json_row row = JSON_ROW_INIT;
			size_t used = 0;
			bool whole = json_scan_object(&row, s.s, s.n, &used) == JSON_SCAN_OK;

			json_row_release(&row);
			return whole && span_trim(span_from(s, used)).n <= 2;
		}
	return false;
}

/* Behind the next "NAME" that is a key; NULL: it is written otherwise. */
static const char *find_key(const char *p, const char *end, struct span name)
{
	for (; p < end; p++) {
		const char *after;

		p = memmem(p, (size_t)(end - p), name.s, name.n);
		if (!p)
			return NULL;
		after = p + name.n;
		if (p[-1] != '"' || after >= end || *after != '"')
			continue;
		for (after++; after < end && isspace((unsigned char)*after); after++)
			;
		if (after < end && *after == ':')
			return after;
	}
	return NULL;
}

static struct span last_part(struct span name)
{
	struct span rest;

	while (span_behind(&rest, name, ".") && rest.n)
		name = rest;
	return name;
}

static struct span field_text(const struct json_field *f)
{
	switch (f->kind) {
	case JSON_FIELD_BOOL:
		return span_of(f->number.value != 0 ? "true" : "false");
	case JSON_FIELD_NULL:
		return SPAN("null");
	case JSON_FIELD_NUMBER:
	case JSON_FIELD_TEXT:
	case JSON_FIELD_ARRAY:
		break;
	}
	return (struct span){ f->text, f->text_n };
}

void settings_json_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct span s = document(source);
	struct json_row row = JSON_ROW_INIT;
	const char *at = s.s, *end = s.s + s.n, *counted = source->bytes;
	size_t used;
	int64_t line = 1, left_out = 0;

	facts->health.lines = lines_of(source->bytes, source->bytes + source->n);
	if (s.n > SETTINGS_FILE_MAX || !span_starts(s, "{") ||
		json_scan_object(&row, s.s, s.n, &used) != JSON_SCAN_OK) {
		facts->health.truncated = s.n > 0;
		row.n = 0;
	}
	for (size_t i = 0; i < row.n; i++) {
		const struct json_field *f = &row.fields[i];
		struct span name = { f->name, f->name_n }, text = field_text(f);
		const char *key;

		/* A history is a curve, and a long list no setting. */
		if (f->kind == JSON_FIELD_ARRAY && text.n > EVIDENCE_TEXT_MAX) {
			left_out++;
			continue;
		}
		key = find_key(at, end, last_part(name));
		if (key) {
			line += lines_of(counted, key);
			at = counted = key;
		}
		add_setting(facts, (struct evidence_place){ key ? line : 0, -1 }, name, text);
	}
	evidence_add_total(facts, 0, FACT_SETTINGS_LEFT_OUT, SPAN_NONE, left_out);
	json_row_release(&row);
}

/* ---- YAML ---- */

struct yaml_count {
	struct evidence_facts *facts;	/* NULL: only counting */
	int64_t settings;
};

static void take_yaml(void *user, const char *name, size_t name_n, const char *value,
	size_t value_n, int64_t line, int item)
{
	struct yaml_count *c = user;

	c->settings++;
	if (c->facts)
		add_setting(c->facts, (struct evidence_place){ line, item },
			(struct span){ name, name_n }, (struct span){ value, value_n });
}

/* The complete lines: the last one without an end may be half of one. */
static size_t complete_bytes(const struct evidence_source *source)
{
	const char *last = source->n ? memrchr(source->bytes, '\n', source->n) : NULL;

	return last ? (size_t)(last - source->bytes) + 1 : 0;
}

bool settings_yaml_recognise(const struct evidence_source *source)
{
	struct yaml_count c = { NULL, 0 };
	size_t left;

	if (!evidence_source_named(source, "", ".yaml") &&
		!evidence_source_named(source, "", ".yml"))
		return false;
	left = yaml_flat_each(take_yaml, &c, "", source->bytes, complete_bytes(source));
	return c.settings > 0 && (int64_t)left * 2 <= c.settings;
}

void settings_yaml_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct yaml_count c = { facts, 0 };
	size_t n = complete_bytes(source), left;

	left = yaml_flat_each(take_yaml, &c, "", source->bytes, n);
	facts->health.lines = lines_of(source->bytes, source->bytes + source->n);
	facts->health.truncated = n < source->n || n > YAML_FLAT_BYTES_MAX;
	evidence_add_total(facts, 0, FACT_SETTINGS_LEFT_OUT, SPAN_NONE, (int64_t)left);
}

/* ---- printed arguments: TrainingArguments( / name=value, / ) ---- */

static const char printed_begin[] = "TrainingArguments(";

bool settings_printed_recognise(const struct evidence_source *source)
{
	return evidence_source_has(source, "TrainingArguments(\n") ||
		evidence_source_has(source, "TrainingArguments(\r\n");
}

static bool take_printed(struct evidence_facts *facts, int64_t line, struct span s)
{
	struct span value, name = span_until(s, "=", &value);

	if (!name.n || !value.n)
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!isalnum((unsigned char)name.s[i]) && name.s[i] != '_')
			return false;
	if (span_ends(value, ","))
		value.n--;
	add_setting(facts, (struct evidence_place){ line, -1 }, name, value);
	return true;
}

void settings_printed_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct evidence_lines lines;
	struct span line;
	bool inside = false;
	int64_t left_out = 0;

	evidence_lines_begin(&lines, source->bytes, source->n);
	while (evidence_lines_next(&lines, &line)) {
		if (span_ends(line, printed_begin))
			inside = true;
		else if (inside && span_equal(span_trim(line), ")"))
			inside = false;
		else if (inside && line.n && !take_printed(facts, lines.number, line))
			left_out++;
	}
	facts->health.lines = lines.number;
	facts->health.truncated = lines.unended || inside;
	evidence_add_total(facts, 0, FACT_SETTINGS_LEFT_OUT, SPAN_NONE, left_out);
	evidence_lines_end(&lines);
}
