/*
 * churn_git - one `git diff-tree --stdin` for many pairs, and the reader of its
 * -z output.
 *
 * For each pair git writes "TREE TREE\n", then a raw record for each file
 * (":MODE MODE OID OID STATUS NUL PATH NUL", two paths for R and C), then a
 * numstat record in the same order ("ADDED TAB REMOVED TAB PATH NUL", or an
 * empty path followed by two).  Names hold any byte but NUL.
 */
#include "config.h"
#include "store/churn_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/text.h"
#include "store/repository_program.h"

/* A header is two names, a blank and a newline. */
enum { HEADER_BYTES = 2 * OID_HEX + 2, RAW_BYTES = 1 + 6 + 1 + 6 + 1 + OID_HEX + 1 + OID_HEX + 1 };

struct reader {
	struct buf pending;		/* bytes of an unfinished record */
	struct churn current;
	size_t cap, counted;		/* files with room; files whose numstat was read */
	bool open;			/* a header was read */
	bool names_only;		/* no counts were asked for */
	size_t done;
	int stop;			/* what FN or the reader ended with */
	churn_fn *fn;
	void *user;
};

static int malformed(const char *what)
{
	return err_set(
		ERR_GIT, "git diff-tree wrote %s that cannot be read; use git 2.30 or newer", what);
}

static int hand_over(struct reader *r)
{
	int rc;

	if (!r->open)
		return 0;
	if (!r->names_only && r->counted != r->current.n)
		return malformed("fewer counts than files");
	churn_finish(&r->current);
	r->current.origin = CHURN_FROM_GIT;
	r->open = false;
	rc = r->fn(r->user, r->done++, &r->current);
	churn_release(&r->current);
	r->cap = r->counted = 0;
	return rc;
}

static int start_pair(struct reader *r)
{
	int rc = hand_over(r);

	r->current = (struct churn)CHURN_INIT;
	r->open = true;
	return rc;
}

/* Bytes up to and with the Nth NUL after FROM, 0 when they are not all here. */
static size_t through_nul(const char *s, size_t n, size_t from, int count)
{
	while (count-- > 0) {
		const char *end = from < n ? memchr(s + from, '\0', n - from) : NULL;

		if (end == NULL)
			return 0;
		from = (size_t)(end - s) + 1;
	}
	return from;
}

static void take_oid(char out[OID_HEX + 1], const char *s)
{
	memcpy(out, s, OID_HEX);
	out[OID_HEX] = '\0';
	if (strspn(out, "0") == OID_HEX)
		out[0] = '\0';
}

static uint32_t take_mode(const char *s)
{
	uint32_t mode = 0;

	for (int i = 0; i < 6 && s[i] >= '0' && s[i] <= '7'; i++)
		mode = mode * 8 + (uint32_t)(s[i] - '0');
	return mode;
}

static struct churn_file *add_file(struct reader *r)
{
	struct churn *c = &r->current;

	if (c->n == r->cap) {
		size_t cap = r->cap == 0 ? 16 : r->cap * 2;
		struct churn_file *files = arena_alloc(&c->arena, cap * sizeof *files);

		if (c->n > 0)
			memcpy(files, c->files, c->n * sizeof *files);
		c->files = files;
		r->cap = cap;
	}
	return &c->files[c->n++];
}

/* ":100644 100755 OID OID R087" NUL OLD NUL NEW NUL.  0: incomplete. */
static ssize_t take_raw(struct reader *r, const char *s, size_t n)
{
	struct churn_file *f;
	size_t status_end, used;
	bool two;

	if (n <= RAW_BYTES)
		return 0;
	two = s[RAW_BYTES] == 'R' || s[RAW_BYTES] == 'C';
	if ((used = through_nul(s, n, RAW_BYTES, two ? 3 : 2)) == 0)
		return 0;
	if (!r->open || s[15 + OID_HEX] != ' ' || s[RAW_BYTES - 1] != ' ')
		return malformed("a file record");
	status_end = through_nul(s, n, RAW_BYTES, 1);
	f = add_file(r);
	*f = (struct churn_file){
		.status = s[RAW_BYTES], .old_mode = take_mode(s + 1), .new_mode = take_mode(s + 8),
		.similarity = two ? (int)strtol(s + RAW_BYTES + 1, NULL, 10) : -1,
		.added = r->names_only ? -1 : 0, .removed = r->names_only ? -1 : 0,
	};
	take_oid(f->old_oid, s + 15);
	take_oid(f->new_oid, s + 15 + OID_HEX + 1);
	f->old_path = arena_strdup(&r->current.arena, s + status_end);
	f->path = two ? arena_strdup(&r->current.arena, s + status_end + strlen(s + status_end) + 1)
		      : f->old_path;
	return (ssize_t)used;
}

