#!/bin/sh
# Makes the small migration in the folder $1 and attaches four runs whose curves and
# configurations lie beside each other: one of the reference, two of attempt 1, and
# one that logs something else.  Dates are fixed.
set -e
sh "$(dirname "$0")/small_migration.sh" "$1"
cd "$1"
portside=${PORTSIDE:-portside}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
minute=10

# made SEED LR LEAST LAST ATTEMPT TARGET: a run with a curve, a configuration beside it
made() {
	mkdir -p "$logs/$1/dvclive/plots/metrics"
	printf 'step\tloss\n1\t2.0\n2\t%s\n3\t%s\n' "$3" "$4" >"$logs/$1/dvclive/plots/metrics/loss.tsv"
	printf '{"loss": %s, "step": 3}\n' "$4" >"$logs/$1/dvclive/metrics.json"
	printf 'lr: %s\nmodel: tiny\n' "$2" >"$logs/$1/dvclive/params.yaml"
	attach "$5" "$logs/$1" --target "$6" --seed "$1"
}
attach() {
	minute=$((minute + 1))
	PORTSIDE_CLOCK=2026-10-27T12:$minute:00Z "$portside" import "$@" >/dev/null
}
made 1 0.1 0.25 0.5 reference gpu-l4
made 2 0.1 0.5 0.75 1 v5e-1
made 3 0.2 1.25 nan 1 v5e-1
printf '{"step": 1, "other": 3}\n{"step": 2, "other": 2}\n' >"$logs/other.jsonl"
attach 2 "$logs/other.jsonl" --target v5e-4 --kind smoke
