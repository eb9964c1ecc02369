/// What an endpoint declares in its handshake (RFC 9000 §18).
enum QUICTransportParameters {
    private static let resetToken: UInt64 = 2

    /// Where the token of the server's stateless reset stands (RFC 9000 §18.2); nil where there is none, or what stands
    /// before it cannot be read.
    static func resetToken(_ bytes: RawSpan) -> Range<Int>? {
        var offset = 0
        while offset < bytes.byteCount {
            guard let parameter = bytes.varint(&offset, end: bytes.byteCount),
                let count = bytes.varint(&offset, end: bytes.byteCount), count <= UInt64(bytes.byteCount - offset)
            else { return nil }
            let content = offset..<offset + Int(count)
            if parameter == resetToken { return content.count == 16 ? content : nil }
            offset = content.upperBound
        }
        return nil
    }
}
