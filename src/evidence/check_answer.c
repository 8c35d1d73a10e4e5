/* check_answer - see check_answer.h. */
#include "config.h"

#include "evidence/check_answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void check_answer_set(struct check_answer *out, struct arena *a, enum check_result result,
	const char *format, ...)
{
	char text[1024];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	out->result = result;
	out->why = arena_strdup(a, text);
}

static bool same_place(const struct check_place *a, const struct check_place *b)
{
	return a->line == b->line && strcmp(a->name, b->name) == 0 &&
		digest_equal(&a->digest, &b->digest);
}

void check_answer_place(struct check_answer *out, const struct check_place *place)
{
	for (size_t i = 0; i < out->places_n; i++)
		if (same_place(&out->places[i], place))
			return;
	if (out->places_n < CHECK_PLACES_MAX)
		out->places[out->places_n++] = *place;
}

void check_answer_fact(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct evidence_fact *fact)
{
	for (size_t i = 0; fact && i < n; i++) {
		const struct evidence_facts *facts = sources[i].facts;
		uintptr_t at = (uintptr_t)fact;

		if (!facts->n || at < (uintptr_t)facts->rows ||
			at >= (uintptr_t)(facts->rows + facts->n))
			continue;
		check_answer_place(out,
			&(struct check_place){ sources[i].name, fact->line, facts->parser,
				facts->version, sources[i].digest, sources[i].recorded });
		return;
	}
}

static bool decides(enum check_result r)
{
	return r == CHECK_CONFIRMED || r == CHECK_REFUTED;
}

/* An answer that decides, one that looked, one that says why it need not, none. */
static int weight(const struct check_answer *a)
{
	if (a->contradicted)
		return 5;
	if (decides(a->result))
		return 4;
	if (a->result == CHECK_UNKNOWN)
		return 3;
	if (a->result == CHECK_NOT_APPLICABLE)
		return 2;
	return a->why ? 1 : 0;
}

static void add_places(struct check_answer *whole, const struct check_answer *part)
{
	for (size_t i = 0; i < part->places_n; i++)
		check_answer_place(whole, &part->places[i]);
}

static void add_sentence(struct check_answer *whole, const struct check_answer *part,
	const char *between, struct arena *a)
{
	if (!part->why || (whole->why && strstr(whole->why, part->why)))
		return;
	whole->why = whole->why ? arena_printf(a, "%s%s%s", whole->why, between, part->why)
				: part->why;
}

static bool contradict(const struct check_answer *a, const struct check_answer *b)
{
	return decides(a->result) && decides(b->result) && a->result != b->result;
}

void check_answer_join(
	struct check_answer *whole, const struct check_answer *part, struct arena *a)
{
	const char *check = whole->check;

	if (contradict(whole, part)) {
		add_sentence(whole, part, "; but ", a);
		add_places(whole, part);
		whole->result = CHECK_UNKNOWN;
		whole->contradicted = true;
	} else if (weight(part) > weight(whole)) {
		*whole = *part;
		whole->check = check;
	} else if (weight(part) == weight(whole) ||
		(whole->contradicted && decides(part->result))) {
		add_sentence(whole, part, "; ", a);
		add_places(whole, part);
	}
}
