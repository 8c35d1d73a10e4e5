/*
 * signature_word - see signature_word.h: a small reader of patterns that keeps only
 * what every match must contain.
 *
 * For each part of a pattern two things are known: the few texts that it matches
 * exactly, or that it matches more than those; and the best set of words of which one
 * is in every match.  What it does not understand matches "more", which is always right.
 */
#include "config.h"

#include "evidence/signature_word.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"

enum { TEXTS_MAX = WORD_SET_MAX, DEPTH_MAX = 40, TEXT_MAX = 160 };

/* Lines of everyday training in lower case: a word that stands here finds too much. */
static const char everyday[] =
	"{'loss': 0.6412, 'grad_norm': 3.1204, 'learning_rate': 1.8e-05, 'epoch': 0.5}\n"
	"{'eval_loss': 0.4011, 'eval_accuracy': 0.8431, 'eval_runtime': 4.8, 'train_loss': 0.57}\n"
	"{'eval_samples_per_second': 0.9, 'eval_steps_per_second': 0.1, 'train_runtime': 91.4}\n"
	"epoch 1:  47%|####7     | 470/1000 [00:11<00:12, 9.8it/s, loss=2.1, v_num=3]\n"
	"2026-11-01 10:00:00,123 - info - __main__ - ***** running training *****\n"
	"step 100 loss 2.0800 lr 1e-4 tokens/s 12000 mfu 40% memory 12.1 gib host_rss_gib 14.2\n"
	"iter 10: loss 4.2, time 120.3ms; batch size 32, gradient accumulation steps 8\n"
	"num examples = 1000 num epochs = 3 total optimization steps = 300 trainable parameters\n"
	"saving model checkpoint to /srv/out/checkpoint-300 model.safetensors config.json\n"
	"loading weights from the checkpoint; userwarning: warning: error runtimeerror: traceback\n"
	"file \"/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py\", line 12, in\n"
	"torch_xla tpu xla device cuda gpu tensor optimizer parameters compile compiled process\n"
	"dataloader workers number of rank: 0 world size [rank0]: nccl info channel init complete\n"
	"metric: counter: value: compiletime executetime uncachedcompile aten:: xla:: torch.size\n"
	"(type (name (not with while from this that when will which are operation the for and\n";

struct texts {
	char s[TEXTS_MAX][TEXT_MAX];
	size_t n[TEXTS_MAX];
	size_t count;
};

struct part {
	bool exact;			/* matches TEXTS and nothing else */
	struct texts texts;
	struct signature_words best;	/* count 0: none */
	int score;			/* of BEST */
};

struct reader {
	const char *p;
	int depth;
	bool whole, failed;
};

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* ---- sets of words ------------------------------------------------------------------ */

/* Long is good, everyday is bad; below 0: no word at all. */
static int word_score(const char *s, size_t n)
{
	int score = (int)(n < 14 ? n : 14);

	if (n < WORD_BYTES_MIN)
		return -1;
	if (memmem(everyday, sizeof everyday - 1, s, n) != NULL)
		return n < 12 ? (int)n / 3 - 1 : 3;
	for (size_t i = 0; i < n; i++)
		if (strchr("jqxzkvw_:\"'`[](){}$!;", s[i]) != NULL)
			score += 2;
	return score + 4;
}

/* The best stretch of S that may be a word; its score, below 0: none. */
static int best_stretch(const char *s, size_t n, bool whole, const char **at, size_t *length)
{
	int best = -1;

	for (size_t i = 0; i < n;) {
		size_t end = i;
		int score;

		while (end < n && (whole || (s[end] != ' ' && s[end] != '\t')) &&
			s[end] != '\n' && s[end] != '\r')
			end++;
		if (end - i > WORD_BYTES_MAX)
			end = i + WORD_BYTES_MAX;
		score = word_score(s + i, end - i);
		if (score > best) {
			best = score;
			*at = s + i;
			*length = end - i;
		}
		i = end > i ? end : i + 1;
	}
	return best;
}

static bool words_add(struct signature_words *w, const char *s, size_t n)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->n[i] == n && memcmp(w->text[i], s, n) == 0)
			return true;
	if (w->count == WORD_SET_MAX)
		return false;
	memcpy(w->text[w->count], s, n);
	w->text[w->count][n] = '\0';
	w->n[w->count++] = n;
	return true;
}

/* A set is as good as its worst word, and a little worse for each word more. */
static int words_of_texts(struct signature_words *out, const struct texts *t, bool whole)
{
	int score = t->count ? 1000 : -1;

	out->count = 0;
	for (size_t i = 0; i < t->count; i++) {
		const char *at = NULL;
		size_t n = 0;
		int one = best_stretch(t->s[i], t->n[i], whole, &at, &n);

		if (one < 0 || !words_add(out, at, n))
			return -1;
		if (one < score)
			score = one;
	}
	return score < 0 ? score : score - (int)(out->count / 8);
}

