/* agreement - see agreement.h. */
#include "config.h"

#include "domain/agreement.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const char *const categories[AGREEMENT_CATEGORIES] = {
	"none", "C0", "C1", "C2", "C3", "C4", "C5", "C6",
};

const char *agreement_category_name(size_t category)
{
	return category < AGREEMENT_CATEGORIES ? categories[category] : "";
}

double agreement_kappa(const int64_t *counts, size_t n, double *observed, double *expected)
{
	double total = 0, same = 0, chance = 0, po, pe;

	for (size_t i = 0; i < n * n; i++)
		total += (double)counts[i];
	for (size_t i = 0; i < n; i++) {
		double row = 0, column = 0;

		for (size_t k = 0; k < n; k++) {
			row += (double)counts[i * n + k];
			column += (double)counts[k * n + i];
		}
		same += (double)counts[i * n + i];
		chance += row * column;
	}
	po = total > 0 ? same / total : (double)NAN;
	pe = total > 0 ? chance / (total * total) : (double)NAN;
	if (observed)
		*observed = po;
	if (expected)
		*expected = pe;
	return total > 0 && pe < 1 ? (po - pe) / (1 - pe) : (double)NAN;
}

static bool counts_here(const struct label *l)
{
	return !*l->entry.struck && text_starts(l->entry.who, "human:");
}

bool agreement_labels(const struct label **first, const struct label **second,
	const struct attempt_state *s)
{
	*first = *second = NULL;
	for (size_t i = 0; i < s->labels_n && !*second; i++) {
		const struct label *l = &s->labels[i];

		if (!counts_here(l))
			continue;
		if (!*first)
			*first = l;
		else if (strcmp((*first)->reviewer, l->reviewer) != 0)
			*second = l;
	}
	return *second != NULL;
}

/* -1: a failure without a cause. */
static int category_of(const struct label *l)
{
	for (int i = 1; i < AGREEMENT_CATEGORIES; i++)
		if (strcmp(categories[i], l->cause) == 0)
			return i;
	return l->outcome == OUTCOME_FAILURE ? -1 : 0;
}

void agreement_add(struct agreement *g, const struct attempt_state *s)
{
	const struct label *first, *second;
	int a, b;

	if (!agreement_labels(&first, &second, s))
		return;
	a = category_of(first);
	b = category_of(second);
	if (a < 0 || b < 0) {
		g->without_cause++;
		return;
	}
	g->counts[a][b]++;
	g->n++;
	g->blind += second->blind && !second->blind_broken;
}

void agreement_finish(struct agreement *g)
{
	g->kappa = agreement_kappa(
		&g->counts[0][0], AGREEMENT_CATEGORIES, &g->observed, &g->expected);
}

void agreement_add_text(struct buf *out, const struct agreement *g)
{
	if (!g->n) {
		buf_adds(out, g->without_cause ? "no two reviewers gave a cause for one attempt"
					       : "no attempt has labels of two reviewers");
		return;
	}
	if (isnan(g->kappa))
		buf_adds(out, "kappa - (all labels are alike, so chance would agree as well)");
	else
		buf_addf(out, "kappa %.2f", g->kappa);
	buf_addf(out, ", n = %lld, blind %lld of %lld", (long long)g->n, (long long)g->blind,
		(long long)g->n);
}
