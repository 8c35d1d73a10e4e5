/*
 * feasibility - before a chip is paid for: can it fit, how long would it take, at what cost?
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/position.h"
#include "domain/chip_memory.h"
#include "domain/fold.h"
#include "evidence/safetensors.h"
#include "workspace/accepted.h"
#include "workspace/rule_curves.h"
#include "workspace/run_parameters.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

static const struct report_column columns[] = {
	{ .name = "question", .title = "question", .type = REPORT_TEXT },
	{ .name = "answer", .title = "answer", .type = REPORT_TEXT },
	{ .name = "why", .title = "from", .type = REPORT_TEXT, .min_width = 20 },
};

static void put(struct report_table *t, const char *question, const char *answer, const char *why)
{
	report_row(t);
	report_text(t, "question", question);
	report_text(t, "answer", answer);
	report_text(t, "why", why);
}

/* ---- memory ---- */

struct model {
	int64_t parameters, parameter_bytes;
	const char *from;		/* NULL: not known */
};

static int read_weights(struct model *m, const char *path, struct arena *a)
{
	struct tensor *rows;
	uint64_t count = 0, bytes = 0;
	size_t n;
	int rc = safetensors_read(&rows, &n, a, path);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		count += rows[i].count;
		bytes += rows[i].size_bytes;
	}
	if (!count || count > INT64_MAX / 64)
		return err_set(ERR_PARSE, "%s: no parameters", path);
	m->parameters = (int64_t)count;
	/* Rounded down: it is a lower bound. */
	m->parameter_bytes = bytes / count ? (int64_t)(bytes / count) : 1;
	m->from = arena_printf(a, "%zu tensors in %s", n, path);
	return 0;
}

static int read_model(struct model *m, struct call *c)
{
	const char *type = call_text(c, "--type"), *weights = call_text(c, "--weights");
	int64_t stated = call_integer(c, "--parameters", 0);
	enum tensor_type t = tensor_type_of_torch(type ? type : "float32");

	*m = (struct model){ 0 };
	for (int i = 1; t == TENSOR_UNKNOWN && i < TENSOR_TYPES; i++)
		if (strcmp(tensor_type_facts((enum tensor_type)i)->name, type) == 0)
			t = (enum tensor_type)i;
	if (t == TENSOR_UNKNOWN)
		return err_set(ERR_USAGE, "--type %s is no type of numbers: bf16, f16, f32", type);
	if (stated < 0)
		return err_set(ERR_USAGE, "--parameters takes a whole number, 1 or more");
	if (weights)
		return read_weights(m, weights, c->arena);
	if (stated) {
		m->parameters = stated;
		m->parameter_bytes = tensor_type_facts(t)->size_bytes;
		m->from = arena_printf(c->arena, "stated: %lld parameters in %s",
			(long long)stated, tensor_type_facts(t)->name);
	}
	return 0;
}

/* What a run of the attempt had, else one of the reference; nothing where no record tells. */
static int model_of_probe(struct model *m, struct call *c, const char *subject)
{
	const char *const subjects[] = { subject, REFERENCE_ID };
	struct run_parameters p = { .run = NULL };
	int rc = 0;

	for (size_t i = 0; rc == 0 && !p.run && i < ARRAY_LEN(subjects); i++) {
		struct attempt_state *s = NULL;

		if (!subjects[i])
			continue;
		rc = state_attempt(c->workspace, subjects[i], c->at, c->arena, &s);
		if (rc == ERR_NOT_FOUND && i > 0) {
			err_clear();
			return 0;
		}
		if (rc == 0)
			rc = run_parameters_read(&p, c->workspace, s->id, c->at, c->arena);
	}
	if (rc < 0 || !p.run)
		return rc;
	*m = (struct model){ p.parameters, p.parameter_bytes,
		arena_printf(c->arena, "the probe's record of run %s: %lld parameters of %s%s%s",
			p.run, (long long)p.parameters, p.model, *p.type ? " in " : "", p.type) };
	return 0;
}

static const char *gib(struct arena *a, int64_t bytes)
{
	return arena_printf(a, "%.2f GiB", (double)bytes / (double)(1 << 30));
}

static int read_chips(struct chips *chips)
{
	struct buf text = BUF_INIT;
	int rc = fs_data_read(&text, "chips.tsv");

	if (rc == 0)
		rc = chips_read(chips, "chips.tsv", text.s, text.n);
	buf_release(&text);
	return rc;
}

static int put_memory(struct call *c, const struct config_target *target, const struct chip *chip,
	const struct model *m)
{
	const char *optimizer = call_text(c, "--optimizer");
	int64_t states = optimizer ? chip_memory_states(optimizer) : 0;
	struct chip_memory_need need = { .parameters = m->parameters,
		.parameter_bytes = m->parameter_bytes,
		.states = states,
		.state_bytes = m->parameter_bytes,
		.trains = optimizer != NULL,
		.chips = target->chips };
	int64_t bound;

	if (optimizer && states < 0)
		return err_set(ERR_USAGE,
			"--optimizer %s is not known: adam, adamw, lion, momentum, sgd", optimizer);
	if (!m->from) {
		put(c->table, "memory", "not known",
			"nobody says how many parameters there are: --parameters N, --weights "
			"FILE, or a run with --probe");
		return 0;
	}
	bound = chip_memory_bound(&need);
	if (bound < 0)
		return err_set(ERR_USAGE, "that many parameters are no model");
	put(c->table, "memory of a chip, at least", gib(c->arena, bound),
		arena_printf(c->arena,
			"%s, %s, spread over %lld chip%s as if nothing were kept twice; "
			"activations are not known and count as nothing",
			m->from,
			optimizer ? arena_printf(c->arena,
					    "each with a gradient and the states of %s", optimizer)
				  : "alone, since no --optimizer says that all are trained",
			(long long)target->chips, target->chips == 1 ? "" : "s"));
	if (!chip) {
		put(c->table, "does it fit?", "not known",
			"nobody says which chip it is: --chip NAME, or chip in [target] of "
			"portside.conf");
		return 0;
	}
	put(c->table, "memory of a chip", gib(c->arena, chip->memory_bytes), chip->source);
	c->no = bound > chip->memory_bytes;
	put(c->table, "does it fit?", c->no ? "it cannot" : "not known",
		c->no ? "the lower bound alone is more than the chip has"
		      : "the lower bound is within the chip; how much comes on top only a run "
		      	"tells");
	return 0;
}

