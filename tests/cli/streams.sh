#!/bin/bash
# Standard streams and the umask as a careless caller leaves them: what cannot be
# written is an error, a reader that went away is none, and no file of ours is
# taken for a stream that was closed.
set -u
portside=$(cd "${top_builddir:-.}" && pwd)/portside
work=$(mktemp -d) || exit 99
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
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

git init -q -b main "$repo"
git -C "$repo" -c user.name=ana -c user.email=ana@example.org commit -q --allow-empty -m "attempt 1

Attempt: 1"
"$portside" -C "$repo" attempt refresh >"$out" 2>&1 && "$portside" -C "$repo" note "a note" --about 1 >>"$out" 2>&1
ok $? "a migration is there"

# Commands of each kind: a table, a text, a stream, a view, the program's own.
commands=("status" "attempt list" "config keys" "report" "events --json" "show attempts" "study" "completion bash" "--help"
	"note --help" "--version")

full=0
closed=0
gone=0
for c in "${commands[@]}"; do
	# shellcheck disable=SC2086
	"$portside" -C "$repo" $c >/dev/full 2>"$out"
	if [ $? -ne 3 ] || ! grep -q "standard output: cannot write: No space" "$out"; then
		echo "# $c: $(cat "$out")"
		full=1
	fi
	# shellcheck disable=SC2086
	"$portside" -C "$repo" $c >&- 2>"$out"
	if [ $? -ne 3 ] || ! grep -q "standard output: cannot write: Bad file" "$out"; then
		echo "# $c: $(cat "$out")"
		closed=1
	fi
	# shellcheck disable=SC2086
	"$portside" -C "$repo" $c 2>"$out" | true
	if [ "${PIPESTATUS[0]}" -ne 0 ] || grep -q "cannot write" "$out"; then
		echo "# $c: $(cat "$out")"
		gone=1
	fi
done
ok $full "a full device is an error with a sentence"
ok $closed "and so is a closed standard output"
ok $gone "a reader that went away is none"

before=$("$portside" -C "$repo" --json events | sha256sum)
for _ in 1 2 3; do
	"$portside" -C "$repo" attempt refresh <&- >&- 2>&-
	"$portside" -C "$repo" events --oops <&- >&- 2>&-
	"$portside" -C "$repo" verify <&- >&- 2>&-
done
"$portside" -C "$repo" verify >"$out" 2>&1 && [ "$("$portside" -C "$repo" --json events | sha256sum)" = "$before" ]
ok $? "no message was written into the log"
"$portside" -C "$repo" note "nobody hears this" <&- >&- 2>&-
"$portside" -C "$repo" journal >"$out" 2>&1
grep -q "nobody hears this" "$out"
ok $? "what is recorded without any stream is recorded"
"$portside" -C "$repo" run -- sh -c 'echo to stdout; echo to stderr >&2' <&- >&- 2>&-
log=$(find "$repo/.git/portside/runs" -name log)
printf 'to stdout\nto stderr\n' | cmp - "$log" >"$out" 2>&1
ok $? "a run without any stream has its log"

git init -q -b main "$work/masked"
(umask 0777 && exec "$portside" -C "$work/masked" note "masked") >"$out" 2>&1
[ "$(stat -c %a "$work/masked/.git/portside")" = 700 ] &&
	[ "$(($(stat -c 0%a "$work/masked/.git/portside/log.db") & 0600))" -eq $((0600)) ] &&
	"$portside" -C "$work/masked" verify >>"$out" 2>&1
ok $? "an umask that takes everything leaves the owner's own rights"

echo "1..$count"
exit $failed
