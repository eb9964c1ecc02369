"""The programs that are compared: how each is run, and what it says of a capture.

An answer is a dictionary with names of the truth (packets, frame_bytes, connections, exchanges …), and besides requests
and responses."""
import json
import os
import re
import shutil
import subprocess

SURICATA_SETTINGS = """%YAML 1.1
---
outputs:
  - eve-log:
      enabled: yes
      filetype: regular
      filename: eve.json
      types: [{http: {extended: yes}}, flow]
logging: {default-log-level: error, outputs: [{console: {enabled: yes}}]}
classification-file: {folder}/empty
reference-config-file: {folder}/empty
flow: {memcap: 4gb, hash-size: 65536}
stream:
  memcap: 4gb
  reassembly: {memcap: 4gb, depth: 0}
app-layer: {protocols: {http: {enabled: yes, memcap: 4gb}}}
"""


class Tool:
    """A program besides wireaudit. `rounds` limits how often it is timed; `slow` ones are timed in their check too."""

    def __init__(self, name, program, package, does, rounds=None, skips=()):
        self.name, self.program, self.package, self.does = name, program, package, does
        self.rounds, self.skips, self.place = rounds, skips, None

    def find(self, folders):
        """Looks for the program in these folders and in PATH."""
        everywhere = folders + [os.environ["PATH"], "/usr/sbin", "/sbin"]
        self.place = shutil.which(self.program, path=os.pathsep.join(everywhere))
        return self.place is not None

    def version(self):
        return ""

    def command(self, capture, folder):
        """The words of its call. It may write into `folder`."""
        raise NotImplementedError

    def answer(self, output, folder):
        """What it said: on standard output (a path), or in files of `folder`."""
        raise NotImplementedError

    def said(self, *options):
        done = subprocess.run([self.place, *options], capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL)
        return done.stdout + done.stderr


def found(pattern, text, default=0):
    match = re.search(pattern, text)
    return int(match.group(1).replace(",", "")) if match else default


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Capinfos(Tool):
    def __init__(self):
        super().__init__("capinfos", "capinfos", "wireshark-common", "record headers only")

    def version(self):
        return found_text(r"(\d+\.\d+\.\d+)", self.said("--version"))

    def command(self, capture, folder):
        return [self.place, "-M", "-c", "-s", "-d", "-u", "-a", "-e", capture]

    def answer(self, output, folder):
        text = text_of(output)
        return {"packets": found(r"packets:\s+([\d,]+)", text), "frame_bytes": found(r"Data size:\s+([\d,]+)", text)}


class Httpry(Tool):
    def __init__(self):
        super().__init__("httpry", "httpry", "httpry", "first lines of HTTP messages, packet by packet, no bytes")

    def version(self):
        return found_text(r"version (\S+)", self.said("-h"))

    def command(self, capture, folder):
        return [self.place, "-q", "-r", capture]

    def answer(self, output, folder):
        counts = {">": 0, "<": 0}
        with open(output, encoding="utf-8", errors="replace") as file:
            for line in file:
                fields = line.split("\t")
                if len(fields) > 3 and fields[3] in counts:
                    counts[fields[3]] += 1
        return {"requests": counts[">"], "responses": counts["<"]}


class Tcptrace(Tool):
    def __init__(self):
        super().__init__("tcptrace", "tcptrace", "tcptrace", "counts per connection, no HTTP", rounds=3)

    def version(self):
        return found_text(r"version (\S+)", self.said("-v"))

    def command(self, capture, folder):
        return [self.place, "-l", "-n", capture]

    def answer(self, output, folder):
        with open(output, encoding="utf-8", errors="replace") as file:
            text = file.read(4000)
        return {"packets": found(r"(\d+) packets seen", text),
                "connections": found(r"(\d+) TCP connections traced", text)}


class Tcpflow(Tool):
    def __init__(self):
        super().__init__("tcpflow", "tcpflow", "tcpflow", "streams into files", rounds=2, skips=("tiny",))

    def version(self):
        return found_text(r"TCPFLOW (\S+)", self.said("--version"))

    def command(self, capture, folder):
        return [self.place, "-q", "-o", folder, "-r", capture]

    def answer(self, output, folder):
        # One file a direction that carries bytes; none is named other than by addresses and ports.
        streams = {name.split("c")[0] for name in os.listdir(folder) if re.match(r"[0-9.]+-[0-9.]+", name)}
        return {"connections": len({tuple(sorted(name.split("-"))) for name in streams})}


class HttpAnalyzer(Tool):
    def __init__(self):
        super().__init__("PcapPlusPlus", "HttpAnalyzer", "example program of PcapPlusPlus",
                         "HTTP totals, packet by packet")

    def version(self):
        return found_text(r"PcapPlusPlus v(\S+)", self.said("-v"))

    def command(self, capture, folder):
        return [self.place, "-f", capture]

    def answer(self, output, folder):
        text = text_of(output)
        return {"requests": found(r"Number of HTTP requests:\s+(\d+)", text),
                "responses": found(r"Number of HTTP responses:\s+(\d+)", text),
                "exchanges": found(r"Number of HTTP transactions:\s+(\d+)", text)}


