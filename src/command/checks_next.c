/* checks_next - the gaps of L1, the cheapest next check, and what L2 requires, in words;
 * see checks.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/checks_private.h"
#include "workspace/comparison.h"

enum { GOALS_MAX = 16 };

/* ---- what L2 requires -------------------------------------------------------------- */

/* "27 Oct" of "2026-10-27T14:02:11Z". */
static const char *day_of(const char *time, struct arena *a)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec" };
	int month = strlen(time) >= 10 ? (time[5] - '0') * 10 + time[6] - '0' : 0;

	if (month < 1 || month > 12)
		return text_sanitised(a, time);
	return arena_printf(a, "%d %s", (time[8] - '0') * 10 + time[9] - '0', months[month - 1]);
}

const char *checks_required_text(const struct migration_state *m, struct arena *a)
{
	size_t required = m->required_n ? m->required_n : CHECK_L2_ITEMS;
	const char *who = strchr(m->required_by.who, ':');

	if (required >= CHECK_L2_ITEMS)
		return "all 15 questions of L2 are required";
	return arena_printf(a, "L2 of %zu required questions, %zu not required by %s, %s",
		required, CHECK_L2_ITEMS - required,
		text_sanitised(a, who ? who + 1 : m->required_by.who),
		day_of(m->required_by.time, a));
}

/* ---- L1 ------------------------------------------------------------------------------- */

static const char *gap_text(const struct run_comparison *c, struct arena *a)
{
	const struct comparison *compared = &c->comparison;
	double r = compared->final_reference * c->scale, x = compared->final_attempt * c->scale;
	int decimals = c->decimals >= 0 ? c->decimals : 4;

	/* The gap first, and few words: a narrow column cuts the rest. */
	return arena_printf(a, "%+.*f%s%s: %.*f vs %.*f", decimals, x - r,
		*c->unit ? " " : "", text_sanitised(a, c->unit), decimals, x, decimals, r);
}

static void add_gap(
	struct loading *l, struct checks_configuration *c, const struct run_comparison *compared)
{
	c->gaps[c->gaps_n++] = (struct checks_gap){
		.goal = arena_strdup(l->a, compared->goal ? compared->goal : ""),
		.metric = text_sanitised(l->a, compared->metric ? compared->metric : ""),
		.comparable = compared->has_comparison ? compared->comparable.overall :
							 COMPARABLE_OPEN,
		.text = gap_text(compared, l->a),
	};
}

static int compare_goals(struct loading *l, struct checks_configuration *c,
	struct run_comparison *compared)
{
	size_t n = l->config->goals_n < GOALS_MAX ? l->config->goals_n : GOALS_MAX;
	int rc = 0;

	c->gaps = arena_alloc(l->a, (n + 2) * sizeof *c->gaps);
	if (compared->has_comparison) {
		c->comparable = text_sanitised(l->a, compared->verdict);
		c->overall = compared->comparable.overall;
	}
	for (size_t i = 0; i < n && rc == 0; i++) {
		compared->request.goal = l->config->goals[i].name;
		compared->request.metric = NULL;
		rc = run_comparison_choose(compared, "");
		if (rc == 0 && compared->has_comparison)
			add_gap(l, c, compared);
	}
	if (!n && compared->has_comparison)
		add_gap(l, c, compared);
	if (!compared->has_comparison && *compared->missing)
		c->missing = text_sanitised(l->a, compared->missing);
	return rc;
}

/* No run, no reference, no curve: nothing to measure, which is no failure. */
int checks_load_gaps(struct loading *l, struct checks_configuration *c)
{
	struct comparison_request r = { .attempt_run = l->subject, .configuration = c->name,
		.at = l->r->at, .cancel = l->r->cancel };
	struct run_comparison *compared;
	int rc;

	if (text_starts(l->subject, "ps-"))
		r.configuration = NULL;
	rc = run_comparison_make(&compared, l->ws, &r);
	if (rc == ERR_NOT_FOUND || rc == ERR_STATE) {
		c->missing = text_sanitised(l->a, err_text());
		err_clear();
		return 0;
	}
	if (rc < 0)
		return rc;
	rc = compare_goals(l, c, compared);
	run_comparison_free(compared);
	return rc;
}

