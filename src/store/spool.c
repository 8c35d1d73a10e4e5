/* Writes and takes in the files of the spool. */
#include "config.h"

#include "store/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/log_internal.h"

enum {
	BLOBS_MAX = 16,		/* texts of one event */
	NAME_KEPT = 200,	/* bytes of a refused file's name */
	NAMES_TRIED = 1000,
	BATCH_FILES = 200,
	BATCH_BYTES = 4 * SPOOL_FILE_MAX,
};

static const char suffix[] = ".json";

/* The nonce tells two equal notes from one file that arrives twice. */
static void add_draft(struct buf *out, const struct event_draft *d, const char *nonce)
{
	struct json_writer w = { .out = out };
	struct buf data = BUF_INIT;
	size_t i;

	json_begin_object(&w, NULL);
	json_put_str(&w, "actor", d->actor);
	json_put_str(&w, "kind", d->kind);
	json_put_str(&w, "object", d->object);
	if (d->data) {
		json_canonical(&data, d->data);
		json_put_raw(&w, "data", data.s, data.n);
	}
	json_begin_object(&w, "texts");
	for (i = 0; i < d->n_blobs; i++)
		json_put_strn(&w, d->blobs[i].key, d->blobs[i].bytes, d->blobs[i].n);
	json_end_object(&w);
	json_put_str(&w, "nonce", nonce);
	json_end_object(&w);
	buf_addc(out, '\n');
	buf_release(&data);
}

int spool_write(const char *folder, const struct event_draft *d)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	unsigned char random[8];
	char nonce[2 * sizeof random + 1];
	char *spool = fs_join(&a, folder, "spool");
	int rc;

	random_bytes(random, sizeof random);
	hex_encode(nonce, random, sizeof random);
	add_draft(&b, d, nonce);
	/* By time, so that names sort as they arrived. */
	rc = fs_mkdirs(spool, LOG_MODE_FOLDER);
	if (!rc && b.n > SPOOL_FILE_MAX)
		rc = err_set(ERR_USAGE, "%s: %zu bytes are too much for one event of the spool",
			     d->kind, b.n);
	if (!rc)
		rc = fs_write_durable(arena_printf(&a, "%s/%020" PRId64 "-%s%s", spool,
						   clock_wall_ns(), nonce, suffix), b.s, b.n, 0600);
	buf_release(&b);
	arena_release(&a);
	return rc;
}

struct spool {
	struct log *log;
	spool_allowed_fn *allowed;
	void *user;
	struct arena *a;		/* the caller's: for the reason */
	struct spool_result *result;
	char *folder;
};

static int refused(const char *why)
{
	return err_set(ERR_REFUSED, "%s", why);
}

static int read_texts(const struct json *texts, struct event_draft *d, struct event_blob *blobs)
{
	const struct json *t;

	if (texts && texts->type != JSON_OBJECT)
		return refused("texts is not an object");
	for (t = texts ? texts->first : NULL; t; t = t->next) {
		if (d->n_blobs == BLOBS_MAX)
			return refused("too many texts");
		if (t->type != JSON_STRING || json_get(d->data, t->key))
			return refused("a text is not a string, or is in data too");
		blobs[d->n_blobs++] = (struct event_blob){ t->key, t->text, t->text_n };
	}
	d->blobs = blobs;
	return 0;
}

/* A draft from the bytes of a file; borrows from A and BLOBS. */
static int read_draft(struct spool *s, struct arena *a, const struct buf *bytes,
		      struct event_draft *d, struct event_blob *blobs)
{
	const char *class, *why;
	const struct json *j;

	memset(d, 0, sizeof *d);
	if (json_parse(&j, a, bytes->s, bytes->n, JSON_STRICT) < 0)
		return err_code();
	d->actor = json_str(j, "actor", NULL);
	d->kind = json_str(j, "kind", NULL);
	d->object = json_str(j, "object", NULL);
	d->data = json_get(j, "data");
	if (!d->actor || !d->kind || !d->object)
		return refused("actor, kind and object are needed");
	if (d->data && d->data->type != JSON_OBJECT)
		return refused("data is not an object");
	if (read_texts(json_get(j, "texts"), d, blobs) < 0)
		return err_code();
	class = event_actor_class(d->actor);
	if (!class || !strcmp(class, "human"))
		return refused("only agent: and tool: may write here");
	why = s->allowed ? s->allowed(s->user, d) : NULL;
	return why ? refused(why) : 0;
}

/* One file that was read and is allowed. */
struct item {
	char *path;
	struct digest digest;
	struct event_draft draft;
	struct event_blob blobs[BLOBS_MAX];
	bool known;
};

