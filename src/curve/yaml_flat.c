/* yaml_flat - lines of "name: value" with indentation. */
#include "config.h"

#include "curve/yaml_flat.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"

struct level { size_t indent, name_n; };

struct yaml {
	struct settings *out;		/* NULL: TAKE is called instead */
	yaml_flat_fn *take;
	void *user;
	int64_t line;
	int item;			/* number of the next one of the list at hand */
	struct buf name;		/* of the map at hand, with its dot */
	struct buf list;		/* items of the list at hand */
	struct buf list_name;		/* whose they are */
	struct level levels[YAML_FLAT_DEPTH_MAX];
	size_t depth;
	size_t skip_below; /* inside a block text that is indented deeper; SIZE_MAX: no */
	size_t left;
};

struct span { const char *p; size_t n; };

static struct span trimmed(const char *p, size_t n)
{
	while (n && (*p == ' ' || *p == '\t'))
		p++, n--;
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
		n--;
	return (struct span){ p, n };
}

/* Behind the quote that closes the text at P; 0 when none does. */
static size_t quoted_length(const char *p, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (*p == '"' && p[i] == '\\')
			i++;
		else if (p[i] == *p && *p == '\'' && i + 1 < n && p[i + 1] == '\'')
			i++;
		else if (p[i] == *p)
			return i + 1;
	}
	return 0;
}

/* A scalar without its quotes and the comment behind it. */
static struct span scalar_of(struct span v)
{
	size_t quoted = v.n && (*v.p == '"' || *v.p == '\'') ? quoted_length(v.p, v.n) : 0;

	if (quoted)
		return (struct span){ v.p + 1, quoted - 2 };
	for (size_t i = 0; i + 1 < v.n; i++)
		if (v.p[i + 1] == '#' && (v.p[i] == ' ' || v.p[i] == '\t'))
			return trimmed(v.p, i);
	if (v.n && *v.p == '#')
		v.n = 0;
	return v;
}

static void end_list(struct yaml *y)
{
	if (y->list_name.n && y->list.n)
		settings_put(y->out, y->list_name.s, y->list_name.n, y->list.s, y->list.n);
	y->item = 0;
	buf_clear(&y->list);
	buf_clear(&y->list_name);
}

/* The colon that ends a name: before a blank or at the end of the line, outside quotes. */
static size_t name_length(struct span s)
{
	size_t i = s.n && (*s.p == '"' || *s.p == '\'') ? quoted_length(s.p, s.n) : 0;

	for (; i < s.n; i++)
		if (s.p[i] == ':' && (i + 1 == s.n || s.p[i + 1] == ' ' || s.p[i + 1] == '\t'))
			return i;
	return s.n;
}

/* Leaves the maps that the line at INDENT is not in any more. */
static void leave_levels(struct yaml *y, size_t indent)
{
	while (y->depth && indent <= y->levels[y->depth - 1].indent)
		buf_truncate(&y->name, y->levels[--y->depth].name_n);
}

static void enter_map(struct yaml *y, struct span name, size_t indent)
{
	if (y->depth == YAML_FLAT_DEPTH_MAX || y->name.n + name.n > SETTING_BYTES_MAX) {
		y->left++;
		y->skip_below = indent;
		return;
	}
	y->levels[y->depth++] = (struct level){ indent, y->name.n };
	buf_add(&y->list_name, y->name.s, y->name.n);
	buf_add(&y->list_name, name.p, name.n);
	buf_add(&y->name, name.p, name.n);
	buf_addc(&y->name, '.');
}

static bool is_block_text(struct span v)
{
	return v.n && v.n <= 3 && (*v.p == '|' || *v.p == '>');
}

/* An anchor, an alias, a tag, or what YAML keeps for itself: bare, it is no text. */
static bool is_beyond(struct span raw)
{
	return raw.n && memchr("&*!%@`", *raw.p, 6) != NULL;
}

