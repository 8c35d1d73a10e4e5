# Files of tests/curve; see Makefile.am.

# The readers.
EXTRA_DIST += tests/curve/samples tests/curve/read_alike.h tests/curve/make_events.h tests/curve/dump_run.h \
	tests/curve/make_wandb.h tests/curve/read_wandb.h tests/curve/database_fixture.h
if HAVE_CMOCKA
check_PROGRAMS += tests/curve/test_reader_samples
TESTS += tests/curve/test_reader_samples
tests_curve_test_reader_samples_SOURCES = tests/curve/test_reader_samples.c
tests_curve_test_reader_samples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_samples_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_health
TESTS += tests/curve/test_health
tests_curve_test_health_SOURCES = tests/curve/test_health.c
tests_curve_test_health_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_health_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_databases
TESTS += tests/curve/test_databases
tests_curve_test_databases_SOURCES = tests/curve/test_databases.c tests/curve/database_fixture.h tests/curve/store_fixture.h
tests_curve_test_databases_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_databases_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_database_damage
TESTS += tests/curve/test_database_damage
tests_curve_test_database_damage_SOURCES = tests/curve/test_database_damage.c tests/curve/database_fixture.h
tests_curve_test_database_damage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_database_damage_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_folder_stores
TESTS += tests/curve/test_folder_stores
tests_curve_test_folder_stores_SOURCES = tests/curve/test_folder_stores.c tests/curve/store_fixture.h
tests_curve_test_folder_stores_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_folder_stores_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_predictions
TESTS += tests/curve/test_predictions
tests_curve_test_predictions_SOURCES = tests/curve/test_predictions.c tests/curve/store_fixture.h
tests_curve_test_predictions_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_predictions_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_run_table
TESTS += tests/curve/test_run_table
tests_curve_test_run_table_SOURCES = tests/curve/test_run_table.c
tests_curve_test_run_table_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_run_table_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_reader_growth
TESTS += tests/curve/test_reader_growth
tests_curve_test_reader_growth_SOURCES = tests/curve/test_reader_growth.c
tests_curve_test_reader_growth_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_growth_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_reader_numbers
TESTS += tests/curve/test_reader_numbers
tests_curve_test_reader_numbers_SOURCES = tests/curve/test_reader_numbers.c
tests_curve_test_reader_numbers_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_numbers_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_reader_shapes
TESTS += tests/curve/test_reader_shapes
tests_curve_test_reader_shapes_SOURCES = tests/curve/test_reader_shapes.c
tests_curve_test_reader_shapes_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_shapes_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_pattern_digits
TESTS += tests/curve/test_pattern_digits
tests_curve_test_pattern_digits_SOURCES = tests/curve/test_pattern_digits.c
tests_curve_test_pattern_digits_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_pattern_digits_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/curve/test_reader_layout
TESTS += tests/curve/test_reader_layout
tests_curve_test_reader_layout_SOURCES = tests/curve/test_reader_layout.c
tests_curve_test_reader_layout_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_layout_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_text_damage
TESTS += tests/curve/test_text_damage
tests_curve_test_text_damage_SOURCES = tests/curve/test_text_damage.c
tests_curve_test_text_damage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_text_damage_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_terminal_words
TESTS += tests/curve/test_terminal_words
tests_curve_test_terminal_words_SOURCES = tests/curve/test_terminal_words.c
tests_curve_test_terminal_words_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_terminal_words_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_packed
TESTS += tests/curve/test_packed
tests_curve_test_packed_SOURCES = tests/curve/test_packed.c
tests_curve_test_packed_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_packed_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_tfevents_plain
TESTS += tests/curve/test_tfevents_plain
tests_curve_test_tfevents_plain_SOURCES = tests/curve/test_tfevents_plain.c
tests_curve_test_tfevents_plain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_tfevents_plain_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_run_live
TESTS += tests/curve/test_run_live
tests_curve_test_run_live_SOURCES = tests/curve/test_run_live.c
tests_curve_test_run_live_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_run_live_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_run_cache
TESTS += tests/curve/test_run_cache
tests_curve_test_run_cache_SOURCES = tests/curve/test_run_cache.c
tests_curve_test_run_cache_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_run_cache_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_tfevents_pieces
TESTS += tests/curve/test_tfevents_pieces
tests_curve_test_tfevents_pieces_SOURCES = tests/curve/test_tfevents_pieces.c
tests_curve_test_tfevents_pieces_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_tfevents_pieces_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_wandb_damage
TESTS += tests/curve/test_wandb_damage
tests_curve_test_wandb_damage_SOURCES = tests/curve/test_wandb_damage.c tests/curve/read_wandb.h
tests_curve_test_wandb_damage_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_wandb_damage_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_wandb_runs
TESTS += tests/curve/test_wandb_runs
tests_curve_test_wandb_runs_SOURCES = tests/curve/test_wandb_runs.c tests/curve/read_wandb.h
tests_curve_test_wandb_runs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_wandb_runs_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_wandb
TESTS += tests/curve/test_wandb
tests_curve_test_wandb_SOURCES = tests/curve/test_wandb.c tests/curve/read_wandb.h
tests_curve_test_wandb_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_wandb_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_column
TESTS += tests/curve/test_column
tests_curve_test_column_SOURCES = tests/curve/test_column.c
tests_curve_test_column_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_column_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/curve/test_wandb_plain
TESTS += tests/curve/test_wandb_plain
tests_curve_test_wandb_plain_SOURCES = tests/curve/test_wandb_plain.c
tests_curve_test_wandb_plain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_wandb_plain_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_csv_plain
TESTS += tests/curve/test_csv_plain
tests_curve_test_csv_plain_SOURCES = tests/curve/test_csv_plain.c
tests_curve_test_csv_plain_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_csv_plain_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_log_stamp
TESTS += tests/curve/test_log_stamp
tests_curve_test_log_stamp_SOURCES = tests/curve/test_log_stamp.c
tests_curve_test_log_stamp_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_log_stamp_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/curve/test_reader_series
TESTS += tests/curve/test_reader_series
tests_curve_test_reader_series_SOURCES = tests/curve/test_reader_series.c
tests_curve_test_reader_series_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_reader_series_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
endif

