/*
 * error_text - does a log show an error of its own, whatever its exit status?
 *
 * It is what triage says of the same log (evidence/triage.h, error_line): a text of the
 * catalogue that raises, or a traceback.  What is noise, what a warning quotes, and an
 * exception that Python ignores are none; nor is a memory error after which the run went
 * on.  So L0 is refuted by an error exactly where triage names one.  Streams in constant
 * memory; holes of a sparse file cost nothing.
 *
 *	struct error_text_question q = { .log_path = path, .exit_known = true };
 *	int64_t line;
 *	enum seen seen = error_text_find(&line, ws, &q, &arena);
 */
#ifndef PORTSIDE_WORKSPACE_ERROR_TEXT_H
#define PORTSIDE_WORKSPACE_ERROR_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "domain/vocabulary.h"
#include "workspace/workspace.h"

struct error_text_question {
	const char *log_path;
	enum target_kind target;	/* what the run was meant for; NONE: not known */
	bool exit_known;
	int exit_status;		/* 128 + signal when it was killed */
};

/* SEEN_YES with *LINE its number, from 1; SEEN_NO; SEEN_UNKNOWN, with the error set, when
 * the log or the signatures cannot be read. */
enum seen error_text_find(int64_t *line, struct workspace *ws,
	const struct error_text_question *q, struct arena *a);

/* The first text in S[0..N) at which a reader of a log stops: the beginning of a traceback,
 * of a report of memory, of a crash.  It is a place to look at, and no verdict.  NULL. */
const char *error_text_in(const char *s, size_t n);

#endif
