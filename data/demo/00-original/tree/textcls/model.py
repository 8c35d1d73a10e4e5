"""A classifier with one hidden layer on the vectors of a frozen encoder."""
from math import log
from random import Random

from accel import sim, torch
from accel.torch import Parameter, dot


PRETRAINED = 24         # every training starts from the same published weights


class Classifier(torch.Module):
    def __init__(self, width, hidden, classes):
        super().__init__()
        uniform = Random(PRETRAINED).random

        def matrix(rows, columns):
            bound = (3.0 / columns) ** 0.5
            return [[bound * (2.0 * uniform() - 1.0) for _ in range(columns)]
                    for _ in range(rows)]

        self.dense = Parameter(matrix(hidden, width))
        self.dense_bias = Parameter([[0.0] * hidden])
        self.out = Parameter(matrix(classes, hidden))
        self.out_bias = Parameter([[0.0] * classes])

    def forward(self, x):
        """Hidden activations and class probabilities of one sentence."""
        hidden = [max(0.0, dot(row, x) + b)
                  for row, b in zip(self.dense.data, self.dense_bias.data[0])]
        logits = [dot(row, hidden) + b
                  for row, b in zip(self.out.data, self.out_bias.data[0])]
        top = max(logits)
        weights = [torch.exp(z - top) for z in logits]
        total = 0.0
        for w in weights:
            total += w
        return hidden, [w / total for w in weights]

    def _run(self, batch, kind):
        torch._same_device(self.device, batch.device)
        sim.compiler.program(kind, batch.shape)
        return [self.forward(x) for x in batch.inputs]

    def loss(self, batch):
        """The mean cross-entropy of a batch, ready for backward()."""
        outputs = self._run(batch, "train")
        n = len(batch.labels)
        total = 0.0
        for (_, p), label in zip(outputs, batch.labels):
            total -= log(max(p[label], 1e-300))
        return torch.Loss(total / n, batch, lambda: self._backward(batch, outputs))

    def predict(self, batch):
        return [p for _, p in self._run(batch, "eval")]

    def _backward(self, batch, outputs):
        n = len(batch.labels)
        dense, out = self.dense.zeros(), self.out.zeros()
        dense_bias, out_bias = self.dense_bias.zeros(), self.out_bias.zeros()
        columns = list(zip(*self.out.data))
        for x, label, (hidden, p) in zip(batch.inputs, batch.labels, outputs):
            error = [v / n for v in p]
            error[label] -= 1.0 / n
            for row, e in zip(out, error):
                row[:] = [g + e * h for g, h in zip(row, hidden)]
            out_bias[0] = [g + e for g, e in zip(out_bias[0], error)]
            for k, h in enumerate(hidden):
                if h > 0.0:
                    back = dot(columns[k], error)
                    dense[k] = [g + back * v for g, v in zip(dense[k], x)]
                    dense_bias[0][k] += back
        for p, grad in ((self.dense, dense), (self.dense_bias, dense_bias),
                        (self.out, out), (self.out_bias, out_bias)):
            p.grad = grad
