/*
 * contract_file - the contract in force, and the file that may differ from it.
 *
 * Only the main work tree's contract.json is read, never an attempt's.  It takes
 * effect when a person accepts it (contract.accepted); until then the last accepted
 * text rules.  A contract that was first accepted after the first target run may have
 * been made to fit, which is said for ever, and so is what was loosened after a failure.
 *
 *	struct contract_file f;
 *
 *	if (contract_file_read(&f, ws, NULL) < 0)
 *		return -1;
 *	if (f.has_accepted)
 *		use(&f.in_force);
 *	contract_file_release(&f);
 */
#ifndef PORTSIDE_WORKSPACE_CONTRACT_FILE_H
#define PORTSIDE_WORKSPACE_CONTRACT_FILE_H

#include "base/event.h"
#include "base/hash.h"
#include "domain/contract.h"
#include "workspace/accepted.h"

/* Something that was loosened, in some acceptance. */
struct contract_loosening {
	const char *key, *who, *time;
	bool after_failure;		/* an attempt, or a check of the contract, had failed */
};

struct contract_file {
	struct arena arena;
	enum accepted_state state;
	bool has_accepted;		/* IN_FORCE is from an acceptance */
	struct contract in_force;
	struct digest in_force_digest;
	const char *in_force_text;
	const char *missing;		/* the accepted text is "withheld" or "not here"; NULL */
	bool has_file;
	struct contract file;		/* what the file says, mistakes too */
	struct digest file_digest;
	const char *file_text;
	struct accepted_differences differences;	/* from in force to the file */
	bool late; /* first accepted after the first target run */
	bool failed; /* an attempt, or a check of the contract, has failed so
                        far */
	struct contract_loosening *loosened;
	size_t loosened_n;
	const char *sentence;		/* what to do; "" when the file is the accepted one */
};

/* AT NULL: now; else the file is not looked at. */
int contract_file_read(
	struct contract_file *out, struct workspace *ws, const struct position *at) ATTR_MUST_USE;
void contract_file_release(struct contract_file *f);

/*
 * Makes the file the one in force.  ERR_REFUSED without a person's authority, without a
 * reason for what is loosened, and for a file that holds a secret; ERR_STATE when nothing
 * changed, or when its digest is not SEEN (64 hex digits; NULL: any).
 */
int contract_accept(struct workspace *ws, const char *reason, const char *seen,
	struct arena *a) ATTR_MUST_USE;

#endif
