# Files of src/launch; see Makefile.am.
noinst_LIBRARIES += liblaunch.a
liblaunch_a_SOURCES = \
	src/launch/capture.c src/launch/capture.h \
	src/launch/child.c src/launch/child.h \
	src/launch/end_marker.c src/launch/end_marker.h \
	src/launch/environment.c src/launch/environment.h \
	src/launch/forward.c \
	src/launch/launch.c src/launch/launch.h \
	src/launch/launcher.c src/launch/launcher.h \
	src/launch/launcher_answer.c src/launch/launcher_answer.h \
	src/launch/launcher_command.c src/launch/launcher_command.h \
	src/launch/launcher_file.c src/launch/launcher_file.h \
	src/launch/launcher_local.c \
	src/launch/launcher_pattern.c src/launch/launcher_pattern.h \
	src/launch/launcher_values.c src/launch/launcher_values.h \
	src/launch/payload.c src/launch/payload.h \
	src/launch/process.c src/launch/process.h \
	src/launch/remote_host.c src/launch/remote_host.h \
	src/launch/remote_mirror.c src/launch/remote_mirror.h \
	src/launch/run_directory.c src/launch/run_directory.h \
	src/launch/run_id.c src/launch/run_id.h \
	src/launch/run_phase.c src/launch/run_phase.h \
	src/launch/run_spec.c src/launch/run_spec.h \
	src/launch/status.c src/launch/status.h \
	src/launch/stop.c src/launch/stop.h \
	src/launch/supervision.c src/launch/supervision.h \
	src/launch/supervisor.c src/launch/supervisor.h \
	src/launch/template.c src/launch/template.h \
	src/launch/verdict.c src/launch/verdict.h \
	src/launch/watch.c src/launch/watch.h
