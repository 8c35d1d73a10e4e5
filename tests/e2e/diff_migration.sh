#!/bin/sh
# Makes a migration of two attempts whose first one changes every kind of file,
# in the folder $1.  Dates and identities are fixed.
#
#	diff_migration.sh FOLDER
set -e
portside=${PORTSIDE:-portside}
PORTSIDE_CLOCK=2026-10-27T12:00:00Z GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
GIT_AUTHOR_DATE='1761500000 +0000' GIT_COMMITTER_DATE='1761500000 +0000'
GIT_AUTHOR_NAME=coder GIT_AUTHOR_EMAIL=coder@example.org
GIT_COMMITTER_NAME=coder GIT_COMMITTER_EMAIL=coder@example.org
export PORTSIDE_CLOCK GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_AUTHOR_DATE GIT_COMMITTER_DATE
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
unset CLAUDECODE
mkdir -p "$1"
cd "$1"
git init -q -b main .
hostile=$(printf 'na\033[31mme\nx.txt')

cat >train.py <<'PYTHON'
import torch
from apex import amp

def train(model, steps):
	for step in range(steps):
		loss = model(step).cuda()
		loss.backward()
		if step % 10 == 0:
			print("step", step, "loss", loss.item())
		torch.cuda.synchronize()
	return model
PYTHON
seq 1 60 >moved.txt
printf 'a\r\nb\r\nc\r\n' >crlf.txt
printf 'one\r\ntwo\r\n' >ends.txt
printf 'caf\351\n' >latin.txt
printf '\0\1\2' >data.bin
ln -s moved.txt link
printf '#!/bin/sh\necho\n' >run.sh
printf 'a  b\nc\n' >space.txt
printf 'x\ny' >tail.txt
echo bye >gone.txt
mkdir sub
git add -A .
git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub
git commit -q -m "Train on one GPU"
git tag original

sed -i 's/\.cuda()/.to(device)/; s/torch.cuda.synchronize()/xm.mark_step()/; s/"step", step/"at", step/' train.py
git mv moved.txt renamed.txt
sed -i 's/^30$/thirty/' renamed.txt
printf 'a\r\nB\r\nc\r\n' >crlf.txt
printf 'one\ntwo\n' >ends.txt
printf 'caf\351s\n' >latin.txt
printf '\0\1\3\4' >data.bin
ln -sf renamed.txt link
chmod +x run.sh
printf 'a b\nc\n' >space.txt
printf 'x\nz\n' >tail.txt
git rm -q gone.txt
head -c 3000000 /dev/zero | tr '\0' L >long.txt
printf 'evil \033[2J\033]52;c;aGk=\007 \342\200\256 text\n' >"$hostile"
# 100 MB of text that packs into a few kilobytes.
yes 'a line that says the same as all others' | head -c 104857600 >huge.txt
git add -A .
git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,sub
git commit -q -m "Change every kind of file

Attempt: 1
Expected-Level: L0"
sed -i 's/from apex import amp/import torch_xla/' train.py
git commit -q -m "Import the XLA package

Attempt: 2" train.py
"$portside" attempt refresh
"$portside" churn >/dev/null
