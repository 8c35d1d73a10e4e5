"""Which steps are looked at closely: 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, ..."""

import os


def _asked():
    text = os.environ.get("PORTSIDE_PROBE_STEPS", "")
    return {int(part) for part in text.replace(",", " ").split() if part.isdigit()}


_more = _asked()


def chosen(step):
    """True at the steps that are looked at; STEP counts from 1."""
    if step < 1:
        return False
    if step <= 3 or step in _more:
        return True
    while step % 10 == 0:
        step //= 10
    return step in (1, 2, 5)
