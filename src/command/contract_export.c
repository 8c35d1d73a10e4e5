/* contract_export - see contract_export.h. */
#include "config.h"

#include "command/contract_export.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "report/markdown.h"
#include "workspace/contract_results.h"
#include "workspace/state.h"

enum { SIDES_MAX = 16, ERROR_BYTES_MAX = 160, SCHEMA = 1 };

struct side {
	const char *name;		/* "reference @gpu-l4" */
	struct contract_results results;
	struct contract_parting parting;
};

struct document {
	struct contract_file file;
	const struct contract *contract;
	struct side sides[SIDES_MAX];	/* the reference first */
	size_t n;
	bool more_sides;
	struct redact *redact;
	struct arena *arena;
	struct buf *out;
	struct json_writer json;
};

/* ---- text that may leave the house ---- */

/* "/home/ana/run/train.py" is ".../train.py": where it lay is nobody's business. */
static void strip_paths(struct buf *out, const char *s, size_t n)
{
	size_t i = 0;

	while (i < n) {
		size_t end = i, last = i, slashes = 0;

		if (s[i] != '/' || (i && s[i - 1] != ' ' && !strchr("\"'(=:", s[i - 1]))) {
			buf_addc(out, s[i++]);
			continue;
		}
		for (; end < n && !strchr(" \t\"'()<>,;:", s[end]); end++)
			if (s[end] == '/') {
				last = end;
				slashes++;
			}
		if (slashes > 1)
			buf_addf(out, "...%.*s", (int)(end - last), s + last);
		else
			buf_add(out, s + i, end - i);
		i = end;
	}
}

/* One line, without secrets and places. */
static const char *clean(struct document *d, const char *s)
{
	struct buf safe = BUF_INIT, stripped = BUF_INIT;
	const char *text;

	redact_text(d->redact, &safe, s, strlen(s));
	strip_paths(&stripped, safe.s, safe.n);
	text = text_sanitised(d->arena, stripped.s);
	buf_release(&safe);
	buf_release(&stripped);
	return text;
}

/* Of an error its first line: what is below it tells of a machine. */
static const char *clean_result(struct document *d, const struct contract_result *r)
{
	const char *text = r->text;
	size_t n = strcspn(text, "\n\r");

	if (r->outcome == CONTRACT_EXCEPTION) {
		const char *newline = strstr(text, "^J");

		n = newline && (size_t)(newline - text) < n ? (size_t)(newline - text) : n;
		n = text_cut(text, n, ERROR_BYTES_MAX);
	}
	return clean(d, arena_strndup(d->arena, text, n));
}

static const char *clean_json(struct document *d, const struct json *j)
{
	struct buf b = BUF_INIT;
	const char *text;

	json_canonical(&b, j);
	text = clean(d, b.s);
	buf_release(&b);
	return text;
}

/* ---- sides ---- */

static int add_side(struct document *d, struct workspace *ws, const char *subject,
	const char *configuration, const struct position *at)
{
	struct side *s = &d->sides[d->n];
	int rc = contract_results_read(&s->results, ws, &d->file, subject, configuration, at);

	if (rc < 0)
		return rc;
	s->name = s->results.run ? arena_printf(d->arena, "%s%s @%s%s",
					   strcmp(subject, "reference") == 0 ? "" : "attempt ",
					   subject, s->results.run->configuration,
					   *s->results.owes ? ", before it was optimized" : "")
				 : arena_strdup(d->arena, subject);
	d->n++;
	return 0;
}

static bool is_listed(struct run_state *const *runs, size_t upto)
{
	for (size_t i = 0; i < upto; i++)
		if (runs[i]->kind == RUN_KIND_CONTRACT &&
			strcmp(runs[i]->configuration, runs[upto]->configuration) == 0)
			return true;
	return false;
}

/* One a configuration: what holds on one says nothing of another. */
static int add_sides(
	struct document *d, struct workspace *ws, const char *subject, const struct position *at)
{
	struct run_state **runs;
	size_t n, before = d->n;
	int rc = state_runs(&runs, &n, ws, subject, at, d->arena);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (runs[i]->kind != RUN_KIND_CONTRACT || is_listed(runs, i))
			continue;
		if (d->n == SIDES_MAX)
			d->more_sides = true;
		else
			rc = add_side(d, ws, subject, runs[i]->configuration, at);
	}
	return rc == 0 && d->n == before && d->n < SIDES_MAX ? add_side(d, ws, subject, NULL, at)
							       : rc;
}

