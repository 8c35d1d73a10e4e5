/*
 * provenance_private - what the files of provenance share.
 */
#ifndef PORTSIDE_CURVE_PROVENANCE_PRIVATE_H
#define PORTSIDE_CURVE_PROVENANCE_PRIVATE_H

#include "curve/align.h"
#include "curve/provenance.h"

void provenance_check_compile_step(
	struct provenance_report *out, struct arena *a, const struct series *s);
void provenance_check_nan_filter(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct series *loss);
bool provenance_is_loss(const struct series *s, const struct provenance_facts *facts);

#endif
