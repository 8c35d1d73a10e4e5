"""Data loaders: which examples, in which order, and how many in the end.

The ids of a batch are what the sampler chose; a running checksum over them tells
whether two programs see the same examples in the same order.
"""

import functools
import os
import weakref
import zlib

from . import journal, tensors
from .guard import quiet

_BATCHES_APART = 16  # whose ids have a checksum each; later ones go into the sum alone
_passes = weakref.WeakKeyDictionary()
_loaders = weakref.WeakKeyDictionary()


class _Pass:
    """One way through a loader."""

    def __init__(self, loader, number):
        self.loader, self.number = loader, number
        self.batches, self.examples, self.sum, self.first = 0, 0, 0, []


def install():
    from torch.utils.data import dataloader

    base = dataloader._BaseDataLoaderIter
    _wrap_next_index(base)
    _wrap_next(base)
    # What a parent was given is not what its child was given.
    os.register_at_fork(after_in_child=_passes.clear)


def _wrap_next_index(base):
    next_index = base._next_index

    @functools.wraps(next_index)
    def _next_index(self):
        index = next_index(self)
        _chose(self, index)
        return index

    base._next_index = _next_index


def _wrap_next(base):
    following = base.__next__

    @functools.wraps(following)
    def __next__(self):
        try:
            data = following(self)
        except StopIteration:
            _ended(self)
            raise
        _gave(self)
        return data

    base.__next__ = __next__


def _pass_of(iterator):
    one = _passes.get(iterator)
    if one is None:
        sampler = getattr(iterator, "_index_sampler", None)
        known = _known(sampler)
        known[1] += 1
        one = _passes[iterator] = _Pass(known[0], known[1])
        if known[1] == 1:
            _describe(iterator, one.loader)
    return one


def _known(sampler):
    """The number of a loader by its sampler, and its passes so far; -1: it has no number."""
    try:
        return _loaders.setdefault(sampler, [len(_loaders), 0])
    except TypeError:  # None, or a plain list of batches
        return [-1, 0]


def _describe(iterator, number):
    dataset = getattr(iterator, "_dataset", None)
    sampler = getattr(iterator, "_index_sampler", None)
    inner = getattr(sampler, "sampler", None)
    journal.write(
        "loader",
        loader=number,
        dataset=type(dataset).__name__,
        examples=journal.length(dataset),
        batch_size=getattr(sampler, "batch_size", None),
        drop_last=getattr(sampler, "drop_last", None),
        sampler=type(inner if inner is not None else sampler).__name__,
        replicas=getattr(inner, "num_replicas", None),
        workers=getattr(iterator, "_num_workers", None),
    )


def _ids(index):
    """The ids of one batch as plain values: an array's text would leave out its middle."""
    if _is_array(index):
        index = index.tolist() if _is_read(index) else None
    if not isinstance(index, (list, tuple, range)):
        index = [index]
    return [w if type(w) is int else _id(w) for w in index]


def _id(word):
    if _is_array(word):
        return word.tolist() if _is_read(word) else None
    return word if isinstance(word, (int, str, tuple)) else None


def _is_array(x):
    return tensors.is_tensor(x) or (type(x).__module__.split(".")[0] == "numpy" and hasattr(x, "tolist"))


def _is_read(array):
    return not tensors.is_tensor(array) or tensors.readable(array)


@quiet
def _chose(iterator, index):
    one = _pass_of(iterator)
    words = _ids(index)
    if all(word is None for word in words):  # a stream: its examples have no numbers
        return
    data = ",".join(map(str, words)).encode()
    one.sum = zlib.crc32(data + b";", one.sum)
    one.examples += len(words)
    if len(one.first) < _BATCHES_APART:
        one.first.append(f"{zlib.crc32(data):08x}")


@quiet
def _gave(iterator):
    one = _pass_of(iterator)
    one.batches += 1
    if one.batches == _BATCHES_APART:
        _tell(one, "loader_first")


@quiet
def _ended(iterator):
    one = _passes.pop(iterator, None)
    if one is not None and one.batches:
        _tell(one, "loader_pass", checksum=f"{one.sum:08x}")


def _tell(one, kind, **more):
    journal.write(
        kind, loader=one.loader, number=one.number, batches=one.batches, examples=one.examples, first=one.first, **more
    )
