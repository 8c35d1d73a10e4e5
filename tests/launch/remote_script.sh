#!/bin/bash
# data/remote/portside-remote.sh under each shell that is here.  Prints TAP.
top=$(cd "${srcdir:-.}" && pwd)
script=$top/data/remote/portside-remote.sh
command -v setsid >/dev/null || { echo "1..0 # SKIP there is no setsid"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'test ! -d "$dir/full" || umount "$dir/full" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
unset PORTSIDE_RUN_ID PORTSIDE_RUN_DIR
number=0
failed=0

ok() {
	local rc=$?

	number=$((number + 1))
	if test $rc = 0; then
		echo "ok $number - $shell: $1"
		return
	fi
	failed=1
	echo "not ok $number - $shell: $1"
	sed 's/^/# /' "$dir/said" 2>/dev/null
}

skip() {
	number=$((number + 1))
	echo "ok $number - $shell: $1 # SKIP $2"
}

# r VERB WORDS: the script in the folder of runs, its answer kept
r() {
	local verb=$1

	shift
	$shell -s "$verb" "$runs" "$@" <"$script" >"$dir/said" 2>&1
}

# is TEXT: that is all it said
is() { test "$(cat "$dir/said")" = "$1"; }
says() { grep -qE -- "$1" "$dir/said"; }

# run ID COMMAND [LIMIT [GRACE]]: puts it there and starts it
run() {
	mkdir -p "$runs/$1"
	printf '%s\n' "$2" >"$runs/$1/cmd"
	r start "$1" "${3:-0}" "${4:-2}"
}

# until_status ID PATTERN
until_status() {
	for _ in $(seq 600); do
		r status "$1"
		! says "^@ps $1 $2" || return 0
		sleep 0.05
	done
	return 1
}

# until COMMAND...: at most half a minute
until_true() {
	for _ in $(seq 600); do
		! "$@" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}

# shellcheck disable=SC2317 # by until_true
no_process() { test -z "$(pgrep -f "$1")"; }

check_ends() {
	local code

	for code in 0 1 126 127 137 255; do
		run "exit-$code" "echo out; echo err >&2; exit $code" && says "^@ps exit-$code started [0-9]+ [0-9]+ [-0-9a-f]+ " &&
			until_status "exit-$code" "exited $code size=8 left=0\$"
		ok "exit status $code is kept"
	done
	run segv 'kill -SEGV $$' && until_status segv 'exited 139 size='
	ok "death by a signal is kept"
	run nocommand '/nowhere/program' && until_status nocommand 'exited 127 size='
	ok "a program that is not there is the command's own end"
}

check_one_start() {
	local i

	r status never
	is "@ps never none size=0 left=0"
	ok "what was never put there is none"
	r start never 0 2
	is "@ps never error nofolder"
	ok "nor is it started"
	mkdir "$runs/empty"
	r start empty 0 2
	is "@ps empty error nocmd"
	ok "a directory without a command is an error"
	run twice "echo once; exec sleep 1000"
	r start twice 0 2
	is "@ps twice already running"
	ok "a second start is told that it runs"
	r cancel twice 1 user
	r start twice 0 2
	says "^@ps twice already cancelled 143\$" && test "$(cat "$runs/twice/log")" = once
	ok "and that it ran, when it did"
	mkdir "$runs/many"
	echo 'echo one; sleep 0.2' >"$runs/many/cmd"
	for i in 1 2 3 4 5 6; do
		$shell -s start "$runs" many 0 2 <"$script" >"$dir/many.$i" &
	done
	wait
	until_status many 'exited 0 size=4 left=0$' && test "$(cat "$dir"/many.? | grep -c ' started ')" = 1 &&
		test "$(cat "$dir"/many.? | grep -c ' already ')" = 5
	ok "of six starts at once one starts"
}

check_environment() {
	printf "A='x  y'\\\\''\$HOME*'\nexport A\n" >"$dir/env"
	mkdir -p "$runs/env/work"
	cp "$dir/env" "$runs/env/env"
	(
		umask 027
		export LC_ALL=C.UTF-8
		# shellcheck disable=SC2016 # for the other shell
		run env 'printf "%s|" "$A" "$LC_ALL" "$(umask)" "$PORTSIDE_RUN_ID" "$(basename "$PWD")" "$(env | grep -c "^functions=")"'
	)
	until_status env 'exited 0'
	test "$(cat "$runs/env/log")" = "x  y'\$HOME*|C.UTF-8|0027|env|work|0|"
	ok "the command has its own environment, locale and mask, below work/"
	(
		unset LC_ALL
		# shellcheck disable=SC2016 # for the other shell
		run locale 'echo "${LC_ALL-unset}"'
	)
	until_status locale 'exited 0' && test "$(cat "$runs/locale/log")" = unset
	ok "a locale that is not set stays so"
	test "$(stat -c %a "$runs/env/log")" = 600
	ok "what we write is nobody else's"
}

check_bytes() {
	local size

	head -c 300000 /dev/urandom >"$dir/random"
	run bytes "cat $dir/random"
	until_status bytes 'exited 0'
	: >"$dir/got"
	while size=$(stat -c %s "$dir/got") && test "$size" -lt 300000; do
		$shell -s pull "$runs/bytes" 70000 "$size" log <"$script" >"$dir/part" || break
		head -n 1 "$dir/part" >"$dir/said"
		grep -aqE "^@ps chunk $size (70000|20000) 300000 [0-9]+ log\$" "$dir/said" || break
		tail -c +$(($(stat -c %s "$dir/said") + 1)) "$dir/part" | head -c -11 >>"$dir/got"
	done
	cmp -s "$dir/random" "$dir/got"
	ok "a log of random bytes arrives as it is, piece by piece"
	printf 'short' >"$runs/bytes/a name; \$(x)"
	r pull bytes 1 9 log 2>/dev/null
	$shell -s pull "$runs/bytes" 100 99 "a name; \$(x)" 0 missing 1 "a name; \$(x)" <"$script" >"$dir/said"
	says '^@ps chunk 99 0 5 [0-9]+ a name; \$\(x\)$' && says '^@ps missing missing$' &&
		says '^hort@ps pulled$'
	ok "beyond the end is nothing; a file that is missing is said; names are data"
	printf 'x' >"$runs/bytes/two
lines"
	$shell -s list "$runs/bytes" <"$script" >"$dir/said"
	says '^@ps file 300000 [0-9]+ [0-9]+ \./log$' && says '^@ps file 5 [0-9]+ [0-9]+ \./a name; \$\(x\)$' &&
		says '^@ps listed$' && ! grep -q two "$dir/said"
	ok "files are listed with size, time and inode"
}

check_cancel() {
	run term "trap 'echo caught; exit 3' TERM; while :; do sleep 0.05; done"
	until_true test -d "$runs/term/started"
	r cancel term 20 user
	says '^@ps term stopped term cancelled (3|143)$' && grep -q '^143\|^3' "$runs/term/rc" &&
		grep -q '^user *$' "$runs/term/cancel"
	ok "a run that listens to TERM is cancelled"
	run deaf "trap '' TERM; echo \$\$ >$dir/deaf; while :; do sleep 1; done"
	until_true test -s "$dir/deaf"
	r cancel deaf 0 user
	is "@ps deaf stopped kill cancelled 137"
	ok "one that does not is killed after the grace"
	run stopped "kill -STOP \$\$; exit 5"
	until_status stopped 'running'
	r cancel stopped 20 user
	says '^@ps stopped stopped term cancelled'
	ok "one that is stopped is woken up for it"
	r cancel stopped 1 user
	says '^@ps stopped over cancelled'
	ok "what is over is not cancelled again"
	run daemon "setsid sh -c 'trap \"\" TERM; echo x >$dir/daemon; exec sleep 1000' & exit 0"
	until_true test -s "$dir/daemon"
	until_status daemon 'exited 0 size=0 left=1$'
	ok "a process that outlives the end is counted"
	r cancel daemon 0 user
	is "@ps daemon stopped kill exited 0"
	r status daemon
	is "@ps daemon exited 0 size=0 left=0"
	ok "and can be ended, and the end stays what it was"
}

check_limit() {
	run limit 'sleep 1000' 1 5
	until_status limit 'timeout 143 size=0 left=0$'
	ok "the limit ends the command and what it started"
	run deaf-limit "trap '' TERM; sleep 1000 & while :; do sleep 1; done" 1 0
	until_status deaf-limit 'timeout 137 size=[0-9]* left=0$'
	ok "also one that does not listen"
	run quick 'exit 4' 98765 5
	until_status quick 'exited 4'
	until_true no_process "portside 98765 5 quick"
	ok "an end before the limit leaves nobody waiting for it"
}

check_leader() {
	local leader ticks boot host

	run orphan "exec sleep 1000"
	until_true test -s "$runs/orphan/leader"
	read -r leader _ <"$runs/orphan/leader"
	kill -KILL "$leader"
	until_status orphan 'orphan size=0 left=0$'
	ok "a run whose waiting process was killed goes on as an orphan"
	r cancel orphan 1 user
	says '^@ps orphan stopped term lost$'
	ok "it can be cancelled, and how it ended is not known"
	run strange "exec sleep 1000"
	until_true test -s "$runs/strange/leader"
	read -r leader ticks boot host <"$runs/strange/leader"
	mkdir "$runs/stranger"
	cp "$runs/strange/cmd" "$runs/stranger"
	mkdir "$runs/stranger/started"
	echo "$leader $((ticks + 1)) $boot $host" >"$runs/stranger/leader"
	r status stranger
	is "@ps stranger lost size=0 left=0"
	ok "a pid that somebody else has now is not taken for it"
	echo "$leader $ticks 00000000-0000-0000-0000-000000000000 $host" >"$runs/stranger/leader"
	r cancel stranger 0 user
	is "@ps stranger over lost"
	ok "nor after a reboot, and nobody is signalled"
	echo "$leader $ticks $boot-x elsewhere.example" >"$runs/stranger/leader"
	r cancel stranger 0 user
	is "@ps stranger over elsewhere elsewhere.example"
	ok "a run of another machine is left to that machine"
	: >"$runs/stranger/leader"
	r status stranger
	is "@ps stranger starting size=0 left=0"
	ok "an empty record is a start that is not done"
	r status strange
	says '^@ps strange running'
	ok "the other run goes on all the while"
	r cancel strange 1 user
}

check_full_disk() {
	local rc

	mkdir -p "$dir/full"
	if ! mount -t tmpfs -o size=1m tmpfs "$dir/full" 2>/dev/null; then
		skip "a full disk keeps the end" "no disk can be mounted"
		skip "a start on a full disk can be repeated" "no disk can be mounted"
		return
	fi
	runs=$dir/full
	run fills "head -c 4000000 /dev/zero; exit 9"
	until_status fills 'exited 9'
	ok "a full disk keeps the end"
	mkdir -p "$runs/late" 2>/dev/null
	printf 'exit 3\n' >"$runs/late/cmd" 2>/dev/null
	rc=$(stat -c %s "$runs/late/cmd")
	if test "$rc" = 0; then
		truncate -s 1000000 "$runs/fills/log"
		printf 'exit 3\n' >"$runs/late/cmd"
		head -c 1000000 /dev/zero >"$runs/filler" 2>/dev/null
	fi
	r start late 0 1
	cp "$dir/said" "$dir/first"
	rm -f "$runs/filler"
	truncate -s 0 "$runs/fills/log"
	r start late 0 1
	grep -q '^@ps late error nospace$' "$dir/first" && until_status late 'exited 3'
	ok "a start on a full disk can be repeated"
	umount "$dir/full"
}

for shell in dash bash "busybox sh"; do
	command -v "${shell%% *}" >/dev/null || continue
	runs="$dir/runs of ${shell%% *}"
	mkdir "$runs"
	check_ends
	check_one_start
	check_environment
	check_bytes
	check_cancel
	check_limit
	check_leader
	check_full_disk
done
test $number -gt 0 || { echo "1..0 # SKIP neither dash nor bash is here"; exit 0; }
echo "1..$number"
exit $failed
