#!/bin/sh
# Makes a migration in the folder $1 with a log that only a pattern of one's own reads:
# two points.  When the file go.bundle appears beside it, another pattern that takes one
# of them is accepted, by a process that the screen knows nothing of.
set -e
portside=${PORTSIDE:-portside}
unset CLAUDECODE
sh "$(dirname "$0")/small_migration.sh" "$1"
cd "$1"
patterned() {
	printf '[migration]\n\tname = small\n[pattern "mine"]\n\tmatch = "^it=(?<step>\\\\d+) (?<name>quality)=\\\\d+ of (?<value>%s)"\n' "$1" >portside.conf
	script -qec "'$portside' config accept --reason test" /dev/null >/dev/null 2>&1 </dev/null
}
patterned '\\d+'
printf 'it=1 quality=7 of 8\nit=2 quality=7 of 9\n' >../own.log
"$portside" import 1 ../own.log --target v5e-1 >/dev/null
(
	n=0
	until test -e ../go.bundle || test $n -gt 6000; do
		sleep 0.1
		n=$((n + 1))
	done
	patterned 8
) >/dev/null 2>&1 &
