/// What a frame consists of, by layer: bytes that add up to its original length.
package struct FrameParts: Sendable {
    /// A line of the ledger for what is of no connection.
    package enum Other: UInt8, Sendable {
        case dns, quic, wireGuard, udp, icmp, otherIP
    }

    /// What is counted as a whole.
    package enum Whole: UInt8, Sendable {
        case nonIP, duplicate
    }

    package private(set) var pseudo: UInt32 = 0
    package private(set) var link: UInt32 = 0
    package private(set) var tunnel: UInt32 = 0
    /// Bytes of the IP layer: what claims add up to.
    package private(set) var internet: UInt32 = 0
    /// The IP header, which is in `internet`.
    private var header: UInt32 = 0
    /// The whole frame, where it is not taken apart.
    package private(set) var whole: UInt32 = 0
    package private(set) var kind: Whole?
    /// Where no connection owns it.
    package var other: Other?

    init(pseudo: Int, link: Int, tunnel: Int, internet: Int, header: Int = 0) {
        self.pseudo = UInt32(clamping: pseudo)
        self.link = UInt32(clamping: link)
        self.tunnel = UInt32(clamping: tunnel)
        self.internet = UInt32(clamping: internet)
        self.header = UInt32(clamping: header)
    }

    /// So many bytes turn out to be of a tunnel, or the IP header alone; what is left of them is for other frames.
    mutating func tunnel(_ left: inout Int, headerOnly: Bool) {
        let count = min(UInt32(clamping: left), headerOnly ? header : internet)
        internet -= count
        tunnel += count
        left -= Int(count)
    }

    /// Of a frame that was not audited.
    static let absent = FrameParts(pseudo: 0, link: 0, tunnel: 0, internet: 0)

    init(whole: Int, _ kind: Whole) {
        (self.whole, self.kind) = (UInt32(clamping: whole), kind)
    }

    package var total: Int { Int(pseudo) + Int(link) + Int(tunnel) + Int(internet) + Int(whole) }
}
