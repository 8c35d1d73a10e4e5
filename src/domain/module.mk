# Files of src/domain; see Makefile.am.
noinst_LIBRARIES += libdomain.a
libdomain_a_SOURCES = \
	src/domain/accepted_difference.h \
	src/domain/agreement.c src/domain/agreement.h \
	src/domain/authority.c src/domain/authority.h \
	src/domain/cause.c src/domain/cause.h \
	src/domain/check.c src/domain/check.h \
	src/domain/chip_memory.c src/domain/chip_memory.h \
	src/domain/choice.h \
	src/domain/codec.c src/domain/codec.h \
	src/domain/configuration.c src/domain/configuration.h \
	src/domain/configuration_check.c src/domain/configuration_difference.c \
	src/domain/configuration_key.c src/domain/configuration_private.h \
	src/domain/configuration_value.c \
	src/domain/contract.c src/domain/contract.h src/domain/contract_case.c \
	src/domain/contract_difference.c src/domain/contract_private.h \
	src/domain/cost.c src/domain/cost.h \
	src/domain/fold.c src/domain/fold.h src/domain/fold_attempt.c src/domain/fold_goal.c \
	src/domain/fold_migration.c src/domain/fold_other.c src/domain/fold_run.c \
	src/domain/fold_work.c src/domain/fold_work.h \
	src/domain/goal_verdict.c src/domain/goal_verdict.h \
	src/domain/kind.c src/domain/kind.h src/domain/kind_table.c \
	src/domain/level.c src/domain/level.h \
	src/domain/measure.c src/domain/measure.h \
	src/domain/object.c src/domain/object.h src/domain/object_shape.c \
	src/domain/rule.c src/domain/rule.h \
	src/domain/study.c src/domain/study.h \
	src/domain/verdict.c src/domain/verdict.h \
	src/domain/vocabulary.c src/domain/vocabulary.h
