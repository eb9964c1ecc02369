import WireCore
import WireJoin
import WireLogs
import WireNative

/// What nobody could read of the connections that may have carried the calls of one host, in the order of time.
///
/// A client sends calls of a host over connections that named it, and HTTP/2 and HTTP/3 also over others to one of its
/// addresses (RFC 9113 §9.1.1).
struct HostTimeline {
    private let up: RecordSums
    private let down: RecordSums
    /// Those that may hold WINDOW_UPDATE frames of HTTP/2.
    private let credits: (up: RecordSums, down: RecordSums)
    private static let creditDelay: Int64 = 2_000_000_000
    private static let creditLength = 13
    /// Bytes that a receiver takes between two credits of a call, at least, if they came in one record.
    private static let creditedBytes = 4096
    /// Calls of HTTP/1.1 connections, by their first records; nil where calls may lie in other connections, too.
    private(set) var calls: [UnnamedCall]?
    /// It is of a single connection.
    let isOfOneConnection: Bool
    /// The times of a request's last record and of the next record from the server, ascending by the former.
    private(set) var replies: [(asked: Int64, answered: Int64)] = []
    /// When connections were open of which something is missing, ascending and apart from each other.
    private var incomplete: [ClosedRange<Int64>] = []

    init(_ connections: [HiddenConnection]) {
        let pieces = connections.flatMap(\.pieces).sorted { $0.time < $1.time }
        up = RecordSums(pieces.lazy.filter(\.isFromClient))
        down = RecordSums(pieces.lazy.filter { !$0.isFromClient })
        let credits = connections.lazy.filter { !$0.isHTTP1 }.flatMap(\.pieces).sorted { $0.time < $1.time }
        self.credits = (
            RecordSums(credits.lazy.filter(\.isFromClient)), RecordSums(credits.lazy.filter { !$0.isFromClient })
        )
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
    static func credit(_ piece: HiddenPiece) -> Int { min(Int(piece.content), creditLength) }

    /// A record behind a window may credit what was received in it.
    static func mayCredit(_ piece: HiddenPiece, behind window: ClosedRange<Int64>, isHTTP1: Bool) -> Bool {
        !isHTTP1 && credited(window)?.contains(piece.time) == true
    }

    /// When records may credit what was received in a window, and do not lie in it.
    private static func credited(_ window: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        let end = window.upperBound
        return end < .max ? end + 1...end.saturatingAdd(creditDelay) : nil
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

    func records(_ direction: Direction) -> RecordSums { direction == .up ? up : down }

    /// Most bytes of calls in a direction, sent in a window.
    ///
    /// HTTP/2 credits what was received with WINDOW_UPDATE frames of 13 bytes. They are part of the message of whoever sends
    /// them (RFC 9113 §6.9), and may follow the answer.
    func most(_ direction: Direction, _ window: ClosedRange<Int64>, calls: Int = 1) -> Int {
        let total = records(direction).total(window)
        guard let behind = HostTimeline.credited(window) else { return total }
        return total
            + (direction == .up ? credits.up : credits.down).total(
                behind, ofEach: HostTimeline.creditLength * calls,
                count: mostCredits(direction, window) * calls)
    }

    /// Most WINDOW_UPDATE frames of a call that credit what was received in a window: one for each record, and more of long
    /// ones.
    func mostCredits(_ direction: Direction, _ window: ClosedRange<Int64>) -> Int {
        let received = direction == .up ? credits.down : credits.up
        return received.count(window) + received.total(window) / HostTimeline.creditedBytes
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
