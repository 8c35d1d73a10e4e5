/* view_curves_legend - which letter is which run; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "ui/flow.h"

/* The first two series styles are R's and A's. */
enum { FURTHER_STYLES = 6 };

enum style curves_style(char letter)
{
	if (letter == 'R')
		return STYLE_SERIES_1;
	if (letter == 'A')
		return STYLE_SERIES_2;
	return style_series(2 + (letter - 'B') % FURTHER_STYLES);
}

/* What the signs are that stand for runs without colours. */
static void add_glyph(struct buf *out, char letter, bool glyphs, bool several)
{
	if (!glyphs)
		return;
	if (letter == 'R')
		buf_adds(out, "(.) ");
	else if (!several)
		buf_adds(out, "(*) ");
}

static void add_entry(
	struct buf *out, const struct curve_scene *s, size_t i, bool glyphs, bool value)
{
	const struct curve_side *side = &s->sides[i];
	const struct plot_source *p = s->main ? s->main->lines[i].drawn : NULL;
	bool several = s->n_sides > 2 || !s->pair->has_reference;

	add_glyph(out, side->letter, glyphs, several);
	text_sanitise(out, side->run->name, strlen(side->run->name));
	if (side->run->live)
		buf_adds(out, " live");
	if (!value)
		return;
	buf_addc(out, ' ');
	if (p)
		curves_add_value(out, s->pair, plot_source_y(p, plot_source_n(p) - 1));
	else
		buf_adds(out, "-");
}

/* The entries as items of a flow; KEYS and TEXTS hold what they borrow. */
struct legend {
	struct flow_item items[SCENE_SIDES_MAX];
	char keys[SCENE_SIDES_MAX][2];
	struct buf texts[SCENE_SIDES_MAX];
	int n;
};

static void gather(struct legend *l, struct view *v, const struct canvas *c, bool all)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;

	l->n = 0;
	for (size_t i = 0; i < s->n_sides; i++) {
		char letter = s->sides[i].letter;

		if (!all && (letter == 'R' || letter == 'A'))
			continue;
		buf_init(&l->texts[l->n]);
		add_entry(&l->texts[l->n], s, i, v->app->mono || c->ascii, !self->overview);
		l->keys[l->n][0] = letter;
		l->keys[l->n][1] = '\0';
		l->items[l->n] = (struct flow_item){ .key = l->keys[l->n],
			.text = l->texts[l->n].s,
			.style = curves_style(letter) };
		l->n++;
	}
}

static void release(struct legend *l)
{
	for (int i = 0; i < l->n; i++)
		buf_release(&l->texts[i]);
}

int curves_legend_rows(struct view *v, const struct canvas *c, int cols, bool all, int most)
{
	struct legend l;
	int rows;

	gather(&l, v, c, all);
	rows = l.n ? flow_rows(c, "", l.items, l.n, cols) : 0;
	release(&l);
	return rows < most ? rows : most;
}

void curves_draw_legend(struct view *v, struct canvas *c, struct rect r, bool all)
{
	struct legend l;

	gather(&l, v, c, all);
	if (l.n)
		flow_draw(c, r, "", STYLE_TITLE, l.items, l.n);
	release(&l);
}
