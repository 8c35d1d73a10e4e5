/*
 * projector - the domain's fold as the store's projector.
 *
 * The store knows how to keep versions of objects, the domain knows what an
 * event means; this file is where the two meet.  One projector per log handle.
 */
#ifndef PORTSIDE_WORKSPACE_PROJECTOR_H
#define PORTSIDE_WORKSPACE_PROJECTOR_H

#include "store/projection.h"

struct fold_projector;

struct fold_projector *fold_projector_new(void);
void fold_projector_free(struct fold_projector *p);

/* The members that the brief text of an attempt has, see projection_query.brief. */
extern const char *const projector_brief_members[];

/* Borrowed from P: hand it to log_open(). */
const struct projector *fold_projector_table(struct fold_projector *p);

#endif
