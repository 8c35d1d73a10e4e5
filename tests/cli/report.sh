#!/bin/bash
# The page for a reviewer: what it says of what nobody looked at, that hostile
# words stay words, and the head of the log that it publishes.  Prints TAP.
# shellcheck disable=SC2016 # the words are what they are
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
echo 2 >train.py && git commit -q -a -m '| <b>x</b> ![](http://a.b/c) `y`' -m 'Claimed-Level: L3 @v5e-4' && git tag attempt/1
{
	"$portside" attempt refresh
	for i in 1 2 3; do printf '{"step": %d, "loss": %d}\n' "$i" "$((9 - i))"; done >loss.jsonl
	"$portside" import 1 loss.jsonl --target v5e-4 --seed 1
} >"$dir/out" 2>&1 || { echo "Bail out! $(head -1 "$dir/out")"; exit 99; }

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
page() { "$portside" "$@" report >"$dir/out" 2>&1; }
says() { grep -qF -- "$1" "$dir/out"; }
heads() { "$portside" events --kind checkpoint.published --format csv | grep -c checkpoint.published; }

echo 1..20
page
says "No head was published before." && says "This page was only shown." && [ "$(heads)" -eq 0 ]
ok "a page that is only shown publishes nothing" $?
anchor=$(sed -n 's/.*--anchor //p' "$dir/out")
"$portside" verify --anchor "$anchor" >"$dir/out" 2>&1 && says "the anchor is confirmed"
ok "its head verifies all the same" $?
PORTSIDE_AGENT=robot "$portside" report --output robot.md >"$dir/out" 2>&1
grep -q "not on record in the log: the log is only read here." robot.md && [ "$(heads)" -eq 0 ]
ok "an agent's file puts no head on record" $?
"$portside" report --output first.md >"$dir/out" 2>&1
grep -q "is on record in the log itself." first.md && [ "$(heads)" -eq 1 ]
ok "a person's file does" $?
head=$(sed -n 's/^ *Portside-Head: //p' first.md)
page
[ "$(sed -n 's/^ *Portside-Head: //p' "$dir/out")" = "$head" ] && [ "$(heads)" -eq 1 ] && says "Heads published before: 1,"
ok "looking later shows the same head" $?
"$portside" report --output second.md >"$dir/out" 2>&1
grep -q "$head" second.md && [ "$(heads)" -eq 1 ]
ok "writing twice publishes the same head once" $?
"$portside" note "afterwards" >/dev/null
"$portside" report --output page.md >"$dir/out" 2>&1 && says "written: page.md" && [ "$(heads)" -eq 2 ]
ok "after more events there is another head" $?
grep -q "Heads published before: 1, the last .* events, in first.md" page.md
ok "the page names the earlier one" $?
"$portside" events --kind checkpoint.published --format csv >"$dir/out" && says "where=page.md"
ok "the log says where a head was published" $?
anchors=$(sed -n 's/.*--anchor //p' page.md; echo "${head/ /:}")
status=0
for anchor in $anchors; do
	"$portside" verify --anchor "$anchor" >"$dir/out" 2>&1 && says "the anchor is confirmed" || status=1
done
ok "both heads verify" $status
status=0
for anchor in "$head" "Portside-Head: $head" "Portside-Head: ${head/ /:}"; do
	"$portside" verify --anchor "$anchor" >"$dir/out" 2>&1 && says "the anchor is confirmed" || status=1
done
ok "a head verifies as it is printed" $status
other=$(printf '%s' "${head:0:1}" | tr '0-9a-f' '1-9a-f0')
"$portside" verify --anchor "$other${head:1:63}:${head#* }" >"$dir/out" 2>&1
[ $? -eq 1 ] && says "history was changed"
ok "another head does not" $?
"$portside" note "and again" >/dev/null
"$portside" report --output page.md >"$dir/out" 2>&1
[ $? -eq 3 ] && says "page.md is there already" && [ "$(heads)" -eq 2 ]
ok "a page is not written over, and nothing is published" $?
page
says "No configuration was accepted, so there is no declared goal"
ok "without a goal it says so" $?
says "| not checked | not checked | not checked |" && says '"Not checked" means that nobody looked.'
ok "what nobody looked at reads not checked" $?
says "- **agent:** unknown: no session of the agent was read in" && says "- **runs:** unknown: none of 1 has a known cost"
ok "what nobody knows reads unknown" $?
says "no run of the reference yet"
ok "what stands in the way of a comparison is said" $?
says '| 1 | \| &lt;b&gt;x&lt;/b&gt; \!\[\](http://a.b/c) \`y\` |'
ok "words from a commit are no markup" $?
! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$dir/out"
ok "no control byte" $?
page --at 2
says "This page looks at the past" && says "as of"
ok "a page of the past says so" $?
