#!/usr/bin/env python3
"""The server of the SDK lab: HTTP/1.1 with keep-alive, in plain and over TLS, one thread for each connection.

usage: server.py --log FILE [--seed N] --plain PORT | --tls PORT --certificate PEM --keys FILE
                 [--untrusted PORT --untrusted-certificate PEM]

Writes a line of JSON to the log for each request whose head it read: the client's port, the number of the request in its
connection, the id in the header X-Call-Id, and what was asked. That is the truth that the lab joins log rows with. The
first line says that the server listens. With TLS it writes the secrets of all connections to the key log.

What a path does:

  /v1/…                a JSON body whose size follows from path and query, with Content-Length, after 1 to 40 ms
  ?gzip, ?chunked      in the query: the answer is compressed, or chunked, or both
  ?wait=MS             the answer comes that much later
  ?drip=MS             the body comes in eight parts, with that much time between them
  ?close               the server closes the connection behind the answer
  ?status=N            that status
  ?to=URL              a redirection (with status, else 302) to that location
  ?cookie              the answer sets two cookies
"""
import argparse
import gzip
import hashlib
import json
import random
import socket
import ssl
import threading
import time
import urllib.parse

REASONS = {
    200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 404: "Not Found", 409: "Conflict",
    500: "Internal Server Error", 503: "Service Unavailable",
}
WORDS = "order item price stock name colour size brand rating review seller parcel street city note".split()


class Log:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")
        self.lock = threading.Lock()

    def write(self, **record):
        line = json.dumps(record)
        with self.lock:
            self.file.write(line + "\n")
            self.file.flush()


class Head:
    def __init__(self, lines):
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.fields[name.strip().lower()] = value.strip()
        parts = urllib.parse.urlsplit(self.target)
        self.path = parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))


def read_head(stream):
    """The next request's head; None where the connection ends before one."""
    lines = []
    while True:
        line = stream.readline(65536)
        if not line.endswith(b"\n"):
            return None
        line = line.rstrip(b"\r\n").decode("latin-1")
        if line:
            lines.append(line)
        elif lines:
            return Head(lines)


def skip_body(stream, head, send):
    if head.fields.get("expect", "").lower() == "100-continue":
        send(b"HTTP/1.1 100 Continue\r\n\r\n")
    if "chunked" in head.fields.get("transfer-encoding", "").lower():
        while True:
            size = int(stream.readline(128).split(b";")[0], 16)
            stream.read(size)
            stream.readline(16)
            if size == 0:
                return
    stream.read(int(head.fields.get("content-length", "0")))


def json_body(key, largest):
    """A text whose size and content follow from the key."""
    rng = random.Random(hashlib.sha256(key.encode()).digest())
    size = int(rng.uniform(20, largest) ** 2 / largest) + 20
    parts = []
    length = 0
    while length < size:
        part = f'"{rng.choice(WORDS)}{rng.randrange(1000)}":"{rng.choice(WORDS)} {rng.randrange(10**6)}",'
        parts.append(part)
        length += len(part)
    return ("{" + "".join(parts))[: size - 1].encode() + b"}"


def body_of(head):
    if head.path.endswith((".jpg", "/image")):
        return random.Random(head.target).randbytes(random.Random(head.target + "size").randrange(800, 30000))
    if head.path in ("/v1/ping", "/v1/status", "/v1/events"):
        return b'{"ok":true}'
    return json_body(head.method + head.fields.get("host", "") + head.target, 6000)


