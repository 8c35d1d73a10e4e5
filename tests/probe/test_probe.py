"""The probe beside real programs: what it records, and that it changes nothing.

Prints TAP.  Needs PyTorch, as Debian's python3-torch has it; torch_xla, TorchTPU,
accelerate and transformers are the stand-ins beside this file.
"""

import atexit
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import traceback

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
PROBE = os.path.join(HERE, "..", "..", "data", "probe")
STAND_INS = os.path.join(HERE, "stand_ins")
TRAIN = os.path.join(HERE, "train.py")
PORT = 20000 + random.Random(os.getpid()).randrange(20000)

work = tempfile.mkdtemp(prefix="probe-")
tests = []


def test(function):
    tests.append(function)
    return function


def environment(probe=None, path=(), **more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PORTSIDE", "PYTHON"))}
    kept.update(PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS="1", PYTHONUNBUFFERED="1")
    kept["PYTHONPATH"] = os.pathsep.join([*([PROBE] if probe else []), *path])
    if probe:
        kept["PORTSIDE_PROBE"] = probe
    kept.update(more)
    return kept


def run(words, folder, **how):
    os.makedirs(folder, exist_ok=True)
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment(**how), capture_output=True, text=True, timeout=300
    )


def place(name):
    return os.path.join(work, name)


def program(text, name, probe=True, path=(), **more):
    """Runs the program TEXT; gives its output and the lines of the probe."""
    seen = place(name + "/probe")
    text = "import torch\ntorch.manual_seed(3)\n" + textwrap.dedent(text)
    out = end(begin(text, place(name), seen if probe else None, path, **more))
    return out, lines(seen)


def begin(text, folder, probe, path=(), **more):
    """A child that runs TEXT; it has PyTorch already, so the probe starts as by a line of the program."""
    os.makedirs(folder, exist_ok=True)
    child = os.fork()
    if child == 0:
        try:
            _become(text, folder, environment(probe, path, **more))
        finally:
            os._exit(1)
    return child, folder


def end(started):
    """What the child printed; what it complained of (of ports, say) is shown when it fails."""
    child, folder = started
    status = os.waitpid(child, 0)[1]
    texts = []
    for name in ("output", "errors"):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            texts.append(f.read())
    assert status == 0, texts[1][:2000]
    return texts[0]


def _become(text, folder, words):
    """The rest of a child's life."""
    signal.alarm(120)  # one that waits for ever has failed
    for number, name in ((1, "output"), (2, "errors")):
        file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(words)
    sys.path[:0] = words["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["program.py"]
    torch.set_num_threads(1)
    status = 0
    try:
        if "PORTSIDE_PROBE" in words:
            import portside_probe

            portside_probe.start()
        exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(status)


def lines(folder):
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.startswith("probe-"):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                # A full disk or a kill may cut the last line, and no other.
                found += [json.loads(line) for line in f if line.endswith("\n")]
    return found


def of(found, kind, **fields):
    return [x for x in found if x["kind"] == kind and all(x.get(k) == v for k, v in fields.items())]


SMALL = """
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    def steps(optimizer, n=3, model=model):
        for i in range(n):
            loss = model(torch.full((6, 4), float(i))).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            print(loss.item().hex())
"""


# ---- it changes nothing -----------------------------------------------------------------

plain_lines = []
plain_output = []


@test
def losses_are_equal_to_the_bit():
    without = run([TRAIN], place("without"))
    seen = place("with/probe")
    within = run([TRAIN], place("with"), probe=seen)
    assert without.returncode == 0 and len(without.stdout.splitlines()) == 25, without.stderr
    assert within.stdout == without.stdout and within.stderr == without.stderr, within.stderr
    plain_lines.extend(lines(seen))
    plain_output.append(without.stdout)
    assert not of(plain_lines, "broken")


@test
def losses_are_equal_with_loader_processes():
    seen = place("workers/probe")
    within = run([TRAIN, "1"], place("workers"), probe=seen)
    assert within.stdout == plain_output[0] and within.returncode == 0, within.stderr
    assert len(os.listdir(seen)) == 1, os.listdir(seen)  # a loader process leaves no file


def two(name, probe, **more):
    """Two processes that train together; their outputs."""
    with open(TRAIN, encoding="utf-8") as f:
        text = f.read()
    together = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(PORT + len(name)), "WORLD_SIZE": "2", **more}
    seen = place(name + "/probe") if probe else None
    children = [begin(text, place(f"{name}/{rank}"), seen, RANK=str(rank), **together) for rank in range(2)]
    return [end(child) for child in children]