static void take_better(struct part *p, const struct signature_words *w, int score)
{
	if (score < 0 || (p->best.count && score <= p->score))
		return;
	p->best = *w;
	p->score = score;
}

static void take_texts(struct part *p, const struct texts *t, bool whole)
{
	struct signature_words w;
	int score = words_of_texts(&w, t, whole);

	take_better(p, &w, score);
}

/* ---- texts -------------------------------------------------------------------------- */

static void texts_empty(struct texts *t)
{
	t->count = 1;
	t->n[0] = 0;
}

static bool texts_add(struct texts *t, const char *s, size_t n)
{
	if (t->count == TEXTS_MAX || n > TEXT_MAX)
		return false;
	memcpy(t->s[t->count], s, n);
	t->n[t->count++] = n;
	return true;
}

/* Every text of A with every text of B behind it; false: too many or too long. */
static bool texts_join(struct texts *a, const struct texts *b)
{
	struct texts all = { .count = 0 };

	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++) {
			char s[2 * TEXT_MAX];

			memcpy(s, a->s[i], a->n[i]);
			memcpy(s + a->n[i], b->s[k], b->n[k]);
			if (!texts_add(&all, s, a->n[i] + b->n[k]))
				return false;
		}
	*a = all;
	return true;
}

static void part_char(struct part *p, char c)
{
	c = fold(c);
	p->exact = true;
	p->texts.count = 0;
	(void)texts_add(&p->texts, &c, 1);
}

static void part_nothing(struct part *p)
{
	p->exact = true;
	texts_empty(&p->texts);
}

/* ---- reading ------------------------------------------------------------------------ */

static void read_alternation(struct reader *r, struct part *out);

/* Behind the backslash.  A letter that is no escape of one byte matches more. */
static bool escape_byte(struct reader *r, char *c)
{
	char e = *r->p;

	if (e == '\0') {
		r->failed = true;
		return false;
	}
	r->p++;
	if (strchr("0123456789", e) || (e >= 'a' && e <= 'z') || (e >= 'A' && e <= 'Z')) {
		if (e == 't')
			*c = '\t';
		else if (e == 'n')
			*c = '\n';
		else
			return false;
		return true;
	}
	*c = e;
	return true;
}

static void read_escape(struct reader *r, struct part *out)
{
	char kind = *r->p, c;

	if (kind == 'Q' || kind == 'E' || kind == 'x' || kind == 'o' || kind == 'p' ||
		kind == 'P' || kind == 'k' || kind == 'g' || kind == 'c' || kind == 'N') {
		/* What follows belongs to it, and is rare enough to be left unread. */
		r->failed = true;
		return;
	}
	if (escape_byte(r, &c))
		part_char(out, c);
	else if (kind == 'b' || kind == 'B' || kind == 'A' || kind == 'z' || kind == 'Z' ||
		kind == 'K' || kind == 'G')
		part_nothing(out);
}

/* Behind the bracket: a few bytes one by one are texts, all else matches more. */
static void read_class(struct reader *r, struct part *out)
{
	struct texts t = { .count = 0 };
	bool plain = *r->p != '^', first = true;

	if (*r->p == '^')
		r->p++;
	while (*r->p && (first || *r->p != ']')) {
		char c = *r->p++;

		first = false;
		if (c == '\\')
			plain = escape_byte(r, &c) && plain;
		else if (c == '[' && (*r->p == ':' || *r->p == '.' || *r->p == '='))
			r->failed = true;
		if (*r->p == '-' && r->p[1] != ']' && r->p[1])
			plain = false;
		c = fold(c);
		plain = plain && texts_add(&t, &c, 1);
	}
	if (*r->p == ']')
		r->p++;
	else
		r->failed = true;
	if (plain && t.count && t.count <= 6) {
		out->exact = true;
		out->texts = t;
	}
}

/* "(?i)", "(?:", "(?<name>", "(?=": whether what is inside counts. */
enum group { GROUP_PLAIN, GROUP_AROUND, GROUP_OPTIONS };

static enum group read_group_head(struct reader *r)
{
	size_t n;

	if (*r->p == '*') {
		r->failed = true;
		return GROUP_PLAIN;
	}
	if (*r->p != '?')
		return GROUP_PLAIN;
	r->p++;
	if (*r->p == ':' || *r->p == '>' || *r->p == '|') {
		/* (?| numbers groups anew and matches the same. */
		r->p++;
		return GROUP_PLAIN;
	}
	if (*r->p == '=' || *r->p == '!') {
		r->p++;
		return GROUP_AROUND;
	}
	if (*r->p == '<' && (r->p[1] == '=' || r->p[1] == '!')) {
		r->p += 2;
		return GROUP_AROUND;
	}
	if (*r->p == '<' || *r->p == '\'' || (*r->p == 'P' && r->p[1] == '<')) {
		r->p += *r->p == 'P' ? 2 : 1;
		r->p += strcspn(r->p, ">'");
		if (*r->p)
			r->p++;
		return GROUP_PLAIN;
	}
	/* Case does not matter here, and the others change no text but x, which would. */
	n = strspn(r->p, "imsJU-");
	if (n && (r->p[n] == ')' || r->p[n] == ':')) {
		r->p += n;
		if (*r->p == ')')
			return GROUP_OPTIONS;
		r->p++;
		return GROUP_PLAIN;
	}
	r->failed = true;
	return GROUP_PLAIN;
}

