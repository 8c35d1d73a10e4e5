/* packages_check - see packages_check.h. */
#include "config.h"

#include "evidence/packages_check.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/expr.h"
#include "evidence/packages_difference.h"

enum { NAMED_MAX = 3, HITS_MAX = 64 };

static const char *const computing[] = { "torch", "torch-xla", "torch-tpu", "libtpu", "jax",
	"jaxlib", "flax", "optax", "tensorflow", "keras", "transformers", "accelerate", "peft",
	"trl", "diffusers", "timm", "lightning", "pytorch-lightning", "deepspeed", "datasets",
	"tokenizers", "sentencepiece", "safetensors", "evaluate", "scikit-learn", "scipy", "numpy",
	"python" };

bool packages_check_computes(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(computing); i++)
		if (strcmp(computing[i], name) == 0)
			return true;
	return false;
}

/* What a person said of the package; NULL: nothing. */
static const struct package_classified *classified_of(
	const struct packages_question *q, const char *name)
{
	for (size_t i = 0; i < q->classified_n; i++)
		if (strcmp(q->classified[i].name, name) == 0)
			return &q->classified[i];
	return NULL;
}

static bool is_classified(const struct packages_question *q, const char *name)
{
	return classified_of(q, name) != NULL;
}

/* ---- known versions ---- */

struct settings { const struct packages_question *q; };

static struct expr_value setting(void *user, const char *name)
{
	const struct packages_question *q = ((const struct settings *)user)->q;
	double value = strcmp(name, "world_size") == 0 ? q->world_size
		: strcmp(name, "max_grad_norm") == 0   ? q->max_grad_norm
		: strcmp(name, "gradient_accumulation_steps") == 0
		? q->gradient_accumulation_steps
		: NAN;

	if (isnan(value))
		return (struct expr_value){ .type = EXPR_UNKNOWN };
	return (struct expr_value){ .type = EXPR_NUMBER, .number = value };
}

static bool any_name(void *user, const char *name)
{
	(void)user;
	(void)name;
	return true;
}

static enum truth condition_of(const struct packages_question *q, const struct package_known *k)
{
	struct settings s = { q };
	struct expr *e;
	enum truth t;

	if (!*k->condition)
		return TRUTH_TRUE;
	if (expr_parse(&e, k->condition, any_name, NULL) < 0) {
		err_clear();
		return TRUTH_UNKNOWN;
	}
	t = expr_eval(e, setting, &s);
	expr_free(e);
	return t;
}

static size_t hits_of(struct package_hit hits[HITS_MAX], const struct packages_question *q,
	const struct check_source *side)
{
	size_t n =
		q->known && side ? packages_known_find(hits, HITS_MAX, q->known, side->facts) : 0;

	return n < HITS_MAX ? n : HITS_MAX;
}

static bool reference_has(const struct packages_question *q, const struct package_known *k)
{
	struct package_hit hits[HITS_MAX];
	size_t n = hits_of(hits, q, q->reference);

	for (size_t i = 0; i < n; i++)
		if (hits[i].known == k)
			return true;
	return false;
}

/* ---- deps ---- */

struct differences {
	size_t major, open, classified, equal;
	const struct package_row *named[NAMED_MAX];
	size_t named_n;
};

static bool must_be_classified(const struct package_row *row)
{
	if (row->change == PACKAGE_EQUAL)
		return false;
	return row->change == PACKAGE_MAJOR || packages_check_computes(row->name);
}

/* Major ones are named first: a second pass takes what is open besides. */
static void count(struct differences *d, const struct packages_difference *all,
	const struct packages_question *q, bool major)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct package_row *row = &all->rows[i];
		bool is_major = row->change == PACKAGE_MAJOR;

		if (is_major != major || !must_be_classified(row))
			continue;
		if (is_classified(q, row->name)) {
			d->classified++;
			continue;
		}
		d->major += is_major;
		d->open++;
		if (d->named_n < NAMED_MAX)
			d->named[d->named_n++] = row;
	}
}

static const char *version_of(const struct evidence_fact *f)
{
	return !f ? "none" : *f->text ? f->text : "not told";
}

static const char *names_of(
	struct check_answer *out, const struct differences *d, const struct packages_question *q,
	struct arena *a)
{
	const char *text = "";

	for (size_t i = 0; i < d->named_n; i++) {
		const struct package_row *row = d->named[i];

		text = arena_printf(a, "%s%s%.60s %.40s against %.40s (%s)", text, i ? ", " : "",
			row->name, version_of(row->attempt), version_of(row->reference),
			package_change_words[row->change]);
		check_answer_fact(out, q->attempt, 1, row->attempt);
		check_answer_fact(out, q->reference, 1, row->reference);
	}
	if (d->open > d->named_n)
		text = arena_printf(a, "%s and %zu more", text, d->open - d->named_n);
	return text;
}