@test
def losses_are_equal_in_two_processes():
    without, within = two("two", False), two("two-probe", True)
    assert within == without, f"{without}\n{within}"
    assert all(len(out.splitlines()) == 13 for out in without), without


@test
def nothing_is_done_without_a_folder():
    done = run(["-c", "import sys; print('portside_probe' in sys.modules)"], place("unasked"), path=[PROBE])
    assert done.stdout == "False\n" and os.listdir(place("unasked")) == [], done


@test
def a_place_that_cannot_be_written_is_said():
    folder = place("unwritable")
    os.makedirs(folder)
    with open(os.path.join(folder, "file"), "w", encoding="utf-8"):
        pass
    done = run(["-c", "print('trained')"], folder, probe=os.path.join(folder, "file"))
    assert done.returncode == 0 and done.stdout == "trained\n", done
    assert done.stderr.startswith("portside_probe: it does not look on: ") and done.stderr.count("\n") == 1, done


@test
def a_full_disk_harms_nobody():
    # A limit on the size of files stands for the disk; the program here writes none.
    out, found = program(SMALL + """
    import resource, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    steps(optimizer, 12)
    """, "full")
    assert len(out.splitlines()) == 12


@test
def a_hook_that_raises_is_taken_out():
    out, found = program(SMALL + """
    import portside_probe.tensors
    def norm(tensors):
        raise ValueError("a fault of the probe")
    portside_probe.tensors.norm = norm
    steps(torch.optim.SGD(model.parameters(), lr=0.1), 5)
    """, "raises")
    assert len(out.splitlines()) == 5
    broken = of(found, "broken")
    assert len(broken) == 1 and broken[0]["error"] == "ValueError: a fault of the probe", broken


@test
def the_other_sitecustomize_still_runs():
    other = place("other")
    os.makedirs(other)
    with open(os.path.join(other, "sitecustomize.py"), "w", encoding="utf-8") as f:
        f.write("print('the other one')\n")
    done = run(["-c", "print('the program')"], place("hand-over"), probe=place("hand-over/probe"), path=[other])
    assert done.stdout == "the other one\nthe program\n" and done.stderr == "", done


@test
def an_error_of_the_program_stays_its_own():
    out, _ = program("""
    try:
        torch.optim.SGD([], lr=0.1)
    except ValueError as problem:
        print(problem)
    """, "error")
    assert out == "optimizer got an empty parameter list\n", out


# ---- what it records --------------------------------------------------------------------


@test
def the_optimizer_and_its_rates():
    made = of(plain_lines, "optimizer")
    assert len(made) == 1 and made[0]["type"] == "AdamW" and made[0]["devices"] == {"cpu": 3}
    rates = []
    for line in of(plain_lines, "steps"):
        n = len(line["seconds"])
        rates += line["lr"] if isinstance(line["lr"], list) else [line["lr"]] * n
    assert len(rates) == 24 and abs(rates[0] - 1e-4) < 1e-15 and abs(rates[4] - 5e-4) < 1e-15 and rates[23] == 1e-3
    assert of(plain_lines, "optimizer_end")[0]["steps"] == 24


@test
def the_model_its_device_and_its_batch():
    first = of(plain_lines, "forward", step=1)[0]
    assert first["model"] == "Model" and first["training"] and first["elements"] == 50 * 16 + 16 * 16 + 16
    assert first["devices"] == {"cpu": 3} and first["dtypes"] == {"float32": 3}
    assert first["tied"] == [["words.weight", "head.weight"]]
    assert first["batch"]["examples"] == 8 and first["batch"]["module"] == "Embedding"
    assert first["matmul_precision"] == "highest" and first["autocast"] is False


