/// An interface that a pcapng section describes.
struct PcapngInterface: Sendable {
    var linkType: LinkType
    /// As the file names it (`if_name`); empty where it does not, and where it was handed on.
    var name: [UInt8] = []
    /// Longest captured length the interface promises; 0 for no promise.
    var snapshotLength: Int
    var resolution = TimestampResolution()
    /// Bytes of frame check sequence at the end of each frame.
    var checkSequenceLength = 0
    /// Frames lost by the last statistics block.
    var statisticsDropped: Int?
    /// Frames lost by what the packets' own counts add up to.
    var countedDropped: Int?

    /// Statistics are the capturing program's last word; the packets' counts serve without them.
    var dropped: Int? { statisticsDropped ?? countedDropped }
    /// Systems have names of 15 to 255 bytes; a longer one is left out.
    private static let longestName = 256

    /// Longest captured length to believe.
    var frameLimit: Int { max(CaptureParser.frameLimit, min(snapshotLength, CaptureParser.declaredFrameLimit)) }

    /// Reads an interface description block (pcapng §4.2) whose fixed fields begin at `body`.
    init(_ bytes: RawSpan, body: Int, end: Int, order: PcapngOrder) {
        linkType = LinkType(rawValue: UInt32(order.u16(bytes, body)))
        snapshotLength = Int(order.u32(bytes, body + 4))
        var resolutionCode: UInt8 = 6
        var offsetSeconds: Int64 = 0
        var options = PcapngOptions(from: body + 8, to: end, order: order)
        while options.advance(bytes) {
            switch (options.code, options.length) {
            case (2, 1...Self.longestName):
                name = bytes.array(options.valueOffset..<options.valueOffset + options.length)
            case (9, 1...): resolutionCode = bytes.u8(options.valueOffset)
            case (13, 1...): checkSequenceLength = Self.checkSequenceBytes(bytes.u8(options.valueOffset))
            case (14, 8...): offsetSeconds = Int64(bitPattern: order.u64(bytes, options.valueOffset))
            default: break
            }
        }
        resolution = TimestampResolution(code: resolutionCode, offset: offsetSeconds)
    }

    /// `if_fcslen` counts bits. Its own example in older drafts is 4, so small values are taken as bytes.
    private static func checkSequenceBytes(_ value: UInt8) -> Int {
        value >= 8 ? Int(value) / 8 : Int(value)
    }

    mutating func addDropped(_ count: Int) {
        countedDropped = (countedDropped ?? 0).addingSaturating(count)
    }
}

extension Int {
    /// The sum, or the largest number where it is larger than that.
    func addingSaturating(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
