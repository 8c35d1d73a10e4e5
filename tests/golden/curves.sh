#!/bin/sh
# The view of curves on the migration of tests/e2e/curves_migration.sh, and what
# compare prints of it, against tests/golden/curves.*.  Prints TAP.
#
#	GOLDEN_UPDATE=1 tests/golden/curves.sh	writes the files anew: read the difference
build=${top_builddir:-$(pwd)}
case $0 in
/*) folder=$(dirname "$0") ;;
*) folder=$(pwd)/$(dirname "$0") ;;
esac
PORTSIDE=$build/portside
if test ! -x "$PORTSIDE"; then
	echo "1..0 # SKIP portside is not built"
	exit 0
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state XDG_CACHE_HOME=$dir/.cache
PORTSIDE_CLOCK=2026-10-27T12:00:00Z LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color
export PORTSIDE HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME PORTSIDE_CLOCK LC_ALL TZ TERM
unset CLAUDECODE NO_COLOR
mkdir -p "$XDG_CONFIG_HOME/portside"
printf '[user]\n\tname = Ana\n' >"$XDG_CONFIG_HOME/portside/config"
if ! sh "$folder/../e2e/curves_migration.sh" "$dir/small" >"$dir/out" 2>&1; then
	echo "1..1"
	echo "not ok 1 - the migration is made"
	sed 's/^/# /' "$dir/out"
	exit 1
fi
number=0
failed=0

# check NAME FILE: the file of $dir/out is the golden one
check() {
	number=$((number + 1))
	test "$GOLDEN_UPDATE" != 1 || cp "$dir/out" "$folder/$2"
	if cmp -s "$dir/out" "$folder/$2"; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	diff "$folder/$2" "$dir/out" | head -40 | sed 's/^/# /'
}

# exits STATUS NAME COMMAND...
exits() {
	number=$((number + 1))
	wanted=$1
	name=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if test "$got" = "$wanted"; then
		echo "ok $number - $name"
		return
	fi
	failed=1
	echo "not ok $number - $name: exit $got, not $wanted"
	sed 's/^/# /' "$dir/err"
}

portside() {
	"$PORTSIDE" -C "$dir/small" "$@"
}

# run_of NAME [CONFIGURATION]: the id of the run that compare calls so
run_of() {
	portside --json compare 4 --configuration "${2:-v5e-4}" |
		sed -n "s/.*\"name\":\"$1\",\"run\":\"\([^\"]*\)\".*/\1/p"
}

for size in 80x24 140x45 60x14; do
	portside show curves --size "$size" >"$dir/out" 2>&1
	check "curves at $size" "curves.$size.txt"
	"$PORTSIDE" --color=always -C "$dir/small" show curves --size "$size" | cat -v >"$dir/out" 2>&1
	check "curves at $size, colours" "curves.$size.styles"
done
"$PORTSIDE" --ascii -C "$dir/small" show curves --size 80x24 >"$dir/out" 2>&1
check "curves in ASCII" curves.ascii.txt
exits 1 "below: exit 1" portside compare 4 --configuration v5e-4
check "compare as text" curves.compare.txt
exits 0 "equal: exit 0" portside compare 4 --configuration v5e-1
exits 1 "as JSON" portside --json compare 4 --configuration v5e-4
check "compare as JSON" curves.compare.json
exits 1 "as CSV" portside compare 4 --configuration v5e-4 --as csv
check "compare as CSV" curves.compare.csv
exits 1 "three series in one table" portside compare 4 --configuration v5e-1 --with "$(run_of '#4 v5e-4 seed 1')"
check "compare several" curves.several.txt
exits 1 "three series as files" portside compare 4 --configuration v5e-1 \
	--with "$(run_of '#4 v5e-4 seed 1')" --write "$dir/three.csv" --write "$dir/three.json" \
	--write "$dir/three.svg" --write "$dir/three.txt"
