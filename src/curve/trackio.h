/*
 * trackio - runs that trackio keeps in an SQLite database, one file a project.
 *
 * Known by a table "metrics" with a column "metrics": a row is a step of a run, and
 * the column holds a JSON object; nested names are dotted.  Rows are in the order of
 * their ids, so a step that falls back is a resume.  "system_metrics" has no step:
 * its series are named "system/..." on the axis of time, from the first such row of
 * the run on.  "configs" become settings.  Files that are older than run ids tell
 * runs apart by their names.
 */
#ifndef PORTSIDE_CURVE_TRACKIO_H
#define PORTSIDE_CURVE_TRACKIO_H

#include "curve/reader.h"

extern const struct curve_format trackio_format;

/* Whether an opened database is one of trackio: 1, 0 or an error. */
struct foreign_database;
int trackio_is(struct foreign_database *d) ATTR_MUST_USE;

#endif
