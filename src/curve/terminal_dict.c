/* terminal_dict - objects on a line: JSON, and the dicts that Python prints. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "curve/jsonl.h"
#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

enum { DICT_DEPTH_MAX = 16, TAG_MAX = 64, DOTTED_BYTES_MAX = 2048 };

static bool has_name_n(const struct json_field *f, const char *name, size_t n)
{
	return f->name_n == n && memcmp(f->name, name, n) == 0;
}

static bool has_name(const char *name, size_t n, const char *text)
{
	return n == strlen(text) && memcmp(name, text, n) == 0;
}

/* The word between the last two bars before the object: "... | train_inner | {". */
static void find_tag(char tag[TAG_MAX + 2], const char *p, const char *brace)
{
	struct text_scan s = { p, brace };
	const char *bar;

	tag[0] = '\0';
	trim_scan(&s);
	if (!scan_left(&s) || s.end[-1] != '|')
		return;
	s.end--;
	bar = memrchr(s.p, '|', scan_left(&s));
	if (!bar)
		return;
	s.p = bar + 1;
	trim_scan(&s);
	if (scan_left(&s) == 0 || scan_left(&s) > TAG_MAX || memchr(s.p, '\0', scan_left(&s)))
		return;
	memcpy(tag, s.p, scan_left(&s));
	memcpy(tag + scan_left(&s), "/", sizeof "/");
}

/* num_updates with the tag before it: "valid_num_updates". */
static const struct json_field *find_tagged_updates(
	const struct json_row *row, const char *tag, int64_t *step)
{
	size_t tag_n = *tag ? strlen(tag) - 1 : 0;
	struct number n;

	for (size_t i = 0; tag_n && i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (f->name_n == tag_n + 12 && memcmp(f->name, tag, tag_n) == 0 &&
			memcmp(f->name + tag_n, "_num_updates", 12) == 0 &&
			json_field_number(f, &n) && n.is_integer) {
			*step = n.integer;
			return f;
		}
	}
	return NULL;
}

/* False when the object has neither step nor epoch. */
static bool place_row(const struct json_row *row, const char *tag, struct row_x *x,
	const struct json_field **step)
{
	const struct json_field *epoch = json_row_find(row, "epoch");
	struct number n;
	int64_t at;

	*step = jsonl_find_step(row, &at);
	if (!*step)
		*step = find_tagged_updates(row, tag, &at);
	if (*step)
		*x = terminal_at_step(at);
	if (!epoch || !json_field_number(epoch, &n))
		return *step;
	if (*step)
		x->epoch = n.value;
	else
		*x = terminal_at_epoch(n.value);
	return true;
}

/* A field of that name other than F stands in the row. */
static bool has_other(
	const struct json_row *row, const struct json_field *f, const char *name, size_t n)
{
	for (size_t i = 0; i < row->n; i++)
		if (&row->fields[i] != f && has_name_n(&row->fields[i], name, n))
			return true;
	return false;
}

static bool is_tagged_updates(const struct json_field *f)
{
	return f->name_n > 12 && memcmp(f->name + f->name_n - 12, "_num_updates", 12) == 0;
}

/* The step is the only field that could be one; else their values choose. */
static bool has_clear_step(const struct json_row *row, const struct json_field *step)
{
	for (size_t i = 0; i < row->n; i++)
		if (&row->fields[i] != step && is_tagged_updates(&row->fields[i]))
			return false;
	for (size_t i = 0; step_keys[i]; i++)
		if (has_other(row, step, step_keys[i], strlen(step_keys[i])))
			return false;
	return !step || !has_other(row, step, step->name, step->name_n);
}

static struct token token_of(const struct json_field *f)
{
	if (f && (f->kind == JSON_FIELD_NUMBER || f->kind == JSON_FIELD_TEXT))
		return token_between(f->text, f->text + f->text_n);
	return token_between(NULL, NULL);
}

static bool has_number(const struct json_field *f)
{
	struct number n;

	return f && json_field_number(f, &n);
}

