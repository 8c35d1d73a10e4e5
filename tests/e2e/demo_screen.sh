#!/bin/bash
# The story of the demo on the screen, as a newcomer lives it: the claim of
# attempt 7, its curves on one chip and on four, the line in the diff, what the
# person says and decides, the bundle, and the reviewer who opens it.
set -u
build=$(cd "${top_builddir:-.}" && pwd) || exit 99
portside=$build/portside
vtrun=$build/tests/e2e/vtrun
made=$build/tests/e2e/demo.made
skip() { echo "1..0 # SKIP $1"; exit 0; }
test -x "$portside" || skip "portside is not built"
test -x "$vtrun" || skip "vtrun is not built: libvterm is missing"
test -s "$made/story" || skip "tests/e2e/demo_runs.sh made no demo"

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cp -a "$made/textcls" "$dir/textcls" || exit 99
export LC_ALL=C.UTF-8 TZ=UTC
unset CLAUDECODE PORTSIDE_AGENT PORTSIDE_CLOCK NO_COLOR
number=0
failed=0

# act TEXT PERSON FOLDER: the script of standard input, with a home of the
# person's own.
act() {
	mkdir -p "$dir/$2"
	cat >"$dir/script"
	HOME=$dir/$2 XDG_CONFIG_HOME=$dir/$2 XDG_STATE_HOME=$dir/$2/state \
		"$vtrun" -w "${VTRUN_WAIT_MS:-60000}" -s "${size:-100x30}" "$dir/script" "$portside" -C "$3" >"$dir/out" 2>&1
	told $? "$1"
}

told() {
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	failed=1
	echo "not ok $number - $2"
	sed 's/^/# /' "$dir/out"
}

size=80x24 act "on a small screen what is in the way is named" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k k k k
wait #4
key 4
wait A #4 sim-tpu-1
wait NOT COMPARABLE  coverage DIFFERS
wait make coverage equal and run again
key Q
exit 0
VT

act "a failure without an error text stands in the verdict of its log" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k k
wait #6
key 6
wait silent: result, C0
wait proposed: no cause
key Q
exit 0
VT

act "the claim, and what its curves show" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
wait claimed  L3 @sim-tpu-1
wait L3 @sim-tpu-4
wait gap asks for a decision, attempt 7
key 4
wait A #7 sim-tpu-4 seed 1
wait comparable  device DIFFERS  data =
wait ! out at the first matched point, 32, and for 12 points from 96 on
wait last  R 89.46  A 76.72  d -12.74pp (A worse)
key o
wait R 408  A 408
gone 0.8946
key o
wait last  R 89.46  A 76.72  d -12.74pp (A worse)
key Tab Tab k Enter
wait A #7 sim-tpu-1 seed 1
wait last  R 89.46  A 89.46  d 0.00pp
key Q
exit 0
VT

act "the line in the diff" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
key 2
wait attempt 7 against attempt 6
wait 3 files +37 -18
key )
wait textcls/trainer.py ═
key /
type optimizer_step
key Enter
wait norm = torch.clip_grad_norm_(self.model.parameters()
wait +        tpu.optimizer_step(self.optimizer)
key Q
exit 0
VT

act "d opens the alarm of the selected attempt, and no other" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
key d
wait rule gap (correctness), attempt 7
wait minutes
key Esc
gone rule gap (correctness), attempt 7
key k
wait subject  Train in float32
key d
wait rule gap (correctness), attempt 6
key Esc
key k k
wait subject  Pad to one length
key d
wait attempt 4 has no open alarm; in view 1, ! and its number open the 3 that wait
key Q
exit 0
VT

act "3 goes to the newest run of the selected attempt" newcomer "$dir/textcls" <<'VT'
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
key 3 Tab
wait full run of #7 on sim-tpu-
key 1
wait subject  Train on all chips
key k k
wait subject  Stay within the memory
key 3
wait full run of #5 on sim-tpu-1
key Q
exit 0
VT

act "the intervention, the decision, the bundle" newcomer "$dir/textcls" <<VT
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
key i
wait intervention: what you did for the agent
type on four chips the gradient is clipped before it is averaged
key Tab
type 6
key S-Tab S-Tab h
key Enter
wait intervention recorded
key d
wait rule gap (correctness), attempt 7
wait gap 12.74pp at step 448
wait inputs comparable
type 12.74 pp below the reference on sim-tpu-4
key S-Tab c
key Enter
wait decision recorded
gone gap asks for a decision, attempt 7
key 7
wait decision: continue with
wait 12.74 pp below the reference
key j
wait on four chips the gradient is clipped before it is averaged
key :
type bundle
key Enter
wait write the migration as one file for a reviewer
type $dir/demo.bundle
key Enter
wait another person opens it read-only
key Esc
gone another person opens it
key Q
exit 0
VT

mv "$dir/textcls" "$dir/away"
act "the reviewer reads the same, without the repository" reviewer "$dir/demo.bundle" <<'VT'
wait read-only
wait subject  Clip the averaged gradient
key 7
wait decision: continue with
wait 12.74 pp below the reference on sim-tpu-4
wait intervention: hint, 7, 6 min
key j
wait decision: continue with change, #7 gap
key 1
wait subject  Clip the averaged gradient
key k
wait subject  Train on all chips
key 4
wait last  R 89.46  A 76.72  d -12.74pp (A worse)
key 2
wait attempt 7 against attempt 6
key Q
exit 0
VT
test -e "$dir/reviewer/state" && ! cmp -s "$dir/newcomer/state/portside/recent" "$dir/reviewer/state/portside/recent"
told $? "with a state of the reviewer's own"
echo "1..$number"
exit $failed
