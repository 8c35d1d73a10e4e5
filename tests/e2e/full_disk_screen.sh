#!/bin/sh
# The disk fills up while the screen is open: what could not be recorded is said,
# the form stays with its text, reading goes on, and when there is room again the
# same form is recorded.  Prints TAP.
#
# The migration lies on a small file system of its own, in a name space of its own;
# the person's editor (C-o in a form) fills it, and empties it again.
build=${top_builddir:-$(pwd)}
here=$(cd "$(dirname "$0")" && pwd)
case $build in
/*) ;;
*) build=$(cd "$build" && pwd) ;;
esac
vtrun=$build/tests/e2e/vtrun
if test ! -x "$vtrun" || test ! -x "$build/portside"; then
	echo "1..0 # SKIP vtrun or portside is not built"
	exit 0
fi
if test "$1" != inside; then
	dir=$(mktemp -d) || exit 99
	trap 'rm -rf "$dir"' EXIT
	trap 'exit 99' HUP INT TERM
	mkdir "$dir/disk"
	if ! unshare -rm mount -t tmpfs -o size=4m tmpfs "$dir/disk" 2>/dev/null; then
		echo "1..0 # SKIP a file system cannot be mounted in a name space of its own here"
		exit 0
	fi
	unshare -rm "$0" inside "$dir"
	exit
fi
dir=$2
HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state XDG_CACHE_HOME=$dir/.cache
PORTSIDE=$build/portside LC_ALL=C.UTF-8 TZ=UTC PORTSIDE_CLOCK=2026-10-27T13:00:00Z
export PORTSIDE HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME LC_ALL TZ PORTSIDE_CLOCK
unset CLAUDECODE NO_COLOR VISUAL EDITOR
mount -t tmpfs -o size=4m tmpfs "$dir/disk" || exit 99
mkdir -p "$XDG_CONFIG_HOME/portside"
printf '[user]\n\tname = ana\n[ui]\n\teditor = %s/edit\n' "$dir" >"$XDG_CONFIG_HOME/portside/config"
# Fills the disk or empties it, in turn; says so in the text.
cat >"$dir/edit" <<EDIT
#!/bin/sh
if test -e $dir/disk/fill; then
	rm $dir/disk/fill
	printf '%s, and room again' "\$(cat "\$2")" >"\$2"
else
	cat /dev/zero >$dir/disk/fill 2>/dev/null
	printf '%s, and a full disk' "\$(cat "\$2")" >"\$2"
fi
exit 0
EDIT
chmod +x "$dir/edit"
cd "$dir/disk" || exit 99
if ! sh "$here/small_migration.sh" "$dir/disk/m" >"$dir/out" 2>&1; then
	echo "1..1"
	echo "not ok 1 - the migration is made"
	sed 's/^/# /' "$dir/out"
	exit 1
fi
cat >"$dir/script" <<'VT'
wait Clip the averaged gradient
key 7
wait expected: L3
key n
type the loader counts twice
key C-o
wait and a full disk
key Enter
wait disk is full; nothing of this was
wait the loader counts twice, and a full disk
key Esc
wait nothing was changed
key 2
wait train.py
key 1
wait Clip the averaged gradient
key i
wait intervention: what you did for the agent
type told it where
key S-Tab
key h
wait chosen: hint
key Tab
key Enter
wait disk is full
wait told it where
key C-o
wait told it where, and room again
key Enter
wait intervention recorded
key 7
wait intervention: hint
key Q
exit 0
modes
VT
"$vtrun" -s 80x24 -t xterm-256color "$dir/script" "$PORTSIDE" -C m
