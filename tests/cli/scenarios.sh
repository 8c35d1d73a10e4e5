#!/bin/bash
# Two cases of the study, by their numbers, through the whole program: four chips that clip
# before they reduce, and a gap that two teachers make.  Prints TAP.
build=$(cd "${top_builddir:-.}" && pwd)
portside=$build/portside
if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP python3 is missing"
	exit 0
fi
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "1..0 # SKIP a person needs a terminal, and script(1) makes none"
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
export FIRST='' TEACHER='' VALUE=''
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

# person ARGUMENTS: the same, at a terminal
person() {
	local words

	printf -v words '%q ' "$portside" "$@"
	script -qec "$words" /dev/null >"$dir/out" 2>"$dir/err" </dev/null
}

mkdir "$dir/repo" && cd "$dir/repo" || exit 99
git init -q -b main .
# Four processes with the gradients (3, 0), (0, 3), (3, 0), (0, 3) and a norm of at most 1.
# Each writes what it saw; that they are averaged is only seen where FIRST is "reduce".
cat >four.py <<'EOF'
import math
import os

import portside_probe.journal as journal

GRADIENTS = [(3.0, 0.0), (0.0, 3.0), (3.0, 0.0), (0.0, 3.0)]


def norm(v):
    return math.hypot(*v)


def clip(v):
    scale = min(1.0, 1.0 / norm(v))
    return tuple(x * scale for x in v)


def mean(vectors):
    return tuple(sum(x) / len(vectors) for x in zip(*vectors))


def train(rank):
    if os.environ["FIRST"] == "reduce":
        before = mean(GRADIENTS)
        after = taken = clip(before)
        order = ["backward", "reduce x2", "clip", "step"]
    else:
        before = GRADIENTS[rank]
        after = clip(before)
        taken = mean([clip(g) for g in GRADIENTS])
        order = ["backward", "clip", "step"]
    journal.set_rank(rank)
    journal.write("optimizer", optimizer=0, devices={"xla:0": 2})
    journal.write("world", world=4, hardware="TPU")
    journal.write("clip", step=1, limit=1.0, before={"norm": norm(before)}, after={"norm": norm(after)})
    journal.write("step", optimizer=0, step=1, shared=2, stale=0, left_out=0, changed=True, order=order,
                  gradient={"norm": norm(taken)})
    journal.write("optimizer_end", optimizer=0, steps=1)
    return taken


if __name__ == "__main__":
    children = []
    for rank in range(4):
        pid = os.fork()
        if pid == 0:
            train(rank)
            os._exit(0)
        children.append(pid)
    assert all(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0 for pid in children)
EOF
cat >smoke.sh <<'EOF'
echo "{\"teacher\": \"$TEACHER\", \"examples\": 9815, \"data\": \"mnli\", \"batch\": 32, \"steps\": 5}" >portside-facts.json
i=0
while [ $((i = i + 1)) -le 5 ]; do
	echo "{\"step\": $i, \"learning_rate\": 0.001, \"eval_accuracy\": $VALUE}"
done
EOF
cat >portside.conf <<'EOF'
[migration]
	name = study
	intended = v5e-4
	reference = gpu
[target "gpu"]
	kind = gpu
[target "v5e-4"]
	kind = tpu
	chips = 4
[goal "accuracy"]
	series = eval_accuracy
	scale = 100
	unit = pp
	target = 82.6
[run "smoke"]
	command = "sh smoke.sh"
	pass = TEACHER
	pass = VALUE
[rule "R4"]
	when = "smoke_gap.accuracy worse than 5.0"
	precondition = comparable-inputs
	action = decision
	class = correctness
EOF
git add . && git commit -q -m first && git tag original && git commit -q --allow-empty -m 'one

Attempt: 1' && p attempt refresh && person config accept
result "a migration"

# ---- B4: four chips ----

# grad: the line of that question
grad() { p check 1; grep '^grad ' "$dir/out"; }

FIRST=clip p run 1 --probe --wait --target v5e-4 -- env FIRST=clip python3 four.py
cp "$dir/out" "$dir/run"
line=$(grad)
printf '%s\n' "$line" >>"$dir/err"
grep -q 'refuted .*clipped to a norm of 1, and the optimizer takes one of 0\.707107 (ratio 0\.7071)' <<<"$line"
result "clipped, then averaged: (0.5, 0.5), a norm of 0.7071, whoever averaged it"
test "$(find .git/portside/runs -name 'probe-*.jsonl' | wc -l)" = 4
result "as four processes wrote it"
p check 1
test $? = 1
result "which is a no"
p run 1 --probe --wait --target v5e-4 -- env FIRST=reduce python3 four.py
cat .git/portside/runs/*/probe/*.jsonl >"$dir/records"
grep -q '"before":{"norm":2\.1213' "$dir/records" && grep -q '"gradient":{"norm":1\.0\|"gradient":{"norm":0\.9999\|"gradient":{"norm":1}' "$dir/records"
result "averaged, then clipped: (1.5, 1.5) of norm 2.1213 becomes one of norm 1"
line=$(grad)
printf '%s\n' "$line" >>"$dir/err"
grep -q 'confirmed .*reduced over 4 processes, then clipped once' <<<"$line"
result "and is confirmed"

# ---- S1: two teachers ----

p attempt refresh
TEACHER=a VALUE=0.826 p run reference --kind smoke --seed 7 --target gpu --wait &&
	TEACHER=b VALUE=0.773 p run 1 --kind smoke --seed 7 --target v5e-4 --wait
result "a smoke run a side, 5.3 pp apart, each with its own teacher"
p status && p alarms && ! grep -q R4 "$dir/out"
result "no alarm of correctness"
p status && grep -q 'R4 .*inputs not comparable' "$dir/out"
result "but that the inputs are not comparable"
p compare 1 --configuration v5e-4
grep -q 'teacher' "$dir/out"
result "and which of them"
TEACHER=a VALUE=0.773 p run 1 --kind smoke --seed 7 --target v5e-4 --wait && p status && p alarms && grep -q R4 "$dir/out"
result "with one teacher the same gap is an alarm"
p verify
result "the log verifies"

echo "1..$number"
exit $failed
