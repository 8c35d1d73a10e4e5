#!/bin/sh
# Measures what is promised to be fast; `make bench` runs it.
#
# One line a figure: what, ours, the peer's, ours divided by the peer's.  A peer
# is a program that people would use for the same; "no peer" and why where there is none.
# A "ceiling" is no peer: it is what the machine gives at best.  Nothing here fails because
# it is slow.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99
build=${top_builddir:-$PWD}
programs=$build/tests/bench
PORTSIDE=$build/portside
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOME=$work TERM=xterm-256color LC_ALL=C.UTF-8
export PORTSIDE GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM HOME TERM LC_ALL
unset CLAUDECODE
attempts=${BENCH_ATTEMPTS:-10000}
events=${BENCH_MILLION_POINTS:-10}
repository=$work/large

# How fast memory is copied, MB/s, once that was measured.
memory=0
against=peer

# figure WHAT OURS PEER UNIT [WHY]: PEER empty where there is none, and WHY tells the
# reason.  A rate is also told as a share of that of memory, so that machines can be compared.
figure() {
	awk -v what="$1" -v ours="$2" -v peer="$3" -v unit="$4" -v why="${5:-}" -v memory="$memory" -v against="$against" 'BEGIN {
		why = why == "" ? "" : ": " why
		share = unit == "MB/s" && memory > 0 ? sprintf("  memcpy %.3f", ours / memory) : ""
		if (peer + 0 > 0)
			printf "%-44s %10.4g %-10s %s %10.4g  ratio %.2f%s\n", what, ours, unit, against, peer, ours / peer, share
		else
			printf "%-44s %10.4g %-10s no %s%s%s\n", what, ours, unit, against, why, share
	}'
}

# ceiling WHAT OURS BEST UNIT: likewise, against what the machine gives at best.
ceiling() {
	against=ceiling
	figure "$@"
	against=peer
}

# seconds COMMAND...: how long it takes, its output thrown away.
seconds() {
	begin=$(date +%s%N)
	"$@" >/dev/null 2>&1
	end=$(date +%s%N)
	awk -v t="$((end - begin))" 'BEGIN { printf "%.4f", t / 1e9 }'
}

# rate FILE COMMAND...: MB of the file a second.
rate() {
	bytes=$(wc -c <"$1")
	shift
	awk -v bytes="$bytes" -v s="$(seconds "$@")" 'BEGIN { printf "%.1f", bytes / 1e6 / s }'
}

# median COMMAND...: of five times, in seconds.
median() {
	for _ in 1 2 3 4 5; do
		seconds "$@"
		echo
	done | sort -n | sed -n 3p
}

# first_screen -t TEXT... COMMAND...: median ms from exec until all TEXTs stand on
# the screen of 80x24.
first_screen() {
	"$programs/bench_first_screen" -n "${BENCH_TIMES:-11}" "$@" |
		grep -oE '[0-9]+(\.[0-9]+)?' | head -n 1
}

echo "# $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"

# ---- the first screen, churn ------------------------------------------------
took=$(seconds sh "$top/tests/bench/large_repository.sh" "$repository" "$attempts")
figure "repository of $attempts attempts, made and read" "$took" "" s
# Complete means the same for both: the first and the last row of the list that
# fit are there (11 of ours above the detail, 22 of tig's), and of ours the
# detail of the newest attempt and the footer too.
ours=
peer=
if [ -x "$programs/bench_first_screen" ]; then
	ours=$(cd "$repository" && first_screen -t " $((attempts - 10)) " -t " $attempts " \
		-t "Attempt $attempts: change" -t "Enter diff" "$PORTSIDE")
	! command -v tig >/dev/null ||
		peer=$(cd "$repository" && first_screen -t "Attempt $attempts: " -t "Attempt $((attempts - 21)): " tig)
fi
figure "first screen, $attempts attempts (tig)" "${ours:-0}" "${peer:-}" ms

