/*
 * bundle_writer - the sections of a bundle while it is written; see bundle.h.
 *
 * Private to bundle.c, bundle_runs.c and bundle_code.c.  Everything is hashed
 * as it goes out, and nothing is held in memory but small sections.
 */
#ifndef PORTSIDE_WORKSPACE_BUNDLE_WRITER_H
#define PORTSIDE_WORKSPACE_BUNDLE_WRITER_H

#include <stddef.h>

#include "base/buf.h"
#include "base/hash.h"
#include "workspace/bundle.h"

struct bundle_writer {
	int fd;
	const char *path;	/* of the bundle, for messages */
	struct sha256 *whole;
	int64_t sections;
	int64_t events;		/* and the head digest, as the manifest has them */
	struct digest head;
	struct workspace *ws;
	struct arena *a;
	const struct bundle_options *options;
	struct redact *secrets;	/* of this environment: a log may hold them */
	struct buf left_out;	/* lines for the manifest: what is not in the bundle and why */
	size_t n_left_out;
};

int bundle_put_section(
	struct bundle_writer *w, const char *name, const void *p, size_t n) ATTR_MUST_USE;
/* The pieces of a section whose size and digest are known before. */
int bundle_put_header(struct bundle_writer *w, const char *name, int64_t size,
	const struct digest *d) ATTR_MUST_USE;
int bundle_put_piece(struct bundle_writer *w, const void *p, size_t n) ATTR_MUST_USE;
int bundle_put_footer(struct bundle_writer *w) ATTR_MUST_USE;
/* A plain file as it is. */
int bundle_put_file(struct bundle_writer *w, const char *name, const char *path) ATTR_MUST_USE;
/* A plain file without the secrets in it; one with secrets that is no text is
 * left out.  Streams. */
int bundle_put_redacted(struct bundle_writer *w, const char *name, const char *path) ATTR_MUST_USE;

void bundle_leave_out(struct bundle_writer *w, const char *name, const char *why);
bool bundle_is_cancelled(const struct bundle_writer *w);

/* The runs and the copies of evidence: bundle_runs.c. */
int bundle_put_runs(struct bundle_writer *w) ATTR_MUST_USE;
/* What it takes to read each attempt's diff: bundle_code.c. */
int bundle_put_code(struct bundle_writer *w) ATTR_MUST_USE;

#endif
