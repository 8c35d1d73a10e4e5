/*
 * signature_private - what the files of signature share.
 */
#ifndef PORTSIDE_EVIDENCE_SIGNATURE_PRIVATE_H
#define PORTSIDE_EVIDENCE_SIGNATURE_PRIVATE_H

#include "evidence/signature.h"

/* Reads "repeats 2 C4-11 300" into S, texts in A.  ERR_PARSE names what is wrong. */
int signature_rule_read(struct signature *s, const char *text, struct arena *a) ATTR_MUST_USE;

/* Compiles S->PATTERN, finds its words, tries the example.  ERR_PARSE. */
int signature_compile(struct signature *s) ATTR_MUST_USE;

#endif
