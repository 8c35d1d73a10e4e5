/*
 * test_tables - what must hold of every row of the tables that everything else
 * is derived from: operations, event kinds, styles, formats, keys of
 * portside.conf, words, checks, causes.
 */
#include "config.h"

#include "tests/unit.h"

#include <ctype.h>

#include "base/fs.h"
#include "base/text.h"
#include "command/key.h"
#include "command/keymap.h"
#include "command/operation.h"
#include "command/screen_operation.h"
#include "curve/comparable.h"
#include "curve/reader.h"
#include "domain/cause.h"
#include "domain/check.h"
#include "domain/configuration.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "launch/launcher.h"
#include "report/width.h"
#include "ui/style.h"

enum { HELP_COLUMNS = 60 };

static void assert_help(const char *what, const char *help)
{
	if (!help || !*help)
		fail_msg("%s has no help", what);
	if (width_of_text(help, strlen(help)) > HELP_COLUMNS)
		fail_msg("%s: its help has more than %d columns: %s", what, HELP_COLUMNS, help);
	if (help[strlen(help) - 1] == '.' && !strstr(help, "..."))
		fail_msg("%s: its help ends with a full stop: %s", what, help);
}

static void test_operations_have_names_and_help(void **state)
{
	const struct operation *o, *other;

	(void)state;
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		assert_help(o->name, o->help);
		for (size_t k = 0; k < i && (other = operation_at(k)) != NULL; k++)
			if (strcmp(o->name, other->name) == 0)
				fail_msg("two operations are named %s", o->name);
		assert_ptr_equal(operation_find(o->name), o);
		/* A front end performs these itself: the screen's pictures, the shell's words. */
		if (strcmp(o->name, "show") == 0 || text_starts(o->name, "complet"))
			continue;
		if (!o->run && !o->screen)
			fail_msg("%s does nothing", o->name);
		if ((o->flags & OPERATION_CLI) && !o->run)
			fail_msg("%s is a command that cannot be run", o->name);
		for (const char *p = o->name; *p; p++)
			if (!islower((unsigned char)*p) && *p != '-' && *p != ' ' &&
				!isdigit((unsigned char)*p))
				fail_msg("%s: a name is lower-case words", o->name);
	}
}

static void test_arguments(void **state)
{
	const struct operation *o;

	(void)state;
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		bool optional = false, rest = false;

		for (const struct argument *a = o->arguments; a && a->name; a++) {
			assert_help(o->name, a->help);
			for (const struct argument *b = o->arguments; b < a; b++)
				if (strcmp(a->name, b->name) == 0)
					fail_msg("%s takes %s twice", o->name, a->name);
			if ((a->type == ARGUMENT_WORD) != (a->choices && *a->choices))
				fail_msg("%s %s: choices belong to words", o->name, a->name);
			if (a->type == ARGUMENT_FLAG &&
				(a->required || strncmp(a->name, "--", 2) != 0))
				fail_msg("%s %s: a flag is an option", o->name, a->name);
			if (strncmp(a->name, "--", 2) == 0)
				continue;
			if (rest || (optional && a->required))
				fail_msg("%s %s cannot be reached", o->name, a->name);
			optional = optional || !a->required;
			rest = a->type == ARGUMENT_REST;
		}
	}
}

/* The K-th blank-separated word of LIST, in A; NULL beyond the last. */
static char *word_at(struct arena *a, const char *list, size_t k)
{
	for (const char *p = list ? list : ""; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (k-- == 0)
			return arena_strndup(a, p, n);
		p += n;
	}
	return NULL;
}

static unsigned rank(unsigned contexts)
{
	return contexts & ~(unsigned)(CONTEXT_ANY | CONTEXT_LIST) ? 2
		: contexts & CONTEXT_LIST                         ? 1
								  : 0;
}

static bool has_key(struct arena *a, const struct operation *o, const char *key)
{
	char *word;

	for (size_t k = 0; (word = word_at(a, o->keys, k)) != NULL; k++)
		if (strcmp(word, key) == 0)
			return true;
	return false;
}

/* Two rows may share a key only where one is more special than the other. */
static void test_keys_are_unique_in_a_context(void **state)
{
	const struct operation *o, *other;
	struct arena a = ARENA_INIT;
	char *key;

	(void)state;
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++)
		for (size_t k = 0; (key = word_at(&a, o->keys, k)) != NULL; k++)
			for (size_t j = 0; j < i && (other = operation_at(j)) != NULL; j++)
				if ((o->contexts & other->contexts) && has_key(&a, other, key) &&
					rank(o->contexts & other->contexts & ~1u) ==
						rank(o->contexts) &&
					rank(o->contexts) == rank(other->contexts))
					fail_msg("%s is both %s and %s", key, o->name, other->name);
	arena_release(&a);
}

