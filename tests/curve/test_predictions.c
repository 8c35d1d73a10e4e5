/*
 * Predictions by example: forms of files, joining by id, and the paired test.
 */
#include "config.h"

#include "tests/curve/store_fixture.h"

#include "curve/predictions.h"

static struct predictions *read_text(const char *text)
{
	struct predictions *p;

	if (predictions_read_memory(&p, "file", text, strlen(text)) < 0)
		fail_msg("%s", err_text());
	return p;
}

static void counts_are(const char *text, int64_t examples, int64_t correct)
{
	struct predictions *p = read_text(text);
	struct predictions_counts c = predictions_count(p);

	if (c.examples != examples || c.correct != correct)
		fail_msg("%lld examples, %lld correct of \"%s\"", (long long)c.examples,
			(long long)c.correct, text);
	predictions_free(p);
}

/* ---- forms ---- */

static void test_forms(void **state)
{
	(void)state;
	counts_are("id,prediction,label\n1,0,0\n2,1,0\n3,1,1\n", 3, 2);
	counts_are("\xef\xbb\xbfIdx\tPred\tGold\r\n1\ta\ta\r\n2\tb\ta\r\n", 2, 1);
	counts_are("index,text,label,prediction\n0,\"a, \"\"b\"\"\nc\",x,x\n1,\"d\",x,y\n", 2, 1);
	counts_are("guid,correct\ndev-1,True\ndev-2,false\ndev-3,1\ndev-4,0.0\n", 4, 2);
	counts_are("{\"id\": 1, \"prediction\": \"yes\", \"label\": \"yes\"}\n"
		   "{\"id\": 2, \"prediction\": 1, \"label\": 1.0}\n"
		   "{\"id\": \"3\", \"prediction\": true, \"label\": \"True\"}\n"
		   "{\"id\": 4, \"prediction\": \"\", \"label\": \"x\"}",
		4, 3);
	counts_are(
		"{\"doc_id\": 0, \"target\": \"a\", \"acc\": 1.0}\n{\"doc_id\": 1, \"acc\": 0}\n",
		2, 1);
	/* What the file says of an answer beats what it says of the label. */
	counts_are("id,pred,label,correct\n1,a,a,0\n2,a,b,1\n", 2, 1);
	/* The first name of a list. */
	counts_are("index,id,pred,label\n1,7,a,a\n1,8,a,a\n", 2, 2);
	/* The last row has no end. */
	counts_are("id,correct\n1,1\n2,1", 2, 2);
	/* A column without a name, and cells without a word, keep their places. */
	counts_are("\tid\tpred\tlabel\n0\t7\ta\ta\n1\t8\tb\ta\n2\t9\ta\ta\n", 3, 2);
	counts_are("\xef\xbb\xbf\tid\tpred\tlabel\r\n\t7\ta\ta\r\n\t8\tb\ta\r\n", 2, 1);
	counts_are("note\tid\tlabel\tpred\n\t7\ta\ta\n\t8\ta\t\n", 2, 1);
	counts_are("id,pred,label\t\n1,a,a\t\n2,b,a\n", 2, 1);
	/* A newline in quotes ends no record, not in the header either. */
	counts_are("id,\"note\nof two lines\",pred,label\n1,x,a,a\n2,y,b,a\n", 2, 1);
	counts_are("\"id\"\t\"a\n\"\"b\"\"\"\tpred\tlabel\n1\tx\ta\ta\n", 1, 1);
	/* In lines of JSON quotes are JSON's. */
	counts_are("{\"id\": 1, \"x\": \",\", \"y\":\",\", \"correct\": 1}\n{\"id\": 2, \"correct\": 0}\n", 2,
		1);
	/* Of a table of numbers. */
	counts_are("id,correct\n1.0,1\n1,1\n", 1, 1);
}

static void is_refused(const char *text, const char *words)
{
	struct predictions *p;

	assert_int_equal(predictions_read_memory(&p, "file", text, strlen(text)), ERR_PARSE);
	if (!strstr(err_text(), words))
		fail_msg("\"%s\" does not say \"%s\"", err_text(), words);
}

static void test_not_usable(void **state)
{
	struct predictions *p;

	(void)state;
	is_refused("", "it is empty");
	is_refused("index,prediction\n0,1\n1,0\n", "without labels");
	is_refused("{\"id\": 0, \"prediction\": 1}\n", "without labels");
	is_refused("id,correct\n1,maybe\n,1\n", "no row has an id");
	is_refused("{\"id\": 1, \"correct\": 0.5}\n{\"id\"\n", "no row has an id");
	assert_int_equal(predictions_read(&p, "/nonexistent/file", NULL), ERR_NOT_FOUND);
}

static const char *format_of(const char *folder, const char *name, const char *text)
{
	char *path = below(folder, name);
	const struct curve_format *format;

	write_file(folder, name, text);
	format = curve_format_recognise(path);
	free(path);
	return format ? format->name : "";
}

