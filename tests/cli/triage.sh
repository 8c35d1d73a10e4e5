#!/bin/sh
# `triage`: a log file's findings and proposal in all forms, user signatures, and what of a
# hostile log never reaches a terminal.  Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" LC_ALL=C.UTF-8 TZ=UTC
unset CLAUDECODE PORTSIDE_CONFIG
cases=$(cd "${srcdir:-.}" && pwd)/tests/evidence/triage/cases
cd "$dir" || exit 99
count=0
failed=0
# ok TEXT: the last command's status was 0.
ok() {
	status=$?
	count=$((count + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $count - $1"
		return
	fi
	failed=1
	echo "not ok $count - $1"
	sed 's/^/# /' "$dir/out"
}
# t STATUS ARGUMENT...: the exit status is that one.
t() {
	wanted=$1
	shift
	"$portside" triage "$@" >"$dir/out" 2>&1 </dev/null
	test $? -eq "$wanted"
}
says() { grep -qF -- "$1" "$dir/out"; }

t 0 "$cases/c1_topology_then_noise.log" --target tpu --exit 1 && says "proposed: C1 environment" &&
	says "from line 6" && says "next check: " && grep -qE '^ *6 +C1-12 +C1 +raises +decides' out &&
	grep -qE '^ *14 +C1-32 +C1 +noise +dropped' out
ok "findings with line numbers, the proposal, its reason and the next check"

t 0 "$cases/c4_graph_growth_looks_like_oom.log" --target tpu --exit 137 --verdict --json &&
	says '"cause":"C4"' && says '"ids":"C4-21 C6-08"' && says '"basis":"growth"' && says '"silent":"no"' &&
	says '"agent_label":null'
ok "the proposal as one JSON record"

t 0 "$cases/c2_silent_cpu_run.log" --target tpu --exit 0 --format csv && says "1,C2-09,C2,silent,decides," &&
	t 0 "$cases/c2_silent_cpu_run.log" --target gpu --exit 0 && says "proposed: no cause" &&
	says "that proves nothing"
ok "the same log on a GPU host is as it should be"

echo nothing >quiet.log
t 0 quiet.log && says "how it ended is not known" && says "proposed: no cause" &&
	t 0 quiet.log --exit 3 && says "proposed: C0" && ! says "proves nothing"
ok "nothing found is no proof, and with a failure it is C0"

{
	printf '\033]0;owned\007\033[2JRuntime\033[31mError: Unimplemented backend XLA \033]52;c;eA==\007\n'
	printf 'AssertionError: Torch not compiled with CUDA enabled \302\233 hf_abcdefghijklmnopqrstuvwxyz012345\n'
} >hostile.log
t 0 hostile.log && says "C2-15" && says "C2-01" && ! grep -q "$(printf '[\033\007]')" out &&
	! grep -q "$(printf '\302\233')" out && ! says "hf_abcdef"
ok "no control sequence of a log reaches a terminal, and no secret"

mkdir -p config/portside/signatures
printf 'id\tcause\trule\tpattern\tnote\nmy-1\tC2\thit\tFancyKernel needs sm_(\\d+)\tour own kernel\nmy-2\tC9\thit\tquagga\t\nmy-3\tC2\thit\t.*\t\n' \
	>config/portside/signatures/mine.tsv
echo "FancyKernel needs sm_90" >own.log
t 0 own.log --exit 1 --target tpu && says "my-1" && says "our own kernel" && says "proposed: C2" &&
	says "mine.tsv:3: the cause \"C9\" must be" && says "mine.tsv:4: the pattern would slow"
ok "signatures of one's own; a wrong row costs itself alone and is named"

rm -r config
t 3 missing.log && says "missing.log is no file" && t 2 quiet.log --target moon && t 2 quiet.log --device-gib -1
ok "what is not there, and what is not allowed"

mkfifo pipe && t 3 pipe
ok "a pipe is not waited for"

echo "1..$count"
exit "$failed"
