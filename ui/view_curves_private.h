/*
 * view_curves - inside the view of curves: its state, and what its files give
 * each other.  view_curves.c has the contract and the jobs, view_curves_key.c what
 * keys do, view_curves_draw.c the picture, view_curves_text.c the table and the
 * sentences.
 *
 * The scene (command/curve_scene.h) is either here or with a worker, never in
 * both places.  While it is away the last picture is shown, and keys that need
 * it are remembered.  The lists have their own copies of names.
 */
#ifndef PORTSIDE_UI_VIEW_CURVES_PRIVATE_H
#define PORTSIDE_UI_VIEW_CURVES_PRIVATE_H

#include "command/curve_scene.h"
#include "ui/app.h"
#include "ui/job.h"
#include "ui/list.h"
#include "ui/loop.h"
#include "ui/plot.h"
#include "ui/text_view.h"
#include "ui/view.h"

enum curves_pane { PANE_PLOT, PANE_METRICS, PANE_RUNS, PANE_COUNT };
enum {
	CURVES_DUE_MAX = 64,
	CURVES_PATH_MAX = 4096,
	CURVES_WATCHES_MAX = 16,
	CURVES_SOURCES_MAX = 3 + SCENE_FURTHER_MAX
};

struct curves_run {
	const char *run, *name, *state, *attempt;
	char letter;
	bool live;
};

struct curves_view {
	struct curve_scene *scene;	/* NULL: none yet, or with a worker */
	struct job_slot load_job, work_job;
	bool reload_due;		/* once the worker has handed the scene back */
	bool work_due;			/* look or files changed */
	char *complaint;		/* why loading failed; NULL */

	struct curve_look look;		/* as wanted; METRIC is NULL, see below */
	char *metric;			/* "": the goal's */
	char *reference;		/* a run in place of the partner; "" */
	char *further[SCENE_FURTHER_MAX];	/* marked runs; NULL: none */

	struct plot_view window;
	bool fit;			/* all of x, and what comes */
	double last_x;			/* the end of the curves when WINDOW was set */
	double cursor_x;
	bool at_last;			/* the read-out follows the last point */
	bool log_y, zoomed;
	int due[CURVES_DUE_MAX];	/* screen operations that wait for the scene */
	size_t n_due;
	char write_due[CURVES_PATH_MAX];	/* a file that waits likewise; "" */
	int jump;			/* the next one of D */

	bool table;
	struct text_view rows;
	struct buf row;

	enum curves_pane pane;
	struct list metrics, runs;
	struct arena names;		/* of both lists */
	const char **metric_names;
	size_t n_metrics, n_common;
	struct curves_run *run_rows;
	size_t n_runs;
	const char *metric_shown;	/* "" before anything */

	struct canvas picture;		/* the last one, for while the scene is away */
	bool has_picture;
	struct loop_timer *timer;
	struct loop_watch *watches[CURVES_WATCHES_MAX];
	size_t n_watches;
	unsigned ticks;
};

/* ---- view_curves.c ---- */

/* Something of the look changed: the sources are made anew. */
void curves_look_again(struct view *v);

/* ---- view_curves_key.c ---- */

bool curves_move(struct view *v, enum motion motion);
bool curves_operate(struct view *v, const struct operation *o);
bool curves_back(struct view *v);
void curves_choose_metric(struct view *v, const char *name);
/* What was asked for while the scene was away. */
void curves_catch_up(struct view *v);

/* ---- view_curves_draw.c ---- */

void curves_draw(struct view *v, struct canvas *c, struct rect r);
/* The sources in front of the reference that have points; returns their number. */
size_t curves_sources(const struct curve_scene *s, struct plot_source **out);
/* First and last x of all sources; false without a point. */
bool curves_range(const struct curve_scene *s, double *first, double *last);
/* The last point of A, else of what there is: where the read-out waits. */
double curves_tail(const struct curve_scene *s);
/* Brings window and read-out to what the scene holds now. */
void curves_settle(struct curves_view *self);

/* ---- view_curves_text.c ---- */

void curves_table_init(struct view *v);
void curves_table_draw(struct view *v, struct canvas *c, struct rect r);
/* One sentence each; nothing added when there is nothing to say. */
void curves_add_readout(struct buf *out, const struct curves_view *self);
void curves_add_last(struct buf *out, const struct run_comparison *c);
void curves_add_seeds(struct buf *out, const struct run_comparison *c, bool brief);
/* All facts as a text: comparable, statements, warnings, files. */
void curves_add_facts(struct buf *out, const struct curve_scene *s);
/* V as people see it in the comparison: scaled, with the digits of the goal. */
void curves_add_value(struct buf *out, const struct run_comparison *c, double v);
void curves_add_x(struct buf *out, const struct curve_look *look, double x);

#endif
