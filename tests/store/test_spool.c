/* The spool and the segments: what comes in from elsewhere as files. */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/fs.h"
#include "log_fixture.h"
#include "store/blob.h"
#include "store/segment.h"
#include "store/spool.h"

static const char *only_notes(void *user, struct event_draft *d)
{
	(void)user;
	return strcmp(d->kind, "note.written") ? "this kind is not for the spool" : NULL;
}

static void ingest(struct fixture *f, struct log *log, struct spool_result *r)
{
	if (spool_ingest(log, only_notes, NULL, &f->a, r) < 0)
		fail_msg("%s", err_text());
}

static struct event **all_events(struct fixture *f, struct log *log, size_t *n)
{
	struct event_query q = { .limit = 0 };
	struct event **events;

	assert_int_equal(log_events(log, &q, &f->a, &events, n), 0);
	return events;
}

/* Puts TEXT under NAME as a foreign program might. */
static void drop(struct fixture *f, const char *name, const char *text)
{
	char *folder = arena_printf(&f->a, "%s/spool", f->folder);

	assert_int_equal(fs_mkdirs(folder, 0700), 0);
	assert_int_equal(
		fs_write_durable(fs_join(&f->a, folder, name), text, strlen(text), 0600), 0);
}

static void test_written_and_taken_in_order(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_blob text = { "text", "it works", 8 };
	struct event_draft d = { .actor = "agent:claude",
		.kind = "note.written",
		.object = "attempt/1",
		.data = event_data(&f->a, "source", "hook", NULL),
		.blobs = &text,
		.n_blobs = 1 };
	struct spool_result r;
	struct event **events;
	struct buf b = BUF_INIT;
	enum blob_state s;
	size_t n;

	assert_int_equal(spool_waiting(f->folder), 0);
	assert_int_equal(spool_write(f->folder, &d), 0);
	d.object = "attempt/2";
	assert_int_equal(spool_write(f->folder, &d), 0);
	assert_int_equal(spool_write(f->folder, &d), 0);
	assert_int_equal(spool_waiting(f->folder), 3);
	ingest(f, log, &r);
	assert_int_equal(r.taken, 3);
	assert_int_equal(r.rejected, 0);
	assert_null(r.reason);
	assert_int_equal(spool_waiting(f->folder), 0);
	events = all_events(f, log, &n);
	assert_int_equal(n, 3);
	assert_string_equal(events[0]->object, "attempt/1");
	assert_string_equal(events[0]->actor, "agent:claude");
	assert_string_equal(json_str(events[0]->data, "source", ""), "hook");
	assert_int_equal(log_blob_hex(log, json_str(events[2]->data, "text", ""), &s, &b), 0);
	assert_string_equal(b.s, "it works");
	buf_release(&b);
	log_close(log);
}

static void test_same_bytes_once(void **state)
{
	static const char note[] =
		"{\"actor\":\"tool:hook\",\"kind\":\"note.written\",\"object\":\"a\",\"data\":{}}";
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct spool_result r;
	size_t n;

	drop(f, "1.json", note);
	ingest(f, log, &r);
	assert_int_equal(r.taken, 1);
	drop(f, "2.json", note);
	ingest(f, log, &r);
	assert_int_equal(r.taken, 0);
	assert_int_equal(r.known, 1);
	assert_int_equal(spool_waiting(f->folder), 0);
	all_events(f, log, &n);
	assert_int_equal(n, 1);
	log_close(log);
}

