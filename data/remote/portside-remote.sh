# portside-remote.sh - the part of portside that works where a run goes.
#
# It is sent along with each call and never installed:
#
#	sh -s VERB FOLDER [WORDS] <portside-remote.sh
#
# FOLDER holds the directories of runs, one for each ID.  What a run is lies in its
# directory, so whoever asks may come and go:
#
#	cmd		the command, a POSIX sh script; put there before the start
#	env		assignments that are read before it; may be absent
#	work/		where it runs; may be absent
#	started/	made by the first start: nobody else starts it again
#	leader		"PID TICKS BOOT HOST" of the process that waits for the command
#	log		what it says; only ever appended to
#	rc		"STATUS" or "STATUS WHY", put in place by rename when all is over
#	cancel		who asked for the end, and why
#
# The files that tell the end are written at the start and only renamed later, so that a
# disk that fills up keeps them.
#
#	start FOLDER ID LIMIT_S GRACE_S		LIMIT_S 0: none
#	status FOLDER ID...
#	cancel FOLDER ID GRACE_S WHY
#	list DIR				the files below it
#	pull DIR MAX [OFFSET FILE]...		bytes of files, from an offset each
#
# Each answer is a line that begins with "@ps", so that whatever a login shell prints
# before it does no harm.  States: none, starting, running, exited STATUS,
# timeout STATUS, cancelled STATUS, orphan (the command runs, nobody waits for it), lost
# (nobody knows how it ended), elsewhere HOST (another machine started it: ask there).
#
# Needed: sh, setsid, /proc, and grep with -z; for list also find and stat.
set -u
# The run has its own of these, as the login has them.
run_umask=$(umask) run_locale=${LC_ALL+set}${LC_ALL-}
LC_ALL=C
export LC_ALL
umask 077

# What the waiting process needs too: it is handed on as text.
functions='
boot_id() { cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo none; }

# look PID: its session and when it started, as $session and $ticks; false for one that is
# dead, or a zombie.  The name in the second field may hold blanks and brackets, so what
# follows the last bracket counts.
look() {
	{ read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
	set -- ${line##*) }
	case $1 in Z|X) return 1 ;; esac
	session=$4
	shift 19
	ticks=$1
}

# members ID [LEADER TICKS]: processes of the run, as $pids: those that carry its mark, and
# the session of LEADER as long as that is the process which started at TICKS.
members() {
	pids=
	for path in $(grep -lszxF "PORTSIDE_RUN_ID=$1" /proc/[0-9]*/environ 2>/dev/null); do
		path=${path#/proc/}
		look "${path%/environ}" && pids="$pids ${path%/environ}"
	done
	[ -n "$2" ] && look "$2" && [ "$ticks" = "$3" ] || return 0
	for path in /proc/[0-9]*; do
		look "${path#/proc/}" && [ "$session" = "$2" ] && [ "${path#/proc/}" != "$2" ] || continue
		case " $pids " in *" ${path#/proc/} "*) ;; *) pids="$pids ${path#/proc/}" ;; esac
	done
}

# Whole seconds that no change of the clock moves, as $seconds.
uptime_now() {
	read -r seconds line </proc/uptime
	seconds=${seconds%.*}
}

# stop_members GRACE ID [LEADER TICKS]: TERM to all, KILL after GRACE seconds; $how is
# "term" or "kill", "stuck" for what outlives that.
stop_members() {
	how=term
	uptime_now
	until=$((seconds + $1))
	shift
	members "$@"
	[ -z "$pids" ] || kill -TERM $pids 2>/dev/null
	[ -z "$pids" ] || kill -CONT $pids 2>/dev/null
	while members "$@"; [ -n "$pids" ]; do
		uptime_now
		if [ "$seconds" -gt "$until" ]; then
			[ $how = term ] || { how=stuck; return; }
			kill -KILL $pids 2>/dev/null
			how=kill
			until=$((seconds + 5))
		fi
		sleep 0.1
	done
}
'
eval "$functions"

say() { printf '@ps %s\n' "$*"; }

# ---- one run -----------------------------------------------------------------

# read_leader: PID TICKS BOOT HOST of the directory that we are in; all empty without one.
read_leader() {
	leader='' leader_ticks='' leader_boot='' leader_host=''
	[ ! -s leader ] || read -r leader leader_ticks leader_boot leader_host <leader
}

leader_lives() {
	[ -n "$leader" ] && [ "$leader_boot" = "$(boot_id)" ] && look "$leader" &&
		[ "$ticks" = "$leader_ticks" ]
}

ended() {
	read -r status why <rc
	echo "${why:-exited} $status"
}

# state ID
state() {
	if [ -f rc ]; then
		ended
		return
	fi
	read_leader
	if [ -z "$leader" ]; then
		if [ -d started ]; then echo starting; else echo none; fi
	elif leader_lives; then
		echo running
	elif [ -f rc ]; then
		ended # between the first look and this one
	elif [ "$leader_host" != "$(uname -n)" ]; then
		echo "elsewhere $leader_host"
	else
		members "$1" '' ''
		if [ -n "$pids" ]; then echo orphan; else echo lost; fi
	fi
}

log_bytes() {
	if [ -f log ]; then wc -c <log | tr -d ' '; else echo 0; fi
}

# report ID: how it stands, with what outlived an end.
report() {
	now=$(state "$1")
	pids=
	case $now in exited* | timeout* | cancelled* | lost) members "$1" '' '' ;; esac
	left=0
	for pid in $pids; do left=$((left + 1)); done
	say "$1 $now size=$(log_bytes) left=$left"
}

