/* Does a log show an error of its own: what triage says of it, and nothing else. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "workspace/error_text.h"

static const struct log_case {
	const char *name, *log;
	int64_t line;			/* 0: no error */
} cases[] = {
	{ "an exception that Python ignores",
		"step 1/2\nException ignored in: <function Iter.__del__ at 0x7f>\n"
		"Traceback (most recent call last):\n  File \"/x/loader.py\", line 1, in __del__\n"
		"AssertionError: can only test a child process\nfinished\n", 0 },
	{ "the warning of NumPy",
		"A module that was compiled using NumPy 1.x cannot be run in\n"
		"NumPy 2.0.1 as it may crash. To support both 1.x and 2.x\n"
		"versions of NumPy, modules must be compiled with NumPy 2.0.\n\n"
		"Traceback (most recent call last):  File \"<string>\", line 1, in <module>\n"
		"  File \"/x/torch/__init__.py\", line 8, in <module>\n    import numpy\n"
		"finished\n", 0 },
	{ "a text that quotes one",
		"step 1/2\nprompt: Traceback (most recent call last): in text\nfinished\n", 0 },
	{ "nothing", "step 1/2\nstep 2/2\nfinished\n", 0 },
	{ "memory of a GPU, in short",
		"step 1/2\nRuntimeError: CUDA out of memory\nfinished\n", 2 },
	{ "memory of a GPU, in full",
		"RuntimeError: CUDA out of memory. Tried to allocate 1.60 GiB. GPU 0\n", 1 },
	{ "an exception that no signature knows",
		"step 1/2\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n"
		"    raise Odd(7)\n__main__.Odd: 7\nfinished\n", 5 },
	{ "memory of a chip", "step 1/2\nRESOURCE_EXHAUSTED: Error loading program: Attempting to reserve 3.00G at the "
		"bottom of memory. That was not possible. There are 1.00G free.\n", 2 },
};

static void seen_where_triage_sees_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char path[] = "/tmp/portside-error-text-XXXXXX";
		struct error_text_question q = { .log_path = path, .exit_known = true };
		struct arena a = ARENA_INIT;
		int fd = mkstemp(path);
		int64_t line;
		enum seen seen;

		assert_true(fd >= 0);
		assert_int_equal(write(fd, cases[i].log, strlen(cases[i].log)),
			strlen(cases[i].log));
		close(fd);
		seen = error_text_find(&line, NULL, &q, &a);
		unlink(path);
		if (seen != (cases[i].line ? SEEN_YES : SEEN_NO) || line != cases[i].line)
			fail_msg("%s: seen %d, line %lld", cases[i].name, (int)seen,
				(long long)line);
		arena_release(&a);
	}
}

static void a_log_that_is_not_there_is_unknown(void **state)
{
	struct error_text_question q = { .log_path = "/nonexistent/log" };
	struct arena a = ARENA_INIT;
	int64_t line;

	(void)state;
	assert_int_equal(error_text_find(&line, NULL, &q, &a), SEEN_UNKNOWN);
	err_clear();
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seen_where_triage_sees_one),
		cmocka_unit_test(a_log_that_is_not_there_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
