#!/bin/sh
# Makes a small migration in the folder $1 (by default the current one): an
# original and five attempts with trailers, a configuration that nobody has
# accepted, and what the program found.  Dates and identities are fixed.
#
#	small_migration.sh [FOLDER [hostile]]
#
# With "hostile" the words of the last attempt try to take over the terminal.
set -e
folder=${1:-.}
portside=${PORTSIDE:-portside}
PORTSIDE_CLOCK=2026-10-27T12:00:00Z GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export PORTSIDE_CLOCK GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
unset CLAUDECODE
mkdir -p "$folder"
cd "$folder"
git init -q -b main .
number=0
time=1761500000
esc=$(printf '\033')

# commit SUBJECT TRAILERS FILE-TEXT
commit() {
	message=$(printf '%s\n\n%s' "$1" "$2")
	time=$((time + 3600))
	printf 'commit refs/heads/main\n'
	printf 'author coder <coder@example.org> %d +0000\n' "$time"
	printf 'committer coder <coder@example.org> %d +0000\n' "$time"
	printf 'data %d\n%s\n' "$(printf '%s' "$message" | wc -c)" "$message"
	printf 'M 100644 inline train.py\ndata %d\n%s\n\n' "$(printf '%s' "$3" | wc -c)" "$3"
}

attempt() {
	number=$((number + 1))
	commit "$1" "Attempt: $number
$2" "$3"
}

{
	commit "Train on one GPU" "" "device = 'cuda'
for step in range(100):
    loss = model(batch).cuda()"
	printf 'reset refs/tags/original\nfrom refs/heads/main\n\n'
	attempt "Move the model to the device" "Expected-Level: L0
Claimed-Level: none
Claimed-Cause: device" "device = 'xla'
for step in range(100):
    loss = model(batch).cuda()"
	attempt "Remove the remaining cuda calls" "Expected-Level: L0
Claimed-Level: L0 @v5e-1" "device = 'xla'
for step in range(100):
    loss = model(batch)"
	attempt "Mark the step" "Expected-Level: L3
Claimed-Level: L3 @v5e-1
Failure-Cause: C3
Failure-Silent: yes" "device = 'xla'
for step in range(100):
    loss = model(batch)
    xm.mark_step()"
	attempt "Train on all chips" "Expected-Level: L3
Claimed-Level: L3 @v5e-1
Claimed-Level: L3 @v5e-4" "device = 'xla'
for step in range(100):
    loss = model(batch)
    xm.optimizer_step(optimizer)"
	if test "$2" = hostile; then
		wide=$(printf '\344\270\255\346\226\207%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
		attempt "${esc}[2J${esc}]0;taken$(printf '\007') $(printf '\302\233')31m $(printf '\342\200\256')abc $wide $(head -c 10000 /dev/zero | tr '\0' x)end" \
			"Claimed-Level: L3 @v5e-4${esc}[31m
Claimed-Cause: ${esc}[H${esc}[J oom" "device = 'xla'"
	else
		attempt "Clip the averaged gradient" "Expected-Level: L3
Claimed-Level: L3 @v5e-4" "device = 'xla'
for step in range(100):
    loss = model(batch)
    clip(averaged)
    xm.optimizer_step(optimizer)"
	fi
	printf 'done\n'
} | git fast-import --quiet --done
git reset -q --hard main
cat >portside.conf <<'CONF'
[migration]
	name = small
	original = original
	intended = v5e-4
	reference = gpu-l4
[goal "accuracy"]
	form = threshold
	direction = higher
	unit = pp
	scale = 100
	series = eval_accuracy
	target = 89.0
	margin = 1.0
[target "gpu-l4"]
	kind = gpu
	launcher = local
	price = 0.8536 USD/hour
[target "v5e-4"]
	kind = tpu
	chips = 4
	launcher = local
	price = 1.20 USD/chip-hour
[run "smoke"]
	command = "true"
	steps = 1
[run "full"]
	command = "true"
CONF
"$portside" attempt refresh
"$portside" churn >/dev/null 2>&1 || true
