#!/bin/bash
# portside-tutorial(7) is true: every command that it shows works on a fresh
# demo, says what the page says, and leaves what the reviewer is promised.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99
portside=$(cd "${top_builddir:-.}" && pwd)/portside
page=$top/man/portside-tutorial.7
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work/home XDG_CONFIG_HOME=$work/home
mkdir "$work/home"
count=0
failed=0

ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		[ -s "$work/out" ] && sed 's/^/# /' "$work/out" | head -20
		echo "not ok $count - $2"
		failed=1
	fi
}

if ! command -v python3 >/dev/null || ! command -v script >/dev/null; then
	echo "1..0 # SKIP python3 or script is missing"
	exit 0
fi

# The commands of the page, continued lines joined, as a person types them.
sed -n '/^\.Bd -literal/,/^\.Ed/p; s/^\.Dl //p' "$page" | sed -n '/^\$ portside/,/[^e]$/p' |
	sed -e ':a' -e '/\\e$/{N;s/ *\\e\n */ /;ba' -e '}' | sed -n 's/^\$ //p' >"$work/commands"

[ "$(wc -l <"$work/commands")" -ge 7 ]
ok $? "the page shows commands"

cd "$work" || exit 99
start=$(date +%s)
"$portside" demo demo --stay >"$work/out" 2>&1 </dev/null
ok $? "portside demo"
echo "# the demo took $(($(date +%s) - start)) s"
cp "$work/out" "$work/story"

grep -q "89.46" "$work/story" && grep -q "76.72" "$work/story"
ok $? "without a terminal it tells the story with the page's figures"

cd demo || exit 99
number() {
	grep -qF -- "$1" "$page" && grep -qF -- "$1" "$2"
}

while IFS= read -r line; do
	case $line in
	"portside demo "*) continue ;;
	"portside -C demo.bundle") line="portside -C demo.bundle show attempts" ;;
	esac
	words=${line#portside }
	# A person at a terminal: deciding is refused elsewhere.
	script -qec "$portside $words" /dev/null </dev/null >"$work/out" 2>&1
	status=$?
	# A comparison that finds a difference answers with 1: the check said no.
	case $line in *" compare "*) status=$((status - 1)) ;; esac
	ok $status "$line"
	cp "$work/out" "$work/$(echo "$words" | tr -cd '[:lower:]' | cut -c1-12)"
done <"$work/commands"

for figure in 89.46 76.72; do
	number "$figure" "$work"/compare*
	ok $? "the comparison shows $figure, as the page says"
done

"$portside" status >"$work/out" 2>&1
grep -q "decision, attempt 6" "$work/out" && ! grep -q "decision, attempt 7" "$work/out"
ok $? "the decision about attempt 7 answers its alarm"

"$portside" journal >"$work/out" 2>&1
grep -q "intervention" "$work/out" && grep -q "decision: continue with change" "$work/out"
ok $? "the intervention and the decision are in the journal"

grep -q "Portside-Head: " migration.md && grep -q "12.74 pp below" migration.md
ok $? "the report has the decision and the line that proves it whole"

mkdir "$work/reviewer" && cp demo.bundle "$work/reviewer" && cd "$work/reviewer" && mv "$work/demo" "$work/away"
"$portside" -C demo.bundle journal >"$work/out" 2>&1
grep -q "12.74 pp below" "$work/out"
ok $? "the reviewer reads the reason, without the repository"
"$portside" -C demo.bundle diff 7 --patch >"$work/out" 2>&1
grep -q "tpu.optimizer_step" "$work/out"
ok $? "and finds the line in the diff"
"$portside" -C demo.bundle compare 7 --configuration sim-tpu-4 >"$work/out" 2>&1
grep -q "76.72" "$work/out"
ok $? "and sees the curve"
anchor=$(sed -n 's/^ *portside verify --anchor //p' "$work/away/migration.md")
"$portside" -C demo.bundle verify --anchor "$anchor" >"$work/out" 2>&1
ok $? "and verifies the report's head against the bundle"
! "$portside" -C demo.bundle note hello >"$work/out" 2>&1
ok $? "and cannot write into it"

echo "1..$count"
exit $failed
