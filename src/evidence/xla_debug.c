/* xla_debug - blocks that say why a graph was compiled or executed; see xla_debug.h. */
#include "config.h"

#include "evidence/xla_debug.h"

#include <string.h>

#include "evidence/evidence_tally.h"

enum block_type { BLOCK_UNEXPECTED, BLOCK_POST, BLOCK_COMPILATION, BLOCK_EXECUTION, BLOCK_TYPES };

/* In this order: the first words of one are the last of another. */
static const struct {
	const char *prefix, *word;
	enum evidence_fact_name count;
} types[BLOCK_TYPES] = {
	[BLOCK_UNEXPECTED] = { "Unexpected Execution Analysis: ", "Unexpected Execution",
		FACT_XLA_UNEXPECTED_EXECUTIONS },
	[BLOCK_POST] = { "Post Compilation Analysis: ", "Post Compilation",
		FACT_XLA_POST_COMPILATIONS },
	[BLOCK_COMPILATION] = { "Compilation Analysis: ", "Compilation", FACT_XLA_COMPILATIONS },
	[BLOCK_EXECUTION] = { "Execution Analysis: ", "Execution", FACT_XLA_EXECUTIONS },
};

enum part { PART_OUTSIDE, PART_BEGUN, PART_CAUSE, PART_GRAPH, PART_FRAMES, PART_PLACED };

struct debug {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	struct evidence_tally tally;
	int64_t blocks[BLOCK_TYPES], all, host_reads;
	enum block_type type;
	enum part part;
};

bool xla_debug_recognise(const struct evidence_source *source)
{
	return evidence_source_has(source, "Compilation Analysis: ===") ||
		evidence_source_has(source, "Execution Analysis: ===");
}

/* ---- words ---- */

static bool has(struct span s, const char *word)
{
	struct span rest;

	return span_behind(&rest, s, word);
}

enum xla_cause xla_cause_of(struct span cause)
{
	static const char *const expected[] = { "parallel loader at step end", "profiler StepTrace",
		"torch_xla.compile", "dynamo is compiling", "dynamo is executing",
		"dynamo processing input graphs", "user torch_xla.sync", "user mark_step",
		"user `torch_xla.sync", "user `mark_step" };

	if (has(cause, "most likely user code trying to access tensor value"))
		return XLA_CAUSE_HOST_READ;
	for (size_t i = 0; i < ARRAY_LEN(expected); i++)
		if (has(cause, expected[i]))
			return XLA_CAUSE_EXPECTED;
	return XLA_CAUSE_UNKNOWN;
}

bool xla_frame_own(struct span *out, struct span line)
{
	static const char *const foreign[] = { "/site-packages/", "/dist-packages/", "/lib/python3",
		"(<frozen ", "(<string>" };

	*out = span_trim(line);
	if (!span_ends(*out, ")") || !has(*out, " ("))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
		if (has(*out, foreign[i]))
			return false;
	return true;
}

static const char *cause_word(enum xla_cause cause)
{
	switch (cause) {
	case XLA_CAUSE_EXPECTED:
		return "expected";
	case XLA_CAUSE_HOST_READ:
		return "unexpected";
	case XLA_CAUSE_UNKNOWN:
		break;
	}
	return "unknown";
}

/* ---- the fields of a block ---- */

static struct evidence_place here(const struct debug *d)
{
	return (struct evidence_place){ d->lines.number, (int32_t)(d->all - 1) };
}

static struct span type_word(const struct debug *d)
{
	return span_of(types[d->type].word);
}

static bool is_kept(const struct debug *d)
{
	return d->all <= XLA_BLOCKS_KEPT;
}

/* "Compilation: user torch_xla.sync" */
static void count_with_type(struct debug *d, enum evidence_fact_name name, struct span what,
	const char *text)
{
	struct buf key = BUF_INIT;

	buf_addf(&key, "%s: ", types[d->type].word);
	buf_add(&key, what.s, what.n);
	evidence_tally_count(
		&d->tally, name, (struct span){ key.s, key.n }, span_of(text), d->lines.number);
	buf_release(&key);
}

static void take_cause(struct debug *d, struct span cause)
{
	enum xla_cause kind = xla_cause_of(cause);

	d->part = PART_GRAPH;
	d->host_reads += kind == XLA_CAUSE_HOST_READ;
	count_with_type(d, FACT_XLA_CAUSE, cause, cause_word(kind));
	if (is_kept(d))
		evidence_add(d->facts, here(d), FACT_XLA_BLOCK_CAUSE, type_word(d), cause);
}

static void take_frame(struct debug *d, struct span line)
{
	struct span frame;

	if (!xla_frame_own(&frame, line))
		return;
	d->part = PART_PLACED;
	count_with_type(d, FACT_XLA_PLACE, frame, "");
	if (is_kept(d))
		evidence_add(d->facts, here(d), FACT_XLA_BLOCK_PLACE, type_word(d), frame);
}