@test
def chosen_steps_are_looked_at():
    assert [x["step"] for x in of(plain_lines, "step")] == [1, 2, 3, 5, 10, 20]
    assert all(x["changed"] and x["stale"] == 0 and x["left_out"] == 0 for x in of(plain_lines, "step"))
    _, found = program(SMALL + "    steps(torch.optim.SGD(model.parameters(), lr=0.1), 11)", "asked",
                       PORTSIDE_PROBE_STEPS="7, 8")
    assert [x["step"] for x in of(found, "step")] == [1, 2, 3, 5, 7, 8, 10]


@test
def clipping_has_two_norms():
    clip = of(plain_lines, "clip")
    assert [x["step"] for x in clip] == [1, 2, 3, 5, 10, 20]
    for x in clip:
        assert x["limit"] == 0.5 and x["before"]["norm"] > 0.5 and abs(x["after"]["norm"] - 0.5) < 1e-5
        assert x["order"] == ["backward", "clip"]


@test
def the_order_of_reduction_and_clipping():
    seen = lines(place("two-probe/probe"))
    assert {x["rank"] for x in of(seen, "step")} == {0, 1} and of(seen, "world")[0]["world"] == 2
    assert all(x["order"] == ["backward and reduce", "clip", "step"] for x in of(seen, "step"))
    norms = [[x["before"]["norm"] for x in of(seen, "clip", rank=rank)] for rank in (0, 1)]
    assert norms[0] == norms[1]  # reduced before: each process clips the same gradient
    two("clip-first", True, CLIP_FIRST="1")
    wrong = lines(place("clip-first/probe"))
    assert all(x["order"] == ["backward", "clip", "reduce x3", "step"] for x in of(wrong, "step"))
    norms = [[x["before"]["norm"] for x in of(wrong, "clip", rank=rank)] for rank in (0, 1)]
    assert norms[0] != norms[1]


@test
def examples_and_their_order():
    passes = of(plain_lines, "loader_pass")
    assert [(x["batches"], x["examples"], x["number"]) for x in passes] == [(12, 96, 1), (12, 96, 2)]
    assert passes[0]["checksum"] != passes[1]["checksum"]  # shuffled anew
    loader = of(plain_lines, "loader")[0]
    assert (loader["examples"], loader["batch_size"], loader["drop_last"]) == (96, 8, False)
    again = of(lines(place("workers/probe")), "loader_pass")
    assert [x["checksum"] for x in again] == [x["checksum"] for x in passes]
    ranks = of(lines(place("two-probe/probe")), "loader")
    assert all(x["replicas"] == 2 and x["sampler"] == "DistributedSampler" for x in ranks)


@test
def checkpoints_round_trip():
    saved, loaded, restored = (of(plain_lines, k)[0] for k in ("saved", "loaded", "restored"))
    assert saved["file"] == "model-0.pt" and saved["size"] == os.path.getsize(place("with/model-0.pt"))
    assert saved["checksum"] == loaded["checksum"] == restored["checksum"] and saved["tensors"] == 4
    assert restored["missing"] == 0 and restored["unexpected"] == 0


@test
def keys_that_do_not_fit_are_named():
    out, found = program("""
    model = torch.nn.Linear(2, 2)
    model.load_state_dict({"weight": torch.ones(2, 2), "other": torch.ones(1)}, strict=False)
    torch.optim.SGD(model.parameters(), lr=1.0)
    """, "keys")
    one = of(found, "restored")[0]
    assert (one["missing"], one["unexpected"], one["names"]) == (1, 1, ["bias", "other"])


@test
def stale_parameters_are_counted():
    out, found = program(SMALL + """
    import copy
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps(optimizer, 2, copy.deepcopy(model))
    """, "stale")
    one = of(found, "step")[-1]
    assert (one["shared"], one["stale"], one["left_out"], one["without_gradient"]) == (0, 4, 4, 4)
    assert one["changed"] is False


@test
def gradients_that_are_not_finite():
    out, found = program("""
    p = torch.nn.Parameter(torch.tensor([0.0, 1.0]))
    optimizer = torch.optim.SGD([p], lr=0.1)
    p.grad = torch.tensor([float("nan"), 3.0])
    torch.nn.utils.clip_grad_norm_([p], 1.0)
    """, "nan")
    one = of(found, "clip")[0]
    assert one["before"] == {"norm": 3.0, "tensors": 1, "not_finite": 1}
    assert one["after"]["not_finite"] == 2


