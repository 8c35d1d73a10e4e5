"""How fast Python's own readers are, on rows as bench_curve_read writes them.

    bench_peers.py jsonl|csv ROWS     prints MB/s
"""
import csv
import io
import json
import sys
import time


def jsonl_rows(n):
    for i in range(n):
        yield ('{"step": %d, "loss": %.16g, "grad_norm": %.4f, "lr": 5e-05, "epoch": %.2f}\n'
               % (i, 0.5 + 4 / (1 + i / 100000), 1 + i % 7 / 10, i / 1000))


def csv_rows(n):
    yield "epoch,step,train_loss,val_loss\n"
    for i in range(n):
        yield "%d,%d,%.16g,\n" % (i // 1000, i, 0.5 + 4 / (1 + i / 100000))


def read_jsonl(text):
    columns = {}
    for line in text:
        for key, value in json.loads(line).items():
            columns.setdefault(key, []).append(value)


def read_csv(text):
    reader = csv.reader(text)
    columns = [[] for _ in next(reader)]
    for row in reader:
        for column, value in zip(columns, row):
            column.append(float(value) if value else None)


def main():
    kind, n = sys.argv[1], int(sys.argv[2])
    text = "".join(jsonl_rows(n) if kind == "jsonl" else csv_rows(n))
    start = time.process_time()
    (read_jsonl if kind == "jsonl" else read_csv)(io.StringIO(text))
    print("%.1f" % (len(text) / 1e6 / (time.process_time() - start)))


main()
