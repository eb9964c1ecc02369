/// A call that nobody could read, as far as records tell: its bytes, not its name.
public struct UnnamedCall: Sendable, Equatable {
    /// Content of the records of the request and of the answer: the least and the most that can be of the call, bytes.
    public internal(set) var up = 0...0
    public internal(set) var down = 0...0
    /// When its first record began and its last one ended: nanoseconds since the epoch.
    public internal(set) var time: ClosedRange<Int64>
    /// When the request's last record ended, and the answer's first one began; nil without an answer.
    public internal(set) var requestEnd: Int64
    public internal(set) var answerStart: Int64?
    /// What it cost, where that was asked for (`AuditOptions.keepsUnnamedCalls`).
    public internal(set) var costs = Directions(up: CostVector(), down: CostVector())
    /// All records of the answer so far may be session tickets, if another follows; what the last of them added to the least
    /// content. Nil: there is one that is none.
    var ticket: Int?
    /// Whose its bytes are while its account is open.
    var owner = Owner.connection

    init(at time: Int64) {
        self.time = time...time
        requestEnd = time
    }

    /// A method and a path of one byte each, and the empty line (RFC 9112 §2.1): what is shorter, such as an alert, is none.
    static func isRequest(_ bytes: Int) -> Bool { bytes >= leastRequest }

    var isRequest: Bool { UnnamedCall.isRequest(up.upperBound) }

    private static let leastRequest = "A / HTTP/1.1\r\n\r\n".utf8.count
}

/// Cuts what nobody can read of a connection into calls, while its records come.
///
/// A connection that is HTTP/1.1 for certain carries one call at a time, if nothing is pipelined: one begins where the client
/// sends behind an answer. Which records of TLS 1.3 are no content (tickets, alerts, KeyUpdate) their lengths never prove, so
/// that those which may be none make the content an interval.
struct UnnamedCalls {
    private enum Stage {
        /// No record came yet.
        case start
        /// Up to the client's Finished all is handshake (RFC 8446 §2).
        case handshake
        /// What the server says before it is asked are tickets.
        case idle
        case request, answer
        /// Records do not tell calls apart.
        case unknown
    }

    /// Records of a direction that are content of calls, and those of them that would fill blocks of 16 bytes.
    private struct Blocks {
        private var all = 0
        private var even = 0

        mutating func add(_ length: Int) {
            all += 1
            if (length + 1).isMultiple(of: 16) { even += 1 }
        }

        /// Whoever pads records of TLS 1.3 fills the content and the byte of its type up to a multiple of 16 or more (Mbed
        /// TLS, and options of others), nearly always.
        var arePadded: Bool { all > 0 && even * 10 >= all * 9 }
    }

    /// Whose a record is.
    enum Membership {
        /// Of no call that is kept.
        case none
        case latest
        /// Of one that begins with it.
        case new
    }

    private var stage = Stage.start
    private var isTLS13 = false
    private var tickets: Set<Int> = []
    private var blocks = (up: Blocks(), down: Blocks())
    /// As they were cut. One that is no request is none.
    var calls: [UnnamedCall] = []
    /// Calls before it, but for the first, have no account any more.
    var firstOpen = 1
    /// The direction of the client, if one is known.
    private(set) var client: Direction?
    /// Calls so far, whether or not they are kept.
    private(set) var count = 0
    /// The most that the latest request can have.
    private var latestRequest = 0
    /// Bytes of all content that nobody could read, by direction.
    private(set) var content = DirectionPair(repeating: 0)

    /// Alerts and KeyUpdate messages (RFC 8446 §6, §4.6.3). Node ends a chunked body with a record as long as the latter, so
    /// that a length alone proves nothing.
    private static let shortLengths: Set<Int> = [2, 5]
    /// No ticket that servers send is longer.
    private static let longestTicket = 4096
    /// A Finished message: four bytes of header and a digest of SHA-256 or SHA-384 (RFC 8446 §4.4.4).
    private static let finishedLengths: Set<Int> = [36, 52]

    /// Calls were told apart.
    var areKnown: Bool {
        switch stage {
        case .start, .unknown: false
        case .handshake, .idle, .request, .answer: true
        }
    }

    /// No such record came yet.
    var isUndecided: Bool { if case .start = stage { true } else { false } }

