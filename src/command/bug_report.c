/* bug_report - see bug_report.h. */
#include "config.h"

#include "command/bug_report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/err.h"
#include "base/redact.h"
#include "base/text.h"
#include "command/run_detail.h"
#include "command/run_log.h"
#include "workspace/run_parsed.h"
#include "workspace/workspace.h"

enum { LINES_BEFORE = 24, LINES_AFTER = 6, NAME_LEAST = 3, HOST_MAX = 256, NAMES_MAX = 8,
	TITLE_MAX = 120 };

/* ---- what the text says of itself ----------------------------------------------------- */

static const struct { const char *words; enum bug_nature nature; } natures[] = {
	{ "not implemented", BUG_UNSUPPORTED }, { "unimplemented", BUG_UNSUPPORTED },
	{ "notimplementederror", BUG_UNSUPPORTED }, { "not supported", BUG_UNSUPPORTED },
	{ "unsupported", BUG_UNSUPPORTED }, { "does not support", BUG_UNSUPPORTED },
	{ "not lowered", BUG_UNSUPPORTED }, { "could not run 'aten::", BUG_UNSUPPORTED },
	{ "internal error", BUG_DEFECT }, { "internal:", BUG_DEFECT },
	{ "check failed", BUG_DEFECT }, { "check failure", BUG_DEFECT },
	{ "segmentation fault", BUG_DEFECT }, { "core dumped", BUG_DEFECT },
	{ "internal assert", BUG_DEFECT },
	{ "please open a github issue", BUG_DEFECT }, { "please report this", BUG_DEFECT },
};

static bool has_words(const char *text, const char *words)
{
	size_t n = strlen(words);

	for (; *text; text++)
		if (strncasecmp(text, words, n) == 0)
			return true;
	return false;
}

enum bug_nature bug_nature_of(const char *text, const char *note)
{
	for (size_t i = 0; i < ARRAY_LEN(natures); i++)
		if (has_words(text, natures[i].words))
			return natures[i].nature;
	for (size_t i = 0; i < ARRAY_LEN(natures); i++)
		if (has_words(note, natures[i].words))
			return natures[i].nature;
	return BUG_NOT_KNOWN;
}

const char *bug_nature_text(enum bug_nature n)
{
	switch (n) {
	case BUG_UNSUPPORTED:
		return "Unsupported behaviour: the text says that this is not implemented or not supported.";
	case BUG_DEFECT:
		return "Looks like a defect: the text is that of a check inside the library that failed.";
	case BUG_NOT_KNOWN:
		break;
	}
	return "Not known: the text says neither that it is unsupported nor that the library failed.";
}

/* ---- nothing private ---------------------------------------------------------------------- */

static const char *const homes[] = { "/home/", "/Users/", "/var/home/", "/export/home/" };

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* Bytes of a home at S, "/home/ana" or "/root"; 0 when it is none. */
static size_t home_at(const char *s, const char *end)
{
	for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
		size_t n = strlen(homes[i]);

		if ((size_t)(end - s) <= n || memcmp(s, homes[i], n) != 0)
			continue;
		while (s + n < end && is_name_byte(s[n]))
			n++;
		return n;
	}
	return end - s >= 5 && memcmp(s, "/root", 5) == 0 &&
			(end - s == 5 || !is_name_byte(s[5])) ? 5 : 0;
}

/* "ana@host.example" or "10.0.0.7" at S, where a word begins; 0: neither. */
static size_t address_at(const char *s, const char *end)
{
	size_t n = 0, dots = 0;
	bool at = false, digits = true;

	while (s + n < end && (is_name_byte(s[n]) || s[n] == '@')) {
		at = at || s[n] == '@';
		dots += s[n] == '.';
		digits = digits && (isdigit((unsigned char)s[n]) || s[n] == '.');
		n++;
	}
	return at || (digits && dots == 3 && n >= 7) ? n : 0;
}

/* Bytes of one of NAMES that stands at S as a word; 0: none. */
static size_t name_at(const char *s, const char *end, const char *const *names)
{
	for (; *names; names++) {
		size_t n = strlen(*names);

		if (n >= NAME_LEAST && (size_t)(end - s) >= n && strncasecmp(s, *names, n) == 0 &&
			(s + n == end || !isalnum((unsigned char)s[n])))
			return n;
	}
	return 0;
}

