/* chip_memory - see chip_memory.h. */
#include "config.h"

#include "domain/chip_memory.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"

enum { GIB_MAX = 1 << 20 };

static int take_line(struct chips *c, const char *file, int number, const char *s, size_t n)
{
	const char *tab = memchr(s, '\t', n);
	const char *second = tab ? memchr(tab + 1, '\t', n - (size_t)(tab + 1 - s)) : NULL;
	int64_t gib;

	if (!second || tab == s || !text_to_i64(tab + 1, (size_t)(second - tab - 1), &gib) ||
		gib < 1 || gib > GIB_MAX)
		return err_set(ERR_PARSE,
			"%s:%d: no chip, its memory in GiB and the source of that, with tabs "
			"between",
			file, number);
	c->rows[c->n++] = (struct chip){
		.name = arena_strndup(&c->arena, s, (size_t)(tab - s)),
		.source = arena_strndup(&c->arena, second + 1, n - (size_t)(second + 1 - s)),
		.memory_bytes = gib << 30,
	};
	return 0;
}

int chips_read(struct chips *out, const char *file, const char *text, size_t n)
{
	size_t lines = 1;
	int rc = 0, number = 0;

	*out = (struct chips){ .arena = ARENA_INIT };
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	out->rows = arena_alloc(&out->arena, lines * sizeof *out->rows);
	for (size_t at = 0; rc == 0 && at < n;) {
		const char *end = memchr(text + at, '\n', n - at);
		size_t length = end ? (size_t)(end - text) - at : n - at;

		/* The first line names the columns. */
		if (++number > 1 && length && text[at] != '#')
			rc = take_line(out, file, number, text + at, length);
		at += length + 1;
	}
	return rc;
}

void chips_release(struct chips *c)
{
	arena_release(&c->arena);
	*c = (struct chips){ .arena = ARENA_INIT };
}

const struct chip *chips_find(const struct chips *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcasecmp(c->rows[i].name, name) == 0)
			return &c->rows[i];
	return NULL;
}

int64_t chip_memory_bound(const struct chip_memory_need *need)
{
	int64_t each, states, total;

	if (need->parameters < 1 || need->parameter_bytes < 1 || need->states < 0 ||
		need->state_bytes < 0 || need->chips < 1)
		return -1;
	each = need->parameter_bytes * (need->trains ? 2 : 1);
	if (__builtin_mul_overflow(need->trains ? need->states : 0, need->state_bytes, &states) ||
		__builtin_add_overflow(each, states, &each) ||
		__builtin_mul_overflow(need->parameters, each, &total))
		return -1;
	return total / need->chips;
}

static const struct {
	const char *name;
	int64_t states;
} optimizers[] = {
	{ "adam", 2 },
	{ "adamw", 2 },
	{ "momentum", 1 },
	{ "lion", 1 },
	{ "sgd", 0 },
};

int64_t chip_memory_states(const char *optimizer)
{
	for (size_t i = 0; i < ARRAY_LEN(optimizers); i++)
		if (strcasecmp(optimizers[i].name, optimizer) == 0)
			return optimizers[i].states;
	return -1;
}