/* "12 TAB 3 TAB" or "- TAB - TAB"; the bytes that it took, 0 when it is none. */
static size_t take_counts(struct churn_file *f, const char *s, size_t n)
{
	const char *tab = memchr(s, '\t', n);
	const char *second = tab != NULL ? memchr(tab + 1, '\t', n - (size_t)(tab + 1 - s)) : NULL;

	if (second == NULL)
		return 0;
	f->binary = *s == '-';
	if (!f->binary && (!text_to_i64(s, (size_t)(tab - s), &f->added) ||
			   !text_to_i64(tab + 1, (size_t)(second - tab - 1), &f->removed)))
		return 0;
	return (size_t)(second - s) + 1;
}

static ssize_t take_numstat(struct reader *r, const char *s, size_t n)
{
	struct churn_file *f;
	size_t end = through_nul(s, n, 0, 1), counts;

	if (end == 0)
		return 0;
	if (!r->open || r->counted >= r->current.n)
		return malformed("more counts than files");
	f = &r->current.files[r->counted];
	counts = take_counts(f, s, end);
	if (counts == 0)
		return malformed("a count");
	if (counts == end - 1 && (end = through_nul(s, n, counts, 3)) == 0)
		return 0;
	if (s[counts] != '\0' && strcmp(s + counts, f->path) != 0)
		return malformed("counts in another order");
	r->counted++;
	return (ssize_t)end;
}

static bool is_header(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && i < OID_HEX && memchr("0123456789abcdef", s[i], 16) != NULL)
		i++;
	return i == OID_HEX && i < n && s[i] == ' ';
}

static ssize_t take_record(struct reader *r, const char *s, size_t n)
{
	int rc;

	if (*s == ':')
		return take_raw(r, s, n);
	if (n < HEADER_BYTES && memchr(s, '\t', n) == NULL)
		return 0;
	if (!is_header(s, n))
		return take_numstat(r, s, n);
	if (n < HEADER_BYTES)
		return 0;
	if ((rc = start_pair(r)) != 0) {
		r->stop = rc;
		return -1;
	}
	return HEADER_BYTES;
}

static int take_bytes(void *user, const char *bytes, size_t n)
{
	struct reader *r = user;
	size_t at = 0;
	ssize_t used = 1;

	buf_add(&r->pending, bytes, n);
	while (at < r->pending.n && used > 0) {
		used = take_record(r, r->pending.s + at, r->pending.n - at);
		if (used > 0)
			at += (size_t)used;
	}
	memmove(r->pending.s, r->pending.s + at, r->pending.n - at);
	buf_truncate(&r->pending, r->pending.n - at);
	if (used < 0 && r->stop == 0)
		r->stop = (int)used;
	return r->stop;
}

static void build_input(struct buf *out, const struct churn_pair *trees, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, *trees[i].base != '\0' ? trees[i].base : OID_EMPTY_TREE);
		buf_addc(out, ' ');
		buf_adds(out, *trees[i].tip != '\0' ? trees[i].tip : OID_EMPTY_TREE);
		buf_addc(out, '\n');
	}
}

int churn_by_git(const char *folder, const struct churn_pair *trees, size_t n, bool names_only,
		const atomic_bool *cancel, churn_fn *fn, void *user, size_t *done)
{
	const char *const argv[] = {
		"diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--find-renames",
		"-l1000", "--diff-algorithm=myers", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", names_only ? NULL : "--numstat", NULL,
	};
	struct reader r = { .pending = BUF_INIT,
		.current = CHURN_INIT,
		.names_only = names_only,
		.fn = fn,
		.user = user };
	struct buf input = BUF_INIT;
	struct git_program run = {
		.folder = folder, .argv = argv, .output = take_bytes, .user = &r, .cancel = cancel,
	};
	int rc;

	build_input(&input, trees, n);
	run.input = input.s;
	run.input_n = input.n;
	rc = git_program_run(&run);
	if (rc == 0)
		rc = r.pending.n > 0 ? malformed("an unfinished record") : hand_over(&r);
	*done = r.done;
	churn_release(&r.current);
	buf_release(&r.pending);
	buf_release(&input);
	return rc;
}
