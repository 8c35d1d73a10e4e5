/* prompt - see prompt.h: editing and drawing.  The history is in history.c. */
#include "config.h"

#include "ui/prompt.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "command/key.h"

void prompt_init(struct prompt *p, const char *label)
{
	memset(p, 0, sizeof *p);
	p->label = label;
	buf_init(&p->text);
	buf_init(&p->removed);
	buf_init(&p->candidates);
	p->candidate = -1;
}

void prompt_release(struct prompt *p)
{
	buf_release(&p->text);
	buf_release(&p->removed);
	buf_release(&p->candidates);
	free(p->draft);
	p->draft = NULL;
}

static void set_text(struct prompt *p, const char *s)
{
	buf_clear(&p->text);
	buf_add(&p->text, s, strnlen(s, PROMPT_MAX));
	p->at = p->text.n;
}

void prompt_set(struct prompt *p, const char *text)
{
	set_text(p, text);
	p->left = 0;
	free(p->draft);
	p->draft = NULL;
	p->history_at = p->history ? p->history->n : 0;
}

/* ---- whole characters ---------------------------------------------------- */

static bool is_joined(const char *s, size_t n)
{
	uint32_t cp;

	if (!n)
		return false;
	utf8_decode(s, n, &cp);
	return cp != UINT32_MAX && cp >= 0x300 && wcwidth((wchar_t)cp) == 0;
}

static size_t next_character(const struct prompt *p, size_t at)
{
	uint32_t cp;

	if (at >= p->text.n)
		return p->text.n;
	at += utf8_decode(p->text.s + at, p->text.n - at, &cp);
	while (at < p->text.n && is_joined(p->text.s + at, p->text.n - at))
		at += utf8_decode(p->text.s + at, p->text.n - at, &cp);
	return at;
}

static size_t previous_character(const struct prompt *p, size_t at)
{
	size_t before = 0;

	for (size_t i = 0; i < at; i = next_character(p, i))
		before = i;
	return before;
}

static size_t word_left(const struct prompt *p, size_t at)
{
	while (at && p->text.s[at - 1] == ' ')
		at--;
	while (at && p->text.s[at - 1] != ' ')
		at--;
	return at;
}

static size_t word_right(const struct prompt *p, size_t at)
{
	while (at < p->text.n && p->text.s[at] == ' ')
		at++;
	while (at < p->text.n && p->text.s[at] != ' ')
		at++;
	return at;
}

/* ---- editing ------------------------------------------------------------- */

static bool insert(struct prompt *p, const char *s, size_t n)
{
	if (p->text.n + n > PROMPT_MAX)
		return false;
	buf_reserve(&p->text, n);
	memmove(p->text.s + p->at + n, p->text.s + p->at, p->text.n - p->at + 1);
	memcpy(p->text.s + p->at, s, n);
	p->text.n += n;
	p->at += n;
	return true;
}

static enum outcome remove_range(struct prompt *p, size_t from, size_t to, bool keep)
{
	if (from == to)
		return OUTCOME_USED;
	if (keep) {
		buf_clear(&p->removed);
		buf_add(&p->removed, p->text.s + from, to - from);
	}
	memmove(p->text.s + from, p->text.s + to, p->text.n - to + 1);
	p->text.n -= to - from;
	p->at = from;
	return OUTCOME_CHANGED;
}

static enum outcome put_back(struct prompt *p)
{
	return insert(p, p->removed.s, p->removed.n) ? OUTCOME_CHANGED : OUTCOME_USED;
}

static enum outcome move_to(struct prompt *p, size_t at)
{
	p->at = at;
	return OUTCOME_USED;
}

static enum outcome insert_key(struct prompt *p, uint32_t key)
{
	struct buf b = BUF_INIT;
	bool taken;

	utf8_encode(&b, key);
	taken = insert(p, b.s, b.n);
	buf_release(&b);
	return taken ? OUTCOME_CHANGED : OUTCOME_USED;
}

bool prompt_paste(struct prompt *p, const char *s, size_t n)
{
	struct buf b = BUF_INIT;
	bool taken;

	while (n) {
		uint32_t cp;
		size_t k = utf8_decode(s, n, &cp);

		if (cp == '\n' || cp == '\t' || cp == '\r')
			buf_addc(&b, ' ');
		else if (!text_is_control(cp))
			buf_add(&b, s, k);
		s += k;
		n -= k;
	}
	taken = b.n > 0 && insert(p, b.s, b.n);
	buf_release(&b);
	return taken;
}

/* ---- history ------------------------------------------------------------- */

static enum outcome walk(struct prompt *p, int direction)
{
	struct prompt_history *h = p->history;

	if (!h || (direction < 0 && p->history_at == 0) || (direction > 0 && p->history_at >= h->n))
		return OUTCOME_USED;
	if (p->history_at == h->n) {
		free(p->draft);
		p->draft = xstrdup(p->text.s);
	}
	p->history_at = direction < 0 ? p->history_at - 1 : p->history_at + 1;
	set_text(p, p->history_at < h->n ? h->lines[p->history_at] : p->draft ? p->draft : "");
	return OUTCOME_CHANGED;
}

/* ---- completion ---------------------------------------------------------- */

