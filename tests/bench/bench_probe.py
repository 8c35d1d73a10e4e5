"""What the probe adds to a training step: microseconds a step, and the share of 50 ms.

    bench_probe.py PROBE-FOLDER [steps]

A step of a tiny model is nearly all overhead of Python, so that the difference of
two loops is the cost of the hooks; looking closely is left to its schedule.
"""

import os
import sys
import tempfile
import time

import torch

STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 3000


def loop():
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = torch.randn(8, 64)
    best = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(STEPS // 5):
            loss = model(data).square().mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        best.append((time.process_time() - began) / (STEPS // 5))
    return min(best), sum(best) / len(best)


def main():
    torch.set_num_threads(1)
    loop()
    without, _ = loop()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PORTSIDE_PROBE"] = folder
        sys.path.insert(0, sys.argv[1])
        import portside_probe

        portside_probe.start()
        within, mean = loop()
        closely = sys.modules["portside_probe.guard"].spent_s()
    added = (within - without) * 1e6
    print(f"{added:.1f} us a step, {added / 50e3 * 100:.2f} % of 50 ms; looking closely {closely * 1e3:.0f} ms in all")


if __name__ == "__main__":
    main()
