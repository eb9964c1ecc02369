import WireCore
import WireTesting

/// HTTP/1: what both sides say, as text. A byte 0x1E gives the other side the word.
///
/// Input: a byte with options, then the text.
enum HTTP1Target: FuzzTarget {
    static let name = "http1"
    static let longestInput = 6000
    static let memory = Bound(fixed: 160 << 20, perByte: 20_000)
    static let work = Bound(fixed: 600 << 20, perByte: 100_000)

    static let turn: UInt8 = 0x1E

    static func packets(_ input: [UInt8]) -> (frames: [CapturedFrame], keys: [UInt8])? {
        (script(input).streams.frames(), [])
    }

    static func run(_ input: [UInt8]) {
        let (streams, options) = script(input)
        streams.check(input, options: options)
    }

    private static func script(_ input: [UInt8]) -> (streams: StreamScript, options: AuditOptions) {
        var choices = Choices(input)
        let shape = choices.byte()
        var options = AuditOptions()
        options.setup = .separate
        options.keepsHeads = shape & 4 != 0
        options.decodesBodies = shape & 8 != 0
        options.decodedBodyLimit = 1 << 16
        if shape & 16 != 0 { options.headerSectionLimit = 200 }
        var streams = StreamScript()
        streams.ending = StreamScript.Ending.allCases[(shape & 3) % 3]
        var side = Dialogue.Side.client
        for turn in choices.rest().split(separator: turn, omittingEmptySubsequences: false) {
            streams.write(side, Array(turn))
            side = side.other
        }
        return (streams, options)
    }
}
