#!/bin/sh
# What a person at a terminal and an agent may put on record, through the
# command line: script(1) gives a person's commands a terminal.
# shellcheck disable=SC2016 # the dollars are what is shown
set -u
portside=${top_builddir:-$(pwd)}/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
command -v script >/dev/null || { echo "1..0 # SKIP script(1) is missing"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
unset CLAUDECODE PORTSIDE_AGENT CODEX_SANDBOX CURSOR_AGENT GEMINI_CLI OPENCODE AIDER_RUN
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state"
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=a@b.c
mkdir -p "$dir/config/portside" "$dir/repo"
printf '[user]\n\tname = ana\n' >"$dir/config/portside/config"
cd "$dir/repo" || exit 99
git init -q -b main . && echo 1 >train.py && git add . && git commit -q -m original && git tag original
echo 2 >train.py && git commit -q -a -m "Attempt 1" && git tag attempt/1

count=0
# ok TEXT STATUS: the last command's status was 0.
ok() {
	count=$((count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$dir/out"
	fi
}

# person ARGUMENT...: at a terminal; the output in $dir/out, the exit status as it is.
person() {
	command="'$portside'"
	for word in "$@"; do
		command="$command '$(printf %s "$word" | sed "s/'/'\\\\''/g")'"
	done
	script -qec "$command" /dev/null </dev/null >"$dir/out" 2>&1
}
# piped ARGUMENT...: the same person without a terminal.
piped() {
	"$portside" "$@" </dev/null >"$dir/out" 2>&1
}
agent() {
	PORTSIDE_AGENT=robot script -qec "'$portside' $*" /dev/null </dev/null >"$dir/out" 2>&1
}
says() {
	tr -d '\r' <"$dir/out" | grep -qF -- "$1"
}
events() {
	"$portside" events --json 2>/dev/null | grep -o '"kind": *"'"$1"'"' | wc -l
}

echo 1..64
piped attempt refresh
piped attempt list --json && says '"attempt":"1"'
ok "attempt 1 is there" $?

cat >portside.conf <<'CONF'
[migration]
	name = case
	original = original
[goal "accuracy"]
	form = threshold
	direction = higher
	unit = pp
	scale = 100
	series = eval_accuracy
	target = 90.0
	margin = 1.0
[rule "R1"]
	when = attempts >= 1 and best_level < L0
	action = stop
	class = budget
CONF
piped config accept
test $? -eq 3 && says "needs a terminal"
ok "accepting needs a terminal" $?
agent config accept
test $? -eq 3 && says "PORTSIDE_AGENT"
ok "an agent does not accept, and is told what shows it" $?
piped config
test $? -eq 1 && says "not accepted yet"
ok "an unaccepted file is told" $?
person config accept --reason first
ok "a person accepts" $?
person config accept
test $? -eq 3 && says "accepted already"
ok "accepting twice is refused" $?

sed -i 's/margin = 1.0/margin = 2.0/' portside.conf
person config accept
test $? -eq 3 && says "this is loosened: goal.accuracy.margin: 1 -> 2"
ok "a loosening needs a reason" $?
person config accept --seen 0000000000000000000000000000000000000000000000000000000000000000 --reason x
test $? -eq 3 && says "has changed since it was shown"
ok "a file that was not the one shown is refused" $?
person config accept --reason "the paper reports one seed"
ok "with a reason it is accepted" $?
says "LOOSENED goal.accuracy.margin"
ok "and the loosening is told" $?
printf '[target "x"]\n\tkind = gpu\n\tlauncher = local\n\tsetup = "curl -H hf_abcdefghijklmnopqrstuvwxyz0123456789"\n' >>portside.conf
person config accept --reason x
test $? -eq 3 && says "looks like a secret"
ok "a secret in the file is refused" $?
git -C . diff --quiet 2>/dev/null
sed -i '/\[target "x"\]/,$d' portside.conf

piped rules --raise --json
says '"fires":true'
ok "R1 fires: one attempt, nothing measured" $?
test "$(events alarm.raised)" -eq 1
ok "one alarm" $?
piped rules --raise
test "$(events alarm.raised)" -eq 1
ok "not raised again while it is open" $?
alarm=$("$portside" alarms --format csv 2>/dev/null | sed -n 2p | cut -d, -f1)

piped alarms
says "attempts 1, best_level none"
ok "the list says what it saw, in words" $?
piped decide
ok "the facts are for everybody" $?
says "rule R1 (budget)" && says "it fires when: attempts >= 1 and best_level < L0" && says "accepted" && says "by ana"
ok "rule, wording, who accepted it" $?
says "R1 1/1 attempts" && says "a full run: time and cost unknown"
ok "what it saw, and a cost without a source is unknown" $?
piped decide --json
says '"going_on_hours":"unknown"'
ok "the same facts as JSON" $?
piped decide continue --subject "$alarm" --reason x
test $? -eq 3 && says "needs a terminal"
ok "deciding needs a terminal" $?
agent decide continue --subject "$alarm" --reason x
test $? -eq 3 && says "for a person"
ok "an agent does not decide" $?
person decide continue --subject "$alarm" --reason "  "
test $? -eq 2 && says "needs one"
ok "a blank reason is none" $?
person --read-only decide continue --subject "$alarm" --reason x
test $? -eq 3 && says "read-only"
ok "nothing is decided read-only" $?
person --at 2 decide continue --subject "$alarm" --reason x
test $? -eq 3 && says "the past"
ok "nothing is decided in the past" $?
person decide continue-with-change --subject "$alarm" --reason "smaller batch first" --minutes 4 --message "use batch 8"
ok "a person decides" $?
person decide continue-with-change --subject "$alarm" --reason "the same by hand"
test $? -ne 0 && says "already decided by human:ana: continue with change (event " && says "record another?  --again does"
ok "a second one is told that it is decided" $?
person decide abandon-line --subject "$alarm" --reason "something else"
test $? -ne 0 && test "$(events decision.made)" -eq 1
ok "also another choice about the same alarm" $?
person decide continue --subject "$alarm" --reason "smaller still" --again
test "$(events decision.made)" -eq 2
ok "with --again another is recorded" $?
person decide accept --subject attempt:1 --reason x
person decide accept --subject attempt:1 --reason y
test $? -ne 0 && says "already decided" && test "$(events decision.made)" -eq 3
ok "the same choice about one attempt is asked about too" $?
person strike --reason "not yet" && person decide accept --subject attempt:1 --reason y
says "decision recorded"
ok "what was struck decides nothing" $?
person intervene gate-decision "I answered it" --because-of "alarm:$alarm" --minutes 4
test $? -ne 0 && says "has 4 minutes on record" && says "they count once"
ok "the minutes of a decision are not counted twice" $?
piped alarms --json
says '"open":false'
ok "the alarm is answered" $?
piped journal
says "to the agent: use batch 8" && ! says "decision-" && ! says "intervention-"
ok "what the agent was told is an intervention" $?
says "decision: continue with change, R1, 4 min"
ok "the journal names the rule that was answered" $?
piped decision list --format csv
says ",R1,4," && says "alarm:$alarm"
ok "so does the list of decisions, with the key beside it" $?
piped verify && says ": no defect found" && ! says "finding"
ok "a clean check prints no table of findings" $?
piped rules --raise
test "$(events alarm.raised)" -eq 1
ok "not raised again until its values change" $?
agent adjudicate "$alarm" false-noise --reason x
test $? -eq 3 && says "for a person"
ok "an agent does not adjudicate" $?
person adjudicate "$alarm" true-cost --reason "it did not run" --evidence run:1
ok "a person adjudicates" $?

agent note "'hello [31m there'"
ok "an agent writes a note" $?
note=$("$portside" journal --json | tr ',' '\n' | grep -A40 '"kind": *"note.written"' | sed -n 's/.*"event": *"\([0-9a-f]*\)".*/\1/p' | head -1)
person strike "$note" --reason x
test $? -eq 3 && says "may not strike"
ok "a person does not strike an agent's words" $?
person intervene hint "look at the loader, token ghp_abcdefghijklmnopqrstuvwxyz0123456789" --attempt 1 --minutes 6
ok "a person records an intervention" $?
piped journal
says "[redacted" && ! says "ghp_abcdef"
ok "a secret is taken out" $?
person intervene hint x --minutes -5
test $? -eq 2
ok "minutes are not negative" $?
person expect 1 L3 --configuration v5e-4
says "counts for runs that are prepared after it"
ok "an expectation before a run" $?
piped strike --reason "wrong attempt"
ok "one's own last record is struck" $?
piped journal
says "(struck by human:ana)"
ok "struck words stay, with who struck them" $?
piped blocker "no kernel" --evidence "issue 12"
test "$(events alarm.raised)" -eq 2
ok "a declared blocker raises R3" $?
piped decide
says "Blocker: no kernel (evidence: issue 12)"
ok "and its facts tell what was declared" $?

piped status
says "people 10 min + 2 unknown" && ! says "unknown ("
ok "without a rate people's time is minutes, and those that nobody told are unknown" $?
sed -i 's|original = original|&\n\thuman-rate = 90 USD/hour|' portside.conf
person config accept && piped status && says 'people 10 min + 2 unknown ($15.00+?)'
ok "with a rate it has a price" $?
piped status --json && says '"human_cost_nano_usd":15000000000'
ok "also for programs" $?
piped report && says '10 min + 2 unknown, $15.00+? at $90.00 an hour' &&
	says "2 interventions, 6 min; 3 decisions, 4 min + 2 unknown."
ok "and on the page" $?
piped decision list --format csv
test "$(grep -c ,unknown, "$dir/out")" -eq 3
ok "a decision that told no minutes has unknown ones" $?

# at_once WORD ...: two people at two terminals decide the same at the same instant.
at_once() {
	for i in 1 2; do
		script -qec "'$portside' decide $*" /dev/null </dev/null >"$dir/out.$i" 2>&1 &
	done
	wait
	cat "$dir/out.1" "$dir/out.2" >"$dir/out"
}
status=0
for line in a b c; do
	before=$(events decision.made)
	at_once "continue --subject line:$line --reason together"
	test "$(($(events decision.made) - before))" -eq 1 && says "already decided by human:ana" || status=1
done
ok "two who decide at once record it once" $status

echo 3 >train.py && git commit -q -a -m "Attempt 2" && git tag attempt/2
piped attempt refresh
piped decide --subject 2
says "attempt 2: Attempt 2" && says "no alarm of it is open" && says "  accept  " &&
	says "  abandon-migration " && says "portside decide CHOICE --subject 2 --reason TEXT"
ok "without a choice those of an attempt are listed" $?
alarm=$("$portside" alarms --format csv 2>/dev/null | sed -n 's/^\([^,]*\),R3,.*/\1/p')
piped decide --subject "$alarm"
says "choices:" && says "  make-comparable " && ! says "  accept  "
ok "and those of an alarm" $?
piped decide --subject "$(printf '%s' "${alarm#*.}" | cut -c 1-6)"
says "$alarm" && says "  make-comparable "
ok "which the letters behind its dot name too" $?
piped decide --subject 2 --json
says '"choice":"accept"'
ok "also for programs" $?
piped decide --subject migration && says "the migration as a whole" && says "is open: portside decide --subject"
ok "the migration's, with the alarms that are open" $?
piped decide --subject 7
test $? -eq 3 && says "no attempt 7; there are: 1, 2"
ok "an attempt that is none is said" $?
person decide --subject 2 --reason "because"
test $? -eq 2 && says "--reason without a choice; choose one of: accept make-comparable"
ok "a reason without a choice is not taken for a decision" $?
piped intervene hint "look at the loader"
test $? -eq 3 && says "intervene: this record needs a terminal" && says "standard input or standard error" &&
	says "type it in a terminal"
ok "a refusal without a terminal says what, why and what to do" $?
before=$(events intervention.recorded)
person intervene hint "ten minutes, nobody counted"
test "$(events intervention.recorded)" -eq "$((before + 1))" && piped report &&
	says "3 interventions, 6 min + 1 unknown;"
ok "an intervention of unknown length is told as that" $?
exit 0
