/*
 * history - commits and ancestry.
 */
#include "config.h"
#include "store/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/repository_internal.h"

static const char *text_or_empty(struct arena *a, const char *s)
{
	return s != NULL ? arena_strdup(a, s) : "";
}

static void fill_people(struct commit_info *out, struct arena *a, const git_commit *c)
{
	const git_signature *author = git_commit_author(c);
	const git_signature *committer = git_commit_committer(c);

	out->author = text_or_empty(a, author != NULL ? author->name : NULL);
	out->author_email = text_or_empty(a, author != NULL ? author->email : NULL);
	out->committer = text_or_empty(a, committer != NULL ? committer->name : NULL);
	out->committer_email = text_or_empty(a, committer != NULL ? committer->email : NULL);
	out->authored_ns = author != NULL ? (int64_t)author->when.time * NS_PER_S : 0;
	out->committed_ns = committer != NULL ? (int64_t)committer->when.time * NS_PER_S : 0;
}

/* The first paragraph on one line, from the message as it is: libgit2's own
 * summary needs a commit that is not const. */
static char *subject_of(struct arena *a, const char *message)
{
	struct buf line = BUF_INIT;
	char *copy;

	for (; *message != '\0'; message++) {
		if (message[0] != '\n') {
			buf_addc(&line, *message);
			continue;
		}
		if (message[1 + strspn(message + 1, " \t\r")] == '\n' || message[1] == '\0')
			break;
		buf_trim_end(&line);
		buf_addc(&line, ' ');
	}
	buf_trim_end(&line);
	copy = arena_strndup(a, line.s, line.n);
	buf_release(&line);
	return copy;
}

static void fill_commit(struct commit_info *out, struct arena *a, const git_commit *c)
{
	const char *message = git_commit_message(c);
	unsigned parents = git_commit_parentcount(c);

	*out = (struct commit_info){ .n_parents = parents };
	oid_hex(out->oid, git_commit_id(c));
	oid_hex(out->tree, git_commit_tree_id(c));
	out->parents = arena_alloc(a, (parents + 1) * sizeof *out->parents);
	for (unsigned i = 0; i < parents; i++)
		oid_hex(out->parents[i], git_commit_parent_id(c, i));
	fill_people(out, a, c);
	out->message = text_or_empty(a, message);
	out->message_n = strlen(out->message);
	out->subject = subject_of(a, out->message);
	out->trailers = trailers_parse(&out->n_trailers, a, out->message, out->message_n);
}

static int lookup(git_commit **out, struct repository *repo, const git_oid *oid)
{
	char what[OID_HEX + 16] = "commit ";
	int rc = git_commit_lookup(out, repo->git, oid);

	if (rc == 0)
		return 0;
	oid_hex(what + strlen("commit "), oid);
	return repository_read_error(repo, rc, what);
}

static int parse_name(git_oid *out, const char *oid)
{
	if (oid_parse(out, oid))
		return 0;
	return err_set(ERR_PARSE, "\"%s\" is not a commit name of 40 digits", oid);
}

int history_commit(
	struct commit_info *out, struct arena *a, struct repository *repo, const char *oid)
{
	git_commit *commit;
	git_oid id;
	int rc;

	*out = (struct commit_info){ 0 };
	if ((rc = parse_name(&id, oid)) < 0 || (rc = lookup(&commit, repo, &id)) < 0)
		return rc;
	fill_commit(out, a, commit);
	git_commit_free(commit);
	return 0;
}

int history_merge_base(char out[OID_HEX + 1], struct repository *repo, const char *a, const char *b)
{
	git_oid x, y, base;
	int rc;

	*out = '\0';
	if ((rc = parse_name(&x, a)) < 0 || (rc = parse_name(&y, b)) < 0)
		return rc;
	rc = git_merge_base(&base, repo->git, &x, &y);
	if (rc == GIT_ENOTFOUND)
		return err_set(ERR_NOT_FOUND, "commits %.*s and %.*s have no common history",
			OID_SHORT, a, OID_SHORT, b);
	if (rc < 0)
		return repository_read_error(repo, rc, "the common history");
	oid_hex(out, &base);
	return 0;
}

int history_is_ancestor(struct repository *repo, const char *ancestor, const char *commit)
{
	git_oid x, y;
	int rc;

	if (strcmp(ancestor, commit) == 0)
		return 1;
	if ((rc = parse_name(&x, ancestor)) < 0 || (rc = parse_name(&y, commit)) < 0)
		return rc;
	rc = git_graph_descendant_of(repo->git, &y, &x);
	return rc < 0 ? repository_read_error(repo, rc, "the history between two commits") : rc;
}

int history_range(struct commit_info **out, size_t *n, struct arena *a, struct repository *repo,
		const char *base, const char *tip, size_t limit)
{
	char at[OID_HEX + 1];
	size_t cap = 0;
	int rc = 0;
	struct commit_info *rows = NULL;

	*n = 0;
	snprintf(at, sizeof at, "%s", tip);
	while (*n < limit && *at != '\0' && strcmp(at, base) != 0) {
		ARRAY_GROW(rows, *n, cap);
		rc = history_commit(&rows[*n], a, repo, at);
		if (rc == ERR_NOT_FOUND && repo->shallow && *n > 0) {
			err_clear();
			rc = 0;
			break;
		}
		if (rc < 0)
			break;
		snprintf(at, sizeof at, "%s", rows[*n].n_parents > 0 ? rows[*n].parents[0] : "");
		(*n)++;
	}
	*out = arena_alloc(a, (*n + 1) * sizeof *rows);
	if (*n > 0)
		memcpy(*out, rows, *n * sizeof *rows);
	free(rows);
	return rc;
}
