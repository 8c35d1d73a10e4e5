/* attempts_filter - see attempts_filter.h. */
#include "config.h"

#include "ui/attempts_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

/* Words that a filter may ask about, and their values. */
enum filter_word {
	WORD_ATTEMPT,
	WORD_LINE,
	WORD_EXPECTED,
	WORD_CLAIMED,
	WORD_MEASURED,
	WORD_OUTCOME,
	WORD_CAUSE,
	WORD_AGENT_CAUSE,
	WORD_SILENT,
	WORD_RUNS,
	WORD_LIVE,
	WORD_USD,
	WORD_HUMAN,
	WORD_OVER_CLAIMS,
	WORD_FILES,
	WORD_ADDED,
	WORD_REMOVED,
	WORD_SUBJECT,
	WORD_AUTHOR,
};

static const char *const filter_words[] = {
	"attempt",
	"line",
	"expected",
	"claimed",
	"measured",
	"outcome",
	"cause",
	"agent_cause",
	"silent",
	"runs",
	"live",
	"usd",
	"human",
	"over_claims",
	"files",
	"added",
	"removed",
	"subject",
	"author",
};

static int filter_word(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(filter_words); i++)
		if (strcmp(filter_words[i], name) == 0)
			return (int)i;
	return -1;
}

static bool is_filter_word(void *user, const char *name)
{
	(void)user;
	return filter_word(name) >= 0;
}

struct filtered { const struct attempts_view *self; const struct attempt_row *row; };

static struct expr_value number(double v)
{
	return (struct expr_value){ .type = EXPR_NUMBER, .number = v };
}

static struct expr_value text(const char *s)
{
	return *s ? (struct expr_value){ .type = EXPR_TEXT, .text = s }
		  : (struct expr_value){ .type = EXPR_UNKNOWN };
}

static struct expr_value changed(const struct change_totals *t, double v)
{
	return t->known ? number(v) : (struct expr_value){ .type = EXPR_UNKNOWN };
}

/* Levels are those on the intended configuration. */
static struct expr_value level_value(const struct filtered *f, enum filter_word word)
{
	const struct attempt_state *s = f->row->state;
	const char *intended = f->self->board->status.attempts.intended;
	const struct expectation *e = attempt_expected(s, intended);
	const struct claim *c = attempt_claimed(s, intended);
	const struct measured *m = attempt_measured(s, intended);

	if (word == WORD_EXPECTED)
		return text(e ? level_name(e->level) : "");
	if (word == WORD_CLAIMED)
		return text(c ? level_name(c->level) : "");
	return text(m ? level_name(m->ladder.level) : "");
}

static struct expr_value filter_value(void *user, const char *name)
{
	const struct filtered *f = user;
	const struct attempt_state *s = f->row->state;
	const struct change_totals *t = &f->row->changes.previous;
	int word = filter_word(name);

	switch ((enum filter_word)word) {
	case WORD_ATTEMPT:
		return number((double)s->n);
	case WORD_LINE:
		return text(s->line);
	case WORD_EXPECTED: case WORD_CLAIMED: case WORD_MEASURED:
		return level_value(f, (enum filter_word)word);
	case WORD_OUTCOME:
		return text(s->outcome == OUTCOME_NONE
				? ""
				: word_name(&words_outcome, (int)s->outcome));
	case WORD_CAUSE:
		return text(s->cause);
	case WORD_AGENT_CAUSE:
		return text(s->agent_cause);
	case WORD_SILENT:
		return text(
			s->silent == SILENT_NONE ? "" : word_name(&words_silent, (int)s->silent));
	case WORD_RUNS:
		return number((double)s->runs_n);
	case WORD_LIVE:
		return number((double)s->runs_live);
	case WORD_USD:
		return number((double)s->run_cost_nano_usd / (double)NANO_USD);
	case WORD_HUMAN:
		return number((double)s->interventions);
	case WORD_OVER_CLAIMS:
		return number((double)s->over_claims);
	case WORD_FILES:
		return changed(t, (double)t->files);
	case WORD_ADDED:
		return changed(t, (double)t->added);
	case WORD_REMOVED:
		return changed(t, (double)t->removed);
	case WORD_SUBJECT:
		return text(s->subject);
	case WORD_AUTHOR:
		return text(s->author);
	}
	return (struct expr_value){ .type = EXPR_UNKNOWN };
}

static void read_filter(struct attempts_view *self, const char *filter)
{
	if (self->filter_text && strcmp(self->filter_text, filter) == 0)
		return;
	free(self->filter_text);
	self->filter_text = xstrdup(filter);
	expr_free(self->expr);
	self->expr = NULL;
	/* While it is being typed most of it is no expression: then it is a text. */
	if (expr_parse(&self->expr, filter, is_filter_word, NULL) < 0) {
		self->expr = NULL;
		err_clear();
	}
}

bool attempts_pass(void *user, long row, const char *filter)
{
	struct attempts_view *self = user;
	struct filtered f = { self, attempts_row(self, row) };
	struct buf b = BUF_INIT;
	bool found = false;

	read_filter(self, filter);
	if (!f.row)
		return false;
	if (self->expr)
		return expr_eval(self->expr, filter_value, &f) == TRUTH_TRUE;
	for (int i = 0; i < self->source.n_columns && !found; i++) {
		struct list_cell cell = { &b, STYLE_TEXT };

		buf_clear(&b);
		attempts_cell(user, row, i, &cell);
		found = strcasestr(b.s, filter) != NULL;
	}
	buf_release(&b);
	return found || strncmp(f.row->state->tip, filter, strlen(filter)) == 0;
}
