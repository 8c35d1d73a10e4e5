/* terminal_words - lines that are words and numbers alone: "step 10 loss 2.5 lr 1e-4". */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

/* The words that may begin such a line. */
static const struct place_word { const char *text; bool is_epoch; } place_words[] = {
	{ "step", false },
	{ "iter", false },
	{ "iteration", false },
	{ "global_step", false },
	{ "epoch", true },
};

/* A line with one of these before a number is a sentence: "step 3 of 10". */
static const char *const sentence_words[] = { "a", "about", "after", "again", "and", "are", "at",
	"before", "but", "by", "done", "due", "failed", "finished", "for", "from", "had", "has",
	"in", "is", "needs", "of", "on", "or", "over", "since", "so", "takes", "than", "the",
	"then", "through", "til", "till", "to", "took", "until", "version", "via", "was", "were",
	"with", "within" };

static bool is_letter(char c)
{
	return (unsigned char)((c | 32) - 'a') < 26 || c == '_';
}

static bool is_inside(char c)
{
	return is_letter(c) || is_decimal_digit(c) || (c && strchr("./@%-", c));
}

/* A word that is followed by blanks. */
static bool scan_word(struct text_scan *s, struct text_scan *word)
{
	const char *p = s->p;

	if (p == s->end || !is_letter(*p))
		return false;
	while (p < s->end && is_inside(*p))
		p++;
	if (p == s->end || (*p != ' ' && *p != '\t'))
		return false;
	*word = (struct text_scan){ s->p, p };
	s->p = p;
	scan_blanks(s);
	return true;
}

static bool is_word(const struct text_scan *word, const char *text)
{
	size_t n = strlen(text);

	return scan_left(word) == n && strncasecmp(word->p, text, n) == 0;
}

static const struct place_word *find_place(const struct text_scan *word)
{
	for (size_t i = 0; i < ARRAY_LEN(place_words); i++)
		if (is_word(word, place_words[i].text))
			return &place_words[i];
	return NULL;
}

static bool is_of_sentence(const struct text_scan *word)
{
	for (size_t i = 0; i < ARRAY_LEN(sentence_words); i++)
		if (is_word(word, sentence_words[i]))
			return true;
	return false;
}

/* Where the line stands, as far as it was read. */
struct words_place {
	struct token step, epoch;
	int64_t step_at;
	double epoch_at;
};

/* "10", maybe "10/500", behind a word of a step. */
static bool scan_step(struct text_scan *s, struct words_place *place)
{
	const char *start = s->p;
	int64_t total;

	if (place->step.p || !scan_integer(s, &place->step_at))
		return false;
	place->step = token_between(start, s->p);
	return !scan_char(s, '/') || scan_integer(s, &total);
}

/* "3", "0.25", maybe "3/10". */
static bool scan_epoch(struct text_scan *s, struct words_place *place)
{
	struct text_scan whole = *s;
	const char *start = s->p;
	int64_t count, total;

	if (place->epoch.p)
		return false;
	if (scan_integer(&whole, &count) && whole.p < whole.end && *whole.p == '/') {
		place->epoch = token_between(start, whole.p);
		place->epoch_at = (double)count;
		whole.p++;
		*s = whole;
		return scan_integer(s, &total);
	}
	if (!scan_number_token(s, &place->epoch_at))
		return false;
	place->epoch = token_between(start, s->p);
	return true;
}

/* A word and its number, up to the next word. */
static bool take_pair(struct terminal *t, struct text_scan *s, struct words_place *place)
{
	const struct place_word *known;
	struct text_scan word;
	const char *start;
	double value;

	if (!scan_word(s, &word))
		return false;
	known = find_place(&word);
	start = s->p;
	if (known) {
		if (!(known->is_epoch ? scan_epoch(s, place) : scan_step(s, place)))
			return false;
	} else {
		if (is_of_sentence(&word) || !scan_number_with_unit(s, &value))
			return false;
		terminal_add_token(
			t, word.p, scan_left(&word), value, token_between(start, s->p));
	}
	if (s->p < s->end && *s->p != ' ' && *s->p != '\t' && *s->p != ',')
		return false;
	scan_blanks(s);
	if (scan_char(s, ','))
		scan_blanks(s);
	return true;
}

/* Neither a mark nor a word of any other family, whatever the numbers are. */
static bool is_only_words(const struct frame *f)
{
	static const char marks[] = "{|:=\t[";

	for (const char *mark = marks; *mark; mark++)
		if (memchr(f->p, *mark, f->n))
			return false;
	return !memmem(f->p, f->n, "ompleted ", 9) && !memmem(f->p, f->n, " / ", 3) &&
		!memmem(f->p, f->n, "/step", 5) && !memmem(f->p, f->n, "] - ", 4);
}

/* The first word says where the line stands; all of it must be such pairs. */
bool take_words(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n }, look, first;
	struct words_place place = { .step = { .p = NULL } };
	struct row_x x;

	trim_scan(&s);
	look = s;
	if (!scan_word(&look, &first) || !find_place(&first))
		return false;
	while (scan_left(&s))
		if (!take_pair(t, &s, &place))
			return false;
	if (!t->n_pairs || !(place.step.p || place.epoch.p))
		return false;
	x = place.step.p ? terminal_at_step(place.step_at) : terminal_at_epoch(place.epoch_at);
	if (place.step.p && place.epoch.p)
		x.epoch = place.epoch_at;
	terminal_emit(t, sink, &x, "", "");
	t->taken.repeats = true;
	t->taken.placing = place.step.p ? PLACE_STEP : PLACE_EPOCH;
	t->taken.step = place.step;
	t->taken.step_form = SHAPE_DIGITS;
	t->taken.epoch = place.epoch;
	t->taken.free_to = f->p + f->n;
	t->taken.fits = is_only_words;
	return true;
}
