/* xla_log - alarms, limits and the choice of the device in a log; see xla_debug.h. */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "evidence/evidence_tally.h"
#include "evidence/xla_debug.h"
#include "evidence/xla_duration.h"

static const char slow_begin[] = "[Compiling module ";
static const char slow_took[] = "The operation took ";
static const char graph_limit[] =
	"Maximum number of different graphs allowed per function exceeded: ";
static const char recompile_hit[] = "torch._dynamo hit config.";

/* Lines that say a run goes on without the accelerator. */
static const struct { const char *text; bool whole; } fallbacks[] = {
	{ "libtpu not found.", true },
	{ "No GPU/TPU found, falling back to CPU", false },
	{ "libtpu is not installed. Falling back to cpu", false },
};

/* torch_xla's words where a program asked for mixed precision and does not get it. */
static const char *const autocast_off[] = { "Disabling autocast", "Ignoring autocast" };

struct log {
	struct evidence_facts *facts;
	struct evidence_lines lines;
	struct evidence_tally tally;
	int64_t took_ns, took_line;	/* of a slow compile whose module comes next; 0: none */
	struct buf took;
	bool after_graph_limit, after_recompile_limit;
};

bool xla_log_recognise(const struct evidence_source *source)
{
	static const char *const words[] = { slow_begin, graph_limit, recompile_hit,
		"Defaulting to PJRT_DEVICE=", "Setting PJRT_DEVICE=" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (evidence_source_has(source, words[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(autocast_off); i++)
		if (evidence_source_has(source, autocast_off[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(fallbacks); i++)
		if (evidence_source_has_line(source, fallbacks[i].text))
			return true;
	return false;
}

static struct evidence_place here(const struct log *l)
{
	return (struct evidence_place){ l->lines.number, -1 };
}

/* ---- slow compiles ---- */

static bool take_took(struct log *l, struct span line)
{
	struct span text;

	if (!span_behind(&text, line, slow_took))
		return false;
	text = span_trim(text);
	if (go_duration_read(&l->took_ns, text)) {
		l->took_line = l->lines.number;
		buf_clear(&l->took);
		buf_add(&l->took, text.s, text.n);
	} else {
		evidence_malformed(l->facts, l->lines.number);
	}
	return true;
}

static bool take_slow(struct log *l, struct span line)
{
	struct span module, rest;

	if (!span_behind(&module, line, slow_begin))
		return false;
	module = span_until(module, "]", &rest);
	if (!span_starts(span_trim(rest), "Very slow compile?"))
		return false;
	evidence_tally_count(
		&l->tally, FACT_SLOW_COMPILE_ALARMS, module, SPAN_NONE, l->lines.number);
	if (l->took_line)
		evidence_fact_integer(
			evidence_add(l->facts, (struct evidence_place){ l->took_line, -1 },
				FACT_SLOW_COMPILE_TIME, module,
				(struct span){ l->took.s, l->took.n }),
			l->took_ns);
	l->took_line = 0;
	return true;
}

/* One block when the alarm fires, one when the compile is done. */
static void add_compiles(struct log *l)
{
	for (size_t i = 0; i < l->tally.n; i++) {
		const struct tally_row *row = &l->tally.rows[i];

		if (row->name == FACT_SLOW_COMPILE_ALARMS)
			evidence_add_total(l->facts, row->line, FACT_SLOW_COMPILES,
				(struct span){ row->key, row->key_n }, (row->value + 1) / 2);
	}
}

/* ---- limits ---- */

/* "[] aten::add, xla_shape=f32[32,17]{1,0}, dynamic_dims: ()" */
static bool shape_of(struct span *out, struct span line)
{
	struct span behind;

	if (!span_behind(out, line, "xla_shape="))
		return false;
	if (span_behind(&behind, *out, ", dynamic_dims"))
		out->n -= behind.n + strlen(", dynamic_dims");
	return out->n > 0;
}

static bool take_graph_limit(struct log *l, struct span line)
{
	struct span rest, shape;

	if (span_behind(&rest, line, graph_limit)) {
		l->after_graph_limit = true;
		evidence_add_integer(
			l->facts, here(l), FACT_GRAPH_LIMIT, SPAN_NONE, span_trim(rest));
		return true;
	}
	if (!l->after_graph_limit || !shape_of(&shape, line))
		return false;
	if (span_starts(line, "Got: "))
		evidence_add(l->facts, here(l), FACT_GRAPH_LIMIT_GOT, SPAN_NONE, shape);
	else if (span_starts(line, "Expected: "))
		evidence_add(l->facts, here(l), FACT_GRAPH_LIMIT_EXPECTED, SPAN_NONE, shape);
	else
		return false;
	return true;
}

/* "function: 'forward' (/srv/model.py:41)" */
static void take_function(struct log *l, struct span text)
{
	struct span name, place, rest;

	if (!span_take(&text, "'")) {
		evidence_malformed(l->facts, l->lines.number);
		return;
	}
	name = span_until(text, "'", &rest);
	evidence_add(l->facts, here(l), FACT_RECOMPILE_FUNCTION, SPAN_NONE, name);
	place = span_trim(rest);
	if (span_take(&place, "(") && span_ends(place, ")")) {
		place.n--;
		evidence_add(l->facts, here(l), FACT_RECOMPILE_PLACE, SPAN_NONE, place);
	}
}

static bool take_recompile_limit(struct log *l, struct span line)
{
	struct span rest, number;

	if (span_behind(&rest, line, recompile_hit)) {
		span_until(rest, "(", &rest);
		number = span_until(rest, ")", &rest);
		l->after_recompile_limit = true;
		evidence_add_integer(l->facts, here(l), FACT_RECOMPILE_LIMIT, SPAN_NONE, number);
		return true;
	}
	if (!l->after_recompile_limit)
		return false;
	if (span_behind(&rest, line, "   function: ")) {
		take_function(l, rest);
		return true;
	}
	if (!span_behind(&rest, line, "   last reason: "))
		return false;
	/* "0/7: " is the number of the frame and of its compilation. */
	if (rest.n && isdigit((unsigned char)rest.s[0]) && span_behind(&number, rest, ": "))
		rest = number;
	evidence_add(l->facts, here(l), FACT_RECOMPILE_REASON, SPAN_NONE, span_trim(rest));
	l->after_recompile_limit = false;
	return true;
}

/* ---- the device ---- */

static bool take_device(struct log *l, struct span line)
{
	struct span device;
	size_t n = 0;

	if (!span_behind(&device, line, "Defaulting to PJRT_DEVICE=") &&
		!span_behind(&device, line, "Setting PJRT_DEVICE="))
		return false;
	while (n < device.n && (isalnum((unsigned char)device.s[n]) || device.s[n] == '_'))
		n++;
	device.n = n;
	if (n)
		evidence_add(l->facts, here(l), FACT_DEVICE_DEFAULT, SPAN_NONE, device);
	return n > 0;
}

static bool take_fallback(struct log *l, struct span line)
{
	struct span rest;

	for (size_t i = 0; i < ARRAY_LEN(fallbacks); i++)
		if (fallbacks[i].whole ? span_equal(line, fallbacks[i].text)
				       : span_behind(&rest, line, fallbacks[i].text)) {
			evidence_tally_once(&l->tally, FACT_DEVICE_FALLBACK, SPAN_NONE,
				span_trim(line), l->lines.number);
			return true;
		}
	return false;
}

static bool take_autocast(struct log *l, struct span line)
{
	struct span rest;

	for (size_t i = 0; i < ARRAY_LEN(autocast_off); i++)
		if (span_behind(&rest, line, autocast_off[i])) {
			evidence_tally_once(&l->tally, FACT_AUTOCAST_OFF, SPAN_NONE,
				span_trim(line), l->lines.number);
			return true;
		}
	return false;
}

void xla_log_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct log l = { .facts = facts, .tally = EVIDENCE_TALLY_INIT, .took = BUF_INIT };
	struct span line;

	evidence_lines_begin(&l.lines, source->bytes, source->n);
	while (evidence_lines_next(&l.lines, &line))
		facts->health.read += take_took(&l, line) || take_slow(&l, line) ||
			take_graph_limit(&l, line) || take_recompile_limit(&l, line) ||
			take_device(&l, line) || take_fallback(&l, line) ||
			take_autocast(&l, line);
	facts->health.lines = l.lines.number;
	facts->health.truncated = l.lines.unended;
	evidence_tally_write(&l.tally, facts);
	add_compiles(&l);
	evidence_tally_release(&l.tally);
	evidence_lines_end(&l.lines);
	buf_release(&l.took);
}
