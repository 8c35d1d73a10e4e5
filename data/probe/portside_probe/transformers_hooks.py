"""The Trainer of Hugging Face: its arguments, its evaluations, what it saved and chose as best."""

import os
import sys

from . import answers, journal
from .guard import wrap

_SECRET = ("token", "key", "secret", "password")


def install():
    kind = sys.modules["transformers.trainer"].Trainer
    wrap(kind, "__init__", after=_made)
    wrap(kind, "evaluation_loop", after=_evaluated)
    wrap(kind, "_load_best_model", after=_best)
    base = getattr(sys.modules.get("transformers.modeling_utils"), "PreTrainedModel", None)
    if base is not None:
        wrap(base, "save_pretrained", after=_saved)


def _made(_kept, _result, args, _kwargs):
    trainer = args[0]
    arguments = getattr(trainer, "args", None)
    told = arguments.to_dict() if hasattr(arguments, "to_dict") else {}
    config = getattr(getattr(trainer, "model", None), "config", None)
    journal.write(
        "trainer",
        arguments=_without_secrets(told),
        model=_without_secrets(config.to_dict() if hasattr(config, "to_dict") else {}),
        train_examples=journal.length(getattr(trainer, "train_dataset", None)),
        evaluation_examples=journal.length(getattr(trainer, "eval_dataset", None)),
    )


def _without_secrets(words):
    return {
        str(k): journal.plain(v)
        for k, v in sorted(words.items())
        if not any(word in str(k).lower() for word in _SECRET) or isinstance(v, (bool, int, float))
    }


def _evaluated(_kept, result, args, kwargs):
    trainer = args[0]
    state = getattr(trainer, "state", None)
    prefix = kwargs.get("metric_key_prefix", "eval")
    journal.write(
        "evaluated",
        step=getattr(state, "global_step", None),
        prefix=str(prefix),
        examples=getattr(result, "num_samples", None),
        metrics={str(k): journal.plain(v) for k, v in (getattr(result, "metrics", None) or {}).items()},
    )
    if os.environ.get("PORTSIDE_PROBE_PREDICTIONS") == "1":
        _keep_predictions(prefix, result)


def _keep_predictions(prefix, result):
    predicted, labels = result.predictions, result.label_ids
    if isinstance(predicted, tuple):
        predicted = predicted[0]
    if labels is None or predicted is None:
        return
    if getattr(predicted, "ndim", 1) > 1:
        predicted = predicted.argmax(-1)
    answers.keep(prefix, range(len(predicted)), predicted, labels)


def _best(_kept, _result, args, _kwargs):
    state = getattr(args[0], "state", None)
    best = getattr(state, "best_model_checkpoint", None)
    journal.write("best_restored", file=os.path.basename(str(best)) if best else None,
                  metric=journal.plain(getattr(state, "best_metric", None)))


def _saved(_kept, _result, args, kwargs):
    folder = args[1] if len(args) > 1 else kwargs.get("save_directory")
    files = {}
    for name in sorted(os.listdir(folder)) if folder and os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            files[name] = os.path.getsize(path)
    journal.write("saved_model", folder=os.path.basename(str(folder)), files=files)