static void take_item(struct yaml *y, struct span item, size_t indent)
{
	struct span raw = trimmed(item.p, item.n), v = scalar_of(raw);

	if (!y->list_name.n || y->list.n + v.n > SETTING_BYTES_MAX || is_beyond(raw)) {
		y->left++;
		return;
	}
	/* A map as an item has no name to stand under. */
	if (name_length(raw) < raw.n) {
		y->left++;
		y->skip_below = indent;
		return;
	}
	if (!y->out) {
		y->take(y->user, y->list_name.s, y->list_name.n, v.p, v.n, y->line, y->item++);
		return;
	}
	if (y->list.n)
		buf_adds(&y->list, ", ");
	buf_add(&y->list, v.p, v.n);
}

static void take_value(struct yaml *y, struct span name, struct span v)
{
	size_t n = y->name.n;

	buf_add(&y->name, name.p, name.n);
	if (y->out)
		settings_put(y->out, y->name.s, y->name.n, v.p, v.n);
	else
		y->take(y->user, y->name.s, y->name.n, v.p, v.n, y->line, -1);
	buf_truncate(&y->name, n);
}

static void take_pair(struct yaml *y, struct span s, size_t indent)
{
	size_t at = name_length(s);
	struct span name = scalar_of(trimmed(s.p, at)), raw, v;

	if (at == s.n || !name.n) {
		y->left++;
		return;
	}
	raw = trimmed(s.p + at + 1, s.n - at - 1);
	v = scalar_of(raw);
	end_list(y);
	if (is_block_text(v) || is_beyond(raw)) {
		y->skip_below = indent;
		y->left++;
	} else if (!v.n && !(raw.n && (*raw.p == '"' || *raw.p == '\''))) {
		enter_map(y, name, indent);
	} else {
		take_value(y, name, v);
	}
}

static void take_line(struct yaml *y, const char *p, size_t n)
{
	struct span s = trimmed(p, n);
	size_t indent = (size_t)(s.p - p);

	if (!s.n || *s.p == '#' || (s.n >= 3 && (memcmp(s.p, "---", 3) == 0)))
		return;
	if (y->skip_below != SIZE_MAX && indent > y->skip_below)
		return;
	y->skip_below = SIZE_MAX;
	if (*s.p == '-' && (s.n == 1 || s.p[1] == ' ')) {
		take_item(y, (struct span){ s.p + 1, s.n - 1 }, indent);
		return;
	}
	leave_levels(y, indent);
	take_pair(y, s, indent);
}

static size_t read_all(struct yaml *y, const char *prefix, const char *p, size_t n)
{
	const char *end;

	buf_init(&y->name);
	buf_init(&y->list);
	buf_init(&y->list_name);
	y->skip_below = SIZE_MAX;
	if (n > YAML_FLAT_BYTES_MAX)
		n = YAML_FLAT_BYTES_MAX;
	buf_adds(&y->name, prefix);
	for (end = p + n; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *stop = newline ? newline : end;

		y->line++;
		take_line(y, p, (size_t)(stop - p));
		p = newline ? newline + 1 : end;
	}
	end_list(y);
	buf_release(&y->name);
	buf_release(&y->list);
	buf_release(&y->list_name);
	return y->left;
}

size_t yaml_flat_each(yaml_flat_fn *take, void *user, const char *prefix, const char *p, size_t n)
{
	struct yaml y = { .take = take, .user = user };

	return read_all(&y, prefix, p, n);
}

size_t yaml_flat_read(struct settings *out, const char *prefix, const char *p, size_t n)
{
	struct yaml y = { .out = out };

	return read_all(&y, prefix, p, n);
}

int yaml_flat_load(struct settings *out, const char *prefix, const char *path)
{
	struct buf text = BUF_INIT;
	int rc = fs_exists(path) ? fs_read(&text, path, YAML_FLAT_BYTES_MAX) : 0;

	if (rc == 0)
		(void)yaml_flat_read(out, prefix, text.s, text.n);
	buf_release(&text);
	return rc;
}
