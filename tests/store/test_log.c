/* The log: appending, guards, foreign events, positions, replica ids. */
#include "config.h"

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
#include <sqlite3.h>

#include "base/err.h"
#include "base/fs.h"
#include "log_fixture.h"
#include "store/blob.h"
#include "store/verify.h"

#define REPLICA_A "00112233445566778899aabbccddeeff"
#define REPLICA_B "ffeeddccbbaa99887766554433221100"

static const char e1[] =
	"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\","
	"\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"project.created\",\"o\":\"p1\","
	"\"d\":{\"name\":\"melora\"}}";
static const char e2[] =
	"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"2\",\"p\":"
	"\"a02e3f23d87404201423ef7dae3acb05e5348a09ab682bd76a3bf51e867e26ee\",\"l\":\"2\","
	"\"t\":\"2026-10-25T16:22:00.000Z\",\"a\":\"agent:claude\",\"k\":\"attempt.claimed\",\"o\":\"a1\","
	"\"d\":{\"level\":\"L3\",\"metric\":\"86.53\"}}";

static void insert(struct log *log, const struct event *const *events, size_t n, int expected,
		   struct foreign_result *r)
{
	struct event_bytes b[8];
	size_t i;

	for (i = 0; i < n; i++)
		b[i] = (struct event_bytes){ events[i]->body, events[i]->body_n };
	assert_int_equal(log_insert_foreign(log, b, n, r), expected);
}

static void test_append_forms_a_chain(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event *a = append_value(f, log, "x", "1", NULL, NULL);
	struct event *b = append_value(f, log, "x", "2", NULL, NULL);
	struct event *read;

	assert_int_equal(a->seq, 1);
	assert_false(a->has_prev);
	assert_int_equal(b->seq, 2);
	assert_int_equal(b->lamport, 2);
	assert_true(digest_equal(&b->prev, &a->id));
	assert_string_equal(b->replica, log_replica(log));
	log_close(log);
	log = fixture_log(f);
	assert_int_equal(log_event(log, &b->id, &f->a, &read), 0);
	assert_int_equal(read->body_n, b->body_n);
	assert_memory_equal(read->body, b->body, b->body_n);
	assert_string_equal(read->replica, log_replica(log));
	log_close(log);
}

static void test_known_vectors(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_bytes b[] = { { e2, strlen(e2) }, { e1, strlen(e1) } };
	struct foreign_result r;
	struct replica_head *heads;
	struct digest digest;
	char hex[DIGEST_HEX + 1];
	int64_t count;
	size_t n;

	assert_int_equal(log_insert_foreign(log, b, 2, &r), 0);
	assert_int_equal(r.added, 2);
	assert_int_equal(log_insert_foreign(log, b, 2, &r), 0);
	assert_int_equal(r.added, 0);
	assert_int_equal(r.known, 2);
	assert_int_equal(log_heads(log, &f->a, &heads, &n, &count, &digest), 0);
	digest_hex(hex, &digest);
	assert_string_equal(
		hex, "84ca0b36954ca901c14934c88fbd9769e516590b0b1de9facacba35e44fb1dc4");
	assert_int_equal(count, 2);
	assert_int_equal(n, 1);
	digest_hex(hex, &heads[0].id);
	assert_string_equal(
		hex, "16cb432eed8cd2a96e38889786db72e757c5f91c35fb459193f9f1b1bf51f642");
	log_close(log);
}

