#!/bin/bash
# portside run --probe: what a Python program records of itself is evidence of the run.
build=$(cd "${top_builddir:-.}" && pwd)
top=$(cd "${srcdir:-.}" && pwd)
portside=$build/portside
if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP python3 is missing"
	exit 0
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
GIT_AUTHOR_NAME=coder GIT_AUTHOR_EMAIL=coder@example.org GIT_COMMITTER_NAME=coder GIT_COMMITTER_EMAIL=coder@example.org
export HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM LC_ALL TZ
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset CLAUDECODE PORTSIDE_ATTEMPT PORTSIDE_CLOCK PORTSIDE_PROBE PYTHONPATH PYTHONHOME PYTHONSTARTUP
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

# p ARGUMENTS: portside, with its output and talk kept
p() {
	"$portside" "$@" >"$dir/out" 2>"$dir/err" </dev/null
}

newest() { sed -n 's/^portside: run \(ps-[a-z2-7]*\)[ :].*/\1/p' "$dir/err" | head -1; }

mkdir "$dir/repo" "$dir/own" && cd "$dir/repo" || exit 99
git init -q -b main . && git commit -q --allow-empty -m first
cat >mark.py <<'EOF'
import portside_probe
portside_probe.mark("evaluated", accuracy=0.5)
print("trained")
EOF
git add mark.py && git commit -q -m mark

p run --wait -- python3 mark.py
grep -q "No module named 'portside_probe'" "$dir/out" "$dir/err"
result "it is there only when it is asked for"
p run show "$(newest)"
grep -q 'probe  *not asked for; --probe records' "$dir/out"
result "a run without it says how to get it"

p run --probe --wait -- python3 mark.py && test "$(cat "$dir/out")" = trained
result "a program runs with it"
run=$(newest)
record=$(echo .git/portside/runs/"$run"/probe/probe-0-*.jsonl)
grep -q '"kind":"mark".*"accuracy":0.5' "$record"
result "its record lies in the folder of the run"
p run show "$run" && grep -q 'probe  *1 file in probe/' "$dir/out"
result "the run shows it"
p --format csv events && grep -q "$(sha256sum "$record" | cut -c1-64)" "$dir/out"
result "its digest is in the log"
p verify
result "the log verifies"

echo 'print("the other one")' >"$dir/own/sitecustomize.py"
PYTHONPATH=$dir/own p run --probe --wait -- python3 mark.py && grep -qx 'the other one' "$dir/out"
result "what PYTHONPATH named before is still found"

p run --probe --wait -- sh -c 'echo plain' && test "$(cat "$dir/out")" = plain
result "a program that is no Python runs as ever"
p run show "$(newest)" && grep -q 'probe  *recorded nothing' "$dir/out"
result "and it is said that nothing was recorded"

test -s "$top/data/probe/sitecustomize.py" && test -z "$(find "$top/data/probe" -name '__pycache__' -newer "$dir/own/sitecustomize.py")"
result "nothing is compiled beside the installed files"

mkdir "$dir/empty"
PORTSIDE_DATA=$dir/empty p run --probe -- true
test $? = 3 && grep -q 'the probe is not there: .*sitecustomize.py is missing' "$dir/err"
result "without its files nothing is started, and it says why"

# ---- what follows from records ----

cat >train.py <<'EOF'
"""Writes the record of a training program with 2 processes that clips first, or last."""
import sys
import portside_probe.journal as journal

order = ["backward", "reduce x4", "clip", "step"]
if sys.argv[1] == "wrong":
    order = ["backward", "clip", "reduce x4", "step"]
journal.write("optimizer", optimizer=0, devices={"xla:0": 4})
journal.write("world", world=2, hardware="TPU")
journal.write("forward", step=1, model="Model", elements=7000000000, devices={"xla:0": 4}, dtypes={"bfloat16": 4})
journal.write("step", optimizer=0, step=1, shared=4, stale=0, left_out=0, changed=True, order=order)
journal.write("steps", optimizer=0, first=1, lr=0.1, seconds=[None, 0.5], backwards=1)
journal.write("optimizer_end", optimizer=0, steps=2)
EOF
cat >portside.conf <<'EOF'
[migration]
	name = small
[target "v5e-2"]
	kind = tpu
	chips = 2
	chip = v5e
[target "stand-in"]
	kind = cpu
	chips = 2
	simulates = tpu
EOF
git add . && git commit -q -m 'first

Attempt: 1' && p attempt refresh
if script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "'$portside' config accept" /dev/null >"$dir/out" 2>"$dir/err" </dev/null
	result "the configuration is accepted"
else
	echo "1..$number"
	exit $failed
fi
# answer CHECK ARGUMENTS: the result of one question
answer() {
	local check=$1

	shift
	"$portside" check "$@" |
		sed -n "s/^$check  *\(confirmed\|refuted\|unknown\|not checked\|not applicable\) .*/\1/p"
}

p check 1
test $? = 3 && grep -q 'attempt 1 has no run' "$dir/err"
result "without a run there is nothing to check"
p run 1 --wait --target v5e-2 -- true && p check 1 &&
	test "$(answer grad 1)" = 'not checked' && grep -q 'no run with a record of the probe' "$dir/out"
result "without a record nothing is checked"
p run 1 --probe --wait --target v5e-2 -- python3 train.py right && p check 1 &&
	test "$(answer grad 1)" = confirmed && test "$(answer config 1)" = confirmed &&
	test "$(answer lr 1)" = unknown && test "$(answer fallback 1)" = 'not checked'
result "a run that reduces, then clips is right; what nothing tells is not"
p run reference --probe --wait --target v5e-2 -- python3 train.py right &&
	test "$(answer lr 1)" = confirmed
result "with a record of the reference rates are compared"
p feasibility 1 --target v5e-2 --optimizer adamw
test $? = 1 && grep -q 'the probe.s record of run ps-.*: 7000000000 parameters of Model in bfloat16' "$dir/out" &&
	grep -q '16.00 GiB' "$dir/out" && grep -q 'it cannot' "$dir/out"
result "how many parameters it has the probe says, which chip it is the target"
p feasibility 1 --target v5e-2 --parameters 1000 && ! grep -q 'record of run' "$dir/out"
result "what is stated goes before it"
p run 1 --probe --wait --target v5e-2 -- python3 train.py wrong
p check 1
test $? = 1 && grep -q 'grad .*refuted .*refuted .*clipped before it is reduced over 2 processes' "$dir/out"
result "a run that clips first is refuted, and that was recorded when it ended"
p bundle "$dir/for-reviewers" && p -C "$dir/for-reviewers" check 1
test $? = 1 && grep -q 'grad .*refuted .*clipped before it is reduced over 2 processes' "$dir/out"
result "and who reads the bundle sees the same"
p run 1 --probe --wait --target stand-in -- python3 train.py right &&
	test "$(answer grad 1 --configuration stand-in)" = unknown
result "a stand-in confirms nothing"
p verify
result "and the log verifies"

echo "1..$number"
exit $failed
