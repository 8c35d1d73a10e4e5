/*
 * test_package_pins - versions that are asked for: which are known to be bad, and which
 * are not, in every kind of file.
 */
#include "config.h"

#include "../unit.h"

#include "base/err.h"
#include "evidence/package_pins.h"

static const char table[] =
	"package\tversions\tbeside\tcondition\tcause\twhat happens\tsource\n"
	"accelerate\t<0.23.0\t\tworld_size > 1 and max_grad_norm > 0\tC3\tclips first\tPR 1926\n"
	"torch\t<2.3\tnumpy >=2\t\tC1\tis older\tissue\n";

static const struct asked {
	const char *path, *text;
	int64_t line;			/* 0: no hit */
	const char *newest;
} asked[] = {
	{ "requirements.txt", "torch\naccelerate==0.21.0\n", 2, "0.21.0" },
	{ "requirements.txt", "Accelerate == 0.22\n", 1, "0.22" },
	{ "requirements-tpu.txt", "accelerate[testing]==0.21.0 ; python_version > '3'\n", 1,
		"0.21.0" },
	{ "requirements.txt", "accelerate<0.23\n", 1, "0.22.99999" },
	{ "requirements.txt", "accelerate<0.23.0,>=0.20\n", 1, "0.22.99999" },
	{ "requirements.txt", "accelerate~=0.21.0\n", 1, "0.21.99999" },
	{ "requirements.txt", "accelerate==0.21.*\n", 1, "0.21.99999" },
	{ "requirements.txt", "accelerate<=0.22.0  # as in the paper\n", 1, "0.22.0" },
	{ "requirements.txt", "accelerate<1,<0.23\n", 1, "0.22.99999" },
	{ "requirements/base.txt", "accelerate==0.21.0\n", 1, "0.21.0" },
	{ "setup.py", "setup(\n  install_requires=[\n    'accelerate==0.21.0',\n  ])\n", 3,
		"0.21.0" },
	{ "pyproject.toml", "dependencies = [\"torch\", \"accelerate<0.22\"]\n", 1, "0.21.99999" },
	{ "setup.cfg", "install_requires =\n    accelerate==0.20\n", 2, "0.20" },
	{ "environment.yml", "dependencies:\n  - pip:\n    - accelerate==0.21.0\n", 3, "0.21.0" },
	{ "environment.yml", "dependencies:\n  - accelerate=0.21\n", 2, "0.21.99999" },
	{ "conda.yaml", "  - accelerate=0.22.0=py_0\n", 1, "0.22.0" },

	{ "requirements.txt", "accelerate\n", 0, NULL },
	{ "requirements.txt", "accelerate>=0.20\n", 0, NULL },
	{ "requirements.txt", "accelerate!=0.21.0\n", 0, NULL },
	{ "requirements.txt", "accelerate==0.23.0\n", 0, NULL },
	{ "requirements.txt", "accelerate<=0.25\n", 0, NULL },
	{ "requirements.txt", "accelerate~=0.21\n", 0, NULL },
	{ "requirements.txt", "accelerate<1.0\n", 0, NULL },
	{ "requirements.txt", "# accelerate==0.21.0\n", 0, NULL },
	{ "requirements.txt", "my-accelerate==0.21.0\naccelerate-extras==0.1\n", 0, NULL },
	{ "requirements.txt", "accelerate @ git+https://example.org/a@0.21.0\n", 0, NULL },
	{ "requirements.txt", "torch==2.0\n", 0, NULL },
	{ "requirements.txt", "accelerate==0.21.0,==0.30\n", 0, NULL },
	{ "setup.py", "# accelerate==0.21.0\naccelerate==0.21.0\n", 0, NULL },
	{ "train.py", "accelerate==0.21.0\n", 0, NULL },
	{ "notes.txt", "accelerate==0.21.0\n", 0, NULL },
	{ "requirements.txt", "accelerate==\naccelerate<\naccelerate=<>~!,,,\n", 0, NULL },
	{ "requirements.txt", "", 0, NULL },
};

static void read_table(struct packages_known *known)
{
	assert_int_equal(packages_known_read(known, "t", table, sizeof table - 1), 0);
}

static void files(void **state)
{
	struct packages_known known;

	(void)state;
	read_table(&known);
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct package_pins p = PACKAGE_PINS_INIT;

		package_pins_read(&p, &known, asked[i].path, asked[i].text, strlen(asked[i].text));
		if (p.n != (size_t)(asked[i].line > 0))
			fail_msg("%zu hits in %s: %s", p.n, asked[i].path, asked[i].text);
		if (p.n && (p.rows[0].line != asked[i].line ||
				   strcmp(p.rows[0].newest, asked[i].newest) != 0))
			fail_msg("line %d, %s in %s", (int)p.rows[0].line, p.rows[0].newest,
				asked[i].text);
		package_pins_release(&p);
	}
	packages_known_release(&known);
}

/* One condition, three values. */
static void conditions(void **state)
{
	static const struct {
		const char *settings;
		int64_t chips;
		enum truth truth;
	} rows[] = {
		{ "accelerate launch train.py --max_grad_norm 1.0", 4, TRUTH_TRUE },
		{ "max_grad_norm: 1.0", 4, TRUTH_TRUE },
		{ "TrainingArguments(max_grad_norm=0.5)", 4, TRUTH_TRUE },
		{ "p.add_argument(\"--max_grad_norm\", type=float, default=1.0)", 4, TRUTH_TRUE },
		{ "max_grad_norm = 1.0", 1, TRUTH_FALSE },
		{ "max_grad_norm = 0.0", 4, TRUTH_FALSE },
		{ "max_grad_norm = args.norm", 4, TRUTH_UNKNOWN },
		{ "# max_grad_norm = 1.0", 4, TRUTH_UNKNOWN },
		{ "max_grad_norm_of = 1.0", 4, TRUTH_UNKNOWN },
		{ "max_grad_norm = 1.0", 0, TRUTH_UNKNOWN },
		{ "", 1, TRUTH_FALSE },
	};
	struct packages_known known;

	(void)state;
	read_table(&known);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		static const char pin[] = "accelerate==0.21.0";
		struct package_pins p = PACKAGE_PINS_INIT;
		enum truth t;

		package_pins_read(&p, &known, "requirements.txt", pin, sizeof pin - 1);
		package_pins_settings(&p, "x", rows[i].settings, strlen(rows[i].settings));
		assert_int_equal(p.n, 1);
		t = package_pins_hold(&p, &p.rows[0], rows[i].chips);
		if (t != rows[i].truth)
			fail_msg("%d for %s on %d chips", (int)t, rows[i].settings,
				(int)rows[i].chips);
		package_pins_release(&p);
	}
	packages_known_release(&known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),
		cmocka_unit_test(conditions),
	};

	return cmocka_run_group_tests_name("package_pins", tests, NULL, NULL);
}
