import WireCore
import WireTesting

/// A random connection with TLS, HTTP/2, both or neither, and its account.
struct RandomLayers {
    /// What an exchange carries.
    struct Bodies: Equatable {
        var up = 0
        var down = 0
    }

    private struct Stream {
        var id: Int
        var exchange: Int
        var hasHead = [true, false]
        var isDone = [false, false]

        /// The side may send DATA.
        func isOpen(_ side: Int) -> Bool { hasHead[side] && !isDone[side] }
    }

    private(set) var talk: LayeredConversation
    private(set) var bodies: [Bodies] = []
    private var random: SeededRandom
    private var encoders: [HTTP2FieldEncoder]
    private var streams: [Stream] = []
    private var nextStream = [1, 2]
    let hasFrames: Bool
    let suite: TLSSuite?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        hasFrames = !random.oneIn(3)
        suite = random.oneIn(4) ? nil : random.element(TLSSuite.allCases)
        let forms: [HTTP2FieldEncoder.Form] = [.literal, .indexing, .neverIndexed]
        encoders = [HTTP2FieldEncoder(random.element(forms)), HTTP2FieldEncoder(random.element(forms))]
        talk = LayeredConversation(suite, protocols: [hasFrames ? "h2" : "http/1.1"])
        if hasFrames {
            seal(.client, [KnownRun(HTTP2Frame.preface, KnownRun.connection, .setupHTTP)])
            seal(.client, HTTP2Frame.settings([(3, 100)]).runs(KnownRun.connection))
            seal(.server, HTTP2Frame.settings().runs(KnownRun.connection))
            send(.client)
        }
        let rounds = 1 + random.below(4)
        for round in 1...rounds {
            for side in Dialogue.Side.allCases {
                let runs = hasFrames ? frames(side, isLast: round == rounds) : messages(side)
                seal(side, runs)
                send(side)
            }
        }
    }

    // MARK: HTTP/1.1

    private mutating func messages(_ side: Dialogue.Side) -> [KnownRun] {
        var runs: [KnownRun] = []
        if side == .client {
            for _ in 0..<1 + random.below(3) {
                let body = Bodies(up: random.element([0, 1, 30, 400]), down: random.element([0, 2, 100, 900]))
                runs += LayeredConversation.request(bodies.count, body: body.up)
                bodies.append(body)
                streams.append(Stream(id: 0, exchange: bodies.count - 1))
            }
        } else {
            for stream in streams {
                runs += LayeredConversation.response(stream.exchange, body: bodies[stream.exchange].down)
            }
            streams = []
        }
        return runs
    }

    // MARK: HTTP/2

    private mutating func frames(_ side: Dialogue.Side, isLast: Bool) -> [KnownRun] {
        var runs: [KnownRun] = []
        for _ in 0..<2 + random.below(10) { runs += side == .client ? clientFrames() : serverFrames() }
        guard isLast else { return runs }
        for index in streams.indices {
            if side == .server, !streams[index].hasHead[1] { runs += answer(index, 200) }
            if !streams[index].isDone[side.rawValue] { runs += data(index, side.rawValue, endStream: true) }
        }
        return runs
    }

    private mutating func clientFrames() -> [KnownRun] {
        switch random.below(6) {
        case 0, 1:
            let stream = Stream(id: nextStream[0], exchange: bodies.count)
            nextStream[0] += 2
            bodies.append(Bodies())
            streams.append(stream)
            let block = encoders[0].request("/\(stream.exchange)", method: "POST", [("n", "\(random.below(4))")])
            let ends = random.oneIn(3)
            streams[streams.count - 1].isDone[0] = ends
            return headers(stream, block, endStream: ends)
        case 2, 3: return dataOfAny(0)
        default: return control(0)
        }
    }

    private mutating func serverFrames() -> [KnownRun] {
        let waiting = streams.indices.filter { !streams[$0].hasHead[1] }
        switch random.below(7) {
        case 0, 1, 2:
            guard !waiting.isEmpty else { return dataOfAny(1) }
            let index = random.element(waiting)
            return random.oneIn(5) ? interim(index) : answer(index, 200)
        case 3: return promise()
        case 4, 5: return dataOfAny(1)
        default: return control(1)
        }
    }

    private mutating func interim(_ index: Int) -> [KnownRun] {
        headers(streams[index], encoders[1].response(103, [("link", "</a>")]))
    }

    private mutating func answer(_ index: Int, _ status: Int) -> [KnownRun] {
        streams[index].hasHead[1] = true
        let ends = random.oneIn(4)
        streams[index].isDone[1] = ends
        return headers(
            streams[index], encoders[1].response(status, [("server", "s\(random.below(3))")]), endStream: ends)
    }

    private mutating func promise() -> [KnownRun] {
        guard let base = streams.first(where: { $0.isOpen(1) }) else { return control(1) }
        let stream = Stream(id: nextStream[1], exchange: bodies.count, isDone: [true, false])
        nextStream[1] += 2
        bodies.append(Bodies())
        streams.append(stream)
        let block = encoders[1].request("/\(stream.exchange)")
        let frame = HTTP2Frame.promise(base.id, stream.id, block, padding: padding())
        return frame.runs(base.exchange)
    }

    private mutating func headers(_ stream: Stream, _ block: [UInt8], endStream: Bool = false) -> [KnownRun] {
        let cut = random.below(block.count + 1)
        guard random.oneIn(3) else {
            return HTTP2Frame.headers(
                stream.id, block, endStream: endStream, padding: padding(), priority: random.oneIn(4)
            )
            .runs(stream.exchange)
        }
        return HTTP2Frame.headers(stream.id, Array(block[..<cut]), endStream: endStream, endHeaders: false)
            .runs(stream.exchange) + HTTP2Frame.continuation(stream.id, Array(block[cut...])).runs(stream.exchange)
    }

    private mutating func dataOfAny(_ side: Int) -> [KnownRun] {
        let open = streams.indices.filter { streams[$0].isOpen(side) }
        guard !open.isEmpty else { return control(side) }
        return data(random.element(open), side, endStream: random.oneIn(4))
    }

    private mutating func data(_ index: Int, _ side: Int, endStream: Bool) -> [KnownRun] {
        let stream = streams[index]
        streams[index].isDone[side] = endStream
        if endStream, random.oneIn(3) {
            return headers(stream, encoders[side].trailers([("sum", "\(random.below(9))")]), endStream: true)
        }
        let count = random.element([0, 1, 8, 60, 700])
        if side == 0 { bodies[stream.exchange].up += count } else { bodies[stream.exchange].down += count }
        return HTTP2Frame.data(stream.id, random.bytes(count), endStream: endStream, padding: padding())
            .runs(stream.exchange)
    }

    private mutating func control(_ side: Int) -> [KnownRun] {
        let connection: [HTTP2Frame] = [
            .ping(), .settings([(4, 65_535)]), .settingsAcknowledgement, .windowUpdate(0), .priority(1001),
            HTTP2Frame(0x55, payload: random.bytes(5)), .windowUpdate(2001),
        ]
        guard random.oneIn(2), !streams.isEmpty else { return random.element(connection).runs(KnownRun.connection) }
        let stream = random.element(streams)
        let frames: [HTTP2Frame] = [
            .windowUpdate(stream.id), .priority(stream.id),
            HTTP2Frame(0x56, flags: 0xFF, stream: stream.id, payload: random.bytes(random.below(20))),
        ]
        return random.element(frames).runs(stream.exchange)
    }

    private mutating func padding() -> Int? { random.oneIn(3) ? random.below(30) : nil }

    // MARK: Records and segments

    /// Cuts runs into records of random sizes, with other records between them.
    private mutating func seal(_ side: Dialogue.Side, _ runs: [KnownRun]) {
        guard let suite else { return talk.write(side, runs) }
        let size = random.element([3, 20, 100, 1000, 8000])
        var rest = runs.filter { !$0.bytes.isEmpty }[...]
        while !rest.isEmpty {
            if random.oneIn(6) { sealOther(side, suite) }
            var room = 1 + random.below(size)
            var record: [KnownRun] = []
            while room > 0, let run = rest.popFirst() {
                record.append(KnownRun(Array(run.bytes.prefix(room)), run.owner, run.cause))
                if run.bytes.count > room {
                    rest = [KnownRun(Array(run.bytes.dropFirst(room)), run.owner, run.cause)] + rest
                }
                room -= min(room, run.bytes.count)
            }
            talk.seal(side, record, padding: random.oneIn(4) ? random.below(8) : 0)
        }
    }

    private mutating func sealOther(_ side: Dialogue.Side, _ suite: TLSSuite) {
        if suite.isTLS13, random.oneIn(2) {
            let isTicket = side == .server && random.oneIn(2)
            talk.sealOther(side, KnownRun.handshake, .setupTLS) { isTicket ? $0.ticket() : $0.keyUpdate(side) }
        } else {
            talk.seal(side, [])
        }
    }

    /// Sends what was written: shuffled, overlapping, repeated, and in the end all of it.
    private mutating func send(_ side: Dialogue.Side) {
        let own = side.rawValue
        let begin = talk.streams[own].sent
        let end = talk.streams[own].bytes.count
        guard begin < end else { return }
        var pieces: [Range<Int>] = []
        var start = begin
        // No more segments than are held while an earlier one is missing.
        let size = max(random.element([12, 60, 400, 1400]), (end - begin) / 400)
        while start < end {
            let length = min(end - start, 2 + random.below(size))
            let before = random.oneIn(6) ? random.below(20) : 0
            pieces.append(max(0, start - before)..<start + length)
            start += length
        }
        for piece in pieces where random.oneIn(8) { pieces.append(piece) }
        if random.oneIn(5), begin > 80 { pieces.append(begin - 60..<begin - 10) }
        if random.oneIn(2) { pieces.shuffle(using: &random) }
        for piece in pieces {
            if !random.oneIn(20), piece.count > 1 { talk.send(side, piece) }
            if random.oneIn(3) { talk.acknowledge(side.other) }
        }
        talk.sendUnseen(side, each: 50 + random.below(1000))
        talk.acknowledge(side.other)
    }
}
