/* Verification finds every change, and recovery keeps all that verifies. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/err.h"
#include "base/fs.h"
#include "log_fixture.h"
#include "store/blob.h"
#include "store/log_recover.h"
#include "store/verify.h"

#define REPLICA_B "ffeeddccbbaa99887766554433221100"
#define UNGUARD "DROP TRIGGER event_no_update; DROP TRIGGER event_no_delete;"

static const struct verify_options full = { .full = true };

static bool found(const struct verify_report *r, enum verify_code code)
{
	size_t i;

	for (i = 0; i < r->n_findings; i++)
		if (r->findings[i].code == code)
			return true;
	return false;
}

static void verify(struct fixture *f, const struct verify_options *o, struct verify_report *r)
{
	struct log *log = fixture_log(f);

	if (log_verify(log, o, &f->a, r) < 0)
		fail_msg("%s", err_text());
	log_close(log);
}

/* Flips one bit of column COLUMN in row ROW, and puts it back. */
static void flip(sqlite3 *db, const char *column, int64_t row, int64_t byte, int bit)
{
	sqlite3_blob *b;
	unsigned char c;

	assert_int_equal(sqlite3_blob_open(db, "main", "event", column, row, 1, &b), SQLITE_OK);
	assert_int_equal(sqlite3_blob_read(b, &c, 1, (int)byte), SQLITE_OK);
	c ^= (unsigned char)(1 << bit);
	assert_int_equal(sqlite3_blob_write(b, &c, 1, (int)byte), SQLITE_OK);
	sqlite3_blob_close(b);
}

static void test_every_bit_of_a_body_counts(void **state)
{
	struct verify_options o = { .full = true, .skip_file = true };
	struct log_options plain = { .create = true };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct verify_report r;
	int64_t size, byte;
	sqlite3 *db;

	append_n(f, log, 2);
	log_close(log);
	size = plain_i64(f->db, "SELECT length(body) FROM event WHERE row = 1");
	assert_int_equal(log_open(&log, f->folder, &plain), 0);
	assert_int_equal(sqlite3_open(f->db, &db), SQLITE_OK);
	for (byte = 0; byte < size; byte++) {
		flip(db, "body", 1, byte, (int)(byte % 8));
		assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
		assert_true(r.n_defects > 0);
		assert_true(found(&r, VERIFY_BODY) || found(&r, VERIFY_ID));
		flip(db, "body", 1, byte, (int)(byte % 8));
	}
	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 0);
	sqlite3_close(db);
	log_close(log);
}

static void test_changed_columns(void **state)
{
	static const char *const changes[] = {
		"UPDATE event SET kind = 'other' WHERE row = 2",
		"UPDATE event SET object = 'other' WHERE row = 2",
		"UPDATE event SET seq = 9 WHERE row = 2",
		"UPDATE event SET lamport = 9 WHERE row = 2",
		"UPDATE event SET prev = NULL WHERE row = 2",
		"UPDATE event SET replica = zeroblob(16) WHERE row = 2",
		"UPDATE event SET id = zeroblob(32) WHERE row = 2",
	};
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char *copy = arena_printf(&f->a, "%s/copy", f->folder);
	struct verify_report r;
	size_t i;

	append_n(f, log, 3);
	log_close(log);
	assert_int_equal(plain_sql(f->db, UNGUARD), SQLITE_OK);
	assert_int_equal(fs_copy(f->db, copy, 0600), 0);
	for (i = 0; i < ARRAY_LEN(changes); i++) {
		assert_int_equal(plain_sql(f->db, changes[i]), SQLITE_OK);
		verify(f, &full, &r);
		assert_true(found(&r, VERIFY_BODY) || found(&r, VERIFY_ID));
		assert_int_equal(fs_copy(copy, f->db, 0600), 0);
	}
	verify(f, &full, &r);
	assert_int_equal(r.n_defects, 0);
}

