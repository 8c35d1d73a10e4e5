/* test_triage_findings - what a log tells while it is read, and at its end. */
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

#include "command/triage_findings.h"
#include "command/triage_place.h"

enum { LOG_BYTES = 40 << 20 };

struct progress_seen { int n; int64_t last, size; size_t most; bool decided; };

static void on_progress(void *user, const struct triage_result *r, int64_t bytes, int64_t size)
{
	struct progress_seen *s = user;
	struct triage_findings *f = triage_findings_new(r, bytes, size, false);

	assert_true(bytes > s->last);
	assert_true(bytes < size);
	assert_true(f->n >= s->most);
	assert_false(f->complete);
	s->n++;
	s->last = bytes;
	s->size = size;
	s->most = f->n;
	s->decided = s->decided || triage_findings_first(f) >= 0;
	triage_findings_free(f);
}

static char *make_log(void)
{
	char *path = strdup("/tmp/triage-XXXXXX");
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	long n = 0;

	assert_non_null(f);
	n += fprintf(f, "\033[31mRuntimeError: Input tensor is not an XLA tensor: "
			"torch.FloatTensor\033[0m\n");
	while (n < LOG_BYTES)
		n += fprintf(f, "step %ld loss 0.6931 of a long and healthy line of text\n", n);
	fprintf(f, " 99%%|#| 99/100 [00:01<00:01]\r100%%|#| 100/100 [00:02<00:00]\r"
		"RuntimeError: Input tensor is not an XLA tensor: torch.IntTensor\n");
	assert_int_equal(fclose(f), 0);
	return path;
}

static void findings_come_while_a_log_is_read(void **state)
{
	char *path = make_log();
	struct progress_seen seen = { 0 };
	struct triage_mailbox *box = triage_mailbox_new();
	struct triage_options o = { .target = TRIAGE_TPU, .has_exit = true, .exit_status = 1,
		.progress = on_progress, .user = &seen };
	struct triage_result r;
	struct triage_findings *f;
	char text[sizeof "RuntimeError: Input tensor"] = "";
	FILE *file;

	(void)state;
	assert_int_equal(triage_read_file(&r, NULL, NULL, path, &o), 0);
	assert_in_range(seen.n, 2, 100);
	assert_true(seen.decided);
	f = triage_findings_new(&r, seen.size, seen.size, true);
	assert_int_equal(f->n, 2);
	assert_int_equal(f->list[0].reading, FINDING_DECIDES);
	assert_int_equal(f->list[0].place, strlen("\033[31m"));
	assert_string_equal(f->list[0].side, "tpu");
	assert_int_equal(f->list[1].reading, FINDING_SECONDARY);
	/* Its place is that of its text, not of the line of a bar that it stands on. */
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, (long)f->list[1].place, SEEK_SET), 0);
	assert_int_equal(fread(text, 1, sizeof text - 1, file), sizeof text - 1);
	assert_string_equal(text, "RuntimeError: Input tensor");
	fclose(file);
	triage_findings_free(f);

	/* The newest alone waits for the reader, who may be gone. */
	assert_null(triage_mailbox_take(box));
	triage_mailbox_put(triage_mailbox_share(box), &r, 1, 4);
	triage_mailbox_put(box, &r, 2, 4);
	f = triage_mailbox_take(box);
	assert_int_equal(f->bytes, 2);
	triage_findings_free(f);
	triage_mailbox_put(box, &r, 3, 4);
	triage_mailbox_release(box);
	triage_mailbox_release(box);
	triage_result_release(&r);
	unlink(path);
	free(path);
}

static void a_cancelled_log_ends(void **state)
{
	char *path = make_log();
	atomic_bool cancel = true;
	struct triage_options o = { .cancel = &cancel };
	struct triage_result r;

	(void)state;
	assert_true(triage_read_file(&r, NULL, NULL, path, &o) < 0);
	triage_result_release(&r);
	unlink(path);
	free(path);
}

static void names_of_files_are_read(void **state)
{
	static const struct { const char *text, *path; int32_t line; } cases[] = {
		{ "  File \"/home/ana/x/train.py\", line 41, in main", "/home/ana/x/train.py", 41 },
		{ "/x/y.py:7: UserWarning: z", "/x/y.py", 7 },
		{ "see 'src/a.py:12'", "src/a.py", 12 },
		{ "  File \"a.py\", line 0", NULL, 0 },
		{ "File \"a.py\", line 99999999999999999999", NULL, 0 },
		{ "File \"a.py", NULL, 0 },
		{ ".py:3: x", NULL, 0 },
		{ "no file", NULL, 0 },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *path = "";
		int32_t line = 0;
		bool found = triage_place_parse(
			&path, &line, cases[i].text, strlen(cases[i].text), &a);

		assert_int_equal(found, cases[i].path != NULL);
		if (found) {
			assert_string_equal(path, cases[i].path);
			assert_int_equal(line, cases[i].line);
		}
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_come_while_a_log_is_read),
		cmocka_unit_test(a_cancelled_log_ends),
		cmocka_unit_test(names_of_files_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
