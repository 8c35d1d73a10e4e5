#!/bin/sh
# `scan` and the warning of `run`: versions, orders and constructs before a chip is paid for.
# Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
script -qec true /dev/null >/dev/null 2>&1 || { echo "1..0 # SKIP script is missing"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" LC_ALL=C.UTF-8 TZ=UTC
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=ana@x GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=ana@x
unset CLAUDECODE
mkdir "$dir/repo" && cd "$dir/repo" || exit 99
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

git init -q -b main .
printf 'torch\naccelerate==0.21.0\n' >requirements.txt
cat >train.py <<'END'
def main():
    optimizer = AdamW(model.parameters())
    model.to(device)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    clip_grad_norm_(model.parameters(), 1.0)
    xm.reduce_gradients(optimizer)
END
git add . && git commit -q -m first && git tag original
sed -i 's/0.21.0/0.33.0/' requirements.txt && git commit -q -a -m 'newer' && git tag attempt/2
git checkout -q original && echo '# port' >>train.py && git commit -q -a -m 'port' && git tag attempt/1 && git checkout -q main
cat >portside.conf <<'END'
[migration]
	name = small
	intended = v5e-4
[target "v5e-4"]
	kind = tpu
	chips = 4
[target "v5e-1"]
	kind = tpu
	chips = 1
[run "smoke"]
	command = "echo trained"
END
p attempt refresh && script -qec "'$portside' config accept" /dev/null >"$dir/out" 2>&1 </dev/null
ok "a migration with a pin" $?
p scan 1 && says 'V-01' && says 'requirements.txt' && says 'accelerate==0.21.0' && says '1 version is asked for that is known to be bad' &&
	says 'on target v5e-4' && says 'likely, not proven'
ok "a version that clips before the reduction is pointed at" $?
says 'O-01' && says 'O-02' && says 'a text proves nothing of what runs'
ok "so are two orders in the code, as places to look at" $?
p scan 1 --no-hints && ! says V-01 && ! says O-01
ok "neither is a construct of CUDA" $?
p scan 2 && ! says 'V-01' && says '0 versions are asked for'
ok "a newer version is not" $?
p run 1 --target v5e-4 --wait && says 'warning: requirements.txt:2: accelerate==0.21.0' && says trained &&
	test "$(grep -n 'warning' "$dir/out" | cut -d: -f1)" -lt "$(grep -n 'trained' "$dir/out" | cut -d: -f1)"
ok "a run is warned before it starts, and starts" $?
p run 1 --target v5e-1 --wait && ! says warning && says trained
ok "one chip reduces nothing" $?
p run 2 --target v5e-4 --wait && ! says warning && says trained
ok "nor is a newer version warned of" $?
p feasibility 1 --target v5e-4 --chip v5e --parameters 7000000000 --type bf16 --optimizer adamw
test $? -eq 0 && says '13.04 GiB' && says '16.00 GiB' && says 'how much comes on top only a run tells'
ok "what is within the chip is not said to fit" $?
p feasibility 1 --target v5e-4 --chip v5e --parameters 7000000000 --optimizer adamw
test $? -eq 1 && says 'it cannot' && says '26.08 GiB'
ok "what cannot fit is told, with the bound" $?
p feasibility 1 --target v5e-4 && says 'nobody says how many parameters there are' && says 'cannot be projected'
ok "what nobody knows reads so" $?
p feasibility 1 --target v5e-4 --chip v9
test $? -eq 3 && says 'no chip "v9"'
ok "an unknown chip is no chip" $?
echo "1..$count"
exit $failed
