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
 * capture; the log redacted), churn.jsonl (what each attempt changed) and
 * conf/portside.conf.  Nothing in it is ever executed, and no name in it leaves
 * the folder that it is unpacked to.
 */
#ifndef PORTSIDE_WORKSPACE_BUNDLE_H
#define PORTSIDE_WORKSPACE_BUNDLE_H

#include <stdbool.h>

#include "base/mem.h"
#include "store/log.h"

struct workspace;

/* Does the file at PATH begin as a bundle does? */
bool bundle_is(const char *path);

struct bundle_options {
	bool without_texts;	/* free text is withheld */
	bool without_evidence;
};

/* Writes PATH durably.  ERR_EXISTS when it is there. */
int bundle_write(struct workspace *ws, const char *path, const struct bundle_options *o) ATTR_MUST_USE;

/* Checks all of PATH, then fills LOG and FOLDER.  ERR_DAMAGED names the section. */
int bundle_unpack(struct log *log, const char *folder, const char *path) ATTR_MUST_USE;

#endif
