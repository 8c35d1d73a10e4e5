/*
 * conffile - reads portside.conf and the user's configuration.
 *
 * git-config syntax; libgit2 reads the text after this module has looked at it.
 * Refused with file, line and the corrected line, before libgit2 sees a byte:
 *
 *	- [include] and [includeIf "..."]: nothing is read from elsewhere
 *	- a value of command, setup or when with a bare ; or # outside quotes,
 *	  which git would cut off as a comment
 *	- a quote that is not closed on its (continued) line
 *	- a backslash escape that git does not know: only \\ \" \n \t \b
 *	- a line that is no section, no key and no comment; bytes that are no UTF-8
 *
 *	struct conf conf = CONF_INIT;
 *
 *	if (conffile_read(&conf, "/home/me/project/portside.conf") < 0)
 *		return -1;
 *	conf_release(&conf);
 */
#ifndef PORTSIDE_STORE_CONFFILE_H
#define PORTSIDE_STORE_CONFFILE_H

#include <stddef.h>

#include "base/conf.h"

enum { CONFFILE_BYTES_MAX = 1 << 20 };

/* Fills OUT, which is empty before and yours after: conf_release(), also on
 * error.  ERR_PARSE, ERR_NOT_FOUND, ERR_IO. */
int conffile_read(struct conf *out, const char *path) ATTR_MUST_USE;

/* The same from memory; PATH is for messages and copied. */
int conffile_parse(struct conf *out, const char *path, const char *s, size_t n) ATTR_MUST_USE;

#endif
