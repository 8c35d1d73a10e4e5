/* run_parameters - see run_parameters.h. */
#include "config.h"

#include "workspace/run_parameters.h"

#include "base/text.h"
#include "domain/fold.h"
#include "evidence/tensor_type.h"
#include "workspace/run_checks_private.h"
#include "workspace/state.h"

/* More than any model has: a damaged line is not taken for one. */
#define PARAMETERS_MAX (INT64_MAX / 64)

static void take_type(struct run_parameters *out, const struct json *types, struct arena *a)
{
	const struct json *list = types && types->type == JSON_OBJECT ? types->first : NULL;

	out->parameter_bytes = 1;
	out->type = "";
	for (const struct json *j = list; j; j = j->next) {
		enum tensor_type t = tensor_type_of_torch(j->key ? j->key : "");
		int64_t size = t == TENSOR_UNKNOWN ? 1 : tensor_type_facts(t)->size_bytes;

		if (j == list || size < out->parameter_bytes) {
			out->parameter_bytes = size > 0 ? size : 1;
			out->type = text_sanitised(a, j->key ? j->key : "");
		}
	}
}

static void take_record(struct run_parameters *out, const struct run_state *run,
	const struct probe_record *r, struct arena *a)
{
	for (const struct probe_line *l = NULL; (l = probe_record_next(r, l, "forward")); ) {
		int64_t n = json_i64(l->json, "elements", 0);

		if (n <= out->parameters || n > PARAMETERS_MAX)
			continue;
		out->run = run->id;
		out->parameters = n;
		out->model = text_sanitised(a, json_str(l->json, "model", "a model"));
		take_type(out, json_get(l->json, "dtypes"), a);
	}
}

int run_parameters_read(struct run_parameters *out, struct workspace *ws, const char *subject,
	const struct position *at, struct arena *a)
{
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, ws, subject, at, a);

	*out = (struct run_parameters){ .model = "", .type = "" };
	for (size_t i = n; rc == 0 && i-- > 0 && !out->run; ) {
		struct checks_side side;

		if (*runs[i]->prepared.struck)
			continue;
		rc = checks_side_read(&side, ws, runs[i], "", NULL, NULL, a);
		if (rc == 0 && side.probe)
			take_record(out, runs[i], side.probe, a);
		checks_side_release(&side);
	}
	return rc;
}
