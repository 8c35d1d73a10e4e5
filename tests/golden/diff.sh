#!/bin/sh
# The diff view of a migration that changes every kind of file, at two sizes,
# against tests/golden/diff.*; what the commands answer is held against git's
# own counts.  Prints TAP.
#
#	GOLDEN_UPDATE=1 tests/golden/diff.sh	writes the files anew: read the difference
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
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export PORTSIDE HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME PORTSIDE_CLOCK LC_ALL TZ TERM
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
unset CLAUDECODE NO_COLOR
if ! sh "$folder/../e2e/diff_migration.sh" "$dir/m" >"$dir/out" 2>&1; then
	echo "1..1"
	echo "not ok 1 - the migration is made"
	sed 's/^/# /' "$dir/out"
	exit 1
fi
number=0
failed=0

# same NAME WANTED: the file of $dir/out is the wanted one
same() {
	number=$((number + 1))
	if cmp -s "$dir/out" "$2"; then
		echo "ok $number - $1"
		return
	fi
	failed=1
	echo "not ok $number - $1"
	diff "$2" "$dir/out" | head -40 | cat -v | sed 's/^/# /'
}

golden() {
	test "$GOLDEN_UPDATE" != 1 || cp "$dir/out" "$folder/$2"
	same "$1" "$folder/$2"
}

# The line of tabs is not of this view.
for size in 80x24 140x45; do
	"$PORTSIDE" -C "$dir/m" show diff --size "$size" 2>&1 | sed 2d >"$dir/out"
	golden "diff at $size" "diff.$size.txt"
	"$PORTSIDE" --color=always -C "$dir/m" show diff --size "$size" 2>&1 | sed 2d | cat -v >"$dir/out"
	golden "diff at $size, colours" "diff.$size.styles"
done
"$PORTSIDE" -C "$dir/m" diff 1 >"$dir/all" 2>&1
# A line of three megabytes is in the text whole; the golden file has its length.
sed 's/LLLL*/(L)/' "$dir/all" >"$dir/out"
golden "the diff as text" diff.text
number=$((number + 1))
if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" "$dir/all"; then
	failed=1
	echo "not ok $number - no control byte is in the text"
else
	echo "ok $number - no control byte is in the text"
fi
"$PORTSIDE" -C "$dir/m" scan 1 >"$dir/out" 2>&1
golden "what is left of CUDA" diff.scan
"$PORTSIDE" -C "$dir/m" diff 1 --patch >"$dir/out" 2>&1
git -C "$dir/m" diff-tree -p -r -M --binary --full-index original 'HEAD~1' >"$dir/want"
same "a patch is git's, byte for byte" "$dir/want"
"$PORTSIDE" -C "$dir/m" --format csv churn 1 --files | sed -n 's/^1,previous,[^,]*,"*\([^",]*\)"*,[^,]*,\([0-9]*\),\([0-9]*\),false.*/\2 \3 \1/p' |
	grep -v 'na' | sort >"$dir/out"
git -C "$dir/m" diff-tree -r -M --numstat -z original 'HEAD~1' | tr '\0' '\n' |
	awk -F '\t' '$1 == "-" { next } $3 == "" && NF == 3 { pending = $1 " " $2; skip = 1; next }
		skip == 1 { skip = 2; next } skip == 2 { print pending " " $0; skip = 0; next }
		NF == 3 { print $1 " " $2 " " $3 }' | grep -v 'na' | sort >"$dir/want"
same "counts are git's" "$dir/want"
"$PORTSIDE" -C "$dir/m" churn 1 --json | grep -o '"attempt":"1","files":15,"added":[0-9]*,"removed":[0-9]*' >"$dir/out"
git -C "$dir/m" diff -M --shortstat original 'HEAD~1' |
	sed 's/ \([0-9]*\) files* changed, \([0-9]*\) insertions*(+), \([0-9]*\) deletions*(-)/"attempt":"1","files":\1,"added":\2,"removed":\3/' >"$dir/want"
same "totals are git's" "$dir/want"
echo "1..$number"
exit $failed
