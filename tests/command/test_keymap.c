/*
 * test_keymap - keys of the user's own: what holds, what is refused and in which
 * words, and that what is in force is found again both ways.
 */
#include "config.h"

#include "tests/unit.h"

#include "command/keymap.h"
#include "command/screen_operation.h"

static void apply(struct keymap *m, const char *const *pairs)
{
	struct conf c = CONF_INIT;
	int line = 1;

	for (size_t i = 0; pairs[i]; i += 2)
		conf_add(&c, "keys", "", pairs[i], pairs[i + 1], ++line);
	keymap_apply(m, &c);
	conf_release(&c);
}

static int screen_of(const struct keymap *m, const char *key, unsigned contexts)
{
	const struct operation *o = keymap_operation(m, key, contexts);

	return o ? o->screen : -1;
}

static void assert_shown(
	const struct keymap *m, const char *were, unsigned contexts, const char *wanted)
{
	struct buf b = BUF_INIT;

	keymap_add_key(&b, m, were, contexts);
	assert_string_equal(b.s, wanted);
	buf_release(&b);
}

static void test_without_a_keymap_the_table_holds(void **state)
{
	(void)state;
	assert_int_equal(screen_of(NULL, "s", CONTEXT_ANY | CONTEXT_LIST), SCREEN_SORT);
	assert_int_equal(screen_of(NULL, "s", CONTEXT_ANY | CONTEXT_LIST | CONTEXT_DIFF),
		SCREEN_SIDE_BY_SIDE);
	assert_int_equal(screen_of(NULL, "M-q", CONTEXT_ANY), -1);
	assert_shown(NULL, "F", CONTEXT_ANY, "F");
}

static void test_a_binding_takes_the_place_of_all_keys(void **state)
{
	static const char *const pairs[] = {
		"attempt-next",
		"] C-Right",
		"move-down",
		"n",
		"search-next",
		"f",
		"journal-kind",
		"K",
		"row-sort",
		"",
		"quit",
		"ZZ Q",
		NULL,
	};
	static const char *const good[] = { "attempt-next", "] F7", "move-down", "C-N", "row-sort",
		"", "status", "F2", NULL };
	struct keymap m = KEYMAP_INIT;

	(void)state;
	apply(&m, good);
	assert_int_equal(m.n_mistakes, 0);
	assert_int_equal(screen_of(&m, "]", CONTEXT_ANY), SCREEN_NEXT_ATTEMPT);
	assert_int_equal(screen_of(&m, "F7", CONTEXT_ANY), SCREEN_NEXT_ATTEMPT);
	assert_int_equal(screen_of(&m, ".", CONTEXT_ANY), -1);
	/* C-N is no key of its own */
	assert_int_equal(screen_of(&m, "C-n", CONTEXT_ANY), SCREEN_DOWN);
	assert_int_equal(screen_of(&m, "j", CONTEXT_ANY), -1);
	assert_int_equal(screen_of(&m, "s", CONTEXT_ANY | CONTEXT_LIST), -1);
	assert_string_equal(keymap_operation(&m, "F2", CONTEXT_ANY)->name, "status");
	assert_string_equal(keymap_keys(&m, operation_find("attempt next")), "] F7");
	assert_shown(&m, ".", CONTEXT_ANY, "]");
	assert_shown(&m, ", .", CONTEXT_ANY, ", ]");
	assert_shown(&m, "s", CONTEXT_ANY | CONTEXT_LIST, ":row sort");
	assert_shown(&m, "F12", CONTEXT_ANY, "F12");		/* no operation's key */
	keymap_release(&m);

	/* One wrong key leaves its own binding out, no other. */
	apply(&m, pairs);
	assert_int_equal(m.n_mistakes, 2);
	assert_string_equal(m.mistakes[0],
		"line 2: keys.attempt-next: C-Right is not sent by terminals: C- goes with a letter");
	assert_non_null(strstr(
		m.mistakes[1], "line 7: keys.quit: \"ZZ\" is no key; keys are one character"));
	assert_int_equal(screen_of(&m, "n", CONTEXT_ANY), SCREEN_DOWN);
	assert_int_equal(screen_of(&m, "f", CONTEXT_ANY), SCREEN_SEARCH_NEXT);
	assert_int_equal(screen_of(&m, ".", CONTEXT_ANY), SCREEN_NEXT_ATTEMPT);
	assert_int_equal(screen_of(&m, "Q", CONTEXT_ANY), SCREEN_QUIT);
	keymap_release(&m);
}

static void assert_refused(const char *name, const char *value, const char *sentence)
{
	const char *const pairs[] = { name, value, NULL };
	struct keymap m = KEYMAP_INIT;

	apply(&m, pairs);
	if (m.n_mistakes != 1)
		fail_msg("%s = %s: %zu mistakes", name, value, m.n_mistakes);
	assert_string_equal(m.mistakes[0], sentence);
	keymap_release(&m);
}

