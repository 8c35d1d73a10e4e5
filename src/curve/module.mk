# Files of src/curve; see Makefile.am.
noinst_LIBRARIES += libcurve.a
libcurve_a_SOURCES =
libcurve_a_SOURCES += src/curve/series.c src/curve/series.h src/curve/series_splice.c
libcurve_a_SOURCES += src/curve/health.c src/curve/health.h
libcurve_a_SOURCES += src/curve/reader.h src/curve/reader_source.h src/curve/run_files.h
libcurve_a_SOURCES += src/curve/pyramid.c src/curve/pyramid.h
libcurve_a_SOURCES += src/curve/smooth.c src/curve/smooth.h
libcurve_a_SOURCES += src/curve/align.c src/curve/align.h src/curve/align_axis.c
libcurve_a_SOURCES += src/curve/compare.c src/curve/compare.h src/curve/compare_private.h
libcurve_a_SOURCES += src/curve/compare_sigma.c src/curve/compare_text.c
libcurve_a_SOURCES += src/curve/gap.c src/curve/gap.h
libcurve_a_SOURCES += src/curve/comparable.c src/curve/comparable.h
libcurve_a_SOURCES += src/curve/provenance.c src/curve/provenance.h src/curve/provenance_private.h
libcurve_a_SOURCES += src/curve/provenance_run.c
libcurve_a_SOURCES += src/curve/statistics.c src/curve/statistics.h src/curve/statistics_sample.c
libcurve_a_SOURCES += src/curve/seeds.c src/curve/seeds.h
libcurve_a_SOURCES += src/curve/projection.c src/curve/projection.h
