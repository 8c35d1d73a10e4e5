/* wandb_facts - reads the run, its configuration and its end. */
#include "config.h"

#include "curve/wandb_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { FACT_BYTES_MAX = 4096, COMMIT_SHOWN = 10 };

enum {
	RUN_ID = 1, RUN_ENTITY = 2, RUN_PROJECT = 3, RUN_CONFIG = 4, RUN_SUMMARY = 5,
	RUN_NAME = 8, RUN_HOST = 13, RUN_STARTING_STEP = 14, RUN_START_TIME = 17,
	RUN_RESUMED = 18, RUN_GIT = 21, RUN_BRANCH_POINT = 23,
};

void wandb_facts_release(struct wandb_facts *f)
{
	char *texts[] = { f->run_id, f->name, f->project, f->entity, f->host, f->remote, f->commit,
		f->branch_run };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		free(texts[i]);
	settings_release(&f->summary);
	*f = (struct wandb_facts)WANDB_FACTS_INIT;
}

/* An empty text says nothing. */
static void take_text(char **to, struct protobuf m)
{
	size_t n = text_cut((const char *)m.p, (size_t)(m.end - m.p), FACT_BYTES_MAX);

	if (!n)
		return;
	free(*to);
	*to = xstrndup((const char *)m.p, n);
}

bool wandb_time_read(struct wandb_time *out, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	*out = (struct wandb_time){ 0 };
	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.wire == WIRE_VARINT && f.number == 1)
			out->seconds = (int64_t)f.value;
		if (f.wire == WIRE_VARINT && f.number == 2)
			out->nanos = (int64_t)f.value;
	}
	return more == 0;
}

double wandb_time_wall(const struct wandb_time *t)
{
	return (double)t->seconds + (double)t->nanos * 1e-9;
}

static bool is_well_formed(struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		;
	return more == 0;
}

static bool take_git(struct wandb_facts *facts, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.wire == WIRE_BYTES && (f.number == 1 || f.number == 2))
			take_text(f.number == 1 ? &facts->remote : &facts->commit, f.bytes);
	return more == 0;
}

static bool is_text(struct protobuf m, const char *text)
{
	size_t n = (size_t)(m.end - m.p);

	return n == strlen(text) && memcmp(m.p, text, n) == 0;
}

/* The place of a branch counts when it is one of steps. */
static bool take_branch(struct wandb_facts *facts, struct protobuf m)
{
	struct protobuf_field f;
	bool by_step = true;
	double value = NAN;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0) {
		if (f.number == 1 && f.wire == WIRE_BYTES)
			take_text(&facts->branch_run, f.bytes);
		else if (f.number == 2 && f.wire == WIRE_FIXED64)
			value = protobuf_double(f.value);
		else if (f.number == 2 && f.wire == WIRE_VARINT)
			value = (double)(int64_t)f.value;
		else if (f.number == 3 && f.wire == WIRE_BYTES)
			by_step = is_text(f.bytes, "_step") || f.bytes.p == f.bytes.end;
	}
	facts->branch_step = by_step ? value : NAN;
	return more == 0;
}

static bool take_message(struct wandb_facts *facts, struct wandb_values *v, struct settings *config,
	const struct protobuf_field *f)
{
	struct wandb_time start;

	switch (f->number) {
	case RUN_CONFIG:
		return wandb_take_settings(config, v, f->bytes);
	case RUN_SUMMARY:
		return wandb_take_settings(&facts->summary, v, f->bytes);
	case RUN_GIT:
		return take_git(facts, f->bytes);
	case RUN_BRANCH_POINT:
		return take_branch(facts, f->bytes);
	case RUN_START_TIME:
		if (!wandb_time_read(&start, f->bytes))
			return false;
		facts->start_wall_s = wandb_time_wall(&start);
		return true;
	default:
		return true;
	}
}

static void take_field(struct wandb_facts *facts, const struct protobuf_field *f)
{
	const struct {
		uint32_t number;
		char **text;
	} texts[] = {
		{ RUN_ID, &facts->run_id },
		{ RUN_ENTITY, &facts->entity },
		{ RUN_PROJECT, &facts->project },
		{ RUN_NAME, &facts->name },
		{ RUN_HOST, &facts->host },
	};

	if (f->wire == WIRE_VARINT && f->number == RUN_STARTING_STEP)
		facts->starting_step = (int64_t)f->value;
	if (f->wire == WIRE_VARINT && f->number == RUN_RESUMED)
		facts->resumed = f->value != 0;
	for (size_t i = 0; f->wire == WIRE_BYTES && i < ARRAY_LEN(texts); i++)
		if (texts[i].number == f->number)
			take_text(texts[i].text, f->bytes);
}

bool wandb_facts_take_run(struct wandb_facts *facts, struct wandb_values *v,
	struct settings *config, struct protobuf m)
{
	struct protobuf_field f;

	if (!is_well_formed(m))
		return false;
	while (protobuf_next(&m, &f) > 0) {
		take_field(facts, &f);
		if (f.wire == WIRE_BYTES && !take_message(facts, v, config, &f))
			return false;
	}
	return true;
}

bool wandb_facts_take_exit(struct wandb_facts *facts, struct protobuf m)
{
	struct protobuf_field f;
	int64_t code = 0;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.number == 1 && f.wire == WIRE_VARINT)
			code = (int64_t)f.value;
	if (more < 0)
		return false;
	facts->exited = true;
	facts->exit_code = code;
	return true;
}

static bool take_item(
	struct settings *s, struct wandb_values *v, const struct protobuf_field *f, bool remove)
{
	struct wandb_item item;

	if (!wandb_item_read(&item, v, f->bytes))
		return false;
	/* What W&B notes for itself is no setting of the run. */
	if (item.name_n && *item.name == '_')
		return true;
	if (remove)
		settings_remove(s, item.name, item.name_n);
	else
		wandb_value_put_setting(s, v, &item);
	return true;
}

bool wandb_take_settings(struct settings *s, struct wandb_values *v, struct protobuf m)
{
	struct protobuf_field f;
	int more;

	while ((more = protobuf_next(&m, &f)) > 0)
		if (f.wire == WIRE_BYTES && (f.number == 1 || f.number == 2) &&
			!take_item(s, v, &f, f.number == 2))
			return false;
	return more == 0;
}

static void add_fact(struct buf *out, const char *what, const char *text, size_t max)
{
	size_t n = text ? strlen(text) : 0;

	if (!n)
		return;
	buf_adds(out, what);
	text_sanitise(out, text, text_cut(text, n, max));
}

void wandb_facts_add_line(struct buf *out, const struct wandb_facts *f)
{
	if (!f->run_id)
		return;
	add_fact(out, "run ", f->run_id, 64);
	add_fact(out, " of ", f->project, 64);
	add_fact(out, ", host ", f->host, 64);
	add_fact(out, ", commit ", f->commit, COMMIT_SHOWN);
	if (f->exited)
		buf_addf(out, ", exit %" PRId64, f->exit_code);
}
