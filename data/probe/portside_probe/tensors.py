"""What is said of tensors: devices, checksums, norms, batches.  Nothing is written to.

A checksum is a CRC-32 of the bytes as they lie in memory.  Of more than 64 MiB
only an evenly spaced part is read, and "sampled" tells it; two runs of one program
sample the same elements.
"""

import collections
import math
import os
import zlib

from . import journal

_LIMIT_BYTES = 64 * 1024 * 1024
_LAZY = ("xla", "lazy", "tpu")


def torch():
    import sys

    return sys.modules["torch"]


def is_tensor(x):
    return isinstance(x, torch().Tensor)


def is_lazy(tensor):
    return tensor.device.type in _LAZY


def readable(tensor):
    """True where reading values has no side effect, or was asked for."""
    if tensor.device.type == "meta" or (tensor.device.type == "cuda" and _is_captured()):
        return False
    return not is_lazy(tensor) or os.environ.get("PORTSIDE_PROBE_VALUES") == "1"


def _is_captured():
    """A graph is being captured: waiting for a value would break it off."""
    asks = getattr(torch().cuda, "is_current_stream_capturing", None)
    return asks is not None and asks()


def _own(tensor):
    """The part of a tensor that lies here, where it is spread: its whole would ask other processes."""
    tensor = tensor.detach()
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def _is_spread(tensors):
    return any(hasattr(t, "to_local") for t in tensors)


def why_not(tensors):
    return "lazy device: reading would run its graph" if any(is_lazy(t) for t in tensors) else "no values"


def devices(tensors):
    """How many tensors lie on each device: {"cuda:0": 12}."""
    return _count(str(t.device) for t in tensors)


def dtypes(tensors):
    return _count(str(t.dtype).replace("torch.", "") for t in tensors)


def _count(words):
    found = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found


def _bytes(tensor, stride):
    flat = tensor.reshape(-1)
    if stride > 1:
        flat = flat[::stride]
    if flat.device.type != "cpu":
        flat = flat.cpu()
    # As bytes, since numpy lacks some of the formats.
    return flat.contiguous().view(torch().uint8).numpy().tobytes()


def checksum(tensors):
    """{"crc32": ..., "tensors": n, "sampled": every k-th} or why it is not available."""
    tensors = list(tensors)
    if not tensors or not all(readable(t) for t in tensors):
        return {"not_available": why_not(tensors)}
    spread, tensors = _is_spread(tensors), [_own(t) for t in tensors]
    size = sum(t.numel() * t.element_size() for t in tensors)
    stride = max(1, math.ceil(size / _LIMIT_BYTES))
    value = 0
    for t in tensors:
        value = zlib.crc32(_bytes(t, stride), value)
    return _marked({"crc32": f"{value:08x}", "tensors": len(tensors), "bytes": size}, stride, spread)


def _marked(told, stride, spread):
    """What was not all of the tensors says so."""
    if stride > 1:
        told["sampled"] = stride
    if spread:
        told["local"] = True
    return told


def norm(tensors):
    """The 2-norm of all values together in double precision, not finite ones counted apart."""
    tensors = list(tensors)
    if not tensors:
        return {"not_available": "no gradient"}
    if not all(readable(t) for t in tensors):
        return {"not_available": why_not(tensors)}
    spread, tensors = _is_spread(tensors), [_own(t) for t in tensors]
    size = sum(t.numel() * t.element_size() for t in tensors)
    stride = max(1, math.ceil(size / _LIMIT_BYTES))
    total, bad = 0.0, 0
    for t in tensors:
        if t.is_sparse:
            t = t.coalesce().values()
        part = t.reshape(-1)[::stride].double()
        finite = torch().isfinite(part)
        bad += int((~finite).sum())
        total += float(part[finite].square().sum())
    told = {"norm": journal.number(math.sqrt(total)), "tensors": len(tensors), "not_finite": bad}
    return _marked(told, stride, spread)


def items(x):
    """The entries of a dictionary; None for all else, whose items() is the program's own code."""
    if isinstance(x, collections.UserDict):
        x = x.__dict__.get("data")
    return list(dict.items(x)) if isinstance(x, dict) else None


def inside(x, depth=4):
    """The tensors in nested tuples, lists and dictionaries, as {path: tensor}."""
    found = {}
    _walk(x, "", depth, found)
    return found


def _walk(x, path, depth, found):
    if len(found) >= 64 or depth < 0:
        return
    if is_tensor(x):
        found[path or "0"] = x
    elif items(x) is not None:
        for key, value in items(x):
            _walk(value, f"{path}.{key}" if path else str(key), depth - 1, found)
    elif isinstance(x, (tuple, list)):
        for i, value in enumerate(x):
            _walk(value, f"{path}.{i}" if path else str(i), depth - 1, found)


def batch(x):
    """Shape, device and checksum of what a model or a loader gives."""
    found = inside(x)
    return {
        "tensors": {
            path: {"shape": list(t.shape), "dtype": str(t.dtype).replace("torch.", ""), "device": str(t.device)}
            for path, t in found.items()
        },
        "examples": next((t.shape[0] for t in found.values() if t.dim() > 0), None),
        "checksum": checksum(found.values()) if found else {"not_available": "no tensor"},
    }
