/*
 * assessment_private - what the files of assessment share.
 */
#ifndef PORTSIDE_CURVE_ASSESSMENT_PRIVATE_H
#define PORTSIDE_CURVE_ASSESSMENT_PRIVATE_H

#include "curve/assessment.h"

/* What happened between the last point inside and the first out, as far as the
 * curves of both runs tell. */
void assessment_find_events(struct assessment *s, struct arena *a);
/* What sentences are made of: a figure that is shown already, with the digits of the
 * values; the margin with its unit; whether neighbouring points are alike enough for a
 * word. */
const char *assessment_unit(const struct assessment *s);
void assessment_add_figure(struct buf *out, const struct assessment *s, double v);
void assessment_add_margin(struct buf *out, const struct assessment *s);
bool assessment_phi_matters(double phi);

/* Sentences about several runs; nothing where there is nothing to say. */
void assessment_say_self(struct buf *out, const struct assessment *s);
void assessment_say_band(struct buf *out, const struct assessment *s);
void assessment_say_seeds(struct buf *out, const struct assessment *s);
void assessment_say_needed(struct buf *out, const struct assessment *s);
void assessment_say_convergence(struct buf *out, const struct assessment *s);

/* Why it is that word. */
void assessment_find_reason(struct assessment *s, struct arena *a);

#endif
