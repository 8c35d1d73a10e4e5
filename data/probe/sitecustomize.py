"""Starts the probe in each Python process whose PYTHONPATH names this folder.

Python imports the first sitecustomize that it finds.  This one starts the probe
where PORTSIDE_PROBE is set, then hands over to the one that it stands before, so
that nothing is missing which would have been there without it.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _start():
    if not os.environ.get("PORTSIDE_PROBE"):
        return
    try:
        import portside_probe

        portside_probe.start()
    except Exception:  # the program matters more than what is known about it
        pass


def _hand_over():
    """Runs the sitecustomize that stands behind this one, under its own name."""
    from importlib.machinery import PathFinder

    others = [p for p in sys.path if os.path.abspath(p or os.curdir) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    from importlib.util import module_from_spec

    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_start()
_hand_over()
