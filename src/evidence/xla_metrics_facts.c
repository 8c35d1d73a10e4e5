/* xla_metrics_facts - the values of metric reports as facts; see xla_metrics.h. */
#include "config.h"

#include <string.h>

#include "evidence/xla_duration.h"
#include "evidence/xla_metrics_private.h"

/* ---- values: durations, sizes, plain numbers ---- */

struct value {
	enum { VALUE_TIME, VALUE_DATA, VALUE_PLAIN } kind;
	struct xla_duration time;
	double number;		/* bytes, or plain */
};

/* "187.50MB", in powers of 1024. */
static bool read_size(struct span text, double *bytes)
{
	static const struct { const char *suffix; double bytes; } sizes[] = {
		{ "KB", 0x1p10 }, { "MB", 0x1p20 }, { "GB", 0x1p30 }, { "TB", 0x1p40 },
		{ "PB", 0x1p50 }, { "B", 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (span_ends(text, sizes[i].suffix)) {
			text.n -= strlen(sizes[i].suffix);
			if (!span_number(text, bytes))
				return false;
			*bytes *= sizes[i].bytes;
			return true;
		}
	return false;
}

static bool read_value(struct value *out, struct span text)
{
	*out = (struct value){ .kind = VALUE_TIME };
	if (xla_duration_read(&out->time, text))
		return true;
	out->kind = VALUE_DATA;
	if (read_size(text, &out->number))
		return true;
	out->kind = VALUE_PLAIN;
	return span_number(text, &out->number);
}

/* Names of the same fact by kind of value. */
struct kinds {
	enum evidence_fact_name names[3];
};
static const struct kinds sums = { { FACT_XLA_TIME, FACT_XLA_DATA, FACT_XLA_VALUE } };
static const struct kinds rates = { { FACT_XLA_TIME_RATE, FACT_XLA_DATA_RATE,
	FACT_XLA_VALUE_RATE } };
static const struct kinds percentiles = { { FACT_XLA_TIME_PERCENTILE, FACT_XLA_DATA_PERCENTILE,
	FACT_XLA_VALUE_PERCENTILE } };

static void add_value(struct evidence_facts *facts, struct evidence_place at,
	const struct kinds *kinds, struct span key, struct span text, const struct value *v)
{
	struct evidence_fact *row = evidence_add(facts, at, kinds->names[v->kind], key, text);

	if (v->kind != VALUE_TIME) {
		evidence_fact_number(row, v->number);
		return;
	}
	evidence_fact_integer(row, v->time.ns);
	row->certainty = EVIDENCE_DECODED;
	if (v->time.other_ns != v->time.ns) {
		row->certainty = EVIDENCE_AMBIGUOUS;
		row->other = v->time.other_ns;
	}
}

/* ---- percentiles ---- */

enum { PERCENTILES_MAX = 64 };

struct percentile {
	double percent;
	struct span label, text;
	struct value value;
};

struct percentile_list {
	struct percentile list[PERCENTILES_MAX];
	size_t n;
};

/* "1%=622.567us; 5%=...": labels are what XLA_METRICS_PERCENTILES says. */
static bool read_percentiles(struct percentile_list *out, struct span text)
{
	out->n = 0;
	while (text.n && out->n < PERCENTILES_MAX) {
		struct percentile *p = &out->list[out->n];
		struct span part = span_trim(span_until(text, ";", &text)), number;

		p->label = span_until(part, "=", &p->text);
		number = p->label;
		if (!span_ends(number, "%"))
			return false;
		number.n--;
		if (!span_number(number, &p->percent) || !(p->percent >= 0 && p->percent <= 100) ||
			!read_value(&p->value, p->text))
			return false;
		out->n++;
	}
	return out->n > 0;
}

static bool is_time(const struct percentile *p)
{
	return p->value.kind == VALUE_TIME;
}

/* Sorted samples do not fall: of two candidates the one between its neighbours. */
static void resolve_percentiles(struct percentile_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct xla_duration *d = &list->list[i].value.time;
		const struct percentile *before = i ? &list->list[i - 1] : NULL;
		const struct percentile *after = i + 1 < list->n ? &list->list[i + 1] : NULL;

		if (!is_time(&list->list[i]))
			return;
		if (before && d->ns < before->value.time.ns)
			d->ns = d->other_ns;
		if (after && is_time(after) && d->other_ns > after->value.time.other_ns)
			d->other_ns = d->ns;
	}
}

/* Decoded values that fall were not decoded right, or not printed by that printer. */
static bool rises(const struct percentile_list *list)
{
	for (size_t i = 1; i < list->n; i++) {
		const struct value *a = &list->list[i - 1].value, *b = &list->list[i].value;

		if (a->kind == VALUE_TIME && b->kind == VALUE_TIME && b->time.other_ns < a->time.ns)
			return false;
	}
	return true;
}

/* Percentile P of N samples is sample int(P x N) of the sorted ones. */
static void resolve_sum(struct xla_duration *sum, const struct percentile_list *list, int64_t n)
{
	const struct percentile *first = &list->list[0], *last = first;
	double least = 0, most = 9e18;

	if (n < 1 || n > 1024 || !list->n)
		return;
	last += list->n - 1;
	if (!is_time(first) || !is_time(last))
		return;
	if ((int64_t)(first->percent / 100 * (double)n) == 0)
		least = (double)first->value.time.ns * (double)n;
	if ((int64_t)(last->percent / 100 * (double)n) >= n - 1)
		most = (double)last->value.time.other_ns * (double)n;
	if ((double)sum->other_ns > most)
		sum->other_ns = sum->ns;
	else if ((double)sum->ns < least)
		sum->ns = sum->other_ns;
}

/* ---- items ---- */

struct item_place {
	struct metrics *m;
	const struct metrics_item *item;
	size_t at;		/* in its report */
	struct span name;
	int32_t group;
};

static struct evidence_place place_of(const struct item_place *p, enum metrics_field_name field)
{
	return (struct evidence_place){ p->item->fields[field].line, p->group };
}

static void add_sum(const struct item_place *p, const struct percentile_list *list, int64_t samples)
{
	const struct metrics_field *f = &p->item->fields[FIELD_SUM];
	struct value v;

	if (!f->line)
		return;
	if (!read_value(&v, f->text)) {
		evidence_malformed(p->m->facts, f->line);
		return;
	}
	if (v.kind == VALUE_TIME && v.time.ns != v.time.other_ns)
		resolve_sum(&v.time, list, samples);
	add_value(p->m->facts, place_of(p, FIELD_SUM), &sums, p->name, f->text, &v);
}

static void add_rates(const struct item_place *p)
{
	const struct metrics_field *of_value = &p->item->fields[FIELD_VALUE_RATE];
	const struct metrics_field *of_samples = &p->item->fields[FIELD_RATE];
	struct span text, rest;
	struct value v;

	if (of_value->line) {
		text = span_until(of_value->text, " ", &rest);
		if (span_equal(rest, "/ second") && read_value(&v, text))
			add_value(p->m->facts, place_of(p, FIELD_VALUE_RATE), &rates, p->name, text,
				&v);
		else
			evidence_malformed(p->m->facts, of_value->line);
	}
	if (of_samples->line) {
		text = span_until(of_samples->text, " ", &rest);
		evidence_add_number(
			p->m->facts, place_of(p, FIELD_RATE), FACT_XLA_RATE, p->name, text);
	}
}

static void add_percentiles(const struct item_place *p, const struct percentile_list *list)
{
	struct buf key = BUF_INIT;

	for (size_t i = 0; i < list->n; i++) {
		const struct percentile *one = &list->list[i];

		buf_clear(&key);
		buf_add(&key, p->name.s, p->name.n);
		buf_addc(&key, ' ');
		buf_add(&key, one->label.s, one->label.n);
		add_value(p->m->facts, place_of(p, FIELD_PERCENTILES), &percentiles,
			(struct span){ key.s, key.n }, one->text, &one->value);
	}
	buf_release(&key);
}

static void add_metric(const struct item_place *p)
{
	const struct metrics_field *samples = &p->item->fields[FIELD_SAMPLES];
	const struct metrics_field *f = &p->item->fields[FIELD_PERCENTILES];
	struct percentile_list list = { .n = 0 };
	int64_t n = 0;

	if (f->line &&
		(!read_percentiles(&list, f->text) ||
			(resolve_percentiles(&list), !rises(&list)))) {
		evidence_malformed(p->m->facts, f->line);
		list.n = 0;
	}
	if (samples->line && evidence_add_integer(p->m->facts, place_of(p, FIELD_SAMPLES),
				     FACT_XLA_SAMPLES, p->name, samples->text))
		span_integer(samples->text, &n);
	add_sum(p, &list, n);
	add_rates(p);
	add_percentiles(p, &list);
}

static void add_increase(const struct item_place *p, const struct metrics_report *before)
{
	const struct metrics_item *old = metrics_item_find(before, p->item, p->at);
	enum metrics_field_name field = p->item->is_counter ? FIELD_VALUE : FIELD_SAMPLES;
	int64_t now, was = 0;

	if (!metrics_item_total(p->item, &now) || (old && !metrics_item_total(old, &was)))
		return;
	evidence_fact_integer(evidence_add(p->m->facts, place_of(p, field),
				      p->item->is_counter ? FACT_XLA_COUNTER_INCREASE
							  : FACT_XLA_SAMPLES_INCREASE,
				      p->name, SPAN_NONE),
		now - was);
}

static void add_item(const struct item_place *p, const struct metrics_report *before)
{
	if (p->item->is_counter && p->item->fields[FIELD_VALUE].line)
		evidence_add_integer(p->m->facts, place_of(p, FIELD_VALUE), FACT_XLA_COUNTER,
			p->name, p->item->fields[FIELD_VALUE].text);
	else if (!p->item->is_counter)
		add_metric(p);
	if (before)
		add_increase(p, before);
}

static void add_report(struct metrics *m, size_t index)
{
	const struct metrics_report *r = &m->reports[index];
	const struct metrics_report *before = index ? r - 1 : NULL;
	bool is_last = index + 1 == m->reports_n || r->ends_segment;
	struct evidence_place head = { r->line, (int32_t)index };
	size_t first = m->facts->n;

	if (r->has_header)
		evidence_fact_integer(
			evidence_add(m->facts, head, FACT_XLA_CALL, SPAN_NONE, SPAN_NONE), r->call);
	evidence_fact_integer(
		evidence_add(m->facts, head, FACT_XLA_SEGMENT, SPAN_NONE, SPAN_NONE), r->segment);
	if (before && before->segment != r->segment)
		before = NULL;
	for (size_t i = 0; i < r->n; i++) {
		struct item_place p = { m, &r->items[i], i,
			span_of(m->names[r->items[i].name].text), (int32_t)index };

		add_item(&p, before);
	}
	for (size_t i = first; i < m->facts->n; i++)
		m->facts->rows[i].detail = m->facts->rows[i].detail || !is_last;
}

void metrics_add_facts(struct metrics *m)
{
	for (size_t i = 0; i < m->reports_n; i++)
		add_report(m, i);
	evidence_add_total(m->facts, 0, FACT_XLA_REPORTS, SPAN_NONE, m->reports_seen);
	if (m->reports_seen)
		evidence_add_total(m->facts, 0, FACT_XLA_SEGMENTS, SPAN_NONE, m->segments + 1);
}
