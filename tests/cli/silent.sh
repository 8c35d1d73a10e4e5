#!/bin/bash
# Failures without an error text, end to end: a run that was meant for a TPU and trained
# on the CPU, versions that are known to clip too early, evidence that somebody brings,
# signatures of portside.conf.  Prints TAP.
set -u
samples=$(cd "${srcdir:-.}" && pwd)/tests/evidence/samples
manual=$(cd "${srcdir:-.}" && pwd)/man/portside.1
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
says() { grep -qE -- "$1" "$dir/out"; }
p() {
	"$portside" "$@" >"$dir/out" 2>&1
}

git init -q -b main .
cat >train.sh <<'T'
echo "WARNING:root:Defaulting to PJRT_DEVICE=CPU"
echo "{'loss': 1.5, 'step': 1}"
echo "{'loss': 1.2, 'step': 2}"
echo "training done"
T
cat >portside.conf <<'T'
[migration]
	name = silent
	reference = gpu
	intended = tpu-4
[target "gpu"]
	kind = gpu
[target "tpu-4"]
	kind = tpu
	chips = 4
[goal "accuracy"]
	series = eval_accuracy
	direction = higher
	target = 80
	unit = pp
	scale = 100
	margin = 1
[run "smoke"]
	command = sh train.sh
	steps = 2
	done = training done
[run "full"]
	command = sh train.sh --max_grad_norm 1.0
	steps = 2
	done = training done
[signature "OWN-1"]
	pattern = "ring buffer (\\d+) overflowed"
	cause = C6
	kind = R
	side = tpu
	note = the queue of our loader is full
T
git add . && git commit -q -m original && git tag original
printf 'torch==2.1.0\naccelerate<0.23.0\n' >requirements.txt
git add . && git commit -q -m 'Attempt 1' && git tag attempt/1
p attempt refresh
script -qec "'$portside' config accept" /dev/null >"$dir/out" 2>&1
says "is in force"
ok "portside.conf with a signature is accepted" $?

# ---- known before anything runs ------------------------------------------------------

p triage 1 && says "requirements.txt:2" && says "clips the gradients of each process before they are reduced" &&
	says "no run, so there is no log: hints from its files, and no proof"
ok "a pinned accelerate before 0.23.0, four chips and clipping: told before a chip is rented" $?
p triage 1 --format json && python3 - "$dir/out" <<'T'
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
assert [(r["id"], r["cause"], r["kind"], r["places"]) for r in rows] == [("versions", "C3", "pinned", "requirements.txt:2")], rows
T
ok "as a row, with its place" $?

# ---- a run that trains on the CPU ----------------------------------------------------

p run 1 --kind smoke --target tpu-4 --wait
says "warning: requirements.txt:2: accelerate<0.23.0"
ok "and by the run itself, before it starts" $?
run=$("$portside" runs --format csv | sed -n 's/^\(ps-[a-z0-9]*\),.*/\1/p' | head -1)
p triage "$run"
says "device +C2 +silent rule +refuted" && says "silent finding"
ok "a run that was meant for a TPU and ends with 0 on the CPU is found" $?
p triage "$run" --format json && python3 - "$dir/out" <<'T'
import json, sys
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["kind"] == "silent rule"]
assert [r["id"] for r in rows] == ["device"], rows
assert rows[0]["role"] == "refuted" and rows[0]["places"].startswith("log:"), rows
assert rows[0]["false_alarms"] == 0 and "tpu-info" in rows[0]["next"], rows
T
ok "with the line of the log, the rate of false alarms and the next check" $?
p triage "$run" --all && says "memory +C4 +silent rule +not checked" && says "[0-9]+ not checked"
ok "what was not checked is no all-clear" $?

p triage "$run" --all --format json && python3 - "$dir/out" "$manual" <<'T'
import json, re, sys
manual = open(sys.argv[2]).read()
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["kind"] == "silent rule"]
assert len(rows) > 20, rows
for r in rows:
    entry = re.search(r"^\.It Cm " + r["id"] + r"\n(C\d); false alarms (.*)$", manual, re.M)
    assert entry and entry.group(1) == r["cause"], r["id"]
    rate = "at most %g of 100" % (100 * r["false_alarms"]) if r["false_alarms"] else "none"
    assert entry.group(2).startswith(rate), (r["id"], entry.group(2), rate)
