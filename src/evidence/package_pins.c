/* package_pins - see package_pins.h. */
#include "config.h"

#include "evidence/package_pins.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"
#include "evidence/evidence_lines.h"
#include "evidence/package_version.h"

enum { SPECIFIER_MAX = 200, TEXT_MAX = 160, SETTING_DISTANCE_MAX = 80 };

/* Numbers that conditions of the table name, besides the chips. */
static const char *const settings[] = { "max_grad_norm", "gradient_accumulation_steps" };

/* ---- files ---- */

enum pin_syntax { PIN_NONE, PIN_LINES, PIN_QUOTED, PIN_CONDA };

static enum pin_syntax syntax_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (text_ends(name, ".txt") &&
		(strstr(name, "requirement") || text_starts(name, "constraint") ||
			strstr(path, "requirements/")))
		return PIN_LINES;
	if (strcmp(name, "setup.py") == 0 || strcmp(name, "pyproject.toml") == 0)
		return PIN_QUOTED;
	if (strcmp(name, "setup.cfg") == 0)
		return PIN_LINES;
	if ((text_ends(name, ".yml") || text_ends(name, ".yaml")) &&
		(text_starts(name, "environment") || text_starts(name, "conda") ||
			text_starts(name, "env")))
		return PIN_CONDA;
	return PIN_NONE;
}

bool package_pins_wants(const char *path)
{
	return syntax_of(path) != PIN_NONE;
}

/* ---- the newest version that is allowed ---- */

/* Just below V: its last part that is not 0, less one, and then as much as can be. */
static void add_below(struct buf *out, const struct package_version *v)
{
	size_t n = v->release_n;

	for (size_t i = 0; i + 1 < n; i++)
		buf_addf(out, "%" PRId64 ".", v->release[i]);
	buf_addf(out, "%" PRId64 ".99999", n && v->release[n - 1] > 0 ? v->release[n - 1] - 1 : 0);
}

/* The parts of TEXT up to KEEP, and then as much as can be. */
static void add_last_of(struct buf *out, const struct package_version *v, size_t keep)
{
	for (size_t i = 0; i < keep; i++)
		buf_addf(out, "%" PRId64 ".", i < v->release_n ? v->release[i] : 0);
	buf_adds(out, "99999");
}

/* What one clause allows at most, as text; nothing when it has no upper end. */
static void add_upper(struct buf *out, struct span clause)
{
	struct package_version v;
	struct span version;

	clause = span_trim(clause);
	if (span_starts(clause, "===") || span_starts(clause, ">") || span_starts(clause, "!="))
		return;
	version = span_trim(span_from(clause, strspn(clause.n ? clause.s : "", "=<~")));
	if (span_ends(version, ".*")) {
		version.n -= 2;
		if (span_starts(clause, "==") && package_version_read(&v, version))
			add_last_of(out, &v, v.written_n);
		return;
	}
	if (!package_version_read(&v, version))
		return;
	if (span_starts(clause, "~="))
		add_last_of(out, &v, v.written_n ? v.written_n - 1 : 0);
	else if (span_starts(clause, "==") || span_starts(clause, "<="))
		buf_add(out, version.s, version.n);
	else if (span_starts(clause, "<"))
		add_below(out, &v);
}

/* The newest that all clauses allow, among their upper ends; "" without one. */
static const char *newest_of(struct arena *a, struct span specifiers)
{
	struct span rest = specifiers;
	const char *best = "";

	while (rest.n) {
		struct span clause = span_until(rest, ",", &rest);
		struct package_version v, top;
		struct buf upper = BUF_INIT;

		add_upper(&upper, clause);
		if (upper.n && package_version_read(&v, (struct span){ upper.s, upper.n }) &&
			package_version_matches(&v, specifiers) == 1 &&
			(!*best || (package_version_read(&top, span_of(best)) &&
					   package_version_compare(&v, &top) > 0)))
			best = arena_strndup(a, upper.s, upper.n);
		buf_release(&upper);
	}
	return best;
}

/* ---- one line ---- */

