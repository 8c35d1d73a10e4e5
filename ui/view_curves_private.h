/*
 * view_curves - inside the view of curves: its state, and what its files give each
 * other.
 *
 *	view_curves.c		the contract of a view
 *	view_curves_load.c	jobs, and files that grow
 *	view_curves_lists.c	the series and the runs that can be chosen
 *	view_curves_draw.c	what stands where
 *	view_curves_head.c	comparable, verdict, the lines below the curves
 *	view_curves_legend.c	which letter is which run
 *	view_curves_chart.c	one chart: the curves of all runs
 *	view_curves_delta.c	the pane of differences
 *	view_curves_grid.c	all series, a chart each
 *	view_curves_places.c	where these charts stand
 *	view_curves_cursor.c	read-out, window, jumps
 *	view_curves_readout.c	values as sentences
 *	view_curves_table.c	the same as a table, and the facts
 *	view_curves_look.c	how the curves are shown: axis, smoothing, alignment, ...
 *	view_curves_key.c	what the keys do
 *	view_curves_write.c	a file of what is shown
 *
 * The scene (command/curve_scene.h) is either here or with a worker, never in
 * both places.  While it is away the last picture is shown, and keys that need
 * it are remembered.  The lists have their own copies of names.
 */
#ifndef PORTSIDE_UI_VIEW_CURVES_PRIVATE_H
#define PORTSIDE_UI_VIEW_CURVES_PRIVATE_H

#include "command/curve_chart.h"
#include "command/curve_scene.h"
#include "curve/name_filter.h"
#include "ui/app.h"
#include "ui/job.h"
#include "ui/list.h"
#include "ui/loop.h"
#include "ui/plot.h"
#include "ui/text_view.h"
#include "ui/view.h"

enum curves_pane { PANE_PLOT, PANE_METRICS, PANE_RUNS, PANE_COUNT };
enum curves_band { BAND_OF_SEEDS, BAND_AND_95, BAND_OFF, BAND_COUNT };
enum {
	CURVES_DUE_MAX = 64,
	CURVES_PATH_MAX = 4096,
	CURVES_WATCHES_MAX = 16,
	CURVES_GRID_MAX = 48,		/* charts on one screen */
	CURVES_WIDE_COLS = 100,
};

struct curves_run {
	const char *run, *name, *state, *attempt;
	char letter;
	bool live;
};

/* The charts of the grid as they were drawn last: rows of the list of series. */
struct curves_grid {
	long rows[CURVES_GRID_MAX];
	struct rect places[CURVES_GRID_MAX];
	int n, cols;
	int top;			/* line that is drawn first */
};

struct curves_view {
	struct curve_scene *scene;	/* NULL: none yet, or with a worker */
	struct job_slot load_job, work_job;
	bool reload_due;		/* once the worker has handed the scene back */
	bool awaited;			/* the first rows, or those of another selection */
	bool work_due;			/* look or files changed */
	char *complaint;		/* why loading failed; NULL */

	struct curve_look look;		/* as wanted; METRIC and CHARTS are NULL, see below */
	char *metric;			/* "": the goal's */
	char *reference;		/* a run in place of the partner; "" */
	char *further[SCENE_FURTHER_MAX];	/* marked runs, a letter each; NULL: free */

	struct plot_view window;	/* with log_x, log_y and clip as wanted */
	bool fit;			/* all of x, and what comes */
	double last_x;			/* the end of the curves when WINDOW was set */
	size_t last_n;			/* and how many there were */
	double cursor_x;
	bool at_last;			/* the read-out follows the last point */
	bool zoomed;			/* no delta pane, no lists */
	bool beside;			/* two panes: R, and the others */
	enum curves_band band;		/* what is drawn of the reference's seeds */
	bool overview;			/* the grid of all series */
	bool from_overview;		/* Esc leads back to it */
	bool weighing;			/* + and - change the smoothing, until another key */
	int due[CURVES_DUE_MAX];	/* screen operations that wait for the scene */
	size_t n_due;
	char write_due[CURVES_PATH_MAX];	/* a file that waits likewise; "" */
	int jump;			/* the next one of D */
	struct curves_grid grid;

