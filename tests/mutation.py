#!/usr/bin/env python3
"""Flips every condition of the checks, one at a time, and sees that a test fails.

    mutation.py [-k PART] [-j N] SRCDIR BUILDDIR

What is flipped and by what it must be noticed stands in mutation.tsv: a file, and the
test programs (of BUILDDIR) that must fail.  Each `if` of the file, and each `return` of
a comparison, is negated in a copy of the tree, which is built and tested.  A condition
that nothing can notice stands in mutation_equivalent.tsv with the reason.  Prints TAP: a
survivor is "not ok".  -k: only files whose name has PART.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 120


def rows(name):
    with open(os.path.join(HERE, name)) as f:
        lines = (line.rstrip("\n") for line in f)
        return [line.split("\t") for line in lines if line and not line.startswith("#")]


def blank(text):
    """The same length without comments and the insides of strings."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', spaces, text, flags=re.S)


def closing(code, at):
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i
    return None


def conditions(text):
    """(begin, end) of what is negated."""
    code = blank(text)
    for match in re.finditer(r"\bif \(", code):
        end = closing(code, match.end() - 1)
        if end is not None:
            yield match.end(), end
    for match in re.finditer(r"\breturn ([^;?]*(?:&&|\|\||[=!<>]=| [<>] )[^;?]*);", code):
        yield match.start(1), match.end(1)


class Tree:
    """A copy of sources and build in which mutants are made."""

    def __init__(self, srcdir, builddir, jobs):
        self.top = os.path.join(tempfile.mkdtemp(), "tree")
        self.jobs = jobs
        src, build = os.path.realpath(srcdir), os.path.realpath(builddir)
        inside = build.startswith(src + os.sep)
        kept = os.path.relpath(build, src) if inside else "build"

        def ignore(folder, names):
            where = os.path.relpath(folder, src)
            if where == os.path.dirname(kept) and inside:
                return [n for n in names if n != os.path.basename(kept)]
            return [n for n in names if where == "." and n == ".git"]

        shutil.copytree(src, self.top, symlinks=True, ignore=ignore)
        self.build = os.path.join(self.top, kept)
        if not inside:
            os.makedirs(self.build)
            configure = os.path.relpath(os.path.join(self.top, "configure"), self.build)
            subprocess.run([configure, "-q"], cwd=self.build, check=True)

    def make(self, programs):
        command = ["make", "-s", f"-j{self.jobs}", *programs]
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    def passes(self, programs):
        environment = dict(os.environ, srcdir=self.top, top_builddir=self.build)
        for program in programs:
            try:
                done = subprocess.run([os.path.join(self.build, program)], cwd=self.build, env=environment,
                                      capture_output=True, timeout=LIMIT_S)
            except subprocess.TimeoutExpired:
                return False
            if done.returncode != 0:
                return False
        return True

    def release(self):
        shutil.rmtree(os.path.dirname(self.top))


def one_line(text):
    return " ".join(text.split())


def flip_all(tree, name, programs, equivalent, report):
    path = os.path.join(tree.top, name)
    with open(path) as f:
        text = f.read()
    built, talk = tree.make(programs)
    if not built or not tree.passes(programs):
        report(False, f"{name}: {' '.join(programs)} pass before anything is flipped", talk)
        return
    for begin, end in conditions(text):
        condition = text[begin:end]
        line = text.count("\n", 0, begin) + 1
        what = f"{name}:{line}: {one_line(condition)}"
        if (name, one_line(condition)) in equivalent:
            report(True, f"{what} # SKIP {equivalent[name, one_line(condition)]}", "")
            continue
        with open(path, "w") as f:
            f.write(text[:begin] + "!(" + condition + ")" + text[end:])
        built, talk = tree.make(programs)
        if not built and "error:" in talk and "Werror" not in talk:
            report(False, f"{what} (the mutant does not build)", talk)
        else:
            report(not built or not tree.passes(programs), what, "no test failed")
    with open(path, "w") as f:
        f.write(text)
    tree.make(programs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", default="")
    parser.add_argument("-j", default="1")
    parser.add_argument("srcdir")
    parser.add_argument("builddir")
    options = parser.parse_args()
    equivalent = {(name, condition): why for name, condition, why in rows("mutation_equivalent.tsv")}
    count = failed = 0

    def report(good, what, talk):
        nonlocal count, failed
        count += 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {count} - {what}", flush=True)
        if not good:
            print("\n".join("# " + line for line in talk.splitlines()[-5:]), flush=True)

    tree = Tree(options.srcdir, options.builddir, options.j)
    try:
        for name, programs in rows("mutation.tsv"):
            if options.k in name:
                flip_all(tree, name, programs.split(), equivalent, report)
    finally:
        tree.release()
    print(f"1..{count}")
    print(f"# {count - failed} of {count} flipped conditions are noticed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
