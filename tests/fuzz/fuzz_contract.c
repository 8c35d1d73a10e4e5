/*
 * fuzz_contract - a hostile contract.json, and hostile outputs for a good one.
 *
 * The bytes up to the first NUL are a contract, those behind it outputs; whatever can be
 * read of the contract is judged, and no outcome may be left open.
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "workspace/contract_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge_all(const struct contract *c, const struct contract_outputs *o)
{
	const struct contract_places nowhere = { NULL, NULL };
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < c->cases_n; i++) {
		struct contract_result r;

		if (!c->cases[i].expected && !c->cases[i].rejects)
			continue;
		contract_judge(&r, &c->cases[i], &o->cases[i], c, &nowhere, &a);
		if (r.outcome == CONTRACT_OUTCOME_NONE || (r.outcome == CONTRACT_OK && *r.text))
			abort();
	}
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *end = size ? memchr(text, '\0', size) : NULL;
	size_t n = end ? (size_t)(end - text) : size;
	struct contract_outputs o;
	struct arena a = ARENA_INIT;
	struct contract c;
	bool good = contract_read(&c, text, n, contract_knows_type) == 0;

	if (good == (c.errors_n > 0))
		abort();
	/* With mistakes two cases may have one id. */
	if (good && contract_differences(&a, &c, &c).n)
		abort();
	if (good && contract_outputs_read(&o, &c, end ? end + 1 : "", end ? size - n - 1 : 0) == 0)
		judge_all(&c, &o);
	if (good)
		contract_outputs_release(&o);
	err_clear();
	contract_release(&c);
	arena_release(&a);
	return 0;
}
