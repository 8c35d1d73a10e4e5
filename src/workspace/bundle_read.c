/*
 * bundle_read - opens a bundle: every byte is checked before any is used.
 *
 * Two passes: the first reads the whole file against its checksums and looks at
 * every name, the second unpacks.  Nothing in a bundle is ever executed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "store/blob.h"
#include "store/segment.h"
#include "workspace/bundle.h"
#include "workspace/bundle_code.h"
#include "workspace/bundle_format.h"

enum { SECTIONS_MAX = 1000000, BLOB_BATCH = 500, MANIFEST_MAX = 16 << 20 };

struct section {
	const char *name;
	int64_t offset, size;
	struct digest digest;
};

struct reader {
	FILE *file;
	const char *path;
	struct arena arena;
	struct section *sections;
	size_t n, cap;
};

bool bundle_name_is_safe(const char *name)
{
	return strlen(name) <= BUNDLE_NAME_MAX && fs_is_inside(name) && !strchr(name, ' ') &&
		utf8_valid(name, strlen(name));
}

bool bundle_is(const char *path)
{
	static const char magic[] = "portside-bundle ";
	char head[sizeof magic - 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, head, sizeof head) == (ssize_t)sizeof head &&
		memcmp(head, magic, sizeof head) == 0;
	close(fd);
	return is;
}

static int damaged(const struct reader *r, const char *what)
{
	return err_set(ERR_DAMAGED, "damaged at byte %lld: %s; ask for the bundle again",
		(long long)ftello(r->file), what);
}

/* ---- first pass --------------------------------------------------------------------- */

/* Hashes SIZE bytes into WHOLE and OWN. */
static int hash_body(struct reader *r, struct sha256 *whole, int64_t size, struct digest *own)
{
	struct sha256 *h = sha256_new();
	char chunk[64 * 1024];
	int rc = 0;

	while (size > 0 && rc == 0) {
		size_t want = size < (int64_t)sizeof chunk ? (size_t)size : sizeof chunk;

		if (fread(chunk, 1, want, r->file) != want) {
			rc = damaged(r, "the file is cut short");
			break;
		}
		sha256_update(h, chunk, want);
		sha256_update(whole, chunk, want);
		size -= (int64_t)want;
	}
	*own = sha256_final(h);
	return rc;
}

static int read_section(struct reader *r, struct sha256 *whole, char *line)
{
	char *save, *name, *size_text, *hex;
	struct section s;
	struct digest own;
	int newline, rc;

	strtok_r(line, " ", &save);
	name = strtok_r(NULL, " ", &save);
	size_text = strtok_r(NULL, " ", &save);
	hex = strtok_r(NULL, " ", &save);
	if (!name || !size_text || !hex || !bundle_name_is_safe(name) ||
		!digest_from_hex(&s.digest, hex) ||
		!text_to_i64(size_text, strlen(size_text), &s.size) || s.size < 0)
		return damaged(r, "a section's heading cannot be read");
	if (r->n == SECTIONS_MAX)
		return damaged(r, "more sections than any bundle has");
	s.name = arena_strdup(&r->arena, name);
	s.offset = ftello(r->file);
	if ((rc = hash_body(r, whole, s.size, &own)) < 0)
		return rc;
	if (!digest_equal(&own, &s.digest))
		return damaged(r,
			arena_printf(&r->arena, "section %s does not match its checksum", s.name));
	newline = fgetc(r->file);
	if (newline != '\n')
		return damaged(r, "a section has no end");
	sha256_update(whole, "\n", 1);
	ARRAY_GROW(r->sections, r->n, r->cap);
	r->sections[r->n++] = s;
	return 0;
}

static int read_end(struct reader *r, struct sha256 *whole, const char *line)
{
	char hex[DIGEST_HEX + 1];
	struct digest d = sha256_final(whole);

	digest_hex(hex, &d);
	if (strcmp(line, arena_printf(&r->arena, "end %zu %s\n", r->n, hex)) != 0)
		return damaged(r, "the last line does not match what is before it");
	return fgetc(r->file) == EOF ? 0 : damaged(r, "something follows its end");
}

/* A line with its newline and no NUL; false at the end, or for another line. */
static bool next_line(struct reader *r, char *line, size_t size)
{
	size_t n;

	if (!fgets(line, (int)size, r->file))
		return false;
	n = strlen(line);
	return n && line[n - 1] == '\n';
}

static int check_magic(struct reader *r, struct sha256 *whole)
{
	char line[64];
	int64_t version;
	size_t n;

	if (!next_line(r, line, sizeof line) || !text_starts(line, "portside-bundle "))
		return damaged(r, "it does not begin as a bundle does");
	sha256_update(whole, line, strlen(line));
	if (strcmp(line, BUNDLE_MAGIC "\n") == 0)
		return 0;
	n = strlen("portside-bundle ");
	if (text_to_i64(line + n, strlen(line + n) - 1, &version) && version > 1)
		return err_set(ERR_NEWER,
			"written in bundle format %lld by a newer portside; this one knows format 1: "
			"install the newer version",
			(long long)version);
	return damaged(r, "its first line cannot be read");
}

