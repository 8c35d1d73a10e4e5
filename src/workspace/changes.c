/* changes - see changes.h. */
#include "config.h"

#include "workspace/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "workspace/state.h"

struct asked {
	struct change_totals **targets;	/* of each pair */
	struct arena *a;
};

static int keep(void *user, size_t index, const struct churn *c)
{
	struct asked *asked = user;
	struct change_totals *t = asked->targets[index];

	if (!c) {
		t->reason = arena_strdup(asked->a, err_text());
		err_clear();
		return 0;
	}
	t->known = true;
	t->files = c->n;
	t->added = c->added;
	t->removed = c->removed;
	t->binaries = c->binaries;
	t->reason = arena_strdup(asked->a, c->reason);
	return 0;
}

static void add_pair(struct churn_pair *pairs, struct change_totals **targets, size_t *n,
	const char *base, const char *tip, struct change_totals *target)
{
	target->reason = "";
	if (!oid_is_valid(tip)) {
		target->reason = "no commit";
		return;
	}
	if (base && !oid_is_valid(base)) {
		target->reason = "nothing to compare with";
		return;
	}
	snprintf(pairs[*n].base, sizeof pairs[*n].base, "%s", base ? base : "");
	snprintf(pairs[*n].tip, sizeof pairs[*n].tip, "%s", tip);
	targets[(*n)++] = target;
}

/* Moves the pairs that have no answer yet to the front: how many. */
static size_t keep_unknown(struct churn_pair *pairs, struct change_totals **targets, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (targets[i]->known)
			continue;
		pairs[kept] = pairs[i];
		targets[kept++] = targets[i];
	}
	return kept;
}

static bool starts_from(const struct attempt_state *s, const char *original)
{
	return original && strcmp(s->base, original) == 0;
}

struct churn_cache *changes_cache(struct workspace *ws, struct arena *a)
{
	const char *folder = workspace_path(ws, a, "cache");

	return workspace_read_only(ws) ? churn_cache_open_read_only(folder)
				       : churn_cache_open(folder);
}

int changes_of(struct attempt_changes **out, struct workspace *ws,
	struct attempt_state *const *attempts, size_t n, const char *original, int flags,
	const atomic_bool *cancel, struct arena *a)
{
	struct churn_cache *cache = changes_cache(ws, a);
	struct churn_options options = { .cache = cache, .cancel = cancel, .cached_only = true };
	struct churn_pair *pairs = xcalloc(n * 2 + 1, sizeof *pairs);
	struct asked asked = { .targets = xcalloc(n * 2 + 1, sizeof *asked.targets), .a = a };
	const struct place *place = workspace_place(ws);
	struct repository *repo = NULL;
	size_t n_pairs = 0;
	int rc = 0;

	*out = arena_alloc(a, n * sizeof **out);
	for (size_t i = 0; i < n; i++) {
		add_pair(pairs, asked.targets, &n_pairs, attempts[i]->base, attempts[i]->tip,
			&(*out)[i].previous);
		/* The first attempt starts from the original: one pair answers both. */
		(*out)[i].original.reason = "";
		if (!(flags & CHANGES_PREVIOUS_ONLY) && !starts_from(attempts[i], original))
			add_pair(pairs, asked.targets, &n_pairs, original, attempts[i]->tip,
				&(*out)[i].original);
	}
	if (n_pairs)
		rc = churn_many(NULL, pairs, n_pairs, &options, keep, &asked);
	/* What the cache lacks is counted by git, for which libgit2 need not start;
	 * the repository is opened for what is left, and says why it is. */
	options.cached_only = false;
	if (rc == 0)
		n_pairs = keep_unknown(pairs, asked.targets, n_pairs);
	if (rc == 0 && n_pairs && !(flags & CHANGES_CACHED_ONLY) && !place->bundle) {
		options.folder = place->workdir ? place->workdir : place->git_dir;
		options.objects = fs_join(a, place->common_dir, "objects");
		rc = churn_many(NULL, pairs, n_pairs, &options, keep, &asked);
		if (rc == 0)
			n_pairs = keep_unknown(pairs, asked.targets, n_pairs);
	}
	if (rc == 0 && n_pairs && !(flags & CHANGES_CACHED_ONLY) &&
		(rc = workspace_repository(ws, &repo)) == 0)
		rc = churn_many(repo, pairs, n_pairs, &options, keep, &asked);
	for (size_t i = 0; i < n; i++)
		if (starts_from(attempts[i], original))
			(*out)[i].original = (*out)[i].previous;
	free(pairs);
	free(asked.targets);
	churn_cache_free(cache);
	return rc;
}

const char *changes_original(struct workspace *ws, struct arena *a)
{
	struct migration_state *m;

	if (state_migration(ws, NULL, a, &m) < 0) {
		err_clear();
		return "";
	}
	return m->original;
}

int changes_resolve(char out[OID_HEX + 1], struct workspace *ws, const char *text, struct arena *a)
{
	size_t digits = strspn(text, "0123456789");
	bool previous = text_ends(text, "-prev");
	struct attempt_state *s;
	struct repository *repo;
	const char *oid;
	int rc;

	if (strcmp(text, "original") == 0) {
		oid = changes_original(ws, a);
		if (!oid_is_valid(oid))
			return err_set(ERR_NOT_FOUND,
				"the original is not known yet; set migration.original in portside.conf "
				"or tag the untouched code: git tag original COMMIT");
	} else if (digits && (!text[digits] || strcmp(text + digits, "-prev") == 0)) {
		if ((rc = state_attempt(ws, arena_strndup(a, text, digits), NULL, a, &s)) < 0)
			return rc;
		oid = previous ? s->base : s->tip;
		if (!oid_is_valid(oid))
			return err_set(
				ERR_NOT_FOUND, "attempt %s has no commit of that kind", s->id);
	} else {
		if ((rc = workspace_repository(ws, &repo)) < 0)
			return rc;
		return revision_resolve(out, repo, text);
	}
	snprintf(out, OID_HEX + 1, "%s", oid);
	return 0;
}
