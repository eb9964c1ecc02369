import WireCore
import WireRecords

/// What each packet's bytes were for, in one line for each packet.
///
///     wireaudit up: connection=3 call=7 start_line=37 headers=280 tcpip=52 api=POST api.example.com /v1/orders; link=14;
///
/// Numbers behind causes and layers are bytes and add up to the packet's original length. Connection and call are the numbers in
/// the records of `exchanges`. Set-up and closing are the connection's own, as with `--setup separate`.
public struct PacketComments {
    /// A comment option of pcapng holds no more, and room for the rest of the sums.
    private static let mostBytes = 60_000

    private let trace: ClaimTrace
    /// Indices of claims, those of one frame behind those of the frame before.
    private var order: [Int32] = []
    /// Where the claims of each frame begin in `order`, by its number; one more at the end.
    private var starts: [Int] = []
    /// The datagram whose fragment a frame is: the number of its last one.
    private var datagrams: [Int: Int] = [:]

    package init(_ trace: ClaimTrace) {
        self.trace = trace
        let frames = trace.parts.count
        var counts = [Int](repeating: 0, count: frames + 2)
        for claim in trace.claims where claim.bytes > 0 && Int(claim.frame) <= frames {
            counts[Int(claim.frame) + 1] += 1
        }
        for frame in 1..<counts.count { counts[frame] += counts[frame - 1] }
        starts = counts
        var next = counts
        order = [Int32](repeating: 0, count: counts[frames + 1])
        for (index, claim) in trace.claims.enumerated() where claim.bytes > 0 && Int(claim.frame) <= frames {
            order[next[Int(claim.frame)]] = Int32(index)
            next[Int(claim.frame)] += 1
        }
        for (last, frames) in trace.joined { for frame in frames { datagrams[frame] = last } }
    }

    /// Whether a packet has another length than when it was audited.
    public func contradicts(_ frame: Int, length: Int) -> Bool {
        guard trace.parts.indices.contains(frame - 1) else { return !trace.isFull }
        return trace.parts[frame - 1].total != length
    }

    /// The first packet whose sums do not fit though all was kept: its owner is not known then, by a defect of this program. Nil
    /// where there is none.
    public var contradiction: Int? {
        guard !trace.isFull else { return nil }
        return trace.parts.indices.first { index in
            let parts = trace.parts[index]
            guard parts.kind == nil else { return starts[index + 1] < starts[index + 2] }
            return shares(of: index + 1) == nil
        }.map { $0 + 1 }
    }

    /// Packets whose owner is not known.
    public private(set) var unknownCount = 0

    private var writtenCount = 0

    /// Fewer packets got a comment than were audited.
    public var lackPackets: Bool { writtenCount < trace.parts.count }

    // MARK: Shares

    /// Bytes of a frame that have one owner and one cause.
    private struct Share {
        /// Nil for what no connection owns.
        var owner: Int?
        var cause: String
        var direction: Int
        var bytes: Int
    }

    private func claims(of frame: Int) -> ArraySlice<Int32> { order[starts[frame]..<starts[frame + 1]] }

    /// Of all the frames of a datagram, what is claimed of it; in the order in which it was claimed. Nil where that is not all.
    private func shares(of frame: Int) -> [Share]? {
        let parts = trace.parts[frame - 1]
        guard let last = datagrams[frame], let frames = trace.joined[last] else {
            return whole(of: frame, internet: Int(parts.internet))
        }
        let all = frames.reduce(0) { $0 + Int(trace.parts[$1 - 1].internet) }
        let before = frames.prefix { $0 != frame }.reduce(0) { $0 + Int(trace.parts[$1 - 1].internet) }
        return whole(of: last, internet: all).map { part(before..<before + Int(parts.internet), of: $0) }
    }

    private func whole(of frame: Int, internet: Int) -> [Share]? {
        let own = claims(of: frame).map { index in
            let claim = trace.claims[Int(index)]
            return Share(
                owner: Int(claim.owner), cause: claim.cause.name, direction: Int(claim.direction), bytes: claim.bytes)
        }
        if own.reduce(0, { $0 + $1.bytes }) == internet { return own }
        guard own.isEmpty, let other = trace.parts[frame - 1].other else { return nil }
        return [Share(owner: nil, cause: name(other), direction: 0, bytes: internet)]
    }

