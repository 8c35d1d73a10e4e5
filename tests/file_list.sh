#!/bin/sh
# Prints the list of source files that ARCHITECTURE.md carries, from the first
# sentence of each file: tests/file_list.sh SOURCE-FOLDER
#
# A header and the .c of the same name are one line.  "make architecture" puts
# the list into ARCHITECTURE.md; tests/layers.sh fails when it is not the same.
set -eu
cd "$1"

# first_sentence FILE: of its first comment, without the name and the dash.
first_sentence() {
	awk '
	{ line = $0 }
	NR == 1 && line !~ /^\/\*/ { exit }
	{ sub(/^\/\*+ ?/, "", line); last = sub(/ *\*\/.*$/, "", line); sub(/^ \* ?/, "", line); sub(/^ \*$/, "", line) }
	line == "" && text != "" { exit }
	line != "" { text = text (text == "" ? "" : " ") line }
	last { exit }
	END {
		sub(/^[a-z0-9_]+ - /, "", text)
		if (match(text, /\.( |$)/))
			text = substr(text, 1, RSTART - 1)
		if (text ~ /^[A-Z][a-z]/)
			text = tolower(substr(text, 1, 1)) substr(text, 2)
		gsub(/ +/, " ", text)
		gsub(/\|/, "\\|", text)
		print text
	}' "$1"
}

row() {
	echo "| $1 | $(first_sentence "$2") |"
}

for folder in src/base src/store src/domain src/curve src/evidence src/launch src/workspace src/report \
	src/command src/cli ui src; do
	printf '\n#### %s\n\n| file | what it is |\n|---|---|\n' "$folder"
	find "$folder" -maxdepth 1 -name '*.[ch]' | LC_ALL=C sort | sed 's/\.[ch]$//' | uniq |
		while IFS= read -r stem; do
			name=${stem##*/}
			if [ -e "$stem.h" ] && [ -e "$stem.c" ]; then
				row "$name.c .h" "$stem.h"
			elif [ -e "$stem.h" ]; then
				row "$name.h" "$stem.h"
			else
				row "$name.c" "$stem.c"
			fi
		done
done
