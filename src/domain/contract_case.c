/* contract_case - one case of contract.json; see contract.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/text_pattern.h"
#include "domain/contract_private.h"
#include "domain/kind.h"

enum { VALUES_MAX = 1 << 16, DIMENSIONS_MAX = 32 };

/* Which numbers a tolerance of each kind may have. */
static const char *const tolerance_keys[][7] = {
	[CONTRACT_NUMBER] = { "absolute", "relative", "ulp", "reason" },
	[CONTRACT_TENSOR] = { "absolute", "relative", "ulp", "cosine", "rmse-ratio", "reason" },
	[CONTRACT_ORDERED_TOP_K] = { "positions", "reason" },
	[CONTRACT_HUMAN] = { NULL },
};

bool contract_kind_has_tolerance(enum contract_kind kind)
{
	return (size_t)kind < ARRAY_LEN(tolerance_keys) && tolerance_keys[kind][0];
}

/* ---- what is expected ---- */

static void check_bytes(struct contract_reader *r, const char *path, const struct json *j)
{
	static const char *const keys[] = { "hex", "sha256", NULL };
	const char *hex, *sha;
	struct digest digest;

	if (j->type == JSON_STRING || !contract_object(r, path, j, keys))
		return;
	hex = json_str(j, "hex", NULL);
	sha = json_str(j, "sha256", NULL);
	if (!hex == !sha)
		contract_mistake(r, path, "needs a text, or one of hex and sha256");
	else if (sha && !digest_from_hex(&digest, sha))
		contract_mistake(r, contract_below(r, path, "sha256"),
			"is no SHA-256 of 64 small hexadecimal digits");
	else if (hex && (strlen(hex) % 2 || hex[strspn(hex, "0123456789abcdefABCDEF")]))
		contract_mistake(r, contract_below(r, path, "hex"),
			"is no even number of hexadecimal digits");
}

static void check_label(struct contract_reader *r, const char *path, const struct json *j)
{
	const struct contract *c = r->contract;

	if (j->type != JSON_STRING || !j->text_n) {
		contract_mistake(r, path, "is no label");
		return;
	}
	for (size_t i = 0; i < c->labels_n; i++)
		if (strcmp(c->labels[i], j->text) == 0)
			return;
	contract_mistake(r, path, "\"%s\" is none of fixed.labels", j->text);
}

static void check_members(
	struct contract_reader *r, const char *path, const struct json *j, bool may_be_empty)
{
	size_t i = 0;

	if (j->type != JSON_ARRAY || j->count > CONTRACT_LIST_MAX || (!j->count && !may_be_empty)) {
		contract_mistake(r, path, "is no list of %d to %d members", may_be_empty ? 0 : 1,
			CONTRACT_LIST_MAX);
		return;
	}
	for (const struct json *a = j->first; a; a = a->next, i++)
		for (const struct json *b = j->first; b != a; b = b->next)
			if (contract_json_equal(a, b)) {
				contract_mistake(r, contract_member(r, path, i),
					"is there twice");
				break;
			}
}

static void check_number(struct contract_reader *r, const char *path, const struct json *j)
{
	double v;

	if (j->type != JSON_NUMBER || !text_to_double(j->text, j->text_n, &v) || !isfinite(v))
		contract_mistake(r, path, "is no finite number");
}

static void check_values(struct contract_reader *r, const char *path, const struct json *values,
	uint64_t wanted)
{
	size_t i = 0;
	double v;

	if (!values || values->type != JSON_ARRAY || values->count != wanted) {
		contract_mistake(r, path, "is no list of %llu numbers, as the shape says",
			(unsigned long long)wanted);
		return;
	}
	for (const struct json *child = values->first; child; child = child->next, i++)
		if ((child->type != JSON_NUMBER && child->type != JSON_STRING) ||
			!text_to_double(child->text, child->text_n, &v) ||
			(child->type == JSON_NUMBER && !isfinite(v))) {
			contract_mistake(r, contract_member(r, path, i),
				"is no number; not finite ones are \"NaN\", \"Infinity\", "
				"\"-Infinity\"");
			return;
		}
}

static void check_shape(struct contract_reader *r, const char *path, const struct json *j)
{
	const struct json *shape = json_get(j, "shape");
	const char *at = contract_below(r, path, "shape");
	uint64_t count = 1;

	if (!shape || shape->type != JSON_ARRAY || shape->count > DIMENSIONS_MAX) {
		contract_mistake(
			r, at, "is no list of at most %d whole numbers", DIMENSIONS_MAX);
		return;
	}
	for (const struct json *d = shape->first; d; d = d->next) {
		int64_t v;

		if (d->type != JSON_NUMBER || !text_to_i64(d->text, d->text_n, &v) || v < 1 ||
			v > VALUES_MAX || (count *= (uint64_t)v) > VALUES_MAX) {
			contract_mistake(r, at,
				"is no shape of 1 to %d values; put a larger tensor into a file",
				VALUES_MAX);
			return;
		}
	}
	check_values(r, contract_below(r, path, "values"), json_get(j, "values"), count);
}

