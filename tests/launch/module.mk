# Files of tests/launch; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/launch/supervise
tests_launch_supervise_SOURCES = tests/launch/supervise_main.c
tests_launch_supervise_LDADD = $(LAUNCH_LIBS)

launch_fixture = tests/launch/fixture.c tests/launch/fixture.h
launch_test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
launch_test_libs = $(LAUNCH_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/launch/test_supervisor
TESTS += tests/launch/test_supervisor
tests_launch_test_supervisor_SOURCES = tests/launch/test_supervisor.c $(launch_fixture)
tests_launch_test_supervisor_CFLAGS = $(launch_test_cflags)
tests_launch_test_supervisor_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_record
TESTS += tests/launch/test_record
tests_launch_test_record_SOURCES = tests/launch/test_record.c $(launch_fixture)
tests_launch_test_record_CFLAGS = $(launch_test_cflags)
tests_launch_test_record_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_secret
TESTS += tests/launch/test_secret
tests_launch_test_secret_SOURCES = tests/launch/test_secret.c $(launch_fixture)
tests_launch_test_secret_CFLAGS = $(launch_test_cflags)
tests_launch_test_secret_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_launcher
TESTS += tests/launch/test_launcher
tests_launch_test_launcher_SOURCES = tests/launch/test_launcher.c
tests_launch_test_launcher_CFLAGS = $(launch_test_cflags)
tests_launch_test_launcher_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_launcher_file
TESTS += tests/launch/test_launcher_file
tests_launch_test_launcher_file_SOURCES = tests/launch/test_launcher_file.c
tests_launch_test_launcher_file_CFLAGS = $(launch_test_cflags)
tests_launch_test_launcher_file_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_remote_host
TESTS += tests/launch/test_remote_host
tests_launch_test_remote_host_SOURCES = tests/launch/test_remote_host.c
tests_launch_test_remote_host_CFLAGS = $(launch_test_cflags)
tests_launch_test_remote_host_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_remote_mirror
TESTS += tests/launch/test_remote_mirror
tests_launch_test_remote_mirror_SOURCES = tests/launch/test_remote_mirror.c
tests_launch_test_remote_mirror_CFLAGS = $(launch_test_cflags)
tests_launch_test_remote_mirror_LDADD = $(launch_test_libs)

check_PROGRAMS += tests/launch/test_log
TESTS += tests/launch/test_log
tests_launch_test_log_SOURCES = tests/launch/test_log.c $(launch_fixture)
tests_launch_test_log_CFLAGS = $(launch_test_cflags)
tests_launch_test_log_LDADD = $(launch_test_libs)
endif
TESTS += tests/launch/remote_script.sh
EXTRA_DIST += tests/launch/remote_script.sh tests/launch/sshd.sh
