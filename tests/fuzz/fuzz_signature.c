/*
 * fuzz_signature - a hostile portside.conf with [signature] sections, and a log under it.
 *
 * The bytes up to the first NUL are the configuration, those behind it a log.  A section
 * gives a signature or a sentence; what was taken finds no line that the log lacks, and
 * no pattern may hang the scan.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "domain/configuration.h"
#include "evidence/triage.h"
#include "store/conffile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void add_all(struct signature_catalogue *c, const struct config *config)
{
	size_t problems;

	for (size_t i = 0; i < config->signatures_n; i++) {
		const struct config_signature *s = &config->signatures[i];

		signature_catalogue_add_section(c, "portside.conf",
			&(struct signature_section){ .id = s->name, .cause = s->cause,
				.kind = s->kind, .side = s->side, .rule = s->rule,
				.pattern = s->pattern, .note = s->note, .line = s->line });
	}
	(void)signature_problems(c, &problems);
	check(signature_catalogue_n(c) + problems == config->signatures_n);
	for (size_t i = 0; i < signature_catalogue_n(c); i++)
		check(signature_at(c, i)->needs.count > 0 && *signature_at(c, i)->id &&
			signature_find(c, signature_at(c, i)->id) == (int)i);
}

static void scan(const struct signature_catalogue *c, const uint8_t *log, size_t n)
{
	struct log_scan *s = log_scan_new(c, 0);
	const struct log_findings *f;
	struct triage_input in = { .catalogue = c, .end = TRIAGE_ENDED, .exit_status = 1,
		.target = TRIAGE_TPU };
	struct triage_verdict v;
	struct arena a = ARENA_INIT;

	log_scan_feed(s, log, n);
	f = in.findings = log_scan_findings(s);
	for (size_t i = 0; i < f->hits_n; i++)
		check(f->hits[i].line >= 1 && f->hits[i].line <= f->lines &&
			f->hits[i].place <= n &&
			f->hits[i].signature < signature_catalogue_n(c));
	triage(&v, &in, &a);
	check(v.first_line >= 0 && v.first_line <= f->lines && *v.reason);
	arena_release(&a);
	log_scan_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, '\0', size) : NULL;
	size_t n = end ? (size_t)(end - data) : size;
	struct signature_catalogue *c;
	struct conf conf = CONF_INIT;
	struct config config;

	if (conffile_parse(&conf, "portside.conf", (const char *)data, n) < 0) {
		conf_release(&conf);
		err_clear();
		return 0;
	}
	if (config_read(&config, &conf) < 0)
		err_clear();	/* other sections are missing: each of these stands alone */
	c = signature_catalogue_new();
	add_all(c, &config);
	scan(c, end ? end + 1 : data, end ? size - n - 1 : size);
	signature_catalogue_free(c);
	config_release(&config);
	conf_release(&conf);
	return 0;
}
