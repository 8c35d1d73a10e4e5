/* palette - see palette.h. */
#include "config.h"

#include "ui/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/key.h"

enum { NAME_WEIGHT = 4, KEY_SCORE = 1 << 20, LINES_AROUND = 2, ROWS_FOR_WORDS = 6 };

/* ---- scores ---------------------------------------------------------------- */

static bool is_its_key(const struct palette_item *item, const char *text)
{
	uint32_t key = key_from_name(text);

	return key != K_NONE && key_in_list(key, item->keys);
}

/* Help looks for words as they stand; the palette also for their letters. */
static int score_help(const struct palette_item *item, const char *text)
{
	if (strcasestr(item->name, text))
		return 2;
	return strcasestr(item->help, text) || strcasestr(item->group, text) ? 1 : -1;
}

static int score_command(const struct palette_item *item, const char *text)
{
	int name = text_fuzzy_score(text, item->name);

	if (name >= 0)
		return name * NAME_WEIGHT + (text_starts(item->name, text) ? 1 << 16 : 0);
	return strcasestr(item->help, text) ? 1 : -1;
}

int palette_score(const struct palette_item *item, const char *text, enum palette_kind kind)
{
	if (!*text)
		return 0;
	if (kind == PALETTE_HELP && is_its_key(item, text))
		return KEY_SCORE;
	return kind == PALETTE_HELP ? score_help(item, text) : score_command(item, text);
}

/* ---- what fits --------------------------------------------------------------- */

/* The item whose whole name begins the text, followed by a blank. */
static const struct palette_item *named_item(const struct palette *p)
{
	const struct palette_item *best = NULL;

	for (int i = 0; i < p->n; i++) {
		size_t n = strlen(p->items[i].name);

		if (text_starts(p->prompt.text.s, p->items[i].name) && p->prompt.text.s[n] == ' ' &&
		    (!best || n > strlen(best->name)))
			best = &p->items[i];
	}
	return best;
}

struct scored { int item, score; };

