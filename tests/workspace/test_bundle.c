/*
 * test_bundle - one file carries the whole migration, and no other file does:
 * round trip, damage at every byte, hostile names, secrets, withheld texts, and
 * evidence that is larger than memory should be.
 */
#include "config.h"

#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/text.h"
#include "domain/kind.h"
#include "store/diff.h"
#include "tests/workspace/fixture.h"
#include "workspace/bundle.h"
#include "workspace/bundle_format.h"
#include "workspace/changes.h"
#include "workspace/state.h"

static const struct workspace_options looking = { .read_only = true };
static const char secret[] = "hf_abcdefghijklmnopqrstuvwx";

static char *path_of(struct workspace_fixture *f, const char *name)
{
	return arena_printf(&f->a, "%s/%s", f->git.root, name);
}

static void write_file(const char *path, const void *p, size_t n)
{
	struct arena a = ARENA_INIT;

	assert_int_equal(fs_mkdirs(fs_dirname(&a, path), 0700), 0);
	assert_int_equal(fs_write_durable(path, p, n, 0600), 0);
	arena_release(&a);
}

static char *run_path(struct workspace_fixture *f, const char *name)
{
	return arena_printf(&f->a, "%s/.git/portside/runs/ps-aaaaaaaaaaaaa/%s", f->git.repo, name);
}

/* Two attempts, a note with a word in it, and a run with a log and a curve. */
static void fill(struct workspace_fixture *f)
{
	const char log[] = "step 1\nexport HF_TOKEN=hf_abcdefghijklmnopqrstuvwx\nstep 2\n";

	git_fixture_write(&f->git, "train.py", "a\nb\nc\n", 6);
	git_fixture_write(&f->git, "same.py", "never changed\n", 14);
	git_fixture_commit(&f->git, "original\n");
	git_fixture_run(&f->git, "git tag original");
	git_fixture_write(&f->git, "train.py", "a\nB\nc\n", 6);
	git_fixture_commit(&f->git, "use xla\n\nAttempt: 1\n");
	git_fixture_write(&f->git, "train.py", "a\nB\nc\nd\n", 8);
	git_fixture_commit(&f->git, "more\n\nAttempt: 2\n");
	fixture_discover(f);
	fixture_record(f, "human:ana", "note.written", "attempt/1", "text",
		"the curve is too smooth", NULL);
	write_file(run_path(f, "log"), log, sizeof log - 1);
	write_file(run_path(f, "artifacts/out.csv"), "step,loss\n1,2.5\n", 16);
}

static struct bundle_written write_bundle(
	struct workspace_fixture *f, const char *path, const struct bundle_options *o)
{
	struct bundle_written w;

	if (bundle_write(fixture_workspace(f), path, o, &w, &f->a) < 0)
		fail_msg("%s", err_text());
	return w;
}

static struct workspace *open_bundle(const char *path)
{
	struct workspace *ws = NULL;

	if (workspace_open(&ws, path, &looking) < 0)
		fail_msg("%s", err_text());
	return ws;
}

static char *projected(struct workspace *ws, struct arena *a)
{
	struct state_query q = { .type = "attempt" };
	struct buf all = BUF_INIT;
	char *copy;
	void **rows;
	size_t n;

	assert_int_equal(state_list(ws, &q, a, &rows, &n), 0);
	for (size_t i = 0; i < n; i++) {
		object_encode(&all, "attempt", rows[i]);
		buf_addc(&all, '\n');
	}
	copy = arena_strdup(a, all.s);
	buf_release(&all);
	return copy;
}

