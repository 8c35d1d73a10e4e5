/* candidates - see candidates.h. */
#include "config.h"

#include "command/candidates.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/open.h"
#include "domain/cause.h"
#include "domain/fold.h"
#include "domain/level.h"
#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { ROWS_MAX = 1000 };	/* the newest; more nobody reads in a shell */

/* Nothing that a shell would take apart, or a terminal would obey. */
static bool is_typed_plainly(const char *word)
{
	static const char more[] = "-_./@+=,%:";

	for (const char *p = word; *p; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			    (*p >= '0' && *p <= '9') || strchr(more, *p)))
			return false;
	return *word != '\0';
}

void candidates_add(struct candidates *c, const char *word, const char *help)
{
	struct candidate *bigger;

	if (!text_starts(word, c->prefix) || !is_typed_plainly(word))
		return;
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->list[i].word, word) == 0)
			return;
	if (c->n == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 32;
		bigger = arena_alloc(c->arena, c->cap * sizeof *bigger);
		if (c->n)
			memcpy(bigger, c->list, c->n * sizeof *bigger);
		c->list = bigger;
	}
	c->list[c->n++] =
		(struct candidate){ arena_strdup(c->arena, word), text_sanitised(c->arena, help) };
}

void candidates_add_words(struct candidates *c, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		candidates_add(c, arena_strndup(c->arena, words, n), "");
		words += n + strspn(words + n, " ");
	}
}

/* ---- of the migration ------------------------------------------------------------ */

static void add_attempts(struct candidates *c, struct workspace *ws)
{
	static const char *const members[] = { "id", "subject", NULL };
	struct state_query q = {
		.type = "attempt", .descending = true, .limit = ROWS_MAX, .members = members
	};
	void **rows;
	size_t n;

	if (state_list(ws, &q, c->arena, &rows, &n) < 0) {
		err_clear();
		return;
	}
	for (size_t i = n; i; i--) {
		const struct attempt_state *s = rows[i - 1];

		if (strcmp(s->id, REFERENCE_ID) != 0)
			candidates_add(c, s->id, s->subject);
	}
}

static void add_runs(struct candidates *c, struct workspace *ws)
{
	struct state_query q = { .type = "run", .descending = true, .limit = ROWS_MAX };
	void **rows;
	size_t n;

	if (state_list(ws, &q, c->arena, &rows, &n) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct run_state *r = rows[i];

		candidates_add(c, r->id,
			arena_printf(c->arena, "%s %s on %s, %s", r->attempt,
				run_kind_text(r->kind), r->target,
				word_name(&words_run_state, (int)r->state)));
	}
}

/* BEFORE: "alarm/" where a subject of any type may stand. */
static void add_alarms(
	struct candidates *c, struct workspace *ws, const char *before, bool open_ones)
{
	struct state_query q = { .type = "alarm", .descending = true, .limit = ROWS_MAX };
	void **rows;
	size_t n;

	if (state_list(ws, &q, c->arena, &rows, &n) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (!open_ones || s->open)
			candidates_add(c, arena_printf(c->arena, "%s%s", before, s->id),
				arena_printf(c->arena, "%s%s%s%s", s->rule,
					*s->attempt ? ", attempt " : "", s->attempt,
					s->open ? ", open" : ""));
	}
}

static void add_lines(struct candidates *c, struct workspace *ws)
{
	static const char *const members[] = { "id", "line", NULL };
	struct state_query q = { .type = "attempt", .limit = ROWS_MAX, .members = members };
	void **rows;
	size_t n;

	if (state_list(ws, &q, c->arena, &rows, &n) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++)
		candidates_add(c, ((const struct attempt_state *)rows[i])->line, "");
}

static void add_series(struct candidates *c, const struct config *config)
{
	for (size_t i = 0; i < config->goals_n; i++)
		candidates_add(c, config->goals[i].series, config->goals[i].metric);
}

static void add_names(struct candidates *c, const struct config *config, enum argument_type type)
{
	for (size_t i = 0; type == ARGUMENT_TARGET && i < config->targets_n; i++)
		candidates_add(c, config->targets[i].name,
			word_name(&words_target_kind, (int)config->targets[i].kind));
	for (size_t i = 0; type == ARGUMENT_GOAL && i < config->goals_n; i++)
		candidates_add(c, config->goals[i].name, config->goals[i].series);
	for (size_t i = 0; type == ARGUMENT_RULE && i < config->rules_n; i++)
		candidates_add(c, config->rules[i].id, config->rules[i].when);
}

