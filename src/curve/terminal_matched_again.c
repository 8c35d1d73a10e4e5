/* terminal_matched_again - lines that differ from one that a pattern took in digits alone. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "curve/terminal.h"

enum { CREDIT_OF_TEMPLATE = 16, CREDIT_MAX = 256 };

static void template_forget(struct matched_template *template)
{
	template_release(&template->row);
	free(template->matches);
	free(template->line);
	*template = (struct matched_template){ .kind = NULL };
}

void matched_release_templates(struct matched *m)
{
	for (size_t i = 0; i < m->n_templates; i++)
		template_forget(&m->templates[i]);
	m->n_templates = 0;
}

/* The byte at P is in the name of a match: it must be the same, whatever it is. */
static bool is_in_name(const struct matched *m, const char *p)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct pattern_match *match = &m->matches[i];

		if (match->name && p >= match->name && p < match->name + match->name_n)
			return true;
	}
	return false;
}

/* Room for one more, in place of the last one where all are taken. */
static struct matched_template *template_place(struct matched *m)
{
	if (m->n_templates < MATCHED_TEMPLATES)
		return &m->templates[m->n_templates++];
	template_forget(&m->templates[MATCHED_TEMPLATES - 1]);
	return &m->templates[MATCHED_TEMPLATES - 1];
}

/* What lies in the line FROM, at the same place of the line TO. */
static const char *moved(const char *part, const char *from, const char *to)
{
	return part ? to + (part - from) : NULL;
}

static struct pattern_match match_moved(
	const struct pattern_match *match, const char *from, const char *to)
{
	struct pattern_match out = *match;

	out.step = moved(match->step, from, to);
	out.epoch = moved(match->epoch, from, to);
	out.name = moved(match->name, from, to);
	out.value = moved(match->value, from, to);
	return out;
}

/* Making one costs what several lines save that fit it. */
void matched_learn_template(struct terminal *t, struct matched_kind *kind)
{
	struct matched *m = &t->matched;
	struct matched_template *template;

	if (m->template_credit < CREDIT_OF_TEMPLATE) {
		m->template_credit++;
		return;
	}
	m->template_credit -= CREDIT_OF_TEMPLATE;
	template = template_place(m);
	template->kind = kind;
	template->line = xstrndup(t->frame.p, t->frame.n);
	template->matches = xreallocarray(NULL, m->n, sizeof *template->matches);
	for (size_t i = 0; i < m->n; i++)
		template->matches[i] = match_moved(&m->matches[i], t->frame.p, template->line);
	template_begin(&template->row, t->frame.p, t->frame.n);
	for (size_t i = 0; i < t->frame.n; i++)
		if (!is_in_name(m, t->frame.p + i))
			template_free_digits(&template->row, t->frame.p, i, 1);
}

static bool ends_line(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* A line end of two bytes is behind it. */
static bool is_again(const struct matched_template *template, const char *p, const char *limit)
{
	size_t left = (size_t)(limit - p);

	return left >= template_reach(&template->row) && left >= template->row.n + 2 &&
		template_fits(&template->row, p) && ends_line(p + template->row.n);
}

/* Number I fitted: it comes one place further to the front. */
static void promote(struct matched *m, size_t i)
{
	struct matched_template template = m->templates[i];

	if (i == 0)
		return;
	m->templates[i] = m->templates[i - 1];
	m->templates[i - 1] = template;
}

const char *matched_take_again(
	struct terminal *t, struct curve_sink *sink, const char *p, const char *limit)
{
	struct matched *m = &t->matched;
	const struct matched_template *template;
	size_t i = 0, n;

	while (i < m->n_templates && !is_again(&m->templates[i], p, limit))
		i++;
	if (i == m->n_templates)
		return NULL;
	n = m->templates[i].row.n;
	t->frame = (struct frame){ p, n };
	t->limit = limit;
	template = &m->templates[i];
	m->n = template->kind->n;
	for (size_t k = 0; k < m->n; k++)
		m->matches[k] = match_moved(&template->matches[k], template->line, p);
	if (!matched_take_row(t, sink, template->kind))
		return NULL;
	promote(m, i);
	m->template_credit += m->template_credit < CREDIT_MAX;
	return p + n;
}
