# Files of tests/ui; see Makefile.am.
UI_CORE_LIBS = libui.a libcommand.a libcurve.a $(SQLITE_LIBS) libbase.a $(BASE_LIBS) $(UV_LIBS) $(NCURSES_LIBS)
check_PROGRAMS += tests/ui/term_demo
tests_ui_term_demo_SOURCES = tests/ui/term_demo.c
tests_ui_term_demo_LDADD = $(UI_CORE_LIBS)

if HAVE_CMOCKA
UI_TESTS = tests/ui/test_app tests/ui/test_paragraphs \
	tests/ui/test_canvas tests/ui/test_dialog tests/ui/test_layout tests/ui/test_list \
	tests/ui/test_plot tests/ui/test_prompt tests/ui/test_text_view
check_PROGRAMS += $(UI_TESTS)
TESTS += $(UI_TESTS)

tests_ui_test_canvas_SOURCES = tests/ui/test_canvas.c
tests_ui_test_canvas_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_canvas_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_layout_SOURCES = tests/ui/test_layout.c
tests_ui_test_layout_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_layout_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_plot_SOURCES = tests/ui/test_plot.c
tests_ui_test_plot_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_plot_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_dialog_SOURCES = tests/ui/test_dialog.c
tests_ui_test_dialog_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_dialog_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_paragraphs_SOURCES = tests/ui/test_paragraphs.c
tests_ui_test_paragraphs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_paragraphs_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_list_SOURCES = tests/ui/test_list.c
tests_ui_test_list_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_list_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_prompt_SOURCES = tests/ui/test_prompt.c
tests_ui_test_prompt_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_prompt_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_text_view_SOURCES = tests/ui/test_text_view.c
tests_ui_test_text_view_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_text_view_LDADD = $(UI_CORE_LIBS) $(CMOCKA_LIBS)
tests_ui_test_app_SOURCES = tests/ui/test_app.c
tests_ui_test_app_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_app_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/ui/test_view_runs
TESTS += tests/ui/test_view_runs
tests_ui_test_view_runs_SOURCES = tests/ui/test_view_runs.c $(WORKSPACE_FIXTURE)
tests_ui_test_view_runs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_ui_test_view_runs_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/golden/runs.80x24.txt tests/golden/runs.140x45.txt tests/golden/runs.40x8.txt
