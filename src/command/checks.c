/* checks - see checks.h. */
#include "config.h"

#include "command/checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/checks_private.h"
#include "domain/kind.h"
#include "domain/goal_verdict.h"
#include "workspace/accepted.h"
#include "workspace/comparison.h"
#include "workspace/run_checks.h"
#include "workspace/state.h"

/* ---- what is on record ---------------------------------------------------------- */

/* Of a class of authors the last that counts; of tools that with the newest rules. */
static const struct check_entry *entry_of(const struct check_state *s, enum actor_class by)
{
	const struct check_entry *found = NULL;

	for (size_t i = 0; s && i < s->entries_n; i++) {
		const struct check_entry *e = &s->entries[i];

		if (*e->entry.struck || actor_class(e->entry.who) != by ||
			(found && e->version < found->version))
			continue;
		found = e;
	}
	return found;
}

/* Shown is a person's, then a tool's, then an agent's, which never counts. */
static const struct check_entry *shown_entry(const struct check_state *s)
{
	const struct check_entry *e = entry_of(s, ACTOR_HUMAN);

	e = e ? e : entry_of(s, ACTOR_TOOL);
	return e ? e : entry_of(s, ACTOR_AGENT);
}

/* "probe/probe-0-71.jsonl:12 probe@1 0f3a..." as it was recorded. */
static struct checks_place place_of_text(const char *text, struct arena *a)
{
	size_t name = strcspn(text, " "), parser;
	const char *rest = text + name + (text[name] == ' ');
	char *head = arena_strndup(a, text, name), *colon = strrchr(head, ':');
	struct checks_place p = { .parser = "", .digest = "" };
	int64_t line;

	if (colon && text_to_i64(colon + 1, strlen(colon + 1), &line)) {
		p.line = line;
		*colon = '\0';
	}
	p.name = text_sanitised(a, head);
	parser = strcspn(rest, " ");
	if (memchr(rest, '@', parser)) {
		p.parser = text_sanitised(a, arena_strndup(a, rest, parser));
		rest += parser + (rest[parser] == ' ');
	}
	p.digest = text_sanitised(a, rest);
	return p;
}

static void take_places(struct checks_item *item, const struct check_entry *e, struct arena *a)
{
	bool whole = !e->places_n;

	item->places_n = whole ? e->evidence_n : e->places_n;
	item->places = arena_alloc(a, (item->places_n + 1) * sizeof *item->places);
	for (size_t i = 0; i < item->places_n; i++) {
		if (!whole) {
			item->places[i] = place_of_text(e->places[i], a);
			continue;
		}
		item->places[i] = (struct checks_place){ .name = "file", .parser = "",
			.digest = text_sanitised(a, e->evidence[i]) };
	}
}

void checks_take_record(
	struct checks_item *item, const struct loading *l, const struct check_state *s)
{
	const struct check_entry *e = shown_entry(s);

	item->who = item->when = item->text = item->run = "";
	if (!s)
		return;
	item->result = s->result;
	item->claimed = s->claimed;
	item->contradicted = s->contradicted;
	item->entries_n = s->entries_n;
	if (!e)
		return;
	item->who = text_sanitised(l->a, e->entry.who);
	item->when = arena_strdup(l->a, e->entry.time);
	item->text = arena_strdup(l->a, workspace_text(l->ws, l->a, e->text_digest));
	item->run = text_sanitised(l->a, e->run);
	take_places(item, e, l->a);
}

const struct check_state *checks_find_state(
	const struct loading *l, const char *configuration, const char *check)
{
	for (size_t i = 0; i < l->states_n; i++)
		if (strcmp(l->states[i]->configuration, configuration) == 0 &&
			strcmp(l->states[i]->check, check) == 0)
			return l->states[i];
	return NULL;
}

/* What was measured of a goal is a row of the table of L3; figures stand behind it. */
static void take_verdict(
	struct checks_item *item, const struct loading *l, const char *configuration)
{
	const struct attempt_state *s = l->attempt;

	for (size_t i = 0; s && i < s->checks_n; i++) {
		const struct check_brief *b = &s->checks[i];

		if (!b->row || strcmp(b->check, item->check) != 0 ||
			strcmp(b->configuration, configuration) != 0)
			continue;
		item->result = b->result;
		item->text = arena_printf(l->a, "%s%s%s", goal_row_sentence((int)b->row),
			*item->text ? ": " : "", item->text);
	}
}

static void add_item(struct loading *l, struct checks_configuration *c,
	const struct check_item *question, const char *check)
{
	struct checks_item *item = &c->items[c->items_n++];

	*item = (struct checks_item){ .check = check, .item = question,
		.required = migration_requires(l->migration, question->id) };
	checks_take_record(item, l, checks_find_state(l, c->name, check));
	if (question->per_goal)
		take_verdict(item, l, c->name);
}

/* ---- one configuration ------------------------------------------------------------ */

