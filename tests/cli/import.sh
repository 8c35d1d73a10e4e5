#!/bin/bash
# What import makes of a folder: each file taken or left with its reason, one run
# of several, lines that a pattern of portside.conf describes.  Prints TAP.
set -u
samples=$(cd "${srcdir:-.}" && pwd)/tests/curve/samples
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
export PORTSIDE_CLOCK=2023-11-15T00:00:00Z TMPDIR="$dir/scratch"
mkdir "$TMPDIR" "$dir/repo" && cd "$dir/repo" || exit 99
git init -q -b main . && echo 1 >train.py && git add . && git commit -q -m original && git tag original
echo 2 >train.py && git commit -q -a -m 'Attempt 1' && git tag attempt/1
"$portside" attempt refresh >"$dir/out" 2>&1 || { echo "Bail out! $(head -1 "$dir/out")"; exit 99; }

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
says() { grep -qF -- "$1" "$dir/out"; }
import() {
	"$portside" import "$@" >"$dir/out" 2>&1
}
imported_run() {
	sed -n 's/^imported: run \(ps-[a-z0-9]*\) of .*/\1/p' "$dir/out"
}

# ---- stores --------------------------------------------------------------------

import 1 "$samples/trackio/01-run-id"
[ $? -eq 2 ] && says "demo.db holds 2 runs; name one with --run of import: one [id-one] 6 points, two [id-two] 1 point"
ok "which run is not guessed" $?
[ -z "$("$portside" runs --format csv | sed -n 2p)" ]
ok "and nothing is recorded" $?
import 1 "$samples/trackio/01-run-id" --run one && says "8 points of 2 series" && says "3 not finite"
ok "the one that is named is imported" $?
run=$(imported_run)
"$portside" curves "$run" --format csv >"$dir/out" 2>&1 && says "loss,6," && says "val.acc,2,"
ok "and read as that run from then on" $?

picture() {
	find "$1" -printf '%P %s %T@\n' | LC_ALL=C sort
}
cp -r --no-preserve=mode "$samples/trackio/03-wal" "$dir/wal" && chmod 500 "$dir/wal" && picture "$dir/wal" >"$dir/before"
import 1 "$dir/wal" && says "8 points of 1 series, the last 1h46m ago"
ok "rows that are in the log of a database alone" $?
picture "$dir/wal" | cmp -s - "$dir/before"
ok "nothing is written beside it" $?
[ -z "$(ls -A "$TMPDIR")" ]
ok "and no private copy is left" $?
chmod 700 "$dir/wal"

# ---- a folder of everything --------------------------------------------------------

mkdir "$dir/all" && cd "$dir/all" || exit 99
cp -r --no-preserve=mode "$samples/mlflow/01-files/mlruns" "$samples/dvclive/01/dvclive" .
cp "$samples/jsonl/03-metrics.json" lines.csv
gzip -c lines.csv >packed.jsonl.gz
head -c 3000 "$samples/mlflow/02-sqlite/mlflow.db" >cut.db
printf 'id,pred,label\n1,a,a\n2,b,a\n' >predictions.csv
printf 'no header\n' >broken.wandb
printf '# readme\n' >README.md
ln -s /etc/passwd link.csv
printf 'step,loss\n1,1\n' >"$(printf 'esc\033[31m.csv')"
cd "$dir/repo" || exit 99
import 1 "$dir/all" && says "17 points of 4 series" && says "10 points of 3 series"
ok "folders of MLflow and DVCLive" $?
says "is packed with gzip; unpack it first" && says "the database is damaged or cut short"
ok "what is packed or cut says so" $?
says "expected .wandb, bad magic at offset 0" && says "a link; name its file" && says "not named like a log"
ok "and so does what is no curve" $?
says "lines.csv: its name says a table; it holds JSON lines"
ok "a name that promises something else is told" $?
! grep -q "$(printf '\033')" "$dir/out" && says 'esc^[[31m.csv'
ok "no control character of a name reaches the terminal" $?
"$portside" --json import 1 "$dir/all" >"$dir/out" 2>&1
python3 - "$dir/out" 2>"$dir/why" <<-'EOT' || { cat "$dir/why" >>"$dir/out"; false; }
	import json, sys
	rows = {r["file"]: r for r in json.load(open(sys.argv[1]))["rows"]}
	store = rows["mlruns/0/0123456789abcdef0123456789abcdef"]
	assert (store["records"], store["malformed"], store["nonfinite"], store["tail_bytes"]) == (17, 1, 3, 19), store
	assert store["last_time"].startswith("2023-11-14T22:13:20"), store
	assert store["last_age_ns"] // 10**9 == 6399, store
	assert rows["predictions.csv"]["records"] == 2 and rows["predictions.csv"]["points"] == 0
	assert rows["cut.db"]["points"] is None and "damaged" in rows["cut.db"]["left"]
	assert rows["lines.csv"]["said"] and rows["lines.csv"]["bad_checksums"] == 0
