#!/bin/bash
# A disk that takes nothing more, for each command that writes: a sentence that
# says what could not be written, status 3, all that was acknowledged still there,
# the log verifies, and no half file has the name of a whole one.  A limit on the
# size of files stands for the disk, so that no other user's rights are needed.
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
printf '{"step":1,"loss":2.5}\n{"step":2,"loss":1.25}\n' >"$work/metrics.jsonl"
"$portside" -C "$repo" attempt refresh >"$out" 2>&1
ok $? "a migration is there"
"$portside" -C "$repo" init >"$work/proposal" 2>"$out"
ok $? "portside.conf is proposed"

ids() {
	"$portside" -C "$repo" --format csv events 2>>"$out"
}

# A command with LIMIT kilobytes a file; its words go through a pipe.
limited() {
	{ (ulimit -f "$1" && shift && exec "$portside" -C "$repo" "$@"); echo "status $?" >&2; } 2>&1 >/dev/null | cat >"$out"
	status=$(sed -n '$s/^status //p' "$out")
}

commands=("note hello --about 1" "expect 1 L1" "claim 1 L1" "label 1 failure --cause C2" "attempt add 7 by-hand"
	"import 1 $work/metrics.jsonl" "attempt refresh" "init --write" "run -- true" "bundle $work/b" "report --output $work/r"
	"verify" "note agent --about 2")

lost=0
silent=0
half=0
ids >"$work/before"
for c in "${commands[@]}"; do
	agent=
	[ "$c" = "note agent --about 2" ] && agent=1
	for limit in 0 8 24; do
		# shellcheck disable=SC2086
		CLAUDECODE=$agent limited $limit $c
		ids >"$work/after"
		[ -z "$(comm -23 <(sort "$work/before") <(sort "$work/after"))" ] || lost=1
		if [ "$status" -eq 0 ] && [[ $c =~ ^(expect|claim|label|attempt.add|import) ]] && cmp -s "$work/before" "$work/after"; then
			echo "# $c, $limit kB: nothing was recorded"
			lost=1
		fi
		if [ "$status" -ne 0 ] && { [ "$status" -ne 3 ] || ! grep -qE '^portside: .*(/|log|output).*(disk|cannot|File too large)' "$out"; }; then
			echo "# $c, $limit kB, status $status: $(cat "$out")"
			silent=1
		fi
		# Whole or not there; a name of ours is never half a file.
		if [ "$status" -ne 0 ] && { [ -e "$work/b" ] || [ -e "$work/r" ]; }; then
			echo "# $c, $limit kB: $(ls "$work" "$repo")"
			half=1
		fi
		if [ -e "$repo/portside.conf" ] && ! cmp "$repo/portside.conf" "$work/proposal" >>"$out"; then
			half=1
		fi
		find "$work" -name '*.tmp-*' | grep . >>"$out" && half=1
		"$portside" -C "$repo" verify >>"$out" 2>&1 || lost=1
		rm -f "$work/b" "$work/r" "$repo/portside.conf"
		cp "$work/after" "$work/before"
	done
done
ok $silent "each command says what could not be written, with status 3"
ok $lost "nothing acknowledged is lost, and the log verifies"
ok $half "nothing half-written has the name of a whole file"

reads=0
for c in status "attempt list" journal rules alarms report events verify "show attempts" study since doctor churn "diff 2" "scan 2"; do
	# shellcheck disable=SC2086
	{ (ulimit -f 0 && exec "$portside" -C "$repo" $c 2>&1); echo "status $?"; } | cat >"$work/stdout"
	if ! grep -qE '^status [01]$' "$work/stdout" || [ "$(wc -l <"$work/stdout")" -lt 2 ]; then
		echo "# $c: $(cat "$work/stdout")"
		reads=1
	fi
done
ok $reads "every command that reads still does"

"$portside" -C "$repo" note "room again" --about 1 >"$out" 2>&1 && "$portside" -C "$repo" attempt refresh >>"$out" 2>&1 &&
	"$portside" -C "$repo" run --wait -- true >>"$out" 2>&1 && "$portside" -C "$repo" verify >>"$out" 2>&1
ok $? "with room again all goes on"
"$portside" -C "$repo" --format csv runs >"$out" 2>&1
# One ran.  Where room was left for its event alone, a run never started, and says so.
[ "$(grep -c ",exited 0," "$out")" -eq 1 ] && [ "$(grep -vcE ",exited 0,|,launch-failed,.*it never started|^run,attempt" "$out")" -eq 0 ]
ok $? "no run is there that is said to have run and did not"

# Of two files one finds no room, while the log has some: a run of half its files
# would be compared by what came first.
mkdir "$work/parts"
cp "$work/metrics.jsonl" "$work/parts/a.jsonl"
awk 'BEGIN { for (i = 1; i <= 60000; i++) print "{\"step\":" i ",\"loss\":1.5}" }' >"$work/parts/b.jsonl"
find "$repo/.git/portside/runs" -mindepth 1 -maxdepth 1 | sort >"$work/folders"
ids >"$work/before"
limited 1000 import 1 "$work/parts"
ids >"$work/after"
[ "$status" -eq 3 ] && grep -q '; nothing was imported$' "$out" && cmp "$work/before" "$work/after" >>"$out" &&
	find "$repo/.git/portside/runs" -mindepth 1 -maxdepth 1 | sort | cmp - "$work/folders" >>"$out"
ok $? "an import for whose files there is no room leaves nothing"
"$portside" -C "$repo" import 1 "$work/parts" >"$out" 2>&1 && grep -q 60000 "$out" && "$portside" -C "$repo" verify >>"$out" 2>&1
ok $? "and is whole when it is done again"

echo "1..$count"
exit $failed
