/*
 * xla_debug - what torch_xla prints about its compilations and executions.
 *
 * Three formats.  Analysis blocks (PT_XLA_DEBUG_LEVEL): why a graph was compiled or
 * executed, its hash, the Python frames, and the memory of the program.  Lines of the
 * profiler (PT_XLA_DEBUG=1): cumulative, so that only the last count holds; the frame
 * of the summary at exit is printed even when nothing is in it.  Other lines of a log:
 * the slow-compile alarm (one block when it fires, one when the compile is done), the
 * limits of graphs and recompilations, the device that PJRT chose.
 *
 * Blocks are not printed in eager mode, for calls without Python frames, or on local
 * ranks other than 0: their number is a lower bound.  Durations of "too slow" are
 * decoded (xla_duration.h); that of the alarm is printed right.
 */
#ifndef PORTSIDE_EVIDENCE_XLA_DEBUG_H
#define PORTSIDE_EVIDENCE_XLA_DEBUG_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum {
	XLA_DEBUG_VERSION = 1,
	XLA_PROFILER_VERSION = 1,
	XLA_LOG_VERSION = 2,
	XLA_BLOCKS_KEPT = 256,		/* that are facts of their own; all are counted */
};

bool xla_debug_recognise(const struct evidence_source *source);
void xla_debug_parse(struct evidence_facts *facts, const struct evidence_source *source);

bool xla_profiler_recognise(const struct evidence_source *source);
void xla_profiler_parse(struct evidence_facts *facts, const struct evidence_source *source);

bool xla_log_recognise(const struct evidence_source *source);
void xla_log_parse(struct evidence_facts *facts, const struct evidence_source *source);

enum xla_cause { XLA_CAUSE_UNKNOWN, XLA_CAUSE_EXPECTED, XLA_CAUSE_HOST_READ };

/* What a cause line says, in the words of any version. */
enum xla_cause xla_cause_of(struct span cause);

/* "  func (file:line)": a frame whose file is the project's own, not an installed
 * package or the interpreter.  OUT is the frame without its blanks. */
bool xla_frame_own(struct span *out, struct span line);

#endif