@test
def checksums_of_formats_that_numpy_lacks():
    out, _ = program("""
    import zlib
    from portside_probe import tensors
    one = tensors.checksum([torch.tensor([1.0, -2.0], dtype=torch.bfloat16), torch.tensor(True)])
    print(one["bytes"], one["crc32"] == f"{zlib.crc32(bytes([0x80, 0x3F, 0x00, 0xC0, 1])):08x}")
    """, "formats")
    assert out == "5 True\n", out


@test
def accumulated_backward_passes():
    out, found = program(SMALL + """
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        for _ in range(4):
            model(torch.ones(3, 4)).sum().backward()
        optimizer.step()
    """, "accumulate")
    assert [x["backwards"] for x in of(found, "steps")] == [4, 4]
    assert of(found, "step")[0]["order"] == ["backward x4", "step"]


@test
def each_forked_process_has_a_file():
    out, found = program(SMALL + """
    import os
    if os.fork() == 0:
        steps(torch.optim.SGD(model.parameters(), lr=0.1), 2)
        import sys; sys.stdout.flush()
        os._exit(0)
    os.wait()
    """, "fork")
    assert len(out.splitlines()) == 2
    assert [x["step"] for x in of(found, "step")] == [1, 2]
    assert {x["pid"] for x in found} == {found[0]["pid"]}


@test
def a_forked_process_repeats_nothing():
    out, found = program(SMALL + """
    import atexit, os, sys
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps(optimizer, 7)
    sys.stdout.flush()
    for more in (0, 2):
        if os.fork() == 0:
            steps(optimizer, more)
            sys.stdout.flush()
            atexit._run_exitfuncs()
            os._exit(0)
        os.wait()
    """, "fork-end")
    pids = [x["pid"] for x in found]
    own = of(found, "optimizer")[0]["pid"]
    ends = {x["pid"] == own: x["steps"] for x in of(found, "optimizer_end")}
    assert ends == {True: 7, False: 9} and len(of(found, "optimizer_end")) == 2, ends
    assert len(set(pids)) == 2, pids  # the child that trained nothing left no file
    rows = [(x["pid"] == own, x["first"], len(x["seconds"])) for x in of(found, "steps")]
    assert sorted(rows) == [(False, 8, 2), (True, 1, 1), (True, 2, 1), (True, 3, 1), (True, 4, 4)], rows
    child = [x for x in of(found, "process") if x["pid"] != own]
    assert [x["forked_from"] for x in child] == [own]


@test
def a_module_that_was_only_looked_for_is_followed():
    text = """
    import importlib.util, sys
    assert importlib.util.find_spec("torch") and "torch" not in sys.modules
    import torch
    model = torch.nn.Linear(2, 2)
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    """
    seen = place("find/probe")
    done = run(["-c", textwrap.dedent(text)], place("find"), probe=seen)
    assert done.returncode == 0 and of(lines(seen), "optimizer_end")[0]["steps"] == 1, done.stderr


@test
def a_descriptor_of_the_program_is_never_written_to():
    out, found = program(SMALL + """
    import os
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps(optimizer, 1)
    os.closerange(3, 256)
    own = [os.open(f"weights-{i}", os.O_WRONLY | os.O_CREAT) for i in range(8)]
    steps(optimizer, 4)
    print(sum(os.fstat(one).st_size for one in own))
    """, "descriptors")
    assert out.endswith("\n0\n"), out
    assert [x["step"] for x in of(found, "step")] == [1, 2, 3, 5]


@test
def without_errors_nothing_goes_to_the_output():
    folder = place("no-errors")
    os.makedirs(folder)
    with open(os.path.join(folder, "file"), "w", encoding="utf-8"):
        pass
    words = ["sh", "-c", 'exec "$0" "$@" 2>&-', sys.executable, "-c", "print('trained')"]
    done = subprocess.run(words, env=environment(os.path.join(folder, "file")), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "trained\n"), done
    out, _ = program("""
    import os, sys
    sys.stderr.close()
    os.environ["PORTSIDE_PROBE"] = __import__("sys").executable
    import portside_probe
    portside_probe.start()
    print("goes on")
    """, "closed-errors", probe=False, path=[PROBE])
    assert out == "goes on\n"


