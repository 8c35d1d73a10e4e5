/* environment_dump - variables that decide how a run runs; see environment_dump.h. */
#include "config.h"

#include "evidence/environment_dump.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/redact.h"
#include "base/text.h"

const char *const variable_group_words[VARIABLE_GROUPS] = {
	[VARIABLE_DEVICE] = "device",
	[VARIABLE_DEBUGGING] = "debugging",
	[VARIABLE_COMPILER] = "compiler",
	[VARIABLE_NUMERICS] = "numerics",
	[VARIABLE_TORCHTPU] = "TorchTPU",
	[VARIABLE_RUN] = "run",
};

/* The first that fits counts: exact names stand before patterns. */
static const struct environment_variable variables[] = {
	{ "XLA_USE_BF16", VARIABLE_NUMERICS, true },
	{ "XLA_DOWNCAST_BF16", VARIABLE_NUMERICS, true },
	{ "XLA_USE_FP16", VARIABLE_NUMERICS, true },
	{ "XLA_DOWNCAST_FP16", VARIABLE_NUMERICS, true },
	{ "XLA_USE_32BIT_LONG", VARIABLE_NUMERICS, true },
	{ "JAX_DEFAULT_MATMUL_PRECISION", VARIABLE_NUMERICS, true },
	{ "JAX_ENABLE_X64", VARIABLE_NUMERICS, true },
	{ "NVIDIA_TF32_OVERRIDE", VARIABLE_NUMERICS, true },
	{ "CUBLAS_WORKSPACE_CONFIG", VARIABLE_NUMERICS, true },
	{ "XLA_FLAGS", VARIABLE_COMPILER, true },
	{ "LIBTPU_INIT_ARGS", VARIABLE_COMPILER, true },
	{ "XLA_PERSISTENT_CACHE_PATH", VARIABLE_COMPILER, false },
	{ "XLA_USE_SPMD", VARIABLE_COMPILER, true },
	{ "PT_XLA_DEBUG", VARIABLE_DEBUGGING, true },
	{ "PT_XLA_DEBUG_*", VARIABLE_DEBUGGING, false },
	{ "XLA_METRICS_*", VARIABLE_DEBUGGING, false },
	{ "XLA_SAVE_TENSORS_*", VARIABLE_DEBUGGING, false },
	{ "XLA_*_DEBUG", VARIABLE_DEBUGGING, false },
	{ "XLA_SYNC_WAIT", VARIABLE_DEBUGGING, false },
	{ "PJRT_DEVICE", VARIABLE_DEVICE, false },
	{ "PJRT_SELECT_DEFAULT_DEVICE", VARIABLE_DEVICE, false },
	{ "CUDA_VISIBLE_DEVICES", VARIABLE_DEVICE, false },
	{ "TPU_LAUNCH_BLOCKING", VARIABLE_TORCHTPU, false },
	{ "TORCH_TPU_INTERNAL_XLA_OPTIONS", VARIABLE_TORCHTPU, true },
	{ "TORCH_TPU_*", VARIABLE_TORCHTPU, false },
	{ "TORCH_TRACE", VARIABLE_TORCHTPU, false },
	{ "TPU_*", VARIABLE_DEVICE, false },
	{ "XLA_*", VARIABLE_COMPILER, false },
	{ "JAX_*", VARIABLE_COMPILER, false },
	{ "NCCL_*", VARIABLE_RUN, false },
	{ "OMP_NUM_THREADS", VARIABLE_RUN, false },
	{ "MKL_NUM_THREADS", VARIABLE_RUN, false },
	{ "PYTHONHASHSEED", VARIABLE_RUN, false },
	{ "WORLD_SIZE", VARIABLE_RUN, false },
	{ "RANK", VARIABLE_RUN, false },
	{ "LOCAL_RANK", VARIABLE_RUN, false },
	{ "LOCAL_WORLD_SIZE", VARIABLE_RUN, false },
	{ "ACCELERATE_*", VARIABLE_RUN, false },
	{ "PORTSIDE_*", VARIABLE_RUN, false },
};

const struct environment_variable *environment_variable_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		if (text_glob(variables[i].name, name))
			return &variables[i];
	return NULL;
}

/* ---- records ---- */

static size_t name_length(struct span s)
{
	size_t n = 0;

	while (n < s.n && (isalnum((unsigned char)s.s[n]) || s.s[n] == '_'))
		n++;
	return n && !isdigit((unsigned char)s.s[0]) && n < s.n && s.s[n] == '=' ? n : 0;
}

