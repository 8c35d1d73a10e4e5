# Files of tests/evidence; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/evidence/test_static_order
TESTS += tests/evidence/test_static_order
tests_evidence_test_static_order_SOURCES = tests/evidence/test_static_order.c
tests_evidence_test_static_order_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_static_order_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_package_pins
TESTS += tests/evidence/test_package_pins
tests_evidence_test_package_pins_SOURCES = tests/evidence/test_package_pins.c
tests_evidence_test_package_pins_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_package_pins_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_static_scan
TESTS += tests/evidence/test_static_scan
tests_evidence_test_static_scan_SOURCES = tests/evidence/test_static_scan.c
tests_evidence_test_static_scan_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_static_scan_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_evidence_samples
TESTS += tests/evidence/test_evidence_samples
tests_evidence_test_evidence_samples_SOURCES = tests/evidence/test_evidence_samples.c
tests_evidence_test_evidence_samples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_evidence_samples_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_packages
TESTS += tests/evidence/test_packages
tests_evidence_test_packages_SOURCES = tests/evidence/test_packages.c
tests_evidence_test_packages_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_packages_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_silent_rule
TESTS += tests/evidence/test_silent_rule
tests_evidence_test_silent_rule_SOURCES = tests/evidence/test_silent_rule.c tests/evidence/simulator.c tests/evidence/simulator.h
tests_evidence_test_silent_rule_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_silent_rule_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_run_signal
TESTS += tests/evidence/test_run_signal
tests_evidence_test_run_signal_SOURCES = tests/evidence/test_run_signal.c
tests_evidence_test_run_signal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_run_signal_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_evidence_format
TESTS += tests/evidence/test_evidence_format
tests_evidence_test_evidence_format_SOURCES = tests/evidence/test_evidence_format.c
tests_evidence_test_evidence_format_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_evidence_format_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_xla_duration
TESTS += tests/evidence/test_xla_duration
tests_evidence_test_xla_duration_SOURCES = tests/evidence/test_xla_duration.c
tests_evidence_test_xla_duration_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_xla_duration_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_signature
TESTS += tests/evidence/test_signature
tests_evidence_test_signature_SOURCES = tests/evidence/test_signature.c tests/evidence/triage_data.h
tests_evidence_test_signature_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_signature_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_log_clean
TESTS += tests/evidence/test_log_clean
tests_evidence_test_log_clean_SOURCES = tests/evidence/test_log_clean.c
tests_evidence_test_log_clean_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_log_clean_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/evidence/test_log_scan
TESTS += tests/evidence/test_log_scan
tests_evidence_test_log_scan_SOURCES = tests/evidence/test_log_scan.c tests/evidence/triage_data.h
tests_evidence_test_log_scan_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_log_scan_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_triage
TESTS += tests/evidence/test_triage
tests_evidence_test_triage_SOURCES = tests/evidence/test_triage.c tests/evidence/triage_data.h
tests_evidence_test_triage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_triage_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/evidence/samples
EXTRA_DIST += tests/evidence/triage

# Files of tensors, and what two of them differ by.
if HAVE_CMOCKA
check_PROGRAMS += tests/evidence/test_tensor_compare tests/evidence/test_tensor_files tests/evidence/test_tensor_pairs
TESTS += tests/evidence/test_tensor_compare tests/evidence/test_tensor_files tests/evidence/test_tensor_pairs
tests_evidence_test_tensor_compare_SOURCES = tests/evidence/test_tensor_compare.c tests/evidence/tensor_make.h
tests_evidence_test_tensor_compare_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_tensor_compare_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
tests_evidence_test_tensor_files_SOURCES = tests/evidence/test_tensor_files.c tests/evidence/tensor_make.h
tests_evidence_test_tensor_files_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_tensor_files_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
tests_evidence_test_tensor_pairs_SOURCES = tests/evidence/test_tensor_pairs.c tests/evidence/tensor_make.h
tests_evidence_test_tensor_pairs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_tensor_pairs_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_probe_check
TESTS += tests/evidence/test_probe_check
tests_evidence_test_probe_check_SOURCES = tests/evidence/test_probe_check.c
tests_evidence_test_probe_check_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_probe_check_LDADD = $(DOMAIN_LIBS) $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/evidence/test_check_join
TESTS += tests/evidence/test_check_join
tests_evidence_test_check_join_SOURCES = tests/evidence/test_check_join.c
tests_evidence_test_check_join_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_check_join_LDADD = $(DOMAIN_LIBS) $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
endif
