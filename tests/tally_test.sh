#!/bin/sh
# tests/tally.sh: its closing line, its status, and what it shows of failures.
set -u
tally=$(cd "${srcdir:-.}" && pwd)/tests/tally.sh
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/good" "$work/bad" "$work/none"
printf ':test-result: PASS 1 - a\n:test-result: PASS 2 - b\n:test-result: SKIP 3 - c # SKIP no d\n:global-test-result: PASS\n' \
	>"$work/good/one.trs"
printf ':test-result: XFAIL 1 - known\n' >"$work/good/two.trs"
printf ':test-result: PASS 1 - a\n:test-result: FAIL 2 - broken sum\n:test-result: ERROR - exited with status 9\n' \
	>"$work/bad/three.trs"
{
	printf 'not ok 1 - sums\n# got 7, wanted 8\n'
	seq -f 'ok %g - fine' 2 200
} >"$work/long.log"
printf 'got 4, wanted 5\n' >"$work/bad/three.log"

count=0
failed=0
# ok TEXT STATUS-WANTED PATTERN FOLDER...
ok() {
	text=$1 wanted=$2 pattern=$3
	shift 3
	count=$((count + 1))
	output=$(sh "$tally" "$@" 2>&1)
	status=$?
	if [ "$status" -eq "$wanted" ] && printf '%s\n' "$output" | grep -q -- "$pattern"; then
		echo "ok $count - $text"
	else
		printf '%s\n' "$output" | sed 's/^/# /'
		echo "not ok $count - $text (status $status)"
		failed=1
	fi
}

ok "passed tests are counted" 0 '^3 passed, 0 failed$' "$work/good"
ok "a skipped test is named" 0 'skipped: one.trs 3 - c' "$work/good"
ok "failures and errors are counted" 1 '^1 passed, 2 failed$' "$work/bad"
ok "a failure is named" 1 'FAIL 2 - broken sum' "$work/bad"
ok "its log is shown" 1 '| got 4, wanted 5' "$work/bad"
ok "several folders are added up" 1 '^4 passed, 2 failed$' "$work/good" "$work/bad"
ok "no result is no success" 1 '^0 passed, 0 failed$' "$work/none"

cp "$work/long.log" "$work/bad/three.log"
ok "of a long log, what is around the failure" 1 '| # got 7, wanted 8' "$work/bad"

# A program whose cases all passed, and of which a tool reported something: in the middle
# of a long log, after some of its cases.
# reported TEXT PATTERN LINE...: those lines come from the tool.
reported() {
	text=$1 pattern=$2
	shift 2
	{
		seq -f 'ok %g - fine' 1 100
		printf '%s\n' "$@"
		seq -f 'ok %g - fine' 101 300
	} >"$work/bad/three.log"
	ok "$text" 1 "$pattern" "$work/bad"
}

reported "valgrind's first lines" '| ==58== Conditional jump' \
	'==58== Conditional jump or move depends on uninitialised value(s)' '==58==    at 0x1: sum (sum.c:8)'
reported "the lines after them" '| ==58==    at 0x1: sum (sum.c:8)' \
	'==58== Invalid read of size 8' '==58==    at 0x1: sum (sum.c:8)'
reported "the address sanitizer's first lines" '| ==58==ERROR: AddressSanitizer: heap-buffer-overflow' \
	'==58==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1' '    #0 0x1 in sum sum.c:8'
reported "where that was" '|     #0 0x1 in sum sum.c:8' \
	'==58==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1' '    #0 0x1 in sum sum.c:8'
reported "the address sanitizer's lines without a number" '| ERROR: AddressSanitizer: SEGV' \
	'ERROR: AddressSanitizer: SEGV on unknown address'
reported "the thread sanitizer's first lines" '| WARNING: ThreadSanitizer: data race' \
	'WARNING: ThreadSanitizer: data race (pid=58)' '  Write of size 8 at 0x1 by thread T1:'
reported "undefined behaviour" '| src/sum.c:8:3: runtime error: signed integer overflow' \
	'src/sum.c:8:3: runtime error: signed integer overflow'
reported "and the end of the log" '| ok 300 - fine' 'src/sum.c:8:3: runtime error: overflow'

count=$((count + 1))
last=$(sh "$tally" "$work/bad" 2>&1 | tail -n 1)
if [ "$last" = "1 passed, 2 failed" ]; then
	echo "ok $count - the closing line is the last"
else
	echo "not ok $count - the closing line is the last, not: $last"
	failed=1
fi
echo "1..$count"
exit "$failed"
