/* settings - a small list of names and values. */
#include "config.h"

#include "curve/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static char *copy_text(const char *p, size_t n)
{
	char *copy;

	n = text_cut(p, n, SETTING_BYTES_MAX);
	copy = xmalloc(n + 1);
	memcpy(copy, p, n);
	copy[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (copy[i] == '\0')
			copy[i] = ' ';
	return copy;
}

static struct setting *find(const struct settings *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->list[i].name, name) == 0)
			return &s->list[i];
	return NULL;
}

void settings_put(
	struct settings *s, const char *name, size_t name_n, const char *value, size_t value_n)
{
	char *name_copy = copy_text(name, name_n), *value_copy = copy_text(value, value_n);
	struct setting *known = find(s, name_copy);

	if (known) {
		free(known->value);
		known->value = value_copy;
		free(name_copy);
		return;
	}
	if (s->n == SETTINGS_MAX) {
		s->full = true;
		free(name_copy);
		free(value_copy);
		return;
	}
	ARRAY_GROW(s->list, s->n, s->cap);
	s->list[s->n++] = (struct setting){ name_copy, value_copy };
}

void settings_remove(struct settings *s, const char *name, size_t name_n)
{
	char *copy = copy_text(name, name_n);
	struct setting *known = find(s, copy);

	free(copy);
	if (!known)
		return;
	free(known->name);
	free(known->value);
	s->n--;
	memmove(known, known + 1, (size_t)(s->list + s->n - known) * sizeof *known);
}

const char *settings_find(const struct settings *s, const char *name)
{
	const struct setting *found = find(s, name);

	return found ? found->value : NULL;
}

void settings_merge(struct settings *into, const struct settings *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct setting *f = &from->list[i];

		if (!find(into, f->name))
			settings_put(into, f->name, strlen(f->name), f->value, strlen(f->value));
	}
	into->full |= from->full;
}

void settings_release(struct settings *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->list[i].name);
		free(s->list[i].value);
	}
	free(s->list);
	*s = (struct settings){ 0 };
}
