/* What is recorded of an environment, and that no secret is stored. */
#include "config.h"

#include "fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/redact.h"
#include "launch/capture.h"
#include "launch/environment.h"
#include "launch/payload.h"
#include "launch/run_directory.h"

#include <unistd.h>

static void test_names(void **state)
{
	static const char *const extra[] = { "MY_*", NULL };

	(void)state;
	assert_true(environment_name_recorded("PATH", NULL));
	assert_true(environment_name_recorded("LC_TIME", NULL));
	assert_true(environment_name_recorded("TPU_VISIBLE_CHIPS", NULL));
	assert_false(environment_name_recorded("EDITOR", NULL));
	assert_false(environment_name_recorded("MY_FLAG", NULL));
	assert_true(environment_name_recorded("MY_FLAG", extra));
	assert_false(environment_name_recorded("MY_TOKEN", extra));
	assert_false(environment_name_recorded("JAX_AUTH_X", NULL));
	assert_true(redact_secret_name("HF_TOKEN"));
	assert_true(redact_secret_name("wandb_Api_Key"));
	assert_true(redact_secret_name("OPENAI_APIKEY"));
	assert_true(redact_secret_name("db_passwd"));
	assert_true(redact_secret_name("HTTP_AUTHORIZATION"));
	assert_true(redact_secret_name("AUTHOR_TOKEN"));
	assert_false(redact_secret_name("GIT_AUTHOR_NAME"));
	assert_false(redact_secret_name("HOME"));
}

static void test_environment_list(void **state)
{
	char *from[] = { (char[]){ "PATH=/bin" }, (char[]){ "EDITOR=vi" },
		(char[]){ "HF_TOKEN=12345678" }, (char[]){ "no equal sign" },
		(char[]){ "BASH_FUNC_x%%=() { :; }" }, NULL };
	struct environment e = ENVIRONMENT_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	environment_capture(&e, from, NULL, false);
	environment_set(&e, "A", "1");
	environment_put(&e, "PATH=/usr/bin");
	assert_int_equal(e.n, 2);
	assert_null(e.items[2]);
	assert_string_equal(environment_get(&e, "PATH"), "/usr/bin");
	assert_null(environment_get(&e, "PAT"));
	environment_write(&out, &e);
	assert_int_equal(out.n, 18);
	assert_memory_equal(out.s, "A=1\0PATH=/usr/bin", 18);
	environment_release(&e);
	environment_capture(&e, from, NULL, true);
	assert_int_equal(e.n, 4);
	environment_release(&e);
	buf_release(&out);
}

static void check_redacted(const struct redact *r, const char *in, const char *expected)
{
	struct buf out = BUF_INIT, again = BUF_INIT;
	bool differs = strcmp(in, expected) != 0;

	assert_int_equal(redact_text(r, &out, in, strlen(in)), differs);
	assert_string_equal(out.s, expected);
	assert_int_equal(redact_finds(r, in, strlen(in), NULL), differs);
	assert_false(redact_text(r, &again, out.s, out.n));
	buf_release(&out);
	buf_release(&again);
}

