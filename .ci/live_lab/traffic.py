"""Servers and clients that make real HTTP, TLS, HTTP/2 and other traffic between two namespaces."""

import http.client
import os
import random
import shutil
import socket
import ssl
import struct
import subprocess
import threading
import time

from network import CLIENT, PROCESSORS, SERVER, Child, die_with_parent

NGINX = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 512; }}
http {{
  default_type application/octet-stream; types {{ text/html html; application/json json; }}
  access_log off; keepalive_timeout 20; keepalive_requests 100000; gzip_types *; server_tokens off;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen {address}:80; listen {address}:443 ssl http2;
    ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem; ssl_session_cache shared:A:1m;
    ssl_protocols TLSv1.2 TLSv1.3;
    location / {{ root {folder}/www; }}
    location /gzip/ {{ alias {folder}/www/; gzip on; gzip_min_length 1; }}
    location /put/ {{ alias {folder}/put/; dav_methods PUT; create_full_put_path on; client_max_body_size 8m; }}
    location = /answer {{ return 200 '{{"ok":true}}'; }}
    location = /none {{ return 204; }}
    location = /moved {{ return 302 /answer; }}
  }}
}}
"""


class Servers:
    """nginx on 80 and 443, nghttpd on 8080 where there is one, and a program of our own on 8000 and 53 (UDP)."""

    def __init__(self, world, folder, rng, namespace=None, address=SERVER):
        self.world, self.folder, self.namespace = world, folder, namespace or world.server
        os.makedirs(folder + "/www", exist_ok=True)
        os.makedirs(folder + "/put", exist_ok=True)
        words = ["alpha", "packet", "window", "stream", "frame", "octet", "record", "cipher"]
        for name, size in (("small.json", 300), ("page.html", 9000), ("big.html", 120000)):
            with open(f"{folder}/www/{name}", "w", encoding="ascii") as file:
                file.write(" ".join(rng.choice(words) for _ in range(size // 6)))
        for name, size in (("1k", 1024), ("10k", 10240), ("1m", 1 << 20)):
            with open(f"{folder}/www/{name}", "wb") as file:
                file.write(rng.randbytes(size))
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=lab.test",
                "-keyout",
                folder + "/key.pem",
                "-out",
                folder + "/certificate.pem",
            ],
            check=True,
            capture_output=True,
        )
        with open(folder + "/nginx.conf", "w", encoding="ascii") as file:
            file.write(NGINX.format(folder=folder, address=address))
        self.start(80, "nginx", "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log")
        if shutil.which("nghttpd"):
            self.start(8080, "nghttpd", "--no-tls", "-d", folder + "/www", "-a", address, "8080")
        own = Child(self.namespace, serve, address)
        world.children.append(own)
        self.wait(8000)

    def start(self, port, *words):
        with open(self.folder + "/servers.log", "ab") as log:
            program = self.namespace.start(
                "taskset", "-c", str(PROCESSORS[0]), *words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self.world.programs.append(program)
        self.wait(port)

    def wait(self, port):
        for _ in range(300):
            with open(f"/proc/{self.namespace.pid}/net/tcp", encoding="ascii") as file:
                if any(
                    line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")
                    for line in file.readlines()[1:]
                ):
                    return
            time.sleep(0.02)
        with open(self.folder + "/servers.log", encoding="utf-8", errors="replace") as log:
            raise RuntimeError(f"no server on port {port}: {log.read()[-400:]}")


# ------------------------------------------------------------------------------------------------------ our own server


def serve(address):
    """HTTP/1.1 as other servers do not speak it, on 8000; names on 53."""
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind((address, 53))
    threading.Thread(target=answer_names, args=(names,), daemon=True).start()
    listener = socket.create_server((address, 8000), backlog=64)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()


def answer_names(names):
    while True:
        query, client = names.recvfrom(2000)
        if len(query) > 12:
            record = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4" + socket.inet_aton(SERVER)
            names.sendto(query[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + query[12:] + record, client)


def answer(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    reader = connection.makefile("rb")
    try:
        while True:
            line = reader.readline()
            if not line:
                break
            length, expects = 0, False
            while (field := reader.readline()) not in (b"\r\n", b""):
                name, _, value = field.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                expects = expects or name.lower() == b"expect"
            if expects:
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            reader.read(length)
            if not respond(connection, line.split()[1].decode()):
                break
    except OSError:
        pass
    connection.close()


def respond(connection, target):
    """False: the connection ends."""
    if target.startswith("/chunked"):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Sum\r\n\r\n")
        for size in (1, 17, 300, 4000):
            connection.sendall(b"%x;part=1\r\n%s\r\n" % (size, b"c" * size))
            time.sleep(0.002)
        connection.sendall(b"0\r\nSum: 4318\r\n\r\n")
    elif target.startswith("/until-close"):
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + b"u" * 5000)
        return False
    elif target.startswith("/reset"):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"r" * 3000)
        time.sleep(0.03)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False
    elif target.startswith("/slow/"):
        # So many pieces of 8 KiB, 50 ms apart.
        count = int(target.rsplit("/", 1)[1])
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (8192 * count))
        for _ in range(count):
            connection.sendall(b"s" * 8192)
            time.sleep(0.05)
    else:
        connection.sendall(
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        )
    return True


# ------------------------------------------------------------------------------------------------------ clients


def plain(rng_seed, rounds, address=SERVER):
    """HTTP/1.1 through a library, on kept connections."""
    rng, total = random.Random(rng_seed), 0
    for _ in range(max(1, rounds // 6)):
        connection = http.client.HTTPConnection(address, 80, timeout=20)
        for _ in range(6):
            method, target, body = rng.choice(
                (
                    ("GET", "/small.json?page=%d" % rng.randrange(9), None),
                    ("GET", "/10k", None),
                    ("HEAD", "/1k", None),
                    ("GET", "/answer", None),
                    ("GET", "/none", None),
                    ("GET", "/absent/%d" % rng.randrange(99), None),
                    ("PUT", "/put/%d" % rng.randrange(9), b"p" * rng.randrange(1, 20000)),
                    ("GET", "/moved", None),
                )
            )
            connection.request(method, target, body, {"X-Round": "r" * rng.randrange(40), "Host": "shop.lab.test"})
            connection.getresponse().read()
            total += 1
        connection.request("GET", "/gzip/page.html", headers={"Accept-Encoding": "gzip"})
        connection.getresponse().read()
        connection.close()
    return total + 1


def odd(rng_seed, address=SERVER):
    """HTTP/1.1 by raw sockets: pipelined, cut anywhere, reset, half closed, continued; and names by UDP."""
    rng = random.Random(rng_seed)
    burst = b"".join(b"GET /answer?%d HTTP/1.1\r\nHost: raw.lab.test\r\n\r\n" % i for i in range(8))
    connection = socket.create_connection((address, 80), 20)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while burst:
        size = rng.randrange(1, 90)
        connection.sendall(burst[:size])
        burst = burst[size:]
        time.sleep(0.001)
    drain(connection, 0.2)
    connection.close()
    for target in ("/chunked", "/until-close", "/reset", "/hints"):
        connection = socket.create_connection((address, 8000), 20)
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: own.lab.test\r\n\r\n" % target.encode())
        drain(connection, 0.2)
        connection.close()
    upload(address)
    abort(address)
    for name in (b"shop", b"own"):
        ask(name, address)
    stray = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for size in (0, 1, 1400, 4000):
        stray.sendto(b"d" * size, (address, 9))
    return 13


def ask(name, address):
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.settimeout(0.3)
    for _ in range(10):
        names.sendto(
            b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + bytes([len(name)]) + name + b"\3lab\4test\0\0\1\0\1", (address, 53)
        )
        try:
            return names.recv(2000)
        except TimeoutError:
            pass
    raise RuntimeError("no answer to a question for a name")


def upload(address):
    connection = socket.create_connection((address, 8000), 20)
    connection.sendall(
        b"POST /up HTTP/1.1\r\nHost: own.lab.test\r\nExpect: 100-continue\r\nContent-Length: 30000\r\n\r\n"
    )
    connection.recv(100)
    connection.sendall(b"e" * 30000)
    drain(connection, 0.2)
    connection.shutdown(socket.SHUT_WR)
    drain(connection, 0.2)
    connection.close()


def abort(address):
    connection = socket.create_connection((address, 80), 20)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    connection.sendall(b"GET /1m HTTP/1.1\r\nHost: raw.lab.test\r\n\r\n")
    connection.recv(5000)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def drain(connection, quiet):
    """Reads until nothing comes for a while, or until the end."""
    connection.settimeout(quiet)
    total = 0
    try:
        while piece := connection.recv(1 << 16):
            total += len(piece)
    except OSError:
        pass
    return total


def client_context(version, keys, is_trusting=True):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE if is_trusting else ssl.CERT_REQUIRED
    made.minimum_version = made.maximum_version = version
    if keys:
        made.keylog_filename = keys
    return made


def request(context, session, count, address):
    """So many requests on a connection; its session, to be resumed."""
    with socket.create_connection((address, 443), 20) as raw:
        with context.wrap_socket(raw, server_hostname="lab.test", session=session) as connection:
            for i in range(count):
                connection.sendall(
                    b"GET /10k?%d HTTP/1.1\r\nHost: lab.test\r\nCookie: %s\r\n\r\n" % (i, b"k" * (50 * i))
                )
                drain(connection, 0.05)
            return connection.session


def encrypted(keys, rounds, late=None, address=SERVER):
    """TLS 1.2 and 1.3 with their secrets in `keys`; one connection without; some whose secrets come after their end,
    line by line, by way of the file `late`."""
    first, second = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
    for version in (first, second):
        made = client_context(version, keys)
        session = request(made, None, rounds, address)
        request(made, session, 1, address)
    refuse(client_context(second, keys, False), address)
    request(client_context(second, None), None, 1, address)
    if late:
        for version in (first, second):
            request(client_context(version, late), None, 2, address)
            refuse(client_context(version, late, False), address)
        time.sleep(0.2)
        with open(late, "rb") as source:
            lines = source.read().splitlines(True)
        for line in lines:
            with open(keys, "ab") as target:
                target.write(line)
            time.sleep(0.04)
    return rounds


def refuse(context, address):
    """A handshake that the client breaks off: it does not trust the server."""
    try:
        request(context, None, 1, address)
    except ssl.SSLError:
        return
    raise RuntimeError("the server was trusted")


def curl(*words, keys=None):
    environment = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    environment.pop("SSLKEYLOGFILE", None)
    if keys:
        environment["SSLKEYLOGFILE"] = keys
    run = subprocess.run(
        ["curl", "-q", "-sS", "-k", "-o", "/dev/null", "--max-time", "30", *words],
        env=environment,
        capture_output=True,
        preexec_fn=die_with_parent,
    )
    if run.returncode not in (0, 18):
        raise RuntimeError(f"curl: {run.stderr.decode()[-200:]}")


def second_version(keys, address=SERVER):
    """HTTP/2 over TLS, with parallel streams and an upload; over TCP by prior knowledge where nghttpd stands."""
    site = f"https://{address}"
    curl("--http2", f"{site}/small.json", f"{site}/gzip/page.html", "-d", "a=b", keys=keys)
    curl("--http2", "-Z", "--parallel-max", "8", f"{site}/10k?[1-8]", keys=keys)
    if shutil.which("nghttpd"):
        curl("--http2-prior-knowledge", f"http://{address}:8080/small.json")
        curl("--http2-prior-knowledge", "-H", "X-Long: " + "l" * 9000, f"http://{address}:8080/big.html")
    return True


def everything(seed, keys, late, scale=1, address=SERVER):
    """All of it, one after another, then parts of it at once."""
    plain(seed, 24 * scale, address)
    odd(seed, address)
    if keys:
        encrypted(keys, 2 + scale, late, address)
        second_version(keys, address)
    threads = [threading.Thread(target=plain, args=(seed + i, 6 * scale, address)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return CLIENT
