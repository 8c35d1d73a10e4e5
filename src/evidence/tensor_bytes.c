/* tensor_bytes - bytes of a file at a place, all of them or an error. */
#include "config.h"

#include "evidence/tensor_bytes.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

int tensor_bytes_at(int fd, void *out, size_t n, int64_t offset_bytes, const char *path)
{
	char *p = out;

	while (n) {
		ssize_t got = pread(fd, p, n, (off_t)offset_bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(ERR_IO, "%s", path);
		if (got == 0)
			return err_set(ERR_IO, "%s: the file ended early; was it cut meanwhile?", path);
		p += got;
		n -= (size_t)got;
		offset_bytes += got;
	}
	return 0;
}

int tensor_bytes_size(int64_t *out, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(ERR_IO, "%s", path);
	*out = st.st_size;
	return 0;
}
