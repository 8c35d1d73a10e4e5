/*
 * provenance_private - what the files of provenance share.
 */
#ifndef PORTSIDE_CURVE_PROVENANCE_PRIVATE_H
#define PORTSIDE_CURVE_PROVENANCE_PRIVATE_H

#include "curve/align.h"
#include "curve/provenance.h"

/* TEXT lives in A. */
void provenance_add(struct provenance_report *out, struct arena *a, const char *id,
	const struct series *s, char *text);

/* "loss" of "train/loss". */
const char *provenance_last_part(const char *name);

#endif
