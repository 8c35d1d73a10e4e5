#!/bin/sh
# `runs` with columns, a filter, an order and groups, and `runs diff`.  Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
unset CLAUDECODE PORTSIDE_AGENT PORTSIDE_ATTEMPT PORTSIDE_CLOCK
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state" XDG_CACHE_HOME="$dir/cache"
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=a@b.c
export GIT_CONFIG_GLOBAL=/dev/null LC_ALL=C.UTF-8 TZ=UTC
mkdir "$dir/repo" "$dir/logs" && cd "$dir/repo" || exit 99
git init -q -b main . && echo 1 >train.py && git add . && git commit -q -m original && git tag original
echo 2 >train.py && git commit -q -a -m "Attempt 1" && git tag attempt/1
count=0
failed=0
# ok TEXT STATUS: the last command's status was 0.
ok() {
	count=$((count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $count - $1"
		return
	fi
	failed=1
	echo "not ok $count - $1"
	sed 's/^/# /' "$dir/out"
}
p() { "$portside" "$@" >"$dir/out" 2>&1 </dev/null; }
says() { grep -qF -- "$1" "$dir/out"; }
# rows ARGUMENT...: the rows as CSV, one line
rows() { "$portside" --format csv "$@" 2>/dev/null | sed -n '2,$p' | tr '\n' '|'; }

# made SEED LR LAST LEAST ATTEMPT TARGET: a run with a curve, and a configuration beside it
made() {
	mkdir -p "$dir/logs/$1/dvclive/plots/metrics"
	printf 'step\tloss\n1\t2.0\n2\t%s\n3\t%s\n' "$4" "$3" >"$dir/logs/$1/dvclive/plots/metrics/loss.tsv"
	printf '{"loss": %s, "step": 3}\n' "$3" >"$dir/logs/$1/dvclive/metrics.json"
	printf 'lr: %s\nmodel: tiny\n' "$2" >"$dir/logs/$1/dvclive/params.yaml"
	"$portside" import "$5" "$dir/logs/$1" --target "$6" --seed "$1" >"$dir/out" 2>&1
}
p attempt refresh
made 1 0.1 0.5 0.25 reference gpu && made 2 0.1 0.75 0.5 1 tpu && made 3 0.2 1.5 1.25 1 tpu
printf '{"step": 1, "other": 3}\n' >"$dir/logs/other.jsonl" && p import 1 "$dir/logs/other.jsonl" --target tpu
ok "four runs are there" $?

test "$(rows runs --column 'seed, last loss, min loss as best, step of min loss as at, =lr' --sort seed)" = \
	'1,0.5,0.25,2,0.1|2,0.75,0.5,2,0.1|3,1.5,1.25,2,0.2|,,,,|'
ok "columns of curves and of configurations" $?
test "$(rows runs --column seed --column 'loss @2' --column 'max loss @1 as first' --sort=-seed)" = \
	'3,1.25,2|2,0.5,2|1,0.25,2|,,|'
ok "at a step, and up to one; absent is last whichever way round" $?
test "$(rows runs 1 --column seed --sort 'target, -min loss')" = '3|2||'
ok "the runs of one attempt in an order" $?
test "$(rows runs --column seed --filter 'target = tpu and min loss < 1' --sort seed)" = '2|'
ok "a filter over two columns" $?
p runs --column seed --filter 'target = tpu and min loss < 1'
says "1 of 4 rows pass, 2 do not, of 1 it is not known" && says "not known, since they lack what is asked for: ps-"
ok "what it is not known of is counted apart and named" $?
test "$(rows runs --column 'seed, min loss as best' --filter 'best > 0.4 and =model = tiny and not (=lr = 0.2)')" = '2,0.5|'
ok "names of columns, keys and not" $?
p runs --column 'seed, los' --sort seed
says 'no run has a series "los"; nearest: loss, other'
ok "a name that no run has is told" $?
test "$(rows runs --column 'seed, kind, step, cost' --sort seed)" = \
	'1,unknown,,unknown|2,unknown,,unknown|3,unknown,,unknown|,unknown,,unknown|'
ok "what nobody knows of a run is unknown, a cost no 0" $?
p runs --column '=lrr'
says 'no run has a configured key "lrr"; nearest: lr, model'
ok "a key that no run has, too" $?
p runs --column 'loss, seed' --group target --sort seed
says 'gpu' && says '0.5, n 1' && says '1.125 (0.75 to 1.5), sd 0.53, n 2' && says '2 different'
ok "groups have mean, range, spread and n" $?
p runs --column loss --group target --json
says '"loss.mean":1.125,"loss.min":0.75,"loss.max":1.5,"loss.sd":0.5303300858899106' && says '"loss.n":2'
ok "as JSON each by itself" $?
p runs --column 'a b c'
test $? -eq 2 && says 'is no column: write [last|first|min|max|mean|count] SERIES'
ok "what is no column is refused with what there is" $?
p runs --filter 'loss <'
test $? -eq 2 && says 'filter: a value expected in "loss <"'
ok "so is half a filter" $?
p runs --filter "$(printf 'loss > 1 and %.0s' $(seq 60))loss <"
test $? -eq 2 && says 'filter: a value expected in "loss > 1'
ok "the reason stands before a long one" $?
p runs --column 'loss, loss'
test $? -eq 2 && says 'two columns are called "loss"'
ok "two columns of one name are told apart first" $?

# A second look reads no curves: what is said of them is kept.
test -d .git/portside/cache/summaries
ok "what was read is kept" $?
mkdir -p "$dir/config/portside" && printf '[ui]\n\trun-columns = "seed, max loss"\n' >"$dir/config/portside/config"
p runs --sort seed
says 'max loss'
ok "the user's own columns stand where none are named" $?

one=$(rows runs --column run --filter 'seed = 2' | tr -d '|') two=$(rows runs --column run --filter 'seed = 3' | tr -d '|')
p runs diff "$one" "$two"
says "configuration" && says "lr" && ! says "model" && says "equal keys not shown; --equal shows them"
ok "two runs beside each other, equal keys hidden" $?
test "$(rows runs diff "$one" "$two" | tr '|' '\n' | grep '^configuration' )" = 'configuration,lr,0.1,0.2,false'
ok "what differs, as it was written" $?
p runs diff "$one" "$two" --equal
says "model"
ok "with --equal all of it" $?
p run -- sh -c 'echo loss 1' && three=$(rows runs --column run --filter 'target = local' | tr -d '|')
p runs diff "$one" "$three"
says "environment" && says "not recorded" && says "(all)"
ok "what was not recorded of one is told as that" $?
place=$("$portside" --format csv events --kind run.prepared 2>/dev/null | sed -n '3p' | cut -d, -f1)
test "$(rows --at "$place" runs --column 'seed, min loss' --sort seed)" = '1,0.25|2,|'
ok "in the past, nothing of a run that had not ended" $?
p --read-only runs --column 'seed, min loss' --sort seed
says 0.25
ok "read-only looks too" $?

# 2^53 and the step behind it are one double.
printf '{"step": 9007199254740992, "far": 3}\n{"step": 9007199254740993, "far": 1}\n' >"$dir/logs/far.jsonl"
p import 1 "$dir/logs/far.jsonl" --target far &&
	test "$(rows runs --column 'step of min far, step of first far' --filter 'target = far')" = \
		'9007199254740993,9007199254740992|' &&
	p --json runs --column 'step of min far as at' --filter 'target = far' &&
	says '"at":9007199254740993' &&
	p runs --column 'step of min far' --filter 'target = far' && says 9007199254740993
ok "a step that no double holds is exact" $?

# A pattern makes other points of a log that was read before.
patterned() {
	printf '[migration]\n\tname = small\n[pattern "mine"]\n\tmatch = "^it=(?<step>\\\\d+) (?<name>quality)=\\\\d+ of (?<value>%s)"\n' "$1" >portside.conf
	script -qec "'$portside' config accept --reason test" /dev/null >"$dir/out" 2>&1 &&
		says "is in force"
}
printf 'it=1 quality=7 of 8\nit=2 quality=7 of 9\n' >"$dir/logs/own.log"
patterned '\\d+' && p import 1 "$dir/logs/own.log" --target own &&
	test "$(rows runs --column 'count quality, last quality' --filter 'target = own')" = '2,9|'
ok "a pattern's points are in the table" $?
patterned '8' && test "$(rows runs --column 'count quality, last quality' --filter 'target = own')" = '1,8|'
ok "and others once the pattern is another" $?
echo "1..$count"
exit $failed
