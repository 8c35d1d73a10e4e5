/*
 * tpu_info - what tpu-info prints: which chips a host has, who holds them, how busy
 * they are.
 *
 * Tables of every section and option; a table that is not known gives its cells.  A
 * title is the last line above a table that is neither blank nor in a panel.  What
 * comes again (a title, the version, "@ TIME" of a capture) begins a snapshot, so a
 * stream of them is read too.  "N/A" is a fact without a number: a holder of nobody,
 * a duty cycle that was not measured, never zero.
 */
#ifndef PORTSIDE_EVIDENCE_TPU_INFO_H
#define PORTSIDE_EVIDENCE_TPU_INFO_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { TPU_INFO_PARSER_VERSION = 1, TPU_COLUMNS_MAX = 16 };

bool tpu_info_recognise(const struct evidence_source *source);
void tpu_info_parse(struct evidence_facts *facts, const struct evidence_source *source);

/* The number at the end of a chip's name: "/dev/vfio/3" and "3" are chip 3; -1: none. */
int tpu_chip_number(const char *chip);

#endif
