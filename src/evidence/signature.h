/*
 * signature - texts in logs that tell why a run failed: the catalogue, as data.
 *
 * Rows come from tables below data/signatures and from the user's own folder.  A
 * table is UTF-8 text: lines that begin with # are comments, the first other line
 * names the columns, cells are parted by tabs and not quoted.  Columns, in any order:
 *
 *	id		"C4-08"; once in the catalogue; must be given
 *	cause		C0 to C6, or - for noise and wrappers; must be given
 *	kind		R raises, W warns, S silent, N noise or wrapper, V version in a
 *			requirements file; R when the column is missing
 *	stack		where the text comes from: PX PyTorch/XLA, TT TorchTPU, HF Hugging
 *			Face, JX JAX or libtpu, NV NVIDIA, PY anything
 *	side		tpu, gpu, any, text (by what it names), files; any when missing
 *	rule		how a match counts, see below; hit when missing
 *	pattern		PCRE2 over bytes, ^ and $ at ends of lines; must be given
 *	example		a text that matches; the two characters \n stand for a newline
 *	note		what it means, for a person
 *	source		where the text was seen
 *
 * A row that is wrong costs itself alone: it is left out, and one sentence with file,
 * line and cure is in PROBLEMS.  Every pattern must hold a word that each match
 * contains (evidence/signature_word.h), since logs are searched for words first.
 * A match has limits of steps and depth, so no pattern can hang the program.
 *
 *	struct signature_catalogue *c = signature_catalogue_new();
 *
 *	if ((rc = signature_catalogue_add_folder(c, path)) < 0)
 *		...
 *	signature_catalogue_free(c);
 *
 * A catalogue is read-only once it is filled and may be shared by threads; what a
 * match needs is in a struct signature_matcher, one a thread.
 */
#ifndef PORTSIDE_EVIDENCE_SIGNATURE_H
#define PORTSIDE_EVIDENCE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "evidence/signature_word.h"

struct pcre2_real_code_8;

enum signature_kind {
	SIGNATURE_RAISES, SIGNATURE_WARNS, SIGNATURE_SILENT, SIGNATURE_NOISE, SIGNATURE_VERSION,
};

enum signature_side {
	SIDE_ANY, SIDE_TPU, SIDE_GPU, SIDE_BY_TEXT, SIDE_FILES,
};

/* How a match counts; parameters stand behind the word in the table. */
enum signature_rule {
	RULE_HIT,		/* one match decides */
	RULE_SILENT,		/* one match decides although the run goes on */
	RULE_WHOLE_RUN,		/* likewise: the whole run was on a wrong device */
	RULE_FLAG,		/* a note, never a verdict */
	RULE_GPU,		/* a failure of the GPU run */
	RULE_STATIC,		/* for files, not for logs */
	RULE_INNER,		/* wrapper: what it wraps decides */
	RULE_DROP,		/* noise: taken out before the first error is looked for */
	/* From here to RULE_SIZE numbers decide. */
	RULE_COUNTS,		/* LIMIT [STEPS]: group 1 / group 2 above LIMIT, from STEPS on */
	RULE_LATE,		/* LIMIT: any after warm-up, or more than LIMIT a step */
	RULE_BLOCKS,		/* LIMIT: at least LIMIT a step */
	RULE_VALUE,		/* LIMIT: group 1 / steps at least LIMIT */
	RULE_GROW,		/* [LIMIT]: group 1 rises after warm-up, or / steps above LIMIT */
	RULE_REPEATS,		/* N [ID SECONDS]: more than N with one group 1; ID longer */
	RULE_BEYOND,		/* WORDS [else CAUSE]: group 1 lists anything but WORDS */
	RULE_SIZE,		/* SHARE: group 1 GB above SHARE of the chip's memory */
	RULE_DEVICE_MEMORY,	/* the device's memory: batches are compared */
	RULE_KILLED,		/* a killed process: the memory of the host is looked at */
	RULE_CHILD,		/* wrapper, but a killed process when group 1 is -9 */
	RULE_REFERENCE,		/* inherited when the reference shows the same */
	RULE_DEVICE_NAMED,	/* the side is gpu when cuda: is named */
	RULE_TPU_RUN,		/* a failure of TPU runs; on others no cause */
	RULE_PARITY,		/* result of a test of parity, not a crash */
	RULE_CRASH,		/* a crash whose text names no cause */
	RULES_N,
};