static void tell_json_row(
	struct terminal *t, const struct frame *f, const char *brace, const struct json_field *step)
{
	const struct json_row *row = &t->row;
	const struct json_field *epoch = json_row_find(row, "epoch");
	const char *bar = memchr(f->p, '|', (size_t)(brace - f->p));

	t->taken.repeats = has_clear_step(row, step) &&
		!(epoch && has_other(row, epoch, "epoch", 5)) &&
		row->dotted_n <= f->n + DOTTED_BYTES_MAX;
	t->taken.placing = step ? PLACE_STEP : PLACE_EPOCH;
	t->taken.step = token_of(step);
	t->taken.step_form = SHAPE_NUMBER;
	if (has_number(epoch)) {
		t->taken.epoch = token_of(epoch);
		t->taken.repeats &= t->taken.epoch.p != NULL;
	}
	t->taken.free_to = bar ? bar : brace;	/* a tag stands between bars */
}

bool take_json(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	const char *brace = memchr(f->p, '{', f->n), *end = f->p + f->n;
	const struct json_field *step;
	char tag[TAG_MAX + 2];
	struct number n;
	struct row_x x;
	size_t used;

	if (end - brace < 3 || (brace[1] != '"' && brace[2] != '"') ||
	    json_scan_object(&t->row, brace, (size_t)(end - brace), &used) != JSON_SCAN_OK)
		return false;
	find_tag(tag, f->p, brace);
	if (!place_row(&t->row, tag, &x, &step))
		return false;
	for (size_t i = 0; i < t->row.n; i++) {
		const struct json_field *field = &t->row.fields[i];

		if ((step && field->name_n == step->name_n &&
			    memcmp(field->name, step->name, step->name_n) == 0) ||
			has_name(field->name, field->name_n, "epoch"))
			continue;
		if (json_field_number(field, &n))
			terminal_add_token(t, field->name, field->name_n, n.value, token_of(field));
	}
	if (!t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, tag, "");
	tell_json_row(t, f, brace, step);
	return true;
}

/* What a dict says of its place. */
struct dict_place {
	bool has_step, has_epoch;
	int64_t step;
	double epoch;
	struct token step_token, epoch_token;
	enum shape_token step_form;
	bool mixed;		/* several members speak of the step, or of the epoch */
};

/* A quoted text without its quotes; escapes stay as they are. */
static bool scan_quoted(struct text_scan *s, struct text_scan *out)
{
	char quote = s->p < s->end ? *s->p : 0;
	const char *p = s->p + 1;

	if (quote != '\'' && quote != '"')
		return false;
	for (; p < s->end && *p != quote; p++)
		if (*p == '\\')
			p++;
	if (p >= s->end)
		return false;
	*out = (struct text_scan){ s->p + 1, p };
	s->p = p + 1;
	return true;
}

/* Behind a bracketed value, strings inside respected. */
static bool skip_bracketed(struct text_scan *s)
{
	struct text_scan text;
	int depth = 0;

	while (s->p < s->end) {
		if (*s->p == '\'' || *s->p == '"') {
			if (!scan_quoted(s, &text))
				return false;
			continue;
		}
		if (strchr("{[(", *s->p) && *s->p)
			depth++;
		else if (strchr("}])", *s->p) && *s->p)
			depth--;
		s->p++;
		if (depth == 0)
			return true;
		if (depth > DICT_DEPTH_MAX)
			return false;
	}
	return false;
}

/* A word up to the comma or brace: number, nan, None, True, tensor(0.5). */
static void scan_bare(struct text_scan *s, struct text_scan *out)
{
	int depth = 0;

	out->p = s->p;
	for (; s->p < s->end && (depth || (*s->p != ',' && *s->p != '}')); s->p++) {
		depth += *s->p == '(';
		depth -= *s->p == ')' && depth;
	}
	out->end = s->p;
	trim_scan(out);
}

static bool read_word(const struct text_scan *s, struct number *n)
{
	if (scan_is(s, "True") || scan_is(s, "False")) {
		*n = (struct number){
			.value = scan_left(s) == 4, .integer = scan_left(s) == 4, .is_integer = true
		};
		return true;
	}
	return number_read_token(n, s->p, scan_left(s), false);
}

