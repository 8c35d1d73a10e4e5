# Files of tests/command; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/command/test_study
TESTS += tests/command/test_study
tests_command_test_study_SOURCES = tests/command/test_study.c tests/workspace/run_fixture.c tests/workspace/run_fixture.h $(WORKSPACE_FIXTURE)
tests_command_test_study_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_study_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
endif
if HAVE_CMOCKA
check_PROGRAMS += tests/command/test_diff
TESTS += tests/command/test_diff
tests_command_test_diff_SOURCES = tests/command/test_diff.c $(WORKSPACE_FIXTURE)
tests_command_test_diff_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_diff_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_curve_names
TESTS += tests/command/test_curve_names
tests_command_test_curve_names_SOURCES = tests/command/test_curve_names.c
tests_command_test_curve_names_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_curve_names_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_keymap
TESTS += tests/command/test_keymap
tests_command_test_keymap_SOURCES = tests/command/test_keymap.c
tests_command_test_keymap_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_keymap_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_preferences
TESTS += tests/command/test_preferences
tests_command_test_preferences_SOURCES = tests/command/test_preferences.c
tests_command_test_preferences_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_preferences_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_run_log
TESTS += tests/command/test_run_log
tests_command_test_run_log_SOURCES = tests/command/test_run_log.c
tests_command_test_run_log_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_run_log_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_status
TESTS += tests/command/test_status
tests_command_test_status_SOURCES = tests/command/test_status.c
tests_command_test_status_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_status_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/command/test_people
TESTS += tests/command/test_people
tests_command_test_people_SOURCES = tests/command/test_people.c $(WORKSPACE_FIXTURE)
tests_command_test_people_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_people_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
endif
if HAVE_CMOCKA
check_PROGRAMS += tests/command/test_bug_report tests/command/test_triage_findings
TESTS += tests/command/test_bug_report tests/command/test_triage_findings
tests_command_test_bug_report_SOURCES = tests/command/test_bug_report.c
tests_command_test_bug_report_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_bug_report_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
tests_command_test_triage_findings_SOURCES = tests/command/test_triage_findings.c
tests_command_test_triage_findings_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_command_test_triage_findings_LDADD = $(COMMAND_LIBS) $(CMOCKA_LIBS)
endif