static void test_redact(void **state)
{
	struct redact *r = redact_new();

	(void)state;
	redact_add(r, "HF_TOKEN", "correct-horse");
	redact_add(r, "LONGER", "correct-horse-battery");
	redact_add(r, "SHORT", "1234567");
	check_redacted(r, "x correct-horse y", "x [redacted HF_TOKEN] y");
	check_redacted(r, "correct-horse-battery", "[redacted LONGER]");
	check_redacted(r, "1234567", "1234567");
	check_redacted(NULL, "correct-horse", "correct-horse");
	check_redacted(NULL, "t=hf_abcdefghijklmnopqrst;", "t=[redacted hf_ token];");
	check_redacted(NULL, "elf_hf_", "elf_hf_");
	check_redacted(NULL, "selfhf_abcdefghijklmnopqrst", "selfhf_abcdefghijklmnopqrst");
	check_redacted(NULL, "ghp_abcdefghijklmnopqrst1", "[redacted ghp_ token]");
	check_redacted(NULL, "github_pat_11ABC_abcdefghijkl", "[redacted github_pat_ token]");
	check_redacted(NULL, "AKIAIOSFODNN7EXAMPLE", "[redacted AKIA key]");
	check_redacted(NULL, "ya29.a0AfH6SMBxxxx", "[redacted ya29. token]");
	check_redacted(NULL, "sk-proj-abcdefghijklmnop", "[redacted sk- key]");
	check_redacted(NULL, "task-sk-1", "task-sk-1");
	check_redacted(NULL, "git clone https://ann:pw@host/x",
		"git clone https://ann:[redacted URL password]@host/x");
	check_redacted(NULL, "http://host:80/a@b", "http://host:80/a@b");
	check_redacted(NULL,
		"a\n-----BEGIN RSA PRIVATE KEY-----\nAA\n-----END RSA PRIVATE KEY-----\nb",
		"a\n[redacted private key]\nb");
	check_redacted(NULL, "-----BEGIN CERTIFICATE-----\nAA", "-----BEGIN CERTIFICATE-----\nAA");
	redact_free(r);
}

/* A text of half secrets costs what its length costs: the search of one place ends
 * with the line or the value, not with the text. */
static void test_redact_long(void **state)
{
	static const char *const parts[] = { "-----BEGIN ", "-----BEGIN PRIVATE KEY ",
		"token=", "://a:b" };
	static const char key[] =
		"\n-----BEGIN EC PRIVATE KEY-----\nAA\n-----END EC PRIVATE KEY-----";
	static const char left[] = "\n[redacted private key]";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct buf in = BUF_INIT, out = BUF_INIT;

		while (in.n < 1 << 20)
			buf_adds(&in, parts[i]);
		buf_adds(&in, key);
		assert_true(redact_text(NULL, &out, in.s, in.n));
		assert_int_equal(out.n, in.n - strlen(key) + strlen(left));
		assert_string_equal(out.s + out.n - strlen(left), left);
		assert_memory_equal(out.s, in.s, out.n - strlen(left));
		buf_release(&in);
		buf_release(&out);
	}
}

/* Values that a name gives away, and the numbers and words of training that stay. */
static void test_redact_named(void **state)
{
	static const char *const kept[] = {
		"num_tokens: 12345678",
		"total_tokens=20480000a1",
		"tokenizer=bert-base-uncased-v2",
		"eos_token='<extra_id_99>'",
		"api_key=$WANDB_API_KEY1",
		"password=os.environ",
		"token=12345678901",
		"use_auth_token=True",
		"token: [redacted secret]",
		"a token 2048abcdefg",
	};
	struct buf b = BUF_INIT;
	char masked[] = "x AWS_SECRET_ACCESS_KEY=abcDEF123456 https://ann:pw12@host y";

	(void)state;
	check_redacted(NULL, "export AWS_SECRET_ACCESS_KEY=abcDEF123456 x",
		"export AWS_SECRET_ACCESS_KEY=[redacted secret] x");
	check_redacted(NULL, "--api-key=abcDEF123456", "--api-key=[redacted secret]");
	check_redacted(NULL, "curl --password abc123456 x", "curl --password [redacted secret] x");
	check_redacted(NULL, "{\"wandb_api_key\": \"abcdef123456\"}",
		"{\"wandb_api_key\": \"[redacted secret]\"}");
	check_redacted(NULL, "Authorization: Bearer abcdefghijklmno12345",
		"Authorization: [redacted bearer token]");
	check_redacted(NULL, "glpat-abcdefghijklmnop1234", "[redacted glpat- token]");
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		check_redacted(NULL, kept[i], kept[i]);
	redact_argument(NULL, &b, "--password", "abc123456");
	assert_string_equal(b.s, "[redacted secret]");
	buf_clear(&b);
	redact_argument(NULL, &b, "--epochs", "abc123456");
	assert_string_equal(b.s, "abc123456");
	buf_release(&b);
	redact_mask(NULL, masked, strlen(masked));
	assert_string_equal(masked, "x AWS_SECRET_ACCESS_KEY=************ https://ann:****@host y");
}