/* ---- hours and cost ---- */

static const struct run_state *last_run(struct run_state *const *runs, size_t n, const char *target)
{
	const struct run_state *last = NULL;

	for (size_t i = 0; i < n; i++)
		if (!*runs[i]->prepared.struck && run_status_ended(runs[i]->state) &&
			runs[i]->kind != RUN_KIND_CONTRACT &&
			strcmp(runs[i]->target, target) == 0)
			last = runs[i];
	return last;
}

static void put_projection(
	struct call *c, const struct rule_curves *curves, const struct run_state *run)
{
	const char *from = arena_printf(c->arena, "projected from the steps of run %s", run->id);

	if (isnan(curves->projected_hours)) {
		put(c->table, "hours of a full run", "not known",
			arena_printf(c->arena,
				"run %s cannot be projected: that takes declared steps of a full "
				"run and 20 steps with times after the warm-up",
				run->id));
		return;
	}
	put(c->table, "hours of a full run",
		arena_printf(c->arena, "%.2f (%.2f to %.2f)", curves->projected_hours,
			curves->projected_low_hours, curves->projected_high_hours),
		from);
	put(c->table, "cost of a full run",
		isnan(curves->projected_usd)
			? "not known"
			: arena_printf(c->arena, "%.2f USD", curves->projected_usd),
		isnan(curves->projected_usd) ? "the target has no price" : from);
}

static int put_hours(struct call *c, const struct config *config, const char *subject,
	const struct config_target *target)
{
	struct rule_curves curves;
	struct attempt_state *s;
	struct run_state **runs;
	const struct run_state *run;
	size_t n;
	int rc = state_attempt(c->workspace, subject, c->at, c->arena, &s);

	if (rc < 0 || (rc = state_runs(&runs, &n, c->workspace, s->id, c->at, c->arena)) < 0)
		return rc;
	run = last_run(runs, n, target->name);
	if (!run) {
		put(c->table, "hours of a full run", "not known",
			arena_printf(c->arena,
				"no ended run of %s on %s: a smoke run makes a projection possible",
				s->id, target->name));
		return 0;
	}
	rule_curves_init(&curves);
	rc = rule_curves_read(&curves, c->workspace, config, run->id, c->at, c->progress.cancel,
		c->arena);
	if (rc == 0)
		put_projection(c, &curves, run);
	return rc;
}

/* ---- all ---- */

static int answer(struct call *c, const struct config *config, const struct chips *chips)
{
	const char *name = call_text(c, "--target"), *chip_name = call_text(c, "--chip");
	const struct config_target *target;
	const struct chip *chip = chip_name ? chips_find(chips, chip_name) : NULL;
	const char *subject = call_text(c, "attempt");
	struct model m;
	int rc = read_model(&m, c);

	if (rc < 0 || (rc = run_target_find(&target, config, name, c->arena)) < 0)
		return rc;
	if (!chip_name && *target->chip)
		chip = chips_find(chips, chip_name = target->chip);
	if (chip_name && !chip)
		return err_set(ERR_NOT_FOUND, "no chip \"%s\" in data/chips.tsv", chip_name);
	if (!subject)
		subject = position_attempt(c->workspace, c->at, "", -1, c->arena);
	if (!m.from && (rc = model_of_probe(&m, c, subject)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "feasibility", columns, ARRAY_LEN(columns));
	if ((rc = put_memory(c, target, chip, &m)) == 0 && subject)
		rc = put_hours(c, config, subject, target);
	if (rc == 0)
		report_note(c->table, "a bound and a projection, nothing that was measured");
	return rc;
}

static int feasibility_run(struct call *c)
{
	struct accepted accepted;
	struct chips chips;
	int rc = read_chips(&chips);

	if (rc == 0 && (rc = accepted_read(&accepted, c->workspace, c->at)) == 0) {
		rc = answer(c, &accepted.in_force, &chips);
		accepted_release(&accepted);
	}
	chips_release(&chips);
	return rc;
}

static const struct argument arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "whose runs are projected", false, false, NULL,
		"the last attempt" },
	{ "--target", ARGUMENT_TARGET, "where it would run", true, false, NULL, NULL },
	{ "--chip", ARGUMENT_TEXT, "its chip: v5e, v6e, l4, ...", false, false, NULL,
		"that of the target" },
	{ "--parameters", ARGUMENT_INTEGER, "how many parameters are trained", false, false, NULL,
		"as the probe saw" },
	{ "--weights", ARGUMENT_PATH, "a .safetensors whose head tells them", false, false, NULL,
		NULL },
	{ "--type", ARGUMENT_TEXT, "type of the parameters: bf16, f16, f32", false, false, NULL,
		"f32" },
	{ "--optimizer", ARGUMENT_TEXT, "adam, adamw, lion, momentum or sgd", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation feasibility_operations[] = {
	{ "feasibility", NULL, 0, "can it fit, how long would it take, what would it cost?",
		OPERATION_CLI | OPERATION_LONG, arguments, feasibility_run, 0 },
	{ 0 },
};
