/* keymap - see keymap.h. */
#include "config.h"

#include "command/keymap.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/key.h"
#include "command/screen_operation.h"
#include "workspace/user_config.h"

/* The same in lists, forms and prompts. */
static const char fixed_keys[] = "Enter Esc Tab S-Tab";

/* ---- words ---------------------------------------------------------------- */

static bool has_word(const char *list, const char *word, size_t n)
{
	for (const char *s = list; s && *s; s += strspn(s, " ")) {
		size_t k = strcspn(s, " ");

		if (k == n && memcmp(s, word, n) == 0)
			return true;
		s += k;
	}
	return false;
}

static void add_word(struct buf *out, const char *word, size_t n)
{
	if (has_word(out->s, word, n))
		return;
	if (out->n)
		buf_addc(out, ' ');
	buf_add(out, word, n);
}

/* The operation's words, joined: "attempt next" is "attempt-next". */
static bool is_named(const struct operation *o, const char *name)
{
	const char *s = o->name;

	for (; *s && *name; s++, name++)
		if (*s != *name && !(*s == ' ' && *name == '-'))
			return false;
	return !*s && !*name;
}

/* ---- what is in force ------------------------------------------------------- */

static size_t number_of(const struct operation *o)
{
	size_t i = 0;

	while (operation_at(i) != o)
		i++;
	return i;
}

static const char *keys_of(const struct keymap *m, const struct operation *o, size_t number)
{
	const char *own = m && m->keys ? m->keys[number] : NULL;

	return own ? own : o->keys ? o->keys : "";
}

const char *keymap_keys(const struct keymap *m, const struct operation *o)
{
	return keys_of(m, o, number_of(o));
}

/* An operation without a key of its own gets it everywhere. */
static unsigned contexts_of(const struct operation *o)
{
	return o->contexts ? o->contexts : CONTEXT_ANY;
}

/* A view's own keys beat a list's, which beat those of everywhere. */
static int specificity(unsigned contexts)
{
	if (contexts & ~(unsigned)(CONTEXT_ANY | CONTEXT_LIST))
		return 2;
	return contexts & CONTEXT_LIST ? 1 : 0;
}

static const struct operation *find(
	const struct keymap *m, const char *key, size_t n, unsigned contexts)
{
	const struct operation *o, *best = NULL;
	int rank = -1;

	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		unsigned common = contexts_of(o) & contexts;

		if (!common || specificity(common) <= rank || !has_word(keys_of(m, o, i), key, n))
			continue;
		best = o;
		rank = specificity(common);
	}
	return best;
}

const struct operation *keymap_operation(const struct keymap *m, const char *key, unsigned contexts)
{
	return find(m, key, strlen(key), contexts);
}

void keymap_add_key(struct buf *out, const struct keymap *m, const char *were, unsigned contexts)
{
	for (const char *s = were; *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");
		const struct operation *o = find(NULL, s, n, contexts);
		const char *now = o ? keymap_keys(m, o) : s;

		if (s > were)
			buf_addc(out, ' ');
		if (o && !*now)
			buf_addf(out, ":%s", o->name);
		else if (o && has_word(now, s, n))
			buf_add(out, s, n);
		else
			buf_add(out, now, strcspn(now, " "));
		s += n;
	}
}

/* ---- reading ---------------------------------------------------------------- */

struct reading {
	struct keymap *m;
	const struct conf_entry **bound;	/* by the operation's number */
	size_t n_operations, cap;
};

static void ATTR_PRINTF(3, 4)
	mistake(struct reading *r, const struct conf_entry *e, const char *fmt, ...)
{
	struct keymap *m = r->m;
	const char **more = arena_alloc(&m->arena, (m->n_mistakes + 1) * sizeof *more);
	struct buf b = BUF_INIT;
	va_list ap;

	buf_addf(&b, "line %d: keys.%s: ", e->line, e->key);
	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	if (m->n_mistakes)
		memcpy(more, m->mistakes, m->n_mistakes * sizeof *more);
	more[m->n_mistakes++] = arena_strndup(&m->arena, b.s, b.n);
	m->mistakes = more;
	buf_release(&b);
}

static bool is_bindable(const struct operation *o)
{
	return (o->flags & OPERATION_SCREEN) && !(o->flags & OPERATION_INTERNAL);
}

static const struct operation *named(const char *name, size_t *number)
{
	const struct operation *o;

	for (*number = 0; (o = operation_at(*number)) != NULL; ++*number)
		if (is_bindable(o) && is_named(o, name))
			return o;
	return NULL;
}