static void test_payload(void **state)
{
	struct fixture *f = *state;
	char *argv[] = { (char[]){ "" }, (char[]){ "a b" }, NULL },
	     *env[] = { (char[]){ "X=\xff\n" }, NULL }, *none[] = { NULL };
	struct payload p;
	int fd;

	assert_int_equal(payload_write(&fd, argv, env), 0);
	assert_int_equal(payload_read(&p, &f->arena, fd), 0);
	close(fd);
	assert_string_equal(p.argv[0], "");
	assert_string_equal(p.argv[1], "a b");
	assert_null(p.argv[2]);
	assert_string_equal(p.env[0], "X=\xff\n");
	assert_null(p.env[1]);
	assert_int_equal(payload_write(&fd, none, none), 0);
	assert_int_equal(payload_read(&p, &f->arena, fd), ERR_PARSE);
	assert_int_equal(ftruncate(fd, 2), 0);
	assert_int_equal(payload_read(&p, &f->arena, fd), ERR_PARSE);
	close(fd);
}

/* No file below PATH holds S, but for the raw log. */
static void assert_absent(struct fixture *f, const char *path, const char *s)
{
	char **names;
	size_t n, size;

	assert_int_equal(fs_list(&names, &n, &f->arena, path), 0);
	for (size_t i = 0; i < n; i++) {
		char *file = fs_join(&f->arena, path, names[i]);
		char *text;

		if (fs_is_dir(file)) {
			assert_absent(f, file, s);
			continue;
		}
		text = fixture_read(f, file, &size);
		if (strcmp(names[i], "log") != 0 && memmem(text, size, s, strlen(s)))
			fail_msg("%s holds the secret", file);
	}
}

static const char secret[] = "s3cr3t-value-of-the-token";

static void test_nothing_stored(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	const char *argv[] = { "sh", "-c", "echo $HF_TOKEN $1; env > all", "x", secret, NULL },
		   *pass[] = { "HF_TOKEN", NULL };
	struct environment from = ENVIRONMENT_INIT;

	environment_capture(&from, environ, NULL, true);
	environment_set(&from, "HF_TOKEN", secret);
	environment_set(&from, "OTHER_SECRET", "another-value");
	environment_set(&from, "JAX_URL", "https://u:hidden-password@h/");
	spec.argv = argv;
	spec.pass = pass;
	spec.skip_capture = false;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from.items), 0);
	environment_release(&from);
	f->rundir = launch_rundir(f->launch);
	{
		struct launch_result result;

		assert_int_equal(launch_start(f->launch, f->program, &result), 0);
	}
	assert_int_equal(fixture_wait_final(f).rc, 0);
	/* The run itself got it, argument and variable, and nothing else. */
	assert_string_equal(fixture_log(f), arena_printf(&f->arena, "%s %s\n", secret, secret));
	assert_null(strstr(
		fixture_read(f, fs_join(&f->arena, f->work, "all"), NULL), "another-value"));
	assert_non_null(strstr(
		fixture_read(f, fs_join(&f->arena, f->work, "all"), NULL), "hidden-password"));
	assert_true(fs_exists(fs_join(&f->arena, f->rundir, "capture/capture.json")));
	assert_true(fs_exists(fs_join(&f->arena, f->rundir, "capture/end.json")));
	assert_absent(f, f->rundir, secret);
	assert_absent(f, f->rundir, "hidden-password");
	assert_absent(f, f->rundir, "another-value");
	assert_non_null(strstr(fixture_read(f, fs_join(&f->arena, f->rundir, "spec.json"), NULL),
		"[redacted HF_TOKEN]"));
}

