/* key - see key.h.  Names are in one table, read both ways. */
#include "config.h"

#include "command/key.h"

#include <string.h>

#include "base/text.h"

static const struct { uint32_t key; const char *name; } names[] = {
	{ K_ENTER, "Enter" }, { K_ESC, "Esc" }, { K_TAB, "Tab" }, { K_BACKTAB, "S-Tab" },
	{ K_BACKSPACE, "BSpace" }, { K_DELETE, "Delete" }, { K_INSERT, "Insert" },
	{ K_UP, "Up" }, { K_DOWN, "Down" }, { K_LEFT, "Left" }, { K_RIGHT, "Right" },
	{ K_HOME, "Home" }, { K_END, "End" }, { K_PAGE_UP, "PgUp" }, { K_PAGE_DOWN, "PgDn" },
	{ K_F1, "F1" }, { K_F2, "F2" }, { K_F3, "F3" }, { K_F4, "F4" }, { K_F5, "F5" },
	{ K_F6, "F6" }, { K_F7, "F7" }, { K_F8, "F8" }, { K_F9, "F9" }, { K_F10, "F10" },
	{ K_F11, "F11" }, { K_F12, "F12" }, { ' ', "Space" },
};

uint32_t key_from_char(uint32_t cp)
{
	switch (cp) {
	case '\r': case '\n':
		return K_ENTER;
	case '\t':
		return K_TAB;
	case 0x1b:
		return K_ESC;
	case 0x7f: case '\b':
		return K_BACKSPACE;
	case 0:
		return K_CTRL | ' ';
	default:
		break;
	}
	if (cp < 0x1b)
		return K_CTRL | (cp + 'a' - 1);
	if (cp < 0x20)
		return K_CTRL | (cp + '@');
	return cp > 0x10ffff ? K_NONE : cp;
}

bool key_is_text(uint32_t key)
{
	return key >= 0x20 && key < 0x110000 && !text_is_control(key);
}

void key_add_name(struct buf *out, uint32_t key)
{
	if (key & K_CTRL)
		buf_adds(out, "C-");
	if (key & K_ALT)
		buf_adds(out, "M-");
	key &= ~(uint32_t)(K_CTRL | K_ALT);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (names[i].key == key) {
			buf_adds(out, names[i].name);
			return;
		}
	}
	if (key_is_text(key))
		utf8_encode(out, key);
}

static uint32_t plain_from_name(const char *s, size_t n)
{
	uint32_t cp;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strlen(names[i].name) == n && memcmp(names[i].name, s, n) == 0)
			return names[i].key;
	if (!n || utf8_decode(s, n, &cp) != n || !key_is_text(cp))
		return K_NONE;
	return cp;
}

static uint32_t key_from_part(const char *s, size_t n)
{
	uint32_t bits = 0, plain;

	for (; n > 2 && s[1] == '-' && (*s == 'C' || *s == 'M'); s += 2, n -= 2)
		bits |= *s == 'C' ? K_CTRL : K_ALT;
	plain = plain_from_name(s, n);
	if (bits & K_CTRL && plain >= 'A' && plain <= 'Z')
		plain += 'a' - 'A';		/* terminals do not tell them apart */
	return plain == K_NONE ? K_NONE : plain | bits;
}

uint32_t key_from_name(const char *name)
{
	return key_from_part(name, strlen(name));
}

/* What the terminal does with a key before the program could see it. */
static const struct {
	uint32_t key;
	const char *why;
} obstacles[] = {
	{ K_CTRL | 'c', "cancels, everywhere" },
	{ K_CTRL | 'z', "stops the program, as in every program" },
	{ K_CTRL | '\\', "ends the program" },
	{ K_CTRL | 's', "holds the output of many terminals" },
	{ K_CTRL | 'q', "lets the output of many terminals go on" },
	{ K_CTRL | 'h', "is BSpace to a terminal" },
	{ K_CTRL | 'i', "is Tab to a terminal" },
	{ K_CTRL | 'j', "is Enter to a terminal" },
	{ K_CTRL | 'm', "is Enter to a terminal" },
	{ K_CTRL | '[', "is Esc to a terminal" },
};

const char *key_obstacle(uint32_t key)
{
	uint32_t plain = key & ~(uint32_t)(K_CTRL | K_ALT);

	for (size_t i = 0; i < ARRAY_LEN(obstacles); i++)
		if (obstacles[i].key == key)
			return obstacles[i].why;
	if (key & K_ALT && (key & K_CTRL || plain <= ' ' || plain >= 0x7f))
		return "is not sent by terminals: M- goes with one character";
	if (key & K_CTRL && plain != ' ' && !(plain >= 'a' && plain <= 'z') &&
		!(plain > '[' && plain <= '_'))
		return "is not sent by terminals: C- goes with a letter";
	return NULL;
}

bool key_in_list(uint32_t key, const char *list)
{
	while (list && *list) {
		size_t n = strcspn(list, " ");

		if (n && key_from_part(list, n) == key)
			return true;
		list += n + strspn(list + n, " ");
	}
	return false;
}
