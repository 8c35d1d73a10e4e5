#!/bin/sh
# The demo's repository: constant object ids, trailers, and what it says and
# does not say in its blind form.
# shellcheck disable=SC2317 # functions are called through ok()
set -u
data=${srcdir:-.}/data
data=$(cd "$data" && pwd) || exit 99
# shellcheck source=tests/e2e/demo_story.sh
. "$data/../tests/e2e/demo_story.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
make_demo "$work/open" message
make_demo "$work/blind" message.blind
cd "$work/open" || exit 99

trailer() {
	git log --reverse --format="%(trailers:key=$1,valueonly,separator=%x2C)" original..tpu | tr '\n' ' '
}

# cuda_lines COMMIT: lines of the project, not of its library, that hold a
# construct of the GPU.
cuda_lines() {
	git grep -hP "$(cat <<-'PATTERNS' | paste -sd '|' -
		\.cuda\(
		map_location\s*=\s*['"]cuda
		torch\.cuda\.(?!is_available\b)\w+
		torch\.backends\.cudnn
		pin_memory\s*=\s*True
		CUDA_VISIBLE_DEVICES
		--gpu\b
	PATTERNS
	)" "$1" -- '*.py' ':!accel' | wc -l | tr -d ' '
}

each_cuda_lines() {
	for key in original attempt-1 attempt-2 attempt-3 attempt-4 attempt-5 \
		attempt-6 attempt-7 attempt-8; do
		cuda_lines "refs/story/$key"
	done | tr '\n' ' '
}

trees() {
	for ref in $(git for-each-ref --format='%(refname)' refs/story); do
		git -C "$1" rev-parse "$ref^{tree}"
	done
}

# shows KEY: the truth's lines are added by the commit, or stood before it.
shows() {
	file=$(get "$runs" "truth.$1.file")
	git config -f "$runs" --get-all "truth.$1.lines" | while IFS= read -r line; do
		git show "refs/story/attempt-$1:$file" | grep -qF -- "$line" || {
			echo "# attempt $1: $file does not hold: $line"
			exit 1
		}
	done
}

no_word() {
	! git -C "$work/blind" log --all --format=%B | grep -iE "$1" | sed 's/^/# /' | grep .
}

clean() {
	is "$(git status --porcelain)" ""
}

same_keys() {
	is "$(git for-each-ref --format='%(refname:lstrip=2)' refs/story | sort)" \
		"$(names "$story" commit folder | sort)"
}

ok "every commit of the story is there" same_keys
ok "git finds nothing wrong" git fsck --strict --no-progress
ok "the work tree is clean, on main" clean
ok "main has the configuration on the original" \
	is "$(git log --format=%an main | paste -sd, -)" "Ana Ferro,The textcls authors"
ok "the object id of main is a constant" \
	is "$(git rev-parse main)" 9c29662b8b08c1b9d683b909949b334b4de289d4
ok "the object id of tpu is a constant" \
	is "$(git rev-parse tpu)" 3c6158eeecbd961484c8ef852e33fd021a85d8cc
ok "the object id of the blind tpu is a constant" \
	is "$(git -C "$work/blind" rev-parse tpu)" fe4099faa7367d47acaf5565d496c141b1c924c8
ok "attempts are numbered 1 to 8" is "$(trailer Attempt)" "1 2 3 4 5 6 7 8 "
ok "each says what it expects" is "$(trailer Expected-Level)" "L0 L0 L0 L3 L3 L3 L3 L3 "
ok "each claims a level" is "$(trailer Claimed-Level)" \
	"none none L3 @sim-tpu-1 L0 @sim-tpu-1 L3 @sim-tpu-1 L3 @sim-tpu-1 L3 @sim-tpu-1,L3 @sim-tpu-4 L3 @sim-tpu-1,L3 @sim-tpu-4 "
ok "lines with GPU constructs become fewer" is "$(each_cuda_lines)" "13 7 5 0 0 0 0 0 0 "
ok "the last attempt changes one file by two lines" \
	is "$(git diff --numstat refs/story/attempt-7 refs/story/attempt-8)" "2	1	textcls/trainer.py"
for n in 1 2 3 4 5 6 7; do
	ok "attempt $n holds the lines that explain it" shows "$n"
done
ok "the blind form has the same code" is "$(trees "$work/blind")" "$(trees "$work/open")"
ok "the blind form has no label of a cause" no_word '^(Claimed-Cause|Failure-)'
ok "the blind form does not tell what a run showed" \
	no_word 'after the run|resource_exhausted|not compiled|lost|every new batch|live parameters|always the last|clip'
finish
