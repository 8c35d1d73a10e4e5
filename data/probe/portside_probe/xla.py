"""PyTorch/XLA: reductions, sync calls, the device that is really there, the metrics report.

Nothing is asked of the runtime before the program itself has run a step: asking
would start it, and a program that forks later would hang.
"""

import atexit
import os
import sys

from . import journal, torch_hooks
from .guard import quiet, wrap
from .schedule import chosen

_syncs = 0
_told_world = False


def install():
    xm = sys.modules["torch_xla.core.xla_model"]
    wrap(xm, "mark_step", after=_synced)
    wrap(xm, "reduce_gradients", after=_reduced_gradients)
    wrap(xm, "all_reduce", after=_reduced)
    wrap(xm, "optimizer_step", before=_optimizer_step)
    package = sys.modules.get("torch_xla")
    if package is not None and getattr(package, "sync", None) is not getattr(xm, "mark_step", None):
        wrap(package, "sync", after=_synced)
    os.register_at_fork(after_in_child=_forked)
    # After torch_xla's own, so it runs before that one shuts the runtime down.
    atexit.register(_last_report)


def _forked():
    """The runtime is the parent's: a child that does not use it must not ask it."""
    global _syncs, _told_world
    _syncs = 0
    _told_world = False


def _optimizer_step(_args, _kwargs):
    torch_hooks.happened("xla optimizer_step")


def _reduced_gradients(_kept, _result, _args, _kwargs):
    torch_hooks.happened("reduce gradients")


def _reduced(_kept, _result, args, kwargs):
    torch_hooks.reduced(args[1] if len(args) > 1 else kwargs.get("inputs"))


def _synced(_kept, _result, _args, _kwargs):
    global _syncs
    _syncs += 1
    if not _told_world:
        _tell_world()
    if _syncs >= 20 and chosen(_syncs):
        _report()


def _ask(owner, name, *args):
    function = getattr(owner, name, None)
    try:
        return function(*args) if function else None
    except Exception:
        return None


def _tell_world():
    global _told_world
    _told_world = True
    xm = sys.modules["torch_xla.core.xla_model"]
    runtime = sys.modules.get("torch_xla.runtime")
    world = _ask(runtime, "world_size") if runtime else None
    rank = _ask(runtime, "global_ordinal") if runtime else None
    if world is None:
        world, rank = _ask(xm, "xrt_world_size"), _ask(xm, "get_ordinal")
    device = _ask(xm, "xla_device")
    told = {
        "world": world,
        "backend": "xla",
        "device": str(device) if device is not None else None,
        "hardware": _ask(xm, "xla_device_hw", device) if device is not None else None,
        "real_devices": _ask(xm, "xla_real_devices", [str(device)]) if device is not None else None,
        "local_devices": _ask(runtime, "addressable_device_count") if runtime else None,
        "all_devices": _ask(runtime, "global_device_count") if runtime else None,
        "spmd": _ask(runtime, "is_spmd") if runtime else None,
        "matmul_precision": _matmul_precision(),
    }
    if rank is not None:
        journal.set_rank(rank)
    journal.write("world", **told)


def _matmul_precision():
    module = sys.modules.get("torch_xla.backends")
    return _ask(module, "get_mat_mul_precision") if module else None


def _report():
    """Appends the metrics report, in the form of XLA_METRICS_FILE."""
    metrics = sys.modules.get("torch_xla.debug.metrics")
    if metrics is None:
        import torch_xla.debug.metrics as metrics
    text = metrics.metrics_report()
    path = os.path.join(journal.folder(), f"xla-metrics-{journal.rank()}-{os.getpid()}.txt")
    with open(path, "a", encoding="utf-8") as out:
        out.write(f"[MetricsData; step={_syncs - 1}]\n{text}\n\n")
    journal.write("xla_metrics", syncs=_syncs, file=os.path.basename(path))


@quiet
def _last_report():
    if _syncs:
        _report()
