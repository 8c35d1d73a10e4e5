/* packages_known - the table of known versions, and what of it a list has; see packages_known.h. */
#include "config.h"

#include "evidence/packages_known.h"

#include <string.h>

#include "base/err.h"
#include "base/expr.h"
#include "evidence/package_version.h"

enum { COLUMNS = 7 };

static const char *const column_names[COLUMNS] = { "package", "versions", "beside", "condition",
	"cause", "what happens", "source" };

static bool any_feature(void *user, const char *name)
{
	(void)user;
	(void)name;
	return true;
}

/* The other package of "numpy >=2" or "torch minor", and what is asked of it. */
static struct span beside_name(const char *beside, struct span *rest)
{
	struct span name = span_until(span_of(beside), " ", rest);

	*rest = span_trim(*rest);
	return name;
}

static bool specifiers_valid(struct span s)
{
	struct package_version any;

	return s.n && package_version_read(&any, SPAN("1")) &&
		package_version_matches(&any, s) >= 0;
}

static int check_row(const struct package_known *k, const char *file)
{
	struct span rest, name = beside_name(k->beside, &rest);
	struct expr *e;
	int rc;

	if (!package_name_valid(span_of(k->package)) || !specifiers_valid(span_of(k->versions)))
		return err_set(ERR_PARSE,
			"%s:%d: \"%s %s\" is no package and its versions (\">=1.0,<2.0\")",
			file, k->line, k->package, k->versions);
	if (name.n && (!package_name_valid(name) ||
			      (!span_equal(rest, "minor") && !specifiers_valid(rest))))
		return err_set(ERR_PARSE,
			"%s:%d: \"%s\" is no other package; write \"numpy >=2\" or \"torch minor\"",
			file, k->line, k->beside);
	if (!*k->condition)
		return 0;
	rc = expr_parse(&e, k->condition, any_feature, NULL);
	if (rc < 0)
		return err_prefix("%s:%d: condition: ", file, k->line);
	expr_free(e);
	return 0;
}

static int take_row(struct packages_known *known, const char *file, int number, struct span line)
{
	struct package_known *k = &known->rows[known->n];
	const char **fields[COLUMNS] = { &k->package, &k->versions, &k->beside, &k->condition,
		&k->cause, &k->happens, &k->source };

	for (int i = 0; i < COLUMNS; i++) {
		struct span field = span_until(line, "\t", &line);

		*fields[i] = arena_strndup(&known->arena, field.s, field.n);
	}
	k->line = number;
	known->n++;
	return check_row(k, file);
}

static size_t tabs(struct span line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.n; i++)
		n += line.s[i] == '\t';
	return n;
}

int packages_known_read(struct packages_known *known, const char *file, const char *text, size_t n)
{
	struct span all = { text, n };
	size_t lines = 1;
	int rc = 0;

	*known = (struct packages_known){ .arena = ARENA_INIT };
	for (size_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	known->rows = arena_alloc(&known->arena, lines * sizeof *known->rows);
	for (int number = 1; rc == 0 && all.n; number++) {
		struct span line = span_until(all, "\n", &all);

		/* The first line names the columns. */
		if (number == 1 || !line.n || line.s[0] == '#')
			continue;
		if (tabs(line) != COLUMNS - 1)
			return err_set(ERR_PARSE,
				"%s:%d: %zu columns; %d are wanted, the first is %s", file, number,
				tabs(line) + 1, COLUMNS, column_names[0]);
		rc = take_row(known, file, number, line);
	}
	return rc;
}

void packages_known_release(struct packages_known *known)
{
	arena_release(&known->arena);
	*known = (struct packages_known){ .arena = ARENA_INIT };
}

/* ---- looking for them ---- */

static const struct evidence_fact *find(
	const struct evidence_facts *facts, struct span name, struct package_version *v)
{
	struct buf key = BUF_INIT;
	const struct evidence_fact *f;

	package_name_add(&key, name);
	f = evidence_facts_last(facts, FACT_PACKAGE_VERSION, key.s);
	buf_release(&key);
	return f && package_version_read(v, span_of(f->text)) ? f : NULL;
}

static bool same_minor(const struct package_version *a, const struct package_version *b)
{
	for (size_t i = 0; i < 2; i++)
		if ((i < a->release_n ? a->release[i] : 0) !=
			(i < b->release_n ? b->release[i] : 0))
			return false;
	return true;
}

static bool holds(
	struct package_hit *hit, const struct package_known *k, const struct evidence_facts *facts)
{
	struct package_version v, other;
	struct span rest, name = beside_name(k->beside, &rest);

	*hit = (struct package_hit){ .known = k };
	hit->package = find(facts, span_of(k->package), &v);
	if (!hit->package || package_version_matches(&v, span_of(k->versions)) != 1)
		return false;
	if (!name.n)
		return true;
	hit->beside = find(facts, name, &other);
	if (!hit->beside)
		return false;
	return span_equal(rest, "minor") ? !same_minor(&v, &other)
					 : package_version_matches(&other, rest) == 1;
}

size_t packages_known_find(struct package_hit *hits, size_t max, const struct packages_known *known,
	const struct evidence_facts *facts)
{
	size_t n = 0;

	for (size_t i = 0; i < known->n; i++) {
		struct package_hit hit;

		if (!holds(&hit, &known->rows[i], facts))
			continue;
		if (n < max)
			hits[n] = hit;
		n++;
	}
	return n;
}
