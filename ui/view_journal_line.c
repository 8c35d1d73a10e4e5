/* view_journal_line - one line of the journal: does it pass, and all of it; see view_journal.h. */
#include "config.h"

#include "ui/view_journal.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { FIELD_NAME = 13, DIGEST_SHOWN = 16 };

/* ---- filters ---------------------------------------------------------------------- */

/* Kinds that belong together, each a prefix.  The first group leaves out what
 * only tools say about runs, of which there is a view of its own. */
static const struct { const char *name, *kinds[5]; } groups[] = {
	{ "all but runs", { NULL } },
	{ "alarms and decisions", { "alarm.", "decision." } },
	{ "interventions", { "intervention." } },
	{ "expectations and claims", { "attempt.expected", "attempt.claimed" } },
	{ "notes", { "note." } },
	{ "labels and checks", { "attempt.labelled", "check.", "signoff." } },
	{ "configuration and goals", { "config.", "goal.", "contract.", "migration." } },
	{ "runs", { "run." } },
	{ "everything", { "" } },
};
static const struct {
	const char *name, *prefix;
} authors[] = {
	{ "all", "" },
	{ "by people", "human:" },
	{ "by agents", "agent:" },
	{ "by tools", "tool:" },
};

int journal_view_kinds(void)
{
	return ARRAY_LEN(groups);
}

int journal_view_whos(void)
{
	return ARRAY_LEN(authors);
}

/* Runs, and what a tool found in their files: a view of checks shows it. */
static bool is_of_runs(const struct journal_line *l)
{
	return text_starts(l->kind, "run.") ||
	       (text_starts(l->who, "tool:") &&
		       (text_starts(l->kind, "check.") || text_starts(l->kind, "facts.")));
}

static bool in_group(int group, const struct journal_line *l)
{
	if (group == 0)
		return !is_of_runs(l);
	for (size_t i = 0; i < ARRAY_LEN(groups[group].kinds) && groups[group].kinds[i]; i++)
		if (text_starts(l->kind, groups[group].kinds[i]))
			return true;
	return false;
}

static bool contains(const char *s, const char *word, size_t n)
{
	for (; *s; s++)
		if (strncasecmp(s, word, n) == 0)
			return true;
	return n == 0;
}

/* "kind:decision", "who:ana", "#7" or a word that occurs anywhere. */
static bool passes_word(const struct journal_line *l, const char *word, size_t n)
{
	const char *const all[] = { l->headline, l->text, l->who, l->object, l->kind, l->time,
		l->fields };

	if (n > 5 && strncmp(word, "kind:", 5) == 0)
		return contains(l->kind, word + 5, n - 5) || contains(l->headline, word + 5, n - 5);
	if (n > 4 && strncmp(word, "who:", 4) == 0)
		return contains(l->who, word + 4, n - 4);
	if (n > 1 && *word == '#')
		return strlen(l->attempt) == n - 1 && strncmp(l->attempt, word + 1, n - 1) == 0;
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (contains(all[i], word, n))
			return true;
	return false;
}

bool journal_view_passes(const struct journal_view *self, const struct journal_line *l)
{
	if (self->blind && strcmp(l->kind, "attempt.labelled") == 0)
		return false;
	if (!in_group(self->kind, l) || !text_starts(l->who, authors[self->who].prefix))
		return false;
	if (self->attempt && strcmp(l->attempt, self->attempt) != 0)
		return false;
	for (const char *s = self->text + strspn(self->text, " "); *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		if (!passes_word(l, s, n))
			return false;
		s += n;
	}
	return true;
}

void journal_view_add_filter(struct buf *out, const struct journal_view *self)
{
	size_t start = out->n;

	buf_adds(out, groups[self->kind].name);
	if (self->who)
		buf_addf(out, "%s%s", out->n > start ? ", " : "", authors[self->who].name);
	if (self->attempt)
		buf_addf(out, "%s#%s", out->n > start ? ", " : "", self->attempt);
	if (self->text[strspn(self->text, " ")])
		buf_addf(out, "%s\"%s\"", out->n > start ? ", " : "", self->text);
}

