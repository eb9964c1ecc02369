"""Client and server of the opportunity lab: the same traffic with and without the fix that an opportunity names.

Both acknowledge each segment at once (TCP_QUICKACK, set anew for each message). How often a system acknowledges changes with the age
of a connection, with load and with luck; no capture tells what it would have done on another connection.

usage: peers.py server FOLDER | client SCENARIO before|after FOLDER"""

import gzip
import http.client
import http.server
import os
import random
import socket
import socketserver
import ssl
import sys
import threading
import time

try:
    import certificate_peers
except ModuleNotFoundError:
    # No tlslite-ng: its scenario cannot run.
    certificate_peers = None

PORT, TLS_PORT, ADDRESS = 8000, 8443, "192.0.2.1"
# By version of TLS and chain.
CHAIN_PORTS = {("1.2", "long"): 8444, ("1.2", "short"): 8445, ("1.3", "long"): 8446, ("1.3", "short"): 8447}
# By whether the server compresses certificates.
COMPRESSION_PORTS = {False: 8448, True: 8449}
ROUNDS = 60
# Handshakes in Python are slow.
CERTIFICATE_ROUNDS = 20
WORDS = "packet stream window record header octet cipher segment answer request bytes layer".split()


def text(size, seed):
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(size // 6)).encode()


def noise(size, seed):
    return random.Random(seed).randbytes(size)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 20

    def parse_request(self):
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return super().parse_request()

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 304:
            self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        name, _, number = self.path[1:].partition("/")
        if name == "flat":
            return self.answer(text(40_000, number), Content_Type="text/plain")
        if name == "text":
            body = text(40_000, number)
            if "gzip" in self.headers.get("Accept-Encoding", ""):
                self.answer(gzip.compress(body, 6), Content_Encoding="gzip", Content_Type="text/plain")
            else:
                self.answer(body, Content_Type="text/plain")
        elif name == "fresh":
            self.answer(noise(20_000, number), Cache_Control="max-age=600")
        elif name == "tagged":
            tag = f'"v{number}"'
            if self.headers.get("If-None-Match") == tag:
                self.answer(b"", 304, ETag=tag)
            else:
                self.answer(noise(20_000, number), ETag=tag)
        elif name == "old":
            self.answer(b"moved", 301, Location=f"/noise/{number}")
        elif name == "slow":
            time.sleep(2)
            self.answer(noise(2000, number))
        else:
            self.answer(noise(8000, number))


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64


def serve_tls(port, certificate, key, version="1.2"):
    secure = Server((ADDRESS, port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, "TLSv" + version.replace(".", "_"))
    context.load_cert_chain(certificate, key)
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    threading.Thread(target=secure.serve_forever, daemon=True).start()


def serve(folder):
    plain = Server((ADDRESS, PORT), Handler)
    serve_tls(TLS_PORT, folder + "/certificate.pem", folder + "/key.pem")
    for (version, name), port in CHAIN_PORTS.items():
        serve_tls(port, f"{folder}/{name}-chain.pem", folder + "/leaf.key", version)
    if certificate_peers:
        for compresses, port in COMPRESSION_PORTS.items():
            certificate_peers.serve((ADDRESS, port), folder + "/short-chain.pem", folder + "/leaf.key", compresses, CERTIFICATE_ROUNDS)
    print("ready", flush=True)
    plain.serve_forever()


class Client:
    """One connection that is kept."""

    def __init__(self):
        self.connection = http.client.HTTPConnection(ADDRESS, PORT)

    def get(self, path, **fields):
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        self.connection.request("GET", path, headers={"Accept-Encoding": "identity", **headers})
        self.acknowledge()
        response = self.connection.getresponse()
        body = b""
        while piece := response.read1(1448):
            body += piece
            self.acknowledge()
        return response.status, body + response.read()

    def acknowledge(self):
        if self.connection.sock:
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def close(self):
        self.connection.close()


def uncompressed_body(is_fixed):
    """A server that does not compress what the client would take, and one that does."""
    client = Client()
    for number in range(ROUNDS):
        client.get(f"/{'text' if is_fixed else 'flat'}/{number}", Accept_Encoding="gzip")
    client.close()


def fresh_repeat(is_fixed):
    client = Client()
    for number in range(ROUNDS):
        for _ in range(1 if is_fixed else 2):
            client.get(f"/fresh/{number}")
    client.close()


def no_revalidation(is_fixed):
    client = Client()
    for number in range(ROUNDS):
        client.get(f"/tagged/{number}")
        client.get(f"/tagged/{number}", **({"If_None_Match": f'"v{number}"'} if is_fixed else {}))
    client.close()


def redirect(is_fixed):
    """The client follows each one once before, so that it could know."""
    client = Client()
    for number in range(ROUNDS):
        client.get(f"/old/{number}")
        client.get(f"/noise/{number}")
    for number in range(ROUNDS):
        if not is_fixed:
            client.get(f"/old/{number}")
        client.get(f"/noise/{number}")
    client.close()


def connection_reuse(is_fixed):
    client = None
    for number in range(ROUNDS):
        client = client or Client()
        client.get(f"/noise/{number}")
        if not is_fixed:
            client.close()
            client = None
            time.sleep(0.02)
    if client:
        client.close()


def full_handshake(is_fixed):
    """The first two show what a full and a resumed handshake cost."""
    open_at_once(TLS_PORT, lambda number: is_fixed or number == 1)


def certificate_chain(is_fixed, version="1.2"):
    """A server that sends the root and an intermediate twice, and one that does not."""
    open_at_once(CHAIN_PORTS[version, "short" if is_fixed else "long"], lambda number: False)


def certificate_chain_tls13(is_fixed):
    """The same where certificates are encrypted: there the audit needs keys."""
    certificate_chain(is_fixed, "1.3")


def certificate_compression(is_fixed):
    """A server that does not compress its certificates for clients that offer it, and one that does."""
    certificate_peers.open_at_once((ADDRESS, COMPRESSION_PORTS[is_fixed]), CERTIFICATE_ROUNDS)


def open_at_once(port, resumes):
    """Connections that are all open at one time. `resumes` says which of them use the first one's ticket."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.keylog_filename = os.environ.get("SSLKEYLOGFILE")
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    opened, session = [], None
    for number in range(ROUNDS):
        raw = socket.create_connection((ADDRESS, port))
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        uses_ticket = session is not None and resumes(number)
        secure = context.wrap_socket(raw, server_hostname="lab.test", session=session if uses_ticket else None)
        session = session or secure.session
        opened.append(secure)
        secure.sendall(f"GET /slow/{number} HTTP/1.1\r\nHost: lab.test\r\n\r\n".encode())
        time.sleep(0.01)
    for secure in opened:
        response = http.client.HTTPResponse(secure)
        response.begin()
        response.read()
    for secure in opened:
        secure.close()


SCENARIOS = {
    "uncompressed-body": uncompressed_body, "fresh-repeat": fresh_repeat, "no-revalidation": no_revalidation,
    "redirect": redirect, "connection-reuse": connection_reuse, "full-handshake": full_handshake,
    "certificate-chain": certificate_chain, "certificate-chain/tls13": certificate_chain_tls13,
}
if certificate_peers:
    SCENARIOS["certificate-compression"] = certificate_compression

if __name__ == "__main__":
    if sys.argv[1] == "server":
        serve(sys.argv[2])
    else:
        SCENARIOS[sys.argv[2]](sys.argv[3] == "after")
