/* view_curves_write - a file of what is shown; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/curve_picture.h"

/* What is on the screen, with its window: the comparison, or so many charts of the grid. */
static struct curve_picture picture_of(
	const struct curves_view *self, const char *const *names, size_t n)
{
	return (struct curve_picture){
		.charts = names, .n_charts = n, .window = self->window, .fit = self->fit
	};
}

/* All charts of the grid, as it is filtered: a file has room for those that a screen has
 * not. */
static int write_shown(const struct curves_view *self, const char *path)
{
	size_t n = self->overview ? (size_t)self->metrics.n_shown : 0;
	const char **names = xcalloc(n + 1, sizeof(const char *));
	struct curve_picture picture;
	int rc;

	for (size_t i = 0; i < n; i++)
		names[i] = curves_name_at(self, (long)i)->name;
	picture = picture_of(self, names, n);
	rc = curve_picture_write(self->scene, &picture, path);
	free(names);
	return rc;
}

void curves_add_shown(struct buf *out, const struct curves_view *self)
{
	const char *names[CURVES_GRID_MAX];
	struct curve_picture picture = picture_of(self, names, curves_grid_names(self, names));

	curve_picture_text(out, self->scene, &picture);
}

void curves_write_due(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (!*self->write_due || !self->scene)
		return;
	if (write_shown(self, self->write_due) < 0)
		app_complain(v->app, "%s", err_text());
	else if (self->overview)
		app_say(v->app, "written: %s, %ld chart%s", self->write_due,
			self->metrics.n_shown, self->metrics.n_shown == 1 ? "" : "s");
	else
		app_say(v->app, "written: %s", self->write_due);
	err_clear();
	self->write_due[0] = '\0';
}

static void on_path(void *user, struct app *a, const char *text)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	if (strlen(text) >= sizeof self->write_due) {
		app_complain(a, "this name is too long");
		return;
	}
	snprintf(self->write_due, sizeof self->write_due, "%s", text);
	curves_write_due(v);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_';
}

void curves_ask_path(struct view *v)
{
	struct curves_view *self = view_state(v);
	struct buf name = BUF_INIT;

	if (v->app->host.read_only) {
		app_complain(v->app, "nothing is written with --read-only");
		return;
	}
	for (const char *s = self->overview || !*self->metric_shown ? "curves"
								    : self->metric_shown;
		*s; s++)
		buf_addc(&name, is_plain(*s) ? *s : '-');
	buf_adds(&name, ".svg");
	app_open_ask(v->app, "write to (.csv .json .svg .txt): ", name.s, on_path, v);
	buf_release(&name);
}