static void test_what_cannot_hold_is_named(void **state)
{
	(void)state;
	assert_refused("atempt-next", "]",
		"line 2: keys.atempt-next: there is no such operation on the screen; ? lists them, - stands for each blank");
	assert_refused("doctor", "D",
		"line 2: keys.doctor: there is no such operation on the screen; ? lists them, - stands for each blank");
	assert_refused("copy", "C-c", "line 2: keys.copy: C-c cancels, everywhere");
	assert_refused(
		"copy", "C-z", "line 2: keys.copy: C-z stops the program, as in every program");
	assert_refused("copy", "C-m", "line 2: keys.copy: C-m is Enter to a terminal");
	assert_refused("copy", "M-Up",
		"line 2: keys.copy: M-Up is not sent by terminals: M- goes with one character");
	assert_refused("copy", "Enter",
		"line 2: keys.copy: Enter means the same in lists, forms and prompts and cannot be given to \"copy\"");
	assert_refused("copy", "n",
		"line 2: keys.copy: n is a key of \"search next\" already; give keys.search-next another one first");
	assert_refused("help", "", "line 2: keys.help: \"help\" cannot be left without a key");
	assert_refused("quit", "", "line 2: keys.quit: \"quit\" cannot be left without a key");
	assert_refused("search", "/ \302\233",
		"line 2: keys.search: \"\302\233\" is no key; keys are one character, C-x, M-x, or a name: "
		"Enter Esc Tab S-Tab BSpace Delete Insert Up Down Left Right Home End PgUp PgDn Space F1 to F12");
}

static void test_keys_of_lists_and_forms_stay(void **state)
{
	static const char *const pairs[] = { "open", "o", "back", "", NULL };
	struct keymap m = KEYMAP_INIT;

	(void)state;
	apply(&m, pairs);
	assert_int_equal(m.n_mistakes, 0);
	assert_string_equal(keymap_keys(&m, operation_by_screen(SCREEN_OPEN)), "Enter o");
	assert_string_equal(keymap_keys(&m, operation_by_screen(SCREEN_BACK)), "Esc");
	assert_int_equal(screen_of(&m, "Right", CONTEXT_ANY), -1);
	keymap_release(&m);
}

/* The later of two that want one key gives way; a swap is none. */
static void test_conflicts_between_bindings(void **state)
{
	static const char *const both[] = { "search-next", "x", "copy", "x", NULL };
	static const char *const swap[] = { "search-next", "N", "search-previous", "n", NULL };
	static const char *const apart[] = { "diff-base", "x", "curves-fit", "x", "journal-kind",
		"x", NULL };
	struct keymap m = KEYMAP_INIT;

	(void)state;
	apply(&m, both);
	assert_int_equal(m.n_mistakes, 1);
	assert_non_null(strstr(m.mistakes[0], "x is a key of \"search next\" already"));
	assert_int_equal(screen_of(&m, "x", CONTEXT_ANY), SCREEN_SEARCH_NEXT);
	assert_int_equal(screen_of(&m, "y", CONTEXT_ANY), SCREEN_COPY);
	keymap_release(&m);
	apply(&m, swap);
	assert_int_equal(m.n_mistakes, 0);
	assert_int_equal(screen_of(&m, "n", CONTEXT_ANY), SCREEN_SEARCH_PREVIOUS);
	keymap_release(&m);
	apply(&m, apart);
	assert_int_equal(m.n_mistakes, 1);	/* the axis of the curves has x */
	assert_non_null(
		strstr(m.mistakes[0], "keys.curves-fit: x is a key of \"curves x-axis\" already"));
	assert_int_equal(screen_of(&m, "x", CONTEXT_ANY | CONTEXT_DIFF), SCREEN_BASE);
	assert_int_equal(screen_of(&m, "x", CONTEXT_ANY | CONTEXT_JOURNAL), SCREEN_JOURNAL_KIND);
	keymap_release(&m);
}

/* A name in the file is one operation. */
static void test_names_are_unambiguous(void **state)
{
	const struct operation *o, *other;

	(void)state;
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++)
		for (size_t k = 0; k < i && (other = operation_at(k)) != NULL; k++) {
			const char *a = o->name, *b = other->name;

			while (*a && (*a == ' ' ? '-' : *a) == (*b == ' ' ? '-' : *b)) {
				a++;
				b++;
			}
			if (!*a && !*b)
				fail_msg("\"%s\" and \"%s\" have one name in the file", o->name,
					other->name);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_a_keymap_the_table_holds),
		cmocka_unit_test(test_a_binding_takes_the_place_of_all_keys),
		cmocka_unit_test(test_what_cannot_hold_is_named),
		cmocka_unit_test(test_keys_of_lists_and_forms_stay),
		cmocka_unit_test(test_conflicts_between_bindings),
		cmocka_unit_test(test_names_are_unambiguous),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
