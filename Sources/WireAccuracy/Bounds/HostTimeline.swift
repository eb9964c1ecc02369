import WireCore
import WireJoin
import WireLogs
import WireNative

/// What nobody could read of the connections that may have carried the calls of one host, in the order of time.
///
/// A client sends calls of a host over connections that named it, and HTTP/2 and HTTP/3 also over others to one of its
/// addresses (RFC 9113 §9.1.1).
struct HostTimeline {
    private var up = Sums()
    private var down = Sums()
    /// WINDOW_UPDATE frames of HTTP/2 that records may hold: one of a call in each.
    private var credits = (up: Sums(), down: Sums())
    private static let creditDelay: Int64 = 2_000_000_000
    private static let creditLength: UInt32 = 13
    /// Calls of HTTP/1.1 connections, by their first records; nil where calls may lie in other connections, too.
    private(set) var calls: [UnnamedCall]?
    /// It is of a single connection.
    let isOfOneConnection: Bool
    /// The times of a request's last record and of the next record from the server, ascending by the former.
    private(set) var replies: [(asked: Int64, answered: Int64)] = []
    /// When connections were open of which something is missing, ascending and apart from each other.
    private var incomplete: [ClosedRange<Int64>] = []

    /// Content of one direction by time.
    private struct Sums {
        private(set) var times: [Int64] = []
        /// Of the pieces before each, and of all.
        private var sums = [0]

        init() {}

        init(_ pieces: [HiddenPiece]) {
            times = pieces.map(\.time)
            sums.reserveCapacity(pieces.count + 1)
            for piece in pieces { sums.append(sums[sums.count - 1] + Int(piece.content)) }
        }

        func total(_ window: ClosedRange<Int64>) -> Int {
            let end = times.firstIndexFromWhichAll { $0 > window.upperBound }
            return sums[end] - sums[min(end, times.firstIndexFromWhichAll { $0 >= window.lowerBound })]
        }
    }

    init(_ connections: [HiddenConnection]) {
        let pieces = connections.flatMap(\.pieces).sorted { $0.time < $1.time }
        up = Sums(pieces.filter(\.isFromClient))
        down = Sums(pieces.filter { !$0.isFromClient })
        let credits = connections.lazy.filter { !$0.isHTTP1 }.flatMap(\.pieces).map { piece in
            var piece = piece
            piece.content = HostTimeline.credit(piece)
            return piece
        }.sorted { $0.time < $1.time }
        self.credits = (Sums(credits.filter(\.isFromClient)), Sums(credits.filter { !$0.isFromClient }))
        isOfOneConnection = connections.count == 1
        incomplete = HostTimeline.union(connections.filter { !$0.isComplete }.map(\.span))
        replies = connections.flatMap(HostTimeline.replies).sorted { $0.asked < $1.asked }
        guard connections.allSatisfy({ $0.calls != nil }) else { return }
        calls = connections.flatMap { $0.calls ?? [] }.sorted { $0.time.lowerBound < $1.time.lowerBound }
    }

    private static func replies(_ connection: HiddenConnection) -> [(asked: Int64, answered: Int64)] {
        var replies: [(asked: Int64, answered: Int64)] = []
        var asked: Int64?
        for piece in connection.pieces {
            if piece.isFromClient {
                asked = piece.time
            } else if let time = asked {
                replies.append((time, piece.time))
                asked = nil
            }
        }
        return replies
    }

    // MARK: What lies in a window

    /// Most bytes of a record that can credit what was received.
    static func credit(_ piece: HiddenPiece) -> UInt32 { min(piece.content, creditLength) }

    /// A record behind a window may credit what was received in it.
    static func mayCredit(_ piece: HiddenPiece, behind window: ClosedRange<Int64>, isHTTP1: Bool) -> Bool {
        !isHTTP1 && piece.time > window.upperBound && piece.time <= window.upperBound.saturatingAdd(creditDelay)
    }

    func isComplete(_ window: ClosedRange<Int64>) -> Bool {
        let place = incomplete.firstIndexFromWhichAll { $0.upperBound >= window.lowerBound }
        return place == incomplete.count || incomplete[place].lowerBound > window.upperBound
    }

    /// Ranges that overlap become one.
    static func union(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var union: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = union.last, last.upperBound >= range.lowerBound {
                union[union.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                union.append(range)
            }
        }
        return union
    }

    /// Most bytes of calls in a direction, sent in a window.
    ///
    /// HTTP/2 credits what was received with WINDOW_UPDATE frames of 13 bytes. They are part of the message of whoever sends
    /// them (RFC 9113 §6.9), and may follow the answer.
    func most(_ direction: Direction, _ window: ClosedRange<Int64>) -> Int {
        let (sums, credits) = direction == .up ? (up, credits.up) : (down, credits.down)
        let end = window.upperBound
        guard end < .max else { return sums.total(window) }
        return sums.total(window) + credits.total(end + 1...end.saturatingAdd(HostTimeline.creditDelay))
    }

    /// Least bytes of a call that lies in the window; nil where no whole call is known to.
    func least(_ direction: Direction, _ window: ClosedRange<Int64>) -> Int? {
        guard let calls else { return nil }
        var least: Int?
        for call in calls[calls.firstIndexFromWhichAll { $0.time.lowerBound >= window.lowerBound }...] {
            if call.time.lowerBound > window.upperBound { break }
            guard call.time.upperBound <= window.upperBound else { continue }
            let bytes = (direction == .up ? call.up : call.down).lowerBound
            least = min(least ?? bytes, bytes)
        }
        return least
    }

    /// A server began to answer in the window what had been sent in it.
    func hasReply(_ window: ClosedRange<Int64>) -> Bool {
        for reply in replies[replies.firstIndexFromWhichAll { $0.asked >= window.lowerBound }...] {
            if reply.asked > window.upperBound { break }
            if reply.answered <= window.upperBound { return true }
        }
        return false
    }
}