static void test_round_trip(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options all = { 0 };
	struct digest before, after;
	int64_t n, m;
	struct replica_head *heads;
	struct buf file = BUF_INIT;
	struct workspace *ws;
	size_t count;

	fill(f);
	write_bundle(f, path_of(f, "b"), &all);
	ws = open_bundle(path_of(f, "b"));
	assert_string_equal(projected(ws, &f->a), projected(fixture_workspace(f), &f->a));
	assert_int_equal(
		log_heads(workspace_log(fixture_workspace(f)), &f->a, &heads, &count, &n, &before),
		0);
	assert_int_equal(log_heads(workspace_log(ws), &f->a, &heads, &count, &m, &after), 0);
	assert_int_equal(n, m);
	assert_true(digest_equal(&before, &after));
	assert_int_equal(fs_read(&file,
				 fs_join(&f->a, workspace_path(ws, &f->a, "runs"),
					 "ps-aaaaaaaaaaaaa/artifacts/out.csv"),
				 0),
		0);
	assert_string_equal(file.s, "step,loss\n1,2.5\n");
	buf_release(&file);
	assert_true(workspace_read_only(ws));
	workspace_close(ws);
}

/* More texts than one section holds go on in the next ones. */
static void test_texts_in_several_sections(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options small = { .section_bytes = 100 };
	struct buf file = BUF_INIT;
	struct workspace *ws;
	size_t sections = 0;

	fill(f);
	for (int i = 0; i < 5; i++)
		fixture_record(f, "human:ana", "note.written", "attempt/1", "text",
			arena_printf(&f->a, "note number %d", i), NULL);
	write_bundle(f, path_of(f, "b"), &small);
	assert_int_equal(fs_read(&file, path_of(f, "b"), 0), 0);
	for (const char *s = file.s, *end = file.s + file.n;
		(s = memmem(s, (size_t)(end - s), "section blobs.jsonl ", 20)); s++)
		sections++;
	assert_true(sections >= 6);
	buf_release(&file);
	ws = open_bundle(path_of(f, "b"));
	assert_string_equal(projected(ws, &f->a), projected(fixture_workspace(f), &f->a));
	workspace_close(ws);
}

/* The diff of each attempt is there, and what nobody changed is not. */
static void test_carries_the_code(void **state)
{
	struct workspace_fixture *f = *state;
	struct diff_options options = DIFF_OPTIONS_INIT;
	const struct bundle_options all = { 0 };
	struct repository *repo;
	struct attempt_state *s;
	struct workspace *ws;
	struct diff d;

	fill(f);
	write_bundle(f, path_of(f, "b"), &all);
	git_fixture_run(&f->git, "mv .git gone");
	ws = open_bundle(path_of(f, "b"));
	assert_int_equal(workspace_repository(ws, &repo), 0);
	assert_int_equal(state_attempt(ws, "2", NULL, &f->a, &s), 0);
	assert_int_equal(diff_all(&d, repo, s->base, s->tip, &options), 0);
	assert_int_equal(d.n, 1);
	assert_string_equal(d.files[0].path, "train.py");
	assert_int_equal(d.files[0].added, 1);
	assert_int_equal(d.files[0].removed, 0);
	diff_release(&d);
	assert_int_equal(diff_all(&d, repo, changes_original(ws, &f->a), s->tip, &options), 0);
	assert_int_equal(d.files[0].added, 2);
	diff_release(&d);
	workspace_close(ws);
	git_fixture_run(&f->git, "mv gone .git");
}

/* What a job read of a bundle's files is still there when the job has closed it. */
static void test_is_unpacked_once(void **state)
{
	struct workspace_fixture *f = *state;
	char *path = path_of(f, "demo.bundle"), *curve, *fake = path_of(f, "fake");
	struct workspace *first, *again;
	struct repository *repo;

	fill(f);
	(void)write_bundle(f, path, &(struct bundle_options){ 0 });
	first = open_bundle(path);
	again = open_bundle(workspace_again(first));
	assert_string_equal(workspace_place(again)->bundle, path);
	assert_true(workspace_read_only(again));
	assert_string_equal(projected(again, &f->a), projected(first, &f->a));
	assert_int_equal(workspace_repository(again, &repo), 0);
	curve = fs_join(
		&f->a, workspace_path(again, &f->a, "runs"), "ps-aaaaaaaaaaaaa/artifacts/out.csv");
	workspace_close(again);
	assert_true(fs_exists(curve));
	workspace_close(first);
	assert_false(fs_exists(curve));
	/* A folder that others may write in is none of ours, whatever it holds. */
	write_file(fs_join(&f->a, fake, "bundle.origin"), "x", 1);
	assert_int_equal(chmod(fake, 0755), 0);
	assert_int_equal(workspace_open(&again, fake, &looking), ERR_NOT_FOUND);
}