static void add_items(struct loading *l, struct checks_configuration *c)
{
	size_t goals = l->config->goals_n;

	c->items = arena_alloc(l->a, (check_items_n + goals + 1) * sizeof *c->items);
	for (size_t i = 0; i < check_items_n; i++) {
		const struct check_item *question = &check_items[i];

		if (!question->per_goal) {
			add_item(l, c, question, question->id);
			continue;
		}
		for (size_t k = 0; k < goals; k++)
			add_item(l, c, question,
				arena_printf(l->a, "%s.%s", question->id,
					l->config->goals[k].name));
	}
}

static void count_item(struct checks_configuration *c, const struct checks_item *item)
{
	if (strcmp(item->item->level, "L2") != 0)
		return;
	if (!item->required) {
		c->not_required++;
		return;
	}
	c->required++;
	switch (item->result) {
	case CHECK_CONFIRMED: c->confirmed++; break;
	case CHECK_REFUTED: c->refuted++; break;
	case CHECK_UNKNOWN: c->unknown++; break;
	case CHECK_NOT_CHECKED: c->not_checked++; break;
	case CHECK_NOT_APPLICABLE: c->not_applicable++; break;
	}
}

static const char *measured_text(
	const struct checks_configuration *c, const struct measured *m, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	level_add_measured(&b, &c->vector);
	if (m)
		measured_add_remarks(&b, m);
	if (c->ladder.upper != c->ladder.level)
		buf_addf(&b, " (up to %s)", level_name(c->ladder.upper));
	text = arena_strndup(a, b.s ? b.s : "", b.n);
	buf_release(&b);
	return text;
}

static void take_levels(struct loading *l, struct checks_configuration *c)
{
	const struct measured *m = attempt_measured(l->attempt, c->name);
	const struct expectation *expected = attempt_expected(l->attempt, c->name);
	const struct claim *claim = attempt_claimed(l->attempt, c->name);

	if (m) {
		c->vector = m->vector;
		c->claim = m->claim;
		c->simulated = m->simulated;
		c->surprise = m->surprise;
	}
	c->ladder = level_ladder(&c->vector);
	c->measured = measured_text(c, m, l->a);
	c->expected = expected ? expected->level : LEVEL_UNSET;
	c->claimed = claim ? claim->level : LEVEL_UNSET;
	c->claimed_text = claim
		? arena_strdup(l->a, workspace_text(l->ws, l->a, claim->text_digest)) : "";
}

static int load_configuration(struct loading *l, struct checks_configuration *c, const char *name)
{
	int rc;

	*c = (struct checks_configuration){ .name = arena_strdup(l->a, name),
		.intended = strcmp(name, l->out->intended) == 0, .comparable = "", .missing = "",
		.contract = "", .next_text = "" };
	take_levels(l, c);
	add_items(l, c);
	rc = checks_take_runs(l, c);
	if (rc == 0)
		rc = checks_take_contract(l, c);
	for (size_t i = 0; i < c->items_n; i++)
		count_item(c, &c->items[i]);
	c->level2 = checks_required_text(l->migration, l->a);
	return rc;
}

/* ---- what the evidence says now ------------------------------------------------------ */

static struct checks_place *now_places(const struct run_check *check, struct arena *a)
{
	struct checks_place *list = arena_alloc(a, (check->places_n + 1) * sizeof *list);

	for (size_t i = 0; i < check->places_n; i++) {
		const struct check_place *p = &check->places[i];
		char *hex = arena_alloc(a, DIGEST_HEX + 1);

		digest_hex(hex, &p->digest);
		list[i] = (struct checks_place){ .name = text_sanitised(a, p->name),
			.line = p->line, .digest = p->recorded ? hex : "",
			.parser = *p->parser
				? arena_printf(a, "%s@%d", p->parser, p->version) : "" };
	}
	return list;
}

static void take_now(struct loading *l, struct checks_configuration *c, struct checks_item *item,
	const struct run_check *check)
{
	const struct check_state *s = checks_find_state(l, c->name, item->check);
	const struct check_entry *tool = entry_of(s, ACTOR_TOOL);

	item->looked = true;
	item->now = check->result;
	item->now_text = text_sanitised(l->a, check->why);
	item->now_run = check->run ? arena_strdup(l->a, check->run->id) : "";
	item->now_places = now_places(check, l->a);
	item->now_places_n = check->places_n;
	item->differs = check->result != (tool ? tool->result : CHECK_NOT_CHECKED);
}

void checks_note(struct loading *l, const char *text)
{
	struct checks *out = l->out;
	const char **notes = arena_alloc(l->a, (out->notes_n + 1) * sizeof *notes);

	for (size_t i = 0; i < out->notes_n; i++) {
		if (strcmp(out->notes[i], text) == 0)
			return;
		notes[i] = out->notes[i];
	}
	notes[out->notes_n++] = text_sanitised(l->a, text);
	out->notes = notes;
}

