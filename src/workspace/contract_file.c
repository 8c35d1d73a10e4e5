/* contract_file - see contract_file.h. */
#include "config.h"

#include "workspace/contract_file.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/blob.h"
#include "store/log.h"
#include "workspace/accept_file.h"
#include "workspace/accept_once.h"
#include "workspace/contract_judge.h"
#include "workspace/state.h"

/* ---- what was accepted ---- */

static int read_text_in_force(struct contract_file *out, struct workspace *ws, const char *digest)
{
	struct buf text = BUF_INIT;
	enum blob_state state;
	int rc = log_blob_hex(workspace_log(ws), digest, &state, &text);

	if (rc == 0 && state != BLOB_PRESENT)
		out->missing = state == BLOB_WITHHELD ? "withheld" : "not here";
	out->has_accepted = rc == 0 && state == BLOB_PRESENT;
	if (out->has_accepted) {
		out->in_force_text = arena_strndup(&out->arena, text.s, text.n);
		/* A later version may know fewer keys: what it could read rules. */
		if (contract_read(&out->in_force, text.s, text.n, contract_knows_type) < 0)
			err_clear();
	}
	buf_release(&text);
	return rc;
}

/* Lamport time of the first refuted answer about the contract; INT64_MAX: none. */
static int first_refuted(
	int64_t *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "check", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = INT64_MAX;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct check_state *s = rows[i];
		const struct check_item *item = check_find(s->check);

		if (!item || strcmp(item->level, CHECK_LEVEL_CONTRACT) != 0)
			continue;
		for (size_t k = 0; k < s->entries_n; k++)
			if (s->entries[k].result == CHECK_REFUTED && !s->entries[k].claim &&
				s->entries[k].entry.lamport < *out)
				*out = s->entries[k].entry.lamport;
	}
	return rc;
}

static void list_loosened(
	struct contract_file *out, const struct config_state *s, int64_t refuted_at)
{
	size_t n = 0;

	for (size_t i = 0; i < s->acceptances_n; i++)
		n += s->acceptances[i].loosened_n;
	out->loosened = arena_alloc(&out->arena, (n + 1) * sizeof *out->loosened);
	for (size_t i = 0; i < s->acceptances_n; i++) {
		const struct acceptance *acc = &s->acceptances[i];

		for (size_t k = 0; k < acc->loosened_n; k++)
			out->loosened[out->loosened_n++] = (struct contract_loosening){
				.key = text_sanitised(&out->arena, acc->loosened[k]),
				.who = acc->entry.who,
				.time = acc->entry.time,
				.after_failure =
					acc->after_failure || acc->entry.lamport > refuted_at,
			};
	}
}

static int read_in_force(
	struct contract_file *out, struct workspace *ws, const struct position *at)
{
	const struct acceptance *in_force = NULL, *first = NULL;
	const struct config_state *s;
	struct migration_state *m;
	int64_t refuted_at;
	void *state;
	int rc = state_migration(ws, at, &out->arena, &m);

	if (rc < 0 || (rc = first_refuted(&refuted_at, ws, at, &out->arena)) < 0)
		return rc;
	out->failed = m->counts.failures > 0 || refuted_at != INT64_MAX;
	if ((rc = state_get(ws, "config", "contract", at, &out->arena, &state)) <= 0)
		return rc;
	s = state;
	for (size_t i = 0; i < s->acceptances_n; i++) {
		if (*s->acceptances[i].entry.struck)
			continue;
		first = first ? first : &s->acceptances[i];
		in_force = &s->acceptances[i];
	}
	list_loosened(out, s, refuted_at);
	if (!in_force)
		return 0;
	out->late = *m->first_target_run.event &&
		first->entry.lamport > m->first_target_run.lamport;
	if (!digest_from_hex(&out->in_force_digest, in_force->digest))
		return err_set(
			ERR_DAMAGED, "the accepted contract has no digest; run portside verify");
	return read_text_in_force(out, ws, in_force->text_digest);
}

/* ---- the file ---- */

static int read_file(struct contract_file *out, struct workspace *ws)
{
	const char *conf = workspace_place(ws)->conf_path;
	struct buf text = BUF_INIT;
	int rc = ERR_NOT_FOUND;

	if (conf)
		rc = fs_read(&text,
			fs_join(&out->arena, fs_dirname(&out->arena, conf), CONTRACT_FILE),
			CONTRACT_BYTES_MAX);
	if (rc == ERR_NOT_FOUND) {
		err_clear();
		out->state = out->has_accepted ? ACCEPTED_GONE : ACCEPTED_NO_FILE;
		rc = 0;
	} else if (rc == 0) {
		out->has_file = true;
		out->file_digest = sha256_bytes(text.s, text.n);
		out->file_text = arena_strndup(&out->arena, text.s, text.n);
		out->state = !out->has_accepted ? ACCEPTED_NEVER
			: digest_equal(&out->file_digest, &out->in_force_digest)
			? ACCEPTED_CURRENT
			: ACCEPTED_CHANGED;
		if (contract_read(&out->file, text.s, text.n, contract_knows_type) < 0) {
			err_clear();
			out->state = ACCEPTED_INVALID;
		} else {
			out->differences = contract_differences(&out->arena,
				out->has_accepted ? &out->in_force : NULL, &out->file);
		}
	}
	buf_release(&text);
	return rc;
}

