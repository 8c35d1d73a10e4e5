/*
 * Churn against git's own numbers, the libgit2 counter, and the cache.
 */
#include "config.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/churn.h"
#include "tests/store/git_fixture.h"

struct fixture {
	struct git_fixture git;
	struct repository *repo;
	char *base, *tip;
};

static char *repeated(struct arena *a, const char *line, int n)
{
	struct buf b = BUF_INIT;
	char *copy;

	for (int i = 0; i < n; i++)
		buf_addf(&b, "%s %d\n", line, i);
	copy = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return copy;
}

/* Each kind of change once; names hold what a name can hold. */
static int set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct git_fixture *g = &f->git;
	char *text;

	git_fixture_init(g);
	text = repeated(&g->arena, "line", 40);
	git_fixture_write(g, "plain.py", text, strlen(text));
	git_fixture_write(g, "old name.py", text, strlen(text));
	git_fixture_write(g, "gone.txt", "a\nb\n", 4);
	git_fixture_write(g, "data.bin", "\0\1\2", 3);
	git_fixture_write(g, "run.sh", "echo\n", 5);
	git_fixture_write(g, "to_link", "a.txt\n", 6);
	git_fixture_write(g, "no_end", "x", 1);
	git_fixture_run(g,
		"mkdir sub && ln -s gone.txt link && git update-index --add --cacheinfo 160000,%040d,sub",
		1);
	f->base = git_fixture_commit(g, "before\n");
	git_fixture_run(g,
		"echo more >> plain.py && git mv 'old name.py' 'new\tname.py' && echo x >> 'new\tname.py' &&"
		" rm gone.txt && printf '\\0\\3' > data.bin && chmod +x run.sh && rm to_link && ln -s a.txt to_link &&"
		" printf '\\nb' >> no_end && ln -sf run.sh link &&"
		" git update-index --cacheinfo 160000,%040d,sub",
		2);
	git_fixture_write(g, "esc\x1b[2Jape\n\"quoted\".py", "hostile\n", 8);
	git_fixture_write(g, "bad\xff.py", "bytes\n", 6);
	git_fixture_write(g, "empty", "", 0);
	f->tip = git_fixture_commit(g, "after\n");
	assert_int_equal(repository_open(&f->repo, g->repo), 0);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	repository_free(f->repo);
	git_fixture_release(&f->git);
	free(f);
	return 0;
}

static struct churn_pair pair_of(const char *base, const char *tip)
{
	struct churn_pair pair;

	snprintf(pair.base, sizeof pair.base, "%s", base);
	snprintf(pair.tip, sizeof pair.tip, "%s", tip);
	return pair;
}

/* The lines of `git diff --numstat -M`, from our rows. */
static char *numstat(struct arena *a, const struct churn *c)
{
	struct buf b = BUF_INIT;
	char *copy;

	for (size_t i = 0; i < c->n; i++) {
		const struct churn_file *f = &c->files[i];

		if (f->binary)
			buf_adds(&b, "-\t-\t");
		else
			buf_addf(&b, "%" PRId64 "\t%" PRId64 "\t", f->added, f->removed);
		if (f->similarity >= 0)
			buf_addf(&b, "|%s|%s|", f->old_path, f->path);
		else
			buf_addf(&b, "%s|", f->path);
	}
	copy = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return copy;
}

static char *git_numstat(struct fixture *f, const char *base, const char *tip)
{
	return git_fixture_read(
		&f->git, "git diff --numstat -M -z %s %s | tr '\\0' '|'", base, tip);
}

static void test_equals_git(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pair = pair_of(f->base, f->tip);
	struct churn c;

	assert_int_equal(churn_compute(&c, f->repo, &pair, NULL), 0);
	assert_string_equal(numstat(&f->git.arena, &c), git_numstat(f, f->base, f->tip));
	assert_int_equal(c.origin, CHURN_FROM_GIT);
	assert_string_equal(c.reason, "");
	churn_release(&c);
	pair = pair_of("", f->base);
	assert_int_equal(churn_compute(&c, f->repo, &pair, NULL), 0);
	assert_string_equal(numstat(&f->git.arena, &c),
		git_numstat(f, "4b825dc642cb6eb9a060e54bf8d69288fbee4904", f->base));
	churn_release(&c);
}