static void test_recognised(void **state)
{
	const char *folder = *state;

	assert_string_equal(format_of(folder, "a.csv", "id,pred,label\n1,2,3\n"), "predictions");
	assert_string_equal(format_of(folder, "a.tsv", "guid\tcorrect\nx\t1\n"), "predictions");
	assert_string_equal(
		format_of(folder, "a.jsonl", "{\"id\": 1, \"pred\": 2, \"label\": 3}\n"),
		"predictions");
	assert_string_equal(
		format_of(folder, "glue.tsv", "index\tprediction\n0\t1\n"), "predictions");
	/* A step, or an epoch, makes a row a point of a curve. */
	assert_string_equal(format_of(folder, "b.csv", "step,id,acc\n1,2,3\n"), "csv");
	assert_string_equal(format_of(folder, "b.jsonl", "{\"epoch\": 1, \"id\": 1, \"acc\": 1}\n"),
		"jsonl");
	assert_string_equal(format_of(folder, "c.csv", "id,text\n1,2\n"), "terminal");
	/* One rule of quotes for both kinds of table. */
	assert_string_equal(format_of(folder, "d.csv", "\"a\nb\",id,pred,label\n0,1,2,3\n"),
		"predictions");
	assert_string_equal(format_of(folder, "d.csv", "\"a\nb\",step\n0,1\n"), "csv");
}

/* As a curve file: no series, but what was there is counted, as it comes. */
static void test_followed(void **state)
{
	const char *folder = *state;
	char *path = below(folder, "p.csv");
	struct curve_file *f;

	write_file(folder, "p.csv", "id,pred,label\n1,a,a\n2,b");
	f = open_store(path, NULL);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(f->sink.health.records, 1);
	assert_int_equal(f->sink.health.tail_bytes, 3);
	append_file(folder, "p.csv", ",b\n3,x\n4,c,c");
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(f->sink.health.records, 2);
	assert_int_equal(f->sink.health.malformed, 1);
	curve_file_end(f);
	assert_int_equal(read_store(f), CURVE_CHANGED);
	assert_int_equal(f->sink.health.records, 3);
	assert_int_equal(f->sink.health.tail_bytes, 0);
	assert_int_equal(f->sink.series->n, 0);
	curve_file_free(f);
	free(path);
}

/* ---- joining ---- */

static struct predictions_pair join(const char *reference, const char *attempt)
{
	struct predictions *r = read_text(reference), *a = read_text(attempt);
	struct predictions_pair pair;

	predictions_join(&pair, r, a);
	predictions_free(r);
	predictions_free(a);
	return pair;
}

static void test_join(void **state)
{
	struct predictions_pair p = join("id,pred,label\n"
					 "1,a,a\n2,a,a\n3,b,a\n4,b,a\n"	/* both, b, c, neither */
					 "5,a,a\n"			/* here alone */
					 "6,a,a\n6,a,a\n"		/* repeated */
					 "7,a,a\n7,b,a\n"		/* contradicting */
					 "8,a,a\n"			/* of another label */
					 ",a,a\n",
		"id,pred,label\n"
		"4,b,a\n3,a,a\n2,b,a\n1,a,a\n6,a,a\n7,a,a\n8,b,b\n9,a,a\n10,a,a\n");

	(void)state;
	assert_int_equal(p.n, 5);
	assert_int_equal(p.both, 2);
	assert_int_equal(p.neither, 1);
	assert_int_equal(p.b, 1);
	assert_int_equal(p.c, 1);
	assert_int_equal(p.only_reference, 1);
	assert_int_equal(p.only_attempt, 2);
	assert_int_equal(p.contradicting, 1);
	assert_int_equal(p.other_label, 1);
	assert_int_equal(p.reference.repeated, 1);
	assert_int_equal(p.reference.contradicting, 1);
	assert_int_equal(p.reference.unreadable, 1);
	assert_int_equal(p.reference.rows, 10);
	assert_int_equal(p.reference.examples, 8);
	assert_near(p.mcnemar.p, 1, 1e-12);
}

/* A file of N examples of which the first WRONG from FIRST on are wrong. */
static char *table_of(int n, int first, int wrong)
{
	struct buf out = BUF_INIT;

	buf_adds(&out, "id,correct\n");
	for (int i = 0; i < n; i++)
		buf_addf(&out, "e%d,%d\n", i, !(i >= first && i < first + wrong));
	return buf_detach(&out);
}