/* ---- Markdown ---- */

static void put(struct document *d, const char *s)
{
	const char *text = clean(d, s);

	markdown_add_text(d->out, text, strlen(text));
}

static void put_pair(struct document *d, const char *name, const char *value)
{
	buf_addf(d->out, "- %s: ", name);
	put(d, *value ? value : "not said");
	buf_addc(d->out, '\n');
}

static void put_list(struct document *d, const char *title, const char *const *list, size_t n,
	const char *none)
{
	buf_addf(d->out, "\n## %s\n\n", title);
	for (size_t i = 0; i < n; i++) {
		buf_adds(d->out, "- ");
		put(d, list[i]);
		buf_addc(d->out, '\n');
	}
	if (!n)
		buf_addf(d->out, "%s\n", none);
}

static const char *labels_text(const struct document *d)
{
	const struct contract *c = d->contract;
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < c->labels_n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", c->labels[i]);
	text = c->labels_n ? arena_strdup(d->arena, b.s) : c->labels_reason;
	buf_release(&b);
	return text;
}

static void put_fixed(struct document *d)
{
	const struct contract *c = d->contract;
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &d->file.in_force_digest);
	buf_adds(d->out, "# Contract: ");
	put(d, c->task);
	buf_adds(d->out,
		"\n\nThe reference is an environment that was understood, not "
		"the truth.  Each outcome stands for itself: "
		"they are not added up, and what was not evaluated is no "
		"pass.\n\n## What is fixed\n\n");
	put_pair(d, "task", c->task);
	put_pair(d, "model", c->model);
	put_pair(d, "input processing", c->input_processing);
	put_pair(d, "labels", labels_text(d));
	put_pair(d, "settings", c->settings);
	put_pair(d, "configuration", c->configuration);
	put_pair(d, "useful conditions", c->conditions);
	put_pair(d, "SHA-256 of the contract", hex);
	if (d->file.late)
		buf_adds(d->out,
			"- accepted after the first target run: it may have "
			"been made to fit\n");
}

static const char *tolerance_text(struct document *d, const struct contract_case *c)
{
	struct buf b = BUF_INIT;
	const char *text;

	contract_tolerance_add(&b, &c->tolerance);
	if (b.n)
		buf_addf(&b, " (%s)", c->tolerance.reason);
	text = b.n ? arena_strdup(d->arena, b.s)
		: c->kind == CONTRACT_NUMBER || c->kind == CONTRACT_TENSOR
		? "that of the type, one ulp at least"
		: "exact";
	buf_release(&b);
	return text;
}

static void put_cases(struct document *d)
{
	buf_adds(d->out,
		"\n## Cases\n\n| case | role | kind | input | expected | accepted | "
		"why it is right |\n|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < d->contract->cases_n; i++) {
		const struct contract_case *c = &d->contract->cases[i];
		const char *cells[] = { c->id, word_name(&words_contract_role, (int)c->role),
			word_name(&words_contract_kind, (int)c->kind), clean_json(d, c->input),
			c->rejects ? "an error" : clean_json(d, c->expected), tolerance_text(d, c),
			c->why };

		for (size_t k = 0; k < ARRAY_LEN(cells); k++) {
			buf_adds(d->out, "| ");
			put(d, cells[k]);
			buf_addc(d->out, ' ');
		}
		buf_adds(d->out, "|\n");
	}
	for (size_t i = 0; i < d->contract->without_n; i++) {
		const struct contract_without *w = &d->contract->without[i];

		buf_addf(d->out, "\nNo %s case: ", word_name(&words_contract_role, (int)w->role));
		put(d, w->reason);
		buf_addc(d->out, '\n');
	}
}