static void take_hash(struct debug *d, struct span hash)
{
	if (d->type == BLOCK_COMPILATION)
		evidence_tally_count(
			&d->tally, FACT_XLA_GRAPH, hash, SPAN_NONE, d->lines.number);
	if (is_kept(d))
		evidence_add(d->facts, here(d), FACT_XLA_BLOCK_GRAPH, type_word(d), hash);
}

/* "1.401113 GB"; "Unknown  GB" has no number. */
static void take_size(struct debug *d, const char *key, struct span value)
{
	struct span rest, number = span_until(value, " ", &rest);
	double gb;
	struct evidence_fact *row;

	if (!span_equal(span_trim(rest), "GB") ||
		(!span_number(number, &gb) && !span_equal(number, "Unknown"))) {
		evidence_malformed(d->facts, d->lines.number);
		return;
	}
	if (!is_kept(d))
		return;
	row = evidence_add(d->facts, here(d), FACT_XLA_SIZE, span_of(key), value);
	if (span_number(number, &gb))
		evidence_fact_number(row, gb);
}

static bool take_program(struct debug *d, struct span line)
{
	static const struct { const char *start, *key; } sizes[] = {
		{ "Graph input size: ", "input" },
		{ "Graph output size: ", "output" },
		{ "Aliased Input size: ", "aliased input" },
		{ "Intermediate tensor size: ", "intermediate" },
		{ "Compiled program size: ", "program" },
	};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (span_take(&line, sizes[i].start)) {
			take_size(d, sizes[i].key, span_trim(line));
			return true;
		}
	return false;
}

static bool take_graph(struct debug *d, struct span line)
{
	if (span_take(&line, "  Graph Hash: "))
		take_hash(d, span_trim(line));
	else if (span_take(&line, "  Number of Graph Inputs: "))
		evidence_add_integer(
			d->facts, here(d), FACT_XLA_BLOCK_INPUTS, type_word(d), span_trim(line));
	else if (span_take(&line, "  Number of Graph Outputs: "))
		evidence_add_integer(
			d->facts, here(d), FACT_XLA_BLOCK_OUTPUTS, type_word(d), span_trim(line));
	else if (span_take(&line, "  Graph Name: "))
		evidence_add(d->facts, here(d), FACT_XLA_BLOCK_NAME, type_word(d), span_trim(line));
	else
		return span_starts(line, "Graph Info:");
	return true;
}

/* ---- blocks ---- */

static void begin_block(struct debug *d, enum block_type type)
{
	d->type = type;
	d->part = PART_BEGUN;
	d->blocks[type]++;
	d->all++;
}

static void take_inside(struct debug *d, struct span line)
{
	if (span_starts(line, "===="))
		d->part = PART_OUTSIDE;
	else if (span_ends(line, " Cause") && line.s[0] != ' ')
		d->part = PART_CAUSE;
	else if (span_starts(line, "Python Frame Triggered Execution:"))
		d->part = PART_FRAMES;
	else if (d->part == PART_CAUSE && span_starts(line, "  "))
		take_cause(d, span_trim(line));
	else if (d->part == PART_FRAMES && span_starts(line, "  "))
		take_frame(d, line);
	else if (d->type == BLOCK_POST)
		take_program(d, line);
	else if (d->part == PART_GRAPH)
		take_graph(d, line);
}

static void take_line(struct debug *d, struct span line)
{
	struct span rest;

	if (span_starts(line, "Computation hash: ")) {
		if (is_kept(d))
			evidence_add(d->facts, (struct evidence_place){ d->lines.number, -1 },
				FACT_XLA_COMPUTATION, SPAN_NONE, span_trim(span_from(line, 18)));
		d->facts->health.read++;
		return;
	}
	for (int type = 0; type < BLOCK_TYPES; type++) {
		if (!span_behind(&rest, line, types[type].prefix))
			continue;
		d->facts->health.read++;
		if (d->part == PART_OUTSIDE || (int)d->type != type) {
			if (span_starts(rest, "===="))
				begin_block(d, (enum block_type)type);
			return;
		}
		take_inside(d, rest);
		return;
	}
}

void xla_debug_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct debug d = { .facts = facts, .tally = EVIDENCE_TALLY_INIT };
	struct span line;

	evidence_lines_begin(&d.lines, source->bytes, source->n);
	while (evidence_lines_next(&d.lines, &line))
		take_line(&d, line);
	facts->health.lines = d.lines.number;
	facts->health.truncated = d.lines.unended || d.part != PART_OUTSIDE;
	evidence_tally_write(&d.tally, facts);
	for (int i = 0; i < BLOCK_TYPES; i++)
		evidence_add_total(facts, 0, types[i].count, SPAN_NONE, d.blocks[i]);
	evidence_add_total(facts, 0, FACT_XLA_HOST_READS, SPAN_NONE, d.host_reads);
	evidence_add_total(facts, 0, FACT_XLA_GRAPHS, SPAN_NONE,
		evidence_tally_keys(&d.tally, FACT_XLA_GRAPH));
	evidence_tally_release(&d.tally);
	evidence_lines_end(&d.lines);
}
