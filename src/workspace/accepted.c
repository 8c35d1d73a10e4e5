/* accepted - see accepted.h. */
#include "config.h"

#include "workspace/accepted.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json_build.h"
#include "base/text.h"
#include "store/blob.h"
#include "store/conffile.h"
#include "store/log.h"
#include "workspace/accept_file.h"
#include "workspace/accept_once.h"
#include "workspace/state.h"

enum { CONF_BYTES_MAX = 1 << 20 };

/* ---- reading ------------------------------------------------------------- */

/* A text that is no configuration at all: the defaults, and the error kept. */
static int read_nothing(struct config *out, int rc)
{
	char *said = xstrdup(err_text());
	struct conf none = CONF_INIT;

	if (config_read(out, &none) < 0)
		out->errors_n = 0;	/* that it lacks everything is not what is wrong */
	conf_release(&none);
	rc = err_set((enum err)rc, "%s", said);
	free(said);
	return rc;
}

/* Types of a text; errors stay inside OUT. */
static int read_config(struct config *out, const char *path, const char *s, size_t n)
{
	struct conf conf = CONF_INIT;
	int rc = conffile_parse(&conf, path, s, n);

	rc = rc == 0 ? config_read(out, &conf) : read_nothing(out, rc);
	conf_release(&conf);
	return rc;
}

/* An empty file lacks what a real one must have; its defaults rule. */
static void use_defaults(struct accepted *out)
{
	if (read_config(&out->in_force, "portside.conf", "", 0) < 0)
		err_clear();
}

/* Without the accepted text nothing runs, until a person accepts a file again. */
static int read_text_in_force(struct accepted *out, struct workspace *ws, const char *digest)
{
	struct buf text = BUF_INIT;
	enum blob_state state;
	int rc = log_blob_hex(workspace_log(ws), digest, &state, &text);

	out->has_accepted = rc == 0 && state == BLOB_PRESENT;
	if (rc == 0 && !out->has_accepted) {
		out->missing = state == BLOB_WITHHELD ? "withheld" : "not here";
		use_defaults(out);
	}
	/* A later version may know fewer keys: what it could read rules. */
	if (out->has_accepted &&
		read_config(&out->in_force, "accepted portside.conf", text.s, text.n) < 0)
		err_clear();
	buf_release(&text);
	return rc;
}

static int read_in_force(struct accepted *out, struct workspace *ws, const struct position *at)
{
	struct migration_state *m;
	int rc = state_migration(ws, at, &out->arena, &m);

	if (rc < 0)
		return rc;
	if (!*m->config_digest) {
		use_defaults(out);
		return 0;
	}
	if (!digest_from_hex(&out->in_force_digest, m->config_digest))
		return err_set(ERR_DAMAGED,
			"the accepted configuration has no digest; run portside verify");
	return read_text_in_force(out, ws, m->config_text_digest);
}

static void describe(struct accepted *out)
{
	if (out->missing && out->state != ACCEPTED_INVALID) {
		out->sentence = arena_printf(&out->arena,
			"the text of the accepted configuration is %s, so nothing runs "
			"from it; accept portside.conf again: portside config accept",
			out->missing);
		return;
	}
	switch (out->state) {
	case ACCEPTED_NO_FILE:
		out->sentence = "no portside.conf yet: portside init proposes one";
		return;
	case ACCEPTED_NEVER:
		out->sentence =
			"portside.conf is not accepted yet, so nothing runs from it: portside "
			"config accept";
		return;
	case ACCEPTED_CHANGED:
		out->sentence = arena_printf(&out->arena,
			"portside.conf has changed (%zu difference%s%s); the accepted "
			"version rules: portside config accept",
			out->differences.n, out->differences.n == 1 ? "" : "s",
			out->differences.loosened ? ", loosened" : "");
		return;
	case ACCEPTED_INVALID:
		out->sentence = arena_printf(&out->arena, "%s%s",
			out->file.errors_n ? out->file.errors[0].text : err_text(),
			out->has_accepted ? " (the accepted version rules)" : "");
		return;
	case ACCEPTED_GONE:
		out->sentence = "portside.conf is gone; the accepted version rules";
		return;
	case ACCEPTED_CURRENT:
		break;
	}
	out->sentence = "";
}

static int read_file(struct accepted *out, const char *path)
{
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, CONF_BYTES_MAX);

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		out->state = out->has_accepted ? ACCEPTED_GONE : ACCEPTED_NO_FILE;
		buf_release(&text);
		return 0;
	}
	if (rc < 0) {
		buf_release(&text);
		return rc;
	}
	out->has_file = true;
	out->file_digest = sha256_bytes(text.s, text.n);
	out->file_text = arena_strndup(&out->arena, text.s, text.n);
	if (out->has_accepted && digest_equal(&out->file_digest, &out->in_force_digest))
		out->state = ACCEPTED_CURRENT;
	else
		out->state = out->has_accepted ? ACCEPTED_CHANGED : ACCEPTED_NEVER;
	if (read_config(&out->file, "portside.conf", text.s, text.n) < 0)
		out->state = ACCEPTED_INVALID;
	/* Of a file with errors nothing is compared: what it lacks was not taken away. */
	if (out->state != ACCEPTED_INVALID)
		out->differences = config_differences(
			&out->arena, out->has_accepted ? &out->in_force : NULL, &out->file);
	buf_release(&text);
	return 0;
}

