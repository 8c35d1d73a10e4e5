"""The training loop: logging, evaluation, checkpoints, the best model at the end."""
import json
import os
import time
from math import log

from accel import torch, tpu
from textcls import facts
from textcls.data import DataLoader


class Trainer:
    def __init__(self, model, args, train_set, eval_set):
        self.model = model
        self.args = args
        self.train_loader = DataLoader(train_set, args.batch_size, args.seed,
                                       tpu.ordinal(), tpu.world_size())
        self.eval_loader = DataLoader(eval_set, 51)
        self.optimizer = torch.SGD(model.parameters(), args.learning_rate, args.momentum)
        self.step = 0
        self.log_history = []
        self.best_metric = None
        self.best_checkpoint = None
        self.window = []
        self.total_loss = 0.0

    def epoch(self):
        return self.step / len(self.train_loader)

    def log(self, values):
        entry = dict(values, epoch=round(self.epoch(), 4), step=self.step)
        self.log_history.append(entry)
        if tpu.is_master():
            print(entry, flush=True)

    def train(self):
        os.makedirs(self.args.output_dir, exist_ok=True)
        if tpu.is_master():
            facts.write(self, tpu.world_size())
        started = time.monotonic()
        epoch = 0
        while self.step < self.args.max_steps:
            for batch in self.train_loader.batches(epoch):
                self.training_step(batch.to(self.model.device))
                if self.step >= self.args.max_steps:
                    break
            epoch += 1
        runtime = time.monotonic() - started
        if not tpu.is_master():
            return
        if self.args.load_best_model_at_end:
            self.load_best()
        self.evaluate()
        self.log({"train_runtime": round(runtime, 2),
                  "train_loss": round(self.total_loss / self.step, 4),
                  "train_samples_per_second":
                  round(self.step * self.args.batch_size / runtime, 1)})
        self.save_state()

    def training_step(self, batch):
        self.optimizer.zero_grad()
        loss = self.model.loss(batch)
        loss.backward()
        norm = torch.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
        tpu.optimizer_step(self.optimizer)
        tpu.mark_step()
        self.step += 1
        self.window.append(loss.item())
        self.total_loss += self.window[-1]
        if self.step % self.args.logging_steps == 0 or self.step == self.args.max_steps:
            self.log_training(norm)
        if self.step % self.args.eval_steps == 0 or self.step == self.args.max_steps:
            if tpu.is_master():
                self.save_checkpoint(self.evaluate())
            tpu.rendezvous()

    def log_training(self, norm):
        loss = tpu.all_reduce_mean([[self.mean(self.window)]])[0][0]
        self.log({"loss": round(loss, 4), "grad_norm": round(norm, 4),
                  "learning_rate": self.optimizer.lr,
                  "memory_mb": round(tpu.memory_used() / 2**20, 3)})
        self.window = []

    @staticmethod
    def mean(values):
        total = 0.0
        for value in values:
            total += value
        return total / len(values)

    def evaluate(self):
        correct = examples = 0
        total = 0.0
        for batch in self.eval_loader.batches():
            for p, label in zip(self.model.predict(batch.to(self.model.device)), batch.labels):
                correct += p.index(max(p)) == label
                examples += 1
                total -= log(max(p[label], 1e-300))
        accuracy = correct / examples
        self.log({"eval_loss": round(total / examples, 4),
                  "eval_accuracy": round(accuracy, 4), "eval_samples": examples})
        print(tpu.metrics_report(), flush=True)
        return accuracy

    def save_checkpoint(self, metric):
        folder = os.path.join(self.args.output_dir, "checkpoint-%d" % self.step)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "model.json")
        torch.save(self.model.state_dict(), path)
        if self.best_metric is None or metric > self.best_metric:
            self.best_metric = metric
            self.best_checkpoint = path
        self.save_state()

    def load_best(self):
        print("Loading best model from %s (score: %.4f)" % (self.best_checkpoint, self.best_metric))
        self.model.load_state_dict(torch.load(self.best_checkpoint))

    def save_state(self):
        state = {"best_metric": self.best_metric, "best_model_checkpoint": self.best_checkpoint,
                 "epoch": round(self.epoch(), 4), "global_step": self.step,
                 "log_history": self.log_history, "max_steps": self.args.max_steps,
                 "num_train_epochs": -(-self.args.max_steps // len(self.train_loader)),
                 "train_batch_size": self.args.batch_size}
        with open(os.path.join(self.args.output_dir, "trainer_state.json"), "w") as f:
            json.dump(state, f, indent=2, sort_keys=True)
            f.write("\n")
