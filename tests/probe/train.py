"""A small training program whose losses are printed to the last bit.

    train.py [loader workers]

torchrun's variables make it one of several processes (gloo).  CLIP_FIRST=1 clips
before the gradients are reduced, as a program that was ported wrongly does.
"""

import os
import random
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(50, 16)
        self.middle = torch.nn.Linear(16, 16)
        self.drop = torch.nn.Dropout(0.1)
        self.head = torch.nn.Linear(16, 50, bias=False)
        self.head.weight = self.words.weight

    def forward(self, ids=None):
        return self.head(self.drop(torch.relu(self.middle(self.words(ids)))).mean(1))


def average_gradients(model):
    for p in model.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    random.seed(7)
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    several = "WORLD_SIZE" in os.environ
    by_hand = os.environ.get("CLIP_FIRST") == "1"
    if several:
        dist.init_process_group("gloo")
    model = Model()
    wrapped = DistributedDataParallel(model) if several and not by_hand else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 10))
    words, labels = torch.randint(0, 50, (96, 8)), torch.randint(0, 50, (96,))
    data = torch.utils.data.TensorDataset(words, labels)
    sampler = torch.utils.data.distributed.DistributedSampler(data) if several else None
    loader = torch.utils.data.DataLoader(data, 8, shuffle=sampler is None, sampler=sampler, num_workers=workers)
    step = 0
    for _ in range(2):
        for ids, label in loader:
            loss = torch.nn.functional.cross_entropy(wrapped(ids=ids), label)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            if several and by_hand:
                average_gradients(model)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            step += 1
            print(step, loss.item().hex())
    file = f"model-{os.environ.get('RANK', '0')}.pt"
    torch.save(model.state_dict(), file)
    model.load_state_dict(torch.load(file))
    print(random.random().hex(), torch.rand(1).item().hex())


if __name__ == "__main__":
    main()
