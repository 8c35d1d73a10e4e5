/* projector - see projector.h. */
#include "config.h"

#include "workspace/projector.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "domain/codec.h"
#include "domain/fold.h"
#include "domain/object.h"

struct fold_projector {
	struct projector table;
	struct fold *fold;
	struct projection_sink *sink;	/* of the event that is folded now */
};

static int load(
	void *user, struct arena *a, const char *type, const char *id, const char **text, size_t *n)
{
	struct fold_projector *p = user;
	const char *state;
	int found = projection_load(p->sink, type, id, &state);

	*text = NULL;
	*n = 0;
	if (found <= 0)
		return found;
	*n = strlen(state);
	*text = arena_strndup(a, state, *n);
	return 0;
}

static int apply(void *user, const struct event *e, struct projection_sink *sink)
{
	struct fold_projector *p = user;
	const struct fold_version *versions;
	size_t n;
	int rc;

	p->sink = sink;
	rc = fold_event(p->fold, e, &versions, &n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct projection_row row = {
			.type = versions[i].type,
			.id = versions[i].id,
			.parent = versions[i].parent,
			.sort = versions[i].sort,
			.state = versions[i].state,
		};

		rc = projection_put(sink, &row);
	}
	p->sink = NULL;
	return rc;
}

const char *const projector_brief_members[] = { "id", "n", "line", "tip", "base",
	"environment_only", NULL };

/* Lists of thousands want the commits of attempts and no more. */
static const char *brief(void *user, const char *type, const char *state, struct arena *a)
{
	const struct object_type *t = object_type_find(type);
	struct buf b = BUF_INIT;
	const char *text = NULL;

	(void)user;
	if (strcmp(type, "attempt") == 0 &&
		shape_pick(&b, t->shape, state, strlen(state), projector_brief_members))
		text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

struct fold_projector *fold_projector_new(void)
{
	struct fold_projector *p = xcalloc(1, sizeof *p);

	p->table.fold_version = FOLD_VERSION;
	p->table.apply = apply;
	p->table.brief = brief;
	p->table.user = p;
	p->fold = fold_new(load, p);
	return p;
}

void fold_projector_free(struct fold_projector *p)
{
	if (!p)
		return;
	fold_free(p->fold);
	free(p);
}

const struct projector *fold_projector_table(struct fold_projector *p)
{
	return &p->table;
}