    private func part(_ range: Range<Int>, of shares: [Share]) -> [Share] {
        var position = 0
        return shares.compactMap { share in
            let own = (position..<position + share.bytes).clamped(to: range)
            position += share.bytes
            var part = share
            part.bytes = own.count
            return own.isEmpty ? nil : part
        }
    }

    private func name(_ other: FrameParts.Other) -> String {
        switch other {
        case .dns: "dns"
        case .quic: "quic"
        case .wireGuard: "wireguard"
        case .udp: "udp"
        case .icmp: "icmp"
        case .otherIP: "other_ip"
        }
    }

    // MARK: Text

    /// Said in place of owner and causes where they were not kept.
    public static let unknown = "owner not known when written"

    public mutating func comment(on frame: Int) -> String {
        writtenCount += 1
        guard trace.parts.indices.contains(frame - 1) else { return unknownComment() }
        let parts = trace.parts[frame - 1]
        if parts.kind == .nonIP { return "wireaudit: non_ip=\(parts.whole);" }
        if parts.kind == .duplicate { return "wireaudit: duplicate=\(parts.whole);" }
        guard let shares = shares(of: frame) else { return unknownComment() }
        var words = owners(shares)
        words += [("pseudo", parts.pseudo), ("tunnel", parts.tunnel), ("link", parts.link)]
            .filter { $0.1 > 0 }.map { "\($0.0)=\($0.1)" }
        if let last = datagrams[frame], let frames = trace.joined[last] {
            words.append("datagram of packets \(frames.prefix(64).map { String($0) }.joined(separator: ","))")
        }
        return "wireaudit" + (direction(shares).map { " \($0)" } ?? "") + ": " + words.joined(separator: "; ") + ";"
    }

    private mutating func unknownComment() -> String {
        unknownCount += 1
        return "wireaudit: \(PacketComments.unknown);"
    }

    /// The direction that the packet went in.
    private func direction(_ shares: [Share]) -> String? {
        guard let share = shares.first(where: { $0.owner != nil }), let owner = share.owner else { return nil }
        return share.direction == connection(owner).client ? "up" : "down"
    }

    /// One text for each owner, in the order in which they come.
    private func owners(_ shares: [Share]) -> [String] {
        var places: [Int: Int] = [:]
        var groups: [(owner: Int?, sums: [(cause: String, bytes: Int)])] = []
        for share in shares {
            let place = places[share.owner ?? -1] ?? groups.count
            if place == groups.count {
                groups.append((share.owner, []))
                places[share.owner ?? -1] = place
            }
            PacketComments.add(share.bytes, share.cause, to: &groups[place].sums)
        }
        var texts: [String] = []
        var size = 0
        var rest: [(cause: String, bytes: Int)] = []
        for group in groups {
            let text = words(group.owner, group.sums.map { "\($0.cause)=\($0.bytes)" }.joined(separator: " "))
            size += text.utf8.count + 2
            if size <= PacketComments.mostBytes {
                texts.append(text)
            } else {
                for sum in group.sums { PacketComments.add(sum.bytes, sum.cause, to: &rest) }
            }
        }
        if !rest.isEmpty {
            texts.append("further owners " + rest.map { "\($0.cause)=\($0.bytes)" }.joined(separator: " "))
        }
        return texts
    }

    private static func add(_ bytes: Int, _ cause: String, to sums: inout [(cause: String, bytes: Int)]) {
        if let place = sums.firstIndex(where: { $0.cause == cause }) {
            sums[place].bytes += bytes
        } else {
            sums.append((cause, bytes))
        }
    }

    private func words(_ owner: Int?, _ sums: String) -> String {
        guard let owner else { return sums }
        let connection = connection(owner)
        guard let exchange = trace.owners[owner].exchange, exchange >= 0 else {
            let host = connection.host.isEmpty ? "" : " host=\(shown(connection.host))"
            return "connection=\(connection.number) \(sums)\(host)"
        }
        let place = Int(trace.owners[owner].api)
        let api = place > 0 ? " api=\(shown(trace.names[place]))" : ""
        return "connection=\(connection.number) call=\(exchange) \(sums)\(api)"
    }

    private func connection(_ owner: Int) -> ClaimTrace.TracedConnection {
        trace.connections[Int(trace.owners[owner].connection)]
    }

    /// Without semicolons, which end an owner.
    private func shown(_ text: [UInt8]) -> String {
        var plain = displayText(text)
        while let place = plain.firstIndex(of: ";") { plain.replaceSubrange(place...place, with: "%3B") }
        return shortened(plain, to: 400, ellipsis: "…")
    }
}
