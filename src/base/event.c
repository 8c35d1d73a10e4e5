/*
 * event - see event.h.
 *
 * Reading is "parse, write again, compare": whatever differs from the one
 * canonical form is refused, so that no second spelling of an event exists.
 */
#include "config.h"

#include "base/event.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json_build.h"
#include "base/text.h"

enum { BODY_ROOM = 1024 };		/* of most events */

static const char event_domain[] = "portside-event-v1";	/* hashed with its NUL */
static const char head_domain[] = "portside-head-v1";

static struct digest event_id(const char *body, size_t n)
{
	struct sha256 *h = sha256_new();

	sha256_update(h, event_domain, sizeof event_domain);
	sha256_update(h, body, n);
	return sha256_final(h);
}

const char *event_actor_class(const char *actor)
{
	static const char *const classes[] = { "human", "agent", "tool" };

	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		size_t n = strlen(classes[i]);

		if (strncmp(actor, classes[i], n) == 0 && actor[n] == ':' && actor[n + 1])
			return classes[i];
	}
	return NULL;
}

/* ---- writing ------------------------------------------------------------- */

static int check_data(const struct json *j, int depth)
{
	if (depth > JSON_DEPTH_MAX)
		return err_set(ERR_PARSE, "event: d is nested deeper than %d", JSON_DEPTH_MAX);
	switch (j->type) {
	case JSON_STRING:
		if (memchr(j->text, '\0', j->text_n) || !utf8_valid(j->text, j->text_n))
			return err_set(ERR_PARSE, "event: a text in d holds a NUL or is not UTF-8");
		return 0;
	case JSON_OBJECT:
	case JSON_ARRAY:
		for (const struct json *c = j->first; c; c = c->next) {
			int rc;

			if (c->key &&
				(memchr(c->key, '\0', c->key_n) || !utf8_valid(c->key, c->key_n)))
				return err_set(
					ERR_PARSE, "event: a key in d holds a NUL or is not UTF-8");
			if ((rc = check_data(c, depth + 1)) < 0)
				return rc;
		}
		return 0;
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
	case JSON_NUMBER:
		break;
	}
	return err_set(ERR_PARSE,
		"event: d may hold only strings, arrays and objects; write numbers as strings");
}

static bool is_replica(const char *s)
{
	unsigned char raw[EVENT_REPLICA_HEX / 2];

	return strlen(s) == EVENT_REPLICA_HEX && hex_decode(raw, s, EVENT_REPLICA_HEX);
}

static bool is_word(const char *s)
{
	return s && *s && strlen(s) <= 512 && utf8_valid(s, strlen(s));
}

static int check_fields(const struct event *e)
{
	int64_t ns;
	char iso[CLOCK_ISO_MAX];

	if (!is_replica(e->replica))
		return err_set(ERR_PARSE, "event: the replica is not 32 lower-case hex digits");
	if (e->seq < 1 || e->has_prev != (e->seq > 1))
		return err_set(
			ERR_PARSE, "event: only number 1 of a replica has no previous event");
	if (e->lamport < 1)
		return err_set(ERR_PARSE, "event: the Lamport number is below 1");
	if (!e->time || strlen(e->time) != 24 || !clock_from_iso(&ns, e->time))
		return err_set(ERR_PARSE, "event: the time is not like 2026-10-25T16:21:56.123Z");
	clock_iso(iso, ns);
	if (strcmp(iso, e->time) != 0)
		return err_set(ERR_PARSE, "event: the time %s is not canonical", e->time);
	if (!is_word(e->actor) || !event_actor_class(e->actor))
		return err_set(
			ERR_PARSE, "event: the actor is not human:NAME, agent:NAME or tool:NAME");
	if (!is_word(e->kind) || !is_word(e->object))
		return err_set(ERR_PARSE, "event: kind or object is empty, too long or not UTF-8");
	if (!e->data || e->data->type != JSON_OBJECT)
		return err_set(ERR_PARSE, "event: d is not an object");
	return check_data(e->data, 2);
}

static void add_pair(struct buf *b, const char *key, const char *value)
{
	if (b->n > 1)
		buf_addc(b, ',');
	json_quote(b, key, strlen(key));
	buf_addc(b, ':');
	json_quote(b, value, strlen(value));
}

static void write_body(struct buf *b, const struct event *e)
{
	char number[24], prev[DIGEST_HEX + 1] = "";

	if (e->has_prev)
		digest_hex(prev, &e->prev);
	buf_reserve(b, BODY_ROOM);
	buf_addc(b, '{');
	add_pair(b, "v", "1");
	add_pair(b, "r", e->replica);
	snprintf(number, sizeof number, "%lld", (long long)e->seq);
	add_pair(b, "q", number);
	add_pair(b, "p", prev);
	snprintf(number, sizeof number, "%lld", (long long)e->lamport);
	add_pair(b, "l", number);
	add_pair(b, "t", e->time);
	add_pair(b, "a", e->actor);
	add_pair(b, "k", e->kind);
	add_pair(b, "o", e->object);
	buf_adds(b, ",\"d\":");
	json_canonical(b, e->data);
	buf_addc(b, '}');
}