/* ---- the cheapest next check ------------------------------------------------------------- */

static enum check_result best_known(const struct checks_item *item)
{
	bool open = item->result == CHECK_NOT_CHECKED || item->result == CHECK_UNKNOWN;

	return open && item->looked && item->now != CHECK_NOT_CHECKED ? item->now : item->result;
}

static bool is_open(const struct checks_item *item)
{
	enum check_result r = best_known(item);

	return item->required && (r == CHECK_NOT_CHECKED || r == CHECK_UNKNOWN);
}

static const struct checks_item *cheapest(const struct checks_configuration *c, const char *level)
{
	const struct checks_item *found = NULL;

	for (size_t i = 0; i < c->items_n; i++) {
		const struct checks_item *item = &c->items[i];

		if (strcmp(item->item->level, level) == 0 && is_open(item) &&
			(!found || item->item->minutes < found->item->minutes))
			found = item;
	}
	return found;
}

static const struct checks_item *first_refuted(
	const struct checks_configuration *c, const char *level)
{
	for (size_t i = 0; i < c->items_n; i++)
		if (strcmp(c->items[i].item->level, level) == 0 && c->items[i].required &&
			best_known(&c->items[i]) == CHECK_REFUTED)
			return &c->items[i];
	return NULL;
}

/* A run there, where that can be started; what ran elsewhere is brought. */
static const char *run_there(struct loading *l, const struct checks_configuration *c)
{
	for (size_t i = 0; i < l->config->targets_n; i++)
		if (strcmp(l->config->targets[i].name, c->name) == 0)
			return arena_printf(l->a,
				"portside run %s --kind smoke --target %s --probe",
				l->attempt->id, c->name);
	return arena_printf(l->a,
		"%s is no target of portside.conf: declare [target \"%s\"], or portside import %s "
		"FILES --target %s with what the probe wrote there",
		c->name, c->name, l->attempt->id, c->name);
}

/* What one types to find out. */
static const char *how(struct loading *l, const struct checks_configuration *c,
	const struct checks_item *item)
{
	const char *text = item->now_text ? item->now_text : "";

	if (strcmp(item->item->level, "L0") == 0)
		return run_there(l, c);
	if (strcmp(item->check, "deps") == 0 && strstr(text, "classified"))
		return "say what each difference means: [package \"NAME\"] of portside.conf, then "
			"portside config accept";
	if (strcmp(item->item->level, "L2") == 0 && strstr(text, "reference"))
		return "portside run reference --kind smoke --probe";
	if (strcmp(item->item->level, "L2") == 0)
		return run_there(l, c);
	if (strcmp(item->check, "performance") == 0 && *c->contract)
		return c->contract;
	return arena_printf(
		l->a, "portside compare %s --configuration %s", l->attempt->id, c->name);
}

/* L0 comes from runs: its items are no checks of their own unless somebody recorded one. */
static bool l0_is_done(const struct checks_configuration *c)
{
	return c->vector.l0 == CHECK_CONFIRMED;
}

static void say_next(struct loading *l, struct checks_configuration *c,
	const struct checks_item *item)
{
	c->next = item;
	c->next_text = arena_printf(l->a, "%s (about %d min): %s %s", item->check,
		item->item->minutes, item->item->question, how(l, c, item));
}

void checks_find_next(struct loading *l, struct checks_configuration *c)
{
	static const char *const levels[] = { "L2", "L3", "L4" };

	if (c->vector.l0 == CHECK_REFUTED) {
		c->next_text =
			"L0 is refuted: nothing above it counts until a run comes to its end";
		return;
	}
	if (!l0_is_done(c)) {
		const struct checks_item *item = cheapest(c, "L0");

		if (item)
			say_next(l, c, item);
		return;
	}
	if (c->simulated) {
		c->next_text = "it only simulates: L2 to L4 are proven on the target itself";
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		const struct checks_item *refuted = first_refuted(c, levels[i]), *item;

		if (refuted) {
			c->next_text = arena_printf(l->a,
				"%s is refuted by %s: nothing above it counts until that is "
				"repaired",
				levels[i], refuted->check);
			return;
		}
		item = cheapest(c, levels[i]);
		if (item) {
			say_next(l, c, item);
			return;
		}
	}
}
