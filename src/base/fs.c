/* fs - see fs.h. */
#include "config.h"

#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"

static enum err code_of(int number)
{
	return number == ENOENT || number == ENOTDIR ? ERR_NOT_FOUND :
	       number == EEXIST ? ERR_EXISTS : ERR_IO;
}

/* ---- opening ------------------------------------------------------------- */

static bool is_plain(const struct stat *st)
{
	return S_ISREG(st->st_mode) || (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3));
}

/* Looked at before it is opened, since opening a device may already act, and
 * again after, since the name may mean something else by then. */
static int open_plain(int parent, const char *name, int no_links)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (no_links ? O_NOFOLLOW : 0);
	struct stat st;
	int fd;

	if (fstatat(parent, name, &st, no_links ? AT_SYMLINK_NOFOLLOW : 0) < 0)
		return err_errno(code_of(errno), "cannot read %s", name);
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return err_errno(ERR_IO, "cannot read %s", name);
	}
	if (!is_plain(&st))
		return err_set(ERR_REFUSED, "%s is not a plain file", name);
	if ((fd = openat(parent, name, flags)) < 0)
		return err_errno(code_of(errno), "cannot read %s", name);
	if (fstat(fd, &st) < 0 || !is_plain(&st)) {
		close(fd);
		return err_set(ERR_REFUSED, "%s is not a plain file", name);
	}
	return fd;
}

int fs_open_file(const char *path)
{
	return open_plain(AT_FDCWD, path, 0);
}

int fs_open_inside(const char *folder, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
	int parent, result = 0;
	char *copy, *part;

	if (!fs_is_inside(name))
		return err_set(ERR_REFUSED, "\"%s\" is no name below %s", name, folder);
	if ((parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return err_errno(code_of(errno), "cannot read %s", folder);
	part = copy = xstrdup(name);
	for (char *slash; result == 0 && (slash = strchr(part, '/')) != NULL && slash[1];
		part = slash + 1) {
		int next;

		*slash = '\0';
		if ((next = openat(parent, part, flags)) < 0)
			result = err_errno(code_of(errno), "cannot read %s/%s", folder, name);
		else
			close(parent);
		parent = next < 0 ? parent : next;
	}
	if (result == 0)
		result = open_plain(parent, part, 1);
	close(parent);
	free(copy);
	return result;
}

bool fs_leads_inside(const char *folder, const char *name)
{
	struct arena a = ARENA_INIT;
	char *from = realpath(folder, NULL), *to = realpath(fs_join(&a, folder, name), NULL);
	bool inside = from && to && text_starts(to, from) && to[strlen(from)] == '/';

	free(from);
	free(to);
	arena_release(&a);
	return inside;
}

/* ---- reading and writing ------------------------------------------------- */

int fs_read(struct buf *out, const char *path, int64_t limit)
{
	int fd = fs_open_file(path);
	size_t before = out->n;
	int rc = 0;

	if (fd < 0)
		return fd;
	for (;;) {
		ssize_t k;

		buf_reserve(out, 64 * 1024);
		k = read(fd, out->s + out->n, out->cap - out->n - 1);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			rc = err_errno(ERR_IO, "cannot read %s", path);
		if (k <= 0)
			break;
		out->n += (size_t)k;
		if (limit && (int64_t)(out->n - before) > limit) {
			rc = err_set(
				ERR_IO, "%s is larger than %lld bytes", path, (long long)limit);
			break;
		}
	}
	close(fd);
	if (rc < 0)
		buf_truncate(out, before);
	else
		out->s[out->n] = '\0';
	return rc;
}

int fs_write_all(int fd, const void *p, size_t n)
{
	const char *s = p;

	while (n) {
		ssize_t k = write(fd, s, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_errno(ERR_IO, "cannot write");
		if (k == 0) {
			errno = ENOSPC;
			return err_errno(ERR_IO, "cannot write");
		}
		s += k;
		n -= (size_t)k;
	}
	return 0;
}

int fs_sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0)
		return err_errno(code_of(errno), "cannot open folder %s", path);
	if (fsync(fd) < 0 && errno != EINVAL)	/* some file systems cannot */
		rc = err_errno(ERR_IO, "cannot sync folder %s", path);
	close(fd);
	return rc;
}

static int write_and_sync(int fd, const void *p, size_t n, mode_t mode, const char *path)
{
	if (fs_write_all(fd, p, n) < 0)
		return err_prefix("%s: ", path);
	if (fchmod(fd, mode) < 0 || fsync(fd) < 0)
		return err_errno(ERR_IO, "cannot write %s", path);
	return 0;
}

/* A name beside PATH that nobody else has: other threads and processes copy too. */
static char *temporary_name(struct arena *a, const char *path)
{
	unsigned char random[8];
	char suffix[2 * sizeof random + 1];

	random_bytes(random, sizeof random);
	hex_encode(suffix, random, sizeof random);
	return arena_printf(a, "%s.tmp-%s", path, suffix);
}

int fs_write_durable(const char *path, const void *p, size_t n, mode_t mode)
{
	struct arena a = ARENA_INIT;
	char *temporary = temporary_name(&a, path);
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600), rc;

	if (fd < 0) {
		rc = err_errno(code_of(errno), "cannot create %s", path);
		goto out;
	}
	rc = write_and_sync(fd, p, n, mode, path);
	if (close(fd) < 0 && !rc)
		rc = err_errno(ERR_IO, "cannot write %s", path);
	if (!rc && rename(temporary, path) < 0)
		rc = err_errno(ERR_IO, "cannot rename to %s", path);
	if (rc < 0)
		unlink(temporary);
	else
		rc = fs_sync_folder(fs_dirname(&a, path));
out:
	arena_release(&a);
	return rc;
}

