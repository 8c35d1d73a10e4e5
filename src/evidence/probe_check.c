/* probe_check - see probe_check.h: the table of questions. */
#include "config.h"

#include "evidence/probe_check_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MAX = 4 };

static void nobody_fallback(struct question *q)
{
	question_answer(q, CHECK_NOT_CHECKED, NULL,
		"the probe does not see which operators ran on the host; the metrics report of torch_xla does");
}

static void nobody_compile(struct question *q)
{
	question_answer(q, CHECK_NOT_CHECKED, NULL,
		"the probe does not count compilations; the metrics report of torch_xla does");
}

static void nobody_deps(struct question *q)
{
	question_answer(q, CHECK_NOT_CHECKED, NULL,
		"the versions are on record; whether each difference is meant is for a person to say");
}

static const struct {
	const char *check;
	void (*ask)(struct question *q);
} questions[PROBE_QUESTIONS] = {
	{ "dev", question_dev },
	{ "fallback", nobody_fallback },
	{ "compile", nobody_compile },
	{ "config", question_config },
	{ "batch", question_batch },
	{ "steps", question_steps },
	{ "lr", question_lr },
	{ "opt-order", question_opt_order },
	{ "grad", question_grad },
	{ "params", question_params },
	{ "ckpt", question_ckpt },
	{ "eval", question_eval },
	{ "dtype", question_dtype },
	{ "seed-data", question_seed_data },
	{ "deps", nobody_deps },
};

bool question_answered(const struct question *q)
{
	return q->answer->why != NULL;
}

void question_place(struct question *q, const struct probe_line *place)
{
	const char *name;

	if (!place || q->places >= PLACES_MAX)
		return;
	name = q->attempt->names[place->file];
	q->answer->places = arena_printf(q->a, "%s%s%s:%lld", q->answer->places,
		q->places ? ", " : "", name, (long long)place->number);
	q->places++;
}

void question_answer(struct question *q, enum check_result result, const struct probe_line *place,
	const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	q->answer->result = result;
	q->answer->why = arena_strdup(q->a, text);
	question_place(q, place);
}

const char *probe_word(const struct probe_line *l, const char *outer, const char *key)
{
	return json_str(json_get(l->json, outer), key, "");
}

void probe_check(struct probe_answer answers[PROBE_QUESTIONS], const struct probe_record *attempt,
	const struct probe_record *reference, const struct probe_intent *intent, struct arena *a)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		struct question q = { attempt, reference, intent, a, &answers[i], 0 };

		answers[i] = (struct probe_answer){ .check = questions[i].check, .places = "" };
		questions[i].ask(&q);
	}
}