	bool table;
	struct text_view rows;
	struct buf row;

	enum curves_pane pane;
	struct list metrics, runs;
	struct name_filter *filter;	/* of the series; NULL: all */
	struct arena names;		/* of both lists */
	struct curve_name *metric_names;
	size_t n_metrics;
	struct curves_run *run_rows;
	size_t n_runs;
	const char *metric_shown;	/* "" before anything */

	struct canvas picture;		/* the last one, for while the scene is away */
	bool has_picture;
	struct loop_timer *timer;
	struct loop_watch *watches[CURVES_WATCHES_MAX];
	size_t n_watches;
	unsigned ticks;
	bool resting;			/* live, but nobody looks: the clock stands still */
};

/* ---- view_curves_load.c ---- */

void curves_load(struct view *v);
/* Something of the look, or of the charts in sight, changed: the worker has to do. */
void curves_look_again(struct view *v);
/* The next step, after the picture of this one was drawn. */
void curves_go_on(struct view *v);
void curves_stop(struct curves_view *self);

/* ---- view_curves_lists.c ---- */

void curves_lists_init(struct view *v);
/* Own copies of what the scene lists. */
void curves_lists_take(struct curves_view *self);
void curves_filter_metrics(struct view *v, const char *text);
void curves_choose_metric(struct view *v, const char *name);
/* The next series of the list, -1 or 1. */
void curves_step_metric(struct view *v, int by);
/* Enter on a run: it stands at A, or at R. */
void curves_choose_run(struct view *v);
/* Space on a run: it is drawn too, or no longer. */
void curves_toggle_run(struct view *v);

/* ---- view_curves_draw.c ---- */

void curves_draw(struct view *v, struct canvas *c, struct rect r);
/* The lists of series and runs stand beside the curves. */
bool curves_has_side(const struct curves_view *self, int cols);

/* ---- view_curves_head.c ---- */

void curves_draw_head(struct view *v, struct canvas *c, struct rect *r);
/* Cuts the lines below the curves off R and draws them. */
void curves_draw_foot(struct view *v, struct canvas *c, struct rect *r);

/* ---- view_curves_legend.c ---- */

/* R blue, A orange, whatever else is shown; others by their letters. */
enum style curves_style(char letter);
/* What the glyphs are where colours cannot tell, letter and name of all runs but those
 * that are named above, the last value of the main chart behind them. */
void curves_draw_legend(struct view *v, struct canvas *c, struct rect r, bool all);
/* Rows that the legend wants in so many columns, at most MOST. */
int curves_legend_rows(struct view *v, const struct canvas *c, int cols, bool all, int most);

/* ---- view_curves_chart.c ---- */

struct curves_chart_place {
	const struct curve_chart *chart;
	struct rect r;
	bool no_x_axis;
	char only;			/* 'R': the reference alone; 'A': all others; 0: all */
	bool own_cursor;
	double y_scale;
};

struct curves_counts {
	size_t n_nonfinite, n_not_positive, n_left_out, n_clipped, n_restarts;
	bool about;			/* N_CLIPPED is an estimate */
};

/* The chart at hand: the one that is compared, in the grid the selected one. */
const struct curve_chart *curves_chart(const struct curves_view *self);
/* Sources in the chart at hand that the read-out walks over. */
size_t curves_sources(const struct curves_view *self, struct plot_source **out);
/* Brings the shared window to all charts in sight. */
void curves_fit_window(struct curves_view *self, const struct curve_chart *const *charts, size_t n,
	size_t columns, size_t rows);
void curves_draw_chart(struct view *v, struct canvas *c, const struct curves_chart_place *place,
	struct curves_counts *counts);
void curves_draw_overlay(struct view *v, struct canvas *c, struct rect r, bool no_x_axis);
long curves_cursor_column(const struct curves_view *self, const struct plot_view *view);
enum plot_x_kind curves_x_kind(const struct curve_look *look);
const char *curves_axis_title(const struct curve_look *look);
/* "  EMA 0.6  log y  zoomed, 0 fits": how it is drawn; nothing when plainly. */
void curves_add_look(struct buf *out, const struct curves_view *self);
void curves_add_counts(struct canvas *c, struct rect r, int *col, const struct curves_counts *n);

