"""Per-example predictions, as portside pairs them for McNemar's test."""

import json
import os
import re

from . import journal


def keep(split, ids, predicted, labels):
    """Writes predictions-SPLIT-RANK.jsonl anew: the last evaluation is the one that counts."""
    folder = journal.folder()
    if folder is None:
        return
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", str(split))[:60] or "evaluation"
    path = os.path.join(folder, f"predictions-{name}-{journal.rank()}.jsonl")
    count = 0
    with open(path + ".new", "w", encoding="utf-8") as out:
        for one, guess, label in zip(ids, predicted, labels):
            row = {"id": _word(one), "prediction": _word(guess), "label": _word(label)}
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
            count += 1
    os.replace(path + ".new", path)
    journal.write("predictions", split=str(split), examples=count, file=os.path.basename(path))


def _word(x):
    x = x.item() if hasattr(x, "item") else x
    return journal.plain(x)
