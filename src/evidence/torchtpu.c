/* torchtpu - lines of TorchTPU in a log; see torchtpu.h. */
#include "config.h"

#include "evidence/torchtpu.h"

#include <string.h>

#include "evidence/evidence_tally.h"

static const char not_implemented[] = "' is not implemented for TPU. ";
static const char busy[] = "[TorchTPU] Failed to acquire a TPU device node '";
static const char unset[] = "missing required environment variables for distributed training: ";
static const char refused[] =
	"no more compilation should happen; yet compilation is needed for key: ";
static const char program_memory[] = "CompilationCache HBM usage: ";

struct torchtpu {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	struct evidence_tally tally;
	int32_t dump;			/* -1: none was begun */
	int64_t requests;		/* of the dump; -1: not known */
	struct buf entry;		/* "entry 3"; empty: none is open */
	bool after_busy;
};

bool torchtpu_recognise(const struct evidence_source *source)
{
	static const char *const words[] = { not_implemented, busy, unset, refused,
		program_memory };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (evidence_source_has(source, words[i]))
			return true;
	return evidence_source_has_line(source, "Total Requests: ") &&
		evidence_source_has_line(source, "Total Hits: ");
}

static struct evidence_place here(const struct torchtpu *t)
{
	return (struct evidence_place){ t->lines.number, t->dump };
}

/* ---- the compilation cache ---- */

static void take_hits(struct torchtpu *t, struct span text)
{
	struct evidence_fact *row = evidence_add_integer(
		t->facts, here(t), FACT_TORCHTPU_HITS, SPAN_NONE, text);
	int64_t hits;

	if (!row || t->requests < 0)
		return;
	hits = row->integer;
	if (hits < 0 || hits > t->requests) {
		evidence_malformed(t->facts, t->lines.number);
		return;
	}
	evidence_fact_integer(
		evidence_add(t->facts, here(t), FACT_TORCHTPU_MISSES, SPAN_NONE, SPAN_NONE),
		t->requests - hits);
}

static bool take_summary(struct torchtpu *t, struct span line)
{
	struct span rest = line;

	if (span_take(&rest, "Total Requests: ")) {
		t->dump++;
		t->requests = -1;
		buf_clear(&t->entry);
		rest = span_trim(rest);
		if (evidence_add_integer(
			    t->facts, here(t), FACT_TORCHTPU_REQUESTS, SPAN_NONE, rest))
			span_integer(rest, &t->requests);
	} else if (t->dump >= 0 && span_take(&rest, "Total Hits: ")) {
		take_hits(t, span_trim(rest));
	} else if (t->dump >= 0 && span_take(&rest, "Hit Rate: ") && span_ends(rest, "%")) {
		rest.n--;
		evidence_add_number(
			t->facts, here(t), FACT_TORCHTPU_HIT_RATE, SPAN_NONE, span_trim(rest));
	} else {
		return false;
	}
	return true;
}

static bool take_entry(struct torchtpu *t, struct span line)
{
	struct span rest = line, key = { t->entry.s, t->entry.n };
	int64_t us;

	if (t->dump >= 0 && span_take(&rest, "Entry ") && span_ends(rest, ":")) {
		buf_clear(&t->entry);
		buf_addf(&t->entry, "entry %.*s", (int)rest.n - 1, rest.s);
	} else if (!t->entry.n) {
		return false;
	} else if (span_take(&rest, "  Read Count: ")) {
		evidence_add_integer(t->facts, here(t), FACT_TORCHTPU_READS, key, span_trim(rest));
	} else if (span_take(&rest, "  Last Read: ")) {
		evidence_add_integer(
			t->facts, here(t), FACT_TORCHTPU_LAST_READ, key, span_trim(rest));
	} else if (span_take(&rest, "  Compilation Duration (us): ")) {
		rest = span_trim(rest);
		if (span_integer(rest, &us) && us >= 0 && us < INT64_MAX / 1000)
			evidence_fact_integer(evidence_add(t->facts, here(t),
						      FACT_TORCHTPU_COMPILE_TIME, key, rest),
				us * 1000);
		else
			evidence_malformed(t->facts, t->lines.number);
	} else {
		return false;
	}
	return true;
}

