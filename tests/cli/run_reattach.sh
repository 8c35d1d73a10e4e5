#!/bin/bash
# A run survives quitting and SIGKILL of the screen; the next screen shows it,
# ends it by its name, and records its end once.  Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
vtrun=$build/tests/e2e/vtrun
case $0 in
/*) folder=$(dirname "$0") ;;
*) folder=$(pwd)/$(dirname "$0") ;;
esac
if test ! -x "$portside" || test ! -x "$vtrun"; then
	echo "1..0 # SKIP portside or vtrun is not built"
	exit 0
fi
dir=$(mktemp -d) || exit 99
# What captures the environment may still be at it for a moment.
trap 'for _ in $(seq 200); do rm -rf "$dir" 2>/dev/null && break; done' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state XDG_CACHE_HOME=$dir/.cache
PORTSIDE=$portside LC_ALL=C.UTF-8 TZ=UTC
export HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME PORTSIDE LC_ALL TZ
unset CLAUDECODE PORTSIDE_ATTEMPT PORTSIDE_CLOCK NO_COLOR
number=0
failed=0

result() {
	local rc=$?

	number=$((number + 1))
	if test $rc = 0; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	sed 's/^/# /' "$dir/out"
}

# screen: the script of standard input on the migration, without the box that
# tells what happened since the last one (whether it comes is a matter of time)
screen() {
	cat >"$dir/script"
	rm -rf "$XDG_STATE_HOME/portside/seen"
	"$vtrun" -s 100x30 "$dir/script" "$portside" -C "$dir/m" >"$dir/out" 2>&1
}

sh "$folder/../e2e/runs_migration.sh" "$dir/m" >"$dir/out" 2>&1
result "the migration is made"
touch "$dir/m/data/hold"

screen <<'VT'
wait 1 attempts
key 3
wait No runs yet
key r
wait what:
key s 1 Enter
wait has started
wait 1 live
wait step 5
signal KILL
killed KILL
VT
result "a screen that started a run is killed"
run=$(basename "$dir"/m/.git/portside/runs/ps-*)
pid=$(sed -n 's/.* sup=\([0-9]*\).*/\1/p' "$dir/m/.git/portside/runs/$run/status")
kill -0 "$pid"
result "its supervisor lives"

screen <<'VT'
wait 1 attempts
key 3
wait running
wait step 5
key Q
exit 0
VT
result "the next screen shows it, and quitting leaves it alone"
kill -0 "$pid"
result "it still lives"

screen <<VT
wait 1 attempts
key 3 X
wait Every process of it gets TERM now
key Tab
type ${run:0:7}
key Enter
wait to end it
key C-u
type ${run:0:8}
key Enter
wait cancelled
gone 1 live
gone Every process of it gets TERM now
key Q
exit 0
VT
result "a wrong name ends nothing, the right one does"
test "$("$portside" -C "$dir/m" events --json 2>/dev/null | tr '{' '\n' | grep -c '"kind":"run.ended"')" = 1
result "its end is on record once"
# The screen may have been left between the record and the sweeping up.
"$portside" -C "$dir/m" runs >"$dir/out" 2>&1 && test -d "$dir/m/.git/portside/checkouts" &&
	test -z "$(ls "$dir/m/.git/portside/checkouts")"
result "its checkout is gone"

# An orphan: the supervisor is killed, the run goes on.
screen <<'VT'
wait 1 attempts
key 3
wait cancelled
key r
wait what:
key s 2 Enter
wait has started
wait 1 live
wait step 5
key Q
exit 0
VT
result "another run is started"
for status in "$dir"/m/.git/portside/runs/ps-*/status; do
	grep -q 'state=running' "$status" && kill -9 "$(sed -n 's/.* sup=\([0-9]*\).*/\1/p' "$status")"
done
screen <<'VT'
wait 1 attempts
key 3
wait ! orphan
wait 1 ORPHAN
key A
wait Its supervisor was killed
key Enter
wait has a supervisor again
gone ORPHAN
wait running
key Q
exit 0
VT
result "an orphan is shown and adopted"
rm "$dir/m/data/hold"
screen <<'VT'
wait 1 attempts
key 3
wait lost
key Q
exit 0
VT
result "it ends as lost, never as a guessed success"

# Who only asks how things stand learns that a run has ended: nobody else takes it in.
ends() { "$portside" -C "$dir/m" events --json 2>/dev/null | tr '{' '\n' | grep -c '"kind":"run.ended"'; }
before=$(ends)
"$portside" -C "$dir/m" run 1 --kind smoke --target sim-tpu >"$dir/out" 2>&1
for _ in $(seq 600); do
	"$portside" -C "$dir/m" status >"$dir/out" 2>&1
	! grep -q 'nothing runs' "$dir/out" || break
	sleep 0.05
done
grep -q 'nothing runs' "$dir/out" && test "$(ends)" = $((before + 1))
result "status takes in a run that has ended"
echo "1..$number"
exit $failed
