/*
 * brief - the text that teaches a coding agent the conventions, with the
 * targets, the levels and the rules of this migration.
 *
 * The words are in data/brief.txt; @GOALS@, @TARGETS@, @RUNS@ and @RULES@ on lines
 * of their own are replaced by what is in force, and @INTENDED@ anywhere by the
 * intended target.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "workspace/accepted.h"
#include "workspace/stop_rules.h"

struct brief {
	struct buf *out;
	const struct accepted *accepted;
	const struct config *config;
	const struct rule_gauges *gauges;
	struct arena *a;
};

/* Of portside.conf: an agent may have written it. */
static const char *clean(const struct brief *b, const char *text)
{
	return text_sanitised(b->a, text ? text : "");
}

static void add_target(struct brief *b, const struct config_target *t)
{
	const struct config_migration *m = &b->config->migration;
	const char *role = m->intended && strcmp(m->intended, t->name) == 0
		? "  <- levels L2 to L4 must be proven here"
		: m->reference && strcmp(m->reference, t->name) == 0 ? "  <- the original runs here"
								     : "";

	buf_addf(b->out, "   %-16s %s, %lld chip%s", t->name,
		word_name(&words_target_kind, (int)t->kind), (long long)t->chips,
		t->chips == 1 ? "" : "s");
	if (t->backend && *t->backend)
		buf_addf(b->out, ", %s", clean(b, t->backend));
	if (t->simulates)
		buf_adds(b->out, ", simulated: it cannot confirm L2 to L4");
	buf_addf(b->out, "%s\n", role);
}

static void add_targets(struct brief *b)
{
	for (size_t i = 0; i < b->config->targets_n; i++)
		add_target(b, &b->config->targets[i]);
	if (!b->config->targets_n)
		buf_adds(b->out, "   none is configured\n");
	for (size_t i = 0; i < b->config->l2.require_n; i++)
		buf_addf(b->out, "%s%s%s", i ? ", " : "   L2 here requires: ",
			b->config->l2.require[i], i + 1 < b->config->l2.require_n ? "" : "\n");
	if (!b->accepted->has_accepted)
		buf_adds(b->out,
			"   (no configuration is accepted yet: ask the person who supervises)\n");
}

static void add_number(struct brief *b, const char *before, double v, const char *unit)
{
	char text[TEXT_DOUBLE_MAX];

	text_from_double(text, v);
	buf_addf(b->out, "%s%s%s%s", before, text, *unit ? " " : "", clean(b, unit));
}

/* What L3 asks for: where it is read, which way is better, and how far off it may be. */
static void add_goal(struct brief *b, const struct config_goal *g)
{
	buf_addf(b->out, "   %-16s %s of %s, %s is better", g->name,
		g->at == AT_BEST ? "best value" : "last value", clean(b, g->series),
		word_name(&words_direction, (int)g->test.direction));
	if (g->has_target)
		add_number(b, "; target ", g->test.target, g->unit);
	add_number(b, "; accepted distance ", g->test.margin, g->unit);
	if (g->scale > 1)
		add_number(b, "; shown times ", g->scale, "");
	buf_addc(b->out, '\n');
}

static void add_goals(struct brief *b)
{
	for (size_t i = 0; i < b->config->goals_n; i++)
		add_goal(b, &b->config->goals[i]);
	if (!b->config->goals_n)
		buf_adds(b->out,
			"   none is set: ask what has to be reached, and how far off it may be\n");
}

static void add_runs(struct brief *b)
{
	for (size_t i = 0; i < b->config->runs_n; i++)
		buf_addf(b->out, "   %-16s %s\n", b->config->runs[i].name,
			clean(b, b->config->runs[i].command));
	if (!b->config->runs_n)
		buf_adds(b->out, "   none is configured\n");
}

