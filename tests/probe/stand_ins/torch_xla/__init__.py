"""A stand-in for PyTorch/XLA: the names and results that its documentation gives."""

__version__ = "2.6.0"

from . import runtime  # noqa: F401
from .core import xla_model as _xla_model


def sync(wait=False):
    _xla_model.mark_step(wait)


def device(index=None):
    return _xla_model.xla_device(index)
