"""PyTorch: optimizers and their steps, backward passes, the model, its checkpoints."""

import functools
import os
import time
import weakref

from . import checkpoints, host, journal, settings, tensors
from .guard import affordable, ask_whether_traced, closely, part, quiet, traced, wrap
from .schedule import chosen

_optimizers = weakref.WeakKeyDictionary()
_followed = []  # what is known of each, which outlives the optimizer
_events = []  # what happened since the last step of an optimizer, in order: [what, times]
_reduced = 0  # values that reductions of tensors had since then
_model = None  # a weak reference to the outermost module that was called last
_look = None
_CALLS_LOOKED_AT = 64
_ENOUGH_EVENTS = 256
_STEPS_A_LINE = 50
_SECONDS_A_LINE = 10.0


def install():
    import torch

    compiler = getattr(torch, "compiler", None)
    questions = (getattr(compiler, "is_compiling", None), getattr(torch.jit, "is_tracing", None))
    ask_whether_traced(q for q in questions if q is not None)
    _wrap_init(torch.optim.Optimizer)
    wrap(torch.autograd, "backward", after=_after_backward)
    _look_at_next_model()
    checkpoints.install_torch(torch)
    host.at_end(_flush_all)
    os.register_at_fork(after_in_child=_forked)


def _forked():
    """What the parent did is in its own file; a child tells what it does itself."""
    for followed in _followed:
        followed.kept_steps = []
        followed.mine = False
        followed.last = None
    if _look is not None:
        _look.line = None


# ---- the order of things ----------------------------------------------------------------


def happened(what, count=1):
    """Puts WHAT behind the events since the last step; equal ones in a row are counted."""
    if _events and _events[-1][0] == what:
        _events[-1][1] += count
    elif len(_events) < _ENOUGH_EVENTS:
        _events.append([what, count])


def reduced(values):
    """Puts a reduction of VALUES behind the events; a mean of losses is one too."""
    global _reduced
    found = tensors.inside(values)
    _reduced += sum(t.numel() for t in found.values())
    happened("reduce", max(1, len(found)))


def step_to_come():
    """The number of the step that is being prepared, of the optimizer that steps most."""
    return max((f.steps for f in _followed), default=0) + 1


def _after_backward(_kept, _result, _args, _kwargs):
    from . import torch_reduce

    happened("backward and reduce" if torch_reduce.reduces_in_backward() else "backward")


# ---- the model --------------------------------------------------------------------------


def _look_at_next_model():
    """Looks at the next module that is called from outside of any: that is the model.

    Its batch is what the first module within it is given that is given tensors, since
    most models are called with keywords, which such a hook does not see.
    """
    global _look
    if _look is not None:
        _look.end()
    _look = _Look()


class _Look:
    """The model and its batch, as long as they are looked for."""

    def __init__(self):
        from torch.nn.modules import module

        self.model, self.calls, self.line = None, 0, None
        self.handle = module.register_module_forward_pre_hook(self.called)

    def called(self, module, args):
        if not traced():
            _see(self, module, args)
        return None  # the arguments stay what they are

    def end(self):
        """Takes the hook away and writes what was seen."""
        global _look
        self.handle.remove()
        if _look is self:
            _look = None
        if self.line is not None:
            journal.write("forward", **self.line)
            self.line = None


@quiet
def _see(look, module, args):
    with closely():
        look.calls += 1
        if look.line is None and not _begin(look, module):
            return
        batch = tensors.batch(args)
        if batch["tensors"]:
            look.line["batch"] = dict(batch, module=type(module).__name__)
        if batch["tensors"] or look.calls >= _CALLS_LOOKED_AT:
            look.end()


def _begin(look, module):
    """False where MODULE is no model: a loss or a bare function."""
    global _model
    import torch

    parameters = list(module.parameters())
    if not parameters or isinstance(module, torch.nn.modules.loss._Loss):
        if look.calls >= _CALLS_LOOKED_AT:
            look.end()
        return False
    _model = weakref.ref(module)
    look.line = {
        "step": step_to_come(),
        "model": type(module).__name__,
        "training": module.training,
        "parameters": len(parameters),
        "trainable": sum(1 for p in parameters if p.requires_grad),
        "elements": sum(p.numel() for p in parameters),
        "devices": tensors.devices(parameters),
        "dtypes": tensors.dtypes(parameters),
        "tied": _tied(module),
        "batch": None,
    }
    look.line.update(settings.numbers(torch))
    return True


def _tied(module):
    """Names that stand for one parameter, or for one piece of memory."""
    names = {}
    for prefix, part in module.named_modules():
        for name, p in part._parameters.items():
            if p is None:
                continue
            key = id(p) if tensors.is_lazy(p) or p.numel() == 0 else (p.data_ptr(), p.numel())
            names.setdefault(key, []).append(f"{prefix}.{name}" if prefix else name)
    return sorted(group for group in names.values() if len(group) > 1)


def model():
    return _model() if _model else None


# ---- optimizers -------------------------------------------------------------------------


class _Followed:
    """What is known of one optimizer."""

    def __init__(self, number):
        self.number = number
        self.steps = 0
        self.active = False
        self.mine = True  # made or used by this process, not by the one it was forked from
        self.last = None
        self.before = None
        self.kept_steps = []
        self.flushed = time.monotonic()


def _wrap_init(base):
    init = base.__init__

    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        init(self, *args, **kwargs)
        _adopt(self)

    base.__init__ = __init__


