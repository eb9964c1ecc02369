import WireTesting

@testable import WireCore

/// Bytes of one frame part, one after another.
struct ReadPart: Equatable, CustomStringConvertible {
    var part: FramePart
    var count: Int

    init(_ part: FramePart, _ count: Int) {
        self.part = part
        self.count = count
    }

    var description: String { "\(part) \(count)" }
}

/// A frame to be read, and what a reader that has all of it at once makes of it.
struct SampleFrame {
    var type: UInt8
    var flags: UInt8 = 0
    var stream = 0
    var payload: [UInt8] = []

    var bytes: [UInt8] {
        let length = payload.count
        let header = [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
        return header + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: stream >> $0) } + payload
    }

    /// The parts of the payload, and whether its structure breaks RFC 9113. This is the long way round: padding off
    /// first, then fields, then the rest.
    var expected: (parts: [ReadPart], isMalformed: Bool) {
        let hasPadding = [0, 1, 5].contains(type) && flags & 0x8 != 0
        var fields: [ReadPart] = []
        if hasPadding { fields.append(ReadPart(.padLength, 1)) }
        if type == 1, flags & 0x20 != 0 { fields.append(ReadPart(.priority, 5)) }
        if type == 5 { fields.append(ReadPart(.promisedStream, 4)) }
        let padding = hasPadding ? Int(payload.first ?? 0) : 0
        let rest = payload.count - fields.map(\.count).reduce(0, +) - padding
        guard rest >= 0 else {
            let isPadLengthRead = hasPadding && !payload.isEmpty
            let left = payload.count - (isPadLengthRead ? 1 : 0)
            return (
                (isPadLengthRead ? [ReadPart(.padLength, 1)] : []) + (left > 0 ? [ReadPart(.payload, left)] : []), true
            )
        }
        let main: FramePart = [0: .data, 1: .fragment, 2: .priority, 5: .fragment, 9: .fragment][type] ?? .payload
        let parts = fields + [ReadPart(main, rest), ReadPart(.padding, padding)].filter { $0.count > 0 }
        return (parts, hasWrongStream || hasWrongLength || hasWrongValue)
    }

    private var hasWrongStream: Bool {
        ([0, 1, 2, 3, 5, 9].contains(type) && stream == 0) || ([4, 6, 7, 0x10].contains(type) && stream != 0)
    }

    private var hasWrongLength: Bool {
        let lengths: [UInt8: Bool] = [
            2: payload.count == 5, 3: payload.count == 4, 6: payload.count == 8, 7: payload.count >= 8,
            4: flags & 1 != 0 ? payload.isEmpty : payload.count % 6 == 0, 8: payload.count == 4,
            0xA: payload.count >= 2, 0x10: payload.count >= 4,
        ]
        return lengths[type] == false
    }

    private func number(at offset: Int, _ count: Int) -> Int {
        payload[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private var hasWrongValue: Bool {
        switch type {
        case 4: settings.contains { ($0.identifier == 2 && $0.value > 1) || $0.isMalformed }
        case 5:
            number(at: flags & 8 != 0 ? 1 : 0, 4) & 0x7FFF_FFFF == 0
                || payload[flags & 8 != 0 ? 4 : 3] % 2 == 1
        case 8: payload.count >= 4 && number(at: 0, 4) & 0x7FFF_FFFF == 0
        default: false
        }
    }

    private var settings: [FrameSetting] {
        guard type == 4, !hasWrongLength, !hasWrongStream else { return [] }
        return stride(from: 0, to: payload.count, by: 6).map {
            FrameSetting(identifier: UInt16(number(at: $0, 2)), value: UInt32(number(at: $0 + 2, 4)))
        }
    }

    /// A frame of any type, whose faults are rare when `isOrderly`.
    static func random(_ random: inout SeededRandom, isOrderly: Bool) -> SampleFrame {
        var frame = SampleFrame(type: random.element([0, 0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 0xA, 0xC, 0x10, 0x77]))
        frame.flags = UInt8(random.below(256)) & (random.oneIn(4) ? 0xFF : 0x2D)
        let isOfConnection = [4, 6, 7, 0x10].contains(frame.type)
        frame.stream = isOfConnection == (isOrderly || random.oneIn(2)) ? 0 : 1 + random.below(9)
        let lengths: [UInt8: Int] = [2: 5, 3: 4, 6: 8, 7: 8, 8: 4]
        if frame.type == 4 {
            frame.payload = random.bytes(6 * random.below(5))
        } else if let length = lengths[frame.type], isOrderly || !random.oneIn(3) {
            frame.payload = random.bytes(length)
        } else {
            frame.payload = random.bytes(random.below(50))
        }
        // Padding that has a chance to fit.
        if frame.flags & 8 != 0, !frame.payload.isEmpty { frame.payload[0] = UInt8(random.below(30)) }
        return frame
    }
}

/// What a reader made of one frame.
struct ReadFrame: Equatable {
    var header: FrameHeader
    var parts: [ReadPart] = []
    var isMalformed = false
    var isComplete = false
    var isDamaged = false
    /// Values of control frames: promised stream, window increment.
    var values: [Int?] = []
}

/// Reads runs to their end and writes down what came, with neighbours of the same part put together.
struct FrameLog {
    var reader: FrameReader
    var frames: [ReadFrame] = []
    var claimed = 0
    /// Header bytes that runs ended with.
    private var openHeader = 0
    /// What contradicts itself.
    var contradictions: [String] = []

    init(joinsLate: Bool = false) { reader = FrameReader(joinsLate: joinsLate) }

    mutating func read(_ run: [UInt8]) {
        var offset = 0
        while offset < run.count {
            let step = unsafe reader.next(run.span.bytes, offset)
            let count = note(step)
            if count <= 0 || count > run.count - offset {
                contradictions.append("claimed \(count)")
                return
            }
            offset += count
        }
        claimed += offset
    }

    /// Whether all missing bytes could be passed over.
    mutating func skip(_ count: Int) -> Bool {
        var left = count
        while left > 0 {
            guard let skipped = reader.skip(left) else { return false }
            add(skipped.part, skipped.count)
            left -= skipped.count
        }
        return true
    }

    private mutating func note(_ step: FrameReader.Step) -> Int {
        switch step {
        case .incompleteHeader(let count):
            openHeader += count
            if reader.isFrameComplete || reader.isAtFrameStart { contradictions.append("incomplete header") }
            return count
        case .header(let count):
            if openHeader != reader.headerBytesBefore || openHeader + count != 9 {
                contradictions.append("header of \(openHeader) + \(count)")
            }
            openHeader = 0
            frames.append(ReadFrame(header: reader.frame))
            noteState()
            return count
        case .bytes(let part, let count):
            add(part, count)
            return count
        }
    }

    private mutating func add(_ part: FramePart, _ count: Int) {
        guard let last = frames.indices.last else { return contradictions.append("part without a frame") }
        if frames[last].parts.last?.part == part {
            frames[last].parts[frames[last].parts.count - 1].count += count
        } else {
            frames[last].parts.append(ReadPart(part, count))
        }
        noteState()
    }

    private mutating func noteState() {
        let last = frames.count - 1
        frames[last].isMalformed = reader.isMalformed
        frames[last].isComplete = reader.isFrameComplete
        frames[last].isDamaged = reader.isDamaged
        frames[last].values = [reader.promisedStreamID, reader.windowIncrement]
        if reader.isFrameComplete != (reader.partRemaining == 0) { contradictions.append("complete or not") }
    }

    static func read(_ runs: [[UInt8]], joinsLate: Bool = false) -> FrameLog {
        var log = FrameLog(joinsLate: joinsLate)
        for run in runs { log.read(run) }
        return log
    }
}
