/* tensors - arrays of two sides beside each other, number by number. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/tensors_table.h"
#include "evidence/tensor_pairs.h"

/* The sides, and what they are asked. */
struct request {
	struct tensor_set *reference, *attempt, *third;
	struct tensor_map *maps;
	size_t n_maps;
	struct tensor_options options;
};

static void request_release(struct request *r)
{
	tensor_set_free(r->reference);
	tensor_set_free(r->attempt);
	tensor_set_free(r->third);
}

static int read_maps(struct request *r, struct call *c)
{
	const char *text;
	int rc = 0;

	while (call_text_at(c, "--map", r->n_maps))
		r->n_maps++;
	r->maps = arena_alloc(c->arena, (r->n_maps + 1) * sizeof *r->maps);
	for (size_t i = 0; rc == 0 && (text = call_text_at(c, "--map", i)) != NULL; i++)
		rc = tensor_map_parse(&r->maps[i], c->arena, text);
	return rc;
}

static int read_options(struct request *r, struct call *c)
{
	int64_t ulp = call_integer(c, "--ulp", 1);
	struct tensor_options *o = &r->options;

	*o = (struct tensor_options){
		.has_atol = call_text(c, "--atol") != NULL,
		.has_rtol = call_text(c, "--rtol") != NULL,
		.atol = call_number(c, "--atol", 0),
		.rtol = call_number(c, "--rtol", 0),
		.ulp = ulp < 0 ? 0 : (uint64_t)ulp,
		.cancel = c->progress.cancel,
	};
	if (!isfinite(o->atol) || o->atol < 0 || !isfinite(o->rtol) || o->rtol < 0 || ulp < 0)
		return err_set(ERR_USAGE,
			"--atol, --rtol and --ulp take a finite number, 0 or more");
	return read_maps(r, c);
}

/* A file agrees with itself, which says nothing of two programs. */
static void note_one_file(struct request *r)
{
	struct stat reference, attempt;

	if (stat(r->reference->path, &reference) < 0 || stat(r->attempt->path, &attempt) < 0)
		return;
	if (reference.st_dev == attempt.st_dev && reference.st_ino == attempt.st_ino)
		tensor_set_note(r->attempt, "both sides are one file: %s agrees with itself",
			r->attempt->path);
}

static int open_sides(struct request *r, struct call *c)
{
	const char *third = call_text(c, "--third");
	int rc = tensor_set_open(&r->reference, call_text(c, "reference"));

	if (rc == 0)
		rc = tensor_set_open(&r->attempt, call_text(c, "attempt"));
	if (rc == 0 && third)
		rc = tensor_set_open(&r->third, third);
	if (rc == 0)
		note_one_file(r);
	return rc;
}

static int compare_pairs(struct tensor_pairs *p, const struct request *r, const struct call *c)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->n; i++) {
		struct tensor_pair *row = &p->rows[i];

		call_report(c, "comparing tensors", (int64_t)i, (int64_t)p->n);
		rc = tensor_compare(
			&row->result, row->reference, row->attempt, row->third, &r->options);
	}
	if (rc == 0)
		tensor_pairs_conclude(p);
	return rc;
}

static int tensors_run(struct call *c)
{
	struct request r = { 0 };
	struct tensor_pairs *p = NULL;
	int rc = read_options(&r, c);

	if (rc == 0)
		rc = open_sides(&r, c);
	if (rc == 0)
		rc = tensor_pairs_new(&p, r.reference, r.attempt, r.third, r.maps, r.n_maps);
	if (rc == 0 && (rc = compare_pairs(p, &r, c)) == 0) {
		struct tensors_view view = {
			.reference = r.reference,
			.attempt = r.attempt,
			.third = r.third,
			.pairs = p,
			.maps = r.maps,
			.n_maps = r.n_maps,
			.all = call_flag(c, "--all") || c->wants_json || c->wants_csv,
		};

		c->table = tensors_table(c->arena, &view);
		c->no = p->verdict != TENSOR_CONFIRMED;
	}
	tensor_pairs_free(p);
	request_release(&r);
	return rc;
}

static const struct argument tensors_arguments[] = {
	{ "reference", ARGUMENT_PATH, "a file of tensors, or a folder of them", true, false, NULL,
		NULL },
	{ "attempt", ARGUMENT_PATH, "the same of the attempt", true, false, NULL, NULL },
	{ "--third", ARGUMENT_PATH, "the same in higher precision", false, false, NULL, NULL },
	{ "--atol", ARGUMENT_NUMBER, "accepted distance", false, false, NULL, "by type" },
	{ "--rtol", ARGUMENT_NUMBER, "accepted share of the reference", false, false, NULL,
		"by type" },
	{ "--ulp", ARGUMENT_INTEGER, "steps of the coarser type that always pass", false, false,
		NULL, "1" },
	{ "--map", ARGUMENT_TEXT, "OLD=NEW: the start of names in the reference", false, true,
		NULL, NULL },
	{ "--all", ARGUMENT_FLAG, "also the tensors that are inside", false, false, NULL, NULL },
	{ 0 },
};
const struct operation tensors_operations[] = {
	{ "tensors", NULL, 0, "two files of tensors beside each other",
		OPERATION_CLI | OPERATION_LONG | OPERATION_NO_WORKSPACE, tensors_arguments,
		tensors_run, 0 },
	{ 0 },
};