static void test_refused(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	char *from[] = { arena_printf(&f->arena, "HF_TOKEN=%s", secret), NULL };
	const char *pass[] = { "HF_TOKEN", NULL }, *missing[] = { "NOT_SET", NULL };
	char **names;
	size_t n;

	spec.pass = pass;
	spec.script = arena_printf(&f->arena, "curl -H %s", secret);
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from), ERR_REFUSED);
	assert_null(strstr(err_text(), secret));
	assert_non_null(strstr(err_text(), "HF_TOKEN"));
	spec.script = "true";
	spec.pass = missing;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from), ERR_NOT_FOUND);
	spec.pass = NULL;
	spec.launcher = "teleport";
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "local"));
	assert_int_equal(run_directory_list(&names, &n, &f->arena, f->runs), 0);
	assert_int_equal(n, 0);
}

static void test_inherit(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	const char *argv[] = { "sh", "-c", "echo $EDITOR $OTHER_SECRET", NULL };
	struct environment from = ENVIRONMENT_INIT;
	struct launch_result result;

	environment_capture(&from, environ, NULL, true);
	environment_set(&from, "EDITOR", "ed-the-editor");
	environment_set(&from, "OTHER_SECRET", "another-value");
	spec.argv = argv;
	spec.inherit_env = true;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from.items), 0);
	environment_release(&from);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(launch_start(f->launch, f->program, &result), 0);
	fixture_wait_final(f);
	assert_string_equal(fixture_log(f), "ed-the-editor another-value\n");
	assert_absent(f, f->rundir, "another-value");
	assert_absent(f, f->rundir, "ed-the-editor");
}

static void test_capture_commands(void **state)
{
	static const char *const ok[] = { "sh", "-c", "echo out; echo err >&2", NULL };
	static const char *const fails[] = { "sh", "-c", "exit 3", NULL };
	static const char *const slow[] = { "sh", "-c", "sleep 60 & sleep 60", NULL };
	static const char *const closes[] = { "sh", "-c", "exec >/dev/null 2>&1; sleep 60", NULL };
	static const char *const missing[] = { "portside-no-such-program", NULL };
	static const char *const large[] = { "head", "-c", "3000000", "/dev/zero", NULL };
	const int64_t limit_ns = 5 * INT64_C(1000000000), short_ns = 100 * 1000 * 1000;
	struct buf out = BUF_INIT;
	int rc, ends[2];

	(void)state;
	assert_int_equal(capture_run(&out, &rc, ok, environ, "/", limit_ns, -1), CAPTURE_OK);
	assert_string_equal(out.s, "out\nerr\n");
	assert_int_equal(capture_run(&out, &rc, fails, environ, "/", limit_ns, -1), CAPTURE_FAILED);
	assert_int_equal(rc, 3);
	assert_int_equal(capture_run(&out, &rc, slow, environ, "/", short_ns, -1), CAPTURE_TIMEOUT);
	assert_int_equal(
		capture_run(&out, &rc, closes, environ, "/", short_ns, -1), CAPTURE_TIMEOUT);
	assert_int_equal(
		capture_run(&out, &rc, missing, environ, "/", limit_ns, -1), CAPTURE_MISSING);
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);			/* the run is over */
	assert_int_equal(
		capture_run(&out, &rc, slow, environ, "/", limit_ns, ends[0]), CAPTURE_ENDED);
	assert_int_equal(
		capture_run(&out, &rc, closes, environ, "/", limit_ns, ends[0]), CAPTURE_ENDED);
	close(ends[0]);
	buf_clear(&out);
	assert_int_equal(capture_run(&out, &rc, large, environ, "/", limit_ns, -1), CAPTURE_OK);
	assert_int_equal(out.n, CAPTURE_MAX_BYTES);
	buf_release(&out);
}

static void test_capture_files(void **state)
{
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	char *json;

	spec.script = arena_printf(&f->arena,
		"echo python3.99 was asked for\n"
		"while [ ! -e %s/$PORTSIDE_RUN_ID/capture/capture.json ]; do sleep 0.02; done",
		f->runs);
	spec.skip_capture = false;
	fixture_start(f, &spec);
	fixture_wait_final(f);
	json = fixture_read(f, fs_join(&f->arena, f->rundir, "capture/capture.json"), NULL);
	assert_non_null(strstr(json, "\"program\": \"python3.99\""));
	assert_non_null(strstr(json, "\"result\": \"missing\""));
	json = fixture_read(f, fs_join(&f->arena, f->rundir, "capture/host.json"), NULL);
	assert_non_null(strstr(json, "\"kernel\": \""));
	assert_non_null(strstr(json, "\"memory_bytes\": "));
	assert_non_null(strstr(json, "\"disk_free_bytes\": "));
	json = fixture_read(f, fs_join(&f->arena, f->rundir, "capture/end.json"), NULL);
	assert_non_null(strstr(json, "\"peak_rss_bytes\": "));
}

