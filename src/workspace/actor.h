/*
 * actor - who is at work, and how we know.
 *
 * A person is named by the user's own configuration (user.name), else by the
 * login name.  A coding agent is seen by the variables that such programs set
 * for what they start; then the actor is that agent, whatever else is set.
 * This stops accidents, not malice, and the log records how it was established.
 */
#ifndef PORTSIDE_WORKSPACE_ACTOR_H
#define PORTSIDE_WORKSPACE_ACTOR_H

#include "base/mem.h"
#include "domain/authority.h"

/* NAME is user.name of the user's configuration or NULL.  Strings in A. */
struct actor actor_establish(struct arena *a, const char *name);

/* The variables that show an agent, for doctor and the manual: NAME, agent. */
struct agent_marker { const char *variable, *agent; };
const struct agent_marker *agent_markers(size_t *n);

#endif
