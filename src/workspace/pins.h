/*
 * pins - versions that a revision asks for and that are known to be bad, before a run.
 *
 *	struct package_pins p;
 *	struct packages_known known;
 *
 *	if (pins_read(&p, &known, ws, tip, &config) < 0)
 *		return -1;
 *	for (i = 0; i < p.n; i++)
 *		puts(pins_sentence(&p, &p.rows[i], target, &arena));
 *	package_pins_release(&p);
 *	packages_known_release(&known);
 */
#ifndef PORTSIDE_WORKSPACE_PINS_H
#define PORTSIDE_WORKSPACE_PINS_H

#include "domain/configuration.h"
#include "evidence/package_pins.h"
#include "workspace/workspace.h"

/*
 * OUT is yours, also after an error: package_pins_release().  The versions come from
 * data/versions.tsv, settings from the sources and the commands of CONFIG.  KNOWN is
 * filled and yours, too: packages_known_release() after OUT.
 */
int pins_read(struct package_pins *out, struct packages_known *known, struct workspace *ws,
	const char *revision, const struct config *config) ATTR_MUST_USE;

/* TARGET NULL: the configured target with most chips stands for all.  In A; NULL when
 * the condition is known not to hold there. */
const char *pins_sentence(const struct package_pins *p, const struct package_pin *pin,
	const struct config *config, const struct config_target *target, struct arena *a);

#endif
