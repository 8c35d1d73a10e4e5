/* launcher_answer - lines through patterns, items through pointers, then the rules. */
#include "config.h"

#include "launch/launcher_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/text.h"

enum { WORDS_BYTES_MAX = 300 };

struct rows {
	struct launcher_row *rows;
	size_t n, cap;
};

static const char *keep(struct arena *a, const char *s, size_t n)
{
	struct buf text = BUF_INIT;
	const char *kept;

	text_sanitise(&text, s, n);
	kept = arena_strdup(a, text.s);
	buf_release(&text);
	return kept;
}

static void add_row(struct rows *r, const struct launcher_row *row)
{
	ARRAY_GROW(r->rows, r->n, r->cap);
	r->rows[r->n++] = *row;
}

/* ---- lines --------------------------------------------------------------------- */

static void add_match(struct rows *r, const struct launcher_match *m, struct arena *a)
{
	struct launcher_row row = { .groups = { NULL } };

	for (size_t g = 0; g < GROUP_COUNT; g++)
		if (m->groups[g].s)
			row.groups[g] = keep(a, m->groups[g].s, m->groups[g].n);
	add_row(r, &row);
}

static void read_lines(struct rows *r, const struct launcher_operation *o, const char *s, size_t n,
	struct arena *a)
{
	struct launcher_match m;

	for (const char *end = s + n, *next; s < end; s = next) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t line_n = (size_t)((newline ? newline : end) - s);

		next = newline ? newline + 1 : end;
		if (line_n && s[line_n - 1] == '\r')
			line_n--;
		for (size_t i = 0; i < o->lines.n; i++)
			if (launcher_pattern_match(&m, &o->lines.rows[i], s, line_n)) {
				add_match(r, &m, a);
				break;
			}
	}
}

/* ---- items of JSON ----------------------------------------------------------------- */

static const struct json *child_at(const struct json *j, const char *token, size_t n)
{
	struct json *c;
	int64_t index;

	if (j->type == JSON_OBJECT) {
		const struct json *last = NULL;

		for (c = j->first; c; c = c->next)
			if (c->key_n == n && memcmp(c->key, token, n) == 0)
				last = c;
		return last;
	}
	if (j->type != JSON_ARRAY || !text_to_i64(token, n, &index) || index < 0)
		return NULL;
	for (c = j->first; c && index > 0; c = c->next)
		index--;
	return c;
}

/* RFC 6901: ~1 stands for a slash in a name, ~0 for a tilde. */
static const struct json *at_pointer(const struct json *j, const char *pointer)
{
	struct buf token = BUF_INIT;

	while (j && *pointer == '/') {
		buf_clear(&token);
		for (pointer++; *pointer && *pointer != '/'; pointer++) {
			if (pointer[0] == '~' && (pointer[1] == '0' || pointer[1] == '1'))
				buf_addc(&token, *++pointer == '1' ? '/' : '~');
			else
				buf_addc(&token, *pointer);
		}
		j = child_at(j, token.s, token.n);
	}
	buf_release(&token);
	return j;
}

static const char *scalar(const struct json *j, struct arena *a)
{
	if (!j)
		return NULL;
	switch (j->type) {
	case JSON_STRING:
	case JSON_NUMBER:
		return keep(a, j->text, j->text_n);
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return NULL;
}

static void add_item(struct rows *r, const struct launcher_operation *o, const struct json *item,
	struct arena *a)
{
	struct launcher_row row = { .groups = { NULL } };
	bool any = false;

	for (size_t i = 0; i < o->n_pointers; i++) {
		const char *v = scalar(at_pointer(item, o->pointers[i].pointer), a);

		if (v)
			row.groups[o->pointers[i].group] = v;
		any |= v != NULL;
	}
	if (any)
		add_row(r, &row);
}

/* False for what is no JSON: it lists nobody, and says of nobody that he is gone. */
static bool read_items(struct rows *r, const struct launcher_operation *o, const char *s, size_t n,
	struct arena *a)
{
	struct arena tree = ARENA_INIT;
	const struct json *root, *list;

	if (json_parse(&root, &tree, s, n, JSON_TOLERANT) < 0) {
		err_clear();
		arena_release(&tree);
		return false;
	}
	list = at_pointer(root, o->items);
	if (list && list->type == JSON_ARRAY)
		for (const struct json *item = list->first; item; item = item->next)
			add_item(r, o, item, a);
	else if (list && list->type == JSON_OBJECT)
		add_item(r, o, list, a);
	arena_release(&tree);
	return true;
}

/* ---- the rules ---------------------------------------------------------------------- */

/* The last line of standard error that says something, else of standard output. */
static const char *last_words(const struct program_run *run, struct arena *a)
{
	const struct buf *texts[] = { &run->err, &run->out };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		size_t n = texts[i]->n, start;

		while (n && strchr(" \t\r\n", texts[i]->s[n - 1]))
			n--;
		for (start = n; start && texts[i]->s[start - 1] != '\n'; start--)
			;
		if (n > start)
			return keep(a, texts[i]->s + start,
				text_cut(texts[i]->s + start, n - start, WORDS_BYTES_MAX));
	}
	return "";
}

