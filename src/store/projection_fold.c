/*
 * Folds a run of events: the objects that they touch are held in memory, a
 * version is written when the next one is known, and the latest at the end.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "store/log_internal.h"

/* One version that is not written yet, or of which the text may change its form. */
struct held {
	bool is;			/* there is one */
	bool gone;			/* TEXT is none */
	bool in_file;			/* its row is there, with its text in CURRENT */
	struct buf text;
	struct position position;
	const char *parent;		/* in the run's arena */
	int64_t sort;
};

struct object {
	const char *type, *id;
	struct held latest, older;	/* OLDER is set while LATEST may be replaced */
	/* differences in a row before LATEST, OLDER not among them */
	int64_t chain;
	bool in_current;		/* a row of CURRENT is there */
	bool placed;			/* it is in the lists, at */
	const char *parent;
	int64_t sort;
};

struct projection_sink {
	struct log *log;
	int64_t gen;
	struct position position;	/* of the event at hand */
	struct arena event, run;
	struct object **objects;
	size_t n, cap;
	size_t *slots;			/* of OBJECTS plus one; 0 empty */
	size_t slots_cap;
	struct buf bytes;
};

struct arena *projection_arena(struct projection_sink *s)
{
	return &s->event;
}

/* ---- the objects of a run -------------------------------------------------------- */

static size_t hash_of(const char *type, const char *id)
{
	uint64_t h = fnv1a(FNV1A_BEGIN, type, strlen(type) + 1);

	return (size_t)fnv1a(h, id, strlen(id));
}

static size_t find_slot(const struct projection_sink *s, const char *type, const char *id)
{
	size_t i = hash_of(type, id) & (s->slots_cap - 1);

	for (; s->slots[i]; i = (i + 1) & (s->slots_cap - 1)) {
		const struct object *o = s->objects[s->slots[i] - 1];

		if (!strcmp(o->type, type) && !strcmp(o->id, id))
			break;
	}
	return i;
}

static void grow_slots(struct projection_sink *s)
{
	s->slots_cap = s->slots_cap ? s->slots_cap * 2 : 256;
	free(s->slots);
	s->slots = xcalloc(s->slots_cap, sizeof *s->slots);
	for (size_t i = 0; i < s->n; i++)
		s->slots[find_slot(s, s->objects[i]->type, s->objects[i]->id)] = i + 1;
}

/* What the file has of it. */
static int load(struct projection_sink *s, struct object *o)
{
	static const char sql[] = "SELECT parent, sort, position, chain, state FROM current"
		" WHERE gen = ? AND type = ? AND id = ?";
	struct held *h = &o->latest;
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&s->log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, s->gen);
	bind_text(st, 2, o->type);
	bind_text(st, 3, o->id);
	rc = database_step(&s->log->db, st);
	if (rc <= 0)
		return rc;
	h->is = h->in_file = o->in_current = o->placed = true;
	o->parent = h->parent = column_text(st, 0, &s->run);
	o->sort = h->sort = sqlite3_column_int64(st, 1);
	if (sqlite3_column_bytes(st, 2) == (int)sizeof h->position.bytes)
		memcpy(h->position.bytes, sqlite3_column_blob(st, 2), sizeof h->position.bytes);
	o->chain = sqlite3_column_int64(st, 3);
	rc = version_take(&h->text, s->log->coder, sqlite3_column_blob(st, 4),
		(size_t)sqlite3_column_bytes(st, 4), NULL, 0);
	sqlite3_reset(st);
	return rc;
}

static int find_object(
	struct projection_sink *s, const char *type, const char *id, struct object **out)
{
	struct object *o;
	size_t slot;

	if ((s->n + 1) * 2 > s->slots_cap)
		grow_slots(s);
	slot = find_slot(s, type, id);
	if (s->slots[slot]) {
		*out = s->objects[s->slots[slot] - 1];
		return 0;
	}
	o = ARENA_NEW(&s->run, struct object);
	o->type = arena_strdup(&s->run, type);
	o->id = arena_strdup(&s->run, id);
	buf_init(&o->latest.text);
	buf_init(&o->older.text);
	ARRAY_GROW(s->objects, s->n, s->cap);
	s->objects[s->n++] = o;
	s->slots[slot] = s->n;
	*out = o;
	return load(s, o);
}

static void release(struct projection_sink *s)
{
	for (size_t i = 0; i < s->n; i++) {
		buf_release(&s->objects[i]->latest.text);
		buf_release(&s->objects[i]->older.text);
	}
	free(s->objects);
	free(s->slots);
	buf_release(&s->bytes);
	arena_release(&s->event);
	arena_release(&s->run);
}

