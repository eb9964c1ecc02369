import WireCore
import WireTesting

/// QUIC and HTTP/3: packets that a script seals with real keys (`QUICScript`), in any order, damaged, without a beginning.
enum QUICTarget: FuzzTarget {
    static let name = "quic"
    static let longestInput = 4000
    static let memory = Bound(fixed: 160 << 20, perByte: 20_000)
    static let work = Bound(fixed: 800 << 20, perByte: 500_000)

    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? {
        let script = QUICScript(input)
        return (script.frames, script.keys)
    }

    static func run(_ input: [UInt8]) {
        let script = QUICScript(input)
        var options = AuditOptions()
        options.setup = .separate
        // A connection without a beginning is looked for, but not with all the time that there is.
        options.quicTrialLimit = 20_000
        let audit = ProbedAudit(frames: script.frames, options: options, keys: script.keys)
        let whole = audit.run()
        whole.demandBalance("from a file")
        var cuts = Cuts(input)
        audit.runLive(&cuts).demandEqual(whole, "live")
        audit.demandSameInRounds(input)
    }
}