static int check_all(struct reader *r)
{
	char line[BUNDLE_NAME_MAX + 128];
	struct sha256 *whole = sha256_new();
	int rc = check_magic(r, whole);

	while (rc == 0) {
		if (!next_line(r, line, sizeof line)) {
			rc = damaged(r, feof(r->file) ? "the file is cut short" : "not a section");
			break;
		}
		if (text_starts(line, "end "))
			return read_end(r, whole, line);
		sha256_update(whole, line, strlen(line));
		line[strlen(line) - 1] = '\0';
		rc = text_starts(line, "section ") ? read_section(r, whole, line)
						   : damaged(r, "not a section");
	}
	(void)sha256_final(whole);
	return rc;
}

/* ---- second pass -------------------------------------------------------------------- */

static int load(struct reader *r, const struct section *s, struct buf *out)
{
	if (s->size > BUNDLE_SECTION_MAX)
		return err_set(ERR_DAMAGED, "section %s is larger than any of its kind", s->name);
	buf_clear(out);
	buf_reserve(out, (size_t)s->size);
	if (fseeko(r->file, s->offset, SEEK_SET) < 0 ||
		fread(out->s, 1, (size_t)s->size, r->file) != (size_t)s->size)
		return damaged(r, "the file changed while it was read");
	out->n = (size_t)s->size;
	out->s[out->n] = '\0';
	return 0;
}

static int unpack_file(struct reader *r, const struct section *s, const char *folder)
{
	struct arena a = ARENA_INIT;
	char *path = fs_join(&a, folder, s->name), chunk[64 * 1024];
	int64_t left = s->size;
	int rc = fs_mkdirs(fs_dirname(&a, path), 0700), fd = -1;

	if (rc == 0 &&
		(fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)) < 0)
		rc = errno == EEXIST ? err_set(ERR_DAMAGED, "section %s is there twice", s->name) :
			err_errno(ERR_IO, "cannot write %s", path);
	if (rc == 0 && fseeko(r->file, s->offset, SEEK_SET) < 0)
		rc = err_errno(ERR_IO, "cannot read %s", r->path);
	while (rc == 0 && left > 0) {
		size_t want = left < (int64_t)sizeof chunk ? (size_t)left : sizeof chunk;

		if (fread(chunk, 1, want, r->file) != want)
			rc = damaged(r, "the file changed while it was read");
		else if ((rc = fs_write_all(fd, chunk, want)) < 0)
			rc = err_prefix("%s: ", path);
		left -= (int64_t)want;
	}
	if (fd >= 0 && close(fd) < 0 && rc == 0)
		rc = err_errno(ERR_IO, "cannot write %s", path);
	arena_release(&a);
	return rc;
}

/*
 * These are unpacked; sections of other names are from a later version and are not
 * needed.  Of what is read by other programs, each name is known: a folder that
 * calls itself a repository would bring a configuration of its own.
 */
static bool is_unpacked(const char *name)
{
	static const char *const names[] = {
		"manifest.json",
		"conf/portside.conf",
		"code/repository.pack",
		"code/marks",
		"cache/churn-1.cache",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return text_starts(name, "runs/") || text_starts(name, "evidence/");
}

static int unpack_files(struct reader *r, const char *folder)
{
	struct statvfs disk;
	int64_t bytes = 0;
	int rc = 0;

	for (size_t i = 0; i < r->n; i++)
		bytes += is_unpacked(r->sections[i].name) ? r->sections[i].size : 0;
	if (statvfs(folder, &disk) == 0 &&
		(uint64_t)bytes > (uint64_t)disk.f_bavail * disk.f_frsize)
		return err_set(ERR_IO,
			"it unpacks to %lld bytes, more than is free in %s; set TMPDIR to a larger disk",
			(long long)bytes, fs_dirname(&r->arena, folder));
	for (size_t i = 0; rc == 0 && i < r->n; i++)
		if (is_unpacked(r->sections[i].name))
			rc = unpack_file(r, &r->sections[i], folder);
	return rc;
}

/* "seg/ab/HEX.jsonl" -> HEX, in A. */
static char *segment_name(struct arena *a, const char *section)
{
	const char *base = fs_basename(section);

	return text_ends(base, ".jsonl") ? arena_strndup(a, base, strlen(base) - strlen(".jsonl"))
					 : NULL;
}

static int import_events(struct reader *r, struct log *log)
{
	struct event_segment *segments = xcalloc(r->n + 1, sizeof *segments);
	struct arena a = ARENA_INIT;
	struct buf body = BUF_INIT;
	struct foreign_result result;
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < r->n; i++) {
		char *name = text_starts(r->sections[i].name, "seg/")
			? segment_name(&a, r->sections[i].name)
			: NULL;

		if (!name)
			continue;
		if ((rc = load(r, &r->sections[i], &body)) == 0)
			rc = segment_parse(&segments[n++], &a, name, body.s, body.n);
	}
	if (rc == 0 && n)
		rc = segment_import(log, segments, n, &result);
	buf_release(&body);
	arena_release(&a);
	free(segments);
	return rc;
}

