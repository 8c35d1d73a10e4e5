#!/bin/bash
# portside-tutorial(7) is true: every command that it shows works on the demo
# that tests/e2e/demo_runs.sh has built, says what the page says, and leaves what
# the reviewer is promised.
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

made=$(dirname "$portside")/tests/e2e/demo.made
if ! command -v script >/dev/null || ! test -s "$made/story"; then
	echo "1..0 # SKIP script is missing, or tests/e2e/demo_runs.sh made no demo"
	exit 0
fi

# The commands of the page, continued lines joined, as a person types them.
sed -n '/^\.Bd -literal/,/^\.Ed/p; s/^\.Dl //p' "$page" | sed -n '/^\$ portside/,/[^e]$/p' |
	sed -e ':a' -e '/\\e$/{N;s/ *\\e\n */ /;ba' -e '}' | sed -n 's/^\$ //p' >"$work/commands"

[ "$(wc -l <"$work/commands")" -ge 7 ]
ok $? "the page shows commands"

cd "$work" && cp -a "$made/textcls" "$work/demo" && cp "$made/story" "$work/story" || exit 99
grep -q "89.46" "$work/story" && grep -q "76.72" "$work/story"
ok $? "without a terminal it tells the story with the page's figures"

cd demo || exit 99
number() {
	grep -qF -- "$1" "$page" && grep -qF -- "$1" "$2"
}

# What the page says of the runs, held against the runs.
page_says() {
	tr '\n' ' ' <"$page" | sed 's/  */ /g' | grep -qF -- "$1"
}
# runs_of ATTEMPT: without a start that SIGKILL cut while the demo was made.
runs_of() {
	"$portside" runs "$1" --format csv | sed 1d | grep -v ',launch-failed,'
}
run_of() { # ATTEMPT KIND TARGET
	runs_of "$1" | grep ",$2,$3,1," | cut -d, -f1 | head -1
}
last() { # ATTEMPT TARGET METRIC: "R 0.5627 A 0.9043"
	"$portside" compare "$1" --configuration "$2" --metric "$3" --rows 1 | sed -n 's/^last  *//p' | sed 's/  */ /g; s/ d .*//'
}
is() { # TEXT WANTED GOT
	printf 'wanted: %s\ngot: %s\n' "$2" "$3" >"$work/out"
	[ "$2" = "$3" ] && page_says "$4"
	ok $? "$1"
}
is "the loss of attempt 7" "R 0.5627 A 0.9043" "$(last 7 sim-tpu-4 loss)" "ends at 0.9043 where the reference has 0.5627"
is "attempt 5" "R 89.46 A 83.33" "$(last 5 sim-tpu-1 eval_accuracy)" "83.33, a loss of 0.65"
is "its loss" "R 0.5627 A 0.65" "$(last 5 sim-tpu-1 loss)" "83.33, a loss of 0.65"
is "attempt 6" "R 89.46 A 86.03" "$(last 6 sim-tpu-1 eval_accuracy)" "86.03, the loss of the reference"
is "its loss is the reference's" "R 0.5627 A 0.5627" "$(last 6 sim-tpu-1 loss)" "86.03, the loss of the reference"
is "attempt 8" "R 89.46 A 89.46" "$(last 8 sim-tpu-4 eval_accuracy)" "89.46 against 89.46"
"$portside" compare 7 --configuration sim-tpu-1 --rows 0 >"$work/out" && grep -q "^side  *A is equal at" "$work/out"
ok $? "one chip lies on the reference in every logged digit"
norms() { # COLUMN of the comparison of grad_norm on four chips
	"$portside" compare 7 --configuration sim-tpu-4 --metric grad_norm --as csv | grep -v '^#' | awk -F, -v c="$1" '
		NR > 1 { if (!n++ || $c < low) low = $c; if ($c > high) high = $c }
		END { printf "%.2f to %.2f\n", low, high }'
}
is "norms of the reference" "0.63 to 1.42" "$(norms 2)" "norms from 0.63 to 1.42"
is "norms on four chips" "1.11 to 2.42" "$(norms 3)" "four chips 1.11 to 2.42"
"$portside" compare 7 --configuration sim-tpu-1 --metric grad_norm >"$work/out" && grep -q "^side  *A is equal at" "$work/out"
ok $? "norms on one chip are the reference's"
seeds=$(runs_of reference | grep ",full,sim-gpu," | cut -d, -f1 | while read -r run; do
	"$portside" curves "$run" | awk '$1 == "eval_accuracy" { printf "%.2f\n", 100 * $4 }'
done | sort -n | sed -n '1p;$p' | tr '\n' ' ')
is "three seeds of the reference" "88.73 89.46 " "$seeds" "lie between 88.73 and 89.46"
compilations() {
	"$portside" tail "$(run_of "$1" smoke sim-tpu-1)" --all | grep -A1 UncachedCompile | sed -n 's/^ *Value: //p' | tail -1
}
is "compilations" "40 2" "$(compilations 3) $(compilations 4)" "40 compilations in 64 steps where attempt 4 has 2"
"$portside" curves "$(run_of 4 smoke sim-tpu-1)" --metric memory_mb | awk '$1 ~ /^[0-9]/ { print $2 - before; before = $2 }' |
	sed 1d | sort -u >"$work/out"
[ "$(wc -l <"$work/out")" -eq 1 ]
ok $? "the memory of attempt 4 rises in a straight line"
"$portside" run show "$(run_of 4 full sim-tpu-1)" >"$work/out" && grep -q "failed" "$work/out" &&
	"$portside" tail "$(run_of 4 full sim-tpu-1)" --all | grep -q "'step': 80"
ok $? "and its full run ends at step 80"
for attempt in 1 2; do runs_of "$attempt" | grep -c ",failed,"; done >"$work/out"
[ "$(tr '\n' ' ' <"$work/out")" = "1 1 " ]
ok $? "attempts 1 and 2 failed loudly"
for attempt in 3 5 6 7; do runs_of "$attempt" | grep -v ",exited 0,"; done >"$work/out"
[ ! -s "$work/out" ]
ok $? "attempts 3, 5, 6 and 7 ended with status 0"
"$portside" status >"$work/out" 2>&1 && grep -q "gap asks for a decision, attempt 7" "$work/out" && grep -q "over-claim #4" "$work/out"
ok $? "the first screen says what needs a person"
"$portside" diff 7 >"$work/out" && grep -q "3 files" "$work/out" && grep -q "^-.*self.optimizer.step()" "$work/out"
ok $? "the diff of attempt 7 is three files"
"$portside" diff 8 >"$work/out" && grep -q "1 file, +2 -1" "$work/out"
ok $? "and that of attempt 8 three lines"

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

grep -q "^| 7 | sim-tpu-4 .*| over-claim |$" migration.md && page_says "calls the claim of L3 an .Dq over-claim"
ok $? "the claim on four chips is called an over-claim, on the page as in the report"
grep -qF "$(printf '\r\033[K')written: migration.md" "$work"/reportoutput*
ok $? "no line of progress is left beside what was written"

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

mkdir "$work/again" && cp -a "$made/textcls" "$work/again" && cd "$work/again" || exit 99
"$portside" demo </dev/null >"$work/out" 2>&1 && grep -q "^Attempt 7 claims L3 on four chips" "$work/out" && grep -q "76.72" "$work/out"
ok $? "a second time the story is told again"

echo "1..$count"
exit $failed
