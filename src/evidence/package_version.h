/*
 * package_version - versions of Python packages, ordered as PEP 440 says.
 *
 * Epoch, release, pre-release, post-release, development release, local label; every
 * spelling that the standard normalises is read.  Zeros at the end of a release say
 * nothing: 1.0 is 1.0.0.  Other texts ("2004d", a hash) are no versions and compare
 * with nothing.
 *
 *	struct package_version a, b;
 *
 *	if (package_version_read(&a, span_of("2.1.0rc1")) &&
 *		package_version_read(&b, span_of("2.1.0+cu118")))
 *		order = package_version_compare(&a, &b);	-> -1
 *	bad = package_version_matches(&b, span_of(">=2.0, <2.2"));	-> 1
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGE_VERSION_H
#define PORTSIDE_EVIDENCE_PACKAGE_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "evidence/evidence_lines.h"

enum { PACKAGE_RELEASE_MAX = 16 };

enum package_pre { PACKAGE_PRE_NONE, PACKAGE_PRE_A, PACKAGE_PRE_B, PACKAGE_PRE_RC };

struct package_version {
	int64_t epoch;
	int64_t release[PACKAGE_RELEASE_MAX];	/* without zeros at the end */
	size_t release_n;
	size_t written_n;		/* parts that were written, for == 1.0.* and ~= */
	enum package_pre pre;
	int64_t pre_number;
	int64_t post, dev;		/* -1: none */
	struct span local;		/* borrowed from the text; empty: none */
};

/* All of TEXT. */
bool package_version_read(struct package_version *out, struct span text);

/* -1, 0, 1.  As the standard orders them, the local label included. */
int package_version_compare(const struct package_version *a, const struct package_version *b);

/*
 * Does V meet all SPECIFIERS (">=1.2,!=1.3.*", "~=2.1", "==2.1.0+cpu")?  1, 0, or -1
 * where they cannot be read.  No specifier is met by all.  A pre-release is as good as
 * any other version, but "<2.0" leaves out those of 2.0, as the standard has it.
 */
int package_version_matches(const struct package_version *v, struct span specifiers);

/* Appends the normal form of the name of a package: "Foo_Bar" is "foo-bar" (PEP 503). */
void package_name_add(struct buf *out, struct span name);
/* Letters, digits, dots, dashes, underscores, not at the ends but letters and digits. */
bool package_name_valid(struct span name);

#endif