static void test_hostile_files_are_rejected(void **state)
{
	static const struct {
		const char *name, *text, *reason;
	} files[] = {
		{ "a.json", "not json", "" },
		{ "b.json", "{\"actor\":\"human:boss\",\"kind\":\"note.written\",\"object\":\"a\"}",
			"only agent: and tool:" },
		{ "c.json", "{\"actor\":\"agent:x\",\"kind\":\"decision.made\",\"object\":\"a\"}",
			"not for the spool" },
		{ "d.json", "{\"actor\":\"agent:x\",\"kind\":\"note.written\"}", "are needed" },
		{ "e.json",
			"{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"a\",\"data\":[]}",
			"not an object" },
		{ "f.json",
			"{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"a\","
			"\"data\":{\"n\":1}}",
			"" },
		{ "g.json",
			"{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"a\","
			"\"data\":{\"t\":\"1\"},\"texts\":{\"t\":\"2\"}}",
			"in data too" },
		{ "h.json",
			"{\"actor\":\"agent:x\",\"actor\":\"tool:y\",\"kind\":\"note.written\","
			"\"object\":\"a\"}",
			"" },
		{ "i.json", "", "" },
	};
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char *rejected = arena_printf(&f->a, "%s/spool/rejected", f->folder);
	char *spool = arena_printf(&f->a, "%s/spool", f->folder);
	struct spool_result r;
	struct buf b = BUF_INIT;
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(files); i++)
		drop(f, files[i].name, files[i].text);
	assert_int_equal(symlink("/etc/passwd", fs_join(&f->a, spool, "j.json")), 0);
	assert_int_equal(mkfifo(fs_join(&f->a, spool, "k.json"), 0600), 0);
	drop(f, "note.txt", "no event at all");
	ingest(f, log, &r);
	assert_int_equal(r.rejected, ARRAY_LEN(files) + 2);
	assert_int_equal(r.taken, 0);
	assert_non_null(r.reason);
	assert_int_equal(fs_read(&b, fs_join(&f->a, rejected, "k.json.reason"), 0), 0);
	assert_string_equal(b.s, "it is not a plain file\n");
	for (i = 0; i < ARRAY_LEN(files); i++) {
		buf_clear(&b);
		assert_int_equal(
			fs_read(&b, arena_printf(&f->a, "%s/%s.reason", rejected, files[i].name),
				0),
			0);
		assert_non_null(strstr(b.s, files[i].reason));
		assert_true(b.n > 1);
	}
	all_events(f, log, &n);
	assert_int_equal(n, 0);
	buf_release(&b);
	log_close(log);
}

static const char good[] =
	"{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"a\",\"data\":{}}";

/* Whatever lies in the spool, the good file behind it is taken. */
static void test_nothing_holds_up_the_rest(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char *spool = arena_printf(&f->a, "%s/spool", f->folder),
	     *rejected = fs_join(&f->a, spool, "rejected");
	char longest[NAME_MAX + 1];
	struct spool_result r;
	int fd;

	memset(longest, 'l', NAME_MAX - 5);
	memcpy(longest + NAME_MAX - 5, ".json", sizeof ".json");
	assert_int_equal(fs_mkdirs(fs_join(&f->a, spool, "a.json/inside"), 0700), 0);
	assert_int_equal(fs_mkdirs(fs_join(&f->a, rejected, "a.json/inside"), 0700), 0);
	drop(f, "b.json", "{");
	assert_int_equal(fs_mkdirs(fs_join(&f->a, rejected, "b.json"), 0700), 0);
	assert_int_equal(mknod(fs_join(&f->a, spool, "c.json"), S_IFSOCK | 0600, 0), 0);
	fd = open(fs_join(&f->a, spool, longest), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, "[]", 2) == 2);
	close(fd);
	drop(f, "z.json", good);
	ingest(f, log, &r);
	assert_int_equal(r.rejected, 4);
	assert_int_equal(r.taken, 1);
	assert_int_equal(spool_waiting(f->folder), 0);
	assert_true(fs_is_dir(fs_join(&f->a, rejected, "a.json.2/inside")));
	assert_true(fs_exists(fs_join(&f->a, rejected, "a.json.2.reason")));
	assert_true(fs_exists(fs_join(&f->a, rejected, "b.json.2.reason")));
	assert_true(fs_exists(fs_join(&f->a, rejected, "c.json.reason")));
	log_close(log);
}

