/* packages_difference - two sorted lists side by side; see packages_difference.h. */
#include "config.h"

#include "evidence/packages_difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "evidence/package_version.h"

const char *const package_change_words[PACKAGE_CHANGES] = {
	[PACKAGE_EQUAL] = "equal",
	[PACKAGE_ADDED] = "added",
	[PACKAGE_REMOVED] = "removed",
	[PACKAGE_BUILD] = "other build",
	[PACKAGE_PATCH] = "patch",
	[PACKAGE_MINOR] = "minor",
	[PACKAGE_MAJOR] = "major",
	[PACKAGE_NOT_COMPARED] = "not compared",
};

const char *const package_class_words[PACKAGE_CLASSES] = {
	[PACKAGE_MATCH] = "match",
	[PACKAGE_MODIFIED] = "modified",
	[PACKAGE_MISMATCH] = "mismatch",
};

enum package_class package_change_class(enum package_change change)
{
	switch (change) {
	case PACKAGE_EQUAL:
		return PACKAGE_MATCH;
	case PACKAGE_ADDED:
	case PACKAGE_REMOVED:
	case PACKAGE_BUILD:
	case PACKAGE_PATCH:
	case PACKAGE_MINOR:
		return PACKAGE_MODIFIED;
	case PACKAGE_MAJOR:
	case PACKAGE_NOT_COMPARED:
	case PACKAGE_CHANGES:
		break;
	}
	return PACKAGE_MISMATCH;
}

/* The first part of the release that differs; SIZE_MAX: none. */
static size_t differing_part(const struct package_version *a, const struct package_version *b)
{
	for (size_t i = 0; i < a->release_n || i < b->release_n; i++) {
		int64_t x = i < a->release_n ? a->release[i] : 0;
		int64_t y = i < b->release_n ? b->release[i] : 0;

		if (x != y)
			return i;
	}
	return SIZE_MAX;
}

enum package_change package_versions_change(
	struct span reference, struct span attempt, int *direction)
{
	struct package_version a, b, public_a, public_b;
	size_t part;

	*direction = 0;
	if (!package_version_read(&a, reference) || !package_version_read(&b, attempt))
		return reference.n && reference.n == attempt.n &&
				memcmp(reference.s, attempt.s, attempt.n) == 0
			? PACKAGE_EQUAL
			: PACKAGE_NOT_COMPARED;
	*direction = package_version_compare(&b, &a);
	if (*direction == 0)
		return PACKAGE_EQUAL;
	public_a = a;
	public_b = b;
	public_a.local = public_b.local = SPAN_NONE;
	if (package_version_compare(&public_a, &public_b) == 0) {
		*direction = 0;
		return PACKAGE_BUILD;
	}
	part = differing_part(&a, &b);
	if (a.epoch != b.epoch || part == 0)
		return PACKAGE_MAJOR;
	return part == 1 ? PACKAGE_MINOR : PACKAGE_PATCH;
}

/* ---- two lists ---- */

struct list {
	const struct evidence_fact **rows;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	const struct evidence_fact *x = *(const struct evidence_fact *const *)a;
	const struct evidence_fact *y = *(const struct evidence_fact *const *)b;
	int c = strcmp(x->key, y->key);

	if (c)
		return c;
	/* A version before a place, and the latest line first. */
	c = (int)x->name - (int)y->name;
	return c ? c : (x->line < y->line) - (x->line > y->line);
}

/* One fact a package: its version, else what is allowed, else where it is from. */
static struct list list_of(const struct evidence_facts *facts)
{
	struct list l = { NULL, 0, 0 };
	size_t kept = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const struct evidence_fact *f = &facts->rows[i];

		if (f->name != FACT_PACKAGE_VERSION && f->name != FACT_PACKAGE_REQUIRED &&
			f->name != FACT_PACKAGE_SOURCE)
			continue;
		ARRAY_GROW(l.rows, l.n, l.cap);
		l.rows[l.n++] = f;
	}
	if (l.n)
		qsort(l.rows, l.n, sizeof *l.rows, by_name);
	for (size_t i = 0; i < l.n; i++)
		if (!kept || strcmp(l.rows[kept - 1]->key, l.rows[i]->key) != 0)
			l.rows[kept++] = l.rows[i];
	l.n = kept;
	return l;
}

static struct span version_text(const struct evidence_fact *f)
{
	return f->name == FACT_PACKAGE_VERSION ? span_of(f->text) : SPAN_NONE;
}

static struct package_row row_of(
	const struct evidence_fact *reference, const struct evidence_fact *attempt)
{
	struct package_row row = { .name = reference ? reference->key : attempt->key,
		.reference = reference, .attempt = attempt };

	if (!reference)
		row.change = PACKAGE_ADDED;
	else if (!attempt)
		row.change = PACKAGE_REMOVED;
	else if (reference->name == FACT_PACKAGE_SOURCE && attempt->name == FACT_PACKAGE_SOURCE)
		row.change = strcmp(reference->text, attempt->text) == 0 ? PACKAGE_EQUAL
									 : PACKAGE_NOT_COMPARED;
	else
		row.change = package_versions_change(
			version_text(reference), version_text(attempt), &row.direction);
	return row;
}

void packages_compare(struct packages_difference *d, const struct evidence_facts *reference,
	const struct evidence_facts *attempt)
{
	struct list a = list_of(reference), b = list_of(attempt);
	size_t i = 0, k = 0;

	*d = (struct packages_difference){ .rows = xcalloc(a.n + b.n + 1, sizeof *d->rows) };
	while (i < a.n || k < b.n) {
		int c = i == a.n ? 1 : k == b.n ? -1 : strcmp(a.rows[i]->key, b.rows[k]->key);
		struct package_row row =
			row_of(c <= 0 ? a.rows[i] : NULL, c >= 0 ? b.rows[k] : NULL);

		i += c <= 0;
		k += c >= 0;
		d->counts[row.change]++;
		d->rows[d->n++] = row;
	}
	free(a.rows);
	free(b.rows);
}

void packages_difference_release(struct packages_difference *d)
{
	free(d->rows);
	*d = (struct packages_difference){ .rows = NULL };
}