static void put_environment(struct document *d, const struct contract_results *r)
{
	const struct json *versions = r->outputs.versions;

	put_pair(d, "environment",
		arena_printf(d->arena, "target %s, kind %s%s, %lld chip%s", r->run->target,
			r->run->target_kind
				? word_name(&words_target_kind, (int)r->run->target_kind)
				: "not known",
			r->run->simulates ? ", which only simulates another kind" : "",
			(long long)r->run->chips, r->run->chips == 1 ? "" : "s"));
	put_pair(d, "run", r->run->id);
	put_pair(d, "commit", r->run->commit);
	put_pair(d, "provenance",
		*r->brought_by ? arena_printf(d->arena, "outputs that %s brought", r->brought_by)
			       : word_name(&words_provenance, (int)r->run->provenance));
	put_pair(d, "device, as the program says", r->outputs.device);
	put_pair(d, "model, as the program says", r->outputs.model);
	put_pair(d, "versions, as the program says", versions ? clean_json(d, versions) : "");
	if (r->earlier_contract)
		buf_adds(d->out, "- made under another text of this contract\n");
	if (*r->why_not)
		put_pair(d, "not evaluated", r->why_not);
}

static void put_outcomes(struct document *d, const struct contract_results *r)
{
	buf_adds(d->out,
		"\n| case | output | outcome | what differs | tolerance "
		"that would do |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < r->cases_n; i++) {
		const struct contract_result *res = &r->cases[i];
		const struct json *value = r->outputs.cases[i].value;
		const char *code = word_name(&words_contract_code, (int)res->code);
		const char *cells[] = { d->contract->cases[i].id,
			value ? clean_json(d, value) : "none",
			arena_printf(d->arena, "%s%s%s%s",
				word_name(&words_contract_outcome, (int)res->outcome),
				*code ? ": " : "", code, res->unsupported ? ", not supported" : ""),
			clean_result(d, res), res->least };

		for (size_t k = 0; k < ARRAY_LEN(cells); k++) {
			buf_adds(d->out, "| ");
			put(d, cells[k]);
			buf_addc(d->out, ' ');
		}
		buf_adds(d->out, "|\n");
	}
}

static void put_checkpoints(struct document *d, const struct contract_results *r)
{
	buf_adds(d->out, "\nCheckpoints, in order; one says nothing of the next:\n\n");
	for (size_t i = 0; i < CHECK_CONTRACT_ITEMS; i++) {
		buf_addf(d->out, "%zu. %s: %s (", i + 1, r->checkpoints[i].name,
			word_name(&words_check, (int)r->checkpoints[i].result));
		put(d, r->checkpoints[i].text);
		buf_adds(d->out, ")\n");
	}
}

static void put_side(struct document *d, const struct side *s)
{
	const struct contract_results *r = &s->results;

	buf_adds(d->out, "\n## Outputs of ");
	put(d, s->name);
	buf_adds(d->out, "\n\n");
	if (!r->run) {
		buf_adds(d->out, "Not evaluated: there is no run of the contract.\n");
		return;
	}
	put_environment(d, r);
	if (r->cases)
		put_outcomes(d, r);
	put_checkpoints(d, r);
	if (!s->parting.compared)
		return;
	buf_adds(d->out, "\nEarliest difference from the reference: ");
	put(d, s->parting.parts ? arena_printf(d->arena, "%s: %s", s->parting.what, s->parting.text)
				: "none in what both say");
	buf_addc(d->out, '\n');
}

/* What is no defect, since it was never promised; and what was left out. */
static void put_apart(struct document *d, const char *title, bool unsupported, const char *none)
{
	bool any = false;

	buf_addf(d->out, "\n## %s\n\n", title);
	for (size_t i = 0; i < d->n; i++) {
		const struct contract_results *r = &d->sides[i].results;

		for (size_t k = 0; r->cases && k < r->cases_n; k++) {
			const struct contract_result *res = &r->cases[k];
			bool defect = res->outcome != CONTRACT_OK &&
				res->outcome != CONTRACT_NOT_EVALUATED && !res->unsupported;

			if (unsupported ? !res->unsupported : !defect)
				continue;
			any = true;
			buf_adds(d->out, "- ");
			put(d, arena_printf(d->arena, "%s, case %s: ", d->sides[i].name,
				       d->contract->cases[k].id));
			put(d, clean_result(d, res));
			buf_addc(d->out, '\n');
		}
	}
	if (!any)
		buf_addf(d->out, "%s\n", none);
}