/* A refused file that cannot be moved away stays, and is said to. */
static void test_no_place_for_refused_files(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct spool_result r;

	drop(f, "a.json", "{");
	drop(f, "rejected", "a file");
	drop(f, "z.json", good);
	for (size_t i = 0; i < 2; i++) {
		ingest(f, log, &r);
		assert_int_equal(r.rejected, 1);
		assert_int_equal(r.taken, 1 - i);
		assert_non_null(strstr(r.reason, "cannot make folder"));
	}
	assert_int_equal(spool_waiting(f->folder), 1);
	log_close(log);
}

static void test_large_files_are_refused(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct spool_result r;
	int fd;

	drop(f, "a.json", "");
	fd = open(arena_printf(&f->a, "%s/spool/a.json", f->folder), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0 && ftruncate(fd, (off_t)1 << 40) == 0);
	close(fd);
	drop(f, "z.json", good);
	ingest(f, log, &r);
	assert_int_equal(r.taken, 1);
	assert_non_null(strstr(r.reason, "too large"));
	log_close(log);
}

/* More than one transaction takes, and among them one that only the log refuses. */
static void test_many_files(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event **events;
	struct spool_result r;
	size_t n;

	for (int i = 0; i < 450; i++)
		drop(f, arena_printf(&f->a, "%04d.json", i),
			arena_printf(&f->a,
				"{\"actor\":\"agent:x%s\",\"kind\":\"note.written\",\"object\":\"o%d\",\"data\":{}}",
				i == 123 ? " y" : "", i));
	drop(f, "0450.json",
		arena_printf(&f->a,
			"{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"o%d\",\"data\":{}}",
			7));
	ingest(f, log, &r);
	assert_int_equal(r.taken + r.rejected, 450);
	assert_int_equal(r.known, 1);
	assert_int_equal(spool_waiting(f->folder), 0);
	events = all_events(f, log, &n);
	assert_int_equal(n, r.taken);
	assert_string_equal(events[0]->object, "o0");
	assert_string_equal(events[n - 1]->object, "o449");
	log_close(log);
}

static void test_read_only_leaves_the_spool(void **state)
{
	struct fixture *f = *state;
	struct log_options look = { .read_only = true };
	struct spool_result r;
	struct log *log = fixture_log(f);

	log_close(log);
	drop(f, "1.json", "{\"actor\":\"agent:x\",\"kind\":\"note.written\",\"object\":\"a\"}");
	assert_int_equal(log_open(&log, f->folder, &look), 0);
	assert_int_equal(spool_ingest(log, NULL, NULL, &f->a, &r), ERR_REFUSED);
	assert_int_equal(spool_waiting(f->folder), 1);
	log_close(log);
}

static void test_known_segment(void **state)
{
	static const char e1[] =
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\","
		"\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"project.created\","
		"\"o\":\"p1\",\"d\":{\"name\":\"melora\"}}\n"
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"2\",\"p\":"
		"\"a02e3f23d87404201423ef7dae3acb05e5348a09ab682bd76a3bf51e867e26ee\",\"l\":\"2\","
		"\"t\":\"2026-10-25T16:22:00.000Z\",\"a\":\"agent:claude\",\"k\":\"attempt.claimed\","
		"\"o\":\"a1\",\"d\":{\"level\":\"L3\",\"metric\":\"86.53\"}}\n";
	static const char name[] =
		"8c80e4b16c2689e21f9716793c490ffd4b949d34055f9e52d88b254a3e4b0029";
	struct fixture *f = *state;
	struct event_segment s;
	char other[DIGEST_HEX + 1];

	assert_int_equal(strlen(e1), 425);
	assert_int_equal(segment_parse(&s, &f->a, name, e1, 425), 0);
	assert_int_equal(s.n_lines, 2);
	assert_string_equal(segment_path(&f->a, name),
		"seg/8c/8c80e4b16c2689e21f9716793c490ffd4b949d34055f9e52d88b254a3e4b0029.jsonl");
	memcpy(other, name, sizeof other);
	other[0] = '9';
	assert_int_equal(segment_parse(&s, &f->a, other, e1, 425), ERR_PARSE);
	assert_int_equal(segment_parse(&s, &f->a, name, e1, 424), ERR_PARSE);
	assert_int_equal(segment_parse(&s, &f->a, name, "", 0), ERR_PARSE);
}