@test
def what_lies_at_the_name_of_the_file_stays():
    out, found = program(SMALL + """
    import os
    os.makedirs(os.environ["PORTSIDE_PROBE"], exist_ok=True)
    name = os.path.join(os.environ["PORTSIDE_PROBE"], f"probe-0-{os.getpid()}")
    os.mkfifo(name + ".jsonl")
    with open(name + "-2.jsonl", "w") as f:
        f.write("of another process\\n")
    steps(torch.optim.SGD(model.parameters(), lr=0.1), 1)
    with open(name + "-2.jsonl") as f:
        print(f.read())
    os.unlink(name + ".jsonl"), os.unlink(name + "-2.jsonl")
    """, "name")
    assert out.endswith("of another process\n\n") and of(found, "optimizer_end"), out


@test
def a_step_that_failed_is_followed_when_tried_again():
    out, found = program(SMALL + """
    class Failing(torch.optim.SGD):
        failed = False
        def step(self):
            if not self.failed:
                self.failed = True
                raise RuntimeError("out of memory")
            return super().step()
    optimizer = Failing(model.parameters(), lr=0.1)
    try:
        steps(optimizer, 1)
    except RuntimeError as problem:
        print(problem)
    steps(optimizer, 2)
    """, "again")
    assert out.startswith("out of memory\n") and of(found, "optimizer_end")[0]["steps"] == 2, out


@test
def ids_of_a_batch_are_all_of_them():
    text = """
    import numpy, torch.utils.data as data
    class Sampler:
        def __len__(self):
            raise TypeError("nobody knows")
        def __iter__(self):
            ids = numpy.arange(2000)
            if SWAP:
                ids[[900, 1100]] = ids[[1100, 900]]
            return iter([ids])
    class Dataset:
        def __getitem__(self, i):
            return float(i)
        def __len__(self):
            raise TypeError("nobody knows")
    for batches in (Sampler(), [[1, 2], [3]]):
        for batch in data.DataLoader(Dataset(), batch_sampler=batches):
            pass
    """
    passes = [of(program(text.replace("SWAP", swap), "ids-" + swap)[1], "loader_pass") for swap in ("False", "True")]
    for one in passes:
        assert [(x["batches"], x["examples"]) for x in one] == [(1, 2000), (2, 3)], one
    assert passes[0][0]["first"] != passes[1][0]["first"] and passes[0][1]["first"] == passes[1][1]["first"]


@test
def no_method_of_the_program_is_called():
    out, found = program("""
    class Model(torch.nn.Linear):
        def state_dict(self, *args, **kwargs):
            raise SystemExit("a state is gathered from all processes")
        def __reduce__(self):
            return (float, ())
    class Lazy:
        def __getattr__(self, name):
            print("asked for", name)
            raise AttributeError(name)
    model = Model(2, 3)
    torch.save({"model": model, "rows": torch.ones(2)}, "model.pt")
    torch.save([1], "list.pt", _use_new_zipfile_serialization=True)
    from portside_probe import tensors
    print(tensors.inside([Lazy(), torch.ones(1)]))
    """, "methods")
    assert out == "{'1': tensor([1.])}\n", out
    assert [(x["tensors"], x["elements"]) for x in of(found, "saved")] == [(3, 11), (0, 0)]
    assert not of(found, "broken")


@test
def a_traced_program_is_what_it_is():
    text = SMALL + """
    import torch.fx
    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = model
        def forward(self, x):
            return self.inner(x)
    print(torch.jit.trace(Outer(), torch.ones(2, 4)).inlined_graph)
    print(torch.fx.symbolic_trace(Outer()).graph)
    """
    without, _ = program(text, "trace-without", probe=False)
    out, found = program(text, "trace")
    assert out == without and not of(found, "broken"), out
    with open(os.path.join(place("trace"), "errors"), encoding="utf-8") as f:
        assert f.read() == ""


@test
def a_compiler_sees_no_hook():
    out, found = program("""
    import types
    torch.compiler = types.SimpleNamespace(is_compiling=lambda: compiling)
    import portside_probe.torch_hooks
    portside_probe.torch_hooks.install()
    """ + textwrap.indent(textwrap.dedent(SMALL), "    ") + """
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    compiling = True
    steps(optimizer, 2)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    compiling = False
    steps(optimizer, 1)
    """, "compiler")
    assert of(found, "optimizer_end")[0]["steps"] == 1 and not of(found, "clip")


