/*
 * accepted - the configuration in force, and the file that may differ from it.
 *
 * Only the main work tree's portside.conf is read, never an attempt's.  Goals,
 * margins, limits, rules and commands take effect when a person accepts the
 * file (config.accepted); until then the last accepted text rules, and nothing
 * runs from an unaccepted file.  Before any acceptance there is a configuration
 * without goals, targets or commands and with the default rules.
 *
 *	struct accepted c;
 *
 *	if (accepted_read(&c, ws, NULL) < 0)
 *		return -1;
 *	if (c.state == ACCEPTED_CHANGED)
 *		puts(c.sentence);
 *	accepted_release(&c);
 */
#ifndef PORTSIDE_WORKSPACE_ACCEPTED_H
#define PORTSIDE_WORKSPACE_ACCEPTED_H

#include "base/event.h"
#include "base/hash.h"
#include "domain/configuration.h"
#include "workspace/workspace.h"

enum accepted_state {
	ACCEPTED_NO_FILE,	/* no portside.conf, nothing accepted */
	ACCEPTED_NEVER,		/* a file, not accepted yet */
	ACCEPTED_CURRENT,	/* the file is the accepted one */
	ACCEPTED_CHANGED,	/* the file differs: the accepted text rules */
	ACCEPTED_INVALID,	/* the file has errors: the accepted text rules */
	ACCEPTED_GONE,		/* accepted once, and the file is gone: the text rules */
};

struct accepted {
	struct arena arena;
	enum accepted_state state;
	struct config in_force;		/* never NULL content: defaults at least */
	bool has_accepted;		/* in_force is from an acceptance */
	/* the accepted text is "withheld" or "not here"; else NULL */
	const char *missing;
	struct digest in_force_digest;	/* of its text; zero without one */
	struct config file;		/* what the file says; only when state says there is one */
	bool has_file;
	struct digest file_digest;
	char *file_text;
	struct accepted_differences differences;	/* from in force to the file */
	const char *sentence;		/* what to do, "" when ACCEPTED_CURRENT */
};

/* AT NULL: now; then the file is not looked at when AT is given. */
int accepted_read(
	struct accepted *out, struct workspace *ws, const struct position *at) ATTR_MUST_USE;
void accepted_release(struct accepted *c);

/*
 * Makes the file the one in force: records config.accepted with the digest, the
 * differences and what was loosened, and goal.set for each goal that is new or
 * changed.  ERR_REFUSED without a person's authority, without a reason for what
 * is loosened, and for a file that holds a secret (its text is kept for ever);
 * ERR_STATE when nothing changed.  ACTOR NULL is the established one.
 */
int accepted_accept(
	struct workspace *ws, const char *actor, const char *reason, struct arena *a) ATTR_MUST_USE;

/*
 * The same for a file that a person has looked at: ERR_STATE when its digest is
 * no longer SEEN (64 hex digits; NULL: any).
 */
int accepted_accept_seen(struct workspace *ws, const char *actor, const char *reason,
	const char *seen, struct arena *a) ATTR_MUST_USE;

#endif
