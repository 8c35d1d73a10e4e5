#!/bin/sh
# What is not C: shell scripts by shellcheck, manual pages by mandoc.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99

count=0
failed=0
report() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' "$out"
		echo "not ok $count - $2"
		failed=1
	fi
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2 is missing"
}

out=$(mktemp) || exit 99
trap 'rm -f "$out"' EXIT

for script in bootstrap .ci/run $(cd "$top" && find tests -name '*.sh' | LC_ALL=C sort); do
	if command -v shellcheck >/dev/null; then
		(cd "$top" && shellcheck -x -P . "$script") >"$out" 2>&1
		report $? "$script is clean"
	else
		skip "$script is clean" shellcheck
	fi
done

# A line may be longer than 100 columns for a text that is not to be broken.
(cd "$top" && find src ui tests -name '*.[ch]' -exec expand -t 8 {} + |
	awk 'length($0) > 100 && !/"/ && !/\\$/ && !/^ \* /' | head -n 20) >"$out"
test ! -s "$out"
report $? "no line of C is longer than 100 columns"

for page in man/portside.1 man/portside.conf.5 man/portside-contract.5 man/portside-tutorial.7; do
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$top/$page" >"$out" 2>&1
		report $? "$page is clean"
	else
		skip "$page is clean" mandoc
	fi
done

# Both would be the test whose log has that name.
(cd "$top" && find tests -name '*.vt' | sed 's/\.vt$/.sh/' | while IFS= read -r twin; do
	test ! -e "$twin" || echo "$twin has the name of a .vt beside it"
done) >"$out"
test ! -s "$out"
report $? "no script has the name of a test of the screen"

# A data file that is not in the list would be missing after installation.
(cd "$top" && find data -type f ! -name module.mk ! -name '*.pyc') |
	while IFS= read -r file; do
		grep -qF "	$file" "$top/data/module.mk" || echo "$file is not in DATA_FILES"
	done >"$out"
test ! -s "$out"
report $? "every data file is installed"

# Every key of the table has its place in portside.conf(5).
grep -oE '(MIGRATION|GOAL|TARGET|OPTION|RUN|RULE)\("[^"]*"|\.key = "[^"]*"' \
	"$top/src/domain/configuration_key.c" | sed 's/.*"\(.*\)"/\1/' |
	while IFS= read -r key; do
		grep -qE "^\.It Cm (.*, )?$key( |\$)" "$top/man/portside.conf.5" ||
			echo "$key is not explained"
	done >"$out"
test ! -s "$out"
report $? "portside.conf(5) explains every key"

echo "1..$count"
exit "$failed"