@test
def a_limit_of_time_of_the_program_holds_within_a_hook():
    out, found = program(SMALL + """
    import signal, time
    import portside_probe.tensors
    def late(number, frame):
        raise TimeoutError("the program's own limit")
    signal.signal(signal.SIGALRM, late)
    def norm(tensors):
        signal.raise_signal(signal.SIGALRM)
    portside_probe.tensors.norm = norm
    try:
        steps(torch.optim.SGD(model.parameters(), lr=0.1), 1)
    except TimeoutError as problem:
        print(problem)
    """, "alarm")
    assert out == "the program's own limit\n" and not of(found, "broken"), out


@test
def a_hook_that_raised_keeps_no_tensor():
    out, found = program(SMALL + """
    import gc, weakref
    import portside_probe.tensors
    def norm(tensors):
        raise ValueError("a fault of the probe")
    portside_probe.tensors.norm = norm
    steps(torch.optim.SGD(model.parameters(), lr=0.1), 1)
    kept = weakref.ref(model)
    del model, steps
    gc.collect()
    print(kept() is None)
    """, "kept")
    assert out.endswith("\nTrue\n") and len(of(found, "broken")) == 1, out
    assert of(found, "optimizer_end")[0]["steps"] == 1  # the rest of the hook went on


@test
def lines_that_were_lost_are_counted():
    out, _ = program("""
    import json, os, resource, signal
    import portside_probe.journal as journal
    journal.write("mark", name="before")
    path = journal._path
    size = os.path.getsize(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, resource.RLIM_INFINITY))
    journal.write("mark", name="cut")
    journal.write("mark", name="lost")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.write("mark", name="after")
    with open(path, encoding="utf-8") as f:
        text = f.read().splitlines()
    os.unlink(path)
    last = json.loads(text[-1])
    print(len(text[-2]), last["name"], last["lost"], json.loads(text[-3])["name"])
    """, "lost")
    assert out == "20 after 2 before\n", out


@test
def no_value_is_waited_for_while_a_graph_is_captured():
    out, _ = program("""
    import types
    from portside_probe import tensors
    on_gpu = types.SimpleNamespace(device=types.SimpleNamespace(type="cuda"))
    for captured in (True, False):
        torch.cuda.is_current_stream_capturing = lambda: captured
        print(tensors.readable(on_gpu))
    """, "capture")
    assert out == "False\nTrue\n", out


@test
def of_a_spread_tensor_only_the_own_part_is_read():
    out, _ = program("""
    from portside_probe import tensors, torch_hooks
    class Spread(torch.Tensor):
        def to_local(self):
            return self.as_subclass(torch.Tensor)[:1]
    told = tensors.norm([torch.tensor([3.0, 4.0]).as_subclass(Spread)])
    print(told["norm"], told["local"])
    one = tensors.checksum([torch.ones(4).as_subclass(Spread)])
    print(one["bytes"], one["local"], torch_hooks._changed(one, one))
    """, "spread")
    assert out == "3.0 True\n4 True None\n", out


@test
def rates_of_groups_are_of_one_step():
    out, found = program(SMALL + """
    groups = [{"params": model[0].parameters(), "lr": 0.1}, {"params": model[2].parameters(), "lr": 0.2}]
    steps(torch.optim.SGD(groups, lr=0.3), 5)
    """, "groups")
    assert [x["lr"] for x in of(found, "steps")] == [[[0.1, 0.2]]] * 3 + [[[0.1, 0.2]] * 2], of(found, "steps")


@test
def files_of_one_name_are_told_apart():
    out, found = program("""
    import os
    for name in ("checkpoint-1", "checkpoint-2"):
        os.mkdir(name)
        torch.save([torch.ones(1)], name + "/model.pt")
    torch.load("./checkpoint-1/model.pt")
    """, "places")
    one, two = (x["place"] for x in of(found, "saved"))
    assert one != two and of(found, "loaded")[0]["place"] == one and "checkpoint" not in json.dumps(of(found, "saved"))


