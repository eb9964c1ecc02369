"""A capture of real traffic: nginx and wrk in network namespaces of their own, 64 keep-alive connections, 0.2 % loss.

The server's log is the truth: one row for each request it answered, with its status and the bytes of the body."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

NEEDED = {"ip": "iproute2", "tc": "iproute2", "iptables": "iptables", "ethtool": "ethtool", "nginx": "nginx-light",
          "wrk": "wrk", "tcpdump": "tcpdump"}
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
ENVIRONMENT = dict(os.environ, PATH=PATH)
CONNECTIONS = 64
SECONDS = 90

SETTINGS = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    log_format bench '$status $body_bytes_sent';
    access_log {folder}/access.log bench buffer=256k;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    keepalive_requests 2000;
    types {{ application/json json; image/jpeg jpg; }}
    server {{ listen 10.99.0.1:80; root {folder}/site; }}
}}
"""

# Each thread of wrk asks in an order of its own.
SCRIPT = """
local paths = { %s }
local n, threads = 0, 0
function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end
function init(args) math.randomseed(number) end
function request()
  n = n + 1
  return wrk.format("GET", paths[math.random(#paths)] .. "?n=" .. n, { ["Host"] = "shop.example.com" })
end
"""


def missing():
    """What is not there for it, in words; empty when it can be made."""
    names = sorted({package for name, package in NEEDED.items() if not shutil.which(name, path=PATH)})
    if names:
        return "needs " + ", ".join(names)
    return "" if os.geteuid() == 0 else "needs root"


def make(path, size):
    """Writes the capture; its truth is beside it as for generated ones."""
    with tempfile.TemporaryDirectory(prefix="wireaudit-bench-") as folder:
        os.chmod(folder, 0o755)
        lab = Lab(folder, path, size)
        try:
            lab.run()
        finally:
            lab.end()
        truth = lab.truth()
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump(truth, file)
    return truth


class Lab:
    def __init__(self, folder, path, size):
        self.folder, self.path, self.size = folder, path, size
        self.spaces = [f"wirebench-{os.getpid()}-{side}" for side in ("server", "client")]
        self.started = []

    def run(self):
        server, client = self.spaces
        for space in self.spaces:
            self.call("ip", "netns", "add", space)
            self.call("ip", "-n", space, "link", "set", "lo", "up")
        self.call("ip", "link", "add", "eth0", "netns", server, "type", "veth", "peer", "name", "eth0", "netns", client)
        for space, address in ((server, "10.99.0.1/24"), (client, "10.99.0.2/24")):
            self.call("ip", "-n", space, "address", "add", address, "dev", "eth0")
            self.call("ip", "-n", space, "link", "set", "eth0", "up")
            self.within(space, "ethtool", "-K", "eth0", "tso", "off", "gso", "off", "gro", "off")
            # A rate that the capture can follow.
            self.within(space, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "400mbit", "burst", "128k",
                        "latency", "50ms")
            # Losses behind the capture, which sees what is lost and what takes its place.
            self.within(space, "iptables", "-A", "INPUT", "-p", "tcp", "-m", "statistic", "--mode", "random",
                        "--probability", "0.002", "-j", "DROP")
        self.write_site()
        self.start(server, "nginx", "-p", self.folder, "-c", self.folder + "/nginx.conf")
        self.wait(lambda: os.path.exists(self.folder + "/nginx.pid"), 10)
        self.dump = self.start(server, "tcpdump", "-i", "eth0", "-n", "-s", "262144", "-B", "262144", "-Z", "root",
                               "-w", self.path, errors=self.folder + "/tcpdump.log")
        self.wait(lambda: "listening on" in self.log("tcpdump.log") and self.is_up(), 10)
        load = self.start(client, "wrk", "-t", "2", "-c", str(CONNECTIONS), "-d", f"{SECONDS}s", "-s",
                          self.folder + "/paths.lua", "http://10.99.0.1/", errors=self.folder + "/wrk.log")
        self.wait(lambda: os.path.getsize(self.path) >= self.size or load.poll() is not None, SECONDS + 10)
        load.send_signal(signal.SIGINT)
        load.wait(20)
        self.wait_for_calm()
        self.dump.send_signal(signal.SIGTERM)
        self.dump.wait(20)

    def log(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def is_up(self):
        state = ["ip", "-n", self.spaces[1], "-o", "link", "show", "eth0"]
        return "state UP" in subprocess.run(state, env=ENVIRONMENT, capture_output=True, text=True,
                                            check=False).stdout

    def wait_for_calm(self):
        """Until the capture has grown no more for a second."""
        size, since = -1, time.monotonic()
        while time.monotonic() - since < 1:
            if os.path.getsize(self.path) != size:
                size, since = os.path.getsize(self.path), time.monotonic()
            time.sleep(0.1)

    def write_site(self):
        """Files from 300 bytes to 100 kB, most of them short."""
        os.mkdir(self.folder + "/site")
        names = []
        for index in range(40):
            length = int(300 * 1.16 ** index)
            name = f"item-{index}.{'json' if index < 30 else 'jpg'}"
            with open(f"{self.folder}/site/{name}", "wb") as file:
                file.write(os.urandom(length // 2).hex().encode()[:length])
            names += [f'"/{name}"'] * (6 if index < 20 else 2 if index < 30 else 1)
        with open(self.folder + "/nginx.conf", "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(folder=self.folder))
        with open(self.folder + "/paths.lua", "w", encoding="utf-8") as file:
            file.write(SCRIPT % ", ".join(names))

    def truth(self):
        rows = [line.split() for line in self.log("access.log").splitlines()]
        text = self.log("tcpdump.log")
        lines = [line for line in text.splitlines() if " packets " in line]
        counts = {line.split(" packets ")[1]: int(line.split(" ")[0]) for line in lines}
        if counts.get("dropped by kernel", 1):
            raise SystemExit(f"the capture of real traffic lost packets: {text}")
        if not rows:
            raise SystemExit("wrk made no requests: " + self.log("wrk.log"))
        # The load ends in the middle of exchanges, at most one on each connection.
        return {"shape": "real", "packets": counts["captured"], "file_bytes": os.path.getsize(self.path),
                "exchanges": len(rows), "response_body_bytes": sum(int(row[1]) for row in rows),
                "cut_off": CONNECTIONS, "longest_body": max(int(row[1]) for row in rows)}

    def end(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
        for process in self.started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for space in self.spaces:
            subprocess.run(["ip", "netns", "delete", space], env=ENVIRONMENT, capture_output=True, check=False)

    def call(self, *words):
        done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")

    def within(self, space, *words):
        self.call("ip", "netns", "exec", space, *words)

    def start(self, space, *words, errors=os.devnull):
        with open(errors, "w", encoding="utf-8") as log:
            process = subprocess.Popen(["ip", "netns", "exec", space, *words], env=ENVIRONMENT,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        self.started.append(process)
        return process

    @staticmethod
    def wait(is_done, seconds):
        end = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() > end:
                raise SystemExit("the lab for real traffic did not come up")
            time.sleep(0.05)