static int candidate_count(const struct prompt *p)
{
	int n = 0;

	for (const char *s = p->candidates.s; *s; n++) {
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	return n;
}

static const char *candidate_at(const struct prompt *p, int i, size_t *n)
{
	const char *s = p->candidates.s;

	for (; i > 0 && *s; i--) {
		s += strcspn(s, "\n");
		s += *s == '\n';
	}
	*n = strcspn(s, "\n");
	return s;
}

/* Each Tab takes the next candidate in place of the word before the cursor. */
static enum outcome complete(struct prompt *p)
{
	const char *s;
	size_t n;

	if (!p->complete)
		return OUTCOME_UNUSED;
	if (p->candidate < 0) {
		char *before = xstrndup(p->text.s, p->at);

		buf_clear(&p->candidates);
		p->complete(p->complete_user, before, &p->candidates);
		free(before);
	}
	if (!candidate_count(p))
		return OUTCOME_USED;
	p->candidate = (p->candidate + 1) % candidate_count(p);
	s = candidate_at(p, p->candidate, &n);
	remove_range(p, word_left(p, p->at), p->at, false);
	return insert(p, s, n) ? OUTCOME_CHANGED : OUTCOME_USED;
}

int prompt_candidate_rows(const struct prompt *p)
{
	int n = candidate_count(p);

	return n < 8 ? n : 8;
}

void prompt_draw_candidates(const struct prompt *p, struct canvas *c, struct rect r)
{
	int n = candidate_count(p), first = 0;

	if (p->candidate >= r.rows)
		first = p->candidate - r.rows + 1;
	for (int row = 0; row < r.rows && first + row < n; row++) {
		size_t len;
		const char *s = candidate_at(p, first + row, &len);

		canvas_putn(c, r, row, 1, STYLE_TEXT, s, len);
		if (first + row == p->candidate)
			canvas_set_ground(c, rect_row(r, row), GROUND_SELECT);
	}
}

/* ---- keys ---------------------------------------------------------------- */

static enum outcome control_key(struct prompt *p, uint32_t letter)
{
	switch (letter) {
	case 'a':
		return move_to(p, 0);
	case 'e':
		return move_to(p, p->text.n);
	case 'b':
		return move_to(p, previous_character(p, p->at));
	case 'f':
		return move_to(p, next_character(p, p->at));
	case 'd':
		return remove_range(p, p->at, next_character(p, p->at), false);
	case 'w':
		return remove_range(p, word_left(p, p->at), p->at, true);
	case 'u':
		return remove_range(p, 0, p->at, true);
	case 'k':
		return remove_range(p, p->at, p->text.n, true);
	case 'y':
		return put_back(p);
	case 'p':
		return walk(p, -1);
	case 'n':
		return walk(p, 1);
	case 'c': case 'g':
		return OUTCOME_CANCEL;
	default:
		return OUTCOME_USED;
	}
}

static enum outcome alt_key(struct prompt *p, uint32_t letter)
{
	switch (letter) {
	case 'b':
		return move_to(p, word_left(p, p->at));
	case 'f':
		return move_to(p, word_right(p, p->at));
	case 'd':
		return remove_range(p, p->at, word_right(p, p->at), true);
	default:
		return OUTCOME_USED;
	}
}

static enum outcome named_key(struct prompt *p, uint32_t key)
{
	switch (key) {
	case K_ENTER:
		return OUTCOME_ACCEPT;
	case K_ESC:
		return OUTCOME_CANCEL;
	case K_LEFT:
		return move_to(p, previous_character(p, p->at));
	case K_RIGHT:
		return move_to(p, next_character(p, p->at));
	case K_HOME:
		return move_to(p, 0);
	case K_END:
		return move_to(p, p->text.n);
	case K_BACKSPACE:
		return remove_range(p, previous_character(p, p->at), p->at, false);
	case K_DELETE:
		return remove_range(p, p->at, next_character(p, p->at), false);
	case K_UP:
		return walk(p, -1);
	case K_DOWN:
		return walk(p, 1);
	default:
		return OUTCOME_UNUSED;
	}
}

enum outcome prompt_key(struct prompt *p, uint32_t key)
{
	if (key == K_TAB)
		return complete(p);
	p->candidate = -1;
	buf_clear(&p->candidates);
	if (key & K_CTRL)
		return control_key(p, key & ~(uint32_t)K_CTRL);
	if (key & K_ALT)
		return alt_key(p, key & ~(uint32_t)K_ALT);
	if (key_is_text(key))
		return insert_key(p, key);
	return named_key(p, key);
}

/* ---- drawing ------------------------------------------------------------- */

void prompt_draw(struct prompt *p, struct canvas *c, struct rect r)
{
	int cursor = canvas_width(c, p->text.s, p->at),
	    width = canvas_width(c, p->text.s, p->text.n);
	int start = canvas_put(c, r, 0, 0, STYLE_KEY, p->label);
	struct rect field = { r.row, r.col + start, r.rows, r.cols - start };

	if (rect_is_empty(field)) {
		canvas_set_cursor(c, r, 0, r.cols - 1);
		return;
	}
	if (p->left >
		width + 1 - field.cols) /* the room has grown: no more is hidden than must be */
		p->left = width + 1 > field.cols ? width + 1 - field.cols : 0;
	if (cursor < p->left)
		p->left = cursor;
	if (cursor - p->left >= field.cols)
		p->left = cursor - field.cols + 1;
	canvas_putn(c, field, 0, -p->left, STYLE_TEXT, p->text.s, p->text.n);
	canvas_set_cursor(c, field, 0, cursor - p->left);
}
