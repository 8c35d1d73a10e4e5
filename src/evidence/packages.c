/* packages - lists of packages, line by line; see packages.h. */
#include "config.h"

#include "evidence/packages.h"

#include <ctype.h>
#include <string.h>

#include "evidence/package_version.h"

enum table { TABLE_NONE, TABLE_PIP, TABLE_CONDA };

struct packages {
	struct evidence_facts *facts;	/* NULL: only recognising */
	struct evidence_lines lines;
	enum table table;		/* whose header was seen */
	struct buf editable;		/* "name==1.0" of the comment above an editable one */
	int64_t named;			/* lines that name a package */
	int64_t exact;			/* that a file of another kind would hardly have */
	int64_t other;			/* lines of no list of packages */
};

/* ---- facts ---- */

static void add(
	struct packages *p, enum evidence_fact_name fact, struct span name, struct span text)
{
	struct buf key = BUF_INIT;

	if (!p->facts)
		return;
	package_name_add(&key, name);
	evidence_add(p->facts, (struct evidence_place){ p->lines.number, -1 }, fact,
		(struct span){ key.s, key.n }, text);
	buf_release(&key);
}

static bool is_version(struct span text)
{
	struct package_version v;

	return package_version_read(&v, text);
}

/* "https://user:secret@host/path" without what stands before the @. */
static void add_source(struct packages *p, struct span name, struct span url)
{
	struct buf clean = BUF_INIT;
	struct span host, rest, behind;

	if (span_behind(&host, url, "://")) {
		struct span authority = span_until(host, "/?#", &rest);

		buf_add(&clean, url.s, url.n - host.n);
		/* The last @ ends the credentials: a password may hold one. */
		while (span_behind(&behind, authority, "@"))
			authority = behind;
		buf_add(&clean, authority.s, (size_t)(url.s + url.n - authority.s));
	} else {
		buf_add(&clean, url.s, url.n);
	}
	add(p, FACT_PACKAGE_SOURCE, name, (struct span){ clean.s, clean.n });
	buf_release(&clean);
}

/* ---- one requirement: name[extra] OP version, or name @ url; marker ---- */

static struct span without_comment(struct span line)
{
	for (size_t i = 0; i + 1 < line.n; i++)
		if (line.s[i + 1] == '#' && (line.s[i] == ' ' || line.s[i] == '\t'))
			line.n = i;
	return span_trim(line);
}

/* The name at the front, with its extras taken off. */
static struct span take_name(struct span *s)
{
	struct span name = *s, rest;
	size_t n = 0;

	while (n < s->n && (isalnum((unsigned char)s->s[n]) || strchr("._-", s->s[n])) && s->s[n])
		n++;
	name.n = n;
	*s = span_trim(span_from(*s, n));
	if (span_starts(*s, "[")) {
		span_until(*s, "]", &rest);
		*s = span_trim(rest);
	}
	return name;
}

static bool take_specifiers(struct packages *p, struct span name, struct span s)
{
	struct package_version any = { .post = -1, .dev = -1, .local = SPAN_NONE };
	struct span version = s;

	/* "==2.1.0" names one version, "==2.1.*" and ">=2" many. */
	if (span_take(&version, "==") && !span_starts(version, "=") && is_version(version)) {
		p->exact++;
		add(p, FACT_PACKAGE_VERSION, name, span_trim(version));
		return true;
	}
	any.release_n = any.written_n = 1;
	if (package_version_matches(&any, s) < 0)
		return false;
	if (s.n)
		add(p, FACT_PACKAGE_REQUIRED, name, s);
	return true;
}

static bool take_requirement(struct packages *p, struct span line)
{
	struct span s = without_comment(line), marker, name, hash;
	bool read;

	if (span_ends(s, "\\"))
		s.n--;
	if (span_behind(&hash, s, " --hash="))
		s.n -= hash.n + strlen(" --hash=");
	s = span_trim(s);
	name = take_name(&s);
	if (!package_name_valid(name))
		return false;
	if (span_take(&s, "@ ")) {
		/* A marker of a URL has a blank before its semicolon. */
		if (span_behind(&marker, s, " ;"))
			s.n -= marker.n + strlen(" ;");
		else
			marker = SPAN_NONE;
		p->exact++;
		add_source(p, name, span_trim(s));
		read = true;
	} else {
		s = span_until(s, ";", &marker);
		read = take_specifiers(p, name, span_trim(s));
	}
	if (read && span_trim(marker).n)
		add(p, FACT_PACKAGE_MARKER, name, span_trim(marker));
	return read;
}

/* ---- editable installs ---- */

/* "# Editable install with no version control (name==1.0)" */
static bool take_editable_comment(struct packages *p, struct span line)
{
	struct span inside;

	if (!span_starts(line, "# Editable") || !span_behind(&inside, line, "(") ||
		!span_ends(inside, ")"))
		return false;
	inside.n--;
	buf_clear(&p->editable);
	buf_add(&p->editable, inside.s, inside.n);
	return true;
}

