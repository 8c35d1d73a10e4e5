#!/bin/sh
# Adds up test results: tests/tally.sh FOLDER...
#
# Reads the .trs files that automake's drivers leave, prints what failed with
# the telling part of its log and what was skipped, and ends with "N passed, N failed".
# The status is 0 when something passed and nothing failed.
set -eu

list=$(mktemp)
trap 'rm -f "$list"' EXIT
find "$@" -name '*.trs' -print | sort >"$list"

# count PATTERN: lines of all result files that begin with it.
count() {
	while IFS= read -r file; do
		cat "$file"
	done <"$list" | grep -cE "^:test-result: ($1)( |\$)" || true
}

# How valgrind and the sanitizers of a compiler begin what they report.
tool_report='^==[0-9]+==|^(ERROR|WARNING): [A-Za-z]*Sanitizer:|^[^ ]+:[0-9]+:[0-9]+: runtime error:'

# tool_lines FILE: what such a tool reported first.  Its program may have passed all its
# cases and failed at its end, and the report stands anywhere among them.
tool_lines() {
	sed -nE "/${tool_report}/,\$p" "$1" | grep -vE '^(ok|PASS:)' | head -n 40
}

# show_log FILE: what a tool reported, then what was said around each case that failed,
# else the end.
show_log() {
	tool_lines "$1"
	if grep -q '^not ok' "$1"; then
		grep -B 8 -A 40 '^not ok' "$1" | grep -vE '^(ok|PASS:)' | head -n 120
	else
		tail -n 30 "$1"
	fi
}

show_failures() {
	while IFS= read -r file; do
		grep -qE '^:test-result: (FAIL|ERROR|XPASS)' "$file" || continue
		printf '\n%s\n' "$file"
		sed -nE 's/^:test-result: ((FAIL|ERROR|XPASS).*)$/  \1/p' "$file"
		log=${file%.trs}.log
		[ ! -f "$log" ] || show_log "$log" | sed 's/^/  | /'
	done <"$list"
}

show_skips() {
	while IFS= read -r file; do
		sed -nE "s|^:test-result: SKIP *(.*)\$|skipped: ${file##*/} \1|p" "$file"
	done <"$list" | sort | uniq -c
}

passed=$(count 'PASS|XFAIL')
failed=$(count 'FAIL|ERROR|XPASS')
show_skips
show_failures
[ "$passed" -gt 0 ] || printf 'no test has run\n'
printf '%s passed, %s failed\n' "$passed" "$failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