# Comparing, drawing and statistics; the header makes their series.
EXTRA_DIST += tests/curve/make_series.h
if HAVE_CMOCKA
check_PROGRAMS += tests/curve/test_pyramid
TESTS += tests/curve/test_pyramid
check_PROGRAMS += tests/curve/test_smooth
TESTS += tests/curve/test_smooth
check_PROGRAMS += tests/curve/test_statistics
TESTS += tests/curve/test_statistics
check_PROGRAMS += tests/curve/test_align
TESTS += tests/curve/test_align
check_PROGRAMS += tests/curve/test_series_role
TESTS += tests/curve/test_series_role
check_PROGRAMS += tests/curve/test_compare
TESTS += tests/curve/test_compare
check_PROGRAMS += tests/curve/test_seeds
TESTS += tests/curve/test_seeds
check_PROGRAMS += tests/curve/test_compare_samples
TESTS += tests/curve/test_compare_samples
check_PROGRAMS += tests/curve/test_provenance_samples
TESTS += tests/curve/test_provenance_samples
check_PROGRAMS += tests/curve/test_assessment
TESTS += tests/curve/test_assessment
check_PROGRAMS += tests/curve/test_projection
TESTS += tests/curve/test_projection
check_PROGRAMS += tests/curve/test_comparable
TESTS += tests/curve/test_comparable
check_PROGRAMS += tests/curve/test_plot tests/curve/test_plot_lines tests/curve/test_name_filter
TESTS += tests/curve/test_plot tests/curve/test_plot_lines tests/curve/test_name_filter
check_PROGRAMS += tests/curve/test_export
TESTS += tests/curve/test_export
check_PROGRAMS += tests/curve/test_table
TESTS += tests/curve/test_table
tests_curve_test_pyramid_SOURCES = tests/curve/test_pyramid.c
tests_curve_test_pyramid_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_pyramid_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_smooth_SOURCES = tests/curve/test_smooth.c
tests_curve_test_smooth_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_smooth_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_statistics_SOURCES = tests/curve/test_statistics.c
tests_curve_test_statistics_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_statistics_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_series_role_SOURCES = tests/curve/test_series_role.c
tests_curve_test_series_role_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_series_role_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_align_SOURCES = tests/curve/test_align.c
tests_curve_test_align_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_align_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_compare_SOURCES = tests/curve/test_compare.c
tests_curve_test_compare_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_compare_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_seeds_SOURCES = tests/curve/test_seeds.c
tests_curve_test_seeds_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_seeds_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_provenance_samples_SOURCES = tests/curve/test_provenance_samples.c
tests_curve_test_provenance_samples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_provenance_samples_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_compare_samples_SOURCES = tests/curve/test_compare_samples.c
tests_curve_test_compare_samples_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_compare_samples_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_assessment_SOURCES = tests/curve/test_assessment.c
tests_curve_test_assessment_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_assessment_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_projection_SOURCES = tests/curve/test_projection.c
tests_curve_test_projection_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_projection_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_comparable_SOURCES = tests/curve/test_comparable.c
tests_curve_test_comparable_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_comparable_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_plot_lines_SOURCES = tests/curve/test_plot_lines.c
tests_curve_test_plot_lines_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_plot_lines_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_name_filter_SOURCES = tests/curve/test_name_filter.c
tests_curve_test_name_filter_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_name_filter_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_plot_SOURCES = tests/curve/test_plot.c
tests_curve_test_plot_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_plot_LDADD = $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_export_SOURCES = tests/curve/test_export.c
tests_curve_test_export_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_export_LDADD = libreport.a $(CURVE_LIBS) $(CMOCKA_LIBS)
tests_curve_test_table_SOURCES = tests/curve/test_table.c
tests_curve_test_table_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_curve_test_table_LDADD = libreport.a $(CURVE_LIBS) $(CMOCKA_LIBS)
endif
