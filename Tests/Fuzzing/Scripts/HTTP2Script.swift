import WireCore
import WireTesting

/// Turns an input into an HTTP/2 connection without TLS.
///
///     byte        | bits 0–1: how it begins | bits 2–3: how it ends |
///     then steps: | bits 0–3: step | bit 4: side | bit 5: not in the capture |
///     byte        | stream and flags, for most steps
struct HTTP2Script {
    private(set) var streams = StreamScript()
    private var choices: Choices
    private var encoders = [HTTP2FieldEncoder(), HTTP2FieldEncoder(.indexing)]

    private static let stepLimit = 250

    init(_ input: [UInt8]) {
        choices = Choices(input)
        begin()
        var steps = 0
        while !choices.isEmpty, steps < Self.stepLimit {
            step()
            steps += 1
        }
    }

    private mutating func begin() {
        let shape = choices.byte()
        streams.ending = StreamScript.Ending.allCases[(shape >> 2 & 3) % 3]
        switch shape & 3 {
        case 0: streams.write(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        case 1:
            streams.write(.client, HTTPTemplates.bytes(9))
            streams.write(.server, HTTPTemplates.bytes(10))
            streams.write(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        case 2: streams.write(.server, HTTP2Frame.settings().bytes)
        default: break
        }
    }

    private mutating func step() {
        let code = choices.byte()
        let side: Dialogue.Side = code & 16 == 0 ? .client : .server
        let bytes = code & 15 == 15 ? choices.bytes(choices.byte()) : frame(code & 15, side).bytes
        streams.write(side, bytes, isLost: code & 32 != 0)
    }

    private mutating func frame(_ step: Int, _ side: Dialogue.Side) -> HTTP2Frame {
        let shape = choices.byte()
        let stream = shape & 15
        let isLast = shape & 16 != 0
        let isWhole = shape & 32 == 0
        let padding = shape & 64 == 0 ? nil : shape >> 3
        switch step {
        case 0: return .data(stream, choices.bytes(choices.byte()), endStream: isLast, padding: padding)
        case 1: return .headers(stream, block(side), endStream: isLast, endHeaders: isWhole, padding: padding)
        case 2:
            let bytes = choices.bytes(choices.byte())
            return .headers(stream, bytes, endStream: isLast, endHeaders: isWhole, priority: shape & 128 != 0)
        case 3: return .continuation(stream, choices.bytes(choices.byte()), endHeaders: isWhole)
        case 4: return .settings([(UInt16(stream), UInt32(choices.word()) << UInt32(shape >> 4))])
        case 5: return .settingsAcknowledgement
        case 6: return .windowUpdate(stream, UInt32(choices.word()))
        case 7: return .reset(stream, error: UInt32(choices.byte()))
        case 8: return .goAway(last: stream, error: UInt32(shape >> 4), text: isLast ? "bye" : "")
        case 9: return .ping(acknowledges: isLast)
        case 10: return .promise(stream, choices.byte() & 15, block(.client), endHeaders: isWhole, padding: padding)
        case 11: return .priority(stream)
        case 12: return .data(stream, [UInt8](repeating: 0x61, count: choices.word() % 20_000), endStream: isLast)
        case 13: return .headers(stream, trailers(side), endStream: isLast, endHeaders: isWhole)
        default:
            let flags = UInt8(choices.byte())
            return HTTP2Frame(
                UInt8(shape), flags: flags, stream: choices.byte(), payload: choices.bytes(choices.byte()))
        }
    }

    /// A field block of a request, or of a response, in the encoding that the side uses.
    private mutating func block(_ side: Dialogue.Side) -> [UInt8] {
        let kind = choices.byte()
        let more =
            kind & 64 == 0 ? [] : [("content-length", "\(choices.byte())"), ("cookie", "a=1"), ("cookie", "b=2")]
        if side == .server {
            return encoders[1].response([200, 100, 204, 304, 404, 101, 500, 206][kind & 7], more)
        }
        let path = "/items/\(kind & 7)"
        return encoders[0].request(
            path, method: ["GET", "POST", "HEAD", "CONNECT"][kind >> 3 & 3], host: kind & 32 == 0 ? "a" : "b", more)
    }

    private mutating func trailers(_ side: Dialogue.Side) -> [UInt8] {
        encoders[side.rawValue].trailers([("grpc-status", "\(choices.byte())")])
    }
}
