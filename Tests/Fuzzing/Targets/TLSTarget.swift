import WireCore
import WireTesting

/// TLS: handshakes and records that a script makes with real keys (`TLSScript`).
enum TLSTarget: FuzzTarget {
    static let name = "tls"
    static let longestInput = 6000
    static let memory = Bound(fixed: 160 << 20, perByte: 20_000)
    static let work = Bound(fixed: 600 << 20, perByte: 200_000)

    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? {
        let script = TLSScript(input)
        return (script.streams.frames(), script.keys)
    }

    static func run(_ input: [UInt8]) {
        let script = TLSScript(input)
        var options = AuditOptions()
        options.setup = .separate
        script.streams.check(input, options: options, keys: script.keys)
    }
}
