/* contract_judge - all kinds but tensors; see contract_judge.h and contract_tensor.c. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/text_pattern.h"
#include "workspace/contract_judge_private.h"

static const struct word outcome_words[] = {
	{ "", "" },
	{ "ok", "as the contract says" },
	{ "exception", "the program raised an error" },
	{ "empty", "it gave nothing" },
	{ "unexpected-shape", "it gave something of another form" },
	{ "plausible-but-wrong", "it gave an answer of the right form that is not right" },
	{ "not-evaluated", "nobody could judge it: no pass" },
};
const struct words words_contract_outcome = { "outcome of a case", outcome_words,
	ARRAY_LEN(outcome_words) };

static const struct word code_words[] = {
	{ "", "" },
	{ "dtype", "another type of number" },
	{ "non-finite", "not a number, or infinite" },
	{ "wrong-label", "another label" },
	{ "out-of-tolerance", "further off than is accepted" },
	{ "missing", "something that is expected is not there" },
	{ "extra", "something is there that is not expected" },
};
const struct words words_contract_code = { "code of an outcome", code_words,
	ARRAY_LEN(code_words) };

enum { SHOWN_BYTES = 120 };

void contract_fail(struct contract_judging *j, enum contract_outcome outcome,
	enum contract_code code, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	j->out->outcome = outcome;
	j->out->code = code;
	j->out->text = text_sanitised(j->arena, text.s);
	buf_release(&text);
}

/* Up in the sixth digit, so that what is printed is enough. */
const char *contract_least_text(struct arena *a, double v)
{
	enum { DIGITS = 6 };
	double scale, rounded;

	if (!(v > 1e-15 && v < 1e15))
		return contract_number_text(a, v);
	scale = pow(10, DIGITS - 1 - floor(log10(v)));
	rounded = ceil(v * scale) / scale;
	return contract_number_text(a, rounded >= v ? rounded : v);
}

const char *contract_number_text(struct arena *a, double v)
{
	char text[TEXT_DOUBLE_MAX];

	text_from_double(text, v);
	return arena_strdup(a, text);
}

enum tensor_type contract_type_find(const char *name)
{
	enum tensor_type t = tensor_type_of_torch(name);

	for (int i = 1; t == TENSOR_UNKNOWN && i < TENSOR_TYPES; i++)
		if (strcmp(tensor_type_facts((enum tensor_type)i)->name, name) == 0)
			t = (enum tensor_type)i;
	return t;
}

bool contract_knows_type(const char *name)
{
	return contract_type_find(name) != TENSOR_UNKNOWN;
}

/* A value as it would be written, cut. */
static const char *shown(struct arena *a, const struct json *j)
{
	struct buf b = BUF_INIT;
	const char *text;
	bool cut;

	json_canonical(&b, j);
	cut = b.n > SHOWN_BYTES;
	if (cut)
		buf_truncate(&b, text_cut(b.s, b.n, SHOWN_BYTES));
	text = arena_printf(a, "%s%s", b.s, cut ? "..." : "");
	buf_release(&b);
	return text;
}

static const char *type_of(const struct json *j)
{
	static const char *const names[] = {
		[JSON_NULL] = "nothing",
		[JSON_FALSE] = "a truth value",
		[JSON_TRUE] = "a truth value",
		[JSON_NUMBER] = "a number",
		[JSON_STRING] = "a text",
		[JSON_ARRAY] = "a list",
		[JSON_OBJECT] = "an object",
	};

	return names[j->type];
}

static bool has_type(struct contract_judging *j, enum json_type type, const char *wanted)
{
	if (j->value->type == type)
		return true;
	contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "%s instead of %s",
		type_of(j->value), wanted);
	return false;
}

static void pass(struct contract_judging *j)
{
	j->out->outcome = CONTRACT_OK;
}

/* ---- bytes ---- */

static bool bytes_of(struct buf *out, const struct json *j)
{
	const char *hex;

	if (j->type == JSON_STRING) {
		buf_add(out, j->text, j->text_n);
		return true;
	}
	hex = json_str(j, "hex", NULL);
	if (!hex || strlen(hex) % 2)
		return false;
	buf_reserve(out, strlen(hex) / 2 + 1);
	buf_pad(out, '\0', strlen(hex) / 2);
	return hex_decode(out->s, hex, strlen(hex));
}

static void compare_bytes(
	struct contract_judging *j, const struct buf *wanted, const struct buf *got)
{
	size_t same = 0;

