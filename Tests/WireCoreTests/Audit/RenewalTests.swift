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

    @Test("a side is as a new one")
    func renewsSide() {
        var side = Side()
        let fresh = text(side)
        side.assembler.start(midstream: SequenceNumber(77))
        side.assembler.acceptNext(1000)
        side.acknowledged = StreamPosition(900)
        side.finish = StreamPosition(1000)
        var charges = PendingCharges()
        charges.append(PendingCharge(end: StreamPosition(5)), to: &side.charges)
        side.identification = 4
        side.numberedSequence = SequenceNumber(8)
        side.numberedPayload = 9
        for flag: WritableKeyPath<Side, Bool> in [
            \.repeatsIdentification, \.windowIsZero, \.probeIsOpen, \.isFinished, \.isLost, \.isProbed,
            \.bodyIsIdentity,
        ] { side[keyPath: flag] = true }
        side.layer = StreamLayer(.tls, origin: .zero)
        side.current = 3
        side.ownerHint = 2
        side.counts.packets = 12
        side.counts.outOfOrderSegments = 1
        side.reader.beginHead()
        let head = Array("GET / HTTP/1.1\r\nhost: a".utf8)
        _ = unsafe side.reader.readHead(head.span.bytes, 0, role: .request, limit: 1000, mayKeep: true)
        side.reader.chunks.skipData(-4)
        side.synchronize = SequenceNumber(1)
        side.maximumSegmentSize = 1460
        side.hopLimit = 64
        side.losses = .gap
        side.own[.opaque] = 7
        side.own.closingRecords = 8
        side.overheadLink = 14
        side.settled[.body] = 3
        #expect(text(side) != fresh)
        side.renew()
        #expect(text(side) == fresh)
    }

    @Test("an exchange is as a new one")
    func renewsExchange() {
        var exchange = Exchange()
        let fresh = text(exchange)
        exchange.serial = 9
        exchange.previous = 1
        exchange.following = 2
        exchange.number = 3
        exchange.stream = 5
        exchange.isSecure = true
        exchange.costs.add(.body, 6, 0)
        exchange.costs.addLink(6, 1)
        exchange.ranges[1].start = .zero
        exchange.request = message()
        exchange.response = message()
        exchange.methodKind = .head
        exchange.status = 200
        exchange.interim = 10
        exchange.unseen = 11
        exchange.flags = .gap
        exchange.firstTime = 1
        exchange.lastTime = 2
        exchange.requestEndTime = 3
        exchange.responseStartTime = 4
        exchange.responseEndTime = 5
        exchange.keepNames(method: [0x47], target: [0x2F], host: [0x61], limit: 10)
        exchange.awaitsFinalResponse = true
        #expect(text(exchange) != fresh)
        exchange.renew()
        #expect(text(exchange) == fresh)
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
