/* The folder, the projector and the shortcuts of the log's tests. */
#include "config.h"

#include "log_fixture.h"

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

int fixture_setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);

	/* Memory, where there is some: what is tested is not the disk. */
	snprintf(f->folder, sizeof f->folder, "%s/portside-log-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(f->folder))
		return -1;
	snprintf(f->db, sizeof f->db, "%s/log.db", f->folder);
	*state = f;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	int rc = fs_remove_tree(f->folder);

	arena_release(&f->a);
	free(f);
	return rc;
}

static int apply(void *user, const struct event *e, struct projection_sink *s)
{
	struct projection_row row = { .type = "object", .id = e->object };
	const char *before;
	int count = 0, rc = projection_load(s, row.type, row.id, &before);

	(void)user;
	if (rc < 0)
		return rc;
	if (!strcmp(e->kind, "test.refused"))
		return err_set(ERR_STATE, "the fold refuses this");
	if (before)
		count = atoi(before);
	row.parent = json_str(e->data, "parent", NULL);
	row.sort = json_i64(e->data, "sort", 0);
	row.state = arena_printf(projection_arena(s), "%d:%s", count + 1,
				 json_str(e->data, "value", ""));
	if (!strcmp(e->kind, "test.gone"))
		row.state = NULL;
	return projection_put(s, &row);
}

const struct projector test_projector = { .fold_version = 1, .apply = apply };

struct log *fixture_log(struct fixture *f)
{
	struct log_options o = { .create = true, .projector = &test_projector };
	struct log *log;

	if (log_open(&log, f->folder, &o) < 0)
		fail_msg("%s", err_text());
	return log;
}

struct event *append_value(struct fixture *f, struct log *log, const char *object,
			   const char *value, const char *sort, const char *parent)
{
	struct event_draft d = {
		.actor = "tool:test", .kind = "test.set", .object = object,
		.data = event_data(&f->a, "value", value, "sort", sort, "parent", parent, NULL),
	};
	struct event *e;

	if (log_append(log, &d, &f->a, &e) < 0)
		fail_msg("%s", err_text());
	return e;
}

void append_n(struct fixture *f, struct log *log, int n)
{
	struct event_draft *d = xcalloc((size_t)n, sizeof *d);
	int i;

	for (i = 0; i < n; i++)
		d[i] = (struct event_draft){
			.actor = "tool:test", .kind = "test.set", .object = i % 2 ? "odd" : "even",
			.data = event_data(&f->a, "value", arena_printf(&f->a, "%d", i), NULL),
		};
	if (log_append_many(log, d, (size_t)n, &f->a, NULL) < 0)
		fail_msg("%s", err_text());
	free(d);
}

int plain_sql(const char *db, const char *sql)
{
	sqlite3 *c;
	int rc = sqlite3_open_v2(db, &c, SQLITE_OPEN_READWRITE, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(c, sql, NULL, NULL, NULL);
	sqlite3_close(c);
	return rc;
}

int64_t plain_i64(const char *db, const char *sql)
{
	sqlite3_stmt *st;
	int64_t v = -1;
	sqlite3 *c;

	assert_int_equal(sqlite3_open_v2(db, &c, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(c, sql, -1, &st, NULL), SQLITE_OK);
	if (sqlite3_step(st) == SQLITE_ROW)
		v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(c);
	return v;
}

struct event *make_event(struct arena *a, const char *replica, int64_t seq,
			 const struct event *prev, int64_t lamport, const char *value)
{
	struct event *e = ARENA_NEW(a, struct event);

	snprintf(e->replica, sizeof e->replica, "%s", replica);
	e->seq = seq;
	e->has_prev = prev != NULL;
	if (prev)
		e->prev = prev->id;
	e->lamport = lamport;
	e->time = "2026-10-25T16:21:56.123Z";
	e->actor = "human:ana";
	e->kind = "test.set";
	e->object = "far";
	e->data = event_data(a, "value", value, NULL);
	if (event_write(e, a) < 0)
		fail_msg("%s", err_text());
	return e;
}