static const struct churn_file *find(const struct churn *c, const char *path)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->files[i].path, path) == 0)
			return &c->files[i];
	fail_msg("no %s", path);
	return NULL;
}

static void check_rows(const struct churn *c)
{
	assert_int_equal(find(c, "plain.py")->status, 'M');
	assert_int_equal(find(c, "plain.py")->added, 1);
	assert_int_equal(find(c, "new\tname.py")->status, 'R');
	assert_string_equal(find(c, "new\tname.py")->old_path, "old name.py");
	assert_true(find(c, "new\tname.py")->similarity > 90);
	assert_int_equal(find(c, "gone.txt")->status, 'D');
	assert_int_equal(find(c, "gone.txt")->removed, 2);
	assert_int_equal(find(c, "gone.txt")->new_mode, 0);
	assert_true(find(c, "data.bin")->binary);
	assert_true(find(c, "run.sh")->mode_changed);
	assert_int_equal(find(c, "run.sh")->added, 0);
	assert_int_equal(find(c, "to_link")->status, 'T');
	assert_true(find(c, "sub")->submodule);
	assert_int_equal(find(c, "sub")->added, 1);
	assert_int_equal(find(c, "esc\x1b[2Jape\n\"quoted\".py")->status, 'A');
	assert_int_equal(find(c, "bad\xff.py")->added, 1);
	assert_int_equal(c->binaries, 1);
}

static void test_rows(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pair = pair_of(f->base, f->tip);
	struct churn_options plain = { .without_git = true };
	struct churn c, other;

	assert_int_equal(churn_compute(&c, f->repo, &pair, NULL), 0);
	check_rows(&c);
	assert_int_equal(churn_compute(&other, f->repo, &pair, &plain), 0);
	check_rows(&other);
	assert_int_equal(other.origin, CHURN_FROM_LIBGIT2);
	assert_true(*other.reason != '\0');
	assert_string_equal(numstat(&f->git.arena, &other), numstat(&f->git.arena, &c));
	assert_int_equal(other.n, c.n);
	assert_int_equal(other.added, c.added);
	assert_int_equal(other.removed, c.removed);
	churn_release(&c);
	churn_release(&other);
}

static void test_without_git_program(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pair = pair_of(f->base, f->tip);
	char *path = xstrdup(getenv("PATH"));
	struct churn c;

	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(churn_compute(&c, f->repo, &pair, NULL), 0);
	setenv("PATH", path, 1);
	free(path);
	assert_int_equal(c.origin, CHURN_FROM_LIBGIT2);
	churn_release(&c);
}

/* A repository's own configuration runs nothing. */
static void test_hostile_configuration(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pair = pair_of(f->base, f->tip);
	char *ran = fs_join(&f->git.arena, f->git.root, "ran");
	struct churn c;

	git_fixture_run(&f->git, "printf '#!/bin/sh\\ntouch %s\\n' > ../evil && chmod +x ../evil &&"
		" git config diff.external '%s/evil' && git config core.fsmonitor '%s/evil' &&"
		" git config diff.x.textconv '%s/evil' && git config diff.x.command '%s/evil' &&"
		" echo '*.py diff=x' > .git/info/attributes && git config core.pager '%s/evil'",
		ran, f->git.root, f->git.root, f->git.root, f->git.root, f->git.root);
	assert_int_equal(churn_compute(&c, f->repo, &pair, NULL), 0);
	check_rows(&c);
	churn_release(&c);
	assert_false(fs_exists(ran));
}

struct seen { size_t counted, missing, cached; int64_t added; };

static int count(void *user, size_t index, const struct churn *c)
{
	struct seen *s = user;

	(void)index;
	s->counted += c != NULL;
	s->missing += c == NULL;
	s->cached += c != NULL && c->origin == CHURN_FROM_CACHE;
	s->added += c != NULL ? c->added : 0;
	return 0;
}

