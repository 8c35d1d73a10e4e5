/* style - see style.h.  The one table of how things look. */
#include "config.h"

#include "ui/style.h"

#include "base/mem.h"

enum { B = LOOK_BOLD, U = LOOK_UNDERLINE, R = LOOK_REVERSE, D = LOOK_DIM };

/*
 * On the reference's band the background is known (a deep blue), so a series
 * takes a light colour there.  Contrast on index 24: 215 has 3.9, 231 has 7.0.
 * Where the terminal's own background is known to be light, the band is a pale
 * blue and a series is dark on it.  Contrast on index 153: 94 has 3.8, 16 has 14.
 */
static const struct {
	const char *name;
	struct { int16_t fg; uint8_t attributes; } c256, c16, mono;
	int16_t on_band, on_light_band;
} styles[STYLE_COUNT] = {
	[STYLE_TEXT] = { "text", { -1, 0 }, { -1, 0 }, { -1, 0 }, 231, 16 },
	[STYLE_TITLE] = { "title", { -1, B }, { -1, B }, { -1, B }, 231, 16 },
	[STYLE_STRONG] = { "strong", { -1, B }, { -1, B }, { -1, B }, 231, 16 },
	[STYLE_DIM] = { "dim", { 244, 0 }, { -1, D }, { -1, D }, 250, 240 },
	[STYLE_GOOD] = { "good", { 31, 0 }, { 4, B }, { -1, 0 }, 231, 16 },
	[STYLE_BAD] = { "bad", { 166, B }, { 3, B }, { -1, B }, 215, 94 },
	[STYLE_WARN] = { "warn", { 101, B }, { 3, 0 }, { -1, 0 }, 231, 16 },
	[STYLE_ALARM] = { "alarm", { 196, B }, { 1, B }, { -1, B | R }, 231, 124 },
	[STYLE_ADD] = { "add", { 31, 0 }, { 4, B }, { -1, 0 }, 231, 16 },
	[STYLE_DEL] = { "del", { 166, 0 }, { 3, B }, { -1, 0 }, 215, 94 },
	[STYLE_ADD_WORD] = { "add-word", { 31, B | U }, { 4, B | U }, { -1, B | U }, 231, 16 },
	[STYLE_DEL_WORD] = { "del-word", { 166, B | U }, { 3, B | U }, { -1, B | U }, 215, 94 },
	[STYLE_HUNK] = { "hunk", { 30, 0 }, { 6, B }, { -1, B }, 231, 16 },
	[STYLE_NOTE] = { "note", { 133, 0 }, { 5, B }, { -1, 0 }, 231, 53 },
	[STYLE_LINK] = { "link", { 99, U }, { 5, B | U }, { -1, U }, 231, 16 },
	[STYLE_IDENTIFIER] = { "identifier", { 30, 0 }, { 6, B }, { -1, 0 }, 231, 16 },
	[STYLE_KEY] = { "key", { -1, B }, { -1, B }, { -1, B }, 231, 16 },
	[STYLE_FRAME] = { "frame", { 244, 0 }, { -1, D }, { -1, 0 }, 250, 240 },
	[STYLE_LIVE] = { "live", { 31, B }, { 4, B }, { -1, B }, 231, 16 },
	[STYLE_PAST] = { "past", { 133, B | R }, { 5, B | R }, { -1, B | R }, 231, 16 },
	[STYLE_CONTROL] = { "control", { 133, R }, { 5, R }, { -1, R }, 231, 16 },
	[STYLE_MATCH] = { "match", { -1, B | U }, { -1, B | U }, { -1, B | U }, 231, 16 },
	[STYLE_SERIES_1] = { "series-1", { 31, 0 }, { 4, B }, { -1, 0 }, 231, 18 },
	[STYLE_SERIES_2] = { "series-2", { 166, 0 }, { 3, B }, { -1, B }, 215, 94 },
	[STYLE_SERIES_3] = { "series-3", { 165, 0 }, { 5, B }, { -1, 0 }, 219, 90 },
	[STYLE_SERIES_4] = { "series-4", { 101, 0 }, { 6, B }, { -1, 0 }, 229, 58 },
	[STYLE_SERIES_5] = { "series-5", { 99, 0 }, { 2, B }, { -1, 0 }, 189, 56 },
	[STYLE_SERIES_6] = { "series-6", { 64, 0 }, { 1, B }, { -1, 0 }, 157, 22 },
	[STYLE_SERIES_7] = { "series-7", { 133, 0 }, { 5, 0 }, { -1, 0 }, 225, 53 },
	[STYLE_SERIES_8] = { "series-8", { 30, 0 }, { 6, 0 }, { -1, 0 }, 159, 23 },
	[STYLE_BAND] = { "band-part", { 24, 0 }, { 4, 0 }, { -1, 0 }, 231, 16 },
};

static const struct {
	const char *name;
	int16_t bg256, bg16, bg_light;
} grounds[GROUND_COUNT] = {
	[GROUND_NONE]	   = { "", -1, -1, -1 },
	[GROUND_SELECT]	   = { "select", -1, -1, -1 },
	[GROUND_BAND]	   = { "band", 24, 4, 153 },
};

static struct look plain_look(enum style style, enum palette_depth depth)
{
	switch (depth) {
	case DEPTH_256_LIGHT:
		if (style == STYLE_BAND)
			return (struct look){ grounds[GROUND_BAND].bg_light, -1, 0 };
		return (struct look){ styles[style].c256.fg, -1, styles[style].c256.attributes };
	case DEPTH_256:
		return (struct look){ styles[style].c256.fg, -1, styles[style].c256.attributes };
	case DEPTH_16:
		return (struct look){ styles[style].c16.fg, -1, styles[style].c16.attributes };
	case DEPTH_MONO:
		break;
	}
	return (struct look){ -1, -1, styles[style].mono.attributes };
}

/* A selected row is one even bar: reverse without colours.  What is reversed by
 * itself stays visible in it through bold. */
static struct look selected_look(struct look look)
{
	look.fg = -1;
	if (look.attributes & R)
		look.attributes |= B;
	look.attributes = (look.attributes | R) & (uint8_t)~D;
	return look;
}

struct look style_look(enum style style, enum ground ground, enum palette_depth depth)
{
	struct look look;

	if ((unsigned)style >= STYLE_COUNT)
		style = STYLE_TEXT;
	if ((unsigned)ground >= GROUND_COUNT)
		ground = GROUND_NONE;
	look = plain_look(style, depth);
	if (ground == GROUND_SELECT)
		return selected_look(look);
	if (ground == GROUND_NONE || depth == DEPTH_MONO)
		return look;
	if (depth == DEPTH_256_LIGHT) {
		look.bg = grounds[ground].bg_light;
		look.fg = styles[style].on_light_band;
	} else {
		look.bg = depth == DEPTH_256 ? grounds[ground].bg256 : grounds[ground].bg16;
		look.fg = depth == DEPTH_256 ? styles[style].on_band : 7;
	}
	look.attributes = (look.attributes | (depth == DEPTH_16 ? B : 0)) & (uint8_t)~(D | R);
	return look;
}

const char *style_name(enum style style)
{
	return (unsigned)style < STYLE_COUNT ? styles[style].name : styles[STYLE_TEXT].name;
}

const char *ground_name(enum ground ground)
{
	return (unsigned)ground < GROUND_COUNT ? grounds[ground].name : "";
}

enum style style_series(int i)
{
	if (i < 0)
		i = 0;
	return (enum style)(STYLE_SERIES_1 + i % 8);
}
