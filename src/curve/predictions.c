/* predictions - examples by their ids, two files joined, and what that says. */
#include "config.h"

#include "curve/predictions_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* ---- the examples of a file ---- */

struct predictions *predictions_new(const char *name)
{
	struct predictions *p = xcalloc(1, sizeof *p);

	p->name = xstrdup(name);
	random_bytes(&p->seed, sizeof p->seed);
	buf_init(&p->ids);
	return p;
}

void predictions_free(struct predictions *p)
{
	if (!p)
		return;
	free(p->name);
	buf_release(&p->ids);
	free(p->list);
	free(p->table);
	free(p);
}

/* From a secret beginning. */
static uint32_t hash_of(const struct predictions *p, const char *s, size_t n)
{
	uint64_t h = fnv1a(p->seed, s, n);

	return (uint32_t)(h >> 32 ^ h);
}

static bool is_example(const struct predictions *p, const struct example *e, const char *id,
	size_t n, uint32_t hash)
{
	return e->hash == hash && e->id_n == n && memcmp(p->ids.s + e->id_at, id, n) == 0;
}

/* Its place in the table: of the example, or the free one where it belongs. */
static size_t place_of(const struct predictions *p, const char *id, size_t n, uint32_t hash)
{
	size_t i = hash & (p->table_n - 1);

	while (p->table[i] && !is_example(p, &p->list[p->table[i] - 1], id, n, hash))
		i = (i + 1) & (p->table_n - 1);
	return i;
}

const struct example *predictions_find(const struct predictions *p, const char *id, size_t n)
{
	size_t i;

	if (!p->table_n)
		return NULL;
	i = place_of(p, id, n, hash_of(p, id, n));
	return p->table[i] ? &p->list[p->table[i] - 1] : NULL;
}

/* Half of the table stays free. */
static void grow_table(struct predictions *p)
{
	if (p->n * 2 < p->table_n)
		return;
	free(p->table);
	p->table_n = p->table_n ? p->table_n * 2 : 1024;
	p->table = xcalloc(p->table_n, sizeof *p->table);
	for (size_t i = 0; i < p->n; i++) {
		const struct example *e = &p->list[i];

		p->table[place_of(p, p->ids.s + e->id_at, e->id_n, e->hash)] = (uint32_t)i + 1;
	}
}

static void meet_again(struct example *e, const struct prediction_row *row)
{
	e->repeated = true;
	if (e->correct != row->correct ||
		(e->has_label && row->has_label && e->label != row->label))
		e->contradicting = true;
}

void predictions_add(struct predictions *p, const struct prediction_row *row)
{
	uint32_t hash = hash_of(p, row->id, row->id_n);
	size_t place;

	p->rows++;
	grow_table(p);
	place = place_of(p, row->id, row->id_n, hash);
	if (p->table[place]) {
		meet_again(&p->list[p->table[place] - 1], row);
		return;
	}
	if (p->n == PREDICTIONS_MAX) {
		p->full = true;
		return;
	}
	ARRAY_GROW(p->list, p->n, p->cap);
	p->list[p->n++] = (struct example){ .id_at = p->ids.n,
		.id_n = (uint32_t)row->id_n,
		.hash = hash,
		.label = row->label,
		.has_label = row->has_label,
		.correct = row->correct };
	p->table[place] = (uint32_t)p->n;
	buf_add(&p->ids, row->id, row->id_n);
}

struct predictions_counts predictions_count(const struct predictions *p)
{
	struct predictions_counts c = { .rows = p->rows,
		.examples = (int64_t)p->n,
		.unreadable = p->unreadable };

	for (size_t i = 0; i < p->n; i++) {
		const struct example *e = &p->list[i];

		c.correct += e->correct && !e->contradicting;
		c.repeated += e->repeated && !e->contradicting;
		c.contradicting += e->contradicting;
	}
	return c;
}

/* ---- two files ---- */

static void take_pair(
	struct predictions_pair *out, const struct example *r, const struct example *a)
{
	if (r->contradicting || a->contradicting) {
		out->contradicting++;
		return;
	}
	if (r->has_label && a->has_label && r->label != a->label) {
		out->other_label++;
		return;
	}
	out->n++;
	out->both += r->correct && a->correct;
	out->neither += !r->correct && !a->correct;
	out->b += r->correct && !a->correct;
	out->c += !r->correct && a->correct;
}

