#!/bin/bash
# A repository whose own configuration, hooks, attributes and submodules would run
# something: nothing of it is executed by any command, and a file that is checked
# out for a run is as it was committed.  Then names that are hostile themselves.
set -u
portside=$(cd "${top_builddir:-.}" && pwd)/portside
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work/home XDG_CONFIG_HOME=$work/home
mkdir "$work/home"
count=0
failed=0
out=$work/out
repo=$work/repo

ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' "$out" | head -30
		echo "not ok $count - $2"
		failed=1
	fi
}

commit() {
	git -C "$repo" add -A
	git -C "$repo" -c user.name=ana -c user.email=ana@example.org commit -q -m "$1"
}

# ---- what would run ---------------------------------------------------------------

git init -q -b main "$repo"
printf '* filter=evil diff=evil merge=evil\n' >"$repo/.gitattributes"
printf '[submodule "s"]\n\tpath = s\n\turl = ext::%s/evil sub\n\tupdate = !%s/evil sub\n' "$work" "$work" >"$repo/.gitmodules"
printf 'import torch\nx = torch.zeros(1).cuda()\n' >"$repo/train.py"
commit original
git -C "$repo" tag original
echo 'print(2)' >>"$repo/train.py"
commit "two

Attempt: 1"
echo 'print(3)' >>"$repo/train.py"
commit "three

Attempt: 2"
cat >"$repo/portside.conf" <<'EOT'
[migration]
	name = x
[target "cpu"]
	kind = cpu
[run "smoke"]
	command = "cat train.py"
EOT
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$0" >>%s/ran\n' "$work" >"$work/evil"
chmod +x "$work/evil"
for h in post-checkout post-index-change reference-transaction pre-auto-gc post-commit fsmonitor-watchman; do
	cp "$work/evil" "$repo/.git/hooks/$h"
done
{
	printf '[core]\n\tfsmonitor = %s/evil\n\tsshCommand = %s/evil\n\tpager = %s/evil\n\teditor = %s/evil\n' "$work" "$work" "$work" "$work"
	printf '\tgitProxy = %s/evil\n\talternateRefsCommand = %s/evil\n\thooksPath = %s/.git/hooks\n' "$work" "$work" "$repo"
	printf '[filter "evil"]\n\tclean = %s/evil\n\tsmudge = %s/evil\n\trequired = true\n' "$work" "$work"
	printf '[diff]\n\texternal = %s/evil\n[diff "evil"]\n\tcommand = %s/evil\n\ttextconv = %s/evil\n' "$work" "$work" "$work"
	printf '[gpg]\n\tprogram = %s/evil\n[log]\n\tshowSignature = true\n[credential]\n\thelper = "!%s/evil"\n' "$work" "$work"
	printf '[trailer "attempt"]\n\tcmd = %s/evil\n\tcommand = %s/evil\n[merge "evil"]\n\tdriver = %s/evil\n' "$work" "$work" "$work"
	printf '[submodule]\n\trecurse = true\n[submodule "s"]\n\tupdate = "!%s/evil"\n[protocol "ext"]\n\tallow = always\n' "$work"
	printf '[remote "origin"]\n\turl = "ext::%s/evil ext"\n\tpromisor = true\n[alias]\n\tdiff-tree = "!%s/evil"\n' "$work" "$work"
	printf '[include]\n\tpath = more\n[gc]\n\tauto = 1\n'
} >>"$repo/.git/config"
printf '[filter "evil"]\n\tprocess = %s/evil\n' "$work" >"$repo/.git/more"
# An object that stands in for another one shows what nobody committed.
fake=$(printf 'print("replaced")\n' | git -C "$repo" hash-object -w --stdin)
mkdir -p "$repo/.git/refs/replace"
echo "$fake" >"$repo/.git/refs/replace/$(git -C "$repo" rev-parse HEAD:train.py)"
rm -f "$work/ran"

script -qec "'$portside' -C '$repo' config accept" /dev/null >"$out" 2>&1 </dev/null
ok $? "its configuration is accepted by a person"
ran=0
for c in init "attempt refresh" churn "diff 2" "scan 2" status report "run 2 --kind smoke --target cpu --wait" "run --wait -- true" \
	"bundle $work/b" "show diff" "show attempts" "doctor --all" config brief verify study; do
	# shellcheck disable=SC2086
	timeout 120 "$portside" -C "$repo" $c >"$out" 2>&1 || { echo "# $c"; ran=1; sed 's/^/# /' "$out"; }
	if [ -e "$work/ran" ]; then
		echo "# $c ran $(cat "$work/ran")"
		ran=1
		rm -f "$work/ran"
	fi
done
ok $ran "nothing of it runs, and every command works"
grep -lF "import torch" "$repo"/.git/portside/runs/*/log >"$out" && ! grep -rq replaced "$repo"/.git/portside/runs/*/log
ok $? "the run had the file as it was committed"
"$portside" -C "$repo" doctor --json >"$out" 2>&1
grep -q '"filters"' "$out" && grep -q '"evil"' "$out"
ok $? "doctor names the filters that are left out"

