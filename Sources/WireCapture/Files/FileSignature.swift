/// Says what a file that is no capture looks like, so that its owner understands at once what he passed.
enum FileSignature {
    private static let known: [(magic: [UInt8], description: String)] = [
        ([0x1f, 0x8b], "it looks like gzip inside a compressed file; decompress it once first"),
        ([0x28, 0xb5, 0x2f, 0xfd], "it looks like zstd inside a compressed file; decompress it once first"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "it looks like xz; decompress it first: xz -dc FILE | wireaudit -"),
        ([0x42, 0x5a, 0x68], "it looks like bzip2; decompress it first: bzip2 -dc FILE | wireaudit -"),
        ([0x04, 0x22, 0x4d, 0x18], "it looks like lz4; decompress it first: lz4 -dc FILE | wireaudit -"),
        ([0x50, 0x4b, 0x03, 0x04], "it looks like a zip archive; unpack it first"),
        ([0x37, 0x7a, 0xbc, 0xaf], "it looks like a 7z archive; unpack it first"),
        ([0x7f, 0x45, 0x4c, 0x46], "it looks like a program (ELF)"),
        ([0x25, 0x50, 0x44, 0x46], "it looks like a PDF document"),
        ([0x89, 0x50, 0x4e, 0x47], "it looks like a PNG image"),
        ([0xff, 0xd8, 0xff], "it looks like a JPEG image"),
        ([0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], "it looks like an SQLite database; \(logHint)"),
        ([0x73, 0x6e, 0x6f, 0x6f, 0x70, 0x00], "it looks like a snoop capture; convert it: editcap FILE NEW.pcapng"),
        ([0x62, 0x74, 0x73, 0x6e, 0x6f, 0x6f, 0x70], "it looks like a Bluetooth capture (btsnoop), which holds no IP"),
        ([0x47, 0x4d, 0x42, 0x55], "it looks like a NetMon capture; convert it: editcap FILE NEW.pcapng"),
        ([0x52, 0x54, 0x53, 0x53], "it looks like a NetMon capture; convert it: editcap FILE NEW.pcapng"),
        ([0x1c, 0x00, 0x01, 0xac], ixia), ([0xac, 0x01, 0x00, 0x1c], ixia),
        ([0x1c, 0x00, 0x01, 0xab], ixia), ([0xab, 0x01, 0x00, 0x1c], ixia),
        ([0x0a, 0x0d, 0x0d, 0x0a], "it begins like a pcapng file, but its first block is invalid"),
    ]

    private static let ixia = "it looks like an Ixia capture (lcap); convert it: editcap FILE NEW.pcapng"

    private static let logHint =
        "a capture is what tcpdump -w or Wireshark writes; a log of the app is compared with one: "
        + "wireaudit accuracy --sdk-log LOG CAPTURE"

    /// One clause about a file that begins with these bytes; for the messages of `CaptureError`.
    static func describe(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "it is empty" }
        if let match = known.first(where: { bytes.starts(with: $0.magic) }) { return match.description }
        let start = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
        if bytes.allSatisfy(isText), bytes.count(where: { $0 < 0x80 }) * 2 >= bytes.count {
            return start.first == 0x7b || start.first == 0x5b
                ? "it looks like JSON; \(logHint)" : "it looks like text; \(logHint)"
        }
        if bytes.allSatisfy({ $0 == 0 }) { return "it begins with zeros only" }
        if isEventTrace(bytes) {
            return "it looks like an event trace of Windows (.etl); convert it: etl2pcapng FILE NEW.pcapng"
        }
        if isExtensibleRecord(bytes) {
            return "it looks like an ERF capture (Endace); convert it: editcap FILE NEW.pcapng"
        }
        return "it begins with the bytes \(hexadecimal(bytes.prefix(4))), which neither pcap nor pcapng does"
    }

    /// The head of a buffer of ETW (WMI_BUFFER_HEADER): its size, and two offsets in it behind the head.
    private static func isEventTrace(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12 else { return false }
        let fields = [0, 4, 8].map { start in bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let inside = 72...max(72, fields[0])
        return fields[0].isMultiple(of: 1024) && (1 << 12...1 << 24).contains(fields[0])
            && inside.contains(fields[1]) && inside.contains(fields[2])
    }

    /// The head of a record of ERF: a time, whose seconds are the upper half, a type, and two lengths.
    private static func isExtensibleRecord(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16 else { return false }
        let seconds = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let (record, wire) = (Int(bytes[10]) << 8 | Int(bytes[11]), Int(bytes[14]) << 8 | Int(bytes[15]))
        let types: ClosedRange<UInt8> = 1...48
        // From 1990 to 2100; before the packet stand 16 bytes, and extension headers of 8.
        return types.contains(bytes[8] & 0x7F) && (631_152_000..<4_102_444_800).contains(seconds)
            && wire > 0 && (16...wire + 80).contains(record)
    }

    /// Printable ASCII, white space, and the bytes that UTF-8 is made of.
    private static func isText(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) || (0x09...0x0d).contains(byte) || (0x80...0xf4).contains(byte)
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }
}
