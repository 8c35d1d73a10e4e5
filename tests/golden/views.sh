#!/bin/sh
# Views of the small migration at two sizes against tests/golden/*.txt (what is
# written) and *.styles (how it looks).  Prints TAP.
#
#	GOLDEN_UPDATE=1 tests/golden/views.sh	writes the files anew: read the difference
#
# The row of tabs is left out: it changes with every view that there is.
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
if ! sh "$folder/../e2e/small_migration.sh" "$dir/small" >"$dir/out" 2>&1; then
	echo "1..1"
	echo "not ok 1 - the small migration is made"
	sed 's/^/# /' "$dir/out"
	exit 1
fi
views="attempts"
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

for view in $views; do
	for size in $sizes; do
		"$PORTSIDE" -C "$dir/small" show "$view" --size "$size" 2>&1 | sed 2d >"$dir/out"
		check "$view at $size" "$folder/$view.$size.txt"
		"$PORTSIDE" --color=always -C "$dir/small" show "$view" --size "$size" 2>&1 | sed 2d | cat -v >"$dir/out"
		check "$view at $size, colours" "$folder/$view.$size.styles"
	done
done
echo "1..$number"
exit $failed
