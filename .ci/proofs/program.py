"""Runs of wireaudit on capture files, and its records as Python values with exact times."""

import functools
import json
import os
import subprocess

ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
TIMEOUT = 120


class Failure(Exception):
    """The program ended otherwise than it should."""


class Answer:
    """What the program says about a capture: its exchanges, its connections once somebody asks for them, and its audit,
    None until somebody asks for it."""

    def __init__(self, exchanges, ask_connections, make_audit):
        self.exchanges, self.ask_connections, self.make_audit, self.audit = exchanges, ask_connections, make_audit, None

    def ask_audit(self):
        if self.audit is None:
            self.audit = self.make_audit()

    @functools.cached_property
    def connections(self):
        return self.ask_connections()


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def ask(self, files, keys=None, audits=True):
        answer = Answer(list(filter(is_read, self.rows("exchanges", files, keys))), lambda: self.rows("connections", files, keys),
                        lambda: loads(self.run("audit", "json", files, keys)))
        if audits:
            answer.ask_audit()
        return answer

    def rows(self, command, files, keys):
        return [loads(line) for line in self.run(command, "ndjson", files, keys).splitlines()]

    def run(self, command, form, files, keys):
        words = [self.path, command, "--quiet", "--jobs", "1", "--format", form, *(["--keys", keys] if keys else []), *files]
        try:
            run = subprocess.run(words, capture_output=True, timeout=TIMEOUT, env=ENVIRONMENT, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise Failure(f"{command}: no end after {TIMEOUT} s") from None
        if run.returncode != 0:
            raise Failure(f"{command}: status {run.returncode}: {run.stderr.decode('utf-8', 'replace')[-300:].strip()}")
        return run.stdout


def is_read(record):
    """Calls that were not read have no name by which the judge could know them; `bounds-lab` looks at them."""
    return record.get("unread") is None


def loads(text):
    return json.loads(text, parse_float=exact)


def exact(text):
    """Seconds with nine decimals as ns; any other number with a point stays a float."""
    whole, _, fraction = text.partition(".")
    return int(whole + fraction) if len(fraction) == 9 and fraction.isdigit() else float(text)