static void put_not_evaluated(struct document *d)
{
	put_list(d, "What was not evaluated", d->contract->not_evaluated,
		d->contract->not_evaluated_n, "Nothing was named in the contract.");
	for (size_t i = 0; i < d->n; i++) {
		const struct contract_results *r = &d->sides[i].results;

		for (size_t k = 0; r->cases && k < r->cases_n; k++) {
			if (r->cases[k].outcome != CONTRACT_NOT_EVALUATED)
				continue;
			buf_adds(d->out, "- ");
			put(d, arena_printf(d->arena, "%s, case %s: %s", d->sides[i].name,
				       d->contract->cases[k].id, r->cases[k].text));
			buf_addc(d->out, '\n');
		}
	}
}

static void put_history(struct document *d)
{
	buf_adds(d->out, "\n## What was loosened\n\n");
	for (size_t i = 0; i < d->file.loosened_n; i++) {
		buf_adds(d->out, "- ");
		put(d, arena_printf(d->arena, "%s%s, %s", d->file.loosened[i].key,
			       d->file.loosened[i].after_failure ? ", after failure" : "",
			       d->file.loosened[i].time));
		buf_addc(d->out, '\n');
	}
	if (!d->file.loosened_n)
		buf_adds(d->out, "Nothing.\n");
}

static void write_markdown(struct document *d)
{
	put_fixed(d);
	put_cases(d);
	for (size_t i = 0; i < d->n; i++)
		put_side(d, &d->sides[i]);
	if (d->more_sides)
		buf_adds(d->out, "\nFurther configurations were left out of this document.\n");
	put_apart(d, "Failures", false, "None was seen.");
	put_apart(d, "Not supported, and so no defect", true, "Nothing.");
	put_not_evaluated(d);
	put_list(d, "Open questions", d->contract->unresolved, d->contract->unresolved_n, "None.");
	put_history(d);
}

/* ---- JSON ---- */

static void json_case(struct document *d, const struct contract_results *r, size_t i)
{
	struct json_writer *w = &d->json;
	const struct contract_result *res = &r->cases[i];
	const struct json *value = r->outputs.cases[i].value;

	json_begin_object(w, NULL);
	json_put_str(w, "case", d->contract->cases[i].id);
	json_put_str(w, "outcome", word_name(&words_contract_outcome, (int)res->outcome));
	json_put_str(w, "code",
		res->code ? word_name(&words_contract_code, (int)res->code) : NULL);
	json_put_str(w, "output", value ? clean_json(d, value) : NULL);
	json_put_str(w, "differs", *res->text ? clean_result(d, res) : NULL);
	json_put_str(w, "tolerance_that_would_do", *res->least ? res->least : NULL);
	json_put_bool(w, "unsupported", res->unsupported);
	json_end_object(w);
}

static void json_side(struct document *d, const struct side *s)
{
	const struct contract_results *r = &s->results;
	struct json_writer *w = &d->json;

	json_begin_object(w, NULL);
	json_put_str(w, "of", s->name);
	json_put_str(w, "run", r->run ? r->run->id : NULL);
	json_put_str(w, "configuration", r->run ? r->run->configuration : NULL);
	json_put_str(w, "commit", r->run ? r->run->commit : NULL);
	json_put_str(w, "provenance",
		r->run ? word_name(&words_provenance, (int)r->run->provenance) : NULL);
	json_put_str(w, "brought_by", *r->brought_by ? r->brought_by : NULL);
	json_put_str(w, "device", *r->outputs.device ? clean(d, r->outputs.device) : NULL);
	json_put_str(w, "model", *r->outputs.model ? clean(d, r->outputs.model) : NULL);
	json_put_str(w, "versions",
		r->outputs.versions ? clean_json(d, r->outputs.versions) : NULL);
	json_put_bool(w, "earlier_contract", r->earlier_contract);
	json_begin_array(w, "checkpoints");
	for (size_t i = 0; i < CHECK_CONTRACT_ITEMS; i++) {
		json_begin_object(w, NULL);
		json_put_str(w, "check", r->checkpoints[i].check);
		json_put_str(w, "result", word_name(&words_check, (int)r->checkpoints[i].result));
		json_put_str(w, "text", clean(d, r->checkpoints[i].text));
		json_end_object(w);
	}
	json_end_array(w);
	json_begin_array(w, "cases");
	for (size_t i = 0; r->cases && i < r->cases_n; i++)
		json_case(d, r, i);
	json_end_array(w);
	json_put_str(w, "earliest_difference",
		s->parting.parts ? clean(d, arena_printf(d->arena, "%s: %s", s->parting.what,
						    s->parting.text))
				 : NULL);
	json_end_object(w);
}

