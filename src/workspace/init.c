/* init - see init.h.  Looking is in init_look.c, this writes the proposal. */
#include "config.h"

#include "workspace/init.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/discovery.h"
#include "workspace/init_command.h"
#include "workspace/init_look.h"

struct draft {
	struct buf text;
	struct init_fact *facts;
	size_t n, cap, open;
	struct arena *a;
};

static void fact(struct draft *d, const char *what, const struct looked *l)
{
	ARRAY_GROW(d->facts, d->n, d->cap);
	d->facts[d->n++] = (struct init_fact){ what, l->value ? l->value : "",
		l->value ? l->where : "nothing found" };
	d->open += !l->value;
}

static void comment(struct draft *d, const char *words)
{
	buf_addf(&d->text, "; %s\n", words);
}

/* Quoted as git reads it, so that no value from a file ends its line or becomes
 * a comment. */
static void add_quoted(struct buf *out, const char *value)
{
	buf_addc(out, '"');
	for (const char *s = value; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

static bool needs_quotes(const char *value)
{
	return strpbrk(value, "\"\\;#") || *value == ' ' ||
		(*value && value[strlen(value) - 1] == ' ');
}

static void set(struct draft *d, const char *key, const char *value)
{
	buf_addf(&d->text, "\t%s = ", key);
	if (needs_quotes(value))
		add_quoted(&d->text, value);
	else
		buf_adds(&d->text, value);
	buf_addc(&d->text, '\n');
}

static void set_command(struct draft *d, const char *value)
{
	buf_adds(&d->text, "\tcommand = ");
	add_quoted(&d->text, value);
	buf_addc(&d->text, '\n');
}

/* A line to fill in: a comment until somebody does. */
static void unset(struct draft *d, const char *key, const char *example)
{
	buf_addf(&d->text, "\t; %s = %s\n", key, example);
}

/* ---- sections ---------------------------------------------------------------------- */

static void add_migration(struct draft *d, const struct init_look *l, const struct looked *name,
	const struct looked *original)
{
	comment(d, "What is moved.  Lines that begin with a semicolon are comments; those with");
	comment(d, "a key in them are for you to fill in.");
	buf_adds(&d->text, "[migration]\n");
	buf_addf(&d->text, "\t; From %s.\n", name->where);
	set(d, "name", name->value);
	if (original->value) {
		buf_addf(&d->text, "\t; The untouched code: %s.\n", original->where);
		set(d, "original", original->value);
	} else {
		buf_adds(&d->text,
			"\t; The untouched code: a tag or commit.  There is no commit yet.\n");
		unset(d, "original", "original");
	}
	buf_addf(&d->text, "\t; The experiment that is repeated, in your words%s%s%s.\n",
		l->title.value ? " (the README is called \"" : "",
		l->title.value ? l->title.value : "", l->title.value ? "\")" : "");
	unset(d, "experiment", "model and data");
	if (l->cuda.value) {
		buf_addf(&d->text, "\t; What is expected to be hard: %s names %s.\n", l->cuda.where,
			l->cuda.value);
		set(d, "challenge", "cuda");
	} else if (l->code.value) {
		buf_addf(&d->text,
			"\t; What is expected to be hard: %s, the first at %s; portside scan lists them.\n",
			l->code.value, l->code.where);
		set(d, "challenge", "cuda");
	} else {
		buf_adds(&d->text, "\t; What is expected to be hard.\n");
		unset(d, "challenge", "cuda");
	}
	buf_adds(&d->text,
		"\t; The target that levels L2 to L4 must be proven on, and the one that the\n"
		"\t; original runs on.  Both are sections below; their names are yours.\n");
	set(d, "intended", "tpu");
	set(d, "reference", "gpu");
}

static void add_goal(struct draft *d, const struct init_look *l)
{
	const char *metric = l->metric.value;
	const char *start = metric ? "\t" : "\t; ";

	buf_adds(&d->text,
		"\n; The statement that level L3 tests; it is frozen by the first run on the\n; intended target.\n");
	if (metric)
		buf_addf(&d->text, "; The series \"%s\" is in %s.  Is it the result that counts?\n",
			metric, l->metric.where);
	else
		buf_adds(&d->text,
			"; No log of an earlier run was found, so the name of the series is not known.\n");
	buf_addf(&d->text, "%s[goal \"result\"]\n", metric ? "" : "; ");
	if (metric)
		set(d, "series", metric);
	else
		buf_addf(&d->text, "%sseries = eval_accuracy\n", start);
	buf_addf(&d->text, "%sdirection = %s\n", start,
		l->direction.value ? l->direction.value : "higher");
	if (l->scale.value) {
		buf_addf(&d->text, "\t; %s: shown times 100, in percentage points.\n",
			l->scale.where);
		set(d, "scale", l->scale.value);
		set(d, "unit", "pp");
	}
	buf_adds(&d->text, "\t; The value to reach; without it, the reference's own value.\n");
	unset(d, "target", "90.9");
	buf_adds(&d->text,
		"\t; The accepted distance from it.  Decide it now, before any run: 0 when left out.\n");
	unset(d, "margin", "1.0");
	buf_adds(&d->text,
		"\t; Examples of the evaluation: they tell which differences can be seen at all.\n");
	unset(d, "examples", "408");
}

static void add_targets(struct draft *d, const struct init_look *l)
{
	buf_adds(&d->text,
		"\n; Where the original runs.  ASSUMED: this machine.\n[target \"gpu\"]\n");
	set(d, "kind", "gpu");
	if (l->batch.value)
		buf_addf(&d->text,
			"\t; %s submits to %s; what ran there comes in with portside import.\n",
			l->batch.where, l->batch.value);
	set(d, "launcher", "local");
	buf_adds(&d->text, "\t; With a unit; without it the cost is unknown, not zero.\n");
	unset(d, "price", "0.85 USD/hour");
	buf_adds(&d->text,
		"\n; Where it shall run.  ASSUMED: nothing in the repository tells the chips, the\n"
		"; machine or the price.  A level is proven on one configuration only.\n[target \"tpu\"]\n");
	set(d, "kind", "tpu");
	set(d, "chips", "1");
	if (l->framework.value && strcmp(l->framework.value, "torch") == 0) {
		buf_addf(&d->text, "\t; %s names torch.\n", l->framework.where);
		set(d, "backend", "pytorch-xla");
	}
	set(d, "launcher", "local");
	if (l->tpu_requirements.value) {
		buf_addf(&d->text, "\t; %s is there.  The command runs once in a clean checkout.\n",
			l->tpu_requirements.where);
		buf_adds(&d->text, "\tsetup = ");
		add_quoted(&d->text,
			arena_printf(d->a, "pip install -r %s", l->tpu_requirements.value));
		buf_addc(&d->text, '\n');
	}
	unset(d, "price", "1.20 USD/chip-hour");
}

/* From the README's own command where there is one: it knows the arguments that
 * the script cannot do without. */
static char *command(struct draft *d, const struct init_look *l, bool smoke)
{
	struct buf b = BUF_INIT, more = BUF_INIT;
	char *copy;

	buf_adds(&b, l->command.value ? l->command.value : l->script.value);
	if (smoke && l->steps.value) {
		init_command_set(&more, b.s, l->steps.value, "50");
		buf_clear(&b);
		buf_adds(&b, more.s);
		buf_clear(&more);
	}
	if (l->seed.value)
		init_command_set(&more, b.s, l->seed.value, "$PORTSIDE_SEED");
	copy = arena_printf(d->a, "python3 %s", l->seed.value ? more.s : b.s);
	buf_release(&b);
	buf_release(&more);
	return copy;
}

/* The number of steps that the README's own command asks for; NULL: none. */
static const char *whole_steps(struct draft *d, const struct init_look *l)
{
	const char *text = l->command.value && l->steps.value
		? init_command_value(l->command.value, l->steps.value, d->a)
		: NULL;
	int64_t steps;

	return text && text_to_i64(text, strlen(text), &steps) && steps > 0 ? text : NULL;
}

/* What a run must show so that its end counts: steps, a text, a file. */
static void add_end(struct draft *d, const struct init_look *l, bool smoke)
{
	const char *whole = smoke ? NULL : whole_steps(d, l);

	if (smoke && l->steps.value)
		set(d, "steps", "50");
	else if (whole)
		set(d, "steps", whole);
	else if (!smoke && l->last_step.value) {
		buf_addf(&d->text, "\t; The last step in %s; was that a whole training?\n",
			l->last_step.where);
		unset(d, "steps", l->last_step.value);
	}
	if (l->done.value) {
		if (smoke)
			buf_addf(&d->text, "\t; %s prints it at its end.\n", l->done.where);
		set(d, "done", l->done.value);
	}
	if (!l->done.value && !whole && !(smoke ? l->steps.value : l->last_step.value)) {
		buf_adds(&d->text,
			"\t; Without steps, done or artifact, status 0 proves nothing: L0 stays unknown.\n");
		unset(d, "artifact", "out/trainer_state.json");
	}
	if (l->data.value) {
		if (smoke)
			buf_addf(&d->text,
				"\t; Runs use a clean checkout; this folder of %s is linked into it.\n",
				l->data.where);
		set(d, "link", l->data.value);
	}
}

static void add_runs(struct draft *d, const struct init_look *l)
{
	if (!l->script.value) {
		buf_adds(&d->text,
			"\n; How the training is started.  No script was found that looks like one.\n"
			"; [run \"smoke\"]\n;\tcommand = \"python3 train.py --max_steps 50 --seed $PORTSIDE_SEED\"\n;\tsteps = 50\n"
			"; [run \"full\"]\n;\tcommand = \"python3 train.py --seed $PORTSIDE_SEED\"\n");
		return;
	}
	buf_addf(&d->text,
		"\n; A short run that must look right before a full one is started.\n; %s: %s.\n",
		l->script.value, l->script.where);
	if (l->others.value)
		buf_addf(&d->text, "; Others that could be it: %s.\n", l->others.value);
	if (l->command.value)
		buf_addf(&d->text, "; Its arguments are those of %s.\n", l->command.where);
	if (l->launcher.value)
		buf_addf(&d->text, "; %s starts it with: %s\n", l->launcher.where,
			l->launcher.value);
	buf_adds(&d->text, "[run \"smoke\"]\n");
	if (l->steps.value)
		buf_addf(&d->text, "\t; %s is an argument (%s).\n", l->steps.value, l->steps.where);
	else
		buf_adds(&d->text,
			"\t; No argument for the number of steps was found: make this command short.\n");
	if (l->seed.value)
		buf_addf(&d->text,
			"\t; %s is an argument%s (%s); runs are repeated with other seeds.\n",
			l->seed.value, l->steps.value ? " too" : "", l->seed.where);
	else
		buf_adds(&d->text,
			"\t; No argument for the seed was found; $PORTSIDE_SEED carries it.\n");
	set_command(d, command(d, l, true));
	add_end(d, l, true);
	set(d, "limit", "15m");
	buf_adds(&d->text, "; The whole training.\n[run \"full\"]\n");
	set_command(d, command(d, l, false));
	add_end(d, l, false);
	set(d, "limit", "4h");
	unset(d, "budget", "20.00 USD");
}

static void add_rules(struct draft *d, const struct init_look *l)
{
	buf_adds(&d->text,
		"\n; When portside asks you to stop or decide.  These are the defaults.\n"
		"[rule \"R1\"]\n\twhen = \"attempts >= 10 and best_level < L0\"\n\taction = stop\n\tclass = budget\n"
		"[rule \"R2\"]\n\twhen = \"agent_hours >= 3 and best_level < L0\"\n\taction = stop\n\tclass = budget\n");
	if (l->metric.value)
		buf_adds(&d->text,
			"; 5 points of the goal between a smoke run and the reference's, inputs being equal.\n"
			"[rule \"R4\"]\n\twhen = \"smoke_gap.result worse than 5.0\"\n\tprecondition = comparable-inputs\n"
			"\taction = decision\n\tclass = correctness\n");
	else
		buf_adds(&d->text,
			"; For the goal, once it is filled in:\n"
			"; [rule \"R4\"]\n;\twhen = \"smoke_gap.result worse than 5.0\"\n;\tprecondition = comparable-inputs\n"
			";\taction = decision\n;\tclass = correctness\n");
	buf_adds(&d->text,
		"[rule \"R5\"]\n\twhen = \"projected_hours > 4\"\n\taction = decision\n\tclass = cost\n");
}

/* ---- the whole ------------------------------------------------------------------------ */

static int look_at_history(struct looked *original, struct looked *attempts, struct workspace *ws,
	const atomic_bool *cancel, struct arena *a)
{
	struct discovery_options o = { .cancel = cancel };
	struct repository *repo;
	struct discovery found;
	int rc = workspace_repository(ws, &repo);

	if (rc < 0 || (rc = discovery_run(&found, repo, &o)) < 0)
		return rc;
	if (found.original_how != ORIGINAL_NONE) {
		original->value = found.original_how == ORIGINAL_TAG
			? "original"
			: arena_strdup(a, found.original);
		original->where = text_sanitised(a, found.original_text);
	}
	if (found.n) {
		attempts->value = arena_printf(a, "%zu", found.n);
		attempts->where =
			arena_printf(a, "the first by %s", text_sanitised(a, found.rows[0].source));
	}
	discovery_release(&found);
	return 0;
}

static void list_facts(struct draft *d, const struct init_look *l)
{
	const struct {
		const char *what;
		const struct looked *l;
	} all[] = {
		{ "title", &l->title },
		{ "training script", &l->script },
		{ "steps argument", &l->steps },
		{ "seed argument", &l->seed },
		{ "last words of a run", &l->done },
		{ "data folder", &l->data },
		{ "framework", &l->framework },
		{ "packages that need CUDA", &l->cuda },
		{ "earlier log", &l->log },
		{ "metric", &l->metric },
		{ "batch system", &l->batch },
		{ "command in the README", &l->command },
		{ "CUDA in the code", &l->code },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		fact(d, all[i].what, all[i].l);
}

int init_propose(
	struct init_proposal *out, struct workspace *ws, const atomic_bool *cancel, struct arena *a)
{
	const char *workdir = workspace_place(ws)->main_workdir;
	struct draft d = { .text = BUF_INIT, .a = a };
	struct looked name, original = { 0 }, attempts = { 0 };
	struct init_look l;
	int rc;

	if (!workdir)
		return err_set(ERR_STATE,
			"a %s has no work tree to look at; go to the clone that the work is done in",
			workspace_place(ws)->bundle ? "bundle" : "bare repository");
	if ((rc = look_at(&l, workdir, cancel, a)) < 0 ||
		(rc = look_at_history(&original, &attempts, ws, cancel, a)) < 0)
		return rc;
	name = (struct looked){ text_sanitised(a, fs_basename(workdir)), "the folder's name" };
	fact(&d, "name", &name);
	fact(&d, "original", &original);
	fact(&d, "attempts", &attempts);
	list_facts(&d, &l);
	comment(&d, "portside.conf, proposed by portside init; see portside.conf(5).");
	comment(&d,
		"Nothing runs from this file before a person accepts it: portside config accept");
	if (l.cut)
		comment(&d, "The work tree has more files than were looked at.");
	buf_addc(&d.text, '\n');
	add_migration(&d, &l, &name, &original);
	add_goal(&d, &l);
	add_targets(&d, &l);
	add_runs(&d, &l);
	add_rules(&d, &l);
	out->facts = arena_memdup(a, d.facts, d.n * sizeof *d.facts);
	out->n = d.n;
	out->open = d.open;
	out->text = arena_strdup(a, d.text.s);
	free(d.facts);
	buf_release(&d.text);
	return 0;
}

int init_write(const char **path, struct workspace *ws, const char *text)
{
	int rc;

	*path = workspace_place(ws)->conf_path;
	if (!*path)
		return err_set(ERR_STATE, "a bare repository has no place for portside.conf");
	rc = fs_write_new(*path, text, strlen(text), 0644);
	if (rc == ERR_EXISTS)
		return err_set(rc,
			"%s is there and is never overwritten; see what differs: portside init | diff portside.conf -",
			*path);
	return rc;
}
