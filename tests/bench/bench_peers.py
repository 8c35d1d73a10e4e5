"""How fast Python reads what bench_curve_read writes, as people do in a notebook.

    bench_peers.py json|csv|NAME FILE     prints MB/s

NAME is a family of printed lines: its pattern is compiled once, and each match
gives a number to a column.  The time is that of the process, the file is cached.
"""
import ast
import csv
import json
import re
import sys
import time

NUMBER = r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)"
PATTERNS = {
    "generic": r"step (\d+) loss: " + NUMBER + " grad_norm: " + NUMBER + " lr: " + NUMBER,
    "words": r"step (\d+) loss " + NUMBER + " grad_norm " + NUMBER + " lr " + NUMBER,
    "nanoGPT": r"iter (\d+): loss " + NUMBER + ", time " + NUMBER + "ms, mfu " + NUMBER,
    "tqdm": r"(\d+)/\d+ \[[^,]*, [^,]*, loss=" + NUMBER + ", lr=" + NUMBER,
    "fairseq simple": r"loss=" + NUMBER + ", ppl=" + NUMBER + r", num_updates=(\d+)",
    "torch_xla": r"Epoch=(\d+) Step=(\d+) Loss=" + NUMBER + " Rate=" + NUMBER,
    "Megatron": r"iteration +(\d+)/.*?lm loss: " + NUMBER + r" \| grad norm: " + NUMBER,
    "MaxText absl": r"completed step: (\d+), seconds: " + NUMBER + ".*?loss: " + NUMBER,
    "fairseq": r'"loss": "' + NUMBER + '", "ppl": "' + NUMBER + r'", "num_updates": "(\d+)"',
    "timm": r"Train: (\d+) \[ *(\d+)/.*?Loss: +" + NUMBER + r" .*?LR: " + NUMBER,
    "short keys": r"step:(\d+)/\d+ val_loss:" + NUMBER + " train_time:" + NUMBER + "ms",
    "Keras": r"(\d+)/\d+ \[[^]]*\] - ETA: [^ ]* - loss: " + NUMBER + " - accuracy: " + NUMBER,
    "boosting": r"\[(\d+)\]\ttrain-logloss:" + NUMBER + r"\tval-logloss:" + NUMBER,
    "pattern": r"step (\d+) loss: " + NUMBER + " grad_norm: " + NUMBER + " lr: " + NUMBER,
    "MaxText": r"completed step: (\d+), seconds: " + NUMBER + ".*?loss: " + NUMBER,
}


def add_row(columns, row):
    for key, value in row.items():
        columns.setdefault(key, []).append(value)


def read_json(file):
    columns = {}
    for line in file:
        add_row(columns, json.loads(line))


def read_state(file):
    columns = {}
    for row in json.loads(file.read() + "]}")["log_history"]:
        add_row(columns, row)


def read_csv(file):
    reader = csv.reader(file)
    columns = [[] for _ in next(reader)]
    for row in reader:
        for column, value in zip(columns, row):
            column.append(float(value) if value else None)


def read_dicts(file):
    columns = {}
    for line in file:
        add_row(columns, ast.literal_eval(line))


def read_lines(pattern, file):
    pattern = re.compile(pattern)
    columns = [[] for _ in range(pattern.groups)]
    for line in file:
        for match in pattern.finditer(line):
            for column, text in zip(columns, match.groups()):
                column.append(float(text))
    if not columns[0]:
        sys.exit("no line matches: the figure would be of nothing")


def main():
    kind, path = sys.argv[1:]
    readers = {"json": read_json, "csv": read_csv, "state": read_state, "HF dict": read_dicts}
    start = time.process_time()
    with open(path, newline="\n") as file:
        if kind in readers:
            readers[kind](file)
        else:
            read_lines(PATTERNS[kind], file)
    took = time.process_time() - start
    with open(path, "rb") as file:
        print("%.1f" % (file.seek(0, 2) / 1e6 / took))


main()
