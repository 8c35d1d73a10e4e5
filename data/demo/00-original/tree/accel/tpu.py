"""The TPU runtime: devices, lazy execution, replicas and their collectives."""
import threading
from math import fsum

from accel import sim, torch


class _Group:
    """The replicas of one run and the place where they meet."""

    def __init__(self, size):
        self.size = size
        self.parts = [None] * size
        self.mean = None
        self.barrier = threading.Barrier(size, action=self._reduce)
        self.turn = threading.Lock()
        self.errors = []

    def _reduce(self):
        """Runs once, when the last replica has come."""
        if self.parts[0] is not None:
            self.mean = [[fsum(values) / self.size for values in zip(*rows)]
                         for rows in zip(*self.parts)]

    def meet(self):
        """Waits for the others; only between meetings does a replica compute, one at a time."""
        self.turn.release()
        try:
            self.barrier.wait()
        finally:
            self.turn.acquire()

    def all_reduce_mean(self, rows):
        self.parts[sim.ordinal()] = rows
        self.meet()
        mean = [list(row) for row in self.mean]
        self.parts[sim.ordinal()] = None
        self.meet()
        return mean


_group = _Group(1)
_counters = {"MarkStep": 0}


def device():
    return torch._check_device("xla:%d" % sim.ordinal())


def world_size():
    return _group.size


def ordinal():
    return sim.ordinal()


def is_master():
    return sim.ordinal() == 0


def spawn(function, *args):
    """Runs function(*args) once for each chip; the first error ends all of them."""
    global _group
    _group = _Group(sim.CHIPS)

    def replica(number):
        sim.set_ordinal(number)
        try:
            with _group.turn:
                function(*args)
        except threading.BrokenBarrierError:
            pass
        except BaseException as error:
            _group.errors.append(error)
            _group.barrier.abort()

    threads = [threading.Thread(target=replica, args=(n,)) for n in range(sim.CHIPS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if _group.errors:
        raise _group.errors[0]


def rendezvous():
    """Waits until every replica has come here."""
    if _group.size > 1:
        _group.meet()


def all_reduce_mean(rows):
    """The mean of the replicas' matrices, entry by entry."""
    return rows if _group.size == 1 else _group.all_reduce_mean(rows)


def reduce_gradients(optimizer):
    """Replaces each gradient by its mean over the replicas."""
    for p in optimizer.params:
        p.grad = all_reduce_mean(p.grad)


def optimizer_step(optimizer):
    """Reduces the gradients over the replicas, then takes the step."""
    reduce_gradients(optimizer)
    optimizer.step()


def mark_step():
    """Ends the graph that is being traced and runs it."""
    if is_master():
        _counters["MarkStep"] += 1


def memory_used():
    return sim.memory.used[sim.ordinal()]


def metrics_report():
    compiled = len(sim.compiler.programs)
    return ("Metric: CompileTime\n  TotalSamples: %d\n  Accumulator: %02ds%03dms\n"
            "Counter: MarkStep\n  Value: %d\n"
            "Counter: UncachedCompile\n  Value: %d"
            % (compiled, int(sim.compiler.seconds), int(sim.compiler.seconds * 1000) % 1000,
               _counters["MarkStep"], compiled))