EOT
ok "the same in numbers, for programs" $?
import 1 "$samples/wandb/05b-length-past-end" && says "9 points of 1 series | 14 records | skipped 62 B at 0x169 (bad data)"
ok "a file of W&B with a hole" $?
import 1 "$samples/wandb"
[ $? -eq 2 ] && says "the folder of W&B holds" && says "name one with --run of import"
ok "a folder of many W&B runs is not one run" $?
import 1 "$samples/wandb" --run badlen02 && says "9 points of 1 series" && says "another run was chosen"
ok "the one that is named is" $?
printf 'step,loss,loss\n1,2,3\n2,3,4\n' >"$dir/doubled.csv"
import 1 "$dir/doubled.csv" && says "2 records | 2 left out"
ok "a column that stands twice is told" $?
"$portside" --json import 1 "$dir/doubled.csv" >"$dir/out" 2>&1 && says '"leftout":2'
ok "also to programs" $?

mkdir -p "$dir/old/mlruns/0/ab/metrics" && printf 'run_id: ab\nlifecycle_stage: active\n' >"$dir/old/mlruns/0/ab/meta.yaml"
printf '%s 1.5 1\n' -8999999999000 >"$dir/old/mlruns/0/ab/metrics/loss"
import 1 "$dir/old" && says "1 point of 1 series" && ! says " ago"
ok "a time that no clock can have had is no age" $?
"$portside" --json import 1 "$dir/old" >"$dir/out" 2>&1 && says '"last_age_ns":"unknown"'
ok "and is unknown for programs" $?
printf '%s 1.5 1\n' 0 >"$dir/old/mlruns/0/ab/metrics/loss"
import 1 "$dir/old" && says "1 point of 1 series" && ! says " ago"
ok "nor is a time of 0" $?

# ---- names that cannot be kept ---------------------------------------------------------

mkdir -p "$dir/odd/mlruns/0/ab/metrics"
long=$(printf 'k%.0s' {1..245})
printf 'step,loss\n1,2\n2,1\n' | tee "$dir/odd/good.csv" >"$dir/odd/"$'bad\xff.csv'
printf 'run_id: ab\nlifecycle_stage: active\nstatus: 3\n' >"$dir/odd/mlruns/0/ab/meta.yaml"
printf '1700000000000 0.5 1\n' | tee "$dir/odd/mlruns/0/ab/metrics/acc" "$dir/odd/mlruns/0/ab/metrics/$long" \
	>"$dir/odd/mlruns/0/ab/metrics/"$'val\tloss'
import 1 "$dir/odd" && says "its name is no UTF-8; rename it" && says "2 points of 1 series"
ok "a file whose name cannot be recorded is left, the others are taken" $?
says "its name is longer than a copy of it may be" && says "its name has control characters" && says "1 point of 1 series"
ok "so are parts of a store, each with its reason" $?
"$portside" verify >"$dir/out" 2>&1
ok "and the log verifies" $?
import 1 ''
[ $? -eq 2 ] && says "was a variable not set?"
ok "an empty name is no folder" $?

