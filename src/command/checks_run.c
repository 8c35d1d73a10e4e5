/* checks_run - the questions of L0, answered by the run that decides it; see checks.h. */
#include "config.h"

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
		/* It came to its end: no standstill kept it from there. */
		{ "hang", run->l0 == CHECK_CONFIRMED ? CHECK_CONFIRMED : CHECK_NOT_CHECKED },
	};

	for (size_t i = 0; i < ARRAY_LEN(answers); i++)
		if (strcmp(answers[i].check, check) == 0)
			return answers[i].result;
	return CHECK_NOT_CHECKED;
}

int checks_take_runs(struct loading *l, struct checks_configuration *c)
{
	const struct run_state *run;
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, l->ws, l->attempt->id, l->r->at, l->a);

	if (rc < 0)
		return rc;
	run = deciding_run(runs, n, c->name);
	for (size_t i = 0; run && i < c->items_n; i++) {
		struct checks_item *item = &c->items[i];
		enum check_result result = answer_of(run, item->check);

		if (strcmp(item->item->level, "L0") != 0 || item->entries_n ||
			result == CHECK_NOT_CHECKED)
			continue;
		item->result = result;
		item->who = "the run's own end";
		item->when = text_sanitised(l->a, run->noticed);
		item->text = text_sanitised(l->a, run->l0_why);
		item->run = text_sanitised(l->a, run->id);
	}
	return 0;
}
