"""Runs a module of ours after one of the program's was imported.

A finder stands first in sys.meta_path, lets the others find the module, and wraps
its loader.  Nothing is imported that the program does not import.
"""

import importlib
import importlib.abc
import sys

from .guard import tell

_wanted = {}


def after(module, hooks):
    """Calls install() of portside_probe.HOOKS once MODULE was imported, or now."""
    if module in sys.modules:
        _install(hooks)
        return
    if not _wanted:
        sys.meta_path.insert(0, _Finder())
    _wanted[module] = hooks


def _install(hooks):
    """One module's hooks may ask for those of another, so nothing is guarded against that here."""
    try:
        importlib.import_module("." + hooks, __package__).install()
    except Exception as problem:
        tell(hooks + ".install", problem)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name not in _wanted:
            return None
        for finder in list(sys.meta_path):
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                break
        else:
            return None
        if spec.loader is not None and hasattr(spec.loader, "exec_module"):
            _follow(spec.loader, name)
        return spec


def _follow(loader, name):
    """Lets LOADER run our hooks after the module, on this loader object alone.

    Looking for a module is not importing it: libraries only ask whether others are
    there.  So it is wanted until it ran, and a loader of several is asked which one.
    """
    run = loader.exec_module

    def exec_module(module):
        run(module)
        hooks = _wanted.pop(name, None) if getattr(module, "__name__", None) == name else None
        if hooks is not None:
            _install(hooks)

    try:
        loader.exec_module = exec_module
    except AttributeError:  # a loader without room for it: the module is left alone
        pass