static void test_removed_events(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct verify_report r;

	append_n(f, log, 6);
	log_close(log);
	assert_int_equal(plain_sql(f->db, UNGUARD "DELETE FROM event WHERE row = 3"), SQLITE_OK);
	verify(f, &full, &r);
	assert_true(found(&r, VERIFY_GAP));
	assert_true(found(&r, VERIFY_CHAIN));
	/* The views remember how many there were, unless they are changed too. */
	assert_int_equal(plain_sql(f->db, "DELETE FROM event WHERE row > 4"), SQLITE_OK);
	verify(f, &full, &r);
	assert_true(found(&r, VERIFY_GAP));
}

static void test_cut_tail_needs_an_anchor(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct replica_head *heads;
	struct verify_options o = { .full = true };
	struct verify_report r;
	struct digest digest;
	size_t n;

	append_n(f, log, 6);
	assert_int_equal(log_heads(log, &f->a, &heads, &n, &o.anchor_count, &digest), 0);
	append_n(f, log, 2);
	log_close(log);
	o.anchor = &digest;
	verify(f, &o, &r);
	assert_int_equal(r.anchor, ANCHOR_CONFIRMED);
	assert_int_equal(r.n_defects, 0);
	/* Cut everything that could tell: only the anchor does. */
	assert_int_equal(
		plain_sql(f->db,
			UNGUARD
			"DELETE FROM event WHERE row > 5; DELETE FROM stamp;"
			" DELETE FROM version; DELETE FROM current; DELETE FROM slot; DELETE FROM verified"),
		SQLITE_OK);
	verify(f, &full, &r);
	assert_int_equal(r.n_defects, 0);
	assert_int_equal(r.anchor, ANCHOR_NOT_CHECKED);
	assert_non_null(strstr(r.limits, "Not detectable without an anchor"));
	verify(f, &o, &r);
	assert_int_equal(r.anchor, ANCHOR_REFUTED);
	assert_true(found(&r, VERIFY_ANCHOR));
	/* As many events as before, but others. */
	log = fixture_log(f);
	append_n(f, log, 3);
	log_close(log);
	verify(f, &o, &r);
	assert_int_equal(r.anchor, ANCHOR_REFUTED);
}

static const struct json *checkpoint_data(struct arena *a, const char *digest, const char *h1,
					  const char *h2)
{
	const struct json *data;
	char *text = arena_printf(
		a, "{\"digest\":\"%s\",\"heads\":{\"a\":\"%s\",\"b\":\"%s\"}}", digest, h1, h2);

	assert_int_equal(json_parse(&data, a, text, strlen(text), JSON_STRICT), 0);
	return data;
}

/* After a merge neither order begins with the anchored events; a checkpoint names them. */
static void test_anchor_by_checkpoint(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event *one = append_value(f, log, "x", "1", NULL, NULL);
	struct event *far = make_event(&f->a, REPLICA_B, 1, NULL, 20, "far");
	struct event *late, *mine;
	struct digest ids[2] = { one->id, far->id }, digest = event_head_digest(ids, 2);
	struct verify_options o = { .full = true, .anchor = &digest, .anchor_count = 2 };
	char hex[3][DIGEST_HEX + 1];
	struct event_draft d = { .actor = "tool:t", .kind = "checkpoint.published", .object = "m" };
	struct foreign_result r;
	struct verify_report report;

	mine = append_value(f, log, "x", "2", NULL, NULL);
	assert_int_equal(mine->lamport, 2);
	assert_int_equal(
		log_insert_foreign(log, &(struct event_bytes){ far->body, far->body_n }, 1, &r), 0);
	assert_int_equal(log_verify(log, &o, &f->a, &report), 0);
	assert_int_equal(report.anchor, ANCHOR_UNKNOWN);
	digest_hex(hex[0], &digest);
	digest_hex(hex[1], &one->id);
	digest_hex(hex[2], &far->id);
	d.data = checkpoint_data(&f->a, hex[0], hex[1], hex[2]);
	assert_int_equal(log_append(log, &d, &f->a, &late), 0);
	assert_int_equal(log_verify(log, &o, &f->a, &report), 0);
	assert_int_equal(report.anchor, ANCHOR_CONFIRMED);
	log_close(log);
}

