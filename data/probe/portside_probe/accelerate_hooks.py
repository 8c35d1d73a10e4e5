"""accelerate: what its Accelerator was set to, and the order of clipping and reduction."""

import os
import sys

from . import journal, torch_hooks
from .guard import wrap


def install():
    kind = sys.modules["accelerate.accelerator"].Accelerator
    wrap(kind, "__init__", after=_made)
    wrap(kind, "clip_grad_norm_", before=_clips)
    wrap(kind, "clip_grad_value_", before=_clips)
    wrap(kind, "gather_for_metrics", after=_gathered)
    os.register_at_fork(after_in_child=_forked)


def _forked():
    global _examples
    _examples = 0


def _made(_kept, _result, args, _kwargs):
    a = args[0]
    names = ("distributed_type", "num_processes", "process_index", "device", "mixed_precision",
             "gradient_accumulation_steps", "split_batches", "even_batches")
    journal.write("accelerator", **{n: journal.plain(getattr(a, n, None)) for n in names})
    if isinstance(getattr(a, "process_index", None), int):
        journal.set_rank(a.process_index)


def _clips(_args, _kwargs):
    torch_hooks.happened("accelerate clip")


_examples = 0


def _gathered(_kept, result, _args, _kwargs):
    """How many examples an evaluation of one's own gathered over all processes, so far."""
    global _examples
    from . import tensors
    from .schedule import chosen

    first = next(iter(tensors.inside(result).values()), None)
    if first is not None and first.dim() > 0:
        _examples += first.shape[0]
        if chosen(_examples):
            journal.write("gathered", examples=_examples)
