/* loop_watch - folders that are watched; see loop.h. */
#include "config.h"

#include "ui/loop_private.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

enum { QUIET_MS = 50, NETWORK_POLL_MS = 2000 };

/* Three handles of one life: freed when the last of them is closed. */
struct loop_watch {
	uv_fs_event_t event;
	uv_fs_poll_t poll;
	uv_timer_t quiet;
	int handles;
	loop_fn *fn;
	void *user;
};

static void on_quiet(uv_timer_t *timer)
{
	struct loop_watch *w = timer->data;

	w->fn(w->user);
}

static bool is_ours(const char *name)
{
	return name && (text_ends(name, "-journal") || text_ends(name, "-wal"));
}

/* Every event puts the end of the quiet off, but only while one is due. */
static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
	struct loop_watch *w = handle->data;

	(void)events;
	if (status == 0 && !is_ours(name))
		uv_timer_start(&w->quiet, on_quiet, QUIET_MS, 0);
}

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before, const uv_stat_t *now)
{
	struct loop_watch *w = handle->data;

	(void)before;
	(void)now;
	if (status == 0)
		w->fn(w->user);
}

struct loop_watch *loop_watch_new(struct loop *l, const char *path, loop_fn *fn, void *user)
{
	struct loop_watch *w = xcalloc(1, sizeof *w);
	int rc;

	uv_fs_event_init(&l->uv, &w->event);
	uv_fs_poll_init(&l->uv, &w->poll);
	uv_timer_init(&l->uv, &w->quiet);
	w->event.data = w->poll.data = w->quiet.data = w;
	w->handles = 3;
	w->fn = fn;
	w->user = user;
	if (fs_is_network(path))
		rc = uv_fs_poll_start(&w->poll, on_poll, path, NETWORK_POLL_MS);
	else
		rc = uv_fs_event_start(&w->event, on_event, path, 0);
	if (rc == 0)
		return w;
	err_set(ERR_IO, "%s cannot be watched: %s", path, uv_strerror(rc));
	loop_watch_free(w);
	return NULL;
}

static void on_closed(uv_handle_t *handle)
{
	struct loop_watch *w = handle->data;

	if (--w->handles == 0)
		free(w);
}

void loop_watch_free(struct loop_watch *w)
{
	if (!w)
		return;
	uv_close((uv_handle_t *)&w->event, on_closed);
	uv_close((uv_handle_t *)&w->poll, on_closed);
	uv_close((uv_handle_t *)&w->quiet, on_closed);
}