	while (same < wanted->n && same < got->n && wanted->s[same] == got->s[same])
		same++;
	if (same == wanted->n && same == got->n)
		pass(j);
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG,
			same == wanted->n	? CONTRACT_EXTRA
				: same == got->n ? CONTRACT_MISSING
						 : CONTRACT_CODE_NONE,
			"%zu bytes instead of %zu, the same up to byte %zu", got->n, wanted->n,
			same);
}

static void judge_bytes(struct contract_judging *j)
{
	const char *sha = json_str(j->c->expected, "sha256", NULL);
	struct buf got = BUF_INIT, wanted = BUF_INIT;
	char hex[DIGEST_HEX + 1];
	struct digest digest;

	if (!bytes_of(&got, j->value)) {
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE,
			"%s instead of a text or {\"hex\": ...}", type_of(j->value));
	} else if (sha) {
		digest = sha256_bytes(got.s, got.n);
		digest_hex(hex, &digest);
		if (strcmp(hex, sha) == 0)
			pass(j);
		else
			contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_CODE_NONE,
				"%zu bytes with SHA-256 %.12s... instead of %.12s...", got.n, hex,
				sha);
	} else if (bytes_of(&wanted, j->c->expected)) {
		compare_bytes(j, &wanted, &got);
	}
	buf_release(&got);
	buf_release(&wanted);
}

/* ---- values and labels ---- */

static bool is_truth(const struct json *j)
{
	return j->type == JSON_TRUE || j->type == JSON_FALSE;
}

static void judge_value(struct contract_judging *j)
{
	const struct json *wanted = j->c->expected;
	double v;

	if (contract_json_equal(wanted, j->value))
		pass(j);
	else if (wanted->type != j->value->type && !(is_truth(wanted) && is_truth(j->value)))
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "%s instead of %s",
			type_of(j->value), type_of(wanted));
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG,
			j->value->type == JSON_NUMBER &&
					text_to_double(j->value->text, j->value->text_n, &v) &&
					!isfinite(v)
				? CONTRACT_NON_FINITE
				: CONTRACT_CODE_NONE,
			"%s instead of %s", shown(j->arena, j->value), shown(j->arena, wanted));
}

static bool is_label(const struct contract *c, const char *text)
{
	for (size_t i = 0; i < c->labels_n; i++)
		if (strcmp(c->labels[i], text) == 0)
			return true;
	return c->labels_n == 0;
}

static void judge_label(struct contract_judging *j)
{
	if (!has_type(j, JSON_STRING, "a label"))
		return;
	if (contract_json_equal(j->value, j->c->expected))
		pass(j);
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_WRONG_LABEL,
			"%s instead of %s%s", shown(j->arena, j->value),
			shown(j->arena, j->c->expected),
			is_label(j->contract, j->value->text) ? ""
							      : ", and none of the fixed labels");
}

/* ---- members ---- */

/* Place of MEMBER in LIST; -1. */
static int64_t place_of(const struct json *list, const struct json *member)
{
	int64_t i = 0;

	for (const struct json *m = list->first; m; m = m->next, i++)
		if (contract_json_equal(m, member))
			return i;
	return -1;
}

/* The first of A that B has not; NULL. */
static const struct json *first_absent(const struct json *a, const struct json *b)
{
	for (const struct json *m = a->first; m; m = m->next)
		if (place_of(b, m) < 0)
			return m;
	return NULL;
}

static bool has_members(struct contract_judging *j)
{
	const struct json *missing = first_absent(j->c->expected, j->value);
	const struct json *extra = first_absent(j->value, j->c->expected);

	if (!missing && !extra && j->value->count == j->c->expected->count)
		return true;
	if (missing)
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_MISSING,
			"%s is not among the %zu member%s%s%s", shown(j->arena, missing),
			j->value->count, j->value->count == 1 ? "" : "s",
			extra ? ", which have instead " : "", extra ? shown(j->arena, extra) : "");
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA, "%s%s",
			extra ? shown(j->arena, extra) : "a member twice",
			extra ? " is not expected" : "");
	return false;
}

static bool is_short_list(struct contract_judging *j)
{
	if (!has_type(j, JSON_ARRAY, "a list"))
		return false;
	if (j->value->count <= 100 * CONTRACT_LIST_MAX)
		return true;
	contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_EXTRA, "%zu members instead of %zu",
		j->value->count, j->c->expected->count);
	return false;
}

