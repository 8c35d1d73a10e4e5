/* known_versions - see known_versions.h. */
#include "config.h"

#include "workspace/known_versions.h"

#include <ctype.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"

struct asked {
	const struct settings *settings;
	int64_t world_size;
};

static bool is_feature(void *user, const char *name)
{
	(void)user;
	return !isdigit((unsigned char)*name);
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');

	if (slash && (!dot || slash > dot))
		dot = slash;
	return dot ? dot + 1 : name;
}

static struct expr_value number(double v)
{
	return (struct expr_value){ .type = EXPR_NUMBER, .number = v };
}

static struct expr_value feature(void *user, const char *name)
{
	const struct asked *asked = user;
	struct expr_value unknown = { .type = EXPR_UNKNOWN };
	double v;

	if (strcmp(name, "world_size") == 0 && asked->world_size > 0)
		return number((double)asked->world_size);
	for (size_t i = asked->settings ? asked->settings->n : 0; i-- > 0;) {
		const struct setting *s = &asked->settings->list[i];

		if (strcmp(last_part(s->name), name) == 0 && span_number(span_of(s->value), &v))
			return number(v);
	}
	return unknown;
}

static int ask_condition(enum truth *out, const struct package_known *known, struct asked *asked)
{
	struct expr *e;
	int rc;

	*out = TRUTH_TRUE;
	if (!*known->condition)
		return 0;
	if ((rc = expr_parse(&e, known->condition, is_feature, NULL)) < 0)
		return err_prefix("versions.tsv:%d: ", known->line);
	*out = expr_eval(e, feature, asked);
	expr_free(e);
	return 0;
}

int known_versions_read(struct packages_known *out)
{
	struct buf text = BUF_INIT;
	int rc;

	*out = (struct packages_known){ .arena = ARENA_INIT };
	if ((rc = fs_data_read(&text, "versions.tsv")) == 0)
		rc = packages_known_read(out, "versions.tsv", text.s, text.n);
	buf_release(&text);
	return rc;
}

int known_versions_ask(struct known_versions *out, const struct evidence_facts *packages,
	const struct settings *settings, int64_t world_size)
{
	struct asked asked = { settings, world_size };
	int rc;

	*out = (struct known_versions){ .table = { .arena = ARENA_INIT } };
	if ((rc = known_versions_read(&out->table)) < 0)
		return rc;
	out->n = packages_known_find(out->hits, KNOWN_VERSIONS_MAX, &out->table, packages);
	if (out->n > KNOWN_VERSIONS_MAX)
		out->n = KNOWN_VERSIONS_MAX;
	for (size_t i = 0; rc == 0 && i < out->n; i++)
		rc = ask_condition(&out->holds[i], out->hits[i].known, &asked);
	return rc;
}

void known_versions_release(struct known_versions *k)
{
	packages_known_release(&k->table);
	k->n = 0;
}
