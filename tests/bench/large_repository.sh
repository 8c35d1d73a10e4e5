#!/bin/sh
# Makes a repository of many attempts with trailers, and its event log.
#
#	large_repository.sh FOLDER [ATTEMPTS]
#
# Every attempt is one commit whose trailers give ten events, so 10,000 attempts
# (the default) make a log of 100,001 events.  The project has 121 files in
# twelve folders; an attempt changes three of them.  The repository is written by
# `git fast-import` with fixed dates, so its object ids are the same everywhere;
# the log is what `portside attempt refresh` finds in it.  PORTSIDE names the
# program (portside by default).
set -e
folder=$1
attempts=${2:-10000}
portside=${PORTSIDE:-portside}
test -n "$folder" || { echo "usage: $0 FOLDER [ATTEMPTS]" >&2; exit 2; }
if test -e "$folder/.git"; then
	echo "$folder is there already"
	exit 0
fi
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
mkdir -p "$folder"
git -C "$folder" init -q -b main

LC_ALL=C awk -v attempts="$attempts" '
function commit(time, message) {
	printf "commit refs/heads/main\n"
	printf "author coder <coder@example.org> %d +0000\n", time
	printf "committer coder <coder@example.org> %d +0000\n", time
	printf "data %d\n%s\n", length(message), message
}
function add(line) {
	text = text line "\n"
}
# module N [ATTEMPT]: 60 lines of which an attempt wrote two.
function module(n, attempt, line) {
	text = ""
	for (line = 0; line < 60; line++)
		add(sprintf("def part_%d_%d(x): return x * %d + %d", n, line, n + line,
			(line == attempt % 60 || line == attempt % 7) ? attempt : 0))
	put(sprintf("layers%d/part%d.py", n % 12, n))
}
function train(device, attempt, line) {
	text = ""
	add("device = \"" device "\"")
	for (line = 1; line < 120; line++)
		add(sprintf("step_%d = %d", line, line == attempt % 120 ? attempt : line))
	put("train.py")
}
function put(path) {
	printf "M 100644 inline %s\ndata %d\n%s\n", path, length(text), text
}
BEGIN {
	time = 1760000000
	commit(time, "Train on one GPU\n")
	train("cuda", 0)
	for (i = 0; i < 120; i++)
		module(i, 0)
	printf "\nreset refs/tags/original\nfrom refs/heads/main\n\n"
	split("C0 C1 C2 C3 C4 C5 C6", cause, " ")
	split("device oom numerics data other", agent, " ")
	for (i = 1; i <= attempts; i++) {
		message = sprintf("Attempt %d: change step %d of the loop\n\n", i, i % 17)
		message = message sprintf("Attempt: %d\n", i)
		message = message "Expected-Level: L0 @v5e-1\nExpected-Level: L3 @v5e-4\n"
		message = message sprintf("Claimed-Level: %s @v5e-1\n", i % 3 ? "L3" : "none")
		message = message sprintf("Claimed-Level: %s @v5e-4\n", i % 5 ? "L0" : "none")
		message = message "Claimed-Level: none @v5e-8\nClaimed-Level: none @v6e-1\nClaimed-Level: L0 @v4-8\n"
		message = message sprintf("Failure-Cause: %s\nFailure-Silent: %s\n", cause[i % 7 + 1], i % 2 ? "yes" : "no")
		message = message sprintf("Claimed-Cause: %s\n", agent[i % 5 + 1])
		commit(time + i * 600, message)
		train("xla", i)
		module(i * 7 % 120, i)
		module((i * 13 + 5) % 120, i)
		printf "\n"
	}
	printf "done\n"
}' | git -C "$folder" fast-import --quiet --done
git -C "$folder" reset -q --hard main
"$portside" -C "$folder" attempt refresh
"$portside" -C "$folder" events --limit 1 >/dev/null
