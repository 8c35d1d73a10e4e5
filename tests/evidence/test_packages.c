/*
 * Versions in the order of PEP 440, lists of packages of each kind, what their
 * differences amount to, and versions that are known to do something else.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "evidence/evidence_format.h"
#include "evidence/package_version.h"
#include "evidence/packages_difference.h"
#include "evidence/packages_known.h"

/* ---- versions ---- */

/* Each is before the next one; one line holds spellings of the same version. */
static const char *const ordered[] = {
	"0.9 v0.9 0.9.0 0!0.9 00.9",
	"1.dev0",
	"1.0.dev456 1.0-DEV456",
	"1.0a1 1.0.alpha1 1.0-ALPHA-1 1.0_a.1",
	"1.0a2.dev456",
	"1.0a12.dev456",
	"1.0a12",
	"1.0b1.dev456",
	"1.0b2",
	"1.0b2.post345.dev456",
	"1.0b2.post345",
	"1.0rc1.dev456",
	"1.0rc1 1.0c1 1.0.pre1 1.0-preview1",
	"1 1.0 1.0.0 v1.0",
	"1.0+abc.5 1.0+ABC-5",
	"1.0+abc.7",
	"1.0+5",
	"1.0.post456.dev34",
	"1.0.post456 1.0-456 1.0.rev456 1.0-r456",
	"1.0.15",
	"1.1.dev1",
	"1.9",
	"1.10",
	"2.0.0.dev20260923",
	"2026.5.9",
	"1!0.1",
};

static void test_order(void **state)
{
	struct package_version v[128];
	size_t rank[128], n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ordered); i++) {
		struct span line = span_of(ordered[i]);

		while (line.n) {
			struct span one = span_until(line, " ", &line);

			if (!package_version_read(&v[n], one))
				fail_msg("%.*s is not read", (int)one.n, one.s);
			rank[n++] = i;
		}
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (package_version_compare(&v[i], &v[k]) !=
				(rank[i] > rank[k]) - (rank[i] < rank[k]))
				fail_msg("%s and %s", ordered[rank[i]], ordered[rank[k]]);
}

static void test_no_version(void **state)
{
	static const char *const texts[] = { "", "abc", "1.0-", "1..0", "1.0+", "1.0+a..", "1.0 2",
		"2004d", "1.0.x", "!1", "1!", "99999999999999999999", "1.0+-a", "git+https", "-1" };
	struct package_version v;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (package_version_read(&v, span_of(texts[i])))
			fail_msg("%s is read", texts[i]);
}

