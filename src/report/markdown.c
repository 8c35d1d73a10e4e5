/* markdown - see markdown.h. */
#include "config.h"

#include "report/markdown.h"

#include <string.h>

#include "base/text.h"

/* A tag begins with "<", and an entity with "&". */
static const char *entity_of(char c)
{
	return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
}

static void add_escaped(struct buf *out, char c)
{
	static const char special[] = "\\`*_{}[]|~#!";
	const char *entity = entity_of(c);

	if (entity) {
		buf_adds(out, entity);
		return;
	}
	if (c && strchr(special, c))
		buf_addc(out, '\\');
	buf_addc(out, c);
}

void markdown_add_text(struct buf *out, const char *s, size_t n)
{
	struct buf clean = BUF_INIT;

	text_sanitise(&clean, s, n);
	/* The title of a column of numbers, which readers of plain text see too. */
	if (clean.n == 1 && clean.s[0] == '#')
		buf_addc(out, '#');
	else
		for (size_t i = 0; i < clean.n; i++)
			add_escaped(out, clean.s[i]);
	buf_release(&clean);
}
