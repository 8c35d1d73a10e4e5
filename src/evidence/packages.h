/*
 * packages - which packages a run had, or was to have: `pip freeze`, `pip list`,
 * `conda list` with and without --export, requirements files.
 *
 * An exact version is a version; a range is what is allowed, and says nothing of what
 * was installed.  Of an editable or a repository install the place is a fact, without
 * the credentials in its URL.  Names are in their normal form (package_version.h).
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGES_H
#define PORTSIDE_EVIDENCE_PACKAGES_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { PACKAGES_VERSION = 1 };

bool packages_recognise(const struct evidence_source *source);
void packages_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
