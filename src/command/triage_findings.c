/* triage_findings - see triage_findings.h. */
#include "config.h"

#include "command/triage_findings.h"

#include <stdlib.h>
#include <string.h>

/* ---- words --------------------------------------------------------------------------- */

static const struct { char sign; const char *word, *help; } readings[FINDING_READINGS] = {
	[FINDING_DECIDES] = { '!', "decides", "the cause is proposed because of it" },
	[FINDING_SECONDARY] = { '+', "secondary", "an error, but not the first one" },
	[FINDING_NOTED] = { '.', "noted", "worth knowing; it decides nothing" },
	[FINDING_LOOK_ALIKE] = { '?', "look-alike",
		"reads like an error, and is none here" },
	[FINDING_WRAPPER] = { '>', "wrapper", "wraps another error, which tells the cause" },
	[FINDING_NOISE] = { '~', "noise", "follows from another failure" },
	[FINDING_COUNTED] = { '=', "counted", "a number of a report; it came to nothing" },
};

static const char *const rules[TRIAGE_RULES + 1] = {
	"", "1 target and end", "2 first error", "3 wrappers", "4 noise", "5 chains", "6 ranks",
	"7 side", "8 device memory", "9 killed child", "10 steps", "11 swallowed",
	"12 several silent", "13 NaN", "14 claims", "15 nothing known",
};

const char *finding_reading_word(enum finding_reading r)
{
	return readings[r].word;
}

const char *finding_reading_help(enum finding_reading r)
{
	return readings[r].help;
}

char finding_reading_sign(enum finding_reading r)
{
	return readings[r].sign;
}

const char *triage_rule_name(int rule)
{
	return rule >= 1 && rule <= TRIAGE_RULES ? rules[rule] : "";
}

/* ---- a copy -------------------------------------------------------------------------- */

static enum finding_reading reading_of(enum triage_role role, const struct signature *s)
{
	switch (role) {
	case TRIAGE_DECIDES:
		return FINDING_DECIDES;
	case TRIAGE_SECONDARY:
		return FINDING_SECONDARY;
	case TRIAGE_DROPPED:
		return FINDING_NOISE;
	case TRIAGE_WRAPPER:
		return FINDING_WRAPPER;
	case TRIAGE_COUNTED:
		return FINDING_COUNTED;
	case TRIAGE_NOTED:
		break;
	}
	return s->kind == SIGNATURE_RAISES && s->rule != RULE_FLAG ? FINDING_LOOK_ALIKE :
								     FINDING_NOTED;
}

static const char *side_of(const struct signature *s, const struct triage_verdict *v,
	enum triage_role role)
{
	if (role == TRIAGE_DECIDES && v->side)
		return triage_side_name(v->side);
	if (s->rule == RULE_KILLED || s->rule == RULE_CHILD)
		return "host";
	return s->side == SIDE_TPU ? "tpu" : s->side == SIDE_GPU ? "gpu" : "";
}

static void copy_finding(struct triage_findings *f, const struct triage_result *r, size_t i)
{
	const struct log_hit *h = &r->findings->hits[i];
	const struct signature *s = signature_at(r->catalogue, h->signature);
	enum triage_role role = r->verdict.roles[i];
	struct arena *a = &f->arena;

	f->list[i] = (struct finding){
		.line = h->line,
		.place = (int64_t)h->place,
		.reading = reading_of(role, s),
		.id = arena_strdup(a, s->id),
		.cause = arena_strdup(a, s->cause),
		.kind = signature_kind_name(s->kind),
		.side = side_of(s, &r->verdict, role),
		.text = arena_strdup(a, r->texts[i] + strspn(r->texts[i], " \t")),
		.note = arena_strdup(a, s->note),
		.source = arena_strdup(a, s->source),
		.rank = h->rank,
		.step = h->step,
	};
}

static const char **copy_texts(struct arena *a, const char *const *list, size_t n)
{
	const char **out = arena_alloc(a, (n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = arena_strdup(a, list[i]);
	return out;
}

static void copy_verdict(struct triage_findings *f, const struct triage_verdict *from, size_t hits)
{
	struct triage_verdict *v = &f->verdict;
	struct arena *a = &f->arena;

	*v = *from;
	v->roles = arena_memdup(a, from->roles, (hits + 1) * sizeof *v->roles);
	v->ids = copy_texts(a, from->ids, from->ids_n);
	v->secondary = copy_texts(a, from->secondary, from->secondary_n);
	v->reason = arena_strdup(a, from->reason);
	v->confirm = arena_strdup(a, from->confirm);
	for (size_t i = 0; i < from->notes_n; i++)
		v->notes[i] = arena_strdup(a, from->notes[i]);
}

static const char *rules_text(unsigned had_say, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (int i = 1; i <= TRIAGE_RULES; i++)
		if (had_say & 1U << i)
			buf_addf(&b, "%s%s", b.n ? ", " : "", rules[i]);
	text = arena_strdup(a, b.n ? b.s : "");
	buf_release(&b);
	return text;
}

struct triage_findings *triage_findings_new(
	const struct triage_result *r, int64_t bytes, int64_t size, bool complete)
{
	struct triage_findings *f = xcalloc(1, sizeof *f);
	const char *const *problems = signature_problems(r->catalogue, &f->problems_n);

	f->bytes = bytes;
	f->size = size;
	f->complete = complete;
	f->lines = r->findings->lines;
	f->n = r->findings->hits_n;
	f->more = r->findings->hits_more;
	f->list = arena_alloc(&f->arena, (f->n + 1) * sizeof *f->list);
	for (size_t i = 0; i < f->n; i++)
		copy_finding(f, r, i);
	copy_verdict(f, &r->verdict, f->n);
	f->text = triage_verdict_text(&f->verdict, &f->arena);
	f->end = arena_strdup(&f->arena, r->end);
	f->rules = rules_text(f->verdict.rules, &f->arena);
	f->problems = copy_texts(&f->arena, problems, f->problems_n);
	return f;
}

void triage_findings_free(struct triage_findings *f)
{
	if (!f)
		return;
	arena_release(&f->arena);
	free(f);
}

long triage_findings_first(const struct triage_findings *f)
{
	long other = -1;

	for (size_t i = 0; i < f->n; i++) {
		if (f->list[i].reading == FINDING_DECIDES)
			return (long)i;
		if (other < 0 && f->list[i].reading == FINDING_SECONDARY)
			other = (long)i;
	}
	return other;
}

/* ---- between two threads -------------------------------------------------------------- */

struct triage_mailbox {
	atomic_int owners;
	_Atomic(struct triage_findings *) newest;
};

struct triage_mailbox *triage_mailbox_new(void)
{
	struct triage_mailbox *b = xcalloc(1, sizeof *b);

	atomic_init(&b->owners, 1);
	atomic_init(&b->newest, NULL);
	return b;
}

struct triage_mailbox *triage_mailbox_share(struct triage_mailbox *b)
{
	atomic_fetch_add(&b->owners, 1);
	return b;
}

void triage_mailbox_release(struct triage_mailbox *b)
{
	if (!b || atomic_fetch_sub(&b->owners, 1) > 1)
		return;
	triage_findings_free(atomic_load(&b->newest));
	free(b);
}

void triage_mailbox_put(void *user, const struct triage_result *r, int64_t bytes, int64_t size)
{
	struct triage_mailbox *b = user;

	triage_findings_free(
		atomic_exchange(&b->newest, triage_findings_new(r, bytes, size, false)));
}

struct triage_findings *triage_mailbox_take(struct triage_mailbox *b)
{
	return b ? atomic_exchange(&b->newest, NULL) : NULL;
}
