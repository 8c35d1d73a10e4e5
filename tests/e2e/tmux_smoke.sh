#!/bin/bash
# What only a real multiplexer and a real shell show: TERM=tmux-256color, job
# control of bash, the clipboard, and two screens at once.  Prints TAP.
# shellcheck disable=SC2317 # functions are called through until_true()
set -u
build=${top_builddir:-$(pwd)}
here=$(cd "$(dirname "$0")" && pwd)
PORTSIDE=$build/portside
skip() { echo "1..0 # SKIP $1"; exit 0; }
test -x "$PORTSIDE" || skip "portside is not built"
command -v tmux >/dev/null || skip "tmux is missing"

dir=$(mktemp -d) || exit 99
server=portside-$$
tm() { tmux -L "$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export PORTSIDE HOME=$dir XDG_CONFIG_HOME=$dir/.config XDG_STATE_HOME=$dir/.state LC_ALL=C.UTF-8 TZ=UTC
unset CLAUDECODE NO_COLOR TMUX
number=0 failed=0

ok() {	# STATUS TEXT
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
		return
	fi
	failed=1
	echo "not ok $number - $2"
	tm capture-pane -p -t "${pane:-main}" 2>/dev/null | sed 's/^/# /'
}

# Until the command succeeds; the limit is for what never comes.
until_true() {
	local i
	for ((i = 0; i < 2400; i++)); do
		"$@" && return 0
		read -r -t 0.05 <> <(:)
	done
	return 1
}

pane_has() { tm capture-pane -p -t "$pane" | grep -qF -- "$1"; }
pane_reads() { [ "$(tm display-message -p -t "$pane" "$1")" = "$2" ]; }
pane_has_reverse() { tm capture-pane -pe -t "$pane" | grep -q '\[7m\|\[0;7m\|;7m'; }
clipboard_has() { tm show-buffer 2>/dev/null | grep -q "$1"; }

# Until the pane shows TEXT.
shows() { until_true pane_has "$1"; }
# Until the pane's format FORMAT reads TEXT.
reads() { until_true pane_reads "$1" "$2"; }

sh "$here/small_migration.sh" "$dir/small" >"$dir/out" 2>&1 || { sed 's/^/# /' "$dir/out"; exit 99; }
tm new-session -d -s main -x 80 -y 24 -e "HOME=$HOME" "bash --norc --noprofile" || skip "tmux does not start"
tm set-option -g set-clipboard on
pane=main
tm send-keys -t main "PS1='shell> '; cd $dir/small" Enter
shows "shell>"
ok $? "a shell in tmux"

tm send-keys -t main "$PORTSIDE" Enter
shows "Clip the averaged gradient"
ok $? "the attempts are shown"
reads '#{alternate_on}' 1
ok $? "on the alternate screen"
reads '#{cursor_y}' 7
ok $? "the cursor stands on the selected row"
until_true pane_has_reverse
ok $? "the selected row is reverse"
tm send-keys -t main k
reads '#{cursor_y}' 6
ok $? "k moves it"

tm send-keys -t main y
shows "copied"
ok $? "y copies"
until_true clipboard_has "Train on all chips"
ok $? "the clipboard of tmux has it"

tm send-keys -t main C-z
shows "Stopped"
ok $? "^Z stops it"
reads '#{alternate_on}' 0
ok $? "the shell has its screen again"
tm send-keys -t main "fg" Enter
reads '#{alternate_on}' 1
ok $? "fg brings it back"
shows "NEEDS YOU"
ok $? "and all of it is drawn"

tm resize-window -t main -x 140 -y 40
shows "human subject"
ok $? "a wider window shows more columns"
tm resize-window -t main -x 80 -y 24
reads '#{pane_width}' 80
shows "NEEDS YOU"
ok $? "and a narrower one fewer"

# Two screens on one migration: one records, the other shows it.
tm new-window -d -n other -e "HOME=$HOME" "$PORTSIDE -C $dir/small"
pane=main:other
shows "Clip the averaged gradient"
ok $? "a second screen opens"
pane=main
"$PORTSIDE" -C "$dir/small" expect 2 L4 --text "as fast as before" >"$dir/out" 2>&1
ok $? "a command records an expectation"
tm send-keys -t main g j
shows "#2 "
pane=main:other
tm send-keys -t main:other g j
shows "as fast as before"
ok $? "the second screen shows it by itself"
pane=main
shows "as fast as before"
ok $? "and so does the first"
"$PORTSIDE" -C "$dir/small" label 1 failure --cause C2 >"$dir/out" 2>&1
shows "C2 / device"
ok $? "a label comes in while both look"
pane=main:other
shows "C2 / device"
ok $? "on both screens"
tm send-keys -t main:other Q

pane=main
tm send-keys -t main Q
shows "shell>"
ok $? "Q returns to the shell"
reads '#{alternate_on}' 0
ok $? "with its own screen"
tm send-keys -t main "echo status \$?; stty -a | grep -o ' icanon'" Enter
shows "status 0"
ok $? "status 0"
shows " icanon"
ok $? "the terminal is in line mode"

# Since you left: something ends while nobody looks.
"$PORTSIDE" -C "$dir/small" claim 5 L4 --configuration v5e-4 --text "done" >"$dir/out" 2>&1
tm send-keys -t main "clear; $PORTSIDE" Enter
shows "since you left"
ok $? "the next visit tells what happened"
shows "#5 claims L4 @v5e-4"
ok $? "with what it was"
tm send-keys -t main Escape
shows "NEEDS YOU"
tm send-keys -t main Q
reads '#{alternate_on}' 0
tm send-keys -t main "clear; $PORTSIDE" Enter
shows "NEEDS YOU" && shows "subject"
! tm capture-pane -p -t main | grep -q "since you left"
ok $? "it is told once"
tm send-keys -t main Q
reads '#{alternate_on}' 0
echo "1..$number"
exit $failed
