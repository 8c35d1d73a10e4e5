"""The report of torch_xla.debug.metrics, with the counters that were counted here."""

_counters = {}


def count(name, by=1):
    _counters[name] = _counters.get(name, 0) + by


def counter_names():
    return list(_counters)


def counter_value(name):
    return _counters.get(name)


def metrics_report():
    return "".join(f"Counter: {name}\n  Value: {value}\n" for name, value in sorted(_counters.items()))
