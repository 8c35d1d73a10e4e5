/*
 * diff_export - a file of a revision as a path that an editor can open.
 */
#include "config.h"

#include "command/diff.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/repository_tree.h"
#include "workspace/workspace.h"

enum { EXPORT_MAX = 256 << 20, NAME_MAX_BYTES = 180 };

/* Reads NAME of the work tree without following a link at its end. */
static bool has_bytes(const char *path, const struct buf *wanted)
{
	struct buf found = BUF_INIT;
	struct stat st;
	bool same;

	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size != (off_t)wanted->n)
		return false;
	same = fs_read(&found, path, EXPORT_MAX) == 0 && found.n == wanted->n &&
		memcmp(found.s, wanted->s, found.n) == 0;
	err_clear();
	buf_release(&found);
	return same;
}

/* "2784965-textcls_trainer.py": the end of a name tells an editor its language. */
static char *copy_name(struct arena *a, const char *commit, const char *name)
{
	size_t n = strlen(name), skip = n > NAME_MAX_BYTES ? n - NAME_MAX_BYTES : 0;
	char *out = arena_printf(a, "%.*s-%s", (int)OID_SHORT, commit, name + skip);

	for (char *s = out; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._-+", *s))
			*s = '_';
	return out;
}

static int write_copy(struct buf *path, const struct buf *text, const char *folder,
	const char *commit, const char *name)
{
	struct arena a = ARENA_INIT;
	char *copy = fs_join(&a, folder, copy_name(&a, commit, name));
	int rc = fs_mkdirs(folder, 0700);

	if (rc == 0)
		rc = fs_write_durable(copy, text->s, text->n, 0400);
	if (rc == 0)
		buf_adds(path, copy);
	arena_release(&a);
	return rc;
}

static int export_text(struct buf *path, bool *is_copy, struct workspace *ws,
	const struct buf *text, const char *commit, const char *name, const char *folder)
{
	const char *workdir = workspace_place(ws)->workdir;
	struct arena a = ARENA_INIT;
	char *there = workdir && fs_is_inside(name) ? fs_join(&a, workdir, name) : NULL;
	int rc = 0;

	*is_copy = !there || !has_bytes(there, text);
	if (*is_copy)
		rc = write_copy(path, text, folder, commit, name);
	else
		buf_adds(path, there);
	arena_release(&a);
	return rc;
}

int change_export(struct buf *path, bool *is_copy, struct workspace *ws, const struct change *c,
		  const struct diff_file *f, const char *folder)
{
	bool gone = f->status == 'D', cut;
	struct repository *repo;
	struct buf text = BUF_INIT;
	int rc;

	if ((gone ? f->old_mode : f->new_mode) == 0160000)
		return err_set(ERR_STATE, "%s is a submodule; its files are in another repository",
			f->path);
	if ((rc = workspace_repository(ws, &repo)) < 0)
		return rc;
	rc = blob_read(&text, &cut, NULL, repo, gone ? f->old_oid : f->new_oid, EXPORT_MAX);
	if (rc == 0 && cut)
		rc = err_set(ERR_STATE, "%s is larger than 256 MiB; read it with git show", f->path);
	if (rc == 0)
		rc = export_text(
			path, is_copy, ws, &text, gone ? c->base : c->tip, f->path, folder);
	buf_release(&text);
	return rc;
}

int change_export_path(struct buf *path, bool *is_copy, struct workspace *ws,
	const struct change *c, const char *name, const char *folder)
{
	struct repository *repo;
	struct buf text = BUF_INIT;
	bool cut;
	int rc = workspace_repository(ws, &repo);

	if (rc == 0)
		rc = tree_read_file(&text, &cut, repo, c->tip, name, EXPORT_MAX);
	if (rc == 0)
		rc = export_text(path, is_copy, ws, &text, c->tip, name, folder);
	buf_release(&text);
	return rc;
}