/* "export NAME=VALUE" and "declare -x NAME=\"VALUE\"" too. */
static bool split(struct span *name, struct span *value, struct span record)
{
	bool declared = span_take(&record, "declare -x ");
	size_t n;

	if (!declared)
		declared = span_take(&record, "export ");
	n = name_length(record);
	*name = (struct span){ record.s, n };
	*value = span_from(record, n + 1);
	if (declared && value->n >= 2 && (value->s[0] == '"' || value->s[0] == '\'') &&
		value->s[value->n - 1] == value->s[0])
		*value = (struct span){ value->s + 1, value->n - 2 };
	return n > 0;
}

static bool is_records(const struct evidence_source *source)
{
	return source->n && memchr(source->bytes, '\0', source->n) != NULL;
}

/* The next record that is ended; false: there is none, and *CUT when a rest is left. */
static bool next_record(struct span *rest, struct span *record, bool *cut)
{
	const char *end = rest->n ? memchr(rest->s, '\0', rest->n) : NULL;

	*cut = rest->n > 0;
	if (!end)
		return false;
	*record = (struct span){ rest->s, (size_t)(end - rest->s) };
	*rest = span_from(*rest, record->n + 1);
	return true;
}

/* ---- facts ---- */

struct dump {
	struct evidence_facts *facts;	/* NULL: only counting */
	int64_t pairs, upper, known, others, withheld, lines;
};

static void take_known(struct dump *d, struct span name, struct span value, const char *text)
{
	if (redact_secret_name(text) || redact_finds(NULL, value.s, value.n, NULL)) {
		d->withheld++;
		return;
	}
	d->known++;
	if (d->facts)
		evidence_add(d->facts, (struct evidence_place){ d->lines, -1 }, FACT_VARIABLE, name,
			value);
}

static void take(struct dump *d, struct span record)
{
	struct span name, value;
	char *text;

	d->lines++;
	if (!split(&name, &value, record))
		return;
	text = xstrndup(name.s, name.n);
	d->pairs++;
	d->upper += isupper((unsigned char)text[0]) != 0;
	if (environment_variable_find(text)) {
		take_known(d, name, value, text);
	} else if (redact_secret_name(text)) {
		d->withheld++;
	} else {
		d->others++;
	}
	free(text);
}

static void read_records(struct dump *d, const struct evidence_source *source, bool *cut)
{
	struct span rest = { source->bytes, source->n }, record;

	while (next_record(&rest, &record, cut))
		take(d, record);
}

static void read_lines(struct dump *d, const struct evidence_source *source, bool *cut)
{
	struct evidence_lines lines;
	struct span line;

	evidence_lines_begin(&lines, source->bytes, source->n);
	while (evidence_lines_next(&lines, &line)) {
		d->lines = lines.number - 1;
		take(d, line);
	}
	*cut = lines.unended;
	evidence_lines_end(&lines);
}

static void read_all(struct dump *d, const struct evidence_source *source, bool *cut)
{
	if (is_records(source))
		read_records(d, source, cut);
	else
		read_lines(d, source, cut);
}

bool environment_dump_recognise(const struct evidence_source *source)
{
	struct evidence_source head = *source;
	struct dump d = { .facts = NULL };
	bool cut,
		named = evidence_source_named(source, "env", "") ||
		evidence_source_named(source, "", ".env") ||
		evidence_source_named(source, "", "environ");

	if (head.n > 1024 * 1024)
		return false;
	read_all(&d, &head, &cut);
	if (d.pairs * 5 < d.lines * 4 || d.upper * 5 < d.pairs * 4)
		return false;
	return (named && d.pairs > 0) || (d.pairs >= 3 && d.known > 0) || d.pairs >= 8;
}

void environment_dump_parse(struct evidence_facts *facts, const struct evidence_source *source)
{
	struct dump d = { .facts = facts };

	read_all(&d, source, &facts->health.truncated);
	facts->health.lines = d.lines;
	facts->health.read = d.pairs;
	evidence_add_total(facts, 0, FACT_VARIABLES_WITHHELD, SPAN_NONE, d.withheld);
	evidence_add_total(facts, 0, FACT_VARIABLES_OTHER, SPAN_NONE, d.others);
}
