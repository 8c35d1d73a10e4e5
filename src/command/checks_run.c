/* checks_run - the questions of L0, answered by the run that decides it; see checks.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/checks_private.h"
#include "domain/measure.h"
#include "workspace/state.h"

/* A kind before another, as in l0_pick: full, smoke, of no told kind. */
static int rank(enum run_kind kind)
{
	switch (kind) {
	case RUN_KIND_FULL: return 3;
	case RUN_KIND_SMOKE: return 2;
	case RUN_KIND_NONE: return 1;
	case RUN_KIND_CONTRACT: break;
	}
	return 0;
}

/* A decisive run before one that says nothing; of equal ones the later. */
static int weight(const struct run_state *run)
{
	bool decides = run->l0 == CHECK_CONFIRMED || run->l0 == CHECK_REFUTED;

	return rank(run->kind) + (decides ? 10 : 0);
}

static const struct run_state *deciding_run(
	struct run_state *const *runs, size_t n, const char *configuration)
{
	const struct run_state *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct run_state *run = runs[i];

		if (*run->prepared.struck || !run_status_ended(run->state) || !rank(run->kind) ||
			strcmp(run->configuration, configuration) != 0)
			continue;
		if (!found || weight(run) >= weight(found))
			found = run;
	}
	return found;
}

static enum check_result answer_of(const struct run_state *run, const char *check)
{
	const struct { const char *check; enum check_result result; } answers[] = {
		{ "exit", run->exit },
		{ "steps-done", run->steps },
		{ "end-marker", run->done },
		{ "artifact", run->artifact_seen },
		{ "error-text", run->error_text },
		/* An end shows that no standstill was the last word, not that there was none. */
		{ "hang", run->l0 == CHECK_CONFIRMED ? CHECK_UNKNOWN : CHECK_NOT_CHECKED },
	};

	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		if (strcmp(answers[i].check, check) == 0)
			return answers[i].result;
	return CHECK_NOT_CHECKED;
}

/* ---- what each answer rests on -------------------------------------------------------- */

/* The end that tells: the first that somebody saw, as the state of the run takes it. */
static const struct run_end *end_of(const struct run_state *run)
{
	const struct run_end *found = NULL;

	for (size_t i = 0; i < run->ends_n; i++)
		if (!*run->ends[i].entry.struck &&
			(!found || (found->state == RUN_LOST && run->ends[i].state != RUN_LOST)))
			found = &run->ends[i];
	return found;
}

static const char *exit_text(const struct run_state *run, struct arena *a)
{
	if (run->signal && *run->signal)
		return arena_printf(a, "a signal ended it (%s)", run->signal);
	if (!run->rc_known)
		return "its exit status is not known";
	return arena_printf(a, "its exit status is %lld", (long long)run->rc);
}

static const char *steps_text(
	const struct run_state *run, const struct run_end *end, struct arena *a)
{
	long long declared = (long long)run->steps_declared;

	if (!declared)
		return "no number of steps is declared";
	if (!end || !*end->steps_done)
		return arena_printf(a, "%lld steps are declared, and the log shows none", declared);
	return arena_printf(
		a, "the log comes to step %s of %lld that are declared", end->steps_done, declared);
}

static const char *marker_text(const struct run_state *run)
{
	return run->done == CHECK_CONFIRMED	? "the log holds the declared end text" :
		run->done == CHECK_REFUTED	? "the log does not hold the declared end text" :
		run->done == CHECK_UNKNOWN	? "the log could not be searched for the end text" :
						  "no end text is declared";
}

static const char *artifact_text(const struct run_state *run, struct arena *a)
{
	if (!*run->artifact)
		return "no artifact is declared";
	return arena_printf(a, "%s %s", run->artifact,
		run->artifact_seen == CHECK_CONFIRMED ? "is there" :
		run->artifact_seen == CHECK_REFUTED   ? "is not there" :
							"could not be looked for");
}

static const char *error_text(
	const struct run_state *run, const struct run_end *end, struct arena *a)
{
	if (run->error_text == CHECK_CONFIRMED)
		return "the log shows no error";
	if (run->error_text != CHECK_REFUTED)
		return "the log could not be searched for errors";
	return end && *end->error_line ?
		arena_printf(a, "line %s of the log shows an error", end->error_line) :
		"the log shows an error";
}

static const char *text_of(
	const struct run_state *run, const struct run_end *end, const char *check, struct arena *a)
{
	if (strcmp(check, "exit") == 0)
		return exit_text(run, a);
	if (strcmp(check, "steps-done") == 0)
		return steps_text(run, end, a);
	if (strcmp(check, "end-marker") == 0)
		return marker_text(run);
	if (strcmp(check, "artifact") == 0)
		return artifact_text(run, a);
	if (strcmp(check, "error-text") == 0)
		return error_text(run, end, a);
	if (strcmp(check, "hang") == 0 && run->l0 == CHECK_CONFIRMED)
		return "it came to its declared end; how long it paused on the way was not "
		       "measured";
	return run->l0_why;
}

/* What was read of the log stands there; its digest is that of the recorded end. */
static void add_place(struct checks_item *item, const struct run_state *run,
	const struct run_end *end, struct arena *a)
{
	static const char *const of_log[] = { "steps-done", "end-marker", "error-text" };
	bool is_of_log = false, has_line = strcmp(item->check, "error-text") == 0;

	for (size_t i = 0; i < ARRAY_LEN(of_log); i++)
		is_of_log |= strcmp(item->check, of_log[i]) == 0;
	if (!is_of_log || !end || !*run->log_digest || item->result == CHECK_NOT_APPLICABLE)
		return;
	item->places = arena_alloc(a, sizeof *item->places);
	item->places_n = 1;
	item->places[0] = (struct checks_place){ .name = "log",
		.line = has_line ? strtoll(end->error_line, NULL, 10) : 0,
		.parser = "",
		.digest = text_sanitised(a, run->log_digest) };
}

int checks_take_runs(struct loading *l, struct checks_configuration *c)
{
	const struct run_state *run;
	const struct run_end *end;
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, l->ws, l->attempt->id, l->r->at, l->a);

	if (rc < 0)
		return rc;
	run = deciding_run(runs, n, c->name);
	end = run ? end_of(run) : NULL;
	for (size_t i = 0; run && i < c->items_n; i++) {
		struct checks_item *item = &c->items[i];
		enum check_result result = answer_of(run, item->check);

		if (strcmp(item->item->level, "L0") != 0 || item->entries_n ||
			result == CHECK_NOT_CHECKED)
			continue;
		item->result = result;
		item->who = "the run's own end";
		item->when = text_sanitised(l->a, run->noticed);
		item->text = text_sanitised(l->a, text_of(run, end, item->check, l->a));
		item->run = text_sanitised(l->a, run->id);
		add_place(item, run, end, l->a);
	}
	return 0;
}
