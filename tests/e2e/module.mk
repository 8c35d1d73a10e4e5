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
