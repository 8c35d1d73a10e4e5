"""Reduction of gradients over processes: torch.distributed and its wrapper modules."""

import weakref

from . import imports, journal, torch_hooks
from .guard import wrap

_wrappers = weakref.WeakSet()


def install():
    import torch.distributed as dist

    wrap(dist, "init_process_group", after=_joined)
    for name in ("all_reduce", "reduce", "reduce_scatter", "reduce_scatter_tensor", "all_reduce_coalesced"):
        wrap(dist, name, after=_reduced)
    imports.after("torch.nn.parallel.distributed", "torch_wrappers")
    imports.after("torch.distributed.fsdp.fully_sharded_data_parallel", "torch_wrappers")


def _joined(_kept, _result, _args, _kwargs):
    import torch.distributed as dist

    journal.set_rank(dist.get_rank())
    journal.write("world", world=dist.get_world_size(), backend=str(dist.get_backend()))


def _reduced(_kept, _result, args, kwargs):
    torch_hooks.reduced(args[0] if args else kwargs.get("tensor"))


def follow(module):
    """A wrapper that reduces gradients while they are made."""
    _wrappers.add(module)


def reduces_in_backward():
    """True where a wrapper reduces in this backward pass; its no_sync() turns that off."""
    return any(getattr(m, "require_backward_grad_sync", True) for m in _wrappers)
