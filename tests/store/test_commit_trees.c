/*
 * test_commit_trees - the trees of commits in packs and loose, against git's
 * answers, and what is not found there; and one derived file by its key.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fs.h"
#include "store/commit_trees.h"
#include "store/keyed_file.h"
#include "tests/store/git_fixture.h"

enum { COMMITS = 40 };

static int set_up(void **state)
{
	struct git_fixture *g = xcalloc(1, sizeof *g);

	git_fixture_init(g);
	*state = g;
	return 0;
}

static int tear_down(void **state)
{
	git_fixture_release(*state);
	free(*state);
	return 0;
}

static void make_commits(struct git_fixture *g, int n)
{
	for (int i = 0; i < n; i++) {
		const char *text = arena_printf(&g->arena, "%d\n", i);

		git_fixture_write(g, "f", text, strlen(text));
		git_fixture_commit(
			g, arena_printf(&g->arena, "change %d\n\nwith a longer text\n", i));
	}
}

/* How many of all commits are found, each with git's own answer. */
static int count_found(struct git_fixture *g)
{
	struct commit_trees *t = commit_trees_open(fs_join(&g->arena, g->repo, ".git/objects"));
	char *lines = git_fixture_read(g, "git log --format='%%H %%T' --all");
	int found = 0;

	for (char *line = lines; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		char commit[OID_HEX + 1], tree[OID_HEX + 1];

		memcpy(commit, line, OID_HEX);
		commit[OID_HEX] = '\0';
		if (!commit_trees_find(tree, t, commit))
			continue;
		assert_memory_equal(tree, line + OID_HEX + 1, OID_HEX);
		found++;
	}
	commit_trees_free(t);
	return found;
}

static void test_loose_and_packed(void **state)
{
	struct git_fixture *g = *state;

	make_commits(g, COMMITS);
	assert_int_equal(count_found(g), COMMITS);
	/* Whole commits in one pack, then the others in a second and loose. */
	git_fixture_run(g, "git -c pack.depth=0 -c pack.window=0 repack -adfq");
	make_commits(g, COMMITS);
	git_fixture_run(g, "git -c pack.window=0 repack -dq");
	make_commits(g, 3);
	assert_int_equal(count_found(g), 2 * COMMITS + 3);
}

/* A commit that is stored as a delta is the repository's to read. */
static void test_deltas_are_left_out(void **state)
{
	struct git_fixture *g = *state;

	make_commits(g, COMMITS);
	git_fixture_run(g, "git repack -adfq --depth=50 --window=50");
	assert_true(count_found(g) <= COMMITS);
}

static void test_not_found(void **state)
{
	struct git_fixture *g = *state;
	char *commit = git_fixture_commit(g, "one\n"), out[OID_HEX + 1];
	struct commit_trees *t;

	git_fixture_run(g, "git tag -a -m text marked && git repack -adq");
	t = commit_trees_open(fs_join(&g->arena, g->repo, ".git/objects"));
	assert_true(commit_trees_find(out, t, commit));
	assert_false(commit_trees_find(out, t, out));		/* the tree itself */
	assert_false(commit_trees_find(out, t, git_fixture_read(g, "git rev-parse marked")));
	assert_false(commit_trees_find(out, t, "00000000000000000000000000000000000000ff"));
	assert_false(commit_trees_find(out, t, ""));
	assert_false(commit_trees_find(out, t, "../../../../../../../../etc/passwd/aaaaaaa"));
	commit_trees_free(t);
	t = commit_trees_open("/nowhere");
	assert_false(commit_trees_find(out, t, commit));
	commit_trees_free(t);
}

