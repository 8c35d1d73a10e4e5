/*
 * triage_data - the catalogue and tables of text, for tests of it.
 */
#ifndef PORTSIDE_TESTS_EVIDENCE_TRIAGE_DATA_H
#define PORTSIDE_TESTS_EVIDENCE_TRIAGE_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/signature.h"

static inline struct signature_catalogue *shipped_catalogue(void)
{
	struct signature_catalogue *c = signature_catalogue_new();
	struct arena a = ARENA_INIT;
	const char *top = getenv("srcdir");

	if (signature_catalogue_add_folder(c, fs_join(&a, top ? top : ".", "data/signatures")) < 0) {
		fprintf(stderr, "%s\n", err_text());
		exit(99);
	}
	arena_release(&a);
	return c;
}

/* A file below tests/evidence/triage; in A. */
static inline char *triage_file(struct arena *a, const char *name, size_t *n)
{
	const char *top = getenv("srcdir");
	char *path = arena_printf(a, "%s/tests/evidence/triage/%s", top ? top : ".", name), *out;
	struct buf b = BUF_INIT;

	if (fs_read(&b, path, 1 << 20) < 0) {
		fprintf(stderr, "%s\n", err_text());
		exit(99);
	}
	out = arena_memdup(a, b.s, b.n + 1);
	*n = b.n;
	buf_release(&b);
	return out;
}

/* The next line of a text, ended by NUL in place; NULL at its end. */
static inline char *next_line(char **text)
{
	char *line = *text, *end;

	if (!line || !*line)
		return NULL;
	end = strchr(line, '\n');
	*text = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

/* An example as it stands in a log; in A. */
static inline char *example_of(struct arena *a, const struct signature *s)
{
	char *out = arena_strdup(a, s->example), *to = out;

	for (const char *p = s->example; *p; p++) {
		bool newline = *p == '\\' && p[1] == 'n';

		*to++ = newline ? '\n' : *p;
		p += newline;
	}
	*to = '\0';
	return out;
}

#endif