static void add_of_configuration(
	struct candidates *c, struct workspace *ws, const struct argument *argument)
{
	struct accepted accepted;

	if (accepted_read(&accepted, ws, NULL) < 0) {
		err_clear();
		return;
	}
	if (strcmp(argument->name, "--metric") == 0)
		add_series(c, &accepted.in_force);
	else
		add_names(c, &accepted.in_force, argument->type);
	accepted_release(&accepted);
}

/* ---- texts whose words are known ----------------------------------------------------- */

static void add_levels(struct candidates *c)
{
	for (size_t i = 1; i < words_level.n; i++)
		candidates_add(c, words_level.list[i].name, words_level.list[i].help);
}

static void add_causes(struct candidates *c)
{
	for (size_t i = 0; i < CAUSES_N; i++)
		candidates_add(c, causes[i].id, causes[i].name);
}

enum known {
	KNOWN_ALARM,
	KNOWN_SUBJECT,
	KNOWN_ABOUT,
	KNOWN_LEVEL,
	KNOWN_CAUSE,
	KNOWN_LINE,
	KNOWN_VIEW,
	KNOWN_METRIC
};

static const struct {
	const char *name;
	enum known what;
} known_texts[] = {
	{ "alarm", KNOWN_ALARM },
	{ "--subject", KNOWN_SUBJECT },
	{ "--about", KNOWN_ABOUT },
	{ "level", KNOWN_LEVEL },
	{ "--level", KNOWN_LEVEL },
	{ "--cause", KNOWN_CAUSE },
	{ "--line", KNOWN_LINE },
	{ "view", KNOWN_VIEW },
	{ "--metric", KNOWN_METRIC },
};

static void add_known(struct candidates *c, enum known what, const struct argument *argument,
	struct workspace *ws)
{
	switch (what) {
	case KNOWN_LEVEL:
		add_levels(c);
		break;
	case KNOWN_CAUSE:
		add_causes(c);
		break;
	case KNOWN_VIEW:
		candidates_add_words(c, "attempts diff runs curves journal study");
		break;
	case KNOWN_ALARM:
		if (ws)
			add_alarms(c, ws, "", false);
		break;
	case KNOWN_SUBJECT:
	case KNOWN_ABOUT:
		candidates_add(c, "migration", "");
		if (!ws)
			break;
		add_alarms(c, ws, what == KNOWN_ABOUT ? "alarm/" : "", what == KNOWN_SUBJECT);
		add_attempts(c, ws);
		break;
	case KNOWN_LINE:
		if (ws)
			add_lines(c, ws);
		break;
	case KNOWN_METRIC:
		if (ws)
			add_of_configuration(c, ws, argument);
		break;
	}
}

static void add_text(struct candidates *c, const struct argument *argument, struct workspace *ws)
{
	for (size_t i = 0; i < ARRAY_LEN(known_texts); i++)
		if (strcmp(known_texts[i].name, argument->name) == 0)
			add_known(c, known_texts[i].what, argument, ws);
}

static void add_values(struct candidates *c, const struct argument *argument, struct workspace *ws)
{
	switch (argument->type) {
	case ARGUMENT_ATTEMPT:
	case ARGUMENT_REVISION:
		candidates_add(c, argument->type == ARGUMENT_ATTEMPT ? "reference" : "original",
			"the untouched code");
		if (ws)
			add_attempts(c, ws);
		break;
	case ARGUMENT_RUN:
		if (ws)
			add_runs(c, ws);
		break;
	case ARGUMENT_TARGET:
	case ARGUMENT_GOAL:
	case ARGUMENT_RULE:
		if (ws)
			add_of_configuration(c, ws, argument);
		break;
	case ARGUMENT_WORD:
		candidates_add_words(c, argument->choices);
		break;
	case ARGUMENT_PATH:
	case ARGUMENT_REST:
		c->files = true;
		break;
	case ARGUMENT_TEXT:
		add_text(c, argument, ws);
		break;
	case ARGUMENT_INTEGER:
	case ARGUMENT_NUMBER:
	case ARGUMENT_FLAG:
	case ARGUMENT_EVENT:
		break;
	}
}

void candidates_of_argument(
	struct candidates *c, const struct argument *argument, const char *directory)
{
	struct open_options how = { .directory = directory, .read_only = true, .as_it_is = true };
	struct opened opened = { 0 };

	if (open_migration(&opened, NULL, &how) < 0)
		err_clear();		/* what needs no migration is offered all the same */
	add_values(c, argument, opened.workspace);
	opened_release(&opened);
}
