/* run_offer - see run_offer.h. */
#include "config.h"

#include "command/run_offer.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "command/run_doubts.h"
#include "domain/cost.h"
#include "workspace/accepted.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

static const enum run_kind kinds[] = { RUN_KIND_SMOKE, RUN_KIND_FULL };

static const char *copy(struct arena *a, const char *s)
{
	return arena_strdup(a, s ? s : "");
}

static struct run_offer_kind offer_kind(const struct config_run *r, struct arena *a)
{
	if (!r || !r->command || !*r->command)
		return (struct run_offer_kind){ .command = "", .done = "", .artifact = "" };
	return (struct run_offer_kind){
		.configured = true, .command = copy(a, r->command), .limit_ns = r->limit_ns,
		.budget_nano_usd = r->budget_nano_usd, .steps = r->steps, .done = copy(a, r->done),
		.artifact = copy(a, r->artifact),
		.checkable = r->steps || (r->done && *r->done) || (r->artifact && *r->artifact),
	};
}

/* The limit or the budget, whichever ends it first. */
static int64_t most(const struct run_offer_kind *k, const struct price *price, int chips)
{
	int64_t at_limit =
		k->limit_ns ? price_cost_nano_usd(price, k->limit_ns, chips) : COST_UNKNOWN;

	if (!k->configured || !price->known)
		return COST_UNKNOWN;
	if (k->budget_nano_usd && (at_limit == COST_UNKNOWN || k->budget_nano_usd < at_limit))
		return k->budget_nano_usd;
	return at_limit;
}

static const char *price_text(const struct config_target *t, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (!t->price.known)
		return "unknown";
	units_add_money(&b, t->price.nano_usd_hour);
	buf_adds(&b, t->price.per_chip ? "/chip-hour" : "/hour");
	if (t->price.per_chip && t->chips > 1)
		buf_addf(&b, " x %lld", (long long)t->chips);
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static int offer_target(struct run_offer_target *out, struct run_offer *offer, struct workspace *ws,
	const struct config *c, const struct config_target *t, struct arena *a)
{
	const struct run_request full = {
		.subject = offer->subject, .kind = RUN_KIND_FULL, .target = t->name
	};

	*out = (struct run_offer_target){ .name = copy(a, t->name),
		.kind = t->kind,
		.simulates = t->simulates,
		.chips = t->chips,
		.price = price_text(t, a),
		.doubts = run_doubts(ws, offer->subject, t->name, a) };
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		out->most_nano_usd[k] = most(&offer->kinds[k], &t->price, (int)t->chips);
	return run_gate_reason(&out->gate, ws, c, &full, offer->commit, a);
}

static const char *live_runs(struct workspace *ws, const char *subject, struct arena *a, int *rc)
{
	struct state_query q = { .type = "run" };
	struct buf b = BUF_INIT;
	const char *text;
	void **rows;
	size_t n = 0;

	*rc = state_list(ws, &q, a, &rows, &n);
	for (size_t i = 0; *rc == 0 && i < n; i++) {
		const struct run_state *r = rows[i];

		if (!run_status_ended(r->state) && strcmp(r->attempt, subject) == 0)
			buf_addf(&b, "%s%s on %s (%s)", b.n ? ", " : "",
				run_kind_text(r->kind), r->target, r->id);
	}
	text = arena_strdup(a, b.s);
	buf_release(&b);
	return text;
}

static int fill(struct run_offer *out, struct workspace *ws, const struct accepted *accepted,
	struct arena *a)
{
	const struct config *c = &accepted->in_force;
	int rc;

	if (!accepted->has_accepted) {
		out->refusal = arena_printf(a,
			"Nothing runs from a configuration that nobody accepted. %s",
			accepted->sentence);
		return 0;
	}
	if ((rc = run_commit(out->commit, ws, out->subject, a)) < 0) {
		out->refusal = copy(a, err_text());
		out->commit[0] = '\0';
		err_clear();
		return 0;
	}
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		out->kinds[k] = offer_kind(config_run_find(c, kinds[k]), a);
	out->intended = copy(a, c->migration.intended);
	out->targets = arena_alloc(a, (c->targets_n + 1) * sizeof *out->targets);
	for (size_t i = 0; i < c->targets_n; i++)
		if ((rc = offer_target(
			     &out->targets[out->n_targets++], out, ws, c, &c->targets[i], a)) < 0)
			return rc;
	if (!out->n_targets || (!out->kinds[0].configured && !out->kinds[1].configured))
		out->refusal =
			"The accepted portside.conf has no [target] or no [run] section; "
			"add them and accept it: "
			"portside config accept";
	out->live = live_runs(ws, out->subject, a, &rc);
	return rc;
}

int run_offer_read(
	struct run_offer *out, struct workspace *ws, const char *subject, struct arena *a)
{
	struct attempt_state *s;
	struct accepted accepted;
	int rc;

	*out = (struct run_offer){ .intended = "", .live = "" };
	if ((rc = state_attempt(ws, subject, NULL, a, &s)) < 0)
		return rc;
	out->subject = copy(a, s->id);
	if ((rc = accepted_read(&accepted, ws, NULL)) < 0)
		return rc;
	rc = fill(out, ws, &accepted, a);
	accepted_release(&accepted);
	return rc;
}
