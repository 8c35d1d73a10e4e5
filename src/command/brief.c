/*
 * brief - the text that teaches a coding agent the conventions, with the
 * targets, the levels and the rules of this migration.
 *
 * The words are in data/brief.txt; @TARGETS@ and @RULES@ on lines of their own
 * are replaced by what is in force.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "workspace/accepted.h"
#include "workspace/stop_rules.h"

enum { BRIEF_BYTES_MAX = 1 << 20 };

static const char *note_of(const struct accepted *a)
{
	return a->has_accepted ? "" : "   (no configuration is accepted yet: ask the person who supervises)\n";
}

static void add_target(struct buf *out, const struct accepted *a, const struct config_target *t)
{
	const struct config_migration *m = &a->in_force.migration;
	const char *role = m->intended && strcmp(m->intended, t->name) == 0 ? "  <- levels L2 to L4 must be proven here" :
		m->reference && strcmp(m->reference, t->name) == 0 ? "  <- the original runs here" : "";

	buf_addf(out, "   %-16s %s, %lld chip%s", t->name, word_name(&words_target_kind, (int)t->kind), (long long)t->chips,
		t->chips == 1 ? "" : "s");
	if (t->backend && *t->backend)
		buf_addf(out, ", %s", t->backend);
	if (t->simulates)
		buf_adds(out, ", simulated: it cannot confirm L2 to L4");
	buf_addf(out, "%s\n", role);
}

static void add_targets(struct buf *out, const struct accepted *a)
{
	for (size_t i = 0; i < a->in_force.targets_n; i++)
		add_target(out, a, &a->in_force.targets[i]);
	if (!a->in_force.targets_n)
		buf_adds(out, "   none is configured\n");
	buf_adds(out, note_of(a));
}

static void add_rules(struct buf *out, const struct rule_gauges *g)
{
	for (size_t i = 0; i < g->n; i++)
		buf_addf(out, "   %-4s when %s: %s\n", g->rows[i].id, g->rows[i].when,
			g->rows[i].action == ACTION_STOP ? "stop" : "a person decides");
	if (!g->from_accepted)
		buf_adds(out, "   (the default rules: no configuration is accepted yet)\n");
}

static void fill_in(struct buf *out, const char *text, const struct accepted *a, const struct rule_gauges *g)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n == strlen("@TARGETS@") && memcmp(text, "@TARGETS@", n) == 0)
			add_targets(out, a);
		else if (n == strlen("@RULES@") && memcmp(text, "@RULES@", n) == 0)
			add_rules(out, g);
		else
			buf_addf(out, "%.*s\n", (int)n, text);
		text += n;
		text += *text == '\n';
	}
}

static void put_json(struct call *c, const struct accepted *a, const struct rule_gauges *g, const char *text)
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
	int rc = fs_read(&template, fs_data_path(c->arena, "brief.txt"), BRIEF_BYTES_MAX);

	if (rc == 0)
		rc = stop_rules_read(&gauges, c->workspace, c->at, 0, c->progress.cancel, c->arena);
	if (rc == 0 && (rc = accepted_read(&accepted, c->workspace, c->at)) == 0) {
		fill_in(&text, template.s, &accepted, &gauges);
		if (c->wants_json)
			put_json(c, &accepted, &gauges, text.s);
		else
			buf_add(&c->text, text.s, text.n);
		accepted_release(&accepted);
	}
	buf_release(&template);
	buf_release(&text);
	return rc;
}

const struct operation brief_operations[] = {
	{ "brief", NULL, 0, "the text that teaches an agent the conventions", OPERATION_CLI, NULL, brief_run, 0 },
	{ 0 },
};
