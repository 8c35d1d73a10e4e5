/*
 * record - the writing half of workspace.h: a draft in plain words becomes an
 * event whose free text lies in blobs and whose author is on record.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json_build.h"
#include "base/redact.h"
#include "domain/kind.h"
#include "store/blob.h"
#include "workspace/workspace.h"

enum { BLOBS_MAX = 8 };

struct prepared {
	struct event_draft draft;
	struct event_blob blobs[BLOBS_MAX];
};

/* The digest of a text that is stored already; 64 hex digits that somebody wrote
 * are a text like any other. */
static int is_stored(bool *yes, struct workspace *ws, const struct json *j)
{
	enum blob_state state = BLOB_ABSENT;
	struct digest d;
	int rc = 0;

	if (j->text_n == DIGEST_HEX && digest_from_hex(&d, j->text))
		rc = log_blob(workspace_log(ws), &d, &state, NULL);
	*yes = state != BLOB_ABSENT;
	return rc;
}

static const struct json *text_without_secrets(
	struct arena *a, const struct redact *secrets, const struct json *field)
{
	struct json *copy;
	struct buf clean = BUF_INIT;

	if (!redact_finds(secrets, field->text, field->text_n, NULL))
		return field;
	copy = arena_memdup(a, field, sizeof *field);
	redact_text(secrets, &clean, field->text, field->text_n);
	copy->text = arena_strndup(a, clean.s, clean.n);
	copy->text_n = clean.n;
	buf_release(&clean);
	return copy;
}

/* What is written down travels: the values of secret variables and what has the
 * shape of a secret are taken out before anything is stored, at every depth. */
static const struct json *without_secrets(
	struct arena *a, const struct redact *secrets, const struct json *field)
{
	struct json *copy;

	if (field->type == JSON_STRING)
		return text_without_secrets(a, secrets, field);
	if (field->type != JSON_OBJECT && field->type != JSON_ARRAY)
		return field;
	copy = json_copy(a, field);
	copy->first = NULL;
	copy->count = 0;
	for (const struct json *c = field->first; c; c = c->next)
		json_append(copy, json_copy(a, without_secrets(a, secrets, c)));
	return copy;
}

/* Free text that was given as such moves to a blob. */
static int move_text(struct arena *a, struct prepared *p, const struct json *field)
{
	struct event_blob *blob;

	if (p->draft.n_blobs == BLOBS_MAX)
		return err_set(ERR_PARSE, "%s: more than %d texts", p->draft.kind, BLOBS_MAX);
	blob = &p->blobs[p->draft.n_blobs++];
	blob->key = field->key;
	blob->bytes = arena_strndup(a, field->text, field->text_n);
	blob->n = field->text_n;
	return 0;
}

/* kind_check() wants the fields as they are stored: digests in place of texts. */
static int check(struct arena *a, const struct prepared *p)
{
	static const char placeholder[] =
		"0000000000000000000000000000000000000000000000000000000000000000";
	struct json *whole = json_new_object(a, NULL);
	struct event e = { .actor = p->draft.actor,
		.kind = p->draft.kind,
		.object = p->draft.object,
		.data = whole };

	for (const struct json *c = p->draft.data->first; c; c = c->next)
		json_append(whole, json_copy(a, c));
	for (size_t i = 0; i < p->draft.n_blobs; i++)
		json_append(whole, json_new_text(a, p->blobs[i].key, placeholder));
	return kind_check(&e);
}

static bool kind_takes_established(const char *kind)
{
	const struct kind *k = kind_find(kind);

	return k && kind_field_find(k, "established");
}

/* One field of the draft: into the body, or beside it as a blob.  The text of an
 * accepted configuration stays as it is: it was refused if it held a secret. */
