# Files of src/store; see Makefile.am.
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES =
libstore_a_SOURCES += src/store/blob.c src/store/blob.h
libstore_a_SOURCES += src/store/database.c src/store/database.h
libstore_a_SOURCES += src/store/database_schema.c
libstore_a_SOURCES += src/store/log.c src/store/log.h src/store/log_internal.h
libstore_a_SOURCES += src/store/log_foreign.c
libstore_a_SOURCES += src/store/log_read.c
libstore_a_SOURCES += src/store/projection.c src/store/projection.h
libstore_a_SOURCES += src/store/projection_read.c
libstore_a_SOURCES += src/store/replica.c src/store/replica.h
