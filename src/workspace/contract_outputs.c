/* contract_outputs - see contract_outputs.h. */
#include "config.h"

#include "workspace/contract_outputs.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"

enum { FOREIGN_MAX = 16, TEXT_MAX = 4096 };

static void set_bad(struct contract_outputs *o, int64_t line, const char *why)
{
	if (!o->bad_lines++) {
		o->first_bad = line;
		o->bad_reason = text_sanitised(&o->arena, why);
	}
}

/* Shown as one line, and not without end. */
static const char *text_of(struct contract_outputs *o, const struct json *j)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (j && j->type == JSON_STRING)
		buf_add(&b, j->text, text_cut(j->text, j->text_n, TEXT_MAX));
	else if (j)
		json_canonical(&b, j);
	if (b.n > TEXT_MAX)
		buf_truncate(&b, text_cut(b.s, b.n, TEXT_MAX));
	text = arena_strdup(&o->arena, b.s);
	buf_release(&b);
	return text;
}

/* ---- cases ---- */

static void add_foreign(struct contract_outputs *o, const char *id)
{
	for (size_t i = 0; i < o->foreign_n; i++)
		if (strcmp(o->foreign[i], id) == 0)
			return;
	if (!o->foreign)
		o->foreign = arena_alloc(&o->arena, FOREIGN_MAX * sizeof *o->foreign);
	if (o->foreign_n < FOREIGN_MAX)
		o->foreign[o->foreign_n++] = text_sanitised(&o->arena, id);
}

static bool same_answer(const struct contract_output *a, const struct contract_output *b)
{
	return strcmp(a->error, b->error) == 0 && strcmp(a->skipped, b->skipped) == 0 &&
		contract_json_equal(a->value, b->value);
}

static void take_case(struct contract_outputs *o, const struct contract *c,
	const struct json *row, int64_t line)
{
	const char *id = json_str(row, "case", "");
	const struct contract_case *is = contract_case_find(c, id);
	struct contract_output new = {
		.line = line,
		.value = json_get(row, "output"),
		.error = text_of(o, json_get(row, "error")),
		.unsupported = json_bool(row, "unsupported", false),
		.skipped = text_of(o, json_get(row, "skipped")),
		.observed = json_get(row, "observed"),
	};
	struct contract_output *old;

	if (!is) {
		add_foreign(o, id);
		return;
	}
	if (json_get(row, "error") && !*new.error)
		new.error = "an error without a text";
	if (!new.value && !*new.error && !*new.skipped) {
		set_bad(o, line, "neither output, error nor skipped");
		return;
	}
	old = &o->cases[is - c->cases];
	if (!old->line)
		*old = new;
	else if (!same_answer(old, &new) && !old->contradicted_by)
		old->contradicted_by = line;
}

/* ---- other lines ---- */

static void take_checkpoint(struct contract_outputs *o, const struct json *row, int64_t line)
{
	const char *name = json_str(row, "checkpoint", "");
	const struct json *value = json_get(row, "value");

	if (strcmp(name, "device") == 0)
		o->device = text_of(o, value);
	else if (strcmp(name, "model") == 0)
		o->model = text_of(o, value);
	else if (strcmp(name, "labels") == 0)
		o->labels = value;
	else if (strcmp(name, "conditions") == 0) {
		o->conditions = text_of(o, value);
		o->conditions_said = json_get(row, "met") != NULL;
		o->conditions_met = json_bool(row, "met", false);
	} else
		set_bad(o, line, "a checkpoint that is none of device, model, labels, conditions");
}

static void take_line(struct contract_outputs *o, const struct contract *c, const char *s, size_t n,
	int64_t line)
{
	const struct json *row;

	if (json_parse(&row, &o->arena, s, n, JSON_TOLERANT) < 0) {
		set_bad(o, line, err_text());
		err_clear();
	} else if (row->type != JSON_OBJECT) {
		set_bad(o, line, "no object");
	} else if (json_get(row, "case")) {
		take_case(o, c, row, line);
	} else if (json_get(row, "checkpoint")) {
		take_checkpoint(o, row, line);
	} else if (json_get(row, "versions")) {
		o->versions = json_get(row, "versions");
	} else {
		set_bad(o, line, "none of case, checkpoint, versions");
	}
}

int contract_outputs_read(
	struct contract_outputs *out, const struct contract *c, const char *text, size_t n)
{
	*out = (struct contract_outputs){ .arena = ARENA_INIT, .device = "", .model = "",
		.conditions = "", .bad_reason = "", .cases_n = c->cases_n };
	if (n > CONTRACT_OUTPUTS_BYTES_MAX)
		return err_set(ERR_PARSE,
			"outputs of %zu bytes are more than a contract of few cases has", n);
	out->cases = arena_alloc(&out->arena, (c->cases_n + 1) * sizeof *out->cases);
	for (size_t i = 0; i < c->cases_n; i++)
		out->cases[i] = (struct contract_output){ .error = "", .skipped = "" };
	for (size_t at = 0; at < n;) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t length = end ? (size_t)(end - text) - at : n - at;

		if (++out->lines > CONTRACT_OUTPUTS_LINES_MAX)
			return err_set(ERR_PARSE, "outputs of more than %d lines",
				CONTRACT_OUTPUTS_LINES_MAX);
		if (strspn(text + at, " \t\r") < length)
			take_line(out, c, text + at, length, out->lines);
		at += length + 1;
	}
	return 0;
}

void contract_outputs_release(struct contract_outputs *o)
{
	arena_release(&o->arena);
	*o = (struct contract_outputs){ .arena = ARENA_INIT };
}
