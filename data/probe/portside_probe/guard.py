"""Keeps the probe from harming the program: no exception, and bounded time."""

import functools
import signal
import sys
import threading
import time

_SHARE = 0.01  # of the time of the process, for looking closely
_GRACE_S = 0.5  # which may always be taken, so that short runs are looked at

_state = threading.local()
_began = time.monotonic()
_spent_s = 0.0
# Without the exception: its frames would keep the tensors of the program alive.
_broken = set()


def quiet(function, part=False):
    """FUNCTION without exceptions: one that raises is recorded, and never called again.

    A PART of a hook is guarded by itself, so that the rest of the hook goes on.
    """

    @functools.wraps(function)
    def guarded(*args, **kwargs):
        outer = inside()
        if function in _broken or (outer and not part):
            return None
        _state.inside = True
        try:
            return function(*args, **kwargs)
        except Exception as problem:
            if _of_signal(problem):  # the program's own, say a limit of time: not ours to hold
                raise
            _broken.add(function)
            tell(f"{function.__module__}.{function.__name__}", problem)
            return None
        finally:
            _state.inside = outer

    return guarded


def part(function):
    """A part of a hook: see quiet()."""
    return quiet(function, part=True)


def _of_signal(problem):
    """True where a signal handler of the program raised while a hook was at work."""
    handlers = (signal.getsignal(number) for number in signal.valid_signals())
    codes = {getattr(getattr(one, "__func__", one), "__code__", None) for one in handlers} - {None}
    trace = problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


# Is a compiler or a tracer reading the program?  PyTorch's own question, once it is there:
# a compiler takes its answer for a constant, so it sees nothing of a hook behind it.
_asked = ()


def ask_whether_traced(questions):
    """QUESTIONS are functions; a hook does nothing while one of them says yes."""
    global _asked
    _asked = tuple(questions)


def traced():
    for question in _asked:
        if question():
            return True
    return False


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
        if traced():
            return function(*args, **kwargs)
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
