# Files of src/evidence; see Makefile.am.
noinst_LIBRARIES += libevidence.a
libevidence_a_SOURCES =
libevidence_a_SOURCES += src/evidence/evidence_fact_name.c src/evidence/evidence_fact_name.h
libevidence_a_SOURCES += src/evidence/evidence_facts.c src/evidence/evidence_facts.h
libevidence_a_SOURCES += src/evidence/evidence_format.c src/evidence/evidence_format.h
libevidence_a_SOURCES += src/evidence/evidence_lines.c src/evidence/evidence_lines.h
libevidence_a_SOURCES += src/evidence/xla_duration.c src/evidence/xla_duration.h
libevidence_a_SOURCES += src/evidence/xla_metrics.c src/evidence/xla_metrics.h src/evidence/xla_metrics_facts.c
libevidence_a_SOURCES += src/evidence/xla_metrics_private.h
libevidence_a_SOURCES += src/evidence/static_hits.c
libevidence_a_SOURCES += src/evidence/static_scan.c src/evidence/static_scan.h