class Suricata(Tool):
    def __init__(self):
        super().__init__("Suricata", "suricata", "suricata", "HTTP and flow records, no rules, one thread", rounds=3)

    def version(self):
        return found_text(r"version (\S+)", self.said("-V"))

    def command(self, capture, folder):
        settings = os.path.join(folder, "settings.yaml")
        with open(settings, "w", encoding="utf-8") as file:
            file.write(SURICATA_SETTINGS.replace("{folder}", folder))
        with open(os.path.join(folder, "empty"), "w", encoding="utf-8"):
            pass
        return [self.place, "-c", settings, "-S", os.devnull, "-k", "none", "--runmode", "single", "-l", folder, "-r",
                capture]

    def answer(self, output, folder):
        counts = {"http": 0, "flow": 0}
        with open(os.path.join(folder, "eve.json"), encoding="utf-8", errors="replace") as file:
            for line in file:
                record = json.loads(line)
                if record["event_type"] == "http":
                    counts["http"] += "status" in record["http"]
                elif record["event_type"] == "flow":
                    counts["flow"] += record.get("proto") == "TCP"
        return {"exchanges": counts["http"], "connections": counts["flow"]}


class Zeek(Tool):
    def __init__(self):
        super().__init__("Zeek", "zeek", "zeek (from its project)", "connection and HTTP records", rounds=2)

    def version(self):
        return found_text(r"version (\S+)", self.said("--version"))

    def command(self, capture, folder):
        # Bare: the two scripts that are compared, no other policy.
        return [self.place, "-b", "-C", "-r", capture, "base/protocols/conn", "base/protocols/http",
                "LogAscii::use_json=T", f"Log::default_logdir={folder}"]

    def answer(self, output, folder):
        answer = {}
        for name, key in (("http.log", "exchanges"), ("conn.log", "connections")):
            path = os.path.join(folder, name)
            answer[key] = 0
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    answer[key] = sum(1 for line in file if key == "connections" or '"status_code"' in line)
        return answer


class Tshark(Tool):
    """tshark with the options that make its answer right. What is not needed for it, decompression and the
    dissectors of content, is off: that makes it up to eight times faster."""

    def __init__(self):
        super().__init__("tshark", "tshark", "tshark", "a row for each message", rounds=1)

    def version(self):
        return found_text(r"(\d+\.\d+\.\d+)", self.said("--version"))

    def command(self, capture, folder):
        contents = ("json", "image-gif", "image-jfif", "png", "data-text-lines", "media", "xml", "mp4")
        quiet = [word for name in contents for word in ("--disable-protocol", name)]
        return [self.place, "-n", "-r", capture, "-o", "tcp.reassemble_out_of_order:TRUE", "-o",
                "http.decompress_body:FALSE", *quiet, "-Y", "http.request or http.response", "-T", "fields", "-e",
                "tcp.stream", "-e", "http.request.method", "-e", "http.response.code", "-e",
                "http.content_length_header"]

    def answer(self, output, folder):
        answer = {"requests": 0, "responses": 0}
        with open(output, encoding="utf-8", errors="replace") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                answer["requests"] += len([word for word in fields[1].split(",") if word])
                answer["responses"] += len([word for word in fields[2].split(",") if word])
        return answer


def found_text(pattern, text):
    match = re.search(pattern, text)
    return match.group(1) if match else "?"


class Wireaudit(Tool):
    """Ours with so many threads (None: its default). A program without --jobs is run without it."""

    def __init__(self, program, jobs=None, is_default=False):
        name = "wireaudit" if is_default or jobs is None else f"wireaudit --jobs {jobs}"
        super().__init__(name, program, "", "the audit")
        self.place, self.jobs = program, jobs
        if jobs and "--jobs" not in self.said("audit", "--help"):
            self.jobs = None

    def version(self):
        return found_text(r"(\S+)\s*$", self.said("--version"))

    def command(self, capture, folder):
        jobs = ["--jobs", str(self.jobs)] if self.jobs else []
        return [self.place, "audit", *jobs, "--quiet", "--format", "json", capture]

    def answer(self, output, folder):
        with open(output, encoding="utf-8") as file:
            result = json.load(file)
        if not result["ledger"]["balanced"]:
            raise SystemExit("wireaudit: the ledger is not balanced")
        causes = result["ledger"]["causes"]
        hosts, files = result["hosts"], result["capture"]["files"]
        return {
            "packets": sum(file["packets"] for file in files), "frame_bytes": result["ledger"]["bytes"],
            "connections": sum(host["connections"] for host in hosts),
            "exchanges": sum(host["exchanges"] for host in hosts),
            "request_body_bytes": causes["up"]["body"], "response_body_bytes": causes["down"]["body"],
            "framing_bytes": causes["up"]["framing"] + causes["down"]["framing"],
            "head_bytes": sum(causes[side][part] for side in causes for part in ("start_line", "headers")),
        }


def peers():
    return [Capinfos(), Httpry(), HttpAnalyzer(), Tcptrace(), Tcpflow(), Suricata(), Zeek(), Tshark()]
