/*
 * contract_checkpoint - the five ordered checkpoints of a run of the contract, and the
 * earliest place where two runs part; see contract_results.h.
 */
#include "config.h"

#include <strings.h>
#include <string.h>

#include "base/text.h"
#include "workspace/contract_results.h"

enum { DEVICE, MODEL, INPUT, OUTPUT, CONDITIONS };

static const struct {
	const char *check, *name;
} checkpoints[CHECK_CONTRACT_ITEMS] = {
	[DEVICE] = { "contract-device", "device recognised" },
	[MODEL] = { "contract-model", "intended model loaded" },
	[INPUT] = { "contract-input", "a small input passes the intended path" },
	[OUTPUT] = { "contract-output", "the output satisfies the contract" },
	[CONDITIONS] = { "contract-conditions", "it runs under useful conditions" },
};

static void answer(struct contract_results *r, size_t i, enum check_result result, const char *text)
{
	r->checkpoints[i].result = result;
	r->checkpoints[i].text = text_sanitised(&r->arena, text);
}

/* ---- the device ---- */

static const struct {
	const char *word;
	enum target_kind kind;
} device_words[] = {
	{ "tpu", TARGET_TPU },
	{ "cuda", TARGET_GPU },
	{ "gpu", TARGET_GPU },
	{ "nvidia", TARGET_GPU },
	{ "cpu", TARGET_CPU },
};

/* "xla:0" may be any of them: it tells nothing. */
static enum target_kind device_kind(const char *said)
{
	for (size_t i = 0; i < ARRAY_LEN(device_words); i++)
		if (strcasestr(said, device_words[i].word))
			return device_words[i].kind;
	return TARGET_NONE;
}

static void answer_device(struct contract_results *r)
{
	const char *said = r->outputs.device;
	enum target_kind kind = device_kind(said);
	enum target_kind wanted = r->run ? r->run->target_kind : TARGET_NONE;

	if (!*said)
		answer(r, DEVICE, CHECK_NOT_CHECKED, "the program names no device");
	else if (!wanted || !kind)
		answer(r, DEVICE, CHECK_UNKNOWN,
			arena_printf(&r->arena, "the program says \"%s\", %s", said,
				kind ? "and nobody said what it should be"
				     : "which tells no kind of device"));
	else
		answer(r, DEVICE, kind == wanted ? CHECK_CONFIRMED : CHECK_REFUTED,
			arena_printf(&r->arena, "the program says \"%s\" on a target of kind %s",
				said, word_name(&words_target_kind, (int)wanted)));
}

/* ---- the model ---- */

static bool labels_differ(const struct contract_results *r, const struct contract *c)
{
	const struct json *said = r->outputs.labels;
	size_t i = 0;

	if (!said || !c->labels_n)
		return false;
	if (said->type != JSON_ARRAY || said->count != c->labels_n)
		return true;
	for (const struct json *j = said->first; j; j = j->next, i++)
		if (j->type != JSON_STRING || strcmp(j->text, c->labels[i]) != 0)
			return true;
	return false;
}

static void answer_model(struct contract_results *r, const struct contract *c)
{
	const char *said = r->outputs.model;

	if (labels_differ(r, c))
		answer(r, MODEL, CHECK_REFUTED,
			"the program reads labels otherwise than they are fixed");
	else if (!*said)
		answer(r, MODEL, CHECK_NOT_CHECKED, "the program names no model");
	else if (strcmp(said, c->model) == 0)
		answer(r, MODEL, CHECK_CONFIRMED,
			arena_printf(&r->arena, "the program says \"%s\", as it is fixed", said));
	else
		answer(r, MODEL, CHECK_REFUTED,
			arena_printf(&r->arena, "the program says \"%s\", fixed is \"%s\"", said,
				c->model));
}

/* ---- inputs and outputs ---- */