int accepted_read(struct accepted *out, struct workspace *ws, const struct position *at)
{
	const char *path = workspace_place(ws)->conf_path;
	int rc;

	memset(out, 0, sizeof *out);
	rc = read_in_force(out, ws, at);
	if (rc < 0) {
		accepted_release(out);
		return rc;
	}
	out->state = out->has_accepted ? ACCEPTED_CURRENT : ACCEPTED_NO_FILE;
	if (!at && path && (rc = read_file(out, path)) < 0) {
		accepted_release(out);
		return rc;
	}
	describe(out);
	return 0;
}

void accepted_release(struct accepted *c)
{
	config_release(&c->in_force);
	config_release(&c->file);
	arena_release(&c->arena);
	memset(c, 0, sizeof *c);
}

/* ---- accepting ----------------------------------------------------------- */

static const struct accept_file conf_file = {
	.name = "portside.conf",
	.command = "portside config",
	.secrets = "put it into a variable of the environment and name that with pass = NAME",
};

/* NULL: all questions of L2 are required. */
static struct json *list_of_required(struct arena *a, const struct config_level *l2)
{
	struct json *list = json_new_list(a, "required");

	for (size_t i = 0; i < l2->require_n; i++)
		json_append(list, json_new_text(a, NULL, l2->require[i]));
	return list->count ? list : NULL;
}

static const char *number(struct arena *a, double v)
{
	char text[TEXT_DOUBLE_MAX];

	text_from_double(text, v);
	return arena_strdup(a, text);
}

static const struct json *goal_data(
	struct arena *a, const struct config_goal *g, bool strict, const char *reason)
{
	bool band = g->test.form == FORM_BAND;

	return event_data(a, "metric", g->metric, "form",
		word_name(&words_goal_form, (int)g->test.form), "direction",
		word_name(&words_direction, (int)g->test.direction), "unit", g->unit, "reason",
		reason && *reason ? reason : NULL, "scale", number(a, g->scale), "examples",
		g->examples ? arena_printf(a, "%lld", (long long)g->examples) : "", "target",
		g->has_target ? number(a, g->test.target) : "", "margin",
		g->has_margin ? number(a, g->test.margin) : "", "low",
		band ? number(a, g->test.low) : "", "high", band ? number(a, g->test.high) : "",
		"series", g->series, "baseline", g->baseline, "at",
		word_name(&words_goal_at, (int)g->at), "tolerance", number(a, g->tolerance),
		"strict", strict ? "yes" : NULL, NULL);
}

static bool goal_differs(const struct accepted *c, const struct config_goal *g)
{
	const struct config_goal *old =
		c->has_accepted ? config_goal_find(&c->in_force, g->name) : NULL;

	return !old || config_is_strict(&c->in_force.l3) != config_is_strict(&c->file.l3) ||
		memcmp(&old->test, &g->test, sizeof g->test) != 0 ||
		old->scale != g->scale || old->examples != g->examples ||
		strcmp(old->metric, g->metric) != 0 || strcmp(old->unit, g->unit) != 0 ||
		strcmp(old->series, g->series) != 0 || strcmp(old->baseline, g->baseline) != 0 ||
		old->at != g->at || old->tolerance != g->tolerance;
}

static int record_acceptance(struct workspace *ws, const struct accepted *c,
	const struct accept_offer *offer, struct accept_once *once, const char *actor,
	const char *reason, struct arena *a)
{
	struct record *records = arena_alloc(a, (c->file.goals_n + 1) * sizeof *records);
	struct json *data = accept_file_data(offer, "", reason, a);
	struct json *required = list_of_required(a, &c->file.l2);
	size_t n = 0;

	if (required)
		json_append(data, required);
	records[n++] = (struct record){
		.actor = actor, .kind = "config.accepted", .object = "migration", .data = data
	};
	for (size_t i = 0; i < c->file.goals_n; i++) {
		const struct config_goal *g = &c->file.goals[i];

		if (!goal_differs(c, g))
			continue;
		records[n++] = (struct record){ .actor = actor,
			.kind = "goal.set",
			.object = g->name,
			.data = goal_data(
				a, g, config_is_strict(&c->file.l3), reason) };
	}
	return workspace_record_if(ws, accept_once_check, once, records, n, a, NULL);
}

int accepted_accept(struct workspace *ws, const char *actor, const char *reason, struct arena *a)
{
	return accepted_accept_seen(ws, actor, reason, NULL, a);
}

int accepted_accept_seen(struct workspace *ws, const char *actor, const char *reason,
	const char *seen, struct arena *a)
{
	struct accepted c;
	struct accept_offer offer;
	struct accept_once once = { .kind = "config.accepted", .command = conf_file.command };
	int rc;

	if (!actor && (rc = authority_check(workspace_actor(ws), AUTHORITY_ACCEPT)) < 0)
		return rc;
	if ((rc = accept_once_begin(&once, workspace_log(ws))) < 0 ||
		(rc = accepted_read(&c, ws, NULL)) < 0)
		return rc;
	offer = (struct accept_offer){ .text = c.file_text, .digest = &c.file_digest,
		.differences = &c.differences };
	if (!c.has_file)
		rc = err_set(ERR_NOT_FOUND,
			"there is no portside.conf to accept; portside init proposes one");
	else if (c.state == ACCEPTED_INVALID)
		rc = err_set(ERR_PARSE, "%s", c.sentence);
	else if (c.state == ACCEPTED_CURRENT)
		rc = err_set(ERR_STATE, "portside.conf is accepted already; nothing to do");
	else if ((rc = accept_file_check(&conf_file, &offer, reason, seen)) == 0)
		rc = record_acceptance(ws, &c, &offer, &once, actor, reason, a);
	accepted_release(&c);
	return rc;
}
