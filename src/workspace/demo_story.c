/* demo_story - see demo_story.h. */
#include "config.h"

#include "workspace/demo_story.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/conf.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/conffile.h"

enum { MARKS_MAX = 64, FILE_BYTES_MAX = 1 << 20 };

struct story {
	struct conf conf;
	const char *dir;		/* data/demo */
	const char *marks[MARKS_MAX];	/* keys of commits, mark number - 1 */
	size_t n;
	bool blind;
	struct arena *a;
};

static const char *value(
	const struct story *s, const char *section, const char *name, const char *key)
{
	const struct conf_entry *e = conf_find(&s->conf, section, name, key);

	return e ? e->value : NULL;
}

static int incomplete(const char *section, const char *name, const char *key)
{
	return err_set(ERR_PARSE, "demo/story: [%s \"%s\"] has no %s; install portside again",
		section, name, key);
}

static size_t mark_of(const struct story *s, const char *key)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->marks[i], key) == 0)
			return i + 1;
	return 0;
}

static void add_data(struct buf *out, const struct buf *body)
{
	buf_addf(out, "data %zu\n", body->n);
	buf_add(out, body->s, body->n);
	buf_addc(out, '\n');
}

/* Every file below tree/, by name. */
static int add_tree(struct buf *out, struct story *s, const char *dir, const char *prefix)
{
	char **names;
	size_t n;
	int rc = fs_list(&names, &n, s->a, dir);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *path = fs_join(s->a, dir, names[i]);
		char *name = *prefix ? arena_printf(s->a, "%s/%s", prefix, names[i]) : names[i];
		struct buf body = BUF_INIT;

		if (strcmp(names[i], "__pycache__") == 0)
			continue;
		if (fs_is_dir(path)) {
			rc = add_tree(out, s, path, name);
			continue;
		}
		rc = fs_read(&body, path, FILE_BYTES_MAX);
		if (rc == 0) {
			buf_addf(out, "M 100644 inline %s\n", name);
			add_data(out, &body);
		}
		buf_release(&body);
	}
	return rc;
}

static int add_message(struct buf *out, struct story *s, const char *folder)
{
	char *path = fs_join(
		s->a, fs_join(s->a, s->dir, folder), s->blind ? "message.blind" : "message");
	struct buf body = BUF_INIT;
	int rc = fs_read(&body, path, FILE_BYTES_MAX);

	if (rc == 0)
		add_data(out, &body);
	buf_release(&body);
	return rc;
}

static int add_person(
	struct buf *out, const struct story *s, const char *role, const char *key, const char *date)
{
	const char *name = value(s, "person", key, "name"),
		   *email = value(s, "person", key, "email");
	int64_t ns;

	if (!name || !email)
		return incomplete("person", key, "name and email");
	if (!date || !clock_from_iso(&ns, date))
		return incomplete("commit", s->marks[s->n - 1], "date");
	buf_addf(out, "%s %s <%s> %lld +0000\n", role, name, email, (long long)(ns / NS_PER_S));
	return 0;
}

static int add_commit(struct buf *out, struct story *s, const char *key)
{
	const char *folder = value(s, "commit", key, "folder"),
		   *branch = value(s, "commit", key, "branch");
	const char *author = value(s, "commit", key, "author"),
		   *date = value(s, "commit", key, "date");
	const char *parent = value(s, "commit", key, "parent"),
		   *tag = value(s, "commit", key, "tag");
	int rc;

	if (!folder || !branch || !author)
		return incomplete("commit", key, "folder, branch and author");
	if (s->n == MARKS_MAX)
		return err_set(ERR_PARSE, "demo/story: more than %d commits", MARKS_MAX);
	s->marks[s->n++] = key;
	buf_addf(out, "commit refs/heads/%s\nmark :%zu\n", branch, s->n);
	if ((rc = add_person(out, s, "author", author, date)) < 0 ||
		(rc = add_person(out, s, "committer", author, date)) < 0)
		return rc;
	if ((rc = add_message(out, s, folder)) < 0)
		return rc;
	if (parent && !mark_of(s, parent))
		return err_set(ERR_PARSE, "demo/story: [commit \"%s\"]: no commit \"%s\" before it",
			key, parent);
	if (parent)
		buf_addf(out, "from :%zu\n", mark_of(s, parent));
	for (size_t i = 0; i < s->conf.n; i++) {
		const struct conf_entry *e = &s->conf.entries[i];

		if (strcmp(e->section, "commit") == 0 && strcmp(e->name, key) == 0 &&
			strcmp(e->key, "remove") == 0)
			buf_addf(out, "D %s\n", e->value);
	}
	rc = add_tree(out, s, fs_join(s->a, fs_join(s->a, s->dir, folder), "tree"), "");
	if (rc == 0 && tag)
		buf_addf(out, "\nreset refs/tags/%s\nfrom :%zu\n", tag, s->n);
	buf_addc(out, '\n');
	return rc;
}

int demo_story_stream(struct buf *out, const char **branch, struct arena *a, bool blind)
{
	struct story s = { .dir = fs_data_path(a, "demo"), .blind = blind, .a = a };
	const char *last = "";
	int rc = conffile_read(&s.conf, fs_join(a, s.dir, "story"));

	for (size_t i = 0; rc == 0 && i < s.conf.n; i++) {
		const struct conf_entry *e = &s.conf.entries[i];

		if (strcmp(e->section, "commit") != 0 || strcmp(e->name, last) == 0)
			continue;
		last = e->name;
		rc = add_commit(out, &s, e->name);
	}
	*branch = rc == 0 && value(&s, "demo", "", "branch")
		? arena_strdup(a, value(&s, "demo", "", "branch"))
		: "main";
	buf_adds(out, "done\n");
	conf_release(&s.conf);
	return rc;
}