/* b and c as in the tables of the test; p to six digits. */
static void test_exact(void **state)
{
	static const struct { int b, c, n; double p; } rows[] = {
		{ 3, 0, 408, 0.25 }, { 8, 5, 408, 0.581055 }, { 6, 0, 872, 0.03125 },
		{ 24, 10, 408, 0.0243065 }, { 34, 20, 408, 0.0759047 },
		{ 400, 385, 9815, 0.617328 }, { 0, 0, 50, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		/* Wrong in the reference: the first c; wrong in the attempt: the next b. */
		char *reference = table_of(rows[i].n, 0, rows[i].c),
		     *attempt = table_of(rows[i].n, rows[i].c, rows[i].b);
		struct predictions_pair p = join(reference, attempt);

		assert_int_equal(p.n, rows[i].n);
		assert_int_equal(p.b, rows[i].b);
		assert_int_equal(p.c, rows[i].c);
		assert_near(p.mcnemar.p, rows[i].p, 5e-6);
		free(reference);
		free(attempt);
	}
}

static void test_statements(void **state)
{
	char *reference = table_of(408, 0, 10), *attempt = table_of(410, 10, 24);
	struct predictions_pair p = join(reference, attempt);
	struct buf line = BUF_INIT;

	(void)state;
	assert_true(predictions_statement(&line, &p, 0));
	assert_string_equal(line.s,
		"408 examples paired by id: right in both 374, wrong in both 0, right in the reference only 24 (b), right in the attempt only 10 (c)");
	assert_true(predictions_statement(&line, &p, 1));
	assert_string_equal(line.s,
		"McNemar, exact, two-sided: p = 0.02431 for 24 and 10 of 34 that differ; gap -3.431 points, 95 % interval [-6.213, -0.650]");
	assert_true(predictions_statement(&line, &p, 2));
	assert_string_equal(line.s, "left out: 2 in the attempt alone");
	assert_true(predictions_statement(&line, &p, 3));
	assert_string_equal(line.s, "covers evaluation sampling only, not seed variance");
	assert_false(predictions_statement(&line, &p, 4));
	free(reference), free(attempt);

	p = join("id,correct\n1,1\n", "id,correct\n1,1\n");
	assert_true(predictions_statement(&line, &p, 1));
	assert_string_equal(line.s, "McNemar, exact: no example differs, p = 1");
	assert_true(predictions_statement(&line, &p, 2));
	assert_string_equal(line.s,
		"covers evaluation sampling only, not seed variance; no difference was shown, which is not an equivalence");

	p = join("id,correct\n1,1\n", "id,correct\n2,1\n");
	assert_true(isnan(p.mcnemar.p));
	assert_true(predictions_statement(&line, &p, 0));
	assert_non_null(strstr(line.s, "nothing is paired"));
	buf_release(&line);
}

/* ---- what is no such file ---- */

static void test_hostile(void **state)
{
	struct buf text = BUF_INIT;
	char *path = below(*state, "p.csv");
	struct predictions *p;
	struct curve_file *f;

	/* A quote that nobody closes, a row beyond the limit, bytes that are no text. */
	buf_adds(&text, "id,prediction,label\n1,a,a\n2,\"");
	buf_pad(&text, 'x', 2 * 1024 * 1024);
	buf_adds(&text, "\n3,b,b\n\xff\xfe,\x1b[31m,\x1b[31m\n");
	assert_int_equal(predictions_read_memory(&p, "file", text.s, text.n), 0);
	assert_int_equal(predictions_count(p).examples, 3);
	assert_int_equal(predictions_count(p).correct, 3);
	assert_int_equal(predictions_count(p).unreadable, 1);
	predictions_free(p);
	write_bytes(path, text.s, text.n);
	f = curve_file_new_as(path, &predictions_format, NULL);
	assert_true(read_store(f) >= 0);
	assert_int_equal(f->sink.health.records, 3);
	assert_int_equal(f->sink.health.malformed, 1);
	assert_int_equal(f->sink.health.first_bad_offset, strlen("id,prediction,label\n1,a,a\n"));
	curve_file_free(f);
	free(path);
	buf_release(&text);
}

/* Every prefix of a file, and the same rows whether read at once or in two. */
static void test_any_split(void **state)
{
	static const char text[] = "id,text,pred,label\n1,\"a\n,b\",x,x\n2,\"\"\"\",y,x\n3,c,x,x\n";
	const char *folder = *state;
	char *path = below(folder, "p.csv");
	int64_t examples = 0;

	for (size_t cut = 0; cut < sizeof text; cut++) {
		struct curve_file *f;
		struct predictions *p;

		if (predictions_read_memory(&p, "file", text, cut) == 0) {
			struct predictions_counts c = predictions_count(p);

			assert_true(c.examples == examples || c.examples == examples + 1);
			assert_true(c.correct == (c.examples + 1) / 2 ||
				c.correct == c.examples / 2);
			examples = c.examples;
			predictions_free(p);
		}
		write_bytes(path, text, cut);
		f = curve_file_new_as(path, &predictions_format, NULL);
		assert_true(read_store(f) >= 0);
		append_file(folder, "p.csv", text + cut);
		assert_true(read_store(f) >= 0);
		assert_int_equal(f->sink.health.records, 3);
		assert_int_equal(f->sink.health.malformed, 0);
		curve_file_free(f);
	}
	assert_int_equal(examples, 3);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_not_usable),
		cmocka_unit_test_setup_teardown(test_recognised, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_followed, store_setup, store_teardown),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_statements),
		cmocka_unit_test_setup_teardown(test_hostile, store_setup, store_teardown),
		cmocka_unit_test_setup_teardown(test_any_split, store_setup, store_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
