# Files of tests/e2e; see Makefile.am.
if HAVE_VTERM
check_PROGRAMS += tests/e2e/vtrun
tests_e2e_vtrun_SOURCES = tests/e2e/vtrun.c tests/e2e/vtrun.h tests/e2e/vtrun_child.c tests/e2e/vtrun_screen.c
tests_e2e_vtrun_CFLAGS = $(AM_CFLAGS) $(VTERM_CFLAGS)
tests_e2e_vtrun_LDADD = $(VTERM_LIBS) -lutil
endif
EXTRA_DIST += tests/e2e/vt.sh
# Scripts of terminal, loop and widgets, on tests/ui/term_demo.
TERM_VT = \
	tests/e2e/term_16_colors.vt \
	tests/e2e/term_ascii.vt \
	tests/e2e/term_ascii_locale.vt \
	tests/e2e/term_color.vt \
	tests/e2e/term_color_never.vt \
	tests/e2e/term_copy.vt \
	tests/e2e/term_crash.vt \
	tests/e2e/term_crash_segv.vt \
	tests/e2e/term_dumb.vt \
	tests/e2e/term_editor.vt \
	tests/e2e/term_editor_missing.vt \
	tests/e2e/term_end_busy.vt \
	tests/e2e/term_end_hangup.vt \
	tests/e2e/term_end_term.vt \
	tests/e2e/term_hostile.vt \
	tests/e2e/term_idle.vt \
	tests/e2e/term_job.vt \
	tests/e2e/term_no_color.vt \
	tests/e2e/term_paste.vt \
	tests/e2e/term_search.vt \
	tests/e2e/term_sizes.vt \
	tests/e2e/term_slow.vt \
	tests/e2e/term_start.vt \
	tests/e2e/term_stop.vt \
	tests/e2e/term_type_linux.vt \
	tests/e2e/term_type_screen.vt \
	tests/e2e/term_type_tmux-256color.vt \
	tests/e2e/term_type_vt100.vt \
	tests/e2e/term_type_xterm.vt \
	tests/e2e/term_unknown.vt
TESTS += $(TERM_VT)
EXTRA_DIST += $(TERM_VT) tests/e2e/term_no_color.styles
# Scripts of the program as a whole, on a small migration of their own.
PROGRAM_VT = \
	tests/e2e/program_16_colors.vt \
	tests/e2e/program_ascii.vt \
	tests/e2e/program_ascii_locale.vt \
	tests/e2e/program_color_never.vt \
	tests/e2e/program_copy_command.vt \
	tests/e2e/program_empty.vt \
	tests/e2e/program_end_asks.vt \
	tests/e2e/program_end_hangup.vt \
	tests/e2e/program_end_term.vt \
	tests/e2e/program_hostile.vt \
	tests/e2e/program_idle.vt \
	tests/e2e/program_keys.vt \
	tests/e2e/program_marks.vt \
	tests/e2e/program_mouse.vt tests/e2e/program_mouse_config.vt \
	tests/e2e/program_no_color.vt \
	tests/e2e/program_past.vt \
	tests/e2e/program_paste.vt \
	tests/e2e/program_read_only.vt \
	tests/e2e/program_search.vt \
	tests/e2e/program_sizes.vt tests/e2e/program_sizes_all.vt \
	tests/e2e/program_slow.vt \
	tests/e2e/program_start.vt \
	tests/e2e/program_stop.vt tests/e2e/program_stop_all.vt \
	tests/e2e/program_type_dumb.vt \
	tests/e2e/program_type_linux.vt \
	tests/e2e/program_type_screen.vt \
	tests/e2e/program_type_tmux-256color.vt \
	tests/e2e/program_type_unknown.vt \
	tests/e2e/program_type_vt100.vt \
	tests/e2e/program_type_xterm.vt
TESTS += $(PROGRAM_VT) tests/e2e/tmux_smoke.sh tests/e2e/status_since.sh
EXTRA_DIST += $(PROGRAM_VT) tests/e2e/small_migration.sh tests/e2e/tmux_smoke.sh tests/e2e/status_since.sh
# What people put on record: marks, labels, a bundle that takes nothing.
JOURNAL_VT = tests/e2e/journal_bundle.vt tests/e2e/journal_label.vt
TESTS += $(JOURNAL_VT) tests/e2e/journal_marks.sh tests/e2e/full_disk_screen.sh
EXTRA_DIST += $(JOURNAL_VT) tests/e2e/full_disk_screen.sh tests/e2e/journal_marks.sh tests/e2e/journal_migration.sh
# What views look like: files beside the script.
TESTS += tests/golden/views.sh
EXTRA_DIST += tests/golden/views.sh \
	tests/golden/attempts.80x24.txt tests/golden/attempts.80x24.styles \
	tests/golden/attempts.140x45.txt tests/golden/attempts.140x45.styles \
	tests/golden/journal.80x24.txt tests/golden/journal.80x24.styles \
	tests/golden/journal.140x45.txt tests/golden/journal.140x45.styles \
	tests/golden/study.80x24.txt tests/golden/study.80x24.styles \
	tests/golden/study.140x45.txt tests/golden/study.140x45.styles \
	tests/golden/runs_table.80x24.txt tests/golden/runs_table.80x24.styles \
	tests/golden/runs_table.120x20.txt tests/golden/runs_table.120x20.styles