int event_write(struct event *e, struct arena *a)
{
	struct buf b = BUF_INIT;
	int rc = check_fields(e);

	if (rc < 0)
		return rc;
	write_body(&b, e);
	if (b.n > EVENT_BODY_MAX) {
		buf_release(&b);
		return err_set(ERR_PARSE, "event %s: larger than 64 KiB; put the text into a blob",
			e->kind);
	}
	e->body = arena_strndup(a, b.s, b.n);
	e->body_n = b.n;
	e->id = event_id(b.s, b.n);
	buf_release(&b);
	return 0;
}

/* ---- reading ------------------------------------------------------------- */

static bool read_number(const struct json *j, const char *key, int64_t *out)
{
	const struct json *c = json_get(j, key);

	return c && c->type == JSON_STRING && text_to_i64(c->text, c->text_n, out);
}

static int read_fields(struct event *e, const struct json *j)
{
	const char *replica = json_str(j, "r", ""), *prev = json_str(j, "p", "");

	if (strcmp(json_str(j, "v", ""), "1") != 0)
		return err_set(json_get(j, "v") ? ERR_NEWER : ERR_PARSE,
			"event: version \"%s\" is not known to this portside; install a newer one",
			json_str(j, "v", ""));
	if (strlen(replica) != EVENT_REPLICA_HEX)
		return err_set(ERR_PARSE, "event: the replica is not 32 lower-case hex digits");
	memcpy(e->replica, replica, sizeof e->replica);
	if (!read_number(j, "q", &e->seq) || !read_number(j, "l", &e->lamport))
		return err_set(ERR_PARSE, "event: q or l is not a number in a string");
	e->has_prev = *prev != '\0';
	if (e->has_prev && !digest_from_hex(&e->prev, prev))
		return err_set(ERR_PARSE, "event: p is not an id");
	e->time = json_str(j, "t", NULL);
	e->actor = json_str(j, "a", NULL);
	e->kind = json_str(j, "k", NULL);
	e->object = json_str(j, "o", NULL);
	e->data = json_get(j, "d");
	return 0;
}

int event_parse(struct event **out, struct arena *a, const char *s, size_t n)
{
	struct event *e = ARENA_NEW(a, struct event);
	const struct json *j;
	int rc;

	if (n > EVENT_BODY_MAX)
		return err_set(ERR_PARSE, "event: larger than 64 KiB");
	if ((rc = json_parse(&j, a, s, n, JSON_STRICT)) < 0)
		return err_prefix("event: ");
	if (j->type != JSON_OBJECT)
		return err_set(ERR_PARSE, "event: not an object");
	if ((rc = read_fields(e, j)) < 0 || (rc = event_write(e, a)) < 0)
		return rc;
	if (e->body_n != n || memcmp(e->body, s, n) != 0)
		return err_set(ERR_PARSE, "event: the bytes are not in canonical form");
	*out = e;
	return 0;
}

/* ---- data, position, head ------------------------------------------------- */

const struct json *event_data(struct arena *a, ...)
{
	struct json *object = json_new_object(a, NULL);
	const char *key;
	va_list ap;

	va_start(ap, a);
	while ((key = va_arg(ap, const char *)) != NULL) {
		const char *value = va_arg(ap, const char *);

		if (value)
			json_append(object, json_new_text(a, arena_strdup(a, key),
						    arena_strdup(a, value)));
	}
	va_end(ap);
	return object;
}

static void put_be64(unsigned char *p, int64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = (unsigned char)((uint64_t)v >> (56 - 8 * i));
}

struct position event_position(const struct event *e)
{
	struct position p = { { 0 } };

	put_be64(p.bytes, e->lamport);
	if (!hex_decode(p.bytes + 8, e->replica, EVENT_REPLICA_HEX))
		memset(p.bytes + 8, 0, 16);
	put_be64(p.bytes + 24, e->seq);
	memcpy(p.bytes + 32, e->id.bytes, 32);
	return p;
}

int position_compare(const struct position *a, const struct position *b)
{
	return memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

static int compare_digests(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct digest));
}

struct digest event_head_digest(struct digest *ids, size_t n)
{
	struct sha256 *h = sha256_new();

	if (n)
		qsort(ids, n, sizeof *ids, compare_digests);
	sha256_update(h, head_domain, sizeof head_domain);
	for (size_t i = 0; i < n; i++)
		sha256_update(h, ids[i].bytes, sizeof ids[i].bytes);
	return sha256_final(h);
}
