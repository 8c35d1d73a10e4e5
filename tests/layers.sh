#!/bin/sh
# The rules of ARCHITECTURE.md that a compiler does not check: who includes
# whom, what each library needs of the others, and what each file must carry.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99
build=${top_builddir:-.}
out=$(mktemp) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$out" "$work"' EXIT
cd "$top" || exit 99

count=0
failed=0
# report TEXT: the check has written what is wrong into $out.
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

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# The table of layers: a folder, its library, and the folders that it may
# include beside its own.
layers() {
	cat <<-'EOT'
	src/base libbase.a
	src/store libstore.a base
	src/domain libdomain.a base
	src/curve libcurve.a base
	src/evidence libevidence.a base curve
	src/launch liblaunch.a base
	src/workspace libworkspace.a base store domain curve evidence launch
	src/report libreport.a base domain curve
	src/command libcommand.a base store domain curve evidence launch workspace report
	src/cli libcli.a base command
	ui libui.a base command curve
	EOT
}

# A library of others, and the folders whose files may include its header.
foreign() {
	cat <<-'EOT'
	openssl/ src/base
	cjson/ tests
	pcre2 src/base src/curve src/evidence src/launch
	zlib src/base src/store src/evidence
	libdeflate src/curve
	sqlite3 src/store src/curve
	git2 src/store
	uv ui
	EOT
}

sources() {
	find src ui -name '*.[ch]' | LC_ALL=C sort
}

# ---- includes -----------------------------------------------------------------

: >"$out"
layers | while read -r folder library allowed; do
	pattern="config|${folder##*/}/[a-z0-9_]+"
	for layer in $allowed; do
		pattern="$pattern|$layer/[a-z0-9_]+"
	done
	grep -nE '^#[[:space:]]*include "' "$folder"/*.[ch] | grep -vE "include \"($pattern)\.h\"" >>"$out"
done
report "a file includes its own folder and the folders of its layer's row"

layers | sed 's/ .*//' | LC_ALL=C sort >"$work/known"
find src ui -mindepth 1 -type f -name '*.[ch]' | sed 's|/[^/]*$||' | LC_ALL=C sort -u |
	grep -vx src | LC_ALL=C comm -23 - "$work/known" >"$out"
report "every folder of sources has its row"

: >"$out"
foreign | while read -r header folders; do
	sources | xargs grep -lE "^#[[:space:]]*include <$header" | while IFS= read -r file; do
		case " $folders " in
		*" ${file%/*} "*) ;;
		*) echo "$file includes <$header>" ;;
		esac
	done
done >"$out"
report "a foreign library is seen by the layers that own it"

sources | xargs grep -lE '^#[[:space:]]*include <(n?cursesw?|ncursesw?/.*|term)(\.h)?>' | grep -vx ui/term.c >"$out"
report "only ui/term.c includes ncurses"

# main.c alone knows both front ends.
sources | xargs grep -lE 'include "cli/' >"$work/cli"
sources | xargs grep -lE 'include "ui/' | LC_ALL=C comm -12 - "$work/cli" | grep -vx src/main.c >"$out"
report "only main.c knows both the command line and the screen"

# The model of a pure layer does no input or output of its own.
grep -nE '[^a-z_](fopen|open|openat|fs_read|fs_write_durable|system|popen|clock_wall_ns|time) *\(' src/domain/*.c >"$out"
report "src/domain reads no file and no clock"

# ---- what the libraries need of each other ---------------------------------------

if ! command -v nm >/dev/null; then
	skip "no library calls upwards" "nm is missing"
elif ! layers | while read -r folder library allowed; do test -e "$build/$library" || exit 1; done; then
	skip "no library calls upwards" "the libraries are not built"
else
	layers >"$work/layers"
	while read -r folder library allowed; do
		nm -g --defined-only "$build/$library" 2>/dev/null |
			awk -v library="$library" 'NF == 3 && $2 ~ /[TDBRC]/ { print $3, library }'
	done <"$work/layers" >"$work/defined"
	while read -r folder library allowed; do
		mine=" $library"
		# What the headers of src/command hand on may be used in front ends.
		case $folder in
		src/cli | ui) allowed="$allowed store domain curve evidence launch workspace report" ;;
		esac
		for layer in $allowed; do
			mine="$mine lib$layer.a"
		done
		nm -gu "$build/$library" 2>/dev/null | awk 'NF == 2 { print $2 }' | LC_ALL=C sort -u |
			awk -v mine="$mine " -v library="$library" '
			FNR == NR { owner[$1] = owner[$1] " " $2; next }
			$1 in owner {
				n = split(owner[$1], list, " "); ok = 0
				for (i = 1; i <= n; i++)
					if (index(mine, " " list[i] " "))
						ok = 1
				if (!ok)
					print library " calls " $1 " of" owner[$1]
			}' "$work/defined" -
	done <"$work/layers" >"$out"
	report "no library calls upwards, or what its layer may not see"

	awk '{ n[$1]++; owner[$1] = owner[$1] " " $2 } END { for (s in n) if (n[s] > 1 && s !~ /^__/) print s " is defined by" owner[s] }' \
		"$work/defined" >"$out"
	report "no two libraries define one name"
fi

# ---- files -----------------------------------------------------------------------

sources | xargs wc -l | awk '$2 != "total" && $1 > 800 { print $2 " has " $1 " lines" }' >"$out"
report "no source file is far over 800 lines"

# The words of all module.mk.
cat src/module.mk src/*/module.mk ui/module.mk tests/*.mk tests/*/module.mk |
	awk '{ for (i = 1; i <= NF; i++) { sub(/^\$\([a-z_]*\)\//, "", $i); print $i } }' |
	LC_ALL=C sort -u >"$work/listed"

