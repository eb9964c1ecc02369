extension DirectionCount {
    /// `METHOD path HTTP/1.1`, written anew from method and URL.
    ///
    /// - Parameters:
    ///   - fromURL: the path is that of the URL object: percent-decoded, without query. Else the target as sent.
    ///   - lineEnd: bytes of the line end that the SDK writes.
    mutating func countRequestLine(of request: ObservedRequest, fromURL: Bool, lineEnd: Int) {
        let query = request.query.map { $0.count + 1 } ?? 0
        let rest = request.method.count + " ".utf8.count + " HTTP/1.1".utf8.count
        let plain = rest + request.path.count + query + request.lineEnd
        // Other spacing, another form of the target, HTTP/0.9 without version: all lost in the new line.
        charge(plain, for: request.startLine, .startLineRewritten)
        charge(lineEnd, for: request.lineEnd, .startLineEnd)
        guard fromURL else {
            startLine = rest + request.path.count + query + lineEnd
            return
        }
        let path = decodedPathLength(request.path)
        charge(path, for: request.path.count, .pathRewritten)
        charge(0, for: query, .queryDropped)
        startLine = rest + path + lineEnd
    }

    mutating func skipRequestLine(of request: ObservedRequest) {
        let query = request.query.map { $0.count + 1 } ?? 0
        charge(0, for: query, .queryDropped)
        charge(0, for: request.startLine - query, .startLineNotCounted)
    }

    /// The status line's text with a line end of so many bytes.
    mutating func countStatusLine(of response: ObservedResponse, lineEnd: Int) {
        charge(lineEnd, for: response.startLine - response.statusText, .startLineEnd)
        startLine = response.statusText + lineEnd
    }

    mutating func skipStatusLine(of response: ObservedResponse) {
        charge(0, for: response.startLine, .startLineNotCounted)
    }
}

/// Bytes of a URL object's path: percent-decoded, cut at a fragment, without one trailing slash.
func decodedPathLength(_ path: [UInt8]) -> Int {
    let span = path.span
    var end = span.count
    var escapes = 0
    for offset in span.indices {
        if span[offset] == 0x23 {
            end = offset
            break
        }
        guard span[offset] == 0x25, offset + 2 < span.count else { continue }
        if isHexadecimal(span[offset + 1]), isHexadecimal(span[offset + 2]) { escapes += 1 }
    }
    if end > 1, span[end - 1] == 0x2F { end -= 1 }
    return end - 2 * escapes
}

private func isHexadecimal(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }
