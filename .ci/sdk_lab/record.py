"""Records a session: server, tcpdump and the test app in a network and mount namespace of their own.

Nothing leaves the namespace: it has a loopback interface and nothing else. Its /etc/hosts names the app's servers, and
its list of trusted certificates is the server's; both are bound over the real files, seen by the session's programs only.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(os.path.dirname(os.path.dirname(HERE)), "Tests", "SDKLab", "server.py")
NAMES = ("api.shop.test", "img.shop.test", "pay.shop.test")
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
PORTS = {"plain": 8080, "tls": 8443}
UNTRUSTED = 9443
PATIENCE = 120


def record(kind, sdklab, folder, seed, calls):
    """Starts a recording; returns the process. `finish` waits for it."""
    os.makedirs(folder, exist_ok=True)
    command = [sys.executable, os.path.abspath(__file__), kind, sdklab, folder, str(seed), str(calls)]
    # What is left of a session that is given up dies with its first process.
    space = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return subprocess.Popen([*space, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(kind, process):
    try:
        text = process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"sdk-lab: the {kind} session does not end")
    if process.returncode != 0:
        sys.exit(f"sdk-lab: the {kind} session failed\n{text}")
    return text.strip().splitlines()[-1]


def certificate(folder, name):
    """A certificate that signs itself, for all names; with its key in one file."""
    path, key = os.path.join(folder, name + ".pem"), os.path.join(folder, name + ".key")
    names = ",".join("DNS:" + name for name in NAMES)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=" + name, "-addext", "subjectAltName=" + names, "-keyout", key, "-out", path],
                   check=True, capture_output=True)
    with open(path, encoding="ascii") as file:
        public = file.read()
    with open(key, encoding="ascii") as secret, open(path, "w", encoding="ascii") as file:
        file.write(public + secret.read())
    os.remove(key)
    return path, public


def bind(folder, name, text, target):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run(["mount", "--bind", path, target], check=True)


def wait_for(condition, what):
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(what)
        time.sleep(0.02)


def session(kind, sdklab, folder, seed, calls):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    bind(folder, "hosts", "".join(f"127.0.0.1 {name}\n" for name in ("localhost", *NAMES)), "/etc/hosts")
    log = os.path.join(folder, "server.ndjson")
    options = ["--log", log, "--seed", seed]
    app = ["--seed", seed, "--calls", calls, "--output", folder]
    if kind == "tls":
        trusted, public = certificate(folder, "trusted")
        untrusted, _ = certificate(folder, "untrusted")
        bind(folder, "authorities", public, AUTHORITIES)
        options += ["--tls", str(PORTS[kind]), "--certificate", trusted, "--keys", os.path.join(folder, "keys.log"),
                    "--untrusted", str(UNTRUSTED), "--untrusted-certificate", untrusted]
        app += ["--scheme", "https", "--port", str(PORTS[kind]), "--untrusted", str(UNTRUSTED)]
    else:
        options += ["--plain", str(PORTS[kind])]
        app += ["--scheme", "http", "--port", str(PORTS[kind])]
    open(log, "w").close()
    home = os.path.join(folder, "home")
    os.makedirs(home)
    server = subprocess.Popen([sys.executable, SERVER, *options])
    capture = os.path.join(folder, "capture.pcap")
    dump = subprocess.Popen(["tcpdump", "-i", "lo", "-Z", "root", "-s", "0", "-B", "32768", "-U", "-w", capture, "tcp"],
                            stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: os.path.getsize(log) > 0, "the server does not listen")
        wait_for(lambda: os.path.exists(capture) and os.path.getsize(capture) >= 24, "tcpdump does not start")
        environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
        # Cookies are kept in the user's folder.
        environment["HOME"] = environment["XDG_DATA_HOME"] = environment["XDG_CONFIG_HOME"] = home
        done = subprocess.run([sdklab, *app], capture_output=True, text=True, timeout=PATIENCE - 30, env=environment)
        # Late answers of the server are part of the session.
        time.sleep(1)
    finally:
        server.kill()
        time.sleep(0.2)
        dump.send_signal(signal.SIGINT)
        said = dump.communicate(timeout=20)[1]
    if done.returncode != 0:
        sys.exit(f"sdklab: {done.stderr}")
    if " 0 packets dropped by kernel" not in said.replace("\n", " "):
        sys.exit("tcpdump lost packets: " + said)
    shutil.rmtree(home)
    for name in ("trusted.pem", "untrusted.pem"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    with open(os.path.join(folder, "session.json"), "w", encoding="utf-8") as file:
        json.dump({"kind": kind, "seed": int(seed), "app": done.stdout.strip()}, file)
    print(done.stdout.strip())


if __name__ == "__main__":
    session(*sys.argv[1:])
