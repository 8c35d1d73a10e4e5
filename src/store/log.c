/* Opens a log and appends events to it. */
#include "config.h"

#include "store/log.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json_build.h"
#include "store/log_internal.h"
#include "store/replica.h"

static char *find_folder(const char *folder, const struct log_options *o)
{
	char *real;

	if (o->create && !o->read_only && fs_mkdirs(folder, LOG_MODE_FOLDER) < 0)
		return NULL;
	/* Without links: SQLite is told to follow none. */
	real = realpath(folder, NULL);
	if (!real)
		err_set(ERR_NOT_FOUND, "%s: there is no log yet", folder);
	return real;
}

static void warn_of_network(struct log *log)
{
	if (fs_is_network(log->folder))
		log->warning =
			xasprintf("%s is on a network or user-space file system, whose locks "
				  "cannot be trusted: two programs that write at once may lose "
				  "records; move the repository to a local disk",
				log->folder);
}

int log_open_file(struct log **out, const char *folder, const char *name,
		  const struct log_options *o)
{
	struct database_options options = { o->read_only, o->create, o->busy_limit_ms };
	struct log *log = xcalloc(1, sizeof *log);
	char *path;
	int rc;

	*out = NULL;
	log->projector = o->projector;
	log->coder = version_coder_new();
	log->folder = find_folder(folder, o);
	if (!log->folder) {
		version_coder_free(log->coder);
		free(log);
		return err_code();
	}
	path = xasprintf("%s/%s", log->folder, name);
	rc = database_open(&log->db, path, &options);
	free(path);
	if (rc < 0) {
		version_coder_free(log->coder);
		free(log->folder);
		free(log);
		return rc;
	}
	if (replica_load(log) < 0) {
		log_close(log);
		return err_code();
	}
	warn_of_network(log);
	*out = log;
	return 0;
}

/* An empty file where runs were made is a log that was lost, not a new one. */
static int check_not_emptied(const char *folder)
{
	struct arena a = ARENA_INIT;
	char **names;
	size_t n = 0;
	int rc = 0;

	if (fs_size(fs_join(&a, folder, "log.db")) == 0) {
		if (fs_list(&names, &n, &a, fs_join(&a, folder, "runs")) < 0)
			err_clear();
		if (n)
			rc = err_set(ERR_DAMAGED,
				"%s/log.db is empty although runs were made here (%zu)", folder, n);
	}
	arena_release(&a);
	return rc;
}

int log_open(struct log **out, const char *folder, const struct log_options *o)
{
	int rc = check_not_emptied(folder);

	*out = NULL;
	return rc < 0 ? rc : log_open_file(out, folder, "log.db", o);
}

void log_close(struct log *log)
{
	if (!log)
		return;
	database_close(&log->db);
	version_coder_free(log->coder);
	free(log->folder);
	free(log->warning);
	free(log);
}

const char *log_folder(const struct log *log)
{
	return log->folder;
}

const char *log_replica(const struct log *log)
{
	return log->replica;
}

bool log_is_read_only(const struct log *log)
{
	return log->db.read_only;
}

const char *log_warning(const struct log *log)
{
	return log->warning;
}

int log_require_writable(const struct log *log)
{
	return log->db.read_only ? err_set(ERR_REFUSED, "%s: opened read-only; nothing is recorded",
					   log->db.path) : 0;
}

int log_insert_event(struct log *log, const struct event *e)
{
	static const char sql[] =
		"INSERT INTO event(id, replica, seq, prev, lamport, kind, object, body)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
	unsigned char replica[EVENT_REPLICA_HEX / 2];
	sqlite3_stmt *st;

	if (!hex_decode(replica, e->replica, EVENT_REPLICA_HEX))
		return err_set(ERR_PARSE, "replica id: not %d hex digits", EVENT_REPLICA_HEX);
	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_digest(st, 1, &e->id);
	bind_blob(st, 2, replica, sizeof replica);
	bind_i64(st, 3, e->seq);
	if (e->has_prev)
		bind_digest(st, 4, &e->prev);
	bind_i64(st, 5, e->lamport);
	bind_text(st, 6, e->kind);
	bind_text(st, 7, e->object);
	bind_blob(st, 8, e->body, e->body_n);
	return database_run(&log->db, st);
}

/* Where the next own event goes. */
struct chain_end {
	int64_t seq;
	struct digest id;
	int64_t lamport;		/* the largest of all chains */
};

