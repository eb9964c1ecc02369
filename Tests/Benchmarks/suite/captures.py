"""The captures that are measured, and what is in them."""
import json
import os
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(FOLDER, "..", "..", ".."))
BENCH = os.path.join(ROOT, ".build", "release", "wirebench")
PROGRAM = os.path.join(ROOT, ".build", "release", "wireaudit")
STORE = os.path.join(ROOT, ".build", "bench")

SHAPES = ["web", "api", "tiny", "fat"]
# Connections of `tiny` for 1 GB; the others are written by size.
TINY_CONNECTIONS = 300_000


def build():
    """The release build of what stands here."""
    for product in ("wireaudit", "wirebench"):
        done = subprocess.run(["swift", "build", "-c", "release", "--product", product], cwd=ROOT, capture_output=True,
                              text=True)
        if done.returncode:
            raise SystemExit(f"the build failed:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")


def write(path, words, bench=BENCH):
    """Lets wirebench write a capture; what is in it."""
    done = subprocess.run([bench, "write"] + words + [path], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"wirebench failed: {done.stderr}")
    with open(path + ".json", encoding="utf-8") as file:
        return json.load(file)


def generated(shape, size, bench=BENCH):
    """A capture of a shape of about `size` bytes, with its truth; written when there is none by this writer."""
    os.makedirs(STORE, exist_ok=True)
    path = os.path.join(STORE, f"{shape}-{size // 10**6}M.pcap")
    limit = ["--bytes", str(size)]
    if shape == "tiny":
        limit = ["--connections", str(max(1, TINY_CONNECTIONS * size // 10**9))]
    newer = os.path.exists(path + ".json") and os.path.getmtime(path + ".json") > os.path.getmtime(bench)
    if newer and os.path.exists(path):
        with open(path + ".json", encoding="utf-8") as file:
            truth = json.load(file)
        if os.path.getsize(path) == truth["file_bytes"]:
            return path, truth
    print(f"writing {os.path.relpath(path, ROOT)}", flush=True)
    return path, write(path, [shape] + limit, bench)


def warm(path):
    """Reads a file once, so that it lies in memory."""
    with open(path, "rb", buffering=0) as file:
        while file.read(1 << 20):
            pass
