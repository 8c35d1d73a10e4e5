# Files of tests/domain; see Makefile.am.
if HAVE_CMOCKA
domain_tests = tests/domain/test_level tests/domain/test_kind tests/domain/test_fold \
	tests/domain/test_fold_random tests/domain/test_configuration tests/domain/test_rule \
	tests/domain/test_cost tests/domain/test_goal_verdict \
	tests/domain/test_contract tests/domain/test_fold_goal
check_PROGRAMS += $(domain_tests)
TESTS += $(domain_tests)

tests_domain_test_level_SOURCES = tests/domain/test_level.c
tests_domain_test_level_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_level_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_goal_verdict_SOURCES = tests/domain/test_goal_verdict.c
tests_domain_test_goal_verdict_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_goal_verdict_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_fold_goal_SOURCES = tests/domain/test_fold_goal.c tests/domain/history.c \
	tests/domain/history.h
tests_domain_test_fold_goal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_fold_goal_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_kind_SOURCES = tests/domain/test_kind.c
tests_domain_test_kind_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_kind_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_fold_SOURCES = tests/domain/test_fold.c tests/domain/history.c tests/domain/history.h
tests_domain_test_fold_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_fold_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_fold_random_SOURCES = tests/domain/test_fold_random.c tests/domain/history.c \
	tests/domain/history.h
tests_domain_test_fold_random_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_fold_random_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_configuration_SOURCES = tests/domain/test_configuration.c
tests_domain_test_configuration_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_configuration_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_rule_SOURCES = tests/domain/test_rule.c
tests_domain_test_rule_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_rule_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_cost_SOURCES = tests/domain/test_cost.c
tests_domain_test_cost_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_cost_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

tests_domain_test_contract_SOURCES = tests/domain/test_contract.c
tests_domain_test_contract_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_contract_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/domain/test_agreement
TESTS += tests/domain/test_agreement
tests_domain_test_agreement_SOURCES = tests/domain/test_agreement.c
tests_domain_test_agreement_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_agreement_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/domain/test_chip_memory
TESTS += tests/domain/test_chip_memory
tests_domain_test_chip_memory_SOURCES = tests/domain/test_chip_memory.c
tests_domain_test_chip_memory_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_domain_test_chip_memory_LDADD = $(DOMAIN_LIBS) $(CMOCKA_LIBS)
endif
