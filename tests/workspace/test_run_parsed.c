/* test_run_parsed - facts of the files of a run: which are used, and which are not. */
#include "config.h"

#include "tests/unit.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/evidence_bytes.h"
#include "tests/workspace/run_fixture.h"
#include "workspace/facts_record.h"
#include "workspace/run_evidence.h"
#include "workspace/run_parsed.h"
#include "workspace/state.h"

static const char run_id[] = "ps-aaaaaaaaaaaaa";
static const char packages[] = "accelerate==0.22.0\ntorch==2.1.0\nnumpy==1.26.4\n";
static const char metrics[] = "Metric: CompileTime\n  TotalSamples: 2\n"
			      "  Accumulator: 001ms000.000us\n"
			      "  Percentiles: 1%=500.000us; 99%=500.000us\n"
			      "Counter: MarkStep\n  Value: 40\n";

static void put(struct workspace_fixture *f, const char *name, const char *text, size_t n)
{
	const char *path = run_fixture_path(f, run_id, name);

	assert_int_equal(fs_mkdirs(fs_dirname(&f->a, path), 0700), 0);
	assert_int_equal(fs_write_durable(path, text, n, 0600), 0);
}

static void keep(struct workspace_fixture *f, const char *name, const char *recorded)
{
	assert_int_equal(run_evidence_add(fixture_workspace(f), run_fixture_path(f, run_id, name),
				 recorded, "log", run_id, &f->a), 0);
}

static void begin(struct workspace_fixture *f)
{
	run_fixture_begin(f);
	run_fixture_add(f, &(struct fixture_run){ .id = run_id, .attempt = "1", .kind = "full",
		.target = "tpu-1", .seed = "1", .state = "exited 0" });
	assert_int_equal(unlink(run_fixture_path(f, run_id, "../kept")), 0);
}

static void read_run(struct run_parsed *out, struct workspace_fixture *f)
{
	struct run_state *run;

	assert_int_equal(state_run(fixture_workspace(f), run_id, NULL, &f->a, &run), 0);
	if (run_parsed_read(out, fixture_workspace(f), run, &f->a) < 0)
		fail_msg("%s", err_text());
}

static const struct run_parsed_file *find(
	const struct run_parsed *p, const char *name, const char *parser)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->files[i].name, name) == 0 &&
			strcmp(p->files[i].parser, parser) == 0)
			return &p->files[i];
	return NULL;
}

static void test_each_folder(void **state)
{
	struct workspace_fixture *f = *state;
	const struct run_parsed_file *file;
	struct run_parsed p;
	struct digest d = sha256_bytes(packages, strlen(packages));

	begin(f);
	put(f, "../log", metrics, strlen(metrics));
	put(f, "../capture/pip-freeze.txt", packages, strlen(packages));
	put(f, "sub/pip.txt", packages, strlen(packages));
	put(f, "../probe/xla-metrics-0-1.txt", metrics, strlen(metrics));
	put(f, "../probe/probe-0-1.jsonl", "{\"probe\": 1}\n", 13);
	put(f, "words.txt", "nothing to tell\n", 16);
	keep(f, "../log", "log");
	read_run(&p, f);
	assert_int_equal(p.n, 4);
	assert_int_equal(p.left_n, 0);
	file = find(&p, "log", "xla-metrics");
	assert_non_null(file);
	assert_true(file->recorded);
	assert_string_equal(file->who, "");
	assert_int_equal(evidence_facts_last(file->facts, FACT_XLA_COUNTER, "MarkStep")->integer, 40);
	assert_non_null(find(&p, "probe/xla-metrics-0-1.txt", "xla-metrics"));
	file = find(&p, "artifacts/sub/pip.txt", "packages");
	assert_non_null(file);
	assert_true(digest_equal(&file->digest, &d));
	assert_false(file->recorded);
	assert_ptr_equal(p.sets[0], p.files[0].facts);
	run_parsed_release(&p);
}

static void test_changed_is_not_used(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_parsed p;

	begin(f);
	put(f, "pip.txt", packages, strlen(packages));
	put(f, "late.txt", metrics, strlen(metrics));
	keep(f, "pip.txt", "pip.txt");
	put(f, "pip.txt", "accelerate==0.23.0\ntorch==2.1.0\n", 32);
	read_run(&p, f);
	assert_null(find(&p, "artifacts/pip.txt", "packages"));
	assert_int_equal(p.left_n, 1);
	assert_true(p.left[0].changed);
	assert_string_equal(p.left[0].name, "artifacts/pip.txt");
	assert_non_null(find(&p, "artifacts/late.txt", "xla-metrics"));
	run_parsed_release(&p);
	/* Once all is kept, what is not on record came later. */
	put(f, "../kept", "", 0);
	read_run(&p, f);
	assert_int_equal(p.n, 0);
	assert_int_equal(p.left_n, 2);
	run_parsed_release(&p);
}

static void test_links_and_bytes(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_parsed p;

	begin(f);
	put(f, "../elsewhere", packages, strlen(packages));
	put(f, "weights.bin", "\0\0\0==1.0\n", 9);
	assert_int_equal(symlink("../elsewhere", run_fixture_path(f, run_id, "pip.txt")), 0);
	read_run(&p, f);
	assert_int_equal(p.n, 0);
	run_parsed_release(&p);
}

/* More than is kept in memory: the same facts, at the right line. */
static void test_large_log(void **state)
{
	static const char line[] = "step 1 loss 2.5 and some words that fill the line up\n";
	struct workspace_fixture *f = *state;
	const struct run_parsed_file *file;
	struct buf text = BUF_INIT;
	struct digest d;
	struct run_parsed p;
	int64_t lines = 0;

	begin(f);
	for (; text.n <= EVIDENCE_MEMORY_BYTES_MAX; lines++)
		buf_adds(&text, line);
	buf_adds(&text, metrics);
	put(f, "../log", text.s, text.n);
	d = sha256_bytes(text.s, text.n);
	read_run(&p, f);
	file = find(&p, "log", "xla-metrics");
	assert_non_null(file);
	assert_true(digest_equal(&file->digest, &d));
	assert_int_equal(file->size_bytes, text.n);
	assert_int_equal(
		evidence_facts_last(file->facts, FACT_XLA_COUNTER, "MarkStep")->line, lines + 6);
	run_parsed_release(&p);
	buf_release(&text);
}

static void test_cancelled(void **state)
{
	struct workspace_fixture *f = *state;
	atomic_bool cancel = true;
	struct run_state *run;
	struct run_parsed p;

	begin(f);
	put(f, "../log", metrics, strlen(metrics));
	assert_int_equal(state_run(fixture_workspace(f), run_id, NULL, &f->a, &run), 0);
	assert_int_equal(run_parsed_read_within(&p, fixture_workspace(f), run,
				 &(struct run_parsed_limits){ .cancel = &cancel }, &f->a),
		ERR_CANCELLED);
	run_parsed_release(&p);
}

static struct evidence_state *state_of(struct workspace_fixture *f, const char *text, size_t n)
{
	struct digest d = sha256_bytes(text, n);
	char hex[DIGEST_HEX + 1];
	struct evidence_state *s;

	digest_hex(hex, &d);
	assert_int_equal(
		state_get(fixture_workspace(f), "evidence", hex, NULL, &f->a, (void **)&s), 1);
	return s;
}

/* Once for a file, a parser and its version; details stay in the file. */
static void test_facts_on_record(void **state)
{
	struct workspace_fixture *f = *state;
	const struct evidence_state *s;
	size_t recorded;

	begin(f);
	put(f, "../log", metrics, strlen(metrics));
	put(f, "pip.txt", packages, strlen(packages));
	keep(f, "../log", "log");
	assert_int_equal(facts_record_run(&recorded, fixture_workspace(f), run_id, NULL, &f->a), 0);
	assert_int_equal(recorded, 1);		/* the list of packages is not on record */
	assert_int_equal(fixture_count(f, "facts.parsed", NULL), 1);
	s = state_of(f, metrics, strlen(metrics));
	assert_int_equal(s->facts_n, 1);
	assert_string_equal(s->facts[0].parser, "xla-metrics");
	assert_false(s->facts[0].outdated);
	assert_non_null(strstr(s->facts[0].facts, "\"xla.counter\""));
	assert_non_null(strstr(s->facts[0].facts, "\"line\":\"6\""));
	keep(f, "pip.txt", "pip.txt");
	assert_int_equal(facts_record_run(&recorded, fixture_workspace(f), run_id, NULL, &f->a), 0);
	assert_int_equal(recorded, 1);
	/* These parsers have been there. */
	assert_int_equal(facts_record_upkeep(fixture_workspace(f), run_id, NULL, &f->a), 0);
	assert_int_equal(fixture_count(f, "facts.parsed", NULL), 2);
}

/* Of many facts the first ones, and how many are left out. */
static void test_many_facts(void **state)
{
	struct workspace_fixture *f = *state;
	struct buf text = BUF_INIT;
	const struct evidence_state *s;

	begin(f);
	for (int i = 0; i < FACTS_RECORDED_MAX + 40; i++)
		buf_addf(&text, "package-%d==1.0\n", i);
	put(f, "pip.txt", text.s, text.n);
	keep(f, "pip.txt", "pip.txt");
	assert_int_equal(facts_record_run(NULL, fixture_workspace(f), run_id, NULL, &f->a), 0);
	s = state_of(f, text.s, text.n);
	assert_int_equal(s->facts_n, 1);
	assert_non_null(strstr(s->facts[0].facts, "\"package-3\""));
	assert_null(strstr(s->facts[0].facts, "\"package-530\""));
	assert_non_null(strstr(s->facts[0].facts, "{\"left_out\":\"41\"}"));
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_folder, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_changed_is_not_used, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_links_and_bytes, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_large_log, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_cancelled, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_facts_on_record, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_many_facts, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