static void test_keys_have_names_and_contexts(void **state)
{
	const struct operation *o;
	struct arena a = ARENA_INIT;
	char *key;

	(void)state;
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		if (o->keys && !o->contexts)
			fail_msg("%s has keys and no context", o->name);
		for (size_t k = 0; (key = word_at(&a, o->keys, k)) != NULL; k++) {
			if (!key_from_name(key))
				fail_msg("%s: there is no key named %s", o->name, key);
			assert_non_null(keymap_operation(NULL, key, o->contexts));
		}
	}
	arena_release(&a);
}

/* One in each context: a view may name what another view has in its own words. */
static void test_every_screen_operation_has_one_row(void **state)
{
	(void)state;
	for (int screen = SCREEN_NONE + 1; screen < SCREEN_OPERATION_COUNT; screen++) {
		const struct operation *o;
		unsigned contexts = 0;
		int rows = 0;

		for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
			if (o->screen != screen)
				continue;
			if (o->contexts & contexts)
				fail_msg("%s is performed in its context by another row", o->name);
			contexts |= o->contexts;
			rows++;
		}
		if (!rows)
			fail_msg("screen operation %d has no row", screen);
	}
}

/* The manual page of a checkout; an installed test tree has it too. */
static void read_manual(struct buf *out, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/man/%s", srcdir ? srcdir : ".", name);

	assert_int_equal(fs_read(out, path, 0), 0);
	free(path);
}

/* Whether "note , intervene Ar text", the end of an .It Cm line, names NAME in full. */
static bool heading_names(const char *heading, const char *name)
{
	size_t n = strlen(name), line = strcspn(heading, "\n");

	for (const char *at = heading; at && at < heading + line; at = strstr(at, " , ")) {
		const char *behind;

		at += text_starts(at, " , ") ? 3 : 0;
		behind = at + n;
		if (strncmp(at, name, n) != 0 || (*behind != '\n' && *behind != ' '))
			continue;
		/* "run show" is no mention of "run", "run Ar attempt" is one. */
		if (*behind == '\n' || behind[1] == ',' || isupper((unsigned char)behind[1]))
			return true;
	}
	return false;
}

/* The text behind the first heading of a command from TEXT on; NULL: none. */
static const char *find_heading(const char *text, const char *name)
{
	static const char item[] = "\n.It Cm ";

	for (const char *at = text; (at = strstr(at, item)) != NULL; at += strlen(item))
		if (heading_names(at + strlen(item), name))
			return at + strlen(item);
	return NULL;
}

/* ENTRY is what the section of arguments says of the operation, to the next one. */
static size_t count_missing_arguments(struct arena *a, const char *entry, const struct operation *o)
{
	const char *end = strstr(entry, "\n.It Cm ");
	const char *text = arena_strndup(a, entry, end ? (size_t)(end - entry) : strlen(entry));
	size_t missing = 0;

	for (const struct argument *arg = o->arguments; arg && arg->name; arg++) {
		bool is_option = text_starts(arg->name, "--");
		char *item = arena_printf(a, "\n.It %s %s\n", is_option ? "Fl" : "Ar",
			arg->name + (is_option ? 1 : 0));

		if (strstr(text, item))
			continue;
		print_message("# portside.1 does not know %s %s\n", o->name, arg->name);
		missing++;
	}
	return missing;
}

static void test_the_manual_has_every_command(void **state)
{
	struct buf manual = BUF_INIT;
	const char *arguments;
	const struct operation *o;
	size_t missing = 0;

	(void)state;
	read_manual(&manual, "portside.1");
	arguments = strstr(manual.s, "\n.Sh ARGUMENTS\n");
	assert_non_null(arguments);
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		struct arena a = ARENA_INIT;
		const char *heading = find_heading(manual.s, o->name);
		const char *entry = find_heading(arguments, o->name);

		if ((o->flags & OPERATION_CLI) && !(o->flags & OPERATION_INTERNAL)) {
			if (!heading || heading > arguments || (o->arguments && !entry)) {
				print_message("# portside.1 does not know %s\n", o->name);
				missing++;
			}
			missing += entry ? count_missing_arguments(&a, entry, o) : 0;
		}
		arena_release(&a);
	}
	buf_release(&manual);
	assert_int_equal(missing, 0);
}

