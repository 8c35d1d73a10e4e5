/* run_probe - see run_probe.h. */
#include "config.h"

#include "workspace/run_probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/run_directory.h"
#include "workspace/run_evidence.h"

enum { CODE_BYTES_MAX = 1 << 20, FILES_MAX = 200, RECORD_FILES_MAX = 4096 };

static const char package[] = "portside_probe", starter[] = "sitecustomize.py";

struct code {
	const char *from;	/* the probe as installed */
	char **names;		/* below FROM */
	size_t n;
	struct digest digest;
};

static int add_to_digest(struct sha256 *h, const char *path, const char *name)
{
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, CODE_BYTES_MAX);

	if (rc == 0) {
		sha256_update(h, name, strlen(name) + 1);
		sha256_update(h, text.s, text.n);
	}
	buf_release(&text);
	return rc;
}

static int find_code(struct code *c, struct arena *a)
{
	struct sha256 *h;
	char **parts;
	size_t n;
	int rc;

	c->from = fs_data_path(a, "probe");
	if (!fs_exists(fs_join(a, c->from, starter)))
		return err_set(ERR_NOT_FOUND,
			"the probe is not there: %s is missing; install portside again, or leave --probe out",
			fs_join(a, c->from, starter));
	if ((rc = fs_list(&parts, &n, a, fs_join(a, c->from, package))) < 0)
		return rc;
	c->names = arena_alloc(a, (n + 1) * sizeof *c->names);
	c->names[c->n++] = arena_strdup(a, starter);
	for (size_t i = 0; i < n && c->n < FILES_MAX; i++)
		if (text_ends(parts[i], ".py"))
			c->names[c->n++] = fs_join(a, package, parts[i]);
	h = sha256_new();
	for (size_t i = 0; rc == 0 && i < c->n; i++)
		rc = add_to_digest(h, fs_join(a, c->from, c->names[i]), c->names[i]);
	c->digest = sha256_final(h);
	return rc;
}

static int copy_code(const struct code *c, const char *to, struct arena *a)
{
	const char *part = arena_printf(a, "%s.%d.part", to, (int)getpid());
	int rc = fs_mkdirs(fs_join(a, part, package), 0700);

	for (size_t i = 0; rc == 0 && i < c->n; i++)
		rc = fs_copy(fs_join(a, c->from, c->names[i]), fs_join(a, part, c->names[i]), 0600);
	/* Whoever else was faster put the same content there. */
	if (rc == 0 && rename(part, to) < 0 && errno != ENOTEMPTY && errno != EEXIST)
		rc = err_errno(ERR_IO, "%s", to);
	if (fs_exists(part) && fs_remove_tree(part) < 0)
		err_clear();
	return rc;
}

int run_probe_place(const char **out, struct workspace *ws, struct arena *a)
{
	struct code c = { .n = 0 };
	char hex[DIGEST_HEX + 1];
	const char *cache = workspace_path(ws, a, "cache"), *to;
	int rc = find_code(&c, a);

	if (rc < 0)
		return rc;
	digest_hex(hex, &c.digest);
	to = fs_join(a, cache, arena_printf(a, "probe-%.16s", hex));
	*out = to;
	if (fs_exists(fs_join(a, to, starter)))
		return 0;
	if ((rc = fs_mkdirs(cache, 0700)) == 0)
		rc = copy_code(&c, to, a);
	return rc < 0 ? err_prefix("the probe: ") : 0;
}

int run_probe_keep(struct workspace *ws, const char *run, const char *rundir, struct arena *a)
{
	const char *folder = run_directory_path(a, rundir, RUN_FILE_PROBE);
	char **names;
	size_t n;
	int rc;

	if (!fs_is_dir(folder))
		return 0;
	rc = fs_list(&names, &n, a, folder);
	for (size_t i = 0; rc == 0 && i < n && i < RECORD_FILES_MAX; i++) {
		const char *path = fs_join(a, folder, names[i]);
		struct stat st;

		/* A program may put anything there; what is no plain file is no record. */
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			rc = run_evidence_add(
				ws, path, fs_join(a, "probe", names[i]), "probe", run, a);
	}
	return rc;
}
