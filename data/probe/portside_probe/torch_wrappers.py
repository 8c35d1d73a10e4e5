"""Modules that wrap a model to train it in several processes."""

import sys

from . import journal, torch_reduce
from .guard import wrap

_KINDS = (
    ("torch.nn.parallel.distributed", "DistributedDataParallel"),
    ("torch.distributed.fsdp.fully_sharded_data_parallel", "FullyShardedDataParallel"),
)


def install():
    for module, name in _KINDS:
        kind = getattr(sys.modules.get(module), name, None)
        if kind is not None:
            wrap(kind, "__init__", after=_made)


def _made(_kept, _result, args, _kwargs):
    module = args[0]
    torch_reduce.follow(module)
    journal.write("wrapper", type=type(module).__name__, model=type(getattr(module, "module", None)).__name__)
