/* test_bug_report - nothing private leaves, and unsupported is told from a defect. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "command/bug_report.h"

static void is_private(const char *text, const char *expected)
{
	static const char *const names[] = { "ana", "trainbox", "ed", NULL };
	struct buf b = BUF_INIT;

	bug_report_add_private(&b, text, strlen(text), names);
	assert_string_equal(b.s, expected);
	buf_release(&b);
}

static void homes_names_and_addresses_go(void **state)
{
	(void)state;
	is_private("File \"/home/bob/textcls/train.py\", line 4", "File \"~/textcls/train.py\", line 4");
	is_private("/Users/bob/x and /root/.cache", "~/x and ~/.cache");
	is_private("/rooted/path", "/rooted/path");
	is_private("by ana on trainbox", "by NAME on NAME");
	is_private("Ana, banana, analysis", "NAME, banana, analysis");
	is_private("red ed", "red ed");		/* too short to be told from a word */
	is_private("mail ana@example.org, peer [10.0.0.7]:58054",
		"mail ADDRESS, peer [ADDRESS]:58054");
	is_private("version 2.6.0.1 of 1.5", "version ADDRESS of 1.5");
	is_private("loss 0.69", "loss 0.69");
}

static void has_shape(const char *command, const char *expected)
{
	struct buf b = BUF_INIT;

	bug_report_add_shape(&b, command);
	assert_string_equal(b.s, expected);
	buf_release(&b);
}

static void a_command_keeps_its_shape_alone(void **state)
{
	(void)state;
	has_shape("python3 /home/ana/secret/train.py --lr 0.1 --name=deal --bf16",
		"python3 train.py --lr ... --name --bf16");
	has_shape("/usr/bin/env TOKEN=abc python x.py data/a data/b", "env ... x.py ...");
	has_shape("", "");
}

static void a_text_tells_what_it_is(void **state)
{
	(void)state;
	assert_int_equal(bug_nature_of("UNIMPLEMENTED: dynamic shape", ""), BUG_UNSUPPORTED);
	assert_int_equal(bug_nature_of("Op(s) not lowered: aten::x", ""), BUG_UNSUPPORTED);
	assert_int_equal(bug_nature_of("INTERNAL: Check failed: x", ""), BUG_DEFECT);
	assert_int_equal(bug_nature_of("ValueError: bad", "refused: not supported on TPU"),
		BUG_UNSUPPORTED);
	assert_int_equal(bug_nature_of("ValueError: bad", ""), BUG_NOT_KNOWN);
	assert_non_null(strstr(bug_nature_text(BUG_NOT_KNOWN), "Not known"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(homes_names_and_addresses_go),
		cmocka_unit_test(a_command_keeps_its_shape_alone),
		cmocka_unit_test(a_text_tells_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