static void test_without_code(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options o = { .without_code = true };
	struct repository *repo;
	struct workspace *ws;

	fill(f);
	/* the code, and the log's secret */
	assert_int_equal(write_bundle(f, path_of(f, "b"), &o).n_left_out, 2);
	ws = open_bundle(path_of(f, "b"));
	assert_int_equal(workspace_repository(ws, &repo), ERR_STATE);
	assert_non_null(strstr(err_text(), "without the code"));
	workspace_close(ws);
}

static bool holds(const char *path, const char *word)
{
	struct buf b = BUF_INIT, hex = BUF_INIT;
	bool found;

	assert_int_equal(fs_read(&b, path, 0), 0);
	buf_reserve(&hex, strlen(word) * 2);
	hex_encode(hex.s, word, strlen(word));
	found = memmem(b.s, b.n, word, strlen(word)) || memmem(b.s, b.n, hex.s, strlen(word) * 2);
	buf_release(&hex);
	buf_release(&b);
	return found;
}

static void test_withholds_texts(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options with = { 0 }, without = { .without_texts = true };
	struct state_query q = { .type = "note" };
	struct workspace *ws;
	void **rows;
	size_t n;

	fill(f);
	write_bundle(f, path_of(f, "with"), &with);
	write_bundle(f, path_of(f, "without"), &without);
	assert_true(holds(path_of(f, "with"), "too smooth"));
	assert_false(holds(path_of(f, "without"), "too smooth"));
	ws = open_bundle(path_of(f, "without"));
	assert_int_equal(state_list(ws, &q, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(workspace_text(ws, &f->a, ((struct note_state *)rows[0])->text_digest),
		"(withheld)");
	workspace_close(ws);
}

static void test_takes_secrets_out(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options all = { 0 };
	const char binary[] = "\0\0 hf_abcdefghijklmnopqrstuvwx \0";
	struct bundle_written w;

	fill(f);
	write_file(run_path(f, "artifacts/events.bin"), binary, sizeof binary - 1);
	w = write_bundle(f, path_of(f, "b"), &all);
	assert_false(holds(path_of(f, "b"), secret));
	assert_non_null(strstr(w.left_out, "log: secrets in it were taken out"));
	assert_non_null(strstr(w.left_out, "events.bin: no text"));
}

/* What this environment holds as a secret may stand in a log; a name may hold one. */
static void test_takes_values_and_names_out(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options all = { 0 };
	struct bundle_written w;

	fill(f);
	assert_int_equal(setenv("WANDB_API_KEY", "plainwordsonly", 1), 0);
	write_file(run_path(f, "artifacts/out.txt"), "key plainwordsonly is\n", 22);
	write_file(run_path(f, arena_printf(&f->a, "artifacts/%s.csv", secret)),
		"step,loss\n1,2.5\n", 16);
	w = write_bundle(f, path_of(f, "b"), &all);
	unsetenv("WANDB_API_KEY");
	assert_false(holds(path_of(f, "b"), "plainwordsonly"));
	assert_false(holds(path_of(f, "b"), secret));
	assert_non_null(strstr(w.left_out, "its name holds what looks like a secret"));
}

/* A key, and a token, that lie across the pieces of a long log. */
static void test_takes_secrets_out_of_long_logs(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options all = { 0 };
	struct buf log = BUF_INIT;

	fill(f);
	while (log.n < (1 << 20) - 60)
		buf_adds(&log, "a line of a log that goes on and on\n");
	buf_truncate(&log, (1 << 20) - 40);
	buf_adds(&log,
		"\n-----BEGIN RSA PRIVATE KEY-----\nMIIEtopsecretline1\nMIIEtopsecretline2\n-----END RSA PRIVATE KEY-----\n");
	while (log.n < (2 << 20) - 10)
		buf_addc(&log, 'x');
	buf_addf(&log, " %s ", secret);
	while (log.n < (3 << 20))
		buf_addc(&log, 'y');
	write_file(run_path(f, "log"), log.s, log.n);
	write_bundle(f, path_of(f, "b"), &all);
	assert_false(holds(path_of(f, "b"), secret));
	assert_false(holds(path_of(f, "b"), "topsecretline"));
	assert_true(holds(path_of(f, "b"), "yyyyyyyy"));
	buf_release(&log);
}

/* ---- damage ---------------------------------------------------------------------- */

struct target { struct log *log; char *folder, *path; };

static int unpack(struct target *t, const void *p, size_t n)
{
	FILE *file = fopen(t->path, "we");
	int rc;

	assert_non_null(file);
	assert_int_equal(fwrite(p, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
	rc = bundle_unpack(t->log, t->folder, t->path);
	return rc;
}

static struct target open_target(struct workspace_fixture *f)
{
	struct target t = { .folder = path_of(f, "unpacked"), .path = path_of(f, "damaged") };
	const struct log_options o = { .create = true };

	assert_int_equal(log_open(&t.log, t.folder, &o), 0);
	return t;
}

static void test_refuses_each_flipped_byte(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options o = { .without_evidence = true, .without_code = true };
	struct buf b = BUF_INIT;
	struct target t = open_target(f);

	fill(f);
	write_bundle(f, path_of(f, "b"), &o);
	assert_int_equal(fs_read(&b, path_of(f, "b"), 0), 0);
	for (size_t i = 0; i < b.n; i++) {
		unsigned char flip = (unsigned char)(1u << (i % 8));
		int rc;

		b.s[i] = (char)(b.s[i] ^ flip);
		rc = unpack(&t, b.s, b.n);
		if (rc != ERR_DAMAGED && rc != ERR_NEWER)
			fail_msg("byte %zu flipped: %d", i, rc);
		b.s[i] = (char)(b.s[i] ^ flip);
	}
	assert_int_equal(unpack(&t, b.s, b.n), 0);
	log_close(t.log);
	buf_release(&b);
}

static void test_refuses_each_cut(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options o = { .without_evidence = true, .without_code = true };
	struct buf b = BUF_INIT;
	struct target t = open_target(f);

	fill(f);
	write_bundle(f, path_of(f, "b"), &o);
	assert_int_equal(fs_read(&b, path_of(f, "b"), 0), 0);
	for (size_t n = 0; n < b.n; n += 7)
		assert_int_equal(unpack(&t, b.s, n), ERR_DAMAGED);
	assert_int_equal(unpack(&t, b.s, b.n - 1), ERR_DAMAGED);
	buf_adds(&b, "more");
	assert_int_equal(unpack(&t, b.s, b.n), ERR_DAMAGED);
	assert_non_null(strstr(err_text(), "follows its end"));
	log_close(t.log);
	buf_release(&b);
}

static void test_names_a_newer_version(void **state)
{
	struct workspace_fixture *f = *state;
	const char newer[] = "portside-bundle 7\nsomething else\n";
	struct target t = open_target(f);
	struct workspace *ws = NULL;

	assert_int_equal(unpack(&t, newer, sizeof newer - 1), ERR_NEWER);
	assert_int_equal(workspace_open(&ws, t.path, &looking), ERR_NEWER);
	assert_non_null(strstr(err_text(), "format 7 by a newer portside"));
	log_close(t.log);
}

/* ---- hostile bundles that are well formed ------------------------------------------- */

static void add_section(struct buf *b, const char *name, const char *body)
{
	struct digest d = sha256_bytes(body, strlen(body));
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &d);
	buf_addf(b, "section %s %zu %s\n%s\n", name, strlen(body), hex, body);
}

static void add_end(struct buf *b, size_t sections)
{
	struct digest d = sha256_bytes(b->s, b->n);
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &d);
	buf_addf(b, "end %zu %s\n", sections, hex);
}

static int unpack_one(struct target *t, const char *name, const char *body, size_t times)
{
	struct buf b = BUF_INIT;
	int rc;

	buf_adds(&b, BUNDLE_MAGIC "\n");
	for (size_t i = 0; i < times; i++)
		add_section(&b, name, body);
	add_end(&b, times);
	rc = unpack(t, b.s, b.n);
	buf_release(&b);
	return rc;
}

static void test_refuses_hostile_names(void **state)
{
	static const char *const names[] = {
		"runs/../../escaped",
		"/runs/escaped",
		"runs//escaped",
		"runs/./escaped",
		"..",
		"runs/\033[31m",
		"runs/\xff",
	};
	struct workspace_fixture *f = *state;
	struct target t = open_target(f);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (unpack_one(&t, names[i], "x", 1) != ERR_DAMAGED)
			fail_msg("\"%s\" was taken", names[i]);
	assert_false(fs_exists(path_of(f, "escaped")));
	assert_int_equal(unpack_one(&t, "runs/twice", "x", 2), ERR_DAMAGED);
	assert_int_equal(unpack_one(&t, "later/unknown", "x", 1), 0);
	assert_false(fs_exists(path_of(f, "unpacked/later")));
	assert_int_equal(unpack_one(&t, "log.db", "x", 1), 0);		/* no name of ours */
	assert_int_equal(
		unpack_one(&t, "code/repository.pack", "PACK\0\0\0\2 not a pack", 1), ERR_DAMAGED);
	log_close(t.log);
}

/* What other programs would read of a folder that calls itself a repository. */
static void test_brings_no_repository(void **state)
{
	static const char *const names[] = {
		"code/repository.git/config",
		"code/repository.git/HEAD",
		"code/repository.git/hooks/post-checkout",
		"code/repository.git/objects/info/alternates",
		"code/other",
		"conf/other.conf",
		"cache/log.db",
		"log.db-journal",
		"seg",
		"spool/1.json",
	};
	struct workspace_fixture *f = *state;
	struct target t = open_target(f);

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_int_equal(
			unpack_one(&t, names[i], "[core]\n\tfsmonitor = touch ran\n", 1), 0);
		if (fs_exists(fs_join(&f->a, t.folder, names[i])))
			fail_msg("%s was unpacked", names[i]);
	}
	log_close(t.log);
}

static void test_bounds_names_and_counts(void **state)
{
	struct workspace_fixture *f = *state;
	struct target t = open_target(f);
	char name[2000] = "runs/";

	memset(name + 5, 'n', sizeof name - 6);
	/* longer than any */
	assert_int_equal(unpack_one(&t, name, "x", 1), ERR_DAMAGED);
	name[5 + 300] = '\0';
	/* than the disk takes */
	assert_int_equal(unpack_one(&t, name, "x", 1), ERR_IO);
	name[5 + 200] = '\0';
	assert_int_equal(unpack_one(&t, name, "x", 1), 0);
	/* a file is no folder */
	assert_int_equal(unpack_one(&t, arena_printf(&f->a, "%s/below", name), "x", 1), ERR_EXISTS);
	log_close(t.log);
}

/* Sections that say more than there is, in a file of a few bytes. */
static void test_believes_no_size(void **state)
{
	static const char *const sizes[] = { "9223372036854775807", "1099511627776", "-1",
		"99999999999999999999", "0x10", "1e3" };
	struct workspace_fixture *f = *state;
	struct target t = open_target(f);

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		char *text = arena_printf(&f->a, "%s\nsection runs/x %s %064d\nx\nend 1 %064d\n",
			BUNDLE_MAGIC, sizes[i], 0, 0);

		assert_int_equal(unpack(&t, text, strlen(text)), ERR_DAMAGED);
	}
	log_close(t.log);
}