static void test_bad_line_rejects_batch(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_bytes b[] = { { e1, strlen(e1) }, { e2, strlen(e2) - 1 } };
	struct foreign_result r;
	struct event *jump, *orphan, *low, *first;
	int64_t count;

	assert_int_equal(log_insert_foreign(log, b, 2, &r), ERR_PARSE);
	assert_non_null(strstr(err_text(), "line 2 of 2"));
	jump = make_event(&f->a, REPLICA_B, 1, NULL, LOG_LAMPORT_JUMP_MAX + 1, "x");
	insert(log, (const struct event *const[]){ jump }, 1, ERR_PARSE, &r);
	assert_non_null(strstr(err_text(), "jumps too far"));
	first = make_event(&f->a, REPLICA_B, 1, NULL, 5, "x");
	orphan = make_event(&f->a, REPLICA_B, 2, first, 6, "x");
	insert(log, (const struct event *const[]){ orphan }, 1, ERR_PARSE, &r);
	assert_non_null(strstr(err_text(), "predecessor is missing"));
	low = make_event(&f->a, REPLICA_B, 2, first, 5, "x");
	insert(log, (const struct event *const[]){ low, first }, 2, ERR_PARSE, &r);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 0);
	jump = make_event(&f->a, REPLICA_B, 1, NULL, LOG_LAMPORT_JUMP_MAX, "x");
	insert(log, (const struct event *const[]){ jump }, 1, 0, &r);
	assert_int_equal(r.added, 1);
	log_close(log);
}

static void test_fork_is_kept_and_left(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event *own = append_value(f, log, "x", "1", NULL, NULL);
	struct event *other = make_event(&f->a, own->replica, 1, NULL, 1, "another past");
	struct event *next;
	char replica[EVENT_REPLICA_HEX + 1];
	struct verify_options o = { .full = true };
	struct verify_report report;
	struct foreign_result r;
	int64_t count;

	snprintf(replica, sizeof replica, "%s", log_replica(log));
	insert(log, (const struct event *const[]){ other }, 1, 0, &r);
	assert_int_equal(r.forks, 1);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 2);
	next = append_value(f, log, "x", "2", NULL, NULL);
	assert_string_not_equal(next->replica, replica);
	assert_int_equal(next->seq, 1);
	assert_int_equal(next->lamport, 2);
	assert_int_equal(log_verify(log, &o, &f->a, &report), 0);
	assert_int_equal(report.forks, 1);
	assert_int_equal(report.n_defects, 1);
	assert_int_equal(report.findings[0].code, VERIFY_FORK);
	log_close(log);
}

static void test_guards(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);

	append_n(f, log, 2);
	log_close(log);
	assert_int_equal(plain_sql(f->db, "UPDATE event SET kind = 'x'"), SQLITE_CONSTRAINT);
	assert_int_equal(plain_sql(f->db, "DELETE FROM event"), SQLITE_CONSTRAINT);
	assert_int_equal(
		plain_sql(f->db,
			"INSERT OR REPLACE INTO event(id, replica, seq, lamport, kind,"
			" object, body) SELECT id, replica, seq, lamport, 'forged', object, body FROM event"),
		SQLITE_OK);
	assert_int_equal(
		plain_sql(f->db,
			"INSERT OR REPLACE INTO event(row, id, replica, seq, lamport,"
			" kind, object, body) SELECT 1, zeroblob(32), replica, 9, lamport, 'forged', object, body"
			" FROM event LIMIT 1"),
		SQLITE_OK);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM event WHERE kind = 'forged'"), 0);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM event"), 2);
	/* STRICT and the checks: text is no blob, and an id has 32 bytes. */
	assert_int_equal(plain_sql(f->db,
				 "INSERT INTO event(id, replica, seq, lamport, kind, object, body)"
				 " VALUES('abc', zeroblob(16), 1, 1, 'k', 'o', 'text')"),
		SQLITE_CONSTRAINT);
	assert_int_equal(plain_i64(f->db, "PRAGMA application_id"), 0x50525431);
	assert_int_equal(plain_i64(f->db, "PRAGMA user_version"), 3);
}

static void test_settings_of_a_connection(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char magic[4];
	FILE *file;

	append_n(f, log, 1);
	log_close(log);
	file = fopen(f->db, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 68, SEEK_SET), 0);
	assert_int_equal(fread(magic, 1, 4, file), 4);
	fclose(file);
	assert_memory_equal(magic, "PRT1", 4);
	assert_false(fs_exists("log.db-wal"));
}

