/*
 * repository - opening, and a sentence for each kind that cannot be opened.
 */
#include "config.h"
#include "store/repository.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/repository_internal.h"

/* Enough for the trees and commits of ten thousand attempts. */
enum { CACHE_BYTES = 256 << 20, CACHE_TREE_BYTES = 64 << 10 };

/* Extensions that change nothing for a reader of objects and references. */
static const char *known_extensions[] = { "worktreeconfig", "preciousobjects",
	"relativeworktrees" };

static pthread_once_t library_once = PTHREAD_ONCE_INIT;
static int library_rc;

/*
 * Strict verification hashes every object again when it is read, which costs
 * libgit2 more than half of its time; damage still shows through zlib and the
 * packs' own sums.
 */
static void library_start(void)
{
	library_rc = git_libgit2_init();
	if (library_rc < 0)
		return;
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_BYTES);
	git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, (size_t)CACHE_TREE_BYTES);
#if LIBGIT2_VER_MAJOR > 1 || LIBGIT2_VER_MINOR >= 3
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, known_extensions, ARRAY_LEN(known_extensions));
#else
	(void)known_extensions;
#endif
}

int repository_library_init(void)
{
	pthread_once(&library_once, library_start);
	if (library_rc < 0)
		return err_set(ERR_GIT, "libgit2 cannot start: %s", git_words());
	return 0;
}

const char *git_words(void)
{
	const git_error *e = git_error_last();

	return e != NULL && e->message != NULL ? e->message : "no reason given";
}

/* ---- why it did not open ---- */

struct refusal {
	const char *words;	/* part of what libgit2 says, in lower case */
	enum err code;
	const char *sentence;	/* after "PATH " */
};

/* libgit2 1.1 to 1.9 name the case in their text only. */
static const struct refusal refusals[] = {
	{ "objectformat", ERR_NEWER,
		"stores SHA-256 objects, which portside cannot read yet; "
		"convert a copy: git fast-export --all into a repository made with git init --object-format=sha1" },
	{ "oid type", ERR_NEWER,
		"stores SHA-256 objects, which portside cannot read yet; "
		"convert a copy: git fast-export --all into a repository made with git init --object-format=sha1" },
	{ "partialclone", ERR_NEWER,
		"is a partial clone: some objects are only on its remote; "
		"clone again without --filter" },
	{ "refstorage", ERR_NEWER,
		"keeps its references as reftable, which portside cannot read yet; "
		"run: git refs migrate --ref-format=files" },
	{ "unsupported extension", ERR_NEWER,
		"uses a repository extension that portside does not know" },
	{ "unsupported repository version", ERR_NEWER,
		"has a repository format that is newer than portside knows" },
	{ "safe.directory", ERR_REFUSED,
		"belongs to another user, so its configuration is not trusted; "
		"when you trust it: git config --global --add safe.directory" },
	{ "not owned by current user", ERR_REFUSED,
		"belongs to another user, so its configuration is not trusted; "
		"when you trust it: git config --global --add safe.directory" },
	{ "failed to parse config", ERR_DAMAGED, "has a git configuration that cannot be read" },
};

/* The nearest .git at or above PATH that may not be entered, or NULL. */
static char *find_forbidden(struct arena *a, const char *path)
{
	char *at = fs_absolute(a, path);

	for (;;) {
		char *dot = fs_join(a, at, ".git");
		char *head = fs_join(a, dot, "HEAD");

		if (access(at, X_OK) < 0 && errno == EACCES)
			return at;
		if (access(dot, R_OK) < 0 && errno == EACCES)
			return dot;
		if (access(head, R_OK) < 0 && errno == EACCES)
			return head;
		if (access(dot, F_OK) == 0 || strcmp(at, "/") == 0)
			return NULL;
		at = fs_dirname(a, at);
	}
}

