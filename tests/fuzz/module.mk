# Files of tests/fuzz; see Makefile.am.
if FUZZING
noinst_PROGRAMS += tests/fuzz/fuzz_event
tests_fuzz_fuzz_event_SOURCES = tests/fuzz/fuzz_event.c
tests_fuzz_fuzz_event_LDADD = $(STORE_LIBS)
tests_fuzz_fuzz_event_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif
EXTRA_DIST += tests/fuzz/corpus_event/event tests/fuzz/corpus_event/segment

# The readers of curve files; the corpus of each is beside it.
EXTRA_DIST += tests/fuzz/fuzz_reader.h tests/fuzz/corpus_tfevents tests/fuzz/corpus_jsonl tests/fuzz/corpus_csv \
	tests/fuzz/corpus_terminal tests/fuzz/corpus_trainer_state
EXTRA_DIST += tests/fuzz/corpus_wandb
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_tfevents tests/fuzz/fuzz_jsonl tests/fuzz/fuzz_csv tests/fuzz/fuzz_terminal \
	tests/fuzz/fuzz_trainer_state
tests_fuzz_fuzz_tfevents_SOURCES = tests/fuzz/fuzz_tfevents.c
tests_fuzz_fuzz_tfevents_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_tfevents_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_jsonl_SOURCES = tests/fuzz/fuzz_jsonl.c
tests_fuzz_fuzz_jsonl_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_jsonl_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_csv_SOURCES = tests/fuzz/fuzz_csv.c
tests_fuzz_fuzz_csv_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_csv_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_terminal_SOURCES = tests/fuzz/fuzz_terminal.c
tests_fuzz_fuzz_terminal_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_terminal_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_trainer_state_SOURCES = tests/fuzz/fuzz_trainer_state.c
tests_fuzz_fuzz_trainer_state_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_trainer_state_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
check_PROGRAMS += tests/fuzz/fuzz_wandb
tests_fuzz_fuzz_wandb_SOURCES = tests/fuzz/fuzz_wandb.c
tests_fuzz_fuzz_wandb_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_wandb_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# Predictions, and what trackers write in folders and databases.
EXTRA_DIST += tests/fuzz/corpus_predictions tests/fuzz/corpus_store_lines tests/fuzz/corpus_database
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_predictions tests/fuzz/fuzz_store_lines tests/fuzz/fuzz_database
tests_fuzz_fuzz_predictions_SOURCES = tests/fuzz/fuzz_predictions.c
tests_fuzz_fuzz_predictions_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_predictions_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_store_lines_SOURCES = tests/fuzz/fuzz_store_lines.c
tests_fuzz_fuzz_store_lines_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_store_lines_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_database_SOURCES = tests/fuzz/fuzz_database.c
tests_fuzz_fuzz_database_LDADD = $(CURVE_LIBS)
tests_fuzz_fuzz_database_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# Files that tell facts.
EXTRA_DIST += tests/fuzz/corpus_evidence
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_evidence
tests_fuzz_fuzz_evidence_SOURCES = tests/fuzz/fuzz_evidence.c
tests_fuzz_fuzz_evidence_LDADD = $(EVIDENCE_LIBS)
tests_fuzz_fuzz_evidence_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# Logs of runs, for triage.
EXTRA_DIST += tests/fuzz/corpus_log_scan
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_log_scan
tests_fuzz_fuzz_log_scan_SOURCES = tests/fuzz/fuzz_log_scan.c
tests_fuzz_fuzz_log_scan_LDADD = $(EVIDENCE_LIBS)
tests_fuzz_fuzz_log_scan_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# Files of tensors: headers, archives, and values beside themselves.
EXTRA_DIST += tests/fuzz/corpus_tensors
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_tensors
tests_fuzz_fuzz_tensors_SOURCES = tests/fuzz/fuzz_tensors.c
tests_fuzz_fuzz_tensors_LDADD = $(EVIDENCE_LIBS)
tests_fuzz_fuzz_tensors_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# The contract, and outputs that are held against it.
EXTRA_DIST += tests/fuzz/corpus_contract
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_contract
tests_fuzz_fuzz_contract_SOURCES = tests/fuzz/fuzz_contract.c
tests_fuzz_fuzz_contract_LDADD = $(WORKSPACE_LIBS)
tests_fuzz_fuzz_contract_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif

# Signatures of a portside.conf, and what the silent rules are asked about.
EXTRA_DIST += tests/fuzz/corpus_signature tests/fuzz/corpus_silent_rule
if FUZZING
check_PROGRAMS += tests/fuzz/fuzz_signature tests/fuzz/fuzz_silent_rule
tests_fuzz_fuzz_signature_SOURCES = tests/fuzz/fuzz_signature.c
tests_fuzz_fuzz_signature_LDADD = $(WORKSPACE_LIBS)
tests_fuzz_fuzz_signature_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
tests_fuzz_fuzz_silent_rule_SOURCES = tests/fuzz/fuzz_silent_rule.c
tests_fuzz_fuzz_silent_rule_LDADD = $(EVIDENCE_LIBS)
tests_fuzz_fuzz_silent_rule_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
endif
