"""One JSON object a line, in a file of this process.

The file is made with the first line that is worth a file, so a helper process
that trains nothing leaves none.  A line is one write(2) at the end of the file:
a kill leaves whole lines and at most one that is cut.  A process that was forked
writes a file of its own.  A file ends after 32 MiB; a last line says so.
"""

import json
import math
import os
import threading
import time

FORMAT = 1
_LIMIT = 32 * 1024 * 1024

_lock = threading.Lock()
_folder = None
_file = None
_written = 0
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
    global _file, _written, _lock
    _lock = threading.Lock()
    _file = None
    _written = 0
    _waiting[:] = [dict(line, pid=os.getpid()) for line in _first]


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
        if not _open():
            return
        for line in _waiting:
            _put(line)
        _waiting.clear()
        _put(_line(kind, fields))


def _line(kind, fields):
    line = {"probe": FORMAT, "kind": kind, "time": round(time.time(), 6), "pid": os.getpid(), "rank": rank()}
    line.update(fields)
    return line


def _open():
    global _file
    if _file is None:
        name = os.path.join(_folder, f"probe-{rank()}-{os.getpid()}.jsonl")
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        try:
            _file = os.open(name, flags, 0o600)
        except OSError:
            _file = -1
    return _file >= 0


def _put(line):
    global _written, _file
    data = (json.dumps(line, separators=(",", ":"), allow_nan=False, default=str) + "\n").encode("utf-8", "replace")
    if _written + len(data) > _LIMIT:
        if _written < _LIMIT:
            data = (json.dumps(_line("full", {"limit": _LIMIT})) + "\n").encode()
            _written = _LIMIT
        else:
            return
    else:
        _written += len(data)
    try:
        os.write(_file, data)
    except OSError:
        _file = -1  # a full disk ends the record, not the run


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


def is_open():
    """True once this process has a file."""
    return _file is not None and _file >= 0