static int by_score(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static void choose(struct palette *p)
{
	const struct palette_item *named = p->kind == PALETTE_COMMANDS ? named_item(p) : NULL;
	struct scored *fits = xcalloc((size_t)p->n, sizeof *fits);
	bool ordered = p->kind == PALETTE_COMMANDS || p->prompt.text.n > 0;

	p->n_order = 0;
	for (int i = 0; i < p->n; i++) {
		int score = named ? (named == &p->items[i] ? 0 : -1) :
				    palette_score(&p->items[i], p->prompt.text.s, p->kind);

		if (score >= 0)
			fits[p->n_order++] = (struct scored){ i, score };
	}
	if (ordered)
		qsort(fits, (size_t)p->n_order, sizeof *fits, by_score);
	for (int i = 0; i < p->n_order; i++)
		p->order[i] = fits[i].item;
	free(fits);
	list_reload(&p->list);
	p->list.selected = p->list.top = 0;
}

/* ---- the list ------------------------------------------------------------------ */

static long count(void *user)
{
	const struct palette *p = user;

	return p->n_order;
}

static void cell(void *user, long row, int column, struct list_cell *out)
{
	const struct palette *p = user;
	const struct palette_item *item = &p->items[p->order[row]];

	if (item->refusal)
		out->style = STYLE_DIM;
	if (column == 0) {
		buf_adds(out->text, item->name);
	} else if (column == 1) {
		buf_adds(out->text, item->keys);
		out->style = STYLE_KEY;
	} else if (item->refusal) {
		buf_addf(out->text, "not now: %s", item->refusal);
	} else {
		buf_adds(out->text, item->help);
	}
}

static const struct list_column columns[] = {
	{ "operation", 20, 1, 0, false },
	{ "key", 11, 0, 2, false },
	{ "what it does", 30, 3, 1, false },
};

static const struct list_source source = {
	.columns = columns, .n_columns = ARRAY_LEN(columns), .count = count, .cell = cell,
	.empty = "no operation fits; Backspace, or Esc to close",
};

void palette_open(
	struct palette *p, enum palette_kind kind, const struct palette_item *items, int n)
{
	memset(p, 0, sizeof *p);
	p->kind = kind;
	p->items = items;
	p->n = n;
	p->order = xcalloc((size_t)n, sizeof *p->order);
	prompt_init(&p->prompt, kind == PALETTE_HELP ? "find: " : ":");
	list_init(&p->list, &source, p);
	choose(p);
}

void palette_close(struct palette *p)
{
	free(p->order);
	p->order = NULL;
	prompt_release(&p->prompt);
	list_release(&p->list);
}

/* ---- keys ------------------------------------------------------------------------ */

/* Up, Down and pages move in the list; all else edits the line. */
static bool moves(uint32_t key)
{
	return key == K_UP || key == K_DOWN || key == K_PAGE_UP || key == K_PAGE_DOWN ||
	       key == (K_CTRL | 'n') || key == (K_CTRL | 'p');
}

static enum outcome take_name(struct palette *p)
{
	const struct palette_item *item = palette_taken(p);
	char *text;

	if (!item)
		return OUTCOME_USED;
	text = xasprintf("%s ", item->name);
	prompt_set(&p->prompt, text);
	free(text);
	choose(p);
	return OUTCOME_CHANGED;
}

enum outcome palette_key(struct palette *p, uint32_t key)
{
	enum outcome o;

	if (moves(key)) {
		list_move(&p->list, motion_of_key(key));
		return OUTCOME_USED;
	}
	if (key == K_TAB && p->kind == PALETTE_COMMANDS)
		return take_name(p);
	if (key == K_BACKSPACE && !p->prompt.text.n)
		return OUTCOME_CANCEL;
	o = prompt_key(&p->prompt, key);
	if (o == OUTCOME_CHANGED)
		choose(p);
	if (o == OUTCOME_ACCEPT && !palette_taken(p))
		return OUTCOME_USED;
	return o == OUTCOME_UNUSED ? OUTCOME_USED : o;
}

bool palette_paste(struct palette *p, const char *s, size_t n)
{
	bool taken = prompt_paste(&p->prompt, s, n);

	if (taken)
		choose(p);
	return taken;
}

const struct palette_item *palette_taken(const struct palette *p)
{
	long row = list_selected(&p->list);

	return row < 0 ? NULL : &p->items[p->order[row]];
}

const char *palette_arguments(const struct palette *p)
{
	const struct palette_item *named = p->kind == PALETTE_COMMANDS ? named_item(p) : NULL;
	const char *s;

	if (!named)
		return "";
	s = p->prompt.text.s + strlen(named->name);
	return s + strspn(s, " ");
}

/* All that the selected row says, where its column may be too narrow. */
static void draw_words(const struct palette *p, struct canvas *c, struct rect row)
{
	const struct palette_item *item = palette_taken(p);

	if (item)
		canvas_put_fit(c, row, 0, 2, row.cols - 3, ALIGN_LEFT, STYLE_DIM,
			item->refusal ? item->refusal : item->help);
}

/* The cursor stays in the line: that is where the person writes. */
void palette_draw(struct palette *p, struct canvas *c, struct rect r)
{
	struct rect inside = rect_inset(r, 1), line;

	if (r.rows < LINES_AROUND + 2) {
		canvas_fill(c, r, STYLE_TEXT, 0);
		prompt_draw(&p->prompt, c, r);
		return;
	}
	canvas_box(c, r, STYLE_FRAME,
		p->kind == PALETTE_HELP ? "help: type to find, Enter runs it"
					: "operations: type, Tab completes, Enter runs");
	line = rect_cut_top(&inside, 1);
	if (inside.rows > ROWS_FOR_WORDS)
		draw_words(p, c, rect_cut_bottom(&inside, 1));
	list_draw(&p->list, c, inside);
	rect_cut_left(&line, 1);
	prompt_draw(&p->prompt, c, line);
}
