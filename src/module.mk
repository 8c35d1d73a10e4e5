# The program itself; see Makefile.am.
bin_PROGRAMS += portside
portside_SOURCES = src/main.c
portside_LDADD = libcli.a $(UI_LIBS)
