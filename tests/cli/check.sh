#!/bin/bash
# portside check: what a run's evidence says goes on record, level by level; a person's
# statements; which questions of L2 are required.
build=$(cd "${top_builddir:-.}" && pwd)
portside=$build/portside
samples=$(cd "${srcdir:-.}" && pwd)/tests/evidence/samples
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
GIT_AUTHOR_NAME=coder GIT_AUTHOR_EMAIL=coder@example.org GIT_COMMITTER_NAME=coder GIT_COMMITTER_EMAIL=coder@example.org
export HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM LC_ALL TZ
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset CLAUDECODE PORTSIDE_ATTEMPT PORTSIDE_CLOCK PORTSIDE_PROBE PYTHONPATH
export WORLD='' ORDER='' PACKAGES='' SAYS=''
if ! script -qec true /dev/null >/dev/null 2>&1; then
	echo "1..0 # SKIP a person needs a terminal, and script(1) makes none"
	exit 0
fi
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

events() { "$portside" --format csv events --limit 1000 | grep -c check.recorded; }

# field CHECK FIELD ARGUMENTS: one field of one row of check
field() {
	local check=$1 field=$2

	shift 2
	"$portside" --format csv check "$@" 2>"$dir/err" | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["check"].split(" ")[0] == sys.argv[1]:
        print(row[sys.argv[2]])
        break' "$check" "$field"
}
if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP python3 is missing"
	exit 0
fi

# A program that leaves the record of a probe (WORLD processes, in that ORDER, with
# PACKAGES), and prints the file SAYS.
mkdir "$dir/repo" && cd "$dir/repo" || exit 99
git init -q -b main .
cat >train.sh <<'EOS'
folder=$PORTSIDE_PROBE
line() { echo "{\"probe\":1,\"rank\":0,\"pid\":71,\"time\":1760000000,$1}" >>"$folder/probe-0-71.jsonl"; }
if [ -n "$folder" ]; then
	mkdir -p "$folder"
	line '"kind":"optimizer","optimizer":0,"devices":{"xla:0":4}'
	line "\"kind\":\"world\",\"world\":$WORLD,\"hardware\":\"TPU\""
	line "\"kind\":\"step\",\"optimizer\":0,\"step\":1,\"shared\":4,\"stale\":0,\"left_out\":0,\"changed\":true,\"order\":[$ORDER]"
	[ -z "$PACKAGES" ] || line "\"kind\":\"packages\",\"packages\":$PACKAGES"
fi
[ -z "$SAYS" ] || cat "$SAYS"
echo step 2
echo done
EOS
cat >portside.conf <<'EOS'
[migration]
	name = small
	intended = v5e-4
[target "v5e-1"]
	kind = tpu
	chips = 1
[target "v5e-4"]
	kind = tpu
	chips = 4
[target "gpu"]
	kind = gpu
[run "smoke"]
	command = "sh train.sh"
	done = "done"
	pass = WORLD
	pass = ORDER
	pass = PACKAGES
	pass = SAYS
EOS
git add . && git commit -q -m first && git tag original && git commit -q --allow-empty -m 'one

Attempt: 1
Claimed-Level: L3 @v5e-4' && p attempt refresh && person config accept
result "the configuration is accepted"
first='"backward","clip","reduce x4","step"'
right='"backward","reduce x4","clip","step"'

# ---- validated on 1 chip, intended 4 ----

WORLD=1 ORDER=$right p run 1 --kind smoke --probe --wait --target v5e-1
result "an attempt runs on one chip"
test "$(field config result 1 --configuration v5e-1)" = confirmed &&
	test "$(field config recorded 1 --configuration v5e-1)" = confirmed
result "on one chip that is what was declared, and it is on record"
test "$(field config recorded 1 --configuration v5e-4)" = refuted &&
	test "$(field L3 recorded 1 --configuration v5e-4)" = 'not checked'
result "on the intended four nothing ran: config is refuted, L3 not checked"
p check 1
test $? = 1 && grep -q 'validated on 1 chip, intended 4' "$dir/out"
result "validated on 1 chip, intended 4"

# ---- four chips that clip first ----

# Each question of L0 has its own sentence, and none is confirmed that nobody measured.
test "$(field exit why 1 --configuration v5e-1)" = "its exit status is 0" &&
	field error-text why 1 --configuration v5e-1 | grep -q 'the log shows no error' &&
	field error-text places 1 --configuration v5e-1 | grep -q '^log [0-9a-f]' &&
	test "$(field hang recorded 1 --configuration v5e-1)" = unknown &&
	field hang why 1 --configuration v5e-1 | grep -q 'how long it paused on the way was not measured'
