/*
 * settings_file - what a run was configured with: Hugging Face, accelerate, Lightning.
 *
 * Three formats: JSON objects (a model's config.json, training arguments, the settings
 * in a trainer_state.json), YAML of the plain kind (accelerate, hparams.yaml), and the
 * TrainingArguments that a Trainer's script prints into its log.  Nested names are
 * dotted, values stay as written; each item of a YAML list is a fact, its number the
 * group.  A value that its name or its shape gives away as a
 * secret is taken out.  What is beyond the plain forms (anchors, tags, block texts,
 * long lists) is counted as left out, not guessed.
 */
#ifndef PORTSIDE_EVIDENCE_SETTINGS_FILE_H
#define PORTSIDE_EVIDENCE_SETTINGS_FILE_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { SETTINGS_JSON_VERSION = 1, SETTINGS_YAML_VERSION = 1, SETTINGS_PRINTED_VERSION = 1 };
enum { SETTINGS_FILE_MAX = 16 * 1024 * 1024 };	/* bytes of a document */

bool settings_json_recognise(const struct evidence_source *source);
void settings_json_parse(struct evidence_facts *facts, const struct evidence_source *source);

bool settings_yaml_recognise(const struct evidence_source *source);
void settings_yaml_parse(struct evidence_facts *facts, const struct evidence_source *source);

bool settings_printed_recognise(const struct evidence_source *source);
void settings_printed_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