static int take_field(struct prepared *out, struct workspace *ws, struct arena *a,
	const struct redact *secrets, const char *kind, const struct json *field, struct json *data)
{
	bool blob = field->type == JSON_STRING && kind_field_is_blob(kind, field->key),
	     stored = false;
	int rc = blob ? is_stored(&stored, ws, field) : 0;

	if (rc < 0)
		return rc;
	if (strcmp(kind, "config.accepted") != 0 || strcmp(field->key, "text") != 0)
		field = without_secrets(a, secrets, field);
	if (!blob || stored)
		json_append(data, json_copy(a, field));
	else if (field->text_n)
		return move_text(a, out, field);
	return 0;
}

/* What the environment says is looked at once for many records. */
static struct redact *new_secrets(void)
{
	struct redact *secrets = redact_new();

	redact_add_environment(secrets, environ);
	return secrets;
}

static int prepare(struct prepared *out, struct workspace *ws, struct arena *a,
	const struct redact *secrets, const struct record *r)
{
	struct json *data = json_new_object(a, NULL);
	int rc = 0;

	memset(out, 0, sizeof *out);
	out->draft.actor = r->actor ? r->actor : workspace_actor(ws)->text;
	out->draft.kind = r->kind;
	out->draft.object = r->object;
	out->draft.data = data;
	out->draft.blobs = out->blobs;
	for (const struct json *c = r->data ? r->data->first : NULL; c && rc == 0; c = c->next)
		rc = take_field(out, ws, a, secrets, r->kind, c, data);
	if (rc < 0)
		return rc;
	if (!r->actor && kind_takes_established(r->kind) && !json_get(data, "established"))
		json_append(data,
			json_new_text(a, "established",
				word_name(&words_established, (int)workspace_actor(ws)->by)));
	return check(a, out);
}

static int prepare_one(
	struct prepared *out, struct workspace *ws, struct arena *a, const struct record *r)
{
	struct redact *secrets = new_secrets();
	int rc = prepare(out, ws, a, secrets, r);

	redact_free(secrets);
	return rc;
}

int workspace_record_then(struct workspace *ws, const struct record *r, log_next_fn *next,
	void *user, struct arena *a, struct event **out)
{
	struct prepared p;
	int rc;

	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED,
			"%s: opened read-only, so nothing is written; leave --read-only out",
			r->kind);
	rc = prepare_one(&p, ws, a, r);
	return rc < 0 ? rc : log_append_then(workspace_log(ws), &p.draft, next, user, a, out);
}

int workspace_record_next(struct workspace *ws, const struct record *r, struct arena *a)
{
	struct prepared p;
	int rc = prepare_one(&p, ws, a, r);

	return rc < 0 ? rc : log_append_next(workspace_log(ws), &p.draft, a);
}

int workspace_record_if(struct workspace *ws, log_check_fn *check_fn, void *user,
	const struct record *r, size_t n, struct arena *a, struct event **out)
{
	struct prepared *p;
	struct event_draft *drafts;
	struct redact *secrets;
	int rc = 0;

	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED,
			"%s: opened read-only, so nothing is written; leave --read-only out",
			r->kind);
	p = xcalloc(n, sizeof *p);
	drafts = xcalloc(n, sizeof *drafts);
	secrets = new_secrets();
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = prepare(&p[i], ws, a, secrets, &r[i]);
		drafts[i] = p[i].draft;
	}
	redact_free(secrets);
	if (rc == 0 && check_fn)
		rc = log_append_if(workspace_log(ws), check_fn, user, drafts, n, a, out);
	else if (rc == 0)
		rc = log_append_many(workspace_log(ws), drafts, n, a, out);
	free(drafts);
	free(p);
	return rc;
}

int workspace_spool(struct workspace *ws, const struct record *r, struct arena *a)
{
	struct redact *secrets;
	struct prepared p;
	int rc;

	if (!workspace_spools(ws))
		return err_set(ERR_REFUSED,
			"%s: opened read-only, so nothing is written; leave --read-only out",
			r->kind);
	secrets = new_secrets();
	rc = prepare(&p, ws, a, secrets, r);
	redact_free(secrets);
	return rc < 0 ? rc : spool_write(workspace_place(ws)->folder, &p.draft);
}

