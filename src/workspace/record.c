/*
 * record - the writing half of workspace.h: a draft in plain words becomes an
 * event whose free text lies in blobs and whose author is on record.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "domain/kind.h"
#include "launch/redact.h"
#include "workspace/workspace.h"

enum { BLOBS_MAX = 8 };

struct prepared {
	struct event_draft draft;
	struct event_blob blobs[BLOBS_MAX];
};

static struct json *append(struct arena *a, struct json *object, const struct json *value)
{
	struct json **tail = &object->first, *copy = arena_memdup(a, value, sizeof *value);

	while (*tail)
		tail = &(*tail)->next;
	copy->next = NULL;
	*tail = copy;
	object->count++;
	return copy;
}

static void append_text(struct arena *a, struct json *object, const char *key, const char *text)
{
	struct json value = {
		.type = JSON_STRING, .key = key, .key_n = strlen(key), .text = text, .text_n = strlen(text),
	};

	append(a, object, &value);
}

static bool is_digest(const struct json *j)
{
	struct digest d;

	return j->text_n == DIGEST_HEX && digest_from_hex(&d, j->text);
}

/* Free text that was given as such moves to a blob; a known secret's shape in
 * it is taken out before anything is stored. */
static int move_text(struct arena *a, struct prepared *p, const struct json *field)
{
	struct buf clean = BUF_INIT;
	struct event_blob *blob;

	if (p->draft.n_blobs == BLOBS_MAX)
		return err_set(ERR_PARSE, "%s: more than %d texts", p->draft.kind, BLOBS_MAX);
	redact_text(NULL, &clean, field->text, field->text_n);
	blob = &p->blobs[p->draft.n_blobs++];
	blob->key = field->key;
	blob->bytes = arena_strndup(a, clean.s, clean.n);
	blob->n = clean.n;
	buf_release(&clean);
	return 0;
}

/* kind_check() wants the fields as they are stored: digests in place of texts. */
static int check(struct arena *a, const struct prepared *p)
{
	static const char placeholder[] = "0000000000000000000000000000000000000000000000000000000000000000";
	struct json *whole = ARENA_NEW(a, struct json);
	struct event e = { .actor = p->draft.actor, .kind = p->draft.kind, .object = p->draft.object, .data = whole };

	whole->type = JSON_OBJECT;
	for (const struct json *c = p->draft.data->first; c; c = c->next)
		append(a, whole, c);
	for (size_t i = 0; i < p->draft.n_blobs; i++)
		append_text(a, whole, p->blobs[i].key, placeholder);
	return kind_check(&e);
}

static bool kind_takes_established(const char *kind)
{
	const struct kind *k = kind_find(kind);

	return k && kind_field_find(k, "established");
}

static int prepare(struct prepared *out, struct workspace *ws, struct arena *a, const struct record *r)
{
	struct json *data = ARENA_NEW(a, struct json);
	int rc;

	memset(out, 0, sizeof *out);
	data->type = JSON_OBJECT;
	out->draft.actor = r->actor ? r->actor : workspace_actor(ws)->text;
	out->draft.kind = r->kind;
	out->draft.object = r->object;
	out->draft.data = data;
	out->draft.blobs = out->blobs;
	for (const struct json *c = r->data ? r->data->first : NULL; c; c = c->next) {
		if (c->type == JSON_STRING && kind_field_is_blob(r->kind, c->key) && !is_digest(c)) {
			if (c->text_n && (rc = move_text(a, out, c)) < 0)
				return rc;
		} else {
			append(a, data, c);
		}
	}
	if (!r->actor && kind_takes_established(r->kind) && !json_get(data, "established"))
		append_text(a, data, "established", word_name(&words_established, (int)workspace_actor(ws)->by));
	return check(a, out);
}

int workspace_record_if(struct workspace *ws, log_check_fn *check_fn, void *user, const struct record *r,
			size_t n, struct arena *a, struct event **out)
{
	struct prepared *p;
	struct event_draft *drafts;
	int rc = 0;

	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED, "%s: opened read-only, so nothing is written; leave --read-only out", r->kind);
	p = xcalloc(n, sizeof *p);
	drafts = xcalloc(n, sizeof *drafts);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = prepare(&p[i], ws, a, &r[i]);
		drafts[i] = p[i].draft;
	}
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
	struct prepared p;
	int rc;

	if (!workspace_spools(ws))
		return err_set(ERR_REFUSED, "%s: opened read-only, so nothing is written; leave --read-only out", r->kind);
	if ((rc = prepare(&p, ws, a, r)) < 0)
		return rc;
	return spool_write(workspace_place(ws)->folder, &p.draft);
}

/* An agent's file is judged like its words anywhere else. */
static const char *spooled_refusal(void *user, const struct event_draft *d)
{
	struct arena *a = user;
	struct prepared p = { .draft = *d };
	const char *why = NULL;

	if (!p.draft.data)
		p.draft.data = event_data(a, NULL);
	memcpy(p.blobs, d->blobs, (d->n_blobs < BLOBS_MAX ? d->n_blobs : BLOBS_MAX) * sizeof *d->blobs);
	p.draft.blobs = p.blobs;
	if (d->n_blobs > BLOBS_MAX)
		return "too many texts";
	if (strcmp(d->actor, "tool:portside") == 0)
		return "what portside observes does not come through the spool";
	if (check(a, &p) < 0) {
		why = arena_strdup(a, err_text());
		err_clear();
	}
	return why;
}

int workspace_ingest(struct workspace *ws, struct arena *a, struct spool_result *out)
{
	memset(out, 0, sizeof *out);
	if (workspace_read_only(ws) || !spool_waiting(workspace_place(ws)->folder))
		return 0;
	return spool_ingest(workspace_log(ws), spooled_refusal, a, a, out);
}

int workspace_record_many(struct workspace *ws, const struct record *r, size_t n, struct arena *a, struct event **out)
{
	return workspace_record_if(ws, NULL, NULL, r, n, a, out);
}

int workspace_record(struct workspace *ws, const struct record *r, struct arena *a, struct event **out)
{
	return workspace_record_many(ws, r, 1, a, out);
}
