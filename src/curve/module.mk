# Files of src/curve; see Makefile.am.
noinst_LIBRARIES += libcurve.a
libcurve_a_SOURCES =
libcurve_a_SOURCES += src/curve/series.c src/curve/series.h src/curve/series_splice.c
libcurve_a_SOURCES += src/curve/health.c src/curve/health.h
libcurve_a_SOURCES += src/curve/reader.h src/curve/reader_source.h src/curve/run_files.h
