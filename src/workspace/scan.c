/* scan - see scan.h. */
#include "config.h"

#include "workspace/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "store/record_cache.h"
#include "store/repository_tree.h"

/* A key: the blob, and the end of the name, which tells the syntax of comments. */
enum {
	OID_BYTES = OID_HEX / 2,
	KIND_BYTES = 12,
	KEY_BYTES = OID_BYTES + KIND_BYTES,
	PROGRESS_EVERY = 64
};

struct scan {
	struct tree_scan *out;
	struct repository *repo;
	struct record_cache *cache;
	struct static_scanner *scanner;	/* made when the first content is new */
	struct arena *arena;
	size_t cap_files, cap_hits;
};

static void key_of(char key[KEY_BYTES], const struct tree_entry *e)
{
	const char *name = fs_basename(e->path), *dot = strrchr(name, '.');

	memset(key, 0, KEY_BYTES);
	hex_decode(key, e->oid, OID_HEX);
	memcpy(key + OID_BYTES, dot ? dot : name, strnlen(dot ? dot : name, KIND_BYTES));
}

/* The beginning of the blob: what is behind the limit is not looked at anyway. */
static int scan_blob(struct static_hits *hits, struct scan *s, const struct tree_entry *e)
{
	struct buf text = BUF_INIT;
	bool cut;
	int rc = 0;

	if (!s->scanner)
		rc = static_scanner_new(&s->scanner);
	if (rc == 0)
		rc = blob_read(&text, &cut, NULL, s->repo, e->oid, STATIC_FILE_MAX + 1);
	if (rc == 0)
		static_scan(hits, s->scanner, e->path, text.s, text.n);
	buf_release(&text);
	return rc;
}

static int hits_of(struct static_hits *hits, struct scan *s, const struct tree_entry *e)
{
	struct buf coded = BUF_INIT;
	char key[KEY_BYTES];
	const char *kept;
	size_t n;
	int rc;

	key_of(key, e);
	if (record_cache_find(&kept, &n, s->cache, key)) {
		if (static_hits_decode(hits, kept, n) == 0)
			return 0;
		err_clear();
	}
	if ((rc = scan_blob(hits, s, e)) < 0)
		return rc;
	s->out->scanned++;
	static_hits_encode(&coded, hits);
	record_cache_keep(s->cache, key, coded.s, coded.n);
	buf_release(&coded);
	return 0;
}

static void add_hit(struct scan *s, struct scan_file *f, const struct static_hit *h)
{
	struct tree_scan *t = s->out;
	size_t n;
	const struct static_construct *table = static_constructs(&n);

	ARRAY_GROW(t->hits, t->n_hits, s->cap_hits);
	t->hits[t->n_hits++] = (struct scan_hit){
		.path = f->path,
		.construct = &table[h->construct],
		.line = h->line,
		.column = h->column,
		.text = arena_strdup(s->arena, h->text),
	};
	f->n++;
	if (table[h->construct].hint)
		f->hints++;
	else
		f->cuda++;
}

static void add_file(struct scan *s, const struct tree_entry *e, const struct static_hits *hits)
{
	struct tree_scan *t = s->out;
	struct scan_file *f;

	if (!hits->n && !hits->limited && hits->skipped != STATIC_TOO_LARGE)
		return;
	ARRAY_GROW(t->files, t->n_files, s->cap_files);
	f = &t->files[t->n_files++];
	*f = (struct scan_file){
		.path = arena_strdup(s->arena, e->path), .first = t->n_hits, .more = hits->more,
		.cut = hits->skipped == STATIC_TOO_LARGE, .limited = hits->limited,
	};
	for (size_t i = 0; i < hits->n; i++)
		add_hit(s, f, &hits->rows[i]);
	t->cuda += f->cuda + (size_t)f->more;
	t->hints += f->hints;
}

static bool is_wanted(const struct tree_entry *e)
{
	return (e->kind == TREE_FILE || e->kind == TREE_EXECUTABLE) && static_scan_wants(e->path);
}

static int scan_entries(struct scan *s, const struct tree_listing *l, const struct scan_options *o)
{
	for (size_t i = 0; i < l->n; i++) {
		struct static_hits hits = STATIC_HITS_INIT;
		int rc;

		if (o->cancel && atomic_load(o->cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		if (o->progress && i % PROGRESS_EVERY == 0)
			o->progress(o->user, (int64_t)i, (int64_t)l->n);
		if (!is_wanted(&l->rows[i]))
			continue;
		s->out->looked_at++;
		if ((rc = hits_of(&hits, s, &l->rows[i])) == 0)
			add_file(s, &l->rows[i], &hits);
		static_hits_release(&hits);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Rows grew on the heap; an arena gives nothing back. */
static void settle(struct tree_scan *t, struct arena *a)
{
	struct scan_file *files = t->files;
	struct scan_hit *hits = t->hits;

	t->files = arena_memdup(a, files, t->n_files * sizeof *files);
	t->hits = arena_memdup(a, hits, t->n_hits * sizeof *hits);
	free(files);
	free(hits);
}

int scan_tree(struct tree_scan *out, struct workspace *ws, const char *revision,
	const struct scan_options *o, struct arena *a)
{
	struct scan s = { .out = out, .arena = a };
	struct tree_listing listing = { 0 };
	char *name = arena_printf(a, "scan-%d.cache", STATIC_SCAN_VERSION);
	int rc;

	*out = (struct tree_scan){ 0 };
	if ((rc = workspace_repository(ws, &s.repo)) < 0)
		return rc;
	if ((rc = tree_list(&listing, s.repo, revision, 0)) < 0)
		return rc;
	s.cache = record_cache_open(fs_join(a, workspace_path(ws, a, "cache"), name), KEY_BYTES,
		workspace_read_only(ws));
	rc = scan_entries(&s, &listing, o);
	settle(out, a);
	record_cache_free(s.cache);
	static_scanner_free(s.scanner);
	tree_listing_release(&listing);
	return rc;
}

const struct scan_file *scan_find(const struct tree_scan *s, const char *path)
{
	size_t low = 0, high = s->n_files;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(s->files[middle].path, path);

		if (order == 0)
			return &s->files[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct scan_hit *scan_line(
	const struct tree_scan *s, const struct scan_file *f, int32_t line, size_t *n)
{
	const struct scan_hit *hits = s->hits + f->first;
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (hits[middle].line < line)
			low = middle + 1;
		else
			high = middle;
	}
	*n = 0;
	while (low + *n < f->n && hits[low + *n].line == line)
		++*n;
	return *n ? &hits[low] : NULL;
}
