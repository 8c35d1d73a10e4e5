#!/bin/bash
# --read-only leaves no trace, with and without a log, whatever is asked for;
# an agent writes the spool and nothing else.
set -u
portside=$(cd "${top_builddir:-.}" && pwd)/portside
work=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work/home XDG_CONFIG_HOME=$work/home TMPDIR=$work/tmp
mkdir "$work/home" "$work/tmp"
count=0
failed=0

ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		[ -s "$work/why" ] && sed 's/^/# /' "$work/why"
		echo "not ok $count - $2"
		failed=1
	fi
}

# Everything that could change: names, kinds, contents, times.
picture() {
	(cd "$1" && find . -printf '%p %y %s %T@ %m\n' | LC_ALL=C sort && find . -type f -exec sha256sum {} + | LC_ALL=C sort)
}

repo=$work/repo
mkdir "$repo"
git -C "$repo" init -q -b main
for n in 1 2; do
	echo "print($n)" >"$repo/train.py"
	git -C "$repo" add train.py
	git -C "$repo" -c user.name=ana -c user.email=ana@example.org commit -q -m "step $n" -m "Attempt: $n"
done

# A NAME and its words a line; what they answer does not matter here.
asked() {
	cat <<-'EOT'
	attempt list
	attempt refresh
	churn
	diff 2
	status
	since
	scan
	runs
	run reference
	events
	journal
	rules
	alarms
	verify
	brief
	init
	init --write
	doctor
	recover
	report
	report --output report.md
	bundle out.bundle
	config
	note hello
	claim 1 L0
	show attempts
	show diff
	show runs
	show journal
	EOT
}

ask_all() {
	(
		cd "$1" || exit 99
		asked | while read -r line; do
			# shellcheck disable=SC2086
			timeout 60 "$portside" --read-only $line >/dev/null 2>&1 </dev/null && echo "$line" >>"$work/answered"
			# shellcheck disable=SC2086
			timeout 60 "$portside" --read-only --json $line >/dev/null 2>&1 </dev/null
		done
	)
}

picture "$repo" >"$work/before"
ask_all "$repo"
picture "$repo" >"$work/after"
diff "$work/before" "$work/after" >"$work/why"
ok $? "without a log nothing is written"

"$portside" -C "$repo" attempt refresh >/dev/null 2>&1
"$portside" -C "$repo" note first >/dev/null 2>&1
picture "$repo" >"$work/before"
ask_all "$repo"
picture "$repo" >"$work/after"
diff "$work/before" "$work/after" >"$work/why"
ok $? "with a log nothing is written, and no cache"
# What was never asked writes nothing, either.
[ "$(sort -u "$work/answered" | wc -l)" -ge 15 ]
ok $? "and most of them answered"

test -z "$(find "$work/tmp" -mindepth 1)"
ok $? "no temporary folder is left behind"

rm -rf "$repo/.git/portside/cache"
"$portside" -C "$repo" --read-only attempt list >"$work/list" 2>&1
grep -q "^2 " "$work/list" && [ ! -e "$repo/.git/portside/cache" ]
ok $? "a missing cache is not made, and nothing is missing from the answer"

if [ "$(id -u)" -ne 0 ]; then
	chmod -R a-w "$repo/.git/portside"
	"$portside" -C "$repo" --read-only journal 2>&1 | grep -q first
	ok $? "a folder without write permission can be read"
	chmod -R u+w "$repo/.git/portside"
else
	count=$((count + 1))
	echo "ok $count - a folder without write permission can be read # SKIP root may write anywhere"
fi

"$portside" -C "$repo" --read-only --at 2 attempt list >"$work/list" 2>&1
! "$portside" -C "$repo" --read-only --at 2 journal 2>&1 | grep -q first
ok $? "--at shows what was known then"

# ---- an agent ---------------------------------------------------------------------

sum=$(sha256sum <"$repo/.git/portside/log.db")
CLAUDECODE=1 "$portside" -C "$repo" claim 2 L3@v5e-4 --text "it works" >"$work/why" 2>&1
[ "$sum" = "$(sha256sum <"$repo/.git/portside/log.db")" ] && [ "$(find "$repo/.git/portside/spool" -name '*.json' | wc -l)" -eq 1 ]
ok $? "an agent's claim waits in the spool; the log is untouched"

CLAUDECODE=1 "$portside" -C "$repo" expect 7 L2 >"$work/why" 2>&1
ok $? "an agent may speak of an attempt that nobody has seen"

CLAUDECODE=1 "$portside" -C "$repo" journal >"$work/list" 2>&1
! grep -q "it works" "$work/list" && [ "$(find "$repo/.git/portside/spool" -name '*.json' | wc -l)" -eq 2 ]
ok $? "an agent's reading takes nothing in"

# The spool waits, so that the next command wants to write; the limit stands for
# a full disk.
(trap '' XFSZ; ulimit -f 0; "$portside" -C "$repo" status 2>&1; echo "rc $?") | cat >"$work/full"
cp "$work/full" "$work/why"
grep -q "^rc 0$" "$work/full" && grep -q "read only: " "$work/full"
ok $? "a full disk keeps nobody from reading"

"$portside" -C "$repo" journal >"$work/list" 2>&1
grep -q "it works" "$work/list" && grep -q "agent:claude" "$work/list" && [ -z "$(find "$repo/.git/portside/spool" -maxdepth 1 -name '*.json')" ]
ok $? "a person's next command takes it in, as the agent's word"

CLAUDECODE=1 "$portside" -C "$repo" decide accept --subject migration --reason x >"$work/why" 2>&1
[ $? -eq 3 ] && grep -q "for a person" "$work/why"
ok $? "an agent decides nothing"

for forged in '{"actor":"human:ana","kind":"note.written","object":"migration","data":{}}' \
	'{"actor":"agent:x","kind":"decision.made","object":"d","data":{"choice":"accept","subject":"migration:"}}' \
	'{"actor":"tool:portside","kind":"run.ended","object":"ps-x","data":{"state":"exited 0"}}' \
	'{"actor":"agent:x","kind":"event.superseded","object":"0000","data":{}}'; do
	echo "$forged" >"$repo/.git/portside/spool/forged-$RANDOM.json"
done
events=$("$portside" -C "$repo" events --format csv 2>"$work/why" | wc -l)
[ "$(find "$repo/.git/portside/spool/rejected" -name '*.reason' | wc -l)" -eq 4 ] && grep -q "refused" "$work/why" &&
	[ "$("$portside" -C "$repo" --read-only events --format csv | wc -l)" -eq "$events" ]
ok $? "forged files are refused, kept with their reason, and told"

"$portside" -C "$repo" doctor --all | grep -q "refused.*4"
ok $? "doctor counts them"

echo "1..$count"
exit $failed