@test
def how_many_values_were_reduced():
    out, found = program(SMALL + f"""
    import torch.distributed as dist
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:{PORT + 90}", rank=0, world_size=1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(3, 4)).sum()
    loss.backward()
    dist.all_reduce(loss.detach())
    optimizer.step()
    for p in model.parameters():
        dist.all_reduce(p.grad)
    optimizer.step()
    """, "values")
    assert [(x["reduced_elements"], x["gradient_elements"]) for x in of(found, "step")] == [(1, 58), (58, 58)]


@test
def secrets_are_no_evidence():
    _, found = program(SMALL + "    steps(torch.optim.SGD(model.parameters(), lr=0.1))", "secrets",
                       XLA_TOKEN="hunter2", XLA_FLAGS="--a=b", HF_TOKEN="hunter2", MY_SETTING="hunter2")
    text = json.dumps(found)
    assert "hunter2" not in text
    assert found[0]["environment"]["XLA_FLAGS"] == "--a=b"


@test
def a_file_has_a_limit():
    _, found = program("""
    import portside_probe.journal as journal
    journal._LIMIT = 3000
    for i in range(200):
        journal.write("mark", name="x" * 50)
        if i == 3:
            journal._LIMIT = journal._written  # to the byte
    """, "limit")
    assert found[-1]["kind"] == "full" and len(of(found, "full")) == 1
    assert os.path.getsize(os.path.join(place("limit/probe"), os.listdir(place("limit/probe"))[0])) < 3300


@test
def looking_closely_has_a_share_of_the_time():
    _, found = program(SMALL + """
    import time
    import portside_probe.guard as guard
    guard._spent_s = 1e9
    steps(torch.optim.SGD(model.parameters(), lr=0.1), 3)
    """, "share")
    assert not of(found, "step") and len(of(found, "skipped")) == 3
    assert of(found, "optimizer_end")[0]["steps"] == 3


@test
def what_a_program_says_itself():
    _, found = program("""
    import portside_probe
    portside_probe.start()
    portside_probe.mark("evaluated", accuracy=0.5, best=float("nan"))
    portside_probe.predictions("dev set", [7, 8], [torch.tensor(1), 0], [1, 1])
    """, "says")
    assert of(found, "mark")[0]["values"] == {"accuracy": 0.5, "best": "nan"}
    with open(os.path.join(place("says/probe"), "predictions-dev_set-0.jsonl"), encoding="utf-8") as f:
        assert f.read() == '{"id":7,"prediction":1,"label":1}\n{"id":8,"prediction":0,"label":1}\n'


# ---- the libraries of a migration, as stand-ins -----------------------------------------

XLA = """
    import torch_xla, torch_xla.core.xla_model as xm
    from torch_xla import lazy
    model = torch.nn.Linear(4, 2)
    for name, p in list(model.named_parameters()):
        setattr(model, name, torch.nn.Parameter(lazy.to_device(p, True)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for i in range(3):
        loss = model(lazy.to_device(torch.full((6, 4), float(i)))).square().mean()
        loss.backward()
        CLIP
        xm.optimizer_step(optimizer, barrier=True)
        optimizer.zero_grad()
        losses.append(loss)
    print("reads", lazy.reads)
    for loss in losses:
        print(loss.detach().inner.item().hex())
"""


@test
def no_value_is_read_on_a_lazy_device():
    text = XLA.replace("CLIP", "pass")
    without, _ = program(text, "xla-without", probe=False, path=[STAND_INS])
    out, found = program(text, "xla", path=[STAND_INS])
    assert out == without and out.startswith("reads 0\n"), (out, without)
    assert not of(found, "broken"), of(found, "broken")
    one = of(found, "step")[0]
    assert one["devices"] == {"xla:0": 2} and one["before"] == {"not_available": "lazy device: reading would run its graph"}
    assert one["changed"] is None
    assert of(found, "forward", step=1)[0]["batch"]["tensors"]["0"]["device"] == "xla:0"
    assert one["order"] == ["backward", "xla optimizer_step", "reduce gradients", "step"]


@test
def values_of_a_lazy_device_are_read_when_asked_for():
    text = XLA.replace("CLIP", "pass")
    out, found = program(text, "xla-values", path=[STAND_INS], PORTSIDE_PROBE_VALUES="1")
    assert not out.startswith("reads 0\n"), out
    assert of(found, "process")[0]["values_of_lazy_devices"] is True
    assert of(found, "step")[0]["changed"] is True and "crc32" in of(found, "step")[0]["before"]
    told = of(lines(place("xla/probe")), "process")[0]
    assert told["values_of_lazy_devices"] is False


