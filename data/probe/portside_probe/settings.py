"""Numbers and randomness: which precision is in force, and where the generators stand."""

import random
import sys
import zlib

from . import journal


def numbers(torch):
    """The switches that change results; those that this PyTorch lacks are left out."""
    told = {"default_dtype": str(torch.get_default_dtype()).replace("torch.", "")}
    _put(told, "autocast", lambda: torch.is_autocast_enabled())
    _put(told, "autocast_cpu", lambda: torch.is_autocast_cpu_enabled())
    _put(told, "autocast_dtype", lambda: str(torch.get_autocast_gpu_dtype()).replace("torch.", ""))
    _put(told, "autocast_cpu_dtype", lambda: str(torch.get_autocast_cpu_dtype()).replace("torch.", ""))
    _put(told, "matmul_precision", lambda: torch.get_float32_matmul_precision())
    _put(told, "tf32_matmul", lambda: torch.backends.cuda.matmul.allow_tf32)
    _put(told, "tf32_convolution", lambda: torch.backends.cudnn.allow_tf32)
    _put(told, "deterministic", lambda: torch.are_deterministic_algorithms_enabled())
    return told


def _put(told, name, ask):
    try:
        told[name] = journal.plain(ask())
    except Exception:
        pass


def random_state(torch):
    """A checksum of each generator's state; reading it does not move it."""
    told = {"torch": _crc(bytes(torch.get_rng_state().numpy().tobytes()))}
    told["python"] = _crc(repr(random.getstate()).encode())
    _put(told, "numpy", _state_of_numpy)
    return told


def _state_of_numpy():
    state = sys.modules["numpy"].random.get_state()
    if isinstance(state, dict):  # another generator was put in its place
        return _crc(repr(state).encode())
    kind, keys, place, *_ = state
    return _crc(keys.tobytes() + str(place).encode() + str(kind).encode())


def _crc(data):
    return f"{zlib.crc32(data):08x}"
