/*
 * discovery_memory - what discovery has read of commits, kept between calls.
 */
#include "config.h"
#include "store/discovery_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "store/repository_internal.h"

struct discovery_memory *discovery_memory_new(void)
{
	return xcalloc(1, sizeof(struct discovery_memory));
}

void discovery_memory_free(struct discovery_memory *m)
{
	if (m == NULL)
		return;
	arena_release(&m->arena);
	free(m->commits);
	free(m->slots);
	free(m->names);
	free(m->name_slots);
	free(m);
}

size_t discovery_memory_reads(const struct discovery_memory *m)
{
	return m->reads;
}

/* ---- commits by name ---- */

static size_t oid_slot(const struct discovery_memory *m, const git_oid *oid)
{
	size_t i;

	memcpy(&i, oid->id, sizeof i);
	for (i &= m->cap_slots - 1; m->slots[i] != 0; i = (i + 1) & (m->cap_slots - 1))
		if (git_oid_cmp(&m->commits[m->slots[i] - 1].oid, oid) == 0)
			break;
	return i;
}

static void grow_slots(struct discovery_memory *m)
{
	free(m->slots);
	m->cap_slots = m->cap_slots == 0 ? 1024 : m->cap_slots * 2;
	m->slots = xcalloc(m->cap_slots, sizeof *m->slots);
	for (size_t i = 0; i < m->n; i++)
		m->slots[oid_slot(m, &m->commits[i].oid)] = (int32_t)i + 1;
}

int32_t memory_commit(struct discovery_memory *m, const git_oid *oid)
{
	size_t i;

	if ((m->n + 1) * 2 > m->cap_slots)
		grow_slots(m);
	i = oid_slot(m, oid);
	if (m->slots[i] != 0)
		return m->slots[i] - 1;
	ARRAY_GROW(m->commits, m->n, m->cap);
	m->commits[m->n] = (struct known_commit){ .oid = *oid, .parent = NO_COMMIT, .mark = -1 };
	m->slots[i] = (int32_t)++m->n;
	return m->slots[i] - 1;
}

/* ---- marks by name ---- */

static size_t name_hash(int64_t n, const char *line, size_t line_n)
{
	uint64_t h = fnv1a((uint64_t)n * UINT64_C(0x9e3779b97f4a7c15), line, line_n);

	return (size_t)(h ^ h >> 29);
}

static size_t name_slot(
	const struct discovery_memory *m, int64_t n, const char *line, size_t line_n)
{
	size_t i = name_hash(n, line, line_n) & (m->cap_name_slots - 1);

	for (; m->name_slots[i] != 0; i = (i + 1) & (m->cap_name_slots - 1)) {
		const struct mark_name *at = &m->names[m->name_slots[i] - 1];

		if (at->n == n && strlen(at->line) == line_n && memcmp(at->line, line, line_n) == 0)
			break;
	}
	return i;
}

static void grow_names(struct discovery_memory *m)
{
	free(m->name_slots);
	m->cap_name_slots = m->cap_name_slots == 0 ? 256 : m->cap_name_slots * 2;
	m->name_slots = xcalloc(m->cap_name_slots, sizeof *m->name_slots);
	for (size_t i = 0; i < m->n_names; i++) {
		const struct mark_name *at = &m->names[i];

		m->name_slots[name_slot(m, at->n, at->line, strlen(at->line))] = (int32_t)i + 1;
	}
}

int32_t memory_name(struct discovery_memory *m, int64_t n, const char *line, size_t line_n)
{
	size_t i;

	if ((m->n_names + 1) * 2 > m->cap_name_slots)
		grow_names(m);
	i = name_slot(m, n, line, line_n);
	if (m->name_slots[i] == 0) {
		ARRAY_GROW(m->names, m->n_names, m->cap_names);
		m->names[m->n_names] =
			(struct mark_name){ n, arena_strndup(&m->arena, line, line_n) };
		m->name_slots[i] = (int32_t)++m->n_names;
	}
	return m->name_slots[i] - 1;
}

/* ---- reading ---- */

static void read_parents(struct discovery_memory *m, int32_t at, const git_commit *c)
{
	unsigned n = git_commit_parentcount(c);
	int32_t *merged = n > 1 ? arena_alloc(&m->arena, (n - 1) * sizeof *merged) : NULL;

	for (unsigned i = 0; i < n; i++) {
		int32_t parent = memory_commit(m, git_commit_parent_id(c, i));

		if (i == 0)
			m->commits[at].parent = parent;
		else
			merged[i - 1] = parent;
	}
	m->commits[at].merged = merged;
	m->commits[at].n_merged = n > 1 ? (int32_t)n - 1 : 0;
}

/* A cheap look before the message is taken apart: most commits carry no mark. */
static bool may_have_mark(const char *message)
{
	return strcasestr(message, "\nattempt") != NULL;
}

static int32_t read_mark(struct discovery_memory *m, const char *message)
{
	struct arena a = ARENA_INIT;
	const struct trailer *rows;
	const char *number, *line;
	int32_t mark = -1;
	int64_t value;
	size_t n;

	if (message == NULL || !may_have_mark(message))
		return -1;
	rows = trailers_parse(&n, &a, message, strlen(message));
	number = trailer_find(rows, n, "Attempt");
	line = trailer_find(rows, n, "Attempt-Line");
	if (number != NULL && text_to_i64(number, strlen(number), &value) && value >= 0)
		mark = memory_name(
			m, value, line != NULL ? line : "", line != NULL ? strlen(line) : 0);
	arena_release(&a);
	return mark;
}

int memory_read(struct discovery_memory *m, struct repository *repo, int32_t at)
{
	char what[OID_HEX + 16] = "commit ";
	git_commit *c;
	int rc;

	if (m->commits[at].read && !m->commits[at].missing)
		return 0;
	rc = git_commit_lookup(&c, repo->git, &m->commits[at].oid);
	m->commits[at].read = true;
	m->commits[at].missing = rc == GIT_ENOTFOUND;
	if (rc == GIT_ENOTFOUND)
		return 0;
	if (rc < 0) {
		oid_hex(what + strlen("commit "), &m->commits[at].oid);
		m->commits[at].read = false;
		return repository_read_error(repo, rc, what);
	}
	m->reads++;
	read_parents(m, at, c);
	m->commits[at].committed_s = git_commit_time(c);
	m->commits[at].mark = read_mark(m, git_commit_message(c));
	git_commit_free(c);
	return 0;
}