struct batch {
	struct spool *spool;
	struct arena a;
	struct item items[BATCH_FILES];
	size_t n, bytes;
};

struct take {
	struct spool *spool;
	struct item *items;
	size_t n;
};

static int take_one(struct database *d, struct spool *s, struct item *item)
{
	struct arena a = ARENA_INIT;
	sqlite3_stmt *st;
	int rc;

	if (database_statement(d, "INSERT OR IGNORE INTO spooled(digest) VALUES(?)", &st) < 0)
		return err_code();
	bind_digest(st, 1, &item->digest);
	rc = database_run(d, st);
	item->known = rc == 0;
	if (rc > 0)
		rc = log_append_inside(s->log, &item->draft, 1, &a, NULL);
	arena_release(&a);
	return rc;
}

static int take_in_transaction(struct database *d, void *user)
{
	struct take *t = user;
	int rc = 0;

	for (size_t i = 0; i < t->n && rc >= 0; i++)
		rc = take_one(d, t->spool, &t->items[i]);
	return rc;
}

/*
 * Opened without following links and without waiting on a pipe: an agent can put
 * anything under that name.  What cannot be opened at all, as another user's file
 * or a socket, is refused too, so that it holds up nothing that came after it.
 */
static int open_file(const char *path)
{
	struct stat st;
	int fd;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? err_set(ERR_NOT_FOUND, "%s: taken already", path)
				       : err_errno(ERR_IO, "%s", path);
	if (!S_ISREG(st.st_mode))
		return refused(S_ISLNK(st.st_mode) ? "it is a link" : "it is not a plain file");
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		return err_set(ERR_NOT_FOUND, "%s: taken already", path);
	return errno == EACCES || errno == EPERM || errno == ELOOP || errno == ENXIO ?
		err_errno(ERR_REFUSED, "it cannot be opened") : err_errno(ERR_IO, "%s", path);
}

static int read_file(struct buf *out, const char *path)
{
	struct stat st;
	char chunk[65536];
	ssize_t got = 0;
	int fd = open_file(path), rc = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		rc = err_errno(ERR_IO, "%s", path);
	else if (!S_ISREG(st.st_mode))
		rc = refused("it is not a plain file");
	while (!rc && (got = read(fd, chunk, sizeof chunk)) > 0) {
		buf_add(out, chunk, (size_t)got);
		if (out->n > SPOOL_FILE_MAX)
			rc = refused("it is too large");
	}
	if (!rc && got < 0)
		rc = err_errno(ERR_IO, "%s", path);
	close(fd);
	return rc;
}

/* A name in FOLDER that is free, also with ".reason" behind it, whatever length
 * and kind the refused file has; NULL when there is none. */
static char *free_name(struct arena *a, const char *folder, const char *path)
{
	char *name = arena_strdup(a, fs_basename(path));

	if (strlen(name) > NAME_KEPT)
		name[NAME_KEPT] = '\0';
	for (int i = 1; i <= NAMES_TRIED; i++) {
		char *to = i == 1 ? fs_join(a, folder, name)
				  : arena_printf(a, "%s/%s.%d", folder, name, i);

		if (!fs_exists(to))
			return to;
	}
	return NULL;
}

/* Moves PATH to spool/rejected, with the reason beside it. */
static int move_away(struct spool *s, struct arena *a, const char *path, const char *reason)
{
	char *folder = fs_join(a, s->folder, "rejected"), *line = arena_printf(a, "%s\n", reason),
	     *to;

	if (fs_mkdirs(folder, LOG_MODE_FOLDER) < 0)
		return err_code();
	if ((to = free_name(a, folder, path)) == NULL)
		return err_set(ERR_EXISTS, "%s holds too many files of that name", folder);
	if (rename(path, to) < 0)
		return err_errno(ERR_IO, "cannot move it to %s", folder);
	return fs_write_durable(arena_printf(a, "%s.reason", to), line, strlen(line), 0600);
}

/*
 * A refused file that cannot be moved away stays, and is said to: it keeps
 * nobody from the log, nor from the files behind it.
 */
static void reject(struct spool *s, struct arena *a, const char *path)
{
	char *reason = arena_strdup(a, err_text());

	s->result->rejected++;
	if (move_away(s, a, path, reason) < 0)
		s->result->reason =
			arena_printf(s->a, "%s: %s; %s", fs_basename(path), reason, err_text());
	else
		s->result->reason = arena_printf(s->a, "%s: %s", fs_basename(path), reason);
	err_clear();
}

