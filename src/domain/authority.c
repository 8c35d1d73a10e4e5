/* authority - see authority.h. */
#include "config.h"

#include "domain/authority.h"

#include <string.h>

#include "base/err.h"
#include "domain/kind.h"

static const struct word established_words[] = {
	{ "", "" },
	{ "terminal", "a person at a terminal" },
	{ "configuration", "a name from the user's configuration, without a terminal" },
	{ "environment", "a variable of the environment" },
};
const struct words words_established = { "way of knowing", established_words,
	ARRAY_LEN(established_words) };

static const char *const acts[] = {
	[AUTHORITY_WRITE] = "writing",
	[AUTHORITY_PERSON] = "this record",
	[AUTHORITY_DECIDE] = "a decision",
	[AUTHORITY_ADJUDICATE] = "an adjudication",
	[AUTHORITY_ACCEPT] = "accepting a file or a goal",
	[AUTHORITY_SIGN_OFF] = "a sign-off",
};

int authority_check(const struct actor *who, enum authority what)
{
	enum actor_class class = actor_class(who->text);

	if (class == ACTOR_NONE)
		return err_set(ERR_REFUSED,
			"\"%s\" is no actor; write human:NAME, agent:NAME or tool:NAME", who->text);
	if (what == AUTHORITY_WRITE)
		return 0;
	/* The variable is named even for an agent that says so: a person whose shell
	 * carries it must learn why. */
	if (who->agent_marker)
		return err_set(ERR_REFUSED,
			"%s is for a person, and %s shows a coding agent (%s); "
			"run the command in a terminal of your own",
			acts[what], who->agent_marker, who->text);
	if (class != ACTOR_HUMAN)
		return err_set(ERR_REFUSED, "%s is for a person; %s cannot make it", acts[what],
			who->text);
	if (who->by != ESTABLISHED_TERMINAL)
		return err_set(ERR_REFUSED,
			"%s needs a terminal, so that a person is seen to make it, and standard input or "
			"standard error of this command is none; type it in a terminal, without a pipe or "
			"a script around it",
			acts[what]);
	return 0;
}

static enum authority authority_of(const char *kind)
{
	static const struct {
		const char *kind;
		enum authority what;
	} table[] = {
		{ "decision.made", AUTHORITY_DECIDE },
		{ "alarm.adjudicated", AUTHORITY_ADJUDICATE },
		{ "config.accepted", AUTHORITY_ACCEPT },
		{ "contract.accepted", AUTHORITY_ACCEPT },
		{ "goal.set", AUTHORITY_ACCEPT },
		{ "signoff.given", AUTHORITY_SIGN_OFF },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(table[i].kind, kind) == 0)
			return table[i].what;
	return AUTHORITY_WRITE;
}

int authority_check_kind(const struct actor *who, const char *kind)
{
	const struct kind *k = kind_find(kind);
	enum actor_class class = actor_class(who->text);
	unsigned bit = class == ACTOR_HUMAN ? BY_HUMAN : class == ACTOR_AGENT ? BY_AGENT : BY_TOOL;
	int rc;

	if (!k)
		return err_set(ERR_REFUSED, "\"%s\" is not an event kind of this version", kind);
	if ((rc = authority_check(who, authority_of(kind))) < 0)
		return rc;
	if (k->by & bit)
		return 0;
	return err_set(ERR_REFUSED, "%s: %s may not write this kind", kind, who->text);
}

bool authority_may_supersede(const char *author, const char *original)
{
	enum actor_class a = actor_class(author), o = actor_class(original);

	if (a == ACTOR_NONE || o == ACTOR_NONE)
		return false;
	return a == o || (a == ACTOR_HUMAN && o == ACTOR_TOOL);
}
