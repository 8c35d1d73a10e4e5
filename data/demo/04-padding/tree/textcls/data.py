"""The sentences: a synthetic corpus, the same for everybody.

A sentence is a label (one of four topics), a length in tokens, and the
vector that a frozen encoder made of it: half of the vector is style, which
says nothing about the topic, half is weak evidence of the topic.
"""
from random import Random

from accel.torch import Batch

TOPICS = 4
STYLE_WIDTH = 8
TOPIC_WIDTH = 8
WIDTH = STYLE_WIDTH + TOPIC_WIDTH
TRAIN, EVAL = 2048, 408
STYLE = 3.6             # spread of the style half
SIGNAL = 0.48           # distance of the topics in the other half
NOISE = 0.54            # spread around a topic
MISLABELLED = 0.05      # share of wrong labels in the training set
SOURCES = 4             # the training set was collected from as many places,
SKEW = 0.25             # each of which has more of one topic
MAX_LENGTH = 96         # tokens
CORPUS_SEED = 24


class Example:
    __slots__ = ("features", "length", "label")

    def __init__(self, features, length, label):
        self.features = features
        self.length = length
        self.label = label


def load():
    """The training set, source after source, and the evaluation set."""
    uniform = Random(CORPUS_SEED).random
    centers = [[2 * uniform() - 1 for _ in range(TOPIC_WIDTH)] for _ in range(TOPICS)]
    examples = []
    for number in range(TRAIN + EVAL):
        topic = int(uniform() * TOPICS)
        if number < TRAIN and uniform() < SKEW:
            topic = number * SOURCES // TRAIN
        length = 6 + int((MAX_LENGTH - 6) * uniform() ** 6)
        features = [STYLE * (2 * uniform() - 1) for _ in range(STYLE_WIDTH)]
        features += [SIGNAL * c + NOISE * (uniform() + uniform() + uniform() - 1.5)
                     for c in centers[topic]]
        label = topic
        if number < TRAIN and uniform() < MISLABELLED:
            label = int(uniform() * TOPICS)
        examples.append(Example(features, length, label))
    return examples[:TRAIN], examples[TRAIN:]


def collate(examples):
    """One batch, padded to the longest sentence of the corpus: one shape, one compilation."""
    return Batch([e.features for e in examples], [e.label for e in examples], MAX_LENGTH, WIDTH)


class DataLoader:
    """Batches source after source, shuffled inside each by seed and epoch."""

    def __init__(self, examples, batch_size, seed=None, pin_memory=False):
        self.examples = examples
        self.batch_size = batch_size
        self.seed = seed
        self.pin_memory = pin_memory

    def __len__(self):
        return (len(self.examples) + self.batch_size - 1) // self.batch_size

    def _order(self, epoch):
        order = list(range(len(self.examples)))
        if self.seed is None:
            return order
        uniform = Random(1000003 * self.seed + epoch).random
        window = len(order) // SOURCES
        for i in range(len(order) - 1, 0, -1):
            first = i - i % window
            j = first + int(uniform() * (i - first + 1))
            order[i], order[j] = order[j], order[i]
        return order

    def batches(self, epoch=0):
        order = self._order(epoch)
        for start in range(0, len(order), self.batch_size):
            yield collate([self.examples[i] for i in order[start:start + self.batch_size]])
