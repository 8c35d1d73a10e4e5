"""The process and its computer: versions, environment, memory."""

import atexit
import os
import platform
import sys
import time

from . import journal
from .guard import quiet, spent_s

# Values of these are recorded; of all others not even the names.
_ENVIRONMENT = (
    "PJRT_", "PT_XLA_", "XLA_", "LIBTPU_INIT_ARGS", "TPU_", "TORCH_TPU_", "JAX_DEFAULT_MATMUL_PRECISION",
    "NVIDIA_TF32_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG", "CUDA_VISIBLE_DEVICES", "WORLD_SIZE", "RANK", "LOCAL_RANK",
    "LOCAL_WORLD_SIZE", "OMP_NUM_THREADS", "PYTHONHASHSEED", "ACCELERATE_MIXED_PRECISION", "TORCH_TRACE",
)
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


def start():
    journal.describe(
        "process",
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        program=os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else "",
        processors=os.cpu_count(),
        moment="start of Python",
        values_of_lazy_devices=os.environ.get("PORTSIDE_PROBE_VALUES") == "1",
        environment=_environment(),
    )
    atexit.register(_end)


def _environment():
    return {
        name: value[:500]
        for name, value in sorted(os.environ.items())
        if name.startswith(_ENVIRONMENT) and not any(word in name.upper() for word in _SECRET)
    }


def memory_bytes():
    """What of the process lies in memory now; None where the system does not tell."""
    try:
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


_packages_told = False


def packages():
    """The packages that are installed, once a process."""
    global _packages_told
    if _packages_told:
        return
    _packages_told = True
    from importlib import metadata

    found = {}
    for one in metadata.distributions():
        name = one.metadata.get("Name") if one.metadata else None
        if name:
            found.setdefault(name, one.version)
    journal.write("packages", packages=dict(sorted(found.items(), key=lambda item: item[0].lower())))


_at_end = []


def at_end(function):
    """Calls FUNCTION before the last line of the process."""
    _at_end.append(quiet(function))


@quiet
def _last_line():
    journal.write("end", memory_bytes=memory_bytes(), probe_seconds=round(spent_s(), 6), clock=time.monotonic())


def _end():
    for function in _at_end:
        function()
    if journal.is_open():
        _last_line()
