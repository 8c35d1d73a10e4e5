/*
 * fuzz_log_scan - any bytes as the log of a run.
 *
 * The first byte chooses where the bytes are cut in two; the two pieces must give the
 * findings of the whole, looked at in between or not, and the verdict must stand on
 * lines that are there.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/triage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct signature_catalogue *catalogue(void)
{
	static struct signature_catalogue *c;
	struct arena a = ARENA_INIT;

	if (!c) {
		c = signature_catalogue_new();
		if (signature_catalogue_add_folder(c, fs_data_path(&a, "signatures")) < 0) {
			fprintf(stderr, "%s\n", err_text());
			abort();
		}
		arena_release(&a);
	}
	return c;
}

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_same(const struct log_findings *a, const struct log_findings *b)
{
	check(a->lines == b->lines && a->bytes == b->bytes && a->hits_n == b->hits_n);
	check(a->last_step == b->last_step && a->mark_steps == b->mark_steps);
	check(a->last_exception_line == b->last_exception_line && a->memory_n == b->memory_n);
	for (size_t i = 0; i < a->hits_n; i++)
		check(a->hits[i].signature == b->hits[i].signature &&
			a->hits[i].line == b->hits[i].line && a->hits[i].step == b->hits[i].step &&
			a->hits[i].offset == b->hits[i].offset);
}

static void check_verdict(const struct log_findings *f, int exit_status)
{
	struct triage_input in = { .catalogue = catalogue(),
		.findings = f,
		.end = TRIAGE_ENDED,
		.exit_status = exit_status,
		.target = TRIAGE_TPU };
	struct arena a = ARENA_INIT;
	struct triage_verdict v;

	triage(&v, &in, &a);
	check(v.first_line >= 0 && v.first_line <= f->lines);
	check(*v.reason && (v.cause != TRIAGE_NONE || exit_status == 0));
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct log_scan *kept;
	struct log_scan *whole, *parts;
	size_t cut;

	if (n < 1)
		return 0;
	cut = (n - 1) * *data / 256;
	if (!kept)
		kept = log_scan_new(catalogue(), 0);
	whole = log_scan_new_beside(kept);
	parts = log_scan_new_beside(kept);
	log_scan_feed(whole, data + 1, n - 1);
	log_scan_feed(parts, data + 1, cut);
	if (*data & 1)
		check(log_scan_findings(parts)->bytes == (int64_t)cut);
	log_scan_feed(parts, data + 1 + cut, n - 1 - cut);
	check_same(log_scan_findings(whole), log_scan_findings(parts));
	check_verdict(log_scan_findings(whole), *data & 2 ? 1 : 0);
	log_scan_free(whole);
	log_scan_free(parts);
	return 0;
}