@test
def the_world_of_xla_is_asked_after_a_step():
    found = lines(place("xla/probe"))
    world = of(found, "world")[0]
    assert (world["world"], world["hardware"], world["real_devices"]) == (1, "TPU", ["TPU:0"])
    assert found.index(world) > found.index(of(found, "step")[0])


@test
def the_report_of_xla_is_kept():
    name = [n for n in os.listdir(place("xla/probe")) if n.startswith("xla-metrics-")]
    with open(os.path.join(place("xla/probe"), name[0]), encoding="utf-8") as f:
        assert f.read() == "[MetricsData; step=2]\nCounter: MarkStep\n  Value: 3\n\n\n"


@test
def clipping_before_the_reduction_of_xla():
    text = XLA.replace("CLIP", "torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)")
    _, found = program(text, "xla-clip", path=[STAND_INS], STAND_IN_WORLD="4")
    one = of(found, "step")[0]
    order = ["backward", "clip", "xla optimizer_step", "reduce x2", "reduce gradients", "step"]
    assert one["order"] == order, one["order"]
    assert of(found, "world")[0]["world"] == 4


@test
def torch_tpu_says_how_many_chips():
    _, found = program(SMALL + """
    import torch_tpu
    steps(torch.optim.SGD(model.parameters(), lr=0.1), 1)
    """, "tpu", path=[STAND_INS])
    assert of(found, "torch_tpu")[0]["version"] == "0.1.1.dev20260923"
    world = of(found, "world")[0]
    assert world["is_available"] is True and world["device_count"] == 4


@test
def accelerate_reduces_before_it_clips():
    _, found = program(SMALL + """
    from accelerate import Accelerator
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(3, 4)).sum().backward()
    accelerator.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    """, "accelerate", path=[STAND_INS])
    one = of(found, "accelerator")[0]
    assert (one["mixed_precision"], one["gradient_accumulation_steps"]) == ("bf16", 2)
    assert of(found, "step")[0]["order"] == ["backward", "accelerate clip", "reduce x4", "clip", "step"]


@test
def the_trainer_tells_its_arguments_and_evaluations():
    _, found = program("""
    import transformers
    from transformers.trainer import Arguments
    trainer = transformers.Trainer(args=Arguments(max_grad_norm=1.0, hub_token="hunter2", logging_nan_inf_filter=True),
                                   train_dataset=[1] * 10, eval_dataset=[1] * 3)
    trainer.evaluation_loop(None)
    trainer._load_best_model()
    transformers.PreTrainedModel().save_pretrained("checkpoint-50")
    """, "trainer", path=[STAND_INS], PORTSIDE_PROBE_PREDICTIONS="1")
    one = of(found, "trainer")[0]
    assert one["arguments"] == {"logging_nan_inf_filter": True, "max_grad_norm": 1.0}
    assert (one["train_examples"], one["evaluation_examples"]) == (10, 3)
    assert of(found, "evaluated")[0]["examples"] == 3
    assert of(found, "best_restored")[0]["file"] == "checkpoint-40"
    assert of(found, "saved_model")[0]["files"] == {"model.safetensors": 321}
    with open(os.path.join(place("trainer/probe"), "predictions-eval-0.jsonl"), encoding="utf-8") as f:
        assert [json.loads(line)["prediction"] for line in f] == [1, 0, 1]


def main():
    failed = 0
    print(f"1..{len(tests)}")
    for number, one in enumerate(tests, 1):
        if sys.argv[1:] and one.__name__ not in sys.argv[1:]:
            continue
        try:
            one()
            print(f"ok {number} - {one.__name__}", flush=True)
        except Exception as problem:
            failed = 1
            for line in f"{type(problem).__name__}: {problem}"[:3000].splitlines():
                print("#", line)
            where = problem.__traceback__
            while where.tb_next and where.tb_next.tb_frame.f_code.co_filename == __file__:
                where = where.tb_next
            print(f"# line {where.tb_lineno}")
            print(f"not ok {number} - {one.__name__}", flush=True)
    shutil.rmtree(work, ignore_errors=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
