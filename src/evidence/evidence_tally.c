/* evidence_tally - counts by fact and key; see evidence_tally.h. */
#include "config.h"

#include "evidence/evidence_tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void evidence_tally_release(struct evidence_tally *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->rows[i].key);
		free(t->rows[i].text);
	}
	free(t->rows);
	*t = (struct evidence_tally)EVIDENCE_TALLY_INIT;
}

static char *copied(struct span s)
{
	char *copy = xmalloc(s.n + 1);

	memcpy(copy, s.s, s.n);
	copy[s.n] = '\0';
	return copy;
}

static struct tally_row *find(
	const struct evidence_tally *t, enum evidence_fact_name name, struct span key)
{
	for (size_t i = 0; i < t->n; i++) {
		struct tally_row *row = &t->rows[i];

		if (row->name == name && row->key_n == key.n && memcmp(row->key, key.s, key.n) == 0)
			return row;
	}
	return NULL;
}

/* NULL: there are too many. */
static struct tally_row *add(struct evidence_tally *t, enum evidence_fact_name name,
	struct span key, struct span text, int64_t line)
{
	if (t->n == EVIDENCE_TALLY_MAX) {
		t->dropped++;
		return NULL;
	}
	ARRAY_GROW(t->rows, t->n, t->cap);
	t->rows[t->n] = (struct tally_row){ .name = name, .key = copied(key), .key_n = key.n,
		.text = copied(text), .text_n = text.n, .line = line };
	return &t->rows[t->n++];
}

void evidence_tally_count(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line)
{
	struct tally_row *row = find(t, name, key);

	if (!row)
		row = add(t, name, key, text, line);
	if (row)
		row->value++;
}

void evidence_tally_latest(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line, int64_t value)
{
	struct tally_row *row = find(t, name, key);

	if (!row)
		row = add(t, name, key, SPAN_NONE, line);
	if (!row)
		return;
	free(row->text);
	row->text = copied(text);
	row->text_n = text.n;
	row->line = line;
	row->value = value;
}

void evidence_tally_once(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line)
{
	struct tally_row *row = find(t, name, key) ? NULL : add(t, name, key, text, line);

	if (row)
		row->value = -1;
}

int64_t evidence_tally_keys(const struct evidence_tally *t, enum evidence_fact_name name)
{
	int64_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->rows[i].name == name;
	return n;
}

void evidence_tally_write(const struct evidence_tally *t, struct evidence_facts *facts)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct tally_row *row = &t->rows[i];
		struct evidence_fact *fact =
			evidence_add(facts, (struct evidence_place){ row->line, -1 }, row->name,
				(struct span){ row->key, row->key_n },
				(struct span){ row->text, row->text_n });

		if (row->value >= 0)
			evidence_fact_integer(fact, row->value);
	}
	facts->health.dropped += t->dropped;
}
