#!/bin/bash
# What the shells offer behind a command line: the program's answers, and the
# same through the script of each shell that is here.  Prints TAP.
# shellcheck disable=SC2016 # what is quoted is for other shells
set -u
portside=${top_builddir:-$(pwd)}/portside
case $portside in
/*) ;;
*) portside=$(pwd)/$portside ;;
esac
[ -x "$portside" ] || { echo "1..0 # SKIP portside is not built"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
unset CLAUDECODE PORTSIDE_AGENT CODEX_SANDBOX CURSOR_AGENT GEMINI_CLI OPENCODE AIDER_RUN
export HOME="$dir" XDG_CONFIG_HOME="$dir/config" XDG_STATE_HOME="$dir/state" XDG_DATA_HOME="$dir/data" LC_ALL=C.UTF-8
export GIT_AUTHOR_NAME=Ana GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=Ana GIT_COMMITTER_EMAIL=a@b.c
mkdir -p "$dir/bin" "$dir/repo"
ln -s "$portside" "$dir/bin/portside"
PATH=$dir/bin:$PATH
cd "$dir/repo" || exit 99
git init -q -b main . && echo 1 >train.py && git add . && git commit -q -m original && git tag original
for n in 1 2; do
	echo "$n" >>train.py && git commit -q -a -m 'Use: the XLA device; $(touch here)' && git tag "attempt/$n"
done
printf '{"step": 1, "loss": 0.5}\n' >loss.jsonl
{ portside attempt refresh && portside import 2 loss.jsonl --target v5e-4; } >"$dir/out" 2>&1 ||
	{ echo "Bail out! $(head -1 "$dir/out")"; exit 99; }
run=$(portside runs --format csv | grep -o 'ps-[a-z0-9]*' | head -1)

count=0
check() { # TEXT WANTED GOT
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
		return
	fi
	echo "not ok $count - $1"
	diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") | sed 's/^/# /'
}
skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2 is missing"
}

# The cases: each is a command line whose last word is unfinished, and the words
# that are offered behind it.
names=() lines=() wanted=()
add() { names+=("$1") lines+=("$2") wanted+=("$3"); }
add "commands" "portside att" "attempt"
add "second words" "portside attempt " "add list refresh"
add "attempts, the reference and a second word" "portside run " "1 2 reference show"
add "runs" "portside tail " "$run"
add "the beginning of a run" "portside run show ps-" "$run"
add "options" "portside run 2 --ki" "--kind"
add "words of an option" "portside run 2 --kind " "full smoke"
add "an option once" "portside churn --files --f" "--format"
add "general options with words" "portside --format m" "markdown"
add "nothing behind what is no command" "portside nonsense " ""
add "another directory" "portside -C $dir attempt l" "list"

answer() { portside complete -- "$@" 2>&1 | cut -f1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'; }
total=$((4 * ${#names[@]} + 9))
echo "1..$total"
for i in "${!names[@]}"; do
	read -ra words <<<"${lines[i]#portside }"
	case ${lines[i]} in *' ') words+=("") ;; esac
	check "the program: ${names[i]}" "${wanted[i]}" "$(answer "${words[@]}")"
done
check "the program: a value behind its name" "--kind=smoke" "$(answer run 2 --kind=s)"
check "the program: a value where bash splits" "smoke" "$(answer run 2 --kind = s)"
check "the program: files" "$(printf '\tfiles')" "$(portside complete -- import 2 '' 2>&1)"
check "the program: outside of a migration" "reference show" "$(cd / && answer run '')"
check "the program: a subject is help, and stays text" "$(printf '2\tUse: the XLA device; $(touch here)')" \
	"$(portside complete -- diff 2 2>&1)"

# ---- bash ------------------------------------------------------------------------
bash_offers() { # LINE
	bash --norc --noprofile -c '
		eval "$(portside completion bash)" || exit
		read -ra COMP_WORDS <<<"$1"
		case $1 in *" ") COMP_WORDS+=("") ;; esac
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_portside
		printf "%s\n" "${COMPREPLY[@]}"' bash "$1" 2>&1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'
}
for i in "${!names[@]}"; do
	check "bash: ${names[i]}" "${wanted[i]}" "$(bash_offers "${lines[i]}")"
done
check "bash: files" "loss.jsonl" "$(bash_offers 'portside import 2 lo')"

# ---- zsh -------------------------------------------------------------------------
# The function itself, with the two that hand on to the editor replaced.
zsh_offers() { # LINE
	zsh -f -c '
		compdef() { : }
		_describe() { print -rl -- ${${(P)${@[-1]}}%%:*} }
		_files() { print -r -- FILES }
		eval "$(portside completion zsh)" || exit
		words=(${(z)1}) && [[ $1 = *" " ]] && words+=("")
		CURRENT=${#words}
		_portside' zsh "$1" 2>&1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'
}
# A line that is typed, a tab, and what stands there then.
zsh_typed() { # LINE
	zsh -f -c '
		zmodload zsh/zpty || exit
		zpty -b shell "TERM=dumb zsh -f -i"
		zpty -w shell "PS1=; PROMPT_SP=; unsetopt prompt_cr prompt_sp zle_bracketed_paste 2>/dev/null; autoload -U compinit && compinit -u -D"
		zpty -w shell "eval \"\$(portside completion zsh)\"; bindkey \"^I\" complete-word; show() { print -r -- \"<\$BUFFER>\"; BUFFER=; zle accept-line; }; zle -N show; bindkey \"^X\" show; print rea\"\"dy"
		zpty -r -m shell line "*ready*" || exit
		zpty -n -w shell "$1"$'"'\\t\\x18'"'
		zpty -r -m shell line "*<*>*" && print -r -- ${${line##*<}%%>*}
		zpty -d shell' zsh "$1" 2>&1
}
if command -v zsh >/dev/null; then
	for i in "${!names[@]}"; do
		check "zsh: ${names[i]}" "${wanted[i]}" "$(zsh_offers "${lines[i]}")"
	done
	check "zsh: files" "FILES" "$(zsh_offers 'portside import 2 lo')"
	check "zsh: typed and completed" "portside tail $run " "$(zsh_typed 'portside tail ps-')"
else
	for name in "${names[@]}" files "typed and completed"; do
		skip "zsh: $name" zsh
	done
fi

# ---- fish ------------------------------------------------------------------------
fish_offers() { # LINE
	fish --no-config -c 'portside completion fish | source; complete -C $argv[1]' "$1" 2>&1 | cut -f1 | LC_ALL=C sort |
		tr '\n' ' ' | sed 's/ $//'
}
if command -v fish >/dev/null; then
	for i in "${!names[@]}"; do
		check "fish: ${names[i]}" "${wanted[i]}" "$(fish_offers "${lines[i]}")"
	done
	check "fish: files" "loss.jsonl" "$(fish_offers 'portside import 2 lo')"
else
	for name in "${names[@]}" files; do
		skip "fish: $name" fish
	done
fi
test "$count" -eq "$total" || echo "Bail out! $count of $total"
