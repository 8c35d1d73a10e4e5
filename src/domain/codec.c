/* codec - see codec.h. */
#include "config.h"

#include "domain/codec.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

static const void *at(const void *base, size_t offset)
{
	return (const char *)base + offset;
}

static const char *text_at(const void *base, size_t offset)
{
	const char *s = *(const char *const *)at(base, offset);

	return s ? s : "";
}

/* ---- encoding -------------------------------------------------------------- */

static bool is_empty(const struct state_shape *s, const void *from);

static bool member_is_empty(const struct member *m, const void *from)
{
	switch (m->type) {
	case MEMBER_TEXT:
	case MEMBER_RAW:
		return !*text_at(from, m->offset);
	case MEMBER_INTEGER:
		return !*(const int64_t *)at(from, m->offset);
	case MEMBER_FLAG:
		return !*(const bool *)at(from, m->offset);
	case MEMBER_WORD:
		return !*(const int *)at(from, m->offset);
	case MEMBER_TEXTS:
	case MEMBER_LIST:
		return !*(const size_t *)at(from, m->count_offset);
	case MEMBER_STRUCT:
		return is_empty(m->shape, at(from, m->offset));
	}
	return true;
}

static bool is_empty(const struct state_shape *s, const void *from)
{
	for (size_t i = 0; i < s->n; i++)
		if (!member_is_empty(&s->members[i], from))
			return false;
	return true;
}

static void add_integer(struct buf *out, int64_t v)
{
	struct json_writer w = { .out = out };

	json_put_i64(&w, NULL, v);
}

static void add_texts(struct buf *out, const struct member *m, const void *from)
{
	const char *const *list = *(const char *const *const *)at(from, m->offset);
	size_t n = *(const size_t *)at(from, m->count_offset);

	buf_addc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(out, ',');
		json_quote(out, list[i], strlen(list[i]));
	}
	buf_addc(out, ']');
}

static void add_list(struct buf *out, const struct member *m, const void *from)
{
	const char *list = *(const char *const *)at(from, m->offset);
	size_t n = *(const size_t *)at(from, m->count_offset);

	buf_addc(out, '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(out, ',');
		shape_encode(out, m->shape, list + i * m->shape->size);
	}
	buf_addc(out, ']');
}

static void add_member(struct buf *out, const struct member *m, const void *from)
{
	const char *text;

	switch (m->type) {
	case MEMBER_TEXT:
		text = text_at(from, m->offset);
		json_quote(out, text, strlen(text));
		break;
	case MEMBER_RAW:
		buf_adds(out, text_at(from, m->offset));
		break;
	case MEMBER_INTEGER:
		add_integer(out, *(const int64_t *)at(from, m->offset));
		break;
	case MEMBER_FLAG:
		buf_adds(out, "true");
		break;
	case MEMBER_WORD:
		text = word_name(m->words, *(const int *)at(from, m->offset));
		json_quote(out, text, strlen(text));
		break;
	case MEMBER_TEXTS:
		add_texts(out, m, from);
		break;
	case MEMBER_LIST:
		add_list(out, m, from);
		break;
	case MEMBER_STRUCT:
		shape_encode(out, m->shape, at(from, m->offset));
		break;
	}
}

void shape_encode(struct buf *out, const struct state_shape *s, const void *from)
{
	const char *between = "";

	buf_addc(out, '{');
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->members[i];

		if (member_is_empty(m, from))
			continue;
		buf_adds(out, between);
		json_quote(out, m->name, strlen(m->name));
		buf_addc(out, ':');
		add_member(out, m, from);
		between = ",";
	}
	buf_addc(out, '}');
}

/* ---- decoding -------------------------------------------------------------- */

static void set_text(void *to, const struct member *m, const char *text)
{
	memcpy((char *)to + m->offset, &text, sizeof text);
}

static void set_list(void *to, const struct member *m, void *list, size_t n)
{
	memcpy((char *)to + m->offset, &list, sizeof list);
	memcpy((char *)to + m->count_offset, &n, sizeof n);
}

