/* accept_once - see accept_once.h. */
#include "config.h"

#include "workspace/accept_once.h"

#include "base/mem.h"

static int count(size_t *n, struct log *log, const char *kind)
{
	struct event_query q = { .kind = kind };
	struct arena a = ARENA_INIT;
	struct event **events;
	int rc = log_events(log, &q, &a, &events, n);

	arena_release(&a);
	return rc;
}

int accept_once_begin(struct accept_once *once, struct log *log)
{
	return count(&once->before, log, once->kind);
}

int accept_once_check(struct log *log, void *user)
{
	const struct accept_once *once = user;
	size_t n;
	int rc = count(&n, log, once->kind);

	if (rc < 0 || n == once->before)
		return rc;
	return err_set(ERR_STATE, "somebody accepted another at the same time; look at it: %s",
		once->command);
}
