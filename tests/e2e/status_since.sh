#!/bin/sh
# `status` and `since` as text and as JSON.  Prints TAP.
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

sh "$here/small_migration.sh" "$dir/small" >"$dir/out" 2>&1
ok $? "the small migration is made"
"$PORTSIDE" -C small status >"$dir/out" 2>&1 && has "5: 0 labelled a success, 1 a failure (1 silent)"
ok $? "status counts by outcome"
has "@v5e-1: L0 not checked (attempt 4)"
ok $? "a level stands with its configuration"
has "portside.conf is not accepted yet"
ok $? "status says what waits"
"$PORTSIDE" -C small status --json >"$dir/out" 2>&1 && has '"kind":"configuration"' && has '"schema":1' &&
	has '"agent_cost_nano_usd":"unknown"'
ok $? "the same as JSON, unknown is not 0"
"$PORTSIDE" -C small --at 2 status >"$dir/out" 2>&1 && has "attempts  1:"
ok $? "as of an earlier event"

"$PORTSIDE" -C small since 2026-10-27T00:00:00Z >"$dir/out" 2>&1 && has "#5 claims L3 @v5e-4" && has "WAITS FOR YOU"
ok $? "since a time tells claims and what waits"
"$PORTSIDE" -C small since 2027-01-01T00:00:00Z >"$dir/out" 2>&1 && has "0 events since" && ! has "NEW"
ok $? "nothing is new since a later time"
"$PORTSIDE" -C small events --json >"$dir/events"
last=$(grep -o '"place":[0-9]*' "$dir/events" | tail -1 | cut -d: -f2)
"$PORTSIDE" -C small claim 5 L4 --configuration v5e-4 --text "it works" >"$dir/out" 2>&1
"$PORTSIDE" -C small since --json "${last:-1}" >"$dir/out" 2>&1 && has '"what":"new"' && has '#5 claims L4 @v5e-4'
ok $? "since an event, as JSON"
"$PORTSIDE" -C small since no-such-thing >"$dir/out" 2>&1
test $? -eq 2 && has "is no event and no time"
ok $? "what is neither is refused with examples"

# What was seen is remembered for each repository: the screen is closed in the
# first one only, and the second, which has no other name, was never looked at.
sh "$here/small_migration.sh" "$dir/other" >"$dir/out" 2>&1
if command -v script >/dev/null; then
	# The key until the program has ended: it may not read yet when the first comes.
	close_screen() {
		while printf Q; do sleep 0.2; done 2>/dev/null |
			TERM=xterm script -qec "stty cols 100 rows 30; '$PORTSIDE' -C $1" /dev/null >"$dir/out" 2>&1
	}
	close_screen small
	test "$(find "$dir/.state/portside/seen" -type f | wc -l)" -eq 1
	ok $? "closing the screen leaves one mark"
	close_screen other
	test "$(find "$dir/.state/portside/seen" -type f | wc -l)" -eq 2
	ok $? "another migration has a mark of its own"
	"$PORTSIDE" -C small note "after the screen" >"$dir/out" 2>&1
	"$PORTSIDE" -C small since >"$dir/out" 2>&1 && has "1 event"
	ok $? "since the screen was closed here"
	ln -s small link
	"$PORTSIDE" -C link since >"$dir/out" 2>&1 && has "1 event"
	ok $? "a symbolic link leads to the same mark"
fi
echo "1..$number"
exit $failed
