#!/bin/sh
# Makes a migration in the folder $1 whose runs are shell loops: an original, one
# attempt, and a configuration that was accepted.  Runs wait while data/hold is
# there.  Dates and identities are fixed.
#
#	runs_migration.sh FOLDER [unaccepted]
set -e
portside=${PORTSIDE:-portside}
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_DATE='1761500000 +0000' GIT_COMMITTER_DATE='1761500000 +0000'
GIT_AUTHOR_NAME=coder GIT_AUTHOR_EMAIL=coder@example.org
GIT_COMMITTER_NAME=coder GIT_COMMITTER_EMAIL=coder@example.org
export GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_AUTHOR_DATE GIT_COMMITTER_DATE
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset CLAUDECODE PORTSIDE_ATTEMPT
mkdir -p "$1"
cd "$1"
git init -q -b main .
mkdir data
echo data >.gitignore
cat >train.sh <<'SHELL'
i=0
while test $i -lt $1; do
	i=$((i + 1))
	echo "step $i/$1 loss 0.5"
done
while test -e data/hold; do sleep 0.05; done
echo training completed
SHELL
git add .
git commit -q -m "Train on one GPU"
git tag original
echo '# for the other device' >>train.sh
git commit -q -a -m "Use the other device"
git tag attempt/1
cat >portside.conf <<'CONF'
[migration]
	name = small
	original = original
	intended = sim-tpu
	reference = sim-gpu
[target "sim-gpu"]
	kind = gpu
	launcher = local
	price = 0.8536 USD/hour
[target "sim-tpu"]
	kind = tpu
	chips = 4
	launcher = local
	price = 1.20 USD/chip-hour
[run "smoke"]
	command = "sh train.sh 5"
	steps = 5
	done = "training completed"
	limit = 15m
	link = data
[run "full"]
	command = "sh train.sh 50"
	steps = 50
	limit = 4h
	budget = 5.00 USD
	link = data
CONF
"$portside" attempt refresh
test "$2" = unaccepted || script -qec "'$portside' config accept" /dev/null </dev/null
