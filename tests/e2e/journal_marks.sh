#!/bin/sh
# What the command line says of goals that were set late, and of a configuration
# before and after its first acceptance.  Prints TAP.
build=${top_builddir:-$(pwd)}
here=$(cd "$(dirname "$0")" && pwd)
PORTSIDE=$build/portside
test -x "$PORTSIDE" || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state LC_ALL=C.UTF-8 TZ=UTC
export PORTSIDE HOME XDG_CONFIG_HOME XDG_STATE_HOME LC_ALL TZ
unset CLAUDECODE
number=0 failed=0
ok() {
	number=$((number + 1))
	if test "$1" -eq 0; then echo "ok $number - $2"; return; fi
	failed=1
	echo "not ok $number - $2"
	sed 's/^/# /' "$dir/out" | head -30
}
has() { grep -qF -- "$1" "$dir/out"; }
cd "$dir" || exit 99

sh "$here/small_migration.sh" "$dir/first" >"$dir/out" 2>&1
"$PORTSIDE" -C first config >"$dir/out" 2>&1
has "what would be in force" && ! has loosened && has "goal.accuracy is new"
ok $? "before the first acceptance nothing is loosened"
"$PORTSIDE" -C first config --json >"$dir/out" 2>&1
has '"loosened":false'
ok $? "tools find the column all the same"

sh "$here/journal_migration.sh" "$dir/full" >"$dir/out" 2>&1
ok $? "the migration with its journal is made"
sed 's/margin = 3.0/margin = 4.0/' full/portside.conf >changed && mv changed full/portside.conf
"$PORTSIDE" -C full config >"$dir/out" 2>&1
has "what differs from the version in force" && has loosened && has "goal.accuracy.margin: 3 -> 4" && has yes
ok $? "a loosening afterwards is shown"
"$PORTSIDE" -C full journal --kind goal.set --json >"$dir/out" 2>&1
test "$(grep -o '"late":true' "$dir/out" | wc -l)" -eq 1 && test "$(grep -o '"late":false' "$dir/out" | wc -l)" -eq 1
ok $? "one goal was set in time, one late"
"$PORTSIDE" -C full journal --kind goal.set >"$dir/out" 2>&1
has "goal set LATE and weaker: accuracy, target 89, margin 3 pp, higher is better" &&
	has "goal: accuracy, target 89, margin 1 pp, higher is better"
ok $? "the line says so"
"$PORTSIDE" -C full journal --kind alarm.raised --json >"$dir/out" 2>&1
"$PORTSIDE" -C full show journal --size 80x24 >"$dir/out" 2>&1
has "  ! 27 Oct 12:40 ana"
ok $? "and the screen marks it"
mkdir -p "$XDG_CONFIG_HOME/portside"
printf '[keys]\n\tcopy = n\n\tnowhere = x\n' >>"$XDG_CONFIG_HOME/portside/config"
"$PORTSIDE" -C full doctor >"$dir/out" 2>&1
has "keys.nowhere: there is no such operation" && has 'n is a key of "search next" already'
ok $? "doctor names bindings that do not hold"
echo "1..$number"
exit $failed