static void test_only_new_events_are_checked_again(void **state)
{
	struct verify_options background = { .full = false };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct verify_report r;

	append_n(f, log, 5);
	assert_int_equal(log_verify(log, &background, &f->a, &r), 0);
	assert_int_equal(r.checked, 5);
	append_n(f, log, 2);
	assert_int_equal(log_verify(log, &background, &f->a, &r), 0);
	assert_int_equal(r.checked, 2);
	assert_int_equal(r.n_defects, 0);
	assert_string_equal(verify_sentence(&f->a, &r),
		"2 of 7 events of 1 replica checked: no defect "
		"found; no anchor was checked.");
	log_close(log);
	assert_int_equal(plain_sql(f->db, UNGUARD "DELETE FROM event WHERE row > 6"), SQLITE_OK);
	verify(f, &background, &r);
	assert_true(found(&r, VERIFY_GAP));
}

static void test_clock_and_text_findings(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct event *one = make_event(&f->a, REPLICA_B, 1, NULL, 1, "x"), *two;
	struct event_bytes b[2];
	struct foreign_result r;
	struct verify_report report;
	struct digest digest;

	two = make_event(&f->a, REPLICA_B, 2, one, 2, "y");
	two->time = "2026-10-25T16:16:00.000Z";
	assert_int_equal(event_write(two, &f->a), 0);
	b[0] = (struct event_bytes){ one->body, one->body_n };
	b[1] = (struct event_bytes){ two->body, two->body_n };
	assert_int_equal(log_insert_foreign(log, b, 2, &r), 0);
	assert_int_equal(blob_put(log, "text", 4, &digest), 0);
	assert_int_equal(log_verify(log, &full, &f->a, &report), 0);
	assert_int_equal(report.n_defects, 0);
	assert_int_equal(report.n_findings, 1);
	assert_int_equal(report.findings[0].code, VERIFY_CLOCK);
	log_close(log);
	assert_int_equal(
		plain_sql(f->db, "DROP TRIGGER blob_no_update; UPDATE blob SET bytes = x'00'"),
		SQLITE_OK);
	verify(f, &full, &report);
	assert_true(found(&report, VERIFY_BLOB));
}

