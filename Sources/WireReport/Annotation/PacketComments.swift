import WireCore

/// What each packet's bytes were for, in one line for each packet.
///
///     wireaudit up: POST api.example.com /v1/orders (call 3/7) start_line=37 headers=280 tcpip=52; link=14
///
/// Numbers are bytes and add up to the packet's original length. `call 3/7`: connection and exchange, as in the records of
/// `exchanges`. Set-up and closing are the connection's own, as with `--setup separate`.
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

    /// Packets of which there is a comment.
    public var count: Int { trace.parts.count }

    /// The original length of a packet as it was audited; nil for one that was not.
    public func length(of frame: Int) -> Int? {
        trace.parts.indices.contains(frame - 1) ? trace.parts[frame - 1].total : nil
    }

    /// The first packet whose sums do not fit; nil where all do. That is a defect of this program.
    public var contradiction: Int? {
        // Claims without a packet.
        if order.isEmpty ? false : starts[1] > 0 { return 0 }
        return (1...max(count, 1)).first { frame in
            guard count > 0 else { return false }
            let parts = trace.parts[frame - 1]
            guard parts.kind == nil else { return starts[frame] < starts[frame + 1] }
            let shares = shares(of: frame)
            return shares.reduce(0) { $0 + $1.bytes } != parts.internet
        }
    }

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

    /// Of all the frames of a datagram, what is claimed of it; in the order in which it was claimed.
    private func shares(of frame: Int) -> [Share] {
        let parts = trace.parts[frame - 1]
        guard let last = datagrams[frame], let frames = trace.joined[last] else {
            return whole(of: frame, internet: parts.internet)
        }
        let all = frames.reduce(0) { $0 + trace.parts[$1 - 1].internet }
        let before = frames.prefix { $0 != frame }.reduce(0) { $0 + trace.parts[$1 - 1].internet }
        return part(before..<before + parts.internet, of: whole(of: last, internet: all))
    }

    private func whole(of frame: Int, internet: Int) -> [Share] {
        let own = claims(of: frame).map { index in
            let claim = trace.claims[Int(index)]
            return Share(
                owner: Int(claim.owner), cause: claim.cause.name, direction: Int(claim.direction), bytes: claim.bytes)
        }
        guard own.isEmpty, internet > 0 else { return own }
        return [Share(owner: nil, cause: name(trace.parts[frame - 1].other), direction: 0, bytes: internet)]
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

    private func name(_ other: FrameParts.Other?) -> String {
        switch other {
        case .dns?: "dns"
        case .quic?: "quic"
        case .wireGuard?: "wireguard"
        case .udp?: "udp"
        case .icmp?: "icmp"
        case .otherIP?, nil: "other_ip"
        }
    }

    // MARK: Text

    /// Nil for a packet that was not audited.
    public func comment(on frame: Int) -> String? {
        guard trace.parts.indices.contains(frame - 1) else { return nil }
        let parts = trace.parts[frame - 1]
        let shares = parts.kind == nil ? shares(of: frame) : []
        var text = "wireaudit" + (direction(shares).map { " \($0)" } ?? "") + ":"
        var words = owners(shares)
        words += [("pseudo", parts.pseudo), ("tunnel", parts.tunnel), ("link", parts.link)]
            .filter { $0.1 > 0 }.map { "\($0.0)=\($0.1)" }
        if parts.kind == .nonIP { words.append("non_ip=\(parts.whole)") }
        if parts.kind == .duplicate { words.append("duplicate=\(parts.whole)") }
        text += " " + words.joined(separator: "; ")
        if let last = datagrams[frame], let frames = trace.joined[last] {
            text += "; fragment of the datagram in packets \(frames.map { String($0) }.joined(separator: ","))"
        }
        return text
    }

    /// The direction that the packet went in.
    private func direction(_ shares: [Share]) -> String? {
        guard let share = shares.first(where: { $0.owner != nil }), let owner = share.owner else { return nil }
        guard let end = trace.ends[trace.owners[owner].connection] else { return nil }
        return share.direction == end.client ? "up" : "down"
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
            let sums = group.sums.map { "\($0.cause)=\($0.bytes)" }.joined(separator: " ")
            let text = group.owner.map { words($0) + " " + sums } ?? sums
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

    private func words(_ owner: Int) -> String {
        let owner = trace.owners[owner]
        guard let exchange = owner.exchange, exchange >= 0 else {
            let host = trace.ends[owner.connection]?.host ?? []
            return "connection \(owner.connection)" + (host.isEmpty ? "" : " \(shown(host))")
        }
        return "\(shown(owner.api)) (call \(owner.connection)/\(exchange))"
    }

    private func shown(_ text: [UInt8]) -> String { shortened(displayText(text), to: 400, ellipsis: "…") }
}