/* A section taken out or two exchanged, with every checksum made right again. */
static void test_notices_missing_events(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options o = { .without_evidence = true, .without_code = true };
	struct buf b = BUF_INIT, cut = BUF_INIT;
	struct target t = open_target(f);
	size_t sections = 0;
	char *at, *end;

	fill(f);
	write_bundle(f, path_of(f, "b"), &o);
	assert_int_equal(fs_read(&b, path_of(f, "b"), 0), 0);
	buf_adds(&cut, BUNDLE_MAGIC "\n");
	for (at = strstr(b.s, "section "); at; at = strncmp(end, "section ", 8) == 0 ? end : NULL) {
		long long size;
		char name[200];

		assert_int_equal(sscanf(at, "section %199s %lld", name, &size), 2);
		end = strchr(at, '\n') + 1 + size + 1;
		if (strncmp(name, "seg/", 4) == 0)
			continue;
		buf_add(&cut, at, (size_t)(end - at));
		sections++;
	}
	add_end(&cut, sections);
	assert_int_equal(unpack(&t, cut.s, cut.n), ERR_DAMAGED);
	assert_non_null(strstr(err_text(), "manifest speaks of"));
	log_close(t.log);
	buf_release(&b);
	buf_release(&cut);
}

static void test_refuses_events_that_do_not_verify(void **state)
{
	struct workspace_fixture *f = *state;
	struct target t = open_target(f);
	struct buf b = BUF_INIT;
	int64_t n;

	buf_addf(&b, BUNDLE_MAGIC "\n");
	add_section(&b,
		"seg/00/0000000000000000000000000000000000000000000000000000000000000000.jsonl",
		"{\"v\":\"1\"}\n");
	add_end(&b, 1);
	assert_true(unpack(&t, b.s, b.n) < 0);
	assert_int_equal(log_count(t.log, &n), 0);
	assert_int_equal(n, 0);
	log_close(t.log);
	buf_release(&b);
}

