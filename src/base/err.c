/* err - see err.h.  The sentence lives per thread, as errno does. */
#include "config.h"

#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"

static _Thread_local struct {
	int code;
	char text[1024];
} last;

static const struct { int code; const char *name; } names[] = {
	{ ERR_OK, "ok" }, { ERR_IO, "io" }, { ERR_GIT, "git" }, { ERR_DB, "database" },
	{ ERR_PARSE, "parse" }, { ERR_NOT_FOUND, "not-found" }, { ERR_EXISTS, "exists" },
	{ ERR_STATE, "state" }, { ERR_REFUSED, "refused" }, { ERR_CANCELLED, "cancelled" },
	{ ERR_USAGE, "usage" }, { ERR_NEWER, "newer" }, { ERR_DAMAGED, "damaged" },
	{ ERR_BUSY, "busy" },
};

/* Newlines stay: a sentence may have a corrected line below it. */
static void keep(const char *s)
{
	struct buf b = BUF_INIT;
	const char *line = s;

	while (*line) {
		size_t n = strcspn(line, "\n");

		text_sanitise(&b, line, n);
		line += n;
		if (*line == '\n') {
			buf_addc(&b, '\n');
			line++;
		}
	}
	buf_truncate(&b, text_cut(b.s, b.n, sizeof last.text - 1));
	memcpy(last.text, b.s, b.n + 1);
	buf_release(&b);
}

int err_set(enum err code, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	last.code = code;
	keep(b.s);
	buf_release(&b);
	return code;
}

int err_errno(enum err code, const char *fmt, ...)
{
	int saved = errno;
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	buf_addf(&b, ": %s", strerror(saved));
	last.code = code;
	keep(b.s);
	buf_release(&b);
	errno = saved;
	return code;
}

int err_prefix(const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	buf_adds(&b, last.text);
	keep(b.s);
	buf_release(&b);
	return last.code;
}

const char *err_text(void)
{
	return last.text;
}

int err_code(void)
{
	return last.code;
}

void err_clear(void)
{
	last.code = 0;
	last.text[0] = '\0';
}

const char *err_name(int code)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return "unknown";
}
