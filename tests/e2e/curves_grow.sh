#!/bin/sh
# Starts a wrapped smoke run of attempt 5 in the migration FOLDER: three points at
# once, three more when the file go.csv appears beside the folder.  Comes back
# when the first points are there.
set -e
portside=${PORTSIDE:-portside}
unset CLAUDECODE PORTSIDE_CLOCK
cd "$1"
cat >../grow.sh <<'GROW'
point() {
	echo "{\"step\": $1, \"eval_accuracy\": $2}" >>grow.jsonl
}
point 10 0.52
point 20 0.60
point 30 0.64
n=0
until test -e ../go.csv || test $n -gt 6000; do
	sleep 0.1
	n=$((n + 1))
done
point 40 0.68
point 50 0.71
point 60 0.73
echo done
GROW
"$portside" run 5 --kind smoke --artifact grow.jsonl -- sh ../grow.sh >../run.out 2>&1 &
n=0
until test "$(wc -l <grow.jsonl 2>/dev/null || echo 0)" -ge 3 || test $n -gt 6000; do
	sleep 0.1
	n=$((n + 1))
done
