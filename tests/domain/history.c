/* history - see history.h. */
#include "config.h"

#include "history.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const char replica[] = "00112233445566778899aabbccddeeff";

const struct version *history_version(
	const struct history *h, const char *type, const char *id, size_t at)
{
	for (size_t i = h->versions_n; i-- > 0;) {
		const struct version *v = &h->versions[i];

		if (v->at <= at && strcmp(v->type, type) == 0 && strcmp(v->id, id) == 0)
			return v;
	}
	return NULL;
}

static int load(
	void *user, struct arena *a, const char *type, const char *id, const char **text, size_t *n)
{
	const struct version *v = history_version(user, type, id, (size_t)-1);

	*text = v ? arena_strndup(a, v->text, v->n) : NULL;
	*n = v ? v->n : 0;
	return 0;
}

void history_init(struct history *h)
{
	memset(h, 0, sizeof *h);
	h->fold = fold_new(load, h);
}

void history_release(struct history *h)
{
	fold_free(h->fold);
	free(h->events);
	free(h->versions);
	arena_release(&h->arena);
}

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, err_text());
	abort();
}

struct event *history_event(struct history *h, const char *actor, const char *kind,
	const char *object, const struct json *data)
{
	struct event *e = ARENA_NEW(&h->arena, struct event);

	strcpy(e->replica, replica);
	e->seq = (int64_t)h->events_n + 1;
	e->lamport = e->seq;
	e->has_prev = h->events_n > 0;
	if (e->has_prev)
		e->prev = h->events[h->events_n - 1]->id;
	e->time = arena_printf(&h->arena, "2026-10-25T16:%02d:%02d.000Z", (int)(e->seq / 60 % 60),
		(int)(e->seq % 60));
	e->actor = arena_strdup(&h->arena, actor);
	e->kind = arena_strdup(&h->arena, kind);
	e->object = arena_strdup(&h->arena, object);
	e->data = data;
	if (event_write(e, &h->arena) < 0)
		die(kind);
	ARRAY_GROW(h->events, h->events_n, h->events_cap);
	h->events[h->events_n++] = e;
	return e;
}

void history_fold(struct history *h, struct event *e)
{
	const struct fold_version *list;
	size_t n, at = 0;

	while (h->events[at] != e)
		at++;
	if (fold_event(h->fold, e, &list, &n) < 0)
		die(e->kind);
	for (size_t i = 0; i < n; i++) {
		ARRAY_GROW(h->versions, h->versions_n, h->versions_cap);
		h->versions[h->versions_n++] = (struct version){
			at,
			arena_strdup(&h->arena, list[i].type),
			arena_strdup(&h->arena, list[i].id),
			arena_strdup(&h->arena, list[i].parent),
			arena_strndup(&h->arena, list[i].state, list[i].state_n),
			list[i].sort,
			list[i].state_n,
		};
	}
}

const char *history_add(
	struct history *h, const char *actor, const char *kind, const char *object, ...)
{
	struct buf b = BUF_INIT;
	const struct json *data;
	const char *field, *between = "", *value;
	struct event *e;
	char hex[DIGEST_HEX + 1];
	va_list ap;

	buf_addc(&b, '{');
	va_start(ap, object);
	while ((field = va_arg(ap, const char *))) {
		value = va_arg(ap, const char *);
		buf_addf(&b, "%s\"%s\":", between, field);
		if (*value == '[' || *value == '{')
			buf_adds(&b, value);
		else
			json_quote(&b, value, strlen(value));
		between = ",";
	}
	va_end(ap);
	buf_addc(&b, '}');
	if (json_parse(&data, &h->arena, b.s, b.n, JSON_STRICT) < 0)
		die(b.s);
	buf_release(&b);
	e = history_event(h, actor, kind, object, data);
	history_fold(h, e);
	digest_hex(hex, &e->id);
	return arena_strdup(&h->arena, hex);
}

void *history_state(struct history *h, const char *type, const char *id)
{
	const struct version *v = history_version(h, type, id, (size_t)-1);
	void *state;

	if (object_decode(&state, &h->arena, type, v ? v->text : NULL, v ? v->n : 0) < 0)
		die(type);
	return state;
}