# Ids of runs are chance.
sed 's/ps-[a-z0-9]*/ps-RUN/g' "$dir/three.csv" >"$dir/out"
check "three series as columns" curves.three.csv
sed 's/ps-[a-z0-9]*/ps-RUN/g' "$dir/three.txt" >"$dir/out"
check "three series as text" curves.three.txt
exits 0 "the picture names the third" grep -q '>B #4 v5e-4 seed 1<' "$dir/three.svg"
exits 0 "the picture has its differences" grep -q '<title>d of B<' "$dir/three.svg"
exits 1 "a limit needs repeats" portside rules calibrate
check "rules calibrate" curves.calibrate.txt
exits 2 "a share of false alarms that no repeats tell" portside rules calibrate --false-alarms 1e-300
exits 2 "one that stops half of the good attempts" portside rules calibrate --false-alarms 0.5
cp "$dir/err" "$dir/text"
exits 0 "the range is told" grep -q 'no share of attempts from 0.001 to 0.25' "$dir/text"
exits 2 "evaluations are never interpolated" portside compare 4 --align linear
exits 0 "samples, by the batch that each run declares" portside compare 4 --configuration v5e-1 --axis samples --delta relative
check "compare by samples" curves.samples.txt
exits 0 "one chip and four of one attempt, wide" portside compare 4 --configuration v5e-4 --against 4 --atol 0.05
exits 0 "a wider tolerance" portside compare 4 --configuration v5e-4 --atol 0.05
exits 1 "a metric that is not there" portside compare 4 --metric nothing
exits 2 "a name without a form" portside compare 4 --write "$dir/x"
exits 1 "written: csv json svg txt" portside compare 4 --configuration v5e-4 --write "$dir/x.csv" --write "$dir/x.json" \
	--write "$dir/x.svg" --write "$dir/x.txt"
exits 0 "the four files" test -s "$dir/x.csv" -a -s "$dir/x.json" -a -s "$dir/x.svg" -a -s "$dir/x.txt"
exits 3 "no file is overwritten" portside compare 4 --configuration v5e-4 --write "$dir/x.csv"
exits 0 "no control byte in any of it" sh -c "! grep -l '$(printf '\033')' '$dir'/x.*"
equal_run=$(run_of '#4 v5e-1 seed 1' v5e-1)
portside --format csv compare 4 --configuration v5e-1 --shift 10 --with "$equal_run" --shift 10 >"$dir/rows"
exits 0 "two rows with one shift are not shifted to each other" grep -q '^B,.*,0,match' "$dir/rows"

# import_rows NAME CONFIGURATION SEED RATE ATTEMPT: a run of three points
import_rows() {
	mkdir "$dir/$1"
	for step in 10 20 30; do
		printf '{"step": %d, "rate": %s}\n' "$step" "$4"
	done >"$dir/$1/metrics.jsonl"
	portside import "$5" "$dir/$1" --target "$2" --seed "$3" --kind full >/dev/null
}

# Two runs of one seed that are further apart than the tolerance: nothing is judged by it.
import_rows same1 v5e-8 7 4e-7 reference
import_rows same2 v5e-8 7 5e-7 reference
import_rows tried v5e-8 7 4e-7 3
against=$(portside --format csv runs reference | sed -n '/v5e-8/s/.*\(ps-[a-z0-9]*\).*/\1/p' | head -1)
exits 1 "a reference that disagrees with itself: exit 1" \
	portside compare 3 --metric rate --against "$against" --atol 1e-8
cp "$dir/out" "$dir/text"
exits 0 "the points themselves match" grep -q '^verdict        match (3 points: too few' "$dir/text"
exits 0 "kind and seed of both are told" grep -q '^runs           R full, seed 7; A full, seed 7$' "$dir/text"
exits 1 "the same in a table of several" \
	portside --format csv compare 3 --metric rate --against "$against" --atol 1e-8 --with 3
cp "$dir/out" "$dir/rows"
exits 0 "a small value stays what it is" grep -q '^A,[^,]*,[^,]*,4e-07,30,30,0,' "$dir/rows"

# A run that broke off does not look like one that ended, and of a smoke run it is told
# that it is one.
mkdir "$dir/broken"
printf '{"step": 10, "rate": 4e-7}\n{"step": 20, "rate": 4e-7}\n' >"$dir/broken/metrics.jsonl"
portside import 3 "$dir/broken" --target v5e-8 --seed 9 --kind full >"$dir/id"
broken=$(sed -n 's/.*\(ps-[a-z0-9]*\).*/\1/p' "$dir/id" | head -1)
exits 1 "a run that ends earlier in the table" \
	portside --format csv compare 3 --metric rate --against "$against" --with "$broken" --atol 1
cp "$dir/out" "$dir/rows"
exits 0 "the step of the last value, and of the end" grep -q '^A,[^,]*,[^,]*,4e-07,20,20,' "$dir/rows"
exits 0 "of both" grep -q '^R,[^,]*,[^,]*,[^,]*,20,30,' "$dir/rows"
echo "1..$number"
exit $failed
