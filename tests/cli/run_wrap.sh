#!/bin/bash
# portside run -- COMMAND, runs, tail, cancel, adopt, run show.  Prints TAP.
build=${top_builddir:-$(pwd)}
top=$(cd "${srcdir:-.}" && pwd)
portside=$build/portside
if test ! -x "$portside"; then
	echo "1..0 # SKIP portside is not built"
	exit 0
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state XDG_CACHE_HOME=$dir/.cache
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
GIT_AUTHOR_NAME=coder GIT_AUTHOR_EMAIL=coder@example.org
GIT_COMMITTER_NAME=coder GIT_COMMITTER_EMAIL=coder@example.org
export HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM LC_ALL TZ
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset CLAUDECODE PORTSIDE_ATTEMPT PORTSIDE_CLOCK
number=0
failed=0

# result TEXT: ok when the command before it was
result() {
	local rc=$?

	number=$((number + 1))
	if test $rc = 0; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	sed 's/^/# /' "$dir/out" "$dir/err"
}

# p ARGUMENTS: portside, with its output, talk and exit status kept
p() {
	"$portside" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

newest() { sed -n 's/^portside: run \(ps-[a-z2-7]*\)[ :].*/\1/p' "$dir/err" | head -1; }
field() { "$portside" runs --json | tr '{' '\n' | grep "$1" | sed "s/.*\"$2\":\"\{0,1\}\([^\",}]*\).*/\1/"; }

mkdir "$dir/plain" "$dir/repo" && cd "$dir/plain" || exit 99
p run -- true
test $rc = 3 && grep -q 'not inside a git repository' "$dir/err"
result "outside of a repository it says so"

cd "$dir/repo" || exit 99
git init -q -b main . && git commit -q --allow-empty -m first
p run -- sh -c 'echo out; echo talk >&2; exit 7'
test $rc = 7
result "the exit status is the command's, before any log was there"
test "$(cat "$dir/out")" = "out
talk"
result "its output arrives, and nothing else on standard output"
grep -q 'input is /dev/null' "$dir/err" && grep -q UNASSIGNED "$dir/err"
result "it says that its input is /dev/null, and that no attempt is credited"
grep -q 'portside run N -- COMMAND' "$dir/out" "$dir/err"
result "and how one is named"
seven=$(newest)
test "$(field "$seven" rc)" = 7 && test "$(field "$seven" state)" = failed && test "$(field "$seven" attempt)" = unassigned
result "the run is on record"

echo typed | "$portside" run -- cat >"$dir/out" 2>"$dir/err"
test ! -s "$dir/out"
result "what is piped in does not reach it"

p run -- /no/such/program
test $rc = 127 && test "$(field "$(newest)" state)" = launch-failed
result "a missing program is 127, on record as launch-failed"
p run -- "$dir"
test $rc = 126
result "what cannot be executed is 126"
p run -- sh -c 'kill -9 $$'
test $rc = 137
result "a signal is 128 and its number"

p run --limit 1s -- sleep 30
test $rc = 124 && test "$(field "$(newest)" state)" = timeout
result "a time limit is 124"

p run --steps 2 --done finished -- sh -c 'echo step 1/2; echo step 2/2; echo finished'
test $rc = 0 && test "$(field "$(newest)" L0)" = confirmed
result "declared ends confirm L0"
p run -- true
test "$(field "$(newest)" L0)" = unknown
result "exit 0 alone does not"

test "$(field "$(newest)" kind)" = unknown
result "nobody said what kind it was, so that is not known"
p run --kind full -- true
test "$(field "$(newest)" kind)" = full
result "unless it is said"

git tag original
git commit -q --allow-empty -m 'second' && git tag attempt/1
"$portside" attempt refresh >/dev/null 2>&1
p run -- true
grep -q 'of 1;' "$dir/err"
result "the attempt is found from HEAD"
PORTSIDE_ATTEMPT=3 p run -- true
grep -q 'of 3;' "$dir/err"
result "or named by PORTSIDE_ATTEMPT"
PORTSIDE_ATTEMPT='a b' p run -- true
test $rc = 2 && grep -q PORTSIDE_ATTEMPT "$dir/err"
result "a garbled PORTSIDE_ATTEMPT starts nothing"

git worktree add -q --detach "$dir/linked" original
(cd "$dir/linked" && p run -- pwd && test "$(cat "$dir/out")" = "$dir/linked")
result "it runs where the caller stands, in a linked work tree too"
test "$(cd "$dir/linked" && "$portside" runs --json | tr '{' '\n' | grep -c '"run":')" = "$("$portside" runs --json | tr '{' '\n' | grep -c '"run":')"
result "both work trees have one log"

token=hf_0123456789abcdefghijABCDEFGHIJ
echo "key = '$token'" >new.py && git add new.py
# shellcheck disable=SC2016 # the run expands it, not this shell
HF_TOKEN=$token p run -- sh -c 'test "$1" = "$HF_TOKEN"' x "$token"
test $rc = 0 && ! grep -rq "$token" .git/portside
result "a secret reaches the command and no stored file"
p run show "$(newest)"
grep -q 'uncommitted changes *yes' "$dir/out" && grep -q 'redacted HF_TOKEN' "$dir/out" && grep -q 'standard input */dev/null' "$dir/out"
result "run show tells command, input and changes"

"$portside" run -- sh -c 'trap "exit 5" INT TERM; echo up; sleep 30 & wait' >"$dir/live" 2>"$dir/err" </dev/null &
wrapper=$!
until grep -q up "$dir/live" 2>/dev/null; do sleep 0.05; done
live=$(newest)
"$portside" tail --follow "$live" >"$dir/tail" 2>"$dir/tail.err" &
tail=$!
until grep -q up "$dir/tail" 2>/dev/null; do sleep 0.05; done
kill -INT $tail
wait $tail
rc=$?
test $rc = 130 && test "$(field "$live" state)" = running
result "^C ends a tail, never the run"
p runs
grep -q "$live .*running" "$dir/out"
result "runs shows it as running"
kill -INT $wrapper
wait $wrapper
rc=$?
test $rc = 130 && test "$(field "$live" state)" = cancelled
result "^C to the wrapper cancels the run and is 130"

"$portside" run -- sleep 60 >"$dir/live" 2>"$dir/err" </dev/null &
wrapper=$!
until test -n "$(newest)" && test "$(field "$(newest)" state)" = running; do sleep 0.05; done
live=$(newest)
kill -9 $wrapper
wait $wrapper 2>/dev/null
test "$(field "$live" state)" = running
result "a wrapper that is killed leaves the run alive"
p cancel "$live" --reason enough
test $rc = 0
result "cancel ends it from elsewhere"
"$portside" tail --follow "$live" >/dev/null 2>&1
test "$(field "$live" state)" = cancelled
result "and it is on record as cancelled"
p cancel "$live"
test $rc = 3 && grep -q 'over already' "$dir/err"
result "a second cancel says that it is over"

seq 1 200000 >"$dir/many"
p run -- cat "$dir/many"
many=$(newest)
p tail --all "$many"
cmp -s "$dir/out" "$dir/many"
result "tail --all gives each byte"
p tail "$many"
test "$(tail -1 "$dir/out")" = 200000 && test "$(wc -c <"$dir/out")" -lt 17000
result "tail gives the end, from the beginning of a line"
rm "$(git rev-parse --git-common-dir)/portside/runs/$many/status"
timeout 60 "$portside" tail --follow "$many" >"$dir/out" 2>"$dir/err" </dev/null
test $? = 0 && test "$(tail -1 "$dir/out")" = 200000
result "a run that the log calls over is not waited for"
p run -- printf 'a\033[31mred\033[0m\n'
script -qec "'$portside' tail $(newest)" /dev/null </dev/null | grep -q 'a^\[\[31mred'
result "a terminal gets no control sequence of a log"
p --read-only run -- true
test $rc = 3 && grep -q 'read-only' "$dir/err"
result "read-only starts nothing"

# What a run of the configuration sees, the manual tells; and the reverse.
cat >portside.conf <<'END'
[migration]
	name = small
	original = main
	reference = here
[target "here"]
	kind = cpu
	backend = cpu
	chips = 1
	launcher = local
[run "smoke"]
	command = "env | grep -o '^PORTSIDE_[A-Z_]*='"
END
git add portside.conf && git commit -q -m "Say how to run"
script -qec "'$portside' config accept" /dev/null </dev/null >"$dir/out" 2>&1
# Of the build tree and of the tests, not of a run.
unset PORTSIDE_DATA "${!PORTSIDE_TEST_@}"
p run reference --kind smoke --target here --wait
tr -d = <"$dir/out" | grep '^PORTSIDE_' | sort -u >"$dir/seen"
sed -n '/^A run sees/,/^as well/p' "$top/man/portside.1" | grep -o 'PORTSIDE_[A-Z_]*' | sort -u >"$dir/told"
test -s "$dir/seen" && diff "$dir/seen" "$dir/told" >>"$dir/out"
result "a run sees the variables that the manual tells"

cat >>portside.conf <<'END'
[run "full"]
	command = "sh -c 'echo \"a b\"'"
END
script -qec "'$portside' config accept --reason more" /dev/null </dev/null >"$dir/out" 2>&1
p run -- sh -c 'echo "a b"'
test "$(field "$(newest)" kind)" = full && "$portside" run show "$(newest)" | grep -q 'full, by its command'
result "a wrapped command that is the configured one has its kind"
p run -- sh -c "env | grep -o '^PORTSIDE_[A-Z_]*='"
test "$(field "$(newest)" kind)" = smoke
result "also where it is given to a shell as it is written"
p run -- sh -c 'echo "a  b"'
test "$(field "$(newest)" kind)" = unknown && "$portside" run show "$(newest)" | grep -q 'unknown: nobody said'
result "another one has none"
echo "1..$number"
exit $failed
