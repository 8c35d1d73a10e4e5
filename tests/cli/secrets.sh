#!/bin/bash
# Secrets in every place where a program or a person may leave one: nothing that is
# stored, shown or handed on has them, but the raw log of a run.  And a text that
# should never have been written is taken out afterwards, and all verifies.
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

# One for each place; those without a known form are values of secret variables.
export WANDB_API_KEY=theKeyOfTheEnvironment MY_PASSWORD=envpassword77
tokens=(remotepassw0rd99 hf_subjecttoken ghp_claimtoken theKeyOfTheEnvironment envpassword77 hf_notetoken hf_logtoken
	awsSecretValue bearerTokenValue hf_errortoken hf_argtoken argApiKeyValue urlpassw0rd88 hf_linetoken hf_nametoken hf_spooltoken)

git init -q -b main "$repo"
git -C "$repo" remote add origin "https://ana:remotepassw0rd99@example.org/x.git"
commit() {
	git -C "$repo" -c user.name=ana -c user.email=ana@example.org commit -q --allow-empty -m "$1"
}
commit original
git -C "$repo" tag original
commit "use hf_subjecttoken0123456789abcd

Attempt: 1
Attempt-Claim: L1 works with ghp_claimtoken0123456789abcdefghij"
{
	"$portside" -C "$repo" attempt refresh
	"$portside" -C "$repo" note "a token hf_notetoken0123456789abcdefg and envpassword77 too" --about 1
	# shellcheck disable=SC2016
	"$portside" -C "$repo" run 1 --wait -- sh -c 'echo "{\"step\":1,\"loss\":2}"; echo $WANDB_API_KEY $MY_PASSWORD
		echo hf_logtoken0123456789abcdefghi; echo "export AWS_SECRET_ACCESS_KEY=awsSecretValue0123456789ABCD"
		echo "Authorization: Bearer bearerTokenValue0123456789"; echo "RuntimeError: hf_errortoken0123456789abcdefghi"
		exit 3' --token=hf_argtoken0123456789abcdefgh --password envpassword77 --api-key=argApiKeyValue0123456789 \
		https://u:urlpassw0rd88@host/x
	printf '{"step":1,"loss":2,"note":"hf_linetoken0123456789abcdefg"}\n{"step":2,"loss":1}\n' \
		>"$work/hf_nametoken0123456789abc.jsonl"
	"$portside" -C "$repo" import 1 "$work/hf_nametoken0123456789abc.jsonl"
	mkdir -p "$repo/.git/portside/spool"
	printf '%s' '{"actor":"agent:x","kind":"note.written","object":"attempt/1","texts":{"text":"hf_spooltoken0123456789abcdef"}}' \
		>"$repo/.git/portside/spool/1.json"
} >"$work/made" 2>&1
runs=()
for r in "$repo"/.git/portside/runs/ps-*; do
	runs+=("${r##*/}")
done
cp "$work/made" "$out"
[ "${#runs[@]}" -eq 2 ]
ok $? "a run and an import are there"

mkdir "$work/given"
cd "$work/given" || exit 99
{
	"$portside" -C "$repo" bundle bundle
	for c in report events "events --json" journal "journal --json" "attempt list --json" "runs --json" status since brief doctor \
		config "compare 1" "show attempts" "show runs" "show journal" "show curves"; do
		# shellcheck disable=SC2086
		"$portside" -C "$repo" $c >"${c// /_}"
	done
	for r in "${runs[@]}"; do
		"$portside" -C "$repo" run show "$r" | grep -v "$work" >"show_$r"
		"$portside" -C "$repo" tail "$r" --all >"tail_$r"
		"$portside" -C "$repo" curves "$r" --json | grep -v jsonl >"curves_$r"
	done
} >"$out" 2>&1
found=0
for t in "${tokens[@]}"; do
	hex=$(printf %s "$t" | od -An -tx1 | tr -d ' \n')
	if grep -rlE "$t|$hex" "$work/given" "$repo/.git/portside/log.db"; then
		echo "# $t"
		found=1
	fi
done
ok $found "none is in what is stored, shown or handed on"
grep -q "\[redacted" "$work/given/tail_${runs[0]}" "$work/given/tail_${runs[1]}"
ok $? "each is marked where it was"

# ---- afterwards -----------------------------------------------------------------

"$portside" -C "$repo" note "the word is friend" >"$out" 2>&1
event=$("$portside" -C "$repo" --format csv events --kind note.written | tail -1 | grep -oE '[0-9a-f]{64}')
grep -q "word is friend" "$repo/.git/portside/log.db"
ok $? "a text is in the log"
friend=$(printf 'word is friend' | od -An -tx1 | tr -d ' \n')
"$portside" -C "$repo" bundle before >"$out" 2>&1 && grep -q "$friend" before
ok $? "and in a bundle"
"$portside" -C "$repo" withhold "$event" --reason "a password" </dev/null >"$out" 2>&1
[ $? -eq 3 ] && grep -q "terminal" "$out"
ok $? "taking it out needs a person at a terminal"
script -qec "'$portside' -C '$repo' withhold $event --reason 'a password'" /dev/null >"$out" 2>&1 </dev/null
ok $? "a person takes it out"
! grep -q "word is friend" "$repo/.git/portside/log.db"
ok $? "its bytes are gone from the file"
"$portside" -C "$repo" verify >"$out" 2>&1 && "$portside" -C "$repo" journal >>"$out" 2>&1 && grep -q "withheld: a password" "$out"
ok $? "the log verifies, and says who did it and why"
"$portside" -C "$repo" bundle after >"$out" 2>&1 && "$portside" -C after verify >>"$out" 2>&1 &&
	! grep -q "$friend" after
ok $? "a bundle of it verifies too"

echo "1..$count"
exit $failed