# The same pairs for both: each commit against the one before it.  The screen
# above has filled the cache.  Where there are two processors ours asks two git
# processes at once; git's log is one.
rm -f "$repository/.git/portside/cache/churn"*
cold=$(seconds "$PORTSIDE" -C "$repository" churn --json --against previous)
again=$(median "$PORTSIDE" -C "$repository" churn --json --against previous)
peer=$(median git -C "$repository" log --numstat -M --format=%H original..main)
figure "churn of all attempts, cold (git log --numstat)" "$cold" "$peer" s
figure "churn of all attempts, again" "$again" "$peer" s

# ---- why a run failed: its log --------------------------------------------------
# Of ours the clock starts with the key of the view: the last line of the log, and the
# first error, which is in its middle, found and proposed.  less shows the last line; it
# looks for nothing.
if [ -x "$programs/bench_first_screen" ]; then
	PORTSIDE=$PORTSIDE sh "$top/tests/e2e/triage_migration.sh" "$work/triage" >"$work/triage.out" 2>&1
	log=$(grep -l gloo "$work"/triage/.git/portside/runs/*/log)
	cp "$log" "$work/short.log"
	head -c 500000000 /dev/zero | tr '\0' 'x' | fold -w 79 >"$work/healthy.log"
	cat "$work/healthy.log" "$work/short.log" "$work/healthy.log" >"$log"
	# The x do not end with a line of their own.
	printf '\nTraining completed\n' >>"$log"
	rm -f "$work/healthy.log"
	ours=$(cd "$work/triage" && first_screen -w "Clip the averaged" -k 6 -t "Training completed" \
		-t "n N finding" "$PORTSIDE")
	peer=$(first_screen -t "Training completed" less +G "$log")
	figure "view 6, 1 GB of log: its last screen (less +G)" "${ours:-0}" "${peer:-}" ms
	ours=$(cd "$work/triage" && BENCH_TIMES=3 first_screen -w "Clip the averaged" -k 6 \
		-t "proposed: C2" "$PORTSIDE")
	figure "view 6, 1 GB of log: the error in its middle is found" "${ours:-0}" "" ms
	rm -rf "$work/triage" "$work/short.log"
fi

# ---- curves -------------------------------------------------------------------
"$programs/bench_curve_read" "$events" >"$work/curves"
# No program that Debian packages reads .wandb files: readers of LevelDB's logs want
# another checksum and no header.  TensorBoard is no package either, and python3-protobuf
# has neither its messages nor the framing with its checksums.
# ours NAME: the best of its figures.
ours() {
	grep -E "^$1  " "$work/curves" | grep -oE '[0-9.]+ MB/s  \(wall' | sort -rn | head -n 1 | cut -d' ' -f1
}
# copied NAME: how fast the kernel alone gives the bytes of that file.
copied() {
	grep -E "^copy: $1  " "$work/curves" | grep -oE '[0-9.]+ MB/s' | sort -rn | head -n 1 | cut -d' ' -f1
}
# What bounds these is how fast memory is copied: each byte of the file is at least
# once, and each point twice.
memory=$(grep -oE 'copied with [0-9]+' "$work/curves" | cut -d' ' -f3)
figure "memory is copied (memcpy)" "$memory" "" MB/s
for name in tfevents "tfevents, two cores" wandb; do
	case $name in
	wandb) why="no package of Debian reads .wandb files" ;;
	*) why="TensorBoard is no package of Debian" ;;
	esac
	figure "read $name, $events M rows" "$(ours "$name")" "" MB/s "$why"
	ceiling "read $name, $events M rows (copied by the kernel)" "$(ours "$name")" \
		"$(copied "$name")" MB/s
done
# Two processors may be one core: what two readers that share nothing reach together is
# the most that two threads can.
ceiling "tfevents, two cores (two that share nothing)" \
	"$(ours "tfevents, two cores")" \
	"$(grep -oE 'share nothing +[0-9]+ MB' "$work/curves" | grep -oE '[0-9]+' | sort -rn | head -n 1)" MB/s
# Readers of text have a peer: Python, in which people read their logs in a notebook,
# on some of the same rows.
for row in "jsonl:json" "csv:csv" "trainer_state:state" "HF dict" generic words nanoGPT tqdm \
	"fairseq simple" torch_xla Megatron MaxText fairseq "MaxText absl" timm "short keys" Keras boosting \
	pattern; do
	name=${row%%:*}
	kind=${row#*:}
	peer=
	case $row in *:*) ;; *) name="stdout, $row" ;; esac
	"$programs/bench_curve_read" rows 100000 "$name" >"$work/rows"
	if command -v python3 >/dev/null; then
		peer=$(python3 "$top/tests/bench/bench_peers.py" "$kind" "$work/rows" 2>"$work/err")
		why=$(tail -n 1 "$work/err")
	else
		why="python3 is not here"
	fi
	figure "read $name, $events M rows (Python)" "$(ours "$name")" "$peer" MB/s "$why"
done
# Others that are packages: jq reads each object and gives one number, sqlite3 takes a
# table as text, grep finds the numbers and converts none, wc only looks for line ends.
"$programs/bench_curve_read" rows 300000 jsonl >"$work/rows"
! command -v jq >/dev/null ||
	figure "read jsonl (jq .loss)" "$(ours jsonl)" "$(rate "$work/rows" jq .loss "$work/rows")" MB/s
"$programs/bench_curve_read" rows 1000000 csv >"$work/rows"
! command -v sqlite3 >/dev/null ||
	figure "read csv (sqlite3 .import)" "$(ours csv)" \
		"$(rate "$work/rows" sqlite3 :memory: ".import --csv $work/rows t")" MB/s
"$programs/bench_curve_read" rows 1000000 "stdout, generic" >"$work/rows"
figure "read stdout, pattern (grep -o)" "$(ours "stdout, pattern")" \
	"$(rate "$work/rows" grep -oE 'step [0-9]+ loss: [-+.eE0-9]+' "$work/rows")" MB/s
figure "read stdout, generic (wc -l)" "$(ours "stdout, generic")" \
	"$(rate "$work/rows" wc -l "$work/rows")" MB/s
rm -f "$work/rows"
sed 's/^/# /' "$work/curves"
"$programs/bench_plot" | sed 's/^/# /'

# Two curves of so many points in a migration, opened without and with the cache of
# parsed columns.  No peer: TensorBoard keeps 1000 points of a curve and is no package
# of Debian, and no other viewer of these files is one.
pair=$work/pair
sh "$top/tests/bench/large_repository.sh" "$pair" 1 >/dev/null
for side in reference 1; do
	mkdir "$work/$side"
	"$programs/bench_curve_open" write "$work/$side/events.out.tfevents.1700000000.$side" "$events" "$side"
	(cd "$pair" && "$PORTSIDE" import "$side" "$work/$side") >"$work/import-$side"
	rm -r "${work:?}/$side"
done
reference=$(grep -oE 'run ps-[a-z0-9]+' "$work/import-reference" | cut -d' ' -f2)
attempt=$(grep -oE 'run ps-[a-z0-9]+' "$work/import-1" | cut -d' ' -f2)
# open_pair: the figures, of "first chart A ms, compared B ms, C bytes/point, ...".
open_pair() {
	"$programs/bench_curve_open" open "$pair" "$attempt" "$reference" train/loss
}
for _ in 1 2 3; do
	rm -rf "$pair/.git/portside/cache/series"
	open_pair >>"$work/cold"
	open_pair >>"$work/warm"
done
# least FIELD FILE: the least of a field.
least() {
	cut -d' ' -f"$1" "$2" | sort -n | head -n 1
}
why="no viewer of such files is a package of Debian"
figure "pair of $events M points, first chart" "$(least 3 "$work/cold")" "" "ms (cpu)" "$why"
figure "the same with the cache" "$(least 3 "$work/warm")" "" "ms (cpu)" "$why"
figure "memory of the pair, drawn" "$(least 8 "$work/cold")" "" bytes/pt "$why"
sed 's/^/# /' "$work/cold" "$work/warm"

# ---- the probe in a training program --------------------------------------------
for python in python3 /usr/bin/python3; do
	if "$python" -c 'import torch' 2>/dev/null; then
		added=$(env -u PYTHONPATH "$python" -B "$top/tests/bench/bench_probe.py" "$top/data/probe")
		figure "the probe, share of a step of 50 ms" "$(echo "$added" | sed 's/.*, \([0-9.]*\) % of.*/\1/')" "" "%"
		echo "# $added"
		break
	fi
done

# ---- tensors ---------------------------------------------------------------------
# Both sides together, which the system holds in memory already; wanted: 0.60.
"$programs/bench_tensors" "$work" "${BENCH_TENSOR_MIB:-256}" | while read -r type ours two peer; do
	figure "tensors of $type compared (memcpy)" "$ours" "$peer" MB/s
	figure "tensors of $type compared, two cores" "$two" "$peer" MB/s
done
# A pair of files of 4 GiB each, without room on the disk: the most memory at once.
if command -v python3 >/dev/null && [ -x /usr/bin/time ]; then
	for side in reference attempt; do
		python3 - "$work/$side.safetensors" <<-'EOF'
			import struct, sys
			size = 4 << 30
			text = b'{"w":{"dtype":"BF16","shape":[%d],"data_offsets":[0,%d]}}' % (size // 2, size)
			with open(sys.argv[1], "wb") as f:
			    f.write(struct.pack("<Q", len(text)) + text)
			    f.truncate(8 + len(text) + size)
		EOF
	done
	/usr/bin/time -f %M -o "$work/most" "$PORTSIDE" tensors "$work/reference.safetensors" "$work/attempt.safetensors" >/dev/null
	figure "memory of a pair of 2 x 4 GiB" "$(tail -n 1 "$work/most")" "" KB
	rm -f "$work/reference.safetensors" "$work/attempt.safetensors"
fi

# ---- signatures in a log ---------------------------------------------------------
# ripgrep gets those of the patterns that its default engine takes, bytes in place of
# Unicode as ours, and room for its automaton, without which it takes minutes.  Both
# figures are of processor time, since ours cannot use a second core.
if command -v rg >/dev/null; then
	"$programs/bench_log_scan" patterns | while IFS= read -r pattern; do
		rg -q --no-unicode -e "$pattern" /dev/null 2>/dev/null
		[ $? -gt 1 ] || printf '%s\n' "$pattern"
	done >"$work/patterns"
fi
# ripgrep_rate FILE: MB of it a second, the best of three; nothing where there is no rg.
ripgrep_rate() {
	command -v rg >/dev/null || return 0
	for _ in 1 2 3; do
		(rg -c -j1 -a --no-unicode --dfa-size-limit 1G -f "$work/patterns" "$1" >"$work/rg" 2>&1
		times) | awk -v bytes="$(wc -c <"$1")" 'NR == 2 {
			split($1, t, /[ms]/); split($2, y, /[ms]/)
			s = t[1] * 60 + t[2] + y[1] * 60 + y[2]
			if (s > 0) printf "%.1f\n", bytes / 1e6 / s }'
	done | sort -rn | head -n 1
}
scanned=$work/scanned.log
for row in "training:signatures in a log of training" "resident:the same, resident memory on every line" \
	"same:the same, one warning on every line" "hits:the same, another hit on every line"; do
	"$programs/bench_log_scan" write "${row%%:*}" "$scanned" "${BENCH_LOG_MB:-200}"
	figure "${row#*:} (ripgrep)" "$("$programs/bench_log_scan" scan "$scanned")" \
		"$(ripgrep_rate "$scanned")" MB/s
done
figure "largest memory for 4 GB of log" "$("$programs/bench_log_scan" memory)" "" MB
rm -f "$scanned"

# ---- logs, the event log, idle --------------------------------------------------
"$programs/bench_log" sparse
"$programs/bench_log" follow
"$programs/bench_log" append
"$programs/bench_log" kill

if command -v script >/dev/null && command -v pgrep >/dev/null; then
	# A migration that is new to the screen is counted first, each attempt
	# against the original too: of this size that takes seconds, not minutes.
	idle=$work/idle
	sh "$top/tests/bench/large_repository.sh" "$idle" 300 >/dev/null
	sleep 28 | (cd "$idle" && exec script -qec "exec $PORTSIDE" /dev/null) >"$work/screen" 2>&1 &
	sleep 20
	for pid in $(pgrep -x portside); do
		[ "$(readlink "/proc/$pid/exe")" = "$PORTSIDE" ] && [ "$(readlink "/proc/$pid/cwd")" = "$idle" ] &&
			"$programs/bench_log" idle "$pid" 5
	done
	wait
fi