class Connection:
    def __init__(self, server, connection, port, name):
        self.server, self.connection, self.port, self.name = server, connection, port, name
        self.rng = random.Random(f"{server.options.seed}/{name}/{port}")
        self.count = 0

    def serve(self):
        stream = self.connection.makefile("rb")
        while True:
            head = read_head(stream)
            if head is None:
                return
            self.server.log.write(
                port=self.port, number=self.count, id=head.fields.get("x-call-id"), method=head.method,
                host=head.fields.get("host"), target=head.target, time=time.time())
            self.count += 1
            skip_body(stream, head, self.connection.sendall)
            if not self.answer(head):
                return

    def answer(self, head):
        query = head.query
        time.sleep(self.rng.uniform(0.001, 0.04) + float(query.get("wait", 0)) / 1000)
        status = int(query.get("status", 302 if "to" in query else 200))
        body = b"" if status in (204, 304) else body_of(head)
        fields = [f"HTTP/1.1 {status} {REASONS[status]}", "Server: sdk-lab", "Date: Mon, 02 Feb 2026 10:00:00 GMT"]
        if "to" in query:
            fields.append("Location: " + query["to"])
            body = b"" if status == 303 else b"moved\n"
        if "cookie" in query:
            fields += ["Set-Cookie: session=" + "0123456789abcdef" * 2 + "; Path=/", "Set-Cookie: theme=dark; Path=/"]
        if body:
            fields.append("Content-Type: " + ("image/jpeg" if head.path.endswith((".jpg", "/image")) else "application/json"))
        if "gzip" in query and body:
            body = gzip.compress(body, 1, mtime=0)
            fields.append("Content-Encoding: gzip")
        chunked = "chunked" in query and bool(body)
        if chunked:
            fields.append("Transfer-Encoding: chunked")
        elif status not in (204, 304):
            fields.append(f"Content-Length: {len(body)}")
        if "close" in query:
            fields.append("Connection: close")
        self.connection.sendall(("\r\n".join(fields) + "\r\n\r\n").encode())
        if head.method != "HEAD":
            self.send_body(body, chunked, float(query.get("drip", 0)) / 1000)
        return "close" not in query

    def send_body(self, body, chunked, pause):
        size = max(1, len(body) // 8 + 1) if pause else 4096 if chunked else max(1, len(body))
        for start in range(0, len(body), size):
            if start and pause:
                time.sleep(pause)
            part = body[start:start + size]
            self.connection.sendall(b"%x\r\n%s\r\n" % (len(part), part) if chunked else part)
        if chunked:
            self.connection.sendall(b"0\r\n\r\n")


class Server:
    def __init__(self, options):
        self.options = options
        self.log = Log(options.log)

    def listen(self, port, context, name):
        listener = socket.create_server(("127.0.0.1", port), backlog=256)
        threading.Thread(target=self.accept, args=(listener, context, name), daemon=True).start()

    def accept(self, listener, context, name):
        while True:
            connection, (_, port) = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.talk, args=(connection, port, context, name), daemon=True).start()

    def talk(self, connection, port, context, name):
        try:
            if context:
                # As over a mobile network: a handshake takes its time, and the app's row is older by that.
                time.sleep(random.Random(f"{self.options.seed}/{port}").choice((0.0, 0.02, 0.06, 0.15)))
                connection = context.wrap_socket(connection, server_side=True)
            Connection(self, connection, port, name).serve()
        except (OSError, ValueError):
            pass  # The client went away, which is part of the session.
        finally:
            connection.close()


def context_of(certificate, keys):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.set_alpn_protocols(["http/1.1"])
    context.keylog_filename = keys
    return context


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", type=int)
    parser.add_argument("--tls", type=int)
    parser.add_argument("--certificate")
    parser.add_argument("--keys")
    parser.add_argument("--untrusted", type=int)
    parser.add_argument("--untrusted-certificate")
    options = parser.parse_args()
    server = Server(options)
    if options.plain:
        server.listen(options.plain, None, "plain")
    if options.tls:
        server.listen(options.tls, context_of(options.certificate, options.keys), "tls")
    if options.untrusted:
        server.listen(options.untrusted, context_of(options.untrusted_certificate, options.keys), "untrusted")
    server.log.write(listening=True)
    threading.Event().wait()


main()
