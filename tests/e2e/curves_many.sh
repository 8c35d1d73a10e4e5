#!/bin/sh
# The small migration with runs that have all that a chart has to show: three seeds
# of the reference, eight runs of three attempts, twelve series in four groups, a
# restart that goes over the same steps again, NaN and infinities, spikes, wall times
# and epochs.
#
#	curves_many.sh FOLDER
set -e
here=$(cd "$(dirname "$0")" && pwd)
portside=${PORTSIDE:-portside}
PORTSIDE_CLOCK=2026-10-27T12:00:00Z LC_ALL=C.UTF-8
export PORTSIDE_CLOCK LC_ALL
unset CLAUDECODE
sh "$here/small_migration.sh" "$1"
cd "$1"
mkdir -p curves

# rows NAME SEED GAP [restart|nan]: 200 steps by 2, evaluated each 20
rows() {
	mkdir "curves/$1"
	awk -v seed="$2" -v gap="$3" -v what="$4" '
	function noise(x) { return sin(x * 12.9898 + seed * 78.233) * 43758.5453 % 1 }
	function point(x, again,    loss, spike) {
		loss = 0.4 + 2 / (1 + x / 30) + 0.05 * noise(x) + gap * x / 200 + again
		spike = x == 90 ? 8 : 1
		if (what == "nan" && x == 120) loss = "NaN"
		if (what == "nan" && x == 160) loss = "Infinity"
		printf "{\"step\": %d, \"epoch\": %.2f, \"timestamp\": %d", x, x / 50, 1761560000 + seed * 7 + x * 30 + 4000 * (again != 0)
		printf ", \"train/loss\": %s, \"train/grad_norm\": %.4f, \"train/learning_rate\": %.7f", loss, spike * (1 + 0.3 * noise(x + 7) + 5 / (5 + x)), 0.001 * (x < 20 ? x / 20 : 1 - (x - 20) / 200)
		printf ", \"perf/step_seconds\": %.4f, \"perf/tokens_per_second\": %.1f, \"perf/memory_gb\": %.3f", x == 2 ? 21.5 : 1.2 + 0.02 * noise(x + 3), 13000 - gap * 4000 + 120 * noise(x + 5), 11.2 + gap
		printf ", \"optim/weight_norm\": %.4f, \"optim/update_ratio\": %.8f", 40 + x / 50 + gap, 0.001 / (1 + x / 80)
		if (x % 20 == 0)
			printf ", \"eval/accuracy\": %.4f, \"eval/loss\": %.4f, \"eval/f1\": %.4f, \"eval/examples\": 408", 0.9 - 0.5 / (1 + x / 30) - gap * x / 400 + 0.004 * noise(x), 0.5 + 1.6 / (1 + x / 30) + gap * x / 200 + 0.01 * noise(x), 0.88 - 0.5 / (1 + x / 30) - gap * x / 400 + 0.004 * noise(x + 1)
		print "}"
	}
	BEGIN {
		for (x = 2; x <= 200; x += 2)
			if (what != "restart" || x <= 140)
				point(x, 0)
		for (x = 102; what == "restart" && x <= 200; x += 2)
			point(x, 0.06)
	}' >"curves/$1/metrics.jsonl"
	printf '{"data": "sentences@1", "batch": 32, "examples": 408}\n' >"curves/$1/portside-facts.json"
}

# run SUBJECT TARGET SEED GAP [restart|nan]
run() {
	rows "$1-$2-$3" "$3" "$4" "$5"
	"$portside" import "$1" "curves/$1-$2-$3" --target "$2" --seed "$3" >/dev/null
}

run reference gpu-l4 1 0
run reference gpu-l4 2 0.02
run reference gpu-l4 3 -0.02
run 1 v5e-1 1 0.3
run 2 v5e-1 1 0.2 nan
run 2 v5e-4 1 0.25
run 3 v5e-1 1 0.05
run 3 v5e-4 1 0.15 restart
run 4 gpu-l4 1 0.01
run 4 v5e-1 1 0.03
run 4 v5e-4 1 0.1 restart
run 4 v5e-4 2 0.12 nan
