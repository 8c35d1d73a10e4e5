"""Records what a training program really does, beside its log.

A run picks the probe up through PYTHONPATH (``portside run --probe``), or by one
line in the program:

    import portside_probe; portside_probe.start()

From then on it looks on while PyTorch, torch_xla, TorchTPU, accelerate and the
Trainer of Hugging Face work, and writes one JSON object a line into the folder
PORTSIDE_PROBE, a file a process.  portside reads those files as evidence.

It never changes what the program computes: it draws no random number, writes no
tensor, and reads values only where reading them is free of side effects.  A lazy
device (xla, tpu) would have to run its graph for it: there values are "not
available" unless PORTSIDE_PROBE_VALUES=1 asks for them, which the record says.

It never makes the program fail: each hook is guarded, and one that raises is
taken out and recorded.

It costs little: looking closely happens at chosen steps only (1, 2, 3, 5, 10, 20,
50, 100, ... and those of PORTSIDE_PROBE_STEPS), and stops while it has taken more
than one percent of the time of the process.  What was left out is recorded.

    PORTSIDE_PROBE              the folder; nothing is done without it
    PORTSIDE_PROBE_STEPS        more steps to look at: "1000,2000"
    PORTSIDE_PROBE_VALUES       1: read values on lazy devices too
    PORTSIDE_PROBE_PREDICTIONS  1: keep what the Trainer predicts for each example
"""

import sys

from . import host, imports, journal
from .guard import quiet

__all__ = ["start", "mark", "predictions"]

_HOOKS = (
    ("torch", "torch_hooks"),
    ("torch.nn.utils.clip_grad", "torch_clip"),
    ("torch.utils.data.dataloader", "torch_data"),
    ("torch.distributed", "torch_reduce"),
    ("safetensors.torch", "checkpoints"),
    ("torch_xla.core.xla_model", "xla"),
    ("torch_tpu", "tpu"),
    ("accelerate.accelerator", "accelerate_hooks"),
    ("transformers.trainer", "transformers_hooks"),
)


def start():
    """Begins to look on; a second call does nothing, and a fault leaves the program alone."""
    try:
        if not journal.open_folder():
            return
        host.start()
        for module, hooks in _HOOKS:
            imports.after(module, hooks)
    except Exception as problem:
        _complain(f"portside_probe: it does not look on: {problem}")


def _complain(text):
    """To the errors of the program, where it has some: without them print() takes its output."""
    try:
        if sys.stderr is not None:
            print(text, file=sys.stderr)
    except Exception:  # closed, or on a full disk
        pass


@quiet
def mark(name, **values):
    """Puts a moment of the program on record: mark("evaluated", accuracy=0.9)."""
    journal.write("mark", name=str(name), values={k: journal.plain(v) for k, v in values.items()})


@quiet
def predictions(split, ids, predicted, labels):
    """Keeps the answer to each example, which two runs can be paired by."""
    from . import answers

    answers.keep(split, ids, predicted, labels)