static int find_end(struct log *log, struct chain_end *end)
{
	static const char sql[] =
		"SELECT seq, id FROM event WHERE replica = ? ORDER BY seq DESC LIMIT 1";
	sqlite3_stmt *st;
	int rc;

	memset(end, 0, sizeof *end);
	if (database_i64(&log->db, "SELECT max(lamport) FROM event", &end->lamport) < 0 ||
	    database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_blob(st, 1, log->replica_raw, sizeof log->replica_raw);
	rc = database_step(&log->db, st);
	if (rc > 0) {
		end->seq = sqlite3_column_int64(st, 0);
		rc = column_digest(st, 1, &end->id) ? 0 :
		     err_set(ERR_DAMAGED, "%s: an event has no id", log->db.path);
		sqlite3_reset(st);
	}
	return rc;
}

/* A member that holds the digest of a blob. */
static struct json *digest_member(struct arena *a, const char *key, const struct digest *d)
{
	char *hex = arena_alloc(a, DIGEST_HEX + 1);

	digest_hex(hex, d);
	return json_new_text(a, arena_strdup(a, key), hex);
}

/* The draft's data with a digest per blob.  Members are copied, since their
 * chain is extended; what lies below them is shared. */
static int complete_data(struct log *log, const struct event_draft *d, struct arena *a,
			 const struct json **out)
{
	struct json *data = json_new_object(a, NULL);
	const struct json *member;
	struct digest digest;

	for (member = d->data ? d->data->first : NULL; member; member = member->next)
		json_append(data, json_copy(a, member));
	for (size_t i = 0; i < d->n_blobs; i++) {
		if (json_get(data, d->blobs[i].key))
			return err_set(ERR_USAGE, "%s: the field %s is there twice", d->kind,
				       d->blobs[i].key);
		if (blob_insert_new(log, d->blobs[i].bytes, d->blobs[i].n, &digest) < 0)
			return err_code();
		json_append(data, digest_member(a, d->blobs[i].key, &digest));
	}
	*out = data;
	return 0;
}

static int append_one(struct log *log, const struct event_draft *d, struct chain_end *end,
		      struct arena *a, struct event **out)
{
	struct event *e = ARENA_NEW(a, struct event);
	char *time = arena_alloc(a, CLOCK_ISO_MAX);
	int rc;

	if (!d->actor || !d->kind || !d->object)
		return err_set(ERR_USAGE, "an event needs an actor, a kind and an object");
	if (d->data && d->data->type != JSON_OBJECT)
		return err_set(ERR_USAGE, "%s: the data of an event is an object", d->kind);
	if (end->lamport == INT64_MAX || end->seq == INT64_MAX)
		return err_set(ERR_STATE, "%s: the log is full", log->db.path);
	clock_iso(time, clock_wall_ns());
	memcpy(e->replica, log->replica, sizeof e->replica);
	e->seq = end->seq + 1;
	e->has_prev = end->seq > 0;
	e->prev = end->id;
	e->lamport = end->lamport + 1;
	e->time = time;
	e->actor = arena_strdup(a, d->actor);
	e->kind = arena_strdup(a, d->kind);
	e->object = arena_strdup(a, d->object);
	if (complete_data(log, d, a, &e->data) < 0 || event_write(e, a) < 0)
		return err_prefix("%s: ", d->kind);
	rc = log_insert_event(log, e);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return err_set(ERR_EXISTS, "%s: this very event is recorded already", d->kind);
	*end = (struct chain_end){ e->seq, e->id, e->lamport };
	*out = e;
	return 0;
}

int log_append_inside(struct log *log, const struct event_draft *d, size_t n, struct arena *a,
		      struct event **out)
{
	struct chain_end end;
	struct event **new;
	size_t i;
	int rc;

	if (replica_enter(log) < 0 || find_end(log, &end) < 0)
		return err_code();
	new = xcalloc(n + 1, sizeof *new);
	for (i = 0, rc = 0; i < n && rc >= 0; i++)
		rc = append_one(log, &d[i], &end, a, &new[i]);
	if (rc >= 0 && out)
		memcpy(out, new, n * sizeof(struct event *));
	if (rc >= 0)
		rc = projection_extend(log, new, n);
	free(new);
	return rc;
}

struct append {
	struct log *log;
	log_check_fn *check;
	void *check_user;
	const struct event_draft *drafts;
	size_t n;
	struct arena *a;
	struct event **out;
};

static int append_in_transaction(struct database *d, void *user)
{
	struct append *p = user;
	int rc;

	(void)d;
	if (p->check) {
		rc = p->check(p->log, p->check_user);
		if (rc)
			return rc;
	}
	return log_append_inside(p->log, p->drafts, p->n, p->a, p->out);
}

int log_append_if(struct log *log, log_check_fn *check, void *user, const struct event_draft *d,
		  size_t n, struct arena *a, struct event **out)
{
	struct append p = { log, check, user, d, n, a, out };

	if (log_require_writable(log) < 0)
		return err_code();
	return database_write(&log->db, append_in_transaction, &p);
}

struct append_then {
	struct log *log;
	const struct event_draft *draft;
	log_next_fn *next;
	void *next_user;
	struct arena *a;
	struct event *event;
};

static int append_then_in_transaction(struct database *d, void *user)
{
	struct append_then *p = user;
	int rc = log_append_inside(p->log, p->draft, 1, p->a, &p->event);

	(void)d;
	if (rc >= 0)
		rc = p->next(p->log, p->event, p->next_user);
	return rc < 0 ? rc : 0;
}

int log_append_then(struct log *log, const struct event_draft *d, log_next_fn *next, void *user,
	struct arena *a, struct event **out)
{
	struct append_then p = { log, d, next, user, a, NULL };
	int rc;

	if (log_require_writable(log) < 0)
		return err_code();
	rc = database_write(&log->db, append_then_in_transaction, &p);
	*out = p.event;
	return rc;
}

int log_append_next(struct log *log, const struct event_draft *d, struct arena *a)
{
	return log_append_inside(log, d, 1, a, NULL);
}

int log_append_many(struct log *log, const struct event_draft *d, size_t n, struct arena *a,
		    struct event **out)
{
	return log_append_if(log, NULL, NULL, d, n, a, out);
}

int log_append(struct log *log, const struct event_draft *d, struct arena *a, struct event **out)
{
	return log_append_many(log, d, 1, a, out);
}