void bug_report_add_private(struct buf *out, const char *s, size_t n, const char *const *names)
{
	const char *end = s + n, *from = s;

	while (s < end) {
		bool begins = s == from || !isalnum((unsigned char)s[-1]);
		size_t home = home_at(s, end), address = begins ? address_at(s, end) : 0;
		size_t name = begins ? name_at(s, end, names) : 0;

		if (home)
			buf_addc(out, '~');
		else if (address)
			buf_adds(out, "ADDRESS");
		else if (name)
			buf_adds(out, "NAME");
		else
			buf_addc(out, *s);
		s += home ? home : address ? address : name ? name : 1;
	}
}

void bug_report_add_shape(struct buf *out, const char *command)
{
	bool first = true, left_out = false;

	while (*(command += strspn(command, " \t\n"))) {
		size_t n = strcspn(command, " \t\n"), keep = 0;
		const char *word = command;

		if (*word == '-' && n > 1 && !isdigit((unsigned char)word[1]))
			keep = strcspn(word, "= \t\n");
		else if (first || (n > 3 && memcmp(word + n - 3, ".py", 3) == 0))
			keep = n;
		command += n;
		if (keep == n || *word == '-')
			for (const char *p = word; p < word + keep && *word != '-'; p++)
				if (*p == '/') {
					keep -= (size_t)(p + 1 - word);
					word = p + 1;
				}
		if (keep) {
			buf_addf(out, "%s%.*s", first ? "" : " ", (int)keep, word);
			left_out = false;
		} else if (!left_out) {
			buf_adds(out, " ...");
			left_out = true;
		}
		first = false;
	}
}

/* ---- the report ----------------------------------------------------------------------------- */

struct report {
	struct buf *out;
	const struct triage_result *r;
	struct workspace *ws;
	struct arena *a;
	struct redact *secrets;
	const char *names[NAMES_MAX + 1];
	size_t names_n;
};

static void add_name(struct report *w, const char *name)
{
	if (name && *name && strcmp(name, "root") != 0 && w->names_n < NAMES_MAX)
		w->names[w->names_n++] = arena_strdup(w->a, name);
}

static void find_names(struct report *w)
{
	const char *actor = strchr(workspace_actor(w->ws)->text, ':');
	const char *by = strchr(w->r->run->by, ':');
	char host[HOST_MAX] = "";

	add_name(w, getenv("USER"));
	add_name(w, getenv("LOGNAME"));
	add_name(w, actor ? actor + 1 : NULL);
	add_name(w, by ? by + 1 : NULL);
	if (gethostname(host, sizeof host - 1) == 0)
		add_name(w, host);
}

static const char *clean(struct report *w, const char *s, size_t n)
{
	struct buf safe = BUF_INIT, out = BUF_INIT;
	const char *text;

	redact_text(w->secrets, &safe, s, n);
	bug_report_add_private(&out, safe.s ? safe.s : "", safe.n, w->names);
	text = text_sanitised(w->a, out.s ? out.s : "");
	buf_release(&safe);
	buf_release(&out);
	return text;
}

/* The first hit that decides, else the first error. */
static const struct log_hit *earliest(const struct triage_result *r)
{
	const struct log_hit *other = NULL;

	for (size_t i = 0; i < r->findings->hits_n; i++) {
		if (r->verdict.roles[i] == TRIAGE_DECIDES)
			return &r->findings->hits[i];
		if (!other && r->verdict.roles[i] == TRIAGE_SECONDARY)
			other = &r->findings->hits[i];
	}
	return other;
}

static int add_context(struct report *w, int64_t place)
{
	struct run_log_window *log = NULL;
	int rc = run_log_read(&log, w->r->path, place, RUN_LOG_AROUND);
	size_t at, from, to;

	if (rc < 0)
		return rc;
	run_log_clean(log);
	at = run_log_line_at(log, place);
	from = at > LINES_BEFORE ? at - LINES_BEFORE : 0;
	to = at + LINES_AFTER < log->n_lines ? at + LINES_AFTER + 1 : log->n_lines;
	buf_adds(w->out, "```text\n");
	for (size_t i = from; i < to; i++) {
		const struct run_log_line *l = &log->lines[i];
		const char *text = clean(w, log->bytes + l->at, l->n);

		/* Nothing of a log ends the block that quotes it. */
		buf_addf(w->out, "%s%s\n", text_starts(text, "```") ? " " : "", text);
	}
	buf_adds(w->out, "```\n");
	run_log_free(log);
	return 0;
}

