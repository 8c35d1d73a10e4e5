/*
 * discovery - the order of the steps: references, original, marks, rows.
 */
#include "config.h"
#include "store/discovery.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/discovery_internal.h"
#include "store/repository_internal.h"

unsigned char *plan_flags(struct plan *p, int32_t commit)
{
	if ((size_t)commit >= p->cap_flags) {
		size_t cap = p->memory->n * 2;

		p->flags = xreallocarray(p->flags, cap, 1);
		memset(p->flags + p->cap_flags, 0, cap - p->cap_flags);
		p->cap_flags = cap;
	}
	return &p->flags[commit];
}

bool plan_is_cancelled(const struct plan *p)
{
	return p->options->cancel != NULL && atomic_load(p->options->cancel);
}

void plan_note(struct plan *p, const char *fmt, ...)
{
	va_list ap;

	if (p->note.n > 0)
		buf_addc(&p->note, ' ');
	va_start(ap, fmt);
	buf_vaddf(&p->note, fmt, ap);
	va_end(ap);
}

static bool is_unchanged(const struct plan *p)
{
	return p->options->seen != NULL && digest_equal(p->options->seen, &p->refs.digest);
}

static int run_plan(struct plan *p)
{
	git_oid head;
	int rc;

	if (oid_parse(&head, p->refs.head))
		p->head = memory_commit(p->memory, &head);
	if (p->refs.broken > 0)
		plan_note(p, "%zu references lead to no commit here and were left out.",
			p->refs.broken);
	if (p->repo->shallow)
		plan_note(p, "The clone is shallow: attempts before its end are not seen.");
	if ((rc = plan_given_original(p)) < 0 || (rc = plan_find_marks(p)) < 0 ||
	    (rc = plan_guessed_original(p)) < 0 || (rc = plan_offer_commits(p)) < 0)
		return rc;
	return plan_fill_rows(p);
}

int discovery_run(
	struct discovery *out, struct repository *repo, const struct discovery_options *options)
{
	struct discovery_memory *own = options->memory == NULL ? discovery_memory_new() : NULL;
	struct plan p = {
		.out = out,
		.repo = repo,
		.options = options,
		.memory = own != NULL ? own : options->memory,
		.head = NO_COMMIT,
		.original = NO_COMMIT,
		.note = BUF_INIT,
	};
	int rc;

	*out = (struct discovery){ .arena = ARENA_INIT, .original_text = "", .note = "" };
	rc = history_refs(&p.refs, repo);
	if (rc == 0) {
		out->refs_digest = p.refs.digest;
		out->unchanged = is_unchanged(&p);
		if (!out->unchanged)
			rc = run_plan(&p);
		out->note = arena_strndup(&out->arena, p.note.s, p.note.n);
		ref_list_release(&p.refs);
	}
	free(p.candidates);
	free(p.by_name);
	free(p.flags);
	buf_release(&p.note);
	discovery_memory_free(own);
	if (rc < 0)
		discovery_release(out);
	return rc;
}

void discovery_release(struct discovery *d)
{
	arena_release(&d->arena);
	*d = (struct discovery){ .arena = ARENA_INIT, .original_text = "", .note = "" };
}
