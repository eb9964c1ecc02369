"""What the scenarios of `.ci/faults` share: captures, runs of the program, and the judgement of what they left behind."""

import os
import resource
import shutil
import struct
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHOP = os.path.join(ROOT, "Captures", "shop")
ENVIRONMENT = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
# Nobody's number on Debian; any user without rights does.
NOBODY = 65534


class Wrong(Exception):
    """A scenario ended otherwise than it should."""


class Run:
    """What a run of the program left behind."""

    def __init__(self, status, output, errors):
        self.status, self.output, self.errors = status, output, errors


class Stage:
    """A temporary folder with captures, in which the program is run."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="wireaudit-faults-")
        os.chmod(self.folder, 0o755)
        self.checked = 0
        self.shop = shutil.copy(os.path.join(SHOP, "capture.pcap"), self.path("shop.pcap"))
        self.log = shutil.copy(os.path.join(SHOP, "traffic.ndjson"), self.path("traffic.ndjson"))
        self.policy = shutil.copy(os.path.join(SHOP, "accuracy.policy"), self.path("accuracy.policy"))
        # Half a second of work, and some megabytes of records.
        self.long = self.repeated("long.pcap", 600)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def repeated(self, name, copies, first=0):
        """The shop's capture so many times, ten minutes apart: as many connections and calls."""
        with open(os.path.join(SHOP, "capture.pcap"), "rb") as file:
            header, records = file.read(24), bytearray(file.read())
        order = "<" if header[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
        places, place = [], 0
        while place < len(records):
            places.append((place, struct.unpack_from(order + "I", records, place)[0]))
            place += 16 + struct.unpack_from(order + "I", records, place + 8)[0]
        seconds = struct.Struct(order + "I")
        with open(self.path(name), "wb") as file:
            file.write(header)
            for copy in range(first, first + copies):
                for place, time in places:
                    seconds.pack_into(records, place, time + 600 * copy & 0xFFFFFFFF)
                file.write(records)
        return self.path(name)

    # Runs

    def start(self, arguments, before=(), limits=(), **options):
        """Starts the program behind the words of `before`, under resource limits (name, value)."""
        def set_limits():
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("env", ENVIRONMENT)
        return subprocess.Popen([*before, self.program, *arguments], cwd=self.folder, preexec_fn=set_limits, **options)

    def run(self, arguments, before=(), limits=(), **options):
        """Runs it to its end."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = self.start(arguments, before, limits, **options)
        try:
            output, errors = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Wrong(f"{' '.join(arguments)}: no end within two minutes") from None
        return Run(process.returncode, output or b"", (errors or b"").decode(errors="replace"))

    def inject(self, fault, arguments, path=None, **options):
        """Runs it with a fault in its system calls, such as "read:error=EIO:when=3+"; of one file only, if named."""
        trace = self.path("trace")
        words = ["strace", "-f", "-qq", "-o", trace, "-e", "trace=" + fault.split(":")[0], "-e", "inject=" + fault]
        if path:
            words += ["-P", path]
        run = self.run(arguments, before=words, **options)
        with open(trace, encoding="utf-8", errors="replace") as file:
            text = file.read()
            if "INJECTED" not in text and "DELAYED" not in text:
                raise Wrong(f"{fault}: nothing was injected")
        return run

    # Judgement

    def check(self, what, expected, got):
        """One line; a difference ends the whole run."""
        self.checked += 1
        if expected == got:
            print(f"right  {what}: {short(expected)}", flush=True)
        else:
            print(f"WRONG  {what}: expected {short(expected)}, got {short(got)}", flush=True)
            raise Wrong(what)

    def check_end(self, what, run, status, words="", lines=1):
        """The status, and so many lines on standard error, one of which has the words."""
        self.check(what, (status, lines, True), (run.status, run.errors.count("\n"), words in run.errors)
                   if words in run.errors and run.errors.count("\n") == lines else (run.status, run.errors))

    def leftovers(self, folder=None):
        """Temporary names of results that are still there."""
        return sorted(name for name in os.listdir(folder or self.folder) if ".partial-" in name)


def short(value):
    text = repr(value)
    return text if len(text) <= 160 else text[:100] + " … " + text[-50:]


def content(path):
    with open(path, "rb") as file:
        return file.read()
