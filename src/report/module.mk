# Files of src/report; see Makefile.am.
noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = \
	src/report/markdown.c src/report/markdown.h \
	src/report/page.c src/report/page.h \
	src/report/svg.c src/report/svg.h src/report/svg_charts.c src/report/svg_charts.h \
	src/report/svg_pane.c src/report/svg_pane.h \
	src/report/table.c src/report/table.h src/report/table_private.h \
	src/report/table_data.c \
	src/report/table_text.c \
	src/report/width.c src/report/width.h
