/*
 * test_preferences - which columns the table of runs has: what was chosen on the screen
 * goes before what the configuration says, also when it was the usual ones.
 */
#include "config.h"

#include "tests/unit.h"

#include <stdlib.h>

#include "base/fs.h"
#include "command/preferences.h"

static char folder[] = "/tmp/portside-preferences-XXXXXX";

static void write_text(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s/portside/%s", folder, dir, name);
	struct arena a = ARENA_INIT;

	assert_int_equal(fs_mkdirs(fs_dirname(&a, path), 0700), 0);
	assert_int_equal(fs_write_durable(path, text, strlen(text), 0600), 0);
	arena_release(&a);
	free(path);
}

static void assert_columns(const char *wanted)
{
	struct arena a = ARENA_INIT;

	assert_string_equal(preferences_run_columns(&a), wanted);
	arena_release(&a);
}

static void test_what_was_chosen_decides(void **state)
{
	(void)state;
	assert_columns("");
	write_text("config", "config", "[ui]\nrun-columns = run, seed\n");
	assert_columns("run, seed");
	assert_int_equal(preferences_keep_run_columns("run, min loss"), 0);
	assert_columns("run, min loss");
	/* The usual ones, of all things, were chosen. */
	assert_int_equal(preferences_keep_run_columns(""), 0);
	assert_columns("");
	/* What no screen wrote is no choice. */
	write_text("state", "run-columns", "run\nseed\n");
	assert_columns("run, seed");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_was_chosen_decides) };
	char *config, *state;
	int failed;

	if (!mkdtemp(folder))
		return 99;
	config = xasprintf("%s/config", folder);
	state = xasprintf("%s/state", folder);
	setenv("XDG_CONFIG_HOME", config, 1);
	setenv("XDG_STATE_HOME", state, 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (fs_remove_tree(folder) < 0)
		failed++;
	free(config);
	free(state);
	return failed;
}
