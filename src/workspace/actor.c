/* actor - see actor.h. */
#include "config.h"

#include "workspace/actor.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Variables that coding agents set for the programs they start.  A new agent is
 * a new row; PORTSIDE_AGENT is for those that set none. */
static const struct agent_marker markers[] = {
	{ "PORTSIDE_AGENT", "" },	/* its value is the name */
	{ "CLAUDECODE", "claude" },
	{ "CODEX_SANDBOX", "codex" },
	{ "CURSOR_AGENT", "cursor" },
	{ "GEMINI_CLI", "gemini" },
	{ "OPENCODE", "opencode" },
	{ "AIDER_RUN", "aider" },
	{ "OPENHANDS_RUNTIME", "openhands" },
	{ "SWE_AGENT", "swe-agent" },
};

const struct agent_marker *agent_markers(size_t *n)
{
	*n = ARRAY_LEN(markers);
	return markers;
}

/* A name fit for an actor: no controls, no colon, at most 64 bytes are read. */
static char *plain_name(struct arena *a, const char *s)
{
	struct buf b = BUF_INIT;
	char *copy;

	text_sanitise(&b, s, text_cut(s, strlen(s), 64));
	for (size_t i = 0; i < b.n; i++)
		if (b.s[i] == ':' || b.s[i] == ' ')
			b.s[i] = '-';
	copy = arena_strdup(a, b.n ? b.s : "unknown");
	buf_release(&b);
	return copy;
}

static const char *login_name(struct arena *a)
{
	struct passwd entry, *found = NULL;
	char room[4096];
	const char *user = getenv("USER");

	if (getpwuid_r(getuid(), &entry, room, sizeof room, &found) == 0 && found)
		return arena_strdup(a, found->pw_name);
	return user && *user ? user : "unknown";
}

struct actor actor_establish(struct arena *a, const char *name)
{
	struct actor actor = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(markers); i++) {
		const char *value = getenv(markers[i].variable);

		if (!value || !*value)
			continue;
		actor.agent_marker = markers[i].variable;
		actor.by = ESTABLISHED_ENVIRONMENT;
		actor.text = arena_printf(
			a, "agent:%s", plain_name(a, *markers[i].agent ? markers[i].agent : value));
		return actor;
	}
	actor.text =
		arena_printf(a, "human:%s", plain_name(a, name && *name ? name : login_name(a)));
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		actor.by = ESTABLISHED_TERMINAL;
	else
		actor.by = name && *name ? ESTABLISHED_CONFIGURATION : ESTABLISHED_ENVIRONMENT;
	return actor;
}