static void test_missing_objects(void **state)
{
	struct fixture *f = *state;
	char *blob = git_fixture_read(&f->git, "git rev-parse %s:plain.py", f->tip);
	struct churn_pair pairs[4];
	struct churn_options options = { 0 };
	struct seen seen = { 0 };

	pairs[0] = pair_of(f->base, f->base);
	pairs[1] = pair_of(f->base, f->tip);
	pairs[2] = pair_of(f->base, "00000000000000000000000000000000000000ff");
	pairs[3] = pair_of("", f->base);
	/* git would read an unchanged file of the work tree instead. */
	git_fixture_run(&f->git, "rm -f plain.py .git/objects/%.2s/%s", blob, blob + 2);
	assert_int_equal(churn_many(f->repo, pairs, 4, &options, count, &seen), 0);
	assert_int_equal(seen.counted, 2);
	assert_int_equal(seen.missing, 2);
}

static void test_cache(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pairs[3];
	char *folder = fs_join(&f->git.arena, f->git.root, "cache");
	char *file = fs_join(&f->git.arena, folder, "churn-1.cache");
	struct churn_options options = { .cache = churn_cache_open(folder) };
	struct seen first = { 0 }, second = { 0 }, third = { 0 };
	struct churn c;

	pairs[0] = pair_of(f->base, f->tip);
	pairs[1] = pair_of("", f->tip);
	pairs[2] = pair_of(f->tip, f->base);
	assert_int_equal(churn_many(f->repo, pairs, 3, &options, count, &first), 0);
	assert_int_equal(first.cached, 0);
	churn_cache_free(options.cache);

	options.cache = churn_cache_open(folder);
	assert_int_equal(churn_cache_count(options.cache), 3);
	assert_int_equal(churn_many(f->repo, pairs, 3, &options, count, &second), 0);
	assert_int_equal(second.cached, 3);
	assert_int_equal(second.added, first.added);
	options.cached_only = true;
	second = (struct seen){ 0 };
	pairs[1] = pair_of(f->tip, f->tip);
	assert_int_equal(churn_many(NULL, pairs, 3, &options, count, &second), 0);
	assert_int_equal(second.cached, 2);
	assert_int_equal(second.missing, 1);
	pairs[1] = pair_of("", f->tip);
	options.cached_only = false;
	assert_int_equal(churn_compute(&c, f->repo, &pairs[0], &options), 0);
	check_rows(&c);
	churn_release(&c);
	churn_cache_free(options.cache);

	/* A byte of the last record is damaged: it alone is counted again. */
	git_fixture_run(&f->git, "printf X | dd of='%s' bs=1 seek=%" PRId64 " conv=notrunc", file,
		fs_size(file) - 3);
	options.cache = churn_cache_open(folder);
	assert_int_equal(churn_cache_count(options.cache), 2);
	assert_int_equal(churn_many(f->repo, pairs, 3, &options, count, &third), 0);
	assert_int_equal(third.cached, 2);
	assert_int_equal(third.added, first.added);
	churn_cache_free(options.cache);
	options.cache = churn_cache_open(folder);
	assert_int_equal(churn_cache_count(options.cache), 3);
	churn_cache_free(options.cache);
}

static void test_cancel(void **state)
{
	struct fixture *f = *state;
	struct churn_pair pair = pair_of(f->base, f->tip);
	atomic_bool stop = true;
	struct churn_options options = { .cancel = &stop };
	struct churn c;

	assert_int_equal(churn_compute(&c, f->repo, &pair, &options), ERR_CANCELLED);
}

/* A stream of N + 1 commits: names of all, the oldest first. */
static char *make_many(struct fixture *f, int n)
{
	struct buf b = BUF_INIT;
	char *path = fs_join(&f->git.arena, f->git.root, "stream");

	for (int i = 0; i <= n; i++)
		buf_addf(&b,
			"commit refs/heads/many\ncommitter A <a@b> %d +0000\ndata 1\nx\nM 644 inline f%d\ndata <<E\n%d\nE\n\n",
			1760000000 + i, i % 50, i);
	assert_int_equal(fs_write_durable(path, b.s, b.n, 0600), 0);
	buf_release(&b);
	git_fixture_run(&f->git, "git fast-import --quiet < '%s'", path);
	return git_fixture_read(&f->git, "git rev-list --reverse many");
}

