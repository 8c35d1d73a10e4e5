"""TorchTPU: its version, and how many chips it says it has."""

import sys

from . import host, journal


def install():
    package = sys.modules["torch_tpu"]
    journal.describe("torch_tpu", version=journal.plain(getattr(package, "__version__", None)))
    host.at_end(_devices)


def _devices():
    if not journal.is_open():  # a helper process, or one that was forked: it trained nothing
        return
    torch = sys.modules.get("torch")
    backend = getattr(torch, "tpu", None)
    if backend is None:
        journal.write("world", backend="tpu", not_available="torch.tpu is not there")
        return
    told = {}
    for name in ("is_available", "device_count"):
        function = getattr(backend, name, None)
        try:
            told[name] = journal.plain(function()) if function else None
        except Exception as problem:
            told[name] = f"{type(problem).__name__}"
    journal.write("world", backend="tpu", **told)
