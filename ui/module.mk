# Files of ui; see Makefile.am.
noinst_LIBRARIES += libui.a
libui_a_SOURCES = \
	ui/app.c ui/app.h ui/app_private.h \
	ui/app_call.c \
	ui/app_draw.c \
	ui/app_editor.c \
	ui/app_form.c \
	ui/app_key.c \
	ui/app_mouse.c \
	ui/app_operation.c \
	ui/app_run.c \
	ui/attempts_columns.c ui/attempts_draw.c ui/attempts_load.c ui/attempts_view.h \
	ui/attempts_filter.c ui/attempts_filter.h \
	ui/canvas.c ui/canvas.h \
	ui/canvas_text.c ui/canvas_text.h \
	ui/clipboard.c ui/clipboard.h \
	ui/crash.c ui/crash.h \
	ui/dialog.c ui/dialog.h ui/dialog_draw.c \
	ui/flow.c ui/flow.h \
	ui/help.c ui/help.h \
	ui/history.c \
	ui/job.c ui/job.h \
	ui/layout.c ui/layout.h \
	ui/list.c ui/list.h \
	ui/list_draw.c \
	ui/loop.c ui/loop.h ui/loop_private.h \
	ui/loop_feed.c \
	ui/loop_lend.c \
	ui/loop_watch.c \
	ui/motion.c ui/motion.h \
	ui/palette.c ui/palette.h ui/paragraphs.c ui/paragraphs.h \
	ui/people.c ui/people.h ui/people_private.h \
	ui/people_decision.c ui/people_label.c \
	ui/plot.c ui/plot.h ui/plot_axes.c \
	ui/prompt.c ui/prompt.h \
	ui/screen.c ui/screen.h \
	ui/status.c ui/status.h \
	ui/style.c ui/style.h \
	ui/term.c ui/term.h \
	ui/term_color.c \
	ui/text_view.c ui/text_view.h \
	ui/upkeep.c ui/upkeep.h \
	ui/view.h \
	ui/view_diff.c ui/view_diff.h ui/view_diff_draw.c \
	ui/view_diff_lists.c ui/view_diff_load.c \
	ui/view_diff_pen.c ui/view_diff_pen.h ui/view_diff_rows.c ui/view_diff_rows.h \
	ui/view_curves.c ui/view_curves_private.h \
	ui/view_curves_chart.c ui/view_curves_cursor.c \
	ui/view_curves_delta.c ui/view_curves_draw.c \
	ui/view_curves_grid.c ui/view_curves_head.c \
	ui/view_curves_key.c ui/view_curves_legend.c \
	ui/view_curves_lists.c ui/view_curves_load.c \
	ui/view_curves_look.c ui/view_curves_readout.c \
	ui/view_curves_places.c \
	ui/view_checks.c ui/view_checks.h ui/view_checks_draw.c ui/view_checks_form.c \
	ui/view_checks_load.c ui/view_checks_text.c \
	ui/view_curves_table.c ui/view_curves_write.c \
	ui/view_attempts.c \
	ui/view_journal.c ui/view_journal.h \
	ui/view_journal_line.c ui/view_journal_load.c \
	ui/view_log.c ui/view_log.h \
	ui/view_runs.c ui/view_runs.h \
	ui/view_runs_choose.c ui/view_runs_draw.c ui/view_runs_form.c ui/view_runs_load.c \
	ui/view_runs_panes.c ui/view_runs_panes.h \
	ui/view_runs_table.c ui/view_runs_table.h \
	ui/view_triage.c ui/view_triage.h ui/view_triage_draw.c \
	ui/view_triage_load.c ui/view_triage_text.c \
	ui/view_study.c \
	ui/views.c
