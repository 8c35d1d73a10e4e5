"""The part of torch_xla.core.xla_model that training programs call."""

import torch

from ..debug import metrics
from .. import runtime

REDUCE_SUM = "sum"


def xla_device(n=None, devkind=None):
    return torch.device("xla:0")


def xla_device_hw(device):
    return "TPU"


def xla_real_devices(devices):
    return ["TPU:0" for _ in devices]


def get_ordinal():
    return runtime.global_ordinal()


def mark_step(wait=False, reset_scope=True):
    metrics.count("MarkStep")


def all_reduce(reduce_type, inputs, scale=1.0, groups=None, pin_layout=True):
    return inputs


def _fetch_gradients(optimizer):
    return [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]


def reduce_gradients(optimizer, groups=None, pin_layout=True):
    count = runtime.world_size()
    if count > 1:
        all_reduce(REDUCE_SUM, _fetch_gradients(optimizer), scale=1.0 / count, groups=groups, pin_layout=pin_layout)


def optimizer_step(optimizer, barrier=False, optimizer_args={}, groups=None, pin_layout=True):
    reduce_gradients(optimizer, groups=groups, pin_layout=pin_layout)
    loss = optimizer.step(**optimizer_args)
    if barrier:
        mark_step()
    return loss
