/*
 * fold_work - what the parts of the fold share: the objects of one event.
 *
 * Private to the fold.  An object is loaded once per event, changed in place,
 * and written at the end when its text differs from the loaded one.  What an
 * object contributes to the migration's counts is taken before and after, and
 * the difference is added, so the migration never looks at other objects.
 */
#ifndef PORTSIDE_DOMAIN_FOLD_WORK_H
#define PORTSIDE_DOMAIN_FOLD_WORK_H

#include <stdbool.h>

#include "domain/fold.h"
#include "domain/object.h"

struct fold_slot {
	const char *type, *id, *parent;
	int64_t sort;
	void *state;
	const char *loaded;		/* text, or NULL for a new object */
	size_t loaded_n;
	struct migration_counts before;
	const struct measured *measured_before;
	size_t measured_before_n;
	bool changed;
};

struct work {
	struct arena *arena;
	fold_load_fn *load;
	void *user;
	const struct event *event;
	char event_hex[DIGEST_HEX + 1];
	struct fold_slot *slots;
	size_t slots_n, slots_cap;
	int rc;				/* the first failed load */
};

/* Never NULL: after a failed load it is an empty state and w->rc is set. */
void *work_get(struct work *w, const char *type, const char *id);
/* Marks an object as changed and says where it belongs. */
void work_changed(
	struct work *w, const char *type, const char *id, const char *parent, int64_t sort);

struct migration_state *work_migration(struct work *w);
/* "reference" or an attempt; NULL when ID is no attempt's. */
struct attempt_state *work_attempt(struct work *w, const char *id);
void work_attempt_changed(struct work *w, struct attempt_state *s);

/* Levels of the attempts that have checks hang on goals and on what L2 requires. */
void work_checked_changed(struct work *w);

/* The entry of the event at hand. */
struct entry work_entry(const struct work *w);
/* A text field of d; "" when it is missing. */
const char *work_text(const struct work *w, const char *field);
int work_word(const struct work *w, const char *field, const struct words *words);
bool work_flag(const struct work *w, const char *field);
const char **work_texts(struct work *w, const char *field, size_t *n);

/* A list in an arena with room for one more, to append to: copies and grows. */
void *work_append(struct work *w, void *list, size_t *n, size_t size);
#define WORK_APPEND(w, list, n)                                                                    \
	((list) = work_append((w), (list), &(n), sizeof *(list)), &(list)[(n)-1])

/* Parts; each takes events of its kinds. */
void fold_attempt_event(struct work *w);
void fold_run_event(struct work *w);
void fold_check_event(struct work *w);
void fold_signoff_event(struct work *w);
void fold_migration_event(struct work *w);
void fold_config_event(struct work *w);
void fold_goal_event(struct work *w);
void fold_alarm_event(struct work *w);
void fold_decision_event(struct work *w);
void fold_intervention_event(struct work *w);
void fold_note_event(struct work *w);
void fold_evidence_event(struct work *w);
void fold_session_event(struct work *w);
void fold_cost_event(struct work *w);
void fold_drill_event(struct work *w);

/* What the event at hand says that a tool measured of a goal. */
void take_goal_found(struct work *w, struct goal_found *out);
/* What lists need of a goal's check; nothing for another check. */
void take_goal_of_check(struct check_brief *b, const struct check_state *s);
/* L3 of M, from the checks of S and from L2 of M; marks M and the rows of the checks. */
void derive_goals(struct work *w, struct attempt_state *s, struct measured *m);

/* Derives what follows from the entries; after any change, also of a strike. */
void derive_attempt(struct work *w, struct attempt_state *s);
void derive_run(struct work *w, struct run_state *s);
void derive_check(struct work *w, struct check_state *s);
void derive_alarm(struct alarm_state *s);
void derive_goal(struct goal_state *s);
void derive_config(struct work *w, const char *id, struct config_state *s);
void derive_migration(struct migration_state *s);
void derive_intervention(struct intervention_state *s);
void derive_evidence(struct evidence_state *s);

/* Adds (SIGN 1) or takes away (-1) what an object spreads to its attempt. */
void spread_intervention(struct work *w, const struct intervention_state *s, int sign);
void spread_cost(struct work *w, const struct cost_state *s, int sign);
/* Entries that a decision left in alarms, attempts and the migration. */
void strike_decision(struct work *w, const struct decision_state *s, const struct entry *strike);

/* Sessions are listed by the time of their first message. */
int64_t session_sort(const struct session_state *s);

/* What an object adds to the migration's counts. */
void contribution(struct migration_counts *out, const char *type, const void *state);
/* At the end of an event: differences into the migration. */
void work_settle(struct work *w);

#endif
