#!/bin/sh
# The small migration with curves made elsewhere: three full runs of the
# reference, attempt 4 on four chips (two points below from step 40 on, one NaN
# in its loss, hostile names) and on one chip (equal), a smoke run of the reference.
#
#	curves_migration.sh FOLDER
set -e
here=$(cd "$(dirname "$0")" && pwd)
portside=${PORTSIDE:-portside}
PORTSIDE_CLOCK=2026-10-27T12:00:00Z LC_ALL=C.UTF-8
export PORTSIDE_CLOCK LC_ALL
unset CLAUDECODE
sh "$here/small_migration.sh" "$1"
cd "$1"
mkdir -p curves
esc=$(printf '\033')

# rows FILE STEPS OFFSET-OF-ACCURACY FROM-STEP [EXTRA]
rows() {
	awk -v steps="$2" -v off="$3" -v from="$4" -v extra="$5" 'BEGIN {
		for (x = 10; x <= steps; x += 10) {
			a = 0.9 - 0.5 / (1 + x / 30) + 0.004 * sin(x)
			if (x >= from) a += off
			loss = x == 70 && extra ? "NaN" : sprintf("%.4f", 0.4 + 1.2 / (1 + x / 40))
			printf "{\"step\": %d, \"epoch\": %.2f, \"eval_accuracy\": %.4f, \"loss\": %s, \"learning_rate\": 0.001%s}\n",
				x, x / 50, a, loss, extra
		}
	}' >"curves/$1.jsonl"
}

rows r1 200 0 0
rows r2 200 0.006 0
rows r3 200 -0.005 0
rows a1 200 0 0
rows a4 200 -0.02 40 ", \"$esc]0;taken\\u0007 bad\\u202eeman\": 1"
rows s 60 0 0
facts='{"data": "sentences@1", "batch": 32, "examples": 408}'
for run in r1 r2 r3 a1 a4 s; do
	mkdir "curves/$run"
	mv "curves/$run.jsonl" "curves/$run/metrics.jsonl"
	printf '%s\n' "$facts" >"curves/$run/portside-facts.json"
done
import() {
	"$portside" import "$@" >/dev/null
}
import reference curves/r1 --target gpu-l4 --seed 1
import reference curves/r2 --target gpu-l4 --seed 2
import reference curves/r3 --target gpu-l4 --seed 3
import reference curves/s --target gpu-l4 --seed 1 --kind smoke
import 4 curves/a1 --target v5e-1 --seed 1
import 4 curves/a4 --target v5e-4 --seed 1