static int read_blob(struct blob_record *out, struct arena *a, const char *line, size_t n)
{
	const struct json *j;
	const char *salt, *bytes;
	unsigned char *raw;
	int rc = json_parse(&j, a, line, n, JSON_STRICT);

	if (rc < 0)
		return rc;
	memset(out, 0, sizeof *out);
	salt = json_str(j, "salt", "");
	bytes = json_str(j, "bytes", NULL);
	if (!digest_from_hex(&out->digest, json_str(j, "digest", "")) ||
		strlen(salt) > BLOB_SALT_MAX * 2)
		return err_set(ERR_DAMAGED, "a text has no digest");
	if (!bytes)
		return 0;
	out->salt_n = strlen(salt) / 2;
	out->n = strlen(bytes) / 2;
	raw = arena_alloc(a, out->salt_n + out->n + 1);
	if (!hex_decode(raw, salt, strlen(salt)) ||
		!hex_decode(raw + out->salt_n, bytes, strlen(bytes)))
		return err_set(ERR_DAMAGED, "a text is not in hexadecimal");
	out->salt = raw;
	out->bytes = (const char *)raw + out->salt_n;
	return 0;
}

static int import_blobs(struct reader *r, struct log *log)
{
	struct buf body = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < r->n; i++) {
		const char *s;

		if (strcmp(r->sections[i].name, "blobs.jsonl") != 0 ||
			(rc = load(r, &r->sections[i], &body)) < 0)
			continue;
		if (strlen(body.s) != body.n)
			rc = err_set(ERR_DAMAGED, "a text is cut short");
		for (s = body.s; rc == 0 && *s; ) {
			struct blob_record batch[BLOB_BATCH];
			struct arena a = ARENA_INIT;
			size_t n = 0;

			for (; rc == 0 && *s && n < BLOB_BATCH; n++) {
				size_t len = strcspn(s, "\n");

				rc = read_blob(&batch[n], &a, s, len);
				s += len;
				s += *s == '\n';
			}
			if (rc == 0)
				rc = blob_insert_foreign(log, batch, n);
			arena_release(&a);
		}
	}
	buf_release(&body);
	return rc;
}

/* The manifest was written with the events: it tells when some were left out since.
 * The log may have grown while the bundle was written, so more is no defect. */
static int compare_manifest(struct reader *r, struct log *log, const struct json *manifest)
{
	const char *said = json_str(manifest, "head", "");
	char hex[DIGEST_HEX + 1];
	struct replica_head *heads;
	struct digest digest;
	int64_t count, expected = json_i64(manifest, "events", 0);
	size_t n;
	int rc = log_heads(log, &r->arena, &heads, &n, &count, &digest);

	if (rc < 0)
		return rc;
	digest_hex(hex, &digest);
	if (count > expected || (count == expected && strcmp(hex, said) == 0))
		return 0;
	return err_set(ERR_DAMAGED,
		"its manifest speaks of %lld events with the head %.10s, and it holds %lld with %.10s: "
		"ask for the bundle again",
		(long long)expected, said, (long long)count, hex);
}

static int check_manifest(struct reader *r, struct log *log, const char *folder)
{
	char *path = fs_join(&r->arena, folder, "manifest.json");
	struct buf text = BUF_INIT;
	const struct json *manifest;
	int rc;

	if (!fs_exists(path))
		return 0;
	rc = fs_read(&text, path, MANIFEST_MAX);
	if (rc == 0)
		rc = json_parse(&manifest, &r->arena, text.s, text.n, JSON_STRICT);
	if (rc == 0)
		rc = compare_manifest(r, log, manifest);
	buf_release(&text);
	return rc;
}

int bundle_unpack(struct log *log, const char *folder, const char *path)
{
	struct reader r = { .path = path, .file = fopen(path, "rbe") };
	int rc;

	if (!r.file)
		return err_errno(ERR_IO, "cannot read");
	rc = check_all(&r);
	if (rc == 0)
		rc = import_events(&r, log);
	if (rc == 0)
		rc = import_blobs(&r, log);
	if (rc == 0)
		rc = unpack_files(&r, folder);
	if (rc == 0)
		rc = check_manifest(&r, log, folder);
	if (rc == 0)
		rc = bundle_code_open(folder);
	fclose(r.file);
	free(r.sections);
	arena_release(&r.arena);
	return rc;
}
