# Files of src/workspace; see Makefile.am.
noinst_LIBRARIES += libworkspace.a
libworkspace_a_SOURCES = \
	src/workspace/accepted.c src/workspace/accepted.h \
	src/workspace/actor.c src/workspace/actor.h \
	src/workspace/bundle.c src/workspace/bundle.h \
	src/workspace/place.c src/workspace/place.h \
	src/workspace/projector.c src/workspace/projector.h \
	src/workspace/record.c \
	src/workspace/state.c src/workspace/state.h \
	src/workspace/user_config.c src/workspace/user_config.h \
	src/workspace/workspace.c src/workspace/workspace.h