static void judge_set(struct contract_judging *j)
{
	if (is_short_list(j) && has_members(j))
		pass(j);
}

static void judge_order(struct contract_judging *j)
{
	int64_t allowed = j->c->tolerance.has_positions ? j->c->tolerance.positions : 0;
	int64_t place = 0, most = 0;
	const struct json *worst = NULL;

	if (!is_short_list(j))
		return;
	if (j->value->count != j->c->expected->count) {
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE,
			j->value->count < j->c->expected->count ? CONTRACT_MISSING : CONTRACT_EXTRA,
			"%zu members instead of %zu", j->value->count, j->c->expected->count);
		return;
	}
	if (!has_members(j))
		return;
	for (const struct json *m = j->c->expected->first; m; m = m->next, place++) {
		int64_t moved = place_of(j->value, m) - place;

		moved = moved < 0 ? -moved : moved;
		if (moved > most)
			worst = m;
		most = moved > most ? moved : most;
	}
	j->out->least = arena_printf(j->arena, "positions %" PRId64, most);
	if (most <= allowed)
		pass(j);
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE,
			"%s has moved by %" PRId64 " places, %" PRId64 " are accepted",
			shown(j->arena, worst), most, allowed);
}

/* ---- numbers ---- */

static bool number_of(const struct json *j, double *out)
{
	return (j->type == JSON_NUMBER || j->type == JSON_STRING) &&
		text_to_double(j->text, j->text_n, out) &&
		(j->type == JSON_NUMBER || !isfinite(*out));
}

static void set_least(
	struct contract_judging *j, double d, double wanted, bool has_ulp, uint64_t ulp)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "absolute %s", contract_least_text(j->arena, d));
	if (wanted != 0)
		buf_addf(&b, ", or relative %s", contract_least_text(j->arena, d / fabs(wanted)));
	if (has_ulp)
		buf_addf(&b, ", or %" PRIu64 " ulp", ulp);
	j->out->least = arena_strdup(j->arena, b.s);
	buf_release(&b);
}

static void compare_numbers(struct contract_judging *j, double wanted, double got)
{
	const struct contract_tolerance *t = &j->c->tolerance;
	enum tensor_type type = contract_type_find(j->c->type);
	const struct tensor_type_facts *facts = tensor_type_facts(type);
	bool has_ulp = tensor_type_is_float(type);
	double absolute = t->has_absolute ? t->absolute : facts->atol;
	double relative = t->has_relative ? t->relative : facts->rtol;
	double d = fabs(got - wanted);
	uint64_t ulp = has_ulp ? tensor_ulp_distance(type, wanted, got) : 0;
	uint64_t steps = t->has_ulp ? (uint64_t)t->ulp : 1;

	j->out->borrowed_default = !t->has_absolute && !t->has_relative && !t->has_ulp;
	set_least(j, d, wanted, has_ulp, ulp);
	if (d <= absolute + relative * fabs(wanted) || (has_ulp && ulp <= steps))
		pass(j);
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE,
			"%s instead of %s; accepted: absolute %s, relative %s, %" PRIu64
			" ulp of %s",
			contract_number_text(j->arena, got), contract_number_text(j->arena, wanted),
			contract_number_text(j->arena, absolute),
			contract_number_text(j->arena, relative), has_ulp ? steps : 0, facts->name);
}

static void judge_number(struct contract_judging *j)
{
	double wanted, got;

	if (!number_of(j->value, &got))
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE,
			"%s instead of a number", type_of(j->value));
	else if (!isfinite(got))
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_NON_FINITE,
			"%s instead of %s", contract_number_text(j->arena, got),
			shown(j->arena, j->c->expected));
	else if (number_of(j->c->expected, &wanted))
		compare_numbers(j, wanted, got);
}

/* ---- text ---- */

static bool patterns_hold(struct contract_judging *j, const char *key, bool must)
{
	const struct json *list = json_get(j->c->expected, key);

	for (const struct json *p = list ? list->first : NULL; p; p = p->next) {
		enum text_pattern_answer answer =
			text_pattern_find(p->text, j->value->text, j->value->text_n);

		if (answer == TEXT_PATTERN_GAVE_UP) {
			contract_fail(j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
				"the pattern %s takes too long on this text", shown(j->arena, p));
			return false;
		}
		if ((answer == TEXT_PATTERN_FOUND) != must) {
			contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG,
				must ? CONTRACT_MISSING : CONTRACT_EXTRA,
				must ? "%s does not occur in %s" : "%s occurs in %s",
				shown(j->arena, p), shown(j->arena, j->value));
			return false;
		}
	}
	return true;
}

