/* run_doubts - see run_doubts.h. */
#include "config.h"

#include "command/run_doubts.h"

#include "base/err.h"
#include "evidence/package_pins.h"
#include "workspace/accepted.h"
#include "workspace/pins.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

static int read_pins(struct package_pins *pins, struct packages_known *known, struct workspace *ws,
	const char *subject, const struct config *c, struct arena *a)
{
	char commit[OID_HEX + 1];
	struct attempt_state *s;
	int rc = state_attempt(ws, subject, NULL, a, &s);

	if (rc == 0)
		rc = run_commit(commit, ws, s->id, a);
	return rc == 0 ? pins_read(pins, known, ws, commit, c) : rc;
}

const char *run_doubts(
	struct workspace *ws, const char *subject, const char *target, struct arena *a)
{
	struct packages_known known = { .arena = ARENA_INIT };
	struct package_pins pins = PACKAGE_PINS_INIT;
	struct buf text = BUF_INIT;
	struct accepted accepted;
	const char *copy;
	int rc = accepted_read(&accepted, ws, NULL);

	if (rc < 0) {
		err_clear();
		return "";
	}
	if (accepted.state == ACCEPTED_CHANGED)
		buf_addf(&text, "warning: %s\n", accepted.sentence);
	rc = read_pins(&pins, &known, ws, subject, &accepted.in_force, a);
	for (size_t i = 0; rc == 0 && i < pins.n; i++) {
		const char *sentence = pins_sentence(&pins, &pins.rows[i], &accepted.in_force,
			config_target_find(&accepted.in_force, target), a);

		if (sentence)
			buf_addf(&text, "warning: %s:%lld: %s\n", pins.rows[i].path,
				(long long)pins.rows[i].line, sentence);
	}
	if (rc < 0) {
		buf_addf(&text, "warning: versions were not looked at: %s\n", err_text());
		err_clear();
	}
	buf_trim_end(&text);
	copy = arena_strdup(a, text.s);
	buf_release(&text);
	package_pins_release(&pins);
	packages_known_release(&known);
	accepted_release(&accepted);
	return copy;
}
