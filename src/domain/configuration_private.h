/*
 * configuration_private - what the files of configuration share: the reader, its
 * mistakes, and one value put where its key says.
 *
 * Nobody else includes it.
 */
#ifndef PORTSIDE_DOMAIN_CONFIGURATION_PRIVATE_H
#define PORTSIDE_DOMAIN_CONFIGURATION_PRIVATE_H

#include "domain/configuration.h"

/* A rule as its section is read: it is made when all goals are known. */
struct rule_draft { const char *name, *when, *precondition; int action, class, line; };

struct config_reader {
	struct config *c;
	size_t goals_cap, targets_cap, runs_cap, curves_cap, patterns_cap, declared_cap,
		packages_cap, signatures_cap, errors_cap;
	struct rule_draft *drafts;
	size_t drafts_n, drafts_cap;
	const struct conf *conf;
};

/* WHERE is "goal.accuracy.margin". */
void config_add_error(struct config_reader *r, int line, const char *where, const char *text);
void config_entry_error(struct config_reader *r, const struct conf_entry *e, const char *text);
void config_value_error(
	struct config_reader *r, const struct config_key *key, const struct conf_entry *e);

/* Stores VALUE where KEY says in its section's struct; false when it is not of
 * its type. */
bool config_take_value(
	struct config_reader *r, const struct config_key *key, const char *value, void *section);
bool config_take_word(const struct config_key *key, const char *value, int *out);

/* What no key says alone: required keys, names of targets, goals, rules. */
void config_check(struct config_reader *r);

#endif
