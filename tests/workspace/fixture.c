/* fixture - see fixture.h. */
#include "config.h"

#include "tests/workspace/fixture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/unit.h"
#include "workspace/actor.h"
#include "workspace/state.h"

int fixture_setup(void **state)
{
	struct workspace_fixture *f = xcalloc(1, sizeof *f);
	const struct agent_marker *markers;
	size_t n;

	markers = agent_markers(&n);
	for (size_t i = 0; i < n; i++)
		unsetenv(markers[i].variable);
	git_fixture_init(&f->git);
	setenv("HOME", f->git.root, 1);
	setenv("PORTSIDE_CONFIG", "/nonexistent", 1);
	*state = f;
	return 0;
}

int fixture_teardown(void **state)
{
	struct workspace_fixture *f = *state;

	fixture_close(f);
	arena_release(&f->a);
	git_fixture_release(&f->git);
	free(f);
	return 0;
}

struct workspace *fixture_workspace(struct workspace_fixture *f)
{
	if (!f->ws && workspace_open(&f->ws, f->git.repo, &(struct workspace_options){ 0 }) < 0)
		fail_msg("%s", err_text());
	return f->ws;
}

void fixture_close(struct workspace_fixture *f)
{
	workspace_close(f->ws);
	f->ws = NULL;
}

struct discovered fixture_discover(struct workspace_fixture *f)
{
	struct discovered d;

	if (discover(&d, fixture_workspace(f), &(struct discover_options){ 0 }, &f->a) < 0)
		fail_msg("%s", err_text());
	return d;
}

struct attempt_state *fixture_attempt(struct workspace_fixture *f, const char *id)
{
	struct attempt_state *s;

	if (state_attempt(fixture_workspace(f), id, NULL, &f->a, &s) < 0)
		fail_msg("%s", err_text());
	return s;
}

int64_t fixture_events(struct workspace_fixture *f)
{
	int64_t n;

	assert_int_equal(log_count(workspace_log(fixture_workspace(f)), &n), 0);
	return n;
}

size_t fixture_count(struct workspace_fixture *f, const char *kind, const char *object)
{
	struct event_query q = { .kind = kind, .object = object };
	struct event **events;
	size_t n;

	assert_int_equal(
		log_events(workspace_log(fixture_workspace(f)), &q, &f->a, &events, &n), 0);
	return n;
}

void fixture_conf(struct workspace_fixture *f, const char *text)
{
	git_fixture_write(&f->git, "portside.conf", text, strlen(text));
}

const char *fixture_record(
	struct workspace_fixture *f, const char *actor, const char *kind, const char *object, ...)
{
	struct buf b = BUF_INIT;
	const char *field, *between = "", *value;
	struct record r = { .actor = actor, .kind = kind, .object = object };
	struct event *e;
	char hex[DIGEST_HEX + 1];
	va_list ap;

	buf_addc(&b, '{');
	va_start(ap, object);
	while ((field = va_arg(ap, const char *)) != NULL) {
		value = va_arg(ap, const char *);
		if (!value)
			continue;
		buf_addf(&b, "%s\"%s\":", between, field);
		if (*value == '[' || *value == '{')
			buf_adds(&b, value);
		else
			json_quote(&b, value, strlen(value));
		between = ",";
	}
	va_end(ap);
	buf_addc(&b, '}');
	assert_int_equal(json_parse(&r.data, &f->a, b.s, b.n, JSON_STRICT), 0);
	buf_release(&b);
	if (workspace_record(fixture_workspace(f), &r, &f->a, &e) < 0)
		fail_msg("%s %s: %s", kind, object, err_text());
	digest_hex(hex, &e->id);
	return arena_strdup(&f->a, hex);
}

char *fixture_listing(struct workspace_fixture *f, const char *path)
{
	return git_fixture_read(&f->git,
		"cd '%s' && find . \\( -type f -exec sha256sum {} + \\) -o -type d -print | "
		"LC_ALL=C sort",
		path);
}
