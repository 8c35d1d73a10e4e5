/* spawn - see spawn.h. */
#include "config.h"

#include "base/spawn.h"

#include <signal.h>

void spawn_attributes_init(posix_spawnattr_t *out, unsigned flags)
{
	short own = flags & SPAWN_OWN_GROUP ? POSIX_SPAWN_SETPGROUP : 0;
	sigset_t blocked, all;

	sigemptyset(&blocked);
	if (flags & SPAWN_STOPS_BLOCKED) {
		sigaddset(&blocked, SIGTSTP);
		sigaddset(&blocked, SIGTTIN);
		sigaddset(&blocked, SIGTTOU);
	}
	sigfillset(&all);
	sigdelset(&all, SIGKILL);
	sigdelset(&all, SIGSTOP);
	posix_spawnattr_init(out);
	posix_spawnattr_setpgroup(out, 0);
	posix_spawnattr_setsigmask(out, &blocked);
	posix_spawnattr_setsigdefault(out, &all);
	posix_spawnattr_setflags(
		out, (short)(own | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
}
