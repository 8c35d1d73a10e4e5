/*
 * package_pins - versions that a project asks for, and which of them are known to be bad.
 *
 * Read are requirements and constraints files, setup.py, setup.cfg, pyproject.toml and
 * environment files of conda, as text: a name of the table of known versions
 * (packages_known.h) with a specifier behind it.  What is installed is the newest
 * version that is allowed, so a specifier is bad when that one is: "<0.23" is,
 * ">=0.20" is not, since it gets a newer one.  A row that also asks for another package
 * is left to the packages of a run.
 *
 * Whether the condition of a row holds is known from settings: chips of the target, and
 * numbers beside their name in commands and sources.  It is three-valued; what is
 * unknown is told as that.  A hit is a reason to look, before anything is paid for.
 *
 *	struct package_pins p = PACKAGE_PINS_INIT;
 *
 *	package_pins_read(&p, &known, "requirements.txt", text, n);
 *	package_pins_settings(&p, "train.sh", text, n);
 *	truth = package_pins_hold(&p, &p.rows[0], 4);
 *	package_pins_release(&p);
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGE_PINS_H
#define PORTSIDE_EVIDENCE_PACKAGE_PINS_H

#include <stdbool.h>

#include "base/expr.h"
#include "evidence/packages_known.h"

struct package_pin {
	const struct package_known *known;
	const char *path;
	int64_t line;
	const char *text;		/* "accelerate==0.21.0" */
	const char *newest;		/* that it allows, as far as it is told apart: "0.21.0" */
};

/* "max_grad_norm" is 1.0 at some place. */
struct package_setting {
	const char *name, *path;
	int64_t line;
	double value;
};

enum { PACKAGE_PINS_MAX = 256, PACKAGE_SETTINGS_MAX = 256 };

struct package_pins {
	struct arena arena;
	struct package_pin *rows;
	size_t n, cap;
	struct package_setting *settings;
	size_t settings_n, settings_cap;
};

#define PACKAGE_PINS_INIT { .arena = ARENA_INIT }

/* Is PATH a file that asks for versions? */
bool package_pins_wants(const char *path);
/* KNOWN is borrowed. */
void package_pins_read(struct package_pins *p, const struct packages_known *known,
	const char *path, const char *text, size_t n);
void package_pins_settings(struct package_pins *p, const char *path, const char *text, size_t n);
void package_pins_release(struct package_pins *p);

/* The setting that a condition names, the largest of those that were found; NULL: none. */
const struct package_setting *package_pins_setting(const struct package_pins *p, const char *name);

/* Does the condition of PIN hold on CHIPS chips (0: not known)? */
enum truth package_pins_hold(
	const struct package_pins *p, const struct package_pin *pin, int64_t chips);

#endif
