/* wandb_value - reads items; see wandb_value.h. */
#include "config.h"

#include "curve/wandb_value.h"

#include <string.h>

enum { FIELD_KEY = 1, FIELD_NESTED_KEY = 2, FIELD_VALUE_JSON = 16 };

void wandb_values_release(struct wandb_values *v)
{
	json_row_release(&v->row);
	buf_release(&v->name);
	buf_release(&v->json);
}

static size_t length_of(struct protobuf m)
{
	return (size_t)(m.end - m.p);
}

/* One part is taken where it stands; several are joined in the room. */
static void add_part(
	struct wandb_item *item, struct wandb_values *v, struct protobuf part, size_t n_parts)
{
	if (n_parts == 0) {
		item->name = (const char *)part.p;
		item->name_n = length_of(part);
		return;
	}
	if (n_parts == 1) {
		buf_clear(&v->name);
		buf_add(&v->name, item->name, item->name_n);
	}
	buf_addc(&v->name, '.');
	buf_add(&v->name, part.p, length_of(part));
	item->name = v->name.s;
	item->name_n = v->name.n;
}

bool wandb_item_read(struct wandb_item *out, struct wandb_values *v, struct protobuf m)
{
	struct protobuf key = { m.p, m.p };
	struct protobuf_field f;
	size_t n_parts = 0;
	int more;

	*out = (struct wandb_item){ .name = "", .json = "" };
	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire != WIRE_BYTES)
			continue;
		if (f.number == FIELD_KEY) {
			key = f.bytes;
		} else if (f.number == FIELD_NESTED_KEY) {
			add_part(out, v, f.bytes, n_parts++);
		} else if (f.number == FIELD_VALUE_JSON) {
			out->json = (const char *)f.bytes.p;
			out->json_n = length_of(f.bytes);
		}
	}
	if (!n_parts && key.end > key.p) {
		out->name = (const char *)key.p;
		out->name_n = length_of(key);
	}
	return more == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && memcmp(p, word, n) == 0;
}

static enum wandb_value read_object(struct wandb_values *v, const char *p, size_t n)
{
	size_t used;

	if (json_scan_object(&v->row, p, n, &used) != JSON_SCAN_OK || used != n ||
		json_row_find(&v->row, "_type"))
		return WANDB_OTHER;
	return WANDB_OBJECT;
}

enum wandb_value wandb_value_read(
	struct number *out, struct wandb_values *v, const struct wandb_item *item)
{
	const char *p = item->json;
	size_t n = item->json_n;

	while (n && is_blank(*p))
		p++, n--;
	while (n && is_blank(p[n - 1]))
		n--;
	if (n == 0 || is_word(p, n, "null"))
		return WANDB_ABSENT;
	if (*p == '{')
		return read_object(v, p, n);
	if (*p == '"')
		return n > 2 && p[n - 1] == '"' && number_read_token(out, p + 1, n - 2, false)
			? WANDB_NUMBER
			: WANDB_OTHER;
	if (is_word(p, n, "true") || is_word(p, n, "false")) {
		*out = (struct number){ .value = n == 4, .integer = n == 4, .is_integer = true };
		return WANDB_NUMBER;
	}
	return number_read(out, p, n) ? WANDB_NUMBER : WANDB_OTHER;
}

const char *wandb_value_name(struct wandb_values *v, struct wandb_item *item, const char *field,
	size_t field_n, size_t *n)
{
	if (item->name == v->name.s) {
		buf_truncate(&v->name, item->name_n);
	} else {
		buf_clear(&v->name);
		buf_add(&v->name, item->name, item->name_n);
	}
	buf_addc(&v->name, '.');
	buf_add(&v->name, field, field_n);
	item->name = v->name.s;
	*n = v->name.n;
	return v->name.s;
}

static void put_field(struct settings *s, struct wandb_values *v, struct wandb_item *item,
	const struct json_field *f)
{
	const char *text = f->text ? f->text : f->number.value != 0 ? "true" : "false";
	size_t text_n = f->text ? f->text_n : strlen(text), n = item->name_n;
	const char *name = item->name;

	if (f->kind == JSON_FIELD_NULL)
		return;
	if (f->name_n > 1)	/* "v.rest": an object */
		name = wandb_value_name(v, item, f->name + 2, f->name_n - 2, &n);
	settings_put(s, name, n, text, text_n);
}

void wandb_value_put_setting(
	struct settings *s, struct wandb_values *v, struct wandb_item *item)
{
	size_t used;

	/* As the only field of an object any value is read by one scan. */
	buf_clear(&v->json);
	buf_adds(&v->json, "{\"v\":");
	buf_add(&v->json, item->json, item->json_n);
	buf_addc(&v->json, '}');
	if (json_scan_object(&v->row, v->json.s, v->json.n, &used) != JSON_SCAN_OK ||
		used != v->json.n)
		return;
	for (size_t i = 0; i < v->row.n; i++)
		put_field(s, v, item, &v->row.fields[i]);
}