static void judge_text(struct contract_judging *j)
{
	if (has_type(j, JSON_STRING, "a text") && patterns_hold(j, "match", true) &&
		patterns_hold(j, "refuse", false))
		pass(j);
}

/* ---- all kinds ---- */

static bool is_empty(const struct json *j)
{
	return j->type == JSON_NULL || (j->type == JSON_STRING && !j->text_n) ||
		((j->type == JSON_ARRAY || j->type == JSON_OBJECT) && !j->count);
}

/* {"value": ..., "type": "bf16"}: a program may say which type its numbers have. */
static bool unwrap(struct contract_judging *j)
{
	const char *said = json_str(j->value, "type", "");
	bool numbers = j->c->kind == CONTRACT_NUMBER || j->c->kind == CONTRACT_TENSOR;

	if (!numbers || j->value->type != JSON_OBJECT)
		return true;
	if (*said && *j->c->type && contract_type_find(said) != contract_type_find(j->c->type)) {
		contract_fail(j, CONTRACT_UNEXPECTED_SHAPE, CONTRACT_DTYPE, "%s instead of %s",
			said, j->c->type);
		return false;
	}
	if (j->c->kind == CONTRACT_NUMBER && json_get(j->value, "value"))
		j->value = json_get(j->value, "value");
	return true;
}

static void judge_given(struct contract_judging *j)
{
	if (is_empty(j->value) && !is_empty(j->c->expected)) {
		contract_fail(j, CONTRACT_EMPTY, CONTRACT_MISSING, "nothing instead of %s",
			shown(j->arena, j->c->expected));
		return;
	}
	if (!unwrap(j))
		return;
	switch (j->c->kind) {
	case CONTRACT_EXACT_BYTES:
		judge_bytes(j);
		break;
	case CONTRACT_EXACT_VALUE:
		judge_value(j);
		break;
	case CONTRACT_LABEL:
		judge_label(j);
		break;
	case CONTRACT_SET:
		judge_set(j);
		break;
	case CONTRACT_ORDERED_TOP_K:
		judge_order(j);
		break;
	case CONTRACT_NUMBER:
		judge_number(j);
		break;
	case CONTRACT_TENSOR:
		contract_judge_tensor(j);
		break;
	case CONTRACT_TEXT_CONSTRAINT:
		judge_text(j);
		break;
	case CONTRACT_HUMAN:
		contract_fail(j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
			"a person looks at it (%s): %s", shown(j->arena, j->c->expected),
			shown(j->arena, j->value));
		break;
	case CONTRACT_KIND_NONE:
		break;
	}
}

/* Where an error is what is expected. */
static void judge_rejection(struct contract_judging *j, const struct contract_output *o)
{
	if (*o->error)
		pass(j);
	else
		contract_fail(j, CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA,
			"%s where the input must be refused", shown(j->arena, o->value));
}

void contract_judge(struct contract_result *out, const struct contract_case *c,
	const struct contract_output *o, const struct contract *contract,
	const struct contract_places *places, struct arena *a)
{
	struct contract_judging j = { out, c, o->value, contract, places, a };

	*out = (struct contract_result){ .text = "", .least = "" };
	if (!o->line)
		contract_fail(
			&j, CONTRACT_NOT_EVALUATED, CONTRACT_MISSING, "no output for this case");
	else if (o->contradicted_by)
		contract_fail(&j, CONTRACT_NOT_EVALUATED, CONTRACT_EXTRA,
			"two different answers, in lines %" PRId64 " and %" PRId64, o->line,
			o->contradicted_by);
	else if (*o->skipped)
		contract_fail(&j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE, "left out: %s",
			o->skipped);
	else if (c->rejects)
		judge_rejection(&j, o);
	else if (*o->error)
		contract_fail(&j, CONTRACT_EXCEPTION, CONTRACT_CODE_NONE, "%s", o->error);
	else
		judge_given(&j);
	out->unsupported = o->line && o->unsupported && out->outcome != CONTRACT_OK;
	/* A judge that came to no end has not judged. */
	if (out->outcome == CONTRACT_OUTCOME_NONE)
		contract_fail(&j, CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
			"what is expected cannot be read");
}
