/* run_hold - see run_hold.h. */
#include "config.h"

#include "workspace/run_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"

static int take(int fd, const char *path, enum run_hold_wait wait)
{
	int rc;

	if (fd < 0)
		return err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path);
	while ((rc = flock(fd, LOCK_EX | (wait == RUN_HOLD_TRY ? LOCK_NB : 0))) < 0 &&
		errno == EINTR)
		;
	if (rc == 0)
		return fd;
	rc = errno == EWOULDBLOCK ? err_set(ERR_BUSY, "another portside is at work on %s", path) :
		err_errno(ERR_IO, "%s", path);
	close(fd);
	return rc;
}

int run_hold_start(struct workspace *ws, enum run_hold_wait wait)
{
	struct arena a = ARENA_INIT;
	char *runs = workspace_path(ws, &a, "runs"), *path = fs_join(&a, runs, "start.lock");
	int rc = fs_mkdirs(runs, 0700);

	if (rc == 0)
		rc = take(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), path, wait);
	arena_release(&a);
	return rc;
}

int run_hold_directory(const char *rundir, enum run_hold_wait wait)
{
	return take(open(rundir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), rundir, wait);
}

void run_hold_release(int hold)
{
	if (hold >= 0)
		close(hold);
}
