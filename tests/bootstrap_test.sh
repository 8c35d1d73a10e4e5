#!/bin/sh
# bootstrap on a project of a few lines: what it builds, runs and says, with a
# package manager that has everything, and with one that has nothing.
set -u
top=$(cd "${srcdir:-.}" && pwd) || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/project/tests" "$work/bin"
cp "$top/bootstrap" "$work/project/"
cp "$top/tests/tally.sh" "$work/project/tests/"

# A configure that leaves a Makefile: check writes results, and fails where
# the file "broken" is; a build with the sanitizers fails where "unbuilt" is, and that of
# test programs where "untested" is.
cat >"$work/project/configure" <<'EOS'
#!/bin/sh
echo "$*" >>"$(dirname "$0")/configured"
case " $* " in
*" --enable-sanitizers "*) [ ! -e "$(dirname "$0")/unbuilt" ] || { echo "no sanitizer here" >&2; exit 1; } ;;
esac
mkdir -p tests
cat >Makefile <<EOM
prefix = $PWD/prefix
all: portside
portside:
	@printf '#!/bin/sh\\necho "portside \$\$*"\\n' >portside
	@chmod +x portside
libbase.a libdomain.a libcurve.a libevidence.a:
	@echo "\$@ \$(CFLAGS)" >>computing
programs:
	@test ! -e $(cd "$(dirname "$0")" && pwd)/untested || { echo "sum.c: no such sum" >&2; exit 1; }
check: all programs
check-TESTS:
	@echo ':test-result: PASS 1 - adds' >tests/sum.trs
	@test ! -e $(cd "$(dirname "$0")" && pwd)/broken || echo ':test-result: FAIL 2 - carries' >>tests/sum.trs
dist:
	@mkdir -p portside-1/tests && cp $(dirname "$0")/configure portside-1/ && tar -cf portside-1.tar portside-1
uninstall:
	@rm -f \$(DESTDIR)\$(prefix)/bin/portside
install: all
	@mkdir -p \$(DESTDIR)\$(prefix)/bin && cp portside \$(DESTDIR)\$(prefix)/bin/
EOM
: >config.status
EOS
chmod +x "$work/project/configure"

# dpkg-query and apt-get that only say what they were asked.
cat >"$work/bin/dpkg-query" <<'EOS'
#!/bin/sh
[ -e "$0.nothing" ] || echo 'install ok installed'
EOS
cat >"$work/bin/apt-get" <<'EOS'
#!/bin/sh
echo "$*" >>"$0.calls"
EOS
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work/bin/dpkg-query" "$work/bin/apt-get" "$work/bin/sudo"
PATH=$work/bin:$PATH
export PATH
unset PREFIX JOBS PORTSIDE_TEST_DAEMONS
cd "$work/project" || exit 99

count=0
failed=0
check() {
	count=$((count + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $count - $1"
	else
		sed 's/^/# /' "$work/out" "$work/err"
		echo "not ok $count - $1"
		failed=1
	fi
}
bootstrap() {
	sh ./bootstrap "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
}

bootstrap
check "without arguments it builds" "$((status))"
test -x build/portside
check "into ./build" $?
test ! -e "$work/bin/apt-get.calls"
check "and installs no package when none is missing" $?

bootstrap demo --blind
grep -qx 'portside demo --blind' "$work/out"
check "demo runs the program with the words that follow" $?

bootstrap install
test -x build/prefix/bin/portside
check "install installs below the prefix" $?

bootstrap check
check "check succeeds when all tests pass" "$((status))"
last=$(tail -n 1 "$work/out")
# Always: the distribution, gcc and clang with their builds, install and
# uninstall, the thread build; more where valgrind and the fuzzer are.
passed=$(cat build/results/*/steps.trs build/results/*/tests/*.trs | grep -c '^:test-result: PASS')
test "$passed" -ge 8 && test "$last" = "$passed passed, 0 failed"
check "its last line counts them" $?
grep -q -- '--enable-werror --enable-sanitizers' configured
check "it builds with sanitizers" $?
grep -qx 'libcurve.a -O1 -g1' build/clang/computing
check "what computes is optimised even there" $?

: >broken
bootstrap check
test "$status" -eq 1
check "a failed test is status 1" $?
grep -q 'FAIL 2 - carries' "$work/out"
check "and is named" $?
rm broken

: >untested
bootstrap check
test "$status" -eq 1 && grep -q 'FAIL build of its tests' "$work/out" && grep -q 'sum.c: no such sum' "$work/out"
check "a test program that does not build is a failure, with the compiler's words" $?
grep -q ':test-result: PASS 1 - adds' build/results/gcc/tests/sum.trs
check "and does not keep the others from running" $?
rm untested

rm -rf build
: >unbuilt
bootstrap check
test "$status" -eq 1 && grep -q 'no sanitizer here' "$work/out"
check "a build that fails is a failure, with the compiler's words" $?
grep -q '1 failed$' "$work/out"
check "and the other builds are still tested" $?
rm unbuilt

: >"$work/bin/dpkg-query.nothing"
bootstrap
grep -q '^install -q -y --no-install-recommends gcc ' "$work/bin/apt-get.calls"
check "missing packages are installed by name" $?
grep -q 'installing gcc ' "$work/err"
check "and it says which" $?

bootstrap nonsense
test "$status" -eq 2 && grep -q 'bootstrap demo' "$work/err"
check "an unknown word shows the usage" $?

echo "1..$count"
exit "$failed"
