# Files of src/command; see Makefile.am.
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/attempt.c src/command/attempt.h \
	src/command/bundle.c \
	src/command/churn.c \
	src/command/config.c \
	src/command/curve_scene.c src/command/curve_scene.h \
	src/command/curves.c src/command/curves.h \
	src/command/demo.c \
	src/command/diff.c src/command/diff.h \
	src/command/diff_command.c src/command/diff_export.c \
	src/command/event.c \
	src/command/groups.h \
	src/command/init.c \
	src/command/journal.c src/command/journal.h \
	src/command/open.c src/command/open.h \
	src/command/operation.h src/command/operations.c \
	src/command/people.c \
	src/command/position.c src/command/position.h \
	src/command/program.c \
	src/command/run.c \
	src/command/scan.c src/command/scan.h \
	src/command/screen_operation.c src/command/screen_operation.h