/* ---- a line in full ----------------------------------------------------------------- */

void journal_view_add_struck(struct buf *out, const char *s, bool ascii)
{
	size_t n = strlen(s);

	if (ascii) {
		buf_addf(out, "~~%s~~", s);
		return;
	}
	for (size_t i = 0; i < n; ) {
		uint32_t cp;
		size_t k = utf8_decode(s + i, n - i, &cp);

		buf_add(out, s + i, k);
		if (cp != ' ' && cp != '\n')
			utf8_encode(out, 0x336);	/* combining long stroke */
		i += k;
	}
}

static const char *established_words(const char *how)
{
	if (strcmp(how, "terminal") == 0)
		return "a person at a terminal";
	if (strcmp(how, "configuration") == 0)
		return "a name from the user's configuration, no terminal";
	if (strcmp(how, "environment") == 0)
		return "a variable of the environment";
	return *how ? how : "not recorded";
}

/* A digest is told apart by its beginning. */
static bool is_digest(const char *s, size_t n)
{
	return n == 64 && strspn(s, "0123456789abcdef") >= n;
}

/* "rule          R4" a line: names below each other, values too. */
static void add_fields(struct buf *out, const char *fields)
{
	for (const char *s = fields; *s; s += *s == '\n') {
		size_t n = strcspn(s, "\n"), key = strcspn(s, " \n");
		const char *value = s + key + (key < n);
		size_t value_n = n - (size_t)(value - s);

		buf_addf(out, "\n%-*.*s ", FIELD_NAME, (int)key, s);
		buf_add(out, value, is_digest(value, value_n) ? DIGEST_SHOWN : value_n);
		s += n;
	}
}

void journal_view_add_detail(
	struct buf *out, const struct journal_view *self, const struct journal_line *l)
{
	if (*l->struck) {
		buf_addf(out, "STRUCK by %s, %.16s: %s\n", l->struck_by, l->struck_time,
			l->struck_why);
		journal_view_add_struck(out, l->headline, self->ascii);
	} else {
		buf_adds(out, l->headline);
	}
	if (strcmp(l->kind, "alarm.raised") == 0)
		buf_adds(out,
			journal_view_is_open(self, l)
				? "  ! open: Enter shows the facts and decides"
				: "  answered");
	if (l->late)
		buf_addf(out,
			"\n! set after runs of attempts had begun: where a goal was set before, L3 counts that one alone");
	if (*l->text)
		buf_addf(out, "\n%s", l->text);
	buf_addf(out, "\n%s, %s", l->who, l->time);
	if (!text_starts(l->who, "tool:"))
		buf_addf(out, " (%s)", established_words(l->established));
	buf_addf(out, "\n%s %s; event %lld, %.16s", l->kind, l->object, (long long)l->place,
		l->event);
	add_fields(out, l->fields);
}

void journal_view_draw_detail(struct journal_view *self, struct canvas *c, struct rect r)
{
	const struct journal_line *l = journal_view_line(self);
	struct buf b = BUF_INIT;

	if (!l)
		return;
	journal_view_add_detail(&b, self, l);
	rect_cut_left(&r, 1);
	self->detail_rows = canvas_wrap(c, b.s, r.cols, NULL, NULL);
	if (self->detail_top > self->detail_rows - r.rows)
		self->detail_top = self->detail_rows > r.rows ? self->detail_rows - r.rows : 0;
	canvas_put_wrapped(c, r, -self->detail_top, *l->struck ? STYLE_DIM : STYLE_TEXT, b.s);
	if (self->in_detail)
		canvas_set_cursor(c, r, 0, 0);
	if (self->detail_rows > r.rows + self->detail_top)
		canvas_put_right(c, rect_row(r, r.rows - 1), 0, STYLE_DIM,
			self->in_detail ? " more " : " Tab: more ");
	buf_release(&b);
}