static const char *failure_words(const struct program_run *run, struct arena *a)
{
	const char *said = last_words(run, a), *part = *said ? ": " : "";

	switch (run->end) {
	case PROGRAM_LIMIT:
		return arena_printf(a, "no answer within %lld s%s%s",
			(long long)(run->limit_ns / NS_PER_S), part, said);
	case PROGRAM_STOPPED:
		return "given up";
	case PROGRAM_KILLED:
		return arena_printf(a, "killed by signal %d%s%s", run->rc - 128, part, said);
	case PROGRAM_EXITED:
		break;
	}
	return *said ? said : arena_printf(a, "exit status %d without a word", run->rc);
}

/* Over both streams, line by line, since a pattern is of a line. */
static bool says(const struct launcher_patterns *rows, const struct program_run *run)
{
	const struct buf *texts[] = { &run->err, &run->out };

	for (size_t i = 0; i < ARRAY_LEN(texts) && rows->n; i++) {
		const char *s = texts[i]->s, *end = s + texts[i]->n;

		while (s < end) {
			const char *newline = memchr(s, '\n', (size_t)(end - s));
			size_t n = (size_t)((newline ? newline : end) - s);

			if (launcher_patterns_find(rows, s, n))
				return true;
			s += n + 1;
		}
	}
	return false;
}

static enum launcher_outcome judge(
	const struct launcher_operation *o, const struct program_run *run, size_t n_rows)
{
	if (run->end == PROGRAM_LIMIT || run->end == PROGRAM_STOPPED)
		return OUTCOME_UNREACHABLE;
	if (n_rows)
		return OUTCOME_ANSWERED;
	if (says(&o->refused, run))
		return OUTCOME_REFUSED;
	if (says(&o->gone, run))
		return OUTCOME_GONE;
	if (says(&o->absent, run))
		return OUTCOME_ABSENT;
	if (says(&o->retry, run))
		return OUTCOME_UNREACHABLE;
	return run->end == PROGRAM_EXITED && launcher_operation_ok(o, run->rc)
		? OUTCOME_ANSWERED : OUTCOME_UNREACHABLE;
}

void launcher_answer_read(struct launcher_answer *out, const struct launcher_operation *o,
	const struct program_run *run, struct arena *a)
{
	struct rows r = { NULL, 0, 0 };
	bool readable = true;

	*out = (struct launcher_answer){ .words = "" };
	if (o->items)
		readable = read_items(&r, o, run->out.s, run->out.n, a);
	else
		read_lines(&r, o, run->out.s, run->out.n, a);
	if (r.n)
		out->rows = arena_memdup(a, r.rows, r.n * sizeof *r.rows);
	out->n = r.n;
	out->partial = run->cut || run->end != PROGRAM_EXITED;
	free(r.rows);
	out->outcome = judge(o, run, out->n);
	if (out->outcome == OUTCOME_ANSWERED && !readable) {
		out->outcome = OUTCOME_UNREACHABLE;
		out->words = "its answer is no JSON";
	} else if (out->outcome != OUTCOME_ANSWERED) {
		out->words = failure_words(run, a);
	}
}

const struct launcher_row *launcher_answer_find(
	const struct launcher_answer *answer, enum launcher_group group, const char *value)
{
	for (size_t i = answer->n; i-- > 0;) {
		const char *v = answer->rows[i].groups[group];

		if (v && strcmp(v, value) == 0)
			return &answer->rows[i];
	}
	return NULL;
}

/* ---- a row as an answer of a poll ------------------------------------------------------ */

static int number(const char *s, int otherwise)
{
	int64_t v;

	return s && text_to_i64(s, strlen(s), &v) && v >= 0 && v <= 255 ? (int)v : otherwise;
}

static bool is_final(enum run_phase p)
{
	return p >= PHASE_EXITED_0;
}

void launcher_row_observation(
	struct run_observation *out, const struct launcher_file *f, const struct launcher_row *row)
{
	const char *word = row->groups[GROUP_STATE] ? row->groups[GROUP_STATE] : "";
	const char *reason = row->groups[GROUP_REASON];

	*out = (struct run_observation)RUN_OBSERVATION_INIT;
	out->source = RUN_SOURCE_PROVIDER;
	out->time_ns = clock_wall_ns();
	snprintf(out->word, sizeof out->word, "%s", word);
	for (size_t i = 0; i < f->n_states; i++)
		if (launcher_pattern_match(NULL, &f->states[i].pattern, word, strlen(word))) {
			out->phase = f->states[i].phase;
			break;
		}
	out->rc = number(row->groups[GROUP_RC], RUN_RC_UNKNOWN);
	out->signal = number(row->groups[GROUP_SIGNAL], 0);
	if (out->phase == PHASE_EXITED_0 && (out->rc > 0 || out->signal > 0))
		out->phase = PHASE_FAILED;
	if (is_final(out->phase))
		out->answer = RUN_ENDED;
	else
		out->rc = RUN_RC_UNKNOWN;
	if (out->phase == PHASE_EXITED_0 && out->rc == RUN_RC_UNKNOWN)
		snprintf(out->reason, sizeof out->reason, "by the provider's word");
	else if (reason)
		snprintf(out->reason, sizeof out->reason, "%s", reason);
}

bool launcher_row_never(const struct launcher_file *f, const struct launcher_row *row)
{
	const char *reason = row->groups[GROUP_REASON];

	return reason && launcher_patterns_find(&f->never, reason, strlen(reason));
}