/* ---- writing ----------------------------------------------------------------------- */

/* STATE NULL: gone; empty: the text is in CURRENT. */
static int put_version(struct projection_sink *s, const struct object *o, const struct held *h,
	const struct buf *state)
{
	static const char insert[] =
		"INSERT INTO version(gen, type, id, position, state, parent, sort)"
		" VALUES(?, ?, ?, ?, ?, ?, ?)";
	static const char update[] = "UPDATE version SET state = ?5"
		" WHERE gen = ?1 AND type = ?2 AND id = ?3 AND position = ?4";
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&s->log->db, h->in_file ? update : insert, &st) < 0)
		return err_code();
	bind_i64(st, 1, s->gen);
	bind_text(st, 2, o->type);
	bind_text(st, 3, o->id);
	bind_blob(st, 4, h->position.bytes, sizeof h->position.bytes);
	if (state)
		bind_blob(st, 5, state->s, state->n);
	if (!h->in_file) {
		bind_text(st, 6, h->parent ? h->parent : "");
		bind_i64(st, 7, h->sort);
	}
	rc = database_run(&s->log->db, st);
	return rc < 0 ? rc : 0;
}

/* The latest but one, whose form is certain now: it differs from LATEST, or is
 * whole where that is gone or a chain of differences ends. */
static int write_older(struct projection_sink *s, struct object *o)
{
	struct held *h = &o->older;
	int rc;

	if (!h->is)
		return 0;
	h->is = false;
	if (h->gone) {
		o->chain = 0;
		return put_version(s, o, h, NULL);
	}
	if (o->latest.gone || o->chain + 1 >= PROJECTION_CHAIN_MAX) {
		o->chain = 0;
		version_put_whole(&s->bytes, s->log->coder, h->text.s, h->text.n);
	} else {
		o->chain++;
		version_put_older(
			&s->bytes, h->text.s, h->text.n, o->latest.text.s, o->latest.text.n);
	}
	rc = put_version(s, o, h, &s->bytes);
	return rc;
}

static int drop_current(struct projection_sink *s, const struct object *o)
{
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&s->log->db,
		    "DELETE FROM current WHERE gen = ? AND type = ? AND id = ?", &st) < 0)
		return err_code();
	bind_i64(st, 1, s->gen);
	bind_text(st, 2, o->type);
	bind_text(st, 3, o->id);
	rc = database_run(&s->log->db, st);
	return rc < 0 ? rc : 0;
}

static int put_current(struct projection_sink *s, const struct object *o)
{
	static const char insert[] =
		"INSERT INTO current(gen, type, id, parent, sort, position, chain, brief, state)"
		" VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
	static const char update[] =
		"UPDATE current SET parent = ?4, sort = ?5, position = ?6, chain = ?7,"
		" brief = ?8, state = ?9 WHERE gen = ?1 AND type = ?2 AND id = ?3";
	const struct projector *p = s->log->projector;
	const struct held *h = &o->latest;
	sqlite3_stmt *st;
	int rc;

	version_put_whole(&s->bytes, s->log->coder, h->text.s, h->text.n);
	if (database_statement(&s->log->db, o->in_current ? update : insert, &st) < 0)
		return err_code();
	bind_i64(st, 1, s->gen);
	bind_text(st, 2, o->type);
	bind_text(st, 3, o->id);
	bind_text(st, 4, h->parent ? h->parent : "");
	bind_i64(st, 5, h->sort);
	bind_blob(st, 6, h->position.bytes, sizeof h->position.bytes);
	bind_i64(st, 7, o->chain);
	bind_text(st, 8, p->brief ? p->brief(p->user, o->type, h->text.s, &s->event) : NULL);
	bind_blob(st, 9, s->bytes.s, s->bytes.n);
	rc = database_run(&s->log->db, st);
	return rc < 0 ? rc : 0;
}

static int write_latest(struct projection_sink *s, struct object *o)
{
	static const struct buf in_current = BUF_INIT;
	int rc;

	if (!o->latest.is || o->latest.in_file)
		return 0;
	if ((rc = write_older(s, o)) < 0)
		return rc;
	if ((rc = put_version(s, o, &o->latest, o->latest.gone ? NULL : &in_current)) < 0)
		return rc;
	if (!o->latest.gone)
		return put_current(s, o);
	return o->in_current ? drop_current(s, o) : 0;
}

