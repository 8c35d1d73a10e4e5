#!/bin/sh
# Every run of the demo, made for real, shows what data/demo/runs says.
# shellcheck disable=SC2317 # functions are called through ok()
set -u
data=${srcdir:-.}/data
data=$(cd "$data" && pwd) || exit 99
# shellcheck source=tests/e2e/demo_story.sh
. "$data/../tests/e2e/demo_story.sh"

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo "1..0 # SKIP python3 3.9 or newer is missing"
	exit 0
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
make_demo "$work/demo" message
conf=$work/demo/portside.conf

# train RUN: makes the run in a clean work tree of its commit; the log is at
# $work/log, the artifacts in $work/tree.
train() {
	commit=$(get "$runs" "run.$1.commit")
	target=$(get "$runs" "run.$1.target")
	command=$(get "$conf" "run.$(get "$runs" "run.$1.kind").command")
	rm -rf "$work/tree"
	git -C "$work/demo" worktree prune
	git -C "$work/demo" worktree add -q --detach "$work/tree" "refs/story/$commit"
	PORTSIDE_TARGET=$target
	PORTSIDE_CHIPS=$(get "$conf" "target.$target.chips")
	PORTSIDE_CHIPS=${PORTSIDE_CHIPS:-1}
	PORTSIDE_SEED=$(get "$runs" "run.$1.seed")
	export PORTSIDE_TARGET PORTSIDE_CHIPS PORTSIDE_SEED
	(cd "$work/tree" && sh -c "$command") >"$work/log" 2>&1 </dev/null
	echo "exit=$?"
}

# last KEY: its last value in the dictionaries of the log, with the step.
last() {
	sed -nE "s/^\\{.*'$1': ([^,}]*)[,}].*'step': ([0-9]+).*/\\1 \\2/p" "$work/log" | tail -n 1
}

found() {
	loss=$(sed -nE "s/^\\{'loss': ([^,]*),.*'step': ([0-9]+).*/\\1 \\2/p" "$work/log" | tail -n 1)
	echo "step=${loss#* } loss=${loss% *} accuracy=$(last eval_accuracy | cut -d' ' -f1)" \
		"compiled=$(grep -A1 UncachedCompile "$work/log" | sed -n 's/^  Value: //p' | tail -n 1)"
}

wanted() {
	step=$(get "$runs" "run.$1.step")
	[ "$step" != none ] || step=
	echo "step=$step loss=$(get "$runs" "run.$1.loss") accuracy=$(get "$runs" "run.$1.accuracy")" \
		"compiled=$(get "$runs" "run.$1.compiled")"
}

end_is_right() {
	case $2 in
	exit=0)
		grep -qx 'Training completed' "$work/log" &&
			[ -s "$work/tree/out/trainer_state.json" ]
		;;
	*)
		is "$(tail -n 1 "$work/log")" "$(get "$runs" "run.$1.error")"
		;;
	esac
}

for run in $(names "$runs" run commit); do
	status=$(train "$run")
	ok "$run: exit status" is "$status" "exit=$(get "$runs" "run.$run.exit")"
	ok "$run: numbers" is "$(found)" "$(wanted "$run")"
	ok "$run: how it ends" end_is_right "$run" "$status"
done

# The claim that the demo is about, on the last evaluation: true on one chip,
# wrong on four, and mended by attempt 8.
accuracy() {
	get "$runs" "run.$1.accuracy"
}
pp() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", 100 * (a - b) }'
}
ok "attempt 7 equals the reference on one chip" \
	is "$(pp "$(accuracy 7-one-full)" "$(accuracy reference-1)")" 0.00
ok "attempt 7 is 12.74 pp below it on four" \
	is "$(pp "$(accuracy 7-four-full)" "$(accuracy reference-1)")" -12.74
ok "attempt 8 equals it on four" \
	is "$(pp "$(accuracy 8-four-full)" "$(accuracy reference-1)")" 0.00
finish
