/* app_editor - a text of a dialog, or a copy of a file that must stay as it is, in
 * the person's own editor; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/key.h"
#include "ui/loop.h"

enum { TEXT_BYTES_MAX = 256 * 1024, COPY_BYTES_MAX = 64 << 20 };

/* One visit to the editor. */
struct visit {
	struct app *app;
	unsigned dialog;		/* the form that asked; another one may be open by then */
	char *field;
	char path[64];
};

static void visit_free(struct visit *v)
{
	unlink(v->path);
	free(v->field);
	free(v);
}

static void take_text(struct visit *v)
{
	struct app *a = v->app;
	struct buf text = BUF_INIT;

	if (fs_read(&text, v->path, TEXT_BYTES_MAX) < 0) {
		app_complain(a, "%s", err_text());
	} else if (a->layer == APP_DIALOG && a->n_dialogs == v->dialog) {
		buf_trim_end(&text);
		dialog_set_text(&a->dialog, v->field, text.s);
		dialog_complain(&a->dialog, "");
	}
	buf_release(&text);
}

static void on_edited(void *user, int status)
{
	struct visit *v = user;

	if (status < 0)
		app_complain(v->app, "%s", err_text());
	else if (status > 0)
		app_complain(v->app, "the editor ended with %d; the text stays as it was", status);
	else
		take_text(v);
	app_touch(v->app);
	visit_free(v);
}

/* A file of our own in the temporary folder, readable by nobody else. */
static int write_text(struct visit *v, const char *text)
{
	const char *folder = getenv("TMPDIR");
	int fd, rc;

	if (!folder || *folder != '/' || strlen(folder) > 40)
		folder = "/tmp";
	snprintf(v->path, sizeof v->path, "%s/portside-XXXXXX", folder);
	fd = mkstemp(v->path);
	if (fd < 0)
		return err_errno(ERR_IO, "%s", v->path);
	rc = fs_write_all(fd, text, strlen(text));
	if (close(fd) < 0 && rc == 0)
		rc = err_errno(ERR_IO, "%s", v->path);
	return rc;
}

static void edit(struct app *a, const struct dialog_field *f)
{
	struct visit *v = xcalloc(1, sizeof *v);
	struct arena arena = ARENA_INIT;

	v->app = a;
	v->dialog = a->n_dialogs;
	v->field = xstrdup(f->name);
	if (write_text(v, dialog_text(&a->dialog, f->name)) < 0 ||
		loop_lend(a->loop, loop_editor_argv(&arena, a->host.editor, v->path, 1), on_edited,
			v) < 0) {
		app_complain(a, "%s", err_text());
		visit_free(v);
	}
	arena_release(&arena);
}

bool app_edit_field(struct app *a, uint32_t key)
{
	const struct dialog_field *f = dialog_text_field(&a->dialog);

	if (key != (K_CTRL | 'o') || !f)
		return false;
	if (a->loop)
		edit(a, f);
	return true;
}

/* ---- copies of what must stay as it is --------------------------------------------- */

struct copy { struct app *app; char *folder, *path; };

static void copy_free(struct copy *c)
{
	if (c->path)
		unlink(c->path);
	rmdir(c->folder);
	free(c->path);
	free(c->folder);
	free(c);
}

static void on_copy_read(void *user, int status)
{
	struct copy *c = user;

	if (status < 0)
		app_complain(c->app, "%s", err_text());
	else if (status > 0)
		app_complain(c->app, "the editor ended with %d", status);
	else
		app_say(c->app, "that was a read-only copy; the file that was kept is as it was");
	app_touch(c->app);
	copy_free(c);
}

/* Its name is that of the file: its end tells an editor the language. */
static int make_copy(struct copy *c, const char *path)
{
	const char *parent = getenv("TMPDIR"), *slash = strrchr(path, '/');
	struct stat st;

	c->folder = xasprintf("%s/portside-XXXXXX", parent && *parent == '/' ? parent : "/tmp");
	if (stat(path, &st) < 0)
		return err_errno(ERR_IO, "%s", path);
	if (st.st_size > COPY_BYTES_MAX)
		return err_set(ERR_STATE, "it is larger than 64 MiB; less can read it: %s", path);
	if (!mkdtemp(c->folder))
		return err_errno(ERR_IO, "%s; set TMPDIR to a folder that can be written",
			c->folder);
	c->path = xasprintf("%s/%s", c->folder, slash ? slash + 1 : path);
	return fs_copy(path, c->path, 0400);
}

void app_edit_copy(struct app *a, const char *path, long line)
{
	struct copy *c;
	struct arena arena = ARENA_INIT;

	if (!a->loop)
		return;
	c = xcalloc(1, sizeof *c);
	c->app = a;
	if (make_copy(c, path) < 0 ||
		loop_lend(a->loop, loop_editor_argv(&arena, a->host.editor, c->path, line),
			on_copy_read, c) < 0) {
		app_complain(a, "%s", err_text());
		copy_free(c);
	}
	arena_release(&arena);
}
