#!/bin/bash
# Commands that are killed at any moment, and commands that run twice at once:
# the log verifies after each, what was acknowledged is there, no run is executed
# twice, nothing half-made is taken for whole, and the next call goes on.
# (Longer loops: tests/store/test_log_faults.c, tests/workspace/test_run_crash.c.)
set -u
portside=$(cd "${top_builddir:-.}" && pwd)/portside
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work/home XDG_CONFIG_HOME=$work/home
mkdir "$work/home"
count=0
failed=0
out=$work/out
repo=$work/repo

ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' "$out" | head -30
		echo "not ok $count - $2"
		failed=1
	fi
}

git init -q -b main "$repo"
for i in 1 2 3; do
	echo "line $i" >"$repo/train.py"
	git -C "$repo" add train.py
	git -C "$repo" -c user.name=ana -c user.email=ana@example.org commit -q -m "step $i

Attempt: $i"
done
cat >"$work/conf" <<'EOT'
[migration]
	name = x
[target "cpu"]
	kind = cpu
[run "smoke"]
	command = "sleep 0.3; echo $PORTSIDE_RUN_ID >> ../../../../../ran"
[rule "R1"]
	when = attempts >= 1 and best_level < L0
	action = stop
	class = budget
EOT
printf '{"step":1,"loss":2.5}\n{"step":2,"loss":1.25}\n' >"$work/metrics.jsonl"

person() {
	script -qec "$(printf '%q ' "$portside" -C "$repo" "$@")" /dev/null </dev/null
}

events() {
	"$portside" -C "$repo" --format csv events "$@"
}

# ---- killed ---------------------------------------------------------------------

# After 1 to 120 ms: before, within and after what a command does on any machine.
cut_short() {
	timeout -s KILL "0.$(printf %03d $((RANDOM % 120 + 1)))" "$portside" -C "$repo" "$@" >"$work/said" 2>&1
}

verified=0
lost=0
half=0
events >"$work/before" 2>"$out"
for round in 1 2 3; do
	for c in "attempt refresh" "init --write" "import 1 $work/metrics.jsonl" "note said-$round" "bundle $work/b$round" \
		"run -- sh -c echo\${IFS}\$PORTSIDE_RUN_ID>>$work/ran" "expect 2 L1"; do
		rm -rf "$repo/.git/portside/cache" "$repo/portside.conf"
		# shellcheck disable=SC2086
		cut_short $c
		if [ -e "$repo/portside.conf" ] && ! git config -f "$repo/portside.conf" -l >/dev/null; then
			half=1
		fi
		"$portside" -C "$repo" verify >"$out" 2>&1 || { verified=1; sed "s/^/# $c: /" "$out"; }
		events >"$work/after" 2>>"$out"
		[ -z "$(comm -23 <(sort "$work/before") <(sort "$work/after"))" ] || { lost=1; echo "# $c"; }
		cp "$work/after" "$work/before"
		if grep -q "^noted" "$work/said" && ! "$portside" -C "$repo" journal 2>&1 | grep -q "said-$round"; then
			lost=1
		fi
	done
	if [ -e "$work/b$round" ] && ! "$portside" -C "$work/b$round" verify >"$out" 2>&1; then
		half=1
	fi
done 2>/dev/null
ok $verified "the log verifies after each kill"
ok $lost "nothing that was acknowledged is lost"
ls "$work" "$repo" >"$out"
[ $half -eq 0 ] && ! grep -q 'tmp-' "$out"
ok $? "nothing half-made is taken for whole or left behind"

rm -f "$repo/portside.conf"
{ "$portside" -C "$repo" attempt refresh && "$portside" -C "$repo" import 1 "$work/metrics.jsonl"; } >"$out" 2>&1 &&
	"$portside" -C "$repo" bundle "$work/whole" >>"$out" 2>&1 && "$portside" -C "$repo" --format csv attempt list >"$out" 2>&1 &&
	[ "$(wc -l <"$out")" -eq 4 ]
ok $? "the next calls go on, with three attempts"
"$portside" -C "$repo" --format csv runs >"$out" 2>&1
[ "$(grep -c imported "$out")" -eq 1 ] && grep imported "$out" | grep -q ",lost,"
ok $? "one import is there, however often it was begun"
bad=0
[ -z "$(sort "$work/ran" 2>/dev/null | uniq -d)" ] || bad=1
while read -r run; do
	grep -qE "^$run,.*(exited|lost|running|prepared|launching)" "$out" || bad=1
done < <(cat "$work/ran" 2>/dev/null)
ok $bad "what ran, ran once and is not said to have failed to start"

# ---- twice at once ----------------------------------------------------------------

at_once() {
	person "$@" >"$work/one" 2>&1 &
	local first=$!
	person "$@" >"$work/two" 2>&1
	wait $first
	cat "$work/one" "$work/two" >"$out"
}

cp "$work/conf" "$repo/portside.conf"
at_once config accept
[ "$(events --kind config.accepted 2>&1 | grep -c config.accepted)" -eq 1 ]
ok $? "a configuration is accepted once"
at_once rules --raise
alarm=$("$portside" -C "$repo" --format csv alarms 2>/dev/null | sed -n 2p | cut -d, -f1)
[ "$(events --kind alarm.raised 2>/dev/null | grep -c alarm.raised)" -eq 1 ]
ok $? "an alarm is raised once"
at_once decide continue --subject "$alarm" --reason "a reason" --again
[ "$(events --kind decision.made 2>/dev/null | grep -c decision.made)" -eq 2 ] && [ "$(grep -c recorded "$out")" -eq 2 ]
ok $? "two persons who decide at once are both on record"

: >"$work/ran"
at_once run 3 --kind smoke --target cpu --wait
ran=$(sort "$work/ran" | uniq -d | wc -l)
runs=$("$portside" -C "$repo" --format csv runs 2>/dev/null | grep -c ',3,smoke,cpu,')
[ "$ran" -eq 0 ] && [ "$(wc -l <"$work/ran")" -eq "$runs" ] && [ "$runs" -eq 1 ]
ok $? "the same run that is asked for twice is executed once"

printf '{"step":1,"loss":3}\n' >"$work/other.jsonl"
at_once import 2 "$work/other.jsonl"
[ "$("$portside" -C "$repo" --format csv runs 2>/dev/null | grep -c ',2,unknown,')" -eq 1 ]
ok $? "a file is imported once"

before=$(events 2>/dev/null | wc -l)
for i in 1 2 3; do
	at_once note "both $i"
done
[ "$(events 2>/dev/null | wc -l)" -eq $((before + 6)) ]
ok $? "six notes by two writers are six events"

at_once attempt refresh
rm -rf "$repo/.git/portside/cache"
at_once status
head -c 4096 /dev/urandom >"$work/noise"
dd if="$work/noise" of="$repo/.git/portside/log.db" bs=1 seek=30 conv=notrunc 2>/dev/null
at_once recover
"$portside" -C "$repo" verify >>"$out" 2>&1 && "$portside" -C "$repo" note "after" >>"$out" 2>&1
ok $? "two that recover at once leave one log that verifies"
"$portside" -C "$repo" verify >"$out" 2>&1
ok $? "and it verifies at the end"

echo "1..$count"
exit $failed
