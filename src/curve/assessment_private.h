/*
 * assessment_private - what the files of assessment share.
 */
#ifndef PORTSIDE_CURVE_ASSESSMENT_PRIVATE_H
#define PORTSIDE_CURVE_ASSESSMENT_PRIVATE_H

#include "curve/assessment.h"

/* What happened between the last point inside and the first out, as far as the
 * curves of both runs tell. */
void assessment_find_events(struct assessment *s, struct arena *a);
/* Why it is that word. */
void assessment_find_reason(struct assessment *s, struct arena *a);

#endif
