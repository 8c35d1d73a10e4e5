#!/bin/bash
# Starting: init proposes from what is there and says where, a plain repository
# works without any configuration, doctor works where nothing else does, and a
# damaged, newer or foreign log gets a clear sentence.
# shellcheck disable=SC2016,SC1003 # words of a README are what they are
set -u
portside=$(cd "${top_builddir:-.}" && pwd)/portside
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work/home XDG_CONFIG_HOME=$work/home
mkdir "$work/home"
count=0
failed=0
out=$work/out

ok() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' "$out" | head -30
		echo "not ok $count - $2"
		failed=1
	fi
}

commit() {
	git -C "$1" add -A
	git -C "$1" -c user.name=ana -c user.email=ana@example.org commit -q --allow-empty -m "$2"
}

# ---- an empty repository -------------------------------------------------------

git init -q -b main "$work/empty"
"$portside" -C "$work/empty" init >"$out" 2>&1 && grep -q "There is no commit yet" "$out"
ok $? "init proposes in a repository without a commit"
"$portside" -C "$work/empty" attempt list >"$out" 2>&1
ok $? "and every command works there"

# ---- plain git, nothing configured ----------------------------------------------

plain=$work/plain
git init -q -b main "$plain"
echo 1 >"$plain/train.py" && commit "$plain" original && git -C "$plain" tag original
"$portside" -C "$plain" attempt list >"$out" 2>&1 && grep -q "no tag, trailer or branch marks one" "$out"
ok $? "what marks an attempt is said where none is"
echo 2 >"$plain/train.py" && commit "$plain" "Use XLA" && git -C "$plain" tag attempt/1
"$portside" -C "$plain" attempt list >"$out" 2>&1 && grep -q "1f +1-1 .* Use XLA$" "$out"
ok $? "a tag is an attempt, with nothing configured"
echo 3 >"$plain/train.py" && commit "$plain" "Attempt: 2" && git -C "$plain" branch attempt-2
"$portside" -C "$plain" status >"$out" 2>&1 && grep -q "attempts  2:" "$out"
ok $? "and the next one is there without being asked for"
git -C "$plain" tag attempt/3 HEAD
PORTSIDE_AGENT=robot "$portside" -C "$plain" --read-only attempt list >"$out" 2>&1 && grep -q "^2 " "$out" && ! grep -q "^3 " "$out"
ok $? "reading only takes nothing in"

# What cannot be read is said, and what is on record is shown all the same.
# libgit2 1.5 keeps the match data of a pattern there, which LeakSanitizer tells.
refused() { # SENTENCE
	ASAN_OPTIONS=detect_leaks=0 "$portside" -C "$plain" attempt list >"$out" 2>&1 && grep -q "the repository was not looked at: .*$1" "$out" && grep -q "Use XLA$" "$out"
	ok $? "not read, and said: $1"
}
mv "$plain/.git/HEAD" "$work/HEAD" && echo garbage >"$plain/.git/HEAD"
refused "git symbolic-ref HEAD refs/heads/main"
mv "$work/HEAD" "$plain/.git/HEAD"
git -C "$plain" config core.repositoryformatversion 1
for extension in "refstorage reftable git.refs.migrate" "objectformat sha256 git.fast-export" "frobnicate yes extension.that.portside.does.not.know"; do
	read -r name value sentence <<<"$extension"
	git config -f "$plain/.git/config" "extensions.$name" "$value"
	refused "$sentence"
	git config -f "$plain/.git/config" --unset "extensions.$name"
done
git config -f "$plain/.git/config" core.repositoryformatversion 0

# ---- what a README says ---------------------------------------------------------

readme=$work/readme
git init -q -b main "$readme"
cat >"$readme/train.py" <<'EOT'
from transformers import HfArgumentParser, Trainer, TrainingArguments
if __name__ == "__main__":
    parser = HfArgumentParser(TrainingArguments)
    Trainer(model.cuda()).train()
