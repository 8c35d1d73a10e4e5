"""One JSON object a line, in a file of this process.

The file is made with the first line that is worth a file, so a helper process
that trains nothing leaves none.  A line is one write(2) at the end of the file:
a kill leaves whole lines and at most one that is cut.  A process that was forked
writes a file of its own.  A file ends after 32 MiB; a last line says so.

It is opened for each line and closed again.  A descriptor that stays open is one
that the program may close and get anew for a file of its own, which lines of ours
would then go into.  A line that could not be written is counted, and the next one
that could says how many were lost.
"""

import json
import math
import os
import threading
import time

FORMAT = 1
_LIMIT = 32 * 1024 * 1024

_lock = threading.RLock()  # a signal handler of the program may come back here
_folder = None
_path = None  # of the file of this process, once it was made
_written = 0
_full = False  # and its last line says so
_lost = 0  # lines that could not be written since the last one
_torn = False  # the file ends in the middle of a line
_waiting = []


def open_folder():
    """True the first time where PORTSIDE_PROBE names a folder that is there or can be made."""
    global _folder
    folder = os.environ.get("PORTSIDE_PROBE")
    if _folder is not None or not folder:
        return False
    folder = os.path.abspath(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    _folder = folder
    os.register_at_fork(after_in_child=_forked)
    return True


def folder():
    return _folder


def _forked():
    global _path, _written, _lock, _lost, _torn, _full
    _lock = threading.RLock()
    _path = None
    _written = _lost = 0
    _torn = _full = False
    now = {"time": round(time.time(), 6), "pid": os.getpid()}
    _waiting[:] = [dict(line, forked_from=line.get("pid"), **now) for line in _first]


_first = []


def describe(kind, **fields):
    """Keeps a line that stands at the beginning of each file, once there is one."""
    line = _line(kind, fields)
    _first.append(line)
    _waiting.append(line)


def write(kind, **fields):
    """Writes one line; nothing where no folder was given."""
    if _folder is None:
        return
    with _lock:
        if _path is None and not _make():
            return
        for line in _waiting:
            _put(line)
        _waiting.clear()
        _put(_line(kind, fields))


def _line(kind, fields):
    line = {"probe": FORMAT, "kind": kind, "time": round(time.time(), 6), "pid": os.getpid(), "rank": rank()}
    line.update(fields)
    return line


# What lies there and is no plain file is not waited for.
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_FILES_OF_A_NUMBER = 100


def _make():
    """Makes the file of this process: a new one, since numbers of processes come again."""
    global _path, _lost
    name = os.path.join(_folder, f"probe-{rank()}-{os.getpid()}")
    for i in range(1, _FILES_OF_A_NUMBER):
        path = f"{name}.jsonl" if i == 1 else f"{name}-{i}.jsonl"
        try:
            os.close(os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        except OSError:
            break
        _path = path
        return True
    _lost += 1
    return False


def _append(data):
    """True when all of DATA is at the end of the file."""
    global _torn
    if _torn:
        data = b"\n" + data
    try:
        file = os.open(_path, _FLAGS)
    except OSError:
        return False
    try:
        written = os.write(file, data)
    except OSError:
        return False
    finally:
        os.close(file)
    if written > 0:
        _torn = written < len(data)
    return written == len(data)


def _put(line):
    global _written, _lost, _full
    if _full:
        return
    if _lost:
        line = dict(line, lost=_lost)
    data = (json.dumps(line, separators=(",", ":"), allow_nan=False, default=_word) + "\n").encode("utf-8", "replace")
    _full = _written + len(data) > _LIMIT
    if _full:
        data = (json.dumps(_line("full", {"limit": _LIMIT})) + "\n").encode()
    else:
        _written += len(data)
    _lost = 0 if _append(data) else _lost + 1


def _word(x):
    """What JSON has no form for: its kind, since its text may cost, or be, anything."""
    return f"({type(x).__name__})"


def rank():
    """The rank of this process among those that train together, 0 where there is one."""
    for name in ("RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"):
        text = os.environ.get(name, "")
        if text.isdigit():
            return int(text)
    return _rank


_rank = 0


def set_rank(number):
    """A rank that only the program knows."""
    global _rank
    _rank = int(number)


def number(x):
    """X as JSON takes it: NaN and the infinities as the words "nan", "inf", "-inf"."""
    x = float(x)
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return x


def plain(x):
    """X as a number, a truth value or a short text."""
    if x is None or isinstance(x, (bool, int)):
        return x
    if isinstance(x, float):
        return number(x)
    return str(x)[:200]


def length(x):
    """How many examples X says it has; None where it does not tell."""
    try:
        return len(x)
    except Exception:
        return None


def is_open():
    """True once this process has a file."""
    return _path is not None
