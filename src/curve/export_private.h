/*
 * export_private - what the files of export share.
 */
#ifndef PORTSIDE_CURVE_EXPORT_PRIVATE_H
#define PORTSIDE_CURVE_EXPORT_PRIVATE_H

#include "base/json.h"
#include "curve/export.h"

/* Of a few points there may be no number at all: null, never a guess. */
void export_put_known(struct json_writer *w, const char *key, double v);
/* "assessment": an object, or null when none was made. */
void export_put_assessment(struct json_writer *w, const struct assessment *s);

#endif