EOT
# proposes LINE...: the README has these lines; the proposal is in $out.
proposes() {
	printf '%s\n' "# MRPC" "$@" >"$readme/README.md"
	"$portside" -C "$readme" init >"$out" 2>&1
}
proposes '```' '$ python train.py --output_dir out \' '    --lr=2e-5 --max_steps 1000 --seed=42  # an hour' '```' &&
	grep -qF 'command = "python3 train.py --output_dir out --lr=2e-5 --max_steps 50 --seed=$PORTSIDE_SEED"' "$out"
ok $? "the smoke run has the README's arguments, with its own steps and seed"
grep -qF 'command = "python3 train.py --output_dir out --lr=2e-5 --max_steps 1000 --seed=$PORTSIDE_SEED"' "$out" &&
	grep -q "steps = 1000" "$out" && grep -q "those of README.md:3" "$out"
ok $? "the full run has its steps"
grep -q "1 CUDA construct in 1 file, the first at train.py:4" "$out"
ok $? "CUDA in the code is a challenge"
grep -q '^; \[rule "R4"\]' "$out"
ok $? "the rule that waits for a goal is there to be filled in"
for line in 'python train.py --x $(touch here)' 'python train.py; rm -rf /' 'python train.py --x "a b"' 'python train.py | tee log' \
	'python train.py --x `id`' 'python trainer.py --x 1' 'python train.py --x %s\n && id'; do
	proposes "$line"
	grep -q 'command = "python3 train.py --max_steps 50 --seed $PORTSIDE_SEED"' "$out"
	status=$?
	[ $status -eq 0 ] || break
done
ok "$status" "a line that a shell would take apart is not taken over"

# The text for an agent: what it has to reach, where, with what, in plain words.
"$portside" -C "$readme" brief >"$out" 2>&1 && grep -q "none is set: ask what has to be reached" "$out" && grep -q "L3@TARGET" "$out" && grep -q "config accept first" "$out"
ok $? "brief says what is missing"
printf '[migration]\n\tname = x\n\tintended = four\n[goal "f1"]\n\tseries = "f1\033]0;x\007"\n\tmargin = 0.5\n[target "four"]\n\tkind = tpu\n\tchips = 4\n[run "smoke"]\n\tcommand = "python3 train.py"\n' \
	>"$readme/portside.conf"
printf '[user]\n\tname = ana\n' >"$work/home/portside.user"
PORTSIDE_CONFIG=$work/home/portside.user script -qec "'$portside' -C '$readme' config accept" /dev/null </dev/null >"$out" 2>&1
"$portside" -C "$readme" brief >"$out" 2>&1
grep -q "Claimed-Level: L3 @four" "$out" && grep -q "smoke  *python3 train.py$" "$out" && grep -q "accepted distance 0.5$" "$out" &&
	! grep -q "$(printf '\033')" "$out"
ok $? "and what is in force, no control sequence with it"

# ---- a project ------------------------------------------------------------------

repo=$work/project
git init -q -b main "$repo"
mkdir "$repo/data" "$repo/out"
cat >"$repo/train.py" <<'EOT'
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--max_steps", type=int)
parser.add_argument('--seed', type=int)
if __name__ == "__main__":
    loss.backward()
    print("Training completed")
EOT
printf '# Quick "sort"; of # texts\n\ntorchrun --nproc 8 train.py\n' >"$repo/README.md"
printf 'torch==2.1\nbitsandbytes\n' >"$repo/requirements.txt"
printf '{"log_history": [{"step": 10, "eval_f1": 0.71, "loss": 2.0}, {"step": 20, "eval_f1": 0.75, "loss": 1.0}]}\n' \
	>"$repo/out/trainer_state.json"
printf '#!/bin/sh\n#SBATCH --partition=long;rm\n' >"$repo/job.sh"
echo "data/" >"$repo/.gitignore"
commit "$repo" original
git -C "$repo" tag original

"$portside" -C "$repo" init >"$work/proposal" 2>"$out"
ok $? "init proposes"

says() {
	cp "$work/proposal" "$out"
	grep -qF -- "$1" "$work/proposal"
	ok $? "it says: $1"
}
says 'original = original'
says 'series = eval_f1'
says 'scale = 100'
# shellcheck disable=SC2016
says 'command = "python3 train.py --max_steps 50 --seed $PORTSIDE_SEED"'
says '--max_steps is an argument (train.py:3)'
says 'done = Training completed'
says 'link = data'
says 'requirements.txt names bitsandbytes'
says 'job.sh:2 submits to Slurm; what ran there comes in with portside import.'
says 'README.md starts it with: torchrun --nproc 8 train.py'

