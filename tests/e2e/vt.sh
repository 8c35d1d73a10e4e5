#!/bin/sh
# Runs one script of terminal tests; prints TAP.  Lines of the script:
#
#	#prog PROGRAM	what to run, seen from the build folder; ./portside unless told
#	#run ARGUMENTS	its arguments
#	#env NAME=VALUE	its environment; also TERM, LC_ALL
#	#size COLSxROWS	80x24 unless told
#	#setup COMMAND	run by sh before, in the temporary folder that the program
#			starts in; $PORTSIDE is the program, $SCRIPTS this folder
#
# VTRUN_WAIT_MS in the environment is the limit of a check, for who knows that it
# fails and does not want to wait.
#
# Nothing of the person's home is read or written: HOME is a temporary folder.
script=$1
build=${top_builddir:-$(pwd)}
vtrun=$build/tests/e2e/vtrun
case $script in
/*) ;;
*) script=$(pwd)/$script ;;
esac
if test ! -x "$vtrun"; then
	echo "1..0 # SKIP vtrun is not built: libvterm is missing"
	exit 0
fi
header() { sed -n "s/^#$1 //p" "$script"; }
program=$(header prog)
program=$build/${program:-portside}
if test ! -x "$program"; then
	echo "1..0 # SKIP $program is not built"
	exit 0
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
PORTSIDE=$program
SCRIPTS=$(dirname "$script")
HOME=$dir
XDG_CONFIG_HOME=$dir/.config XDG_DATA_HOME=$dir/.data
XDG_STATE_HOME=$dir/.state XDG_CACHE_HOME=$dir/.cache
export PORTSIDE SCRIPTS HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
unset NO_COLOR CLICOLOR_FORCE COLORTERM VISUAL EDITOR
mkdir "$dir/work" && cd "$dir/work" || exit 99
header setup >"$dir/setup"
if ! sh -e "$dir/setup" >"$dir/setup.out" 2>&1; then
	echo "1..1"
	echo "not ok 1 - #setup"
	sed 's/^/# /' "$dir/setup.out"
	exit 1
fi
term=$(header env | tr ' ' '\n' | sed -n 's/^TERM=//p')
size=$(header size)
# Words of #env and #run are split at blanks on purpose.
# shellcheck disable=SC2046
"$vtrun" -w "${VTRUN_WAIT_MS:-60000}" -s "${size:-80x24}" -t "${term:-xterm-256color}" "$script" \
	env $(header env | tr ' ' '\n' | grep -v '^TERM=' | tr '\n' ' ') \
	"$program" $(header run)