static void json_list(struct document *d, const char *key, const char *const *list, size_t n)
{
	json_begin_array(&d->json, key);
	for (size_t i = 0; i < n; i++)
		json_put_str(&d->json, NULL, clean(d, list[i]));
	json_end_array(&d->json);
}

static void write_json(struct document *d)
{
	struct json_writer *w = &d->json;
	char hex[DIGEST_HEX + 1];

	*w = (struct json_writer){ .out = d->out, .indent = true };
	digest_hex(hex, &d->file.in_force_digest);
	json_begin_object(w, NULL);
	json_put_i64(w, "schema", SCHEMA);
	json_put_str(w, "contract", hex);
	json_put_str(w, "task", clean(d, d->contract->task));
	json_put_str(w, "model", clean(d, d->contract->model));
	json_put_str(w, "configuration", clean(d, d->contract->configuration));
	json_put_bool(w, "accepted_after_first_target_run", d->file.late);
	json_begin_array(w, "sides");
	for (size_t i = 0; i < d->n; i++)
		json_side(d, &d->sides[i]);
	json_end_array(w);
	json_list(d, "not_evaluated", d->contract->not_evaluated, d->contract->not_evaluated_n);
	json_list(d, "open_questions", d->contract->unresolved, d->contract->unresolved_n);
	json_begin_array(w, "loosened");
	for (size_t i = 0; i < d->file.loosened_n; i++) {
		json_begin_object(w, NULL);
		json_put_str(w, "key", d->file.loosened[i].key);
		json_put_bool(w, "after_failure", d->file.loosened[i].after_failure);
		json_end_object(w);
	}
	json_end_array(w);
	json_end_object(w);
	buf_addc(d->out, '\n');
}

/* ---- all ---- */

static int gather(struct document *d, struct workspace *ws, const char *attempt,
	const struct position *at)
{
	struct attempt_state *s;
	int rc = add_sides(d, ws, "reference", at);

	if (rc == 0 && attempt) {
		rc = state_attempt(ws, attempt, at, d->arena, &s);
		if (rc == 0 && strcmp(s->id, "reference") != 0)
			rc = add_sides(d, ws, s->id, at);
	}
	for (size_t i = 1; rc == 0 && i < d->n; i++)
		contract_parting_find(&d->sides[i].parting, d->contract, &d->sides[0].results,
			&d->sides[i].results, d->arena);
	return rc;
}

static int write_document(struct document *d, struct workspace *ws, const char *attempt,
	bool as_json, const struct position *at)
{
	int rc = 0;

	if (!d->file.has_accepted)
		return err_set(ERR_STATE, "there is no accepted contract: %s", d->file.sentence);
	d->contract = &d->file.in_force;
	rc = gather(d, ws, attempt, at);
	if (rc == 0 && as_json)
		write_json(d);
	else if (rc == 0)
		write_markdown(d);
	for (size_t i = 0; i < d->n; i++)
		contract_results_release(&d->sides[i].results);
	return rc;
}

int contract_export(struct buf *out, struct workspace *ws, const char *attempt, bool as_json,
	const struct position *at, struct arena *a)
{
	struct document *d = xcalloc(1, sizeof *d);
	int rc;

	d->arena = a;
	d->out = out;
	if ((rc = contract_file_read(&d->file, ws, at)) == 0) {
		d->redact = redact_new();
		redact_add_environment(d->redact, environ);
		rc = write_document(d, ws, attempt, as_json, at);
		redact_free(d->redact);
		contract_file_release(&d->file);
	}
	free(d);
	return rc;
}