static void take_step(
	struct dict_place *place, const struct text_scan *value, enum shape_token form)
{
	place->mixed |= place->step_token.p != NULL;
	place->step_token = token_between(value->p, value->end);
	place->step_form = form;
}

/* "10/500" */
static void take_step_of_steps(struct dict_place *place, const struct text_scan *value)
{
	struct text_scan part = *value, digits;
	bool whole = scan_integer(&part, &place->step);

	digits = (struct text_scan){ value->p, part.p };
	take_step(place, &digits, SHAPE_DIGITS);
	if (whole && scan_char(&part, '/'))
		place->has_step = true;
	else
		place->mixed = true;
}

static void take_member(struct terminal *t, struct dict_place *place, const struct text_scan *key,
	const struct text_scan *value)
{
	bool is_step = scan_is(key, "step") || scan_is(key, "global_step");
	struct number n;

	if (scan_is(key, "global_step/max_steps")) {
		take_step_of_steps(place, value);
		return;
	}
	if (!read_word(value, &n)) {
		place->mixed |= is_step;
		return;
	}
	if (is_step && n.is_integer) {
		take_step(place, value, SHAPE_NUMBER);
		place->has_step = true;
		place->step = n.integer;
	} else if (scan_is(key, "epoch")) {
		place->mixed |= place->has_epoch;
		place->has_epoch = true;
		place->epoch = n.value;
		place->epoch_token = token_between(value->p, value->end);
	} else {
		place->mixed |= is_step;
		terminal_add_token(
			t, key->p, scan_left(key), n.value, token_between(value->p, value->end));
	}
}

static bool scan_member(struct terminal *t, struct dict_place *place, struct text_scan *s)
{
	struct text_scan key, value;

	scan_blanks(s);
	if (!scan_quoted(s, &key))
		return false;
	scan_blanks(s);
	if (!scan_char(s, ':'))
		return false;
	scan_blanks(s);
	if (s->p < s->end && (*s->p == '{' || *s->p == '[' || *s->p == '('))
		return skip_bracketed(s);
	if (!scan_quoted(s, &value))
		scan_bare(s, &value);
	take_member(t, place, &key, &value);
	return true;
}

static bool scan_dict(struct terminal *t, struct dict_place *place, struct text_scan *s)
{
	for (;;) {
		if (!scan_member(t, place, s))
			return false;
		scan_blanks(s);
		if (scan_char(s, '}'))
			return true;
		if (!scan_char(s, ','))
			return false;
	}
}

static struct row_x place_dict(const struct dict_place *place, double steps_per_epoch)
{
	struct row_x x;

	if (!place->has_step)
		return terminal_at_epoch_or_step(place->epoch, steps_per_epoch);
	x = terminal_at_step(place->step);
	x.epoch = place->has_epoch ? place->epoch : NAN;
	return x;
}

static void tell_dict_row(struct terminal *t, const struct frame *f, const char *brace,
	const struct dict_place *place)
{
	t->taken.repeats = !place->mixed && memchr(f->p, '{', f->n) == brace;
	t->taken.placing = place->has_step ? PLACE_STEP : PLACE_EPOCH_OR_STEP;
	t->taken.step = place->step_token;
	t->taken.step_form = place->step_form;
	t->taken.epoch = place->epoch_token;
	t->taken.free_to = brace;
}

/* May follow a progress bar on the same line. */
bool take_python_dict(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n };
	struct dict_place place = { 0 };
	const char *brace;
	struct row_x x;

	if (!scan_to_text(&s, "{'"))
		return false;
	brace = s.p - 2;
	s.p--;
	if (!scan_dict(t, &place, &s) || !t->n_pairs || (!place.has_step && !place.has_epoch))
		return false;
	x = place_dict(&place, sink->options->steps_per_epoch);
	terminal_emit(t, sink, &x, "", "");
	tell_dict_row(t, f, brace, &place);
	return true;
}
