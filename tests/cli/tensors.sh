#!/bin/sh
# `tensors`: files that Python wrote byte by byte, and the figures worked out by it.  Prints TAP.
build=${top_builddir:-$(pwd)}
portside=$build/portside
test -x "$portside" || { echo "1..0 # SKIP portside is not built"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP python3 is missing"; exit 0; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
export HOME="$dir" LC_ALL=C.UTF-8 TZ=UTC
unset CLAUDECODE
cd "$dir" || exit 99
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
# p STATUS ARGUMENT...: the exit status is that one.
p() {
	wanted=$1
	shift
	"$portside" tensors "$@" >"$dir/out" 2>&1 </dev/null
	test $? -eq "$wanted"
}
says() { grep -qF -- "$1" "$dir/out"; }

cat >make.py <<'EOF'
import json, os, struct, zipfile

def safetensors(path, tensors):
    head, data = {}, b""
    for name, kind, shape, values in tensors:
        head[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(head).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)

def npy(kind, shape, values, fortran=False):
    text = repr({"descr": kind, "fortran_order": fortran, "shape": shape}).encode()
    text += b" " * (63 - (10 + len(text)) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + values

def f(*v):
    return struct.pack("<%df" % len(v), *v)

def bf(*v):
    return b"".join(struct.pack("<f", x)[2:] for x in v)

safetensors("r.safetensors", [("model.w", "F32", [2, 2], f(1.01, 1.99, 3.02, 3.98)), ("b", "BF16", [2], bf(1, 2)),
                              ("n", "I64", [], struct.pack("<q", 7))])
safetensors("a.safetensors", [("w", "F32", [2, 2], f(1.03, 1.98, 3.03, 3.95)), ("b", "BF16", [2], bf(1, 2)),
                              ("n", "I64", [], struct.pack("<q", 7))])
safetensors("third.safetensors", [("w", "F64", [2, 2], struct.pack("<4d", 1, 2, 3, 4))])
safetensors("more.safetensors", [("w", "F32", [2, 2], f(1.01, 1.99, 3.02, 3.98)), ("x\x1b[31m", "U8", [1], b"1")])
safetensors("empty.safetensors", [("w", "F32", [0], b"")])
open("c.npy", "wb").write(npy("<f4", (2, 3), f(1, 2, 3, 4, 5, 6)))
open("f.npy", "wb").write(npy(">f4", (2, 3), struct.pack(">6f", 1, 4, 2, 5, 3, 6), True))
open("v.npy", "wb").write(npy("<V2", (2,), bf(1, 2)))
for name, how in (("s.npz", zipfile.ZIP_STORED), ("d.npz", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(name, "w", how) as z:
        z.writestr("x.npy", npy("<f4", (1000,), f(*range(1000))))
        z.writestr("y.npy", npy("|b1", (2,), b"\1\0"))
with zipfile.ZipFile("w.npz", "w") as z:
    z.writestr("x.npy", npy("<f4", (1000,), f(*range(999), 1)))
    z.writestr("y.npy", npy("|b1", (2,), b"\1\1"))

def dump(folder, linear, bias):
    os.makedirs(folder + "/dump_tensor_data")
    def tensor(name, *values):
        open("%s/dump_tensor_data/%s.npy" % (folder, name), "wb").write(npy("<f4", (len(values),), f(*values)))
        return {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [len(values)], "Max": 1, "Min": 1,
                "Mean": 1, "Norm": 1, "data_name": name + ".npy"}
    data = {"Functional.linear.0.forward": {
                "input_args": [tensor("Functional.linear.0.forward.input.0", 1, 2), {"type": "int", "value": 1}],
                "input_kwargs": {}, "output": [tensor("Functional.linear.0.forward.output.0", linear, 4)]},
            "Functional.relu.0.forward": {
                "input_args": [tensor("Functional.relu.0.forward.input.0", linear, 4)],
                "input_kwargs": {}, "output": [tensor("Functional.relu.0.forward.output.0", bias, 4)]}}
    json.dump({"task": "tensor", "level": "L1", "framework": "pytorch", "dump_data_dir": "/elsewhere", "data": data},
              open(folder + "/dump.json", "w"))

nan, inf = float("nan"), float("inf")
safetensors("nan.safetensors", [("w", "F32", [3], f(nan, inf, 1))])
safetensors("nan2.safetensors", [("w", "F32", [3], f(nan, inf, 1))])
for side, bias in (("one", b"1"), ("two", b"2")):
    os.makedirs(side)
    safetensors(side + "/model.safetensors", [("w", "F32", [1], f(1))])
    open(side + "/pytorch_model.bin", "wb").write(b"PK" + bias)
dump("gpu", 3, 3)
dump("tpu", 3, 3.5)
dump("tpu2", 3.5, 3.5)
EOF
python3 make.py || exit 99

p 1 r.safetensors a.safetensors && says "model.w  refuted" && says "4 of 4 outside" && says "rtol 0.0198"
ok "a tensor that is outside, found without its wrapper's word" $?
p 1 r.safetensors a.safetensors && says "of 3 pairs 2 inside, 1 outside" && ! says "confirmed "
ok "what is inside is counted and not listed" $?
p 0 r.safetensors a.safetensors --atol 0.03 --rtol 0.01 && says "verdict: confirmed"
ok "inside by tolerances that were chosen" $?
p 0 r.safetensors a.safetensors --third third.safetensors && says "1 inside by this alone"
ok "inside by the third side" $?
p 1 r.safetensors a.safetensors --format json
python3 - out <<'EOF'
import json, math, struct, sys
one = lambda v: struct.unpack("<f", struct.pack("<f", v))[0]
row = [r for r in json.load(open(sys.argv[1]))["rows"] if r["tensor"] == "model.w"][0]
r, a = [one(v) for v in (1.01, 1.99, 3.02, 3.98)], [one(v) for v in (1.03, 1.98, 3.03, 3.95)]
d = [abs(x - y) for x, y in zip(a, r)]
near = lambda x, y: abs(x - y) <= 1e-12 * abs(y)
assert near(row["max_abs"], max(d)) and row["max_abs_at"] == "[1, 1]", row
assert near(row["max_rel"], max(x / y for x, y in zip(d, r))) and row["max_rel_at"] == "[0, 0]", row
assert near(row["rmse"], math.sqrt(sum(x * x for x in d) / 4)), row
assert near(row["mean_abs"], sum(d) / 4), row
assert near(row["cosine"], sum(x * y for x, y in zip(a, r)) / math.sqrt(sum(x * x for x in a) * sum(x * x for x in r)))
bits = lambda v: struct.unpack("<i", struct.pack("<f", v))[0]
assert row["max_ulp"] == max(abs(bits(x) - bits(y)) for x, y in zip(a, r)), row
assert row["attempt_name"] == "w" and row["reference_shape"] == "(2, 2)" and row["outside"] == 4, row
EOF
ok "figures are those of Python" $?
p 1 r.safetensors more.safetensors && says "only in the reference" && says "only in the attempt" &&
	says "verdict: unknown" && ! grep -q "$(printf '\033')" out
ok "a name on one side alone leaves it unknown, and hostile names are harmless" $?
p 1 empty.safetensors empty.safetensors && says "nothing was compared" && says "verdict: unknown"
ok "an empty tensor passes nothing" $?
p 0 nan.safetensors nan2.safetensors --all && says "1 numbers compared" &&
	says "2 of 3 are NaN or infinite, alike on both sides" && says "2 places hold no finite number"
ok "what is not finite on both sides is said, and counts as no number" $?
p 1 one two && says "verdict: unknown: of 1 pair 1 inside" && says "1 file of torch.save or of such a name in one was not read"
ok "a folder that was not read whole is not confirmed" $?
ln -s r.safetensors same.safetensors
p 1 r.safetensors same.safetensors && says "verdict: unknown" && says "both sides are one file"
ok "a file beside itself proves nothing" $?
mkdir left right
cp c.npy left/c.npy && cp c.npy right/c.npy && echo nonsense >right/d.npy
p 1 left right && says "only in the attempt, and it cannot be read: right/d.npy"
ok "what stands on one side and cannot be read says why" $?
p 0 c.npy f.npy && says "6 numbers compared"
ok "other orders of bytes and dimensions" $?
p 1 v.npy v.npy && says "bytes without a type" && says "not checked"
ok "two bytes without a type are not guessed" $?
p 0 s.npz d.npz --all && says "1,000" && p 1 d.npz w.npz && says "x       refuted" && says "y       refuted"
ok "archives, stored and compressed" $?
p 1 gpu tpu && says "introduced by: Functional.relu.0.forward: its inputs agree"
ok "the operation that introduced a difference" $?
p 1 gpu tpu2 && says "introduced by: Functional.linear.0.forward"
ok "the first of several in the order of execution" $?
p 1 r.safetensors a.safetensors --map model.=nothing. && says "model.w  not checked"
ok "a mapping is applied and can part names" $?
p 2 r.safetensors a.safetensors --map nonsense && p 2 r.safetensors a.safetensors --atol -1 && p 2 r.safetensors
ok "usage" $?
p 3 r.safetensors nowhere && says "nowhere"
ok "a file that is not there" $?
head -c 60 r.safetensors >cut.safetensors
p 3 cut.safetensors a.safetensors && says "cut.safetensors"
ok "a file that was cut" $?
# A pair of 512 MiB that takes no room on the disk, in less memory than one side of it.
python3 - <<'EOF'
import struct
size = 1 << 28
text = b'{"w":{"dtype":"BF16","shape":[%d],"data_offsets":[0,%d]}}' % (size // 2, size)
for name in "large-r.safetensors", "large-a.safetensors":
    with open(name, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        f.truncate(8 + len(text) + size)
EOF
if grep -q 'PORTSIDE_INSTRUMENTED 1' "$build/config.h"; then
	count=$((count + 1))
	echo "ok $count - a large pair in constant memory # SKIP sanitizers take memory of their own"
else
	# shellcheck disable=SC3045 # dash, bash and ksh have it
	(ulimit -v 200000 && p 0 large-r.safetensors large-a.safetensors) && says "134217728 numbers compared"
	ok "a large pair in constant memory" $?
fi
echo "1..$count"
exit $failed
