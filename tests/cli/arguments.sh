#!/bin/bash
# What stands behind a command is taken in whole, or refused: many files, values
# of flags, moments in time.  Prints TAP.
set -u
portside=${top_builddir:-$(pwd)}/portside
case $portside in
/*) ;;
*) portside=$(pwd)/$portside ;;
esac
[ -x "$portside" ] || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
unset CLAUDECODE PORTSIDE_AGENT CODEX_SANDBOX CURSOR_AGENT GEMINI_CLI OPENCODE AIDER_RUN
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state" LC_ALL=C.UTF-8 TZ=UTC
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=a@b.c
mkdir "$dir/repo" && cd "$dir/repo" || exit 99
git init -q -b main . && echo 1 >train.py && git add . && git commit -q -m original && git tag original
echo 2 >train.py && git commit -q -a -m 'Attempt 1' && git tag attempt/1
"$portside" attempt refresh >"$dir/out" 2>&1 || { echo "Bail out! $(head -1 "$dir/out")"; exit 99; }

count=0
ok() { # TEXT STATUS
	count=$((count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		sed 's/^/# /' "$dir/out"
	fi
}
says() { grep -qF -- "$1" "$dir/out"; }

mkdir "$dir/logs"
for i in $(seq 100 169); do
	printf '{"step": 1, "loss_%d": 2.5}\n{"step": 2, "loss_%d": 2.25}\n' "$i" "$i" >"$dir/logs/$i.jsonl"
done
"$portside" import 1 "$dir"/logs/*.jsonl --format csv >"$dir/out" 2>&1
[ "$(grep -c '^[0-9]*\.jsonl,' "$dir/out")" -eq 70 ] && says "169.jsonl,"
ok "all of 70 files are imported" $?
run=$("$portside" runs --format csv | sed -n 2p | cut -d, -f1)
"$portside" run show "$run" >"$dir/out" 2>&1 &&
	says "nobody saw how it ended" && says "elsewhere (kind and chips are not known)"
ok "what nobody said of an imported run is not made up" $?
"$portside" compare 1 >"$dir/out" 2>&1
says "portside import reference FILE..."
ok "and what is missing to compare it is named whole" $?

for flag in --json=foo --read-only=no --ascii=1 --help=x --version=2; do
	"$portside" status "$flag" >"$dir/out" 2>&1
	[ $? -eq 2 ] && says "${flag%%=*} takes no value"
	ok "a flag has no value: $flag" $?
done
"$portside" attempt list --format=csv >"$dir/out" 2>&1 && says "attempt,"
ok "an option has one" $?

"$portside" since yesterday >"$dir/out" 2>&1
[ $? -eq 2 ] && says '"yesterday" is no event and no time'
ok "since what is neither event nor time" $?
"$portside" since 0000abcd0000 >"$dir/out" 2>&1
[ $? -eq 2 ] && says '"0000abcd0000" is no event and no time'
ok "since an event that is not there" $?
"$portside" since 2h >"$dir/out" 2>&1 && "$portside" since 1 >>"$dir/out" 2>&1
ok "since a time, since a place" $?
echo "1..$count"