find src ui tests -name '*.[ch]' | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/listed" |
	sed 's/$/ is in no module.mk/' >"$out"
report "every .c and .h is in a module.mk"

find tests -type f \( -name '*.sh' -o -name '*.vt' \) | LC_ALL=C sort |
	LC_ALL=C comm -23 - "$work/listed" | sed 's/$/ is in no module.mk/' >"$out"
report "every test script is in a module.mk"

sources | xargs awk 'FNR == 1 && !/^\/\*/ { print FILENAME " does not begin with what it is for" }' >"$out"
report "every source file begins with what it is for"

# shellcheck disable=SC2016 # the fields are awk's
find src ui -name '*.h' | LC_ALL=C sort | xargs awk '
	function finish() {
		if (!paged)
			print file ": its second line is not \" * " stem " - what it is\""
		if (!guarded)
			print file " is not guarded by " guard
	}
	FNR == 1 {
		if (file != "")
			finish()
		file = FILENAME
		guard = file
		sub(/^src\//, "", guard)
		stem = guard
		sub(/.*\//, "", stem)
		sub(/\.h$/, "", stem)
		gsub(/[\/.]/, "_", guard)
		guard = "PORTSIDE_" toupper(guard)
		paged = guarded = 0
	}
	FNR == 2 && /^ \* [a-z0-9_]+ - [^ ]/ { paged = 1 }
	$0 == "#ifndef " guard { guarded = 1 }
	END { finish() }' >"$out"
report "every header is a manual page and guards itself"

# shellcheck disable=SC2016
find src ui -name '*.c' | LC_ALL=C sort | xargs awk '
	FNR == 1 { seen = 0 }
	/^#include/ && !seen++ && $0 != "#include \"config.h\"" {
		print FILENAME " does not include config.h first"
	}' >"$out"
report "every .c file includes config.h first"

grep -rnE '(TO''DO|FIX''ME|X''XX)([^A-Z]|$)' src ui tests/*/*.[ch] data/brief.txt man bootstrap Makefile.am configure.ac |
	grep -vE 'X{6}|[\]uX{4}' >"$out"
report "nothing is left to be done in a comment"

# Of an unpacked tarball all files but those of a build folder inside it.
git_ls() {
	git -C "$top" ls-files 2>/dev/null ||
		find . -mindepth 1 -type d \( -name .git -o -exec test -e '{}/config.status' ';' \) -prune -o -type f -print |
		sed 's|^\./||'
}
git_ls | grep -vE '^(configure|aclocal\.m4|Makefile\.in|build-aux/|autom4te\.cache/|COPYING)' |
	xargs grep -nIE '(^|[^A-Za-z0-9_.])/(work''/|home''/(ubuntu|user)[/ ])' 2>/dev/null >"$out"
report "no path of a machine"

sources | xargs grep -nE '(^|[^a-z_])(malloc|calloc|realloc|strdup|strndup|asprintf|sprintf|strcpy|strcat|gets|strtok|atoi|system|popen|alloca) *\(' |
	grep -vE '^src/base/mem\.c:|: \*|/\*' >"$out"
report "nobody goes around the allocation wrappers, or calls what cannot be bounded"

# ---- headers -----------------------------------------------------------------------

compile=$(MAKEFLAGS='' make -s --no-print-directory -C "$build" print-compile 2>/dev/null | tail -n 1)
if [ -z "$compile" ]; then
	skip "every header can be included alone" "the build has no compiler"
	skip "all headers can be included together" "the build has no compiler"
else
	find src ui -name '*.h' | LC_ALL=C sort | sed 's|^src/||' >"$work/headers"
	mkdir "$work/alone"
	awk -v folder="$work/alone" '{
		name = $0
		gsub(/\//, "__", name)
		file = folder "/" name ".c"
		printf "#include \"config.h\"\n#include \"%s\"\n#include \"%s\"\n", $0, $0 >file
		close(file)
	}' "$work/headers"
	# What a compiler says begins with the file that it read.
	(cd "$build" && eval "$compile" -fsyntax-only '"$work/alone/"*.c') >"$out" 2>&1 ||
		[ -s "$out" ] || echo "the compiler failed and said nothing" >"$out"
	report "every header can be included alone, and twice"

	{ echo '#include "config.h"'; sed 's/.*/#include "&"/' "$work/headers"; } >"$work/all.c"
	(cd "$build" && eval "$compile" -fsyntax-only '"$work/all.c"') >"$out" 2>&1
	report "all headers can be included together"

	{ echo '#include "config.h"'; sort -r "$work/headers" | sed 's/.*/#include "&"/'; } >"$work/all.c"
	(cd "$build" && eval "$compile" -fsyntax-only '"$work/all.c"') >"$out" 2>&1
	report "in any order"
fi

# ---- the document --------------------------------------------------------------------

sh tests/file_list.sh "$top" >"$work/list" 2>"$out"
awk '/^<!-- files: /{ on = !on; next } on' ARCHITECTURE.md >"$work/written"
diff "$work/written" "$work/list" | sed -n 's/^[<>]/&/p' | head -n 20 >>"$out"
report "ARCHITECTURE.md lists each file (make architecture writes the list)"

echo "1..$count"
exit "$failed"
