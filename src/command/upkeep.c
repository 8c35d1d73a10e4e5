/* upkeep - see upkeep.h. */
#include "config.h"

#include "command/upkeep.h"

#include <string.h>

#include "base/buf.h"
#include "command/since.h"
#include "workspace/workspace.h"

/* A person who was never here has not left. */
static int tell_since(struct upkeep_round *out, struct workspace *ws, struct arena *a)
{
	struct position from;
	struct since_report report;
	struct buf b = BUF_INIT;
	int rc = since_seen_read(&from, NULL, ws);

	if (rc <= 0)
		return rc;
	if ((rc = since_read(&report, ws, &from, NULL, a)) < 0 || !report.n_news)
		return rc;
	since_add_text(&b, &report);
	out->since = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return 0;
}

int upkeep_run(struct upkeep_round *out, const struct upkeep_request *r, struct arena *a)
{
	struct workspace_options how = { .read_only = r->read_only };
	struct workspace *ws;
	int rc = workspace_open(&ws, r->directory, &how);

	memset(out, 0, sizeof *out);
	out->since = "";
	if (rc < 0)
		return rc;
	rc = upkeep(&out->done, ws, &r->how, a);
	if (rc == 0)
		upkeep_folders(&out->folders, &out->n_folders, ws, a);
	if (rc == 0 && r->tell_since)
		rc = tell_since(out, ws, a);
	workspace_close(ws);
	return rc;
}
