/*
 * test_pack_check - a pack that stands for more than it may, or for nothing.
 */
#include "config.h"

#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/object_pack.h"
#include "store/pack_check.h"
#include "tests/store/git_fixture.h"

static const struct pack_limits limits = { .object_bytes = 1 << 20, .total_bytes = 3 << 20 };

static void add_header(struct buf *b, unsigned objects)
{
	const char head[] = { 'P', 'A', 'C', 'K', 0, 0, 0, 2, 0, 0, (char)(objects >> 8),
		(char)objects };

	buf_add(b, head, sizeof head);
}

static void add_heading(struct buf *b, int type, int64_t size)
{
	int c = type << 4 | (int)(size & 15);

	for (size >>= 4; size; size >>= 7) {
		buf_addc(b, (char)(c | 0x80));
		c = (int)(size & 0x7f);
	}
	buf_addc(b, (char)c);
}

static void add_packed(struct buf *b, const void *p, size_t n)
{
	uLongf size = compressBound(n);

	buf_reserve(b, size);
	assert_int_equal(compress2((Bytef *)b->s + b->n, &size, p, n, 9), Z_OK);
	b->n += size;
	b->s[b->n] = '\0';
}

static int check(struct buf *b)
{
	buf_pad(b, '\0', 20);
	return pack_check(b->s, b->n, &limits);
}

static void test_sizes(void **state)
{
	static const struct { int64_t said, there; int objects, result; } packs[] = {
		{ 1000, 1000, 1, 0 },
		{ 1 << 20, 1 << 20, 3, 0 },
		{ 1 << 20, 1 << 20, 4, ERR_DAMAGED },			/* too much together */
		{ (1 << 20) + 1, (1 << 20) + 1, 1, ERR_DAMAGED },	/* too large */
		{ 1000, 64 << 20, 1, ERR_DAMAGED },			/* more than it says */
		{ 1000, 10, 1, ERR_DAMAGED },				/* less */
		{ (int64_t)1 << 50, 10, 1, ERR_DAMAGED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(packs); i++) {
		char *zeros = xcalloc(1, (size_t)packs[i].there);
		struct buf b = BUF_INIT;

		add_header(&b, (unsigned)packs[i].objects);
		for (int k = 0; k < packs[i].objects; k++) {
			add_heading(&b, 3, packs[i].said);
			add_packed(&b, zeros, (size_t)packs[i].there);
		}
		if (check(&b) != packs[i].result)
			fail_msg("pack %zu: %s", i, err_text());
		buf_release(&b);
		free(zeros);
	}
}

/* A difference of a few bytes whose result is a terabyte. */
static void test_differences(void **state)
{
	static const unsigned char small[] = { 10, 10, 0x90, 10 },
				   large[] = { 10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0x90, 10 },
				   endless[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	static const struct {
		const unsigned char *s;
		size_t n;
		int result;
	} packs[] = {
		{ small, sizeof small, 0 },
		{ large, sizeof large, ERR_DAMAGED },
		{ endless, sizeof endless, ERR_DAMAGED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(packs); i++) {
		struct buf b = BUF_INIT;

		add_header(&b, 1);
		add_heading(&b, 7, (int64_t)packs[i].n);
		buf_pad(&b, 'b', 20);
		add_packed(&b, packs[i].s, packs[i].n);
		assert_int_equal(check(&b), packs[i].result);
		buf_release(&b);
	}
}

/* A pack of ours, cut anywhere or with any byte changed, is read within bounds. */
static void test_damaged(void **state)
{
	struct git_fixture git;
	struct repository *repo;
	struct object_pair pair = { .base = "" };
	struct object_pack_options o = { .file_limit_bytes = 1 << 20,
		.total_limit_bytes = 1 << 20 };
	struct object_pack_report report;
	struct buf pack = BUF_INIT;

	(void)state;
	git_fixture_init(&git);
	git_fixture_run(&git, "seq 1 300 > a && seq 1 301 > b");
	snprintf(pair.tip, sizeof pair.tip, "%s", git_fixture_commit(&git, "first\n"));
	assert_int_equal(repository_open(&repo, git.repo), 0);
	assert_int_equal(object_pack_write(&pack, &report, repo, &pair, 1, &o), 0);
	assert_int_equal(pack_check(pack.s, pack.n, &limits), 0);
	for (size_t n = 0; n < pack.n; n++) {
		char *copy = malloc(n + 1);

		assert_non_null(copy);
		memcpy(copy, pack.s, n);
		assert_int_equal(pack_check(copy, n, &limits), ERR_DAMAGED);
		free(copy);
	}
	for (size_t i = 0; i + 20 < pack.n; i++)
		for (int bit = 1; bit < 256; bit <<= 1) {
			int rc;

			pack.s[i] = (char)(pack.s[i] ^ bit);
			rc = pack_check(pack.s, pack.n, &limits);
			assert_true(rc == 0 || rc == ERR_DAMAGED);
			/* What passes here is refused by its name or checksum. */
			assert_int_equal(object_pack_open(fs_join(&git.arena, git.root, "opened"),
						 pack.s, pack.n, NULL, 0),
				ERR_DAMAGED);
			assert_int_equal(
				fs_remove_tree(fs_join(&git.arena, git.root, "opened")), 0);
			pack.s[i] = (char)(pack.s[i] ^ bit);
			if (i > 40)
				break;
		}
	assert_int_equal(
		object_pack_open(fs_join(&git.arena, git.root, "opened"), pack.s, pack.n, NULL, 0),
		0);
	buf_release(&pack);
	repository_free(repo);
	git_fixture_release(&git);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