TESTS += tests/e2e/runs_table.vt tests/e2e/runs_patterns.vt tests/e2e/runs_doubts.vt
EXTRA_DIST += tests/e2e/runs_doubts.vt
EXTRA_DIST += tests/e2e/runs_table.vt tests/e2e/run_table_migration.sh tests/e2e/runs_patterns.vt tests/e2e/runs_patterns_migration.sh
# What needs a person, and where its key leads; the demo a second time.
TESTS += tests/e2e/needs.vt tests/e2e/demo_again.vt
EXTRA_DIST += tests/e2e/needs.vt tests/e2e/demo_again.vt
# The demo, built once for all that go on with it.
TESTS += tests/e2e/demo_screen.sh
EXTRA_DIST += tests/e2e/demo_runs.sh tests/e2e/demo_screen.sh
tests/e2e/demo_screen.log tests/cli/tutorial.log: tests/e2e/demo_runs.log
clean-local: clean-demo
clean-demo:
	-rm -rf tests/e2e/demo.made
.PHONY: clean-demo
# What people put on record, on the screen.
PEOPLE_VT = tests/e2e/people.vt tests/e2e/people_config.vt
TESTS += $(PEOPLE_VT)
EXTRA_DIST += $(PEOPLE_VT)
# What an attempt changed: every kind of file, keys, the demo, without colours.
DIFF_VT = tests/e2e/diff_demo.vt tests/e2e/diff_files.vt tests/e2e/diff_keys.vt tests/e2e/diff_plain.vt
TESTS += $(DIFF_VT) tests/golden/diff.sh
EXTRA_DIST += $(DIFF_VT) tests/e2e/diff_migration.sh tests/golden/diff.sh \
	tests/golden/diff.80x24.txt tests/golden/diff.80x24.styles \
	tests/golden/diff.140x45.txt tests/golden/diff.140x45.styles \
	tests/golden/diff.text tests/golden/diff.scan
# The view of curves: a script, a run that grows, golden files.
CURVES_VT = tests/e2e/curves.vt tests/e2e/curves_editor.vt tests/e2e/curves_live.vt tests/e2e/curves_change.vt tests/e2e/curves_copy.vt \
	tests/e2e/curves_ascii.vt tests/e2e/curves_empty.vt tests/e2e/curves_first.vt \
	tests/e2e/curves_follow.vt tests/e2e/curves_grid.vt tests/e2e/curves_keys.vt \
	tests/e2e/curves_grid_wide.vt tests/e2e/curves_marks.vt tests/e2e/curves_unlike.vt
TESTS += $(CURVES_VT) tests/golden/curves.sh
EXTRA_DIST += $(CURVES_VT) tests/e2e/curves_migration.sh tests/e2e/curves_many.sh tests/e2e/curves_grow.sh tests/e2e/curves_changing.sh tests/golden/curves.sh \
	tests/golden/curves.80x24.txt tests/golden/curves.80x24.styles \
	tests/golden/curves.140x45.txt tests/golden/curves.140x45.styles \
	tests/golden/curves.60x14.txt tests/golden/curves.60x14.styles tests/golden/curves.ascii.txt \
	tests/golden/curves_grid.80x24.txt tests/golden/curves_grid.80x24.styles \
	tests/golden/curves_grid.140x45.txt tests/golden/curves_grid.140x45.styles \
	tests/golden/curves_runs.140x45.txt tests/golden/curves_runs.140x45.styles \
	tests/golden/curves_band.80x24.txt tests/golden/curves_nan.80x24.txt tests/golden/curves_nan.80x24.styles \
	tests/golden/curves_restart.80x24.txt tests/golden/curves_restart.80x24.styles \
	tests/golden/curves_smooth.80x24.txt tests/golden/curves_clip.80x24.txt \
	tests/golden/curves_log.80x24.txt tests/golden/curves_beside.80x24.txt \
	tests/golden/curves_table.80x24.txt tests/golden/curves_runs.ascii.txt tests/golden/curves_grid.ascii.txt \
	tests/golden/curves.compare.txt tests/golden/curves.compare.json tests/golden/curves.compare.csv \
	tests/golden/curves.calibrate.txt tests/golden/curves.samples.txt tests/golden/curves.several.txt \
	tests/golden/curves.three.csv tests/golden/curves.three.txt
# Why a run failed: its log with what was found, labels, what a blind reviewer sees.
TRIAGE_VT = tests/e2e/triage_keys.vt tests/e2e/triage_blind.vt tests/e2e/checks_keys.vt \
	tests/e2e/checks_plain.vt
TESTS += $(TRIAGE_VT)
EXTRA_DIST += $(TRIAGE_VT) tests/e2e/triage_migration.sh \
	tests/golden/triage.80x24.txt tests/golden/triage.80x24.styles \
	tests/golden/triage.140x45.txt tests/golden/triage.140x45.styles \
	tests/golden/checks.80x24.txt tests/golden/checks.80x24.styles \
	tests/golden/checks.140x45.txt tests/golden/checks.140x45.styles \
	tests/golden/checks.80x24.ascii.txt tests/golden/checks.140x45.ascii.txt \
	tests/golden/triage.80x24.ascii.txt tests/golden/triage.140x45.ascii.txt \
	tests/golden/checks.mono.styles tests/golden/triage.mono.styles