enum { SIGNATURE_WORDS_MAX = 12, SIGNATURE_GROUPS = 3 };

struct signature {
	const char *id, *cause, *stack;		/* CAUSE "-" for noise */
	enum signature_kind kind;
	enum signature_side side;
	enum signature_rule rule;
	double limit, minimum;			/* parameters of RULE; 0: none */
	const char *other;			/* another id, or another cause; NULL: none */
	const char *words[SIGNATURE_WORDS_MAX];	/* of RULE_BEYOND */
	size_t words_n;
	const char *rule_text;			/* as written */
	const char *pattern, *example, *note, *source;	/* "" where there is none */
	const char *file;			/* where the row stands */
	int line;
	bool anchored;				/* ^ or $: never matched across a wrapped line */
	bool two_lines;				/* \R: sees a line and the next one */
	struct signature_words needs;		/* each match contains one of them */
	struct pcre2_real_code_8 *code;
};

struct signature_catalogue;

struct signature_catalogue *signature_catalogue_new(void);
void signature_catalogue_free(struct signature_catalogue *c);

/* Adds the rows of TEXT, which FILE names in problems.  ERR_PARSE when no row can be
 * read at all, since the line of columns is wrong. */
int signature_catalogue_add(
	struct signature_catalogue *c, const char *file, const char *text, size_t n) ATTR_MUST_USE;

/* Adds every *.tsv of a folder, by name.  ERR_NOT_FOUND when there is no folder; a file
 * that cannot be read is a problem, and costs itself alone. */
int signature_catalogue_add_folder(struct signature_catalogue *c, const char *path) ATTR_MUST_USE;

/* One that stands in a section of a configuration file; "" is a missing column. */
struct signature_section {
	const char *id, *cause, *kind, *side, *rule, *pattern, *note;
	int line;
};
/* A wrong one is a problem that names FILE, line and key: "F:3: signature.X.rule: ...". */
void signature_catalogue_add_section(
	struct signature_catalogue *c, const char *file, const struct signature_section *s);

const struct signature *signature_at(const struct signature_catalogue *c, size_t i);
size_t signature_catalogue_n(const struct signature_catalogue *c);
/* Its index; -1 when there is none. */
int signature_find(const struct signature_catalogue *c, const char *id);

/* Sentences about rows that were left out; borrowed. */
const char *const *signature_problems(const struct signature_catalogue *c, size_t *n);

/* "R", "raises"... */
const char *signature_kind_letter(enum signature_kind k);
const char *signature_kind_name(enum signature_kind k);
const char *signature_rule_name(enum signature_rule r);

/* ---- one pattern on one text ---------------------------------------------------- */

struct signature_matcher;

struct signature_span { size_t from, to; };	/* bytes; FROM above TO: the group is unset */

struct signature_match {
	struct signature_span whole, groups[SIGNATURE_GROUPS];
	size_t groups_n;
};

enum { SIGNATURE_NOT_BEGIN = 1, SIGNATURE_NOT_END = 2 };

struct signature_matcher *signature_matcher_new(void);
void signature_matcher_free(struct signature_matcher *m);

/* 1 a match, 0 none, -1 the pattern reached its limits on this text.  FLAGS: the text
 * does not begin or end where a line does. */
int signature_match(struct signature_match *out, struct signature_matcher *m,
	const struct signature *s, const char *text, size_t n, unsigned flags);

#endif
