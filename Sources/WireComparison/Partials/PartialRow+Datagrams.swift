import WireCore

/// Rows of UDP in partial results.
extension PartialRow {
    package mutating func set(_ summary: DatagramSummary) {
        for bit in 0..<DatagramProtocols.count where summary.protocols.rawValue >> UInt16(bit) & 1 == 1 {
            self["protocol.\(bit)"] = 1
        }
        for (side, counts) in [("up.", summary.counts.up), ("down.", summary.counts.down)] {
            set(side + "packets", counts.packets)
            set(side + "bytes", counts.internet)
            set(side + "payload", counts.payload)
            set(side + "link", counts.link)
        }
    }

    /// The row of UDP that it holds, of an endpoint; the empty one is that of all beyond a limit.
    package func datagrams(of endpoint: String) -> DatagramSummary {
        var summary = DatagramSummary(endpoint: endpoint.isEmpty ? nil : endpoint)
        for bit in 0..<DatagramProtocols.count where integer("protocol.\(bit)") > 0 {
            summary.protocols.insert(DatagramProtocols(rawValue: 1 << UInt16(bit)))
        }
        summary.counts = Directions(up: counts("up."), down: counts("down."))
        return summary
    }

    private func counts(_ side: String) -> DatagramCounts {
        var counts = DatagramCounts()
        counts.packets = integer(side + "packets")
        counts.internet = integer(side + "bytes")
        counts.payload = integer(side + "payload")
        counts.link = integer(side + "link")
        return counts
    }
}