static void test_newer_and_foreign_are_refused(void **state)
{
	struct fixture *f = *state;
	struct log_options o = { .create = true };
	struct log *log = fixture_log(f);

	log_close(log);
	assert_int_equal(plain_sql(f->db, "PRAGMA user_version = 99"), SQLITE_OK);
	assert_int_equal(log_open(&log, f->folder, &o), ERR_NEWER);
	assert_non_null(strstr(err_text(), "format 99"));
	assert_null(log);
	assert_int_equal(plain_sql(f->db, "PRAGMA application_id = 7"), SQLITE_OK);
	assert_int_equal(log_open(&log, f->folder, &o), ERR_REFUSED);
	assert_int_equal(unlink(f->db), 0);
	assert_int_equal(fs_write_durable(f->db, "", 0, 0600), 0);
	assert_int_equal(plain_sql(f->db, "CREATE TABLE theirs(x)"), SQLITE_OK);
	assert_int_equal(log_open(&log, f->folder, &o), ERR_REFUSED);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM sqlite_schema"), 1);
}

static void test_missing_and_read_only(void **state)
{
	struct fixture *f = *state;
	struct log_options look = { .read_only = true, .projector = &test_projector };
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };
	struct event **events;
	struct event_query q = { .limit = 0 };
	struct digest digest;
	struct log *log;
	size_t n;

	assert_int_equal(log_open(&log, f->folder, &look), ERR_NOT_FOUND);
	assert_false(fs_exists(f->db));
	log = fixture_log(f);
	append_n(f, log, 3);
	log_close(log);
	assert_int_equal(log_open(&log, f->folder, &look), 0);
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(log_append(log, &d, &f->a, NULL), ERR_REFUSED);
	assert_int_equal(blob_put(log, "x", 1, &digest), ERR_REFUSED);
	log_close(log);
}

static void test_older_format_is_migrated(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char *backup = arena_printf(&f->a, "%s.before-3", f->db);
	struct log_options look = { .read_only = true };
	int64_t count;

	append_n(f, log, 3);
	log_close(log);
	assert_int_equal(plain_sql(f->db, "DROP TABLE own; DROP TABLE fork; DROP TABLE verified;"
		" DROP TABLE spooled; DROP TABLE version; DROP TABLE current; DROP TABLE slot;"
		" DROP TABLE stamp; PRAGMA user_version = 1"), SQLITE_OK);
	assert_int_equal(log_open(&log, f->folder, &look), ERR_STATE);
	log = fixture_log(f);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 3);
	append_n(f, log, 1);
	log_close(log);
	assert_int_equal(plain_i64(f->db, "PRAGMA user_version"), 3);
	assert_int_equal(plain_i64(backup, "PRAGMA user_version"), 1);
	assert_int_equal(plain_i64(backup, "SELECT count(*) FROM event"), 3);
}

static void test_copied_database_gets_a_new_id(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char first[EVENT_REPLICA_HEX + 1];
	char *copy = arena_printf(&f->a, "%s/copy", f->folder);

	append_n(f, log, 1);
	snprintf(first, sizeof first, "%s", log_replica(log));
	log_close(log);
	log = fixture_log(f);
	assert_string_equal(log_replica(log), first);
	log_close(log);
	assert_int_equal(fs_copy(f->db, copy, 0600), 0);
	assert_int_equal(rename(copy, f->db), 0);
	log = fixture_log(f);
	assert_string_not_equal(log_replica(log), first);
	assert_int_equal(append_value(f, log, "x", "1", NULL, NULL)->seq, 1);
	log_close(log);
}

static void test_replaced_file_takes_nothing(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_draft d = { .actor = "tool:t", .kind = "test.set", .object = "x" };

	append_n(f, log, 1);
	assert_int_equal(unlink(f->db), 0);
	assert_int_equal(log_append(log, &d, &f->a, NULL), ERR_STATE);
	assert_non_null(strstr(err_text(), "removed or replaced"));
	log_close(log);
}