/* What is captured never outlives the run, and half a list is none. */
static void test_capture_ends_with_the_run(void **state)
{
	static const char fake[] =
		"#!/bin/sh\necho first==1.0\necho $$ >pid.tmp && mv pid.tmp pid\nexec sleep 600\n";
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	char *python = fs_join(&f->arena, f->work, "python3"), *json, *pid;
	struct process p;

	assert_int_equal(fs_write_durable(python, fake, strlen(fake), 0700), 0);
	spec.script = ": ./python3\nwhile [ ! -e pid ]; do sleep 0.02; done";
	spec.skip_capture = false;
	fixture_start(f, &spec);
	assert_int_equal(fixture_wait_final(f).rc, 0);
	pid = fixture_read(f, fs_join(&f->arena, f->work, "pid"), NULL);
	assert_false(process_read(&p, (pid_t)strtol(pid, NULL, 10)) && p.state != 'Z');
	json = fixture_read(f, fs_join(&f->arena, f->rundir, "capture/capture.json"), NULL);
	assert_non_null(strstr(json, "\"result\": \"ended\""));
	assert_null(strstr(json, "\"result\": \"ok\""));
	assert_false(fs_exists(fs_join(&f->arena, f->rundir, "capture/python.txt")));
}

/* Samples of a device are taken while the run lives. */
static void test_device_samples(void **state)
{
	static const char fake[] = "#!/bin/sh\necho 0, Fake GPU, $HF_TOKEN\n";
	struct fixture *f = *state;
	struct run_spec spec = fixture_spec(f);
	char *bin = fs_join(&f->arena, f->folder, "bin"), *samples, *text, *program;
	const char *env[] = { arena_printf(&f->arena, "PATH=%s:/usr/bin:/bin", bin), NULL };
	const char *pass[] = { "HF_TOKEN", NULL };
	struct environment from = ENVIRONMENT_INIT;
	struct launch_result result;

	assert_int_equal(fs_mkdirs(bin, 0700), 0);
	program = fs_join(&f->arena, bin, "nvidia-smi");
	assert_int_equal(fs_write_durable(program, fake, strlen(fake), 0700), 0);
	environment_set(&from, "HF_TOKEN", secret);
	spec.script = "while [ ! -e go ]; do sleep 0.02; done";
	spec.skip_capture = false;
	spec.env = env;
	spec.pass = pass;
	assert_int_equal(launch_prepare(&f->launch, f->runs, &spec, from.items), 0);
	environment_release(&from);
	f->rundir = launch_rundir(f->launch);
	assert_int_equal(launch_start(f->launch, f->program, &result), 0);
	samples = fs_join(&f->arena, f->rundir, "capture/nvidia-smi.samples");
	fixture_wait_file(samples);
	text = fixture_read(f, samples, NULL);
	assert_memory_equal(text, "@ 20", 4);
	assert_non_null(strstr(text, "Z\n0, Fake GPU, [redacted HF_TOKEN]\n"));
	assert_int_equal(fs_write_durable(fs_join(&f->arena, f->work, "go"), "", 0, 0600), 0);
	assert_int_equal(fixture_wait_final(f).rc, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_names),
		TEST(test_environment_list),
		TEST(test_redact),
		TEST(test_redact_long),
		TEST(test_redact_named),
		TEST(test_payload),
		TEST(test_nothing_stored),
		TEST(test_refused),
		TEST(test_inherit),
		TEST(test_capture_commands),
		TEST(test_capture_files),
		TEST(test_capture_ends_with_the_run),
		TEST(test_device_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
