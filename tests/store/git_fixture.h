/*
 * git_fixture - repositories made with the git program in a temporary folder,
 * with fixed names and dates.
 */
#ifndef PORTSIDE_TESTS_STORE_GIT_FIXTURE_H
#define PORTSIDE_TESTS_STORE_GIT_FIXTURE_H

#include "base/buf.h"
#include "base/mem.h"

struct git_fixture {
	struct arena arena;
	char *root;		/* the temporary folder */
	char *repo;		/* root/repo, a repository on branch main */
	int clock;		/* seconds since the fixture's first date */
};

void git_fixture_init(struct git_fixture *f);
void git_fixture_release(struct git_fixture *f);

/* Runs a shell script in the repository; a failure ends the test. */
void git_fixture_run(struct git_fixture *f, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* Its standard output, without the last newline. In F's arena. */
char *git_fixture_read(struct git_fixture *f, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* Commits everything a minute after the commit before; returns its name. */
char *git_fixture_commit(struct git_fixture *f, const char *message);
void git_fixture_write(struct git_fixture *f, const char *name, const void *bytes, size_t n);

#endif