static int add_error(struct report *w)
{
	const struct log_hit *h = earliest(w->r);
	const struct signature *s = h ? signature_at(w->r->catalogue, h->signature) : NULL;
	const char *text = h ? w->r->texts[h - w->r->findings->hits] : w->r->exception;

	text += strspn(text, " \t");
	if (!*text)
		text = "no error text";
	text = clean(w, text, strlen(text));
	buf_addf(w->out, "# %.*s\n\n", TITLE_MAX, text);
	buf_addf(w->out, "%s\n\n", bug_nature_text(bug_nature_of(text, s ? s->note : "")));
	if (!h) {
		buf_adds(w->out, "No known error stands in the log; how it ended is below.\n");
		return 0;
	}
	buf_addf(w->out, "## Earliest error\n\nLine %lld of the log%s%s:\n\n", (long long)h->line,
		s ? ", known as " : "", s ? s->id : "");
	return add_context(w, (int64_t)h->place);
}

static void add_versions(struct report *w)
{
	static const char *const packages[] = { "torch", "torch-xla", "torch-tpu", "libtpu", "jax",
		"jaxlib", "transformers", "accelerate", "peft", "datasets", "numpy", NULL };
	struct run_parsed parsed = { 0 };
	size_t found = 0;

	buf_adds(w->out, "\n## Versions\n\n");
	if (run_parsed_read(&parsed, w->ws, w->r->run, w->a) < 0)
		err_clear();
	for (const char *const *p = packages; *p; p++)
		for (size_t i = 0; i < parsed.n; i++) {
			const struct evidence_fact *f = evidence_facts_last(
				parsed.files[i].facts, FACT_PACKAGE_VERSION, *p);

			if (!f)
				continue;
			buf_addf(w->out, "- %s %s\n", *p, clean(w, f->text, strlen(f->text)));
			found++;
			break;
		}
	if (!found)
		buf_adds(w->out, "- not captured: no list of packages lies beside this run\n");
	run_parsed_release(&parsed);
}

static int add_run(struct report *w, const struct position *at)
{
	const struct run_state *s = w->r->run;
	struct run_detail d;
	struct buf shape = BUF_INIT;
	int rc = run_detail_read(&d, w->ws, s->id, at, w->a);

	if (rc < 0)
		return rc;
	buf_addf(w->out, "\n## Run\n\n- target: %s, %lld chip%s%s\n",
		s->target_kind ? word_name(&words_target_kind, (int)s->target_kind) : "kind not known",
		(long long)s->chips, s->chips == 1 ? "" : "s",
		s->simulates ? " (a stand-in: it only simulates that target)" : "");
	for (size_t i = 0; i < d.n && !shape.n; i++)
		if (strcmp(d.facts[i].name, "command") == 0 && d.facts[i].tone == RUN_FACT_PLAIN)
			bug_report_add_shape(&shape, d.facts[i].value);
	buf_addf(w->out, "- command, without its values: `%s`\n",
		shape.n ? clean(w, shape.s, shape.n) : "not recorded");
	buf_addf(w->out, "- end: %s\n", w->r->end);
	buf_release(&shape);
	return 0;
}

static void add_open(struct report *w)
{
	const struct triage_verdict *v = &w->r->verdict;

	buf_adds(w->out, "\n## Not checked\n\n");
	if (v->uncertain)
		buf_addf(w->out, "- whether the cause is what it looks like: %s\n",
			*v->confirm ? clean(w, v->confirm, strlen(v->confirm)) : "no check is known");
	buf_adds(w->out,
		"- whether a smaller program shows it\n"
		"- whether another version of the library shows it\n"
		"- whether the original on the GPU shows it\n");
}

int bug_report_write(struct buf *out, const struct triage_result *r, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct report w = { .out = out, .r = r, .ws = ws, .a = a, .secrets = redact_new() };
	int rc;

	redact_add_environment(w.secrets, environ);
	find_names(&w);
	rc = add_error(&w);
	if (rc == 0)
		rc = add_run(&w, at);
	if (rc == 0) {
		add_versions(&w);
		add_open(&w);
		buf_adds(out, "\nA draft: read it before it goes anywhere.\n");
	}
	redact_free(w.secrets);
	return rc;
}
