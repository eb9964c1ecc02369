import WireCore
import WireTesting

/// Reassembly, and everything above it, on packets that a script speaks (`TCPScript`).
enum TCPTarget: FuzzTarget {
    static let name = "tcp"
    static let longestInput = 2000
    static let memory = Bound(fixed: 160 << 20, perByte: 20_000)
    static let work = Bound(fixed: 600 << 20, perByte: 500_000)

    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? {
        (TCPScript(input).frames, [])
    }

    static func run(_ input: [UInt8]) {
        let script = TCPScript(input)
        let audit = ProbedAudit(frames: script.frames, options: script.options)
        let whole = audit.run()
        whole.demandBalance("from a file")
        var cuts = Cuts(input)
        audit.runLive(&cuts).demandEqual(whole, "live")
        audit.demandSameInRounds(input)
    }
}
