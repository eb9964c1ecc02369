import WireNative

/// A field as a decoder gives it.
struct HPACKField: Equatable, CustomStringConvertible {
    var name: String
    var value: String
    var isNeverIndexed = false

    init(_ name: String, _ value: String, isNeverIndexed: Bool = false) {
        self.name = name
        self.value = value
        self.isNeverIndexed = isNeverIndexed
    }

    var description: String { "\(name): \(value)\(isNeverIndexed ? " (never indexed)" : "")" }
}

/// Field blocks of RFC 7541, appendix C, with what they decode to and the dynamic table after each, newest entry first.
enum HPACKVectors {
    struct Block {
        var bytes: [UInt8]
        var fields: [HPACKField]
        var table: [HPACKField]
        var tableSize: Int

        init(_ hexadecimal: String, _ fields: [HPACKField], table: [HPACKField], _ tableSize: Int) {
            bytes = HPACKVectors.bytes(hexadecimal)
            self.fields = fields
            self.table = table
            self.tableSize = tableSize
        }
    }

    struct Conversation {
        var name: String
        var blocks: [Block]
    }

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.filter { $0 != 0x20 }.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    static let all: [Conversation] = singleFields + [requests, codedRequests, responses, codedResponses]

    /// C.2
    static let singleFields = [
        Conversation(
            name: "C.2.1",
            blocks: [
                Block(
                    "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
                    [HPACKField("custom-key", "custom-header")], table: [HPACKField("custom-key", "custom-header")], 55)
            ]),
        Conversation(
            name: "C.2.2",
            blocks: [
                Block("040c 2f73 616d 706c 652f 7061 7468", [HPACKField(":path", "/sample/path")], table: [], 0)
            ]),
        Conversation(
            name: "C.2.3",
            blocks: [
                Block(
                    "1008 7061 7373 776f 7264 0673 6563 7265 74",
                    [HPACKField("password", "secret", isNeverIndexed: true)], table: [], 0)
            ]),
        Conversation(name: "C.2.4", blocks: [Block("82", [HPACKField(":method", "GET")], table: [], 0)]),
    ]

    private static let request = [
        HPACKField(":method", "GET"), HPACKField(":scheme", "http"), HPACKField(":path", "/"), host,
    ]
    private static let host = HPACKField(":authority", "www.example.com")
    private static let noCache = HPACKField("cache-control", "no-cache")
    private static let custom = HPACKField("custom-key", "custom-value")
    private static let lastRequest = [
        HPACKField(":method", "GET"), HPACKField(":scheme", "https"), HPACKField(":path", "/index.html"), host, custom,
    ]

    /// C.3
    static let requests = Conversation(
        name: "C.3",
        blocks: [
            Block("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", request, table: [host], 57),
            Block("8286 84be 5808 6e6f 2d63 6163 6865", request + [noCache], table: [noCache, host], 110),
            Block(
                "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", lastRequest,
                table: [custom, noCache, host], 164),
        ])

    /// C.4
    static let codedRequests = Conversation(
        name: "C.4",
        blocks: [
            Block("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", request, table: [host], 57),
            Block("8286 84be 5886 a8eb 1064 9cbf", request + [noCache], table: [noCache, host], 110),
            Block(
                "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", lastRequest,
                table: [custom, noCache, host], 164),
        ])

    private static func status(_ value: String) -> HPACKField { HPACKField(":status", value) }
    private static let isPrivate = HPACKField("cache-control", "private")
    private static func date(_ second: Int) -> HPACKField { HPACKField("date", "Mon, 21 Oct 2013 20:13:\(second) GMT") }
    private static let location = HPACKField("location", "https://www.example.com")
    private static let gzip = HPACKField("content-encoding", "gzip")
    private static let cookie = HPACKField(
        "set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1")

    /// The table of C.5 and C.6 holds 256 bytes by a setting; a size update says so to whoever reads only the blocks.
    static let tableOf256 = "3fe101"

    private static func responses(_ name: String, _ blocks: [String]) -> Conversation {
        Conversation(
            name: name,
            blocks: [
                Block(
                    tableOf256 + blocks[0], [status("302"), isPrivate, date(21), location],
                    table: [location, date(21), isPrivate, status("302")], 222),
                Block(
                    blocks[1], [status("307"), isPrivate, date(21), location],
                    table: [status("307"), location, date(21), isPrivate], 222),
                Block(
                    blocks[2], [status("200"), isPrivate, date(22), location, gzip, cookie],
                    table: [cookie, gzip, date(22)], 215),
            ])
    }

    /// C.5
    static let responses = responses(
        "C.5",
        [
            "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32"
                + "3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "4803 3330 37c1 c0bf",
            "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970"
                + "7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178"
                + "2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
        ])

    /// C.6
    static let codedResponses = responses(
        "C.6",
        [
            "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad"
                + "1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
            "4883 640e ffc1 c0bf",
            "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2"
                + "e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
        ])
}

extension HPACKInflater {
    /// Inflates a block that comes in these fragments; nil when it cannot be decompressed.
    func fields(of fragments: [[UInt8]]) -> [HPACKField]? {
        var fields: [HPACKField] = []
        for (index, fragment) in fragments.enumerated() {
            let isFinal = index == fragments.count - 1
            let isDone = unsafe inflate(fragment.span.bytes, isFinal: isFinal) { name, value, coding in
                let (name, value) = (HPACKInflater.text(name), HPACKInflater.text(value))
                fields.append(HPACKField(name, value, isNeverIndexed: coding.isNeverIndexed))
            }
            guard isDone else { return nil }
        }
        return fields
    }

    /// Bytes that each field took of a block that comes in these fragments.
    func sizes(of fragments: [[UInt8]]) -> [Int] {
        var sizes: [Int] = []
        for (index, fragment) in fragments.enumerated() {
            let isFinal = index == fragments.count - 1
            _ = unsafe inflate(fragment.span.bytes, isFinal: isFinal) { sizes.append($2.size) }
        }
        return sizes
    }

    /// The dynamic table, newest entry first.
    var table: [HPACKField] {
        (0..<tableCount).compactMap { index in
            tableEntry(index).map {
                HPACKField(String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
            }
        }
    }

    private static func text(_ bytes: RawSpan) -> String {
        var array: [UInt8] = []
        append(bytes, to: &array)
        return String(decoding: array, as: UTF8.self)
    }
}