static void note_checks(struct loading *l, const struct run_checks *checks)
{
	for (size_t i = 0; i < checks->notes_n; i++)
		checks_note(l, checks->notes[i]);
	if (checks->damaged)
		checks_note(l,
			arena_printf(l->a,
				"%lld line%s of the probe's record could not be used "
				"(cut, damaged, or of a newer probe)",
				(long long)checks->damaged, checks->damaged == 1 ? "" : "s"));
	if (checks->run && !checks->reference_recorded)
		checks_note(l,
			"no run of the reference has a record of the probe, so what is "
			"compared with it "
			"stays unknown; portside run reference --probe makes one");
	if (checks->run && !checks->target_known)
		checks_note(l,
			arena_printf(l->a,
				"target %s is not in the accepted portside.conf, so nobody "
				"said what it should be",
				checks->run->target));
}

static int load_now(struct loading *l, struct checks_configuration *c)
{
	struct run_checks_request r = { .subject = l->subject, .configuration = c->name,
		.at = l->r->at, .cancel = l->r->cancel };
	struct run_checks *checks = ARENA_NEW(l->a, struct run_checks);
	int rc = run_checks_read(checks, l->ws, &r, l->a);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c->items_n; i++)
		for (size_t k = 0; k < PROBE_QUESTIONS; k++)
			if (strcmp(checks->answers[k].check, c->items[i].check) == 0)
				take_now(l, c, &c->items[i], &checks->answers[k]);
	note_checks(l, checks);
	c->looked = checks;
	c->simulated = c->simulated || checks->simulated;
	return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

static int load_states(struct loading *l)
{
	struct state_query q = { .type = "check", .parent = l->attempt->id, .at = l->r->at };

	return state_list(l->ws, &q, l->a, (void ***)&l->states, &l->states_n);
}

static bool is_listed(const char **names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* The intended one first; what ran, was checked or was claimed; "" stands for all. */
static size_t list_names(struct loading *l, const char **names)
{
	const char *only = l->r->configuration;
	size_t n = 0;

	if (*l->out->intended && (!only || strcmp(only, l->out->intended) == 0))
		names[n++] = l->out->intended;
	for (size_t i = 0; i < l->attempt->measured_n; i++) {
		const char *name = l->attempt->measured[i].configuration;

		if (*name && !is_listed(names, n, name) && (!only || strcmp(only, name) == 0))
			names[n++] = name;
	}
	if (!n && only)
		names[n++] = only;
	return n;
}

static void find_guard(struct loading *l)
{
	const struct checks *out = l->out;

	l->out->guard = "";
	for (size_t i = 0; i < out->n; i++)
		for (size_t k = 0; out->configurations[i].intended &&
			k < out->configurations[i].items_n; k++) {
			const struct checks_item *item = &out->configurations[i].items[k];
			const char *text = item->looked ? item->now_text : item->text;

			if (strcmp(item->check, "config") == 0 &&
				text_starts(text ? text : "", "validated on "))
				l->out->guard = text;
		}
}

static int load(struct loading *l)
{
	const char **names = arena_alloc(
		l->a, (l->attempt->measured_n + 2) * sizeof *names);
	struct checks *out = l->out;
	size_t n;
	int rc = load_states(l);

	if (rc < 0)
		return rc;
	n = list_names(l, names);
	out->configurations = arena_alloc(l->a, (n + 1) * sizeof *out->configurations);
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct checks_configuration *c = &out->configurations[out->n++];

		rc = load_configuration(l, c, names[i]);
		if (rc == 0 && l->r->now)
			rc = load_now(l, c);
		if (rc == 0 && l->r->gaps)
			rc = checks_load_gaps(l, c);
		checks_find_next(l, c);
	}
	find_guard(l);
	return rc;
}

/* A run is asked alone, on its own configuration. */
static int find_subject(struct loading *l, struct checks_request *r)
{
	struct run_state *run;
	int rc;

	l->subject = r->subject;
	if (!text_starts(r->subject, "ps-"))
		return state_attempt(l->ws, r->subject, r->at, l->a, &l->attempt);
	rc = state_run(l->ws, r->subject, r->at, l->a, &run);
	if (rc < 0)
		return rc;
	r->configuration = run->configuration;
	return state_attempt(l->ws, run->attempt, r->at, l->a, &l->attempt);
}

int checks_load(struct checks *out, struct workspace *ws, const struct checks_request *r)
{
	struct checks_request request = *r;
	struct loading l = { .out = out, .ws = ws, .r = &request, .a = &out->arena };
	struct accepted accepted;
	int rc;

	*out = (struct checks){ .arena = ARENA_INIT, .attempt = "", .intended = "", .guard = "" };
	if ((rc = find_subject(&l, &request)) < 0 ||
		(rc = state_migration(ws, r->at, l.a, &l.migration)) < 0 ||
		(rc = accepted_read(&accepted, ws, r->at)) < 0)
		return rc;
	l.config = &accepted.in_force;
	out->attempt = arena_strdup(l.a, l.attempt->id);
	if (l.config->migration.intended)
		out->intended = arena_strdup(l.a, l.config->migration.intended);
	rc = load(&l);
	accepted_release(&accepted);
	return rc;
}

void checks_release(struct checks *checks)
{
	arena_release(&checks->arena);
	*checks = (struct checks){ .arena = ARENA_INIT };
}
