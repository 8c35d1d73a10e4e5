# Files of src/command; see Makefile.am.
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/attempt.c src/command/attempt.h \
	src/command/attempt_detail.c src/command/attempt_detail.h \
	src/command/brief.c \
	src/command/bug_report.c src/command/bug_report.h \
	src/command/bundle.c \
	src/command/candidates.c src/command/candidates.h \
	src/command/check.c src/command/check_set.c src/command/check_set.h \
	src/command/checks.c src/command/checks.h src/command/checks_next.c src/command/checks_contract.c src/command/checks_run.c \
	src/command/checks_private.h \
	src/command/churn.c \
	src/command/compare.c src/command/compare.h src/command/compare_several.c \
	src/command/config.c src/command/config_facts.h \
	src/command/feasibility.c src/command/contract.c src/command/contract_export.c src/command/contract_export.h \
	src/command/curve_chart.c src/command/curve_chart.h src/command/curve_names.c \
	src/command/curve_picture.c src/command/curve_picture.h \
	src/command/curve_scene.c src/command/curve_scene.h src/command/curve_scene_open.c \
	src/command/curves.c \
	src/command/decision.c src/command/decision.h src/command/decision_facts.c \
	src/command/decision_gap.c src/command/decision_once.c src/command/decision_private.h \
	src/command/decision_rule.c src/command/decision_words.c \
	src/command/demo.c \
	src/command/diff.c src/command/diff.h \
	src/command/diff_command.c src/command/diff_export.c \
	src/command/doctor.c \
	src/command/event.c \
	src/command/evidence.c src/command/evidence_run.c src/command/evidence_run.h \
	src/command/groups.h \
	src/command/import.c \
	src/command/init.c \
	src/command/journal.c src/command/journal.h \
	src/command/journal_words.c src/command/journal_words.h \
	src/command/live_run.c src/command/live_run.h \
	src/command/need.c src/command/need.h \
	src/command/key.c src/command/key.h \
	src/command/keymap.c src/command/keymap.h \
	src/command/open.c src/command/open.h \
	src/command/operation.h src/command/operations.c \
	src/command/people.c src/command/people.h \
	src/command/people_time.c src/command/people_time.h \
	src/command/goal_text.c src/command/goal_text.h \
	src/command/rules.c src/command/rules.h \
	src/command/strike.c src/command/strike.h \
	src/command/people_facts.c src/command/people_facts.h \
	src/command/position.c src/command/position.h \
	src/command/preferences.c src/command/preferences.h \
	src/command/program.c \
	src/command/rules_calibrate.c \
	src/command/run.c src/command/run_call.h \
	src/command/run_columns.c src/command/run_columns.h \
	src/command/run_detail.c src/command/run_detail.h \
	src/command/run_difference.c src/command/run_difference.h src/command/run_inputs.c \
	src/command/run_list.c \
	src/command/run_log.c src/command/run_log.h \
	src/command/run_doubts.c src/command/run_doubts.h \
	src/command/run_offer.c src/command/run_offer.h \
	src/command/run_rows.c src/command/run_rows.h \
	src/command/run_table.c src/command/run_tail.c \
	src/command/recover.c \
	src/command/withhold.c \
	src/command/recent.c src/command/recent.h \
	src/command/report.c src/command/report_people.c src/command/report_section.h \
	src/command/report_proof.c \
	src/command/study.c src/command/study.h \
	src/command/study_command.c \
	src/command/scan.c src/command/scan.h \
	src/command/screen_operation.c src/command/screen_operation.h \
	src/command/since.c src/command/since.h \
	src/command/status.c src/command/status.h src/command/status_command.c \
	src/command/tensors.c src/command/tensors_table.c src/command/tensors_table.h \
	src/command/triage_beside.c src/command/triage_beside.h \
	src/command/silent.c src/command/silent.h \
	src/command/triage.c src/command/triage.h src/command/triage_command.c \
	src/command/triage_place.c src/command/triage_place.h \
	src/command/triage_subject.c src/command/triage_subject.h \
	src/command/triage_findings.c src/command/triage_findings.h \
	src/command/upkeep.c src/command/upkeep.h