static const char *sentence_of(struct contract_file *f)
{
	struct arena *a = &f->arena;

	if (f->missing && f->state != ACCEPTED_INVALID)
		return arena_printf(a,
			"the text of the accepted contract is %s; accept "
			"contract.json again: portside contract accept",
			f->missing);
	switch (f->state) {
	case ACCEPTED_NO_FILE: return "no contract.json yet; portside-contract(5) describes it";
	case ACCEPTED_NEVER:
		return "contract.json is not accepted yet: portside contract accept";
	case ACCEPTED_CHANGED:
		return arena_printf(a,
			"contract.json has changed (%zu difference%s%s); the accepted "
			"version rules: portside contract accept",
			f->differences.n, f->differences.n == 1 ? "" : "s",
			f->differences.loosened ? ", loosened" : "");
	case ACCEPTED_INVALID:
		return arena_printf(a, "%s: %s%s", CONTRACT_FILE, f->file.errors[0],
			f->has_accepted ? " (the accepted version rules)" : "");
	case ACCEPTED_GONE:
		return "contract.json is gone; the accepted version rules";
	case ACCEPTED_CURRENT:
		break;
	}
	return "";
}

static int read_all(struct contract_file *out, struct workspace *ws, const struct position *at)
{
	int rc = read_in_force(out, ws, at);

	if (rc < 0)
		return rc;
	out->state = out->has_accepted ? ACCEPTED_CURRENT : ACCEPTED_NO_FILE;
	if (!at && (rc = read_file(out, ws)) < 0)
		return rc;
	out->sentence = sentence_of(out);
	return 0;
}

int contract_file_read(
	struct contract_file *out, struct workspace *ws, const struct position *at)
{
	int rc;

	*out = (struct contract_file){ .arena = ARENA_INIT, .in_force_text = "", .file_text = "",
		.sentence = "" };
	if ((rc = read_all(out, ws, at)) < 0)
		contract_file_release(out);
	return rc;
}

void contract_file_release(struct contract_file *f)
{
	contract_release(&f->in_force);
	contract_release(&f->file);
	arena_release(&f->arena);
	*f = (struct contract_file){ .arena = ARENA_INIT };
}

/* ---- accepting ---- */

static const struct accept_file contract_json = {
	.name = CONTRACT_FILE,
	.command = "portside contract show",
	.secrets = "the text is kept for ever and travels",
};

static int check_file(const struct contract_file *f)
{
	if (!f->has_file)
		return err_set(ERR_NOT_FOUND,
			"there is no contract.json to accept; portside-contract(5) describes it");
	if (f->state == ACCEPTED_INVALID)
		return err_set(ERR_PARSE, "%s", f->sentence);
	if (f->state == ACCEPTED_CURRENT && !f->missing)
		return err_set(ERR_STATE, "contract.json is accepted already; nothing to do");
	return 0;
}

static int record(struct workspace *ws, const struct contract_file *f,
	const struct accept_offer *offer, struct accept_once *once, const char *reason,
	struct arena *a)
{
	const char *first = f->has_accepted ? ""
		: arena_printf(a, "first acceptance: %zu cases\n", f->file.cases_n);
	struct record r = { .kind = "contract.accepted", .object = "contract",
		.data = accept_file_data(offer, first, reason, a) };

	return workspace_record_if(ws, accept_once_check, once, &r, 1, a, NULL);
}

int contract_accept(struct workspace *ws, const char *reason, const char *seen, struct arena *a)
{
	struct contract_file f;
	struct accept_offer offer;
	struct accept_once once = { .kind = "contract.accepted",
		.command = contract_json.command };
	int rc = authority_check(workspace_actor(ws), AUTHORITY_ACCEPT);

	if (rc < 0 || (rc = accept_once_begin(&once, workspace_log(ws))) < 0 ||
		(rc = contract_file_read(&f, ws, NULL)) < 0)
		return rc;
	offer = (struct accept_offer){ .text = f.file_text, .digest = &f.file_digest,
		.differences = &f.differences, .after_failure = f.failed };
	if ((rc = check_file(&f)) == 0 &&
		(rc = accept_file_check(&contract_json, &offer, reason, seen)) == 0)
		rc = record(ws, &f, &offer, &once, reason, a);
	contract_file_release(&f);
	return rc;
}