result "what L0 rests on is said question by question"
WORLD=4 ORDER=$first p run 1 --kind smoke --probe --wait --target v5e-4
p --format csv check 1 --configuration v5e-4
grep -q 'grad,.*refuted,refuted,' "$dir/out" && grep -q '^v5e-4,L0,L0 @v5e-4,.*confirmed' "$dir/out"
result "the gradient that is clipped first is refuted as soon as the run has ended"
test "$(field L0 measured 1 --configuration v5e-4)" = 'L0, L2 refuted' &&
	test "$(field L0 claimed 1 --configuration v5e-4)" = L3 &&
	test "$(field L0 verdict 1 --configuration v5e-4)" = over-claim
result "the ladder ends at L0, and the claim of L3 is an over-claim"
p check 1 --configuration v5e-4
grep -q 'OVER-CLAIM' "$dir/out" && grep -q 'next: L2 is refuted by grad' "$dir/out"
result "both are said in words, and what comes next"
test "$(field config recorded 1 --configuration v5e-4)" = confirmed
result "what was refuted for want of a run is answered by it"
field grad places 1 --configuration v5e-4 >"$dir/out"
grep -q "^probe/probe-0-71.jsonl:3 probe@1 [0-9a-f]\{12\}$" "$dir/out"
result "with the line, the parser and the digest"

# ---- once ----

n=$(events)
p check 1 && p check 1
test "$(events)" = "$n" && test "$n" -gt 2
result "asking again records nothing"
p --read-only check 1
test $? = 1 && grep -q 'grad .*refuted' "$dir/out"
result "a reader sees the same"

# ---- evidence that was changed ----

run=$(field grad run 1 --configuration v5e-4)
record=.git/portside/runs/$run/probe/probe-0-71.jsonl
cp "$record" "$dir/kept"
sed -i 's/"clip","reduce x4"/"reduce x4","clip"/' "$record"
p check 1 --configuration v5e-4
grep -q 'grad .*unknown .*refuted .*was changed since it was recorded' "$dir/out"
result "a record that was changed is refused, and says so"
test "$(events)" = "$n"
result "and nothing is recorded from it"
rm "$record"
p check 1 --configuration v5e-4
grep -q 'is on record and no longer here' "$dir/out"
result "one that is gone is missed"
cp "$dir/kept" "$record"
test "$(field grad result 1 --configuration v5e-4)" = refuted
result "with the file as it was the answer is there again"

mv ".git/portside/runs/$run/probe" "$dir/probe" && p check 1 --configuration v5e-4
grep -q 'grad .*unknown .*refuted .*no longer here' "$dir/out"
result "without its folder as well"
mv "$dir/probe" ".git/portside/runs/$run/probe" && mv ".git/portside/runs/$run" "$dir/run"
p check 1 --configuration v5e-4
grep -q 'grad .*not checked .*refuted ' "$dir/out" && grep -q 'config .*not checked .*confirmed ' "$dir/out" &&
	test "$(events)" = "$n"
result "a run whose files are elsewhere ran all the same, and keeps what is on record"
mv "$dir/run" ".git/portside/runs/$run"

# ---- the CPU, in silence ----

git commit -q --allow-empty -m 'two

Attempt: 2' && p attempt refresh
SAYS=$samples/pjrt_default_cpu.txt p run 2 --kind smoke --wait --target v5e-1
test "$(field dev recorded 2 --configuration v5e-1)" = refuted &&
	test "$(field L0 recorded 2 --configuration v5e-1)" = confirmed
result "a run that exits 0 on the CPU is refuted by its own log"
field dev places 2 --configuration v5e-1 >"$dir/out" && grep -q '^log:[0-9]* xla-log@2 ' "$dir/out"
result "at the line that says so"

# ---- versions ----

git commit -q --allow-empty -m 'three

Attempt: 3' && p attempt refresh
WORLD=4 ORDER=$right PACKAGES='{"torch":"2.6.0","accelerate":"0.30.0","six":"1.1"}' p run 3 --kind smoke --probe --wait --target v5e-4
p --format csv events --limit 1000
test "$(grep -c '3@v5e-4:deps' "$dir/out")" = 1
result "without the reference's packages they cannot be compared"
WORLD=1 ORDER=$right PACKAGES='{"torch":"2.14.0","accelerate":"0.30.0","six":"1.0"}' p run reference --kind smoke --probe --wait --target gpu
p --format csv events --limit 1000
test "$(grep -c '3@v5e-4:deps' "$dir/out")" = 2
result "when the reference has run, what is compared with it is asked again"
test "$(field deps result 3 --configuration v5e-4)" = unknown
result "another version of torch that nobody classified is no match"
field deps why 3 --configuration v5e-4 >"$dir/out"
grep -q 'no gap may be put down to the backend: torch 2.6.0 against 2.14.0 (minor)' "$dir/out"
result "no gap may be put down to the backend"
cat >>portside.conf <<'EOS'
[package "Torch"]
	class = modified
	reason = "the newest that the backend has"