/* ---- view_curves_delta.c ---- */

void curves_draw_delta(struct view *v, struct canvas *c, struct rect r);

/* The window of what was read last, where it shows all. */
void curves_fit_now(struct curves_view *self);

/* ---- view_curves_grid.c ---- */

void curves_grid_fit(struct curves_view *self, size_t columns);

void curves_draw_grid(struct view *v, struct canvas *c, struct rect r);
/* The names of the charts in sight, into OUT; returns their number. */
size_t curves_grid_names(const struct curves_view *self, const char *out[CURVES_GRID_MAX]);
/* Some of them are not in the scene. */
bool curves_grid_lacks(const struct curves_view *self);
bool curves_grid_move(struct view *v, enum motion motion);
bool curves_grid_click(struct view *v, int row, int col);
/* The selected series in large, and back. */
void curves_grid_open(struct view *v);
void curves_show_grid(struct view *v, bool on);

/* A line with the name of a group, or a rule. */
void curves_draw_group(struct canvas *c, struct rect r, const char *group);

/* ---- view_curves_places.c ---- */

/* A line of the grid: N charts from place FIRST of the list on, or the name of a group. */
struct curves_line { long first; int n; const char *group; };

/* All of them; AT is freed by who has it. */
struct curves_lines { struct curves_line *at; size_t n, cap; long n_charts; int n_groups; };

/* The series at a place of the list as it is shown. */
const struct curve_name *curves_name_at(const struct curves_view *self, long place);
/* Puts those in sight into the grid, with the selected one; draws the names of their
 * groups.  Returns what is left below. */
struct rect curves_place_charts(struct curves_view *self, struct curves_lines *l, struct canvas *c,
	struct rect r);

/* ---- view_curves_cursor.c ---- */

/* First and last x of the chart at hand; false without a point. */
bool curves_range(const struct curves_view *self, double *first, double *last);
/* Brings window and read-out to what the scene holds now. */
void curves_settle(struct curves_view *self);
void curves_set_cursor(struct curves_view *self, double x);
void curves_step_cursor(struct curves_view *self, int steps);
void curves_pan(struct curves_view *self, double share);
bool curves_operate_place(struct view *v, int screen);

/* ---- view_curves_readout.c ---- */

/* V as people see it in the comparison: scaled, with the digits of the goal. */
void curves_add_value(struct buf *out, const struct run_comparison *c, double v);
void curves_add_x(struct buf *out, const struct curve_look *look, double x);
/* "step 200  A 0.81  R 0.83  d -0.02 OUT (A worse)": nothing without a place. */
void curves_add_readout(struct buf *out, const struct curves_view *self);
void curves_add_last(struct buf *out, const struct run_comparison *c);
void curves_add_seeds(struct buf *out, const struct run_comparison *c, bool brief);
/* How old the last point of a run that lives is, and when its writer writes. */
void curves_add_age(struct buf *out, const struct comparison_side *side);

/* ---- view_curves_table.c ---- */

void curves_table_init(struct view *v);
void curves_table_draw(struct view *v, struct canvas *c, struct rect r);
/* All facts as a text: comparable, statements, warnings, files. */
void curves_add_facts(struct buf *out, const struct curve_scene *s, size_t columns);

/* ---- view_curves_look.c ---- */

bool curves_operate_look(struct view *v, int screen);
/* "EMA 0.6 (as TensorBoard)", "EMA, half-life 20 steps"; nothing when not smoothed. */
void curves_add_smoothing(struct buf *out, const struct curve_look *look);

/* ---- view_curves_key.c ---- */

bool curves_move(struct view *v, enum motion motion);
bool curves_operate(struct view *v, const struct operation *o);
bool curves_back(struct view *v);
/* What was asked for while the scene was away. */
void curves_catch_up(struct view *v);

/* ---- view_curves_write.c ---- */

void curves_ask_path(struct view *v);
/* The same as text, for the clipboard. */
void curves_add_shown(struct buf *out, const struct curves_view *self);
/* The file that was asked for while the scene was away. */
void curves_write_due(struct view *v);

#endif