static void test_bad_drafts_leave_nothing(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_blob text = { "value", "x", 1 };
	struct event_draft d[] = {
		{ .actor = "tool:t", .kind = "test.set", .object = "x" },
		{ .actor = "nobody", .kind = "test.set", .object = "x" },
	};
	struct event_draft twice = { .actor = "tool:t", .kind = "test.set", .object = "x",
				     .data = event_data(&f->a, "value", "1", NULL),
				     .blobs = &text, .n_blobs = 1 };
	struct event_draft refused = { .actor = "tool:t", .kind = "test.refused", .object = "x" };
	int64_t count;

	assert_int_equal(log_append_many(log, d, 2, &f->a, NULL), ERR_PARSE);
	assert_int_equal(log_append(log, &twice, &f->a, NULL), ERR_USAGE);
	assert_int_equal(log_append(log, &refused, &f->a, NULL), ERR_STATE);
	assert_int_equal(log_count(log, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(append_value(f, log, "x", "1", NULL, NULL)->seq, 1);
	log_close(log);
}

static int not_yet_ended(struct log *log, void *user)
{
	struct event_query q = { .kind = "run.ended", .object = user, .limit = 1 };
	struct arena a = ARENA_INIT;
	struct event **events;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	arena_release(&a);
	return rc < 0 ? rc : n > 0;
}

static void test_append_if_is_once(void **state)
{
	struct fixture *f = *state;
	struct log *one = fixture_log(f), *two = fixture_log(f);
	struct event_draft d = { .actor = "tool:t", .kind = "run.ended", .object = "run-1" };
	struct event_draft e = { .actor = "tool:t", .kind = "run.ended", .object = "run-2" };
	char run1[] = "run-1", run2[] = "run-2";
	int64_t count;

	assert_int_equal(log_append_if(one, not_yet_ended, run1, &d, 1, &f->a, NULL), 0);
	assert_int_equal(log_append_if(two, not_yet_ended, run1, &d, 1, &f->a, NULL), 1);
	assert_int_equal(log_append_if(two, not_yet_ended, run2, &e, 1, &f->a, NULL), 0);
	assert_int_equal(log_count(one, &count), 0);
	assert_int_equal(count, 2);
	log_close(one);
	log_close(two);
}

static void test_positions_and_filters(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_query q = { .limit = 4 };
	struct position p, back, last;
	struct event **events, *prefix;
	char hex[DIGEST_HEX + 1];
	int64_t k, rank;
	size_t n;

	append_n(f, log, 10);
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 4);
	assert_int_equal(events[0]->seq, 1);
	p = event_position(events[3]);
	q.from = &p;
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(events[0]->seq, 5);
	q.descending = true;
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(events[0]->seq, 3);
	q = (struct event_query){ .object = "odd", .descending = true };
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 5);
	assert_int_equal(events[0]->seq, 10);
	q = (struct event_query){ .object = "odd", .kind = "test." };
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 5);
	q = (struct event_query){ .kind = "test.se" };
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 0);
	q = (struct event_query){ .kind = "test.", .until = &p };
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	assert_int_equal(n, 3);
	for (k = 1; k <= 10; k++) {
		assert_int_equal(log_position_at(log, k, &p), 1);
		assert_int_equal(log_position_rank(log, &p, &rank), 1);
		assert_int_equal(rank, k);
	}
	assert_int_equal(log_position_at(log, 11, &p), 0);
	assert_int_equal(log_position_last(log, &last), 1);
	assert_int_equal(log_position_next(log, &last, &p), 0);
	assert_int_equal(log_position_prev(log, &last, &p), 1);
	assert_int_equal(log_position_next(log, &p, &back), 1);
	assert_int_equal(position_compare(&back, &last), 0);
	assert_int_equal(log_events_arrived(log, 9, 5, &f->a, &events, &n, &k), 0);
	assert_int_equal(n, 1);
	assert_int_equal(k, 10);
	digest_hex(hex, &events[0]->id);
	hex[12] = '\0';
	assert_int_equal(log_event_by_prefix(log, hex, &f->a, &prefix), 0);
	assert_int_equal(prefix->seq, 10);
	assert_int_equal(log_event_by_prefix(log, "abc", &f->a, &prefix), ERR_USAGE);
	log_close(log);
}