# A file that only the remote would have.
blob=$(git -C "$repo" ls-tree original -- train.py 2>/dev/null | awk '{ print $3 }')
rm -f "$work/ran" "$repo/.git/objects/${blob:0:2}/${blob:2}" "$repo/.git/portside/cache/"*
: >"$out"
for c in churn "diff 1" "scan 1"; do
	# shellcheck disable=SC2086
	timeout 120 "$portside" -C "$repo" $c >>"$out" 2>&1
done
[ -n "$blob" ] && [ ! -e "$work/ran" ] && grep -q "$blob" "$out"
ok $? "what is missing is named and not fetched"

turned=$'\xe2\x80\xae\\|\xc2\x9b\\|\xe2\x80\x8b\\|\xf3\xa0\x81\x81'	# U+202E, U+009B, U+200B, U+E0041, as bytes

# ---- names -------------------------------------------------------------------------

rm -rf "$repo"
git init -q -b main "$repo"
esc=$'\e]0;owned\a\e[31m'
# shellcheck disable=SC2016
names=("new
line" "tab	stop" "$esc" $'\xff\xfe' $'\u202eevil' $'zero\u200bwidth' "-rf" "a b" "'quote\"" "$(printf 'l%.0s' {1..250})" 'c:\d' "%s%n" '$(touch ran)' "*")
for n in "${names[@]}"; do
	echo 'x.cuda()' >"$repo/$n.py"
done
git -C "$repo" add -A
subject=$(head -c 1000000 /dev/zero | tr '\0' s)
{
	printf '%s %s\n\n' "$esc" "$subject"
	printf 'Attempt: 1\nAttempt-Claim: L2 %s\n' "$esc"
} >"$work/message"
git -C "$repo" -c user.name="$esc" -c user.email="$esc" commit -q -F "$work/message" --cleanup=verbatim
git -C "$repo" branch "attempt/2-$(printf '\u202e')x" 2>"$out"
# A trailer alone may be a megabyte, and a number may be no number.
{
	printf 'more\n\nAttempt: 99999999999999999999\nAttempt: 3\nAttempt-Claim: '
	head -c 1000000 /dev/zero | tr '\0' t
	echo
} >"$work/message"
git -C "$repo" -c user.name=ana -c user.email=a commit -q --allow-empty -F "$work/message"
bad=0
for c in "attempt refresh" "attempt list" "diff 1" "scan 1" churn status report journal events "show attempts" "show diff" "show journal" \
	"attempt list --json" "events --json" "diff 1 --json" "bundle $work/names"; do
	# shellcheck disable=SC2086
	timeout 120 "$portside" -C "$repo" $c >"$out" 2>&1 || { echo "# $c: $(tail -1 "$out")"; bad=1; }
	if LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$out" || LC_ALL=C grep -q "$turned" "$out" || ! iconv -f UTF-8 -t UTF-8 "$out" >/dev/null; then
		echo "# $c lets a control through"
		bad=1
	fi
done
ok $bad "hostile names are shown and controls are not"
"$portside" -C "$work/names" attempt list >"$out" 2>&1 && "$portside" -C "$work/names" diff 1 >>"$out" 2>&1 &&
	! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$out"
ok $? "and so in a bundle"
[ ! -e ran ] && [ ! -e "$repo/ran" ]
ok $? "no name is a command"

# ---- words of an agent ---------------------------------------------------------------

hostile='\u001b]0;pwn\u0007\u001b[31m\u202e\u009b2J\u200b\udb40\udc41'
mkdir -p "$repo/.git/portside/spool"
spool() {
	printf '{"actor":"agent:x%s","kind":"%s","object":"%s","data":%s,"texts":%s}' "$hostile" "$1" "$2" "$3" "${4-{\"text\":\"$hostile\"\}}" \
		>"$repo/.git/portside/spool/$1.json"
}
spool note.written "attempt/1" '{}'
spool attempt.claimed 1 "{\"level\":\"L2\",\"source\":\"$hostile\"}"
spool attempt.labelled 1 "{\"outcome\":\"failure\",\"cause\":\"$hostile\"}"
spool evidence.added "e$hostile" "{\"digest\":\"$(printf '1%.0s' {1..64})\",\"size\":\"3\",\"path\":\"$hostile\"}" '{}'
"$portside" -C "$repo" status >"$out" 2>&1 && [ -z "$(ls "$repo/.git/portside/spool/rejected" 2>/dev/null)" ]
ok $? "they are taken"
obeyed=0
for c in "attempt list" journal events "events --json" "attempt list --json" "events --format csv" "events --format markdown" report status since \
	"show attempts --size 90x30" "show journal --size 90x30" "bundle $work/words" "diff 1 --patch"; do
	# What reaches a terminal; colours are ours.
	script -qec "'$portside' -C '$repo' $c" /dev/null </dev/null 2>&1 | sed $'s/\e\\[[0-9;]*[mK]//g' | tr -d '\r' >"$out"
	if LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$out" || LC_ALL=C grep -q "$turned" "$out"; then
		echo "# $c lets a control through"
		obeyed=1
	fi
done
ok $obeyed "no terminal obeys them, whatever the form"
"$portside" -C "$repo" events --json 2>/dev/null | grep -q '\\u202e\\u009b2J\\u200b\\udb40\\udc41'
ok $? "JSON has them as they were written"

echo "1..$count"
exit $failed
