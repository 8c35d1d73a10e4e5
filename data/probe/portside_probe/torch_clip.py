"""Clipping of gradients: the norm before and after, and its place among the events."""

import functools

from . import journal, tensors, torch_hooks
from .guard import affordable, closely, quiet, replace, traced
from .schedule import chosen


def install():
    from torch.nn.utils import clip_grad

    for name in ("clip_grad_norm_", "clip_grad_value_"):
        _wrap(clip_grad, name)


def _wrap(owner, name):
    clip = getattr(owner, name, None)
    if clip is None:
        return

    @functools.wraps(clip)
    def clipping(parameters, *args, **kwargs):
        if traced():
            return clip(parameters, *args, **kwargs)
        # A generator is used up by the first who reads it.
        if not tensors.is_tensor(parameters):
            parameters = list(parameters)
        kept = _before(parameters)
        result = clip(parameters, *args, **kwargs)
        _after(name, kept, result, parameters, args, kwargs)
        return result

    replace(owner, name, clipping)


def _gradients(parameters):
    if tensors.is_tensor(parameters):
        parameters = [parameters]
    return [p.grad for p in parameters if p.grad is not None]


@quiet
def _before(parameters):
    if not chosen(torch_hooks.step_to_come()) or not affordable():
        return None
    with closely():
        return tensors.norm(_gradients(parameters))


@quiet
def _after(name, before, _result, parameters, args, kwargs):
    torch_hooks.happened("clip")
    if before is None:
        return
    with closely():
        limit = args[0] if args else kwargs.get("max_norm", kwargs.get("clip_value"))
        journal.write(
            "clip",
            step=torch_hooks.step_to_come(),
            function=name,
            limit=journal.plain(limit) if not tensors.is_tensor(limit) else None,
            before=before,
            after=tensors.norm(_gradients(parameters)),
            order=[what if n == 1 else f"{what} x{n}" for what, n in torch_hooks._events],
        )
