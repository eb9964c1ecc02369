import WireCore
import WireTesting

/// An audit of some frames whose outcome is checked and compared.
struct ProbedAudit {
    var frames: [CapturedFrame]
    var options = AuditOptions()
    /// Lines of a key log.
    var keys: [UInt8] = []

    /// Called before each frame with its index, and at the end.
    typealias Between = (inout Auditor, Int) -> Void

    func run(_ between: Between = { _, _ in }) -> AuditedCapture { runInOrder(between).audited }

    /// With the records in the order in which they were given out.
    func runInOrder(_ between: Between = { _, _ in }) -> (audited: AuditedCapture, order: [GivenRecord]) {
        let sink = ProbeSink()
        var auditor = Auditor(options: options, sink: sink, keys: keyLog)
        let file = auditor.addFile(Self.summary)
        for (index, frame) in frames.enumerated() {
            between(&auditor, index)
            unsafe auditor.consume(facts(index), frame.bytes.span.bytes, file: file)
        }
        between(&auditor, frames.count)
        let result = auditor.finish()
        return (sink.audited(result, frames), sink.order)
    }

    static let summary = CaptureFileSummary(path: "fuzz.pcap", format: "pcap")

    var keyLog: KeyLog {
        let log = KeyLog()
        unsafe log.add(keys.span.bytes)
        log.endOfInput()
        return log
    }

    func facts(_ index: Int) -> CaptureFrame { frames[index].facts(number: index + 1) }

    /// Runs it as a live capture would: time goes on between the frames, and somebody looks.
    func runLive(_ cuts: inout Cuts) -> AuditedCapture {
        var cuts = cuts
        return run { auditor, index in
            let previous = index > 0 ? frames[index - 1].time : frames.first?.time ?? 0
            let next = index < frames.count ? frames[index].time : previous &+ 100_000_000_000_000
            switch cuts.below(8) {
            case 0: _ = auditor.snapshot(recent: cuts.below(5))
            case 1: auditor.advance(to: next)
            case 2: auditor.advance(to: next &- Int64(cuts.below(5_000_000_000)))
            default: break
            }
        }
    }
}

extension AuditedCapture {
    /// Demands that the books balance, and that the records add up to them.
    func demandBalance(_ what: String) {
        let contradictions = contradictions
        demand(contradictions.isEmpty, "\(what): \(contradictions.prefix(5).joined(separator: "; "))")
    }

    /// Demands that another audit of the same frames says the same.
    func demandEqual(_ other: AuditedCapture, _ what: String) {
        demandEqualLists(exchanges.map(AllFacts.init), other.exchanges.map(AllFacts.init), "\(what): exchange")
        demandEqualLists(
            connections.map(ConnectionFacts.init), other.connections.map(ConnectionFacts.init), "\(what): connection")
        demandEqualLists(findings, other.findings, "\(what): finding")
        demandEqualLists([SumFacts(result)], [SumFacts(other.result)], "\(what): sums")
        demandEqualLists(apis, other.apis, "\(what): row of APIs")
        demandEqualLists(hosts, other.hosts, "\(what): host")
    }

    /// Demands that an audit of the same streams, cut into other segments, finds the same messages.
    func demandSameMessages(_ other: AuditedCapture, _ what: String) {
        demandEqualLists(
            exchanges.map(MessageFactSheet.init), other.exchanges.map(MessageFactSheet.init), "\(what): exchange")
        demandEqualLists(
            connections.map { StreamFacts($0) }, other.connections.map { StreamFacts($0) }, "\(what): connection")
    }

    /// Every byte was read as part of what its protocol says comes there. Where that is not so, the engine looks for a
    /// message where a segment begins, and may find it in one cut of a stream and not in another.
    var isInStep: Bool {
        let losing: [FindingCode] = [.messageMalformed, .recordMalformed]
        guard !result.findings.contains(where: { losing.contains($0.code) }) else { return false }
        for exchange in exchanges where exchange.stream == nil {
            // A method that is none of the usual ones is believed with its whole line only.
            let method = exchange.method ?? []
            let isUsual = method.count < 20 && method.allSatisfy { 0x41...0x5A ~= $0 || $0 == 0x2D }
            guard isUsual, !exchange.flags.contains(.malformed) else { return false }
        }
        return connections.allSatisfy { connection in
            let tunnels = exchanges(of: connection.connection).filter {
                !$0.flags.isDisjoint(with: [.tunnel, .upgraded])
            }
            let inTunnels = tunnels.reduce(0) { $0 + $1.costs.up[.opaque] + $1.costs.down[.opaque] }
            guard let tls = connection.tls else {
                return connection.costs.up[.opaque] + connection.costs.down[.opaque] == inTunnels
            }
            return tls.directions.up.total == connection.counts.up.payloadNew
                && tls.directions.down.total == connection.counts.down.payloadNew
        }
    }

    private var findings: [String] {
        result.findings.map { "\($0.code.code) \($0.count) at \($0.packet)" }
    }

    private var apis: [APIFacts] { result.apis.map(APIFacts.init).sorted { $0.api < $1.api } }

    private var hosts: [HostFacts] { result.hosts.map(HostFacts.init).sorted { $0.host < $1.host } }
}

func demandEqualLists<Element: Equatable>(_ one: [Element], _ other: [Element], _ what: String) {
    guard one != other else { return }
    for (index, (left, right)) in zip(one, other).enumerated() where left != right {
        fail("\(what) \(index):\n\(left)\nand\n\(right)")
    }
    fail(
        "\(what): \(one.count) and \(other.count), first of the rest: "
            + "\((one.count > other.count ? one : other)[min(one.count, other.count)])")
}