/* ---- files that replace nothing ------------------------------------------- */

int fs_new_open(struct fs_new *f, const char *path)
{
	struct arena a = ARENA_INIT;
	const char *folder = fs_dirname(&a, path);
	int rc = 0;

	*f = (struct fs_new){ .fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600),
		.path = xstrdup(path) };
	/* Not every file system has files without a name. */
	if (f->fd < 0) {
		f->temporary = xstrdup(temporary_name(&a, path));
		f->fd = open(
			f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	if (f->fd < 0) {
		rc = err_errno(code_of(errno), "cannot create %s", path);
		fs_new_drop(f);
	}
	arena_release(&a);
	return rc;
}

/* A link fails where PATH is there, also when it came just now; a rename would not. */
static int give_name(const struct fs_new *f)
{
	char nameless[64];

	snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", f->fd);
	if (!f->temporary)
		return linkat(AT_FDCWD, nameless, AT_FDCWD, f->path, AT_SYMLINK_FOLLOW);
	if (renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_NOREPLACE) == 0)
		return 0;
	return errno == EINVAL || errno == ENOSYS ? link(f->temporary, f->path) : -1;
}

int fs_new_name(struct fs_new *f, mode_t mode)
{
	struct arena a = ARENA_INIT;
	int rc = 0;

	if (fchmod(f->fd, mode) < 0 || fsync(f->fd) < 0)
		rc = err_errno(ERR_IO, "cannot write %s", f->path);
	else if (give_name(f) < 0)
		rc = errno == EEXIST ? err_set(ERR_EXISTS, "%s is there already", f->path) :
			err_errno(ERR_IO, "cannot give a file the name %s", f->path);
	if (rc == 0)
		rc = fs_sync_folder(fs_dirname(&a, f->path));
	arena_release(&a);
	return rc;
}

void fs_new_drop(struct fs_new *f)
{
	if (f->temporary)
		unlink(f->temporary);
	if (f->fd >= 0)
		close(f->fd);
	free(f->temporary);
	free(f->path);
	*f = (struct fs_new){ .fd = -1 };
}

int fs_write_new(const char *path, const void *p, size_t n, mode_t mode)
{
	struct fs_new f;
	int rc;

	if (fs_exists(path))
		return err_set(ERR_EXISTS, "%s is there already", path);
	if ((rc = fs_new_open(&f, path)) < 0)
		return rc;
	rc = fs_write_all(f.fd, p, n) < 0 ? err_prefix("%s: ", path) : fs_new_name(&f, mode);
	fs_new_drop(&f);
	return rc;
}

int fs_copy(const char *from, const char *to, mode_t mode)
{
	struct arena a = ARENA_INIT;
	char *temporary = temporary_name(&a, to);
	int in = fs_open_file(from), out = -1, rc = 0;
	char chunk[64 * 1024];
	ssize_t k = 0;

	if (in < 0) {
		rc = in;
		goto out;
	}
	out = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (out < 0) {
		rc = err_errno(code_of(errno), "cannot create %s", to);
		goto out;
	}
	while (!rc && (k = read(in, chunk, sizeof chunk)) != 0) {
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			rc = err_errno(ERR_IO, "cannot read %s", from);
		else if ((rc = fs_write_all(out, chunk, (size_t)k)) < 0)
			rc = err_prefix("%s: ", to);
	}
	if (!rc && (fchmod(out, mode) < 0 || fsync(out) < 0 || rename(temporary, to) < 0))
		rc = err_errno(ERR_IO, "cannot write %s", to);
	if (rc < 0)
		unlink(temporary);
	else
		rc = fs_sync_folder(fs_dirname(&a, to));
out:
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	arena_release(&a);
	return rc;
}

/* ---- folders ------------------------------------------------------------- */

int fs_mkdirs(const char *path, mode_t mode)
{
	char *copy = xstrdup(path);
	int rc = 0;

	for (char *p = copy + 1; !rc; p++) {
		char saved = *p;

		if (saved != '/' && saved != '\0')
			continue;
		*p = '\0';
		if (mkdir(copy, mode) < 0) {
			int why = errno;

			if (!fs_is_dir(copy)) {
				errno = why;	/* not that of looking whether it is there */
				rc = err_errno(why == EEXIST ? ERR_EXISTS : ERR_IO,
					"cannot make folder %s", copy);
			}
		}
		*p = saved;
		if (!saved)
			break;
	}
	free(copy);
	return rc;
}

