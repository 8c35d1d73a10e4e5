/* configuration_value - one value of portside.conf, from text and back; see configuration.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "domain/check.h"
#include "domain/configuration_private.h"
#include "domain/kind.h"

static bool is_variable(const char *s, size_t n)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	return n && strspn(s, letters) >= n && !(*s >= '0' && *s <= '9');
}

static bool is_setting(const char *s)
{
	const char *equals = strchr(s, '=');

	return equals && is_variable(s, (size_t)(equals - s)) && !text_starts(s, "PORTSIDE_");
}

static bool is_question_of_l2(const char *s)
{
	const struct check_item *item = check_find(s);

	return item && strcmp(item->level, "L2") == 0;
}

/* Checks and stores a text; false when it is not of its type. */
static bool take_text(
	struct config_reader *r, const struct config_key *key, const char *value, void *section)
{
	const char *copy = arena_strdup(&r->c->arena, value);
	char *at = (char *)section + key->offset;
	const char **list;
	size_t n;

	if ((key->type == CONFIG_NAME && !name_is_plain(value)) ||
	    (key->type == CONFIG_PATH && !fs_is_inside(value)) ||
	    (key->type == CONFIG_VARIABLE && !is_variable(value, strlen(value))) ||
	    (key->type == CONFIG_SETTING && !is_setting(value)) ||
	    (key->type == CONFIG_CHECK && !is_question_of_l2(value)) || !*value)
		return false;
	if (!key->repeats) {
		memcpy(at, &copy, sizeof copy);
		return true;
	}
	memcpy(&n, (char *)section + key->count_offset, sizeof n);
	list = arena_alloc(&r->c->arena, (n + 1) * sizeof *list);
	if (n)
		memcpy(list, *(const char ***)(void *)at, n * sizeof *list);
	list[n++] = copy;
	memcpy(at, &list, sizeof list);
	memcpy((char *)section + key->count_offset, &n, sizeof n);
	return true;
}

static bool take_number(const char *value, double *out)
{
	double v;

	if (!text_to_double(value, strlen(value), &v) || !isfinite(v))
		return false;
	*out = v;
	return true;
}

static bool take_count(const char *value, int64_t *out)
{
	int64_t v;

	if (!text_to_i64(value, strlen(value), &v) || v < 0)
		return false;
	*out = v;
	return true;
}

bool config_take_word(const struct config_key *key, const char *value, int *out)
{
	int v = word_find(key->words, value);

	/* An unknown word is none: the default is not what was asked for. */
	*out = v > 0 ? v : 0;
	return v > 0;
}

/* Stores VALUE where KEY says; false when it is not of its type. */
bool config_take_value(
	struct config_reader *r, const struct config_key *key, const char *value, void *section)
{
	void *at = (char *)section + key->offset;

	switch (key->type) {
	case CONFIG_NUMBER: return take_number(value, at);
	case CONFIG_COUNT: return take_count(value, at);
	case CONFIG_WORD: return config_take_word(key, value, at);
	case CONFIG_DURATION: return units_duration_ns(at, value) == 0;
	case CONFIG_MONEY: return units_money_nano_usd(at, value) == 0;
	case CONFIG_PRICE: return units_price(at, value) == 0;
	case CONFIG_TEXT:
	case CONFIG_NAME:
	case CONFIG_COMMAND:
	case CONFIG_PATH:
	case CONFIG_VARIABLE:
	case CONFIG_SETTING:
	case CONFIG_PATTERN:
	case CONFIG_EXPRESSION:
	case CONFIG_CHECK:
		return take_text(r, key, value, section);
	case CONFIG_RULE:
		break;
	}
	return true;
}

static void entry_wants(struct config_reader *r, const struct conf_entry *e, enum config_type t)
{
	config_entry_error(r, e,
		arena_printf(&r->c->arena, "\"%s\" is not %s", e->value, config_type_help(t)));
}

static void word_error(
	struct config_reader *r, const struct config_key *key, const struct conf_entry *e)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "\"%s\" is not a %s; allowed: ", e->value, key->words->what);
	word_add_choices(&b, key->words);
	config_entry_error(r, e, b.s);
	buf_release(&b);
}

void config_value_error(
	struct config_reader *r, const struct config_key *key, const struct conf_entry *e)
{
	if (key->type == CONFIG_WORD)
		word_error(r, key, e);
	else
		entry_wants(r, e, key->type);
}

/* ---- printing a value ---- */

static void add_double(struct buf *out, double v)
{
	char text[TEXT_DOUBLE_MAX];

	if (!isnan(v))		/* not given */
		buf_add(out, text, text_from_double(text, v));
}

static void add_texts(struct buf *out, const struct config_key *key, const char *section)
{
	const char *const *list =
		*(const char *const *const *)(const void *)(section + key->offset);
	size_t n = *(const size_t *)(const void *)(section + key->count_offset);

	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", list[i]);
}

static void add_price(struct buf *out, const struct price *p)
{
	if (!p->known)
		return;
	add_double(out, (double)p->nano_usd_hour / 1e9);
	buf_adds(out, p->per_chip ? " USD/chip-hour" : " USD/hour");
}

void config_add_value(struct buf *out, const struct config_key *key, const void *section)
{
	const void *at = (const char *)section + key->offset;

	if (key->repeats) {
		add_texts(out, key, section);
		return;
	}
	switch (key->type) {
	case CONFIG_NUMBER:
		add_double(out, *(const double *)at);
		break;
	case CONFIG_COUNT:
		buf_addf(out, "%lld", (long long)*(const int64_t *)at);
		break;
	case CONFIG_WORD:
		buf_adds(out, word_name(key->words, *(const int *)at));
		break;
	case CONFIG_DURATION:
		if (*(const int64_t *)at)
			clock_add_duration(out, *(const int64_t *)at);
		break;
	case CONFIG_MONEY:
		if (*(const int64_t *)at)
			units_add_money(out, *(const int64_t *)at);
		break;
	case CONFIG_PRICE:
		add_price(out, at);
		break;
	case CONFIG_TEXT:
	case CONFIG_NAME:
	case CONFIG_COMMAND:
	case CONFIG_PATH:
	case CONFIG_VARIABLE:
	case CONFIG_SETTING:
	case CONFIG_PATTERN:
	case CONFIG_EXPRESSION:
	case CONFIG_CHECK:
		buf_adds(out, *(const char *const *)at);
		break;
	case CONFIG_RULE:
		break;
	}
}