static void add_rules(struct brief *b)
{
	const struct rule_gauges *g = b->gauges;

	for (size_t i = 0; i < g->n; i++)
		buf_addf(b->out, "   %-4s when %s: %s\n", g->rows[i].id, clean(b, g->rows[i].when),
			g->rows[i].action == ACTION_STOP ? "stop" : "a person decides");
	if (!g->from_accepted)
		buf_adds(b->out, "   (the default rules: no configuration is accepted yet)\n");
}

/* The words of a line, with the name of the intended target in them. */
static void add_words(struct brief *b, const char *text, size_t n)
{
	static const char mark[] = "@INTENDED@";
	const char *intended = b->config->migration.intended, *line = text, *at;

	while ((at = memmem(line, (size_t)(text + n - line), mark, strlen(mark))) != NULL) {
		buf_addf(b->out, "%.*s%s", (int)(at - line), line,
			intended && *intended ? clean(b, intended) : "TARGET");
		line = at + strlen(mark);
	}
	buf_addf(b->out, "%.*s\n", (int)(text + n - line), line);
}

static const struct {
	const char *name;
	void (*add)(struct brief *b);
} blocks[] = {
	{ "@GOALS@", add_goals },
	{ "@TARGETS@", add_targets },
	{ "@RUNS@", add_runs },
	{ "@RULES@", add_rules },
};

static void fill_in(struct brief *b, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), i = 0;

		while (i < ARRAY_LEN(blocks) &&
			!(strlen(blocks[i].name) == n && memcmp(blocks[i].name, text, n) == 0))
			i++;
		if (i < ARRAY_LEN(blocks))
			blocks[i].add(b);
		else
			add_words(b, text, n);
		text += n;
		text += *text == '\n';
	}
}

static void put_json(
	struct call *c, const struct accepted *a, const struct rule_gauges *g, const char *text)
{
	struct json_writer w = { .out = &c->text };

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_put_str(&w, "kind", "brief");
	json_put_bool(&w, "accepted", a->has_accepted);
	json_put_str(&w, "text", text);
	json_begin_array(&w, "targets");
	for (size_t i = 0; i < a->in_force.targets_n; i++) {
		const struct config_target *t = &a->in_force.targets[i];

		json_begin_object(&w, NULL);
		json_put_str(&w, "target", t->name);
		json_put_str(&w, "kind", word_name(&words_target_kind, (int)t->kind));
		json_put_i64(&w, "chips", t->chips);
		json_put_bool(&w, "simulated", t->simulates != TARGET_NONE);
		json_end_object(&w);
	}
	json_end_array(&w);
	json_begin_array(&w, "rules");
	for (size_t i = 0; i < g->n; i++) {
		json_begin_object(&w, NULL);
		json_put_str(&w, "rule", g->rows[i].id);
		json_put_str(&w, "when", g->rows[i].when);
		json_end_object(&w);
	}
	json_end_array(&w);
	json_end_object(&w);
	buf_addc(&c->text, '\n');
}

static int brief_run(struct call *c)
{
	struct buf template = BUF_INIT, text = BUF_INIT;
	struct rule_gauges gauges;
	struct accepted accepted;
	int rc = fs_data_read(&template, "brief.txt");

	if (rc == 0)
		rc = stop_rules_read(&gauges, c->workspace, c->at, 0, c->progress.cancel, c->arena);
	if (rc == 0 && (rc = accepted_read(&accepted, c->workspace, c->at)) == 0) {
		fill_in(&(struct brief){ .out = &text,
				.accepted = &accepted,
				.config = &accepted.in_force,
				.gauges = &gauges,
				.a = c->arena },
			template.s);
		if (c->wants_json)
			put_json(c, &accepted, &gauges, text.s);
		else
			buf_add(&c->text, text.s, text.n);
		if (!accepted.has_accepted)
			c->message = "no configuration is accepted yet, so the text names no target of yours: portside config accept first";
		accepted_release(&accepted);
	}
	buf_release(&template);
	buf_release(&text);
	return rc;
}

const struct operation brief_operations[] = {
	{ "brief", NULL, 0, "the text that teaches an agent the conventions", OPERATION_CLI, NULL,
		brief_run, 0 },
	{ 0 },
};