/* One word of a binding, as key presses are named; false with a mistake. */
static bool take_key(struct reading *r, const struct conf_entry *e, const struct operation *o,
	const char *word, size_t n, struct buf *out)
{
	char *text = arena_strndup(&r->m->arena, word, n);
	uint32_t key = key_from_name(text);
	struct buf name = BUF_INIT;
	const char *why = NULL;

	key_add_name(&name, key);
	if (key == K_NONE)
		mistake(r, e,
			"\"%s\" is no key; keys are one character, C-x, M-x, or a name: Enter Esc Tab S-Tab BSpace "
			"Delete Insert Up Down Left Right Home End PgUp PgDn Space F1 to F12",
			text);
	else if ((why = key_obstacle(key)) != NULL)
		mistake(r, e, "%s %s", name.s, why);
	else if (has_word(fixed_keys, name.s, name.n) && !has_word(o->keys, name.s, name.n))
		mistake(r, e,
			"%s means the same in lists, forms and prompts and cannot be given to \"%s\"",
			name.s, o->name);
	else
		add_word(out, name.s, name.n);
	buf_release(&name);
	return key != K_NONE && !why && out->n;
}

/* The fixed keys that the operation has stay, whatever is said. */
static void add_fixed(struct buf *out, const struct operation *o)
{
	for (const char *s = o->keys; s && *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		if (has_word(fixed_keys, s, n))
			add_word(out, s, n);
		s += n;
	}
}

static void take_entry(struct reading *r, const struct conf_entry *e)
{
	size_t number;
	const struct operation *o = named(e->key, &number);
	struct buf keys = BUF_INIT;
	bool good = o != NULL;

	if (!o) {
		mistake(r, e,
			"there is no such operation on the screen; ? lists them, - stands for each blank");
		return;
	}
	add_fixed(&keys, o);
	for (const char *s = e->value; good && *s; s += strspn(s, " \t")) {
		size_t n = strcspn(s, " \t"), before = r->m->n_mistakes;

		good = !n || take_key(r, e, o, s, n, &keys);
		good = good && r->m->n_mistakes == before;
		s += n;
	}
	if (good) {
		r->m->keys[number] = arena_strndup(&r->m->arena, keys.s, keys.n);
		r->bound[number] = e;
	}
	buf_release(&keys);
}

/* ---- conflicts ---------------------------------------------------------------- */

/* The operation that has one of the keys of number I where both are in force. */
static const struct operation *rival_of(
	const struct reading *r, size_t i, const char **key, size_t *key_n)
{
	const struct operation *o = operation_at(i), *other;

	for (const char *s = keys_of(r->m, o, i); *s; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		for (size_t k = 0; (other = operation_at(k)) != NULL; k++) {
			if (k == i || !is_bindable(other) ||
				!(contexts_of(o) & contexts_of(other)) ||
				!has_word(keys_of(r->m, other, k), s, n))
				continue;
			/* Two rows of the table may share a key on purpose. */
			if (has_word(o->keys, s, n) && has_word(other->keys, s, n))
				continue;
			*key = s;
			*key_n = n;
			return other;
		}
		s += n;
	}
	return NULL;
}

/* "attempt next" as the file names it. */
static const char *file_name(struct arena *a, const struct operation *o)
{
	char *s = arena_strdup(a, o->name);

	for (char *p = s; *p; p++)
		if (*p == ' ')
			*p = '-';
	return s;
}

/* Taking one back can uncover another conflict: until none is left. */
static void settle_conflicts(struct reading *r)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = r->n_operations; i-- > 0; ) {
			const char *key = "";
			size_t n = 0;
			const struct operation *other =
				r->bound[i] ? rival_of(r, i, &key, &n) : NULL;

			if (!other)
				continue;
			mistake(r, r->bound[i],
				"%.*s is a key of \"%s\" already; give keys.%s another one first",
				(int)n, key, other->name, file_name(&r->m->arena, other));
			r->m->keys[i] = NULL;
			r->bound[i] = NULL;
			changed = true;
		}
	}
}

/* Without them nobody finds the keys, or the way out. */
static void keep_way_out(struct reading *r)
{
	static const int needed[] = { SCREEN_HELP, SCREEN_PALETTE, SCREEN_QUIT };

	for (size_t i = 0; i < ARRAY_LEN(needed); i++) {
		const struct operation *o = operation_by_screen(needed[i]);
		size_t number = o ? number_of(o) : 0;

		if (!o || !r->bound[number] || *r->m->keys[number])
			continue;
		mistake(r, r->bound[number], "\"%s\" cannot be left without a key", o->name);
		r->m->keys[number] = NULL;
		r->bound[number] = NULL;
	}
}

void keymap_apply(struct keymap *m, const struct conf *c)
{
	struct reading r = { .m = m };

	while (operation_at(r.n_operations))
		r.n_operations++;
	m->keys = arena_alloc(&m->arena, r.n_operations * sizeof *m->keys);
	memset(m->keys, 0, r.n_operations * sizeof *m->keys);
	r.bound = xcalloc(r.n_operations, sizeof *r.bound);
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->entries[i].section, "keys") == 0)
			take_entry(&r, &c->entries[i]);
	keep_way_out(&r);
	settle_conflicts(&r);
	free(r.bound);
}

int keymap_read(struct keymap *m)
{
	struct conf conf = CONF_INIT;
	int rc = user_config_read(&conf);

	if (rc == 0)
		keymap_apply(m, &conf);
	conf_release(&conf);
	return rc;
}

void keymap_release(struct keymap *m)
{
	arena_release(&m->arena);
	m->keys = m->mistakes = NULL;
	m->n_mistakes = 0;
}
