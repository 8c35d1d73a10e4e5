/*
 * bundle - a migration as one file: events, texts and evidence.
 *
 * A file of sections, each with its name, size and SHA-256, so that any part
 * can be checked on its own and a cut file is noticed:
 *
 *	portside-bundle 1 LF
 *	section NAME SIZE SHA256 LF  SIZE bytes  LF
 *	...
 *	end COUNT SHA256 LF		of all bytes before this line
 *
 * Sections: manifest.json (what, when, by whom, head digest and count),
 * seg/ab/SHA256.jsonl (events), blobs.jsonl (texts; withheld ones without
 * bytes), evidence/SHA256 (logs, curve files), runs/RUN-ID/FILE (spec, status,
 * capture), code/ (what it takes to read each attempt's diff, see bundle_code.h),
 * cache/ (churn) and conf/portside.conf.  Files are redacted on their way.
 * Nothing in a bundle is ever executed, and no name in it leaves the folder
 * that it is unpacked to.
 *
 *	struct bundle_options o = { .without_texts = true };
 *	struct bundle_written w;
 *
 *	if (bundle_write(ws, "demo.bundle", &o, &w, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_BUNDLE_H
#define PORTSIDE_WORKSPACE_BUNDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/log.h"

struct workspace;

/* Does the file at PATH begin as a bundle does? */
bool bundle_is(const char *path);

struct bundle_options {
	bool without_texts;	/* free text is withheld; accepted configurations stay */
	bool without_evidence;	/* no runs, no copies of evidence */
	bool without_code;	/* no diffs */
	size_t section_bytes;	/* texts beyond it go on in another section; 0: 64 MiB */
	void (*progress)(void *user, const char *what, int64_t done, int64_t total);
	void *user;
	const atomic_bool *cancel;	/* or NULL */
};

struct bundle_written {
	int64_t bytes, sections;
	const char *left_out;	/* a line for each thing that is not in it, and why; "" */
	size_t n_left_out;
};

/* Writes PATH durably.  ERR_EXISTS when it is there.  Texts of OUT in A. */
int bundle_write(struct workspace *ws, const char *path, const struct bundle_options *o,
	struct bundle_written *out, struct arena *a) ATTR_MUST_USE;

/* Checks all of PATH, then fills LOG and FOLDER.  ERR_DAMAGED names the section,
 * ERR_NEWER a format that this version does not know. */
int bundle_unpack(struct log *log, const char *folder, const char *path) ATTR_MUST_USE;

#endif
