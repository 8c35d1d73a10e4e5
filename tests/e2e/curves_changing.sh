#!/bin/sh
# Starts a wrapped smoke run of attempt 5 in the migration FOLDER whose files do what
# files of training programs do: one gets another header in place, is replaced by a shorter
# one, is truncated, and another one appears late.  Each step waits for a file beside
# the folder's files, a.csv to e.csv, which the screen writes.  Comes back when the first
# points are there.
set -e
portside=${PORTSIDE:-portside}
unset CLAUDECODE PORTSIDE_CLOCK
cd "$1"
cat >../change.sh <<'CHANGE'
await() {
	n=0
	until test -e "../$1" || test $n -gt 6000; do
		sleep 0.1
		n=$((n + 1))
	done
}
mkdir -p out
printf 'step,eval_accuracy\n10,0.52\n20,0.60\n30,0.64\n' >out/metrics.csv
: >../started
await a.csv
printf 'extra,step,eval_accuracy\n1,10,0.52\n1,20,0.60\n1,30,0.64\n1,40,0.68\n' >out/metrics.csv
await b.csv
printf 'step,eval_accuracy\n10,0.51\n20,0.59\n' >out/metrics.new
mv out/metrics.new out/metrics.csv
await c.csv
printf 'step,eval_accuracy\n10,0.50\n' >out/metrics.csv
await d.csv
printf '{"step": 10, "loss_later": 1.5}\n{"step": 20, "loss_later": 1.25}\n' >out/later.jsonl
await e.csv
echo done
CHANGE
"$portside" run 5 --kind smoke --artifact out -- sh ../change.sh >../run.out 2>&1 &
n=0
until test -e ../started || test $n -gt 6000; do
	sleep 0.1
	n=$((n + 1))
done
