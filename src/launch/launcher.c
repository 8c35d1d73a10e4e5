/* The table of launchers, and their operations with words for what is missing. */
#include "config.h"

#include "launch/launcher.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"

static const struct launcher *const launchers[] = {
	&launcher_local,
};

const struct launcher *launcher_at(size_t i)
{
	return i < ARRAY_LEN(launchers) ? launchers[i] : NULL;
}

int launcher_find(const struct launcher **out, const char *name)
{
	struct buf names = BUF_INIT;
	int bad;

	for (size_t i = 0; i < ARRAY_LEN(launchers); i++) {
		if (strcmp(launchers[i]->name, name) == 0) {
			*out = launchers[i];
			buf_release(&names);
			return 0;
		}
		buf_addf(&names, "%s%s", i ? ", " : "", launchers[i]->name);
	}
	bad = err_set(ERR_NOT_FOUND, "there is no launcher \"%s\"; there is: %s", name, names.s);
	buf_release(&names);
	return bad;
}

static int missing(const struct launcher *l, const char *operation)
{
	return err_set(ERR_STATE, "launcher %s cannot %s", l->name, operation);
}

int launcher_submit(
	const struct launcher *l, const struct launcher_job *j, struct launcher_submitted *out)
{
	memset(out, 0, sizeof *out);
	return l->submit ? l->submit(l, j, out) : missing(l, "start runs");
}

int launcher_poll(
	const struct launcher *l, const struct launcher_job *j, struct run_observation *out)
{
	*out = (struct run_observation)RUN_OBSERVATION_INIT;
	out->answer = RUN_UNREACHABLE;
	return l->poll ? l->poll(l, j, out) : missing(l, "say how a run stands");
}

int launcher_cancel(const struct launcher *l, const struct launcher_job *j, const char *who,
	const char *why, int64_t grace_ns)
{
	return l->cancel ? l->cancel(l, j, who, why, grace_ns) : missing(l, "cancel runs");
}

int launcher_adopt(const struct launcher *l, const struct launcher_job *j)
{
	return l->adopt ? l->adopt(l, j) : missing(l, "watch a run again");
}
