/*
 * view_triage - view 6: why did it fail?
 *
 * The log of one run of the selected attempt, with what was found in it marked; the list
 * of findings; and the verdict with its reason, what is uncertain, the next check, and
 * who labelled it how.  The first window of the log is there at once, whatever its size:
 * findings come while a job reads on, and leaving the view ends that job.  What a run
 * does wrong without a text is asked of its numbers behind that, and stands in the
 * verdict.
 *
 *	view_triage.c		the view: keys, panes, going from finding to finding
 *	view_triage_load.c	jobs: the attempt and its runs, the log, places, agreement
 *	view_triage_draw.c	panes, cells of the list
 *	view_triage_text.c	the lines of the verdict
 *	view_log.c		the log
 *
 * A reviewer who labels blind sees neither labels nor verdict nor findings of an attempt
 * until their own label is on record.
 */
#ifndef PORTSIDE_UI_VIEW_TRIAGE_H
#define PORTSIDE_UI_VIEW_TRIAGE_H

#include "command/silent.h"
#include "command/triage_findings.h"
#include "command/triage_place.h"
#include "command/triage_subject.h"
#include "ui/app.h"
#include "ui/list.h"
#include "ui/paragraphs.h"
#include "ui/view.h"
#include "ui/view_log.h"

/* What the worker brings; owned. */
struct triage_model {
	struct arena arena;
	struct triage_subject subject;
	char *seen_trouble;		/* why it is not on record who saw the labels; NULL */
};

enum triage_pane { TRIAGE_LOG, TRIAGE_FINDINGS, TRIAGE_VERDICT, TRIAGE_PANES };

struct triage_view {
	struct view *view;
	struct job_slot model_job, scan_job, place_job, agreement_job, seen_job, silent_job;
	struct triage_model *model;	/* NULL until the first answer */
	char *trouble;			/* why there is none; NULL */

	struct triage_mailbox *box;	/* of the scan that goes on; NULL */
	struct triage_findings *found;	/* so far, or of the whole log; NULL: nothing yet */
	bool scan_due;			/* it begins when the first window is there */
	char *scan_trouble;		/* why the log could not be read; NULL */
	char *path;			/* of the log that is scanned; "" none */
	char *run;			/* the run that was chosen with a key; "" */
	struct silent_report *silent;	/* what SILENT_RUN does wrong without a text; NULL */
	char *silent_run;		/* that was asked for; "" none */
	char *silent_trouble;		/* why it could not be; NULL */
	bool has_gone;			/* to the first finding, or the person moved */

	long *shown;			/* findings in the list, by row */
	size_t n_shown, n_counted;	/* lines of reports that came to nothing: not listed */
	struct list list;
	struct log_pane log;

	struct agreement agreement;
	bool has_agreement;
	struct paragraphs lines;	/* of the verdict */

	enum triage_pane pane;
};

extern const struct view_type triage_view;

/* ---- view_triage_load.c ---- */

void triage_load(struct view *v);
void triage_read_place(struct view *v, int64_t offset);
/* Begins to read the log when that is due; what was found since it was last drawn. */
void triage_take_news(struct view *v);
/* Nobody looks: a log that is being read is read again later. */
void triage_stop_reading(struct view *v);
void triage_forget(struct triage_view *self);	/* jobs and what they brought */

/* ---- view_triage.c ---- */

const struct triage_run *triage_run(const struct triage_view *self);	/* NULL: none */
/* Labels, verdict and findings are hidden. */
bool triage_is_hidden(const struct triage_view *self);
/* Another model, or other findings. */
void triage_model_arrived(struct view *v);
void triage_findings_arrived(struct view *v);
void triage_place_arrived(struct view *v, const struct triage_place *p);
const struct finding *triage_row(const struct triage_view *self, long row);

/* ---- view_triage_text.c ---- */

void triage_make_lines(struct triage_view *self);
enum style finding_style(enum finding_reading r);

/* ---- view_triage_draw.c ---- */

extern const struct list_source triage_list_source;
void triage_mark_log(void *user, const struct run_log_window *w, struct log_mark *marks);
void triage_draw(struct view *v, struct canvas *c, struct rect r);

#endif
