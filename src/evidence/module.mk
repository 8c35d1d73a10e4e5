# Files of src/evidence; see Makefile.am.
noinst_LIBRARIES += libevidence.a
libevidence_a_SOURCES =
libevidence_a_SOURCES += src/evidence/log_clean.c src/evidence/log_clean.h src/evidence/log_clean_numbers.c
libevidence_a_SOURCES += src/evidence/log_scan.c src/evidence/log_scan.h src/evidence/log_scan_private.h
libevidence_a_SOURCES += src/evidence/log_scan_fact.c src/evidence/log_scan_findings.c
libevidence_a_SOURCES += src/evidence/log_scan_segment.c
libevidence_a_SOURCES += src/evidence/log_scan_words.c src/evidence/log_scan_words.h
libevidence_a_SOURCES += src/evidence/signature.c src/evidence/signature.h src/evidence/signature_private.h
libevidence_a_SOURCES += src/evidence/signature_match.c src/evidence/signature_rule.c
libevidence_a_SOURCES += src/evidence/signature_word.c src/evidence/signature_word.h
libevidence_a_SOURCES += src/evidence/static_hits.c
libevidence_a_SOURCES += src/evidence/static_scan.c src/evidence/static_scan.h
