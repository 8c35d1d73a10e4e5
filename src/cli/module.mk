# Files of src/cli; see Makefile.am.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = \
	src/cli/cli.c src/cli/cli.h \
	src/cli/completion.c src/cli/completion.h \
	src/cli/help.c src/cli/help.h \
	src/cli/output.c src/cli/output.h
