/*
 * signature_sources - the catalogue of signatures that a migration goes by.
 *
 * Of three places, in this order: what the program brings, what a person accepted of
 * portside.conf, and the folder of the user's own configuration, which most people have
 * not.  Everyone who asks what a log says reads it here, so that no two answers differ.
 *
 *	struct signature_catalogue *c;
 *
 *	rc = signature_sources_read(&c, ws, NULL, &arena);
 *	...
 *	signature_catalogue_free(c);
 */
#ifndef PORTSIDE_WORKSPACE_SIGNATURE_SOURCES_H
#define PORTSIDE_WORKSPACE_SIGNATURE_SOURCES_H

#include "evidence/signature.h"
#include "workspace/workspace.h"

/* WS NULL: outside a migration.  *OUT is the caller's, also after an error. */
int signature_sources_read(struct signature_catalogue **out, struct workspace *ws,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
