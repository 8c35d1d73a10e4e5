/*
 * git_fixture - see the header.
 */
#include "config.h"
#include "tests/store/git_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"

static void set_dates(const struct git_fixture *f)
{
	char date[64];

	snprintf(date, sizeof date, "%d +0000", 1760000000 + f->clock);
	setenv("GIT_AUTHOR_DATE", date, 1);
	setenv("GIT_COMMITTER_DATE", date, 1);
}

static char *run_script(struct git_fixture *f, const char *script)
{
	char *command = xasprintf("cd '%s' && { %s\n} 2>>'%s/said'", f->repo, script, f->root);
	struct buf out = BUF_INIT;
	char chunk[4096];
	FILE *pipe;
	char *copy;
	size_t n;
	int status;

	set_dates(f);
	pipe = popen(command, "re");
	assert_non_null(pipe);
	while ((n = fread(chunk, 1, sizeof chunk, pipe)) > 0)
		buf_add(&out, chunk, n);
	status = pclose(pipe);
	if (status != 0)
		print_error("script failed (%d): %s\n", status, script);
	assert_int_equal(status, 0);
	buf_trim_end(&out);
	copy = arena_strndup(&f->arena, out.s, out.n);
	buf_release(&out);
	free(command);
	return copy;
}

void git_fixture_init(struct git_fixture *f)
{
	char folder[] = "/tmp/portside-git-XXXXXX";

	*f = (struct git_fixture){ .arena = ARENA_INIT };
	assert_non_null(mkdtemp(folder));
	f->root = arena_strdup(&f->arena, folder);
	f->repo = arena_printf(&f->arena, "%s/repo", folder);
	assert_int_equal(fs_mkdirs(f->repo, 0700), 0);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "Ada Example", 1);
	setenv("GIT_AUTHOR_EMAIL", "ada@example.org", 1);
	setenv("GIT_COMMITTER_NAME", "Ada Example", 1);
	setenv("GIT_COMMITTER_EMAIL", "ada@example.org", 1);
	git_fixture_run(f, "git init -q -b main");
}

void git_fixture_release(struct git_fixture *f)
{
	assert_int_equal(fs_remove_tree(f->root), 0);
	arena_release(&f->arena);
}

void git_fixture_run(struct git_fixture *f, const char *fmt, ...)
{
	va_list ap;
	struct buf script = BUF_INIT;

	va_start(ap, fmt);
	buf_vaddf(&script, fmt, ap);
	va_end(ap);
	run_script(f, script.s);
	buf_release(&script);
}

char *git_fixture_read(struct git_fixture *f, const char *fmt, ...)
{
	va_list ap;
	struct buf script = BUF_INIT;
	char *out;

	va_start(ap, fmt);
	buf_vaddf(&script, fmt, ap);
	va_end(ap);
	out = run_script(f, script.s);
	buf_release(&script);
	return out;
}

char *git_fixture_commit(struct git_fixture *f, const char *message)
{
	char *path = arena_printf(&f->arena, "%s/message", f->root);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(fs_write_all(fd, message, strlen(message)), 0);
	close(fd);
	f->clock += 60;
	git_fixture_run(
		f, "git add -A && git commit -q --allow-empty --cleanup=verbatim -F '%s'", path);
	return git_fixture_read(f, "git rev-parse HEAD");
}

void git_fixture_write(struct git_fixture *f, const char *name, const void *bytes, size_t n)
{
	char *path = fs_join(&f->arena, f->repo, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(fs_write_all(fd, bytes, n), 0);
	close(fd);
}