static void overwrite(const char *path, int64_t at, size_t n, int byte)
{
	unsigned char *junk = xmalloc(n);
	FILE *file = fopen(path, "r+b");

	memset(junk, byte, n);
	assert_non_null(file);
	assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
	assert_int_equal(fwrite(junk, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
	free(junk);
}

static void recover(struct fixture *f, struct recover_report *r)
{
	if (log_recover(f->folder, &f->a, r) < 0)
		fail_msg("%s", err_text());
	assert_true(fs_exists(r->set_aside));
	assert_non_null(strstr(r->text, "is set aside as"));
}

static void test_damaged_header_loses_nothing(void **state)
{
	struct log_options plain = { .create = false };
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct recover_report r;
	struct verify_report v;
	char replica[EVENT_REPLICA_HEX + 1];
	struct digest digest;
	enum blob_state s;

	append_n(f, log, 300);
	assert_int_equal(blob_put(log, "kept", 4, &digest), 0);
	snprintf(replica, sizeof replica, "%s", log_replica(log));
	log_close(log);
	assert_int_equal(log_recover(f->folder, &f->a, &r), ERR_STATE);
	overwrite(f->db, 0, 100, 0xee);
	assert_int_equal(log_open(&log, f->folder, &plain), ERR_DAMAGED);
	recover(f, &r);
	assert_int_equal(r.events_kept, 300);
	assert_int_equal(r.events_lost, 0);
	assert_int_equal(r.blobs_kept, 1);
	log = fixture_log(f);
	assert_string_not_equal(log_replica(log), replica);
	assert_int_equal(log_blob(log, &digest, &s, NULL), 0);
	assert_int_equal(s, BLOB_PRESENT);
	assert_int_equal(log_verify(log, &full, &f->a, &v), 0);
	assert_int_equal(v.n_defects, 0);
	log_close(log);
	assert_int_equal(log_recover(f->folder, &f->a, &r), ERR_STATE);
}

static void test_damaged_pages_lose_what_was_on_them(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct recover_report r;
	struct verify_report v;
	int64_t kept, size;

	append_n(f, log, 400);
	log_close(log);
	size = fs_size(f->db);
	overwrite(f->db, size / 2 / 4096 * 4096, 8192, 0x55);
	recover(f, &r);
	assert_true(r.events_kept >= 350);
	assert_true(r.events_kept <= 400);
	assert_true(r.events_kept + r.events_lost >= 399);
	log = fixture_log(f);
	assert_int_equal(log_count(log, &kept), 0);
	assert_int_equal(kept, r.events_kept);
	assert_int_equal(log_verify(log, &full, &f->a, &v), 0);
	assert_false(found(&v, VERIFY_BODY) || found(&v, VERIFY_ID) || found(&v, VERIFY_FILE));
	append_n(f, log, 1);
	log_close(log);
}

/* Every page in turn: recovery ends well, and never makes an event up. */
static void test_any_page_may_be_damaged(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	char *good = arena_printf(&f->a, "%s/good", f->folder);
	struct log_options plain = { .create = false };
	struct recover_report r;
	int64_t page, pages;

	append_n(f, log, 60);
	log_close(log);
	assert_int_equal(fs_copy(f->db, good, 0600), 0);
	pages = fs_size(good) / 4096;
	assert_true(pages > 10);
	for (page = 0; page < pages; page++) {
		int rc;

		assert_int_equal(unlink(f->db), 0);
		assert_int_equal(fs_copy(good, f->db, 0600), 0);
		overwrite(f->db, page * 4096, 4096, 0xa5);
		rc = log_recover(f->folder, &f->a, &r);
		if (rc == ERR_STATE)
			continue;		/* a page that holds nothing */
		assert_int_equal(rc, 0);
		assert_true(r.events_kept <= 60);
		assert_true(r.events_kept >= 30);
		assert_int_equal(log_open(&log, f->folder, &plain), 0);
		log_close(log);
	}
}

static void test_truncated_file(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct recover_report r;

	append_n(f, log, 200);
	log_close(log);
	assert_int_equal(truncate(f->db, fs_size(f->db) / 2), 0);
	recover(f, &r);
	assert_true(r.events_kept > 50);
	log = fixture_log(f);
	append_n(f, log, 1);
	log_close(log);
}

static void test_changed_event_is_lost_and_said(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct recover_report r;

	append_n(f, log, 5);
	log_close(log);
	assert_int_equal(
		plain_sql(f->db,
			UNGUARD
			"UPDATE event SET body ="
			" CAST(replace(CAST(body AS TEXT), 'even', 'odds') AS BLOB) WHERE row = 3"),
		SQLITE_OK);
	recover(f, &r);
	assert_int_equal(r.events_kept, 4);
	assert_int_equal(r.events_lost, 1);
	assert_int_equal(r.unlinked, 1);
	assert_non_null(strstr(r.text, "at least 1 lost"));
}

static void test_text_file_is_not_a_log(void **state)
{
	struct log_options plain = { .create = true };
	struct fixture *f = *state;
	struct recover_report r;
	struct log *log;
	char junk[9000];

	memset(junk, 'x', sizeof junk);
	assert_int_equal(fs_write_durable(f->db, junk, sizeof junk, 0600), 0);
	assert_int_equal(log_open(&log, f->folder, &plain), ERR_DAMAGED);
	recover(f, &r);
	assert_int_equal(r.events_kept, 0);
	assert_int_equal(log_open(&log, f->folder, &plain), 0);
	log_close(log);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_every_bit_of_a_body_counts),
		TEST(test_changed_columns),
		TEST(test_removed_events),
		TEST(test_cut_tail_needs_an_anchor),
		TEST(test_anchor_by_checkpoint),
		TEST(test_only_new_events_are_checked_again),
		TEST(test_clock_and_text_findings),
		TEST(test_damaged_header_loses_nothing),
		TEST(test_damaged_pages_lose_what_was_on_them),
		TEST(test_any_page_may_be_damaged),
		TEST(test_truncated_file),
		TEST(test_changed_event_is_lost_and_said),
		TEST(test_text_file_is_not_a_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
