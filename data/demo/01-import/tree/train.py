"""Trains the sentence classifier on one TPU chip."""
import argparse

import torch_xla.core.xla_model as xm

from textcls import data
from textcls.model import Classifier
from textcls.trainer import Trainer


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--seed", type=int, default=1, help="order of the training data")
    p.add_argument("--max_steps", type=int, default=448)
    p.add_argument("--batch_size", type=int, default=32)
    p.add_argument("--hidden", type=int, default=16)
    p.add_argument("--learning_rate", type=float, default=0.009)
    p.add_argument("--momentum", type=float, default=0.9)
    p.add_argument("--max_grad_norm", type=float, default=0.5)
    p.add_argument("--logging_steps", type=int, default=8)
    p.add_argument("--eval_steps", type=int, default=32)
    p.add_argument("--load_best_model_at_end", type=int, default=1)
    p.add_argument("--output_dir", default="out")
    return p.parse_args()


def main():
    args = parse_arguments()
    device = xm.xla_device()
    train_set, eval_set = data.load()
    model = Classifier(data.WIDTH, args.hidden, data.TOPICS).to(device)
    print("device: %s" % device)
    trainer = Trainer(model, args, train_set, eval_set)
    trainer.train()
    print("Training completed")


if __name__ == "__main__":
    main()
