# Files of tests/ui; see Makefile.am.
UI_CORE_LIBS = libui.a libbase.a $(BASE_LIBS) $(UV_LIBS) $(NCURSES_LIBS)
check_PROGRAMS += tests/ui/term_demo
tests_ui_term_demo_SOURCES = tests/ui/term_demo.c
tests_ui_term_demo_LDADD = $(UI_CORE_LIBS)