/* What the content is to blame for; anything else leaves the file for later. */
static bool is_refusal(int code)
{
	return code == ERR_REFUSED || code == ERR_PARSE || code == ERR_USAGE || code == ERR_NEWER;
}

/* Known from here on, so a crash before the file is gone does no harm, and neither
 * does a file that cannot be removed. */
static void remove_taken(struct spool *s, const struct item *item)
{
	if (item->known)
		s->result->known++;
	else
		s->result->taken++;
	if (unlink(item->path) < 0 && errno != ENOENT) {
		err_errno(ERR_IO, "%s is taken and cannot be removed", fs_basename(item->path));
		s->result->reason = arena_strdup(s->a, err_text());
		err_clear();
	}
}

/* All in one transaction, since each costs a wait for the disk.  One that the log
 * refuses must not take the others with it: then each goes alone. */
static int take_items(struct spool *s, struct arena *a, struct item *items, size_t n)
{
	struct take t = { s, items, n };
	int rc = n ? database_write(&s->log->db, take_in_transaction, &t) : 0;

	if (rc < 0 && is_refusal(rc) && n > 1) {
		rc = 0;
		for (size_t i = 0; i < n && rc >= 0; i++)
			rc = take_items(s, a, &items[i], 1);
		return rc;
	}
	if (rc < 0 && is_refusal(rc)) {
		reject(s, a, items->path);
		return 0;
	}
	for (size_t i = 0; i < n && rc >= 0; i++)
		remove_taken(s, &items[i]);
	return rc;
}

static int take_batch(struct batch *b)
{
	int rc = take_items(b->spool, &b->a, b->items, b->n);

	arena_release(&b->a);
	b->n = b->bytes = 0;
	return rc;
}

/* Reads a file into the batch; what it is to blame for is refused at once. */
static int add_file(struct batch *b, const char *name)
{
	struct item *item = &b->items[b->n];
	struct buf bytes = BUF_INIT, copy = BUF_INIT;
	int rc;

	item->path = fs_join(&b->a, b->spool->folder, name);
	rc = read_file(&bytes, item->path);
	if (!rc) {
		copy.s = arena_strndup(&b->a, bytes.s, bytes.n);
		copy.n = bytes.n;
		item->digest = sha256_bytes(bytes.s, bytes.n);
		rc = read_draft(b->spool, &b->a, &copy, &item->draft, item->blobs);
	}
	if (!rc) {
		b->n++;
		b->bytes += bytes.n;
	}
	buf_release(&bytes);
	if (rc == ERR_NOT_FOUND) {
		err_clear();
		return 0;
	}
	if (rc < 0 && is_refusal(rc)) {
		reject(b->spool, &b->a, item->path);
		return 0;
	}
	return rc;
}

static bool is_waiting(const char *name)
{
	return name[0] != '.' && text_ends(name, suffix);
}

static int take_names(struct spool *s, char **names, size_t n)
{
	struct batch *b = xcalloc(1, sizeof *b);
	int rc = 0;

	b->spool = s;
	for (size_t i = 0; i < n && rc >= 0; i++) {
		if (is_waiting(names[i]))
			rc = add_file(b, names[i]);
		if (rc >= 0 && (b->n == BATCH_FILES || b->bytes >= BATCH_BYTES))
			rc = take_batch(b);
	}
	if (rc >= 0)
		rc = take_batch(b);
	arena_release(&b->a);
	free(b);
	return rc;
}

int spool_ingest(struct log *log, spool_allowed_fn *allowed, void *user, struct arena *a,
		 struct spool_result *out)
{
	struct spool s = { log, allowed, user, a, out, NULL };
	struct arena work = ARENA_INIT;
	char **names;
	size_t n = 0;
	int rc = 0;

	memset(out, 0, sizeof *out);
	if (log_require_writable(log) < 0)
		return err_code();
	s.folder = fs_join(&work, log->folder, "spool");
	if (fs_is_dir(s.folder))
		rc = fs_list(&names, &n, &work, s.folder);
	if (rc == 0)
		rc = take_names(&s, names, n);
	arena_release(&work);
	return rc < 0 ? rc : 0;
}

size_t spool_waiting(const char *folder)
{
	char *path = xasprintf("%s/spool", folder);
	DIR *dir = opendir(path);
	const struct dirent *entry;
	size_t n = 0;

	free(path);
	if (!dir)
		return 0;
	while ((entry = readdir(dir)))
		n += is_waiting(entry->d_name);
	closedir(dir);
	return n;
}
