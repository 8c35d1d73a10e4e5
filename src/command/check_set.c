/* check_set - see check_set.h. */
#include "config.h"

#include "command/check_set.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json_build.h"
#include "base/text.h"
#include "command/people.h"
#include "domain/authority.h"
#include "domain/check.h"
#include "domain/kind.h"
#include "workspace/accepted.h"
#include "workspace/workspace.h"

enum { EVIDENCE_MAX = 64 };

struct statement {
	const struct check_item *item;
	const char *check;		/* "grad" */
	const char *result;		/* "refuted" */
	enum check_result value;
	const char *attempt, *configuration, *reason;
	const char *evidence[EVIDENCE_MAX];	/* digests */
	size_t evidence_n;
};

/* ---- what was typed ------------------------------------------------------------- */

static int read_words(struct statement *s, struct call *c)
{
	const char *text = call_text(c, "--set"), *equals = strchr(text, '=');
	int value;

	if (!equals)
		return err_set(ERR_USAGE, "--set: \"%s\" is no CHECK=RESULT, as in grad=refuted",
			text);
	s->check = arena_strndup(c->arena, text, (size_t)(equals - text));
	s->item = check_find(s->check);
	if (!s->item)
		return err_set(ERR_USAGE,
			"--set: \"%s\" is no question; portside check %s lists them", s->check,
			call_text(c, "attempt"));
	value = check_result_find(equals + 1);
	if (value < 0 || value == CHECK_NOT_CHECKED)
		return err_set(ERR_USAGE,
			"--set: \"%s\" is no result; allowed: confirmed, refuted, unknown, "
			"not-applicable",
			equals + 1);
	s->value = (enum check_result)value;
	s->result = word_name(&words_check, value);
	return 0;
}

static bool says_nothing(const char *text)
{
	return !text || !text[strspn(text, " \t\r\n")];
}

/* The configuration that is meant: said, or the intended one. */
static int read_configuration(struct statement *s, struct call *c)
{
	const char *said = call_text(c, "--configuration");
	struct accepted accepted;
	const char *intended;
	int rc;

	s->configuration = said;
	if (!said) {
		if ((rc = accepted_read(&accepted, c->workspace, NULL)) < 0)
			return rc;
		intended = accepted.in_force.migration.intended;
		s->configuration = arena_strdup(c->arena, intended ? intended : "");
		accepted_release(&accepted);
	}
	if (!name_is_plain(s->configuration))
		return err_set(ERR_USAGE,
			"on which configuration? --configuration NAME; a result holds on one and "
			"on no other");
	return 0;
}

/* ---- evidence ------------------------------------------------------------------------ */

/* The file itself stays where it is: its digest and size are on record. */
static int add_evidence(struct statement *s, struct call *c, const char *path, struct record *r)
{
	const char *whole = c->directory ? fs_join(c->arena, c->directory, path) : path;
	char *hex = arena_alloc(c->arena, DIGEST_HEX + 1);
	struct digest digest;
	int64_t size;
	int rc;

	if (s->evidence_n == EVIDENCE_MAX)
		return err_set(ERR_USAGE, "--evidence: more than %d files", EVIDENCE_MAX);
	if ((rc = sha256_file(&digest, &size, whole)) < 0)
		return err_prefix("--evidence: ");
	digest_hex(hex, &digest);
	s->evidence[s->evidence_n++] = hex;
	*r = (struct record){ .kind = "evidence.added", .object = hex,
		.data = event_data(c->arena, "digest", hex, "size",
			arena_printf(c->arena, "%lld", (long long)size), "path",
			fs_basename(path), "kind", "statement", "subject",
			arena_printf(c->arena, "attempt:%s", s->attempt), NULL) };
	return 0;
}

static struct json *list_of_evidence(const struct statement *s, struct arena *a)
{
	struct json *list = json_new_list(a, "evidence");

	for (size_t i = 0; i < s->evidence_n; i++)
		json_append(list, json_new_text(a, NULL, s->evidence[i]));
	return list;
}

static const struct json *data_of(const struct statement *s, struct arena *a)
{
	struct json *data = json_copy(
		a, event_data(a, "result", s->result, "text", s->reason, NULL));

	if (s->evidence_n)
		json_append(data, list_of_evidence(s, a));
	return data;
}

/* ---- who may say what --------------------------------------------------------------------- */

static int check_words(const struct statement *s, struct call *c)
{
	if (says_nothing(s->reason))
		return err_set(ERR_USAGE,
			"--reason is missing: say why %s is %s, for whoever reads it later",
			s->check, s->result);
	/* An agent's confirmation is a claim, which never counts. */
	if (s->value != CHECK_CONFIRMED || s->evidence_n || workspace_spools(c->workspace) ||
		strcmp(s->item->level, "L2") != 0)
		return 0;
	return err_set(ERR_REFUSED,
		"confirming %s needs evidence: --evidence FILE (%s); without one say unknown",
		s->check, s->item->confirms);
}

static int check_author(struct call *c)
{
	const struct actor *who = workspace_actor(c->workspace);

	if (c->at)
		return err_set(ERR_STATE,
			"check --set writes, and you are looking at the past; go back to now "
			"first");
	if (workspace_spools(c->workspace))
		return 0;
	if (workspace_read_only(c->workspace))
		return err_set(
			ERR_REFUSED, "check --set writes, and the migration was opened read-only");
	return authority_check(who, AUTHORITY_PERSON);
}

int check_set(struct call *c)
{
	struct statement s = { .reason = call_text(c, "--reason") };
	struct record records[EVIDENCE_MAX + 1];
	const char *path;
	size_t n = 0;
	int rc;

	if ((rc = check_author(c)) < 0 || (rc = read_words(&s, c)) < 0 ||
		(rc = people_attempt(&s.attempt, c, call_text(c, "attempt"))) < 0 ||
		(rc = read_configuration(&s, c)) < 0)
		return rc;
	for (size_t i = 0; rc == 0 && (path = call_text_at(c, "--evidence", i)); i++, n++)
		rc = add_evidence(&s, c, path, &records[n]);
	if (rc < 0 || (rc = check_words(&s, c)) < 0)
		return rc;
	records[n++] = (struct record){ .kind = "check.recorded",
		.object = check_object_id(c->arena, s.attempt, s.configuration, s.check),
		.data = data_of(&s, c->arena) };
	return people_record(c, records, n,
		arena_printf(c->arena, "%s of attempt %s on %s: %s", s.check, s.attempt,
			s.configuration, s.result));
}