[ ! -e "$repo/portside.conf" ]
ok $? "nothing was written"
"$portside" -C "$repo" init --write >"$out" 2>&1 && cmp "$repo/portside.conf" "$work/proposal" >>"$out"
ok $? "init --write writes the proposal"
"$portside" -C "$repo" init --write >"$out" 2>&1
[ $? -eq 3 ] && grep -q "never overwritten" "$out"
ok $? "and never twice"
"$portside" -C "$repo" events --kind migration.created --format csv 2>&1 | tee "$out" | grep -q migration.created
ok $? "the migration has begun"
"$portside" -C "$repo" config >"$out" 2>&1
grep -q "not accepted" "$out" && ! grep -q "invalid" "$out"
ok $? "the proposal is a valid file that nobody has accepted"
script -qec "$portside -C $repo config accept" /dev/null >"$out" 2>&1 </dev/null && "$portside" -C "$repo" config >>"$out" 2>&1
ok $? "a person accepts it as it is"
"$portside" -C "$repo" run reference >"$out" 2>&1
[ $? -eq 2 ] && grep -q "there are: gpu, tpu" "$out"
ok $? "a run without a target names those that there are"

# ---- doctor and damaged logs -----------------------------------------------------

"$portside" -C /tmp doctor --all >"$out" 2>&1
grep -q "libgit2" "$out" && grep -q "not inside a git repository" "$out"
ok $? "doctor works outside of a repository"

printf '[ui]\n\tcolour = never\n' >"$work/config"
PORTSIDE_CONFIG=$work/config "$portside" -C "$repo" doctor >"$out" 2>&1
[ $? -eq 1 ] && grep -q "ui.colour is no key" "$out"
ok $? "doctor finds a mistake in the user's configuration"

printf '[ui]\n\tascii = yes\n' >"$work/config"
PORTSIDE_CONFIG=$work/config "$portside" -C "$repo" show attempts >"$out" 2>&1 && ! LC_ALL=C grep -q '[^ -~]' "$out"
ok $? "the user's configuration chooses ASCII"

log=$repo/.git/portside/log.db
"$portside" -C "$repo" recover >"$out" 2>&1
[ $? -eq 3 ] && grep -q "nothing to recover" "$out" && [ -z "$(find "$repo/.git/portside" -name 'log.db.damaged*')" ]
ok $? "recover leaves a whole log alone"

dd if=/dev/urandom of="$log" bs=1 seek=30 count=4000 conv=notrunc 2>/dev/null
"$portside" -C "$repo" events >"$out" 2>&1
[ $? -eq 3 ] && grep -q "portside -C .* recover" "$out"
ok $? "a damaged log is refused with the command that helps"
"$portside" -C "$repo" doctor >"$out" 2>&1
[ $? -eq 1 ] && grep -q "BROKEN" "$out"
ok $? "doctor says so too"
CLAUDECODE=1 "$portside" -C "$repo" recover >"$out" 2>&1
[ $? -eq 3 ] && grep -q "for a person" "$out"
ok $? "an agent does not set a log aside"
"$portside" -C "$repo" recover >"$out" 2>&1
status=$?
[ $status -le 1 ] && ls "$repo"/.git/portside/log.db.damaged-* >>"$out"
ok $? "recover sets it aside and keeps what verifies"
"$portside" -C "$repo" events >"$out" 2>&1 && "$portside" -C "$repo" verify >>"$out" 2>&1
ok $? "and the migration goes on"

python3 - "$log" <<'EOT' 2>/dev/null || true
import sqlite3, sys
d = sqlite3.connect(sys.argv[1])
d.execute("PRAGMA user_version = 999")
d.commit()
EOT
"$portside" -C "$repo" events >"$out" 2>&1
[ $? -eq 3 ] && grep -q "newer portside" "$out"
ok $? "a newer log is refused with a clear sentence"

echo "1..$count"
exit $failed
