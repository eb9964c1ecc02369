import Testing

@testable import WireCore

@Suite("TLS: recognition")
struct TLSProbeTests {
    typealias Build = HelloBuilder

    private func judge(_ bytes: some Collection<UInt8>, midstream: Bool = false) -> TLSProbe {
        let padded = [UInt8](repeating: 0x41, count: 3) + bytes
        return unsafe TLSProbe.probe(padded.span.bytes, at: 3, isMidstream: midstream)
    }

    static let client = Build.record(22, 0x0301, Build.message(1, Build.clientHello()))
    static let beginnings: [(bytes: [UInt8], needed: Int)] = [
        (client, 11), (Build.record(22, 0x0303, Build.message(2, Build.serverHello())), 11),
        (Build.record(22, 0x0303, Build.message(2, Build.serverHello()) + Build.message(14, [])), 11),
        // Fragments of a hello that holds less than its header, or a little more.
        (Build.record(22, 0x0301, [1]), 6), (Build.record(22, 0x0301, [1, 0, 1, 0]), 9),
        (Build.record(22, 0x0301, [1, 0, 1, 0, 3]), 10),
        (Build.record(21, 0x0303, [2, 40]), 6), (Build.record(21, 0x0301, [1, 0]), 6),
        (Build.version2Hello(challenge: Build.clientRandom), 11),
    ]

    @Test("knows beginnings as soon as it can, and says maybe before", arguments: beginnings.indices, [true, false])
    func knowsBeginnings(index: Int, midstream: Bool) {
        let (bytes, needed) = Self.beginnings[index]
        for count in 0...bytes.count {
            #expect(judge(bytes.prefix(count), midstream: midstream) == (count < needed ? .maybe : .yes), "\(count)")
        }
    }

    static let strangers: [[UInt8]] = [
        Array("GET / HTTP/1.1\r\n".utf8), Array("HTTP/1.1 200 OK\r\n".utf8), Array("SSH-2.0-x\r\n".utf8),
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), [0, 0, 0, 0, 0, 0], [22], [22, 2, 0, 0, 10, 1],
        [22, 3, 5, 0, 10, 1], [22, 3, 1, 0x48, 1, 1], [22, 3, 1, 0, 0, 1], [25, 3, 3, 0, 9, 0],
        Build.record(22, 0x0301, Build.message(3, [0])), Build.record(22, 0x0301, [1, 0, 0, 20, 3, 3]),
        Build.record(22, 0x0301, [1, 0xFF, 0xFF, 0xFF, 3, 3]), Build.record(22, 0x0301, [1, 0, 2, 0, 2, 3]),
        Build.record(22, 0x0301, Build.message(1, Build.clientHello()) + [11]),
        Build.record(21, 0x0303, [3, 0]), Build.record(21, 0x0303, [1, 0, 0]), Build.record(20, 0x0303, [1]),
        [0x80, 20, 2], [0x80, 20, 1, 2, 1], [0x80, 46, 1, 3, 1, 0, 4, 0, 0, 0, 32],
        [0x80, 1, 1, 3, 1, 0, 3, 0, 0, 0, 16],
    ]

    @Test("refuses what is none", arguments: strangers.indices)
    func refusesStrangers(index: Int) {
        // A single content type may still begin a record.
        let expected: TLSProbe = Self.strangers[index] == [22] ? .maybe : .no
        #expect(judge(Self.strangers[index]) == expected)
    }

    static let chains: [(records: [[UInt8]], answer: TLSProbe)] = [
        ([Build.record(23, 0x0303, [UInt8](repeating: 7, count: 24))], .yes),
        ([Build.record(23, 0x0303, [UInt8](repeating: 7, count: 23))], .maybe),
        ([Build.record(23, 0x0302, [UInt8](repeating: 7, count: 300))], .yes),
        ([Array(Build.record(23, 0x0302, [UInt8](repeating: 7, count: 300)).dropLast())], .maybe),
        ([Build.record(23, 0x0302, [UInt8](repeating: 7, count: 300)), [23, 3, 2, 0, 1]], .yes),
        ([Build.record(21, 0x0303, [1, 2, 3]), [23, 3, 3, 0, 0]], .yes),
        ([Build.record(20, 0x0301, [1]), [22, 3, 1, 0, 9]], .yes),
        ([Build.record(23, 0x0303, [UInt8](repeating: 7, count: 90)), [0x48, 0x54, 0x54, 0x50, 0x2F]], .no),
        ([Build.record(23, 0x0303, [UInt8](repeating: 7, count: 90)), [0x48]], .no),
        ([Build.record(23, 0x0303, [UInt8](repeating: 7, count: 90)), [23, 3]], .yes),
        ([Build.record(23, 0x0304, [UInt8](repeating: 7, count: 90))], .no),
        ([Build.record(24, 0x0303, [UInt8](repeating: 7, count: 90))], .no),
        ([Build.record(22, 0x0303, [UInt8](repeating: 7, count: 90))], .yes),
    ]

    @Test("believes a chain of records in the middle of a stream only", arguments: chains.indices)
    func knowsChains(index: Int) {
        let (records, answer) = Self.chains[index]
        #expect(judge(records.flatMap(\.self), midstream: true) == answer)
        #expect(judge(records.flatMap(\.self)) == .no)
    }

    @Test("a header is one, and the beginning of one can be one", arguments: UInt8(18)...26)
    func readsHeaders(type: UInt8) {
        for version in [0x0200, 0x0300, 0x0304, 0x0305, 0x0403] {
            for length in [0, 1, 1 << 14 + 2048, 1 << 14 + 2049] {
                let bytes = [type] + Build.two(version) + Build.two(length)
                let header = unsafe RecordHeader(bytes.span.bytes, at: 0)
                let isHeader =
                    (20...24).contains(type) && (0x0300...0x0304).contains(version) && length <= 1 << 14 + 2048
                    && (length > 0 || type == 23)
                #expect((header != nil) == isHeader, "\(bytes)")
                if let header { #expect(header.recordLength == length + 5 && Int(header.version) == version) }
                for count in 1...5 where isHeader {
                    let prefix = Array(bytes.prefix(count))
                    #expect(unsafe RecordHeader.couldBegin(prefix.span.bytes, at: 0))
                    #expect(unsafe (RecordHeader(prefix.span.bytes, at: 0) != nil) == (count == 5))
                }
                #expect(unsafe RecordHeader.couldBegin(bytes.span.bytes, at: 0) == isHeader)
            }
        }
    }
}
