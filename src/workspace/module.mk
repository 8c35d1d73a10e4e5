# Files of src/workspace; see Makefile.am.
noinst_LIBRARIES += libworkspace.a
libworkspace_a_SOURCES = \
	src/workspace/accept_file.c src/workspace/accept_file.h \
	src/workspace/accept_once.c src/workspace/accept_once.h \
	src/workspace/accepted.c src/workspace/accepted.h \
	src/workspace/actor.c src/workspace/actor.h \
	src/workspace/bundle.c src/workspace/bundle.h \
	src/workspace/bundle_code.c src/workspace/bundle_code.h \
	src/workspace/bundle_format.h src/workspace/bundle_read.c \
	src/workspace/bundle_runs.c src/workspace/bundle_stream.c src/workspace/bundle_writer.h \
	src/workspace/changes.c src/workspace/changes.h \
	src/workspace/changes_list.c src/workspace/changes_list.h \
	src/workspace/check_record.c src/workspace/check_record.h \
	src/workspace/checkpoint.c src/workspace/checkpoint.h \
	src/workspace/comparison.c src/workspace/comparison.h \
	src/workspace/comparison_assess.c \
	src/workspace/comparison_metric.c src/workspace/comparison_runs.c \
	src/workspace/comparison_words.c src/workspace/comparison_words.h \
	src/workspace/demo.c src/workspace/demo.h \
	src/workspace/demo_repository.c src/workspace/demo_repository.h \
	src/workspace/demo_runs.c src/workspace/demo_runs.h \
	src/workspace/demo_story.c src/workspace/demo_story.h \
	src/workspace/discover.c src/workspace/discover.h \
	src/workspace/doctor.c src/workspace/doctor.h src/workspace/doctor_list.h \
	src/workspace/doctor_machine.c \
	src/workspace/error_text.c src/workspace/error_text.h \
	src/workspace/import.c src/workspace/import.h src/workspace/import_private.h \
	src/workspace/import_gather.c src/workspace/import_keep.c \
	src/workspace/import_store.c \
	src/workspace/goal_checks.c src/workspace/goal_checks.h \
	src/workspace/goal_measure.c src/workspace/goal_measure.h \
	src/workspace/init.c src/workspace/init.h \
	src/workspace/init_command.c src/workspace/init_command.h \
	src/workspace/init_look.c src/workspace/init_look.h \
	src/workspace/init_metric.c src/workspace/init_metric.h \
	src/workspace/performance_checks.c src/workspace/performance_checks.h \
	src/workspace/place.c src/workspace/place.h \
	src/workspace/projector.c src/workspace/projector.h \
	src/workspace/reconcile.c src/workspace/reconcile.h \
	src/workspace/record.c \
	src/workspace/rule_curves.c src/workspace/rule_curves.h \
	src/workspace/rule_features.c src/workspace/rule_features.h \
	src/workspace/rule_noise.c src/workspace/rule_noise.h \
	src/workspace/run_begin.c src/workspace/run_begin.h \
	src/workspace/run_checkout.c src/workspace/run_checkout.h \
	src/workspace/run_checks.c src/workspace/run_checks.h src/workspace/run_checks_ask.c \
	src/workspace/run_checks_private.h src/workspace/run_checks_side.c \
	src/workspace/run_evidence.c src/workspace/run_evidence.h \
	src/workspace/facts_record.c src/workspace/facts_record.h \
	src/workspace/import_evidence.c \
	src/workspace/known_versions.c src/workspace/known_versions.h \
	src/workspace/run_silent.c src/workspace/run_silent.h src/workspace/run_silent_private.h \
	src/workspace/run_silent_series.c \
	src/workspace/run_parsed.c src/workspace/run_parsed.h \
	src/workspace/run_probe.c src/workspace/run_probe.h \
	src/workspace/run_facts.c src/workspace/run_facts.h src/workspace/run_facts_settings.c \
	src/workspace/run_gate.c \
	src/workspace/run_hold.c src/workspace/run_hold.h \
	src/workspace/run_predictions.c src/workspace/run_predictions.h \
	src/workspace/run_record.c src/workspace/run_record.h \
	src/workspace/run_results.c src/workspace/run_results.h \
	src/workspace/run_start.c src/workspace/run_start.h \
	src/workspace/run_summary.c src/workspace/run_summary.h \
	src/workspace/run_wrap.c \
	src/workspace/scan.c src/workspace/scan.h \
	src/workspace/signature_sources.c src/workspace/signature_sources.h \
	src/workspace/state.c src/workspace/state.h \
	src/workspace/stop_alarms.c \
	src/workspace/stop_rules.c src/workspace/stop_rules.h \
	src/workspace/upkeep.c src/workspace/upkeep.h \
	src/workspace/user_config.c src/workspace/user_config.h \
	src/workspace/workspace.c src/workspace/workspace.h \
	src/workspace/contract_judge.c src/workspace/contract_judge.h \
	src/workspace/contract_judge_private.h src/workspace/contract_tensor.c \
	src/workspace/contract_outputs.c src/workspace/contract_outputs.h \
	src/workspace/performance_endpoint.c src/workspace/performance_endpoint.h \
	src/workspace/run_parameters.c src/workspace/run_parameters.h \
	src/workspace/contract_again.c src/workspace/contract_again.h \
	src/workspace/contract_file.c src/workspace/contract_file.h \
	src/workspace/contract_results.c src/workspace/contract_results.h \
	src/workspace/contract_checkpoint.c \
	src/workspace/contract_run.c src/workspace/contract_run.h \
	src/workspace/pins.c src/workspace/pins.h