/* Whatever is cut off or changed in a pack or its index: no tree, or the right one. */
static void test_damage(void **state)
{
	struct git_fixture *g = *state;

	make_commits(g, 8);
	git_fixture_run(g,
		"git -c pack.window=0 repack -adq && cp -r .git/objects/pack ../kept && chmod -R u+w ../kept");
	for (int i = 1; i < 12; i++) {
		git_fixture_run(g,
			"rm -rf .git/objects/pack && cp -r ../kept .git/objects/pack && cd .git/objects/pack &&"
			" for f in *.pack; do truncate -s $(($(stat -c %%s $f) * %d / 12)) $f; done",
			i);
		git_fixture_run(g, "rm -f .git/objects/pack/*.rev");
		/* git itself is asked in a copy that is whole. */
		git_fixture_run(g,
			"rm -rf ../whole && cp -r .git ../whole && cp ../kept/* ../whole/objects/pack/");
		{
			struct commit_trees *t =
				commit_trees_open(fs_join(&g->arena, g->repo, ".git/objects"));
			char *lines = git_fixture_read(
				g, "git --git-dir=../whole log --format='%%H %%T' main");
			char commit[OID_HEX + 1], tree[OID_HEX + 1];

			for (int k = 0; k < 8; k++) {
				memcpy(commit, lines + (size_t)k * 82, OID_HEX);
				commit[OID_HEX] = '\0';
				if (commit_trees_find(tree, t, commit))
					assert_memory_equal(tree,
						lines + (size_t)k * 82 + OID_HEX + 1, OID_HEX);
			}
			commit_trees_free(t);
		}
	}
	for (int i = 0; i < 12; i++) {
		struct commit_trees *t;
		char tree[OID_HEX + 1];

		git_fixture_run(g,
			"rm -rf .git/objects/pack && cp -r ../kept .git/objects/pack && cd .git/objects/pack &&"
			" for f in *.idx; do truncate -s $(($(stat -c %%s $f) * %d / 12)) $f; done",
			i);
		t = commit_trees_open(fs_join(&g->arena, g->repo, ".git/objects"));
		assert_false(commit_trees_find(
			tree, t, git_fixture_read(g, "git --git-dir=../whole rev-parse main")));
		commit_trees_free(t);
	}
}

/* ---- one derived file ------------------------------------------------------------ */

static bool reads(const char *path, const struct digest *key, const char *expected)
{
	struct buf b = BUF_INIT;
	bool found = keyed_file_read(&b, path, key);

	if (found)
		assert_string_equal(b.s, expected);
	else
		assert_int_equal(b.n, 0);
	buf_release(&b);
	return found;
}

static void test_keyed_file(void **state)
{
	struct git_fixture *g = *state;
	const char *path = fs_join(&g->arena, g->root, "cache/derived");
	struct digest one = sha256_bytes("1", 1), two = sha256_bytes("2", 1);
	struct buf whole = BUF_INIT;
	int64_t size;

	assert_false(reads(path, &one, ""));
	keyed_file_write(path, &one, "figures", 7);
	assert_true(reads(path, &one, "figures"));
	assert_false(reads(path, &two, ""));
	keyed_file_write(path, &two, "others", 6);
	assert_true(reads(path, &two, "others"));
	assert_false(reads(path, &one, ""));
	keyed_file_write(path, &two, "", 0);
	assert_true(reads(path, &two, ""));
	keyed_file_write(path, &two, "others", 6);
	size = fs_size(path);
	assert_int_equal(fs_read(&whole, path, 0), 0);
	for (int64_t i = 0; i < size; i++) {
		assert_int_equal(fs_write_durable(path, whole.s, (size_t)i, 0600), 0);
		assert_false(reads(path, &two, ""));
		whole.s[i] ^= 0x40;
		assert_int_equal(fs_write_durable(path, whole.s, whole.n, 0600), 0);
		assert_false(reads(path, &two, ""));
		whole.s[i] ^= 0x40;
	}
	assert_int_equal(fs_write_durable(path, whole.s, whole.n, 0600), 0);
	assert_true(reads(path, &two, "others"));
	buf_release(&whole);
	git_fixture_run(g, "test \"$(ls ../cache)\" = derived");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_loose_and_packed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deltas_are_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_keyed_file, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
