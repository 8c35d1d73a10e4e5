/*
 * upkeep - keeps a migration up to date behind the screen, and notices what
 * other processes do to it.
 *
 * After the first frame one background job does everything once: projections,
 * spool, attempts, runs, churn, rules, verifying.  From then on folders are
 * watched, and a change asks for the parts that it concerns; what is asked
 * while a job is at work waits for the next.  A timer exists only while a run
 * lives.  So a screen that nothing happens to never wakes up.
 *
 *	struct screen_upkeep *u = screen_upkeep_new(app);
 *	screen_upkeep_ask(u, UPKEEP_ALL);
 *	...
 *	screen_upkeep_free(u);
 */
#ifndef PORTSIDE_UI_UPKEEP_H
#define PORTSIDE_UI_UPKEEP_H

#include <stdbool.h>

struct app;
struct screen_upkeep;

/* Starts the first round; needs a loop. */
struct screen_upkeep *screen_upkeep_new(struct app *a);
void screen_upkeep_free(struct screen_upkeep *u);	/* NULL is fine; before the loop ends */

/* Asks for UPKEEP_ parts: R, and what a command has changed. */
void screen_upkeep_ask(struct screen_upkeep *u, int parts);

/* Cancels the round at work; false when there is none. */
bool screen_upkeep_cancel(struct screen_upkeep *u);

#endif