void predictions_join(struct predictions_pair *out, const struct predictions *reference,
	const struct predictions *attempt)
{
	int64_t met = 0;

	*out = (struct predictions_pair){
		.reference = predictions_count(reference),
		.attempt = predictions_count(attempt),
	};
	for (size_t i = 0; i < reference->n; i++) {
		const struct example *r = &reference->list[i];
		const struct example *a =
			predictions_find(attempt, reference->ids.s + r->id_at, r->id_n);

		if (!a) {
			out->only_reference++;
			continue;
		}
		met++;
		take_pair(out, r, a);
	}
	out->only_attempt = (int64_t)attempt->n - met;
	out->mcnemar = out->n
		? mcnemar_exact(out->b, out->c, out->n)
		: (struct mcnemar){ .p = NAN, .gap = NAN, .se = NAN, .interval = { NAN, NAN } };
}

/* ---- in sentences ---- */

static void say_paired(struct buf *out, const struct predictions_pair *p)
{
	if (!p->n) {
		buf_adds(out, "no example has the same id in both files: nothing is paired");
		return;
	}
	buf_addf(out,
		"%" PRId64 " example%s paired by id: right in both %" PRId64
		", wrong in both %" PRId64 ", right in the reference only %" PRId64
		" (b), right in the attempt only %" PRId64 " (c)",
		p->n, p->n == 1 ? "" : "s", p->both, p->neither, p->b, p->c);
}

static void say_test(struct buf *out, const struct predictions_pair *p)
{
	if (!p->n)
		return;
	if (p->b + p->c == 0) {
		buf_adds(out, "McNemar, exact: no example differs, p = 1");
		return;
	}
	buf_addf(out,
		"McNemar, exact, two-sided: p = %.4g for %" PRId64 " and %" PRId64
		" of %" PRId64 " that differ; gap %+.3f points, 95 %% interval [%+.3f, %+.3f]",
		p->mcnemar.p, p->b, p->c, p->b + p->c, 100 * p->mcnemar.gap,
		100 * p->mcnemar.interval.low, 100 * p->mcnemar.interval.high);
}

static void add_part(struct buf *out, int64_t n, const char *what)
{
	if (n)
		buf_addf(out, "%s%" PRId64 " %s", out->n ? ", " : "", n, what);
}

static void say_left_out(struct buf *out, const struct predictions_pair *p)
{
	struct buf parts = BUF_INIT;

	add_part(&parts, p->only_reference, "in the reference alone");
	add_part(&parts, p->only_attempt, "in the attempt alone");
	add_part(&parts, p->other_label, "whose label differs between the files");
	add_part(&parts, p->contradicting, "whose rows contradict each other");
	add_part(&parts, p->reference.unreadable + p->attempt.unreadable,
		"rows without an id or an answer");
	if (parts.n)
		buf_addf(out, "left out: %s", parts.s);
	buf_release(&parts);
}

static void say_repeated(struct buf *out, const struct predictions_pair *p)
{
	if (p->reference.repeated || p->attempt.repeated)
		buf_addf(out,
			"counted once: examples that stand several times with the same answer, "
			"%" PRId64 " in the reference and %" PRId64 " in the attempt",
			p->reference.repeated, p->attempt.repeated);
}

static void say_limits(struct buf *out, const struct predictions_pair *p)
{
	if (!p->n)
		return;
	buf_adds(out, "covers evaluation sampling only, not seed variance");
	if (p->mcnemar.p >= 0.05)
		buf_adds(out, "; no difference was shown, which is not an equivalence");
}

bool predictions_statement(struct buf *out, const struct predictions_pair *pair, size_t i)
{
	static void (*const statements[])(struct buf *, const struct predictions_pair *) = {
		say_paired, say_test, say_left_out, say_repeated, say_limits
	};
	size_t said = 0;

	/* Those that have nothing to say are passed over. */
	for (size_t k = 0; k < ARRAY_LEN(statements); k++) {
		buf_clear(out);
		statements[k](out, pair);
		if (out->n && said++ == i)
			return true;
	}
	buf_clear(out);
	return false;
}
