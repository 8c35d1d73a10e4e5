"""Files of weights: what was written, what was read back, and what did not fit."""

import os
import sys
import zlib

from . import journal, tensors
from .guard import affordable, closely, wrap


def install_torch(torch):
    wrap(torch, "save", after=_saved)
    wrap(torch, "load", after=_loaded)
    wrap(torch.nn.Module, "load_state_dict", after=_restored)


def install():
    """The functions of safetensors, once that was imported."""
    module = sys.modules["safetensors.torch"]
    wrap(module, "save_file", after=_saved)
    wrap(module, "load_file", after=_loaded_file)


def _place(target):
    """The name of a file, or what it is instead; its folder is nobody's business."""
    if isinstance(target, (str, os.PathLike)):
        return os.path.basename(os.fspath(target))
    return getattr(target, "name", None) and os.path.basename(str(target.name)) or type(target).__name__


def _whereabouts(target):
    """A mark of the file's path, by which it is known again without being told."""
    if not isinstance(target, (str, os.PathLike)):
        return None
    return f"{zlib.crc32(os.fsencode(os.path.realpath(target))):08x}"


def _size(target):
    try:
        return os.stat(target).st_size if isinstance(target, (str, os.PathLike)) else None
    except OSError:
        return None


def _file(target):
    return {"file": _place(target), "place": _whereabouts(target), "size": _size(target)}


def _content(x):
    """How many tensors there are in X, and their checksum in the order of their names."""
    found = {}
    _gather(x, "", found, 6)
    told = {"tensors": len(found), "elements": sum(t.numel() for t in found.values())}
    if found and affordable():
        with closely():
            told["checksum"] = tensors.checksum(found[name] for name in sorted(found))
    return told


def _gather(x, path, found, depth):
    if depth < 0 or len(found) >= 100_000:
        return
    if tensors.is_tensor(x):
        found[path] = x
    elif isinstance(x, tensors.torch().nn.Module):
        _gather_module(x, path, found)
    elif tensors.items(x) is not None:
        for key, value in tensors.items(x):
            _gather(value, f"{path}.{key}", found, depth - 1)
    elif isinstance(x, (tuple, list)):
        for i, value in enumerate(x):
            _gather(value, f"{path}.{i}", found, depth - 1)


def _gather_module(module, path, found):
    """What its state_dict() would hold; that itself may ask other processes, and hang."""
    for prefix, part in module.named_modules():
        left_out = getattr(part, "_non_persistent_buffers_set", ())
        for name, value in [*part._parameters.items(), *part._buffers.items()]:
            if value is not None and name not in left_out:
                found[f"{path}.{prefix}.{name}" if prefix else f"{path}.{name}"] = value


def _step():
    from . import torch_hooks

    return torch_hooks.step_to_come() - 1


def _saved(_kept, _result, args, kwargs):
    what = args[0] if args else kwargs.get("obj", kwargs.get("tensors"))
    target = args[1] if len(args) > 1 else kwargs.get("f", kwargs.get("filename"))
    journal.write("saved", step=_step(), **_file(target), **_content(what))


def _loaded(_kept, result, args, kwargs):
    target = args[0] if args else kwargs.get("f")
    journal.write("loaded", step=_step(), **_file(target), **_content(result))


def _loaded_file(_kept, result, args, kwargs):
    target = args[0] if args else kwargs.get("filename")
    journal.write("loaded", step=_step(), **_file(target), **_content(result))


def _restored(_kept, result, args, kwargs):
    module = args[0]
    state = args[1] if len(args) > 1 else kwargs.get("state_dict")
    missing = list(getattr(result, "missing_keys", ()) or ())
    unexpected = list(getattr(result, "unexpected_keys", ()) or ())
    journal.write(
        "restored",
        step=_step(),
        model=type(module).__name__,
        missing=len(missing),
        unexpected=len(unexpected),
        names=[str(name) for name in (missing + unexpected)[:20]],
        **_content(state),
    )
