@testable import WireCore

/// Builds hellos and records, field by field.
enum HelloBuilder {
    static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    static func vector8(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes }
    static func vector16(_ bytes: [UInt8]) -> [UInt8] { two(bytes.count) + bytes }

    static func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type, UInt8(body.count >> 16)] + two(body.count & 0xFFFF) + body
    }

    static func record(_ type: UInt8, _ version: Int = 0x0303, _ fragment: [UInt8]) -> [UInt8] {
        [type] + two(version) + vector16(fragment)
    }

    static func fieldExtension(_ type: UInt16, _ content: [UInt8]) -> [UInt8] { two(Int(type)) + vector16(content) }

    static func serverName(_ name: String) -> [UInt8] {
        fieldExtension(ExtensionType.serverName, vector16([0] + vector16(Array(name.utf8))))
    }

    static func protocols(_ names: [String]) -> [UInt8] {
        fieldExtension(ExtensionType.applicationProtocol, vector16(names.flatMap { vector8(Array($0.utf8)) }))
    }

    static let clientRandom = [UInt8](repeating: 0xC1, count: 32)
    static let serverRandom = [UInt8](repeating: 0x5E, count: 32)

    /// Body of a ClientHello; `extensions` nil: the message ends without them.
    static func clientHello(
        session: [UInt8] = [], suites: [Int] = [0x1301, 0xC02F, 0x002F], extensions: [UInt8]? = []
    ) -> [UInt8] {
        [3, 3] + clientRandom + vector8(session) + vector16(suites.flatMap(two)) + [1, 0]
            + (extensions.map(vector16) ?? [])
    }

    /// Body of a ServerHello.
    static func serverHello(
        version: Int = 0x0303, random: [UInt8] = serverRandom, session: [UInt8] = [], suite: Int = 0xC02F,
        compression: UInt8 = 0, extensions: [UInt8]? = []
    ) -> [UInt8] {
        two(version) + random + vector8(session) + two(suite) + [compression] + (extensions.map(vector16) ?? [])
    }

    static func version2Hello(
        suites: [UInt8] = [0, 0, 0x2F, 0, 0, 0x0A, 7, 0, 0xC0], session: [UInt8] = [], challenge: [UInt8]
    ) -> [UInt8] {
        let body =
            [1, 3, 1] + two(suites.count) + two(session.count) + two(challenge.count) + suites + session + challenge
        return two(body.count | 0x8000) + body
    }
}