static int remove_at(int parent, const char *name, int depth)
{
	int fd;
	DIR *d;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || depth > 256)
		return -1;
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return -1;
	}
	for (struct dirent *e; (e = readdir(d)) != NULL; ) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (remove_at(fd, e->d_name, depth + 1) < 0) {
			closedir(d);
			return -1;
		}
	}
	closedir(d);
	return unlinkat(parent, name, AT_REMOVEDIR);
}

int fs_remove_tree(const char *path)
{
	if (remove_at(AT_FDCWD, path, 0) < 0)
		return err_errno(ERR_IO, "cannot remove %s", path);
	return 0;
}

bool fs_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool fs_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int64_t fs_size(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int fs_list(char ***out, size_t *n, struct arena *a, const char *path)
{
	DIR *d = opendir(path);
	char **names = NULL;
	size_t count = 0, cap = 0;

	if (!d)
		return err_errno(code_of(errno), "cannot list %s", path);
	for (struct dirent *e; (e = readdir(d)) != NULL; ) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		ARRAY_GROW(names, count, cap);
		names[count++] = arena_strdup(a, e->d_name);
	}
	closedir(d);
	if (count)
		qsort(names, count, sizeof *names, compare_names);
	*out = arena_memdup(a, names, count * sizeof *names);
	*n = count;
	free(names);
	return 0;
}

/* ---- paths --------------------------------------------------------------- */

char *fs_join(struct arena *a, const char *dir, const char *name)
{
	size_t n = strlen(dir);

	if (*name == '/' || !n)
		return arena_strdup(a, name);
	return arena_printf(a, "%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name);
}

const char *fs_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *fs_dirname(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return arena_strdup(a, ".");
	return arena_strndup(a, path, slash == path ? 1 : (size_t)(slash - path));
}

char *fs_absolute(struct arena *a, const char *path)
{
	char cwd[PATH_MAX];

	if (*path == '/' || !getcwd(cwd, sizeof cwd))
		return arena_strdup(a, path);
	if (strcmp(path, ".") == 0)
		return arena_strdup(a, cwd);
	return fs_join(a, cwd, path);
}

bool fs_is_inside(const char *name)
{
	if (!*name || *name == '/')
		return false;
	for (const char *p = name; *p; ) {
		size_t n = strcspn(p, "/");

		if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
			return false;
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)p[i] < 0x20 || p[i] == 0x7f)
				return false;
		p += n;
		if (*p == '/' && !*++p)
			return false;
	}
	return true;
}

static bool is_program(const char *path)
{
	return access(path, X_OK) == 0 && !fs_is_dir(path);
}

char *fs_find_program(struct arena *a, const char *name, const char *path, const char *folder)
{
	const char *s = path ? path : "/usr/local/bin:/usr/bin:/bin";
	char *file = fs_join(a, folder, name);

	if (strchr(name, '/'))
		return is_program(file) ? file : NULL;
	while (*s) {
		size_t n = strcspn(s, ":");

		file = fs_join(a, fs_join(a, folder, n ? arena_strndup(a, s, n) : "."), name);
		if (is_program(file))
			return file;
		s += n + (s[n] == ':');
	}
	return NULL;
}

bool fs_is_network(const char *path)
{
	/* f_type of statfs(2): NFS, CIFS, SMB2, FUSE, 9p, AFS, CODA, Ceph, Lustre. */
	static const unsigned long kinds[] = {
		0x6969, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x5346414f, 0x73757245,
		0x00c36400, 0x0bd00bd0,
	};
	struct statfs st;

	if (statfs(path, &st) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if ((unsigned long)st.f_type == kinds[i])
			return true;
	return false;
}

/* Whether PROGRAM, a real path, was not installed but lies where it was built. */
static bool is_in_build(const char *program)
{
	char *folder = realpath(PORTSIDE_BUILD_FOLDER, NULL);
	size_t n = folder ? strlen(folder) : 0;
	bool in = n && strncmp(program, folder, n) == 0 && program[n] == '/';

	free(folder);
	return in;
}

char *fs_data_path(struct arena *a, const char *name)
{
	const char *given = getenv("PORTSIDE_DATA");
	char self[PATH_MAX];
	ssize_t n;
	char *path;

	if (given && *given)
		return fs_join(a, given, name);
	n = readlink("/proc/self/exe", self, sizeof self - 1);
	self[n > 0 ? n : 0] = '\0';
	if (*self) {
		path = arena_printf(a, "%s/../share/portside/%s", fs_dirname(a, self), name);
		if (fs_exists(path))
			return path;
	}
	return fs_join(a, is_in_build(self) ? PORTSIDE_SOURCE_DATA : PORTSIDE_INSTALLED_DATA, name);
}

int fs_data_read(struct buf *out, const char *name)
{
	enum { BYTES_MAX = 1 << 20 };
	struct arena a = ARENA_INIT;
	int rc = fs_read(out, fs_data_path(&a, name), BYTES_MAX);

	arena_release(&a);
	return rc;
}