static void answer_input(struct contract_results *r, const struct contract *c)
{
	size_t asked = 0, passed = 0;

	for (size_t i = 0; i < r->cases_n; i++) {
		enum contract_outcome o = r->cases[i].outcome;
		bool small =
			c->cases[i].role == CONTRACT_NORMAL || c->cases[i].role == CONTRACT_SHORT;

		if (!small || c->cases[i].rejects || !r->outputs.cases[i].line ||
			*r->outputs.cases[i].skipped)
			continue;
		asked++;
		passed += o != CONTRACT_EXCEPTION && o != CONTRACT_EMPTY;
	}
	answer(r, INPUT,
		passed	      ? CHECK_CONFIRMED
			: asked ? CHECK_REFUTED
				: CHECK_NOT_CHECKED,
		asked ? arena_printf(&r->arena, "%zu of %zu normal and short cases gave an output",
				passed, asked)
		      : "no normal or short case was run");
}

/* Each outcome with its cases; none of them is added to another. */
static const char *outcomes_text(struct contract_results *r, const struct contract *c)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (int o = CONTRACT_OK; o <= CONTRACT_NOT_EVALUATED; o++) {
		const char *comma = " (";

		if (!r->counts[o])
			continue;
		buf_addf(&b, "%s%zu %s", b.n ? ", " : "", r->counts[o],
			word_name(&words_contract_outcome, o));
		for (size_t i = 0; o != CONTRACT_OK && i < r->cases_n; i++) {
			if (r->cases[i].outcome != (enum contract_outcome)o)
				continue;
			buf_addf(&b, "%s%s%s%s", comma, c->cases[i].id,
				r->cases[i].code ? ": " : "",
				word_name(&words_contract_code, (int)r->cases[i].code));
			comma = ", ";
		}
		if (o != CONTRACT_OK)
			buf_addc(&b, ')');
	}
	text = arena_strdup(&r->arena, b.s);
	buf_release(&b);
	return text;
}

static void answer_output(struct contract_results *r, const struct contract *c)
{
	struct check_all all = { 0 };
	bool any = false;

	for (size_t i = 0; i < r->cases_n; i++) {
		enum contract_outcome o = r->cases[i].outcome;

		any = any || r->outputs.cases[i].line;
		check_all_add(&all,
			o == CONTRACT_OK		  ? CHECK_CONFIRMED
				: o == CONTRACT_NOT_EVALUATED ? CHECK_UNKNOWN
							      : CHECK_REFUTED);
	}
	answer(r, OUTPUT, any ? check_all_result(&all) : CHECK_NOT_CHECKED,
		any ? outcomes_text(r, c) : "there is no output of any case");
}

static void answer_conditions(struct contract_results *r, const struct contract *c)
{
	const struct contract_outputs *o = &r->outputs;

	if (!o->conditions_said)
		answer(r, CONDITIONS, CHECK_NOT_CHECKED,
			*c->conditions ? arena_printf(&r->arena,
						 "nobody has seen whether they are met: %s",
						 c->conditions)
				       : "the contract names no conditions");
	else
		answer(r, CONDITIONS, o->conditions_met ? CHECK_UNKNOWN : CHECK_REFUTED,
			arena_printf(&r->arena, "the program says that they are %s (%s)%s",
				o->conditions_met ? "met" : "not met", o->conditions,
				o->conditions_met ? "; only a person confirms that" : ""));
}

/* A stand-in refutes and never confirms. */
static void cap_simulated(struct contract_results *r)
{
	if (!r->run || !r->run->simulates)
		return;
	for (size_t i = 0; i < CHECK_CONTRACT_ITEMS; i++)
		if (r->checkpoints[i].result == CHECK_CONFIRMED)
			answer(r, i, CHECK_UNKNOWN,
				arena_printf(&r->arena, "%s; the target only simulates",
					r->checkpoints[i].text));
}

void contract_checkpoints_answer(struct contract_results *r, const struct contract *c)
{
	for (size_t i = 0; i < CHECK_CONTRACT_ITEMS; i++)
		r->checkpoints[i] = (struct contract_checkpoint){ .check = checkpoints[i].check,
			.name = checkpoints[i].name,
			.text = *r->why_not ? r->why_not : "there is no run of the contract" };
	if (!r->cases)
		return;
	answer_device(r);
	answer_model(r, c);
	answer_input(r, c);
	answer_output(r, c);
	answer_conditions(r, c);
	cap_simulated(r);
	while (r->reached < CHECK_CONTRACT_ITEMS &&
		r->checkpoints[r->reached].result == CHECK_CONFIRMED)
		r->reached++;
}

