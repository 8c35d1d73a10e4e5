"""What a training was given, measured as it begins, for tools that compare runs."""
import json
import os
from hashlib import sha256
from struct import pack


def digest(examples):
    """Names a set of sentences in its order."""
    h = sha256()
    for e in examples:
        h.update(pack("<%dd2q" % len(e.features), *e.features, e.length, e.label))
    return h.hexdigest()[:12]


def write(trainer, replicas=1):
    """Writes portside-facts.json beside the curves."""
    first = next(trainer.train_loader.batches())
    optimizer = trainer.optimizer
    facts = {"batch": replicas * len(first.labels),
             "clipping": trainer.args.max_grad_norm,
             "data": digest(trainer.train_loader.examples),
             "evaluation": "accuracy on " + digest(trainer.eval_loader.examples),
             "examples": len(trainer.eval_loader.examples),
             "optimizer": "%s, momentum %g" % (type(optimizer).__name__, optimizer.momentum),
             "parameters": sum(len(row) for p in optimizer.params for row in p.data)}
    with open(os.path.join(trainer.args.output_dir, "portside-facts.json"), "w") as f:
        json.dump(facts, f, indent=2, sort_keys=True)
        f.write("\n")
