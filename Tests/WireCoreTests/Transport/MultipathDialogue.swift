import WireNative
import WireTesting

@testable import WireCore

/// A connection of Multipath TCP, packet by packet over several paths.
///
///     var talk = MultipathDialogue()
///     let path = talk.join()
///     talk.say(.client, Sample.request)
///     talk.say(.server, Sample.response, on: path)
///     talk.close()
struct MultipathDialogue {
    static let keys: [[UInt8]] = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]

    /// All frames so far.
    private(set) var frames: [CapturedFrame] = []
    private var paths: [Dialogue]
    private let version: UInt8
    /// Bytes of data that each side has sent, and whether they have ended.
    private(set) var sent = [0, 0]
    private var ended = [0, 0]
    /// Numbers of data and acknowledgments have 8 bytes.
    var isLong = false

    init(version: UInt8 = 1, answers: Bool = true) {
        self.version = version
        paths = [Dialogue()]
        let own = version == 0 ? [Self.keys[0]] : []
        let options = Self.capable(version, own)
        write(0) { $0.syn(.client) { $0.options = [options] } }
        let answer = Self.capable(version, [Self.keys[1]])
        write(0) { $0.syn(.server) { if answers { $0.options = [answer] } } }
        let both = Self.capable(version, Self.keys)
        write(0) { $0.send(.client, .ack, at: 0) { if answers { $0.options = [both] } } }
    }

    /// Speaks plain TCP on the first path.
    mutating func write(_ path: Int, _ change: (inout Dialogue) -> Void) {
        paths[path].time = frames.last.map { $0.time + 1_000_000 } ?? paths[path].time
        paths[path].frames = []
        change(&paths[path])
        frames += paths[path].frames
    }

    // MARK: Options

    func first(_ side: Dialogue.Side) -> UInt32 { MultipathKey(Self.keys[side.rawValue], version: version).firstNumber }

    static func capable(_ version: UInt8, _ keys: [[UInt8]], length: UInt16? = nil) -> PacketBuilder.Option {
        let rest = keys.joined() + (length.map { [UInt8](be16: $0) } ?? [])
        return .bytes([30, UInt8(4 + rest.count), version, 0x81] + rest)
    }

    private func acknowledged(by side: Dialogue.Side) -> [UInt8] {
        let other = side.other.rawValue
        let number = first(side.other) &+ UInt32(sent[other] + ended[other])
        return (isLong ? [0, 0, 0, 7] : []) + [UInt8](be32: number)
    }

    /// A data sequence signal: what the side has of the other's data, and a mapping.
    func signal(
        _ side: Dialogue.Side, _ data: Int, at place: Int, _ length: Int, isEnd: Bool = false, skipping: UInt32 = 0
    ) -> [PacketBuilder.Option] {
        let number = first(side) &+ UInt32(data) &+ skipping
        let digits = (isLong ? [0, 0, 0, 9] : []) + [UInt8](be32: number)
        let total = UInt16(length + (isEnd ? 1 : 0))
        let rest = acknowledged(by: side) + digits + [UInt8](be32: UInt32(place)) + [UInt8](be16: total)
        let flags: UInt8 = (isLong ? 0x0F : 0x05) | (isEnd ? 0x10 : 0)
        return [.bytes([30, UInt8(4 + rest.count), 0x20, flags] + rest), .noOperation, .noOperation]
    }

    private func acknowledgment(_ side: Dialogue.Side) -> [PacketBuilder.Option] {
        let rest = acknowledged(by: side)
        return [.bytes([30, UInt8(4 + rest.count), 0x20, isLong ? 0x03 : 0x01] + rest)]
    }

    // MARK: Packets

    /// Opens another path. `token`: of another connection.
    mutating func join(port: UInt16 = 40_001, token: UInt32? = nil, by side: Dialogue.Side = .client) -> Int {
        var path = Dialogue(clientPort: port)
        path.initialSequence = [700_000, 9_000_000]
        paths.append(path)
        let own = MultipathKey(Self.keys[side.other.rawValue], version: version).token
        let head = [0x10 | version, 1]
        let options: [PacketBuilder.Option] = [
            .bytes([30, 12] + head + [UInt8](be32: token ?? own) + [5, 6, 7, 8]),
            .bytes([30, 16] + head + [UInt8](repeating: 7, count: 12)),
            .bytes([30, 24] + head + [UInt8](repeating: 9, count: 20)),
        ]
        write(paths.count - 1) {
            $0.syn(side, acknowledges: false) { $0.options = [options[0]] }
            $0.syn(side.other, acknowledges: true) { $0.options = [options[1]] }
            $0.send(side, .ack, at: 0) { $0.options = [options[2]] }
        }
        return paths.count - 1
    }

    /// The next data in one segment. `isMapped`: with their numbers, which are so many further than they should be.
    mutating func say(
        _ side: Dialogue.Side, _ text: String, on path: Int = 0, skipping: UInt32 = 0, isMapped: Bool = true,
        isEnd: Bool = false
    ) {
        let place = paths[path].sent[side.rawValue] + 1
        let options = signal(
            side, sent[side.rawValue], at: place, text.utf8.count, isEnd: isEnd, skipping: skipping)
        sent[side.rawValue] += text.utf8.count
        if isEnd { ended[side.rawValue] = 1 }
        write(path) { $0.data(side, text) { if isMapped { $0.options = options } } }
    }

    /// The next data in segments of so many bytes, of which one has the mapping of all.
    mutating func say(_ side: Dialogue.Side, _ text: String, on path: Int, by size: Int, mappingAt index: Int = 0) {
        let place = paths[path].sent[side.rawValue] + 1
        let options = signal(side, sent[side.rawValue], at: place, text.utf8.count)
        sent[side.rawValue] += text.utf8.count
        let bytes = Array(text.utf8)
        for (number, start) in stride(from: 0, to: bytes.count, by: size).enumerated() {
            let part = Array(bytes[start..<min(start + size, bytes.count)])
            write(path) { $0.data(side, part) { if number == index { $0.options = options } } }
        }
    }

    /// Data that were sent before, over this path.
    mutating func sayAgain(_ side: Dialogue.Side, _ text: String, from data: Int, on path: Int) {
        let place = paths[path].sent[side.rawValue] + 1
        let options = signal(side, data, at: place, text.utf8.count)
        write(path) { $0.data(side, text) { $0.options = options } }
    }

    /// Acknowledges all data.
    mutating func ack(_ side: Dialogue.Side, on path: Int = 0) {
        let options = acknowledgment(side)
        write(path) { $0.send(side, .ack, at: $0.sent[side.rawValue]) { $0.options = options } }
    }

    /// Says that no data follow.
    mutating func end(_ side: Dialogue.Side, on path: Int = 0) {
        let options = signal(side, sent[side.rawValue], at: 0, 0, isEnd: true)
        ended[side.rawValue] = 1
        write(path) { $0.send(side, .ack, at: $0.sent[side.rawValue]) { $0.options = options } }
    }

    /// Resets a path; `closesAll`: with the connection.
    mutating func reset(_ side: Dialogue.Side, on path: Int, closesAll: Bool = false) {
        let option = PacketBuilder.Option.bytes([30, 12, 0x70, 0] + Self.keys[side.other.rawValue])
        write(path) {
            $0.send(side, [.rst, .ack], at: $0.sent[side.rawValue]) { if closesAll { $0.options = [option] } }
        }
    }

    /// Ends the data of both, and all paths.
    mutating func close() {
        end(.client)
        end(.server)
        ack(.client)
        for path in paths.indices { write(path) { $0.close() } }
    }

    func audit() -> AuditedCapture { WireTesting.audit(frames) }
}