/* "CompilationCache HBM usage: 12.3MiB for 7 executables." */
static bool take_programs(struct torchtpu *t, struct span line)
{
	static const struct { const char *unit; double bytes; } units[] = {
		{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "B", 1 },
	};
	struct evidence_place at = { t->lines.number, -1 };
	struct span rest, size, count, number;
	double value;

	if (!span_behind(&rest, line, program_memory))
		return false;
	size = span_until(rest, " ", &rest);
	number = size;
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (span_ends(size, units[i].unit)) {
			number.n -= strlen(units[i].unit);
			if (span_number(number, &value))
				evidence_fact_number(
					evidence_add(t->facts, at, FACT_TORCHTPU_PROGRAM_BYTES,
						SPAN_NONE, size),
					value * units[i].bytes);
			break;
		}
	if (span_take(&rest, "for ")) {
		count = span_until(rest, " ", &rest);
		evidence_add_integer(t->facts, at, FACT_TORCHTPU_PROGRAMS, SPAN_NONE, count);
	}
	return true;
}

/* ---- operators ---- */

static bool take_operator(struct torchtpu *t, struct span line)
{
	struct span rest, op, behind = { NULL, 0 };

	if (!span_behind(&rest, line, "operator '") || !span_behind(&behind, rest, not_implemented))
		return false;
	op = (struct span){ rest.s, rest.n - behind.n - strlen(not_implemented) };
	if (span_starts(behind, "Falling back to CPU"))
		evidence_tally_count(
			&t->tally, FACT_TORCHTPU_FALLBACK, op, SPAN_NONE, t->lines.number);
	else if (span_starts(behind, "Please file"))
		evidence_tally_count(
			&t->tally, FACT_TORCHTPU_MISSING, op, SPAN_NONE, t->lines.number);
	else
		return false;
	return true;
}

/* ---- what stops a start ---- */

static bool take_busy(struct torchtpu *t, struct span line)
{
	struct evidence_place at = { t->lines.number, -1 };
	struct evidence_fact *row;
	struct span rest, number;
	int64_t pid;

	if (span_behind(&rest, line, busy)) {
		t->after_busy = true;
		evidence_add(
			t->facts, at, FACT_TORCHTPU_BUSY, SPAN_NONE, span_until(rest, "'", &rest));
		return true;
	}
	rest = line;
	if (!t->after_busy || !span_take(&rest, "  - PID "))
		return false;
	row = evidence_add(t->facts, at, FACT_TORCHTPU_HOLDER, SPAN_NONE, rest);
	number = span_until(rest, " ", &rest);
	if (span_integer(number, &pid))
		evidence_fact_integer(row, pid);
	return true;
}

static bool take_unset(struct torchtpu *t, struct span line)
{
	struct span rest, names, end;

	if (!span_behind(&rest, line, unset))
		return false;
	names = span_until(rest, ";", &end);
	while (names.n) {
		struct span name = span_trim(span_until(names, ",", &names));

		if (name.n)
			evidence_tally_once(
				&t->tally, FACT_TORCHTPU_UNSET, name, name, t->lines.number);
	}
	return true;
}

static bool take_refused(struct torchtpu *t, struct span line)
{
	struct span key;

	if (!span_behind(&key, line, refused))
		return false;
	evidence_add(t->facts, (struct evidence_place){ t->lines.number, -1 },
		FACT_TORCHTPU_COMPILE_REFUSED, SPAN_NONE, span_trim(key));
	return true;
}

void torchtpu_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct torchtpu t = { .facts = facts, .tally = EVIDENCE_TALLY_INIT, .dump = -1,
		.requests = -1, .entry = BUF_INIT };
	struct span line;

	evidence_lines_begin(&t.lines, source->bytes, source->n);
	while (evidence_lines_next(&t.lines, &line))
		facts->health.read += take_summary(&t, line) || take_entry(&t, line) ||
			take_programs(&t, line) || take_operator(&t, line) ||
			take_busy(&t, line) || take_unset(&t, line) || take_refused(&t, line);
	facts->health.lines = t.lines.number;
	facts->health.truncated = t.lines.unended;
	evidence_tally_write(&t.tally, facts);
	evidence_tally_release(&t.tally);
	evidence_lines_end(&t.lines);
	buf_release(&t.entry);
}
