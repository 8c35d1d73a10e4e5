/*
 * nvidia_smi - rows of `nvidia-smi --query-gpu=LIST --format=csv`.
 *
 * With a header, which names the columns and their units, or without: then the columns
 * are those of the command that printed it, where that is known, or of a capture of
 * our own; else they are "column 1" and so on, and nothing is guessed from the values.
 * [N/A], [Not Supported] and the like are facts without a number, never zero.
 *
 * The first GPU_ROWS_KEPT rows are facts of their own; totals hold all rows.
 */
#ifndef PORTSIDE_EVIDENCE_NVIDIA_SMI_H
#define PORTSIDE_EVIDENCE_NVIDIA_SMI_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { NVIDIA_SMI_VERSION = 1, GPU_COLUMNS_MAX = 64, GPU_ROWS_KEPT = 2000, GPU_DEVICES_MAX = 64 };

bool nvidia_smi_recognise(const struct evidence_source *source);
void nvidia_smi_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