static void check_tensor(struct contract_reader *r, const char *path, const struct json *j)
{
	static const char *const keys[] = { "shape", "values", "file", NULL };
	const char *file;

	if (!contract_object(r, path, j, keys))
		return;
	if (!json_get(j, "file")) {
		check_shape(r, path, j);
		return;
	}
	file = contract_text(r, path, j, "file", true);
	if (j->count != 1)
		contract_mistake(r, path, "has a file and values; take one of them");
	if (*file && !fs_is_inside(file))
		contract_mistake(r, contract_below(r, path, "file"), "leads out of the work tree");
}

static void check_patterns(
	struct contract_reader *r, const char *path, const struct json *j, size_t *n)
{
	size_t found;
	const char **list = contract_list(r, path, j, NULL, "patterns", &found);

	for (size_t i = 0; i < found; i++)
		if (*list[i] && text_pattern_check(list[i]) < 0) {
			contract_mistake(r, contract_member(r, path, i), "%s", err_text());
			err_clear();
		}
	*n += found;
}

static void check_constraint(struct contract_reader *r, const char *path, const struct json *j)
{
	static const char *const keys[] = { "match", "refuse", NULL };
	size_t n = 0;

	if (!contract_object(r, path, j, keys))
		return;
	check_patterns(r, contract_below(r, path, "match"), json_get(j, "match"), &n);
	check_patterns(r, contract_below(r, path, "refuse"), json_get(j, "refuse"), &n);
	if (!n)
		contract_mistake(r, path, "has no pattern, so any text would do");
}

static void check_expected(
	struct contract_reader *r, const char *path, const struct contract_case *c)
{
	const struct json *j = c->expected;

	switch (c->kind) {
	case CONTRACT_EXACT_BYTES:
		check_bytes(r, path, j);
		break;
	case CONTRACT_LABEL:
		check_label(r, path, j);
		break;
	case CONTRACT_SET:
		check_members(r, path, j, true);
		break;
	case CONTRACT_ORDERED_TOP_K:
		check_members(r, path, j, false);
		break;
	case CONTRACT_NUMBER:
		check_number(r, path, j);
		break;
	case CONTRACT_TENSOR:
		check_tensor(r, path, j);
		break;
	case CONTRACT_TEXT_CONSTRAINT:
		check_constraint(r, path, j);
		break;
	case CONTRACT_HUMAN:
		(void)contract_text_value(r, path, j, true);
		break;
	case CONTRACT_EXACT_VALUE:
	case CONTRACT_KIND_NONE:
		break;
	}
}

static void read_expected(struct contract_case *out, struct contract_reader *r, const char *path,
	const struct json *j)
{
	const struct json *rejects = json_get(j, "rejects");
	const char *at = contract_below(r, path, "expected");

	out->expected = json_get(j, "expected");
	out->rejects = rejects && rejects->type == JSON_TRUE;
	if (rejects && rejects->type != JSON_TRUE && rejects->type != JSON_FALSE)
		contract_mistake(
			r, contract_below(r, path, "rejects"), "is neither true nor false");
	if (out->rejects && out->expected)
		contract_mistake(r, at, "contradicts rejects: an error is what is expected");
	else if (!out->rejects && !out->expected)
		contract_mistake(r, at, "is missing");
	else if (out->expected)
		check_expected(r, at, out);
}

/* ---- tolerance ---- */

static bool read_amount(struct contract_reader *r, const char *path, const struct json *tolerance,
	const char *key, double most, double *out)
{
	const struct json *j = json_get(tolerance, key);

	if (!j)
		return false;
	if (j->type == JSON_NUMBER && text_to_double(j->text, j->text_n, out) && isfinite(*out) &&
		*out >= 0 && *out <= most)
		return true;
	contract_mistake(r, contract_below(r, path, key), "is no number from 0 to %g", most);
	return false;
}

static bool read_count(struct contract_reader *r, const char *path, const struct json *tolerance,
	const char *key, int64_t *out)
{
	const struct json *j = json_get(tolerance, key);

	if (!j)
		return false;
	if (j->type == JSON_NUMBER && text_to_i64(j->text, j->text_n, out) && *out >= 1 &&
		*out <= INT32_MAX)
		return true;
	contract_mistake(r, contract_below(r, path, key), "is no whole number, 1 or more");
	return false;
}