# Root reads what nobody may; for others a folder that is closed is no run without curves.
printf 'step,loss\n1,2\n' >"$dir/closed.csv"
import 1 "$dir/closed.csv"
run=$(imported_run)
folder=$(git rev-parse --absolute-git-dir)/portside/runs/$run
if [ -n "$run" ] && [ "$(id -u)" -ne 0 ]; then
	chmod 000 "$folder"
	"$portside" curves "$run" >"$dir/out" 2>&1
	[ $? -eq 3 ] && says "cannot be read" && says "Permission denied"
	status=$?
	chmod 700 "$folder"
	test $status -eq 0
	ok "what may not be looked into is no run without curves" $?
fi

# ---- patterns ------------------------------------------------------------------------

cat >portside.conf <<-'EOT'
	[migration]
	name = small
	[pattern "mine"]
	match = "^it=(?<step>\\d+) .*(?<name>quality)=(?<value>[\\d.]+)"
EOT
printf 'it=1 x quality=0.5\nstep 3 loss: 1.5\n' >"$dir/early.log"
import 1 "$dir/early.log" && says '[pattern "mine"] of portside.conf is not accepted'
ok "a pattern that waits for its acceptance is told" $?
script -qec "'$portside' config accept" /dev/null >"$dir/out" 2>&1 && says "is in force"
ok "a pattern is accepted" $?
import 1 "$dir/early.log" && ! says "not accepted"
ok "and then is told no more" $?
printf 'it=1 x quality=0.5\nit=2 x quality=0.75\nstep 3 loss: 1.5\n' >"$dir/own.log"
import 1 "$dir/own.log" && says "3 points of 2 series"
ok "lines that it describes are points, others are read as before" $?
run=$(imported_run)
"$portside" curves "$run" --format csv >"$dir/out" 2>&1 && says "quality,2,0.5,0.75" && says "loss,1,"
ok "as the curve that it names" $?
printf '[pattern "slip"]\n\tmatch = "it=(?<step>\\\\d+"\n' >>portside.conf
"$portside" config >"$dir/out" 2>&1
grep -q 'portside.conf:6: pattern.slip.match: .*parenthesis' "$dir/out"
ok "a slip is told with its line" $?
sed -i '5,$d' portside.conf && printf '[pattern "empty"]\n' >>portside.conf
"$portside" config >"$dir/out" 2>&1
says 'portside.conf:5: [pattern "empty"] has no key'
ok "so is a section without a key" $?

# A last line without an end may be half of one.
printf 'step,loss\n0,2\n1,1.5\n2,1' >"$dir/unended.csv"
import 1 "$dir/unended.csv" && says "2 points of 1 series" &&
	says "unended.csv: its last 3 bytes end in the middle of a record and are not read"
ok "a last line without an end is not read, and that is said" $?
echo >>"$dir/unended.csv"
import 1 "$dir/unended.csv" && says "3 points of 1 series" && ! says "in the middle of a record"
ok "with an end it counts" $?

# ---- a goal, and logs without steps ------------------------------------------------------

cat >portside.conf <<-'EOT'
	[migration]
	name = small
	intended = tpu
	reference = gpu
	[target "gpu"]
	kind = gpu
	launcher = local
	[target "tpu"]
	kind = tpu
	chips = 1
	launcher = local
	[goal "loss"]
	form = threshold
	target = 2
	series = "{eval_loss,val_loss}"
	direction = lower
	margin = 0.5
	[goal "train"]
	form = threshold
	target = 3
	series = loss
	direction = lower
	margin = 0.5
