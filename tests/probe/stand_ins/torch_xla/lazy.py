"""Tensors that say they lie on an XLA device, and count who reads their values.

Operations are done at once on the CPU, which is what PyTorch itself takes them for;
reading a value or copying it to the host is what would run a graph on a real lazy
device, so each is counted in `reads`.
"""

import torch
from torch.utils._pytree import tree_map

reads = 0
_HOST_READS = ("aten::_local_scalar_dense", "aten::item", "aten::is_nonzero", "aten::equal")


def _count():
    global reads
    reads += 1


class LazyTensor(torch.Tensor):
    @staticmethod
    def __new__(cls, inner, requires_grad=False):
        made = torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, dtype=inner.dtype, device=inner.device, requires_grad=requires_grad
        )
        made.inner = inner
        return made

    __torch_function__ = torch._C._disabled_torch_function_impl

    @property
    def device(self):
        return torch.device("xla:0")

    def cpu(self, *_args, **_words):
        _count()
        return self.inner

    def numpy(self, *_args, **_words):
        _count()
        return self.inner.detach().numpy()

    def tolist(self):
        _count()
        return self.inner.tolist()

    def data_ptr(self):
        raise RuntimeError("an XLA tensor has no address")

    def __repr__(self):
        return f"LazyTensor({tuple(self.shape)})"

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        if function._schema.name in _HOST_READS:
            _count()
        kwargs = {k: v for k, v in (kwargs or {}).items() if k != "device"}
        return tree_map(_outer, function(*tree_map(_inner, args), **tree_map(_inner, kwargs)))


def _inner(x):
    return x.inner if isinstance(x, LazyTensor) else x


def _outer(x):
    return LazyTensor(x) if isinstance(x, torch.Tensor) and not isinstance(x, LazyTensor) else x


def to_device(tensor, requires_grad=False):
    return LazyTensor(tensor.detach(), requires_grad)
