/* template - one pass over the text, names are looked up as they come. */
#include "config.h"

#include "launch/template.h"

#include <string.h>

#include "base/err.h"

/* One piece of a text at *S: plain bytes, a doubled brace, or a name. */
struct piece {
	const char *bytes;
	size_t n;
	bool is_name;
};

/* False at the end, or with *BAD set at a brace that stands alone. */
static bool next_piece(struct piece *out, const char **s, bool *bad)
{
	size_t plain = strcspn(*s, "{}");

	*bad = false;
	*out = (struct piece){ .bytes = *s, .n = plain };
	if (plain) {
		*s += plain;
		return true;
	}
	if (!**s)
		return false;
	if ((*s)[1] == **s) {
		out->n = 1;
		*s += 2;
		return true;
	}
	out->bytes = *s + 1;
	out->n = strcspn(out->bytes, "{}");
	out->is_name = true;
	*bad = **s == '}' || out->bytes[out->n] != '}';
	*s = out->bytes + out->n + 1;
	return !*bad;
}

int template_check(const char *text, template_value_fn *value, const void *user)
{
	const char *s = text;
	struct piece p;
	bool bad;

	while (next_piece(&p, &s, &bad))
		if (p.is_name && !value(user, p.bytes, p.n))
			return err_set(ERR_PARSE, "there is no {%.*s}", (int)p.n, p.bytes);
	if (bad)
		return err_set(ERR_PARSE,
			"a brace that stands alone in \"%s\"; write {{ or }} for one", text);
	return 0;
}

void template_expand(struct buf *out, const char *text, template_value_fn *value,
	const void *user, bool *empty)
{
	const char *s = text;
	struct piece p;
	bool bad;

	if (empty)
		*empty = false;
	while (next_piece(&p, &s, &bad)) {
		const char *v = p.is_name ? value(user, p.bytes, p.n) : NULL;

		if (!p.is_name)
			buf_add(out, p.bytes, p.n);
		else if (v)
			buf_adds(out, v);
		if (empty && p.is_name && (!v || !*v))
			*empty = true;
	}
}
