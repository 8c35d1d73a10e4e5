"""Trainer, as far as it is looked at: arguments, evaluations, the best checkpoint."""

import types

import numpy


class Arguments:
    def __init__(self, **words):
        self.words = words

    def to_dict(self):
        return dict(self.words)


class Trainer:
    def __init__(self, model=None, args=None, train_dataset=None, eval_dataset=None):
        self.model, self.args = model, args
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.state = types.SimpleNamespace(
            global_step=50, best_model_checkpoint="out/checkpoint-40", best_metric=0.875
        )

    def evaluation_loop(self, dataloader, description="", metric_key_prefix="eval"):
        scores = numpy.array([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]])
        return types.SimpleNamespace(
            predictions=scores,
            label_ids=numpy.array([1, 0, 0]),
            metrics={"eval_accuracy": 2 / 3},
            num_samples=3,
        )

    def _load_best_model(self):
        return None
