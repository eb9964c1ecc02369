import WireCore
import WireLogs

/// What the calls of lone rows have at least on a connection that may carry several at a time, as HTTP/2 does.
///
/// A record that was sent while no other row's call went on is of the one row, or it is no call's: frames of the connection stand
/// in records, too, alone or beside frames of calls. So the least is what is left when as many of them are taken away as can be there.
/// That needs a log that has every call of the connection; where bytes lie in no row's time that are more than such frames,
/// it has not, and nothing is known.
struct LoneCalls {
    /// What is known of a row from one connection.
    struct Least: Equatable {
        var up = 0
        var down = 0
        /// The connection carried something in the row's time that may be of a call.
        var hasCall = false
        /// It was one call.
        var isCertain = false
    }

    /// SETTINGS with an acknowledgment, WINDOW_UPDATE twice, and PING in one record (RFC 9113 §6): what is no longer may be no
    /// call's.
    private static let longestControl = 9 + 2 * 13 + 17
    private static let controlLengths: Set<Int> = [2, 5, 9, 13, 17, 22, 26, 30, 35, 39, 43, 52]
    /// What a record may have beside frames of the call: of a client WINDOW_UPDATE of the connection and of an earlier call, and
    /// PING; of a server WINDOW_UPDATE of the connection, and PING.
    private static let clientControl = 2 * 13 + 17
    private static let serverControl = 13 + 17
    /// GOAWAY with what servers say in it, at the end of a connection.
    private static let farewell = 64
    /// No ticket that servers send is longer.
    private static let longestTicket = 4096

    private let pieces: ArraySlice<HiddenPiece>
    /// Times in which rows' calls went on, and how many rows: ascending and apart from each other.
    private let clusters: [Cluster]
    /// Lengths that are those of tickets, as far as lengths tell.
    private var tickets: Set<UInt32> = []
    /// Up to here the connection is opened: what belongs to that cannot be told from the first calls.
    private var opened = Int64.max
    /// From here on a call may have been given up, and its answer may come in the time of others.
    private let doubt: Int64
    private var showsLength = (up: false, down: false)
    private let isTLS13: Bool
    private let lastAnswer: Int64

    struct Cluster {
        var window: ClosedRange<Int64>
        var rows: Int
    }

    /// - Parameters:
    ///   - clusters: of all rows that may be of the connection.
    ///   - doubt: when the first call began that failed.
    init(_ connection: HiddenConnection, _ clusters: [Cluster], doubt: Int64?) {
        pieces = connection.pieces[...]
        self.clusters = clusters
        self.doubt = doubt ?? .max
        isTLS13 = connection.isTLS13
        lastAnswer = connection.pieces.last { !$0.isFromClient }?.time ?? .max
        guard connection.isComplete, connection.showsLength, let opened = opening() else { return }
        self.opened = opened
        if isTLS13 {
            for piece in pieces where !piece.isFromClient && piece.time <= opened {
                if piece.content <= LoneCalls.longestTicket { tickets.insert(piece.content) }
            }
        }
        if hasOrphan() { self.opened = .max }
        showsLength = (!isPadded(up: true), !isPadded(up: false))
    }

    // MARK: The connection

    /// The end of the first cluster that has the client's first flights, and an answer.
    private func opening() -> Int64? {
        var (flights, place) = (0, 0)
        for piece in pieces {
            if piece.isFromClient {
                if !LoneCalls.mayBeControl(piece) { flights += 1 }
            } else if flights >= 2 {
                while place < clusters.count, clusters[place].window.upperBound < piece.time { place += 1 }
                guard place < clusters.count else { return nil }
                if clusters[place].window.contains(piece.time) { return clusters[place].window.upperBound }
            }
        }
        return nil
    }

    /// Something of a call that lies in no row's time.
    private func hasOrphan() -> Bool {
        var place = 0
        for piece in pieces where piece.time > opened {
            while place < clusters.count, clusters[place].window.upperBound < piece.time { place += 1 }
            if place < clusters.count, clusters[place].window.contains(piece.time) { continue }
            if piece.isFromClient ? !LoneCalls.mayBeControl(piece) : least(piece) > 0 { return true }
        }
        return false
    }

    /// Whoever pads records of TLS 1.3 fills content and type up to multiples of 16 or more, nearly always.
    private func isPadded(up: Bool) -> Bool {
        guard isTLS13 else { return false }
        let own = pieces.filter { $0.isFromClient == up && $0.time > opened }
        return own.count { ($0.content + 1).isMultiple(of: 16) } * 10 >= own.count * 9
    }

    private static func mayBeControl(_ piece: HiddenPiece) -> Bool { controlLengths.contains(Int(piece.content)) }

    /// Content that is a call's, but for what a record may have beside it.
    private func least(_ piece: HiddenPiece) -> Int {
        let isTicket = isTLS13 && !piece.isFromClient && tickets.contains(piece.content)
        return isTicket || piece.content <= LoneCalls.longestControl ? 0 : Int(piece.content)
    }

    // MARK: Its rows

    /// What a row has at least of the records in its window.
    func least(_ window: ClosedRange<Int64>) -> Least {
        var least = Least()
        let first = pieces.firstIndexFromWhichAll { $0.time >= window.lowerBound }
        let own = pieces[first..<max(first, pieces.firstIndexFromWhichAll { $0.time > window.upperBound })]
        least.hasCall = own.contains { !LoneCalls.mayBeControl($0) }
        guard least.hasCall, window.lowerBound > opened, window.upperBound < doubt,
            LoneCalls.isLone(window, in: clusters),
            isOneCall(own)
        else { return least }
        least.isCertain = true
        let (sent, received) = (own.count(where: \.isFromClient), own.count { !$0.isFromClient })
        if showsLength.up { least.up = rest(own.filter(\.isFromClient), LoneCalls.clientControl, answered: received) }
        if showsLength.down {
            let control = LoneCalls.serverControl
            let down = rest(own.filter { !$0.isFromClient }, control, answered: sent)
            least.down = max(down - (window.contains(lastAnswer) ? LoneCalls.farewell : 0), 0)
        }
        return least
    }

    /// What records have when frames of the connection are taken away: one set of them unasked, and one for each record of
    /// the other side.
    private func rest(_ pieces: [HiddenPiece], _ control: Int, answered: Int) -> Int {
        let lengths = pieces.map(least).filter { $0 > 0 }
        return max(lengths.reduce(0, +) - control * min(lengths.count, answered + 1), 0)
    }

    /// No other row's call went on in its time.
    static func isLone(_ window: ClosedRange<Int64>, in clusters: [Cluster]) -> Bool {
        let place = clusters.firstIndexFromWhichAll { $0.window.upperBound >= window.lowerBound }
        return place < clusters.count && clusters[place].rows == 1 && clusters[place].window == window
    }

    /// The client begins, and sends nothing of a call once the server has begun.
    private func isOneCall(_ own: ArraySlice<HiddenPiece>) -> Bool {
        var (isAsked, isAnswered) = (false, false)
        for piece in own where !LoneCalls.mayBeControl(piece) {
            guard piece.isFromClient ? !isAnswered : isAsked else { return false }
            if piece.isFromClient { isAsked = true } else { isAnswered = true }
        }
        return isAnswered
    }
}