static void test_never_overwrites(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options all = { 0 };
	struct bundle_written w;

	fill(f);
	write_file(path_of(f, "b"), "mine", 4);
	assert_int_equal(
		bundle_write(fixture_workspace(f), path_of(f, "b"), &all, &w, &f->a), ERR_EXISTS);
	assert_int_equal(fs_size(path_of(f, "b")), 4);
}

/* ---- size ---------------------------------------------------------------------------- */

static long peak_kilobytes(void)
{
	struct rusage use;

	assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
	return use.ru_maxrss;
}

/* A sparse file: large for the bundle, cheap on the disk until it is written. */
static void test_streams_large_evidence(void **state)
{
	struct workspace_fixture *f = *state;
	const struct bundle_options o = { .without_code = true };
	const char *large = getenv("PORTSIDE_TEST_LARGE_MB");
	int64_t mb = 96;
	struct workspace *ws;
	long before, after;
	int fd;

	if (large && !text_to_i64(large, strlen(large), &mb))
		fail_msg("PORTSIDE_TEST_LARGE_MB is no number");
	fill(f);
	fd = open(run_path(f, "artifacts/weights.bin"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)mb << 20), 0);
	close(fd);
	fixture_workspace(f);
	before = peak_kilobytes();
	assert_true(write_bundle(f, path_of(f, "b"), &o).bytes > mb << 20);
	ws = open_bundle(path_of(f, "b"));
	after = peak_kilobytes();
	assert_int_equal(fs_size(fs_join(&f->a, workspace_path(ws, &f->a, "runs"),
				 "ps-aaaaaaaaaaaaa/artifacts/weights.bin")),
		mb << 20);
	workspace_close(ws);
#ifdef PORTSIDE_ADDRESS_SANITIZER
	/* The sanitizer keeps what was freed: the peak tells nothing of ours. */
	after = before;
#endif
	if (after - before > 24 * 1024)
		fail_msg("%ld kB more for a file of %lld MB", after - before, (long long)mb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_streams_large_evidence, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_round_trip, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_texts_in_several_sections, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_carries_the_code, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_is_unpacked_once, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_without_code, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_withholds_texts, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_takes_secrets_out, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_takes_values_and_names_out, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_takes_secrets_out_of_long_logs, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_each_flipped_byte, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_each_cut, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_names_a_newer_version, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_hostile_names, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_brings_no_repository, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_bounds_names_and_counts, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_believes_no_size, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_notices_missing_events, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_refuses_events_that_do_not_verify, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			test_never_overwrites, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
