#!/bin/sh
# `triage`: a log file's findings and proposal in all forms, user signatures, and what of a
# hostile log never reaches a terminal.  Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" LC_ALL=C.UTF-8 TZ=UTC
unset CLAUDECODE PORTSIDE_CONFIG
cases=$(cd "${srcdir:-.}" && pwd)/tests/evidence/triage/cases
scripts=$(cd "${srcdir:-.}" && pwd)/tests/e2e
cd "$dir" || exit 99
count=0
failed=0
# ok TEXT: the last command's status was 0.
ok() {
	status=$?
	count=$((count + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $count - $1"
		return
	fi
	failed=1
	echo "not ok $count - $1"
	sed 's/^/# /' "$dir/out"
}
# t STATUS ARGUMENT...: the exit status is that one.
t() {
	wanted=$1
	shift
	"$portside" triage "$@" >"$dir/out" 2>&1 </dev/null
	test $? -eq "$wanted"
}
says() { grep -qF -- "$1" "$dir/out"; }

t 0 "$cases/c1_topology_then_noise.log" --target tpu --exit 1 && says "proposed: C1 environment" &&
	says "from line 6" && says "next check: " && grep -qE '^ *6 +C1-12 +C1 +raises +decides' out &&
	grep -qE '^ *14 +C1-32 +C1 +noise +dropped' out
ok "findings with line numbers, the proposal, its reason and the next check"

t 0 "$cases/c4_graph_growth_looks_like_oom.log" --target tpu --exit 137 --verdict --json &&
	says '"cause":"C4"' && says '"ids":"C4-21 C6-08"' && says '"basis":"growth"' && says '"silent":"no"' &&
	says '"agent_label":null'
ok "the proposal as one JSON record"

t 0 "$cases/c2_silent_cpu_run.log" --target tpu --exit 0 --format csv && says "1,C2-09,C2,silent,decides," &&
	t 0 "$cases/c2_silent_cpu_run.log" --target gpu --exit 0 && says "proposed: no cause" &&
	says "that proves nothing"
ok "the same log on a GPU host is as it should be"

echo nothing >quiet.log
t 0 quiet.log && says "how it ended is not known" && says "proposed: no cause" &&
	t 0 quiet.log --exit 3 && says "proposed: C0" && ! says "proves nothing"
ok "nothing found is no proof, and with a failure it is C0"

{
	printf '\033]0;owned\007\033[2JRuntime\033[31mError: Unimplemented backend XLA \033]52;c;eA==\007\n'
	printf 'AssertionError: Torch not compiled with CUDA enabled \302\233 hf_abcdefghijklmnopqrstuvwxyz012345\n'
} >hostile.log
t 0 hostile.log && says "C2-15" && says "C2-01" && ! grep -q "$(printf '[\033\007]')" out &&
	! grep -q "$(printf '\302\233')" out && ! says "hf_abcdef"
ok "no control sequence of a log reaches a terminal, and no secret"

mkdir -p config/portside/signatures
printf 'id\tcause\trule\tpattern\tnote\nmy-1\tC2\thit\tFancyKernel needs sm_(\\d+)\tour own kernel\nmy-2\tC9\thit\tquagga\t\nmy-3\tC2\thit\t.*\t\n' \
	>config/portside/signatures/mine.tsv
echo "FancyKernel needs sm_90" >own.log
t 0 own.log --exit 1 --target tpu && says "my-1" && says "our own kernel" && says "proposed: C2" &&
	says "mine.tsv:3: the cause \"C9\" must be" && says "mine.tsv:4: the pattern would slow"
ok "signatures of one's own; a wrong row costs itself alone and is named"

rm -r config
t 3 missing.log && says "there is no file missing.log" && t 2 quiet.log --target moon && t 2 quiet.log --device-gib -1
ok "what is not there, and what is not allowed"

mkfifo pipe && t 3 pipe
ok "a pipe is not waited for"

# ---- of a run: labels, agreement, a report for others ---------------------------------------
PORTSIDE=$portside
export PORTSIDE
sh "$scripts/triage_migration.sh" made >made.out 2>&1
cd made || exit 99
run=$("$portside" runs --json | sed -n 's/.*"run":"\(ps-[a-z2-7]*\)".*"why":"exit 1".*/\1/p')
t 0 "$run" && says "proposed: C2" && says "labels: the agent's none; a person's none"
ok "a run by its id"

# person NAME WORDS...: the command as that person at a terminal
person() {
	printf '[user]\n\tname = %s\n' "$1" >"$XDG_CONFIG_HOME/portside/config"
	shift
	line=
	for word; do line="$line '$word'"; done
	script -qec "$portside$line" /dev/null </dev/null
}
mkdir -p "$XDG_CONFIG_HOME/portside"
{
	person ana label 5 failure --cause C3 --secondary C4 --secondary C5
	person ana label 3 success
	person bob label 5 failure --cause C3 --blind
	person bob triage 3
	person bob label 3 failure --cause C1 --blind
	person bob label 3 failure --cause C1
	person bob triage 3
} >"$dir/people" 2>&1
grep -qF 'so this label is not blind' "$dir/people" &&
	test "$("$portside" events --kind label.seen --json | grep -o 'label\.seen' | wc -l)" -eq 1 &&
	t 0 --agreement && says 'n = 2, blind 1 of 2' && says 'kappa 0.33' &&
	grep -qE '^C3 +C3 +1' "$dir/out" && grep -qE '^none +C1 +1' "$dir/out"
ok "two reviewers, one of them blind; who saw a label is on record once"

t 0 5 --bug-report report.md && grep -q '^# RuntimeError: Input tensor is not an XLA tensor' report.md &&
	grep -q '^Not known: ' report.md && grep -q 'File "~/textcls/train.py", line 4' report.md &&
	! grep -qE 'ana|127\.0\.0\.1' report.md && grep -q 'not captured' report.md && t 3 5 --bug-report report.md &&
	says 'is there already' && t 2 ../quiet.log --bug-report x.md && t 0 5 --bug-report - && says '## Not checked'
ok "a report for others tells nothing private, and takes the place of no file"

git init -q "$dir/empty"
for size in 80x24 40x8 1x1; do
	"$portside" -C "$dir/empty" show triage --size $size && "$portside" -C "$dir/empty" show checks --size $size ||
		exit 99
done >"$dir/out" && says 'no attempt yet: commit with the trailer' && says 'nothing to check yet'
ok "both views say what to do where there is nothing"

t 2 && says 'which run?'
ok "without a run there is a sentence"

echo "1..$count"
exit "$failed"