/* A .git file at or above PATH that points to a folder that is gone, or NULL. */
static char *find_dangling(struct arena *a, const char *path)
{
	char *at = fs_absolute(a, path);

	for (;;) {
		char *dot = fs_join(a, at, ".git");

		if (fs_exists(dot))
			return fs_is_dir(dot) ? NULL : dot;
		if (strcmp(at, "/") == 0)
			return NULL;
		at = fs_dirname(a, at);
	}
}

static char *lower_copy(struct arena *a, const char *s)
{
	char *copy = arena_strdup(a, s);

	for (char *p = copy; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	return copy;
}

static int refuse_owner(const char *path, const struct refusal *why)
{
	return err_set(why->code, "%s %s %s", path, why->sentence, path);
}

static int open_error(int rc, const char *path)
{
	struct arena a = ARENA_INIT;
	const char *words = arena_strdup(&a, git_words());
	char *low = lower_copy(&a, words);
	char *where;
	int result = 0;

	for (size_t i = 0; i < ARRAY_LEN(refusals) && result == 0; i++) {
		const struct refusal *why = &refusals[i];

		if (strstr(low, why->words) == NULL)
			continue;
		if (why->code == ERR_REFUSED)
			result = refuse_owner(path, why);
		else
			result = err_set(why->code, "%s %s (%s)", path, why->sentence, words);
	}
	if (result == 0 && !fs_exists(path))
		result = err_set(ERR_NOT_FOUND, "%s does not exist", path);
	if (result == 0 && (where = find_forbidden(&a, path)) != NULL)
		result = err_set(ERR_IO,
			"no permission to read %s; ask its owner, or run as the user who owns it",
			where);
	if (result == 0 && (where = find_dangling(&a, path)) != NULL)
		result = err_set(ERR_DAMAGED, "%s points to a git directory that is not there; "
			"run git worktree repair in the main work tree (%s)", where, words);
	if (result == 0 && rc == GIT_ENOTFOUND)
		result = err_set(ERR_NOT_FOUND, "%s is not inside a git repository; "
			"run git init there, or go to the migration's folder", path);
	if (result == 0)
		result = err_set(ERR_GIT, "%s cannot be opened: %s", path, words);
	arena_release(&a);
	return result;
}

/* ---- what it is ---- */

static char *folder_copy(struct arena *a, const char *path)
{
	size_t n;

	if (path == NULL)
		return NULL;
	n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	return arena_strndup(a, path, n);
}

/* A linked work tree knows only the shared git directory; that one knows its
 * own work tree. */
static char *find_main_workdir(struct repository *repo)
{
	git_repository *owner;
	char *found = NULL;

	if (!git_repository_is_worktree(repo->git))
		return repo->workdir;
	if (git_repository_open(&owner, repo->common_dir) < 0)
		return NULL;
	found = folder_copy(&repo->arena, git_repository_workdir(owner));
	git_repository_free(owner);
	return found;
}

static bool has_promised_packs(struct repository *repo)
{
	struct arena a = ARENA_INIT;
	bool found = false;
	char **names;
	size_t n;

	if (fs_list(&names, &n, &a, fs_join(&a, repo->common_dir, "objects/pack")) == 0)
		for (size_t i = 0; i < n && !found; i++)
			found = text_ends(names[i], ".promisor");
	else
		err_clear();
	arena_release(&a);
	return found;
}

/* HEAD must be readable and its commit present, or nothing below works. */
static int check_head(struct repository *repo, bool *unborn)
{
	git_reference *head = NULL;
	git_object *commit = NULL;
	int rc = git_repository_head(&head, repo->git);

	*unborn = rc == GIT_EUNBORNBRANCH;
	if (*unborn)
		return 0;
	if (rc < 0)
		return err_set(ERR_DAMAGED, "%s/HEAD cannot be read (%s); point it to a branch: "
			"git symbolic-ref HEAD refs/heads/main", repo->git_dir, git_words());
	rc = git_reference_peel(&commit, head, GIT_OBJECT_COMMIT);
	git_object_free(commit);
	if (rc < 0)
		rc = err_set(ERR_DAMAGED,
			"%s: the commit of %s is missing or damaged (%s); run git fsck, "
			"then fetch it again or restore a copy",
			repo->git_dir, git_reference_name(head), git_words());
	git_reference_free(head);
	return rc < 0 ? rc : 0;
}

static void describe_limits(struct repository *repo, bool unborn)
{
	struct buf text = BUF_INIT;

	if (repo->bare)
		buf_adds(&text,
			"The repository is bare: history can be read, runs need a work tree. ");
	if (repo->shallow)
		buf_adds(&text,
			"The clone is shallow: history is cut off; git fetch --unshallow gets the rest. ");
	if (repo->promised)
		buf_adds(&text, "Some objects came from a partial clone and may be missing here. ");
	if (unborn)
		buf_adds(&text, "There is no commit on the current branch yet. ");
	buf_trim_end(&text);
	repo->limits = arena_strndup(&repo->arena, text.s, text.n);
	buf_release(&text);
}

static int describe(struct repository *repo)
{
	struct arena *a = &repo->arena;
	bool unborn;
	int rc;

	repo->git_dir = folder_copy(a, git_repository_path(repo->git));
	repo->common_dir = folder_copy(a, git_repository_commondir(repo->git));
	repo->workdir = folder_copy(a, git_repository_workdir(repo->git));
	repo->bare = repo->workdir == NULL;
	repo->main_workdir = find_main_workdir(repo);
	repo->shallow = fs_size(fs_join(a, repo->common_dir, "shallow")) > 0;
	repo->promised = has_promised_packs(repo);
	if ((rc = check_head(repo, &unborn)) < 0)
		return rc;
	describe_limits(repo, unborn);
	return 0;
}

/* ---- public ---- */

int repository_open(struct repository **out, const char *path)
{
	struct repository *repo;
	int rc;

	*out = NULL;
	if ((rc = repository_library_init()) < 0)
		return rc;
	repo = xcalloc(1, sizeof *repo);
	git_error_clear();
	rc = git_repository_open_ext(&repo->git, path, GIT_REPOSITORY_OPEN_CROSS_FS, NULL);
	rc = rc < 0 ? open_error(rc, path) : describe(repo);
	if (rc < 0) {
		repository_free(repo);
		return rc;
	}
	*out = repo;
	return 0;
}

void repository_free(struct repository *repo)
{
	if (repo == NULL)
		return;
	git_repository_free(repo->git);
	arena_release(&repo->arena);
	free(repo);
}

const char *repository_folder(const struct repository *repo)
{
	return repo->workdir != NULL ? repo->workdir : repo->git_dir;
}

const char *repository_common_dir(const struct repository *repo)
{
	return repo->common_dir;
}

const char *repository_git_dir(const struct repository *repo)
{
	return repo->git_dir;
}

const char *repository_workdir(const struct repository *repo)
{
	return repo->workdir;
}

const char *repository_main_workdir(const struct repository *repo)
{
	return repo->main_workdir;
}

bool repository_is_bare(const struct repository *repo)
{
	return repo->bare;
}

bool repository_is_shallow(const struct repository *repo)
{
	return repo->shallow;
}

const char *repository_limits(const struct repository *repo)
{
	return repo->limits;
}

static int describe_unborn(struct head *out, struct arena *a, struct repository *repo)
{
	git_reference *link = NULL;
	const char *target;

	if (git_reference_lookup(&link, repo->git, "HEAD") < 0)
		return err_set(ERR_GIT, "HEAD cannot be read: %s", git_words());
	target = git_reference_symbolic_target(link);
	if (target != NULL && text_starts(target, "refs/heads/"))
		target += strlen("refs/heads/");
	out->state = HEAD_UNBORN;
	out->branch = arena_strdup(a, target != NULL ? target : "");
	out->text = arena_printf(a, "%s, no commit yet", out->branch);
	git_reference_free(link);
	return 0;
}

int repository_describe_head(struct head *out, struct arena *a, struct repository *repo)
{
	git_reference *head = NULL;
	git_object *commit = NULL;
	int rc = git_repository_head(&head, repo->git);

	*out = (struct head){ .branch = "", .text = "" };
	if (rc == GIT_EUNBORNBRANCH)
		return describe_unborn(out, a, repo);
	if (rc < 0 || git_reference_peel(&commit, head, GIT_OBJECT_COMMIT) < 0) {
		git_reference_free(head);
		return err_set(ERR_GIT, "HEAD cannot be read: %s", git_words());
	}
	oid_hex(out->oid, git_object_id(commit));
	out->state = git_repository_head_detached(repo->git) == 1 ? HEAD_DETACHED : HEAD_BRANCH;
	if (out->state == HEAD_BRANCH)
		out->branch = arena_strdup(a, git_reference_shorthand(head));
	out->text = arena_printf(a, "%s at %.*s",
		out->state == HEAD_BRANCH ? out->branch : "detached", OID_SHORT, out->oid);
	git_object_free(commit);
	git_reference_free(head);
	return 0;
}

bool oid_is_valid(const char *oid)
{
	return strlen(oid) == OID_HEX && strspn(oid, "0123456789abcdef") == OID_HEX;
}

bool oid_parse(git_oid *out, const char *hex)
{
	return oid_is_valid(hex) && git_oid_fromstr(out, hex) == 0;
}

void oid_hex(char out[OID_HEX + 1], const git_oid *oid)
{
	git_oid_tostr(out, OID_HEX + 1, oid);
}

int repository_read_error(const struct repository *repo, int rc, const char *what)
{
	if (rc == GIT_ENOTFOUND && repo->shallow)
		return err_set(ERR_NOT_FOUND,
			"%s is not here: the clone is shallow; run git fetch --unshallow", what);
	if (rc == GIT_ENOTFOUND && repo->promised)
		return err_set(ERR_NOT_FOUND,
			"%s is not here: the clone is partial; clone again without --filter", what);
	if (rc == GIT_ENOTFOUND)
		return err_set(ERR_NOT_FOUND, "%s is not in %s; fetch it, or run git fsck", what,
			repo->common_dir);
	return err_set(ERR_DAMAGED, "%s cannot be read (%s); run git fsck", what, git_words());
}

int repository_tree(git_tree **out, struct repository *repo, const char *hex)
{
	git_object *object = NULL;
	char what[OID_HEX + 16];
	git_oid oid;
	int rc;

	*out = NULL;
	if (*hex == '\0')
		return 0;
	if (!oid_parse(&oid, hex))
		return err_set(ERR_PARSE, "\"%s\" is not an object name of 40 digits", hex);
	snprintf(what, sizeof what, "revision %s", hex);
	if ((rc = git_object_lookup(&object, repo->git, &oid, GIT_OBJECT_ANY)) < 0)
		return repository_read_error(repo, rc, what);
	rc = git_object_peel((git_object **)out, object, GIT_OBJECT_TREE);
	git_object_free(object);
	if (rc < 0)
		return repository_read_error(repo, rc == GIT_EPEEL ? GIT_ERROR : rc, what);
	return 0;
}

int revision_resolve(char out[OID_HEX + 1], struct repository *repo, const char *spec)
{
	git_object *object = NULL, *commit = NULL;
	int rc = git_revparse_single(&object, repo->git, spec);

	if (rc == GIT_EAMBIGUOUS)
		return err_set(
			ERR_PARSE, "\"%s\" means more than one commit; write more digits", spec);
	if (rc == GIT_EINVALIDSPEC || rc == GIT_ERROR)
		return err_set(ERR_PARSE, "\"%s\" is not a revision (%s)", spec, git_words());
	if (rc < 0)
		return err_set(
			ERR_NOT_FOUND, "there is no revision \"%s\" in %s", spec, repo->common_dir);
	rc = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);
	if (rc < 0)
		rc = err_set(ERR_PARSE, "\"%s\" is a %s, not a commit", spec,
			git_object_type2string(git_object_type(object)));
	else
		oid_hex(out, git_object_id(commit));
	git_object_free(commit);
	git_object_free(object);
	return rc;
}
