/* evidence_format - the table of formats and the choice among them; see evidence_format.h. */
#include "config.h"

#include "evidence/evidence_format.h"

#include <string.h>
#include <strings.h>

#include "evidence/environment_dump.h"
#include "evidence/nvidia_smi.h"
#include "evidence/packages.h"
#include "evidence/settings_file.h"
#include "evidence/torchtpu.h"
#include "evidence/tpu_info.h"
#include "evidence/xla_debug.h"
#include "evidence/xla_metrics.h"

const struct evidence_format evidence_formats[] = {
	{ "xla-metrics", "torch_xla metrics report", XLA_METRICS_VERSION, true,
		xla_metrics_recognise, xla_metrics_parse },
	{ "xla-debug", "torch_xla analysis blocks", XLA_DEBUG_VERSION, true, xla_debug_recognise,
		xla_debug_parse },
	{ "xla-profiler", "torch_xla profiler lines", XLA_PROFILER_VERSION, true,
		xla_profiler_recognise, xla_profiler_parse },
	{ "xla-log", "torch_xla and Dynamo messages", XLA_LOG_VERSION, true, xla_log_recognise,
		xla_log_parse },
	{ "torchtpu", "TorchTPU messages", TORCHTPU_VERSION, true, torchtpu_recognise,
		torchtpu_parse },
	{ "tpu-info", "tpu-info tables", TPU_INFO_PARSER_VERSION, true, tpu_info_recognise,
		tpu_info_parse },
	{ "nvidia-smi", "nvidia-smi values", NVIDIA_SMI_VERSION, false, nvidia_smi_recognise,
		nvidia_smi_parse },
	{ "packages", "list of packages", PACKAGES_VERSION, false, packages_recognise,
		packages_parse },
	{ "settings-printed", "printed TrainingArguments", SETTINGS_PRINTED_VERSION, true,
		settings_printed_recognise, settings_printed_parse },
	{ "settings-json", "settings in JSON", SETTINGS_JSON_VERSION, false,
		settings_json_recognise, settings_json_parse },
	{ "settings-yaml", "settings in YAML", SETTINGS_YAML_VERSION, false,
		settings_yaml_recognise, settings_yaml_parse },
	{ "environment", "environment variables", ENVIRONMENT_DUMP_VERSION, false,
		environment_dump_recognise, environment_dump_parse },
};
const size_t evidence_formats_n = ARRAY_LEN(evidence_formats);

const struct evidence_format *evidence_format_recognise(
	const struct evidence_source *source, const struct evidence_format *after)
{
	for (size_t i = after ? (size_t)(after - evidence_formats) + 1 : 0; i < evidence_formats_n;
		i++)
		if (source->n && evidence_formats[i].recognise(source))
			return &evidence_formats[i];
	return NULL;
}

const struct evidence_format *evidence_format_find(const char *name)
{
	for (size_t i = 0; i < evidence_formats_n; i++)
		if (strcmp(evidence_formats[i].name, name) == 0)
			return &evidence_formats[i];
	return NULL;
}

void evidence_format_parse(struct evidence_facts *out, const struct evidence_format *format,
	const struct evidence_source *source)
{
	out->parser = format->name;
	out->version = format->version;
	format->parse(out, source);
}

/* ---- for recognisers ---- */

bool evidence_source_has(const struct evidence_source *source, const char *text)
{
	return source->n && memmem(source->bytes, source->n, text, strlen(text)) != NULL;
}

bool evidence_source_has_line(const struct evidence_source *source, const char *start)
{
	const char *p = source->bytes, *end = p + source->n;
	size_t n = strlen(start);

	while (p < end) {
		const char *at = memmem(p, (size_t)(end - p), start, n);

		if (!at)
			return false;
		/* A rank's mark, or an escape sequence, may stand in front. */
		if (at == source->bytes || strchr("\n\r mK", at[-1]))
			return true;
		p = at + 1;
	}
	return false;
}

bool evidence_source_named(const struct evidence_source *source, const char *start, const char *end)
{
	const char *name = source->name ? source->name : "";
	size_t n = strlen(name), start_n = strlen(start), end_n = strlen(end);

	return n >= start_n && n >= end_n && strncasecmp(name, start, start_n) == 0 &&
		strcasecmp(name + n - end_n, end) == 0;
}