/* The name is right, the content is not a segment. */
static void expect_bad(struct fixture *f, const char *text, const char *reason)
{
	struct digest d = sha256_bytes(text, strlen(text));
	char name[DIGEST_HEX + 1];
	struct event_segment s;

	digest_hex(name, &d);
	assert_int_equal(segment_parse(&s, &f->a, name, text, strlen(text)), ERR_PARSE);
	assert_non_null(strstr(err_text(), reason));
}

static void test_bad_segments(void **state)
{
	struct fixture *f = *state;
	struct event *one = make_event(&f->a, "00112233445566778899aabbccddeeff", 1, NULL, 1, "x");
	struct event *two = make_event(&f->a, "ffeeddccbbaa99887766554433221100", 2, one, 2, "y");

	expect_bad(f, arena_printf(&f->a, "%s\n%s\n", one->body, two->body),
		"line 2: an event of another");
	expect_bad(f, arena_printf(&f->a, "%s\n%s\n", one->body, one->body), "do not rise");
	expect_bad(f, arena_printf(&f->a, "%s\n\n", one->body), "line 2");
	expect_bad(f, arena_printf(&f->a, "%s \n", one->body), "line 1");
}

static void test_export_and_import(void **state)
{
	struct fixture *f = *state, *g;
	struct log *log = fixture_log(f), *other;
	struct event_segment *segments, *read;
	struct foreign_result r;
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };
	struct event_draft *many = xcalloc(1100, sizeof *many);
	void *second;
	int64_t last;
	size_t n, i;

	for (i = 0; i < 1100; i++)
		many[i] = d;
	assert_int_equal(log_append_many(log, many, 1100, &f->a, NULL), 0);
	assert_int_equal(segment_export(log, 0, &f->a, &segments, &n, &last), 0);
	assert_int_equal(n, 3);
	assert_int_equal(last, 1100);
	assert_int_equal(segments[0].n_lines, 500);
	assert_int_equal(segments[2].n_lines, 100);
	assert_int_equal(fixture_setup(&second), 0);
	g = second;
	other = fixture_log(g);
	read = xcalloc(n, sizeof *read);
	for (i = 0; i < n; i++)
		assert_int_equal(segment_parse(&read[n - 1 - i], &f->a, segments[i].name,
					 segments[i].bytes, segments[i].n),
			0);
	/* One batch, in an order that is none. */
	assert_int_equal(segment_import(other, read, n, &r), 0);
	assert_int_equal(r.added, 1100);
	assert_int_equal(segment_import(other, read, n, &r), 0);
	assert_int_equal(r.known, 1100);
	assert_int_equal(segment_export(log, last, &f->a, &segments, &n, &last), 0);
	assert_int_equal(n, 0);
	assert_int_equal(last, 1100);
	assert_int_equal(segment_parse(&read[0], &f->a, "../../etc/passwd", "", 0), ERR_PARSE);
	free(read);
	free(many);
	log_close(other);
	assert_int_equal(fixture_teardown(&second), 0);
	log_close(log);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_written_and_taken_in_order),
		TEST(test_same_bytes_once),
		TEST(test_hostile_files_are_rejected),
		TEST(test_nothing_holds_up_the_rest),
		TEST(test_no_place_for_refused_files),
		TEST(test_large_files_are_refused),
		TEST(test_many_files),
		TEST(test_read_only_leaves_the_spool),
		TEST(test_known_segment),
		TEST(test_bad_segments),
		TEST(test_export_and_import),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
