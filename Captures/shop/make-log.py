#!/usr/bin/env python3
"""What a monitoring SDK (DMURLProtocol's formula) inside the app would have logged for capture.pcap.

usage: make-log.py > traffic.ndjson

Independent of wireaudit: tshark reads the messages, zlib compresses bodies again. The app's clock is 1.25 s ahead; the
row of one response is missing, another one is there twice.
"""
import json
import os
import subprocess
import urllib.parse
import zlib

FOLDER = os.path.dirname(os.path.abspath(__file__))
HIDDEN = {"host", "accept", "connection", "cookie"}


def messages():
    command = ["tshark", "-r", os.path.join(FOLDER, "capture.pcap"), "-Y", "http and not tcp.analysis.retransmission",
               "-T", "json", "--no-duplicate-keys"]
    packets = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for packet in packets:
        layers = packet["_source"]["layers"]
        http = layers["http"]
        for layer in http if isinstance(http, list) else [http]:
            yield float(layers["frame"]["frame.time_epoch"]), int(layers["tcp"]["tcp.stream"]), layer


def lines(layer, name):
    found = layer.get(name, [])
    found = found if isinstance(found, list) else [found]
    return [line.rstrip("\r\n").split(": ", 1) for line in found]


def gzipped(content):
    if not content or content[:2] == b"\x1f\x8b":
        return content
    packer = zlib.compressobj(-1, zlib.DEFLATED, 31, 8)
    return packer.compress(content) + packer.flush()


def content(layer):
    data = layer.get("http.file_data", "")
    try:
        return bytes.fromhex(data.replace(":", ""))
    except ValueError:
        return data.encode()


def row(path, host, kind, line, header, body, time):
    return {"path": path, "host": host, "type": kind, "lineLength": line, "headerLength": header, "bodyLength": body,
            "length": line + header + body, "occurTime": round(time + 1.25, 6)}


def main():
    rows, asked = [], {}
    for time, stream, layer in messages():
        start = next(value for key, value in layer.items() if isinstance(value, dict))
        if "http.request.method" in start:
            target = start["http.request.uri"]
            path = urllib.parse.unquote(target.split("?")[0])
            fields = lines(layer, "http.request.line")
            host = next(value for name, value in fields if name.lower() == "host")
            head = sum(len(f"{n}: {v}\n") for n, v in fields if n.lower() not in HIDDEN or n.lower() == "cookie")
            asked.setdefault(stream, []).append((path, host))
            rows.append(row(path, host, "request", len(f"{start['http.request.method']} {path} HTTP/1.1\n"), head, 0, time - 0.0008))
        else:
            path, host = asked[stream].pop(0)
            fields = {}
            for name, value in lines(layer, "http.response.line"):
                key = name.lower()
                fields[key] = (fields[key][0], fields[key][1] + ", " + value) if key in fields else (name, value)
            if "transfer-encoding" in fields:
                fields["transfer-encoding"] = (fields["transfer-encoding"][0], "Identity")
            status = f"{start['http.response.version']} {start['http.response.code']} {start['http.response.phrase']}"
            head = sum(len(f"{n}: {v}\n") for n, v in fields.values())
            if fields.get("content-encoding", ("", ""))[1] == "gzip":
                body = len(gzipped(content(layer)))
            else:
                body = int(fields["content-length"][1]) if "content-length" in fields else len(content(layer))
            rows.append(row(path, host, "response", len(status), head, body, time + 0.0011))
    responses = [entry for entry in rows if entry["type"] == "response"]
    rows.remove(responses[7])
    rows.append(responses[11])
    for entry in rows:
        print(json.dumps(entry))


main()
