"""Audits of sessions on an executor: a process for each, and a row of the table for each, whatever becomes of it."""
import collections
import json
import os
import subprocess
import tempfile
import time

# program: path; attempts: tries of a session; timeout: seconds or None; run: id of the job.
Settings = collections.namedtuple("Settings", "program attempts timeout run")

# Statuses of wireaudit behind which another try may do better: an input that cannot be opened, something missing at run
# time, an output that cannot be written. A damaged input stays damaged.
PASSING = {66, 69, 74}
# Sessions whose sums wait on the disk until their lines are made.
WAITING = 32
# Bytes of what a process said that are looked at.
MOST_ERRORS = 1 << 20


def auditing(settings):
    """For mapPartitions: from lines of the plan to rows. Holds the sums of a few sessions."""
    def rows(lines):
        with tempfile.TemporaryDirectory() as folder:
            waiting = []
            for line in lines:
                waiting.append(audit(json.loads(line), os.path.join(folder, f"{len(waiting)}.part"), settings))
                if len(waiting) == WAITING:
                    yield from finished(waiting, settings)
                    waiting = []
            yield from finished(waiting, settings)
    return rows


def audit(session, path, settings):
    """Runs a session; the result says why it failed, or where its sums lie."""
    command = [settings.program, *session["arguments"], "-o", path, "--", *session["captures"]]
    start = time.monotonic()
    for attempt in range(1, settings.attempts + 1):
        failure, may_pass = once(command, path, settings.timeout)
        if failure is None or not may_pass:
            break
    return {
        "session": session, "failure": failure, "path": path, "attempts": attempt, "seconds": time.monotonic() - start,
    }


def once(command, path, timeout):
    """Why the process failed, in the words of `wireaudit fleet`, and whether another try may do better."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"it took longer than {timeout:g} seconds", False
        if status == 0 and os.path.exists(path):
            return None, False
        if status < 0:
            return f"killed by signal {-status}{limit(command)}", True
        errors.seek(0)
        return last_line(errors.read(MOST_ERRORS + 1)) or f"ended with status {status}", status in PASSING


def limit(command):
    if "--memory" not in command:
        return ""
    size = int(command[command.index("--memory") + 1].rstrip("B"))
    return f"; it may have {size >> 20} MiB, see --memory"


def last_line(said):
    lines = [line for line in said.split(b"\n") if line]
    if not lines or len(said) > MOST_ERRORS:
        return None
    return lines[-1].decode("utf-8", "replace").removeprefix("wireaudit: ")


def finished(results, settings):
    """The rows of the sessions; the program says what stands in the sums of those that were audited."""
    audited = [result for result in results if result["failure"] is None]
    said = iter(())
    if audited:
        made = subprocess.run(
            [settings.program, "merge", "--format", "ndjson", *(result["path"] for result in audited)],
            capture_output=True, check=False, encoding="utf-8")
        if made.returncode:
            raise RuntimeError(made.stderr.strip())
        said = iter(made.stdout.splitlines())
    for result in results:
        if result["failure"] is None:
            with open(result["path"], "rb") as file:
                part = file.read()
            os.unlink(result["path"])
            yield row(result, next(said), part, settings)
        else:
            line = {"schema": "wireaudit.session/1", "session": result["session"]["session"], "failure": result["failure"]}
            yield row(result, json.dumps(line), None, settings)


def row(result, text, part, settings):
    """A row of the table, in the order of its columns."""
    session, line = result["session"], json.loads(text)
    files = ["groups/" + group["file"] for group in session["groups"]]
    if line.get("day") and not session["has_day"]:
        files.append(f"groups/day={line['day']}.part")
    labels = {group["label"]: group["value"] for group in session["groups"]}
    damage = line.get("damage") or {}
    errors = [(error["source"], error["direction"], error["error"]) for error in line.get("errors", [])]
    return (
        line["session"], labels, line.get("failure"), line.get("packets"), line.get("bytes"), line.get("exchanges"),
        line.get("wire_per_exchange"), damage.get("trust"), damage.get("missing_bytes"), errors, result["attempts"],
        result["seconds"], files, text, part and bytearray(part), settings.run,
        line.get("day") or "unknown",
    )