static void test_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < kinds_n; i++) {
		const struct kind *k = &kinds[i];

		assert_true(*k->help != '\0');
		assert_true(k->by != 0 && !(k->by & ~(unsigned)(BY_HUMAN | BY_AGENT | BY_TOOL)));
		assert_ptr_equal(kind_find(k->name), k);
		assert_non_null(strchr(k->name, '.'));
		if (strcmp(k->object, "any") != 0 && strcmp(k->object, "event") != 0 &&
		    strcmp(k->object, "assessment") != 0 && strcmp(k->object, "contract") != 0)
			assert_non_null(object_type_find(k->object));
		for (size_t f = 0; k->fields[f].name; f++) {
			assert_ptr_equal(kind_field_find(k, k->fields[f].name), &k->fields[f]);
			assert_true(*k->fields[f].help != '\0');
			assert_true((k->fields[f].type == KIND_FIELD_WORD) ==
				(k->fields[f].words != NULL));
		}
	}
}

static void test_object_types(void **state)
{
	(void)state;
	for (size_t i = 0; i < object_types_n; i++) {
		assert_ptr_equal(object_type_find(object_types[i].name), &object_types[i]);
		assert_non_null(object_types[i].shape);
		assert_true(*object_types[i].help != '\0');
	}
}

static void test_styles(void **state)
{
	(void)state;
	for (int s = 0; s < STYLE_COUNT; s++) {
		assert_true(*style_name((enum style)s) != '\0');
		for (int other = 0; other < s; other++)
			if (strcmp(style_name((enum style)s), style_name((enum style)other)) == 0)
				fail_msg("two styles are named %s", style_name((enum style)s));
		for (int g = 0; g < GROUND_COUNT; g++) {
			struct look mono = style_look((enum style)s, (enum ground)g, DEPTH_MONO);
			struct look few = style_look((enum style)s, (enum ground)g, DEPTH_16);

			assert_int_equal(mono.fg, -1);
			assert_int_equal(mono.bg, -1);
			assert_true(few.fg < 16 && few.bg < 16);
		}
	}
}

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; curve_formats[i]; i++) {
		assert_true(*curve_formats[i]->name != '\0');
		assert_true(*curve_formats[i]->title != '\0');
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(curve_formats[i]->name, curve_formats[k]->name);
	}
}

static void test_configuration_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *k = &config_keys[i];

		assert_help(k->key, k->help);
		assert_true((k->type == CONFIG_WORD) == (k->words != NULL));
		for (size_t j = 0; j < i; j++)
			if (strcmp(k->section, config_keys[j].section) == 0 &&
				strcmp(k->key, config_keys[j].key) == 0)
				fail_msg("%s.%s is there twice", k->section, k->key);
	}
}

/* What portside.conf may name is what there is, and the reverse. */
static void test_launchers(void **state)
{
	const struct launcher *l;

	(void)state;
	for (size_t i = 1; i < words_launcher.n; i++) {
		assert_int_equal(launcher_find(&l, word_name(&words_launcher, (int)i)), 0);
		assert_string_equal(l->name, word_name(&words_launcher, (int)i));
	}
	for (size_t i = 0; launcher_at(i); i++)
		assert_int_equal(word_find(&words_launcher, launcher_at(i)->name), (int)i + 1);
}

/* portside.conf names the items of "comparable?". */
static void test_inputs(void **state)
{
	struct run_facts facts = RUN_FACTS_INIT;
	struct run_series nothing = { 0 };
	struct arena a = ARENA_INIT;
	struct comparable c;

	(void)state;
	comparable_check(&c, &a,
		&(struct comparable_input){ .reference = &facts,
			.attempt = &facts,
			.metric = "loss",
			.reference_series = &nothing,
			.attempt_series = &nothing });
	assert_int_equal(words_input.n, c.n + 1);
	for (size_t i = 0; i < c.n; i++)
		assert_string_equal(word_name(&words_input, (int)i + 1), c.items[i].name);
	arena_release(&a);
}

static void test_checks_and_causes(void **state)
{
	size_t l2 = 0;

	(void)state;
	for (size_t i = 0; i < check_items_n; i++) {
		char *id = xasprintf(
			"%s%s", check_items[i].id, check_items[i].per_goal ? ".accuracy" : "");

		assert_ptr_equal(check_find(id), &check_items[i]);
		free(id);
		assert_true(check_items[i].question[strlen(check_items[i].question) - 1] == '?');
		assert_true(check_items[i].minutes > 0);
		l2 += strcmp(check_items[i].level, "L2") == 0;
	}
	assert_int_equal(l2, CHECK_L2_ITEMS);
	for (size_t i = 0; i < CAUSES_N; i++)
		assert_ptr_equal(cause_find(causes[i].id), &causes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations_have_names_and_help),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_keys_are_unique_in_a_context),
		cmocka_unit_test(test_keys_have_names_and_contexts),
		cmocka_unit_test(test_every_screen_operation_has_one_row),
		cmocka_unit_test(test_the_manual_has_every_command),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_object_types),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_configuration_keys),
		cmocka_unit_test(test_launchers),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_checks_and_causes),
	};

	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
