/*
 * replica - who this clone of the log is.
 *
 * A replica id is 16 random bytes, bound to the machine, and to the device,
 * inode and birth time of the database file.  A copied database does not match
 * its binding and gets a new id when it is opened for writing, so that two
 * copies never continue one chain.  A chain that was found forked is not
 * continued either.
 *
 * Internal to src/store.
 */
#ifndef PORTSIDE_STORE_REPLICA_H
#define PORTSIDE_STORE_REPLICA_H

#include "store/log.h"

/* At open: reads the id, or makes one when there is none for this file. */
int replica_load(struct log *log) ATTR_MUST_USE;

/* At the start of a write transaction that appends: the id to append with, a new
 * one when the own chain is forked. */
int replica_enter(struct log *log) ATTR_MUST_USE;

#endif