# The process that waits for the command: ID LIMIT GRACE FUNCTIONS UMASK LOCALE
leader_script='
trap : TERM INT HUP # it outlives these, to write the end
line=$(cat /proc/$$/stat)
rest=${line##*) }
id=$1 limit=$2 grace=$3 functions=$4 mask=$5 locale=$6
set -- $rest
shift 19
started=$1
echo "$$ $started $(boot_id) $(uname -n)" >leader.next && mv leader.next leader || exit 1
PORTSIDE_RUN_ID=$id PORTSIDE_RUN_DIR=$PWD sh -c "
	umask $mask
	case \$1 in set*) LC_ALL=\${1#set} ;; *) unset LC_ALL ;; esac
	[ ! -f ./env ] || . ./env
	[ ! -d work ] || cd work
	exec sh \"\$PORTSIDE_RUN_DIR/cmd\"" portside "$locale" </dev/null >>log 2>&1 &
command=$!
if [ "$limit" -gt 0 ]; then
	setsid sh -c "$functions"'\''
		uptime_now
		until=$((seconds + $1))
		while uptime_now; left=$((until - seconds)); [ "$left" -gt 0 ]; do
			[ ! -f rc ] || exit 0
			[ "$left" -lt 2 ] || left=2
			sleep "$left"
		done
		[ ! -f rc ] || exit 0
		mv limit.next limit
		shift
		stop_members "$@"'\'' portside "$limit" "$grace" "$id" $$ "$started" &
fi
while :; do
	wait $command
	status=$?
	[ $status -gt 128 ] && look $command || break
done
why=
[ ! -f cancel ] || why=cancelled
[ ! -f limit ] || why=timeout
printf "%-31s\n" "$status $why" 1<>rc.next && mv rc.next rc
'

# reserve ID: what must not fail later.
reserve() {
	echo "$1" >id && printf '%-31s\n' '' >rc.next && printf '%-31s\n' '' >cancel.next &&
		: >limit.next && : >>log
} 2>/dev/null

start() {
	[ -f cmd ] || { say "$1 error nocmd"; return; }
	command -v setsid >/dev/null || { say "$1 error nosetsid"; return; }
	[ -r /proc/self/environ ] || { say "$1 error noproc"; return; }
	if ! mkdir started 2>/dev/null; then
		if [ -d started ]; then say "$1 already $(state "$1")"; else say "$1 error nospace"; fi
		return
	fi
	if ! reserve "$1"; then
		rm -f id rc.next cancel.next limit.next
		rmdir started # nothing runs: another start may try again
		say "$1 error nospace"
		return
	fi
	# A session of its own gets no hang-up, and no descriptor of ours holds the connection.
	setsid sh -c "$functions$leader_script" portside "$1" "$2" "$3" "$functions" \
		"$run_umask" "$run_locale" </dev/null >/dev/null 2>&1 &
	tries=0
	while [ ! -s leader ] && [ $tries -lt 20 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	if [ -s leader ]; then say "$1 started $(cat leader)"; else say "$1 started"; fi
}

cancel() {
	now=$(state "$1")
	read_leader
	leader_lives || leader='' leader_ticks=''
	case $now in
	running | orphan)
		printf '%-31s\n' "$3" 1<>cancel.next && mv cancel.next cancel
		;;
	exited* | timeout* | cancelled* | lost)
		members "$1" '' ''
		[ -n "$pids" ] || { say "$1 over $now"; return; }
		;;
	*)
		say "$1 over $now"
		return
		;;
	esac
	stop_members "$2" "$1" "$leader" "$leader_ticks"
	tries=0
	while leader_lives && [ $tries -lt 20 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	say "$1 stopped $how $(state "$1")"
}

# ---- files --------------------------------------------------------------------

# One line each: bytes, time of the last change, inode, name.  A name with a line feed
# would be two lines: it is left out.
list() {
	find . -maxdepth 8 -type f ! -name '*
*' -exec stat -c '@ps file %s %Y %i %n' {} + 2>/dev/null | head -n 20000
	say "listed"
}

# pull MAX [OFFSET FILE]...
pull() {
	max=$1
	shift
	while [ $# -ge 2 ]; do
		offset=$1 file=$2
		shift 2
		if [ ! -f "$file" ]; then
			say "missing $file"
			continue
		fi
		size=$(wc -c <"$file" | tr -d ' ')
		inode=$(stat -c %i "$file" 2>/dev/null || echo 0)
		length=$((size - offset))
		[ $length -ge 0 ] || length=0
		[ $length -le "$max" ] || length=$max
		say "chunk $offset $length $size $inode $file"
		[ $length -eq 0 ] || tail -c "+$((offset + 1))" "$file" | head -c $length
	done
	say "pulled"
}

# ---- the call -------------------------------------------------------------------

[ $# -ge 2 ] || { say "error usage"; exit 2; }
verb=$1 folder=$2
shift 2
if ! cd "$folder" 2>/dev/null; then
	case $verb in
	status) for id; do say "$id none size=0 left=0"; done ;;
	*) say "error nofolder" ;;
	esac
	exit 0
fi
case $verb in
start)
	if cd "$1" 2>/dev/null; then start "$1" "$2" "$3"; else say "$1 error nofolder"; fi
	;;
status)
	for id; do
		if (cd "$id") 2>/dev/null; then (cd "$id" && report "$id"); else say "$id none size=0 left=0"; fi
	done
	;;
cancel)
	if cd "$1" 2>/dev/null; then cancel "$1" "$2" "$3"; else say "$1 over none"; fi
	;;
list) list ;;
pull) pull "$@" ;;
*) say "error verb"; exit 2 ;;
esac
