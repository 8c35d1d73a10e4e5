#!/bin/bash
# `portside evidence`: what a file tells, without a migration.  Prints TAP.
set -u
portside=${top_builddir:-$(pwd)}/portside
case $portside in
/*) ;;
*) portside=$(pwd)/$portside ;;
esac
[ -x "$portside" ] || { echo "1..0 # SKIP portside is not built"; exit 0; }
samples=$(cd "${srcdir:-.}/tests/evidence/samples" && pwd) || exit 99
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
unset CLAUDECODE
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state" LC_ALL=C.UTF-8
cd "$dir" || exit 99

count=0
# holds TEXT PATTERN: the output has a line like it.
holds() {
	count=$((count + 1))
	if grep -qE -- "$2" "$dir/out"; then
		echo "ok $count - $1"
	else
		sed 's/^/# /' "$dir/out"
		echo "not ok $count - $1"
	fi
}

"$portside" evidence "$samples/xla_metrics_recompiling.txt" >out 2>&1
holds "a duration is decoded, and its line and text are shown" \
	'^ +3  xla.time +CompileTime +17m37s +decoded +18m38s962ms164.614us'
holds "details wait until they are asked for" '56 details are not shown'
"$portside" evidence "$samples/xla_metrics_rounding_probe.txt" --details >out 2>&1
holds "a duration that may be two is both" '^ *31 +xla.time +CompileTime +1m30s or 2m30s +ambiguous'
printf 'step 1 loss 0.5\n' >run.log
"$portside" evidence run.log >out 2>&1
holds "nothing recognised is an answer" 'nothing in this file is evidence of a known format'
printf 'TOKEN=hf_abcdefghijklmnopqrst1234\nPJRT_DEVICE=TPU\n' >dump
"$portside" evidence dump --as environment >out 2>&1
holds "a format can be named" 'variable +PJRT_DEVICE +TPU'
count=$((count + 1))
if grep -q abcdefgh out; then echo "not ok $count - no secret is shown"; else echo "ok $count - no secret is shown"; fi
count=$((count + 1))
if ! "$portside" evidence missing >out 2>&1; then echo "ok $count - a missing file is an error"; else echo "not ok $count - a missing file is an error"; fi
echo "1..$count"
