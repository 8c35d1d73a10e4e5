#!/bin/sh
# Starts a wrapped smoke run of attempt 5 in the migration FOLDER: three points at
# once, three more when the file go.csv appears beside the folder.  Comes back
# when the first points are there.  With a second word the first file comes late:
# nothing is written before go.csv is there.  With a third one it goes
# on: one more point when more.csv appears, the end with end.csv.
set -e
portside=${PORTSIDE:-portside}
unset CLAUDECODE PORTSIDE_CLOCK
cd "$1"
cat >../grow.sh <<'GROW'
point() {
	echo "{\"step\": $1, \"eval_accuracy\": $2}" >>grow.jsonl
}
await() {
	n=0
	until test -e "../$1" || test $n -gt 6000; do
		sleep 0.1
		n=$((n + 1))
	done
}
: >../started
test -z "$1" || await go.csv
point 10 0.52
point 20 0.60
point 30 0.64
await go.csv
point 40 0.68
point 50 0.71
point 60 0.73
if test -n "$2"; then
	await more.csv
	point 70 0.74
	await end.csv
fi
echo done
GROW
"$portside" run 5 --kind smoke --artifact grow.jsonl -- sh ../grow.sh "$2" "$3" >../run.out 2>&1 &
n=0
until test -e ../started || test $n -gt 6000; do
	sleep 0.1
	n=$((n + 1))
done
test -z "$2" || exit 0
n=0
until test "$(wc -l <grow.jsonl 2>/dev/null || echo 0)" -ge 3 || test $n -gt 6000; do
	sleep 0.1
	n=$((n + 1))
done