static void read_group(struct reader *r, struct part *out)
{
	enum group g = read_group_head(r);

	if (g == GROUP_OPTIONS) {
		r->p++;
		part_nothing(out);
		return;
	}
	if (++r->depth > DEPTH_MAX)
		r->failed = true;
	if (r->failed)
		return;
	read_alternation(r, out);
	r->depth--;
	if (*r->p == ')')
		r->p++;
	else
		r->failed = true;
	if (g == GROUP_AROUND) {
		out->best.count = 0;
		part_nothing(out);
	}
}

static void read_atom(struct reader *r, struct part *out)
{
	char c = *r->p++;

	*out = (struct part){ .exact = false };
	if (c == '\\')
		read_escape(r, out);
	else if (c == '[')
		read_class(r, out);
	else if (c == '(')
		read_group(r, out);
	else if (c == '^' || c == '$')
		part_nothing(out);
	else if (c != '.')
		part_char(out, c);
}

/* How often: true when it may be left out; ONCE when it stands exactly once. */
static bool read_repeat(struct reader *r, bool *once)
{
	bool optional = false;
	int low = 0, high = -1;

	*once = true;
	if (*r->p == '?' || *r->p == '*' || *r->p == '+') {
		optional = *r->p != '+';
		*once = false;
		r->p++;
	} else if (*r->p == '{' && r->p[1] >= '0' && r->p[1] <= '9') {
		const char *s = r->p + 1;

		while (*s >= '0' && *s <= '9' && low < 100000)
			low = low * 10 + (*s++ - '0');
		if (*s == '}')
			high = low;
		else if (*s == ',')
			s += 1 + strspn(s + 1, "0123456789");
		if (*s != '}')
			return false;	/* no repeat after all: braces are text */
		r->p = s + 1;
		optional = low == 0;
		*once = low == 1 && high == 1;
	} else {
		return false;
	}
	if (*r->p == '?' || *r->p == '+')
		r->p++;
	return optional;
}

/* What a part may be when it may also be left out, or stand several times. */
static void repeat(struct part *p, bool optional, bool once, char how)
{
	if (once)
		return;
	if (!optional) {
		p->exact = false;	/* at least once: what it needs is still needed */
		return;
	}
	p->best.count = 0;
	if (how != '?' || !p->exact || !texts_add(&p->texts, "", 0))
		p->exact = false;
}

static void read_sequence(struct reader *r, struct part *out)
{
	struct texts run;
	bool all = true;

	*out = (struct part){ .exact = false };
	texts_empty(&run);
	while (*r->p && *r->p != '|' && *r->p != ')' && !r->failed) {
		struct part p;
		bool once, optional;
		char how;

		read_atom(r, &p);
		if (p.exact)
			take_texts(&p, &p.texts, r->whole);
		how = *r->p;
		optional = read_repeat(r, &once);
		repeat(&p, optional, once, how);
		if (p.best.count)
			take_better(out, &p.best, p.score);
		if (p.exact && texts_join(&run, &p.texts))
			continue;
		take_texts(out, &run, r->whole);
		all = all && p.exact;
		if (p.exact)
			run = p.texts;	/* it was only too much together */
		else
			texts_empty(&run);
		all = false;
	}
	take_texts(out, &run, r->whole);
	out->exact = all;
	if (all)
		out->texts = run;
}

static void add_way(struct part *out, const struct part *way)
{
	out->exact = out->exact && way->exact;
	for (size_t i = 0; out->exact && i < way->texts.count; i++)
		out->exact = texts_add(&out->texts, way->texts.s[i], way->texts.n[i]);
	if (!out->best.count)
		return;
	for (size_t i = 0; i < way->best.count; i++)
		if (!words_add(&out->best, way->best.text[i], way->best.n[i])) {
			out->best.count = 0;
			return;
		}
	if (!way->best.count)
		out->best.count = 0;
	else if (way->score < out->score)
		out->score = way->score;
}

static void read_alternation(struct reader *r, struct part *out)
{
	read_sequence(r, out);
	while (*r->p == '|' && !r->failed) {
		struct part way;

		r->p++;
		read_sequence(r, &way);
		add_way(out, &way);
	}
}

int signature_words_find(struct signature_words *out, const char *pattern, bool whole)
{
	struct reader r = { .p = pattern, .whole = whole };
	struct part p;

	read_alternation(&r, &p);
	*out = p.best;
	if (r.failed || *r.p || !out->count) {
		out->count = 0;
		return err_set(ERR_PARSE,
			"no word of %d letters or more stands in every match of it; write one out, plainly",
			WORD_BYTES_MIN);
	}
	return 0;
}
