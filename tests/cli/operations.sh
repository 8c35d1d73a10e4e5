#!/bin/bash
# Every operation of the table: help that fits, a place in portside(1), valid
# typed JSON whatever it answers, the exit status that the manual promises, and
# completion that its shell can read.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99
portside=${top_builddir:-.}/portside
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset CLAUDECODE PORTSIDE_AGENT
export HOME=$work XDG_CONFIG_HOME=$work/config NO_COLOR=1
out=$work/out
count=0
failed=0

# report TEXT: $out holds what is wrong.
report() {
	count=$((count + 1))
	if [ -s "$out" ]; then
		sed 's/^/# /' "$out"
		echo "not ok $count - $1"
		failed=1
	else
		echo "ok $count - $1"
	fi
}

# at_least N: standard input, which a loop then reads; fewer lines than N are told to
# $out, since a loop over nothing finds nothing wrong.
at_least() {
	cat >"$work/lines"
	: >"$out"
	[ "$(wc -l <"$work/lines")" -ge "$1" ] || echo "there are only $(wc -l <"$work/lines") lines to look at" >"$out"
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2 is missing"
}

"$portside" --help >"$work/help" || exit 99
sed -n '/^commands:/,/^options/p' "$work/help" | sed -nE 's/^  ([a-z][a-z ]*[a-z])  +.*/\1/p' >"$work/names"

# ---- help ---------------------------------------------------------------------

wc -l <"$work/names" | awk '$1 < 25' >"$out"
report "the page of all commands lists them"

sed -nE 's/^  ([a-z][a-z ]*[a-z])  +(.*)/\2/p' "$work/help" | awk 'length > 60' >"$out"
report "each line of help has at most 60 columns"

: >"$out"
while read -r name; do
	# shellcheck disable=SC2086
	"$portside" $name --help >"$work/page" 2>&1 || echo "$name: status $?" >>"$out"
	grep -q "^usage: portside $name" "$work/page" || echo "$name: no usage line" >>"$out"
	head -1 "$work/page" | grep -q . || echo "$name: no sentence" >>"$out"
done <"$work/names"
report "each command has a page with its usage"

: >"$out"
while read -r name; do
	grep -qE "^\.It Cm (.* , )?$name( |\$)" "$top/man/portside.1" || echo "$name" >>"$out"
done <"$work/names"
report "portside(1) has an entry for each command"

sed -n '/^\.Sh COMMANDS/,/^\.Sh ARGUMENTS/p' "$top/man/portside.1" | grep -E '^\.It Cm ' | sed -E 's/^\.It Cm //; s/ (Oo|Op|Ar|Fl|--).*//; s/ , /\n/g' | at_least 25
while read -r name; do
	case $name in auto|always|never) continue ;; esac
	grep -qxF "$name" "$work/names" || echo "$name"
done <"$work/lines" >>"$out"
report "portside(1) has no command that is not there"

# ---- answers --------------------------------------------------------------------

mkdir "$work/repo"
git -C "$work/repo" init -q -b main
git -C "$work/repo" -c user.name=ana -c user.email=ana@example.org commit -q --allow-empty -m start

# json WORDS...: the status, and whether stdout is one document of ours.
json() {
	timeout 60 "$portside" -C "$work/repo" --json "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
	local status=$?
	case $status in 0|1|2|3) ;; *) echo "$*: status $status" ;; esac
	[ -s "$work/stdout" ] || { [ $status -eq 0 ] && echo "$*: no answer"; }
	[ ! -s "$work/stdout" ] || python3 - "$*" "$work/stdout" <<-'EOT'
	import json, sys
	name, path = sys.argv[1:]
	def refuse(word):
	    raise ValueError(word)
	for line in [open(path, encoding="utf-8").read()]:
	    try:
	        value = json.loads(line, parse_constant=refuse)
	    except ValueError as e:
	        print(f"{name}: no JSON: {e}")
	        continue
	    if not isinstance(value.get("schema"), int) or not isinstance(value.get("kind"), str):
	        print(f"{name}: no schema number or kind")
	    if value["kind"] == "error" and not value.get("message"):
	        print(f"{name}: an error without a sentence")
	EOT
}