EOS
person config accept --reason "looked at the release notes"
test "$(field deps result 3 --configuration v5e-4)" = confirmed
result "a person's class settles it"
sed -i 's/class = modified/class = mismatch/' portside.conf
person config accept --reason "its release notes name the loss"
field deps why 3 --configuration v5e-4 >"$dir/out"
grep -q 'classified (1: torch mismatch)' "$dir/out"
result "another class is another answer"
p check 3 --configuration v5e-4
p --format csv events --limit 1000
test "$(grep -c '3@v5e-4:deps' "$dir/out")" = 4
result "each class is put on record once"
git commit -q --allow-empty -m 'four

Attempt: 4' && p attempt refresh
WORLD=4 ORDER=$right PACKAGES='{"torch":"2.14.0","accelerate":"1.2.0"}' p run 4 --kind smoke --probe --wait --target v5e-4
test "$(field deps recorded 4 --configuration v5e-4)" = refuted
result "a major change that nobody classified is refuted"

# ---- statements ----

person check 3 --set grad=confirmed --reason "looked at the trace"
test $? = 3 && grep -q 'confirming grad needs evidence' "$dir/out"
result "nobody confirms a question of L2 without evidence"
person check 3 --set ckpt=not-applicable
test $? = 2 && grep -q -e '--reason is missing' "$dir/out"
result "not applicable needs a reason"
person check 3 --set ckpt=not-applicable --reason "nothing is saved" &&
	test "$(field ckpt recorded 3 --configuration v5e-4)" = 'not applicable' &&
	test "$(field ckpt why 3 --configuration v5e-4 | wc -l)" = 1
result "a person says that a question does not apply"
echo trace >"$dir/trace.txt"
person check 3 --set fallback=confirmed --reason "no operator there" --evidence "$dir/trace.txt" &&
	test "$(field fallback recorded 3 --configuration v5e-4)" = confirmed &&
	"$portside" --format csv events | grep -q "$(sha256sum "$dir/trace.txt" | cut -c1-64)"
result "and confirms one with a file, whose digest is on record"
person check 1 --set grad=confirmed --configuration v5e-4 --reason "it is right" --evidence "$dir/trace.txt" &&
	test "$(field grad recorded 1 --configuration v5e-4)" = 'unknown (contradicted)'
result "against the tool's word it is unknown, and says that they contradict"
p check 3 --set eval=refuted --reason "no"
test $? = 3 && grep -q 'needs a terminal' "$dir/err"
result "a script is no person"
CLAUDECODE=1 p check 3 --set eval=confirmed --configuration v5e-4 --reason "it is equal" && p status &&
	test "$(field eval claimed 3 --configuration v5e-4)" = confirmed &&
	test "$(field eval recorded 3 --configuration v5e-4)" = 'not checked'
result "an agent's word is a claim and counts for nothing"
person check 3 --set colour=refuted --reason x
test $? = 2 && grep -q '"colour" is no question' "$dir/out"
result "what is no question is refused"

# ---- which questions are required ----

printf '[level "L2"]\n' >>portside.conf
for i in config grad fallback opt-order; do printf '\trequire = %s\n' $i >>portside.conf; done
person config accept
grep -q 'this is loosened: level.L2' "$dir/out"
result "a question that is dropped needs a reason"
person config accept --reason "a smoke migration" && p check 3 --configuration v5e-4
grep -q 'L2 of 4 required questions, 11 not required by [^ ]*, [0-9]* [A-Z][a-z][a-z]' "$dir/out" &&
	test "$(field L2 recorded 3 --configuration v5e-4)" = confirmed &&
	test "$(field lr required 3 --configuration v5e-4)" = false
result "L2 hangs on those that are left, and says who left out how many"
for i in "attempt list" "report"; do
	# shellcheck disable=SC2086
	p $i && grep -q 'L2 of 4 required questions, 11 not required by' "$dir/out" || break
done && p brief && grep -q 'L2 here requires: config, opt-order, grad\|L2 here requires: fallback' "$dir/out"
result "so do the list, the report and the text for agents"
p verify
result "the log verifies"

echo "1..$number"
exit $failed