/* "-e git+https://host/x@revision#egg=name", "-e /folder" below its comment. */
static bool take_editable(struct packages *p, struct span line)
{
	struct span s = line, name, rest, version;

	if (!span_take(&s, "-e ") && !span_take(&s, "--editable "))
		return false;
	s = span_trim(s);
	if (span_behind(&name, s, "#egg=")) {
		name = span_until(name, "&[ ", &rest);
	} else if (p->editable.n) {
		version = (struct span){ p->editable.s, p->editable.n };
		name = take_name(&version);
		if (span_take(&version, "==") && is_version(version))
			add(p, FACT_PACKAGE_VERSION, name, version);
	} else {
		name = s;
		while (span_behind(&rest, name, "/") && rest.n)
			name = rest;
		name = span_until(name, "@#[/", &rest);
	}
	add(p, FACT_PACKAGE_EDITABLE, name, SPAN("editable"));
	add_source(p, name, s);
	buf_clear(&p->editable);
	p->named++;
	p->exact++;
	return true;
}

/* ---- tables and exports ---- */

static struct span take_word(struct span *s)
{
	struct span word = span_until(*s, " \t", s);

	*s = span_trim(*s);
	return word;
}

static bool take_header(struct packages *p, struct span line)
{
	struct span conda = line, pip = line;

	if (span_take(&conda, "# Name") && span_starts(span_trim(conda), "Version"))
		p->table = TABLE_CONDA;
	else if (span_take(&pip, "Package ") && span_starts(span_trim(pip), "Version"))
		p->table = TABLE_PIP;
	else
		return false;
	p->exact += 2;
	return true;
}

/* "name  version  build or location  channel" */
static bool take_row(struct packages *p, struct span line)
{
	struct span s = line, name = take_word(&s), version = take_word(&s);

	if (p->table == TABLE_NONE || !package_name_valid(name) || !version.n)
		return false;
	add(p, FACT_PACKAGE_VERSION, name, version);
	if (s.n && p->table == TABLE_CONDA)
		add(p, FACT_PACKAGE_BUILD, name, take_word(&s));
	else if (s.n) {
		add(p, FACT_PACKAGE_EDITABLE, name, SPAN("editable"));
		add_source(p, name, s);
	}
	return true;
}

/* "name=version=build", as `conda list --export` writes. */
static bool take_export(struct packages *p, struct span line)
{
	struct span build, name = span_until(line, "=", &build), version;

	if (!package_name_valid(name) || span_starts(build, "=") || !memchr(build.s, '=', build.n))
		return false;
	version = span_until(build, "=", &build);
	if (!is_version(version) || !build.n || memchr(build.s, '=', build.n) ||
		memchr(build.s, ' ', build.n))
		return false;
	p->exact++;
	add(p, FACT_PACKAGE_VERSION, name, version);
	add(p, FACT_PACKAGE_BUILD, name, build);
	return true;
}

/* ---- lines ---- */

/* Options of pip, and what goes on from the line above; their values may hold credentials. */
static bool take_option(struct packages *p, struct span line)
{
	struct span option, value;

	if (span_starts(line, "--hash=") || span_starts(line, "---"))
		return true;
	if (!span_starts(line, "-"))
		return false;
	option = span_until(line, " =", &value);
	value = span_trim(value);
	if (p->facts && span_behind(&value, value, "://"))
		add_source(p, option, line);
	else
		add(p, FACT_PACKAGE_OPTION, SPAN_NONE, line);
	return true;
}

static void take_line(struct packages *p, struct span whole)
{
	struct span line = span_trim(whole);

	if (!line.n || take_header(p, line) || take_editable_comment(p, line) ||
		span_starts(line, "#"))
		return;
	if (take_editable(p, line) || take_option(p, line))
		return;
	if (p->table != TABLE_NONE ? take_row(p, line)
				   : take_export(p, line) || take_requirement(p, line)) {
		p->named++;
		return;
	}
	p->other++;
	if (p->facts)
		evidence_malformed(p->facts, p->lines.number);
}

static void read_all(struct packages *p, const struct evidence_source *source, int64_t most)
{
	struct span line;

	evidence_lines_begin(&p->lines, source->bytes, source->n);
	while (p->lines.number < most && evidence_lines_next(&p->lines, &line))
		take_line(p, line);
}

static void read_end(struct packages *p)
{
	evidence_lines_end(&p->lines);
	buf_release(&p->editable);
}

bool packages_recognise(const struct evidence_source *source)
{
	struct packages p = { .editable = BUF_INIT };
	bool named = evidence_source_named(source, "requirements", ".txt") ||
		evidence_source_named(source, "pip-freeze", ".txt");

	read_all(&p, source, 200);
	read_end(&p);
	if (named)
		return p.named > 0 && p.other * 4 <= p.named;
	return p.exact >= 2 && p.other == 0 && p.exact * 2 >= p.named;
}

void packages_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct packages p = { .facts = facts, .editable = BUF_INIT };

	read_all(&p, source, INT64_MAX);
	facts->health.lines = p.lines.number;
	facts->health.read = p.named;
	facts->health.truncated = p.lines.unended;
	evidence_add_total(facts, 0, FACT_PACKAGES, SPAN_NONE, p.named);
	read_end(&p);
}
