import WireCore

extension FieldVisitor where Self: ~Copyable {
    /// The fields of `wireaudit.exchange/2`, in order.
    package mutating func exchange(_ record: ExchangeRecord, _ options: ReportOptions) {
        constant("schema", "wireaudit.exchange/2")
        names(record)
        costs(record, options)
        bytes(
            "unseen_bytes",
            "Bytes certainly of the exchange that no packet of the capture holds. An HTTP/2 exchange with the flag gap may lack more.",
            record.unseenBytes)
        bytes("offload_hidden", "Headers that segmentation offload hid, both directions.", record.offloadHidden)
        message("request", "The request; null where none was seen.", record.request)
        message("response", "The final response; null where none was seen.", record.response)
        flags(record.flags)
        range(
            "duration_range",
            "Least and greatest duration, where clock skew between the directions leaves it open; else null.",
            record.durationRange)
        range(
            "ttfb_range",
            "Least and greatest ttfb, where clock skew between the directions leaves it open; else null.",
            record.timeToFirstByteRange)
        lookup(
            "Of the first exchange of a connection: whose DNS answer, over HTTPS, TLS, QUIC or TCP, gave the server's address to this client.",
            record.lookup)
        app(record.process?.app)
        process(record.process?.name)
        processNumber(record.process?.pid)
        text(
            "operation",
            "What the request asks for beside its path: method of JSON-RPC, operation of GraphQL, SOAPAction, or a field of --name-by; of a batch all in brackets. Null where it names nothing.",
            record.operation)
        text(
            "host_unicode", "The characters that host encodes (IDNA), as tables show it. Null where it encodes none.",
            unicodeHost(record.host))
        unread(record.unread)
    }

    @inline(__always)
    private mutating func names(_ record: ExchangeRecord) {
        file(record.file, connection: record.connection)
        count(
            "exchange", "Number of the exchange in its connection, from 0, in the order of requests.", of: "index",
            record.exchange)
        count("stream", "HTTP/2 or HTTP/3 stream.", of: "stream id", record.stream)
        moment(
            "time", "First byte of the exchange: of the request, of a pushed one of its PUSH_PROMISE frame.",
            record.time)
        seconds(
            "duration",
            "Time from the first to the last byte of the messages. Null where clock skew leaves it open; see duration_range.",
            record.knownDuration)
        seconds(
            "ttfb",
            "Time from the last byte of the request to the first byte of the final response. Null where one of them is missing, and where clock skew leaves it open; see ttfb_range.",
            record.timeToFirstByte)
        endpoints(record.client, record.server)
        word(
            "transport", ConnectionTransport.allCases.map(\.rawValue), "Transport protocol.", record.transport.rawValue)
        text(
            "tls", "TLS version, such as TLS 1.3; TLS where no ServerHello was read; null without TLS.",
            record.tlsVersion)
        text("http", "HTTP version: HTTP/0.9, HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3.", record.httpVersion)
        text("method", "Request method.", record.method)
        text("host", "Host with its port, as the request names it.", record.host.isEmpty ? nil : record.host)
        text("path", "Path of the target, without query.", record.path)
        text("query", "Query of the target, without the question mark.", record.query)
        text("target", "Request target as sent.", record.target)
        text(
            "api",
            "Method, host and path with variable parts replaced, such as GET api.example /v1/orders/{id}, and the operation behind them, such as POST api.example /rpc getUser.",
            record.api.isEmpty ? nil : record.api)
        count("status", "Status code of the final response.", of: "status code", record.status)
    }

    @inline(__always)
    package mutating func file(_ file: String, connection: Int) {
        text("file", "Capture file of the first packet.", file)
        count("connection", "Number of the connection in the run, from 0.", of: "index", connection)
    }

    @inline(__always)
    package mutating func endpoints(_ client: Endpoint, _ server: Endpoint) {
        describe("Address and port of the client; IPv6 in brackets.", .text, isNullable: false)
        endpoint("client", client)
        describe("Address and port of the server.", .text, isNullable: false)
        endpoint("server", server)
    }

    @inline(__always)
    private mutating func costs(_ record: ExchangeRecord, _ options: ReportOptions) {
        let headers = record.decodedHeaders
        let inserted = record.insertedHeaders
        let body = record.decodedBody
        let isRead = record.unread == nil
        begin("up", "Client to server.")
        costs(
            record.costs.up, options,
            decoded: DecodedSizes(isRead: isRead, headers: headers.up, inserted: inserted.up, body: body.up))
        end()
        begin("down", "Server to client.")
        costs(
            record.costs.down, options,
            decoded: DecodedSizes(isRead: isRead, headers: headers.down, inserted: inserted.down, body: body.down))
        end()
    }

    /// What records tell of a call that nobody could read.
    private mutating func unread(_ messages: UnreadMessages?) {
        guard
            begin(
                "unread",
                "Of a call that could not be read, told by TLS records alone: it has costs, but no method, path or api. Null of a call that was read.",
                isKnown: messages != nil)
        else { return }
        describe(
            "exact: both messages are known to the byte. interval: records may hold bytes of no message. unknown: the capture lacks something of the connection.",
            .word(UnreadMessages.Certainty.allCases.map(\.rawValue)), isNullable: false)
        text("certainty", messages?.certainty.rawValue)
        bounds("up", "The request.", messages?.up)
        bounds("down", "The response.", messages?.down)
        end()
    }

    private mutating func bounds(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ message: ClosedRange<Int>?
    ) {
        begin(name, meaning())
        bytes("message_low", "Least bytes that the message can have.", message?.lowerBound)
        bytes("message_high", "Most bytes that the message can have.", message?.upperBound)
        end()
    }

    /// Where the server's address comes from. What that cost stands there, and in no sum here.
    package mutating func lookup(_ meaning: @autoclosure () -> String, _ link: LookupLink?) {
        guard
            begin(
                "lookup",
                meaning() + " It owns its bytes itself: they are in no sum here. Null where no such answer was read.",
                isKnown: link != nil)
        else { return }
        count(
            "connection", "Number of the connection that carried the answer.", of: "index", known: link?.connection)
        count(
            "exchange", "Number of the exchange in it; null without HTTP.", of: "index", link?.exchange)
        end()
    }

    private mutating func message(
        _ name: StaticString, _ meaning: @autoclosure () -> String, _ facts: MessageFacts?
    ) {
        guard begin(name, meaning(), isKnown: facts != nil) else { return }
        text("version", "HTTP version of the message, such as HTTP/1.1.", facts?.version)
        word("framing", BodyFraming.allCases.map(\.name), "How the end of the body is told.", facts?.framing.name)
        count("interim", "Bytes of interim (1xx) responses; part of headers.", of: "bytes", known: facts?.interim)
        describe("The message was read to its end.", .boolean, isNullable: false)
        boolean("complete", facts?.complete)
        text(
            "content_type", "Media type of the body, in lower case, without parameters.", facts?.contentType)
        end()
    }
}
