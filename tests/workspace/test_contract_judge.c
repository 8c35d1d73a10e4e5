/*
 * test_contract_judge - outputs of a program against the cases of a contract: the kinds
 * of failure stay apart, and nothing passes that was not judged.
 */
#include "config.h"

#include "../unit.h"

#include "base/buf.h"
#include "base/err.h"
#include "workspace/contract_judge.h"

static const char head[] =
	"{\"contract\":1,\"task\":\"t\",\"fixed\":{\"model\":\"m\",\"input-processing\":\"p\","
	"\"labels\":[\"film\",\"sport\",\"none\"],\"settings\":\"s\",\"configuration\":\"c\"},"
	"\"without\":{\"normal\":\"-\",\"long\":\"-\",\"ambiguous\":\"-\",\"special\":\"-\"},"
	"\"cases\":[{\"id\":\"it\",\"role\":\"short\",\"why\":\"w\",\"input\":0,";

/* What stands of the case behind its input, what a program wrote, and what follows. */
static const struct judged {
	const char *rest, *lines;
	enum contract_outcome outcome;
	enum contract_code code;
	const char *text;
} table[] = {
#define KIND(kind, rest) "\"kind\":\"" kind "\"," rest "}]}"
#define OUT(value) "{\"case\":\"it\",\"output\":" value "}\n"
	/* nothing, errors, left out */
	{ KIND("label", "\"expected\":\"film\""), "", CONTRACT_NOT_EVALUATED, CONTRACT_MISSING,
		"no output" },
	{ KIND("label", "\"expected\":\"film\""), "{\"case\":\"it\",\"error\":\"OOM\"}",
		CONTRACT_EXCEPTION, CONTRACT_CODE_NONE, "OOM" },
	{ KIND("label", "\"expected\":\"film\""), "{\"case\":\"it\",\"error\":null}",
		CONTRACT_EXCEPTION, CONTRACT_CODE_NONE, "" },
	{ KIND("label", "\"expected\":\"film\""), "{\"case\":\"it\",\"skipped\":\"no file\"}",
		CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE, "left out: no file" },
	{ KIND("label", "\"expected\":\"film\""), OUT("\"film\"") OUT("\"film\""), CONTRACT_OK,
		CONTRACT_CODE_NONE, "" },
	{ KIND("label", "\"expected\":\"film\""), OUT("\"film\"") OUT("\"sport\""),
		CONTRACT_NOT_EVALUATED, CONTRACT_EXTRA, "two different answers" },
	{ KIND("label", "\"rejects\":true"), "{\"case\":\"it\",\"error\":\"no topic\"}",
		CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("label", "\"rejects\":true"), OUT("\"film\""), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_EXTRA, "must be refused" },
	{ KIND("label", "\"rejects\":true"), "", CONTRACT_NOT_EVALUATED, CONTRACT_MISSING, "" },
	/* labels */
	{ KIND("label", "\"expected\":\"film\""), OUT("\"film\""), CONTRACT_OK, CONTRACT_CODE_NONE,
		"" },
	{ KIND("label", "\"expected\":\"film\""), OUT("\"sport\""), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_WRONG_LABEL, "\"sport\" instead of \"film\"" },
	{ KIND("label", "\"expected\":\"film\""), OUT("\"opera\""), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_WRONG_LABEL, "none of the fixed labels" },
	{ KIND("label", "\"expected\":\"film\""), OUT("0"), CONTRACT_UNEXPECTED_SHAPE,
		CONTRACT_CODE_NONE, "a number instead of a label" },
	{ KIND("label", "\"expected\":\"film\""), OUT("\"\""), CONTRACT_EMPTY, CONTRACT_MISSING,
		"nothing" },
	{ KIND("label", "\"expected\":\"film\""), OUT("null"), CONTRACT_EMPTY, CONTRACT_MISSING,
		"nothing" },
	/* values and bytes */
	{ KIND("exact-value", "\"expected\":{\"a\":[1,null]}"), OUT("{\"a\":[1.0,null]}"),
		CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("exact-value", "\"expected\":1"), OUT("NaN"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_NON_FINITE, "" },
	{ KIND("exact-value", "\"expected\":1"), OUT("[1]"), CONTRACT_UNEXPECTED_SHAPE,
		CONTRACT_CODE_NONE, "a list instead of a number" },
	{ KIND("exact-value", "\"expected\":false"), OUT("true"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_CODE_NONE, "true instead of false" },
	{ KIND("exact-value", "\"expected\":\"\""), OUT("\"\""), CONTRACT_OK, CONTRACT_CODE_NONE,
		"" },
	{ KIND("exact-bytes", "\"expected\":\"abc\""), OUT("{\"hex\":\"616263\"}"), CONTRACT_OK,
		CONTRACT_CODE_NONE, "" },
	{ KIND("exact-bytes", "\"expected\":\"abc\""), OUT("\"abcd\""),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA, "4 bytes instead of 3" },
	{ KIND("exact-bytes", "\"expected\":\"abc\""), OUT("\"ab\""), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_MISSING, "up to byte 2" },
	{ KIND("exact-bytes",
		  "\"expected\":{\"sha256\":"
			"\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"}"),
		OUT("\"abc\""), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("exact-bytes", "\"expected\":{\"hex\":\"00ff\"}"), OUT("{\"hex\":\"00fe\"}"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_CODE_NONE, "up to byte 1" },
	{ KIND("exact-bytes", "\"expected\":\"abc\""), OUT("{\"hex\":\"6\"}"),
		CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "" },
	/* members */
	{ KIND("set", "\"expected\":[\"film\",\"sport\"]"), OUT("[\"sport\",\"film\"]"),
		CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("set", "\"expected\":[\"film\",\"sport\"]"), OUT("[\"sport\"]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_MISSING, "\"film\" is not among" },
	{ KIND("set", "\"expected\":[\"film\"]"), OUT("[\"film\",\"sport\"]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA, "\"sport\" is not expected" },
	{ KIND("set", "\"expected\":[\"film\"]"), OUT("[\"film\",\"film\"]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA, "a member twice" },
	{ KIND("set", "\"expected\":[]"), OUT("[]"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("ordered-top-k", "\"expected\":[1,2,3]"), OUT("[1,2,3]"), CONTRACT_OK,
		CONTRACT_CODE_NONE, "" },
	{ KIND("ordered-top-k", "\"expected\":[1,2,3]"), OUT("[2,1,3]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE, "moved by 1 places" },
	{ KIND("ordered-top-k",
		  "\"expected\":[1,2,3],\"tolerance\":{\"positions\":1,\"reason\":\"near ties\"}"),
		OUT("[2,1,3]"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("ordered-top-k",
		  "\"expected\":[1,2,3],\"tolerance\":{\"positions\":1,\"reason\":\"near ties\"}"),
		OUT("[3,2,1]"), CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE,
		"2 places" },
	{ KIND("ordered-top-k", "\"expected\":[1,2,3]"), OUT("[1,2]"), CONTRACT_UNEXPECTED_SHAPE,
		CONTRACT_MISSING, "2 members instead of 3" },
	{ KIND("ordered-top-k", "\"expected\":[1,2,3]"), OUT("[1,2,4]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_MISSING, "3 is not among" },
	/* numbers: defaults of the type, one step at least, what was chosen */
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""), OUT("1.00001"), CONTRACT_OK,
		CONTRACT_CODE_NONE, "" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""), OUT("1.0001"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE, "relative 1.3e-06" },
	{ KIND("number", "\"expected\":1,\"type\":\"bf16\""), OUT("1.015"), CONTRACT_OK,
		CONTRACT_CODE_NONE, "" },
	{ KIND("number",
		  "\"expected\":1,\"type\":\"bf16\",\"tolerance\":{\"absolute\":0,\"relative\":0,"
		  "\"reason\":\"r\"}"),
		OUT("1.0078125"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("number",
		  "\"expected\":1,\"type\":\"bf16\",\"tolerance\":{\"absolute\":0,\"relative\":0,"
		  "\"reason\":\"r\"}"),
		OUT("1.015625"), CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE, "" },
	{ KIND("number",
		  "\"expected\":0,\"type\":\"f32\",\"tolerance\":{\"absolute\":0.5,"
		  "\"reason\":\"r\"}"),
		OUT("0.5"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("number", "\"expected\":1,\"type\":\"i32\""), OUT("2"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_OUT_OF_TOLERANCE, "" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""), OUT("Infinity"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_NON_FINITE, "" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""), OUT("\"NaN\""),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_NON_FINITE, "" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""), OUT("\"1\""),
		CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "a text instead of a number" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""),
		OUT("{\"value\":1,\"type\":\"bfloat16\"}"), CONTRACT_UNEXPECTED_SHAPE,
		CONTRACT_DTYPE, "bfloat16 instead of f32" },
	{ KIND("number", "\"expected\":1,\"type\":\"f32\""),
		OUT("{\"value\":1,\"type\":\"torch.float32\"}"), CONTRACT_OK, CONTRACT_CODE_NONE,
		"" },
	/* tensors */
#define TENSOR(type, more)                                                                         \
	KIND("tensor",                                                                             \
		"\"expected\":{\"shape\":[2,2],\"values\":[1,2,3,4]},\"type\":\"" type "\"" more)
#define ARRAY(values) OUT("{\"shape\":[2,2],\"values\":" values "}")
	{ TENSOR("f32", ""), ARRAY("[1,2,3,4]"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ TENSOR("f32", ""), ARRAY("[1,2,3,4.001]"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_OUT_OF_TOLERANCE, "1 of 4 values are outside, the first at [1, 1]" },
	{ TENSOR("bf16", ""), ARRAY("[1,2,3,4.03125]"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ TENSOR("f16", ""), ARRAY("[1,2,3,-4]"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_OUT_OF_TOLERANCE, "" },
	{ TENSOR("i32", ""), ARRAY("[1,2,3,-4]"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_OUT_OF_TOLERANCE, "" },
	{ TENSOR("f32", ""), ARRAY("[1,2,NaN,4]"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_NON_FINITE, "1 of 4" },
	{ TENSOR("f16", ""), ARRAY("[1,2,3,\"-Infinity\"]"), CONTRACT_PLAUSIBLE_BUT_WRONG,
		CONTRACT_NON_FINITE, "1 of 4" },
	{ TENSOR("f32", ""), OUT("{\"shape\":[4],\"values\":[1,2,3,4]}"), CONTRACT_UNEXPECTED_SHAPE,
		CONTRACT_CODE_NONE, "shape (4,) instead of (2, 2)" },
	{ TENSOR("f32", ""), ARRAY("[1,2,3]"), CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "" },
	{ TENSOR("f32", ""), OUT("[[1,2],[3,4]]"), CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE,
		"" },
	{ TENSOR("f32", ""), OUT("{\"shape\":[2,2],\"values\":[1,2,3,4],\"type\":\"f16\"}"),
		CONTRACT_UNEXPECTED_SHAPE, CONTRACT_DTYPE, "f16 instead of f32" },
	{ TENSOR("f32", ""), OUT("{\"file\":\"x.npy\"}"), CONTRACT_NOT_EVALUATED,
		CONTRACT_CODE_NONE, "x.npy" },
	{ TENSOR("f32", ""), OUT("{\"file\":\"../x.npy\"}"), CONTRACT_NOT_EVALUATED,
		CONTRACT_CODE_NONE, "" },
	{ TENSOR("u8", ""), ARRAY("[1,2,3,256]"), CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE,
		"u8 cannot hold" },
	{ TENSOR("f32", ",\"tolerance\":{\"cosine\":0.99,\"reason\":\"r\"}"), ARRAY("[2,4,6,8]"),
		CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ TENSOR("f32", ",\"tolerance\":{\"cosine\":0.99,\"reason\":\"r\"}"), ARRAY("[4,3,2,1]"),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE, "cosine" },
	{ TENSOR("f32", ",\"tolerance\":{\"rmse-ratio\":0.1,\"reason\":\"r\"}"),
		ARRAY("[1.1,2.1,3.1,4.1]"), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ TENSOR("f32", ",\"tolerance\":{\"rmse-ratio\":0.01,\"reason\":\"r\"}"),
		ARRAY("[1.1,2.1,3.1,4.1]"), CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_OUT_OF_TOLERANCE,
		"RMSE ratio" },
	{ KIND("tensor", "\"expected\":{\"shape\":[1],\"values\":[\"NaN\"]},\"type\":\"f32\""),
		OUT("{\"shape\":[1],\"values\":[NaN]}"), CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE,
		"no pair of finite values" },
	/* texts and people */
	{ KIND("text-constraint", "\"expected\":{\"match\":[\"(?i)film\"],\"refuse\":[\"sport\"]}"),
		OUT("\"a Film night\""), CONTRACT_OK, CONTRACT_CODE_NONE, "" },
	{ KIND("text-constraint", "\"expected\":{\"match\":[\"film\"]}"), OUT("\"a match\""),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_MISSING, "does not occur" },
	{ KIND("text-constraint", "\"expected\":{\"refuse\":[\"sport\"]}"), OUT("\"sports\""),
		CONTRACT_PLAUSIBLE_BUT_WRONG, CONTRACT_EXTRA, "occurs in" },
	{ KIND("text-constraint", "\"expected\":{\"match\":[\"^(a+)+$\"]}"),
		OUT("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\""), CONTRACT_NOT_EVALUATED,
		CONTRACT_CODE_NONE, "takes too long" },
	{ KIND("text-constraint", "\"expected\":{\"match\":[\"a\"]}"), OUT("[\"a\"]"),
		CONTRACT_UNEXPECTED_SHAPE, CONTRACT_CODE_NONE, "" },
	{ KIND("human", "\"expected\":\"names the place\""), OUT("\"in the hall\""),
		CONTRACT_NOT_EVALUATED, CONTRACT_CODE_NONE, "a person looks at it" },
};

static void judge(struct contract_result *r, const struct judged *row, struct arena *a,
	struct contract *c, struct contract_outputs *o)
{
	const char *text = arena_printf(a, "%s%s", head, row->rest);
	const struct contract_places nowhere = { NULL, NULL };

	if (contract_read(c, text, strlen(text), contract_knows_type) < 0)
		fail_msg("%s: %s", row->rest, err_text());
	assert_int_equal(contract_outputs_read(o, c, row->lines, strlen(row->lines)), 0);
	contract_judge(r, &c->cases[0], &o->cases[0], c, &nowhere, a);
}

static void outcomes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		const struct judged *row = &table[i];
		struct contract_outputs o;
		struct arena a = ARENA_INIT;
		struct contract_result r;
		struct contract c;

		judge(&r, row, &a, &c, &o);
		if (r.outcome != row->outcome || r.code != row->code || !strstr(r.text, row->text))
			fail_msg("%s with %s: %s, %s: %s", row->rest, row->lines,
				word_name(&words_contract_outcome, (int)r.outcome),
				word_name(&words_contract_code, (int)r.code), r.text);
		assert_true(r.outcome != CONTRACT_OK || !*r.text);
		contract_outputs_release(&o);
		contract_release(&c);
		arena_release(&a);
	}
}

/* The least tolerance that passes is printed, and it passes. */
static void least_is_enough(void **state)
{
	static const struct judged row = { TENSOR("f32", ""), ARRAY("[1,2,3,4.5]"), 0, 0, "" };
	static const struct judged number = { KIND("number", "\"expected\":2,\"type\":\"bf16\""),
		OUT("2.5"), 0, 0, "" };
	struct contract_outputs o;
	struct arena a = ARENA_INIT;
	struct contract_result r;
	struct contract c;

	(void)state;
	judge(&r, &row, &a, &c, &o);
	assert_true(r.borrowed_default);
	assert_non_null(strstr(r.least, "absolute 0.5, "));
	assert_non_null(strstr(r.least, "ulp"));
	contract_outputs_release(&o);
	contract_release(&c);
	judge(&r, &number, &a, &c, &o);
	assert_string_equal(r.least, "absolute 0.5, or relative 0.25, or 32 ulp");
	contract_outputs_release(&o);
	contract_release(&c);
	arena_release(&a);
}

/* What is no line of outputs is counted, and nothing of it is taken. */
static void hostile_lines(void **state)
{
	static const char lines[] =
		"{\"case\":\"it\",\"output\":\n\n[]\n{\"case\":\"it\"}\n"
		"{\"case\":\"an\\u001b[2Jother\",\"output\":1}\n{\"checkpoint\":\"x\","
		"\"value\":1}\n"
		"{\"checkpoint\":\"device\",\"value\":\"TPU v5e\"}\n{\"a\":1}\n"
		"{\"checkpoint\":\"conditions\",\"value\":\"b 8\",\"met\":true}\n";
	static const struct judged row = { KIND("human", "\"expected\":\"e\""), "", 0, 0, "" };
	struct contract_outputs o;
	struct arena a = ARENA_INIT;
	struct contract_result r;
	struct contract c;

	(void)state;
	judge(&r, &row, &a, &c, &o);
	contract_outputs_release(&o);
	assert_int_equal(contract_outputs_read(&o, &c, lines, sizeof lines - 1), 0);
	assert_int_equal(o.bad_lines, 5);
	assert_int_equal(o.first_bad, 1);
	assert_int_equal(o.foreign_n, 1);
	assert_string_equal(o.foreign[0], "an^[[2Jother");
	assert_string_equal(o.device, "TPU v5e");
	assert_true(o.conditions_said && o.conditions_met);
	assert_int_equal(o.cases[0].line, 0);
	contract_outputs_release(&o);
	contract_release(&c);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes),
		cmocka_unit_test(least_is_enough),
		cmocka_unit_test(hostile_lines),
	};

	return cmocka_run_group_tests_name("contract_judge", tests, NULL, NULL);
}