static void test_many(void **state)
{
	enum { MANY = 2000 };
	struct fixture *f = *state;
	struct churn_pair *pairs = xcalloc(MANY, sizeof *pairs);
	struct churn_options options = { .cache = churn_cache_open(
						 fs_join(&f->git.arena, f->git.root, "cache")) };
	struct seen first = { 0 }, second = { 0 };
	char *names = make_many(f, MANY);
	int64_t start, cold, warm;

	for (int i = 0; i < MANY; i++) {
		memcpy(pairs[i].base, names + (size_t)i * (OID_HEX + 1), OID_HEX);
		memcpy(pairs[i].tip, names + (size_t)(i + 1) * (OID_HEX + 1), OID_HEX);
	}
	start = clock_boot_ns();
	assert_int_equal(churn_many(f->repo, pairs, MANY, &options, count, &first), 0);
	cold = clock_boot_ns() - start;
	start = clock_boot_ns();
	assert_int_equal(churn_many(f->repo, pairs, MANY, &options, count, &second), 0);
	warm = clock_boot_ns() - start;
	print_message("# %d pairs: cold %d ms, kept %d us\n", MANY, (int)(cold / NS_PER_MS),
		(int)(warm / 1000));
	assert_int_equal(first.counted, MANY);
	assert_int_equal(second.cached, MANY);
	assert_int_equal(first.added, MANY);
	assert_true(warm < cold);
	churn_cache_free(options.cache);
	free(pairs);
}

struct ordered {
	size_t next, missing, stop_at;
	int64_t added;
};

static int in_order(void *user, size_t index, const struct churn *c)
{
	struct ordered *o = user;

	assert_int_equal(index, o->next++);
	o->missing += c == NULL;
	o->added += c != NULL ? c->added : 0;
	return o->stop_at != 0 && o->next == o->stop_at ? 7 : 0;
}

/* Without a handle on the repository, by two processes: the same, in order. */
static void test_by_git_alone(void **state)
{
	enum { MANY = 2000 };
	struct fixture *f = *state;
	struct churn_pair *pairs = xcalloc(MANY, sizeof *pairs);
	struct churn_options options = { .folder = f->git.repo,
		.objects = fs_join(&f->git.arena, f->git.repo, ".git/objects") };
	struct ordered o = { 0 };
	struct seen seen = { 0 };
	char *names = make_many(f, MANY);

	for (int i = 0; i < MANY; i++) {
		memcpy(pairs[i].base, names + (size_t)i * (OID_HEX + 1), OID_HEX);
		memcpy(pairs[i].tip, names + (size_t)(i + 1) * (OID_HEX + 1), OID_HEX);
	}
	assert_int_equal(churn_many(NULL, pairs, MANY, &options, in_order, &o), 0);
	assert_int_equal(o.next, MANY);
	assert_int_equal(o.missing, 0);
	assert_int_equal(o.added, MANY);

	/* Who has enough ends it, in either half. */
	for (size_t stop = 700; stop < MANY; stop += 700) {
		o = (struct ordered){ .stop_at = stop };
		assert_int_equal(churn_many(NULL, pairs, MANY, &options, in_order, &o), 7);
		assert_int_equal(o.next, stop);
	}

	/* An object that is gone takes its pairs along and no other. */
	names = git_fixture_read(&f->git, "git rev-parse %s:plain.py", f->tip);
	git_fixture_run(&f->git, "rm -f plain.py .git/objects/%.2s/%s", names, names + 2);
	for (int i = 500; i < MANY; i += 1000) {
		pairs[i] = pair_of(f->base, f->tip);
		seen = (struct seen){ 0 };
		assert_int_equal(churn_many(NULL, pairs, MANY, &options, count, &seen), 0);
		assert_int_equal(seen.counted, MANY - 1 - i / 1000);
		assert_int_equal(seen.missing, 1 + i / 1000);
	}

	/* No such commit, and no git at all. */
	pairs[0] = pair_of(f->base, "00000000000000000000000000000000000000ff");
	seen = (struct seen){ 0 };
	assert_int_equal(churn_many(NULL, pairs, 1, &options, count, &seen), 0);
	assert_int_equal(seen.missing, 1);
	pairs[0] = pair_of(f->base, f->tip);
	options.without_git = true;
	seen = (struct seen){ 0 };
	assert_int_equal(churn_many(NULL, pairs, 1, &options, count, &seen), 0);
	assert_int_equal(seen.missing, 1);
	free(pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_equals_git, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_without_git_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_configuration, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing_objects, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cache, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cancel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_by_git_alone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
