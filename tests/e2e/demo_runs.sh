#!/bin/bash
# The demo, built for real: interrupted twice it makes each run once, and every
# run shows what data/demo/runs says.  It stays in tests/e2e/demo.made for the
# tests that go on with it, since building it takes most of a minute.
# shellcheck disable=SC2317 # functions are called through ok()
set -u
build=$(cd "${top_builddir:-.}" && pwd) || exit 99
portside=$build/portside
data=${srcdir:-.}/data
data=$(cd "$data" && pwd) || exit 99
# shellcheck source=tests/e2e/demo_story.sh
. "$data/../tests/e2e/demo_story.sh"

python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
	echo "1..0 # SKIP python3 3.9 or newer is missing"
	exit 0
}
made=$build/tests/e2e/demo.made
demo=$made/textcls
rm -rf "$made"
mkdir -p "$made/home" || exit 99
export HOME=$made/home XDG_CONFIG_HOME=$made/home XDG_STATE_HOME=$made/home LC_ALL=C.UTF-8
unset CLAUDECODE PORTSIDE_AGENT PORTSIDE_CLOCK

# ---- interrupted -------------------------------------------------------------------

prepared() { find "$demo/.git/portside/runs" -maxdepth 2 -name spec.json 2>/dev/null | wc -l; }
kept() { find "$demo/.git/portside/runs" -maxdepth 2 -name kept 2>/dev/null | wc -l; }

# interrupt SIGNAL COUNTER N: ends the demo's making once COUNTER says N.
interrupt() {
	"$portside" demo "$demo" >"$made/out" 2>"$made/err" </dev/null &
	local pid=$!

	while [ "$($2)" -lt "$3" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
	kill "-$1" "$pid"
	wait "$pid" 2>/dev/null
}

says() {
	grep -qE -- "$1" "$made/err" || { sed 's/^/# /' "$made/err"; return 1; }
}

interrupt INT kept 3
ok "^C is told, with what is missing and how to go on" \
	says "cancelled after [0-9]+ of 23 runs.* runs are missing \\(.*\\); $portside demo $demo makes them"
interrupt KILL prepared $(($(prepared) + 2))
ok "the next call tells what is there, and goes on" says "[0-9]+ of 23 runs of the demo are there; going on with "
"$portside" demo "$demo" --stay >"$made/story" 2>"$made/err" </dev/null
ok "after SIGKILL the third makes the rest" is "$? $(cat "$demo/.git/portside/demo")" "0 complete"
"$portside" demo "$demo" >"$made/out" 2>"$made/err" </dev/null
ok "a fourth has nothing to make" says "has a migration already"

# ---- each run ------------------------------------------------------------------------

# A start that SIGKILL cut in two is on record as one that never ran.
"$portside" -C "$demo" runs --format csv 2>/dev/null | tail -n +2 | grep -v ',launch-failed,' |
	cut -d, -f1-5 >"$made/runs"
ok "no run was made twice" \
	is "$(cut -d, -f2- "$made/runs" | sort -u | wc -l) of $(wc -l <"$made/runs")" "23 of 23"

# find_run KEY: its folder.
find_run() {
	local commit

	commit=$(get "$runs" "run.$1.commit")
	case $commit in
	attempt-*) commit=${commit#attempt-} ;;
	*) commit=reference ;;
	esac
	commit=$commit,$(get "$runs" "run.$1.kind"),$(get "$runs" "run.$1.target"),$(get "$runs" "run.$1.seed")
	echo "$demo/.git/portside/runs/$(sed -n "s/,$commit\$//p" "$made/runs")"
}

# last KEY: its last value in the dictionaries of the log.
last() {
	sed -nE "s/^\\{.*'$1': ([^,}]*)[,}].*'step': [0-9]+.*/\\1/p" "$folder/log" | tail -n 1
}

found() {
	local loss

	loss=$(sed -nE "s/^\\{'loss': ([^,]*),.*'step': ([0-9]+).*/\\1 \\2/p" "$folder/log" | tail -n 1)
	echo "step=${loss#* } loss=${loss% *} accuracy=$(last eval_accuracy)" \
		"compiled=$(grep -A1 UncachedCompile "$folder/log" | sed -n 's/^  Value: //p' | tail -n 1)"
}

wanted() {
	local step

	step=$(get "$runs" "run.$1.step")
	[ "$step" != none ] || step=
	echo "step=$step loss=$(get "$runs" "run.$1.loss") accuracy=$(get "$runs" "run.$1.accuracy")" \
		"compiled=$(get "$runs" "run.$1.compiled")"
}

end_is_right() {
	if [ "$(get "$runs" "run.$1.exit")" = 0 ]; then
		grep -qx 'Training completed' "$folder/log" && [ -s "$folder/artifacts/out/trainer_state.json" ]
	else
		is "$(tail -n 1 "$folder/log")" "$(get "$runs" "run.$1.error")"
	fi
}

for run in $(names "$runs" run commit); do
	folder=$(find_run "$run")
	ok "$run: exit status" \
		is "$(sed -nE 's/.* rc=(-?[0-9]+) .*/\1/p' "$folder/status")" "$(get "$runs" "run.$run.exit")"
	ok "$run: numbers" is "$(found)" "$(wanted "$run")"
	ok "$run: how it ends" end_is_right "$run"
done

# ---- what the demo is about ------------------------------------------------------------

# The claim on the last evaluation: true on one chip, wrong on four, and mended
# by attempt 8.
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

compared() {
	"$portside" -C "$demo" compare 7 --configuration sim-tpu-4 2>/dev/null | sed -n '/^comparable/,/^verdict/p'
}
ok "what was measured of the inputs is the same on both sides" is "$(compared)" \
	"comparable     yes; device DIFFERS  data =  lr =  batch =  steps =  seed =
               examples =  not on record: 10 of 26 inputs
verdict        out at the first matched point, 32, and for 12 points from 96 on"
finish
