/*
 * Configuration text: what is read, on which line, and what is refused with
 * which corrected line.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "store/conffile.h"

static void test_reads(void **state)
{
	static const char text[] =
		"\xef\xbb\xbf# comment\n"
		"[migration]\r\n"
		"\tname = MELoRA\r\n"
		"[Target \"v5e-4.A\"] kind = tpu ; a comment\n"
		"\tprice = 1.20 USD/chip-hour\n"
		"\tsetup = \"pip install -r r.txt; true # all\" # why\n"
		"\tnote = a \\\n"
		"long \\\"one\\\"\n"
		"\tflag\n"
		"[run \"smoke\"]\n"
		"command = \"python -c \\\"print(1)\\\"\"\n"
		"command = second\n";
	struct conf c = CONF_INIT;

	(void)state;
	if (conffile_parse(&c, "portside.conf", text, sizeof text - 1) < 0)
		fail_msg("%s", err_text());
	assert_int_equal(c.n, 8);
	assert_string_equal(c.entries[0].value, "MELoRA");
	assert_int_equal(c.entries[0].line, 3);
	assert_string_equal(c.entries[1].section, "target");
	assert_string_equal(c.entries[1].name, "v5e-4.A");
	assert_string_equal(c.entries[1].value, "tpu");
	assert_int_equal(c.entries[1].line, 4);
	assert_string_equal(c.entries[3].value, "pip install -r r.txt; true # all");
	assert_string_equal(c.entries[4].value, "a long \"one\"");
	assert_int_equal(c.entries[4].line, 7);
	assert_string_equal(c.entries[5].key, "flag");
	assert_string_equal(c.entries[5].value, "");
	assert_int_equal(c.entries[5].line, 9);
	assert_string_equal(c.entries[6].value, "python -c \"print(1)\"");
	assert_string_equal(conf_find(&c, "run", "smoke", "command")->value, "second");
	conf_release(&c);
}

static void test_refuses(void **state)
{
	static const struct {
		const char *text;
		const char *says;
	} rows[] = {
		{ "[include]\npath = /etc/passwd\n", "p.conf:1: [include] is refused" },
		{ "[a]\n[INCLUDEIF \"gitdir:/\"]\npath = x\n", "p.conf:2: [INCLUDEIF] is refused" },
		{ "[a]\n [include.x]\n", "p.conf:2: [include.x] is refused" },
		{ "[a]\nk = 1\n[pattern \"x\"]\n# match = y\n",
			"p.conf:3: [pattern \"x\"] has no key" },
		{ "[goal \"a b\"] ; empty\n[a]\nk = 1\n", "p.conf:1: [goal \"a b\"] has no key" },
		{ "[run.full]\n[run \"full\"]\nk = 1\n", "p.conf:1: [run.full] has no key" },
		{ "[run \"s\"]\ncommand = python a.py; rm x\n",
			"p.conf:2: command: git reads a bare ; or # as the start of a "
			"comment; write: command = \"python a.py; rm x\"" },
		{ "[rule \"R\"]\nWhen = a > 1 # x\n", "write: When = \"a > 1 # x\"" },
		{ "[run \"s\"]\nsetup = sh -c \"a; b\"\n",
			"git drops these quotes; write: setup = \"sh -c \\\"a; b\\\"\"" },
		{ "[run \"s\"]\ncommand = \"python a.py\nsteps = 3\n",
			"p.conf:2: command: a quote is not closed; "
			"write: command = \"python a.py\"" },
		{ "[a]\nname = x \"y\n", "p.conf:2: name: a quote is not closed" },
		{ "[run \"s\"]\n\ndone = \"loss \\d+\"\n",
			"p.conf:3: done: \\d is no escape (only \\\\ \\\" \\n \\t \\b are); "
			"write: done = \"loss \\\\d+\"" },
		{ "name = x\n", "p.conf:1: name stands before any section" },
		{ "[a\nb = c\n", "p.conf:1: a section ends in ]" },
		{ "[a \"b]\nc = d\n", "p.conf:1: the quote of the section's name is not closed" },
		{ "[a]\nmax_steps = 3\n", "p.conf:2: after max comes =" },
		{ "[a]\n= 3\n", "p.conf:2: \"=\" is no section, key or comment" },
		{ "[a]\nb = \xff\n", "p.conf:2: a byte is no UTF-8 text" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct conf c = CONF_INIT;

		assert_int_equal(conffile_parse(&c, "p.conf", rows[i].text, strlen(rows[i].text)),
			ERR_PARSE);
		if (strstr(err_text(), rows[i].says) == NULL)
			fail_msg("\"%s\" lacks \"%s\"", err_text(), rows[i].says);
		conf_release(&c);
	}
}

/* The corrected line is accepted when it is put back. */
static void test_corrections_hold(void **state)
{
	static const char *const values[] = {
		"python a.py; rm x",
		"a > 1 # x",
		"sh -c \"a; b\" # y",
		"\"open",
		"a \\d \"b\"",
		"\"a\" \"b\" ; c",
		"x \\\" ; y",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		struct conf c = CONF_INIT;
		char text[256];
		const char *line;

		snprintf(text, sizeof text, "[run \"s\"]\ncommand = %s\n", values[i]);
		assert_int_equal(conffile_parse(&c, "p", text, strlen(text)), ERR_PARSE);
		conf_release(&c);
		line = strstr(err_text(), "write: ");
		assert_non_null(line);
		snprintf(text, sizeof text, "[run \"s\"]\n%s\n", line + strlen("write: "));
		c = (struct conf)CONF_INIT;
		if (conffile_parse(&c, "p", text, strlen(text)) < 0)
			fail_msg("%s was refused: %s", text, err_text());
		assert_int_equal(c.n, 1);
		conf_release(&c);
	}
}

static void test_files(void **state)
{
	char path[] = "/tmp/portside-conf-XXXXXX";
	int fd = mkstemp(path);
	struct conf c = CONF_INIT;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "[a]\nb=c\n", 8), 8);
	close(fd);
	assert_int_equal(conffile_read(&c, path), 0);
	assert_string_equal(conf_find(&c, "a", "", "b")->value, "c");
	assert_string_equal(c.path, path);
	conf_release(&c);
	unlink(path);
	c = (struct conf)CONF_INIT;
	assert_int_equal(conffile_read(&c, path), ERR_NOT_FOUND);
	conf_release(&c);
	c = (struct conf)CONF_INIT;
	assert_int_equal(conffile_parse(&c, "empty", "", 0), 0);
	assert_int_equal(c.n, 0);
	conf_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_corrections_hold),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
