#!/bin/sh
# Views 1, 5, 6, 7 and 9, and 3 with columns of its own, at two sizes against
# tests/golden/*.txt (what is written) and *.styles (how it looks).  Views 5 and 6 paint
# no background, so they look the same on a light ground; in ASCII (*.ascii.txt) signs
# and words tell.  Without a colour: tests/e2e/checks_plain.vt.  Prints TAP.
#
#	GOLDEN_UPDATE=1 tests/golden/views.sh	writes the files anew: read the difference
#
# Everything that could differ from day to day is fixed: dates, zone, locale.
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

# made NAME SCRIPT: the migration of a view
made() {
	sh "$folder/../e2e/$2" "$dir/$1" >"$dir/out" 2>&1 && return
	echo "1..1"
	echo "not ok 1 - $1 is made"
	sed 's/^/# /' "$dir/out"
	exit 1
}

made small small_migration.sh
made journal journal_migration.sh
made table run_table_migration.sh
made triage triage_migration.sh
mkdir -p "$XDG_STATE_HOME/portside"
sizes="80x24 140x45"
number=0
failed=0

# check NAME FILE: the file of $dir/out is the golden one
check() {
	number=$((number + 1))
	test "$GOLDEN_UPDATE" != 1 || cp "$dir/out" "$2"
	if cmp -s "$dir/out" "$2"; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	diff "$2" "$dir/out" | head -40 | sed 's/^/# /'
}

# What differs from one making to the next: ids of events, runs and alarms, and
# where the migration lies.  Each keeps its width.
fixed() {
	sed -E -e 's/[0-9a-f]{12,}/================================================================/g' -e 's/={64}/================/g' \
		-e 's/ [0-9a-f]{9}( |$)/ =========\1/g' \
		-e 's/ps-[a-z2-7]{13}/ps-xxxxxxxxxxxxx/g' -e 's/ps-[a-z2-7]{8}/ps-xxxxxxxx/g' -e "s|$dir|/migrations|g"
}

# draw VIEW MIGRATION [NAME]: at each size what is written and how it looks; the row of
# tabs changes with every view that there is
draw() {
	name=${3:-$1}
	for size in $sizes; do
		"$PORTSIDE" -C "$dir/$2" show "$1" --size "$size" 2>&1 | sed 2d | fixed >"$dir/out"
		check "$name at $size" "$folder/$name.$size.txt"
		"$PORTSIDE" --color=always -C "$dir/$2" show "$1" --size "$size" 2>&1 | sed 2d | fixed | cat -v >"$dir/out"
		check "$name at $size, colours" "$folder/$name.$size.styles"
	done
}

draw attempts small
draw journal journal
draw study journal
# draw_plainly VIEW MIGRATION: on a light ground, and in ASCII
draw_plainly() {
	for size in $sizes; do
		COLORFGBG='0;15' "$PORTSIDE" --color=always -C "$dir/$2" show "$1" --size "$size" 2>&1 |
			sed 2d | fixed | cat -v >"$dir/out"
		check "$1 at $size on a light ground" "$folder/$1.$size.styles"
		"$PORTSIDE" --ascii -C "$dir/$2" show "$1" --size "$size" 2>&1 | sed 2d | fixed >"$dir/out"
		check "$1 at $size in ASCII" "$folder/$1.$size.ascii.txt"
		number=$((number + 1))
		if LC_ALL=C grep -q '[^ -~]' "$dir/out"; then
			failed=1
			echo "not ok $number - $1 at $size has no byte beyond ASCII"
		else
			echo "ok $number - $1 at $size has no byte beyond ASCII"
		fi
	done
}

draw triage triage
draw_plainly triage triage
draw checks triage
draw_plainly checks triage
mkdir -p "$XDG_CONFIG_HOME/portside"
printf '[ui]\n\trun-columns = "run, attempt, seed, last loss, min loss as best, step of min loss as at, =lr, target, kind, outcome"\n' \
	>"$XDG_CONFIG_HOME/portside/config"
sizes="80x24 120x20"			# of the facts, none that names a folder
draw runs table runs_table
echo "1..$number"
exit $failed
