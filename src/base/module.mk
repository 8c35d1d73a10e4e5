# Files of src/base; see Makefile.am.
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	src/base/buf.c src/base/buf.h \
	src/base/bytes.h \
	src/base/check_result.h \
	src/base/clock.c src/base/clock.h \
	src/base/conf.c src/base/conf.h \
	src/base/err.c src/base/err.h \
	src/base/event.c src/base/event.h \
	src/base/expr.c src/base/expr.h \
	src/base/expr_eval.c src/base/expr_print.c src/base/expr_private.h \
	src/base/fs.c src/base/fs.h \
	src/base/hash.c src/base/hash.h \
	src/base/json.c src/base/json.h src/base/json_span.h src/base/json_write.c \
	src/base/json_build.c src/base/json_build.h \
	src/base/library.c src/base/library.h \
	src/base/line_pattern.c src/base/line_pattern.h \
	src/base/mem.c src/base/mem.h \
	src/base/pattern.c src/base/pattern.h \
	src/base/program_run.c src/base/program_run.h \
	src/base/redact.c src/base/redact.h \
	src/base/spawn.c src/base/spawn.h \
	src/base/text.c src/base/text.h src/base/number.c \
	src/base/text_pattern.c src/base/text_pattern.h \
	src/base/units.c src/base/units.h
