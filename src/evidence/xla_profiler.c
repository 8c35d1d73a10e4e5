/* xla_profiler - lines of torch_xla's profiler, and its summary at exit; see xla_debug.h. */
#include "config.h"

#include <string.h>

#include "evidence/evidence_tally.h"
#include "evidence/xla_debug.h"
#include "evidence/xla_duration.h"

static const char mark[] = "pt-xla-profiler: ";

struct profiler {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	struct evidence_tally tally;
	int64_t frames;		/* of the summary */
	bool has_summary, in_frame;
	int64_t count;		/* of the frame at hand; -1: not known */
	struct buf op;		/* whose place is wanted; empty: none */
};

bool xla_profiler_recognise(const struct evidence_source *source)
{
	return evidence_source_has(source, mark) ||
		evidence_source_has_line(source, "Unlowered Op usage summary");
}

/* ---- performance lines ---- */

/* "CompileTime too frequent: 38 counts during 40 steps" */
static bool take_frequent(struct profiler *p, struct span line)
{
	struct span rest, name = line, number;
	int64_t counts, steps;

	if (!span_behind(&rest, line, " too frequent: "))
		return false;
	name.n -= rest.n + strlen(" too frequent: ");
	number = span_until(rest, " ", &rest);
	if (!span_integer(number, &counts) || !span_take(&rest, "counts during ") ||
		!span_integer(span_until(rest, " ", &rest), &steps) || counts < 0 || steps < 0) {
		evidence_malformed(p->facts, p->lines.number);
		return true;
	}
	evidence_tally_latest(
		&p->tally, FACT_PROFILER_COUNTS, name, SPAN_NONE, p->lines.number, counts);
	evidence_tally_latest(
		&p->tally, FACT_PROFILER_STEPS, name, SPAN_NONE, p->lines.number, steps);
	return true;
}

/* "CompileTime too slow: longest instance took 07m53s600ms000.000us. Please ..." */
static bool take_slow(struct profiler *p, struct span line)
{
	static const char words[] = " too slow: longest instance took ";
	struct xla_duration d;
	struct span rest, name = line, text;
	struct evidence_fact *row;

	if (!span_behind(&rest, line, words))
		return false;
	name.n -= rest.n + strlen(words);
	text = span_until(rest, " ", &rest);
	if (span_ends(text, "."))
		text.n--;
	if (!xla_duration_read(&d, text)) {
		evidence_malformed(p->facts, p->lines.number);
		return true;
	}
	if (d.ns == d.other_ns) {
		evidence_tally_latest(
			&p->tally, FACT_PROFILER_LONGEST, name, text, p->lines.number, d.ns);
		return true;
	}
	row = evidence_add(p->facts, (struct evidence_place){ p->lines.number, -1 },
		FACT_PROFILER_LONGEST, name, text);
	evidence_fact_integer(row, d.ns);
	row->certainty = EVIDENCE_AMBIGUOUS;
	row->other = d.other_ns;
	return true;
}

/* "Op(s) not lowered: aten::a, aten::b,  Please ..." */
static bool take_not_lowered(struct profiler *p, struct span line)
{
	if (!span_take(&line, "Op(s) not lowered: "))
		return false;
	while (line.n && !span_starts(span_trim(line), "Please ")) {
		struct span op = span_trim(span_until(line, ",", &line));

		if (op.n)
			evidence_tally_once(
				&p->tally, FACT_PROFILER_NOT_LOWERED, op, op, p->lines.number);
	}
	return true;
}

/* ---- the summary at exit ---- */

static bool begin_frame(struct profiler *p, struct span line)
{
	struct span rest;

	if (!span_take(&line, "FRAME (count="))
		return false;
	buf_clear(&p->op);
	p->count = -1;
	p->in_frame = true;
	p->frames++;
	if (!span_integer(span_until(line, ")", &rest), &p->count))
		evidence_malformed(p->facts, p->lines.number);
	return true;
}

static bool take_op(struct profiler *p, struct span line)
{
	struct evidence_fact *row;
	struct span op, rest;

	if (!p->in_frame || !span_take(&line, "Unlowered Op: \""))
		return false;
	op = span_until(line, "\"", &rest);
	row = evidence_add(p->facts,
		(struct evidence_place){ p->lines.number, (int32_t)(p->frames - 1) },
		FACT_PROFILER_UNLOWERED, op, op);
	if (p->count >= 0)
		evidence_fact_integer(row, p->count);
	buf_clear(&p->op);
	buf_add(&p->op, op.s, op.n);
	return true;
}

static bool take_place(struct profiler *p, struct span line)
{
	struct span frame;

	if (!p->op.n || !span_starts(line, "  ") || !xla_frame_own(&frame, line))
		return false;
	evidence_add(p->facts, (struct evidence_place){ p->lines.number, (int32_t)(p->frames - 1) },
		FACT_PROFILER_PLACE, (struct span){ p->op.s, p->op.n }, frame);
	buf_clear(&p->op);
	return true;
}

static void take_line(struct profiler *p, struct span line)
{
	struct span rest;

	/* A file of PT_XLA_DEBUG_FILE has the summary without the mark. */
	if (span_behind(&rest, line, mark))
		line = rest;
	else if (!p->has_summary && !span_starts(line, "Unlowered Op usage summary"))
		return;
	p->facts->health.read++;
	if (span_starts(line, "Unlowered Op usage summary"))
		p->has_summary = true;
	else if (!take_frequent(p, line) && !take_slow(p, line) && !take_not_lowered(p, line) &&
		!begin_frame(p, line) && !take_op(p, line))
		take_place(p, line);
}

void xla_profiler_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct profiler p = { .facts = facts, .tally = EVIDENCE_TALLY_INIT, .op = BUF_INIT };
	struct span line;

	evidence_lines_begin(&p.lines, source->bytes, source->n);
	while (evidence_lines_next(&p.lines, &line))
		take_line(&p, line);
	facts->health.lines = p.lines.number;
	facts->health.truncated = p.lines.unended;
	evidence_tally_write(&p.tally, facts);
	for (size_t i = 0; i < facts->n; i++)
		if (facts->rows[i].name == FACT_PROFILER_LONGEST &&
			facts->rows[i].certainty == EVIDENCE_EXACT)
			facts->rows[i].certainty = EVIDENCE_DECODED;
	if (p.has_summary)
		evidence_add_total(facts, 0, FACT_PROFILER_FRAMES, SPAN_NONE, p.frames);
	evidence_tally_release(&p.tally);
	evidence_lines_end(&p.lines);
	buf_release(&p.op);
}