EOT
script -qec "'$portside' config accept --reason new" /dev/null >"$dir/out" 2>&1 && says "is in force"
ok "goals are accepted" $?
"$portside" check 1 --configuration elsewhere >"$dir/out" 2>&1
says 'elsewhere is no target of portside.conf: declare [target "elsewhere"], or portside import 1' && ! says "--target elsewhere --probe"
ok "nobody is told to run where nothing can be run" $?
"$portside" curves 1 >"$dir/out" 2>&1
says "1 is no run, but has " && says "portside runs 1 lists them"
ok "who names an attempt learns where its runs are" $?
"$portside" feasibility 1 --target tpo >"$dir/out" 2>&1
says 'no target "tpo" in the accepted portside.conf; there are: gpu, tpu'
ok "and who names a target that is none, which there are" $?
for side in gpu tpu; do
	for e in 1 2 3 4; do
		echo "{'loss': $e.25, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': $e.0}"
		echo "{'eval_loss': 1.5, 'eval_runtime': 0.5, 'epoch': $e.0}"
	done >"$dir/hf-$side.log"
	printf 'step,loss\n1,3\n2,2.5\n3,2\n' >"$dir/good-$side.csv"
	for e in 1 2; do
		printf 'Epoch %d/2\n15/15 [====] - 0s 8ms/step - loss: 0.5000 - val_loss: 0.75%s0\n' $e $e
	done >"$dir/keras-$side.log"
done
for log in hf keras; do
	import reference "$dir/$log-gpu.log" --target gpu --kind full --seed 0 && says "imported: run ps-"
	ok "a log of $log without steps is imported beside a goal" $?
	import 1 "$dir/$log-tpu.log" --target tpu --kind full --seed 0 && says "imported: run ps-"
	ok "and so is the one of the other side" $?
	run=$(imported_run)
	"$portside" compare "$run" --metric "$([ $log = hf ] && echo eval_loss || echo val_loss)" >"$dir/out" 2>&1
	[ $? -lt 2 ] && says "exact epoch" && says "paired by epoch"
	ok "and they are paired by epoch, which is said" $?
done
import 1 "$dir/good-tpu.csv" --target tpu --kind full --seed 0 && says "imported: run ps-"
ok "a good file after them is imported" $?
"$portside" check 1 --configuration tpu >"$dir/out" 2>&1
[ $? -lt 2 ] && says "not measured: loss is logged by epoch in R and by training step in A"
ok "and the goal that cannot be measured says why, alone" $?

for every in 10 15; do
	awk -v w=$every 'BEGIN { for (i = w; i <= 300; i += w) { s = 0; for (k = i - w + 1; k <= i; k++) s += 5 / (1 + k / 20)
		printf "{\"step\": %d, \"windowed\": %.15g}\n", i, s / w } }' >"$dir/every-$every.jsonl"
done
import reference "$dir/every-10.jsonl" --target gpu --kind full --seed 5 && reference=$(imported_run) &&
	import 1 "$dir/every-15.jsonl" --target tpu --kind full --seed 5 && run=$(imported_run)
"$portside" compare "$run" --against "$reference" --metric windowed >"$dir/out" 2>&1
says "coverage DIFFERS" && tr -s ' \n' ' ' <"$dir/out" | grep -qF "log at different steps: --align window"
ok "where only the cadence differs, another pairing is named and no new run" $?
"$portside" compare "$run" --against "$reference" --metric windowed --align window >"$dir/out" 2>&1
says "match" && ! says "coverage DIFFERS"
ok "and it decides" $?

# Whoever starts a run from a file that changed since learns which version rules: two
# margins, and the tolerances that follow them.
sed -i 's/margin = 0.5/margin = 0.6/' portside.conf
"$portside" run 1 --kind smoke --target tpu >"$dir/out" 2>&1
says "warning: portside.conf has changed (4 differences, loosened); the accepted version rules"
ok "a run says that the file is not what rules" $?
echo "1..$count"
