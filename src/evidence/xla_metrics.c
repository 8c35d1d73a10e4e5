/* xla_metrics - metric and counter blocks, line by line; see xla_metrics.h. */
#include "config.h"

#include "evidence/xla_metrics.h"

#include <stdlib.h>
#include <string.h>

#include "evidence/xla_metrics_private.h"

bool xla_metrics_recognise(const struct evidence_source *source)
{
	return evidence_source_has_line(source, "[MetricsData; step=") ||
		(evidence_source_has_line(source, "Metric: ") &&
			evidence_source_has(source, "  TotalSamples: ")) ||
		(evidence_source_has_line(source, "Counter: ") &&
			evidence_source_has(source, "  Value: "));
}

/* ---- names: the same ones come again in each report ---- */

/* The number of NAME; AT is where it stood in the report before. */
static int32_t name_number(struct metrics *m, struct span name, size_t at)
{
	if (at < m->names_n && span_equal(name, m->names[at].text))
		return (int32_t)at;
	for (size_t i = 0; i < m->names_n; i++)
		if (span_equal(name, m->names[i].text))
			return (int32_t)i;
	if (m->names_n == XLA_NAMES_MAX)
		return -1;
	ARRAY_GROW(m->names, m->names_n, m->names_cap);
	m->names[m->names_n] = (struct metrics_name){ xstrndup(name.s, name.n), { -1, -1 } };
	return (int32_t)m->names_n++;
}

/* ---- reports ---- */

static bool is_same(const struct metrics_item *a, const struct metrics_item *b)
{
	return a->name == b->name && a->is_counter == b->is_counter;
}

const struct metrics_item *metrics_item_find(
	const struct metrics_report *r, const struct metrics_item *item, size_t at)
{
	/* Reports of one run have the same items, but for new ones. */
	if (at < r->n && is_same(&r->items[at], item))
		return &r->items[at];
	for (size_t i = 0; i < r->n; i++)
		if (is_same(&r->items[i], item))
			return &r->items[i];
	return NULL;
}

static void report_free(struct metrics_report *r)
{
	free(r->items);
	arena_release(&r->texts);
	*r = (struct metrics_report){ .texts = ARENA_INIT };
}

bool metrics_item_total(const struct metrics_item *item, int64_t *out)
{
	const struct metrics_field *f;

	if (!item)
		return false;
	f = &item->fields[item->is_counter ? FIELD_VALUE : FIELD_SAMPLES];
	return f->line && span_integer(f->text, out);
}

/* A total that is in both and became less.  What is absent was zero, or was cut off. */
static bool falls(const struct metrics_report *before, const struct metrics_report *now)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct metrics_item *item = &now->items[i];
		int64_t old_value, new_value;

		if (metrics_item_total(item, &new_value) &&
			metrics_item_total(
				metrics_item_find(before, item, i), &old_value) &&
			new_value < old_value)
			return true;
	}
	return false;
}

/* Takes every second one out, but the first, the last and the ends of segments. */
static void thin(struct metrics *m)
{
	size_t kept = 0;

	m->stride *= 2;
	for (size_t i = 0; i < m->reports_n; i++) {
		struct metrics_report *r = &m->reports[i];

		if (i == 0 || i + 1 == m->reports_n || r->ends_segment ||
			r->number % m->stride == 0)
			m->reports[kept++] = *r;
		else
			report_free(r);
	}
	m->reports_n = kept;
}

/* More segments than are kept: the oldest but the first go. */
static void drop_oldest(struct metrics *m)
{
	report_free(&m->reports[1]);
	memmove(&m->reports[1], &m->reports[2], (m->reports_n - 2) * sizeof *m->reports);
	m->reports_n--;
	m->facts->health.dropped++;
}

static void keep_report(struct metrics *m, struct metrics_report *now)
{
	struct metrics_report *before = m->reports_n ? &m->reports[m->reports_n - 1] : NULL;

	if (before && falls(before, now)) {
		before->ends_segment = true;
		m->segments++;
	}
	now->segment = m->segments;
	now->number = m->reports_seen++;
	if (before && m->reports_n > 1 && !before->ends_segment && before->number % m->stride)
		report_free(&m->reports[--m->reports_n]);
	if (m->reports_n == XLA_REPORTS_KEPT)
		thin(m);
	if (m->reports_n == XLA_REPORTS_KEPT)
		drop_oldest(m);
	m->reports[m->reports_n++] = *now;
	*now = (struct metrics_report){ .texts = ARENA_INIT };
}

static void end_report(struct metrics *m)
{
	m->item = NULL;
	if (m->in_report)
		keep_report(m, &m->now);
	m->in_report = false;
}