T
ok "the manual states the rate of false alarms of every rule" $?

# ---- evidence of the run, and what is brought for it ----------------------------------

p evidence "$run" && says "^log +xla-log" && says "run $run of 1: "
ok "the files of a run that tell something" $?
p evidence "$run" --facts && says "^log +1 +device"
ok "and what they tell, with lines" $?
n=0
for f in pip_freeze.txt tpu_info_v5e_busy.txt nvidia_smi_l4.csv xla_metrics_healthy.txt \
	ptxla_debug_healthy.txt ptxla_profiler_lines.txt torchtpu_cache_stats.txt training_args.json \
	accelerate.yaml training_arguments.log env.txt xla_graph_limit.txt; do
	if p import "$run" "$samples/$f" && says "added to run $run"; then
		n=$((n + 1))
	else
		sed "s/^/# $f: /" "$dir/out"
	fi
done
[ $n -eq 12 ]
ok "each format of evidence is taken by its content, and added to a run" $?
p import "$run" "$samples/pip_freeze.txt" && says "known already: run $run"
ok "once" $?
p evidence "$run" && says "pip_freeze.txt +packages +[0-9]+ .* yes +human:" && says "nvidia_smi_l4.csv +nvidia-smi"
ok "who brought it is listed with it" $?
p import "$run" "$samples/../samples/facts.tsv"
says "only predictions by example and evidence of a known format"
ok "nothing else is added to a run that is there" $?
p import 1 "$samples/pip_freeze.txt" "$samples/xla_metrics_recompiling.txt" --target tpu-4 && says "imported: run ps-" &&
	says "list of packages" && says "torch_xla metrics report"
ok "evidence alone is a run that was made elsewhere" $?
other=$(sed -n 's/^imported: run \(ps-[a-z0-9]*\) of .*/\1/p' "$dir/out")
p triage "$other" && says "recompilation +C4 +silent rule +refuted"
ok "of which silent rules are asked, too" $?
p events --format json && [ "$(grep -o '"facts.parsed"' "$dir/out" | wc -l)" -ge 13 ]
ok "what was read is on record, once for a file and a parser" $?
at=$(find "$(git rev-parse --absolute-git-dir)/portside/runs/$run/evidence" -name pip_freeze.txt)
chmod 600 "$at" && echo "evil==1.0" >>"$at"
p evidence "$run" && says "pip_freeze.txt .*it was changed later|pip_freeze.txt .*not on record"
ok "a file that was changed is not used" $?

# ---- signatures ------------------------------------------------------------------------

cat >own.sh <<'T'
echo "loader: ring buffer 7 overflowed"
exit 1
T
p run 1 --target tpu-4 --wait -- sh own.sh
own=$("$portside" runs --format csv | sed -n 's/^\(ps-[a-z0-9]*\),.*/\1/p' | head -1)
p triage "$own" && says "OWN-1 +C6 +raises" && says "proposed: C6"
ok "a signature of the accepted portside.conf" $?
echo "loader: ring buffer 9 overflowed" >"$dir/elsewhere.log"
p triage "$dir/elsewhere.log" --exit 1 --target tpu && says "OWN-1 +C6 +raises" && says "proposed: C6" &&
	(cd "$dir" && "$portside" triage elsewhere.log --exit 1 >"$dir/out" 2>&1) && ! says "OWN-1" &&
	says "proposed: C0" && ! says "did not count"
ok "of a file, too, where the migration is; elsewhere it is not known" $?
sed -i 's/cause = C6/cause = C9/' portside.conf
p config
says "portside.conf:[0-9]+: signature.OWN-1.cause: .*must be C0 to C6"
ok "a wrong one is an error with file, line and key" $?

# ---- names -----------------------------------------------------------------------------

p triage logs/none.log
[ $? -eq 3 ] && says "there is no file logs/none.log"
ok "a path that is not there is spoken of as a file" $?
p triage 99
[ $? -eq 3 ] && says "no attempt 99; there are: "
ok "a name that is not there as an attempt" $?
echo "1..$count"
