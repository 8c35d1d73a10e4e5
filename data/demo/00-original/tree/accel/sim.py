"""The simulated machine: its chips, their memory, and what a compilation costs."""
import os
import threading
import time

TARGET = os.environ.get("PORTSIDE_TARGET", "sim-gpu")
KIND = "tpu" if "tpu" in TARGET else "gpu"
CHIPS = int(os.environ.get("PORTSIDE_CHIPS", "1"))

HBM_BYTES = 16 * 2**20      # of one chip; small, like the models it trains
COMPILE_SECONDS = 0.08      # of one new shape on a TPU

_replica = threading.local()


def ordinal():
    """The number of the chip that the calling replica drives."""
    return getattr(_replica, "ordinal", 0)


def set_ordinal(number):
    _replica.ordinal = number


def size(count):
    """Bytes as the runtime prints them: 80.00K, 16.00M."""
    for unit, bytes_in_unit in (("M", 2**20), ("K", 2**10)):
        if count >= bytes_in_unit:
            return "%.2f%s" % (count / bytes_in_unit, unit)
    return "%.2fK" % (count / 2**10)


class Memory:
    """What is allocated on each chip."""

    def __init__(self):
        self.used = [0] * CHIPS
        self.peak = [0] * CHIPS

    def allocate(self, chip, count):
        free = HBM_BYTES - self.used[chip]
        if count > free:
            raise RuntimeError(
                "Bad StatusOr access: RESOURCE_EXHAUSTED: Error allocating device "
                "buffer: Attempting to allocate %s. That was not possible. There are "
                "%s free.; (%dx0x0_HBM0)" % (size(count), size(free), chip))
        self.used[chip] += count
        self.peak[chip] = max(self.peak[chip], self.used[chip])

    def release(self, chip, count):
        self.used[chip] -= count


memory = Memory()


class Buffer:
    """Device memory that lives as long as something refers to it."""

    def __init__(self, count):
        self.chip = ordinal()
        self.count = 0
        memory.allocate(self.chip, count)
        self.count = count

    def __del__(self):
        memory.release(self.chip, self.count)


class Compiler:
    """The cache of compiled programs: one for each new set of shapes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.programs = set()
        self.seconds = 0.0

    def program(self, *key):
        if KIND != "tpu":
            return
        with self.lock:
            if key in self.programs:
                return
            self.programs.add(key)
            started = time.monotonic()
            time.sleep(COMPILE_SECONDS)
            self.seconds += time.monotonic() - started


compiler = Compiler()
