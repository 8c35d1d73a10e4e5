#!/bin/sh
# Makes the small migration in the folder $1 with what people put on record: an
# accepted configuration, an alarm and the decision about it, an intervention, a
# label, a note that was struck, a curve that was brought from elsewhere, and a
# goal that was set after it.  Dates are fixed; ids of events are not.
#
#	journal_migration.sh FOLDER
set -e
scripts=$(dirname "$0")
portside=${PORTSIDE:-portside}
sh "$scripts/small_migration.sh" "$1"
cd "$1"
mkdir -p "$XDG_CONFIG_HOME/portside"
test -e "$XDG_CONFIG_HOME/portside/config" || printf '[user]\n\tname = ana\n' >"$XDG_CONFIG_HOME/portside/config"
unset CLAUDECODE
# at HH:MM WORDS...: as a person at a terminal, at that time
at() {
	clock=2026-10-27T$1:00Z
	shift
	line=
	for word; do line="$line '$word'"; done
	PORTSIDE_CLOCK=$clock script -qec "$portside$line" /dev/null </dev/null
}
cat >>portside.conf <<'CONF'
[rule "R1"]
	when = attempts >= 2 and best_level < L0
	action = stop
	class = budget
CONF
at 12:05 config accept --reason 'the study asks for it'
at 12:06 rules --raise
at 12:10 intervene hint 'the loader still counts batches of one chip' --minutes 12 --attempt 3
alarm=$("$portside" alarms --json | sed -n 's/.*"alarm":"\([^"]*\)".*/\1/p')
at 12:12 decide continue-with-change --subject "$alarm" --reason 'a smaller batch first' --minutes 4 --message 'use batch 8'
at 12:20 label 3 failure --cause C3 --silent yes --text 'the checkpoint was never loaded again'
at 12:25 note 'wrong attempt, sorry' --about 2
note=$("$portside" journal --kind note.written --json | sed -n 's/.*"event":"\([^"]*\)".*/\1/p')
at 12:26 strike "$note" --reason 'it belongs to 3'
printf '{"step": 10, "eval_accuracy": 0.5}\n{"step": 20, "eval_accuracy": 0.75}\n' >metrics.jsonl
at 12:30 import 3 metrics.jsonl --target v5e-4
sed 's/margin = 1.0/margin = 3.0/' portside.conf >changed && mv changed portside.conf
at 12:40 config accept --reason 'the reference is noisy'