/* ---- lists ---------------------------------------------------------------------------- */

static int change_slot(struct projection_sink *s, const char *sql, const struct object *o,
	const char *parent, int64_t sort)
{
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&s->log->db, sql, &st) < 0)
		return err_code();
	bind_i64(st, 1, s->gen);
	bind_text(st, 2, o->type);
	bind_text(st, 3, parent ? parent : "");
	bind_i64(st, 4, sort);
	bind_text(st, 5, o->id);
	bind_blob(st, 6, s->position.bytes, sizeof s->position.bytes);
	rc = database_run(&s->log->db, st);
	return rc < 0 ? rc : 0;
}

/* Closes the slot that the object leaves and opens the one that it enters. */
static int move_slot(struct projection_sink *s, struct object *o, const struct projection_row *r)
{
	static const char leave[] =
		"UPDATE slot SET until = ?6 WHERE gen = ?1 AND type = ?2 AND parent = ?3"
		" AND sort = ?4 AND id = ?5 AND until IS NULL";
	static const char enter[] =
		"INSERT OR REPLACE INTO slot(gen, type, parent, sort, id, first)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
	const char *parent = r->parent ? r->parent : "";

	if (o->placed && r->state && o->sort == r->sort && !strcmp(o->parent, parent))
		return 0;
	if (o->placed && change_slot(s, leave, o, o->parent, o->sort) < 0)
		return err_code();
	o->placed = r->state != NULL;
	o->parent = arena_strdup(&s->run, parent);
	o->sort = r->sort;
	return o->placed ? change_slot(s, enter, o, parent, r->sort) : 0;
}

/* ---- what a projector calls --------------------------------------------------------------- */

int projection_load(struct projection_sink *s, const char *type, const char *id, const char **state)
{
	struct object *o;

	*state = NULL;
	if (find_object(s, type, id, &o) < 0)
		return err_code();
	if (!o->latest.is || o->latest.gone)
		return 0;
	*state = arena_strndup(&s->event, o->latest.text.s, o->latest.text.n);
	return 1;
}

/* LATEST becomes OLDER, and what was that is written. */
static int make_room(struct projection_sink *s, struct object *o)
{
	struct held spare;

	if (write_older(s, o) < 0)
		return err_code();
	spare = o->older;
	o->older = o->latest;
	o->latest = spare;
	o->latest.in_file = false;
	return 0;
}

int projection_put(struct projection_sink *s, const struct projection_row *r)
{
	struct object *o;
	struct held *h;

	if (!r->type || !r->id)
		return err_set(ERR_USAGE, "a row of a view needs a type and an id");
	if (find_object(s, r->type, r->id, &o) < 0 || move_slot(s, o, r) < 0)
		return err_code();
	h = &o->latest;
	if (h->is && position_compare(&h->position, &s->position) != 0 && make_room(s, o) < 0)
		return err_code();
	h->is = true;
	h->gone = !r->state;
	h->position = s->position;
	h->parent = arena_strdup(&s->run, r->parent);
	h->sort = r->sort;
	buf_clear(&h->text);
	if (r->state)
		buf_adds(&h->text, r->state);
	return 0;
}

/* ---- a run --------------------------------------------------------------- */

static int apply_all(struct projection_sink *s, struct event *const *events, size_t n,
	struct projection_stamp *stamp)
{
	const struct projector *p = s->log->projector;

	for (size_t i = 0; i < n; i++) {
		s->position = event_position(events[i]);
		if (p->apply(p->user, events[i], s) < 0)
			return err_prefix("view of %s %s: ", events[i]->kind, events[i]->object);
		arena_release(&s->event);
		stamp->last = s->position;
		stamp->digest = projection_digest(&stamp->digest, &events[i]->id);
	}
	return 0;
}

int projection_fold(
	struct log *log, struct event *const *events, size_t n, struct projection_stamp *stamp)
{
	const struct projector *p = log->projector;
	struct projection_sink s = { .log = log,
		.gen = stamp->gen,
		.event = ARENA_INIT,
		.run = ARENA_INIT,
		.bytes = BUF_INIT };
	int rc;

	if (p->reset)
		p->reset(p->user);
	rc = apply_all(&s, events, n, stamp);
	for (size_t i = 0; i < s.n && rc >= 0; i++) {
		rc = write_latest(&s, s.objects[i]);
		arena_release(&s.event);
	}
	release(&s);
	return rc < 0 ? rc : 0;
}
