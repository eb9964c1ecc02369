import Testing

@testable import WireCore

/// Places of the stores are used again: what is made new field by field must leave nothing of its last user.
@Suite("What is made new in its place")
struct RenewalTests {
    private func text(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    /// Whether `renew` leaves nothing of what `use` did.
    private func isRenewed<Value>(_ value: Value, _ use: (inout Value) -> Void, _ renew: (inout Value) -> Void) -> Bool
    {
        var value = value
        let fresh = text(value)
        use(&value)
        guard text(value) != fresh else { return false }
        renew(&value)
        return text(value) == fresh
    }

    @Test("a reassembled direction is as a new one")
    func renewsAssembler() {
        let isRenewed = isRenewed(StreamAssembler()) { assembler in
            assembler.start(midstream: SequenceNumber(77))
            assembler.acceptNext(1000)
            assembler.giveUp(StreamGap(range: 1000..<1100))
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("a direction of TCP is as a new one")
    func renewsTCP() {
        let isRenewed = isRenewed(TCPDirection()) { direction in
            direction.acknowledged = StreamPosition(900)
            direction.finish = StreamPosition(1000)
            var segment = Segment()
            segment.identification = 4
            segment.sequence = SequenceNumber(8)
            segment.payload = 9
            direction.count(segment)
            segment.payload = 10
            direction.count(segment)
            for flag: WritableKeyPath<TCPDirection, Bool> in [\.windowIsZero, \.probeIsOpen, \.isFinished] {
                direction[keyPath: flag] = true
            }
            direction.counts.outOfOrderSegments = 1
            direction.synchronize = SequenceNumber(1)
            direction.maximumSegmentSize = 1460
            direction.hopLimit = 64
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("a direction of HTTP/1 is as a new one")
    func renewsHTTP1() {
        let isRenewed = isRenewed(HTTP1Direction()) { direction in
            direction.reader.beginHead()
            let head = Array("GET / HTTP/1.1\r\nhost: a".utf8)
            _ = unsafe direction.reader.readHead(head.span.bytes, 0, role: .request, limit: 1000, mayKeep: true)
            direction.reader.chunks.skipData(-4)
            direction.body = MessageBody(isIdentity: true)
            direction.body.addUnexamined(7)
            direction.body.declaredLength = 7
            direction.origin = .hidden
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("what carries a direction is as new")
    func renewsStream() {
        let isRenewed = isRenewed(StreamDirection()) { direction in
            direction.carrier = .undecided(UndecidedStart(origin: .zero))
            direction.messages = .tunnel
            direction.isProbed = true
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("a connection's account is as a new one")
    func renewsAccount() {
        let isRenewed = isRenewed(ConnectionAccount()) { account in
            var costs = DeferredCosts()
            costs.append(DeferredCost(end: StreamPosition(5)), to: &account.deferred)
            account.runs = OwnerRuns(from: .zero, isDirect: true)
            account.latest = 3
            account.hint = 2
            account.unattributed[.opaque] = 7
            account.unattributed.closingRecords = 8
            account.overheadLink = 14
            account.attributed[.body] = 3
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("an owner's account is as a new one")
    func renewsOwner() {
        let isRenewed = isRenewed(OwnerAccount()) { account in
            account.serial = 9
            account.previous = 1
            account.following = 2
            account.lastTime = 2
            account.unseen = 11
            account.costs.add(.body, 6, 0)
            account.costs.addLink(6, 1)
            account.ranges[1].start = .zero
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    @Test("an exchange is as a new one")
    func renewsExchange() {
        let isRenewed = isRenewed(Exchange()) { exchange in
            exchange.number = 3
            exchange.stream = 5
            exchange.isSecure = true
            exchange.request = message()
            exchange.response = message()
            exchange.methodKind = .head
            exchange.status = 200
            exchange.interim = 10
            exchange.flags = .gap
            exchange.firstTime = 1
            exchange.requestEndTime = 3
            exchange.responseStartTime = 4
            exchange.responseEndTime = 5
            exchange.keepNames(method: [0x47], target: [0x2F], host: [0x61], limit: 10)
            exchange.awaitsFinalResponse = true
        } _: {
            $0.renew()
        }
        #expect(isRenewed)
    }

    private func message() -> MessageState {
        var state = MessageState()
        state.version = .http11
        state.framing = .chunked
        for flag: WritableKeyPath<MessageState, Bool> in [
            \.isPresent, \.isComplete, \.isFinished, \.isBroken, \.isCoded,
        ] { state[keyPath: flag] = true }
        state.headerFrames = 1
        state.dataFrames = 2
        state.fieldBytes = nil
        state.decodedBody = 3
        state.head = MessageHead(bytes: [1, 2], startLine: 1)
        return state
    }
}
