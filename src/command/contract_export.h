/*
 * contract_export - the contract and what came of it, for somebody who was not there.
 *
 * Says which output belongs to which environment, task and conditions, versions, what
 * differs, failures and exclusions, what was not evaluated, and unsupported behaviour
 * apart from defects.  Secrets are taken out, and of an error text the first line alone
 * stands there.
 */
#ifndef PORTSIDE_COMMAND_CONTRACT_EXPORT_H
#define PORTSIDE_COMMAND_CONTRACT_EXPORT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"

struct position;
struct workspace;

/* ATTEMPT NULL: the reference alone. */
int contract_export(struct buf *out, struct workspace *ws, const char *attempt, bool as_json,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
