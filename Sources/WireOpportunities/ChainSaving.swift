import WireCore

/// What the certificates of one connection cost more than clients need, in bytes of the IP layer.
struct ChainSaving: Equatable {
    /// Of certificates that no client needs.
    var unneeded = 0
    /// By compression, which the client offered and the server did not do.
    var compression = 0
    /// By compression, if the client offered it.
    var offer = 0
    /// By keys and signatures of P-256.
    var elliptic = 0
    /// What is computed, applied together.
    var together = 0

    /// Nil where the certificates were not read.
    init?(_ record: ConnectionRecord) {
        guard let tls = record.tls, let chain = tls.chain else { return nil }
        let flight = ServerFlight(record, tls)
        unneeded = flight.saving(removing: chain.unneeded)
        elliptic = flight.saving(removing: chain.ellipticSaving)
        together = unneeded
        guard let pressed = chain.compression else { return }
        let saving = flight.saving(removing: pressed.saving)
        guard pressed.isOffered else {
            offer = saving
            return
        }
        compression = saving
        together = flight.saving(removing: chain.unneeded + pressed.savingOfNeeded)
    }
}

/// The handshake messages that a server sends at one time, with its certificates: how many packets they took.
private struct ServerFlight {
    /// Nil: not of TCP. Then nothing is known of packets.
    private var packets: (count: Int, headerSize: Int)?
    private var payload = 0

    /// Header of a record; with what encryption adds in TLS 1.3.
    private static let (recordHeader, sealedRecord, changeCipherSpec) = (5, 22, 6)
    private static let (serverHello, newSessionTicket): (UInt8, UInt8) = (2, 4)

    init(_ record: ConnectionRecord, _ tls: TLSFacts) {
        let down = tls.directions.down
        let isTLS13 = tls.version == .tls13
        var later = isTLS13 ? 0 : down.handshake + down.changeCipherSpec
        for message in down.messages {
            let isClear = !isTLS13 || message.type == ServerFlight.serverHello
            let header = isClear ? ServerFlight.recordHeader : ServerFlight.sealedRecord
            let bytes = message.bytes + header * message.count
            if message.type == ServerFlight.newSessionTicket {
                if isTLS13 { later += bytes }
            } else {
                payload += bytes
            }
        }
        if isTLS13, tls.compatibilityRecords > 0 { payload += ServerFlight.changeCipherSpec }
        later = isTLS13 ? later : max(0, later - payload)
        guard record.transport == .tcp, payload > 0 else { return }
        let size = ServerFlight.headerSize(record.counts.down)
        let headers = record.costs.down[.setupTLS] - payload - later
        let all = (headers + size / 2) / size
        let expected = (payload - 1) / (PacketSaving.largestPacket - size) + 1
        // What comes later comes in a packet of its own, or in two.
        let count = max(1, all - (later > 0 ? 1 : 0))
        packets = (count == expected + 1 ? expected : count, size)
    }

    /// That of most packets: only the first has more options.
    private static func headerSize(_ counts: DirectionCounts) -> Int {
        let mean = counts.packets > 0 ? (counts.internet - counts.payload) / counts.packets : 0
        return PacketSaving.headerSizes.filter { $0 <= mean }.max() ?? 52
    }

    /// Bytes with the headers of packets that are needed no more.
    func saving(removing bytes: Int) -> Int {
        guard bytes > 0 else { return 0 }
        guard let packets else { return bytes }
        return bytes
            + PacketSaving.headers(
                removing: bytes, from: payload, packets: packets.count, headerSize: packets.headerSize)
    }
}

/// Sums of what certificates cost more than needed, by host.
struct ChainSums {
    private var unneeded = SubjectSums()
    private var compression = SubjectSums()
    private var offer = SubjectSums()
    private var elliptic = SubjectSums()

    mutating func add(_ use: ConnectionSavings.Use, _ host: String) {
        guard let saving = use.chain else { return }
        func add(_ bytes: Int, to sum: inout SubjectSums) {
            if bytes > 0 { sum.add(Opportunity.Part(use, host, bytes: bytes), host) }
        }
        add(saving.unneeded, to: &unneeded)
        add(saving.compression, to: &compression)
        add(saving.offer, to: &offer)
        add(saving.elliptic, to: &elliptic)
    }

    func opportunities() -> [Opportunity] {
        [
            unneeded.opportunity(.certificateChain, isComputed: true),
            compression.opportunity(.certificateCompression, isComputed: true),
            offer.opportunity(.certificateOffer, isComputed: false),
            elliptic.opportunity(.ellipticCertificates, isComputed: false),
        ].compactMap(\.self)
    }
}
