"""The parts of the framework that this project uses, and its GPU back end."""
import json
import os
from math import fsum, ldexp, sqrt
from operator import mul
from random import Random

from accel import sim


# ---- numbers -------------------------------------------------------------

_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10


def exp(x):
    """e**x for x <= 0 from basic operations only: equal on every computer."""
    if x < -700.0:
        return 0.0
    n = int(x / 0.6931471805599453 - 0.5)
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    term = total = 1.0
    for k in range(1, 16):
        term = term * r / k
        total = total + term
    return ldexp(total, n)


def bfloat16(x):
    """x rounded to the eight significant bits of a bfloat16."""
    shifted = x * 35184372088833.0      # 2**45 + 1
    return shifted - (shifted - x)


def dot(a, b):
    return fsum(map(mul, a, b))


# ---- tensors, parameters, modules ----------------------------------------

GPU = "cuda"


def _check_device(device):
    kind = device.split(":")[0]
    if kind == GPU and sim.KIND != "gpu":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if kind == "xla" and sim.KIND != "tpu":
        raise RuntimeError("PyTorch is not linked with support for xla devices")
    return device


def _same_device(a, b):
    if a != b:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at "
            "least two devices, %s and %s!" % (a, b))


class Parameter:
    """A matrix of weights (rows of floats) with its gradient."""

    def __init__(self, rows):
        self.data = rows
        self.grad = None
        self.device = "cpu"
        self.dtype = "float32"
        self.buffer = None

    def zeros(self):
        return [[0.0] * len(row) for row in self.data]


class Module:
    def __init__(self):
        self.device = "cpu"

    def named_parameters(self):
        return [(name, value) for name, value in vars(self).items()
                if isinstance(value, Parameter)]

    def parameters(self):
        return [value for _, value in self.named_parameters()]

    def to(self, device=None, dtype=None):
        """Moves the parameters; a dtype also rounds them, now and after each step."""
        if device is not None:
            self.device = _check_device(device)
        for p in self.parameters():
            p.device = self.device
            p.dtype = dtype or p.dtype
            if p.dtype == "bfloat16":
                for row in p.data:
                    row[:] = map(bfloat16, row)
            if self.device != "cpu":
                p.buffer = sim.Buffer(4 * sum(len(row) for row in p.data))
        return self

    def cuda(self):
        return self.to(GPU)

    def state_dict(self):
        """The parameters by name: the values themselves, not copies of them."""
        return {name: p.data for name, p in self.named_parameters()}

    def load_state_dict(self, state):
        for name, p in self.named_parameters():
            for row, saved in zip(p.data, state[name]):
                row[:] = saved


class Batch:
    """Inputs padded to one length, and their labels."""

    def __init__(self, inputs, labels, length, width):
        self.inputs = inputs
        self.labels = labels
        self.shape = (len(inputs), length, width)
        self.device = "cpu"
        self.buffer = None

    def to(self, device):
        self.device = _check_device(device)
        rows, length, width = self.shape
        self.buffer = sim.Buffer(4 * rows * length * width)
        return self

    def cuda(self, non_blocking=False):
        return self.to(GPU)


class Loss:
    """A loss on the device; it keeps what its backward pass needs."""

    def __init__(self, value, batch, backward):
        self.value = value
        self.batch = batch
        self._backward = backward

    def backward(self):
        self._backward()

    def item(self):
        return self.value


# ---- optimizer and gradient clipping --------------------------------------

class SGD:
    """Stochastic gradient descent with momentum and weight decay."""

    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.velocity = [p.zeros() for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        lr, m, decay = self.lr, self.momentum, self.weight_decay
        for p, velocity in zip(self.params, self.velocity):
            for row, grad, v in zip(p.data, p.grad, velocity):
                v[:] = [m * a + g + decay * w for a, g, w in zip(v, grad, row)]
                row[:] = [w - lr * a for w, a in zip(row, v)]
                if p.dtype == "bfloat16":
                    row[:] = map(bfloat16, row)


def grad_norm(params):
    return sqrt(fsum(g * g for p in params for row in p.grad for g in row))


def clip_grad_norm_(params, max_norm):
    """Scales the gradients so that their norm is at most max_norm; returns the old norm."""
    norm = grad_norm(params)
    if norm > max_norm:
        factor = max_norm / (norm + 1e-6)
        for p in params:
            for row in p.grad:
                row[:] = [g * factor for g in row]
    return norm


# ---- files and random numbers ----------------------------------------------

def save(state, path):
    temporary = path + ".tmp"
    with open(temporary, "w") as f:
        json.dump(state, f)
    os.replace(temporary, path)


def load(path, map_location="cpu"):
    _check_device(map_location)
    with open(path) as f:
        return json.load(f)


def manual_seed(seed):
    return Random(seed)


# ---- the GPU ---------------------------------------------------------------

class cuda:
    @staticmethod
    def is_available():
        return sim.KIND == "gpu"

    @staticmethod
    def _need():
        _check_device(GPU)

    @staticmethod
    def manual_seed_all(seed):
        cuda._need()

    @staticmethod
    def get_device_name():
        cuda._need()
        return "simulated GPU"

    @staticmethod
    def synchronize():
        cuda._need()

    @staticmethod
    def max_memory_allocated():
        cuda._need()
        return sim.memory.peak[0]


class backends:
    class cudnn:
        deterministic = False
        benchmark = True
