/*
 * history_set - a set of object names: open addressing over 20-byte keys, which
 * are hashes already.
 */
#include "config.h"
#include "store/history.h"

#include <stdlib.h>
#include <string.h>

#include "store/repository_internal.h"

struct oid_set {
	git_oid *slots;		/* all zero: empty */
	size_t n, cap;		/* CAP is a power of two */
};

struct oid_set *oid_set_new(void)
{
	struct oid_set *s = xcalloc(1, sizeof *s);

	s->cap = 64;
	s->slots = xcalloc(s->cap, sizeof *s->slots);
	return s;
}

void oid_set_free(struct oid_set *s)
{
	if (s == NULL)
		return;
	free(s->slots);
	free(s);
}

/* The slot of OID: its own, or the empty one where it belongs. */
static size_t find_slot(const git_oid *slots, size_t cap, const git_oid *oid)
{
	size_t i;

	memcpy(&i, oid->id, sizeof i);
	for (i &= cap - 1; !git_oid_is_zero(&slots[i]) && git_oid_cmp(&slots[i], oid) != 0;)
		i = (i + 1) & (cap - 1);
	return i;
}

static void grow(struct oid_set *s)
{
	size_t cap = s->cap * 2;
	git_oid *slots = xcalloc(cap, sizeof *slots);

	for (size_t i = 0; i < s->cap; i++)
		if (!git_oid_is_zero(&s->slots[i]))
			slots[find_slot(slots, cap, &s->slots[i])] = s->slots[i];
	free(s->slots);
	s->slots = slots;
	s->cap = cap;
}

bool oid_set_add(struct oid_set *s, const char *oid)
{
	git_oid key;
	size_t i;

	if (!oid_parse(&key, oid) || git_oid_is_zero(&key))
		return false;
	i = find_slot(s->slots, s->cap, &key);
	if (!git_oid_is_zero(&s->slots[i]))
		return false;
	s->slots[i] = key;
	if (++s->n * 2 > s->cap)
		grow(s);
	return true;
}

bool oid_set_has(const struct oid_set *s, const char *oid)
{
	git_oid key;

	if (!oid_parse(&key, oid) || git_oid_is_zero(&key))
		return false;
	return !git_oid_is_zero(&s->slots[find_slot(s->slots, s->cap, &key)]);
}

size_t oid_set_count(const struct oid_set *s)
{
	return s->n;
}
