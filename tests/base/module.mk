# Files of tests/base; see Makefile.am.
if HAVE_CMOCKA
BASE_TESTS = tests/base/test_bytes tests/base/test_event tests/base/test_expr tests/base/test_files \
	tests/base/test_json tests/base/test_mem tests/base/test_text tests/base/test_units
check_PROGRAMS += $(BASE_TESTS)
TESTS += $(BASE_TESTS)
tests_base_test_bytes_SOURCES = tests/base/test_bytes.c
tests_base_test_bytes_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_bytes_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_event_SOURCES = tests/base/test_event.c
tests_base_test_event_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_event_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_expr_SOURCES = tests/base/test_expr.c
tests_base_test_expr_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_expr_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_files_SOURCES = tests/base/test_files.c
tests_base_test_files_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_files_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_json_SOURCES = tests/base/test_json.c
tests_base_test_json_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_json_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_mem_SOURCES = tests/base/test_mem.c
tests_base_test_mem_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_mem_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_text_SOURCES = tests/base/test_text.c
tests_base_test_text_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_text_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_base_test_units_SOURCES = tests/base/test_units.c
tests_base_test_units_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_units_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/base/test_program_run
TESTS += tests/base/test_program_run
tests_base_test_program_run_SOURCES = tests/base/test_program_run.c
tests_base_test_program_run_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_base_test_program_run_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
endif
if HAVE_CJSON
check_PROGRAMS += tests/base/test_json_peer
TESTS += tests/base/test_json_peer
tests_base_test_json_peer_SOURCES = tests/base/test_json_peer.c
tests_base_test_json_peer_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(CJSON_CFLAGS)
tests_base_test_json_peer_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS) $(CJSON_LIBS)
endif
EXTRA_DIST += tests/unit.h