/*
 * What comes through the spool is somebody's word, whatever name stands on it: the
 * kinds that an agent may write, and what hooks see of sessions.  What portside
 * itself observes and measures (runs, checks by a tool, alarms, costs) is not.
 */
static bool may_be_spooled(const char *kind, const char *actor)
{
	static const char *const of_hooks[] = { "intervention.recorded", "session.ingested" };
	const struct kind *k = kind_find(kind);

	for (size_t i = 0; i < ARRAY_LEN(of_hooks); i++)
		if (strcmp(kind, of_hooks[i]) == 0)
			return true;
	if (strcmp(kind, "check.recorded") == 0)
		return actor_class(actor) == ACTOR_AGENT;
	return !k || k->by & BY_AGENT;	/* one that nobody knows is refused with its name */
}

struct spool_judge {
	struct arena *a;
	struct redact *secrets;
};

static bool holds_secret(const struct spool_judge *judge, const char *s)
{
	return redact_finds(judge->secrets, s, strlen(s), NULL);
}

/* A file of a foreign program may hold what ours would have taken out. */
static void take_secrets_out(const struct spool_judge *judge, struct event_draft *d)
{
	struct event_blob *blobs = arena_alloc(judge->a, (d->n_blobs + 1) * sizeof *blobs);

	d->data = without_secrets(judge->a, judge->secrets, d->data);
	for (size_t i = 0; i < d->n_blobs; i++) {
		struct buf clean = BUF_INIT;

		redact_text(judge->secrets, &clean, d->blobs[i].bytes, d->blobs[i].n);
		blobs[i] = (struct event_blob){ d->blobs[i].key,
			arena_strndup(judge->a, clean.s, clean.n), clean.n };
		buf_release(&clean);
	}
	d->blobs = blobs;
}

/* An agent's file is judged like its words anywhere else. */
static const char *spooled_refusal(void *user, struct event_draft *d)
{
	struct spool_judge *judge = user;
	struct prepared p;
	const char *why;

	if (strcmp(d->actor, "tool:portside") == 0 || !may_be_spooled(d->kind, d->actor))
		return "what portside observes and measures, and what people decide, does not "
			"come through the spool";
	if (strcmp(d->kind, "event.superseded") == 0)
		return "nothing is struck through the spool";
	if (d->n_blobs > BLOBS_MAX)
		return "too many texts";
	if (holds_secret(judge, d->actor) || holds_secret(judge, d->object))
		return "its actor or object has the form of a secret";
	if (!d->data)
		d->data = event_data(judge->a, NULL);
	take_secrets_out(judge, d);
	p.draft = *d;
	memcpy(p.blobs, d->blobs, d->n_blobs * sizeof *d->blobs);
	if (check(judge->a, &p) == 0)
		return NULL;
	why = arena_strdup(judge->a, err_text());
	err_clear();
	return why;
}

int workspace_ingest(struct workspace *ws, struct arena *a, struct spool_result *out)
{
	struct spool_judge judge = { .a = a };
	int rc;

	memset(out, 0, sizeof *out);
	if (workspace_read_only(ws) || !spool_waiting(workspace_place(ws)->folder))
		return 0;
	judge.secrets = new_secrets();
	rc = spool_ingest(workspace_log(ws), spooled_refusal, &judge, a, out);
	redact_free(judge.secrets);
	return rc;
}

int workspace_record_many(
	struct workspace *ws, const struct record *r, size_t n, struct arena *a, struct event **out)
{
	return workspace_record_if(ws, NULL, NULL, r, n, a, out);
}

int workspace_record(
	struct workspace *ws, const struct record *r, struct arena *a, struct event **out)
{
	return workspace_record_many(ws, r, 1, a, out);
}