def _parameters(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"]]


@quiet
def _adopt(optimizer):
    kind = type(optimizer)
    if not getattr(kind.__dict__.get("step"), "_portside", False):
        kind.step = _wrap_step(kind.step)
    if optimizer in _optimizers:
        return
    followed = _Followed(len(_followed))
    _followed.append(followed)
    _optimizers[optimizer] = followed
    parameters = _parameters(optimizer)
    journal.write(
        "optimizer",
        optimizer=followed.number,
        type=kind.__name__,
        parameters=len(parameters),
        devices=tensors.devices(parameters),
        groups=[{k: journal.plain(v) for k, v in g.items() if k != "params"} for g in optimizer.param_groups[:16]],
    )
    host.packages()


def _wrap_step(step):
    @functools.wraps(step)
    def stepping(self, *args, **kwargs):
        if traced():
            return step(self, *args, **kwargs)
        followed = _before_step(self)
        try:
            result = step(self, *args, **kwargs)
        except BaseException:
            if followed is not None:  # the program may try again
                followed.active = False
            raise
        if followed is not None:
            _after_step(self, followed)
        return result

    stepping._portside = True
    return stepping


@quiet
def _before_step(optimizer):
    followed = _optimizers.get(optimizer)
    if followed is None or followed.active:
        return None
    followed.active = True
    followed.before = None
    if chosen(followed.steps + 1):
        followed.before = _look_before(optimizer, followed)
    return followed


@part
def _look_before(optimizer, followed):
    if not affordable():
        journal.write("skipped", step=followed.steps + 1, why="looking closely has taken its share of the time")
        return None
    with closely():
        parameters = _parameters(optimizer)
        gradients = [p.grad for p in parameters if p.grad is not None]
        return {
            "gradient": tensors.norm(gradients),
            "without_gradient": len(parameters) - len(gradients),
            "gradient_elements": sum(g.numel() for g in gradients),
            "devices": tensors.devices(parameters),
            "before": tensors.checksum(parameters),
            **_identity(parameters),
        }


def _identity(parameters):
    """Whether the optimizer changes the parameters of the model, or copies of them."""
    module = model()
    if module is None:
        return {"model": None}
    trained = {id(p) for p in parameters}
    here = {id(p): p for p in module.parameters()}
    return {
        "model": type(module).__name__,
        "shared": sum(1 for i in trained if i in here),
        "stale": sum(1 for i in trained if i not in here),
        "left_out": sum(1 for i, p in here.items() if p.requires_grad and i not in trained),
    }


@quiet
def _after_step(optimizer, followed):
    global _reduced
    followed.active = False
    followed.mine = True
    followed.steps += 1
    now = time.monotonic()
    seconds = round(now - followed.last, 6) if followed.last is not None else None
    followed.last = now
    backwards = sum(n for what, n in _events if what.startswith("backward"))
    followed.kept_steps.append((_rates(optimizer, chosen(followed.steps)), seconds, backwards))
    if followed.before is not None:
        _look_after(optimizer, followed)
    _events.clear()
    _reduced = 0
    if len(followed.kept_steps) >= _STEPS_A_LINE or now - followed.flushed > _SECONDS_A_LINE or followed.steps <= 3:
        _flush(followed)
    if chosen(followed.steps + 1) and affordable():
        _look_at_next_model()


def _rates(optimizer, looked_at):
    rates = []
    for group in optimizer.param_groups:
        rate = group.get("lr")
        if tensors.is_tensor(rate):
            # On a device it has to be waited for, which not every step may cost.
            is_read = tensors.readable(rate) and (looked_at or rate.device.type == "cpu")
            rate = float(rate) if is_read else None
        rates.append(journal.number(rate) if rate is not None else None)
    return rates[0] if len(set(map(str, rates))) == 1 else rates


@part
def _look_after(optimizer, followed):
    import torch

    with closely():
        parameters = _parameters(optimizer)
        after = tensors.checksum(parameters)
        before = followed.before["before"]
        changed = _changed(before, after)
        journal.write(
            "step",
            optimizer=followed.number,
            step=followed.steps,
            order=[what if n == 1 else f"{what} x{n}" for what, n in _events] + ["step"],
            reduced_elements=_reduced,
            after=after,
            changed=changed,
            random=settings.random_state(torch),
            memory_bytes=host.memory_bytes(),
            **followed.before,
        )


def _changed(before, after):
    """None where it cannot be told: a part that is equal says nothing of the rest."""
    if "crc32" not in before or "crc32" not in after:
        return None
    if before["crc32"] != after["crc32"]:
        return True
    return None if "sampled" in after or "local" in after else False


def _flush(followed):
    kept = followed.kept_steps
    if not kept:
        return
    journal.write(
        "steps",
        optimizer=followed.number,
        first=followed.steps - len(kept) + 1,
        lr=_short([rate for rate, _, _ in kept]),
        seconds=[s for _, s, _ in kept],
        backwards=_short([n for _, _, n in kept]),
        memory_bytes=host.memory_bytes(),
    )
    followed.kept_steps = []
    followed.flushed = time.monotonic()


def _short(values):
    """A list whose values are all equal, as that value; a list of one step stays within one."""
    return values[0] if not isinstance(values[0], list) and all(v == values[0] for v in values) else values


def _flush_all():
    for followed in _followed:
        if not followed.mine:
            continue
        _flush(followed)
        journal.write("optimizer_end", optimizer=followed.number, steps=followed.steps)
