/*
 * tensor_bytes - bytes of a file at a place, all of them or an error.
 *
 * Files are read by pread and never mapped: one that somebody cuts meanwhile is an
 * error here and would be a signal there.  PATH stands in the sentences.
 */
#ifndef PORTSIDE_EVIDENCE_TENSOR_BYTES_H
#define PORTSIDE_EVIDENCE_TENSOR_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

int tensor_bytes_at(int fd, void *out, size_t n, int64_t offset_bytes,
	const char *path) ATTR_MUST_USE;
int tensor_bytes_size(int64_t *out, int fd, const char *path) ATTR_MUST_USE;

#endif