static void read_tolerance(struct contract_case *out, struct contract_reader *r, const char *path,
	const struct json *j)
{
	const struct json *tolerance = json_get(j, "tolerance");
	const char *at = contract_below(r, path, "tolerance");
	struct contract_tolerance *t = &out->tolerance;

	t->reason = "";
	if (!tolerance)
		return;
	if (!contract_kind_has_tolerance(out->kind)) {
		contract_mistake(r, at, "has no meaning for %s, which is exact",
			word_name(&words_contract_kind, (int)out->kind));
		return;
	}
	if (!contract_object(r, at, tolerance, tolerance_keys[out->kind]))
		return;
	t->given = true;
	t->has_absolute = read_amount(r, at, tolerance, "absolute", 1e300, &t->absolute);
	t->has_relative = read_amount(r, at, tolerance, "relative", 1e300, &t->relative);
	t->has_cosine = read_amount(r, at, tolerance, "cosine", 1, &t->cosine);
	t->has_rmse_ratio = read_amount(r, at, tolerance, "rmse-ratio", 1e300, &t->rmse_ratio);
	t->has_ulp = read_count(r, at, tolerance, "ulp", &t->ulp);
	t->has_positions = read_count(r, at, tolerance, "positions", &t->positions);
	if (!json_get(tolerance, "reason"))
		contract_mistake(
			r, at, "needs a reason: why is an output that far off still right?");
	else
		t->reason = contract_text(r, at, tolerance, "reason", true);
	if (tolerance->count < 2)
		contract_mistake(
			r, at, "says no number; without one the default of the type holds");
}

void contract_tolerance_add(struct buf *out, const struct contract_tolerance *t)
{
	const struct {
		const char *name;
		bool has;
		double value;
	} parts[] = {
		{ "absolute", t->has_absolute, t->absolute },
		{ "relative", t->has_relative, t->relative },
		{ "ulp", t->has_ulp, (double)t->ulp },
		{ "cosine at least", t->has_cosine, t->cosine },
		{ "rmse ratio", t->has_rmse_ratio, t->rmse_ratio },
		{ "positions", t->has_positions, (double)t->positions },
	};
	const char *comma = "";

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		char number[TEXT_DOUBLE_MAX];

		if (!parts[i].has)
			continue;
		text_from_double(number, parts[i].value);
		buf_addf(out, "%s%s %s", comma, parts[i].name, number);
		comma = ", ";
	}
}

/* ---- one case ---- */

static int read_word(struct contract_reader *r, const char *path, const struct json *j,
	const char *key, const struct words *words)
{
	const char *text = contract_text(r, path, j, key, true);
	struct buf choices = BUF_INIT;
	int value = word_find(words, text);

	if (*text && value <= 0) {
		word_add_choices(&choices, words);
		contract_mistake(r, contract_below(r, path, key), "\"%s\" is none of: %s", text,
			choices.s);
	}
	buf_release(&choices);
	return value > 0 ? value : 0;
}

static void read_type(struct contract_case *out, struct contract_reader *r, const char *path,
	const struct json *j)
{
	const char *at = contract_below(r, path, "type");
	bool numbers = out->kind == CONTRACT_NUMBER || out->kind == CONTRACT_TENSOR;
	bool needed = !out->rejects &&
		(out->kind == CONTRACT_NUMBER ||
			(out->kind == CONTRACT_TENSOR && !json_get(out->expected, "file")));

	out->type = contract_text(r, path, j, "type", false);
	if (*out->type && !numbers)
		contract_mistake(r, at, "has a meaning for numbers and tensors only");
	else if (*out->type && r->knows_type && !r->knows_type(out->type))
		contract_mistake(r, at,
			"\"%s\" is no type of numbers; write bf16, f16, f32, f64, ...", out->type);
	else if (!*out->type && needed)
		contract_mistake(r, at,
			"is missing: which type do the numbers have (bf16, f16, f32, f64)? "
			"tolerances follow from it");
}

void contract_case_read(struct contract_case *out, struct contract_reader *r, const char *path,
	const struct json *j)
{
	static const char *const keys[] = { "id", "role", "kind", "why", "input", "expected",
		"rejects", "type", "tolerance", NULL };

	*out = (struct contract_case){ .id = "", .why = "", .type = "", .tolerance.reason = "" };
	if (!contract_object(r, path, j, keys))
		return;
	out->id = contract_text(r, path, j, "id", true);
	if (*out->id && !name_is_plain(out->id))
		contract_mistake(r, contract_below(r, path, "id"),
			"is no name of letters, digits, dot, dash, underscore");
	out->role = (enum contract_role)read_word(r, path, j, "role", &words_contract_role);
	out->kind = (enum contract_kind)read_word(r, path, j, "kind", &words_contract_kind);
	out->why = contract_text(r, path, j, "why", true);
	out->input = json_get(j, "input");
	if (!out->input)
		contract_mistake(r, contract_below(r, path, "input"), "is missing");
	read_expected(out, r, path, j);
	read_type(out, r, path, j);
	read_tolerance(out, r, path, j);
}