/* ---- where two runs part ---- */

static const char *shown(struct arena *a, const struct json *j)
{
	enum { SHOWN_BYTES = 100 };
	struct buf b = BUF_INIT, clean = BUF_INIT;
	const char *text;

	if (j)
		json_canonical(&b, j);
	else
		buf_adds(&b, "nothing");
	text_sanitise(&clean, b.s, text_cut(b.s, b.n, SHOWN_BYTES));
	text = arena_printf(a, "%s%s", clean.s, b.n > SHOWN_BYTES ? "..." : "");
	buf_release(&b);
	buf_release(&clean);
	return text;
}

struct parting {
	struct contract_parting *out;
	const struct contract *c;
	const struct contract_results *reference, *attempt;
	struct arena *arena;
};

static bool parts_at(struct parting *p, const char *what, const struct json *reference,
	const struct json *attempt)
{
	if (!reference || !attempt)
		return false;
	p->out->compared = true;
	if (contract_json_equal(reference, attempt))
		return false;
	p->out->parts = true;
	p->out->what = what;
	p->out->text = arena_printf(p->arena, "%s, the reference %s", shown(p->arena, attempt),
		shown(p->arena, reference));
	return true;
}

/* What both saw of case I under KEY. */
static bool parts_in_case(struct parting *p, size_t i, const char *key)
{
	const struct contract_output *r = &p->reference->outputs.cases[i];
	const struct contract_output *a = &p->attempt->outputs.cases[i];
	const char *what = arena_printf(p->arena, "%s of case %s", text_sanitised(p->arena, key),
		p->c->cases[i].id);

	return parts_at(p, what, json_get(r->observed, key), json_get(a->observed, key));
}

static bool parts_in_tokens(struct parting *p)
{
	for (size_t i = 0; i < p->c->cases_n; i++)
		if (parts_in_case(p, i, "tokens"))
			return true;
	return false;
}

static bool parts_in_model(struct parting *p)
{
	const char *reference = p->reference->outputs.model, *attempt = p->attempt->outputs.model;

	if (!*reference || !*attempt)
		return false;
	p->out->compared = true;
	if (strcmp(reference, attempt) == 0)
		return false;
	p->out->parts = true;
	p->out->what = "model";
	p->out->text = text_sanitised(p->arena,
		arena_printf(p->arena, "\"%s\", the reference \"%s\"", attempt, reference));
	return true;
}

/* In the order in which the reference saw them. */
static bool parts_on_the_way(struct parting *p)
{
	for (size_t i = 0; i < p->c->cases_n; i++) {
		const struct json *seen = p->reference->outputs.cases[i].observed;

		if (!seen || seen->type != JSON_OBJECT)
			continue;
		for (const struct json *j = seen->first; j; j = j->next)
			if (parts_in_case(p, i, j->key))
				return true;
	}
	return false;
}

static void parts_in_output(struct parting *p)
{
	for (size_t i = 0; i < p->c->cases_n; i++)
		if (parts_at(p, arena_printf(p->arena, "output of case %s", p->c->cases[i].id),
			    p->reference->outputs.cases[i].value,
			    p->attempt->outputs.cases[i].value))
			return;
}

void contract_parting_find(struct contract_parting *out, const struct contract *c,
	const struct contract_results *reference, const struct contract_results *attempt,
	struct arena *a)
{
	struct parting p = { out, c, reference, attempt, a };

	*out = (struct contract_parting){ .what = "", .text = "" };
	if (!reference->cases || !attempt->cases || parts_in_tokens(&p) || parts_in_model(&p) ||
		parts_at(&p, "reading of labels", reference->outputs.labels,
			attempt->outputs.labels) ||
		parts_on_the_way(&p))
		return;
	parts_in_output(&p);
}
