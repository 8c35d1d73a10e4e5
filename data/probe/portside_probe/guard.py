"""Keeps the probe from harming the program: no exception, and bounded time."""

import functools
import sys
import threading
import time

_SHARE = 0.01  # of the time of the process, for looking closely
_GRACE_S = 0.5  # which may always be taken, so that short runs are looked at

_state = threading.local()
_began = time.monotonic()
_spent_s = 0.0
_broken = {}


def quiet(function):
    """FUNCTION without exceptions: one that raises is recorded, and never called again."""

    @functools.wraps(function)
    def guarded(*args, **kwargs):
        if function in _broken or inside():
            return None
        _state.inside = True
        try:
            return function(*args, **kwargs)
        except Exception as problem:
            _broken[function] = problem
            tell(f"{function.__module__}.{function.__name__}", problem)
            return None
        finally:
            _state.inside = False

    return guarded


def inside():
    """True while a hook works: what it calls itself is not the program's."""
    return getattr(_state, "inside", False)


def tell(hook, problem):
    """Puts a fault of ours on record."""
    from . import journal

    try:
        journal.write(
            "broken",
            hook=hook,
            error=f"{type(problem).__name__}: {str(problem)[:200]}",
            line=_line_of(problem),
        )
    except Exception:
        pass


def _line_of(problem):
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""


def affordable():
    """True while looking closely has taken less than its share of the time."""
    return _spent_s < _GRACE_S + _SHARE * (time.monotonic() - _began)


class closely:
    """with closely(): ... counts the time of looking closely."""

    def __enter__(self):
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        global _spent_s
        _spent_s += time.monotonic() - self.began
        return False


def spent_s():
    return _spent_s


def wrap(owner, name, before=None, after=None):
    """Puts hooks around owner.NAME: before(args, kwargs) may give what after gets.

    What the function returns or raises is untouched.  The hooks get the arguments
    as the program gave them; an iterator among them must not be used up.
    """
    function = getattr(owner, name, None)
    if function is None or getattr(function, "_portside", False):
        return False

    if before is None and after is None:
        return False
    first = quiet(before) if before else None
    last = quiet(after) if after else None

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        kept = first(args, kwargs) if first else None
        result = function(*args, **kwargs)
        if last:
            last(kept, result, args, kwargs)
        return result

    wrapped._portside = True
    replace(owner, name, wrapped)
    return True


def replace(owner, name, wrapped):
    """Puts WRAPPED in the place of owner.NAME, and where its package names it again."""
    function = getattr(owner, name)
    setattr(owner, name, wrapped)
    for module in _holders(function, name):
        setattr(module, name, wrapped)


def _holders(function, name):
    """Modules of the same package that hold FUNCTION under NAME as well."""
    package = (getattr(function, "__module__", None) or "").split(".")[0]
    if not package:
        return []
    return [
        m
        for key, m in list(sys.modules.items())
        if (key == package or key.startswith(package + ".")) and getattr(m, "__dict__", {}).get(name) is function
    ]