struct follow { struct digest text; int rc; struct arena *a; };

static int withhold_and(struct log *log, const struct event *before, void *user)
{
	const struct follow *w = user;
	struct event_draft d = { .actor = "human:ana", .kind = "note.written", .object = "after" };
	int rc = blob_withhold_next(log, &w->text);

	d.data = event_data(w->a, "source", before->kind, NULL);
	if (rc == 0)
		rc = log_append_next(log, &d, w->a);
	return rc < 0 ? rc : w->rc;
}

/* What follows from a record is there with it, or neither is. */
static void test_a_record_and_what_follows_are_one(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event_blob text = { "text", "hunter2", 7 };
	struct event_draft d = { .actor = "human:ana",
		.kind = "note.written",
		.object = "x",
		.blobs = &text,
		.n_blobs = 1 };
	struct event_draft why = { .actor = "human:ana", .kind = "note.written", .object = "why" };
	struct follow follow = { .rc = ERR_IO, .a = &f->a };
	struct event *one, *record;
	enum blob_state s;
	int64_t n;

	assert_int_equal(log_append(log, &d, &f->a, &one), 0);
	assert_true(digest_from_hex(&follow.text, json_str(one->data, "text", "")));
	assert_int_equal(log_append_then(log, &why, withhold_and, &follow, &f->a, &record), ERR_IO);
	assert_int_equal(log_count(log, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(log_blob(log, &follow.text, &s, NULL), 0);
	assert_int_equal(s, BLOB_PRESENT);
	follow.rc = 0;
	assert_int_equal(log_append_then(log, &why, withhold_and, &follow, &f->a, &record), 0);
	assert_string_equal(record->object, "why");
	assert_int_equal(log_count(log, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(log_blob(log, &follow.text, &s, NULL), 0);
	assert_int_equal(s, BLOB_WITHHELD);
	log_close(log);
}

static void test_texts_are_salted_and_withheld(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	static const char secret[] = "the password is hunter2-and-more";
	struct event_blob text = { "text", secret, sizeof secret - 1 };
	struct event_draft d = { .actor = "human:ana", .kind = "note.written", .object = "x",
				 .blobs = &text, .n_blobs = 1 };
	struct event *one, *two;
	struct buf b = BUF_INIT, file = BUF_INIT;
	enum blob_state s;
	struct digest digest;
	struct verify_options o = { .full = true };
	struct verify_report report;

	assert_int_equal(log_append(log, &d, &f->a, &one), 0);
	assert_int_equal(log_append(log, &d, &f->a, &two), 0);
	/* The same text twice has two digests: nobody can tell that they are equal. */
	assert_string_not_equal(json_str(one->data, "text", ""), json_str(two->data, "text", ""));
	assert_int_equal(log_blob_hex(log, json_str(one->data, "text", ""), &s, &b), 0);
	assert_int_equal(s, BLOB_PRESENT);
	assert_string_equal(b.s, secret);
	assert_true(digest_from_hex(&digest, json_str(one->data, "text", "")));
	assert_int_equal(blob_withhold(log, &digest), 0);
	assert_true(digest_from_hex(&digest, json_str(two->data, "text", "")));
	assert_int_equal(blob_withhold(log, &digest), 0);
	buf_clear(&b);
	assert_int_equal(log_blob(log, &digest, &s, &b), 0);
	assert_int_equal(s, BLOB_WITHHELD);
	assert_int_equal(b.n, 0);
	digest.bytes[0] ^= 1;
	assert_int_equal(log_blob(log, &digest, &s, &b), 0);
	assert_int_equal(s, BLOB_ABSENT);
	assert_int_equal(log_verify(log, &o, &f->a, &report), 0);
	assert_int_equal(report.n_defects, 0);
	assert_int_equal(report.blobs, 2);
	assert_int_equal(report.blobs_withheld, 2);
	log_close(log);
	assert_int_equal(fs_read(&file, f->db, 0), 0);
	assert_null(memmem(file.s, file.n, "hunter2", 7));
	buf_release(&file);
	buf_release(&b);
}

static void test_foreign_texts(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct blob_record r = { .salt = (const unsigned char *)"salt", .salt_n = 4,
				 .bytes = "hello", .n = 5 }, *records;
	struct digest put;
	enum blob_state s;
	size_t n;

	r.digest = sha256_bytes("salthello", 9);
	assert_int_equal(blob_insert_foreign(log, &r, 1), 0);
	assert_int_equal(log_blob(log, &r.digest, &s, NULL), 0);
	assert_int_equal(s, BLOB_PRESENT);
	r.bytes = "hellO";
	assert_int_equal(blob_insert_foreign(log, &r, 1), ERR_PARSE);
	r.bytes = "hello";
	assert_int_equal(blob_put(log, "", 0, &put), 0);
	assert_int_equal(log_blob(log, &put, &s, NULL), 0);
	assert_int_equal(s, BLOB_PRESENT);
	assert_int_equal(blob_withhold(log, &r.digest), 0);
	assert_int_equal(blob_insert_foreign(log, &r, 1), 0);
	assert_int_equal(log_blob(log, &r.digest, &s, NULL), 0);
	assert_int_equal(s, BLOB_WITHHELD);
	assert_int_equal(blob_records(log, NULL, 0, &f->a, &records, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(plain_sql(f->db, "UPDATE blob SET bytes = x'00'"), SQLITE_CONSTRAINT);
	log_close(log);
}

static void test_standard_descriptors_stay_open(void **state)
{
	struct fixture *f = *state;
	int saved = dup(STDIN_FILENO);
	struct stat st;
	struct log *log;

	close(STDIN_FILENO);
	log = fixture_log(f);
	assert_int_equal(fstat(STDIN_FILENO, &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	log_close(log);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)

/* Where runs were made, an empty file is a lost log; elsewhere it is a new one. */
static void test_emptied_log_is_no_new_one(void **state)
{
	struct fixture *f = *state;
	struct log_options o = { .create = true };
	char *path = fs_join(&f->a, f->folder, "log.db"),
	     *run = fs_join(&f->a, f->folder, "runs/ps-aaaaaaaaaaaaa");
	struct log *log;

	assert_int_equal(fs_write_durable(path, "", 0, 0600), 0);
	assert_int_equal(log_open(&log, f->folder, &o), 0);
	log_close(log);
	assert_int_equal(fs_write_durable(path, "", 0, 0600), 0);
	assert_int_equal(fs_mkdirs(run, 0700), 0);
	assert_int_equal(log_open(&log, f->folder, &o), ERR_DAMAGED);
	assert_non_null(strstr(err_text(), "runs were made here (1)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_append_forms_a_chain),
		TEST(test_known_vectors),
		TEST(test_bad_line_rejects_batch),
		TEST(test_fork_is_kept_and_left),
		TEST(test_guards),
		TEST(test_settings_of_a_connection),
		TEST(test_newer_and_foreign_are_refused),
		TEST(test_missing_and_read_only),
		TEST(test_older_format_is_migrated),
		TEST(test_copied_database_gets_a_new_id),
		TEST(test_replaced_file_takes_nothing),
		TEST(test_bad_drafts_leave_nothing),
		TEST(test_append_if_is_once),
		TEST(test_positions_and_filters),
		TEST(test_a_record_and_what_follows_are_one),
		TEST(test_texts_are_salted_and_withheld),
		TEST(test_foreign_texts),
		TEST(test_standard_descriptors_stay_open),
		TEST(test_emptied_log_is_no_new_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
