/* probe_check_backend - did a run have the intended backend and topology?  See
 * probe_check.h. */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "evidence/probe_check.h"

/* The names that people and libraries have for one backend; its first is ours. */
static const char *const backend_names[][5] = {
	{ "torch_xla", "xla", "torch-xla", "pytorch/xla", "pytorch-xla" },
	{ "torchtpu", "tpu", "torch_tpu", "torch-tpu" },
};

/* As it is compared; *KNOWN: it is one of a library for accelerators. */
static const char *backend_named(const char *name, bool *known)
{
	for (size_t i = 0; i < ARRAY_LEN(backend_names); i++)
		for (size_t k = 0; k < ARRAY_LEN(backend_names[i]) && backend_names[i][k]; k++)
			if (strcasecmp(backend_names[i][k], name) == 0) {
				*known = true;
				return backend_names[i][0];
			}
	*known = false;
	return name;
}

static enum check_result check_backend(const char **why, const struct probe_record *r,
	const char *intended, struct arena *a)
{
	const char *other = NULL, *name;
	bool known;

	intended = backend_named(intended, &known);
	for (const struct probe_line *l = NULL; r && (l = probe_record_next(r, l, "world")); ) {
		bool of_library;

		name = backend_named(json_str(l->json, "backend", ""), &of_library);
		if (!*name || json_get(l->json, "not_available"))
			continue;
		if (strcasecmp(name, intended) == 0)
			return CHECK_CONFIRMED;
		if (of_library && known)
			other = name;
	}
	*why = other ? arena_printf(a, "it ran with the backend %s, and %.40s is intended", other,
			intended)
		     : arena_printf(a, "the backend %.40s is intended, and which one it had is not on record",
			intended);
	return other ? CHECK_REFUTED : CHECK_UNKNOWN;
}

/* What the machine told the program of its topology; "": nothing. */
static const char *topology_of(const struct probe_record *r)
{
	const struct probe_line *process = r ? probe_record_next(r, NULL, "process") : NULL;

	return process ? json_str(json_get(process->json, "environment"), "TPU_TOPOLOGY", "") : "";
}

static enum check_result check_topology(const char **why, const struct probe_record *r,
	const struct probe_intent *intent, struct arena *a)
{
	const char *told = topology_of(r), *intended = intent->topology;

	/* One chip has no other. */
	if (!*told && intent->processes == 1 && strspn(intended, "1x") == strlen(intended))
		return CHECK_CONFIRMED;
	if (!*told) {
		*why = arena_printf(a,
			"the topology %.40s is intended, and which one it had is not on record", intended);
		return CHECK_UNKNOWN;
	}
	if (strcmp(told, intended) == 0)
		return CHECK_CONFIRMED;
	*why = arena_printf(a, "the topology was %.40s, and %.40s is intended", told, intended);
	return CHECK_REFUTED;
}

enum check_result probe_check_backend(const char **why, const struct probe_record *attempt,
	const struct probe_intent *intent, struct arena *a)
{
	enum check_result backend = CHECK_NOT_APPLICABLE, topology = CHECK_NOT_APPLICABLE;
	const char *of_topology = "";

	*why = "";
	if (intent->backend && *intent->backend)
		backend = check_backend(why, attempt, intent->backend, a);
	if (backend != CHECK_REFUTED && intent->topology && *intent->topology)
		topology = check_topology(&of_topology, attempt, intent, a);
	if (backend == CHECK_REFUTED)
		return backend;
	if (topology == CHECK_REFUTED) {
		*why = of_topology;
		return topology;
	}
	if (backend == CHECK_UNKNOWN)
		return backend;
	*why = of_topology;
	return topology == CHECK_NOT_APPLICABLE ? backend : topology;
}
