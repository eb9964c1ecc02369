"""TLS 1.3 with and without compressed certificates (RFC 8879), by tlslite-ng: OpenSSL 3.0 and GnuTLS as Debian builds it have no
such thing."""
import os
import socket
import threading

import tlslite.tlsconnection
import tlslite.utils.compression  # versions without it have no RFC 8879
from tlslite.api import HandshakeSettings, TLSConnection, X509CertChain, parsePEMKey

LABELS = {
    b"c hs traffic": "CLIENT_HANDSHAKE_TRAFFIC_SECRET", b"s hs traffic": "SERVER_HANDSHAKE_TRAFFIC_SECRET",
    b"c ap traffic": "CLIENT_TRAFFIC_SECRET_0", b"s ap traffic": "SERVER_TRAFFIC_SECRET_0",
}
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ALGORITHM = "zlib"


def settings(**changes):
    made = HandshakeSettings()
    made.minVersion = made.maxVersion = (3, 4)
    made.ticket_count = 0
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def serve(address, chain, key, compresses, rounds):
    """Answers when `rounds` connections have asked: none could have stood in for another."""
    with open(chain, encoding="utf-8") as file:
        certificates = X509CertChain()
        certificates.parsePemList(file.read())
    with open(key, encoding="utf-8") as file:
        private = parsePEMKey(file.read(), private=True)
    made = settings(certificate_compression_send=[ALGORITHM] if compresses else [])
    everybody = threading.Barrier(rounds)
    listening = socket.create_server(address, backlog=64)

    def answer(raw):
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = TLSConnection(raw)
        connection.handshakeServer(certChain=certificates, privateKey=private, settings=made)
        connection.read(max=4096)
        everybody.wait(timeout=120)
        connection.write(ANSWER)
        # To the end, without a close_notify of our own: it might meet a closed socket, or not.
        while raw.recv(4096):
            pass
        raw.close()

    def accept():
        while True:
            threading.Thread(target=answer, args=listening.accept()[:1], daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def open_at_once(address, rounds):
    """Connections that are all open at one time, of a client that offers to take compressed certificates."""
    secrets, derive = [], tlslite.tlsconnection.derive_secret

    def noted(secret, label, hashes, algorithm):
        made = derive(secret, label, hashes, algorithm)
        if bytes(label) in LABELS:
            secrets.append((LABELS[bytes(label)], bytes(made)))
        return made

    tlslite.tlsconnection.derive_secret = noted
    opened = []
    for _ in range(rounds):
        raw = socket.create_connection(address)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = TLSConnection(raw)
        connection.handshakeClientCert(settings=settings(certificate_compression_receive=[ALGORITHM]), serverName="lab.test")
        note(bytes(connection._clientRandom), secrets)
        connection.write(b"GET /small HTTP/1.1\r\nHost: lab.test\r\n\r\n")
        opened.append(connection)
    for connection in opened:
        connection.read(min=len(ANSWER), max=len(ANSWER))
    for connection in opened:
        connection.close()


def note(random, secrets):
    """Adds a connection's secrets to the key log."""
    if path := os.environ.get("SSLKEYLOGFILE"):
        with open(path, "a", encoding="utf-8") as file:
            file.writelines(f"{name} {random.hex()} {secret.hex()}\n" for name, secret in secrets)
    secrets.clear()
