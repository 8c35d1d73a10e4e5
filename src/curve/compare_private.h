/*
 * compare_private - what the files of compare share.
 */
#ifndef PORTSIDE_CURVE_COMPARE_PRIVATE_H
#define PORTSIDE_CURVE_COMPARE_PRIVATE_H

#include "curve/compare.h"

/* Fills sigma of every pair and says where it came from. */
int compare_find_sigma(struct comparison *c, const struct series *reference) ATTR_MUST_USE;

#endif
