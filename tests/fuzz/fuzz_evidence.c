/*
 * fuzz_evidence - any bytes as each format of evidence.
 *
 * The first byte chooses the name of the file.  Whatever the bytes are, facts are well
 * formed, the form of the log is JSON, and what is made of them ends.
 */
#include "config.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "evidence/device_proof.h"
#include "evidence/evidence_format.h"
#include "evidence/packages_difference.h"
#include "evidence/run_signal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const char *const names[] = { "", "metrics.txt.2", "nvidia-smi.csv", "requirements.txt",
	"hparams.yaml", "env", "config.json", "run.log" };

static void check_fact(const struct evidence_facts *facts, const struct evidence_fact *f)
{
	if (f->name >= FACT_NAMES || !f->key || !f->text || f->line < 0 || f->group < -1)
		abort();
	if (f->line > facts->health.lines + 1 || strlen(f->text) > EVIDENCE_TEXT_MAX ||
		strlen(f->key) > EVIDENCE_KEY_MAX)
		abort();
	if ((f->is_integer && !f->is_number) || !isfinite(f->number))
		abort();
	if (f->certainty == EVIDENCE_AMBIGUOUS && f->other <= f->integer)
		abort();
}

static void check_text(const struct evidence_facts *facts)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	const struct json *parsed;

	evidence_facts_write(&text, facts, true);
	if (json_parse(&parsed, &a, text.s, text.n, JSON_STRICT) < 0 || parsed->count != facts->n)
		abort();
	buf_clear(&text);
	evidence_health_add_line(&text, &facts->health);
	for (size_t i = 0; i < facts->n; i++)
		evidence_fact_add_value(&text, &facts->rows[i]);
	buf_release(&text);
	arena_release(&a);
}

static void use(const struct evidence_facts *facts)
{
	static const struct run_signal_options options = { 0 };
	static const struct device_claim claim = { .chips = 2, .during_steps = true };
	struct arena a = ARENA_INIT;
	struct run_signal signals[RUN_SIGNALS];
	struct packages_difference difference;
	struct device_proof proof;

	run_signals(signals, &a, &facts, 1, &options);
	device_proof_make(&proof, &a, &facts, 1, &claim);
	packages_compare(&difference, facts, facts);
	if (difference.counts[PACKAGE_ADDED] || difference.counts[PACKAGE_REMOVED])
		abort();
	packages_difference_release(&difference);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct evidence_source source = { .bytes = "", .name = "" };
	char *copy;

	if (n == 0)
		return 0;
	/* Of exactly that size, so that reading beyond it is seen. */
	copy = xmalloc(n > 1 ? n - 1 : 1);
	memcpy(copy, data + 1, n - 1);
	source = (struct evidence_source){ copy, n - 1, names[data[0] % ARRAY_LEN(names)],
		data[0] & 0x80 ? "nvidia-smi --query-gpu=index,utilization.gpu,name" : NULL };
	for (size_t i = 0; i < evidence_formats_n; i++) {
		struct evidence_facts facts = EVIDENCE_FACTS_INIT;

		(void)evidence_formats[i].recognise(&source);
		evidence_format_parse(&facts, &evidence_formats[i], &source);
		for (size_t k = 0; k < facts.n; k++)
			check_fact(&facts, &facts.rows[k]);
		check_text(&facts);
		use(&facts);
		evidence_facts_release(&facts);
	}
	free(copy);
	return 0;
}