static const char *raw_text(struct arena *a, const struct json *v)
{
	struct buf b = BUF_INIT;
	const char *text;

	json_canonical(&b, v);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

static void read_texts(void *to, const struct member *m, struct arena *a, const struct json *v)
{
	const char **list = arena_alloc(a, (v->count + 1) * sizeof *list);
	size_t n = 0;

	for (const struct json *c = v->first; c; c = c->next)
		if (c->type == JSON_STRING)
			list[n++] = c->text;
	set_list(to, m, list, n);
}

static void read_list(void *to, const struct member *m, struct arena *a, const struct json *v)
{
	char *list = arena_alloc(a, (v->count + 1) * m->shape->size);
	size_t n = 0;

	for (const struct json *c = v->first; c; c = c->next)
		shape_decode(list + n++ * m->shape->size, m->shape, a, c);
	set_list(to, m, list, n);
}

static void read_member(void *to, const struct member *m, struct arena *a, const struct json *v)
{
	char *place = (char *)to + m->offset;
	int64_t whole;
	bool flag;
	int word;

	if (v->type == JSON_STRING && m->type == MEMBER_TEXT) {
		set_text(to, m, v->text);
	} else if (m->type == MEMBER_RAW) {
		set_text(to, m, raw_text(a, v));
	} else if (m->type == MEMBER_INTEGER) {
		if ((v->type == JSON_NUMBER || v->type == JSON_STRING) &&
		    text_to_i64(v->text, v->text_n, &whole))
			memcpy(place, &whole, sizeof whole);
	} else if (m->type == MEMBER_FLAG) {
		flag = v->type == JSON_TRUE;
		memcpy(place, &flag, sizeof flag);
	} else if (m->type == MEMBER_WORD && v->type == JSON_STRING) {
		word = word_find(m->words, v->text);
		word = word < 0 ? 0 : word;
		memcpy(place, &word, sizeof word);
	} else if (m->type == MEMBER_TEXTS && v->type == JSON_ARRAY) {
		read_texts(to, m, a, v);
	} else if (m->type == MEMBER_LIST && v->type == JSON_ARRAY) {
		read_list(to, m, a, v);
	} else if (m->type == MEMBER_STRUCT && v->type == JSON_OBJECT) {
		shape_decode(place, m->shape, a, v);
	}
}

/* Every text is "" until a member says otherwise. */
static void clear(void *to, const struct state_shape *s)
{
	memset(to, 0, s->size);
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->members[i];

		if (m->type == MEMBER_TEXT || m->type == MEMBER_RAW)
			set_text(to, m, "");
		else if (m->type == MEMBER_STRUCT)
			clear((char *)to + m->offset, m->shape);
	}
}

static const struct member *member_find(const struct state_shape *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->members[i].name, name) == 0)
			return &s->members[i];
	return NULL;
}

void shape_decode(void *to, const struct state_shape *s, struct arena *a, const struct json *j)
{
	clear(to, s);
	if (!j || j->type != JSON_OBJECT)
		return;
	for (const struct json *c = j->first; c; c = c->next) {
		const struct member *m = member_find(s, c->key);

		if (m)
			read_member(to, m, a, c);
	}
}

/* ---- picking members from a text ---------------------------------------------- */

/* The offset behind the string that starts at I, N when it does not end. */
static size_t skip_string(const char *text, size_t n, size_t i)
{
	for (i++; i < n && text[i] != '"'; i++)
		if (text[i] == '\\')
			i++;
	return i < n ? i + 1 : n;
}

/* The offset behind the value that starts at I; N at a text that breaks off. */
static size_t skip_value(const char *text, size_t n, size_t i)
{
	size_t depth = 0;

	while (i < n) {
		char c = text[i];

		if (!depth && (c == ',' || c == '}' || c == ']'))
			return i;
		if (c == '"') {
			i = skip_string(text, n, i);
			continue;
		}
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		i++;
	}
	return n;
}

static size_t member_index(const struct state_shape *s, const char *name, size_t n)
{
	size_t i = 0;

	while (i < s->n && (strncmp(s->members[i].name, name, n) != 0 || s->members[i].name[n]))
		i++;
	return i;
}

static bool is_named(const char *const *names, const char *name, size_t n)
{
	while (*names && (strncmp(*names, name, n) != 0 || (*names)[n]))
		names++;
	return *names;
}

/* Members are written in the order of the table. */
static size_t last_index(const struct state_shape *s, const char *const *names)
{
	size_t last = 0;

	for (; *names; names++) {
		size_t i = member_index(s, *names, strlen(*names));

		if (i > last)
			last = i;
	}
	return last;
}

bool shape_pick(struct buf *out, const struct state_shape *s, const char *text, size_t n,
	const char *const *names)
{
	size_t last = last_index(s, names), i = 1;
	const char *between = "";

	if (n < 2 || text[0] != '{')
		return false;
	buf_addc(out, '{');
	while (i < n && text[i] == '"') {
		size_t behind = skip_string(text, n, i), end = skip_value(text, n, behind), index;

		if (end >= n || text[behind] != ':' || text[end] == ']')
			return false;
		index = member_index(s, text + i + 1, behind - i - 2);
		if (index > last && index < s->n)
			break;
		if (is_named(names, text + i + 1, behind - i - 2)) {
			buf_adds(out, between);
			buf_add(out, text + i, end - i);
			between = ",";
		}
		i = end + (text[end] == ',');
	}
	buf_addc(out, '}');
	return i < n && (text[i] == '"' || text[i] == '}');
}
