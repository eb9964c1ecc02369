/// Records that are authenticated but not encrypted: NULL ciphers of TLS 1.2 and earlier (RFC 5246 §6.2.3.1).
final class PlainRecordOpener: RecordOpener {
    private let mac: RecordMAC

    init?(_ mac: RecordMAC?, version: UInt16) {
        guard version <= 0x0303, let mac else { return nil }
        self.mac = mac
    }

    func open(
        _ record: UnsafeRawBufferPointer, sequence: UInt64, into output: UnsafeMutableRawBufferPointer
    ) -> OpenedRecord? {
        let length = record.count - RecordLayout.headerLength - mac.length
        guard length >= 0, let base = record.baseAddress else { return nil }
        let end = RecordLayout.headerLength + length
        let content = unsafe UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerLength..<end])
        guard unsafe mac.matches(base + end, sequence: sequence, record: record, content: content) else { return nil }
        unsafe output.copyMemory(from: content)
        return unsafe OpenedRecord(
            contentType: record[0], content: 0..<length, lead: RecordLayout.headerLength, trail: mac.length)
    }
}