# The arguments of all commands as they stand in portside(1).
# With GOLDEN_UPDATE=1 they are written there anew.
manual_arguments() {
	while read -r name; do
		# shellcheck disable=SC2086
		"$portside" $name --help | awk -v name="$name" '
			/^  [-a-z]/ {
				if (!n++)
					printf ".It Cm %s\n.Bl -tag -width \"--without-evidence\" -compact\n", name
				word = $1
				sub(/^  [^ ]+ */, "")
				gsub(/\\/, "\\e")
				printf(word ~ /^-/ ? ".It Fl %s\n%s\n" : ".It Ar %s\n%s\n", word ~ /^-/ ? substr(word, 2) : word, $0)
			}
			/^Needs a person/ { person = 1 }
			END { if (n) print ".El"; else if (person) printf ".It Cm %s\n", name
				if (person) print "Needs a person at a terminal." }'
	done <"$work/names"
}
manual=$top/man/portside.1
manual_arguments >"$work/arguments"
if [ "${GOLDEN_UPDATE:-}" = 1 ]; then
	{
		sed '/^\.\\" arguments: begin/q' "$manual"
		cat "$work/arguments"
		sed -n '/^\.\\" arguments: end/,$p' "$manual"
	} >"$work/manual" && cp "$work/manual" "$manual"
fi
sed -n '/^\.\\" arguments: begin/,/^\.\\" arguments: end/p' "$manual" | sed '1d;$d' | diff - "$work/arguments" >"$out"
report "portside(1) has each argument as --help tells it (GOLDEN_UPDATE=1 writes them)"

"$portside" --help | sed -n '/^options/,/^exit/p' | awk '/^  -/ { print $1 }' | at_least 8
while read -r option; do
	sed -n '/^The options are/,/^\.Sh COMMANDS/p' "$manual" | grep -q "^\.It Fl ${option#-}\( \|$\)" || echo "$option"
done <"$work/lines" >>"$out"
report "portside(1) has each general option"

"$portside" --help | sed -n 's/^exit status: //p' | tr ',' '\n' | awk '{ print $1 }' | at_least 4
while read -r status; do
	sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/p' "$manual" | grep -q "^\.It $status$" || echo "$status"
done <"$work/lines" >>"$out"
report "portside(1) has each exit status"

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$top"/man/*.[157] >"$out" 2>&1
	report "mandoc has nothing to say about the manual"
else
	skip "mandoc has nothing to say about the manual" mandoc
fi

# Keys of portside.conf, each in its section of portside.conf(5).
"$portside" config keys --format csv | tr -d '"[]' | awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1, $2 }' | at_least 40
while read -r section key; do
	awk -v section="[$section" '/^\.S[sh]/ { inside = index($0, section " ") || index($0, section "]") } inside' "$top/man/portside.conf.5" | grep -E "^\.It Cm (.* , )?$key( |\$)" >/dev/null ||
		echo "[$section] $key"
done <"$work/lines" >>"$out"
report "portside.conf(5) has each key in its section"

# What needs an argument to do something; the others are called bare.
words_of() {
	case $1 in
	"show") echo "attempts" ;;
	"completion") echo "bash" ;;
	"note") echo "hello" ;;
	"demo") echo "$work/repo" ;;	# not empty: refused
	"bundle") echo "$work/b.bundle" ;;
	"run") echo "reference" ;;
	"attempt add") echo "1 driver" ;;
	"label") echo "1 failure" ;;
	"claim"|"expect") echo "1 L0" ;;
	esac
}

if command -v python3 >/dev/null; then
	: >"$out"
	while read -r name; do
		[ "$name" = show ] && continue
		[ "$name" = completion ] && continue
		# shellcheck disable=SC2046,SC2086
		json $name $(words_of "$name") >>"$out"
	done <"$work/names"
	report "each command answers --json with one typed document"
else
	skip "each command answers --json with one typed document" python3
fi

status() {
	local want=$1
	shift
	"$portside" "$@" >/dev/null 2>&1 </dev/null
	local got=$?
	[ $got -eq "$want" ] || echo "$*: $got, not $want"
}
{
	status 0 -C "$work/repo" attempt list
	status 0 --version
	status 1 -C "$work/repo" config
	status 2 nonsense
	status 2 -C "$work/repo" note
	status 2 -C "$work/repo" attempt list --nonsense
	status 2 --width x runs
	status 3 -C /nonexistent runs
	status 3 -C "$work" events
	status 3 -C "$work/repo" --read-only note hello
	status 3 -C "$work/repo" decide accept --subject migration --reason x
} >"$out"
report "exit statuses are those of the manual"

# ---- completion -------------------------------------------------------------------

for shell in bash zsh fish; do
	"$portside" completion $shell >"$work/completion" || exit 99
	if ! command -v $shell >/dev/null; then
		skip "the completion for $shell can be read" $shell
		continue
	fi
	$shell -n "$work/completion" >"$out" 2>&1
	report "the completion for $shell can be read"
done

echo "1..$count"
exit $failed
