/*
 * operation - the one table of what can be done, by whatever front end.
 *
 * Keys, help, palette, footer, command line, manual pages and completion are
 * all derived from these rows; a fact is written once.  An operation is
 * either done by a command (RUN, works everywhere, returns a typed table) or by
 * the screen alone (SCREEN, moving a cursor, opening a view).  Some are both:
 * the screen asks for what is missing in a dialog and then calls RUN.
 *
 * Rows stand in one const array per file (command/attempt.c, command/run.c, ...,
 * command/screen_operation.c); command/operations.c lists the arrays.
 *
 *	const struct operation *o = operation_find("attempt list");
 *	struct call call = { .workspace = ws, ... };
 *
 *	if (operation_call(o, &call) < 0)
 *		return -1;
 *	report_table_text(call.table, &out, &style);
 */
#ifndef PORTSIDE_COMMAND_OPERATION_H
#define PORTSIDE_COMMAND_OPERATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/table.h"

struct workspace;
struct position;
struct call;

/* Where a key is in force; a view adds its own bit to CONTEXT_ANY. */
enum {
	CONTEXT_ANY = 1,
	CONTEXT_LIST = 1 << 1,		/* any view with a list that has the focus */
	CONTEXT_ATTEMPTS = 1 << 2,
	CONTEXT_DIFF = 1 << 3,
	CONTEXT_RUNS = 1 << 4,
	CONTEXT_CURVES = 1 << 5,
	CONTEXT_CHECKS = 1 << 6,
	CONTEXT_TRIAGE = 1 << 7,
	CONTEXT_JOURNAL = 1 << 8,
	CONTEXT_STUDY = 1 << 10,
	CONTEXT_LOG = 1 << 11,		/* the log of a run */
};

enum {
	OPERATION_CLI = 1,		/* on the command line */
	OPERATION_SCREEN = 2,		/* on the screen: keys, palette, help */
	OPERATION_WRITES = 4,		/* refused with --read-only and while in the past */
	OPERATION_PERSON = 8,		/* needs a person at a terminal; see domain/authority.h */
	OPERATION_LONG = 16,		/* shows progress, can be cancelled */
	OPERATION_NO_WORKSPACE = 32,	/* works without an opened migration */
	OPERATION_INTERNAL = 128,	/* not in help or completion */
	OPERATION_DIALOG = 256,		/* the screen asks for its arguments in a form */
	OPERATION_SPOOLS = 512,		/* an agent's call goes to the spool, see open.h */
};

enum argument_type {
	ARGUMENT_TEXT,
	ARGUMENT_INTEGER,
	ARGUMENT_NUMBER,
	ARGUMENT_FLAG,		/* --name, no value */
	ARGUMENT_WORD,		/* one of CHOICES, blanks separate */
	ARGUMENT_ATTEMPT,	/* 7, torchtpu/3, reference */
	ARGUMENT_REVISION,	/* 7, 3-prev, original, git's syntax */
	ARGUMENT_RUN,		/* a run id or an unambiguous prefix */
	ARGUMENT_TARGET,
	ARGUMENT_GOAL,
	ARGUMENT_RULE,
	ARGUMENT_EVENT,		/* an event id prefix or a place: 141 */
	ARGUMENT_PATH,
	ARGUMENT_REST,		/* everything behind --, as words */
};

struct argument {
	const char *name;	/* "attempt": positional; "--minutes": an option */
	enum argument_type type;
	const char *help;	/* at most 60 columns */
	bool required;
	bool repeats;
	const char *choices;	/* of ARGUMENT_WORD */
	const char *otherwise;	/* default, for help; NULL: none */
};

struct operation {
	const char *name;	/* "attempt list": the words of the command line */
	const char *keys;	/* "j Down C-n" by default, see keymap.h; NULL: no key */
	unsigned contexts;	/* of the keys */
	const char *help;	/* at most 60 columns, no full stop */
	unsigned flags;
	const struct argument *arguments;	/* ends with a NULL name; may be NULL */
	int (*run)(struct call *c);		/* NULL: the screen's alone */
	int screen;		/* enum screen_operation for those that the screen performs; 0 */
};

/* A value that was given. */
struct value {
	const struct argument *argument;
	const char *text;		/* "" for a flag */
	const char *const *rest;	/* ARGUMENT_REST: words, NULL ends */
};

/* How the caller shows progress; called from the thread that runs the call. */
struct call_progress {
	void (*report)(void *user, const char *what, int64_t done, int64_t total);
	void *user;
	const atomic_bool *cancel;	/* may be NULL */
};

/*
 * One call.  The caller fills the first part; RUN fills TABLE (in ARENA), or
 * TEXT for what is no table (a brief, a report, completion), and ANSWER: false
 * is exit status 1, "a check said no".
 */
struct call {
	struct workspace *workspace;	/* NULL with OPERATION_NO_WORKSPACE */
	const struct position *at;	/* the moment that is looked at; NULL: now */
	const char *directory;		/* -C, "." */
	const char *program;		/* path of this program, to start supervisors */
	const struct value *values;
	size_t n_values;
	struct arena *arena;
	struct call_progress progress;
	bool from_screen;
	int columns;			/* of that screen; 0: not known */
	bool read_only;			/* --read-only was given */
	bool wants_json;		/* commands that stream choose by it */
	bool wants_csv;			/* likewise: compare */
	int out_fd;			/* where a wrapped run's output goes; 1 */

	struct report_table *table;
	struct buf text;
	bool no;			/* the question was answered with no */
	int exit_code;			/* of a wrapped run; else 0 */
	const char *message;		/* one sentence of what was done; NULL */
	const char *open_next;		/* a migration to open on the screen now; NULL */
};

/* All rows: arrays in the order of the table of operations.c. */
const struct operation *operation_at(size_t i);		/* NULL beyond the last */
const struct operation *operation_find(const char *name);	/* NULL: unknown */
const struct operation *operation_by_screen(int screen);

/* Values by the argument's name: "attempt", "--minutes". */
const char *call_text(const struct call *c, const char *name);	/* NULL: not given */
bool call_flag(const struct call *c, const char *name);
int64_t call_integer(const struct call *c, const char *name, int64_t otherwise);
double call_number(const struct call *c, const char *name, double otherwise);
const char *const *call_rest(const struct call *c, const char *name);	/* NULL: none */
/* The I-th value of a repeating argument; NULL beyond the last. */
const char *call_text_at(const struct call *c, const char *name, size_t i);
bool call_cancelled(const struct call *c);
void call_report(const struct call *c, const char *what, int64_t done, int64_t total);

/*
 * Turns words into values: options --name VALUE, --name=VALUE, flags,
 * positionals in order, -- and the rest.  In A.  ERR_USAGE names the word and
 * what is allowed; types are checked here (integers, words).
 */
int operation_parse(const struct value **out, size_t *n, struct arena *a, const struct operation *o,
		    const char *const *words, size_t n_words) ATTR_MUST_USE;

/* Checks what FLAGS demand (a person, not read-only, a workspace), then RUN. */
int operation_call(const struct operation *o, struct call *c) ATTR_MUST_USE;

/* "attempt list [--line LINE] [ATTEMPT]" for usage lines and manuals. */
void operation_add_usage(struct buf *out, const struct operation *o);

#endif