/* What a file ends in the middle of is left out. */
static void drop_report(struct metrics *m)
{
	m->facts->health.truncated = true;
	for (size_t i = 0; i < m->names_n; i++)
		m->names[i].report[0] = m->names[i].report[1] = -1;
	report_free(&m->now);
	m->in_report = false;
}

/* ---- lines ---- */

static void begin_item(struct metrics *m, struct span name, bool is_counter)
{
	struct metrics_report *r = &m->now;
	int32_t number = name_number(m, name, r->n);

	m->item = NULL;
	if (number < 0) {
		m->facts->health.dropped++;
		return;
	}
	/* The name again, or a metric behind the counters: the next report. */
	if (!m->in_report || m->names[number].report[is_counter] == m->reports_seen ||
		(!is_counter && r->n && r->items[r->n - 1].is_counter)) {
		end_report(m);
		m->in_report = true;
	}
	m->names[number].report[is_counter] = m->reports_seen;
	ARRAY_GROW(r->items, r->n, r->cap);
	m->item = &r->items[r->n++];
	*m->item = (struct metrics_item){ .name = number, .is_counter = is_counter };
}

static void begin_call(struct metrics *m, struct span line)
{
	struct span rest = line, call;

	/* A report without its empty line was not written to its end. */
	if (m->in_report && m->now.has_header)
		drop_report(m);
	end_report(m);
	span_take(&rest, "[MetricsData; step=");
	call = span_until(rest, "]", &rest);
	if (!span_integer(call, &m->now.call)) {
		evidence_malformed(m->facts, m->lines.number);
		return;
	}
	m->in_report = m->now.has_header = true;
	m->now.line = m->lines.number;
}

static const struct {
	const char *start;
	bool of_counter;
	enum metrics_field_name field;
} field_lines[] = {
	{ "  TotalSamples: ", false, FIELD_SAMPLES },
	{ "  Accumulator: ", false, FIELD_SUM },
	{ "  Counter: ", false, FIELD_SUM },
	{ "  ValueRate: ", false, FIELD_VALUE_RATE },
	{ "  Rate: ", false, FIELD_RATE },
	{ "  Percentiles: ", false, FIELD_PERCENTILES },
	{ "  Value: ", true, FIELD_VALUE },
};

static bool take_field(struct metrics *m, struct span line)
{
	struct arena *a = &m->now.texts;

	for (size_t i = 0; i < ARRAY_LEN(field_lines); i++) {
		struct metrics_field *f;
		struct span text = line;

		if (!m->item || m->item->is_counter != field_lines[i].of_counter ||
			!span_take(&text, field_lines[i].start))
			continue;
		f = &m->item->fields[field_lines[i].field];
		text = span_trim(text);
		*f = (struct metrics_field){ { arena_memdup(a, text.s, text.n), text.n },
			m->lines.number };
		return true;
	}
	return false;
}

static void take_line(struct metrics *m, struct span line)
{
	struct span name = line;
	bool read = true;

	if (span_starts(line, "[MetricsData; step="))
		begin_call(m, line);
	else if (span_take(&name, "Metric: "))
		begin_item(m, name, false);
	else if (span_take(&name, "Counter: "))
		begin_item(m, name, true);
	else if (!line.n && m->in_report && m->now.has_header)
		end_report(m);
	else
		read = take_field(m, line);
	m->facts->health.read += read;
}

/* ".3" at the end of a name: with more than one process each writes its own file. */
static void take_ordinal(struct evidence_facts *facts, const char *name)
{
	const char *dot = name ? strrchr(name, '.') : NULL;
	int64_t ordinal;

	if (dot && span_integer(span_of(dot + 1), &ordinal))
		evidence_fact_integer(evidence_add(facts, (struct evidence_place){ 0, -1 },
					      FACT_XLA_ORDINAL, SPAN_NONE, span_of(dot + 1)),
			ordinal);
}

void xla_metrics_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct metrics m = { .facts = facts, .stride = 1, .now = { .texts = ARENA_INIT } };
	struct span line;

	evidence_lines_begin(&m.lines, source->bytes, source->n);
	while (evidence_lines_next(&m.lines, &line))
		take_line(&m, line);
	facts->health.lines = m.lines.number;
	facts->health.truncated = m.lines.unended;
	if (m.in_report && m.now.has_header)
		drop_report(&m);
	end_report(&m);
	take_ordinal(facts, source->name);
	metrics_add_facts(&m);
	evidence_lines_end(&m.lines);
	for (size_t i = 0; i < m.reports_n; i++)
		report_free(&m.reports[i]);
	for (size_t i = 0; i < m.names_n; i++)
		free(m.names[i].text);
	free(m.names);
	report_free(&m.now);
}
