/*
 * torchtpu - what TorchTPU prints: its compilation cache, operators that it has not,
 * memory of compiled programs, a device that somebody else holds.
 *
 * An operator without an implementation raises, or in a fallback mode goes to the CPU
 * with one warning and no error: the two are told apart by the end of the sentence.
 * The misses of the cache are its requests less its hits.
 */
#ifndef PORTSIDE_EVIDENCE_TORCHTPU_H
#define PORTSIDE_EVIDENCE_TORCHTPU_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { TORCHTPU_VERSION = 1 };

bool torchtpu_recognise(const struct evidence_source *source);
void torchtpu_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