struct pins {
	struct package_pins *out;
	const struct packages_known *known;
	const char *path;
	enum pin_syntax syntax;
	int64_t line;
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* Does the word at S[0..N) name PACKAGE, in any spelling? */
static bool names(const char *s, size_t n, const char *package)
{
	struct buf name = BUF_INIT;
	bool same;

	package_name_add(&name, (struct span){ s, n });
	same = strcmp(name.s, package) == 0;
	buf_release(&name);
	return same;
}

/* What stands behind a name: "[extra] >=1.0, <2.0"; REST is what is behind that. */
static struct span take_specifiers(struct span *rest)
{
	struct span s = span_trim(*rest), extras;
	size_t n = 0;

	if (span_starts(s, "[")) {
		(void)span_until(s, "]", &extras);
		s = span_trim(extras);
	}
	if (span_starts(s, "("))
		s = span_from(s, 1);
	while (n < s.n && n < SPECIFIER_MAX && !strchr("\"';#)&|@", s.s[n]))
		n++;
	*rest = span_from(s, n);
	return span_trim((struct span){ s.s, n });
}

/* conda's "0.21" behind one "=" allows what begins so, and "=0.21=build" too. */
static const char *as_specifiers(const struct pins *p, struct span s)
{
	struct arena *a = &p->out->arena;

	if (p->syntax == PIN_CONDA && span_starts(s, "=") && !span_starts(s, "==")) {
		struct span rest, version = span_until(span_from(s, 1), "=", &rest);

		version = span_trim(version);
		return rest.n ? arena_printf(a, "==%.*s", (int)version.n, version.s)
			      : arena_printf(a, "==%.*s.*", (int)version.n, version.s);
	}
	return arena_strndup(a, s.s, s.n);
}

static void look_at(struct pins *p, struct span name, struct span specifiers)
{
	struct package_pins *out = p->out;
	const char *text = as_specifiers(p, specifiers), *newest;
	struct package_version v;

	if (!*text || !strchr("=<>~!", *text))
		return;
	newest = newest_of(&out->arena, span_of(text));
	if (!*newest || !package_version_read(&v, span_of(newest)))
		return;
	for (size_t i = 0; i < p->known->n && out->n < PACKAGE_PINS_MAX; i++) {
		const struct package_known *k = &p->known->rows[i];

		if (*k->beside || !names(name.s, name.n, k->package) ||
			package_version_matches(&v, span_of(k->versions)) != 1)
			continue;
		ARRAY_GROW(out->rows, out->n, out->cap);
		out->rows[out->n++] = (struct package_pin){ .known = k,
			.path = arena_strdup(&out->arena, p->path),
			.line = p->line,
			.text = text_sanitised(&out->arena,
				arena_printf(&out->arena, "%.*s%.*s", (int)name.n, name.s,
					(int)(specifiers.n < TEXT_MAX ? specifiers.n : TEXT_MAX),
					specifiers.s)),
			.newest = newest };
	}
}

/* May a requirement begin at S[I]? */
static bool begins(const struct pins *p, struct span s, size_t i)
{
	size_t before = i;

	if (i && is_name(s.s[i - 1]))
		return false;
	if (p->syntax == PIN_QUOTED)
		return i && (s.s[i - 1] == '"' || s.s[i - 1] == '\'');
	while (before && strchr(" \t\"'", s.s[before - 1]))
		before--;
	if (p->syntax == PIN_CONDA)
		return before && s.s[before - 1] == '-';
	return before == 0;
}

/* A comment begins at a "#" that stands alone or first. */
static struct span without_comment(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] == '#' && (i == 0 || s.s[i - 1] == ' ' || s.s[i - 1] == '\t'))
			return (struct span){ s.s, i };
	return s;
}

static void take_line(struct pins *p, struct span whole)
{
	struct span s = without_comment(whole);

	for (size_t i = 0; i < s.n; i++) {
		size_t n = 0;
		struct span rest;

		if (!isalpha((unsigned char)s.s[i]) || !begins(p, s, i))
			continue;
		while (i + n < s.n && is_name(s.s[i + n]))
			n++;
		rest = span_from(s, i + n);
		look_at(p, (struct span){ s.s + i, n }, take_specifiers(&rest));
		i += n;
	}
}