static void test_specifiers(void **state)
{
	static const struct { const char *version, *specifiers; int matches;
	} known[] = {
		{ "0.21.0", "<0.23.0", 1 },
		{ "0.23.0", "<0.23.0", 0 },
		{ "0.22.9", "<0.23", 1 },
		{ "0.23.0.dev0", "<0.23.0", 0 },
		{ "0.23.0rc1", "<0.23.0rc2", 1 },
		{ "4.46.1", ">=4.46.0,<=4.46.1", 1 },
		{ "4.46.2", ">=4.46.0, <=4.46.1", 0 },
		{ "2.1.0+cu118", "==2.1.0", 1 },
		{ "2.1.0", "==2.1.0+cu118", 0 },
		{ "2.1.0+cu118", "<=2.1.0", 1 },
		{ "2.1.0+cu118", ">2.1.0", 0 },
		{ "2.1.0.post1", ">2.1.0", 0 },
		{ "2.1.1", ">2.1.0", 1 },
		{ "2.1.7", "==2.1.*", 1 },
		{ "2.10", "==2.1.*", 0 },
		{ "2.1", "==2.1.0.*", 1 },
		{ "2.1.7", "!=2.1.*", 0 },
		{ "2.2", "!=2.1.*", 1 },
		{ "2.2.1", "~=2.2", 1 },
		{ "2.9", "~=2.2", 1 },
		{ "3.0", "~=2.2", 0 },
		{ "2.3.0", "~=2.2.0", 0 },
		{ "1.4", "===1.4", 1 },
		{ "1.0", "", 1 },
		{ "1.0", "~=1", -1 },
		{ "1.0", "1.0", -1 },
		{ "1.0", ">=x", -1 },
		{ "1.0", ">=1,", 1 },
		{ "1!1.0", "<2.0", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		struct package_version v;

		assert_true(package_version_read(&v, span_of(known[i].version)));
		if (package_version_matches(&v, span_of(known[i].specifiers)) != known[i].matches)
			fail_msg("%s %s", known[i].version, known[i].specifiers);
	}
}

/* ---- lists ---- */

static void parse(struct evidence_facts *facts, const char *name, const char *text)
{
	struct evidence_source source = { text, strlen(text), name, NULL };
	const struct evidence_format *format = evidence_format_recognise(&source, NULL);

	if (!format || strcmp(format->name, "packages") != 0)
		fail_msg("%s is no list of packages: %s", name, text);
	*facts = (struct evidence_facts)EVIDENCE_FACTS_INIT;
	evidence_format_parse(facts, format, &source);
}

static void assert_text(const struct evidence_facts *facts, enum evidence_fact_name name,
	const char *key, int64_t line, const char *text)
{
	const struct evidence_fact *f = evidence_facts_last(facts, name, key);

	if (!text) {
		assert_null(f);
		return;
	}
	if (!f)
		fail_msg("%s of %s is absent", evidence_fact_names[name].text, key);
	assert_string_equal(f->text, text);
	assert_int_equal(f->line, line);
}

static void test_freeze(void **state)
{
	struct evidence_facts f;

	(void)state;
	parse(&f, "freeze.txt",
		"accelerate==0.21.0\n"
		"Jinja2==3.1.6\n"
		"torch==2.1.0+cpu\n"
		"apex @ git+https://bob:s3cr@t@git.example.org/apex.git@0a1b2c3\n"
		"wheel @ file:///tmp/wheel-1.whl\n"
		"# Editable install with no version control (mig==0.1.0)\n"
		"-e /srv/mig\n"
		"-e git+ssh://git@git.example.org/tools.git@4d5e6f#egg=my_tools\n"
		"nvidia_cublas.cu12==12.1.3.1\n");
	assert_text(&f, FACT_PACKAGE_VERSION, "accelerate", 1, "0.21.0");
	assert_text(&f, FACT_PACKAGE_VERSION, "jinja2", 2, "3.1.6");
	assert_text(&f, FACT_PACKAGE_VERSION, "torch", 3, "2.1.0+cpu");
	assert_text(
		&f, FACT_PACKAGE_SOURCE, "apex", 4, "git+https://git.example.org/apex.git@0a1b2c3");
	assert_text(&f, FACT_PACKAGE_VERSION, "apex", 4, NULL);
	assert_text(&f, FACT_PACKAGE_SOURCE, "wheel", 5, "file:///tmp/wheel-1.whl");
	assert_text(&f, FACT_PACKAGE_VERSION, "mig", 7, "0.1.0");
	assert_text(&f, FACT_PACKAGE_EDITABLE, "mig", 7, "editable");
	assert_text(&f, FACT_PACKAGE_SOURCE, "mig", 7, "/srv/mig");
	assert_text(&f, FACT_PACKAGE_SOURCE, "my-tools", 8,
		"git+ssh://git.example.org/tools.git@4d5e6f#egg=my_tools");
	assert_text(&f, FACT_PACKAGE_VERSION, "nvidia-cublas-cu12", 9, "12.1.3.1");
	assert_int_equal(evidence_facts_last(&f, FACT_PACKAGES, NULL)->integer, 8);
	assert_int_equal(f.health.malformed, 0);
	for (size_t i = 0; i < f.n; i++)
		assert_null(strstr(f.rows[i].text, "s3cr"));
	evidence_facts_release(&f);
}

static void test_tables(void **state)
{
	struct evidence_facts f;

	(void)state;
	parse(&f, "list.txt",
		"Package            Version     Editable project location\n"
		"------------------ ----------- -------------------------\n"
		"accelerate         1.2.1\n"
		"mig                0.1.0       /srv/mig\n");
	assert_text(&f, FACT_PACKAGE_VERSION, "accelerate", 3, "1.2.1");
	assert_text(&f, FACT_PACKAGE_EDITABLE, "mig", 4, "editable");
	evidence_facts_release(&f);
	parse(&f, "conda.txt",
		"# packages in environment at /opt/conda:\n#\n"
		"# Name                    Version                   Build  Channel\n"
		"numpy                     1.26.4          py311h64a7726_0    conda-forge\n"
		"tzdata                    2004d                h04d1e81_0\n");
	assert_text(&f, FACT_PACKAGE_VERSION, "numpy", 4, "1.26.4");
	assert_text(&f, FACT_PACKAGE_BUILD, "numpy", 4, "py311h64a7726_0");
	assert_text(&f, FACT_PACKAGE_VERSION, "tzdata", 5, "2004d");
	evidence_facts_release(&f);
	parse(&f, "export.txt",
		"# This file may be used to create an environment using:\n"
		"# platform: linux-64\n"
		"numpy=1.26.4=py311h64a7726_0\n"
		"torch=2.1.0=pypi_0\n");
	assert_text(&f, FACT_PACKAGE_VERSION, "torch", 4, "2.1.0");
	assert_text(&f, FACT_PACKAGE_BUILD, "torch", 4, "pypi_0");
	evidence_facts_release(&f);
}

static void test_requirements(void **state)
{
	struct evidence_facts f;

	(void)state;
	parse(&f, "requirements-tpu.txt",
		"--extra-index-url https://bob:pw@wheels.example.org/simple\n"
		"-r base.txt\n"
		"\n"
		"torch[tpu] >=2.1, <2.3 ; python_version < \"3.12\"  # pinned\n"
		"numpy\n"
		"certifi==2026.5.20 \\\n"
		"    --hash=sha256:aaaa \\\n"
		"    --hash=sha256:bbbb\n"
		"this is no requirement\n"
		"tqdm~=4.66\n"
		"peft==0.10.*\n");
	assert_text(&f, FACT_PACKAGE_REQUIRED, "torch", 4, ">=2.1, <2.3");
	assert_text(&f, FACT_PACKAGE_MARKER, "torch", 4, "python_version < \"3.12\"");
	assert_text(&f, FACT_PACKAGE_VERSION, "torch", 4, NULL);
	assert_text(&f, FACT_PACKAGE_VERSION, "certifi", 6, "2026.5.20");
	assert_text(&f, FACT_PACKAGE_REQUIRED, "tqdm", 10, "~=4.66");
	assert_text(&f, FACT_PACKAGE_REQUIRED, "peft", 11, "==0.10.*");
	assert_int_equal(f.health.malformed, 1);
	assert_int_equal(f.health.first_malformed, 9);
	assert_int_equal(evidence_facts_last(&f, FACT_PACKAGES, NULL)->integer, 5);
	for (size_t i = 0; i < f.n; i++)
		assert_null(strstr(f.rows[i].text, "bob"));
	evidence_facts_release(&f);
}

static void test_not_recognised(void **state)
{
	static const char *const texts[] = { "", "hello\nworld\n", "a == b\nc == d\n",
		"PATH=/bin\nHOME=/root\n", "loss=0.1 acc=0.9\n", "{\"a\": 1}\n",
		"x==1.0\nnot a list\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct evidence_source source = { texts[i], strlen(texts[i]), "notes.txt", NULL };
		const struct evidence_format *f = evidence_format_recognise(&source, NULL);

		if (f && strcmp(f->name, "packages") == 0)
			fail_msg("%s", texts[i]);
	}
}

/* ---- differences ---- */

static void test_change(void **state)
{
	static const struct {
		const char *a, *b;
		enum package_change change;
		int direction;
	} known[] = {
		{ "1.0", "1.0.0", PACKAGE_EQUAL, 0 },
		{ "2.1.0+cu118", "2.1.0+cpu", PACKAGE_BUILD, 0 },
		{ "2.1.0", "2.1.1", PACKAGE_PATCH, 1 },
		{ "2.1.0rc1", "2.1.0", PACKAGE_PATCH, 1 },
		{ "2.2", "2.1", PACKAGE_MINOR, -1 },
		{ "1.26.4", "2.0", PACKAGE_MAJOR, 1 },
		{ "1!1.0", "1.0", PACKAGE_MAJOR, -1 },
		{ "", "1.0", PACKAGE_NOT_COMPARED, 0 },
		{ "2004d", "2004d", PACKAGE_EQUAL, 0 },
		{ "2004d", "2005a", PACKAGE_NOT_COMPARED, 0 },
		{ "0.21.0+x", "0.23.0", PACKAGE_MINOR, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		int direction;

		if (package_versions_change(span_of(known[i].a), span_of(known[i].b), &direction) !=
				known[i].change ||
			direction != known[i].direction)
			fail_msg("%s to %s", known[i].a, known[i].b);
	}
	assert_int_equal(package_change_class(PACKAGE_EQUAL), PACKAGE_MATCH);
	assert_int_equal(package_change_class(PACKAGE_MINOR), PACKAGE_MODIFIED);
	assert_int_equal(package_change_class(PACKAGE_ADDED), PACKAGE_MODIFIED);
	assert_int_equal(package_change_class(PACKAGE_MAJOR), PACKAGE_MISMATCH);
	assert_int_equal(package_change_class(PACKAGE_NOT_COMPARED), PACKAGE_MISMATCH);
}

static void test_difference(void **state)
{
	static const struct { const char *name; enum package_change change; } expected[] = {
		{ "accelerate", PACKAGE_MINOR }, { "apex", PACKAGE_REMOVED },
		{ "mig", PACKAGE_NOT_COMPARED }, { "numpy", PACKAGE_EQUAL },
		{ "torch", PACKAGE_BUILD }, { "torch-xla", PACKAGE_ADDED },
		{ "transformers", PACKAGE_MAJOR },
	};
	struct packages_difference d;
	struct evidence_facts a, b;

	(void)state;
	parse(&a, "a.txt", "accelerate==0.21.0\napex==0.1\nnumpy==1.26.4\ntorch==2.1.0+cu118\n"
			   "transformers==4.46.0\nmig @ git+https://host/mig@aaa\n");
	parse(&b, "b.txt", "NumPy==1.26.4\naccelerate==0.23.0\ntorch==2.1.0+cpu\ntorch_xla==2.1.0\n"
			   "transformers==5.0\nmig @ git+https://host/mig@bbb\n");
	packages_compare(&d, &a, &b);
	assert_int_equal(d.n, ARRAY_LEN(expected));
	for (size_t i = 0; i < d.n; i++) {
		assert_string_equal(d.rows[i].name, expected[i].name);
		if (d.rows[i].change != expected[i].change)
			fail_msg("%s: %s", d.rows[i].name, package_change_words[d.rows[i].change]);
	}
	assert_int_equal(d.rows[0].direction, 1);
	assert_int_equal(d.rows[0].attempt->line, 2);
	assert_null(d.rows[1].attempt);
	assert_int_equal(d.counts[PACKAGE_EQUAL], 1);
	packages_difference_release(&d);
	evidence_facts_release(&a);
	evidence_facts_release(&b);
}

/* ---- known versions ---- */

static void table(struct packages_known *known)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	const char *top = getenv("srcdir");

	assert_int_equal(
		fs_read(&text, arena_printf(&a, "%s/data/versions.tsv", top ? top : "."), 0), 0);
	if (packages_known_read(known, "versions.tsv", text.s, text.n) < 0)
		fail_msg("%s", err_text());
	buf_release(&text);
	arena_release(&a);
}

static void assert_hits(
	const struct packages_known *known, const char *list, size_t n, const char *package)
{
	struct package_hit hits[8];
	struct evidence_facts f;

	parse(&f, "requirements.txt", list);
	assert_int_equal(packages_known_find(hits, ARRAY_LEN(hits), known, &f), n);
	if (n) {
		assert_string_equal(hits[0].known->package, package);
		assert_non_null(hits[0].package);
		assert_true(*hits[0].known->source != '\0');
	}
	evidence_facts_release(&f);
}

static void test_known(void **state)
{
	struct packages_known known;

	(void)state;
	table(&known);
	assert_true(known.n >= 6);
	assert_hits(&known, "accelerate==0.21.0\n", 1, "accelerate");
	assert_hits(&known, "accelerate==0.23.0\n", 0, NULL);
	assert_hits(&known, "accelerate>=0.21\n", 0, NULL);
	assert_hits(&known, "transformers==4.46.1\n", 1, "transformers");
	assert_hits(&known, "transformers==4.46.2\n", 1, "transformers");
	assert_hits(&known, "transformers==4.48.0\n", 0, NULL);
	assert_hits(&known, "torch==2.2.2+cpu\nnumpy==2.0.0\n", 1, "torch");
	assert_hits(&known, "torch==2.2.2+cpu\nnumpy==1.26.4\n", 0, NULL);
	assert_hits(&known, "torch==2.6.0+cpu\ntorch_xla==2.7.0\n", 1, "torch-xla");
	assert_hits(&known, "torch==2.7.1+cpu\ntorch-xla==2.7.0\n", 0, NULL);
	packages_known_release(&known);
}

static void test_bad_table(void **state)
{
	static const char *const tables[] = {
		"h\na\t<1\t\t\tC1\tx\n",
		"h\na b\t<1\t\t\tC1\tx\ty\n",
		"h\na\told\t\t\tC1\tx\ty\n",
		"h\na\t<1\tb\t\tC1\tx\ty\n",
		"h\na\t<1\t\tand and\tC1\tx\ty\n",
	};
	struct packages_known known;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		assert_int_equal(packages_known_read(&known, "t.tsv", tables[i], strlen(tables[i])),
			ERR_PARSE);
		assert_non_null(strstr(err_text(), "t.tsv:2: "));
		packages_known_release(&known);
	}
	assert_int_equal(packages_known_read(&known, "t.tsv", "h\n# note\n\n", 10), 0);
	assert_int_equal(known.n, 0);
	packages_known_release(&known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_version),
		cmocka_unit_test(test_specifiers),
		cmocka_unit_test(test_freeze),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_requirements),
		cmocka_unit_test(test_not_recognised),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_bad_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
