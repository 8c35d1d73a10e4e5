/* checks_contract - the checkpoints of the contract where a configuration was optimized;
 * see checks.h. */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "command/checks_private.h"
#include "workspace/contract_again.h"

/* The entries that answer for what is there, and what the agent says. */
static struct check_state counting(
	const struct contract_again *again, const struct check_state *s, struct arena *a)
{
	struct check_state kept = *s;

	kept.entries = arena_alloc(a, (s->entries_n + 1) * sizeof *kept.entries);
	kept.entries_n = 0;
	for (size_t i = 0; i < s->entries_n; i++)
		if (s->entries[i].claim || contract_again_counts(again, &s->entries[i]))
			kept.entries[kept.entries_n++] = s->entries[i];
	kept.result = contract_again_result(again, s);
	return kept;
}

/* What bring-up showed is told as that, and is no answer. */
static const char *earlier_text(const struct check_state *s, struct arena *a)
{
	return arena_printf(a, "before it was optimized: %s; not run again since",
		word_name(&words_check, (int)s->result));
}

static void take(struct loading *l, struct checks_item *item, const struct contract_again *again,
	const struct check_state *s)
{
	struct check_state kept = counting(again, s, l->a);

	item->places_n = 0;
	checks_take_record(item, l, &kept);
	item->entries_n = s->entries_n;
	if (kept.result == CHECK_NOT_CHECKED && s->result != CHECK_NOT_CHECKED) {
		item->contradicted = false;
		item->text = earlier_text(s, l->a);
	}
}

int checks_take_contract(struct loading *l, struct checks_configuration *c)
{
	struct contract_again again;
	int rc = contract_again_read(&again, l->ws, l->attempt, c->name, l->r->at, l->a);

	if (rc < 0 || !again.optimized)
		return rc;
	c->contract = text_sanitised(l->a, again.owes);
	for (size_t i = 0; i < c->items_n; i++) {
		struct checks_item *item = &c->items[i];
		const struct check_state *s = checks_find_state(l, c->name, item->check);

		if (s && strcmp(item->item->level, CHECK_LEVEL_CONTRACT) == 0)
			take(l, item, &again, s);
	}
	if (*c->contract)
		checks_note(l, c->contract);
	return 0;
}
