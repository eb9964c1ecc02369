/// Messages, and other beginnings of streams, that a script names by a number.
enum HTTPTemplates {
    static func bytes(_ index: Int) -> [UInt8] { all[index % all.count] }

    static let all: [[UInt8]] = texts.map { Array($0.utf8) } + binaries

    private static let texts = [
        "GET /v1/items/42?q=a HTTP/1.1\r\nHost: api.example.com\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "POST /v1/cart HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: b\r\n\r\n",
        "HTTP/1.0 200 OK\r\n\r\nuntil the end",
        "GET / HTTP/1.1\r\nHost: c\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "CONNECT d:443 HTTP/1.1\r\nHost: d:443\r\n\r\n",
        "HTTP/1.1 200 Connection established\r\n\r\n",
        "POST /s HTTP/1.1\r\nHost: e\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG",
        "PUT /f HTTP/1.1\r\nHost: f\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
        "4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n",
        "GET /old\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
        "GET /fold HTTP/1.1\r\nHost: g\r\nX: 1\r\n folded\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 100000\r\n\r\npart",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http://proxy.example/abs HTTP/1.1\r\nHost: i\r\n\r\n",
        "\r\n\r\n",
        "HTTP/1.1 999 \r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]

    private static let binaries: [[UInt8]] = [
        // The 20 bytes of an empty gzip stream.
        [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        // HTTP/2: SETTINGS, its acknowledgement, HEADERS of a request and of a response.
        [0, 0, 0, 4, 0, 0, 0, 0, 0],
        [0, 0, 0, 4, 1, 0, 0, 0, 0],
        [0, 0, 4, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x86, 0x41],
        [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88],
        [0, 0, 3, 0, 1, 0, 0, 0, 1, 0x61, 0x62, 0x63],
        // TLS: a record of a handshake, one of application data, an alert.
        [22, 3, 1, 0, 4, 1, 0, 0, 0],
        [23, 3, 3, 0, 3, 1, 2, 3],
        [21, 3, 3, 0, 2, 2, 40],
    ]
}
