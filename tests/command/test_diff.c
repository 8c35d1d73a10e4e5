/*
 * test_diff - what is compared and why it cannot be, lines and their partners,
 * files for an editor.
 */
#include "config.h"

#include "tests/unit.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/diff.h"
#include "tests/workspace/fixture.h"

static struct change read_change(
	struct workspace_fixture *f, const char *attempt, enum change_against against)
{
	struct change_question q = { .attempt = attempt, .against = against };
	struct change c;

	if (change_read(&c, fixture_workspace(f), &q, NULL) < 0)
		fail_msg("%s", err_text());
	return c;
}

static void make_attempts(struct workspace_fixture *f)
{
	git_fixture_run(&f->git,
		"printf 'a\\nloss = model(x).cuda()\\nz\\n' > train.py && printf 'one\\r\\ntwo\\r\\n' > ends.txt");
	git_fixture_commit(&f->git, "the original\n");
	git_fixture_run(&f->git,
		"git tag original && printf 'a\\nloss = model(x).to(device)\\nz\\n' > train.py");
	git_fixture_commit(&f->git, "first\n\nAttempt: 1\n");
	git_fixture_run(&f->git, "printf 'one\\r\\n2\\r\\n' > ends.txt");
	git_fixture_commit(&f->git, "second\n\nAttempt: 2\n");
	fixture_discover(f);
}

static void test_bases(void **state)
{
	struct workspace_fixture *f = *state;
	struct change c;

	make_attempts(f);
	c = read_change(f, "", AGAINST_PREVIOUS);
	assert_string_equal(c.attempt, "2");
	assert_string_equal(c.base_name, "attempt 1");
	assert_int_equal(c.files.n, 1);
	assert_string_equal(c.files.files[0].path, "ends.txt");
	change_release(&c);
	c = read_change(f, "1", AGAINST_PREVIOUS);
	assert_string_equal(c.base_name, "the original");
	change_release(&c);
	c = read_change(f, "2", AGAINST_ORIGINAL);
	assert_int_equal(c.files.n, 2);
	assert_int_equal(c.added, 2);
	assert_int_equal(c.removed, 2);
	change_release(&c);
	assert_int_equal(change_read(&c, fixture_workspace(f),
				 &(struct change_question){
					 .attempt = "1", .against = AGAINST_OTHER, .other = "2" },
				 NULL),
		0);
	assert_string_equal(c.base_name, "attempt 2");
	assert_string_equal(c.files.files[0].path, "ends.txt");
	change_release(&c);
}

static void test_missing(void **state)
{
	struct workspace_fixture *f = *state;
	struct change c = read_change(f, "", AGAINST_PREVIOUS);

	assert_non_null(strstr(c.missing, "no attempts yet"));
	change_release(&c);
	fixture_record(
		f, "human:ana", "attempt.added", "1", "n", "1", "text", "another driver", NULL);
	c = read_change(f, "1", AGAINST_PREVIOUS);
	assert_non_null(strstr(c.missing, "no commit"));
	change_release(&c);
	c = read_change(f, "reference", AGAINST_PREVIOUS);
	assert_non_null(strstr(c.missing, "the reference"));
	change_release(&c);
}

static void load(
	struct change_lines *l, struct workspace_fixture *f, const struct change *c, int context)
{
	struct diff_options o = DIFF_OPTIONS_INIT;

	o.context = context;
	if (change_load(l, fixture_workspace(f), &c->files.files[0], &o) < 0)
		fail_msg("%s", err_text());
}

static void test_lines(void **state)
{
	struct workspace_fixture *f = *state;
	struct word_range *ranges;
	struct change_lines l;
	struct buf b = BUF_INIT;
	struct change c;
	size_t n;

	make_attempts(f);
	c = read_change(f, "1", AGAINST_PREVIOUS);
	load(&l, f, &c, 1);
	assert_int_equal(l.file->n_lines, 4);
	assert_int_equal(l.n_rows, 3);
	assert_int_equal(l.partner[1], 2);
	assert_int_equal(l.partner[2], 1);
	assert_int_equal(l.partner[0], -1);
	assert_int_equal(change_line_number(&l, 1), 2);
	assert_true(change_word_marks(&ranges, &n, &f->a, &l, 2));
	assert_int_equal(n, 2);
	assert_memory_equal(l.file->lines[2].text + ranges[0].start, "to", ranges[0].n);
	assert_memory_equal(l.file->lines[2].text + ranges[1].start, "device", ranges[1].n);
	assert_false(change_word_marks(&ranges, &n, &f->a, &l, 0));
	change_add_hunk(&b, &l, 0);
	assert_string_equal(b.s,
		"@@ -1,3 +1,3 @@\n a\n-loss = model(x).cuda()\n+loss = model(x).to(device)\n z\n");
	buf_release(&b);
	change_lines_release(&l);
	load(&l, f, &c, 0);
	assert_int_equal(l.file->n_lines, 2);
	change_lines_release(&l);
	change_release(&c);
	c = read_change(f, "2", AGAINST_PREVIOUS);
	load(&l, f, &c, 3);
	assert_true(l.hide_cr);
	assert_string_equal(l.notes[0], "lines end in CRLF");
	assert_int_equal(l.file->lines[0].n, 4);
	assert_int_equal(change_line_length(&l, 0), 3);
	change_lines_release(&l);
	change_release(&c);
}

/* The work tree's own file when it is that revision's; else a copy that cannot
 * be written, with the revision in its name and no other folder in it. */
static void test_export(void **state)
{
	struct workspace_fixture *f = *state;
	char *folder = fs_join(&f->a, f->git.root, "copies");
	struct change c;
	struct buf path = BUF_INIT, text = BUF_INIT;
	struct stat st;
	bool is_copy;

	git_fixture_run(&f->git, "mkdir -p 'a b' && echo x > 'a b/c;d.py'");
	make_attempts(f);
	c = read_change(f, "1", AGAINST_PREVIOUS);
	assert_int_equal(
		change_export(&path, &is_copy, fixture_workspace(f), &c, &c.files.files[0], folder),
		0);
	assert_false(is_copy);
	assert_string_equal(path.s, fs_join(&f->a, f->git.repo, "train.py"));
	git_fixture_run(&f->git, "echo more >> train.py");
	buf_clear(&path);
	assert_int_equal(
		change_export(&path, &is_copy, fixture_workspace(f), &c, &c.files.files[0], folder),
		0);
	assert_true(is_copy);
	assert_string_equal(path.s, arena_printf(&f->a, "%s/%.7s-train.py", folder, c.tip));
	assert_int_equal(stat(path.s, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0400);
	assert_int_equal(fs_read(&text, path.s, 1000), 0);
	assert_string_equal(text.s, "a\nloss = model(x).to(device)\nz\n");
	buf_clear(&path);
	git_fixture_run(&f->git, "rm -r 'a b'");
	assert_int_equal(
		change_export_path(&path, &is_copy, fixture_workspace(f), &c, "a b/c;d.py", folder),
		0);
	assert_string_equal(path.s, arena_printf(&f->a, "%s/%.7s-a_b_c_d.py", folder, c.tip));
	buf_release(&path);
	buf_release(&text);
	change_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bases, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_missing, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_lines, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_export, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