    /// Nobody tells calls apart any more. `length`: content that is in no call.
    mutating func stop(_ length: Int = 0, _ direction: Direction = 0) {
        content[direction] += length
        stage = .unknown
    }

    /// A record begins that nobody can read.
    ///
    /// - Parameters:
    ///   - length: most bytes of it that can be content.
    ///   - keeps: the calls are wanted, not only their number.
    mutating func begin(_ length: Int, _ direction: Direction, at time: Int64, keeps: Bool) -> Membership {
        content[direction] += length
        let isFromClient = direction == client
        var membership = Membership.latest
        switch stage {
        case .start, .unknown: return .none
        case .handshake:
            // A certificate of the client would stand before it.
            if isFromClient { stage = UnnamedCalls.finishedLengths.contains(length) ? .idle : .unknown }
            return .none
        case .idle where !isFromClient:
            if isTLS13 { tickets.insert(length) }
            return .none
        case .idle where isFromClient, .answer where isFromClient:
            stage = .request
            latestRequest = 0
            if keeps { calls.append(UnnamedCall(at: time)) }
            membership = .new
        case .idle, .answer, .request: if !isFromClient { stage = .answer }
        }
        add(length, isFromClient: isFromClient, at: time)
        return keeps ? membership : .none
    }

    /// The first such record comes.
    ///
    /// - Parameter facts: what the handshake told.
    mutating func decide(_ facts: TLSFacts, client: Direction?) {
        guard let client, facts.handshakeWasRead, facts.earlyData == nil, let version = facts.version, facts.isHTTP1
        else {
            stage = .unknown
            return
        }
        self.client = client
        isTLS13 = version == .tls13
        stage = isTLS13 ? .handshake : .idle
    }

    private mutating func add(_ length: Int, isFromClient: Bool, at time: Int64) {
        if isFromClient {
            blocks.up.add(length)
            let wasRequest = UnnamedCall.isRequest(latestRequest)
            latestRequest += length
            if !wasRequest, UnnamedCall.isRequest(latestRequest) { count += 1 }
        } else {
            blocks.down.add(length)
        }
        guard let last = calls.indices.last else { return }
        let mayBeNone = isTLS13 && (UnnamedCalls.shortLengths.contains(length) || tickets.contains(length))
        let least = mayBeNone ? 0 : length
        if isFromClient {
            calls[last].up = calls[last].up.lowerBound + least...calls[last].up.upperBound + length
        } else {
            if calls[last].answerStart == nil {
                calls[last].answerStart = time
                if isTLS13, last == 0, tickets.isEmpty { calls[last].ticket = 0 }
            }
            let before = calls[last].down.lowerBound - (calls[last].ticket ?? 0)
            calls[last].down = before + least...calls[last].down.upperBound + length
            // An answer has a record at least: the last one is no ticket.
            if calls[last].ticket != nil {
                calls[last].ticket = length <= UnnamedCalls.longestTicket ? least : nil
            }
        }
    }

    /// A record of the direction ended that nobody could read.
    mutating func end(_ direction: Direction, at time: Int64) {
        guard let last = calls.indices.last, areKnown else { return }
        calls[last].time = calls[last].time.lowerBound...max(calls[last].time.upperBound, time)
        if direction == client, calls[last].answerStart == nil { calls[last].requestEnd = time }
    }

    /// The calls, when nothing more comes.
    ///
    /// - Parameter showsLength: the lengths of records tell those of their content, but for padding.
    func finish(showsLength: Bool) -> [UnnamedCall] {
        let (showsUp, showsDown) = (
            showsLength && !(isTLS13 && blocks.up.arePadded), showsLength && !(isTLS13 && blocks.down.arePadded)
        )
        return calls.lazy.filter(\.isRequest).map { call in
            var call = call
            if !showsUp { call.up = 0...call.up.upperBound }
            if !showsDown { call.down = 0...call.down.upperBound }
            return call
        }
    }
}

extension TLSFacts {
    /// HTTP/1 for certain, if it is HTTP. HTTP/2 over TLS needs ALPN (RFC 9113 §3.2): where the client did not offer it, or the server chose another, it is none.
    package var isHTTP1: Bool {
        let names = applicationProtocol.map { [$0] } ?? offeredProtocols
        return names.allSatisfy { $0.starts(with: Array("http/1.".utf8)) }
    }
}