void package_pins_read(struct package_pins *out, const struct packages_known *known,
	const char *path, const char *text, size_t n)
{
	struct pins p = { .out = out, .known = known, .path = path, .syntax = syntax_of(path) };
	struct span rest = { text, n };

	if (p.syntax == PIN_NONE)
		return;
	while (rest.n) {
		p.line++;
		take_line(&p, span_until(rest, "\n", &rest));
	}
}

/* ---- settings ---- */

/* The number behind NAME: "--NAME 1.0", "NAME=1.0", "NAME: 1.0", "NAME\", default=1.0". */
static bool number_behind(struct span s, double *out)
{
	size_t limit = s.n < SETTING_DISTANCE_MAX ? s.n : SETTING_DISTANCE_MAX, i = 0, n = 0;
	struct span behind;

	if (s.n && is_name(s.s[0]))
		return false;
	if (span_behind(&behind, (struct span){ s.s, limit }, "default")) {
		s = behind;
		limit = s.n;
	}
	while (i < limit && strchr(" \t\"'=:,", s.s[i]))
		i++;
	while (i + n < s.n && (isdigit((unsigned char)s.s[i + n]) || strchr(".eE-+", s.s[i + n])))
		n++;
	return i && n && text_to_double(s.s + i, n, out);
}

static void add_setting(struct package_pins *p, const char *name, const char *path, int64_t line,
	double value)
{
	if (p->settings_n == PACKAGE_SETTINGS_MAX)
		return;
	ARRAY_GROW(p->settings, p->settings_n, p->settings_cap);
	p->settings[p->settings_n++] = (struct package_setting){
		name, arena_strdup(&p->arena, path), line, value
	};
}

void package_pins_settings(struct package_pins *p, const char *path, const char *text, size_t n)
{
	struct span rest = { text, n }, behind;
	double value;

	for (int64_t number = 1; rest.n; number++) {
		struct span line = without_comment(span_until(rest, "\n", &rest));

		for (size_t i = 0; i < ARRAY_LEN(settings); i++)
			if (span_behind(&behind, line, settings[i]) &&
				number_behind(behind, &value))
				add_setting(p, settings[i], path, number, value);
	}
}

void package_pins_release(struct package_pins *p)
{
	free(p->rows);
	free(p->settings);
	arena_release(&p->arena);
	*p = (struct package_pins)PACKAGE_PINS_INIT;
}

const struct package_setting *package_pins_setting(const struct package_pins *p, const char *name)
{
	const struct package_setting *most = NULL;

	for (size_t i = 0; i < p->settings_n; i++)
		if (strcmp(p->settings[i].name, name) == 0 &&
			(!most || p->settings[i].value > most->value))
			most = &p->settings[i];
	return most;
}

/* ---- conditions ---- */

struct world {
	const struct package_pins *pins;
	int64_t chips;
};

static bool any_feature(void *user, const char *name)
{
	(void)user;
	(void)name;
	return true;
}

static struct expr_value feature(void *user, const char *name)
{
	const struct world *w = user;
	const struct package_setting *s = package_pins_setting(w->pins, name);

	if (strcmp(name, "world_size") == 0 && w->chips > 0)
		return (struct expr_value){ .type = EXPR_NUMBER, .number = (double)w->chips };
	if (s)
		return (struct expr_value){ .type = EXPR_NUMBER, .number = s->value };
	return (struct expr_value){ .type = EXPR_UNKNOWN };
}

enum truth package_pins_hold(
	const struct package_pins *p, const struct package_pin *pin, int64_t chips)
{
	struct world w = { p, chips };
	enum truth t = TRUTH_UNKNOWN;
	struct expr *e;

	if (!*pin->known->condition)
		return TRUTH_TRUE;
	if (expr_parse(&e, pin->known->condition, any_feature, NULL) < 0) {
		err_clear();
		return TRUTH_UNKNOWN;
	}
	t = expr_eval(e, feature, &w);
	expr_free(e);
	return t;
}