/* A known version in the attempt alone that nobody spoke of; NULL: none. */
static const struct package_hit *new_hit(struct package_hit hits[HITS_MAX],
	const struct packages_question *q)
{
	size_t n = hits_of(hits, q, q->attempt);

	for (size_t i = 0; i < n; i++)
		if (condition_of(q, hits[i].known) != TRUTH_FALSE &&
			!reference_has(q, hits[i].known) &&
			!is_classified(q, hits[i].known->package))
			return &hits[i];
	return NULL;
}

/* The classes are part of the answer: another class is another answer. */
static const char *classes_of(const struct packages_difference *all,
	const struct packages_question *q, struct arena *a)
{
	const char *text = "";

	for (size_t i = 0; i < all->n; i++) {
		const char *name = all->rows[i].name;
		const struct package_classified *said = classified_of(q, name);

		if (!said || !must_be_classified(&all->rows[i]))
			continue;
		text = arena_printf(a, "%s%s%.60s %s", text, *text ? ", " : ": ", name,
			said->class && *said->class ? said->class : "without a class");
	}
	return text;
}

static void add_lists(struct check_answer *out, const struct packages_question *q)
{
	check_answer_fact(out, q->attempt, 1,
		evidence_facts_last(q->attempt->facts, FACT_PACKAGES, NULL));
	check_answer_fact(out, q->reference, 1,
		evidence_facts_last(q->reference->facts, FACT_PACKAGES, NULL));
}

static void judge_lists(struct check_answer *out, const struct packages_question *q,
	const struct packages_difference *all, struct arena *a)
{
	struct differences d = { .major = 0 };
	struct package_hit hits[HITS_MAX];
	const struct package_hit *hit;
	const char *names;

	count(&d, all, q, true);
	count(&d, all, q, false);
	names = names_of(out, &d, q, a);
	hit = new_hit(hits, q);
	if (d.major) {
		check_answer_set(out, a, CHECK_REFUTED,
			"%zu major change%s of version that nobody classified: %s", d.major,
			d.major == 1 ? "" : "s", names);
	} else if (d.open) {
		check_answer_set(out, a, CHECK_UNKNOWN,
			"%zu difference%s that nobody classified, so no gap may be put down to the backend: %s",
			d.open, d.open == 1 ? "" : "s", names);
	} else if (hit) {
		check_answer_fact(out, q->attempt, 1, hit->package);
		check_answer_set(out, a, CHECK_UNKNOWN, "%s %.40s %.300s, and nobody classified it",
			hit->known->package, hit->package->text, hit->known->happens);
	} else {
		add_lists(out, q);
		check_answer_set(out, a, CHECK_CONFIRMED,
			"every difference that matters is classified (%zu%s), and %zu packages are equal",
			d.classified, classes_of(all, q, a), all->counts[PACKAGE_EQUAL]);
	}
}

static bool has_versions(const struct check_source *side)
{
	return side && evidence_facts_last(side->facts, FACT_PACKAGE_VERSION, NULL);
}

void packages_check_deps(
	struct check_answer *out, const struct packages_question *q, struct arena *a)
{
	struct packages_difference all;

	if (!has_versions(q->attempt)) {
		check_answer_set(out, a, CHECK_NOT_CHECKED,
			"nobody listed the packages of this run; a run with --probe, or a captured pip freeze, does");
		return;
	}
	if (!has_versions(q->reference)) {
		check_answer_fact(out, q->attempt, 1,
			evidence_facts_last(q->attempt->facts, FACT_PACKAGE_VERSION, NULL));
		check_answer_set(out, a, CHECK_UNKNOWN,
			"the packages of this run are on record; those of the reference are not");
		return;
	}
	packages_compare(&all, q->reference->facts, q->attempt->facts);
	judge_lists(out, q, &all, a);
	packages_difference_release(&all);
}

/* ---- grad ---- */

static bool is_about_clipping(const struct package_known *k)
{
	return strstr(k->condition, "max_grad_norm") != NULL;
}

static const char *norm_text(const struct packages_question *q, struct arena *a)
{
	return isnan(q->max_grad_norm) ? "whether max_grad_norm is set is not known"
		: arena_printf(a, "max_grad_norm is %.6g", q->max_grad_norm);
}

static const char *world_text(const struct packages_question *q, struct arena *a)
{
	return isnan(q->world_size) ? "how many processes train is not known"
		: arena_printf(a, "%.0f processes train", q->world_size);
}

void packages_check_grad(
	struct check_answer *out, const struct packages_question *q, struct arena *a)
{
	struct package_hit hits[HITS_MAX];
	size_t n = hits_of(hits, q, q->attempt);

	for (size_t i = 0; i < n; i++) {
		const struct package_known *k = hits[i].known;
		enum truth t = is_about_clipping(k) ? condition_of(q, k) : TRUTH_FALSE;

		if (t == TRUTH_FALSE)
			continue;
		check_answer_set(out, a, t == TRUTH_TRUE ? CHECK_REFUTED : CHECK_UNKNOWN,
			"%s %.40s %.200s (%.80s); %s, %s", k->package, hits[i].package->text,
			k->happens, k->source, world_text(q, a), norm_text(q, a));
		check_answer_fact(out, q->attempt, 1, hits[i].package);
		return;
	}
}
